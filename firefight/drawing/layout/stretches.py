"""An existing drawing, read back: what lies across each stretch of an outline, and which cells lie around which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .frame import AROUND, EAST, FRAME, NORTH, SOUTH, WEST, MapOutlines
from .planarity import Rotation, Vertex
from .polygons import Point, doubled_area, sides


@dataclass(slots=True)
class CellOutline:
    """The outline of a cell as stretches, clockwise: what lies across each, and its corners from end to end.

    What lies across is a sector, a side of the frame, or None for ground.
    """

    stretches: list[tuple[Vertex | None, list[Point]]]


def outlines_of(drawing: MapOutlines) -> dict[int, CellOutline]:
    """Every cell of a drawing in stretches."""
    owner: dict[tuple[Point, Point], int] = {}
    clockwise = {n: cell if doubled_area(cell) > 0 else cell[::-1] for n, cell in drawing.cells.items()}
    for number, cell in clockwise.items():
        owner.update(dict.fromkeys(sides(cell), number))
    outlines = {}
    for number, cell in clockwise.items():
        across = [(owner.get((b, a)) or _frame_at(a, b, drawing), a, b) for a, b in sides(cell)]
        start = next((n for n in range(len(across)) if across[n][0] != across[n - 1][0]), 0)
        stretches: list[tuple[Vertex | None, list[Point]]] = []
        for beyond, a, b in across[start:] + across[:start]:
            if stretches and stretches[-1][0] == beyond:
                stretches[-1][1].append(b)
            else:
                stretches.append((beyond, [a, b]))
        outlines[number] = CellOutline(stretches)
    return outlines


def _frame_at(a: Point, b: Point, drawing: MapOutlines) -> Vertex | None:
    """The side of the frame that a side of a cell lies on."""
    lines = {WEST: (0, 0), NORTH: (1, 0), EAST: (0, drawing.width), SOUTH: (1, drawing.height)}
    return next((side for side, (axis, at) in lines.items() if a[axis] == b[axis] == at), None)


def rotation_of(outlines: Mapping[int, CellOutline]) -> Rotation | None:
    """What lies around each cell of a drawing, clockwise; None for one in which two cells meet in two places."""
    rotation: Rotation = {
        number: [across for across, _ in outline.stretches if across is not None]
        for number, outline in outlines.items()
    }
    if any(len(set(beside)) != len(beside) for beside in rotation.values()):
        return None
    for place, side in enumerate(FRAME):
        axis = 1 if side in (WEST, EAST) else 0
        # Clockwise around a side of the frame: the next side, those within, the one before, what lies around.
        within = [
            (min(point[axis] for point in points), number)
            for number, outline in outlines.items()
            for across, points in outline.stretches
            if across == side
        ]
        rotation[side] = [AROUND, FRAME[(place + 1) % 4], *_inward(side, within), FRAME[place - 1]]
    rotation[AROUND] = [SOUTH, EAST, NORTH, WEST]
    return rotation


def _inward(side: str, within: Sequence[tuple[int, int]]) -> list[Vertex]:
    """The sectors along a side of the frame from the next side to the one before."""
    numbers: list[Vertex] = [number for _, number in sorted(within)]
    return numbers if side in (WEST, SOUTH) else numbers[::-1]
