"""Exact geometry of the sector drawing: polygons with whole-number corners, so nothing is ever rounded."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

Point = tuple[int, int]
Polygon = Sequence[Point]


def sides(polygon: Polygon) -> list[tuple[Point, Point]]:
    """The sides of a polygon, in its own direction."""
    return list(pairwise([*polygon, polygon[0]]))


def doubled_area(polygon: Polygon) -> int:
    """Twice the area: positive if the corners run clockwise on a page, where y grows downward."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in sides(polygon))


def hand_of(a: Point, b: Point, c: Point) -> int:
    """The side of the line from a to b on which ``c`` lies: 1, -1, or 0 on the line."""
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)


def is_between(a: Point, b: Point, c: Point) -> bool:
    """Whether ``c`` lies on the side from a to b, but is neither of its ends."""
    inside = min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])
    return c not in (a, b) and inside and hand_of(a, b, c) == 0


def cross_over(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the sides a-b and c-d cut each other at a point that is an end of neither."""
    return hand_of(a, b, c) * hand_of(a, b, d) < 0 and hand_of(c, d, a) * hand_of(c, d, b) < 0


def is_inside(point: Point, polygon: Polygon) -> bool:
    """Whether a point lies strictly inside: a ray to the right cuts the outline an odd number of times."""
    odd = False
    for a, b in sides(polygon):
        if point in (a, b) or is_between(a, b, point):
            return False
        if (a[1] > point[1]) != (b[1] > point[1]):
            odd ^= hand_of(a, b, point) == (1 if a[1] < b[1] else -1)
    return odd


def is_simple(polygon: Polygon) -> bool:
    """Whether the outline has an area, passes no point twice, and never touches or cuts itself."""
    if len(polygon) < 3 or len(set(polygon)) != len(polygon) or doubled_area(polygon) == 0:
        return False
    edges = sides(polygon)
    touches = any(is_between(a, b, corner) for a, b in edges for corner in polygon)
    return not touches and not any(cross_over(*side, *second) for side in edges for second in edges)


def box_around(polygon: Polygon) -> tuple[int, int, int, int]:
    """Its left, top, right and bottom."""
    across, down = zip(*polygon, strict=True)
    return min(across), min(down), max(across), max(down)


def are_near(first: Polygon, second: Polygon) -> bool:
    """Whether the boxes around two polygons meet; if not, the polygons have nothing in common."""
    left, top, right, foot = box_around(first)
    other_left, other_top, other_right, other_foot = box_around(second)
    return left <= other_right and other_left <= right and top <= other_foot and other_top <= foot


def overlap(first: Polygon, second: Polygon) -> bool:
    """Whether two simple polygons cover any common ground. Sharing sides or corners is not overlapping."""
    if not are_near(first, second):
        return False
    if doubled_area(first) * doubled_area(second) < 0:
        second = second[::-1]
    if set(sides(first)) & set(sides(second)):  # the same side in the same direction: both lie on one hand of it
        return True
    if any(cross_over(*side, *second_side) for side in sides(first) for second_side in sides(second)):
        return True
    return _reaches_into(first, second) or _reaches_into(second, first)


def _reaches_into(first: Polygon, second: Polygon) -> bool:
    """Whether a corner of the first, or the middle of one of its sides, lies inside the second."""
    twice = [(2 * x, 2 * y) for x, y in second]
    middles = [(a[0] + b[0], a[1] + b[1]) for a, b in sides(first)]
    return any(is_inside(point, twice) for point in [*middles, *((2 * x, 2 * y) for x, y in first)])


def loose_contacts(first: Polygon, second: Polygon) -> Iterator[Point]:
    """Corners of the first that lie on a side of the second without being a corner of it."""
    return (corner for corner in first if any(is_between(a, b, corner) for a, b in sides(second)))


def shared_sides(first: Polygon, second: Polygon) -> int:
    """How many sides two polygons have in common, in whichever direction."""
    return len({frozenset(side) for side in sides(first)} & {frozenset(side) for side in sides(second)})
