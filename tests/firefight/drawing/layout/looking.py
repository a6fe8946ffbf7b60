"""An independent look at a drawing of a map."""

from itertools import combinations

from campaign.presenters.drafting import list_zooms
from firefight.drawing.layout.frame import EAST, WEST
from firefight.drawing.layout.polygons import is_inside, is_simple, overlap, sides


def check(drawing, neighbours, edges):
    """An independent look at a drawing: it knows nothing of how the app checks one."""
    cells = drawing.cells
    owners = {}
    for number, cell in cells.items():
        assert is_simple(cell)
        assert is_inside(drawing.labels[number], cell)
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in cell)
        for side in sides(cell):
            owners.setdefault(frozenset(side), []).append(number)
    shared = [tuple(sorted(sectors)) for sectors in owners.values() if len(sectors) > 1]
    assert set(shared) == {(a, b) for a, others in neighbours.items() for b in others if a < b}
    assert not [pair for pair in combinations(cells, 2) if overlap(cells[pair[0]], cells[pair[1]])]
    for side, at in ((WEST, 0), (EAST, drawing.width)):
        touching = {n for n, cell in cells.items() if any(a[0] == b[0] == at for a, b in sides(cell))}
        assert touching == set(edges[side])


def measure_smallest(drawing):
    """How wide or high the smallest sector is on a phone, in px, where the map is made largest."""
    spans = [max(values) - min(values) for cell in drawing.cells.values() for values in zip(*cell, strict=True)]
    return min(spans) * 360 / drawing.width * max(list_zooms(drawing))
