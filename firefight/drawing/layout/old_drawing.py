"""What a new drawing of a map takes from the one before."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .frame import MapOutlines, is_gap
from .net import Net
from .planarity import Link, Vertex, links_of
from .polygons import Point, sides
from .stretches import CellOutline
from .swelling import Place


@dataclass(frozen=True, slots=True)
class OldDrawing:
    """What a new drawing takes from an old one, ``scale`` times as large. ``freed``: sectors whose corners may move."""

    outlines: Mapping[int, CellOutline]
    scale: int
    freed: Collection[Vertex]
    before: MapOutlines

    def ends(self) -> dict[Link, tuple[Point, Point]]:
        """Where the stretch of a cell along another, or along the frame, begins and ends."""
        return {
            (number, across): (self._scaled(points[0]), self._scaled(points[-1]))
            for number, outline in self.outlines.items()
            for across, points in outline.stretches
            if across is not None
        }

    def bends(self) -> dict[tuple[Point, Point], list[Point]]:
        """What lies between the ends of a stretch."""
        return {
            (self._scaled(points[0]), self._scaled(points[-1])): [self._scaled(point) for point in points[1:-1]]
            for outline in self.outlines.values()
            for _, points in outline.stretches
            if len(points) > 2
        }

    def recognize(self, sector: int, cell: tuple[Point, ...]) -> tuple[Point, ...]:
        """A cell as it was written, if it is the same."""
        old_cell = tuple(self._scaled(point) for point in self.before.cells[sector])
        return (
            old_cell
            if len(old_cell) == len(cell) and set(sides(old_cell)) in ({*sides(cell)}, {*sides(cell[::-1])})
            else cell
        )

    def labels(self) -> dict[int, Point]:
        """Where the numbers stood."""
        return {number: self._scaled(label) for number, label in self.before.labels.items()}

    def _scaled(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale


def pin_corners(net: Net, old: OldDrawing) -> tuple[dict[int, Point], dict[int, Place]]:
    """The corners that stay, and roughly where those that move were; all by their stretches.

    A corner that has become two is parted gently: each is held by the old place.
    """
    ends, settled = old.ends(), {}
    about: dict[int, Place] = {}
    for number, triangle in enumerate(net.triangles):
        real = [link for link in links_of(triangle) if not any(is_gap(vertex) for vertex in link)]
        starts = [ends.get((start, end), (None,))[0] for start, end in real if isinstance(start, int)]
        stops = [ends.get((end, start), (None, None))[1] for start, end in real if isinstance(end, int)]
        candidates = {*starts, *stops}
        points = [point for point in candidates if point is not None]
        if points:
            about[number] = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        if len(candidates) == len(points) == 1 and not any(vertex in old.freed for vertex in triangle):
            settled[number] = points[0]
    used = list(settled.values())
    pinned = {number: point for number, point in settled.items() if used.count(point) == 1}
    return pinned, {number: place for number, place in about.items() if number not in pinned}
