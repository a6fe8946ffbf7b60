"""The picture of the sector map: one geometry for pages, PNG and paper.

Roles are named in campaign/pictures/paints.py, which gives their colours where no style sheet does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from campaign.rules.maps import EDGE_NAMES, SectorMap
from campaign.rules.sectors import Holding, LineToEdge
from firefight.drawing.fonts import fit_word, measure_word
from firefight.drawing.layout.frame import MapOutlines
from firefight.drawing.shapes import Drawing, Label, Polygon, Shape, box, place_drawing
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.sides import Side

_WIDTH, _HEIGHT = 360, 480  # that a map is drawn into, whatever its own units are
_MARGIN = 4
_LINE = 20  # of words above and below the map
_MARK_ROOM = 52
EDGE_LABELS = tuple(f"{EDGE_NAMES[side].capitalize()}: {side.word} map edge" for side in Side)


class Sector(Protocol):
    """What the map shows of a sector: whose it is, a mark under its number, its line to the edge if it has a side."""

    @property
    def number(self) -> int:
        """Its number."""

    @property
    def holding(self) -> Holding:
        """Whose it is."""

    @property
    def mark(self) -> str:
        """A few letters under the number."""

    @property
    def line(self) -> LineToEdge | None:
        """Its way to the edge."""

    @property
    def chosen(self) -> bool:
        """Whether it is the one that is looked at."""

    @property
    def changed(self) -> bool:
        """Whether it is marked as changed."""


@dataclass(frozen=True, slots=True)
class EmptySector:
    """A sector on a map for the pencil."""

    number: int
    holding: Holding = Holding.NOBODY
    mark: str = ""
    line: LineToEdge | None = None
    chosen: bool = False
    changed: bool = False


@dataclass(frozen=True, slots=True)
class MapParts:
    """A map in parts, for a page that makes each sector a link; ``drawing`` has them all together."""

    width: float
    height: float
    around: tuple[Shape, ...]
    sectors: dict[int, tuple[Shape, ...]]
    outlines: tuple[Shape, ...]
    words: str

    @property
    def drawing(self) -> Drawing:
        """The whole map."""
        cells = (shape for sector in self.sectors.values() for shape in sector)
        return Drawing(self.width, self.height, (*self.around, *cells, *self.outlines), self.words)


def sector_map(outlines: MapOutlines, sectors: Iterable[Sector], heading: str = "", legend: bool = True) -> Drawing:
    """The map as one picture: control by pattern, isolated sectors with a broken line, a mark in each.

    ``heading``: a line above it. ``legend``: whether to say below it what the patterns mean.
    """
    return map_parts(outlines, sectors, heading, legend).drawing


def map_parts(outlines: MapOutlines, sectors: Iterable[Sector], heading: str = "", legend: bool = False) -> MapParts:
    """The map sector by sector."""
    sectors = list(sectors)
    scale = min(_WIDTH / outlines.width, _HEIGHT / outlines.height)
    width, height = outlines.width * scale + 2 * _MARGIN, outlines.height * scale + 2 * _MARGIN
    top = _LINE * (2 if heading else 1)
    around: list[Shape] = [box(_MARGIN, top + _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN, "ground")]
    around += [*_draw_edges(width, top), *(_heading(heading, width) if heading else ())]
    if legend:
        around += _draw_legend(top + height)
        height += _LINE * 3
    cells, marked = {}, []
    for sector in sectors:
        cell, *labels = place_drawing(_cell(outlines, sector, scale), _MARGIN, top + _MARGIN)
        cells[sector.number] = (cell, *labels)
        if sector.line and sector.line.is_isolated:
            marked.append(replace(cell, role="cut-off"))
        if sector.changed:
            marked.append(replace(cell, role="changed"))
        if sector.chosen:
            marked.append(replace(cell, role="chosen"))
    return MapParts(width, top + height, tuple(around), cells, tuple(marked), _describe_map(sectors, heading))


def list_empty_sectors(sector_map: SectorMap) -> list[EmptySector]:
    """The sectors of a map for the pencil."""
    return [EmptySector(number) for number in sorted(sector_map.neighbours)]


def _cell(outlines: MapOutlines, sector: Sector, scale: float) -> Drawing:
    """One sector: its area, its number, its mark."""
    points = tuple((x * scale, y * scale) for x, y in outlines.cells[sector.number])
    x, y = (at * scale for at in outlines.labels[sector.number])
    number = Label(x, y, str(sector.number), 19, "number", bold=True)
    text, size = fit_word(sector.mark, _MARK_ROOM, 13, 8)
    marks = (Label(x, y + 14, text, size, "mark"),) if text else ()
    news = (_lozenge(x, y),) if sector.changed else ()
    return Drawing(_WIDTH, _HEIGHT, (Polygon(points, sector.holding.value), number, *marks, *news), "")


def _lozenge(x: float, y: float) -> Polygon:
    """The sign above a sector's number that says it has changed: a lozenge, which needs no colour."""
    top, half = y - 26, 5
    return Polygon(((x, top), (x + half, top + half), (x, top + 2 * half), (x - half, top + half)), "news")


def _draw_edges(width: float, top: float) -> Iterable[Label]:
    """The friendly edges by name (20.3.4)."""
    west, east = EDGE_LABELS
    yield Label(_MARGIN, top - 4, west, 12.5, "edge", anchor="start")
    yield Label(width - _MARGIN, top - 4, east, 12.5, "edge", anchor="end")


def _heading(text: str, width: float) -> Iterable[Label]:
    text, size = fit_word(text, width - 2 * _MARGIN, 15, 9, bold=True)
    yield replace(measure_word(_MARGIN, 16, text, size, "heading", bold=True), anchor="start")


# What the roles of sectors mean, as written below the map. A blank between sectors is a corner where more than three
# meet: those across from each other have no border there.
MEANINGS = (
    ("german", "German"),
    ("russian", "Russian"),
    ("threatened", "Threatened"),
    ("nobody", "Nobody’s"),
    ("cut-off", "Isolated"),
    ("ground", "No sector, no way across"),
)
_COLUMNS, _COLUMN = 3, 84


def _draw_legend(top: float) -> Iterable[Shape]:
    """What the patterns mean, in two lines, and what stands under the numbers in a third."""
    for place, (role, word) in enumerate(MEANINGS):
        row, column = divmod(place, _COLUMNS)
        x, y = _MARGIN + column * _COLUMN, top + row * _LINE
        yield box(x + 1, y + 3, 20, 13, role)
        yield replace(measure_word(x + 26, y + 14, word, 11, "edge"), anchor="start")
    words = "G2 R3: units that are known of"
    yield replace(measure_word(_MARGIN, top + 2 * _LINE + 14, words, 11, "edge"), anchor="start")


def _describe_map(sectors: Iterable[Sector], heading: str) -> str:
    """The map in a sentence for each thing that it shows."""
    sectors = list(sectors)
    numbers_by_holding = {holding: [s.number for s in sectors if s.holding is holding] for holding in Holding}
    parts = [f"{heading}." if heading else "Sector map."]
    parts += [
        f"{holding.word.capitalize()}: {join_numbers(numbers)}."
        for holding, numbers in numbers_by_holding.items()
        if numbers
    ]
    changed = [sector.number for sector in sectors if sector.changed]
    parts += [f"Changed: {join_numbers(changed)}."] if changed else []
    cut_off = [sector.number for sector in sectors if sector.line and sector.line.is_isolated]
    parts += [f"Isolated: {join_numbers(cut_off)}."] if cut_off else []
    marks = [f"{sector.number}: {sector.mark}" for sector in sectors if sector.mark]
    parts += [f"Units by sector: {'; '.join(marks)}."] if marks else []
    return " ".join(parts)
