"""One roll: checked, thrown, written."""

from dataclasses import replace

from firefight.assistant.throwing import from_table
from firefight.columns import Rolled
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
from firefight.table.log.asked import NOT_ASKED, Asked, list_ids

from . import roll_counters
from .orders import RollOrder
from .settling import write_roll
from .steps import call_steps, check_decides, check_reader, find_due

Kind = LogEntry.Kind


def _call_off(act: MatchAct, roll: LogEntry) -> None:
    """Take off the list what was to follow, once a roll has called it off, and whatever else could have come before."""
    number = episodes.parent_of(roll.due)
    called_off = [step for step in act.match.state.queue if episodes.parent_of(step.id) == number]
    if called_off:
        due.put_queue(act.match, [step for step in act.match.state.queue if step not in called_off])
        inputs = {due.CALLED_OFF: [step.to_json() for step in called_off]}
        act.tell(Kind.DROP, f"Due no more: {call_steps(called_off)}.", about=roll.number, inputs=inputs)


def roll_once(act: MatchAct, order: RollOrder, answer: Asked = NOT_ASKED, **more: object) -> LogEntry:
    """Make one roll, and write it. ``answer``: which due roll it answers, where the order does not say so."""
    step = find_due(act.match, act.table, order.step, order.helper.slug)
    if step is not None:
        check_decides(act.table, step)
        answer = roll_counters.answer_step(act.table_now, order.helper, step, order.form, order.filled)
        act.match.state = act.match.state.without(step)
    record_rules.check_roll(act.table, act.match, order.helper.slug, order.form)
    is_unasked = step is None and order.corrects is None
    if is_unasked:
        record_rules.answer_house(act.match, order.helper.slug, {**order.form.carried, **order.form.inputs()})
        roll_counters.check_fields(act.table, order.helper, order.participants, order.form)
    shown_counters = _find_shown(act, order)
    if is_unasked:
        check_reader(act.table, order)
    if order.cells:
        fill_cells(act, order.cells)
    result, rolled = _play(act, order)
    if order.values:
        keep_told_values(act, order)
    result = order.account.add_to(result)
    is_free = not shown_counters and all(die.source == "table" for die in rolled)
    act.row.free_to_take_back = act.row.free_to_take_back and is_free
    changing.tell_changes(act, [(counter, replace(counter, hidden=False, closed=False)) for counter in shown_counters])
    owner = _check_owner(act.table, result.known_to or order.owner)
    # A roll that only one side knew to be due may be made openly, and then its title is still a secret.
    is_telling = step is not None and (owner or not step.known_to)
    written: Json = {
        "title": step.title if step and is_telling else "",
        "due": order.step,
        "participants": order.participants,
        "account": order.account,
        "answers": order.answers,
        "answer": order.entered if answer == NOT_ASKED else answer,
    } | more
    entry = write_roll(act, act.side, order.helper, order.form, result, tuple(rolled), owner=owner, **written)
    if result.calls_off and entry.due:  # a corrected roll does, too: it stands where the step was answered
        _call_off(act, entry)
    return entry


def _play(act: MatchAct, order: RollOrder) -> tuple[Result, list[Rolled]]:
    """What a roll comes to, by the app's dice or those of the table. Raises Incomplete while one is missing."""
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
    return result, rolled


def keep_told_values(act: MatchAct, order: RollOrder) -> None:
    """Keep the values of kinds of counters that their owner has entered with a roll. Raises BadInput."""
    kinds = counters.store_of(act.match).kinds
    check_values(act.match, order.values, kinds)
    if not act.table.asks_nobody:
        refuse_changed(act.match, order.values, kinds)
    keep_values(act, order.values, kinds)


def _find_shown(act: MatchAct, order: RollOrder) -> list[CounterInPlay]:
    """The hidden and closed counters that a roll is about, which it shows.

    Raises Hides where nobody has agreed to that.
    """
    if not act.table.game.has_counters:
        return []
    ids = [*order.participants.firers, *order.participants.targets, *list_ids(order.form.plain_inputs())]
    if order.helper.simultaneous and (order.step or order.corrects is not None):
        ids = [
            counter_id
            for counter_id in ids
            if (counter := counters.store_of(act.match).find(counter_id)) is None or counter.in_play
        ]
    hidden = roll_counters.find_hidden(act.table, act.match, ids) if ids else []
    if hidden and not order.shows:
        raise Hides(roll_counters.say_hidden(hidden))
    return hidden


def _check_owner(table: Table, owner: str) -> str:
    """The side whose secret a roll is, if this seat may roll it: its own, or one that nobody plays. Raises Refused."""
    if owner and owner != table.side and record.is_played(table, owner):
        raise Refused(f"{table.game.sides[owner]} rolls that itself: it is about what it hides. Nothing was rolled.")
    return owner


def _check_repeated(match: Match, result: Result) -> None:
    """Raise Refused where the roll that is to be made again does not stand any more."""
    for step in result.follow_ups:
        if step.anew is not None and descent.find_repeatable(match, step.anew, step.helper) is None:
            raise Refused(f"№ {step.anew} is not a roll that stands: choose another one. Nothing was done.")
