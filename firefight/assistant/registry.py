"""The helper registry, and the one pipeline that every helper runs through.

A helper is a form, a pure rule function and the dice it may ask for. Its rule takes the form's
cleaned values and the faces of the dice by name, so that nothing stands between them.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from firefight.columns import Rolled
from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import SIDE, Account, AskedValue, CounterChange, CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Problem
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.course.alternating import NoCourse
from firefight.engine.course.beginning import Mode, Option
from firefight.engine.course.course import Course, Position
from firefight.engine.course.joint import Declared, JointPlace, JointSheet
from firefight.engine.course.keeping import (
    BoardItem,
    Chance,
    ChangedCounter,
    DueAtStep,
    Forestalled,
    Housekeeping,
    ReadyRow,
    RowCard,
    TableState,
)
from firefight.engine.errors import BlankCells, RuleError
from firefight.engine.record import Record, RecordChange
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.rolls.odds import Odds, sweep, weigh
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.rolls.telling import Clause, RollFacts

from .fields import NAMED, HelperForm

OBSERVER = "observer"  # the bench of who looks on
MODE = "mode"  # the option that says which sides have a player
ASKED_FIRST = "ask"
APPLYING = Option(
    "apply", "What rolls make of counters", {"at_once": "written down at once", ASKED_FIRST: "asked first"}
)
Inputs = Mapping[str, Any]
Dice = tuple[DieSpec, ...] | Callable[[Inputs], tuple[DieSpec, ...]]
OddsOf = Callable[[Book, Inputs], Iterable[Odds]]


@dataclass(frozen=True, slots=True)
class Typical:
    """A common roll that shows what a chart does: a helper's slug, what it is in words, and its plain inputs.

    ``at`` gives the inputs that lead to a column of a grid, ``column`` the usual one; the words then say {} for it.
    """

    helper: str
    words: str
    inputs: Mapping[str, Any]
    at: Callable[[str], Mapping[str, Any]] | None = None
    column: str = ""


@dataclass(frozen=True, slots=True)
class FirstRoll:
    """A roll to try at once, filled in: on the first page, for somebody who has never seen one.

    ``counters``: those that it is about, a side and a key of the gallery each, drawn beside it.
    """

    helper: str
    words: str
    inputs: Mapping[str, str | tuple[str, ...]]
    counters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """A way to fill a form: in words, and as plain values of some of its fields."""

    words: str
    values: Mapping[str, str]

    @property
    def sent(self) -> str:
        """The values as a page sends them."""
        return json.dumps(self.values, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class PageWords:
    """What the frame's own pages call things in a game: words and examples of its players, no rules.

    ``match``: what a match is. ``example``: a name that one could have. ``opening``: how to begin, where nothing is
    due. ``gist``: what is rolled in it, in a line. ``ahead``: above the inputs of the rolls ahead. ``sealed``:
    examples of what a side writes down in secret. ``cards``, ``lines``: what the record's rows beside the desk are.
    ``place``: where a card can aim, and of what the log is asked. ``area``: what counters stand in that stand
    nowhere in particular. ``counters``: some as players write them in a list.
    """

    match: str = "match"
    example: str = "Friday evening"
    opening: str = "Choose a roll below."
    ahead: str = "For the rolls ahead: filled once, carried to the last one"
    sealed: str = ""
    gist: str = ""
    cards: str = "What is kept"
    lines: str = "What is noted"
    place: str = "place"
    area: str = "area"
    counters: str = ""


@dataclass(frozen=True, slots=True)
class BarItem:
    """An item of the bar below the table: its title, the key that opens it, and its rolls by slug.

    ``aims``: which of them counters do to others, so that the page asks at whom. ``sums``: in what the strength of who
    is chosen for it adds up; "" where they are only counted.
    """

    title: str
    key: str = ""
    helpers: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    sums: str = ""


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
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """What a helper's form is filled with from counters; ``known``: all that was sent with them.

        Raises RuleError with every reason, in players' words; LackingValues for numbers that have to be asked first.
        """

    def explain(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], Account]:
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


class RecordRules(Protocol):
    """What a game makes of its record at the table; all of it is pure.

    ``about``: the names by which a roll says what of the record it is about, such as a mission; ``carded``: those of
    them that stand for a card, which fills all that a roll asks. ``filled``: the rolls whose forms the record fills;
    ``writers``: those that write something down; ``checked``: those that the record may bar whatever they are about.
    ``hinges``: by roll, the field on which
    others hang that the record fills, and these: whoever changes the one gets the others anew. ``decided``: by roll,
    the fields that the record fills when it is due, whatever an earlier roll has handed on for them. ``struck``: the
    rolls that are about whoever stands somewhere, so that these rules ask of what kind all counters are. ``presumed``:
    the rolls that are about a row even if nothing says so. ``additions``: by field, what the form for a new row is
    called, and which of its parts it asks for. ``cards``, ``lines``: the fields whose rows stand beside the desk, as
    cards or a line each. ``pips``: the field, a list of ids, that says which counters carry a pip for what they have
    done, one for each time they stand in it; ``pip_words``: what one, two and more of them are called. ``beside``: the
    fields that stand on no card and on no page of the record. ``chance_steps``: those in which counters may try
    something.
    """

    @property
    def pips(self) -> str: ...

    @property
    def pip_words(self) -> tuple[str, ...]: ...

    @property
    def beside(self) -> frozenset[str]: ...

    @property
    def chance_steps(self) -> frozenset[str]: ...

    def list_chances(self, situation: TableState) -> Sequence[Chance]:
        """What counters may try now, as far as the situation goes."""

    @property
    def cards(self) -> tuple[str, ...]: ...

    @property
    def lines(self) -> tuple[str, ...]: ...

    @property
    def about(self) -> tuple[str, ...]: ...

    @property
    def filled(self) -> frozenset[str]: ...

    @property
    def writers(self) -> frozenset[str]: ...

    @property
    def checked(self) -> frozenset[str]: ...

    @property
    def hinges(self) -> Mapping[str, tuple[str, tuple[str, ...]]]: ...

    @property
    def carded(self) -> tuple[str, ...]: ...

    @property
    def decided(self) -> Mapping[str, tuple[str, ...]]: ...

    @property
    def struck(self) -> frozenset[str]: ...

    @property
    def presumed(self) -> frozenset[str]: ...

    @property
    def additions(self) -> Mapping[str, tuple[str, tuple[str, ...]]]: ...

    def fill(self, slug: str, about: Mapping[str, Any], situation: TableState) -> Mapping[str, Any]:
        """What a helper's form is filled with; ``about`` has what was given for it before, too."""

    def check(self, slug: str, inputs: Mapping[str, Any], situation: TableState) -> None:
        """Raise BadInput with every reason why such a roll cannot be made now."""

    def note(
        self, slug: str, inputs: Mapping[str, Any], result: Result, situation: TableState
    ) -> tuple[RecordChange, ...]:
        """What a roll writes down, besides what its own rule says."""

    def forestall(self, slug: str, inputs: Mapping[str, Any], situation: TableState) -> Forestalled | None:
        """What others may do before such a roll is made; it is offered to them first. None where there is nothing."""

    def ask_owners(
        self, slug: str, inputs: Mapping[str, Any], result: Result, situation: TableState
    ) -> Sequence[DueAtStep]:
        """What a roll asks for of counters that their owners alone know of, besides what its result says."""

    def find_idle(
        self, slug: str, inputs: Mapping[str, Any], asked: Sequence[FollowUp], situation: TableState
    ) -> Sequence[int]:
        """The places of those rolls that a roll has asked for and that would be about nobody."""

    def follow(self, changed: Sequence[ChangedCounter], situation: TableState) -> Sequence[DueAtStep]:
        """What is due since an act has changed these counters: moved them, taken them out of play."""

    def find_row(self, kind: Any, number: int) -> tuple[str, Mapping[str, Any]] | None:
        """The field and the parts of the row that so many counters of a kind are in a match; None for counters."""

    def narrow(self, slug: str, about: Mapping[str, Any], situation: TableState) -> Mapping[str, Mapping[str, str]]:
        """The fields of a roll that are asked first, with the values that are left to choose, each with its words;
        none where all are. Where "" is among them, nobody has to choose. ``about``: all that its form says."""

    def find_flaws(self, field: str, row: Mapping[str, Any], situation: TableState) -> Sequence[str]:
        """Why a row that a hand sets cannot be so, though each of its parts fits, in sentences."""

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What is done between a position and the one that the match has come to, and what is due there."""

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """The rows of a field as players look at them."""

    def list_ready_rows(self, field: str, side: str) -> Sequence[ReadyRow]:
        """The rows of a field that a side adds with one tap each."""

    def preset_row(self, field: str, side: str) -> Mapping[str, str]:
        """What the form for a side's new row is filled with: parts as a form sends them."""

    def make_row(
        self, field: str, side: str, parts: Mapping[str, Any], ids: Sequence[str]
    ) -> tuple[str, Mapping[str, Any]]:
        """The id of a new row of a side, and its parts. Raises BadInput."""


class JointRules(Protocol):
    """Rolls that all sides make together, once each has declared its part at a place of the table; all of it is pure.

    ``sides``: those for which whoever asks may declare. ``sent``: the fields of the sheet. ``pieces``: all in play.
    """

    @property
    def title(self) -> str: ...

    def is_time(self, position: Position) -> bool:
        """Whether it is offered now."""

    def passes(self, before: Position, after: Position | None) -> bool:
        """Whether its time is over, or passed by, as a match goes from one position to another; None for its end."""

    def find(self, situation: TableState, pieces: Sequence[Piece]) -> Sequence[JointPlace]:
        """The places where somebody has still to declare."""

    def lay_out(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Mapping[str, str]
    ) -> JointSheet:
        """The sheet of a place. Raises BadInput; LackingValues for numbers that have to be asked first."""

    def declare(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Mapping[str, str]
    ) -> Declared:
        """What these sides declare. Raises BadInput with every reason why they cannot."""

    def wait(self, situation: TableState, pieces: Sequence[Piece], place: str, side: str) -> Declared:
        """A side has the other one declare first. Raises BadInput."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """The counters of a game's box: their file, and what reads and draws them.

    ``read`` gives them by side and key, with every problem. ``draw`` takes one, its side and its state, and raises
    BadInput if such a counter is never in that state; ``describe`` is the same in words.
    """

    file: str
    read: Callable[[Any], tuple[Mapping[Any, Mapping[str, Any]], list[Problem]]]
    draw: Callable[[Any, str, Iterable[str]], Drawing]
    describe: Callable[[Any, str, Iterable[str]], str]
    paints: Mapping[str, Paint]


# Whether a roll with these inputs may have a title, as the match stood, if anybody knows; None where that does
# not tell.
TitleRule = Callable[[str, Inputs, TableState | None], bool | None]


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the assistant knows: its sides in their order, the course of its turn, its charts and its reminders.

    ``record``: what a match of it keeps besides its log. ``modes``: the ways to play it, if not every side has a
    player. ``options``: what is agreed as a match begins. ``reference``: its file of reminders and facts, "" without
    one; ``lessons``: its file of examples with hints, ``glossary``: of words that are explained, likewise. ``typical``:
    by chart, the roll whose odds are shown beside it while somebody types it in. ``gallery``: what is in its box,
    ``counters``: what becomes of it in play; None for a game whose pieces the frame knows nothing of. ``keeping``: what
    it makes of its record at the table, None where only its rolls do. ``joint``: what its sides roll together once each
    has declared its part, None where there is nothing like it. ``titles``: by roll, whether a title that ``course``,
    ``keeping`` and ``joint`` give it where they ask for it is that of a roll with such inputs: no line of a log tells
    that, and whoever checks one must know it. ``leading``: the helpers that lists show large, the most used first;
    ``leading_charts``: those that the book's page shows first; ``first``: a roll to try at once. ``low_is_lucky``: the
    rolls by slug of which whoever makes them hopes for a low one. ``board``: what stands in a strip beside the desk,
    for a game of whose counters the frame knows nothing; None for no strip. ``tell_roll``: what a roll adds to the
    sentence of an act and all that followed from it; None where its own sentence says it well enough. ``count_lost``:
    how many units the words of odds say are lost, for a game of whose counters the frame knows nothing.
    """

    slug: str
    title: str
    sides: Mapping[str, str]
    chart_specs: tuple[ChartSpec, ...]
    house_book: str
    course: Course = field(default_factory=NoCourse)
    record: Record = Record()
    modes: tuple[Mode, ...] = ()
    options: tuple[Option, ...] = ()
    reference: str = ""
    glossary: str = ""
    lessons: str = ""
    typical: Mapping[str, Typical] = field(default_factory=dict)
    words: PageWords = PageWords()
    keeping: RecordRules | None = None
    joint: JointRules | None = None
    gallery: Gallery | None = None
    counters: CounterRules | None = None
    bar: tuple[BarItem, ...] = ()
    titles: Mapping[str, TitleRule] = field(default_factory=dict)
    leading: tuple[str, ...] = ()
    leading_charts: tuple[str, ...] = ()
    first: FirstRoll | None = None
    low_is_lucky: frozenset[str] = frozenset()
    board: Callable[[TableState], Sequence[BoardItem]] | None = None
    tell_roll: Callable[[RollFacts], Clause] | None = None
    count_lost: Callable[[str], int] | None = None

    def __post_init__(self) -> None:
        if odd := [side for side in self.sides if not re.fullmatch(SIDE, side, re.ASCII)]:
            raise ValueError(f"{self.slug}: a side is called by letters, digits and _ (red, army_2), not {odd}.")

    def find_mode(self, options: Mapping[str, str]) -> Mode:
        """The mode among a match's options; the first one, or every side with a player, where none is named."""
        ways = self.modes or (Mode("all", "Every side has a player", tuple(self.sides)),)
        return next((mode for mode in ways if mode.slug == options.get(MODE)), ways[0])

    def find_seats(self, options: Mapping[str, str]) -> dict[str, str]:
        """The sides that have a player, with their names, in their order."""
        return {side: self.sides[side] for side in self.find_mode(options).seats}

    def find_course(self, options: Mapping[str, str]) -> Course:
        """The course of a match: its mode's own, or the game's."""
        return (self.find_mode(options).course if self.modes else None) or self.course

    @property
    def has_board(self) -> bool:
        """Whether the app knows what stands and lies on its board: counters, rows of its record, or what is beside."""
        return self.counters is not None or self.keeping is not None or self.board is not None

    @property
    def changing_options(self) -> tuple[Option, ...]:
        """What players may choose anew as they play: whether rolls write down what becomes of counters."""
        return (APPLYING,) if self.counters else ()

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Everything that is agreed as a match begins, the mode first."""
        modes = {mode.slug: mode.title for mode in self.modes}
        return (*((Option(MODE, "Who plays", modes),) if modes else ()), *self.options)

    def describe_options(self, options: Mapping[str, str]) -> list[str]:
        """What was agreed for a match, in words: "Scenario: Dawn"."""
        known = ((option, options.get(option.slug)) for option in self.all_options)
        return [
            f"{option.title}: {option.choices[value]}" for option, value in known if value and value in option.choices
        ]

    def name_of(self, side: str) -> str:
        """A side's name; "Observers" for their bench, "" for nobody's."""
        return self.sides.get(side, "Observers" if side == OBSERVER else side)

    def rank_of(self, side: str) -> int:
        """A side's place among the sides, from 1, by which it is coloured; 0 for nobody's."""
        return list(self.sides).index(side) + 1 if side in self.sides else 0


@dataclass(frozen=True, slots=True, eq=False)
class Helper:
    """One resolvable roll of a game, which equals only itself.

    ``odds`` replaces the sweep where a rule has a better count. ``is_read``: its dice are read off charts, so that a
    face may need a blank cell. ``dice_words``: which dice it asks for, where that depends on the inputs. ``beyond``:
    lists that matter only to what follows the roll itself.
    ``steps``: of the course, in which it is offered first. ``together``: several that are due stand on one card, with
    one throw each. ``meanings``: its outcomes that are codes, in words. ``brief``: outcomes, or labels of them, in the
    word or two for which a line of odds has room, the gravest first; those with the same words are added up.
    ``simultaneous``: those that are due are about things as they stood when all were asked for, also about counters
    that are gone since. ``offers``: ways to fill what is left blank, of which each is one press; it is asked with the
    inputs as they stand. ``spare_dice``: those that may be given although the inputs do not ask for them. ``settles``:
    whether it settles itself where no die decides, since there is nothing that players have to say first.
    ``decided_by``: the input that says whose decision it is, if it is one: when it is due, that side alone makes it.
    ``read_by``: the input with the counters whose side reads it when it is due. ``verb``: what its button says.
    ``suggests``: it is looked up, so that what may follow is offered at once and never due. ``outcomes``: an Outcome
    with all of its members, or their words.
    """

    game: str
    slug: str
    title: str
    group: str
    purpose: str
    rules: tuple[str, ...]
    form: type[HelperForm]
    rule: Callable[..., Result]
    outcomes: Collection[str] | type[Outcome]
    dice: Dice = ()
    odds: OddsOf | None = None
    is_read: bool = True
    dice_words: str = ""
    beyond: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    together: bool = False
    simultaneous: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    brief: Mapping[str, str] = field(default_factory=dict)
    offers: Callable[[Book, Inputs], Sequence["ReadyAnswer"]] | None = None
    spare_dice: tuple[str, ...] = ()
    settles: bool = True
    decided_by: str = ""
    read_by: str = ""
    verb: str = "Resolve"
    suggests: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", tuple(map(str, self.outcomes)))

    def find_decider(self, inputs: Inputs) -> str:
        """The side whose decision a due roll with these inputs is; "" where anybody may make it."""
        return str(inputs.get(self.decided_by, "")) if self.decided_by else ""

    def specs(self, inputs: Inputs) -> tuple[DieSpec, ...]:
        """The dice that a roll with these inputs may ask for."""
        return self.dice(inputs) if callable(self.dice) else self.dice

    def resolve(self, book: Book, inputs: Inputs, dice: Mapping[str, Face]) -> Result:
        """Run the rule. The result is settled when it needs no further die."""
        return self.rule(charts=book, **inputs, **dice)

    def open(self, book: Book, inputs: Inputs) -> Result:
        """What a roll comes to before any die has fallen: mostly which dice it asks for.

        Remembered, since a page that shows a form, its live odds and the roll that it is sent for all ask the same.
        """
        return _opened(self, book, frozenset(inputs.items()))

    def all_odds(self, book: Book, inputs: Inputs) -> tuple[Odds, ...]:
        """The exact distribution of the roll, and of what may follow where the helper counts it.

        Remembered, since the same question comes back with every page that shows the form.
        """
        return _counted(self, book, frozenset(inputs.items()))

    def table_odds(self, book: Book, inputs: Inputs) -> Odds:
        """The exact distribution of the roll alone, not remembered: for a book that is still being typed."""
        alone = {**inputs, **dict.fromkeys(self.beyond, ())}
        counted = next(iter(self.odds(book, alone)), None) if self.odds else None
        return counted or sweep(lambda dice: self.resolve(book, alone, dice), self.specs(alone))


@lru_cache(maxsize=1000)
def _opened(helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]) -> Result:
    return helper.resolve(book, dict(cleaned), {})


@lru_cache(maxsize=1000)
def _counted(helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]) -> tuple[Odds, ...]:
    inputs = dict(cleaned)
    if helper.odds:
        return tuple(helper.odds(book, inputs))
    return (sweep(lambda dice: helper.resolve(book, inputs, dice), helper.specs(inputs)),)


def check_reach(helper: Helper, book: Book, inputs: Inputs) -> None:
    """Raise BlankCells if some face of some die would end without a result, whatever the others show.

    To be asked before the app draws a number: a refusal afterwards would tell what the number was. Raises, too, what
    the rule has against the inputs alone.
    """
    helper.open(book, inputs)
    reasons = dict(_ends(helper, book, frozenset(inputs.items()))) if helper.is_read else {}
    if reasons:
        raise BlankCells(reasons, dict.fromkeys(blank for blanks in reasons.values() for blank in blanks))


@lru_cache(maxsize=1000)
def _ends(
    helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Why rolls with these inputs may end without a result, each with the blank cells that it is for, by running the
    rule over every face. Remembered."""
    inputs = dict(cleaned)
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    reasons: dict[str, tuple[tuple[str, str], ...]] = {}
    swept = set()

    def run(dice: dict[str, Face]) -> None:
        try:
            result = helper.resolve(book, inputs, dice)
        except RuleError as error:
            reasons[str(error)] = getattr(error, "blanks", ())
            return
        # A die that is asked for a second time has shown a face that is rolled again.
        if not result.needs or result.needs[0] in swept or result.needs[0] in dice:
            return
        spec = specs[result.needs[0]]
        if spec.apart:
            swept.add(spec.name)
        for face, _ in weigh(spec):
            run({**dice, spec.name: face})

    run({})
    return tuple(reasons.items())


def as_rolled(spec: DieSpec, face: int, source: str, number: int | None = None, dice: int = 1) -> Rolled:
    """A die of a throw as it fell."""
    return Rolled(spec.name, spec.label, spec.sides, face, source, number, dice=dice, is_card=bool(spec.names))


# All dice of a throw, in their order; None where there are none to give.
Thrower = Callable[[DieSpec], tuple[Rolled, ...] | None]


def play_helper(helper: Helper, book: Book, inputs: Inputs, throw: Thrower) -> tuple[Result, list[Rolled]]:
    """Run a helper, asking ``throw`` for each throw as the rule calls for it, and first for those that it may use.

    When ``throw`` has no dice to give, the unsettled result comes back and says what is missing.
    """
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    dice: dict[str, Face] = {}
    rolled: list[Rolled] = []

    def ask(spec: DieSpec) -> bool:
        fell = throw(spec)
        if fell is not None:
            dice[spec.name] = add_up(spec, fell)
            rolled.extend(fell)
        return fell is not None

    for spec in specs.values():
        if spec.is_optional:
            ask(spec)
    result = helper.resolve(book, inputs, dice) if dice else helper.open(book, inputs)
    while result.needs:
        for name in result.needs:
            if not ask(specs[name]):
                return result, rolled
        result = helper.resolve(book, inputs, dice)
    return result, rolled


def settle_helper(helper: Helper, book: Book, form: HelperForm) -> Result | None:
    """What a filled form comes to where no die decides it; None where one does, or where something is still asked."""
    if not (helper.settles and form.is_valid()) or any(spec.is_optional for spec in helper.specs(form.inputs())):
        return None
    try:
        result = helper.open(book, form.inputs())
    except RuleError:
        return None
    return None if result.needs else result


def add_up(spec: DieSpec, fell: Iterable[Rolled]) -> Face:
    """What the dice of a throw come to for the rule."""
    faces = tuple(die.face for die in fell)
    return faces if spec.is_pool else sum(faces)


def from_table(faces: Mapping[str, Face]) -> Thrower:
    """Throws that were made on the table; each is used once."""
    left = dict(faces)

    def throw(spec: DieSpec) -> tuple[Rolled, ...] | None:
        face = left.pop(spec.name, () if spec.is_pool and not spec.number and not spec.is_optional else None)
        if isinstance(face, tuple):
            return tuple(as_rolled(spec, each, "table") for each in face)
        return None if face is None else (as_rolled(spec, face, "table", dice=spec.number),)

    return throw


def one_by_one(draw: Callable[[DieSpec], Rolled]) -> Thrower:
    """Throws of the app, die by die."""
    return lambda spec: tuple(draw(spec) for _ in range(spec.number))


@cache
def games() -> dict[str, Game]:
    """All games by slug, in the order of the settings."""
    found = (import_string(f"{room}.game.GAME") for room in settings.ASSIST_GAMES)
    return {game.slug: game for game in found}


@cache
def helpers(game: str) -> dict[str, Helper]:
    """A game's helpers by slug; several rooms may contribute to one game."""
    lists = [*(f"{room}.helpers.HELPERS" for room in settings.ASSIST_GAMES), *settings.ASSIST_HELPERS]
    offered = [helper for path in lists for helper in import_string(path) if helper.game == game]
    for helper in offered:
        _check_names(helper)
    return {helper.slug: helper for helper in offered}


def _check_names(helper: Helper) -> None:
    """Raise ValueError where a form calls a field as the frame calls something that is sent with every roll.

    It would read the one for the other: a field called "targets" would hide which counters a roll is about, and nobody
    would ask whether they can be named.
    """
    taken = FRAME_NAMES | (frozenset(NAMED) if games()[helper.game].counters else frozenset())
    if odd := sorted(taken & helper.form.base_fields.keys()):
        raise ValueError(f"{helper.game}, {helper.slug}: the frame sends something of its own called {odd}.")


# What goes with a roll besides its inputs and its dice; in games with counters NAMED, too.
FRAME_NAMES = frozenset(
    (
        *("act", "as", "version", "after", "dice", "more", "offer", "step", "corrects", "chained", "carry", "filled"),
        *("account", "asked", "chosen", "shows", "way"),
    )
)


@cache
def group_helpers(game: str, step: str = "") -> dict[str, list[Helper]]:
    """A game's helpers under their group headings, in the order they are offered; those of a ``step`` come first."""
    groups: dict[str, list[Helper]] = {}
    for found in sorted(helpers(game).values(), key=lambda found: step not in found.steps):
        groups.setdefault(found.group, []).append(found)
    return groups
