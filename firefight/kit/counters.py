"""What a game says about its counters: what is in its box, and what becomes of it in play."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import (
    NO_ACCOUNT,
    Account,
    AskedValue,
    CounterChange,
    CounterFate,
    CounterInPlay,
    LevelBounds,
    Piece,
    describe_levels,
    read_set_level,
    set_level,
    split_way,
)
from firefight.engine.board.places import BadPlace, Places
from firefight.engine.charts.book import Book
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.kit.sheets import ContentSheet

GameKind = Any  # a kind of counter as its game has it: nobody else looks inside


class GalleryKind(Protocol):
    """A kind of counter in a gallery; a game's own kinds say more. ``count``: how many the box holds."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def count(self) -> int: ...


GOOD_ORDER = "good_order"
UNMARKED = ("Good Order", "in play")  # as games describe a counter that carries nothing
ELIMINATED = "eliminated"


@dataclass(frozen=True, slots=True)
class SimpleKind:
    """A kind of counter that has no values: its key, its name, and how many the box holds."""

    key: str
    name: str
    count: int


class CounterRules:
    """What a game knows about its counters. All of it is pure.

    A game gives ``kinds``, ``states`` and ``words``, and mostly writes three methods: ``become`` for the words that
    are more than a state, ``may_carry`` where a kind is never in some state, ``tidy`` for what comes off by itself;
    with ``levels`` a fourth, ``bound_levels``. What a roll's form is filled with is the frame's business
    (``CountersField``). Counters with values, or rules about stacks, need more of it.

    ``kinds``: the gallery, by side and key. ``states``: every word that a counter's state may hold, with its label.
    ``levels``: every number that a counter may have besides, with its label: steps left, dots.
    ``words``: everything that may happen to a counter, with its label: what a CounterChange and a player may say.
    ``hinges``: what is sent with counters and decides what they fill, each with the question for it, if one is asked.
    ``sheet``: how owners type more of its counters; None where they do not. ``closed_kind``: what a closed counter is
    to those who do not know it, one of the game's own kinds that is in no box; None where none is ever closed.
    ``hideable``: whether a side may keep from the others where its counters are. ``exclusive``: words of which a state
    holds one at most, set by set. ``unmarked``: what a counter without any state is, as a sentence says it.
    ``harms``: states, and fates besides eliminated, by which a story counts a counter as hurt, each in its words.
    ``places``: where counters can stand, None where any word is a place; ``printed``: the values of counters that the
    app does not know and owners give, each with what it is called.
    """

    states: Mapping[str, str] = {}
    levels: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    printed: Mapping[str, str] = {}
    hinges: Mapping[str, AskedValue | None] = {}
    sheet: ContentSheet | None = None
    closed_kind: GalleryKind | None = None
    hideable: bool = True
    exclusive: Sequence[Collection[str]] = ()
    unmarked: str = "in Good Order"
    harms: Mapping[str, str] = {}
    places: Places[Any] | None = None

    @property
    def kinds(self) -> Mapping[str, Mapping[str, GalleryKind]]:
        """The gallery, by side and key."""
        return {}

    def may_carry(self, kind: GameKind) -> frozenset[str]:
        """The words that the state of such a counter may hold: all of them."""
        return frozenset(self.states)

    def bound_levels(self, kind: GameKind) -> Mapping[str, LevelBounds]:
        """The numbers that such a counter has, each with its bounds and its start."""
        return {}

    def become(self, counter: CounterInPlay, kind: GameKind, word: str) -> CounterInPlay:
        """The counter after what a word says has happened to it: gone, in Good Order again, with a number set
        ("dots=2"), or with one state more. Raises BadInput for a state or number that it never has."""
        if level := read_set_level(word):
            return set_level(counter, self.bound_levels(kind), self.levels, *level)
        if word == ELIMINATED:
            return replace(counter, fate=CounterFate.ELIMINATED, state=())
        if word == GOOD_ORDER:
            return replace(counter, state=())
        if word not in self.may_carry(kind):
            raise BadInput({"becomes": f"{counter.name} cannot be {word}."})
        return counter if word in counter.state else replace(counter, state=(*counter.state, word))

    def tidy(self, before: Position, situation: TableState) -> tuple[CounterChange, ...]:
        """What the rules take off counters between a position and the one that the match has come to; the situation
        has the counters in play with their kinds, and the record as it is by then."""
        return ()

    def clears(self, before: Position, after: Position) -> bool:
        """Whether the rules take anything off counters between two positions, whatever stands there: then the side that
        hides some has a line under seal, so that nobody can tell whether it lost a marker."""
        return False

    def arrive(self, counter: CounterInPlay, kind: GameKind, situation: TableState) -> CounterInPlay:
        """A counter that a player has moved, as its new place makes it; ``situation``: as everybody knew it before, so
        that what becomes of it gives away nothing hidden."""
        return counter

    def question_move(self, counter: CounterInPlay, kind: GameKind) -> str:
        """What speaks against moving a counter as it is, as a clause that follows "is"; "" where nothing does."""
        return ""

    def widen(
        self, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]
    ) -> Sequence[str]:
        """The ids of all counters of both sides that a roll at these targets is about because of where they stand;
        nothing where it is about the chosen alone. ``everybody``: all that whoever rolls knows of."""
        return ()

    def fill(self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Values) -> Values:
        """What a helper's form is filled with besides its own CountersFields, where there is nothing to explain."""
        return {}

    def explain(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Values, /
    ) -> tuple[Values, Account]:
        """What a helper's form is filled with from counters, and how it comes about, for page and log; ``known``: all
        that was sent with them.

        Raises RuleError with every reason, in players' words; LackingValues for numbers without which nothing can be
        filled. The account asks for those that only some fields depend on.
        """
        return self.fill(charts, slug, firers, targets, known), NO_ACCOUNT

    def tell_value(self, kind: GameKind, name: str, value: int, /) -> GameKind:
        """A kind of counter with a value that its owner gave when it was asked for. Raises BadInput."""
        raise BadInput({"value": f"There is no {name}."})

    def find_value(self, kind: GameKind, name: str, /) -> int | None:
        """A value of a kind as it is known, 0 for one that the kind lacks; None where nobody knows it yet."""
        return None

    def describe_value(self, name: str) -> str:
        """A value of a kind of counter in words: "FF at 3 hexes"."""
        return self.printed.get(name, name)

    def list_choices(self, name: str) -> Mapping[int, str]:
        """What the numbers of a value stand for, where they are names: kinds of units; nothing where they count."""
        return {}

    def tell_strength(self, piece: Piece) -> int | None:
        """What a counter adds to an attack before its range is known; None where there is no number yet."""
        return None

    def arm(self, kind: GameKind) -> str:
        """The heading under which such counters are listed: "Leaders", "Squads".

        "" for markers, such as mines: they are not units, so nobody lists or counts them with those.
        """
        return "All"

    def describe(self, counter: CounterInPlay) -> str:
        """The state of a counter, in words: "Disrupted, reduced", "Good Order", "eliminated"."""
        words = [*(self.states[word] for word in counter.state), *describe_levels(counter.levels, self.levels)]
        return counter.fate or ", ".join(words) or "Good Order"

    def read_place(self, charts: Book, typed: str) -> tuple[str, str]:
        """A place as the map prints it, and a level: "k7/1" is K7, level 1, where there are levels. Raises BadInput."""
        try:
            return (str(self.places.parse(typed)) if self.places and typed else typed.strip(), "")
        except BadPlace as error:
            raise BadInput({"place": str(error)}) from None

    def list_places_around(self, charts: Book, place: str) -> Sequence[str]:
        """The places next to one, as the map prints them; nothing where the map does not have that place."""
        return ()


CLOSED, TURNED_UP = "closed", "turned_up"  # what may happen to any counter in a game with closed ones
UNKNOWN_PIECE = "What that is nobody here knows: turn it up first."


def befall(rules: CounterRules, counter: CounterInPlay, kind: GameKind, word: str) -> CounterInPlay:
    """The counter after one or several words in their order: gone elsewhere or turned up or down, which is the frame's
    business, or changed as its game says. Raises BadInput, also for what a game cannot say about a counter that is
    closed to whoever asks."""
    words, place = split_way(word)
    if place:
        counter = replace(counter, place=place, level="", area="")
    for single_word in words.split():
        counter = _apply_single(rules, counter, kind, single_word)
    return counter


def _apply_single(rules: CounterRules, counter: CounterInPlay, kind: GameKind, word: str) -> CounterInPlay:
    if rules.closed_kind and word in (CLOSED, TURNED_UP):
        return replace(counter, closed=word == CLOSED)
    if not counter.counter:
        raise BadInput({"becomes": UNKNOWN_PIECE})
    return rules.become(counter, kind, word)


def call_word(rules: CounterRules, word: str) -> str:
    """What happens to a counter, as players say it: "Shaken", "Dots 2, to K7"."""
    words, place = split_way(word)
    return ", ".join(
        [*(_call_one(rules, single_word) for single_word in words.split()), *([f"to {place}"] if place else [])]
    )


def _call_one(rules: CounterRules, word: str) -> str:
    name, number = read_set_level(word) or (word, None)
    return rules.words.get(word, word) if number is None else f"{rules.levels.get(name, name)} {number}"


@dataclass(frozen=True, slots=True)
class Gallery:
    """What draws the counters of a game's box.

    ``draw`` takes one, its side and its state, and raises BadInput if such a counter is never in that state;
    ``describe`` is the same in words.
    """

    draw: Callable[[Any, str, Iterable[str]], Drawing]
    describe: Callable[[Any, str, Iterable[str]], str]
    paints: Mapping[str, Paint]
