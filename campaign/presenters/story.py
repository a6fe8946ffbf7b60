"""What a campaign adds to the story of its match."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from django.urls import reverse

from campaign.ledger.chapters import MapChapter, list_chapters
from campaign.ledger.ledger import Ledger, load
from campaign.ledger.rows import read_firefight
from campaign.phase import advice
from campaign.pictures import figures
from campaign.pictures.paints import MAP
from campaign.rules.sectors import Holding, read_control
from firefight.columns import Rolled
from firefight.drawing.charts import Chart, ColumnChart, LineChart, Plotted
from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import id_of
from firefight.engine.charts.book import Book
from firefight.engine.errors import MissingChart, RuleError
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act.ledger_values import JudgedRoll, StoryPart
from firefight.table.act.lines import LogLine
from firefight.table.story.history import STRIKES
from firefight.table.story.turning_points import judge

from . import film
from .sectors import list_spots
from .units import name_group

CLOSE_COMBAT = "close-combat"  # the helper whose odds sector combat uses
_RANKS = {side: rank for rank, side in enumerate(Side, 1)}


def group_titles(match: Match) -> dict[str, str]:
    """The group that each counter came with, in words, by the counter's id: this is never secret."""
    ledger = read_told_ledger(match)
    return {
        id_of(side.value, number): name_group(ledger, unit.group)
        for side in Side
        for number, unit in ledger.units[side].items()
    }


def list_story_parts(chapters: Iterable[tuple[str, int]]) -> list[StoryPart]:
    """The firefights of a campaign, each from the line with which its preparations began.

    ``chapters``: the title of each and its first line.
    """
    firsts = {1: 1}
    for title, first in chapters:
        if firefight := read_firefight(title):
            firsts.setdefault(firefight, first)
    return [StoryPart(f"Firefight {firefight}", first) for firefight, first in firsts.items()]


def name_story_chapters(titles: Iterable[str]) -> list[str]:
    """What each chapter of a campaign is called in its story, where neighbours with the same name are joined.

    >>> name_story_chapters(["The beginning", "Firefight 1, Set-up", "Firefight 1", "Firefight 1, turn 2", "What if"])
    ['Before firefight 1', 'Before firefight 1', 'Firefight 1', 'Firefight 1', 'Firefight 1']
    """
    names: list[str] = []
    for title in titles:
        number = read_firefight(title)
        if title.startswith("After firefight"):
            names.append(f"After firefight {number}")
        elif re.fullmatch(r"Firefight \d(, turn \d+)?", title):
            names.append(f"Firefight {number}")
        elif number:
            names.append(f"Before firefight {number}")
        elif not names:
            names.append("Before firefight 1")
        else:  # where a branch or a file began
            names.append("The end" if title == "The end" else names[-1])
    return names


def join_story_titles(first: str, last: str) -> str:
    """What chapters of a story are called together: those of one firefight by it, the end by what it ends.

    >>> join_story_titles("Before firefight 1", "Firefight 1")
    'Firefight 1'
    >>> join_story_titles("Firefight 3 to Before firefight 4", "After firefight 4")
    'Firefight 3 to After firefight 4'
    >>> join_story_titles("After firefight 1", "Firefight 2 to After firefight 3")
    'After firefight 1 to After firefight 3'
    """
    if last == "The end":
        return first
    begins, ends = first.partition(" to ")[0], last.rpartition(" to ")[2]
    number = read_firefight(ends)
    return f"Firefight {number}" if number and read_firefight(begins) == number else f"{begins} to {ends}"


def tell_sectors_won(lines: Iterable[LogLine]) -> dict[int, str]:
    """Who won which sector, in words, by the number of the line that says so (20.6.4 step 4)."""
    return {line.number: line.sentence for line in lines if line.kind == LogEntry.Kind.LEDGER and _WON(line.sentence)}


_WON = re.compile(r"Sector \d+ is (German|Russian) now\.").fullmatch


def tell_bout(sentence: str) -> str:
    """A line of sector combat as a story tells it: who met whom, and what became of them, without the dice.

    >>> tell_bout("Sector 7, round 1: Rifle #4 against Pioneer #9. E: 42 on 3-1 (9 against 3). After the round: x.")
    'Sector 7, round 1: Rifle #4 against Pioneer #9. After the round: x.'
    """
    met, _, rest = sentence.partition(". ")
    after = rest.partition("After the round: ")[2]
    return f"{met}. After the round: {after}" if after else sentence


def chart_ledger(match: Match, sees: tuple[str, ...], parts: Sequence[StoryPart]) -> list[Chart]:
    """Campaign Points and sectors by firefight, as far as these sides may know them."""
    ledger = read_told_ledger(match).known(sees)
    labels = tuple(str(ledger.card.times[number - 1]) for number in _firefights(ledger))
    return [
        LineChart("Campaign Points in hand after each firefight's spending", labels, tuple(_count_in_hand(ledger))),
        ColumnChart("Campaign Points spent by firefight", labels, tuple(_count_spent(ledger))),
        LineChart("Sectors held at the end of each firefight", labels, tuple(_count_sectors(match, ledger, parts))),
    ]


def read_told_ledger(match: Match) -> Ledger:
    """The ledger of a match, read once while its story is told."""
    ledger: Ledger | None = vars(match).get("story_ledger")
    if ledger is None:
        ledger = vars(match)["story_ledger"] = load(match)
    return ledger


def map_addresses(match: Match) -> dict[int, tuple[str, str]]:
    """The map as each firefight found it, and at the campaign's end: page and picture, by the chapter's first line."""
    page, picture = (reverse(f"campaign:{name}", args=[match.pk]) for name in ("sectors", "map-svg"))
    return {
        chapter.first_line: (f"{page}?chapter={chapter.place}", f"{picture}?chapter={chapter.place}")
        for chapter in _list_mapped(match)
    }


def draw_strip(match: Match, sees: tuple[str, ...]) -> tuple[list[Drawing], Mapping[str, Paint]]:
    """The map as each firefight found it and as these sides may know it, with the paints."""
    return _draw_chapters(
        match, sees, [chapter for chapter in _list_mapped(match) if read_firefight(chapter.title)]
    ), MAP


def draw_map_of(match: Match, sees: tuple[str, ...], line: int) -> tuple[Drawing, Mapping[str, Paint]] | None:
    """The map at the beginning of the chapter that begins with a line; None where no map is shown for it."""
    drawings = _draw_chapters(match, sees, [chapter for chapter in _list_mapped(match) if chapter.first_line == line])
    return (drawings[0], MAP) if drawings else None


def _draw_chapters(match: Match, sees: tuple[str, ...], chapters: Sequence[MapChapter]) -> list[Drawing]:
    return [frame.draw(legend=False) for frame in film.read_frames(match, chapters, film.sees_then(match, sees))]


def _list_mapped(match: Match) -> list[MapChapter]:
    return [chapter for chapter in list_chapters(match) if re.fullmatch(r"Firefight \d|The end", chapter.title)]


def tell_outcome(match: Match) -> str:
    """How the campaign has ended, "" while it goes on."""
    return read_told_ledger(match).campaign.outcome


def draw_map(match: Match, sees: tuple[str, ...]) -> tuple[Drawing, Mapping[str, Paint]]:
    """The map as it stands and as these sides know it, with its paints."""
    ledger = read_told_ledger(match).known(sees)
    heading = f"{ledger.card.label} · firefight {ledger.campaign.firefight}, {ledger.time}"
    return figures.sector_map(ledger.content.sector_map.drawing, list_spots(ledger), heading), MAP


def judge_line(line: LogLine, book: Book) -> Iterator[JudgedRoll]:
    """The attacks of sector combat that a line reports, by the odds that stood before their dice (20.6.4 step 3)."""
    strikes = line.inputs[STRIKES]
    for die in line.rolls:
        if die.die in strikes:
            with suppress(RuleError, MissingChart):  # a file may say anything
                yield from _judge_strike(line, die, strikes[die.die], book)


def _judge_strike(line: LogLine, die: Rolled, noted: Mapping[str, int], book: Book) -> Iterator[JudgedRoll]:
    terms = (("hand_to_hand", bool(noted["shift"])), ("other_drm", noted["drm"]), ("in_sector", True))
    odds = advice.strike_odds(book, noted["strength"], noted["resistance"], terms)
    result = advice.resolve_strike(book, noted["strength"], noted["resistance"], terms, die.face)
    sentence = f"{line.sentence.partition(': ')[0]}: {result.headline}"
    for judged in judge(line, odds, result.outcome or "", noted["cost"]):
        yield replace(judged, side=die.side, helper=CLOSE_COMBAT, sentence=sentence)


def _firefights(ledger: Ledger) -> range:
    return range(1, ledger.campaign.firefight + 1)


def _count_in_hand(ledger: Ledger) -> Iterator[Plotted]:
    for side in Side:
        lines = ledger.lines[side].values()
        in_hand = (sum(line.amount for line in lines if line.firefight <= number) for number in _firefights(ledger))
        yield Plotted(side.word, _RANKS[side], tuple(in_hand))


def _count_spent(ledger: Ledger) -> Iterator[Plotted]:
    """What was given back is not spent: it is subtracted."""
    for side in Side:
        paid = [line for line in ledger.lines[side].values() if line.group or line.unit or line.seal or line.amount < 0]
        spent = (-sum(line.amount for line in paid if line.firefight == number) for number in _firefights(ledger))
        yield Plotted(side.word, _RANKS[side], tuple(spent))


def _count_sectors(match: Match, ledger: Ledger, parts: Sequence[StoryPart]) -> Iterator[Plotted]:
    """For each firefight as the next one found it; None where no snapshot shows it."""
    letters = dict(_read_held(match, ledger, parts)) | {ledger.campaign.firefight: ledger.campaign.held}
    controls = [read_control(letters.get(number, ""), ledger.content.sector_map) for number in _firefights(ledger)]
    for side in Side:
        of_side = Holding(side.value)
        counts = (
            None if control is None else sum(holding is of_side for holding in control.values()) for control in controls
        )
        yield Plotted(side.word, _RANKS[side], tuple(counts))


def _read_held(match: Match, ledger: Ledger, parts: Sequence[StoryPart]) -> Iterator[tuple[int, str]]:
    """Who held what when each firefight had ended, from the first snapshot of the one after it. One query."""
    firsts = {read_firefight(part.title): part.first for part in parts}
    # One that has just begun has no line of its own yet.
    later = ((number, firsts.get(number, match.last_number + 1)) for number in _firefights(ledger) if number > 1)
    begun = {first - 1: number for number, first in later}
    for snapshot in Snapshot.objects.filter(match=match, number__in=begun) if begun else ():
        rows = (snapshot.state or {}).get("ledger")
        if rows:
            yield begun[snapshot.number] - 1, rows["held"]
