"""Drawings as a list of shapes, which painters turn into SVG, PNG and PDF alike.

A shape has a ``role`` ("ground", "number"), not a colour: a style sheet, or the ``Paint`` of a role, says how it
looks. Coordinates go right and down; how long a unit is, is the painter's business.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

Point = tuple[float, float]


class Pattern(StrEnum):
    """What fills an area besides its colour, so that it can be told apart without one."""

    PLAIN = "plain"
    HATCHED = "hatched"
    DOTTED = "dotted"
    CROSSED = "crossed"
    RULED = "ruled"


@dataclass(frozen=True, slots=True)
class Paint:
    """How a role looks: colours as "#rrggbb", "" for none; ``width`` of its lines.

    A label's ink is its ``fill``; its ``line``, if it has one, runs around the letters and keeps what lies below
    away from them. Lengths are units of the drawing.
    """

    fill: str = ""
    line: str = ""
    width: float = 1
    pattern: Pattern = Pattern.PLAIN
    ink: str = "#000000"  # of the pattern
    grain: float = 8  # from one stroke of the pattern to the next
    dash: float = 0  # the strokes of a broken line; 0 for a whole one


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed area."""

    points: tuple[Point, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through some points."""

    points: tuple[Point, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse by its middle and its two radii."""

    x: float
    y: float
    rx: float
    ry: float
    role: str


@dataclass(frozen=True, slots=True)
class Label:
    """A word at its baseline. ``anchor``: which end of it stands at ``x``: start, middle or end.

    ``length``: how long it is in the letters that sheets and pictures are printed with, 0 if nobody measured it; a
    painter with other letters squeezes it to that.
    """

    x: float
    y: float
    text: str
    size: float
    role: str
    anchor: str = "middle"
    bold: bool = False
    length: float = 0


Shape = Polygon | Line | Ellipse | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in a frame of ``width`` by ``height``, painted in their order. ``told``: the same in words."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    told: str


def box(x: float, y: float, width: float, height: float, role: str) -> Polygon:
    """An upright rectangle."""
    return Polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), role)


def place_drawing(drawing: Drawing, x: float, y: float, scale: float = 1) -> Iterable[Shape]:
    """The shapes of a drawing where they come to lie in a larger one."""
    for shape in drawing.shapes:
        match shape:
            case Polygon() | Line():
                yield replace(shape, points=tuple((x + px * scale, y + py * scale) for px, py in shape.points))
            case Ellipse():
                middle_x, middle_y = x + shape.x * scale, y + shape.y * scale
                yield replace(shape, x=middle_x, y=middle_y, rx=shape.rx * scale, ry=shape.ry * scale)
            case Label():
                size, length = shape.size * scale, shape.length * scale
                yield replace(shape, x=x + shape.x * scale, y=y + shape.y * scale, size=size, length=length)
