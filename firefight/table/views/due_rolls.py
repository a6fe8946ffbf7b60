"""The rolls of a due card, made together."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from firefight.assistant.desk import ask_cells, keep_result
from firefight.engine.errors import RuleError
from firefight.engine.text import join_words
from firefight.games import chartbooks
from firefight.table.act.refusals import Incomplete, Refused
from firefight.table.act.table import Table
from firefight.table.log import reading
from firefight.table.rolling import rolls, steps
from firefight.web.requests import is_by_htmx, number_in, sent_by, wants_json

from . import programs
from .desks import with_results
from .due_cards import DueCard, read_card
from .page import find_missing_lines, show_after_act, show_match
from .roll_forms import find_first_answer
from .seated import seated


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
