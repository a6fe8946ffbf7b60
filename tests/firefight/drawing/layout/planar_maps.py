"""Random maps that can be drawn: planar graphs of sectors, with those at the two edges on the outside."""

import networkx

from firefight.drawing.layout.frame import EAST, WEST

MOST_OF_TREE = 20  # a map on which every border is the only way on; with more sectors some find no room


def random_map(rng, size):
    """A map of that many sectors: its neighbours and its edges. grids, networks of triangles, trees."""
    make = rng.choice((_grid, _grid, _triangles, _tree))
    graph, west, east = make(rng, min(size, MOST_OF_TREE) if make is _tree else size)
    numbers = list(range(1, len(graph) + 1))
    rng.shuffle(numbers)
    called = dict(zip(graph, numbers, strict=True))
    neighbours = {called[sector]: sorted(called[other] for other in graph[sector]) for sector in graph}
    edges = {WEST: sorted(called[sector] for sector in west), EAST: sorted(called[sector] for sector in east)}
    return neighbours, edges


def _grid(rng, size):
    """Columns of unequal height side by side, some diagonals, and then borders taken away while all stay connected."""
    wide = rng.randint(2, max(2, min(8, size // 2)))
    graph = networkx.Graph()
    cells = [(n % wide, n // wide) for n in range(size)]
    graph.add_nodes_from(cells)
    for x, y in cells:
        for other in ((x + 1, y), (x, y + 1)):
            if other in graph:
                graph.add_edge((x, y), other)
        corner = {(x + 1, y), (x, y + 1), (x + 1, y + 1)}
        if corner <= set(graph) and rng.random() < 0.5:
            graph.add_edge(*rng.choice((((x, y), (x + 1, y + 1)), ((x + 1, y), (x, y + 1)))))
    _thin(rng, graph)
    west = [cell for cell in cells if cell[0] == 0]
    tall = max(y for _, y in cells)
    east = [cell for cell in cells if cell[0] == wide - 1 and cell[1] <= tall]
    return graph, _some(rng, west), _some(rng, east)


def _triangles(rng, size):
    """Sectors set one after the other into the middle of three others."""
    graph = networkx.complete_graph(3)
    faces = [(0, 1, 2)]
    for fresh in range(3, size):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        graph.add_edges_from((fresh, other) for other in (a, b, c))
        faces += [(a, b, fresh), (b, c, fresh), (a, c, fresh)]
    if rng.random() < 0.5:
        _thin(rng, graph)
    return graph, [0], [1]


def _tree(rng, size):
    graph = networkx.Graph()
    graph.add_node(0)
    for fresh in range(1, size):
        graph.add_edge(fresh, rng.randrange(fresh))
    west, east = rng.sample(range(size), 2)
    return graph, [west], [east]


def _thin(rng, graph):
    share = rng.choice((0, 0.1, 0.3))
    for border in list(graph.edges):
        if rng.random() < share:
            graph.remove_edge(*border)
            if not networkx.is_connected(graph):
                graph.add_edge(*border)


def _some(rng, sectors):
    """Some of the sectors of an edge, at least one."""
    return [sector for sector in sectors if rng.random() < 0.8] or sectors[:1]
