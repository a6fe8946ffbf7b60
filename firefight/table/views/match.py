"""A match: its page, its rolls, its log. Every roll goes through firefight.table.acts."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.addresses import address_of
from firefight.assistant import chartbooks, registry, reminders
from firefight.assistant.desk import Desk, Submission, find_helper, keep_result, prepare, read_submission, render_part
from firefight.assistant.views import draw_odds, grouped
from firefight.columns import DueRoll
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import face_text
from firefight.htmx import htmx_of
from firefight.models import LogEntry
from firefight.table import acts, consent, devices, fairness, log, record, replay, seats
from firefight.table.acts import Incomplete, Refused
from firefight.table.seats import Table

from .access import OTHER_SIDE, has_changed_hands, is_current, is_for_other_side, number_in, page_anew, sitting

NOTES = (LogEntry.Kind.NOTE, LogEntry.Kind.SEALED)
# Acts that leave the desk alone.
ASIDE = (*NOTES, LogEntry.Kind.REVEAL, LogEntry.Kind.TURN)
# What is news, but no reason for the other device's desk to change.
BESIDE_DESK = (*ASIDE, LogEntry.Kind.SEAT, LogEntry.Kind.LEDGER)
# Acts after which the phase may be another.
PHASING = (LogEntry.Kind.TURN, LogEntry.Kind.TAKE_BACK)


def seated(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the Table that this browser sits at; turn away whoever holds no seat.

    A form that was drawn for the other side of a device is refused by the page of the match.
    """

    @sitting
    def guarded(request: HttpRequest, table: Table, **parts: Any) -> HttpResponse:
        if is_for_other_side(request, table):
            return refused(request, table, Refused(OTHER_SIDE))
        return view(request, table, **parts)

    return guarded


# Pages


@require_http_methods(["GET"])
@seated
def match_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The match: status, the next due roll or the helpers, the log."""
    lines = log.newest_lines(table.match, table.sees)
    return show(request, table, first_desk(table, lines), lines)


def first_desk(table: Table, lines: list[log.LogLine]) -> Desk | None:
    """The next due roll with the last result above it; None when there is neither."""
    rolled = (line for line in lines if line.result and line.voided_by is None)  # lines of an act just done
    last = next(rolled, None) or log.last_result(table.match, table.sees)
    queue = table.match.state.queue_for(table.sees)
    if table.plays and not table.match.ended and queue:
        desk = step_desk(table, queue[0])
    elif last:
        desk = Desk(find_helper(table.match.game, last.helper), idle=True)
    else:
        return None
    return with_result(desk, last)


def with_result(desk: Desk, line: log.LogLine | None) -> Desk:
    """Put a logged result on top of a desk."""
    if line:
        desk.result, desk.rolls, desk.entry = line.result, line.rolls, line.number
    return desk


def desk_at(table: Table, slug: str, form=None, values=None, **hidden: str) -> Desk:
    """A desk in a match: a given form, or a fresh one filled with plain values."""
    found = find_helper(table.match.game, slug)
    book = chartbooks.of_match(table.match)
    filled = record.fill_form(table, found.form)
    chained = bool(hidden.get("chained"))
    form = form or found.form.from_plain(values or {}, book=book, chained=chained, sealed=filled.sealed)
    return Desk(
        helper=found,
        form=form,
        post_url=address_of("firefight:roll", table.match.pk, slug),
        odds_url=address_of("firefight:match-odds", table.match.pk, slug),
        book_name=book.name,
        hidden={"carry": form.carry_json(), **{name: value for name, value in hidden.items() if value}},
        match=table.match,
    )


def step_desk(table: Table, step: DueRoll) -> Desk:
    """The desk of a roll that is due."""
    values = {**present_values(table, step.helper), **step.inputs}
    desk = desk_at(table, step.helper, values=values, step=step.id, chained="1")
    desk.step_title = step.title
    return desk


def show(
    request: HttpRequest,
    table: Table,
    desk: Desk | None,
    lines: list[log.LogLine],
    submission=None,
    needs: tuple[str, ...] = (),
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Draw the whole match page, or for htmx the desk with what else has changed."""
    after = number_in(request, "after") if htmx_of(request) else None
    book = chartbooks.of_match(table.match)
    ctx = {**status_context(table, lines), "lines": lines, "desk": desk, "book": book}
    if desk and not desk.idle:
        prepare(desk, book, submission, needs)
    ctx |= {"after": after, **more}
    return render_part(request, "firefight/match.html", "firefight/_match_desk.html", ctx, status)


def missing_lines(request: HttpRequest, table: Table) -> list[log.LogLine]:
    """The log lines for an answer: a page's first, or what a page of htmx says it has not shown yet."""
    if not htmx_of(request):
        return log.newest_lines(table.match, table.sees)
    after = number_in(request, "after")
    return [] if after is None else log.since(table.match, table.sees, after)


def status_context(table: Table, lines: list[log.LogLine]) -> dict[str, Any]:
    """Where the match stands, the ways on and what that brings to mind; what one side proposes to the others."""
    match, course, position = table.match, table.course, table.match.state.position
    step = course.step(position)
    return {
        "table": table,
        "match": match,
        "game": table.game,
        "headings": course.headings(position),
        "buttons": course.buttons(position),
        "reminders": reminders.for_step(match.game, step),
        "step_title": course.steps.get(step, ""),
        "groups": grouped(match.game, step),
        "phased": any(line.kind in PHASING for line in lines),
        "due": match.state.queue_for(table.sees),
        "pending": consent.describe_pending(table),
        "version": match.version,
        "last_number": match.last_number,
    }


@require_GET
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """What is new since the page's last look. One cheap query when nothing is, and an empty answer."""
    glance = devices.glance(request, match_id)
    if has_changed_hands(request, glance):
        return page_anew()
    return HttpResponse(status=204) if is_current(request, glance) else news(request, match_id)


@require_GET
def hands(request: HttpRequest, match_id: str) -> HttpResponse:
    """Whether this hot-seat device is in other hands than when a page was drawn: the page makes way. One query."""
    return page_anew() if has_changed_hands(request, devices.glance(request, match_id)) else HttpResponse(status=204)


@seated
def news(request: HttpRequest, table: Table) -> HttpResponse:
    """The log lines and the status that a page does not show yet, and the desk if the news changes it."""
    after = number_in(request, "after") or 0
    lines = log.since(table.match, table.sees, after)
    if log.first_lines(lines, log.NEWS_ROOM) != lines:
        return page_anew()
    ctx = {**status_context(table, lines), "lines": lines, "after": after}
    if all(line.kind in BESIDE_DESK for line in lines if line.number > after):
        return render(request, "firefight/_news.html", ctx)
    desk = first_desk(table, lines)
    if desk and not desk.idle:
        prepare(desk, chartbooks.of_match(table.match))
    response = render(request, "firefight/_news.html", {**ctx, "desk": desk, "new_desk": True})
    response["HX-Replace-Url"] = address_of("firefight:match", table.match.pk)
    return response


@require_GET
@seated
def older(request: HttpRequest, table: Table) -> HttpResponse:
    """The log before an entry."""
    lines = log.newest_lines(table.match, table.sees, before=number_in(request, "before"))
    if htmx_of(request):
        lines = log.first_lines(lines, log.OLDER_ROOM)
    ctx = {**status_context(table, lines), "lines": lines}
    return render_part(request, "firefight/log.html", "firefight/_older.html", ctx)


@require_GET
@seated
def export(request: HttpRequest, table: Table) -> HttpResponse:
    """The log as one JSON file, with the secrets of the own side only."""
    response = JsonResponse(log.export(table.match, table.sees), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="volga-{table.match.pk}.json"'
    return response


# Rolls


@require_http_methods(["GET", "POST"])
@seated
def roll(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """A helper in the match: its form, and the roll."""
    found = find_helper(table.match.game, slug)
    if request.method == "GET":
        return show(request, table, asked_desk(request, table, slug), missing_lines(request, table))
    book = chartbooks.of_match(table.match)
    sealed = record.fill_form(table, found.form).sealed
    submission = read_submission(request, found, book, sealed, known_values(request, table, slug))
    if submission.good and not submission.more:
        return rolled(request, table, submission, found)
    status = 200 if submission.more else 422
    return again(request, table, submission, found, status=status)


def asked_desk(request: HttpRequest, table: Table, slug: str) -> Desk:
    """The desk that an address asks for: a due step, a roll to repeat or to correct, or a fresh form."""
    due = table.match.state.queue_for(table.sees)
    step = next((step for step in due if step.id == request.GET.get("step")), None)
    if step and step.helper == slug:
        return step_desk(table, step)
    if repeats := number_in(request, "again"):
        entry = LogEntry.objects.filter(match=table.match, number=repeats, helper=slug).first()
        return desk_at(table, slug, values=log.visible([entry], table.sees)[0].inputs if entry else {})
    corrects = number_in(request, "corrects")
    if corrects is None:
        return desk_at(table, slug, values=present_values(table, slug))
    entry = LogEntry.objects.filter(match=table.match, number=corrects, helper=slug).first()
    if entry is None or not log.visible([entry], table.sees)[0].correctable:
        raise Http404("There is no such roll of yours to correct.")
    desk = desk_at(table, slug, values=entry.inputs, corrects=str(corrects), chained="1")
    desk.step_title = f"Correct № {corrects}"
    desk.notice = f"The old dice showed {', '.join(face_text(die.face, die.sides) for die in entry.rolls)}."
    return desk


def known_values(request: HttpRequest, table: Table, slug: str) -> dict[str, Any]:
    """What a posted form need not repeat: the inputs of the roll that it corrects or that is due, or what is known."""
    corrects = number_in(request, "corrects")
    if corrects is not None:
        entry = LogEntry.objects.filter(match=table.match, number=corrects, helper=slug).first()
        return dict(log.visible([entry], table.sees)[0].inputs) if entry else {}
    due = (step for step in table.match.state.queue_for(table.sees) if step.id == request.POST.get("step"))
    return {**present_values(table, slug), **next((step.inputs for step in due), {})}


def present_values(table: Table, slug: str) -> dict[str, Any]:
    """What the match knows of a fresh form's fields: its place, its record, and what was agreed."""
    state, form = table.match.state, find_helper(table.match.game, slug).form
    known, fields = dict(record.fill_form(table, form).values), form.base_fields
    agreed = ((option, state.options.get(option.slug)) for option in table.game.all_options)
    chosen = {name: value for option, value in agreed for name in fields if value and option.fills(slug, name)}
    return known | chosen


def rolled(request: HttpRequest, table: Table, submission, found: registry.Helper) -> HttpResponse:
    """Do the roll; show its result and the next step, or say why not."""
    order = acts.RollOrder(
        helper=found,
        owner=record.fill_form(table, found.form).owner,
        form=submission.form,
        source=submission.source,
        faces=submission.faces,
        step=request.POST.get("step", "")[:24],
        corrects=number_in(request, "corrects"),
    )
    try:
        done = acts.roll(table, request.POST.get("act", ""), number_in(request, "version") or 0, order)
    except Incomplete as error:
        return again(request, table, submission, found, halfway=str(error), needs=error.result.needs)
    except RuleError as error:
        submission.form.add_rule_error(error)
        return again(request, table, submission, found, status=422)
    except Refused as error:
        return refused(request, table, error, again_with=(submission, found))
    return after_act(request, table, done)


def again(request, table: Table, submission, found, halfway="", trouble="", needs=(), status=200) -> HttpResponse:
    """The same form once more, with what was typed; the last result stays above it."""
    kept = {name: request.POST.get(name, "")[:24] for name in ("step", "corrects", "chained")}
    if needs:
        kept["act"] = request.POST.get("act", "")
    desk = desk_at(table, found.slug, form=submission.form, **kept)
    steps = table.match.state.queue_for(table.sees)
    due = next((step for step in steps if step.id == kept["step"]), None)
    desk.step_title = due.title if due else ""
    desk.halfway, desk.trouble = halfway, trouble
    if not htmx_of(request):
        with_result(desk, log.last_result(table.match, table.sees))
    return keep_result(request, show(request, table, desk, missing_lines(request, table), submission, needs, status))


def after_act(request: HttpRequest, table: Table, done: acts.Done) -> HttpResponse:
    """The desk after an act, built from what the log now holds."""
    if not htmx_of(request):
        return redirect(address_of("firefight:match", done.match.pk) + "#desk")
    fresh = Table(done.match, table.side, table.held, table.seats)
    after = number_in(request, "after")
    shown = done.match.last_number - 1 if after is None else after
    lines = log.since(done.match, table.sees, shown, fresh=done.entries)
    if log.first_lines(lines, log.NEWS_ROOM) != lines:
        return page_anew()
    kind = done.entries[0].kind
    if kind not in ASIDE:
        response = show(request, fresh, first_desk(fresh, lines), lines, after=after)
        response["HX-Replace-Url"] = address_of("firefight:match", done.match.pk)
        return response
    # A form that somebody is filling in stays as it is.
    ctx = {**status_context(fresh, lines), "lines": lines, "after": after, "noted": kind in NOTES}
    response = render(request, "firefight/_news.html", ctx)
    response["HX-Reswap"] = "none"
    return response


def refused(
    request: HttpRequest, table: Table, error: Refused, again_with: tuple[Submission, registry.Helper] | None = None
) -> HttpResponse:
    """Say plainly why nothing was done, above the present state."""
    table = seats.at_table(request, table.match.pk)
    if again_with:
        submission, found = again_with
        return again(request, table, submission, found, trouble=str(error), status=error.status)
    lines = missing_lines(request, table)
    more: dict[str, Any] = {"trouble": str(error), "status": error.status}
    if htmx_of(request) and number_in(request, "after") is None:
        more["after"] = table.match.last_number  # the sentence stands in the status, which comes with the lines
    return show(request, table, first_desk(table, lines), lines, **more)


@require_POST
@seated
def match_odds(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """The odds as the inputs stand, with the match's own charts."""
    found = find_helper(table.match.game, slug)
    return draw_odds(request, found, chartbooks.of_match(table.match), record.fill_form(table, found.form).sealed)


@require_GET
@seated
def dice(request: HttpRequest, table: Table) -> HttpResponse:
    """How the match's dice can be checked, and once it has ended the check itself."""
    first = number_in(request, "first") or 1
    ctx: dict[str, Any] = {"table": table, "match": table.match, "game": table.game, "first": first}
    if table.match.ended:
        ctx |= replay.examine(log.export(table.match, ()), first=first)
    ctx["earlier"] = fairness.earlier_dice(table.match)
    return render(request, "firefight/match_dice.html", ctx)
