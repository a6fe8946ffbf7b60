"""Where the corners of a drawing come to rest if its sides are springs."""

from collections.abc import Iterable, Mapping
from math import dist, sqrt

from .frame import EAST, FRAME, NORTH, SOUTH, WEST, is_gap
from .net import Net
from .planarity import Link, Vertex
from .polygons import Point
from .swelling import Bubbles, Place

_HOLD = 8.0
_GAP_ROOM = 0.02  # of a gap, by the room of a sector
_LEAST_SIDE, _GAP_SIDE = 0.2, 0.06  # by the side of a square of such room
_EAGER, _LIGHTEST, _HEAVIEST = 0.5, 1e-6, 1e6
_ROUNDS, _ROUNDS_LOOSE = 24, 3
_LITTLE, _LOOSER = 0.4, 0.25


class Springs:
    """Corners that pull each other by the sides between them; those of the frame slide along it."""

    def __init__(
        self,
        net: Net,
        width: int,
        height: int,
        pinned: Mapping[int, Point] | None = None,
        anchors: Mapping[int, Place] | None = None,
    ):
        self.net, self.width, self.height = net, width, height
        self.pinned, self.anchors = pinned or {}, anchors or {}
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
        along = [next(number for number in corners if before in self.frames[number])]
        while after not in self.frames[along[-1]]:
            along.append(next(n for n, link in self.next[along[-1]] if side in link and n not in along))
        return along

    def settle(self) -> dict[int, Place]:
        """Let go until nothing moves; then let small cells grow at the cost of large ones, again and again.

        Where that leaves one of them too small, deep among others, cells may stop being convex for its sake.
        """
        self._relax()
        if self.anchors:
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
            self._find_bubbles().swell(self._measure()[1])
        return self.places

    def _find_least(self) -> float:
        """The room of the smallest sector, relative to what it should have."""
        areas, targets = self._measure()
        return min(areas[vertex] / targets[vertex] for vertex in areas if not is_gap(vertex))

    def _loosen(self) -> None:
        """Begin again with sides that pull less the further in they lie."""
        depth: dict[Vertex, int] = dict.fromkeys(FRAME, 0)
        front: list[Vertex] = list(FRAME)
        beside: dict[Vertex, set[Vertex]] = {}
        for triangle in self.net.triangles:
            for vertex in triangle:
                beside.setdefault(vertex, set()).update(triangle)
        while front:
            front = [neighbour for vertex in front for neighbour in beside[vertex] if neighbour not in depth]
            depth |= dict.fromkeys(front, max(depth.values()) + 1)
        self.pull = {link: _LOOSER ** min(depth[vertex] for vertex in link) for link in self.pull}

    def _find_bubbles(self) -> Bubbles:
        cells = {vertex: self.net.around(vertex) for vertex in self._measure()[0]}
        ties = {number: [neighbour for neighbour, _ in ways] for number, ways in self.next.items()}
        bound = {
            number: None if len(frames) > 1 else 1 if frames[0] in (WEST, EAST) else 0
            for number, frames in self.frames.items()
            if frames
        }
        return Bubbles(self.places, cells, ties, bound)

    def snap(self, scale: int) -> dict[int, Place]:
        """The corners, ``scale`` times as far apart, on whole numbers."""
        self.places = {number: (x * scale, y * scale) for number, (x, y) in self.places.items()}
        self._find_bubbles().snap()
        return self.places

    def _relax(self) -> None:
        """Put every corner where the pulls on it cancel out; those of the frame slide along it."""
        for axis in (0, 1):
            stays = {
                number
                for number, frames in self.frames.items()
                if number in self.pinned or any((side in (NORTH, SOUTH)) == axis for side in frames)
            }
            pulls = {
                number: {neighbour: self.pull[_key(link)] for neighbour, link in ways}
                for number, ways in self.next.items()
                if number not in stays
            }
            fixed = {number: self.places[number][axis] for number in stays}
            for number in self.anchors.keys() & pulls.keys():
                pulls[number][-1 - number] = _HOLD
                fixed[-1 - number] = self.anchors[number][axis]
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
        gaps = sum(is_gap(vertex) for vertex in vertices)
        room = self.width * self.height / (len(vertices) - gaps + gaps * _GAP_ROOM)
        return areas, {vertex: room * (_GAP_ROOM if is_gap(vertex) else 1) for vertex in vertices}

    def _weigh(self) -> None:
        """Sides of cells with too much room pull more, those of cells with too little less; so do short ones."""
        areas, targets = self._measure()
        side = sqrt(max(targets.values()))
        spans = {_key(link): (n, neighbour) for n, ways in self.next.items() for neighbour, link in ways}
        for link, ends in spans.items():
            ratio = 1.0
            for vertex in link:
                if vertex in areas:
                    ratio *= areas[vertex] / targets[vertex]
            length = dist(*(self.places[number] for number in ends))
            least = side * (_GAP_SIDE if any(map(is_gap, link)) else _LEAST_SIDE)
            pull = self.pull[link] * min(max(ratio, 0.1), 10) ** _EAGER * max(min(length / least, 1), 0.1)
            self.pull[link] = min(max(pull, _LIGHTEST), _HEAVIEST)


def balance(pulls: Mapping[int, Mapping[int, float]], fixed: Mapping[int, float]) -> dict[int, float]:
    """Where corners that others pull with some force come to rest on a line: by elimination, least tied first."""
    force = {number: sum(pulls_of.values()) for number, pulls_of in pulls.items()}
    drawn = {
        number: sum(by * fixed[n] for n, by in pulls_of.items() if n in fixed) for number, pulls_of in pulls.items()
    }
    tied = {number: {n: by for n, by in pulls_of.items() if n not in fixed} for number, pulls_of in pulls.items()}
    order = []
    while tied:
        freest = min(tied, key=lambda number: len(tied[number]))
        neighbours = tied.pop(freest)
        order.append((freest, neighbours))
        for number, by in neighbours.items():
            share = by / force[freest]
            force[number] -= share * by
            drawn[number] += share * drawn[freest]
            del tied[number][freest]
            for neighbour, force_between in neighbours.items():
                if neighbour != number:
                    tied[number][neighbour] = tied[number].get(neighbour, 0.0) + share * force_between
    rest = dict(fixed)
    for freest, neighbours in reversed(order):
        pulled = sum(by * rest[neighbour] for neighbour, by in neighbours.items())
        rest[freest] = (drawn[freest] + pulled) / force[freest]
    return {number: rest[number] for number in pulls}


def _key(link: Iterable[Vertex]) -> Link:
    start, end = sorted(link, key=str)
    return start, end
