"""A match: its page, its rolls, its log. Every roll goes through firefight.table.rolling.rolls."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.assistant.desk import (
    AboutCard,
    Desk,
    Submission,
    ask_cells,
    find_helper,
    keep_result,
    prepare_desk,
    read_submission,
    render_part,
)
from firefight.assistant.views import draw_odds
from firefight.engine.board.counters import LackingValues
from firefight.engine.course.keeping import CardRoll, RowCard
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import face_text
from firefight.engine.text import join_words
from firefight.engine.values import Values
from firefight.games import chartbooks
from firefight.kit.fields.counters import ACCOUNT, TOLD
from firefight.kit.helper import Helper
from firefight.table import demo_hints
from firefight.table.act import performing
from firefight.table.act.act import Done
from firefight.table.act.refusals import Hides, Incomplete, Refused
from firefight.table.act.table import Table
from firefight.table.board import counters, record, record_rules
from firefight.table.board.blank_cells import read_blanks
from firefight.table.log import fairness, filtering, reading, telling
from firefight.table.log.asked import COUNTED
from firefight.table.log.reading import OLDER_ROOM, PAGE_ROOM
from firefight.table.presenters import describe_table, picture_lines, table_of
from firefight.table.rolling import joint, recall, replay, rolls, steps
from firefight.table.rolling.orders import RollOrder
from firefight.table.rolling.roll_counters import fill_due_form, participants_in
from firefight.table.seats import devices, visits
from firefight.web.addresses import address_of
from firefight.web.answers import send_file
from firefight.web.requests import is_by_htmx, number_in, sent_by, wants_json, wants_part

from . import programs
from .access import page_anew
from .due_cards import DueCard, read_card
from .freshness import has_changed_hands, is_current
from .page import (
    BESIDE_DESK,
    desk_at,
    find_desk,
    find_missing_lines,
    find_untried,
    present_begun_step,
    present_news,
    present_status,
    redraw_form,
    show_after_act,
    show_match,
    show_refusal,
    step_desk,
    with_results,
)
from .seated import seated
from .sent_counters import PostedRoll, SentCounters, find_corrected, find_taken_up, name_counters, read_sent_counters
from .shown_guide import show_guide

HIDES = "A hidden counter would be shown: agree to that below, or leave it out. Nothing was rolled."

# Pages


@require_http_methods(["GET"])
@seated
def match_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The match: its status, the next due roll or the helpers, the log."""
    visits.note_shown(request, table)
    return show_match(request, table, find_desk(table, []), [], since=visits.find_missed(table))


@require_GET
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """What is new since the page last asked. One cheap query and an empty answer when nothing is."""
    glance = devices.glance(request, match_id)
    if has_changed_hands(request, glance):
        return page_anew()
    return HttpResponse(status=204) if is_current(request, glance) else news(request, match_id)


@require_GET
def hands(request: HttpRequest, match_id: str) -> HttpResponse:
    """Whether this hot-seat device has changed hands since a page was drawn: then the page makes way. One query."""
    return page_anew() if has_changed_hands(request, devices.glance(request, match_id)) else HttpResponse(status=204)


@seated
def news(request: HttpRequest, table: Table) -> HttpResponse:
    """The log lines and the status that a page does not show yet, and the desk if the news changes it."""
    after = number_in(request, "after") or 0
    visits.note_shown(request, table)
    lines = reading.read_since(table.match, table.sees, after)
    if reading.are_too_many(lines):
        return page_anew()
    ctx = {**present_news(table, lines, after), "guide": show_guide(request, table)}
    is_new = any(line.kind not in BESIDE_DESK for line in lines if line.number > after)
    ctx |= present_begun_step(table, lines, ctx["episodes"], is_new)
    response = render(request, "firefight/_news.html", ctx)
    if is_new:
        response["HX-Replace-Url"] = address_of("firefight:match", table.match.pk)
    return response


@require_GET
@seated
def older(request: HttpRequest, table: Table) -> HttpResponse:
    """The log before an entry, or what a filter finds in it: by counters, side, place or kind of line."""
    known_counters = counters.known_to(table) if "about" in request.GET else {}
    sought, before = read_sought(request, table, known_counters), number_in(request, "before")
    if sought.query:
        among = filtering.find_entries(table.match, table.sees, sought)
        episodes = telling.newest_found(table.match, table.sees, among, before)
    else:
        episodes = telling.newest_episodes(table.match, table.sees, before)
    episodes = telling.first_episodes(episodes, OLDER_ROOM if wants_part(request) else PAGE_ROOM)
    ctx = {
        **present_status(table),
        "episodes": episodes,
        "about": [known_counters[counter_id] for counter_id in sought.about],
    }
    ctx["pictured"] = picture_lines(table, episodes)
    # On the match's page the lines that a filter finds stand beside the log itself.
    ctx |= {"sought": sought, "doubled": wants_part(request) and bool(sought.query or "kind" in request.GET)}
    return render_part(
        request, "firefight/log.html", "firefight/_older.html", {**ctx, "kinds": filtering.list_kinds(table.match)}
    )


@require_GET
@seated
def open_episode(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """All lines of an episode of the log, with their dice, as this browser may read them."""
    episodes = telling.read_episodes(table.match, table.sees, [number])
    if not episodes or episodes[0].number != number or episodes[0].first.number != number:
        raise Http404("No episode of this log begins there.")
    ctx = {
        **present_status(table),
        "lines": episodes[0].lines,
        "tell_line": telling.tell_line,
        "sentence": episodes[0].sentence,
        "doubled": wants_part(request),
    }
    ctx["pictured"] = picture_lines(table, episodes[0].lines)
    return render_part(request, "firefight/log_episode.html", "firefight/_episode_lines.html", ctx)


@require_GET
@seated
def explain(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """The modifiers and sources of a logged roll, if this browser may read it."""
    entry = reading.readable(table.match.log.filter(number=number), table.sees).first()
    if entry is None or entry.result is None:
        raise Http404("There is no such roll in this log.")
    line = reading.visible([entry], table.sees)[0]
    ctx = {**describe_table(table), "line": line, "result": entry.result}
    if table.match.expires:
        request.session[demo_hints.LOOKED] = table.match.pk
    ctx["trying"] = find_untried(request, table.match)
    return render_part(request, "firefight/log_why.html", "firefight/_log_why.html", ctx)


def read_sought(request: HttpRequest, table: Table, known_ids: Collection[str]) -> filtering.Sought:
    """What an address asks of the log; counters that are unknown here are left out."""
    side, kind = request.GET.get("side", ""), request.GET.get("kind", "")
    return filtering.Sought(
        about=[
            counter_id for counter_id in request.GET.getlist("about")[: filtering.MOST_ABOUT] if counter_id in known_ids
        ],
        side=side if side in table.game.sides else "",
        place=filtering.clean_place(request.GET.get("place", "")),
        kind=kind if kind in filtering.KINDS else "",
    )


@require_GET
@seated
def places(request: HttpRequest, table: Table) -> HttpResponse:
    """The places with their counters, for a page on which some have moved."""
    ctx = {**describe_table(table), "places": table_of(table), "joint_at": joint.places_of_counters(table)}
    return render(request, "firefight/_table_news.html", ctx)


@require_GET
@seated
def match_json(request: HttpRequest, table: Table) -> JsonResponse:
    """For other programs: how the match stands, the lines after a number, the token for what they post."""
    after = number_in(request, "after")
    lines = [] if after is None else reading.read_since(table.match, table.sees, after)
    answer = {"token": get_token(request), "lines": programs.describe_lines(lines)}
    return JsonResponse({**answer, **programs.describe_match(table)})


@require_GET
@seated
def export(request: HttpRequest, table: Table) -> HttpResponse:
    """The log as one JSON file, with the secrets of one's own side only."""
    text = reading.write_export(reading.export_log(table.match, table.sees))
    return send_file(text, "application/json", f"volga-{table.match.pk}.json", is_kept=True)


# Rolls


@require_http_methods(["GET", "POST"])
@seated
def roll(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """A helper in the match: its form, and the roll."""
    helper = find_helper(table.match.game, slug)
    if error := find_odd_step(request, table, slug):
        if done := find_first_answer(request, table):
            return show_after_act(request, table, done)
        raise error
    if request.method == "GET":
        return show_match(request, table, find_asked_desk(request, table, slug), find_missing_lines(request, table))
    sent_counters = read_sent_counters(request, table, helper)
    submission = read_roll(request, table, helper, sent_counters)
    posted = PostedRoll(submission, helper, sent_counters)
    if submission.good and not submission.more:
        if changed := find_changed_by_hinge(request, table, posted):
            if helper.dice or overrules_hand(posted, changed):
                return redraw_anew(request, table, posted, changed)
            posted = fill_in(table, posted, changed)
        return do_roll(request, table, posted)
    # A form that is sent again gets its first answer, even where the present charts no longer accept it.
    try:
        done = find_first_answer(request, table)
    except Refused as error:
        return show_refusal(request, table, error, posted)
    if done:
        return show_after_act(request, table, done)
    return redraw_form(request, table, posted, status=200 if submission.more else 422)


def read_roll(request: HttpRequest, table: Table, helper: Helper, sent_counters: SentCounters) -> Submission:
    """A posted form, with what the match and the counters of the roll fill of it."""
    book, sent = chartbooks.of_match(table.match), sent_by(request)
    sealed, known_inputs = record.fill_form(table, helper.form).sealed, known_values(request, table, helper)
    about, filling = record_rules.read_about(table, helper.slug, sent), sent_counters.filling
    is_known = bool(sent_counters.participants or sent.get("step") or sent.get("corrects"))
    # A page sends back what it carries, and a tick that it does not send was removed by its player.
    is_program = bool(about or is_known) and "carry" not in sent
    recalled = recall.find_recalled(table, helper, sent.get("more", "")) | record_rules.fill_zeroes(
        table, helper.slug, sent
    )
    submission = read_submission(
        request,
        helper,
        book,
        sealed=sealed,
        known_values=known_inputs,
        is_program=is_program,
        filled=filling.values,
        recalled=recalled,
        drawn=filling.drawn,
    )
    if sent.get("step"):  # the record has what is carried to a due roll, whatever was sent
        submission.form.take_carry(known_inputs)
    else:
        # A program need not send back what a page carries from one roll of a chain to the next.
        carried = {} if "carry" in sent else record_rules.carry_on(table, {**known_inputs, **filling.values})
        unasked = {name: value for name, value in {**carried, **about}.items() if name not in helper.form.base_fields}
        submission.form.carried = {**submission.form.carried, **unasked}
    if sent_counters.error:
        submission.form.add_rule_error(sent_counters.error)
    elif sent_counters.filling.lacking:
        submission.form.add_rule_error(LackingValues(sent_counters.filling.lacking))
        submission.form.quiet = "carry" in sent  # a page says so beside its questions
    return submission


def find_odd_step(request: HttpRequest, table: Table, slug: str) -> Refused | None:
    """Why a request does not answer the due roll that it names. A form from an older page counts as stale instead."""
    sent = sent_by(request) if request.method == "POST" else request.GET.dict()
    if not table.plays or number_in(request, "version") not in (None, table.match.version):
        return None
    try:
        steps.find_due(table.match, table, sent.get("step", ""), slug)
    except Refused as error:
        return error
    return None


def find_first_answer(request: HttpRequest, table: Table) -> Done | None:
    """The first answer to a form that is sent again, if it is. Raises Refused where another seat has used it."""
    return performing.find_first_answer(table, sent_by(request).get("act", ""))


def find_changed_by_hinge(request: HttpRequest, table: Table, posted: PostedRoll) -> dict[str, object]:
    """What a form must fill again since its player changed the field that this depends on, such as the target hex."""
    old_value = sent_by(request).get(record_rules.FILLED_FOR, "")
    sent = record_rules.inputs_of(posted.form, posted.form.carry()) if old_value else {}
    hinge = record_rules.find_hinge(table, posted.helper.slug, sent)
    new_value = (sent.get(hinge) or record_rules.NO_VALUE) if hinge else old_value
    changed = {} if new_value == old_value else record_rules.fill_anew(table, posted.helper.slug, posted.form)
    try:
        # A form that is sent again gets its first answer, wherever units stand by now.
        return {} if changed and find_first_answer(request, table) else changed
    except Refused:
        return {}


def overrules_hand(posted: PostedRoll, changed: Values) -> bool:
    """Whether these changes would overrule what a player has typed or ticked."""
    form_inputs = record_rules.inputs_of(posted.form, posted.form.carry())
    return any(form_inputs.get(name) for name in changed)


def fill_in(table: Table, posted: PostedRoll, changed: Values) -> PostedRoll:
    """A form with what follows from a change in it. One that throws nothing needs no second look: what it does can be
    taken back, dice cannot."""
    values = {**record_rules.inputs_of(posted.form, posted.form.carry()), **changed}
    form = posted.helper.form.from_plain(values, book=chartbooks.of_match(table.match))
    form.is_valid()
    return replace(posted, submission=replace(posted.submission, form=form))


def redraw_anew(request: HttpRequest, table: Table, posted: PostedRoll, changed: Values) -> HttpResponse:
    """The form with what follows from a change in it, for its player to look at before anything is rolled."""
    values = {**record_rules.inputs_of(posted.form, posted.form.carry()), **changed}
    chained = bool(sent_by(request).get("chained") or sent_by(request).get("step"))
    form = posted.helper.form.from_plain(values, book=chartbooks.of_match(table.match), chained=chained)
    words = (_say_filled(str(form.fields[name].label), value) for name, value in changed.items())
    notice = f"Updated: {'; '.join(words)}. Look again, then roll."
    filled = record_rules.say_filled_for(table, posted.helper.slug, values)
    updated = replace(posted, submission=replace(posted.submission, form=form))
    return redraw_form(request, table, updated, trouble=notice, status=422, filled=filled)


def _say_filled(label: str, value: Any) -> str:
    """What a field has been filled with; for rows only that they have changed."""
    return label if isinstance(value, (list, tuple)) else f"{label}: {YES_OR_NO.get(value, value)}"


YES_OR_NO = {True: "yes", False: "no"}


def find_asked_desk(request: HttpRequest, table: Table, slug: str) -> Desk:
    """The desk that an address asks for: a due step, a roll to repeat or to correct, or a fresh form."""
    due = table.match.state.queue_for(table.sees)
    step = next((step for step in due if step.id == request.GET.get("step")), None)
    if step and step.helper == slug:
        return step_desk(table, step)
    if repeats := number_in(request, "again"):
        line = reading.read_line(table.match, table.sees, repeats, helper=slug)
        return find_desk_again(table, slug, line.inputs if line else {})
    if number_in(request, "corrects") is None:
        return find_tapped_desk(request, table, find_helper(table.match.game, slug))
    entry = find_corrected(request, table, slug)
    if entry is None:
        raise Http404("There is no such roll of yours to correct.")
    participants = participants_in(entry.inputs, find_helper(table.match.game, slug))
    filled = record_rules.say_filled_for(table, slug, entry.inputs)
    hidden = {"corrects": str(entry.number), "chained": "1", **filled}
    desk = desk_at(table, slug, values=entry.inputs, participants=participants, hidden=hidden)
    desk.step_title = f"Correct № {entry.number}"
    desk.notice = f"The old dice showed {', '.join(face_text(die.face, die.sides) for die in entry.rolls)}."
    return desk


def find_desk_again(table: Table, slug: str, inputs: Values) -> Desk:
    """The form of a roll that was made, for another like it: its counters are as they are now, and what a player had
    entered instead stays."""
    helper = find_helper(table.match.game, slug)
    sent_counters = name_counters(table, helper, participants_in(inputs, helper), inputs.get(TOLD, {}))
    by_hand = {} if inputs.get(ACCOUNT) else {name: inputs[name] for name in COUNTED if name in inputs}
    values = {**inputs, **record_rules.fill_standing(table, slug, inputs), **sent_counters.filling.values, **by_hand}
    desk = desk_at(
        table,
        slug,
        values=values,
        participants=sent_counters.participants,
        hidden=record_rules.say_filled_for(table, slug, values),
    )
    sent_counters.show_on(desk)
    desk.trouble = str(sent_counters.error or "")
    return desk


def find_tapped_desk(request: HttpRequest, table: Table, helper: Helper) -> Desk:
    """The desk for selected counters: that of a roll that is due for them, or a fresh form."""
    taken_up = find_taken_up(table, helper, read_sent_counters(request, table, helper).participants)
    if taken_up is None:
        return find_fresh_desk(request, table, helper)
    step, participants = taken_up
    sent_counters = name_counters(table, helper, participants, {})
    desk = step_desk(table, step, sent_counters.participants, sent_counters.filling.values)
    sent_counters.show_on(desk)
    desk.trouble = str(sent_counters.error or "")
    return desk


def find_fresh_desk(request: HttpRequest, table: Table, helper: Helper) -> Desk:
    """A fresh form, filled with what the match knows, from the counters that the address names, and from itself.

    Where cards offer such a roll, it opens as from the first card without a warning, or else from the first.
    """
    offered = [] if "alone" in request.GET else record_rules.list_card_rolls(table, helper.slug)
    is_open = not record_rules.read_about(table, helper.slug, request.GET.dict())
    if is_open and offered:
        _, offer_taken = min(offered, key=lambda offer: bool(offer[0].warnings))
        request.GET = join_query(request.GET, offer_taken.about)  # type: ignore[assignment]
    sent_counters, fields = read_sent_counters(request, table, helper), helper.form.base_fields
    # A blank is not an answer: what the counters say stands.
    asked_for: dict[str, object] = {name: value for name, value in request.GET.items() if value and name in fields}
    asked_for |= {name: request.GET.getlist(name) for name in asked_for if hasattr(fields[name], "chart")}
    remembered = recall.remember_last(table, helper)
    values = {**remembered, **ask_values(table, helper, request.GET), **sent_counters.filling.values, **asked_for}
    filled = record_rules.say_filled_for(table, helper.slug, values)
    desk = desk_at(table, helper.slug, values=values, participants=sent_counters.participants, hidden=filled)
    sent_counters.show_on(desk)
    desk.trouble = str(sent_counters.error or "")
    desk.cards = list_cards(request, table, helper.slug, offered)
    if desk.form and (reader := steps.find_other_reader(table, helper, desk.form)):
        desk.decider = table.game.name_of(reader)
    return desk


def join_query(query: QueryDict, more: Mapping[str, str]) -> QueryDict:
    """An address's query with these values in it."""
    joined = query.copy()
    for name, value in more.items():
        joined[name] = value
    return joined


def list_cards(
    request: HttpRequest, table: Table, slug: str, offered: Sequence[tuple[RowCard, CardRoll]]
) -> list[AboutCard]:
    """The cards that a fresh form may be about, each with its address, and an address for none of them."""
    about = record_rules.read_about(table, slug, request.GET.dict())
    cards = [card for card, _ in offered]
    cards_shown = []
    for card, roll in offered:
        label = f"{card.title}: {roll.title}" if cards.count(card) > 1 else card.title
        query = join_query(request.GET, roll.about).urlencode()
        is_this = all(about.get(name) == value for name, value in roll.about.items())
        cards_shown.append(AboutCard(label, f"{request.path}?{query}", is_this))
    if not cards_shown:
        return []
    names = {name for _, roll in offered for name in roll.about}
    other_values = {name: values for name, values in request.GET.lists() if name not in names} | {"alone": ["1"]}
    return [*cards_shown, AboutCard("None of these", f"{request.path}?{urlencode(other_values, doseq=True)}")]


def known_values(request: HttpRequest, table: Table, helper: Helper) -> dict[str, object]:
    """What a posted form need not repeat: the inputs of the roll that it corrects or answers, or what is known."""
    corrects = number_in(request, "corrects")
    if corrects is not None:
        line = reading.read_line(table.match, table.sees, corrects, helper=helper.slug)
        return dict(line.inputs) if line else {}
    sent = sent_by(request)
    due = (step for step in table.match.state.queue_for(table.sees) if step.id == sent.get("step"))
    step = next(due, None)
    if step is None or step.helper != helper.slug:
        return ask_values(table, helper, sent)
    return fill_due_form(table, helper, record_rules.point_step(table, step, sent))


def ask_values(table: Table, helper: Helper, sent: Mapping[str, str]) -> dict[str, object]:
    """What is known for a fresh form, with what was sent to say which part of the record it is about."""
    about = record_rules.read_about(table, helper.slug, sent)
    filled = (
        record_rules.fill_about(table, helper.slug, about)
        if about or record_rules.is_presumed(table, helper.slug)
        else {}
    )
    return {**record.present_values(table, helper), **about, **filled}


def do_roll(request: HttpRequest, table: Table, posted: PostedRoll) -> HttpResponse:
    """Make the roll; show its result and the next step, or say why not."""
    helper, form, sent_counters, sent = posted.helper, posted.form, posted.counters, sent_by(request)
    order = RollOrder(
        helper=helper,
        owner=record.fill_form(table, helper.form).owner,
        form=form,
        source=posted.submission.source,
        faces=posted.submission.faces,
        step=sent.get("step", "")[:24],
        corrects=number_in(request, "corrects"),
        participants=sent_counters.participants,
        shows=sent.get("shows") == "on",
        values=sent_counters.values,
        account=sent_counters.account_of(form),
        answers=sent_counters.answers_in(form),
        entered=sent_counters.entered_in(table, helper, form, number_in(request, "corrects")),
        cells=read_blanks(sent),
    )
    try:
        done = rolls.roll(table, sent.get("act", ""), number_in(request, "version") or 0, order)
    except Incomplete as error:
        return redraw_form(request, table, posted, halfway=str(error), needs=error.result.needs)
    except Hides as error:
        return redraw_form(request, table, posted, trouble=HIDES, status=error.status)
    except RuleError as error:
        form.add_rule_error(error)
        questions = ask_cells(chartbooks.of_match(table.match), error, order.cells)
        return redraw_form(request, table, posted, questions=questions, status=422)
    except Refused as error:
        return show_refusal(request, table, error, posted)
    return show_after_act(request, table, done)


@require_POST
@seated
def roll_due(request: HttpRequest, table: Table) -> HttpResponse:
    """Resolve all rolls of a due card, or say which box is blank; or throw for all that a step asks for."""
    if sent_by(request).get("step") == "all":
        act, version = sent_by(request).get("act", ""), number_in(request, "version") or 0
        return show_after_act(request, table, rolls.roll_all(table, act, version))
    source = "app" if sent_by(request).get("dice") == "app" else "table"
    card = read_card(request, table)
    return roll_card(request, table, card, source) if card else show_first_answer(request, table)


def show_first_answer(request: HttpRequest, table: Table) -> HttpResponse:
    """The first answer to a card that is sent again. Raises Refused for one that is not due any more."""
    done = find_first_answer(request, table)
    if done is None:
        for step in table.match.state.queue_for(table.sees):
            if step.id in request.POST.getlist("step"):
                steps.check_decides(table, step)
        raise Refused("These rolls are not due any more: made, dropped or taken back. Nothing was rolled.")
    return show_after_act(request, table, done)


def roll_card(request: HttpRequest, table: Table, card: DueCard, source: str) -> HttpResponse:
    """Roll all of a card, or draw it again."""
    if source == "table" and (card.blanks or card.has_slips):
        return redraw_card(request, table, card)
    act, version = sent_by(request).get("act", ""), number_in(request, "version") or 0
    try:
        done = rolls.roll_due(table, act, version, card.orders(source))
    except Incomplete as error:
        return redraw_card(request, table, card, f"{card.subject_of(error.step)}: {error}")
    except RuleError as error:
        card.questions = ask_cells(chartbooks.of_match(table.match), error, card.cells)
        return redraw_card(request, table, card, str(error))
    return show_after_act(request, table, done)


def redraw_card(request: HttpRequest, table: Table, card: DueCard, trouble: str = "") -> HttpResponse:
    """The card again, with what was typed: all of it is rolled, or nothing."""
    blanks = f"No die yet for {join_words(card.blanks)}. Nothing was rolled." if card.blanks else ""
    card.trouble = trouble or blanks or "Nothing was rolled: see the dice below."
    if wants_json(request):
        slips = {die.name: [die.error] for row in card.rows for die in row.dice if die.error}
        needs = [die.name for row in card.rows for die in row.blanks]
        return programs.tell_refusal(table, card.trouble, 422, slips, needs, card.questions)
    desk = card.desk
    if not is_by_htmx(request):
        with_results(table, desk, reading.last_results(table.match, table.sees))
    status = 200 if card.blanks and not trouble else 422
    return keep_result(request, show_match(request, table, desk, find_missing_lines(request, table), status=status))


@require_POST
@seated
def match_odds(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """The odds as the inputs stand, with the match's own charts."""
    helper = find_helper(table.match.game, slug)
    sent_counters, book = read_sent_counters(request, table, helper), chartbooks.of_match(table.match)
    submission = read_roll(request, table, helper, sent_counters)
    submission.form.quiet = True
    desk = Desk(helper, submission.form, "", "", book.name, halfway=str(sent_counters.error or ""))
    sent_counters.show_on(desk)
    is_new = desk.hidden.get(TOLD) != sent_by(request).get(TOLD)
    return draw_odds(request, prepare_desk(desk, book), submission.renewed, is_new)


@require_GET
@seated
def dice(request: HttpRequest, table: Table) -> HttpResponse:
    """How the match's dice can be checked, and the check itself once it has ended or a seed has been opened."""
    first = number_in(request, "first") or 1
    earlier = fairness.earlier_dice(table.match)
    ctx = {**describe_table(table), "first": first, "earlier": earlier}
    if table.match.ended or any(seal["seed"] for seal in earlier):
        ctx |= replay.examine_log(reading.export_log(table.match, ()), first=first)
    return render(request, "firefight/match_dice.html", ctx)
