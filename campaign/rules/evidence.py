"""What the rulebook's examples force on any map of the 22 sectors (20.6.4 step 6, 20.8.3).

The printed map is not in the text; its worked examples are, and they bind whatever map is used.
G-13 says that nothing is known about the west edge, so there is nothing to check.
"""

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet

SECTORS = frozenset(range(1, 23))
EAST = frozenset({10, 18, 19, 20, 21, 22})
# 20.8.3: the Russians hold all but these.
GERMAN_CORNER = frozenset({1, 2, 6, 7})
# 20.6.4 step 6: the German ring that isolates 11, and the second line that would save it.
RING = frozenset({5, 6, 7, 12, 13, 14})
LINE = frozenset({11, 13, 15, 21, 17, 9, 4})
BETWEEN_3_AND_EAST = frozenset({4, 5, 8, 9, *range(12, 18)})

Graph = Mapping[int, Collection[int]]


def count_steps(graph: Graph, start: Collection[int], within: Collection[int]) -> dict[int, int]:
    """How many steps each sector of ``within`` lies from those of ``start``, through sectors of ``within`` alone."""
    steps = {sector: 0 for sector in start if sector in within}
    front = list(steps)
    while front:
        reached = [other for sector in front for other in graph[sector] if other in within and other not in steps]
        steps |= {other: steps[front[0]] + 1 for other in reached}
        front = list(dict.fromkeys(reached))
    return steps


def find_doubts(neighbours: Graph, east: Collection[int], provenance: str) -> Iterator[tuple[str, str]]:
    """Everything in which a map contradicts the examples, as pairs of G-number and sentence.

    G-11 is only the natural reading of an example: it binds a house map, not one that an owner typed in.
    """
    if set(neighbours) != SECTORS:
        yield "sectors", "the map has the sectors 1 to 22 (20.3.4)"
        return
    # A border that only one of its sectors names is a problem of its own; here it counts.
    graph = {
        sector: {two for two in SECTORS if two in neighbours[sector] or sector in neighbours[two]} for sector in SECTORS
    }
    edge = frozenset(east)
    if edge != EAST:
        yield "G-1", "the sectors on the east edge are 10, 18, 19, 20, 21 and 22, and no others (20.8.3)"
    controlled = count_steps(graph, edge, SECTORS - GERMAN_CORNER)
    for rule, sector, steps in (("G-2", 11, 2), ("G-3", 3, 4)):
        if controlled.get(sector) != steps:
            actual = controlled.get(sector, "cut off")
            yield (
                rule,
                f"with 1, 2, 6 and 7 German, sector {sector} lies {steps} in from the east, not {actual} (20.8.3)",
            )
    if 11 in count_steps(graph, edge, SECTORS - RING):
        yield "G-4", "with 5, 6, 7, 12, 13 and 14 German, sector 11 is cut off from the east edge (20.6.4 step 6)"
    if 11 not in count_steps(graph, edge, SECTORS - (RING - {5, 12})):
        yield "G-5", "with 12 and 5 Russian, sector 11 has a line to the east edge (20.6.4 step 6)"
    if 11 not in count_steps(graph, edge, LINE):
        yield "G-6", "13, 15, 21, 17, 9 and 4 give sector 11 a line to the east edge (20.6.4 step 6)"
    yield from _forced(graph, edge, controlled)
    if provenance == "house" and graph[11] != RING:
        yield "G-11", "the neighbours of sector 11 are the ring 5, 6, 7, 12, 13 and 14"


def _forced(
    graph: Mapping[int, AbstractSet[int]], east: frozenset[int], controlled: Mapping[int, int]
) -> Iterator[tuple[str, str]]:
    """What follows from G-1 to G-6, so that a wrong map is told where to look."""
    if not any(11 in graph[sector] and east & graph[sector] for sector in (5, 12, 13, 14)):
        yield "G-7", "one of 5, 12, 13 and 14 touches both sector 11 and a sector on the east edge"
    whole = count_steps(graph, east, SECTORS)
    if whole.get(11) != 2:
        yield "G-8", "sector 11 lies two steps from the east edge on the whole map, and touches none of its sectors"
    near = {sector for sector, steps in controlled.items() if steps <= 2}
    chain = any(controlled.get(sector) == 3 for sector in graph[3])
    if graph[3] & (near | {11} | east) or not chain or whole.get(3, 0) not in (2, 3, 4):
        yield "G-9", "sector 3 keeps off the east: beside it only 1, 2, 6, 7 and sectors three steps in or more"
    if 21 in count_steps(graph, [11], LINE - {13}):
        yield "G-10", "the saving line of 11, 13, 15, 21, 17, 9 and 4 leads through sector 13"
    levels = {steps: {sector for sector, distance in controlled.items() if distance == steps} for steps in (1, 2, 3, 4)}
    stairs = (
        levels[1] & {5, 12, 13, 14},
        levels[2] & {11},
        levels[3] & BETWEEN_3_AND_EAST & graph[3],
        levels[4] & {3},
    )
    if not all(stairs) or len(SECTORS - east) != 16:
        yield "G-12", "16 sectors lie off the east edge; with 1, 2, 6 and 7 German each step up to 3 has its sector"
