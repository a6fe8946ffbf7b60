"""A whole map as triangles, each of them one corner of its drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .frame import AROUND, EAST, FRAME, FRAME_LINKS, NORTH, SOUTH, WEST, Graph
from .planarity import Link, Rotation, Vertex, components_of, embed, faces_of, is_planar, links_of

Triangle = tuple[Vertex, Vertex, Vertex]


def embed_map(neighbours: Graph, links: Sequence[Link]) -> Rotation:
    """A planar embedding of a whole map, with north and south left open."""
    every = [*FRAME_LINKS, *links]
    for tie in _ties(neighbours, links):
        fitting = (way for way in tie if is_planar([*every, *way]))
        every += next(fitting, ())
    rotation = embed(every)
    # Seen from around, the sides of the frame go against the clock.
    around = rotation[AROUND]
    if around[(around.index(WEST) + 1) % 4] == NORTH:
        rotation = {vertex: beside[::-1] for vertex, beside in rotation.items()}
    return rotation


def _ties(neighbours: Graph, links: Sequence[Link]) -> Iterator[list[list[Link]]]:
    """Gaps of ground that tie together parts which nothing else does, each with the ways in which it may do so."""
    for side in (WEST, EAST):
        if not any(end == side for _, end in links):
            yield [[(side, f"tie{side}"), (f"tie{side}", sector)] for sector in sorted(neighbours)]
    for number, (component, following) in enumerate(pairwise(components_of(neighbours))):
        yield [
            [(sector, f"tie{number}"), (f"tie{number}", neighbour)] for sector in component for neighbour in following
        ]


@dataclass(slots=True)
class Net:
    """A map as triangles: each is a corner of the drawing. ``around``: the triangles of each vertex, clockwise."""

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
        """A face as triangles: as much as possible touches north or south, otherwise there is a gap of ground."""
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
        triangles: list[Triangle] = []
        for from_stop, to_stop in pairwise(stops):
            triangles += self._fill([pole, *ring[from_stop : to_stop + 1]])
        return triangles

    def _fill(self, face: list[Vertex]) -> list[Triangle]:
        """One triangle, or a gap with a triangle for each side; a ring of gaps where a vertex comes twice."""
        if len(face) == 3 and len(set(face)) == 3:
            return [(face[0], face[1], face[2])]
        links = links_of(face)
        if len(set(face)) == len(face):
            gap = f"g{len(self.triangles)}-{face[0]}-{face[1]}-{face[2]}"
            return [(start, end, gap) for start, end in links]
        name = f"r{len(self.triangles)}-{'-'.join(map(str, face))}"
        gaps = [f"{name}-{place}" for place in range(len(face))]
        triangles: list[Triangle] = []
        for place, (start, end) in enumerate(links):
            own_gap, next_gap = gaps[place], gaps[(place + 1) % len(gaps)]
            triangles += [(start, end, own_gap), (own_gap, end, next_gap), (own_gap, next_gap, name)]
        return triangles

    def around(self, vertex: Vertex) -> list[int]:
        """The triangles about a vertex, clockwise."""
        if vertex not in self.rounds:
            self.rounds[vertex] = self._go_around(vertex)
        return self.rounds[vertex]

    def _go_around(self, vertex: Vertex) -> list[int]:
        start = next(number for number, triangle in enumerate(self.triangles) if vertex in triangle)
        numbers = [start]
        while True:
            triangle = self.triangles[numbers[-1]]
            following = triangle[(triangle.index(vertex) + 1) % 3]
            number = self.of_link.get((following, vertex))
            if number is None or number == start:
                return numbers
            numbers.append(number)

    def across(self, number: int) -> list[tuple[int, Link]]:
        """The corners next to a corner, with the two vertices whose shared side leads there."""
        links = links_of(self.triangles[number])
        return [(self.of_link[end, start], (start, end)) for start, end in links if (end, start) in self.of_link]
