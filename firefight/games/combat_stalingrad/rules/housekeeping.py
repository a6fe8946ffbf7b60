"""What the phases of a turn take off and ask for, named mission by mission and hex by hex.

The text names few markers: Fire 2 on an FFE as the Fire and Movement Phase ends (17.3.6), plotted FFE and those of
bombardments in the Conclusion of Turn Phase (17.4.8.1, 17.5.3), smoke in the next Command Phase (17.4.7). What comes
off counters is becoming.py's business.
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
from .sets import Note
from .turn import LAST_TURN, TurnPhase

FIRST_CHECKED_TURN = 5  # from which the End of Firefight roll is made (20.2.4)


def tidy_step(before: Position, situation: TableState) -> Housekeeping:
    """What is done between a position and the one that the match has come to, and what is due there."""
    after = situation.position
    is_new_turn = after.turn != before.turn
    ends_fire = before.phase == TurnPhase.FIRE_AND_MOVEMENT and (is_new_turn or after.phase != before.phase)
    concludes = after.phase == TurnPhase.CONCLUSION or (is_new_turn and before.phase != TurnPhase.CONCLUSION)
    changes = [
        *(_end_fire_phase(situation, before.turn) if ends_fire else ()),
        *(_conclude_turn(situation) if concludes else ()),
        *(_begin_turn(situation) if is_new_turn else ()),
    ]
    return Housekeeping(tuple(changes), tuple(list_due(before, situation)))


def _list_open_missions(situation: TableState) -> list[missions.Mission]:
    """Those that all know of: to change another one would give it away."""
    return [mission for mission in missions.read_missions(situation.record) if not mission.is_sealed]


def _end_fire_phase(situation: TableState, turn: int) -> Iterable[RecordChange]:
    """Fire 2 on each FFE that was used (17.3.6); aircraft that were shot down by a C go (17.6.7)."""
    open_missions, all_flights = _list_open_missions(situation), flights.read_flights(situation.record)
    fired_ffe = [(mission, missions.mark_fire_2(mission, turn), "17.3.6") for mission in open_missions]
    doomed = [(flight, flights.drop_doomed(flight, turn), "17.6.7") for flight in all_flights]
    return [*_write_notes("missions", fired_ffe), *_write_notes("aircraft", doomed)]


def _write_notes(
    field: str, notes: Iterable[tuple[missions.Mission | flights.Flight, Note | None, str]]
) -> list[RecordChange]:
    """The change of a field's rows that have a note, each with the rule that says so; nothing where none has."""
    noted = [(row, note, rule) for row, note, rule in notes if note]
    values = {field: {"change": {row.id: note.parts for row, note, _ in noted}}}
    return [write_down(values, *(f"{row.name}: {note.words} ({rule})." for row, note, rule in noted))] if noted else []


def _conclude_turn(situation: TableState) -> Iterable[RecordChange]:
    """Plotted FFE and those of bombardments are removed (17.4.8.1, 17.5.3), and Fire markers of counters (R-131)."""
    if off := fired.take_all_off(situation.record["fired"]):
        yield off
    open_missions, rules = _list_open_missions(situation), {True: "17.4.8.1", False: "17.5.3"}
    yield from _write_notes(
        "missions", ((mission, missions.conclude_turn(mission), rules[mission.plotted]) for mission in open_missions)
    )


def _begin_turn(situation: TableState) -> Iterable[RecordChange]:
    """Smoke of the turns before comes off (17.4.7); the MGs of aircraft may fire again (17.6.3)."""
    change, hexes = ground.clear_smoke(situation.record["ground"], situation.position.turn)
    if hexes:
        yield write_down({"ground": change}, f"Smoke comes off: {join_words(hexes)} (17.4.7).")
    ready = {
        flight.id: parts for flight in flights.read_flights(situation.record) if (parts := flights.begin_turn(flight))
    }
    if ready:
        names = join_words(flight.name for flight in flights.read_flights(situation.record) if flight.id in ready)
        yield write_down({"aircraft": {"change": ready}}, f"{names}: MG ready again (17.6.3).")


# What is due


def list_due(before: Position, situation: TableState) -> Iterable[DueAtStep]:
    """What players roll for in the phase that begins."""
    after = situation.position
    if (after.turn, after.phase) == (before.turn, before.phase):
        return
    if after.phase == TurnPhase.FIRE_AND_MOVEMENT:
        yield from _list_plots(situation)
        yield from _list_stay_rolls(situation)
    if after.phase == TurnPhase.CONCLUSION and before.turn == after.turn and not situation.has_ledger:
        yield from _list_end_roll(after.turn)


def _list_plots(situation: TableState) -> Iterable[DueAtStep]:
    """Plots of this turn: an impulse at any time of the phase tries Contact (17.4.8)."""
    turn = situation.position.turn
    for mission in missions.read_missions(situation.record):
        if mission.plotted and mission.plot_turn == turn and not (mission.used or mission.lost or mission.marker):
            inputs = {"mission": mission.id, **missions.fill_contact(mission, "", turn, (), _NO_MAP)}
            yield DueAtStep(FollowUp("contact", f"Plot of turn {turn}: {mission.name}", inputs), mission.known_to)


def _list_stay_rolls(situation: TableState) -> Iterable[DueAtStep]:
    """Aircraft over the map roll whether they stay (17.6.2, A-14)."""
    for flight in flights.read_flights(situation.record):
        if flights.owes_roll(flight, situation.position.turn):
            inputs = {"flight": flight.id, "number": flight.number, "already_in_play": True}
            yield DueAtStep(FollowUp("air-arrival", f"{flight.name}: stay over the map?", inputs))


def _list_end_roll(turn: int) -> Iterable[DueAtStep]:
    """The End of Firefight roll, after the Close Combat of turns 5 and on (20.2.4)."""
    if FIRST_CHECKED_TURN <= turn < LAST_TURN:
        yield DueAtStep(FollowUp("end-of-firefight", f"End of Firefight, turn {turn}", {"turn": turn}))


_NO_MAP: Any = None  # a plot's Contact asks for no hex
