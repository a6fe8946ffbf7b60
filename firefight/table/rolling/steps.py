"""Due rolls, as somebody answers or drops them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from firefight.columns import DueRoll
from firefight.engine.errors import RuleError
from firefight.engine.text import capitalize
from firefight.games.chartbooks import of_match
from firefight.games.registry import helpers
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.kit.playing import check_reach
from firefight.models import Act, LogEntry, Match
from firefight.table.act import writing
from firefight.table.act.act import MatchAct
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import due, record
from firefight.table.log.asked import find_reader, list_ids
from firefight.table.log.notes import seal_note

from . import roll_counters
from .orders import RollOrder

Kind = LogEntry.Kind


def find_other_reader(table: Table, helper: Helper, form: HelperForm) -> str:
    """The side that must read a check of its counters itself, since somebody plays it elsewhere; "" for none."""
    reader = find_reader(helper, form.plain_inputs(), "") if helper.read_by and form.is_valid() else ""
    return "" if not reader or table.may_decide(reader) else reader


def check_reader(table: Table, order: RollOrder) -> None:
    """Raise Refused for an unasked check of another side's counters, where somebody plays that side."""
    if reader := find_other_reader(table, order.helper, order.form):
        name = table.game.call_side(reader)
        raise Refused(f"{capitalize(name)} rolls that: it is about {name}'s own counters. Nothing was rolled.")


def find_due(match: Match, table: Table, step_id: str, helper: str = "") -> DueRoll | None:
    """A due roll by its id, None without one. ``helper``: the roll that it should be. Raises Refused."""
    if not step_id:
        return None
    step = next((step for step in match.state.queue_for(table.sees) if step.id == step_id), None)
    if step is None:
        raise Refused("This roll is no longer due: it was made, dropped or taken back. Nothing was rolled.")
    if helper and helper != step.helper:
        raise Refused("What is due is another roll. Nothing was rolled.")
    return step


def check_decides(table: Table, step: DueRoll) -> None:
    """Raise Refused where a due roll is another side's to decide or to read, and somebody plays that side."""
    decider = helpers(table.match.game)[step.helper].find_decider(step.inputs)
    if decider and not table.may_decide(decider):
        raise Refused(f"{step.title}: {table.game.call_side(decider)} decides that. Nothing was done.")
    if prior := due.find_prior(table.match, step):
        raise Refused(f"{step.title}: first {prior.title} is rolled or dropped. Nothing was done.")
    if not roll_counters.may_read(table, step):
        raise Refused(f"{step.title}: {table.game.call_side(step.read_by)} rolls that. Nothing was done.")


def order_throws(table: Table) -> Iterator[RollOrder]:
    """What the step of the course asks for here and lacks only dice, in its order, for the app to throw.

    Not what players must see beside its die, may need a blank cell for, what others decide or read, or what is hidden.
    """
    of_course, _ = due.split_course(table.match.state.queue_for(table.sees))
    for step in of_course:
        helper = helpers(table.match.game)[step.helper]
        decider = helper.find_decider(step.inputs)
        filled = record.fill_form(table, helper.form)
        if helper.form.beside or filled.sealed or decider and not table.may_decide(decider):
            continue
        form = roll_counters.read_step(table.match, helper, step, roll_counters.fill_due_form(table, helper, step))
        if roll_counters.may_read(table, step) and form.is_valid() and _lacks_dice_alone(table, helper, form):
            yield RollOrder(helper, form, "app", {}, step.id, owner=filled.owner)


def _lacks_dice_alone(table: Table, helper: Helper, form: HelperForm) -> bool:
    """Whether any throw would settle a roll, and all its counters are open."""
    book, inputs = of_match(table.match), form.inputs()
    try:
        ids = list_ids(form.plain_inputs())
        check_reach(helper, book, inputs)
        return bool(helper.dice) and not (ids and roll_counters.find_hidden(table, table.match, ids))
    except RuleError:
        return False


def drop_due(act: MatchAct, dropped: Sequence[DueRoll]) -> None:
    """Strike rolls off the list of what is due: the players do without them.

    Nobody else learns that something under seal was due: the others see a sealed note like any other.
    """
    remaining = tuple(step for step in act.match.state.queue if step not in dropped)
    act.match.state = replace(act.match.state, queue=remaining)
    sentence = f"Not rolled: {call_steps(dropped).removesuffix('?')}."
    if dropped[0].known_to:
        seal_note(act, sentence)
    else:
        act.tell(Kind.DROP, sentence)


def drop_moot(match: Match, row: Act, entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Take off the list, with a line, what is due for counters that an act has taken out of play."""
    moot = [step for step in roll_counters.spare_the_lost(match, entries) if not step.known_to]
    if not moot:
        return []
    inputs = {due.MOOT: [step.id for step in moot]}
    return [writing.record(match, row, Kind.DROP, row.side, f"Due no more: {call_steps(moot)}.", inputs=inputs)]


def call_steps(steps: Iterable[DueRoll]) -> str:
    """Due rolls by their titles."""
    return ", ".join(step.title for step in steps)
