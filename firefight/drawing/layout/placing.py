"""A net whose corners have their places, as a drawing; and where in a cell its number stands."""

from collections.abc import Mapping, Sequence

from .frame import MapOutlines
from .net import Net
from .old_drawing import OldDrawing
from .polygons import Point, doubled_area, is_inside, sides
from .swelling import Place, measure_distance

_FAR_INSIDE = 0.5


def draw_net(
    net: Net, width: int, height: int, places: Mapping[int, Place], old: OldDrawing | None = None
) -> MapOutlines | None:
    """The drawing of a net whose corners have their places; None where cells have no room."""
    corners = {number: (round(x), round(y)) for number, (x, y) in places.items()}
    bends = old.bends() if old else {}
    cells = {sector: _outline(net, sector, corners, bends) for sector in net.neighbours}
    cells = {sector: old.recognize(sector, cell) if old else cell for sector, cell in cells.items()}
    if any(len(cell) < 3 for cell in cells.values()):
        return None
    return MapOutlines(width, height, cells, place_labels(cells, old.labels() if old else {}))


def _outline(
    net: Net, sector: int, corners: Mapping[int, Point], bends: Mapping[tuple[Point, Point], list[Point]]
) -> tuple[Point, ...]:
    """A cell, clockwise, with the bends that its stretches had."""
    around = [corners[number] for number in net.around(sector)]
    points: list[Point] = []
    for corner, following in zip(around, [*around[1:], around[0]], strict=True):
        back = bends.get((following, corner))
        points += [corner, *bends.get((corner, following), back[::-1] if back else [])]
    return tuple(dict.fromkeys(points))


def place_labels(cells: Mapping[int, Sequence[Point]], preferred: Mapping[int, Point]) -> dict[int, Point]:
    """Where each number stands: where it stood if that is nearly as far inside as it could be, else in the middle."""
    labels = {}
    for number, cell in cells.items():
        middle, label = _find_middle(cell), preferred.get(number)
        far_enough = _FAR_INSIDE * _measure_depth(middle, cell)
        labels[number] = label if label and _measure_depth(label, cell) >= far_enough else middle
    return labels


def _measure_depth(point: Point, cell: Sequence[Point]) -> float:
    """How far inside a cell a point lies; 0 outside."""
    if not is_inside(point, cell):
        return 0.0
    return min(measure_distance(point, a, b) for a, b in sides(cell))


def _find_middle(cell: Sequence[Point]) -> Point:
    """A point inside: the centre of mass, or else the middle of the widest stretch across the cell."""
    area = doubled_area(cell)
    if area:
        weights = [(a, b, a[0] * b[1] - b[0] * a[1]) for a, b in sides(cell)]
        x, y = (sum((a[axis] + b[axis]) * weight for a, b, weight in weights) / (3 * area) for axis in (0, 1))
        if is_inside((round(x), round(y)), cell):
            return round(x), round(y)
    middles = ((round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2)) for a in cell for b in cell)
    return next((point for point in middles if is_inside(point, cell)), cell[0])
