"""Room for the cells of a drawing: corners are pushed to and fro until small cells have grown, and nothing crosses.

A corner knows the corners that it shares a side with, and the cells that meet in it. It is pushed by each of these as
by a bubble: outwards by one that has less room than it should, inwards by one that has more. A push after which a side
would cross another is halved, or dropped.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot, log

from .planarity import Vertex

Place = tuple[float, float]
_SWEEPS, _STRONGEST, _STIFF, _STEP, _LEAP, _HALVINGS = 36, 2.5, 0.35, 0.3, 4, 5
_MOST_PUSHES = 2_400  # of corners in all, so that a large map takes no longer than people wait
_APART = 0.05  # the same for corners on whole numbers
_REACH = 9
_AROUND = sorted(
    ((dx, dy) for dx in range(-_REACH, _REACH + 1) for dy in range(-_REACH, _REACH + 1)),
    key=lambda way: way[0] ** 2 + way[1] ** 2,
)
_NEAR = 5.0  # how near a corner may come to what it does not belong to, unless it was nearer before


class Bubbles:
    """The cells of a drawing by their corners, clockwise; ``ties``: the corners beside each.

    ``bound``: corners on the frame, which may only slide along axis 0 or 1, or not at all (None). ``places`` change.
    """

    def __init__(
        self,
        places: dict[int, Place],
        cells: Mapping[Vertex, Sequence[int]],
        ties: Mapping[int, Sequence[int]],
        bound: Mapping[int, int | None],
    ):
        self.places, self.cells, self.ties, self.bound = places, cells, ties, bound
        self.meeting: dict[int, list[Vertex]] = {}
        for cell, corners in cells.items():
            for corner in corners:
                self.meeting.setdefault(corner, []).append(cell)
        self.around = {
            corner: list({_key(*side) for cell in at for side in _sides(cells[cell]) if corner not in side})
            for corner, at in self.meeting.items()
        }
        self.fields = {corner: _find_field(corner, [cells[cell] for cell in at]) for corner, at in self.meeting.items()}

    def swell(self, targets: Mapping[Vertex, float]) -> None:
        """Let cells grow and shrink towards the room that they should have."""
        for _ in range(min(_SWEEPS, _MOST_PUSHES // len(self.meeting))):
            pressure = {
                cell: max(-_STRONGEST, min(_STRONGEST, log(targets[cell] / max(_area(self.places, corners), 1e-9))))
                for cell, corners in self.cells.items()
            }
            for corner, at in self.meeting.items():
                axis = self.bound.get(corner, 2)
                if axis is None:
                    continue
                pushing = [(pressure[cell], self.cells[cell]) for cell in at]
                x, y = _push(self.places, corner, pushing, self.ties[corner])
                self._move(corner, (0.0 if axis == 1 else x, 0.0 if axis == 0 else y))

    def _move(self, corner: int, by: Place) -> None:
        """Move a corner as far as it may go."""
        start = self.places[corner]
        least = self._find_clearance(corner, start)
        for _ in range(_HALVINGS):
            if self._goes(corner, (start[0] + by[0], start[1] + by[1]), least):
                return
            by = (by[0] / 2, by[1] / 2)

    def _goes(self, corner: int, to: Place, least: float) -> bool:
        """Move a corner, if it stays among its cells, its sides keep clear of all others, and no cell turns over."""
        start, field = self.places[corner], self.fields[corner]
        stays = _is_within(self.places, to, field) if field else _is_between(self.places, to, start, self.ties[corner])
        if not stays or not 0 < least <= self._find_clearance(corner, to):
            return False
        self.places[corner] = to
        if all(_area(self.places, self.cells[cell]) > 0 for cell in self.meeting[corner]):
            return True
        self.places[corner] = start
        return False

    def _find_clearance(self, corner: int, to: Place) -> float:
        return _find_clearance(self.places, to, self.ties[corner], self.around[corner])

    def snap(self) -> bool:
        """Put every corner on a whole number, as near as crossings allow; says whether all have found one."""
        return all(self._snap(corner) for corner in self.meeting)

    def _snap(self, corner: int) -> bool:
        x, y = self.places[corner]
        axis = self.bound.get(corner, 2)
        if axis is None:
            self.places[corner] = (round(x), round(y))
            return True
        ways = [(dx, dy) for dx, dy in _AROUND if (dx == 0 or axis != 1) and (dy == 0 or axis != 0)]
        return any(self._goes(corner, (round(x) + dx, round(y) + dy), _APART) for dx, dy in ways)


def _find_field(corner: int, cells: Sequence[Sequence[int]]) -> list[int]:
    """What the cells that meet in a corner cover together, as the corners around it; empty for one on the frame."""
    ways = {}
    for cell in cells:
        place = cell.index(corner)
        rest = [*cell[place + 1 :], *cell[:place]]
        ways[rest[0]] = rest
    follower = next(iter(ways))
    ring: list[int] = []
    while follower in ways:
        rest = ways.pop(follower)
        ring += rest[:-1]
        follower = rest[-1]
    return ring if ring and follower == ring[0] and not ways else []


def _is_within(places: Mapping[int, Place], point: Place, field: Sequence[int]) -> bool:
    """Whether a place lies in a field: a ray to the right leaves it an odd number of times."""
    is_odd = False
    for start, end in _sides(field):
        a, b = places[start], places[end]
        if (a[1] > point[1]) != (b[1] > point[1]):
            is_odd ^= point[0] < a[0] + (point[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    return is_odd


def _is_between(places: Mapping[int, Place], to: Place, start: Place, ties: Sequence[int]) -> bool:
    """Whether a corner on the frame still lies between those beside it there."""
    axis = 0 if to[1] == start[1] else 1
    along = sorted(places[tie][axis] for tie in ties if places[tie][1 - axis] == start[1 - axis])
    return len(along) == 2 and along[0] < to[axis] < along[1]


def _key(start: int, end: int) -> tuple[int, int]:
    return (start, end) if start < end else (end, start)


def _sides(corners: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(corners, [*corners[1:], corners[0]], strict=True)


def _area(places: Mapping[int, Place], corners: Sequence[int]) -> float:
    points = [places[corner] for corner in corners]
    ways = zip(points, [*points[1:], points[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in ways) / 2


def _push(
    places: Mapping[int, Place], corner: int, at: Iterable[tuple[float, Sequence[int]]], ties: Sequence[int]
) -> Place:
    """Where the cells that meet in a corner push it, and where its sides pull it to keep their length."""
    spot = places[corner]
    lengths = [hypot(places[tie][0] - spot[0], places[tie][1] - spot[1]) for tie in ties]
    reach = _STEP * min(sum(lengths) / len(lengths), _LEAP * min(lengths))
    x = _STIFF * (sum(places[tie][0] for tie in ties) / len(ties) - spot[0])
    y = _STIFF * (sum(places[tie][1] for tie in ties) / len(ties) - spot[1])
    for pressure, corners in at:
        place = corners.index(corner)
        before, after = places[corners[place - 1]], places[corners[(place + 1) % len(corners)]]
        out_x, out_y = after[1] - before[1], before[0] - after[0]
        length = hypot(out_x, out_y) or 1.0
        x += reach * pressure * out_x / length
        y += reach * pressure * out_y / length
    return x, y


def _find_clearance(
    places: Mapping[int, Place], to: Place, ties: Sequence[int], around: Sequence[tuple[int, int]]
) -> float:
    """How near a corner and its sides come to the other corners and sides of its cells; 0 if they cross.

    What lies too far away to matter is not measured.
    """
    ends = [(tie, places[tie]) for tie in ties]
    across, down = zip(to, *(end for _, end in ends), strict=True)
    left, right, top, foot = min(across) - _NEAR, max(across) + _NEAR, min(down) - _NEAR, max(down) + _NEAR
    clearance, measured = _NEAR, set(ties)
    for first, second in around:
        a, b = places[first], places[second]
        if (
            (a[0] < left and b[0] < left)
            or (a[0] > right and b[0] > right)
            or (a[1] < top and b[1] < top)
            or (a[1] > foot and b[1] > foot)
        ):
            continue
        along = (b[0] - a[0], b[1] - a[1])
        of_place = along[0] * (to[1] - a[1]) - along[1] * (to[0] - a[0])
        for tie, end in ends:
            if tie in (first, second) or of_place * (along[0] * (end[1] - a[1]) - along[1] * (end[0] - a[0])) > 0:
                continue
            way = (end[0] - to[0], end[1] - to[1])
            of_a = way[0] * (a[1] - to[1]) - way[1] * (a[0] - to[0])
            of_b = way[0] * (b[1] - to[1]) - way[1] * (b[0] - to[0])
            if of_a * of_b <= 0:
                return 0.0
        clearance = min(clearance, measure_distance(to, a, b))
        for corner in (first, second):
            if corner not in measured:
                measured.add(corner)
                clearance = min(clearance, *(measure_distance(places[corner], to, end) for _, end in ends))
    return clearance


def measure_distance(point: Place, a: Place, b: Place) -> float:
    """From a point to a side."""
    x, y = b[0] - a[0], b[1] - a[1]
    square = x * x + y * y or 1e-18
    share = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / square
    share = 0.0 if share < 0 else 1.0 if share > 1 else share
    return hypot(point[0] - a[0] - share * x, point[1] - a[1] - share * y)
