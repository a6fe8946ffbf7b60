"""What a game says about itself: its sides, its course, its charts, its words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from firefight.engine.board.counters import SIDE, Piece
from firefight.engine.board.pools import find_pool, write_pool
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.course.alternating import NoCourse
from firefight.engine.course.beginning import Mode, Option
from firefight.engine.course.course import Course, Position
from firefight.engine.course.keeping import BoardItem, RecordRules, TableState
from firefight.engine.record import Record
from firefight.engine.rolls.telling import Clause, RollFacts
from firefight.engine.text import fold
from firefight.engine.values import Values
from firefight.kit.board import BoardRules
from firefight.kit.conductor import Conductor
from firefight.kit.content import ContentRules
from firefight.kit.counters import CounterRules, Gallery
from firefight.kit.guide import Guide
from firefight.kit.helper import Inputs
from firefight.kit.joint import JointRules
from firefight.kit.sheets import ContentSheet

OBSERVER = "observer"  # the bench of those who look on
MODE = "mode"  # the option that says which sides have a player
ASKED_FIRST = "ask"
APPLYING = Option(
    "apply", "What rolls make of counters", {"at_once": "written down at once", ASKED_FIRST: "asked first"}
)


@dataclass(frozen=True, slots=True)
class Typical:
    """A common roll that shows what a chart does: a helper's slug, what it is in words, and its plain inputs.

    ``at`` gives the inputs that lead to a column of a grid, ``column`` the usual one; the words then say {} for it.
    """

    helper: str
    words: str
    inputs: Values
    at: Callable[[str], Values] | None = None
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
class PageWords:
    """What the frame's own pages call things in a game: words and examples of its players, no rules.

    ``match``: what a match is. ``example``: a name for one. ``opening``: how to begin, where nothing is
    due. ``gist``: what is rolled in it, in a line. ``ahead``: above the inputs of the rolls ahead. ``sealed``:
    examples of what a side writes down in secret. ``cards``, ``lines``: what the record's rows beside the desk are.
    ``place``: where a card can aim, and what the log is searched by; ``places``: how one is typed, as "K7 or K7/1".
    ``area``: where counters are that stand nowhere in particular. ``attack``: what counters do to others, as a verb.
    ``part``: a stretch of a match that its story tells apart. ``pools``: those of pieces that are drawn blind, by name,
    as a sentence has them: "the reserve". ``counters``: some as players write them in a list.
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
    places: str = ""
    part: str = "part"
    attack: str = "attack"
    area: str = "area"
    counters: str = ""
    pools: Mapping[str, str] = field(default_factory=dict, hash=False)

    def call_place(self, place: str) -> str:
        """A place of counters as players say it."""
        return self.pools.get(find_pool(place), place)

    def read_pool(self, typed: str) -> str:
        """The pool that somebody means, as a place; "" for none.

        >>> PageWords(pools={"reserve": "the reserve"}).read_pool("Reserve")
        'pool:reserve'
        """
        folded = fold(typed)
        pools = (name for name, words in self.pools.items() if folded in map(fold, (name, words, write_pool(name))))
        return next(map(write_pool, pools), "")


@dataclass(frozen=True, slots=True)
class BarItem:
    """An item of the bar below the table: its title, the key that opens it, and its rolls by slug.

    ``aims``: those of them that counters do to others, so that the page asks for targets. ``sums``: what the
    strength of the chosen counters adds up in, such as FF; "" where they are only counted.
    """

    title: str
    key: str = ""
    helpers: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    sums: str = ""


@dataclass(frozen=True, slots=True)
class Length:
    """How long the log of a match may become: its lines, and about how many bytes they weigh."""

    lines: int
    weight: int


# The longest campaign of Combat!, four firefights of eight turns with forty rolls each, comes to 1,500 lines and 2 MB.
# A match of weeks, 67 days with some 180 lines each, comes to 12,000 lines and 11 MB. No game may ask for more than
# these 16,000: writing that many at once keeps others who write waiting for most of a second.
USUAL, OF_WEEKS = Length(10_000, 4_200_000), Length(16_000, 14_000_000)

# Whether a roll with these inputs may have a title, as the match stood, if anybody knows; None where that cannot be
# told.
TitleRule = Callable[[str, Inputs, TableState | None], bool | None]


CourseRule = Callable[[Mapping[str, str]], Course]


@lru_cache(maxsize=200)
def _choose_course(courses: CourseRule, options: tuple[tuple[str, str], ...]) -> Course:
    """The course that a game's rule gives for options, chosen once: every answer of a match asks for it."""
    return courses(dict(options))


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the assistant knows: its sides in their order, the course of its turn, its charts and its reminders.

    Its plain data lies beside it in ``data/`` and is found there: ``chartbook.toml`` with the shipped values of
    its charts, ``counters.toml`` for its gallery, ``reference.toml`` with reminders and facts, ``glossary.toml`` with
    words that are explained, ``lessons.toml`` with examples and hints. Each may be missing.

    ``courses``: the course of a match by what was agreed as it began, for a game whose scenarios begin and end on days
    of their own; None where all have ``course``.
    ``chart_specs``: its charts. ``record``: what a match of it keeps besides its log. ``modes``: the ways to play it,
    if not every side has a player. ``options``: what is agreed as a match begins. ``typical``: by chart, the roll
    whose odds are shown beside it while somebody types it in. ``gallery``: what is in its box,
    ``counters``: what becomes of it in play; without kinds for a game whose pieces the frame knows nothing of.
    ``keeping``: what it makes of its record at the table. ``joint``: what its sides roll together once each has
    declared its part, None where there is nothing like it. ``titles``: by roll, whether a title that ``course``,
    ``keeping`` and ``joint`` give it where they ask for it is that of a roll with such inputs: no line of a log says
    so, and whoever checks one must know it. ``leading``: the helpers that lists show large, the most used first;
    ``leading_charts``: those that the book's page shows first; ``first``: a roll to try at once. ``tell_turn``: what
    the present turn is about, in sentences, behind a tap on its name; ``looked_up``: the helpers that are a tap further
    there. ``low_is_lucky``: the slugs of the rolls for which a low result is hoped for. ``strip``: what stands in a
    strip beside the desk, for a game whose counters the frame knows nothing about; None for no strip. ``board``: what
    is drawn and tapped; ``board_apart``: on a page of its own. ``list_targets``: the places that counters may certainly
    attack, as far as the rules see it; None where no place is lit. ``tell_roll``: what a roll adds to the sentence
    of an act and all that followed from it; None where its own sentence says it well enough. ``count_lost``: how many
    units are lost by the words of odds, for a game whose counters the frame knows nothing of. ``draws``: the names of
    throws that pick blindly among things, or turn a block: a report counts them among no dice. ``guide``: what leads a
    side through its part of a turn, if its player asks for it. ``longest``: how long a match may become. ``content``:
    which sheets of what is printed owners may paste before a match is played, None where nobody has to.
    """

    slug: str
    title: str
    sides: Mapping[str, str]
    chart_specs: tuple[ChartSpec, ...] = ()
    course: Course = field(default_factory=NoCourse)
    courses: CourseRule | None = None
    record: Record = Record()
    modes: tuple[Mode, ...] = ()
    options: tuple[Option, ...] = ()
    typical: Mapping[str, Typical] = field(default_factory=dict)
    words: PageWords = PageWords()
    keeping: RecordRules = RecordRules()
    joint: JointRules | None = None
    conductor: Conductor | None = None
    guide: Guide | None = None
    content: ContentRules | None = None
    gallery: Gallery | None = None
    counters: CounterRules = CounterRules()
    bar: tuple[BarItem, ...] = ()
    titles: Mapping[str, TitleRule] = field(default_factory=dict)
    leading: tuple[str, ...] = ()
    leading_charts: tuple[str, ...] = ()
    first: FirstRoll | None = None
    tell_turn: Callable[[Position], Sequence[str]] | None = None
    looked_up: tuple[str, ...] = ()
    low_is_lucky: frozenset[str] = frozenset()
    strip: Callable[[TableState], Sequence[BoardItem]] | None = None
    board: BoardRules | None = None
    board_apart: bool = False
    list_targets: Callable[[TableState, Sequence[Piece]], Sequence[str]] | None = None
    tell_roll: Callable[[RollFacts], Clause] | None = None
    count_lost: Callable[[str], int] | None = None
    draws: frozenset[str] = frozenset()
    longest: Length = USUAL

    def __post_init__(self) -> None:
        if odd := [side for side in self.sides if not re.fullmatch(SIDE, side, re.ASCII)]:
            raise ValueError(f"{self.slug}: a side is called by letters, digits and _ (red, army_2), not {odd}.")

    def find_mode(self, options: Mapping[str, str]) -> Mode:
        """The mode among a match's options; the first one, or every side with a player, where none is named."""
        ways = self.modes or (Mode("all", "Every side has a player", tuple(self.sides)),)
        return next((mode for mode in ways if mode.slug == options.get(MODE)), ways[0])

    @property
    def played_sides(self) -> dict[str, str]:
        """The sides that have a player in some mode, with their names, in their order."""
        seated = {side for mode in self.modes for side in mode.seats} or self.sides.keys()
        return {side: name for side, name in self.sides.items() if side in seated}

    def find_seats(self, options: Mapping[str, str]) -> dict[str, str]:
        """The sides that have a player, with their names, in their order."""
        return {side: self.sides[side] for side in self.find_mode(options).seats}

    def find_unplayed(self, options: Mapping[str, str], sees: Iterable[str]) -> set[str]:
        """The sides that nobody plays and whose secrets a file of these sides must hold for the match to go on.

        Where the app plays no side, but keeps something between opponents, there are none unless all of them save it:
        otherwise a player could open a file, take the other seat there, and look.
        """
        mode, seats = self.find_mode(options), {*self.find_seats(options)}
        if not sees or (not mode.app_sides and not seats <= {*sees}):
            return set()
        return {*self.sides} - seats

    def find_course(self, options: Mapping[str, str]) -> Course:
        """The course of a match: its mode's own, or that of what was agreed, or the game's."""
        of_mode = self.find_mode(options).course if self.modes else None
        if of_mode or self.courses is None:
            return of_mode or self.course
        return _choose_course(self.courses, tuple(options.items()))

    def find_seated(self, options: Mapping[str, str], sides: Iterable[str]) -> tuple[str, ...]:
        """Those who are waited for where these sides have to act: for one that the app plays, everybody with a seat."""
        mode, sides_named = self.find_mode(options), dict.fromkeys(sides)
        by_app = [side for side in sides_named if side in mode.app_sides]
        return tuple(
            dict.fromkeys(side for side in (*sides_named, *(mode.seats if by_app else ())) if side not in by_app)
        )

    @property
    def sheets(self) -> tuple[ContentSheet, ...]:
        """All that owners may type off their box besides charts: units first, then what is printed on the board."""
        units = (self.counters.sheet,) if self.counters.sheet else ()
        return (*units, *(self.content.sheets if self.content else ()))

    @property
    def has_counters(self) -> bool:
        """Whether the frame knows its pieces."""
        return bool(self.counters.kinds)

    @property
    def has_board(self) -> bool:
        """Whether the app knows what lies on its board: counters, rows of its record, or what is beside it."""
        return bool(self.has_counters or self.keeping.cards or self.keeping.lines or self.strip)

    @property
    def changing_options(self) -> tuple[Option, ...]:
        """What players may change as they play: whether rolls write down what becomes of counters."""
        return (APPLYING,) if self.has_counters else ()

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Everything that is agreed as a match begins, the mode first."""
        modes = {mode.slug: mode.title for mode in self.modes}
        return (*((Option(MODE, "Who plays", modes),) if modes else ()), *self.options)

    def describe_options(self, options: Mapping[str, str], all_readings: bool = True) -> list[str]:
        """What was agreed for a match, in words: "Scenario: Dawn". Without ``all_readings``, what hardly ever varies is
        listed only where it does."""
        agreed = [option for option in self.all_options if option.holds(options)]
        if not all_readings:
            agreed = [option for option in agreed if not option.seldom or options.get(option.slug) != option.usual]
        values = ((option, options.get(option.slug)) for option in agreed)
        return [
            f"{option.title}: {option.choices[value]}" for option, value in values if value and value in option.choices
        ]

    def name_of(self, side: str) -> str:
        """A side's name; "Observers" for their bench, "" for nobody's."""
        return self.sides.get(side, "Observers" if side == OBSERVER else side)

    def call_side(self, side: str) -> str:
        """A side within a sentence, with its article: "the German"; "the app", whose name is "The app"."""
        name = self.name_of(side)
        return name[0].lower() + name[1:] if name.startswith("The ") else f"the {name}"

    def rank_of(self, side: str) -> int:
        """A side's place among the sides, from 1, by which it is coloured; 0 for nobody's."""
        return list(self.sides).index(side) + 1 if side in self.sides else 0
