"""The after-action report: what the log tells of a match, chapter by chapter, and how its dice fell.

Drawn from the lines as one browser may see them, so that a report holds no secret of the other side.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from firefight.assistant import registry
from firefight.assistant.registry import Game
from firefight.engine import chain
from firefight.engine.rolls.tally import Tally, tally
from firefight.models import LogEntry, Match

from . import log
from .log import LogLine
from .memory import without_collecting

WITHOUT_CHAPTERS = "The match"
# Characters of a PDF, and how many of them the beginning of a line is worth in time.
PART_ROOM, PART_LINE = 500_000, 100
# What is no part of the story: who sat down, what was dropped, what was taken back.
_ASIDE = (LogEntry.Kind.SEAT, LogEntry.Kind.DROP, LogEntry.Kind.TAKE_BACK)
_SOURCES = {"app": "rolled here", "table": "on the table"}


class BadPart(ValueError):
    """No part of the log can be read off an address; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stretch of the log between two snapshots, by the numbers of its first and its last line."""

    title: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ToldChapter:
    """A chapter with the lines of it that belong to the story, oldest first."""

    chapter: Chapter
    lines: list[LogLine]


@dataclass(frozen=True, slots=True)
class Series:
    """Equal dice of one side from one source: ``who`` in words, "German, d10, rolled here"."""

    who: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Story:
    """The lines from ``first`` to ``last``, in chapters, the dice of all of them, and the digest of the last one."""

    match: Match
    first: int
    last: int
    chapters: list[ToldChapter]
    dice: list[Series]
    digest: str

    @property
    def game(self) -> Game:
        """The match's game."""
        return registry.games()[self.match.game]

    @property
    def agreed(self) -> list[str]:
        """What was agreed when the match began."""
        return self.game.describe_options(self.match.state.options)

    @property
    def title(self) -> str:
        """What the report is of: a chapter, or the match."""
        whole = self.first == 1 and self.last == self.match.last_number
        return self.match.name if whole or len(self.chapters) != 1 else self.chapters[0].chapter.title


def chapters(match: Match) -> list[Chapter]:
    """The chapters of a match, oldest first; a new one begins after each snapshot. One query."""
    marks = list(match.snapshots.order_by("number").values_list("number", "label")) or [(0, WITHOUT_CHAPTERS)]
    # What came before the first snapshot opens the first chapter.
    begins = [1, *(number + 1 for number, _ in marks[1:])]
    ends = [*(number for number, _ in marks[1:]), match.last_number]
    told = zip(marks, begins, ends, strict=True)
    return [Chapter(label, first, last) for (_, label), first, last in told if first <= last]


def read_story(match: Match, sees: tuple[str, ...], first: int | None = None, last: int | None = None) -> Story:
    """The story of a stretch of the log, all of it unless told. Two queries.

    ``sees``: the sides whose secrets may be in it. Raises BadPart for a stretch that the log does not have.
    """
    begin, end = 1 if first is None else first, match.last_number if last is None else last
    if not 1 <= begin <= end <= match.last_number:
        raise BadPart(f"The log has lines 1 to {match.last_number}; a report begins and ends with one of them.")
    entries = LogEntry.objects.filter(match=match, number__range=(begin, end)).order_by("number")
    with without_collecting():
        lines = log.visible(map(_without_details, entries.defer(*_NOT_READ)), sees)
        dice = dice_of(lines, registry.games()[match.game])
        return Story(match, begin, end, list(_divide(lines, chapters(match))), dice, lines[-1].digest)


# The largest columns, which no report prints.
_NOT_READ = ("inputs", "result")


def _without_details(entry: LogEntry) -> LogEntry:
    entry.inputs, entry.result = {}, None  # so that asking for them fetches nothing
    return entry


def _divide(lines: Iterable[LogLine], chapters: Iterable[Chapter]) -> Iterator[ToldChapter]:
    """The lines of each chapter, looked through once; a chapter with nothing to tell is left out."""
    left = deque(line for line in lines if _stands(line))
    for chapter in chapters:
        of_chapter = []
        while left and left[0].number <= chapter.last:
            of_chapter.append(left.popleft())
        if of_chapter:
            yield ToldChapter(chapter, of_chapter)


def _stands(line: LogLine) -> bool:
    return line.voided_by is None and line.kind not in _ASIDE


def divide_for_paper(story: Story) -> list[tuple[int, int]]:
    """The stretches in which a story goes on paper, each drawn in well under a second: first and last lines.

    One for nearly every match; the longest campaign does not fill two.
    """
    firsts, room = [story.first], PART_ROOM
    for line in (line for told in story.chapters for line in told.lines):
        taken = PART_LINE + len(line.sentence) + len(line.secret)
        if taken > room and line.number > story.first:
            firsts.append(line.number)
            room = PART_ROOM
        room -= taken
    return list(zip(firsts, [*(first - 1 for first in firsts[1:]), story.last], strict=True))


def first_chapters(story: Story, room: int) -> tuple[list[ToldChapter], int | None]:
    """As much of a story as so many bytes of a page have room for, and the number of the first line left out."""
    lines = [line for told in story.chapters for line in told.lines]
    kept = len(log.first_lines(lines, room))
    if kept >= len(lines):
        return story.chapters, None
    following = lines[kept].number
    shown = [
        ToldChapter(told.chapter, [line for line in told.lines if line.number < following]) for told in story.chapters
    ]
    return [told for told in shown if told.lines], following


def dice_of(lines: Iterable[LogLine], game: Game) -> list[Series]:
    """How the dice of some lines fell, by side, size and source; sides in the order of their game.

    What the app rolled counts even if it was taken back, since it was rolled; a typing error on the table is none.
    Cards are left out: no two draws from a deck are of the same number of cards.
    """
    found: dict[tuple[int, str, int, int, str], list[int]] = {}
    for line in lines:
        for die in line.rolls:
            is_counted_there = die.source == "app" and die.of is not None
            is_rolled = line.voided_by is None or die.source == "app"
            if is_rolled and not is_counted_there and not die.is_card and die.face != chain.HIDDEN_FACE:
                whose = die.side or line.side
                key = (game.rank_of(whose), game.name_of(whose), die.sides, die.dice, die.source)
                found.setdefault(key, []).append(die.face)
    return [
        Series(f"{name}, {dice if dice > 1 else ''}d{sides}, {_SOURCES[source]}", tally(sides, faces, dice))
        for (_, name, sides, dice, source), faces in sorted(found.items())
    ]


# In words


def sealed_as(story: Story) -> str:
    """The digest up to which the log is told here."""
    return f"Digest of the log up to line {story.last}: {story.digest}"


def who(line: LogLine, game: Game) -> str:
    """Whose line it is, unless it says so itself."""
    name = game.name_of(line.side)
    return "" if line.sentence.startswith(name) else name


def describe_series(counted: Tally) -> str:
    """What may be said of a series, and no more."""
    if counted.mean_range.holds(counted.mean):
        return "as chance has it"
    return f"{'lower' if counted.mean < counted.expected else 'higher'} than 39 of 40 fair series"


def markdown(story: Story) -> Iterator[str]:
    """The report as lines of Markdown."""
    yield f"# {_escaped(story.title)}"
    yield ""
    yield f"{_escaped(story.match.name)}: lines {story.first} to {story.last} of the log."
    if story.agreed:
        yield ""
        yield f"{_escaped('; '.join(story.agreed))}."
    for told in story.chapters:
        yield ""
        yield f"## {_escaped(told.chapter.title)}"
        yield ""
        for line in told.lines:
            name = who(line, story.game)
            side = f"**{_escaped(name)}:** " if name else ""
            secret = f" *{_escaped(line.secret)}*" if line.secret else ""
            yield f"- {line.number}. {side}{_escaped(line.sentence)}{secret}"
    yield ""
    yield "## The dice"
    yield ""
    yield from _markdown_dice(story.dice)
    yield ""
    yield sealed_as(story)


def _markdown_dice(dice: Sequence[Series]) -> Iterator[str]:
    if not dice:
        yield "No dice were rolled."
        return
    yield "| Dice | Rolls | Mean | Expected | 95 of 100 fair series | |"
    yield "|---|--:|--:|--:|---|---|"
    for series in dice:
        counted, within = series.tally, series.tally.mean_range
        yield (
            f"| {_escaped(series.who)} | {counted.number} | {counted.mean:.2f} | {counted.expected:.1f} "
            f"| {within.low:.2f} to {within.high:.2f} | {describe_series(counted)} |"
        )
    yield ""
    yield CAVEAT


CAVEAT = (
    "Natural dice. Of many series one in twenty lies outside of its range by chance alone, so a single one proves "
    "nothing; which dice the rules ask for says nothing about luck either: low is good for some rolls, bad for others."
)


def _escaped(text: str) -> str:
    """A text in one line, with nothing in it that Markdown takes for its own."""
    return " ".join(text.translate(_MARKED).split())


_MARKED = {ord(letter): f"\\{letter}" for letter in "\\`*_{}[]<>#|~&!"}
