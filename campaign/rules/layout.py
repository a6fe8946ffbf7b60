"""Lays the sector map out from its borders alone: borders and edges are what the rules need, the drawing follows.

A map is drawn by its dual. Sectors, the four sides of the frame and, wherever more than three of them would meet in a
corner, gaps of ground are the vertices of a triangulated planar graph; each of its triangles is one corner of the
drawing, each of its edges one shared side. The corners then find their places as if the sides were springs (Tutte):
fixed on the frame, every cell of such a drawing is convex, so that nothing crosses.

Where there is a drawing already, every corner stays that the same sectors still meet in.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, sqrt

from firefight.games.combat_stalingrad.rules.reading import FileReading
from firefight.games.combat_stalingrad.rules.sides import Side

from .maps import EDGE_NAMES, LEAST_SPAN, MapOutlines, check_drawing
from .planarity import (
    Link,
    Rotation,
    Vertex,
    embed,
    faces_of,
    insert,
    is_connected,
    is_planar,
    links_of,
    remove,
    ways_between,
)
from .polygons import Point, doubled_area, is_inside, sides
from .swelling import Bubbles, Place, measure_distance

WIDTH, HEIGHT = 1440, 1728  # of a drawing that is laid out anew
_ROOMY = 0.12  # of the room that a sector would have if all had the same: with less, the whole map is laid out anew
_FINER = 5  # how much finer it is where a small sector needs that
LEAST_SECTORS, MOST_SECTORS = 3, 40
MOST_CROSSINGS = 6  # that are told
NO_ROOM = "No drawing was found in which every sector has room."
# The sides of the frame, and what lies around it.
WEST, NORTH, EAST, SOUTH, AROUND = "W", "N", "E", "S", "O"
FRAME = (WEST, NORTH, EAST, SOUTH)
FRAME_OF = {Side.GERMAN: WEST, Side.RUSSIAN: EAST}
_SIDE_OF = {WEST: Side.GERMAN, EAST: Side.RUSSIAN}

Graph = Mapping[int, Collection[int]]
Edges = Mapping[Side, Collection[int]]
Triangle = tuple[Vertex, Vertex, Vertex]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A border that cannot be drawn: between two sectors, or of one with a side of the frame. ``crosses``: which."""

    border: Link
    crosses: tuple[Link, ...] = ()

    def __str__(self) -> str:
        over = " and ".join(_name_border(border) for border in self.crosses)
        return f"{_name_border(self.border)} would cross {over or 'another border'}"


class CannotDraw(ValueError):
    """A map that is not laid out; the message says why. ``crossings``: borders that cannot be drawn beside the others.

    The one thing that this module raises. Sectors that are not drawn stand as tiles (maps.draw_tiles).
    """

    def __init__(self, why: str = "", crossings: Sequence[Crossing] = ()):
        self.crossings = tuple(crossings)
        super().__init__(why or "; ".join(map(str, crossings)))

    def list_reasons(self) -> tuple[str, ...]:
        """Why, in sentences."""
        return tuple(f"{crossing}." for crossing in self.crossings) or (str(self),)


def _name_border(border: Link) -> str:
    one, other = border
    if other in _SIDE_OF:
        return f"{one} at the {EDGE_NAMES[_SIDE_OF[str(other)]]} edge"
    return f"{one}–{other}"


def list_borders(neighbours: Graph) -> list[tuple[int, int]]:
    """Every border once, the lower number first; one that a single sector names counts."""
    return sorted({(min(one, other), max(one, other)) for one, others in neighbours.items() for other in others})


def lay_out_map(neighbours: Graph, edges: Edges, before: MapOutlines | None = None) -> MapOutlines:
    """A drawing of a map with these borders. What of the drawing ``before`` need not change stays where it was.

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
    """Somebody may still be typing what is to be drawn."""
    if not LEAST_SECTORS <= len(neighbours) <= MOST_SECTORS:
        raise CannotDraw(f"A map has {LEAST_SECTORS} to {MOST_SECTORS} sectors to be laid out, not {len(neighbours)}.")
    named = {*(other for others in neighbours.values() for other in others), *(n for at in edges.values() for n in at)}
    if unknown := sorted(named - set(neighbours)):
        raise CannotDraw(f"The map has no sector {unknown[0]}.")
    if itself := [sector for sector, others in neighbours.items() if sector in others]:
        raise CannotDraw(f"Sector {itself[0]} cannot border on itself.")
    if alone := sorted(set(neighbours) - {sector for border in list_borders(neighbours) for sector in border}):
        raise CannotDraw(" ".join(f"Sector {sector} has no border at all." for sector in alone))


def _lay_out(neighbours: Graph, edges: Edges, before: MapOutlines | None) -> MapOutlines:
    links = _links_of(neighbours, edges)
    rotation = _rotation_of(_outlines_of(before)) if before and set(before.cells) == set(neighbours) else None
    added = set(links) & _find_changes(rotation, links) if rotation else set()
    if not _fit(links):
        raise CannotDraw(crossings=find_crossings(neighbours, edges, added))
    mended = _mend(neighbours, edges, rotation, before) if before and rotation else None
    if mended and measure_least(mended) > _ROOMY:
        return mended
    fresh = _lay_out_anew(neighbours, edges, links)
    found = max((drawn for drawn in (mended, fresh) if drawn), key=measure_least, default=None)
    if found is None:
        raise CannotDraw(NO_ROOM)
    return found


def measure_least(drawing: MapOutlines) -> float:
    """The room of the smallest sector, by what each would have if all had the same."""
    areas = [abs(doubled_area(cell)) / 2 for cell in drawing.cells.values()]
    return min(areas) * len(areas) / (drawing.width * drawing.height)


def _lay_out_anew(neighbours: Graph, edges: Edges, links: Sequence[Link]) -> MapOutlines | None:
    """A drawing of the borders alone; None where no sound one was found."""
    net = _Net(_embed(neighbours, links), neighbours)
    springs = _Springs(net, WIDTH, HEIGHT)
    springs.settle()
    drawn = _draw(net, WIDTH, HEIGHT, springs.places)
    if drawn and _is_good(drawn, neighbours, edges):
        return drawn
    drawn = _draw(net, WIDTH * _FINER, HEIGHT * _FINER, springs.snap(_FINER))
    return drawn if drawn and _is_good(drawn, neighbours, edges) else None


def has_room(drawing: MapOutlines) -> bool:
    """Whether every sector is as wide and as high as a finger needs where the map is made largest."""
    spans = (max(ends) - min(ends) for cell in drawing.cells.values() for ends in zip(*cell, strict=True))
    return all(span >= LEAST_SPAN * drawing.width for span in spans)


def _is_good(drawing: MapOutlines, neighbours: Graph, edges: Edges) -> bool:
    return has_room(drawing) and is_sound(drawing, neighbours, edges)


def is_sound(drawing: MapOutlines, neighbours: Graph, edges: Edges) -> bool:
    """Whether a drawing says the same as the borders: see campaign.rules.maps."""
    reading = FileReading("map")
    check_drawing(
        reading,
        drawing,
        {number: tuple(others) for number, others in neighbours.items()},
        {side: tuple(sectors) for side, sectors in edges.items()},
    )
    return not reading.problems


def move_sector(drawing: MapOutlines, neighbours: Graph, edges: Edges, sector: int, to: Place) -> MapOutlines:
    """A drawing with a sector dragged towards a place, as far as every border still is one; its corners go with it."""
    x, y = drawing.labels[sector]
    corners = set(drawing.cells[sector])
    for tenths in range(10, 0, -1):
        by = (round((to[0] - x) * tenths / 10), round((to[1] - y) * tenths / 10))
        moved = {corner: _shift(corner, by, drawing) for corner in corners}
        cells = {number: tuple(moved.get(corner, corner) for corner in cell) for number, cell in drawing.cells.items()}
        labels = {**drawing.labels, sector: (x + by[0], y + by[1])}
        found = MapOutlines(drawing.width, drawing.height, cells, _place_labels(cells, labels))
        if is_sound(found, neighbours, edges) and (has_room(found) or not has_room(drawing)):
            return found
    return drawing


def _shift(corner: Point, by: Point, drawing: MapOutlines) -> Point:
    """A corner moved; what lies on the frame stays on its side of it."""
    x, y = corner
    if 0 < x < drawing.width:
        x = min(max(x + by[0], 1), drawing.width - 1)
    if 0 < y < drawing.height:
        y = min(max(y + by[1], 1), drawing.height - 1)
    return x, y


# Which borders cross


def find_crossings(neighbours: Graph, edges: Edges, last: Collection[Link] = ()) -> list[Crossing]:
    """The borders that no drawing has room for beside the others: the first few. ``last`` give way first."""
    links = sorted(_links_of(neighbours, edges), key=lambda link: (link in last, link[1] not in FRAME))
    fits: list[Link] = []
    left_out: list[Link] = []
    while links and len(left_out) < MOST_CROSSINGS:
        # The first that crosses: with fewer before it nothing does, with more something always does.
        fitting = bisect_left(range(len(links)), True, key=lambda last: not _fit([*fits, *links[: last + 1]]))
        fits += links[:fitting]
        left_out += links[fitting : fitting + 1]
        links = links[fitting + 1 :]
    if not left_out:
        return []
    rotation = embed([*_FRAME_LINKS, *fits])
    barred = {frozenset(link) for link in _FRAME_LINKS}
    return [Crossing(link, tuple(map(_tidy, ways_between(rotation, *link, barred)))) for link in left_out]


def _fit(links: Iterable[Link]) -> bool:
    return is_planar([*_FRAME_LINKS, *links])


def _tidy(link: Link) -> Link:
    one, other = link
    return (other, one) if isinstance(one, str) or (isinstance(other, int) and other < one) else link


# Vertices, rotations

_FRAME_LINKS: tuple[Link, ...] = (
    *pairwise((*FRAME, WEST)),
    *((AROUND, side) for side in FRAME),
)


def _links_of(neighbours: Graph, edges: Edges) -> list[Link]:
    """What the drawing must show: borders between sectors, and of sectors with the west and the east side."""
    at_edges = [(sector, FRAME_OF[side]) for side in Side for sector in sorted(edges.get(side, ()))]
    return [*list_borders(neighbours), *at_edges]


def _embed(neighbours: Graph, links: Sequence[Link]) -> Rotation:
    """A planar embedding of a whole map, with north and south left open."""
    every = [*_FRAME_LINKS, *links]
    for tie in _ties(neighbours, links):
        fitting = (way for way in tie if is_planar([*every, *way]))
        every += next(fitting, ())
    rotation = embed(every)
    # Seen from around, the sides of the frame go against the clock.
    around = rotation[AROUND]
    if around[(around.index(WEST) + 1) % 4] == NORTH:
        rotation = {vertex: others[::-1] for vertex, others in rotation.items()}
    return rotation


def _ties(neighbours: Graph, links: Sequence[Link]) -> Iterator[list[list[Link]]]:
    """Gaps of ground that tie parts which nothing else holds together, each with the ways in which it may do so."""
    left = set(neighbours)
    parts: list[list[Vertex]] = []
    while left:
        part = _part_of(min(left), neighbours)
        left -= part
        parts.append(sorted(part))
    for side in (WEST, EAST):
        if not any(other == side for _, other in links):
            yield [[(side, f"tie{side}"), (f"tie{side}", sector)] for sector in sorted(neighbours)]
    for number, (one, other) in enumerate(pairwise(parts)):
        yield [[(here, f"tie{number}"), (f"tie{number}", there)] for here in one for there in other]


def _part_of(start: int, neighbours: Graph) -> set[int]:
    found, front = {start}, [start]
    while front:
        here = front.pop()
        linked = {*neighbours[here], *(other for other, others in neighbours.items() if here in others)}
        fresh = linked - found
        found |= fresh
        front += fresh
    return found


@dataclass(slots=True)
class _Outline:
    """The outline of a cell as stretches, clockwise: what lies across each, and its corners from end to end.

    What lies across is a sector, a side of the frame, or None for ground.
    """

    stretches: list[tuple[Vertex | None, list[Point]]]


def _outlines_of(drawing: MapOutlines) -> dict[int, _Outline]:
    """Every cell of a drawing in stretches."""
    owner: dict[tuple[Point, Point], int] = {}
    clockwise = {n: cell if doubled_area(cell) > 0 else cell[::-1] for n, cell in drawing.cells.items()}
    for number, cell in clockwise.items():
        owner.update(dict.fromkeys(sides(cell), number))
    found = {}
    for number, cell in clockwise.items():
        across = [(owner.get((b, a)) or _frame_at(a, b, drawing), a, b) for a, b in sides(cell)]
        start = next((n for n in range(len(across)) if across[n][0] != across[n - 1][0]), 0)
        stretches: list[tuple[Vertex | None, list[Point]]] = []
        for what, a, b in across[start:] + across[:start]:
            if stretches and stretches[-1][0] == what:
                stretches[-1][1].append(b)
            else:
                stretches.append((what, [a, b]))
        found[number] = _Outline(stretches)
    return found


def _frame_at(a: Point, b: Point, drawing: MapOutlines) -> Vertex | None:
    """The side of the frame that a side of a cell lies on."""
    lines = {WEST: (0, 0), NORTH: (1, 0), EAST: (0, drawing.width), SOUTH: (1, drawing.height)}
    return next((side for side, (axis, at) in lines.items() if a[axis] == b[axis] == at), None)


def _rotation_of(outlines: Mapping[int, _Outline]) -> Rotation | None:
    """Who lies around whom in a drawing, clockwise; None for one in which two cells meet in two places."""
    rotation: Rotation = {
        number: [what for what, _ in outline.stretches if what is not None] for number, outline in outlines.items()
    }
    if any(len(set(others)) != len(others) for others in rotation.values()):
        return None
    for place, side in enumerate(FRAME):
        axis = 1 if side in (WEST, EAST) else 0
        # Clockwise around a side of the frame: the next side, those within, the one before, what lies around.
        within = [
            (min(point[axis] for point in points), number)
            for number, outline in outlines.items()
            for what, points in outline.stretches
            if what == side
        ]
        rotation[side] = [AROUND, FRAME[(place + 1) % 4], *_inward(side, within), FRAME[place - 1]]
    rotation[AROUND] = [SOUTH, EAST, NORTH, WEST]
    return rotation


def _inward(side: str, within: Sequence[tuple[int, int]]) -> list[Vertex]:
    """The sectors along a side of the frame from the next side to the one before."""
    numbers: list[Vertex] = [number for _, number in sorted(within)]
    return numbers if side in (WEST, SOUTH) else numbers[::-1]


# Mending a drawing


def _mend(neighbours: Graph, edges: Edges, rotation: Rotation, before: MapOutlines) -> MapOutlines | None:
    """The drawing changed only where it must be; None where no way was found."""
    outlines, links = _outlines_of(before), _links_of(neighbours, edges)
    changed = _find_changes(rotation, links)
    if not changed:
        return before
    found: MapOutlines | None = None
    near: set[Vertex] = {vertex for link in changed for vertex in link if isinstance(vertex, int)}
    for is_open in (False, True):
        mended = _change_rotation(rotation, links, is_open)
        if mended is None:
            continue
        net = _Net(mended, neighbours)
        for rings, scale in _TRIES:
            kept = _Kept(outlines, scale, _find_near(near, rings, rotation), before)
            width, height = before.width * scale, before.height * scale
            drawn = _draw(net, width, height, _Springs(net, width, height, *_pin(net, kept)).settle(), kept)
            if drawn and _is_good(drawn, neighbours, edges):
                if measure_least(drawn) > _ROOMY:
                    return drawn
                found = max((each for each in (found, drawn) if each), key=measure_least)
    return found


# How far from what has changed corners may move, and how much finer the drawing is.
_TRIES = ((0, 1), (1, 1), (2, 1), (3, 1), (1, 4))


def _find_near(near: set[Vertex], rings: int, rotation: Rotation) -> set[Vertex]:
    """What has changed, with so many rings around it less one; nothing without a ring."""
    found = set(near) if rings else set()
    for _ in range(rings - 1):
        found |= {other for one in found for other in rotation[one]}
    return found


def _find_changes(rotation: Rotation, links: Sequence[Link]) -> set[Link]:
    """What the drawing shows and should not, or does not show and should."""
    shown = {
        _tidy((one, other))
        for one, others in rotation.items()
        for other in others
        if isinstance(one, int) and other not in (NORTH, SOUTH)
    }
    return shown ^ set(links)


def _change_rotation(rotation: Rotation, links: Sequence[Link], is_open: bool) -> Rotation | None:
    """The rotation with other links; None if one of them cannot go in. ``is_open``: north and south give way."""
    found = {vertex: list(others) for vertex, others in rotation.items()}
    changes = _find_changes(rotation, links)
    for one, other in changes - set(links):
        remove(found, one, other)
    if is_open:
        for side in (NORTH, SOUTH):
            for sector in [other for other in found[side] if isinstance(other, int)]:
                remove(found, side, sector)
    for one, other in sorted(changes & set(links), key=str):
        if not insert(found, one, other, set(FRAME)):
            return None
    return found if is_connected(found) else None  # the faces of parts say nothing of how these lie to each other


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a new drawing takes from an old one, ``scale`` times as large. ``freed``: sectors whose corners may move."""

    outlines: Mapping[int, _Outline]
    scale: int
    freed: Collection[Vertex]
    before: MapOutlines

    def ends(self) -> dict[Link, tuple[Point, Point]]:
        """Where the stretch of a cell along another, or along the frame, begins and ends."""
        return {
            (number, what): (self._scaled(points[0]), self._scaled(points[-1]))
            for number, outline in self.outlines.items()
            for what, points in outline.stretches
            if what is not None
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
        was = tuple(self._scaled(point) for point in self.before.cells[sector])
        return was if len(was) == len(cell) and set(sides(was)) in ({*sides(cell)}, {*sides(cell[::-1])}) else cell

    def labels(self) -> dict[int, Point]:
        """Where the numbers stood."""
        return {number: self._scaled(label) for number, label in self.before.labels.items()}

    def _scaled(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale


# Triangles, corners


@dataclass(slots=True)
class _Net:
    """A map as triangles: each is a corner of the drawing. ``around``: of each vertex its triangles, clockwise."""

    rotation: Rotation
    neighbours: Graph
    triangles: list[Triangle] = field(default_factory=list)
    of_link: dict[Link, int] = field(default_factory=dict)
    rounds: dict[Vertex, list[int]] = field(default_factory=dict)
    reached: dict[Vertex, set[Vertex]] = field(default_factory=dict)  # what touches north, and what touches south

    def __post_init__(self) -> None:
        self.reached = {pole: {*self.rotation[pole], *FRAME} for pole in (NORTH, SOUTH)}
        for face in faces_of(self.rotation):
            self.triangles += self._divide(face) if AROUND not in face else []
        for number, (a, b, c) in enumerate(self.triangles):
            self.of_link |= {(a, b): number, (b, c): number, (c, a): number}

    def _divide(self, face: list[Vertex]) -> list[Triangle]:
        """A face as triangles: what touches north or south does so as far as it can, else there is a gap of ground."""
        for pole in (NORTH, SOUTH):
            if pole in face and len(face) > 3:
                return self._fan(face, pole)
        return self._fill(face)

    def _fan(self, face: list[Vertex], pole: Vertex) -> list[Triangle]:
        """Every sector of the face reaches the pole, unless it does so already: there, or in another face."""
        start = face.index(pole)
        ring = face[start + 1 :] + face[:start]
        reached = self.reached[pole]
        stops = [0]
        for place, vertex in enumerate(ring[1:-1], 1):
            if vertex not in reached:
                reached.add(vertex)
                stops.append(place)
        stops.append(len(ring) - 1)
        found: list[Triangle] = []
        for one, other in pairwise(stops):
            found += self._fill([pole, *ring[one : other + 1]])
        return found

    def _fill(self, face: list[Vertex]) -> list[Triangle]:
        """One triangle, or a gap with a triangle for each of its sides; with a ring of gaps where one comes twice."""
        if len(face) == 3 and len(set(face)) == 3:
            return [(face[0], face[1], face[2])]
        links = links_of(face)
        if len(set(face)) == len(face):
            gap = f"g{len(self.triangles)}-{face[0]}-{face[1]}-{face[2]}"
            return [(one, other, gap) for one, other in links]
        name = f"r{len(self.triangles)}-{'-'.join(map(str, face))}"
        gaps = [f"{name}-{place}" for place in range(len(face))]
        found: list[Triangle] = []
        for place, (one, other) in enumerate(links):
            here, following = gaps[place], gaps[(place + 1) % len(gaps)]
            found += [(one, other, here), (here, other, following), (here, following, name)]
        return found

    def around(self, vertex: Vertex) -> list[int]:
        """The triangles about a vertex, clockwise."""
        if vertex not in self.rounds:
            self.rounds[vertex] = self._go_around(vertex)
        return self.rounds[vertex]

    def _go_around(self, vertex: Vertex) -> list[int]:
        start = next(number for number, triangle in enumerate(self.triangles) if vertex in triangle)
        found = [start]
        while True:
            triangle = self.triangles[found[-1]]
            following = triangle[(triangle.index(vertex) + 1) % 3]
            number = self.of_link.get((following, vertex))
            if number is None or number == start:
                return found
            found.append(number)

    def across(self, number: int) -> list[tuple[int, Link]]:
        """The corners next to a corner, with the two vertices whose shared side leads there."""
        links = links_of(self.triangles[number])
        return [(self.of_link[other, one], (one, other)) for one, other in links if (other, one) in self.of_link]


# Places


def _draw(
    net: _Net, width: int, height: int, places: Mapping[int, Place], kept: _Kept | None = None
) -> MapOutlines | None:
    """The drawing of a net whose corners have their places; None where cells have no room."""
    corners = {number: (round(x), round(y)) for number, (x, y) in places.items()}
    bends = kept.bends() if kept else {}
    cells = {sector: _outline(net, sector, corners, bends) for sector in net.neighbours}
    cells = {sector: kept.recognize(sector, cell) if kept else cell for sector, cell in cells.items()}
    if any(len(cell) < 3 for cell in cells.values()):
        return None
    return MapOutlines(width, height, cells, _place_labels(cells, kept.labels() if kept else {}))


def _pin(net: _Net, kept: _Kept) -> tuple[dict[int, Point], dict[int, Place]]:
    """The corners that stay, and about where others were that move; all by their stretches.

    What had one place and has two now is parted gently: each is held by the old place.
    """
    ends, found = kept.ends(), {}
    about: dict[int, Place] = {}
    for number, triangle in enumerate(net.triangles):
        real = [link for link in links_of(triangle) if not any(_is_gap(vertex) for vertex in link)]
        starts = [ends.get((one, other), (None,))[0] for one, other in real if isinstance(one, int)]
        stops = [ends.get((other, one), (None, None))[1] for one, other in real if isinstance(other, int)]
        known = {*starts, *stops}
        points = [point for point in known if point is not None]
        if points:
            about[number] = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        if len(known) == len(points) == 1 and not any(vertex in kept.freed for vertex in triangle):
            found[number] = points[0]
    used = list(found.values())
    pinned = {number: point for number, point in found.items() if used.count(point) == 1}
    return pinned, {number: place for number, place in about.items() if number not in pinned}


def _is_gap(vertex: Vertex) -> bool:
    return isinstance(vertex, str) and vertex not in (*FRAME, AROUND)


def _outline(
    net: _Net, sector: int, corners: Mapping[int, Point], bends: Mapping[tuple[Point, Point], list[Point]]
) -> tuple[Point, ...]:
    """A cell, clockwise, with the bends that its stretches had."""
    around = [corners[number] for number in net.around(sector)]
    found: list[Point] = []
    for one, other in zip(around, [*around[1:], around[0]], strict=True):
        back = bends.get((other, one))
        found += [one, *bends.get((one, other), back[::-1] if back else [])]
    return tuple(dict.fromkeys(found))


def _place_labels(cells: Mapping[int, Sequence[Point]], wanted: Mapping[int, Point]) -> dict[int, Point]:
    """Where each number stands: where it stood if that is about as far inside as it could be, else in the middle."""
    found = {}
    for number, cell in cells.items():
        middle, label = _find_middle(cell), wanted.get(number)
        far_enough = _FAR_INSIDE * _measure_depth(middle, cell)
        found[number] = label if label and _measure_depth(label, cell) >= far_enough else middle
    return found


def _measure_depth(point: Point, cell: Sequence[Point]) -> float:
    """How far inside of a cell a point lies; 0 outside."""
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


_FAR_INSIDE, _HOLD = 0.5, 8.0
_GAP_ROOM = 0.02  # of a gap, by the room of a sector
_LEAST_SIDE, _GAP_SIDE = 0.2, 0.06  # by the side of a square of such room
_EAGER, _LIGHTEST, _HEAVIEST = 0.5, 1e-6, 1e6
_ROUNDS, _ROUNDS_LOOSE, _SWEEPS = 24, 3, 36
_LITTLE, _LOOSER = 0.4, 0.25


class _Springs:
    """Corners that pull each other by the sides between them; those of the frame slide along it."""

    def __init__(
        self,
        net: _Net,
        width: int,
        height: int,
        pinned: Mapping[int, Point] | None = None,
        held: Mapping[int, Place] | None = None,
    ):
        self.net, self.width, self.height = net, width, height
        self.pinned, self.held = pinned or {}, held or {}
        self.frames = {n: [v for v in triangle if v in FRAME] for n, triangle in enumerate(net.triangles)}
        self.next = {n: net.across(n) for n in range(len(net.triangles))}
        links = {_key(link) for ways in self.next.values() for _, link in ways}
        self.pull = dict.fromkeys(links, 1.0)
        self.places = self._begin()

    def _begin(self) -> dict[int, Place]:
        """The corners of the frame at equal distances, all others in the middle."""
        places: dict[int, Place] = dict.fromkeys(range(len(self.net.triangles)), (self.width / 2, self.height / 2))
        for side in FRAME:
            along = self._along(side)
            for place, number in enumerate(along):
                share = place / max(len(along) - 1, 1)
                places[number] = {
                    WEST: (0.0, self.height * (1 - share)),
                    NORTH: (self.width * share, 0.0),
                    EAST: (float(self.width), self.height * share),
                    SOUTH: (self.width * (1 - share), float(self.height)),
                }[side]
        return {**places, **self.pinned}

    def _along(self, side: str) -> list[int]:
        """The corners on a side of the frame, clockwise around the map."""
        before, after = FRAME[FRAME.index(side) - 1], FRAME[(FRAME.index(side) + 1) % 4]
        corners = [n for n, frames in self.frames.items() if side in frames]
        found = [next(number for number in corners if before in self.frames[number])]
        while after not in self.frames[found[-1]]:
            found.append(next(n for n, link in self.next[found[-1]] if side in link and n not in found))
        return found

    def settle(self) -> dict[int, Place]:
        """Let go until nothing moves; then let small cells grow at the cost of large ones, again and again.

        Where that leaves one of them too small, since it lies deep among others, cells give up being convex for it.
        """
        self._relax()
        if self.held:
            return self.places
        for _ in range(_ROUNDS):
            self._weigh()
            self._relax()
        if self._find_least() < _LITTLE:
            self._loosen()
            self._relax()
            for _ in range(_ROUNDS_LOOSE):
                self._weigh()
                self._relax()
            self._find_bubbles().swell(self._measure()[1], _SWEEPS)
        return self.places

    def _find_least(self) -> float:
        """The room of the smallest sector, by what it should have."""
        areas, wanted = self._measure()
        return min(areas[vertex] / wanted[vertex] for vertex in areas if not _is_gap(vertex))

    def _loosen(self) -> None:
        """Begin anew with sides that pull the less, the further in they lie."""
        depth: dict[Vertex, int] = dict.fromkeys(FRAME, 0)
        front: list[Vertex] = list(FRAME)
        beside: dict[Vertex, set[Vertex]] = {}
        for triangle in self.net.triangles:
            for vertex in triangle:
                beside.setdefault(vertex, set()).update(triangle)
        while front:
            front = [other for vertex in front for other in beside[vertex] if other not in depth]
            depth |= dict.fromkeys(front, max(depth.values()) + 1)
        self.pull = {link: _LOOSER ** min(depth[vertex] for vertex in link) for link in self.pull}

    def _find_bubbles(self) -> Bubbles:
        cells = {vertex: self.net.around(vertex) for vertex in self._measure()[0]}
        ties = {number: [other for other, _ in ways] for number, ways in self.next.items()}
        bound = {
            number: None if len(frames) > 1 else 1 if frames[0] in (WEST, EAST) else 0
            for number, frames in self.frames.items()
            if frames
        }
        return Bubbles(self.places, cells, ties, bound)

    def snap(self, scale: int) -> dict[int, Place]:
        """The corners, so many times as far apart, on whole numbers."""
        self.places = {number: (x * scale, y * scale) for number, (x, y) in self.places.items()}
        self._find_bubbles().snap()
        return self.places

    def _relax(self) -> None:
        """Put every corner where the pulls upon it cancel out; those of the frame slide along it."""
        for axis in (0, 1):
            stays = {
                number
                for number, frames in self.frames.items()
                if number in self.pinned or any((side in (NORTH, SOUTH)) == axis for side in frames)
            }
            pulls = {
                number: {other: self.pull[_key(link)] for other, link in ways}
                for number, ways in self.next.items()
                if number not in stays
            }
            fixed = {number: self.places[number][axis] for number in stays}
            for number in self.held.keys() & pulls.keys():
                pulls[number][-1 - number] = _HOLD
                fixed[-1 - number] = self.held[number][axis]
            at = balance(pulls, fixed)
            for number, value in at.items():
                x, y = self.places[number]
                self.places[number] = (x, value) if axis else (value, y)

    def _measure(self) -> tuple[dict[Vertex, float], dict[Vertex, float]]:
        """The room that each sector and each gap has, and that it should have."""
        vertices = {vertex: None for triangle in self.net.triangles for vertex in triangle if vertex not in FRAME}
        areas: dict[Vertex, float] = {}
        for vertex in vertices:
            cell = [self.places[number] for number in self.net.around(vertex)]
            ways = zip(cell, [*cell[1:], cell[0]], strict=True)
            areas[vertex] = max(sum(a[0] * b[1] - b[0] * a[1] for a, b in ways) / 2, 1e-9)
        gaps = sum(_is_gap(vertex) for vertex in vertices)
        room = self.width * self.height / (len(vertices) - gaps + gaps * _GAP_ROOM)
        return areas, {vertex: room * (_GAP_ROOM if _is_gap(vertex) else 1) for vertex in vertices}

    def _weigh(self) -> None:
        """Sides of cells with too much room pull more, those of cells with too little less; so do short ones."""
        areas, wanted = self._measure()
        side = sqrt(max(wanted.values()))
        spans = {_key(link): (n, other) for n, ways in self.next.items() for other, link in ways}
        for link, ends in spans.items():
            ratio = 1.0
            for vertex in link:
                if vertex in areas:
                    ratio *= areas[vertex] / wanted[vertex]
            length = dist(*(self.places[number] for number in ends))
            least = side * (_GAP_SIDE if any(map(_is_gap, link)) else _LEAST_SIDE)
            pull = self.pull[link] * min(max(ratio, 0.1), 10) ** _EAGER * max(min(length / least, 1), 0.1)
            self.pull[link] = min(max(pull, _LIGHTEST), _HEAVIEST)


def balance(pulls: Mapping[int, Mapping[int, float]], fixed: Mapping[int, float]) -> dict[int, float]:
    """Where each thing comes to rest that others pull with some force, on a line: by elimination, least tied first."""
    force = {one: sum(others.values()) for one, others in pulls.items()}
    drawn = {one: sum(by * fixed[n] for n, by in others.items() if n in fixed) for one, others in pulls.items()}
    tied = {one: {n: by for n, by in others.items() if n not in fixed} for one, others in pulls.items()}
    order = []
    while tied:
        here = min(tied, key=lambda one: len(tied[one]))
        others = tied.pop(here)
        order.append((here, others))
        for one, by in others.items():
            share = by / force[here]
            force[one] -= share * by
            drawn[one] += share * drawn[here]
            del tied[one][here]
            for other, other_by in others.items():
                if other != one:
                    tied[one][other] = tied[one].get(other, 0.0) + share * other_by
    found = dict(fixed)
    for here, others in reversed(order):
        found[here] = (drawn[here] + sum(by * found[one] for one, by in others.items())) / force[here]
    return {one: found[one] for one in pulls}


def _key(link: Iterable[Vertex]) -> Link:
    one, other = sorted(link, key=str)
    return one, other
