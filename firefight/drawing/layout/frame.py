"""What a map to be drawn is: numbered cells that border on each other, within a frame of four sides."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise

from .planarity import Link, Vertex
from .polygons import Point

# The sides of the frame, and what lies around it.
WEST, NORTH, EAST, SOUTH, AROUND = "west", "north", "east", "south", "around"
FRAME = (WEST, NORTH, EAST, SOUTH)
EDGES = (WEST, EAST)  # those of which it is told which cells touch them
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
    """Every border once, the lower number first; one that a single sector names counts."""
    return sorted({(min(one, other), max(one, other)) for one, others in neighbours.items() for other in others})


def links_shown(neighbours: Graph, edges: Edges) -> list[Link]:
    """What the drawing must show: borders between cells, and of cells with the west and the east side."""
    at_edges = [(sector, side) for side in EDGES for sector in sorted(edges.get(side, ()))]
    return [*list_borders(neighbours), *at_edges]


def order_link(link: Link) -> Link:
    one, other = link
    return (other, one) if isinstance(one, str) or (isinstance(other, int) and other < one) else link


def is_gap(vertex: Vertex) -> bool:
    return isinstance(vertex, str) and vertex not in (*FRAME, AROUND)
