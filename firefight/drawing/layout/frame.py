"""What a map to be drawn consists of: numbered cells that border on each other, within a frame of four sides."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise

from .planarity import Link, Vertex
from .polygons import Point

# The sides of the frame, and what lies around it.
WEST, NORTH, EAST, SOUTH, AROUND = "west", "north", "east", "south", "around"
FRAME = (WEST, NORTH, EAST, SOUTH)
EDGES = (WEST, EAST)  # those whose touching cells are given
FRAME_LINKS: tuple[Link, ...] = (
    *pairwise((*FRAME, WEST)),
    *((AROUND, side) for side in FRAME),
)

Graph = Mapping[int, Collection[int]]
Edges = Mapping[str, Collection[int]]  # by side of the frame


@dataclass(frozen=True, slots=True)
class MapOutlines:
    """Cells and label points by number, inside a frame of ``width`` by ``height``; north is up."""

    width: int
    height: int
    cells: Mapping[int, tuple[Point, ...]]
    labels: Mapping[int, Point]


def list_borders(neighbours: Graph) -> list[tuple[int, int]]:
    """Every border once, the lower number first, even if only one of its sectors names it."""
    return sorted({(min(sector, near), max(sector, near)) for sector, beside in neighbours.items() for near in beside})


def links_shown(neighbours: Graph, edges: Edges) -> list[Link]:
    """What the drawing must show: borders between cells, and of cells with the west and the east side."""
    at_edges = [(sector, side) for side in EDGES for sector in sorted(edges.get(side, ()))]
    return [*list_borders(neighbours), *at_edges]


def order_link(link: Link) -> Link:
    start, end = link
    return (end, start) if isinstance(start, str) or (isinstance(end, int) and end < start) else link


def is_gap(vertex: Vertex) -> bool:
    return isinstance(vertex, str) and vertex not in (*FRAME, AROUND)
