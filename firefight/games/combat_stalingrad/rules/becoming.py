"""What happens to a counter in play, and its state after that (18.1.4, 18.2)."""

from collections.abc import Sequence
from dataclasses import replace

from firefight.engine.board.counters import CounterChange, CounterFate, CounterInPlay, Piece
from firefight.engine.course.course import Position
from firefight.engine.errors import BadInput
from firefight.engine.labels import words_of

from .counters import Counter, CounterKind
from .marks import ORDERLY, Mark, flip_marks, is_unit, mark_casualty, may_carry
from .melee.sheet import clear_marks
from .turn import TurnPhase
from .units import Becomes

_COMES_OFF = "no_"  # before a mark: it is taken off

STATES = {mark.value: word for mark, word in words_of(Mark).items()}
# By these a counter is hurt, as its history says; what comes off again, such as Pinned Down, is none of them.
HARMS = {mark.value: mark.word for mark in (Mark.REDUCED, Mark.WOUNDED, Mark.M_KILLED, Mark.F_KILLED)}
_BY_HAND = {
    "casualty": "Casualties",
    CounterFate.RETURNED.value: "given back",
    CounterFate.LEFT.value: "left the map for good",
    "shown": "in sight",
    "hidden": "hidden",
}
# A campaign's reports give these to whoever goes off its map and may come back (20.11.1): no roll does, and no hand.
_MARKS = [mark for mark in Mark if mark not in (Mark.EXITED, Mark.HELD)]
# Everything that may happen to a counter, with its words.
WORDS = {
    **{word.value: word.word for word in Becomes},
    **{mark.value: mark.word for mark in _MARKS},
    **{f"{_COMES_OFF}{mark.value}": f"no longer {mark.word}" for mark in _MARKS},
    **_BY_HAND,
}


def become(counter: CounterInPlay, kind: Counter, word: str) -> CounterInPlay:
    """The counter after something has happened to it. Raises BadInput for what cannot happen to such a counter.

    A unit that is flipped sheds Pinned Down, Disrupted and WIA (18.1.4), except by "reduced_wia" (A-16). A unit in Good
    Order again is no longer Suppressed either.
    """
    if word not in WORDS:
        raise BadInput({"becomes": f"Nothing called {word[:20]} happens to a counter."})
    if reason := _why_not(counter, kind, word):
        raise BadInput({"becomes": reason})
    match word:
        case "good_order":
            return _with_marks(counter, kind, drop_marks(counter.state, *ORDERLY, Mark.SUPPRESSED))
        case "casualty":
            mark = mark_casualty(kind.kind, counter.state)
            return become(counter, kind, CounterFate.ELIMINATED if mark is None else mark)
        case Mark.REDUCED | Mark.WOUNDED:
            return _with_marks(counter, kind, tuple(flip_marks(_check_unflipped(counter, word), Mark(word))))
        case Becomes.REDUCED_WIA:
            marks = flip_marks(_check_unflipped(counter, Mark.REDUCED), Mark.REDUCED)
            return _with_marks(counter, kind, (*marks, Mark.WIA.value))
        case CounterFate.ELIMINATED | CounterFate.RETURNED | CounterFate.LEFT:
            return replace(counter, fate=CounterFate(word).value)
        case "shown" | "hidden":
            return replace(counter, hidden=word == "hidden")
    if word.startswith(_COMES_OFF):
        return replace(counter, state=drop_marks(counter.state, word.removeprefix(_COMES_OFF)))
    other_marks = drop_marks(counter.state, *ORDERLY) if word in ORDERLY else counter.state
    return _with_marks(counter, kind, other_marks if word in other_marks else (*other_marks, word))


def _why_not(counter: CounterInPlay, kind: Counter, word: str) -> str:
    """Why something that may happen to others cannot happen to this counter, as a sentence; "" where it can."""
    if word == Mark.WIA and Mark.WOUNDED in counter.state:
        return f"{counter.name} is wounded: WIA eliminates a wounded leader (18.2.2)."
    if word != "casualty" or is_unit(kind.kind) and kind.kind is not CounterKind.VEHICLE:
        return ""
    reason = "the text gives them no effect on a vehicle (A-38)" if is_unit(kind.kind) else "it is not a unit"
    return f"{counter.name} cannot suffer Casualties: {reason}."


def question_move(counter: CounterInPlay, kind: Counter) -> str:
    """What speaks against moving a unit, as a clause that follows "is"; "" where nothing does (18.2.3, 18.2.4, 19.1.1).

    Vehicles that can move leave a Close Combat as they like.
    """
    barred = {mark: why for mark, why in _STAYS.items() if mark in counter.state}
    if kind.kind is CounterKind.VEHICLE:
        barred.pop(Mark.CLOSE_COMBAT, None)
    return next((f"{mark.word}: {why}" for mark, why in barred.items()), "")


_STAYS = {
    Mark.M_KILLED: "it does not move.",
    Mark.WIA: "it does not move (18.2.4, 18.2.5).",
    Mark.DISRUPTED: "it does not move (18.2.4).",
    Mark.PINNED: "it does not move (18.2.3).",
    Mark.CLOSE_COMBAT: "it stays until all of one side are Disrupted, WIA or M-KILLED (19.1.1, 19.1.5).",
}


def drop_marks(state: tuple[str, ...], *removed: str) -> tuple[str, ...]:
    """A state without some of its marks."""
    return tuple(mark for mark in state if mark not in removed)


def _check_unflipped(counter: CounterInPlay, word: str) -> tuple[str, ...]:
    if word in counter.state:
        raise BadInput({"becomes": f"{counter.name} is {Mark(word).word} already."})
    return counter.state


def _with_marks(counter: CounterInPlay, kind: Counter, marks: tuple[str, ...]) -> CounterInPlay:
    barred = [mark for mark in marks if mark not in may_carry(kind.kind)]
    if barred:
        raise BadInput({"becomes": f"{counter.name} cannot be {Mark(barred[0]).word}."})
    return replace(counter, state=tuple(mark.value for mark in Mark if mark in marks))


def describe_state(counter: CounterInPlay) -> str:
    """How a counter is, in words: "reduced, Pinned Down", "Good Order", "eliminated"."""
    if counter.fate:
        return WORDS[counter.fate]
    # Most carry nothing, and a page asks it of every counter.
    return ", ".join(mark.word for mark in Mark if mark in counter.state) if counter.state else "Good Order"


def tidy_counters(before: Position, after: Position, pieces: Sequence[Piece]) -> tuple[CounterChange, ...]:
    """What comes off counters between two positions.

    With a new turn the used MG of aircraft (17.6.3); with the Conclusion of Turn Phase, also where that is passed by,
    the marks of Close Combats that are over (19.1.7).
    """
    freed = _free_mgs(pieces) if after.turn != before.turn else ()
    return (clear_marks(pieces) if _concludes(before, after) else ()) + freed


def _concludes(before: Position, after: Position) -> bool:
    is_passed_by = after.turn != before.turn and before.phase != TurnPhase.CONCLUSION
    return after.phase == TurnPhase.CONCLUSION or is_passed_by


def clears(before: Position, after: Position) -> bool:
    """Whether anything comes off counters between two positions, whatever they are."""
    is_same = (after.turn, after.phase) == (before.turn, before.phase)
    return not is_same and (after.turn != before.turn or _concludes(before, after))


def _free_mgs(pieces: Sequence[Piece]) -> tuple[CounterChange, ...]:
    used = (piece.counter for piece in pieces if Mark.MG_USED in piece.counter.state)
    return tuple(CounterChange(counter.id, f"{_COMES_OFF}{Mark.MG_USED}") for counter in used)
