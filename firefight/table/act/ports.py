"""What a match's ledger does for it, and where its counters are kept.

The frame knows no campaign. A campaign says here, as the app starts, that it leads matches; for a match that none
leads ``NO_LEDGER`` answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from django.urls import reverse

from firefight.drawing.charts import Chart
from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.charts.book import Book
from firefight.engine.values import Values
from firefight.models import Act, Match, Snapshot
from firefight.web.schema import Check

from .act import MatchAct
from .ledger_values import JudgedRoll, Sees, Standing, StoryPart, join_titles
from .lines import LogLine

DrawnMap = tuple[Drawing, Mapping[str, Paint]]
DrawnStrip = tuple[list[Drawing], Mapping[str, Paint]]


class CounterStore(Protocol):
    """All counters of one match. ``book``: the content that they come from, "" for the shipped one."""

    match: Match

    @property
    def book(self) -> str: ...

    def all(self) -> Sequence[CounterInPlay]:
        """Every counter, also those that are gone: the sides in their order, each by number."""

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id; by the alias of a closed one, what others know of it."""

    def find_behind(self, counter_id: str) -> CounterInPlay | None:
        """A counter itself, by its id or its alias."""

    def known(self, sees: Iterable[str]) -> Sequence[CounterInPlay]:
        """The counters as somebody who may see these sides' secrets sees them."""

    def kinds(self, side: str) -> Values:
        """The gallery of a side, by key."""

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """What is wrong with a counter, in sentences."""

    def put(self, counter: CounterInPlay) -> None:
        """Set a counter to this from now on: one that exists, or a new one with a number that no other has had."""

    def save(self, act: MatchAct) -> None:
        """Write what was put, with all that follows from it, and note on the act how to undo it."""


class MatchLedger(Protocol):
    """What is asked about any match, and the answer where no ledger leads it.

    ``leads``: it keeps the match's turns and says which counters there are, in rows of its own.
    """

    @property
    def leads(self) -> bool: ...

    def home(self, match: Match) -> str:
        """The address of the page on which its players are at home."""
        return reverse("firefight:match", args=[match.pk])

    def open_store(self, match: Match) -> CounterStore | None:
        """The counters of a match; None where the match keeps them itself."""
        return None

    def follow_record(self, match: Match, row: Act) -> None:
        """Write down what an act at the table has made of the record's rows."""
        return None

    def dump(self, match: Match) -> dict[str, object] | None:
        """All its rows as plain values, every side's secrets among them."""
        return None

    def gather_earlier(self, match: Match, chapters: Iterable[Snapshot]) -> Any:
        """What a file needs of it besides its rows; ``narrowed`` alone looks into that."""
        return None

    # Its story

    def group_titles(self, match: Match) -> dict[str, str]:
        """The group that each counter came with, in words, by the counter's id."""
        return {}

    def list_story_parts(self, chapters: Iterable[tuple[str, int]]) -> list[StoryPart]:
        """The parts of the match that its charts tell apart. ``chapters``: the title of each and its first line."""
        return [StoryPart(title, first) for title, first in chapters]

    def name_story_chapters(self, titles: Iterable[str]) -> list[str]:
        """The title under which each chapter is told: consecutive ones may share one."""
        return list(titles)

    def join_story_titles(self, first: str, last: str) -> str:
        """The title of two chapters that are told as one."""
        return join_titles(first, last)

    def tell_sectors_won(self, lines: Iterable[LogLine]) -> dict[int, str]:
        """Who won which ground, in words, by the number of the line that says so."""
        return {}

    def chart_ledger(self, match: Match, sees: Sees, parts: Sequence[StoryPart]) -> list[Chart]:
        """Its charts, as far as these sides may know them."""
        return []

    def map_addresses(self, match: Match) -> dict[int, tuple[str, str]]:
        """By the line with which a chapter begins: where its map is found, and the map as a picture."""
        return {}

    def draw_map(self, match: Match, sees: Sees) -> DrawnMap | None:
        """The map as it stands, with its paints; None without one."""
        return None

    def draw_strip(self, match: Match, sees: Sees) -> DrawnStrip:
        """The map as each part of the match found it."""
        return [], {}

    def draw_map_of(self, match: Match, sees: Sees, line: int) -> DrawnMap | None:
        """The map as the chapter found it that begins with a line."""
        return None

    def tell_outcome(self, match: Match) -> str:
        """How it has ended, "" while it goes on."""
        return ""


class Ledger(MatchLedger, Protocol):
    """What leads matches: a campaign. ``points``: what a side's points are called; ``keeps_turns``: why the match
    cannot end a turn by itself."""

    @property
    def points(self) -> str: ...

    @property
    def keeps_turns(self) -> str: ...

    def find_standings(self, matches: Mapping[Match, Sees]) -> dict[str, Standing]:
        """Where these matches stand, by their ids, as far as the sides know for which each is looked at."""

    def judge_line(self, line: LogLine, book: Book) -> Iterable[JudgedRoll]:
        """The attacks that a line of sector combat reports, by the odds before their dice."""

    def tell_bout(self, sentence: str) -> str:
        """A line of sector combat as a story tells it."""

    # What both sides agree on

    def refuse_content(self, match: Match, book: str) -> None:
        """Raise Refused with every reason why the match cannot go on with this content."""

    def take_content(self, act: MatchAct, book: str, label: str) -> str:
        """Go on with other content; returns what the log says about it. Raises Refused."""

    def put_right_points(self, act: MatchAct, side: str, points: int, reason: str) -> None:
        """Give a side points by hand, or take them. Raises Refused."""

    # Counters for a match without a ledger

    def list_cards(self, game: str) -> dict[str, str]:
        """The cards of a game, with what they are called."""

    def at_start(self, card_id: str) -> dict[str, dict[str, int]]:
        """How many of which counters each side of a card has at start. Raises KeyError."""

    # Files

    def narrowed(self, match: Match, data: Values, sees: Sees, earlier: Any, knew: Sees) -> dict[str, object]:
        """What these sides know of it, as a file holds it. ``knew``: whose secrets earlier maps may tell."""

    def missing(self, data: Values) -> list[str]:
        """What becomes of whatever a file lacks, in sentences."""

    def flaws(self, data: Values) -> Iterable[str]:
        """What contradicts itself in a file whose every value fits by itself."""

    def shape(self) -> Check:
        """Its declared shape in a file."""

    def load(self, match: Match, data: Values) -> None:
        """Make its rows of a file's values."""


class NoLedger(MatchLedger):
    """What answers for a match without a ledger."""

    leads = False


NO_LEDGER = NoLedger()
_LEDGERS: list[Ledger] = []


def lead_matches(ledger: Ledger) -> None:
    """Let this lead the matches whose state says that they have a ledger."""
    _LEDGERS[:] = [ledger]


def the_ledger() -> Ledger:
    """What leads matches here."""
    return _LEDGERS[0]


def ledger_of(match: Match) -> MatchLedger:
    """What leads this match, or ``NO_LEDGER``."""
    return the_ledger() if match.state.ledger else NO_LEDGER


def home_of(match: Match) -> str:
    """Where a player who sits down or is called goes: the ledger's page, or the match's. It opens nothing."""
    return ledger_of(match).home(match)
