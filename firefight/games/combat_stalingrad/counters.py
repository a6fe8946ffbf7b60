"""The counters of Combat! Stalingrad as the frame asks for them: what the rules and the pictures say of each."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from firefight.engine.board.counters import Account, AskedValue, CounterChange, CounterInPlay, Piece
from firefight.engine.board.hexes import BadHex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.text import capitalize
from firefight.engine.values import Values
from firefight.kit import read_data

from .rules import becoming, filling, reach
from .rules.counters import Counter, describe_value, find_value, read_counters, tell_value
from .rules.firing import shown_firepower
from .rules.marks import MARKERS, may_carry


@cache
def _read_box() -> Mapping[Any, Mapping[str, Counter]]:
    """What is in the box. Raises ValueError with everything that is wrong with its file."""
    kinds, problems = read_counters(read_data(__package__, "counters"))
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return kinds


class CombatCounters:
    """CounterRules of this game: each answer is a rule's."""

    states = becoming.STATES
    words = becoming.WORDS

    @property
    def kinds(self) -> Mapping[Any, Mapping[str, Counter]]:
        """The shipped gallery."""
        return _read_box()

    def may_carry(self, kind: Counter) -> frozenset[str]:
        """The words that the state of such a counter may hold."""
        return frozenset(mark.value for mark in may_carry(kind.kind))

    def become(self, counter: CounterInPlay, kind: Counter, word: str) -> CounterInPlay:
        """The counter after a word has befallen it."""
        return becoming.become(counter, kind, word)

    def tidy(self, step: str, pieces: Sequence[Piece]) -> tuple[CounterChange, ...]:
        """What comes off as a step begins."""
        return becoming.tidy_counters(step, pieces)

    @property
    def hinges(self) -> Mapping[str, AskedValue | None]:
        """What players tell besides the counters."""
        return filling.HINGES

    def widen(
        self, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]
    ) -> Sequence[str]:
        """Whom an attack reaches by where they stand."""
        return reach.list_struck(slug, firers, targets, everybody)

    def fill(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, object]
    ) -> Values:
        """What a helper's form is filled with."""
        return filling.fill_roll(charts, slug, firers, targets, known)

    def explain(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, object]
    ) -> tuple[Mapping[str, object], Account]:
        """What a helper's form is filled with, and how it comes about."""
        return filling.explain_roll(charts, slug, firers, targets, known)

    def tell_value(self, kind: Counter, name: str, value: int) -> Counter:
        """A kind with a value that its owner gave."""
        return tell_value(kind, name, value)

    def find_value(self, kind: Counter, name: str) -> int | None:
        """A value of a kind as it is known."""
        return find_value(kind, name)

    def describe_value(self, name: str) -> str:
        """A value in words."""
        return describe_value(name)

    def tell_strength(self, piece: Piece) -> int | None:
        """The FF that a counter shows."""
        return shown_firepower(piece)

    def arm(self, kind: Counter) -> str:
        """The heading for its like; "" for what stands on the map and is no unit (20.6.2)."""
        return "" if kind.kind in MARKERS else f"{capitalize(kind.kind.word)}s"

    def describe(self, counter: CounterInPlay) -> str:
        """How a counter is, in words."""
        return becoming.describe_state(counter)

    def read_place(self, charts: Book, typed: str) -> tuple[str, str]:
        """A hex and a level: "k7/1" is K7, level 1; what stands after the stroke may be a word, such as cellar."""
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
