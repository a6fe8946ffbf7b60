"""The borders of a map that no drawing has room for, and what they would cross."""

from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .frame import EDGES, FRAME, FRAME_LINKS, Edges, Graph, links_shown, order_link
from .planarity import Link, embed, is_planar, ways_between

MOST_CROSSINGS = 6  # that are listed


@dataclass(frozen=True, slots=True)
class Crossing:
    """A border that cannot be drawn, of a sector with another or with a side of the frame; ``crosses``: which ones."""

    border: Link
    crosses: tuple[Link, ...] = ()

    def __str__(self) -> str:
        over = " and ".join(_name_border(border) for border in self.crosses)
        return f"{_name_border(self.border)} would cross {over or 'another border'}"


def _name_border(border: Link) -> str:
    sector, neighbour = border
    return f"{sector} at the {neighbour} edge" if neighbour in EDGES else f"{sector}–{neighbour}"


def find_crossings(neighbours: Graph, edges: Edges, last: Collection[Link] = ()) -> list[Crossing]:
    """The first few borders that no drawing has room for beside the others. ``last``: those that give way first."""
    links = sorted(links_shown(neighbours, edges), key=lambda link: (link in last, link[1] not in FRAME))
    fits: list[Link] = []
    left_out: list[Link] = []
    while links and len(left_out) < MOST_CROSSINGS:
        # The first that crosses: with fewer before it nothing does, with more something always does.
        fitting = bisect_left(range(len(links)), True, key=lambda last: not fit_together([*fits, *links[: last + 1]]))
        fits += links[:fitting]
        left_out += links[fitting : fitting + 1]
        links = links[fitting + 1 :]
    if not left_out:
        return []
    rotation = embed([*FRAME_LINKS, *fits])
    barred = {frozenset(link) for link in FRAME_LINKS}
    return [Crossing(link, tuple(map(order_link, ways_between(rotation, *link, barred)))) for link in left_out]


def fit_together(links: Iterable[Link]) -> bool:
    """Whether a drawing has room for all of them, within its frame."""
    return is_planar([*FRAME_LINKS, *links])
