"""The pictures of a campaign, counters and the sector map: one geometry for pages, PNG and paper.

Roles are named in campaign/pictures/paints.py, which gives their colours where no style sheet does.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from campaign.rules import maps
from campaign.rules.counters import Counter, CounterKind
from campaign.rules.maps import EDGE_NAMES
from campaign.rules.sectors import Holding, LineToEdge
from campaign.rules.sides import Side
from campaign.rules.units import Mark
from firefight.drawing.fonts import fitted, halves, length
from firefight.drawing.shapes import Drawing, Ellipse, Label, Polygon, Shape, box, placed
from firefight.engine.text import join_numbers

from . import symbols

# Counters

COUNTER = 64  # units along a side
_ROOM = 54  # for a word
_CUT = 6  # the corners that a Russian counter lacks

# What the strip says of a mark that stands alone, and beside others.
_STRIPS = {
    Mark.REDUCED: ("REDUCED", "RED"),
    Mark.WOUNDED: ("WOUNDED", "WND"),
    Mark.M_KILLED: ("M-KILLED", "M-K"),
    Mark.F_KILLED: ("F-KILLED", "F-K"),
    Mark.PINNED: ("PINNED", "PIN"),
    Mark.SUPPRESSED: ("SUPPRESSED", "SUP"),
    Mark.DISRUPTED: ("DISRUPTED", "DIS"),
    Mark.WIA: ("WIA", "WIA"),
    Mark.ENFILADED: ("ENFILADED", "ENF"),
    Mark.IN_SEWER: ("IN SEWER", "SEW"),
    Mark.CLOSE_COMBAT: ("IN CC", "CC"),
    Mark.EXITED: ("LEFT MAP", "OFF"),
    Mark.HELD: ("HELD", "HELD"),
    Mark.HE_USED: ("HE USED", "HE"),
    Mark.MG_USED: ("MG USED", "MG"),
}


def counter(counter: Counter, side: Side, marks: Collection[Mark] = ()) -> Drawing:
    """A counter: its name, the sign of its arm, FF at the left, CCV in the box, TQ in the circle, its marks.

    A reduced squad shows its smaller side. What is not known is left out.
    """
    marks = [mark for mark in Mark if mark in set(marks)]
    ff, half_ff, ccv = values(counter, marks)
    numbers = [*_ff(ff, half_ff), *_ccv(ccv), *_tq(counter.tq)]
    shapes = [*_body(side), *_name(counter, side), *_sign(counter, marks, bool(numbers)), *_marked(marks), *numbers]
    return Drawing(COUNTER, COUNTER, tuple(shapes), describe_counter(counter, side, marks))


def values(counter: Counter, marks: Collection[Mark] = ()) -> tuple[int | None, int | None, int | None]:
    """FF, FF of the smaller side, CCV, as they stand on the side of the counter that is up."""
    if Mark.REDUCED in marks and counter.kind is CounterKind.SQUAD:
        return counter.half_ff, None, counter.half_ccv
    return counter.ff, counter.half_ff, counter.ccv


def describe_counter(counter: Counter, side: Side, marks: Collection[Mark] = ()) -> str:
    """A counter in words: "Rifle squad, Russian squad: FF 5, half-squad 3; CCV 6; TQ 6. Pinned Down." """
    ff, half_ff, ccv = values(counter, marks)
    half = f", half-squad {half_ff}" if half_ff is not None else ""
    parts = [f"FF {ff}{half}" if ff is not None else "", f"CCV {ccv}" if ccv is not None else ""]
    parts.append(f"TQ {counter.tq}" if counter.tq is not None else "")
    known = "; ".join(filter(None, parts))
    state = ", ".join(mark.word for mark in Mark if mark in marks)
    said = f"{counter.name}, {side.capitalize()} {counter.kind.word}{f': {known}' if known else ''}."
    return f"{said} {state[0].upper()}{state[1:]}." if state else said


def _body(side: Side) -> Iterable[Shape]:
    """The counter itself. The sides differ in shape, tone and pattern, so that nobody needs their colours."""
    low, high = 1, COUNTER - 1
    if side is Side.GERMAN:
        return box(low, low, high - low, high - low, "german-counter"), box(low, low, high - low, 16, "german-band")
    cut = _CUT
    upper = ((low + cut, low), (high - cut, low), (high, low + cut), (high, high - cut))
    lower = ((high - cut, high), (low + cut, high), (low, high - cut), (low, low + cut))
    band = ((low + cut, low), (high - cut, low), (high, low + cut), (high, 17), (low, 17), (low, low + cut))
    return Polygon(upper + lower, "russian-counter"), Polygon(band, "russian-band")


def _name(counter: Counter, side: Side) -> Iterable[Label]:
    """The name without the word for what the sign shows, in one line or in two."""
    role, room = f"{side}-name", _ROOM if side is Side.GERMAN else _ROOM - 4
    name = counter.name.removesuffix(f" {counter.kind.word}") or counter.name
    text, size = fitted(name, room, 9, 7.2, bold=True)
    lines = halves(name, bold=True)
    if text == name or not lines[1]:
        yield _label(COUNTER / 2, 12, text, size, role, bold=True)
        return
    for baseline, line in zip((8.2, 15), lines, strict=True):
        # The upper line keeps away from the corners.
        text, size = fitted(line, room - (6 if baseline < 10 else 0), 7.2, 5.2, bold=True)
        yield _label(COUNTER / 2, baseline, text, size, role, bold=True)


def _sign(counter: Counter, marks: Collection[Mark], has_numbers: bool) -> Iterable[Shape]:
    width, height = symbols.FIELD
    held = Drawing(width, height, symbols.sign(counter), "")
    top, bottom = 19, 45 if has_numbers else 60
    bottom = 35 if marks and has_numbers else 48 if marks else bottom
    scale = min((bottom - top) / height, 52 / width)
    return placed(held, COUNTER / 2, (top + bottom) / 2, scale)


def _marked(marks: Sequence[Mark]) -> Iterable[Shape]:
    """A dark strip that says in what state the unit is."""
    if not marks:
        return
    yield box(1, 35.8, COUNTER - 2, 9.6, "strip")
    shorts = [_STRIPS[mark][1] for mark in marks]
    word = _STRIPS[marks[0]][0] if len(marks) == 1 else " ".join(shorts)
    if len(marks) > 3:
        word = f"{shorts[0]} {shorts[1]} +{len(marks) - 2}"
    text, size = fitted(word, _ROOM, 8.5, 7, bold=True)
    yield _label(COUNTER / 2, 43.6, text, size, "strip-word", bold=True)


_BASE = 58  # of the numbers at the foot


def _ff(ff: int | None, half: int | None) -> Iterable[Label]:
    if ff is None:
        return
    start, smaller = 5.5, f"/{half}" if half is not None else ""
    scale = min(1, 18.5 / (length(str(ff), 14, bold=True) + length(smaller, 9)))
    yield replace(_label(start, _BASE - 0.5, str(ff), 14 * scale, "figure", bold=True), anchor="start")
    if smaller:
        after = start + length(str(ff), 14 * scale, bold=True) + 0.5
        yield replace(_label(after, _BASE - 0.5, smaller, 9 * scale, "figure"), anchor="start")


def _ccv(ccv: int | None) -> Iterable[Shape]:
    if ccv is not None:
        yield box(25.5, 46.8, 14, 12.4, "paper")
        text, size = fitted(str(ccv), 12, 11, 1, bold=True)
        yield _label(32.5, _BASE - 1, text, size, "figure", bold=True)


def _tq(tq: int | None) -> Iterable[Shape]:
    if tq is not None:
        yield Ellipse(51.5, 53, 6.9, 6.9, "paper")
        yield _label(51.5, _BASE - 1, str(tq), 11, "figure", bold=True)


def _label(x: float, y: float, text: str, size: float, role: str, bold: bool = False) -> Label:
    """A word, measured."""
    return Label(x, y, text, size, role, bold=bold, length=length(text, size, bold))


# The map

_WIDTH, _HEIGHT = 360, 480  # that a map is drawn into, whatever its own units are
_MARGIN = 4
_LINE = 20  # of words above and below the map
_MARK_ROOM = 52


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


@dataclass(frozen=True, slots=True)
class Blank:
    """A sector on a map for the pencil."""

    number: int
    holding: Holding = Holding.NOBODY
    mark: str = ""
    line: LineToEdge | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class MapParts:
    """A map in parts, for a page that makes a link of each sector; ``drawing`` has them all together."""

    width: float
    height: float
    around: tuple[Shape, ...]
    sectors: dict[int, tuple[Shape, ...]]
    outlines: tuple[Shape, ...]
    told: str

    @property
    def drawing(self) -> Drawing:
        """The whole map."""
        cells = (shape for sector in self.sectors.values() for shape in sector)
        return Drawing(self.width, self.height, (*self.around, *cells, *self.outlines), self.told)


def sector_map(drawing: maps.MapOutlines, sectors: Iterable[Sector], heading: str = "", legend: bool = True) -> Drawing:
    """The map as one picture: control by pattern, isolated sectors with a broken line, a mark in each.

    ``heading``: a line above it. ``legend``: say below it what the patterns mean.
    """
    return map_parts(drawing, sectors, heading, legend).drawing


def map_parts(
    drawing: maps.MapOutlines, sectors: Iterable[Sector], heading: str = "", legend: bool = False
) -> MapParts:
    """The map sector by sector."""
    sectors = list(sectors)
    scale = min(_WIDTH / drawing.width, _HEIGHT / drawing.height)
    width, height = drawing.width * scale + 2 * _MARGIN, drawing.height * scale + 2 * _MARGIN
    top = _LINE * (2 if heading else 1)
    around: list[Shape] = [box(_MARGIN, top + _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN, "ground")]
    around += [*_edges(width, top), *(_heading(heading, width) if heading else ())]
    if legend:
        around += _legend(top + height)
        height += _LINE * 2
    cells, outlines = {}, []
    for sector in sectors:
        cell, *labels = placed(_cell(drawing, sector, scale), _MARGIN, top + _MARGIN)
        cells[sector.number] = (cell, *labels)
        if sector.line and sector.line.is_isolated:
            outlines.append(replace(cell, role="cut-off"))
        if sector.chosen:
            outlines.append(replace(cell, role="chosen"))
    return MapParts(width, top + height, tuple(around), cells, tuple(outlines), _map_told(sectors, heading))


def blanks(sector_map: maps.SectorMap) -> list[Blank]:
    """The sectors of a map for the pencil."""
    return [Blank(number) for number in sorted(sector_map.neighbours)]


def _cell(drawing: maps.MapOutlines, sector: Sector, scale: float) -> Drawing:
    """One sector: its area, its number, its mark."""
    points = tuple((x * scale, y * scale) for x, y in drawing.cells[sector.number])
    x, y = (at * scale for at in drawing.labels[sector.number])
    number = Label(x, y, str(sector.number), 19, "number", bold=True)
    text, size = fitted(sector.mark, _MARK_ROOM, 13, 8)
    marks = (Label(x, y + 14, text, size, "mark"),) if text else ()
    return Drawing(_WIDTH, _HEIGHT, (Polygon(points, sector.holding.value), number, *marks), "")


def _edges(width: float, top: float) -> Iterable[Label]:
    """The friendly edges by name (20.3.4)."""
    west, east = (f"{EDGE_NAMES[side].capitalize()}: {side.capitalize()} map edge" for side in Side)
    yield Label(_MARGIN, top - 4, west, 12.5, "edge", anchor="start")
    yield Label(width - _MARGIN, top - 4, east, 12.5, "edge", anchor="end")


def _heading(text: str, width: float) -> Iterable[Label]:
    text, size = fitted(text, width - 2 * _MARGIN, 15, 9, bold=True)
    yield replace(_label(_MARGIN, 16, text, size, "heading", bold=True), anchor="start")


_MEANINGS = (
    (("german", "German"), ("russian", "Russian"), ("threatened", "Threatened")),
    (("nobody", "Nobody’s"), ("cut-off", "Isolated")),
)


def _legend(top: float) -> Iterable[Shape]:
    """What the patterns mean, in two lines."""
    for row, meanings in enumerate(_MEANINGS):
        for column, (role, word) in enumerate(meanings):
            x, y = _MARGIN + column * 84, top + row * _LINE
            yield box(x + 1, y + 3, 20, 13, role)
            yield replace(_label(x + 26, y + 14, word, 11, "edge"), anchor="start")
    words = "G2 R3: units that are known of"
    yield replace(_label(_MARGIN + 2 * 84, top + _LINE + 14, words, 11, "edge"), anchor="start")


def _map_told(sectors: Iterable[Sector], heading: str) -> str:
    """The map in a sentence for each thing that it shows."""
    sectors = list(sectors)
    held = {each: [s.number for s in sectors if s.holding is each] for each in Holding}
    parts = [f"{heading}." if heading else "Sector map."]
    parts += [f"{each.word.capitalize()}: {join_numbers(numbers)}." for each, numbers in held.items() if numbers]
    cut_off = [sector.number for sector in sectors if sector.line and sector.line.is_isolated]
    parts += [f"Isolated: {join_numbers(cut_off)}."] if cut_off else []
    marks = [f"{sector.number}: {sector.mark}" for sector in sectors if sector.mark]
    parts += [f"Units by sector: {'; '.join(marks)}."] if marks else []
    return " ".join(parts)
