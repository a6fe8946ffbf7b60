"""Drawings on paper: vectors, with words that can be selected. Patterns end where their area does."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import ceil, floor, sqrt

from fpdf.enums import RenderStyle

from firefight.drawing.paper import ANCHORS, FONT, POINT, Paper
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Point, Polygon, Shape, placed

from .patterns import DOT, STROKE

_INK = "#000000"
_SLANTS = {Pattern.HATCHED: (1,), Pattern.CROSSED: (1, -1)}


def paint(paper: Paper, drawing: Drawing, x: float, y: float, width: float, paints: Mapping[str, Paint]) -> float:
    """Draw on the page with the top left corner at x, y; returns the height. All in mm.

    Raises KeyError for a role without paint.
    """
    scale = width / drawing.width
    looks = {shape.role: _scaled(paints[shape.role], scale) for shape in drawing.shapes}
    for shape in placed(drawing, x, y, scale):
        _paint_shape(paper, shape, looks[shape.role])
    paper.set_dash_pattern()
    return drawing.height * scale


def _scaled(look: Paint, scale: float) -> Paint:
    return replace(look, width=look.width * scale, grain=look.grain * scale, dash=look.dash * scale)


def _paint_shape(paper: Paper, shape: Shape, look: Paint) -> None:
    match shape:
        case Label():
            _write(paper, shape, look)
        case Line():
            if _take_pen(paper, look):
                paper.polyline(shape.points)
        case Ellipse():
            style = _style(paper, look)
            if style:
                around = (shape.x - shape.rx, shape.y - shape.ry, 2 * shape.rx, 2 * shape.ry)
                paper.ellipse(*around, style=style)
        case Polygon() if look.pattern is Pattern.PLAIN:
            style = _style(paper, look)
            if style:
                paper.polygon(shape.points, style=style)
        case Polygon():
            if look.fill:
                paper.set_fill_color(look.fill)
                paper.polygon(shape.points, style=RenderStyle.F)
            _fill_with_pattern(paper, shape.points, look)
            if _take_pen(paper, look):
                paper.polygon(shape.points)


def _take_pen(paper: Paper, look: Paint) -> bool:
    """Set a paint's line; says whether it has one."""
    if look.line:
        paper.set_draw_color(look.line)
        paper.set_line_width(look.width)
        # FPDF ends strokes half a width beyond their points: the gaps make up for it.
        over = look.width if look.dash else 0
        paper.set_dash_pattern(look.dash - over, look.dash / 2 + over)
    return bool(look.line)


def _style(paper: Paper, look: Paint) -> RenderStyle | None:
    """Set a paint's line and colour; says which of them FPDF is to use."""
    if look.fill:
        paper.set_fill_color(look.fill)
    has_line = _take_pen(paper, look)
    if look.fill:
        return RenderStyle.DF if has_line else RenderStyle.F
    return RenderStyle.D if has_line else None


def _write(paper: Paper, label: Label, look: Paint) -> None:
    size = label.size / POINT
    length = paper.length(label.text, size, label.bold)
    left = label.x - ANCHORS[label.anchor] * length
    if look.line:
        # Letters drawn twice would be found twice by whoever searches the file: a ground does what an outline would.
        room = look.width / 2
        paper.set_fill_color(look.line)
        top = label.y - 0.72 * label.size - room
        paper.rect(left - room, top, length + 2 * room, 0.74 * label.size + 2 * room, style=RenderStyle.F)
    paper.set_font(FONT, "B" if label.bold else "", size)
    paper.set_text_color(look.fill or _INK)
    paper.text(left, label.y, label.text)


# Patterns


def _fill_with_pattern(paper: Paper, points: tuple[Point, ...], look: Paint) -> None:
    """Strokes or dots within an area. They lie on one grid for the whole page, so that neighbours agree."""
    if look.pattern is Pattern.DOTTED:
        # A line without length and with round ends is the shortest way to write a dot.
        with paper.local_context(draw_color=look.ink, line_width=2 * DOT * look.grain, stroke_cap_style="round"):
            for x, y in dots(points, look.grain):
                paper.line(x, y, x, y)
        return
    paper.set_draw_color(look.ink)
    paper.set_line_width(STROKE * look.grain)
    paper.set_dash_pattern()
    for slant in _SLANTS[look.pattern]:
        for start, end in hatches(points, look.grain, slant):
            paper.line(*start, *end)


def hatches(points: Iterable[Point], grain: float, slant: int) -> Iterator[tuple[Point, Point]]:
    """The parts of slanting lines that lie in a polygon, ``grain`` apart along x. ``slant``: 1 rises, -1 falls."""
    # Turned by half a right angle the lines are level.
    turned = [((x - slant * y) / sqrt(2), (y + slant * x) / sqrt(2)) for x, y in points]
    for start, level, end in _scan(turned, grain / sqrt(2)):
        first, last = (((along + slant * level) / sqrt(2), (level - slant * along) / sqrt(2)) for along in (start, end))
        yield first, last


def dots(points: Iterable[Point], grain: float) -> Iterator[Point]:
    """The middles of dots that lie in a polygon as a whole: rows half a ``grain`` apart, every other one shifted."""
    for start, level, end in _scan(list(points), grain / 2):
        shift = grain / 2 * (round(level / grain * 2) % 2)
        edge = 2 * DOT * grain  # more than the radius, for sides that are not upright
        first, last = ceil((start + edge - shift) / grain), floor((end - edge - shift) / grain)
        yield from ((number * grain + shift, level) for number in range(first, last + 1))


def _scan(points: list[Point], step: float) -> Iterator[tuple[float, float, float]]:
    """Level lines, ``step`` apart, where they lie in a polygon: each part as from, level, to."""
    levels = [y for _, y in points]
    for number in range(ceil(min(levels) / step), floor(max(levels) / step) + 1):
        level = number * step
        cuts = sorted(
            ax + (level - ay) * (bx - ax) / (by - ay)
            for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
            if (ay <= level) != (by <= level)
        )
        yield from ((start, level, end) for start, end in zip(cuts[::2], cuts[1::2], strict=True))
