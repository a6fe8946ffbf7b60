"""A roll: its form, its odds, and the roll itself. Every roll goes through firefight.table.rolling.rolls."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from firefight.assistant.desk import Desk, ask_cells, find_helper, prepare_desk
from firefight.assistant.views import draw_odds
from firefight.engine.errors import RuleError
from firefight.engine.values import Values
from firefight.games import chartbooks
from firefight.kit.fields.counters import TOLD
from firefight.table.act.refusals import Hides, Incomplete, Refused
from firefight.table.act.table import Table
from firefight.table.board import record, record_rules
from firefight.table.board.blank_cells import read_blanks, try_cells
from firefight.table.rolling import rolls
from firefight.table.rolling.orders import RollOrder
from firefight.web.requests import number_in, sent_by

from .asked_desks import find_asked_desk
from .page import find_missing_lines, redraw_form, show_after_act, show_match, show_refusal
from .roll_forms import find_first_answer, find_odd_step, read_roll
from .seated import seated
from .sent_counters import PostedRoll, read_sent_counters

HIDES = "A hidden counter would be shown: agree to that below, or leave it out. Nothing was rolled."


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
        filled=sent_counters.filling.values,
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
def match_odds(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """The odds as the inputs stand, with the match's own charts, and with cells of theirs that are typed just now."""
    helper = find_helper(table.match.game, slug)
    sent_counters = read_sent_counters(request, table, helper)
    book = try_cells(table.match, read_blanks(sent_by(request))) if table.plays else chartbooks.of_match(table.match)
    submission = read_roll(request, table, helper, sent_counters)
    submission.form.quiet = True
    desk = Desk(helper, submission.form, "", "", book.name, halfway=str(sent_counters.error or ""))
    sent_counters.show_on(desk)
    is_new = desk.hidden.get(TOLD) != sent_by(request).get(TOLD)
    return draw_odds(request, prepare_desk(desk, book), submission.renewed, is_new)
