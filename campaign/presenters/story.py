"""What a campaign adds to the story of its match. The frame finds this module by the settings (LEDGER_STORY)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.urls import reverse

from campaign.ledger.chapters import list_chapters
from campaign.ledger.ledger import Ledger, load
from campaign.ledger.rows import read_firefight
from campaign.pictures import figures
from campaign.pictures.paints import MAP
from campaign.rules.sectors import Holding, read_control
from firefight.drawing.charts import Chart, ColumnChart, LineChart, Plotted
from firefight.drawing.shapes import Drawing, Paint
from firefight.engine.board.counters import id_of
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match, Snapshot
from firefight.table.figures import StoryPart

from .sectors import list_spots
from .units import name_group

_RANKS = {side: rank for rank, side in enumerate(Side, 1)}


def group_titles(match: Match) -> dict[str, str]:
    """The group that each counter came with, in words, by the counter's id: who came with whom is never secret."""
    ledger = ledger_of(match)
    return {
        id_of(side.value, number): name_group(ledger, unit.group)
        for side in Side
        for number, unit in ledger.units[side].items()
    }


def list_story_parts(chapters: Iterable[tuple[str, int]]) -> list[StoryPart]:
    """The firefights of a campaign, each from the line with which its preparations began.

    ``chapters``: the title of each and its first line.
    """
    found = {1: 1}
    for title, first in chapters:
        if firefight := read_firefight(title):
            found.setdefault(firefight, first)
    return [StoryPart(f"Firefight {firefight}", first) for firefight, first in found.items()]


def chart_ledger(match: Match, sees: tuple[str, ...], parts: Sequence[StoryPart]) -> list[Chart]:
    """Campaign Points and sectors by firefight, as far as these sides may know them."""
    ledger = ledger_of(match).known(sees)
    labels = tuple(str(ledger.card.times[number - 1]) for number in _firefights(ledger))
    return [
        LineChart("Campaign Points in hand after each firefight's spending", labels, tuple(_count_in_hand(ledger))),
        ColumnChart("Campaign Points spent by firefight", labels, tuple(_count_spent(ledger))),
        LineChart("Sectors held at the end of each firefight", labels, tuple(_count_sectors(match, ledger, parts))),
    ]


def ledger_of(match: Match) -> Ledger:
    """The ledger of a match, read once while its story is told."""
    held: Ledger | None = vars(match).get("story_ledger")
    if held is None:
        held = vars(match)["story_ledger"] = load(match)
    return held


def map_addresses(match: Match) -> dict[int, tuple[str, str]]:
    """The map as each firefight found it, and as the campaign ended: page and picture, by the chapter's first line."""
    page, picture = (reverse(f"campaign:{name}", args=[match.pk]) for name in ("sectors", "map-svg"))
    begun = (each for each in list_chapters(match) if re.fullmatch(r"Firefight \d|The end", each.title))
    return {each.first_line: (f"{page}?chapter={each.place}", f"{picture}?chapter={each.place}") for each in begun}


def tell_outcome(match: Match) -> str:
    """How the campaign has ended, "" while it goes on."""
    return ledger_of(match).campaign.outcome


def draw_map(match: Match, sees: tuple[str, ...]) -> tuple[Drawing, Mapping[str, Paint]]:
    """The map as it stands and as these sides know it, with its paints."""
    ledger = ledger_of(match).known(sees)
    heading = f"{ledger.card.label} · firefight {ledger.campaign.firefight}, {ledger.time}"
    return figures.sector_map(ledger.content.sector_map.drawing, list_spots(ledger), heading), MAP


def _firefights(ledger: Ledger) -> range:
    return range(1, ledger.campaign.firefight + 1)


def _count_in_hand(ledger: Ledger) -> Iterator[Plotted]:
    for side in Side:
        lines = ledger.lines[side].values()
        held = (sum(line.amount for line in lines if line.firefight <= number) for number in _firefights(ledger))
        yield Plotted(side.word, _RANKS[side], tuple(held))


def _count_spent(ledger: Ledger) -> Iterator[Plotted]:
    """What was given back is not spent: it counts against what was."""
    for side in Side:
        paid = [line for line in ledger.lines[side].values() if line.group or line.unit or line.seal or line.amount < 0]
        spent = (-sum(line.amount for line in paid if line.firefight == number) for number in _firefights(ledger))
        yield Plotted(side.word, _RANKS[side], tuple(spent))


def _count_sectors(match: Match, ledger: Ledger, parts: Sequence[StoryPart]) -> Iterator[Plotted]:
    """Of each firefight as the next one found it; None where no snapshot tells."""
    held = dict(_read_held(match, ledger, parts)) | {ledger.campaign.firefight: ledger.campaign.held}
    controls = [read_control(held.get(number, ""), ledger.content.sector_map) for number in _firefights(ledger)]
    for side in Side:
        of_side = Holding(side.value)
        counts = (None if each is None else sum(held is of_side for held in each.values()) for each in controls)
        yield Plotted(side.word, _RANKS[side], tuple(counts))


def _read_held(match: Match, ledger: Ledger, parts: Sequence[StoryPart]) -> Iterator[tuple[int, str]]:
    """Who held what as each firefight had ended: what the first snapshot of the one after it says. One query."""
    firsts = {read_firefight(part.title): part.first for part in parts}
    # One that has just begun has no line of its own yet.
    later = ((number, firsts.get(number, match.last_number + 1)) for number in _firefights(ledger) if number > 1)
    begun = {first - 1: number for number, first in later}
    for snapshot in Snapshot.objects.filter(match=match, number__in=begun) if begun else ():
        rows = (snapshot.state or {}).get("ledger")
        if rows:
            yield begun[snapshot.number] - 1, rows["held"]
