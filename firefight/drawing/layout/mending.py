"""A drawing of a map changed only where its borders have changed."""

from collections.abc import Sequence

from .frame import FRAME, NORTH, SOUTH, Edges, Graph, MapOutlines, links_shown, order_link
from .net import Net
from .old_drawing import OldDrawing, pin_corners
from .placing import draw_net
from .planarity import Link, Rotation, Vertex, insert_link, is_connected, remove_link
from .soundness import is_good, measure_least
from .springs import Springs
from .stretches import outlines_of

ROOMY = 0.12  # of the room that a cell would have if all were alike: with less, the whole map is laid out again
# How far from what has changed corners may move, and how much finer the drawing is.
_TRIES = ((0, 1), (1, 1), (2, 1), (3, 1), (1, 4))


def mend(neighbours: Graph, edges: Edges, rotation: Rotation, before: MapOutlines) -> MapOutlines | None:
    """The drawing changed only where it must be; None where no way was found."""
    outlines, links = outlines_of(before), links_shown(neighbours, edges)
    changed = find_wrong_links(rotation, links)
    if not changed:
        return before
    roomiest: MapOutlines | None = None
    near: set[Vertex] = {vertex for link in changed for vertex in link if isinstance(vertex, int)}
    for is_open in (False, True):
        mended = _change_rotation(rotation, links, is_open)
        if mended is None:
            continue
        net = Net(mended, neighbours)
        for rings, scale in _TRIES:
            old = OldDrawing(outlines, scale, _find_near(near, rings, rotation), before)
            width, height = before.width * scale, before.height * scale
            drawn = draw_net(net, width, height, Springs(net, width, height, *pin_corners(net, old)).settle(), old)
            if drawn and is_good(drawn, neighbours, edges):
                if measure_least(drawn) > ROOMY:
                    return drawn
                roomiest = max((drawing for drawing in (roomiest, drawn) if drawing), key=measure_least)
    return roomiest


def _find_near(near: set[Vertex], rings: int, rotation: Rotation) -> set[Vertex]:
    """What has changed, with ``rings`` less one around it; nothing without a ring."""
    freed = set(near) if rings else set()
    for _ in range(rings - 1):
        freed |= {neighbour for vertex in freed for neighbour in rotation[vertex]}
    return freed


def find_wrong_links(rotation: Rotation, links: Sequence[Link]) -> set[Link]:
    """What the drawing shows but should not, or does not show but should."""
    links_drawn = {
        order_link((vertex, neighbour))
        for vertex, beside in rotation.items()
        for neighbour in beside
        if isinstance(vertex, int) and neighbour not in (NORTH, SOUTH)
    }
    return links_drawn ^ set(links)


def _change_rotation(rotation: Rotation, links: Sequence[Link], is_open: bool) -> Rotation | None:
    """The rotation with other links; None if one of them cannot go in. ``is_open``: north and south give way."""
    fresh = {vertex: list(beside) for vertex, beside in rotation.items()}
    changes = find_wrong_links(rotation, links)
    for start, end in changes - set(links):
        remove_link(fresh, start, end)
    if is_open:
        for side in (NORTH, SOUTH):
            for sector in [vertex for vertex in fresh[side] if isinstance(vertex, int)]:
                remove_link(fresh, side, sector)
    for start, end in sorted(changes & set(links), key=str):
        if not insert_link(fresh, start, end, set(FRAME)):
            return None
    return fresh if is_connected(fresh) else None  # faces do not say how separate parts lie to each other
