"""What the phases of a turn take off and ask for, named mission by mission and hex by hex.

The text says so of few markers: Fire 2 on an FFE as the Fire and Movement Phase ends (17.3.6), plotted FFE and those of
bombardments in the Conclusion of Turn Phase (17.4.8.1, 17.5.3), smoke in the next Command Phase (17.4.7). What comes
off of counters is counters' business.
"""

from collections.abc import Iterable
from typing import Any

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import DueAtStep, Housekeeping, TableState
from firefight.engine.record import RecordChange
from firefight.engine.rolls.result import FollowUp
from firefight.engine.text import join_words

from . import fired, flights, ground, missions
from .record import write_down
from .turn import LAST_TURN, TurnPhase

FIRST_CHECKED_TURN = 5  # from which the End of Firefight roll is made (20.2.4)


def tidy_step(before: Position, situation: TableState) -> Housekeeping:
    """What is done between a position and the one that the match has come to, and what is due there."""
    now = situation.position
    is_new_turn = now.turn != before.turn
    ends_fire = before.phase == TurnPhase.FIRE_AND_MOVEMENT and (is_new_turn or now.phase != before.phase)
    concludes = now.phase == TurnPhase.CONCLUSION or (is_new_turn and before.phase != TurnPhase.CONCLUSION)
    changes = [
        *(_end_fire_phase(situation, before.turn) if ends_fire else ()),
        *(_conclude_turn(situation) if concludes else ()),
        *(_begin_turn(situation) if is_new_turn else ()),
    ]
    return Housekeeping(tuple(changes), tuple(list_due(before, situation)))


def _list_open_missions(situation: TableState) -> list[missions.Mission]:
    """Those that all know of: to change another one would tell of it."""
    return [each for each in missions.read_missions(situation.record) if not each.is_sealed]


def _end_fire_phase(situation: TableState, turn: int) -> Iterable[RecordChange]:
    """Fire 2 on each FFE that was used (17.3.6); aircraft that were shot down by a C go (17.6.7)."""
    notes = {each: note for each in _list_open_missions(situation) if (note := missions.mark_fire_2(each, turn))}
    if notes:
        parts = {each.id: note.parts for each, note in notes.items()}
        yield write_down(
            {"missions": {"change": parts}}, *(f"{each.name}: {note.words} (17.3.6)." for each, note in notes.items())
        )
    gone = {each: told for each in flights.read_flights(situation.record) if (told := flights.drop_doomed(each, turn))}
    if gone:
        values = {each.id: told[0] for each, told in gone.items()}
        yield write_down(
            {"aircraft": {"change": values}}, *(f"{each.name}: {told[1]} (17.6.7)." for each, told in gone.items())
        )


def _conclude_turn(situation: TableState) -> Iterable[RecordChange]:
    """Plotted FFE and those of bombardments are removed (17.4.8.1, 17.5.3), and Fire markers of counters (R-131)."""
    if off := fired.take_all_off(situation.record["fired"]):
        yield off
    notes = {each: note for each in _list_open_missions(situation) if (note := missions.conclude_turn(each))}
    if notes:
        parts = {each.id: note.parts for each, note in notes.items()}
        rule = {True: "17.4.8.1", False: "17.5.3"}
        yield write_down(
            {"missions": {"change": parts}},
            *(f"{each.name}: {note.words} ({rule[each.plotted]})." for each, note in notes.items()),
        )


def _begin_turn(situation: TableState) -> Iterable[RecordChange]:
    """Smoke of the turns before comes off (17.4.7); the MGs of aircraft may fire again (17.6.3)."""
    change, hexes = ground.clear_smoke(situation.record["ground"], situation.position.turn)
    if hexes:
        yield write_down({"ground": change}, f"Smoke comes off: {join_words(hexes)} (17.4.7).")
    ready = {each.id: parts for each in flights.read_flights(situation.record) if (parts := flights.begin_turn(each))}
    if ready:
        names = join_words(each.name for each in flights.read_flights(situation.record) if each.id in ready)
        yield write_down({"aircraft": {"change": ready}}, f"{names}: MG ready again (17.6.3).")


# What is due


def list_due(before: Position, situation: TableState) -> Iterable[DueAtStep]:
    """What players roll for in the phase that begins."""
    now = situation.position
    if (now.turn, now.phase) == (before.turn, before.phase):
        return
    if now.phase == TurnPhase.FIRE_AND_MOVEMENT:
        yield from _list_plots(situation)
        yield from _list_stay_rolls(situation)
    if now.phase == TurnPhase.CONCLUSION and before.turn == now.turn and not situation.has_ledger:
        yield from _list_end_roll(now.turn)


def _list_plots(situation: TableState) -> Iterable[DueAtStep]:
    """Plots of this turn: an impulse at any time of the phase tries Contact (17.4.8)."""
    turn = situation.position.turn
    for each in missions.read_missions(situation.record):
        if each.plotted and each.plot_turn == turn and not (each.used or each.lost or each.marker):
            inputs = {"mission": each.id, **missions.fill_contact(each, "", turn, (), _NO_MAP)}
            yield DueAtStep(FollowUp("contact", f"Plot of turn {turn}: {each.name}", inputs), each.known_to)


def _list_stay_rolls(situation: TableState) -> Iterable[DueAtStep]:
    """Aircraft over the map roll whether they stay (17.6.2, A-14)."""
    for each in flights.read_flights(situation.record):
        if flights.owes_roll(each, situation.position.turn):
            inputs = {"flight": each.id, "number": each.number, "already_in_play": True}
            yield DueAtStep(FollowUp("air-arrival", f"{each.name}: stay over the map?", inputs))


def _list_end_roll(turn: int) -> Iterable[DueAtStep]:
    """The End of Firefight roll, after the Close Combat of turns 5 and on (20.2.4)."""
    if FIRST_CHECKED_TURN <= turn < LAST_TURN:
        yield DueAtStep(FollowUp("end-of-firefight", f"End of Firefight, turn {turn}", {"turn": turn}))


_NO_MAP: Any = None  # a plot's Contact asks for no hex
