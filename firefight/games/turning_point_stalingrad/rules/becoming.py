"""What happens to counters in play: dots, Isolation markers, what takes them off the board (4.3, 10.7, 12.2).

A Combat unit is Fresh or has one to four dots; it may also carry an Isolation marker. For artillery the same states
say when it may fire again (10.6).
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from firefight.engine.board.counters import CounterChange, CounterFate, CounterInPlay
from firefight.engine.errors import BadInput

from .disruption import MOST
from .kinds import CounterClass, Unit

FRESH, SUPPLIED, WITHDRAWN, ELIMINATED = "fresh", "supplied", "withdrawn", CounterFate.ELIMINATED.value
REMOVED = "removed"  # from the map, but not from play: to the East bank, or guns until Dawn (15.22, 18.7)
DOTTED = {f"d{dots}": f"D{dots}" for dots in range(1, MOST + 1)}
ISOLATED = {"isolated_1": "Isolated -1", "isolated_2": "Isolated -2"}
ACTING, AT_REST = "acting", "at_rest"  # within an impulse: who overran or moved is Spent as it ends (8.13)
STATES = {**DOTTED, **ISOLATED, ACTING: "Acting in this impulse"}
WORDS = {
    FRESH: "Fresh",
    **DOTTED,
    **ISOLATED,
    SUPPLIED: "Not isolated",
    ACTING: "Acts in this impulse",
    AT_REST: "Does not act",
    REMOVED: "Off the map",
    ELIMINATED: "Eliminated",
    WITHDRAWN: "Withdrawn",
}


def may_carry(kind: Unit) -> frozenset[str]:
    """The words that the state of such a counter may hold: aircraft are only used up for a date (17.22)."""
    if kind.sort is CounterClass.AIRCRAFT:
        return frozenset()
    return frozenset(STATES if kind.sort.is_combat_unit else (*DOTTED, ACTING))


def become(counter: CounterInPlay, kind: Unit, word: str) -> CounterInPlay:
    """The counter after something has happened to it. Raises BadInput for what cannot happen to it."""
    if word == ELIMINATED and not kind.sort.is_combat_unit:
        raise BadInput({"becomes": f"{counter.name} is never eliminated (4.25, 4.26)."})
    if word in (ELIMINATED, WITHDRAWN):
        fate = CounterFate.ELIMINATED if word == ELIMINATED else CounterFate.LEFT
        return replace(counter, fate=fate.value, state=())
    if word == REMOVED:
        return replace(counter, place="")
    if word not in (FRESH, SUPPLIED, AT_REST, *may_carry(kind)):
        raise BadInput({"becomes": f"{counter.name} cannot be {WORDS.get(word, word[:20])}."})
    if word in (ACTING, AT_REST):
        replaced: Collection[str] = (ACTING,)
    else:  # a unit with dots acts no more
        replaced = (*DOTTED, *((ACTING,) if word in DOTTED else ())) if word in (FRESH, *DOTTED) else ISOLATED
    carried = {*(state for state in counter.state if state not in replaced), word}
    return replace(counter, state=tuple(state for state in STATES if state in carried))


def count_dots(counter: CounterInPlay) -> int:
    """Its dots, 0 for Fresh."""
    return next((dots for dots, word in enumerate(DOTTED, 1) if word in counter.state), 0)


def find_marker(counter: CounterInPlay) -> int:
    """Its Isolation marker, 0 for none, 1 or 2."""
    return next((level for level, word in enumerate(ISOLATED, 1) if word in counter.state), 0)


def word_dots(dots: int) -> str:
    """What happens to a counter that ends up with that many dots.

    >>> word_dots(0), word_dots(3)
    ('fresh', 'd3')
    """
    return f"d{dots}" if dots else FRESH


def spend_acting(counters: Iterable[CounterInPlay]) -> tuple[CounterChange, ...]:
    """All units that have acted get their dot."""
    return tuple(
        CounterChange(counter.id, word_dots(1)) for counter in counters if counter.in_play and ACTING in counter.state
    )


def word_marker(level: int) -> str:
    """What happens to a counter that ends up with such an Isolation marker.

    >>> word_marker(0), word_marker(2)
    ('supplied', 'isolated_2')
    """
    return f"isolated_{level}" if level else SUPPLIED


def describe_face(counter: CounterInPlay) -> str:
    """A counter's state in words: "D2, isolated -1", "Fresh", "eliminated"."""
    if counter.fate:
        return WITHDRAWN if counter.fate == CounterFate.LEFT else counter.fate
    dots, marker = count_dots(counter), find_marker(counter)
    words = [f"D{dots}" if dots else "Fresh", *([f"isolated -{marker}"] if marker else [])]
    return ", ".join([*words, *(state for state in counter.state if state == ACTING)])
