"""Room for the cells of a drawing: corners are pushed to and fro until small cells have grown, and nothing crosses.

A corner knows the corners that it shares a side with, and the cells that meet in it. It is pushed by each of these as
by a bubble: outwards by one that has less room than it should, inwards by one that has more. A push after which a side
would cross another is halved, or left.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot, inf, log

from .planarity import Vertex

Place = tuple[float, float]
_STRONGEST, _STIFF, _STEP, _LEAP, _HALVINGS = 2.5, 0.35, 0.3, 4, 5
_NEAR = 5.0  # how near a corner may come to what it is no part of, if it was not nearer before


def swell(
    places: dict[int, Place],
    cells: Mapping[Vertex, Sequence[int]],
    wanted: Mapping[Vertex, float],
    ties: Mapping[int, Sequence[int]],
    bound: Mapping[int, int | None],
    sweeps: int,
) -> None:
    """Let cells grow and shrink towards the room that they should have. Changes ``places``.

    ``cells``: corners, clockwise. ``ties``: the corners beside each. ``bound``: corners that may only slide, along
    axis 0 or 1, or not at all (None).
    """
    meeting: dict[int, list[Vertex]] = {}
    for cell, corners in cells.items():
        for corner in corners:
            meeting.setdefault(corner, []).append(cell)
    around = {
        corner: list({_key(*side) for cell in at for side in _sides(cells[cell]) if corner not in side})
        for corner, at in meeting.items()
    }
    fields = {corner: _find_field(corner, [cells[cell] for cell in at]) for corner, at in meeting.items()}
    for _ in range(sweeps):
        pressure = {
            cell: max(-_STRONGEST, min(_STRONGEST, log(wanted[cell] / max(_area(places, corners), 1e-9))))
            for cell, corners in cells.items()
        }
        for corner, at in meeting.items():
            if corner in bound and bound[corner] is None:
                continue
            pushed = _push(places, corner, [(pressure[cell], cells[cell]) for cell in at], ties[corner])
            axis = bound.get(corner)
            if axis is not None:
                pushed = (pushed[0], 0.0) if axis == 0 else (0.0, pushed[1])
            _move(places, corner, pushed, ties[corner], around[corner], fields[corner], [cells[cell] for cell in at])


def _find_field(corner: int, cells: Sequence[Sequence[int]]) -> list[int]:
    """What the cells that meet in a corner cover together, as the corners around it; empty for one on the frame."""
    ways = {}
    for cell in cells:
        place = cell.index(corner)
        rest = [*cell[place + 1 :], *cell[:place]]
        ways[rest[0]] = rest
    here = next(iter(ways))
    found: list[int] = []
    while here in ways:
        rest = ways.pop(here)
        found += rest[:-1]
        here = rest[-1]
    return found if found and here == found[0] and not ways else []


def _is_within(places: Mapping[int, Place], now: Place, field: Sequence[int]) -> bool:
    """Whether a place lies in a field: a ray to the right leaves it an odd number of times."""
    is_odd = False
    for one, other in _sides(field):
        a, b = places[one], places[other]
        if (a[1] > now[1]) != (b[1] > now[1]):
            is_odd ^= now[0] < a[0] + (now[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    return is_odd


def _is_between(places: Mapping[int, Place], now: Place, was: Place, ties: Sequence[int]) -> bool:
    """Whether a corner on the frame still lies between those beside it there."""
    axis = 0 if now[1] == was[1] else 1
    along = sorted(places[tie][axis] for tie in ties if places[tie][1 - axis] == was[1 - axis])
    return len(along) == 2 and along[0] < now[axis] < along[1]


def _key(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _sides(corners: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(corners, [*corners[1:], corners[0]], strict=True)


def _area(places: Mapping[int, Place], corners: Sequence[int]) -> float:
    points = [places[corner] for corner in corners]
    ways = zip(points, [*points[1:], points[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in ways) / 2


def _push(
    places: Mapping[int, Place], corner: int, at: Iterable[tuple[float, Sequence[int]]], ties: Sequence[int]
) -> Place:
    """Where the cells that meet in a corner push it, and where the sides pull it, so that they stay of a length."""
    here = places[corner]
    lengths = [hypot(places[tie][0] - here[0], places[tie][1] - here[1]) for tie in ties]
    reach = _STEP * min(sum(lengths) / len(lengths), _LEAP * min(lengths))
    x = _STIFF * (sum(places[tie][0] for tie in ties) / len(ties) - here[0])
    y = _STIFF * (sum(places[tie][1] for tie in ties) / len(ties) - here[1])
    for pressure, corners in at:
        place = corners.index(corner)
        before, after = places[corners[place - 1]], places[corners[(place + 1) % len(corners)]]
        out_x, out_y = after[1] - before[1], before[0] - after[0]
        length = hypot(out_x, out_y) or 1.0
        x += reach * pressure * out_x / length
        y += reach * pressure * out_y / length
    return x, y


def _move(
    places: dict[int, Place],
    corner: int,
    by: Place,
    ties: Sequence[int],
    around: Sequence[tuple[int, int]],
    field: Sequence[int],
    cells: Sequence[Sequence[int]],
) -> None:
    """Move a corner as far as it stays among its cells, its sides cross no other, and no cell turns over."""
    was = places[corner]
    least = min(_NEAR, _find_clearance(places, was, ties, around))
    for _ in range(_HALVINGS):
        now = places[corner] = (was[0] + by[0], was[1] + by[1])
        stays = _is_within(places, now, field) if field else _is_between(places, now, was, ties)
        is_clear = stays and _find_clearance(places, now, ties, around) >= least > 0
        if is_clear and all(_area(places, cell) > 0 for cell in cells):
            return
        by = (by[0] / 2, by[1] / 2)
    places[corner] = was


def _find_clearance(
    places: Mapping[int, Place], now: Place, ties: Sequence[int], around: Sequence[tuple[int, int]]
) -> float:
    """How near a corner and its sides come to the other corners and sides of its cells; 0 if they cross."""
    ends = [(tie, places[tie]) for tie in ties]
    found, seen = inf, set(ties)
    for one, other in around:
        a, b = places[one], places[other]
        along = (b[0] - a[0], b[1] - a[1])
        of_now = along[0] * (now[1] - a[1]) - along[1] * (now[0] - a[0])
        for tie, end in ends:
            if tie in (one, other) or of_now * (along[0] * (end[1] - a[1]) - along[1] * (end[0] - a[0])) > 0:
                continue
            way = (end[0] - now[0], end[1] - now[1])
            of_a = way[0] * (a[1] - now[1]) - way[1] * (a[0] - now[0])
            of_b = way[0] * (b[1] - now[1]) - way[1] * (b[0] - now[0])
            if of_a * of_b <= 0:
                return 0.0
        found = min(found, _measure_distance(now, a, b))
        for corner in (one, other):
            if corner not in seen:
                seen.add(corner)
                found = min(found, *(_measure_distance(places[corner], now, end) for _, end in ends))
    return found


def _measure_distance(point: Place, a: Place, b: Place) -> float:
    """From a point to a side."""
    x, y = b[0] - a[0], b[1] - a[1]
    square = x * x + y * y or 1e-18
    share = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / square
    share = 0.0 if share < 0 else 1.0 if share > 1 else share
    return hypot(point[0] - a[0] - share * x, point[1] - a[1] - share * y)
