"""One roll: checked, thrown, written."""

from dataclasses import replace

from firefight.assistant.throwing import from_table
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json
from firefight.games.chartbooks import of_match
from firefight.kit.playing import check_reach, play_helper
from firefight.models import LogEntry, Match
from firefight.table.act import episodes
from firefight.table.act.act import MatchAct
from firefight.table.act.own_dice import dice_of_match
from firefight.table.act.refusals import Hides, Incomplete, Refused
from firefight.table.act.table import Table
from firefight.table.board import changing, counters, due, record, record_rules
from firefight.table.board.blank_cells import fill_cells
from firefight.table.board.values import check_values, keep_values, refuse_changed
from firefight.table.log import descent
from firefight.table.log.asked import NOT_ASKED

from . import naming
from .orders import RollOrder
from .settling import write_roll
from .steps import call_steps, check_decides, check_reader, find_due

Kind = LogEntry.Kind


def _call_off(act: MatchAct, roll: LogEntry) -> None:
    """Take off the list what was to come after a roll that has called it off, and what else could have come before."""
    number = episodes.parent_of(roll.due)
    gone = [each for each in act.match.state.queue if episodes.parent_of(each.id) == number]
    if gone:
        due.put_queue(act.match, [each for each in act.match.state.queue if each not in gone])
        inputs = {due.CALLED_OFF: [step.to_json() for step in gone]}
        act.tell(Kind.DROP, f"Due no more: {call_steps(gone)}.", about=roll.number, inputs=inputs)


def roll_once(act: MatchAct, order: RollOrder, **more: object) -> LogEntry:
    """Make one roll, and write it."""
    step = find_due(act.match, act.table, order.step, order.helper.slug)
    if step is not None:
        check_decides(act.table, step)
        more["asked"] = naming.answer_step(act.table_now, order.helper, step, order.form)
        act.match.state = act.match.state.without(step)
    if more.get("asked", NOT_ASKED) == NOT_ASKED:
        more["asked"] = order.entered
    record_rules.check_roll(act.table, act.match, order.helper.slug, order.form)
    is_unasked = step is None and order.corrects is None
    if is_unasked:
        record_rules.answer_house(act.match, order.helper.slug, {**order.form.carried, **order.form.inputs()})
        naming.check_fields(act.table, order.helper, order.named, order.form)
    shown = _find_shown(act, order)
    if is_unasked:
        check_reader(act.table, order)
    if order.cells:
        fill_cells(act, order.cells)
    charts, inputs = of_match(act.match), order.form.inputs()
    # What is decided unseen cannot be rolled on the table either.
    is_ours = order.source == "app" or order.form.sealed
    if is_ours:
        check_reach(order.helper, charts, inputs)
    thrower = dice_of_match(act.match) if is_ours else from_table(order.faces)
    result, rolled = play_helper(order.helper, charts, inputs, thrower)
    if result.needs:
        raise Incomplete(result, order.step)
    _check_repeated(act.match, result)
    if order.values:
        _keep_told_values(act, order)
    result = order.account.add_to(result)
    is_free = not shown and all(die.source == "table" for die in rolled)
    act.row.free_to_take_back = act.row.free_to_take_back and is_free
    for counter in shown:
        changing.tell_change(act, counter, replace(counter, hidden=False, closed=False))
    owner = _check_owner(act.table, result.known_to or order.owner)
    # What one side alone was told is due may be rolled openly, and then the title is still its own.
    is_telling = step is not None and (owner or not step.known_to)
    written: Json = {
        "title": step.title if step and is_telling else "",
        "due": order.step,
        "named": order.named,
        "account": order.account,
        "told": order.told,
    } | more
    entry = write_roll(act, act.side, order.helper, order.form, result, tuple(rolled), owner=owner, **written)
    if result.calls_off and entry.due:  # so does one that is corrected: it stands where the step was answered
        _call_off(act, entry)
    return entry


def _keep_told_values(act: MatchAct, order: RollOrder) -> None:
    """Keep what its owner has told of kinds of counters with a roll. Raises BadInput."""
    kinds = counters.store_of(act.match).kinds
    check_values(act.match, order.values, kinds)
    if not act.table.asks_nobody:
        refuse_changed(act.match, order.values, kinds)
    keep_values(act, order.values, kinds)


def _find_shown(act: MatchAct, order: RollOrder) -> list[CounterInPlay]:
    """The hidden and closed counters that a roll is about, which it shows.

    Raises Hides where nobody has agreed to that.
    """
    if act.table.game.counters is None:
        return []
    ids = [*order.named.firers, *order.named.targets, *naming.ids_in(order.form.inputs())]
    if order.helper.simultaneous and (order.step or order.corrects is not None):
        ids = [each for each in ids if (counter := counters.store_of(act.match).find(each)) is None or counter.in_play]
    hidden = naming.find_hidden(act.table, act.match, ids) if ids else []
    if hidden and not order.shows:
        raise Hides(naming.say_hidden(hidden))
    return hidden


def _check_owner(table: Table, owner: str) -> str:
    """The side whose secret a roll is, if this seat may roll it: its own, or one that nobody plays. Raises Refused."""
    if owner and owner != table.side and record.is_played(table, owner):
        raise Refused(f"{table.game.sides[owner]} rolls that itself: it is about what it hides. Nothing was rolled.")
    return owner


def _check_repeated(match: Match, result: Result) -> None:
    """Raise Refused for a roll that is to be made once more, and does not stand any more."""
    for step in result.follow_ups:
        if step.anew is not None and descent.find_repeatable(match, step.anew, step.helper) is None:
            raise Refused(f"№ {step.anew} is no roll that stands: choose another one. Nothing was done.")
