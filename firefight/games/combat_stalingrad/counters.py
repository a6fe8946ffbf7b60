"""The counters of Combat! Stalingrad as the frame asks for them: what the rules and the pictures say about each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from firefight.engine.board.counters import CounterChange, CounterInPlay
from firefight.engine.board.hexes import BadHex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.text import capitalize
from firefight.kit import CounterRules, read_data

from .rules import becoming, filling, reach
from .rules.counters import Counter, describe_value, find_value, read_counters, tell_value
from .rules.firing import shown_firepower
from .rules.marks import MARKERS, Mark, may_carry


@cache
def _read_box() -> Mapping[Any, Mapping[str, Counter]]:
    """What is in the box. Raises ValueError with everything that is wrong with its file."""
    kinds, problems = read_counters(read_data(__package__, "counters"))
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return kinds


class CombatCounters(CounterRules):
    """CounterRules of this game: each answer is a rule's. None is closed: the text hides whole stacks, or nothing."""

    states = becoming.STATES
    words = becoming.WORDS
    hinges = filling.HINGES
    harms = becoming.HARMS

    @property
    def kinds(self) -> Mapping[Any, Mapping[str, Counter]]:
        """The shipped gallery."""
        return _read_box()

    def may_carry(self, kind: Counter) -> frozenset[str]:
        """The words that the state of such a counter may hold."""
        return frozenset(mark.value for mark in may_carry(kind.kind))

    become = staticmethod(becoming.become)
    question_move = staticmethod(becoming.question_move)
    widen = staticmethod(reach.list_struck)
    explain = staticmethod(filling.explain_roll)
    tell_value = staticmethod(tell_value)
    find_value = staticmethod(find_value)
    describe_value = staticmethod(describe_value)
    tell_strength = staticmethod(shown_firepower)
    describe = staticmethod(becoming.describe_state)

    def arrive(self, counter: CounterInPlay, kind: Counter, situation: TableState) -> CounterInPlay:
        """Whoever is on the map is off it no more, whether they had left or were held back (20.11.1)."""
        return replace(counter, state=becoming.drop_marks(counter.state, Mark.EXITED, Mark.HELD))

    def tidy(self, before: Position, situation: TableState) -> tuple[CounterChange, ...]:
        """What comes off as another phase begins; nothing where the match stays in one."""
        after = situation.position
        is_same = (after.turn, after.phase) == (before.turn, before.phase)
        return () if is_same else becoming.tidy_counters(before, after, situation.pieces)

    clears = staticmethod(becoming.clears)

    def arm(self, kind: Counter) -> str:
        """The heading for its like; "" for whatever on the map is not a unit (20.6.2)."""
        return "" if kind.kind in MARKERS else f"{capitalize(kind.kind.word)}s"

    def read_place(self, charts: Book, typed: str) -> tuple[str, str]:
        """A hex and a level: "k7/1" is K7, level 1; what follows the slash may be a word, such as cellar."""
        place, _, level = (part.strip() for part in typed.partition("/"))
        hexes: HexMap = charts["map"].hexes
        if len(level) > _LONGEST_LEVEL:
            raise BadInput({"place": f"A level has at most {_LONGEST_LEVEL} characters."})
        try:
            return (str(hexes.parse(place)) if place else "", "" if level in ("", "0") else level)
        except BadHex as error:
            raise BadInput({"place": str(error)}) from None

    def list_places_around(self, charts: Book, place: str) -> Sequence[str]:
        """The hexes that touch one, clockwise from north."""
        hexes: HexMap = charts["map"].hexes
        try:
            return [str(other) for other in hexes.neighbours(hexes.parse(place))]
        except BadHex:
            return ()


_LONGEST_LEVEL = 12
COUNTERS = CombatCounters()
