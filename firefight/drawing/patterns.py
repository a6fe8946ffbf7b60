"""The tile that each pattern repeats, for painters that tile an area: strokes and dots in a square of one by one."""

from firefight.drawing.shapes import Pattern, Point

STROKE = 0.22  # the width of a stroke; a dot's radius is a little less
DOT = 0.16

# Strokes run on beyond the tile, so that they are whole where tiles meet.
_RISING = (((0, 1), (1, 0)), ((-0.5, 0.5), (0.5, -0.5)), ((0.5, 1.5), (1.5, 0.5)))
_FALLING = tuple(((x, 1 - y), (u, 1 - v)) for (x, y), (u, v) in _RISING)

STROKES: dict[Pattern, tuple[tuple[Point, Point], ...]] = {
    Pattern.HATCHED: _RISING,
    Pattern.CROSSED: _RISING + _FALLING,
    Pattern.RULED: (((0, 0.5), (1, 0.5)),),
}
DOTS: dict[Pattern, tuple[Point, ...]] = {Pattern.DOTTED: ((0.25, 0.25), (0.75, 0.75))}
