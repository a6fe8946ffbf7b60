"""Planar graphs: whether one is, how it lies in the plane, its faces, and links put in and taken out.

A rotation lists for each vertex what lies around it, clockwise. Whether a graph is planar or in parts, and a rotation
of it, is networkx's business, which is imported only when asked for: it takes a fifth of a second.
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
    return {vertex: list(beside) for vertex, beside in embedding.get_data().items()}


def components_of(graph: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Its vertices by connected part, in their order."""
    import networkx

    return sorted(map(sorted, networkx.connected_components(networkx.Graph(graph))))


def is_connected(rotation: Rotation) -> bool:
    """Whether a way leads from each vertex to every other."""
    import networkx

    return bool(networkx.is_connected(networkx.Graph(rotation)))


def faces_of(rotation: Rotation) -> Iterator[list[Vertex]]:
    """Every face once, by the vertices on the way around it, which has it on the left."""
    links_left = {(vertex, near): None for vertex, beside in rotation.items() for near in beside}
    while links_left:
        start = link = next(iter(links_left))
        face = []
        while True:
            del links_left[link]
            face.append(link[0])
            link = _follow(rotation, link)
            if link == start:
                break
        yield face


def links_of(face: Sequence[Vertex]) -> list[Link]:
    """The links of a face, on the way around it."""
    return list(zip(face, [*face[1:], face[0]], strict=True))


def _follow(rotation: Rotation, link: Link) -> Link:
    """The next link on the way around a face."""
    came_from, vertex = link
    around = rotation[vertex]
    return vertex, around[(around.index(came_from) + 1) % len(around)]


def remove_link(rotation: Rotation, start: Vertex, end: Vertex) -> None:
    """Take a link out."""
    rotation[start].remove(end)
    rotation[end].remove(start)


def insert_link(rotation: Rotation, start: Vertex, end: Vertex, frame: Collection[Vertex] = ()) -> bool:
    """Put a link in where both lie on one face, preferably one without the ``frame``; says whether there is one."""
    fitting = [face for face in faces_of(rotation) if start in face and end in face]
    if not fitting:
        return False
    face = min(fitting, key=lambda candidate: (any(vertex in frame for vertex in candidate), len(candidate)))
    for vertex, neighbour in ((start, end), (end, start)):
        came_from = face[face.index(vertex) - 1]
        rotation[vertex].insert(rotation[vertex].index(came_from) + 1, neighbour)
    return True


def ways_between(rotation: Rotation, start: Vertex, end: Vertex, barred: Collection[frozenset[Vertex]]) -> list[Link]:
    """The fewest links that a way from one vertex to another has to cross; it cannot cross ``barred`` ones."""
    faces = list(faces_of(rotation))
    face_of = {
        link: number for number, face in enumerate(faces) for link in zip(face, [*face[1:], face[0]], strict=True)
    }
    starts = [number for number, face in enumerate(faces) if start in face]
    crossed: dict[int, list[Link]] = {number: [] for number in starts}
    front = deque(starts)
    while front:
        number = front.popleft()
        if end in faces[number]:
            return crossed[number]
        for link in links_of(faces[number]):
            neighbour = face_of[link[1], link[0]]
            if neighbour not in crossed and frozenset(link) not in barred:
                crossed[neighbour] = [*crossed[number], link]
                front.append(neighbour)
    return []
