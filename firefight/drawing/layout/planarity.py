"""Planar graphs: whether one is, how it lies in the plane, its faces, and links put in and taken out.

A rotation says of each vertex who lies around it, clockwise. Whether a graph is planar or in parts, and one rotation
of it, is networkx's business, which is imported when somebody asks: it takes a fifth of a second.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Vertex = int | str
Link = tuple[Vertex, Vertex]
Rotation = dict[Vertex, list[Vertex]]


def is_planar(links: Iterable[Link]) -> bool:
    """Whether a graph can be drawn without crossings."""
    import networkx

    return bool(networkx.check_planarity(networkx.Graph(list(links)))[0])


def embed(links: Iterable[Link]) -> Rotation:
    """One way to draw a graph without crossings. Raises ValueError where there is none."""
    import networkx

    fits, embedding = networkx.check_planarity(networkx.Graph(list(links)))
    if not fits:
        raise ValueError("The graph is not planar.")
    return {vertex: list(others) for vertex, others in embedding.get_data().items()}


def components_of(graph: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Its vertices by what hangs together, in their order."""
    import networkx

    return sorted(map(sorted, networkx.connected_components(networkx.Graph(graph))))


def is_connected(rotation: Rotation) -> bool:
    """Whether a way leads from each vertex to every other."""
    import networkx

    return bool(networkx.is_connected(networkx.Graph(rotation)))


def faces_of(rotation: Rotation) -> Iterator[list[Vertex]]:
    """Every face once, by the vertices on the way around it, which has it on the left."""
    left = {(one, other): None for one, others in rotation.items() for other in others}
    while left:
        start = here = next(iter(left))
        face = []
        while True:
            del left[here]
            face.append(here[0])
            here = _follow(rotation, here)
            if here == start:
                break
        yield face


def links_of(face: Sequence[Vertex]) -> list[Link]:
    """The links of a face, on the way around it."""
    return list(zip(face, [*face[1:], face[0]], strict=True))


def _follow(rotation: Rotation, link: Link) -> Link:
    """The next link on the way around a face."""
    came_from, here = link
    around = rotation[here]
    return here, around[(around.index(came_from) + 1) % len(around)]


def remove_link(rotation: Rotation, one: Vertex, other: Vertex) -> None:
    """Take a link out."""
    rotation[one].remove(other)
    rotation[other].remove(one)


def insert_link(rotation: Rotation, one: Vertex, other: Vertex, frame: Collection[Vertex] = ()) -> bool:
    """Put a link in where both lie on one face, by choice on one without the ``frame``; says whether there is one."""
    fitting = [face for face in faces_of(rotation) if one in face and other in face]
    if not fitting:
        return False
    face = min(fitting, key=lambda found: (any(vertex in frame for vertex in found), len(found)))
    for here, there in ((one, other), (other, one)):
        came_from = face[face.index(here) - 1]
        rotation[here].insert(rotation[here].index(came_from) + 1, there)
    return True


def ways_between(rotation: Rotation, one: Vertex, other: Vertex, barred: Collection[frozenset[Vertex]]) -> list[Link]:
    """The links that a way from one vertex to another has to cross, as few as can be; ``barred`` ones it cannot."""
    faces = list(faces_of(rotation))
    face_of = {
        link: number for number, face in enumerate(faces) for link in zip(face, [*face[1:], face[0]], strict=True)
    }
    starts = [number for number, face in enumerate(faces) if one in face]
    crossed: dict[int, list[Link]] = {number: [] for number in starts}
    front = deque(starts)
    while front:
        here = front.popleft()
        if other in faces[here]:
            return crossed[here]
        for link in links_of(faces[here]):
            there = face_of[link[1], link[0]]
            if there not in crossed and frozenset(link) not in barred:
                crossed[there] = [*crossed[here], link]
                front.append(there)
    return []
