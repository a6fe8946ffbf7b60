"""What a game says of its counters: what is in its box, and what becomes of it in play."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import Account, AskedValue, CounterChange, CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Problem
from firefight.engine.values import Values


class GalleryKind(Protocol):
    """One kind of counter in a gallery; a game's own say more. ``count``: how many the box holds."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def count(self) -> int: ...


class CounterRules(Protocol):
    """What a game knows of its counters. All of it is pure but for ``picture``.

    ``kinds``: the gallery, by side and key. ``states``: every word that a counter's state may hold, with its label.
    ``words``: everything that may befall a counter, with its label: what a roll's CounterChange and a hand may say.
    ``hinges``: what is sent with counters and decides what they fill, each with the question for it, if one is asked.
    """

    @property
    def kinds(self) -> Mapping[str, Mapping[str, GalleryKind]]: ...

    @property
    def states(self) -> Mapping[str, str]: ...

    @property
    def words(self) -> Mapping[str, str]: ...

    @property
    def hinges(self) -> Mapping[str, AskedValue | None]: ...

    def may_carry(self, kind: Any) -> frozenset[str]:
        """The words that the state of such a counter may hold."""

    def become(self, counter: CounterInPlay, kind: Any, word: str) -> CounterInPlay:
        """The counter after a word has befallen it: flipped, rid of what that takes off, gone. Raises BadInput."""

    def tidy(self, step: str, pieces: Sequence[Piece]) -> tuple[CounterChange, ...]:
        """What the rules take off of counters as a step of the course begins."""

    def widen(
        self, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]
    ) -> Sequence[str]:
        """The ids of all whom a roll at these targets is about by where they stand, of both sides; nothing where it is
        about the chosen alone. ``everybody``: all that whoever rolls knows of."""

    def fill(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, object]
    ) -> Values:
        """What a helper's form is filled with from counters; ``known``: all that was sent with them.

        Raises RuleError with every reason, in players' words; LackingValues for numbers that have to be asked first.
        """

    def explain(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, object]
    ) -> tuple[Mapping[str, object], Account]:
        """What ``fill`` gives, and how it comes about, for page and log; the account asks for what is lacking.

        Raises RuleError with every reason.
        """

    def tell_value(self, kind: Any, name: str, value: int) -> Any:
        """A kind of counter with a value that its owner gave when it was asked for. Raises BadInput."""

    def find_value(self, kind: Any, name: str) -> int | None:
        """A value of a kind as it is known, 0 for what the kind has not; None where nobody knows it yet."""

    def describe_value(self, name: str) -> str:
        """A value of a kind of counter in words: "FF at 3 hexes"."""

    def picture(self, side: str, kind: Any, state: Sequence[str], book: str = "") -> str:
        """The address of a counter's picture, "" for none. ``book``: the content that it is of, if not the shipped."""

    def tell_strength(self, piece: Piece) -> int | None:
        """What a counter brings to an attack before its range is known; None for what has no number then."""

    def arm(self, kind: Any) -> str:
        """Under which heading counters of its like are listed: "Leaders", "Squads".

        "" for markers, such as mines: they are no units, so nobody lists or counts them among those.
        """

    def describe(self, counter: CounterInPlay) -> str:
        """How a counter is, in words: "Disrupted, reduced", "Good Order", "eliminated"."""

    def read_place(self, charts: Book, typed: str) -> tuple[str, str]:
        """A place as the map prints it, and a level: "k7/1" is K7, level 1. Raises BadInput."""

    def list_places_around(self, charts: Book, place: str) -> Sequence[str]:
        """The places next to one, as the map prints them; nothing where the map does not have that place."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """The counters of a game's box: their file, and what reads and draws them.

    ``read`` gives them by side and key, with every problem. ``draw`` takes one, its side and its state, and raises
    BadInput if such a counter is never in that state; ``describe`` is the same in words.
    """

    file: str
    read: Callable[[Any], tuple[Mapping[Any, Values], list[Problem]]]
    draw: Callable[[Any, str, Iterable[str]], Drawing]
    describe: Callable[[Any, str, Iterable[str]], str]
    paints: Mapping[str, Paint]
