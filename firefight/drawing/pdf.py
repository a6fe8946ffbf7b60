"""Drawings on paper: vectors, with words that can be selected. Patterns end where their area does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor, sqrt

from fpdf.enums import RenderStyle

from firefight.drawing.letters import FONT
from firefight.drawing.paper import ANCHORS, POINT, Paper
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Point, Polygon, Shape, place_drawing

from .patterns import DOT, STROKE

_INK = "#000000"
_POINT_LIKE = 0.001  # mm: no dash may be without length
_SLANTS = {Pattern.HATCHED: (1,), Pattern.CROSSED: (1, -1)}


def paint(paper: Paper, drawing: Drawing, x: float, y: float, width: float, paints: Mapping[str, Paint]) -> float:
    """Draw on the page with the top left corner at x, y; returns the height. All in mm.

    Raises KeyError for a role without paint.
    """
    scale = width / drawing.width
    looks = {shape.role: _scaled(paints[shape.role], scale) for shape in drawing.shapes}
    # Equal drawings are equal in the file, wherever they lie: apart from their place the second costs nothing.
    with paper.moved_by(x, y):
        for shape in place_drawing(drawing, 0, 0, scale):
            _paint_shape(paper, shape, looks[shape.role])
    return drawing.height * scale


def _scaled(look: Paint, scale: float) -> Paint:
    return replace(look, width=look.width * scale, grain=look.grain * scale, dash=look.dash * scale)


def _paint_shape(paper: Paper, shape: Shape, look: Paint) -> None:
    match shape:
        case Label():
            _draw_label(paper, shape, look)
        case Line():
            if _take_pen(paper, look):
                paper.polyline(shape.points)
        case Ellipse():
            style = _set_paint(paper, look)
            if style:
                around = (shape.x - shape.rx, shape.y - shape.ry, 2 * shape.rx, 2 * shape.ry)
                paper.ellipse(*around, style=style)
        case Polygon() if look.pattern is Pattern.PLAIN:
            style = _set_paint(paper, look)
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


def _set_paint(paper: Paper, look: Paint) -> RenderStyle | None:
    """Set a paint's line and colour; says which of them FPDF is to use."""
    if look.fill:
        paper.set_fill_color(look.fill)
    has_line = _take_pen(paper, look)
    if look.fill:
        return RenderStyle.DF if has_line else RenderStyle.F
    return RenderStyle.D if has_line else None


def _draw_label(paper: Paper, label: Label, look: Paint) -> None:
    size = label.size / POINT
    length = paper.length(label.text, size, label.bold)
    left = label.x - ANCHORS[label.anchor] * length
    if look.line:
        # Letters drawn twice would be found twice by whoever searches the file: a ground serves as an outline would.
        room = look.width / 2
        paper.set_fill_color(look.line)
        top = label.y - 0.72 * label.size - room
        paper.rect(left - room, top, length + 2 * room, 0.74 * label.size + 2 * room, style=RenderStyle.F)
    paper.set_font(FONT, "B" if label.bold else "", size)
    paper.set_text_color(look.fill or _INK)
    paper.text(left, label.y, label.text)


# Patterns


def _fill_with_pattern(paper: Paper, points: tuple[Point, ...], look: Paint) -> None:
    """Strokes or dots within an area. They lie on one grid for the whole drawing, so that neighbours agree.

    Dashed lines draw them, so that the file holds few numbers.
    """
    if look.pattern is Pattern.DOTTED:
        # A dash without length and with round ends is a dot.
        with paper.local_context(draw_color=look.ink, line_width=2 * DOT * look.grain, stroke_cap_style="round"):
            paper.set_dash_pattern(_POINT_LIKE, look.grain - _POINT_LIKE)
            for first, level, last in rows_of_dots(points, look.grain):
                paper.line(first, level, last + _POINT_LIKE, level)
        return
    with paper.clipped_to(points):
        if look.pattern is Pattern.RULED:
            _draw_ruling(paper, points, look)
        for slant in _SLANTS.get(look.pattern, ()):
            _draw_hatching(paper, points, look, slant)


def _draw_ruling(paper: Paper, points: tuple[Point, ...], look: Paint) -> None:
    """Level strokes, ``grain`` apart, in the middle of each step: the dashes of one line as wide as the area."""
    across, levels = [x for x, _ in points], [y for _, y in points]
    stroke, middle = STROKE * look.grain, (min(across) + max(across)) / 2
    first = (floor(min(levels) / look.grain) + 0.5) * look.grain - stroke / 2
    looks = {"draw_color": look.ink, "line_width": max(across) - min(across), "stroke_cap_style": "butt"}
    with paper.local_context(**looks):
        paper.set_dash_pattern(stroke, look.grain - stroke)
        paper.line(middle, first, middle, max(levels) + look.grain)


def _draw_hatching(paper: Paper, points: tuple[Point, ...], look: Paint, slant: int) -> None:
    """Slanting strokes, ``grain`` apart along x: the dashes of one line across the area, as wide as the area is.

    ``slant``: 1 rises, -1 falls.
    """
    # Turned by half a right angle the strokes are upright.
    turned = [((x + slant * y) / sqrt(2), (y - slant * x) / sqrt(2)) for x, y in points]
    step, stroke = look.grain / sqrt(2), STROKE * look.grain
    across, along = [x for x, _ in turned], [y for _, y in turned]
    first = floor(min(across) / step) * step - stroke / 2
    middle = (min(along) + max(along)) / 2
    ends = [((at - slant * middle) / sqrt(2), (middle + slant * at) / sqrt(2)) for at in (first, max(across) + step)]
    looks = {"draw_color": look.ink, "line_width": max(along) - min(along), "stroke_cap_style": "butt"}
    with paper.local_context(**looks):
        paper.set_dash_pattern(stroke, step - stroke)
        paper.line(*ends[0], *ends[1])


def rows_of_dots(points: Sequence[Point], grain: float) -> Iterator[tuple[float, float, float]]:
    """The middles of dots that lie in a polygon as a whole, ``grain`` apart: each row as first, level, last.

    Rows are half a ``grain`` apart, every other one shifted.
    """
    reach = DOT * grain
    levels, half = [y for _, y in points], grain / 2
    for row in range(ceil(min(levels) / half), floor(max(levels) / half) + 1):
        shift = half * (row % 2)
        around = (_cut_polygon(points, row * half + over) for over in (-reach, 0, reach))
        for ends in zip(*around, strict=False):  # where a part ends within a dot, there is no room for one
            start, end = max(left for left, _ in ends), min(right for _, right in ends)
            first, last = ceil((start + reach - shift) / grain), floor((end - reach - shift) / grain)
            if first <= last:
                yield first * grain + shift, row * half, last * grain + shift


def _cut_polygon(points: Sequence[Point], level: float) -> Iterator[tuple[float, float]]:
    """Where a level line lies inside a polygon: each part from left to right."""
    cuts = sorted(
        ax + (level - ay) * (bx - ax) / (by - ay)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
        if (ay <= level) != (by <= level)
    )
    return zip(cuts[::2], cuts[1::2], strict=True)
