"""The page of a match, to which every act leads back: whole, or for htmx the parts that have changed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from firefight.assistant.desk import Desk, Submission, keep_result, prepare_desk, render_part
from firefight.engine.board.counters import AskedValue
from firefight.engine.values import Json
from firefight.games import chartbooks, registry
from firefight.models import LogEntry, Match
from firefight.table import demo_hints
from firefight.table.act.act import Done
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.lines import LogLine
from firefight.table.act.refusals import LeavesOpen, Refused
from firefight.table.act.table import Table
from firefight.table.board import record_rules
from firefight.table.log import filtering, reading
from firefight.table.log.episodes import Episode, first_episodes, newest_episodes, read_episode_of, read_newer
from firefight.table.log.reading import NEWS_ROOM, PAGE_ROOM
from firefight.table.presenters import find_moved, picture_lines, show_touched, table_of
from firefight.table.rolling import conducting, joint
from firefight.table.seats import devices, seating, turns, visits
from firefight.web.addresses import address_of
from firefight.web.requests import is_by_htmx, number_in, wants_json, wants_part

from . import programs
from .access import to_page
from .checklist import name_decider
from .desks import desk_at, find_desk, say_hides, tell_result, with_results
from .match_status import present_cards, present_page, present_status, present_step
from .sent_counters import PostedRoll
from .shown_guide import show_guide
from .shown_step import show_step

# What the form of each act carries for itself.
OF_ONE_ACT = ("csrfmiddlewaretoken", "act", "as", "version", "after")
NOTES = (LogEntry.Kind.NOTE, LogEntry.Kind.SEALED)
# Acts that leave the desk alone.
ASIDE = (*NOTES, LogEntry.Kind.REVEAL, LogEntry.Kind.TURN)
# What is news, but does not change the other device's desk.
BESIDE_DESK = (*ASIDE, LogEntry.Kind.SEAT, LogEntry.Kind.LEDGER)
# Acts whose outcome the page shows at the top, above the desk.
SAID_ON_TOP = (LogEntry.Kind.PROPOSAL, LogEntry.Kind.END)
# Acts that may change the phase.
PHASING = (LogEntry.Kind.TURN, LogEntry.Kind.TAKE_BACK)


def show_match(
    request: HttpRequest,
    table: Table,
    desk: Desk | None,
    lines: list[LogLine],
    submission: Submission | None = None,
    needs: tuple[str, ...] = (),
    status: int = 200,
    match_on_page: Match | None = None,
    **more: Any,
) -> HttpResponse:
    """Draw the whole match page, or for htmx the desk and what else has changed since ``match_on_page``."""
    after = more.get("after", number_in(request, "after") if wants_part(request) else None)
    book = chartbooks.of_match(table.match)
    if wants_part(request):
        ctx = present_news(table, lines, after, match_on_page)
    else:
        places = table_of(table, selected=request.GET.getlist("chosen"))
        episodes = newest_episodes(table.match, table.sees)
        # Where there are counters there is less room for the log: older lines are a press away.
        episodes_shown = first_episodes(episodes, NEWS_ROOM if places else PAGE_ROOM)
        ctx = {**present_page(table), "episodes": episodes_shown, "places": places}
        ctx["pictured"] = picture_lines(table, episodes_shown)
        ctx["folded"] = fold_result(desk, episodes, more.get("since"))
        ctx |= {"joint_at": joint.places_of_counters(table), "kinds": filtering.list_kinds(table.match)}
    ctx |= {"desk": desk, "book": book, "guide": show_guide(request, table)}
    if desk and not desk.idle:
        prepare_desk(desk, book, submission, needs)
    ctx |= {"after": after, "trying": find_untried(request, table.match), **more}
    return render_part(request, "firefight/match.html", "firefight/_match_desk.html", ctx, status)


def find_untried(request: HttpRequest, match: Match) -> list[str] | None:
    """What a copy of the demo still suggests trying; None in any other match."""
    if match.expires is None:
        return None
    return demo_hints.list_untried(match, request.session.get(demo_hints.LOOKED) == match.pk)


def fold_result(desk: Desk | None, episodes: Sequence[Episode], since: visits.Missed | None) -> str:
    """The sentence that an old result folds to, where a new step has begun or others have acted since the last visit;
    "" where it stays open. ``episodes``: of the page, newest first.
    """
    has_missed = since is not None and since.episodes and not since.is_over
    if not desk or not desk.result or not episodes:
        return ""
    if not has_missed and not begins_step(episodes):
        return ""
    sentences = (episode.sentence for episode in episodes if any(line.number == desk.entry for line in episode.lines))
    return next(sentences, desk.result.headline)


def begins_step(episodes: Sequence[Episode]) -> bool:
    """Whether the latest event is that a step began or that a side declared what is rolled next, so that the last
    result is done with. ``episodes``: newest first.
    """
    if not episodes:
        return False
    first_line = episodes[0].first
    is_declared = first_line.kind == LogEntry.Kind.RECORD and bool(first_line.touches)
    begins = is_declared or first_line.kind == LogEntry.Kind.TURN
    return begins and all(line.kind != LogEntry.Kind.ROLL for line in episodes[0].lines)


def present_desk(table: Table, lines: list[LogLine]) -> Json:
    """The desk as it comes with news."""
    desk = find_desk(table, lines)
    if desk and not desk.idle:
        prepare_desk(desk, chartbooks.of_match(table.match))
    return {"desk": desk, "new_desk": True}


def present_begun_step(table: Table, lines: list[LogLine], episodes: Sequence[Episode], is_new: bool) -> Json:
    """The desk that comes with news, with the old result folded where a step has begun; nothing where it stays.

    ``is_new``: whether it comes in any case; ``episodes``: those of the news, newest first.
    """
    begins = begins_step(episodes)
    desk_ctx = present_desk(table, lines) if is_new or begins else {}
    if not begins or not (desk_ctx["desk"] and desk_ctx["desk"].result):
        return desk_ctx if is_new else {}
    return {**desk_ctx, "folded": tell_result(table, desk_ctx["desk"])}


def find_missing_lines(request: HttpRequest, table: Table) -> list[LogLine]:
    """The log lines that an htmx page says it has not shown yet; a whole page reads its log by itself."""
    after = number_in(request, "after") if wants_part(request) else None
    return [] if after is None else reading.read_since(table.match, table.sees, after)


def present_news(table: Table, lines: list[LogLine], after: int | None, match_on_page: Match | None = None) -> Json:
    """The episodes of lines that a page has not shown yet, with what they change of its status and of its counters.

    ``after``: the last line that the page shows, None for a page without a log. ``match_on_page``: the match as the
    page shows it, where that is known: cards that look the same are left out.
    """
    moved, phased = find_moved(table, lines), any(may_phase(table, line) for line in lines)
    episodes = read_newer(table.match, table.sees, lines, after or 0)
    ctx = {**present_status(table), "episodes": episodes, "moved": moved, "phased": phased, "after": after}
    ctx["pictured"] = picture_lines(table, episodes)
    ctx["touched"] = () if moved else show_touched(table, lines)
    if phased:
        ctx |= present_step(table)
    if match_on_page is None or not has_same_cards(match_on_page, table.match):
        ctx |= present_cards(table)
    return ctx


def may_phase(table: Table, line: LogLine) -> bool:
    """Whether a line may have changed the phase: by its kind, or because a procedure moved on."""
    return line.kind in PHASING or bool(
        line.inputs.get(CHANGES, {}).keys() & table.course.facts(table.match.state.position).keys()
    )


def has_same_cards(before: Match, after: Match) -> bool:
    """Whether the cards of the record look the same as before: no card shows the pips of counters."""
    beside = registry.games()[after.game].keeping.beside
    carded = [
        {name: value for name, value in match.state.record.items() if name not in beside} for match in (before, after)
    ]
    return all(
        old == new
        for old, new in (
            (carded[0], carded[1]),
            (before.state.counters, after.state.counters),  # a card says where an observer stands, or that he fell
            (before.state.position, after.state.position),
            (before.book_id, after.book_id),
        )
    )


def redraw_form(
    request: HttpRequest,
    table: Table,
    posted: PostedRoll,
    halfway: str = "",
    trouble: str = "",
    needs: tuple[str, ...] = (),
    questions: Sequence[AskedValue] = (),
    status: int = 200,
    filled: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The same form again, with what was typed; the last result stays above it."""
    if wants_json(request):
        hides = say_hides(table, posted.counters.participants, posted.form) if posted.submission.good else ""
        questions = (*posted.counters.filling.lacking, *questions)
        return programs.tell_form(table, posted.submission, trouble or halfway, status, needs, questions, hides)
    names = ("step", "corrects", "chained", record_rules.FILLED_FOR)
    resent = {**{name: request.POST.get(name, "")[:24] for name in names}, **(filled or {})}
    resent["chained"] = resent["chained"] or ("1" if resent["step"] else "")
    if needs:
        resent["act"] = request.POST.get("act", "")
    participants = posted.counters.participants
    desk = desk_at(table, posted.helper.slug, form=posted.form, participants=participants, hidden=resent)
    posted.counters.show_on(desk)
    queue = table.match.state.queue_for(table.sees)
    due = next((step for step in queue if step.id == resent["step"]), None)
    if due:
        desk.step_title, desk.decider = due.title, name_decider(table, due)
    desk.halfway, desk.trouble, desk.asked = halfway, trouble, (*desk.asked, *questions)
    if not is_by_htmx(request):
        with_results(table, desk, reading.last_results(table.match, table.sees))
    lines = find_missing_lines(request, table)
    return keep_result(request, show_match(request, table, desk, lines, posted.submission, needs, status))


def show_after_act(request: HttpRequest, table: Table, done: Done) -> HttpResponse:
    """The page after an act, built from what the log now holds: for htmx a new desk, or only the news."""
    fresh, page = replace(table, match=done.match), address_of("firefight:match", done.match.pk)
    next_player = turns.find_next_player(fresh)
    if next_player:
        devices.act_for(request, done.match.pk, next_player)
    if wants_json(request):
        return programs.tell_done(table, done)
    if not is_by_htmx(request):
        is_on_top = any(entry.kind in SAID_ON_TOP for entry in done.entries)
        return redirect(page + ("" if is_on_top else "#desk"))
    if next_player or done.match.ended:  # at its end nothing on the page may be pressed any more
        return to_page(request, page)
    after = number_in(request, "after")
    since = done.match.last_number - 1 if after is None else after
    lines = reading.read_since(done.match, table.sees, since, fresh=done.entries)
    kinds = [entry.kind for entry in done.entries]
    kind = LogEntry.Kind.ROLL if LogEntry.Kind.ROLL in kinds else kinds[0]
    begins_procedure = kind in ASIDE and conducting.find_conducted(fresh) and not conducting.find_conducted(table)
    if reading.are_too_many(lines) or begins_procedure:
        return to_page(request, page)  # a form's own address may be gone
    if kind in ASIDE:
        # A form that somebody is filling in stays as it is: the page itself decides whether to take a new desk.
        has_new_desk = fresh.match.state.queue != table.match.state.queue
        response = show_news(request, fresh, lines, after, has_new_desk, kind in NOTES and not has_new_desk)
        response["HX-Reswap"] = "none"
        return response
    return _show_desk_of_act(request, table, fresh, done, lines, kind == LogEntry.Kind.RECORD)


def _show_desk_of_act(
    request: HttpRequest, table: Table, fresh: Table, done: Done, lines: list[LogLine], may_begin_step: bool
) -> HttpResponse:
    """The desk after an act, with what else has changed. ``fresh``: the table after it; ``lines``: those that its page
    lacks; ``may_begin_step``: whether the act may have said what is rolled next, so that the last result is folded."""
    own_lines = [line for line in lines if line.act == done.act.pk]
    if len(own_lines) < len(done.entries):  # the page may already show some lines of a form that was sent again
        own_lines = reading.visible(reversed(done.entries), table.sees)
    match_on_page = table.match if number_in(request, "version") == table.match.version else None
    desk = find_desk(fresh, own_lines)
    is_begun = may_begin_step and begins_step(read_newer(done.match, table.sees, own_lines, 0))
    folded = tell_result(fresh, desk) if desk and is_begun else ""
    after = number_in(request, "after")
    response = show_match(request, fresh, desk, lines, match_on_page=match_on_page, after=after, folded=folded)
    response["HX-Replace-Url"] = address_of("firefight:match", done.match.pk)
    return response


def show_news(
    request: HttpRequest,
    table: Table,
    lines: list[LogLine],
    after: int | None,
    has_new_desk: bool,
    is_noted: bool = False,
) -> HttpResponse:
    """The lines after number ``after``, with what they change beside the desk, for htmx. ``is_noted``: a note was
    kept, and its form is emptied."""
    ctx = {**present_news(table, lines, after), "guide": show_guide(request, table), "noted": is_noted}
    ctx |= present_begun_step(table, lines, ctx["episodes"], has_new_desk)
    response = render(request, "firefight/_news.html", ctx)
    if has_new_desk:
        response["HX-Replace-Url"] = address_of("firefight:match", table.match.pk)
    return response


def show_refusal(request: HttpRequest, table: Table, error: Refused, posted: PostedRoll | None = None) -> HttpResponse:
    """Say plainly why nothing was done, above the present state, or above the form of a ``posted`` roll.

    Whoever would leave something open finds a form there that sends the same again, to go on anyway.
    """
    table = seating.at_table(request, table.match.pk)
    if wants_json(request) and not posted:
        return programs.tell_refusal(table, str(error), error.status)
    if posted:
        return redraw_form(request, table, posted, trouble=str(error), status=error.status)
    lines = find_missing_lines(request, table)
    after = number_in(request, "after") if is_by_htmx(request) else None
    if is_by_htmx(request) and after is None:
        after = table.match.last_number  # the sentence stands in the status, which comes with the lines
    more: Json = {}
    if isinstance(error, LeavesOpen):
        fields = [(name, value) for name, value in request.POST.items() if name not in OF_ONE_ACT]
        more["goes_on"] = {"at": request.path, "fields": fields, "is_by_htmx": is_by_htmx(request)}
    if step := show_step(table, request.POST):
        more["conducted"] = step
    desk = find_desk(table, lines)
    if desk and is_by_htmx(request):  # a whole page folds an old result by itself
        newest = read_episode_of(table.match, table.sees, table.match.last_number)
        more |= {"folded": tell_result(table, desk)} if newest and begins_step([newest]) else {}
    return show_match(request, table, desk, lines, status=error.status, trouble=str(error), after=after, **more)
