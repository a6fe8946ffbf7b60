"""Whether a drawing of a map shows its borders, and has room for every cell."""

from collections.abc import Iterator
from itertools import combinations

from .frame import EAST, WEST, Edges, Graph, MapOutlines
from .polygons import Polygon, are_near, doubled_area, is_inside, loose_contacts, overlap, shared_sides, sides

LEAST_SPAN = 1 / 432  # of a cell, by the width of the map: 40 px of 360 px made 48 times as large
_MOST_CORNERS = 400  # of the drawing


def measure_least(drawing: MapOutlines) -> float:
    """The room of the smallest sector, relative to what each would have if all were alike."""
    areas = [abs(doubled_area(cell)) / 2 for cell in drawing.cells.values()]
    return min(areas) * len(areas) / (drawing.width * drawing.height)


def has_room(drawing: MapOutlines) -> bool:
    """Whether every sector is as wide and as high as a finger needs where the map is made largest."""
    spans = (max(ends) - min(ends) for cell in drawing.cells.values() for ends in zip(*cell, strict=True))
    return all(span >= LEAST_SPAN * drawing.width for span in spans)


def is_good(drawing: MapOutlines, neighbours: Graph, edges: Edges) -> bool:
    return has_room(drawing) and is_sound(drawing, neighbours, edges)


def is_sound(drawing: MapOutlines, neighbours: Graph, edges: Edges) -> bool:
    """Whether a drawing shows exactly the borders."""
    return next(find_drawing_flaws(drawing, neighbours, edges), None) is None


def find_drawing_flaws(drawing: MapOutlines, neighbours: Graph, edges: Edges) -> Iterator[tuple[str, str]]:
    """Where a drawing does not say the same as the numbers, each with what is wrong there.

    Sides are borders, and only the cells of an edge touch it.
    """
    cells = drawing.cells
    if sum(map(len, cells.values())) > _MOST_CORNERS:  # every side is compared with every other
        yield "drawing.cells", f"have more than {_MOST_CORNERS} corners together"
        return
    for number, label in drawing.labels.items():
        if number in cells and not is_inside(label, cells[number]):
            yield f"labels, sector {number}", "lies outside its cell"
    for first, second in combinations(cells, 2):
        bordering = second in neighbours[first] or first in neighbours[second]
        if bordering or are_near(cells[first], cells[second]):
            flaws = _find_flaws_between(cells[first], cells[second], bordering)
            yield from ((f"cells, sectors {first} and {second}", flaw) for flaw in flaws)
    for side, border in ((WEST, 0), (EAST, drawing.width)):
        for number, polygon in cells.items():
            touches = any(a[0] == b[0] == border for a, b in sides(polygon))
            if touches != (number in edges[side]):
                says = "touches" if touches else "does not touch"
                listed = "is not listed there" if touches else "is listed there"
                yield f"cells, sector {number}", f"{says} the {side} border, but {listed}"


def _find_flaws_between(first: Polygon, second: Polygon, bordering: bool) -> Iterator[str]:
    """What is wrong between two cells that may touch."""
    if overlap(first, second):
        yield "overlap"
        return
    touching = shared_sides(first, second)
    if touching and not bordering:
        yield "share a side, but are not neighbours"
    elif bordering and not touching:
        yield "are neighbours, but share no side"
    if loose := {*loose_contacts(first, second), *loose_contacts(second, first)}:
        yield f"a corner of one lies on a side of the other, at {sorted(loose)[0]}"
