"""Where hexes lie by the Soviet Compass: one neighbour of each is enough, and the others follow."""

from collections import deque
from collections.abc import Mapping, Sequence

from firefight.engine.board.board import FLAT_WAYS
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

WAYS = tuple(f"d{direction}" for direction in range(1, 7))
Spot = tuple[int, int]


def fill_hexes(rows: Sequence[Values]) -> list[Json]:
    """Rows of hexes, blanks filled in from where they lie: neighbours, row from the north, rank.

    Raises BadInput where a hex has no place, or that of another; whatever else was typed stays as it is.
    """
    rows_by_hex = {row["hex"]: row for row in rows}
    if odd := find_odd_neighbours(rows_by_hex):
        raise BadInput(odd)
    spots = lay_out_hexes(rows_by_hex)
    problems = {
        row["hex"]: f"Hexes, {row['hex']}: say a hex next to it, d1 to d6, so that it has its place."
        for row in rows
        if row["hex"] not in spots
    }
    at: dict[Spot, str] = {}
    for hex, spot in spots.items():
        if (other := at.setdefault(spot, hex)) != hex:
            problems[hex] = f"Hexes, {hex}: by the compass it lies where {other} lies. Look at the d1 to d6 of both."
    if problems:
        raise BadInput(problems)
    west, top = (min(spot[axis] for spot in spots.values()) for axis in (0, 1)) if spots else (0, 0)
    filled = []
    for row in rows:
        x, y = spots[row["hex"]]
        near = {way: at.get((x + dx, y + dy), "") for way, (dx, dy) in zip(WAYS, FLAT_WAYS, strict=True)}
        filled.append({"row": x - west + 1, "rank": (y - top + 1) // 2, **near, **row})
    return filled


def find_odd_neighbours(rows: Mapping[str, Values]) -> dict[str, str]:
    """Neighbours that name each other in directions that are not opposite, in sentences."""
    problems = {}
    for hex, row in rows.items():
        for number, way in enumerate(WAYS):
            other, back = str(row.get(way, "")), (number + 3) % 6
            neighbour = rows.get(other, {}).get(WAYS[back], hex)
            if neighbour != hex:
                prefix = f"Hexes: direction {number + 1} of {hex} is {other}"
                problems[f"{hex} {way}"] = f"{prefix}, so {back + 1} of {other} is {hex}, not {neighbour}."
    return problems


def lay_out_hexes(rows: Mapping[str, Values]) -> dict[str, Spot]:
    """The places of all hexes that are connected to the first one, whichever of two neighbours names the other."""
    near: dict[str, list[tuple[str, Spot]]] = {hex: [] for hex in rows}
    for hex, row in rows.items():
        for way, (dx, dy) in zip(WAYS, FLAT_WAYS, strict=True):
            other = str(row.get(way, ""))
            if other in rows:
                near[hex].append((other, (dx, dy)))
                near[other].append((hex, (-dx, -dy)))
    spots: dict[str, Spot] = {hex: (0, 0) for hex in list(rows)[:1]}
    edge = deque(spots)
    while edge:
        hex = edge.popleft()
        x, y = spots[hex]
        for other, (dx, dy) in near[hex]:
            if other not in spots:
                spots[other] = (x + dx, y + dy)
                edge.append(other)
    return spots
