"""What counters may try in a phase: to rally in the Command Phase (18.2.5; R-132), hidden AA to fire at aircraft
before they attack (17.6.7; R-136), to advance after Close Combat (19.3.4; R-133). Our text lacks the Action Check
itself, so players say what comes of one.
"""

from collections.abc import Iterable, Sequence

from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.engine.course.keeping import Chance, TableState
from firefight.engine.record import KeptList, KeptText, RecordChange, push
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words
from firefight.engine.values import Values

from .counters import CounterKind
from .flak import list_flak
from .flights import read_flights
from .free import ActionOutcome
from .ground import call_place
from .marks import Mark, is_unit
from .melee.table import find_locations, name_location
from .turn import TurnPhase

RALLY, ADVANCE = "to rally", "to advance"  # what an Action Check is for, as its label says
STEPS = frozenset({TurnPhase.COMMAND.value, TurnPhase.FIRE_AND_MOVEMENT.value, TurnPhase.MELEE.value})
TRIED_LIST = KeptList(
    name="tried", title="Action Checks", rule="19.3.4", by_hand=False, most=100, item=KeptText(longest=60)
)
_SHAKEN = (Mark.WIA, Mark.DISRUPTED, Mark.PINNED)  # what Morale Reduction improves


def find_chances(situation: TableState) -> list[Chance]:
    """What counters may try now, and what those that passed may do."""
    if situation.position.phase == TurnPhase.COMMAND:
        return [chance for piece in situation.pieces for chance in _list_rally(piece, situation)]
    if situation.position.phase == TurnPhase.FIRE_AND_MOVEMENT:
        return list(_list_hidden_flak(situation))
    return list(_list_advances(situation)) if situation.position.phase == TurnPhase.MELEE else []


def _list_hidden_flak(situation: TableState) -> Iterable[Chance]:
    """Hidden AA while enemy aircraft are over the map. An offer before each attack, as for AA that all know of, would
    hold the attack up and so give the AA away (R-136)."""
    for flight in (aircraft for aircraft in read_flights(situation.record) if aircraft.here and aircraft.planes):
        for piece in list_flak(situation.pieces, situation.record["ground"], flight.side, hidden=True):
            counter = piece.counter
            words = f"hidden{_say_place(counter)}, at {flight.name} before it attacks (17.6.7)"
            inputs = {"flight": flight.id}
            yield Chance("AA fire", counter.name, words, (counter.id,), "anti-aircraft", inputs, fires=True)


def note_try(slug: str, inputs: Values, result: Result, situation: TableState) -> RecordChange | None:
    """That a counter has tried, and whether it passed; a turn's last try counts."""
    id, label = inputs.get("id") or "", inputs.get("label") or ""
    if slug != "action-check" or not id or label not in (RALLY, ADVANCE):
        return None
    passed = result.outcome is ActionOutcome.AT_MOST
    return RecordChange({TRIED_LIST.name: push(_entry(situation, label, id, passed))}, ())


def _entry(situation: TableState, label: str, id: str, passed: bool) -> str:
    return f"{situation.position.turn} {label} {id} {'passed' if passed else 'failed'}"


def _find_try(situation: TableState, label: str, id: str) -> bool | None:
    """Whether a counter has passed its check in this turn; None where it has made none."""
    outcomes = {_entry(situation, label, id, passed): passed for passed in (True, False)}
    tries = [outcomes[entry] for entry in situation.record[TRIED_LIST.name] if entry in outcomes]
    return tries[-1] if tries else None


def _ask_check(title: str, label: str, piece: Piece, words: str) -> Chance:
    counter = piece.counter
    return Chance(title, counter.name, words, (counter.id,), "action-check", {"label": label})


def _list_rally(piece: Piece, situation: TableState) -> Iterable[Chance]:
    """A Pinned Down, Disrupted or WIA unit tries once; its state after a success is set by hand (R-132)."""
    counter = piece.counter
    mark = next((mark for mark in _SHAKEN if mark in counter.state), None)
    if mark is None or not counter.in_play or not is_unit(piece.kind.kind):
        return
    passed = _find_try(situation, RALLY, counter.id)
    condition = f"{mark.word}{_say_place(counter)}"
    if passed is None:
        yield _ask_check("Rally", RALLY, piece, condition)
    elif passed:
        yield Chance("Rallied", counter.name, f"{condition}: set how it now is", (counter.id,))


def _say_place(counter: CounterInPlay) -> str:
    return f", in {call_place({'hex': counter.place, 'level': counter.level})}" if counter.place else ""


def _list_advances(situation: TableState) -> Iterable[Chance]:
    """Survivors of a Close Combat that left infantry of one side: with a leader and no enemy they advance as they
    like, else each by an Action Check (19.3.4). Pinned Down, Disrupted and WIA units do not move (R-133)."""
    fought = [id for id, row in situation.record["melees"].items() if row.get("turn") == situation.position.turn]
    contested = find_locations(situation.pieces)
    for location in sorted(fought):
        units = [piece for piece in situation.pieces if _stands_at(piece, location)]
        infantry = [piece for piece in units if piece.kind.kind is not CounterKind.VEHICLE]
        if len({piece.counter.side for piece in infantry}) == 1:
            yield from _advance_from(location, infantry, location in contested, situation)


def _stands_at(piece: Piece, location: str) -> bool:
    counter = piece.counter
    stands = counter.in_play and bool(counter.place) and not counter.hidden and is_unit(piece.kind.kind)
    return stands and name_location(counter.place, counter.level) == location


def _advance_from(
    location: str, infantry: Sequence[Piece], has_enemies: bool, situation: TableState
) -> Iterable[Chance]:
    led = not has_enemies and any(piece.kind.kind is CounterKind.LEADER for piece in infantry)
    able_units = [piece for piece in infantry if Mark.CLOSE_COMBAT in piece.counter.state and _may_move(piece)]
    passed = {piece.counter.id: _find_try(situation, ADVANCE, piece.counter.id) for piece in able_units}
    advancing = [piece.counter for piece in able_units if led or passed[piece.counter.id]]
    if advancing:
        names = join_words(counter.name for counter in advancing)
        words = f"one hex from {location}, to one without enemies (19.3.4)"
        yield Chance("May advance", names, words, tuple(counter.id for counter in advancing), moves=True)
    for piece in able_units:
        if not led and passed[piece.counter.id] is None:
            yield _ask_check("May try to advance", ADVANCE, piece, f"one hex from {location} (19.3.4)")


def _may_move(piece: Piece) -> bool:
    return not any(mark in piece.counter.state for mark in _SHAKEN)
