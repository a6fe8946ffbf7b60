"""Lays a map out from its borders alone: borders and edges are what rules need, the drawing follows.

A map is drawn by its dual. Sectors, the four sides of the frame and, wherever more than three of them would meet in a
corner, gaps of ground are the vertices of a triangulated planar graph; each of its triangles is one corner of the
drawing, each of its edges one shared side. The corners then find their places as if the sides were springs (Tutte):
fixed on the frame, every cell of such a drawing is convex, so that nothing crosses.

Where there is a drawing already, every corner in which the same sectors still meet stays.
"""

from collections.abc import Sequence

from .crossings import Crossing, find_crossings, fit_together
from .frame import Edges, Graph, MapOutlines, links_shown, list_borders
from .mending import ROOMY, find_wrong_links, mend
from .net import Net, embed_map
from .placing import draw_net, place_labels
from .planarity import Link
from .polygons import Point
from .soundness import has_room, is_good, is_sound, measure_least
from .springs import Springs
from .stretches import outlines_of, rotation_of
from .swelling import Place

WIDTH, HEIGHT = 1440, 1728  # of a drawing that is laid out from scratch
_FINER = 5  # how much finer it is where a small cell needs that
LEAST_SECTORS, MOST_SECTORS = 3, 40
NO_ROOM = "No drawing was found in which every sector has room."


class CannotDraw(ValueError):
    """A map that is not laid out; the message says why. ``crossings``: borders that cannot be drawn beside the others.

    The only exception that this module raises. Sectors that are not drawn are shown as tiles.
    """

    def __init__(self, why: str = "", crossings: Sequence[Crossing] = ()):
        self.crossings = tuple(crossings)
        super().__init__(why or "; ".join(map(str, crossings)))

    def list_reasons(self) -> tuple[str, ...]:
        """Why, in sentences."""
        return tuple(f"{crossing}." for crossing in self.crossings) or (str(self),)


def lay_out_map(neighbours: Graph, edges: Edges, before: MapOutlines | None = None) -> MapOutlines:
    """A drawing of a map with these borders. Whatever in the drawing ``before`` need not change stays where it was.

    Raises CannotDraw, and nothing else: a drawing is a help, and nobody's borders are lost with one.
    """
    _refuse_nonsense(neighbours, edges)
    try:
        return _lay_out(neighbours, edges, before)
    except CannotDraw:
        raise
    except Exception as error:  # a mistake of ours, which the tests look for
        raise CannotDraw(NO_ROOM) from error


def _refuse_nonsense(neighbours: Graph, edges: Edges) -> None:
    """Refuse what somebody may still be typing."""
    if not LEAST_SECTORS <= len(neighbours) <= MOST_SECTORS:
        raise CannotDraw(f"A map has {LEAST_SECTORS} to {MOST_SECTORS} sectors to be laid out, not {len(neighbours)}.")
    numbers_named = {
        *(sector for beside in neighbours.values() for sector in beside),
        *(n for at in edges.values() for n in at),
    }
    if unknown := sorted(numbers_named - set(neighbours)):
        raise CannotDraw(f"The map has no sector {unknown[0]}.")
    if itself := [sector for sector, beside in neighbours.items() if sector in beside]:
        raise CannotDraw(f"Sector {itself[0]} cannot border on itself.")
    if alone := sorted(set(neighbours) - {sector for border in list_borders(neighbours) for sector in border}):
        raise CannotDraw(" ".join(f"Sector {sector} has no border at all." for sector in alone))


def _lay_out(neighbours: Graph, edges: Edges, before: MapOutlines | None) -> MapOutlines:
    links = links_shown(neighbours, edges)
    rotation = rotation_of(outlines_of(before)) if before and set(before.cells) == set(neighbours) else None
    added = set(links) & find_wrong_links(rotation, links) if rotation else set()
    if not fit_together(links):
        raise CannotDraw(crossings=find_crossings(neighbours, edges, added))
    mended = mend(neighbours, edges, rotation, before) if before and rotation else None
    if mended and measure_least(mended) > ROOMY:
        return mended
    fresh = _lay_out_afresh(neighbours, edges, links)
    roomiest = max((drawn for drawn in (mended, fresh) if drawn), key=measure_least, default=None)
    if roomiest is None:
        raise CannotDraw(NO_ROOM)
    return roomiest


def _lay_out_afresh(neighbours: Graph, edges: Edges, links: Sequence[Link]) -> MapOutlines | None:
    """A drawing of the borders alone; None where no sound one was found."""
    net = Net(embed_map(neighbours, links), neighbours)
    springs = Springs(net, WIDTH, HEIGHT)
    springs.settle()
    drawn = draw_net(net, WIDTH, HEIGHT, springs.places)
    if drawn and is_good(drawn, neighbours, edges):
        return drawn
    drawn = draw_net(net, WIDTH * _FINER, HEIGHT * _FINER, springs.snap(_FINER))
    return drawn if drawn and is_good(drawn, neighbours, edges) else None


def move_sector(drawing: MapOutlines, neighbours: Graph, edges: Edges, sector: int, to: Place) -> MapOutlines:
    """A drawing with a sector dragged towards a place, as far as every border still exists; its corners go with it."""
    x, y = drawing.labels[sector]
    corners = set(drawing.cells[sector])
    for tenths in range(10, 0, -1):
        by = (round((to[0] - x) * tenths / 10), round((to[1] - y) * tenths / 10))
        moved = {corner: _shift(corner, by, drawing) for corner in corners}
        cells = {number: tuple(moved.get(corner, corner) for corner in cell) for number, cell in drawing.cells.items()}
        labels = {**drawing.labels, sector: (x + by[0], y + by[1])}
        shifted = MapOutlines(drawing.width, drawing.height, cells, place_labels(cells, labels))
        if is_sound(shifted, neighbours, edges) and (has_room(shifted) or not has_room(drawing)):
            return shifted
    return drawing


def _shift(corner: Point, by: Point, drawing: MapOutlines) -> Point:
    """A corner moved; what lies on the frame stays on its side of it."""
    x, y = corner
    if 0 < x < drawing.width:
        x = min(max(x + by[0], 1), drawing.width - 1)
    if 0 < y < drawing.height:
        y = min(max(y + by[1], 1), drawing.height - 1)
    return x, y
