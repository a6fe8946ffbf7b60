"""Advancing in the course of a game, and setting values of the record by hand."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from firefight.engine.course.course import BadMove, Button, Move, NoTurnLeft, Position
from firefight.engine.errors import BadInput
from firefight.engine.record import BadValue, KeptRows
from firefight.engine.values import Values
from firefight.kit.counters import befall
from firefight.models import LogEntry, Match
from firefight.table.act import snapshots
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.performing import match_act
from firefight.table.act.ports import ledger_of, the_ledger
from firefight.table.act.refusals import BadField, LeavesOpen, Refused
from firefight.table.act.table import Table
from firefight.table.board import changing, counters, due, record, record_rules, stores

Kind = LogEntry.Kind


@match_act()
def advance(act: MatchAct, button: str = "", leaves: bool = False) -> None:
    """Advance in the course of the game, by a button or its main way; what is due there is put on the list.

    ``leaves``: even if the sides still have something to do together. Raises Refused where the course has no such way,
    or where something compulsory is due, LeavesOpen, Stale.
    """
    course, before, record_values = act.table.course, act.match.state.position, act.match.state.record
    pressed = button or course.find_main_way(before, record_values)
    _check_own(act.table, course.buttons(before, record_values), pressed)
    try:
        move = course.press(before, pressed, record_values)
    except BadMove as error:
        is_led = isinstance(error, NoTurnLeft) and ledger_of(act.match).leads
        raise Refused(the_ledger().keeps_turns if is_led else str(error)) from None
    _check_done(act.match, before, move)
    is_new_turn = move.position.turn != before.turn
    if is_new_turn and ledger_of(act.match).leads:
        raise Refused(the_ledger().keeps_turns)
    left_open = leave_open(act.match, before, move.position, leaves)
    act.match.state = act.match.state.at(move.position)
    entry = act.tell(Kind.TURN, f"{move.sentence} {left_open}".strip())
    _begin_step(act, before, entry.number, pressed)
    if is_new_turn:
        snapshots.take_snapshot(act.match, act.row.number, course.turn_title(move.position.turn))


def _check_done(match: Match, before: Position, move: Move) -> None:
    """Raise Refused where a move leaves a step while something compulsory is still due."""
    still_due = due.find_compulsory(match)
    if still_due and record.course_of(match).leaves_step(before, move.position):
        raise Refused(f"{due.say_compulsory(still_due)} Nothing was done.")


def leave_open(match: Match, before: Position, after: Position | None, leaves: bool) -> str:
    """What a match leaves open as it goes from one position to another, as a sentence for the log; "" for nothing.

    Every way out of a step passes here. ``after``: None where nothing comes after. Raises LeavesOpen
    where nobody has confirmed it (``leaves``).
    """
    left_open = record_rules.say_left_open(match, before, after)
    if left_open and not leaves:
        raise LeavesOpen(left_open)
    return left_open


def _begin_step(act: MatchAct, before: Position, number: int, pressed: str = "") -> None:
    """What follows once a match has gone from one position to another. ``number``: of the line that says so."""
    position, record_values = act.match.state.position, act.match.state.record
    due.enqueue(act.match, number, act.table.course.due(position, record_values))
    _keep_house(act, before, number, pressed)


def _check_own(table: Table, buttons: Iterable[Button], slug: str) -> None:
    """Raise Refused for a button that is another side's to press, if somebody sits there."""
    button = next((candidate for candidate in buttons if candidate.slug == slug), None)
    if button and button.side and not table.may_decide(button.side):
        raise Refused(f"“{button.title}” is {table.game.call_side(button.side)}'s to say. Nothing was done.")


def _keep_house(act: MatchAct, before: Position, number: int, pressed: str) -> None:
    """What the rules clear and ask for as a step begins, with a line for the record and one for each counter."""

    def tell(sentence: str, inputs: Values) -> LogEntry:
        return act.tell(Kind.RECORD, sentence, inputs=inputs)

    record_rules.keep_house(act.match, before, number, tell, pressed)
    rules, store = act.table.game.counters, counters.store_of(act.match)
    situation = record_rules.situation_of(act.match, with_kinds=True)
    pieces_in_play = tuple(piece for piece in situation.pieces if piece.counter.in_play)
    tidied: dict[str, changing.CounterPair] = {}
    for change in rules.tidy(before, replace(situation, pieces=pieces_in_play)):
        counter = store.find(change.id)
        if counter:
            first, current = tidied.get(counter.id, (counter, counter))
            kind = stores.piece_of(store, counter).kind
            tidied[counter.id] = (first, befall(rules, current, kind, change.word))
    covered = changing.list_hiding(act.match) if rules.clears(before, act.match.state.position) else ()
    changing.tell_changes(act, tidied.values(), covered=covered)


@match_act()
def set_value(act: MatchAct, path: str, typed: Any, keeps_house: bool = False, leaves: bool = False) -> None:
    """Set one value of the record by hand. Raises Refused, LeavesOpen, Stale, BadField for a value that it cannot have.

    ``keeps_house``: when this moves the match, also do what the rules do between the old position and the new one.
    ``leaves``: even if the sides still have something to do together there.
    """
    before = act.match.state.position
    declared, values = record.declare_all(act.match), record.values_of(act.match)
    setting = record.find_setting(act.match, path, typed)
    field, owners = setting.declared, setting.owners
    if field is None or not (owners | setting.writers).issubset(act.table.sees):
        raise BadField("There is no such value in your record.")
    if len(owners) > 1:
        raise BadField("Set what each side hides for itself.")
    if not field.by_hand:
        raise Refused(f"{field.title} is kept by the app alone.")
    if ledger_of(act.match).leads and path.partition(".")[0] in record.known_place(act.match):
        raise Refused(the_ledger().keeps_turns)
    try:
        old_value = declared.value(values, path)
        change = declared.setting(path, typed)
        record.change(act.match, change)
        if isinstance(top := declared.find(path.partition(".")[0]), KeptRows):
            record_rules.check_rows(act.match, top.name, values[top.name])
    except (BadValue, BadInput) as error:
        raise BadField(str(error)) from None
    new_value = declared.value(record.values_of(act.match), path)
    if new_value == old_value:
        raise Refused(f"{field.title or 'It'} is that already. Nothing was changed.")
    change = declared.setting(path, field.settle_change(typed, new_value) if isinstance(field, KeptRows) else new_value)
    sentence = record.describe_setting(act.match, path, change, old_value, new_value)
    inputs = {CHANGES: change, **({} if isinstance(field, KeptRows) else {"was": old_value})}
    owner = next(iter(record.find_keepers(act.match, path, typed, values, setting)), "")
    if owner:
        openly = f"{act.table.game.sides[owner]} sets something in its hidden record by hand."
        act.tell(Kind.RECORD, openly, side=owner, secret=sentence, inputs=inputs)
        return
    left_open = leave_open(act.match, before, act.match.state.position, leaves)
    entry = act.tell(Kind.RECORD, f"{sentence} {left_open}".strip(), inputs=inputs)
    if act.match.state.position != before:
        due.let_go(act.match)
    if keeps_house and act.match.state.position != before:
        _begin_step(act, before, entry.number)
