"""What a drawing looks like: what leaves its frame, which words overlap."""

from itertools import combinations

from firefight.drawing.fonts import measure_length
from firefight.drawing.shapes import Ellipse, Label, Line, Polygon


def reach(shape, paints):
    """The box around a shape, its line and its letters included."""
    paint = paints[shape.role]
    more = paint.width / 2 if paint.line else 0
    match shape:
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
        case Ellipse():
            xs, ys = (shape.x - shape.rx, shape.x + shape.rx), (shape.y - shape.ry, shape.y + shape.ry)
        case Label():
            long = measure_length(shape.text, shape.size, shape.bold)
            start = shape.x - {"start": 0, "middle": long / 2, "end": long}[shape.anchor]
            xs, ys, more = (start, start + long), (shape.y - 0.74 * shape.size, shape.y + 0.22 * shape.size), 0
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


def beyond(drawing, paints):
    """Shapes that leave the frame."""
    return [
        shape
        for shape in drawing.shapes
        for left, top, right, bottom in [reach(shape, paints)]
        if left < 0 or top < 0 or right > drawing.width or bottom > drawing.height
    ]


def clashes(drawing, paints):
    """Words that overlap."""
    words = [(shape.text, reach(shape, paints)) for shape in drawing.shapes if isinstance(shape, Label)]
    return [
        (one, other)
        for (one, a), (other, b) in combinations(words, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] + 1.5 < b[3] and b[1] + 1.5 < a[3]
    ]


def words(drawing):
    """The words of a drawing."""
    return [shape.text for shape in drawing.shapes if isinstance(shape, Label)]
