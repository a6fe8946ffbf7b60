"""What stands on a counter for its arm: signs of our own, drawn around (0, 0) in a field of 44 by 24.

Infantry has a box with the strokes that maps use, weapons stand upright as map signs do, vehicles, guns and aircraft
are drawn as they look. A counter that is not known by its key gets the sign of its kind.
"""

from collections.abc import Iterable
from math import cos, pi, sin

from firefight.drawing.shapes import Ellipse, Line, Point, Polygon, Shape, box

from ..rules.counters import Counter, CounterKind

FIELD = (44, 24)

Sign = tuple[Shape, ...]


def find_sign(counter: Counter) -> Sign:
    """The sign of a counter."""
    return _BY_KEY.get(counter.key) or _BY_KIND[counter.kind]


def _stroke(*points: Point) -> Line:
    return Line(points, "stroke")


def _solid(*points: Point) -> Polygon:
    return Polygon(points, "solid")


def _disc(x: float, y: float, radius: float, role: str = "solid") -> Ellipse:
    return Ellipse(x, y, radius, radius, role)


def _mirror_figure(shapes: Iterable[Polygon]) -> Sign:
    """Half a figure and its other half."""
    halves = list(shapes)
    return (*halves, *(Polygon(tuple((-x, y) for x, y in half.points), half.role) for half in halves))


# Infantry

_FRAME = box(-18, -11, 36, 22, "paper")
_INFANTRY: Sign = (_FRAME, _stroke((-18, -11), (18, 11)), _stroke((-18, 11), (18, -11)))
_PIONEERS: Sign = (
    _FRAME,
    _stroke((-10, 6), (-10, -5), (10, -5), (10, 6)),
    _stroke((0, -5), (0, 6)),
)
_MOTORIZED: Sign = (*_INFANTRY, Ellipse(0, 0, 13, 7, "outline"))
_MARINES: Sign = (
    _FRAME,
    _disc(0, -7, 1.7, "outline"),
    _stroke((0, -5.3), (0, 8)),
    _stroke((-4, -2.5), (4, -2.5)),
    _stroke((-8, 2), (-6, 6), (0, 8.3), (6, 6), (8, 2)),
)


def _star(x: float, y: float, radius: float) -> Polygon:
    """A star with five points."""
    points = []
    for turn in range(10):
        reach = radius * (0.4 if turn % 2 else 1)
        points.append((x + reach * sin(turn * pi / 5), y - reach * cos(turn * pi / 5)))
    return Polygon(tuple(points), "solid")


_GUARDS: Sign = (*_INFANTRY, _disc(0, 0, 7.5, "paper"), _star(0, 0.4, 6))
_SMG: Sign = (*_INFANTRY, *(_disc(x, -7, 1.6) for x in (-5, 0, 5)))
_MILITIA: Sign = (_FRAME, _stroke((-18, 11), (18, -11)))


# Leaders


def _chevron(top: float) -> Polygon:
    return _solid((-12, top), (0, top + 7), (12, top), (12, top + 4.5), (0, top + 11.5), (-12, top + 4.5))


_OFFICER: Sign = (_star(0, 1, 13),)
_NCO: Sign = (_chevron(-11), _chevron(-3))
_COMMISSAR: Sign = (_disc(0, 0, 11.5, "paper"), _star(0, 0.4, 9.5))


# Weapons


def _upright(*more: Shape, bars: int = 0) -> Sign:
    """A barrel with an arrowhead, ``bars`` of weight across it, and its base."""
    arrow = (_stroke((0, 11), (0, -11)), _stroke((-5, -5.5), (0, -11), (5, -5.5)))
    across = (_stroke((-5.5, 4.5 - 4 * bar), (5.5, 4.5 - 4 * bar)) for bar in range(bars))
    return (*arrow, *across, *more)


_FOOT = _stroke((-8, 11), (8, 11))
_MACHINE_GUN = _upright(_FOOT, bars=2)
_ANTI_TANK_RIFLE = _upright(_stroke((-8, 11), (0, 3.5), (8, 11)))


def _mortar(bars: int) -> Sign:
    arrow = (_stroke((0, 4), (0, -11)), _stroke((-5, -5.5), (0, -11), (5, -5.5)))
    across = (_stroke((-5.5, 0.5 - 4 * bar), (5.5, 0.5 - 4 * bar)) for bar in range(bars))
    return (*arrow, *across, _disc(0, 7.5, 4, "outline"))


def _flame(x: float, y: float, size: float) -> Polygon:
    """A jet of fire to the left of its muzzle."""
    tongue = ((0, 0), (-3, -3), (-7, -3.5), (-12, -7), (-10, -2.5), (-15, -2), (-11, 1), (-14, 5), (-7, 3.5), (-3, 2.5))
    return _solid(*((x + px * size, y + py * size) for px, py in tongue))


_FLAMETHROWER: Sign = (_flame(-3, -1, 1.1), _stroke((-3, -1), (10, -1), (10, 3)), box(6, 2, 9, 9, "solid"))
_DEMO_CHARGE: Sign = (
    box(-9, -1, 18, 11, "solid"),
    _stroke((0, -1), (0, -5), (5, -8)),
    _star(8, -8, 4.5),
    Line(((-9, 4.5), (9, 4.5)), "gap"),
)


def _gun(barrel: float, rise: float) -> Sign:
    """A gun on its wheel, trail to the right."""
    return (
        Line(((-1, -3), (-1 - barrel, -3 - rise)), "barrel"),
        _solid((-5, -9), (-2, -9), (0, 5), (-3, 5)),
        Line(((0, 0), (19, 10)), "barrel"),
        _disc(0, 5, 6),
        _disc(0, 5, 2.5, "gap"),
    )


# Vehicles face left.


def _track(left: float, right: float, top: float = 2) -> Sign:
    bottom = 11
    middle = (top + bottom) / 2
    band = _solid(
        (left + 3, bottom), (right - 3, bottom), (right, middle), (right - 3, top), (left + 3, top), (left, middle)
    )
    wheels = 4 if right - left > 26 else 3
    step = (right - left - 10) / (wheels - 1)
    return (band, *(_disc(left + 5 + step * wheel, middle + 0.6, 2.2, "gap") for wheel in range(wheels)))


def _tank(barrel: float, turret: float = 1, half: float = 18) -> Sign:
    """A tank; ``turret``: how large it is; ``half``: half the length of its hull."""
    top = -3 - 6.5 * turret
    return (
        *_track(-half, half),
        _solid((-half, 2), (2 - half, -3), (half - 3, -3), (half, 2)),
        _solid((-6 * turret, -3), (-4 * turret, top), (6 * turret, top), (9 * turret, -3)),
        Line(((0, (top - 3) / 2), (-5 - barrel, (top - 3) / 2)), "barrel"),
    )


def _assault_gun(barrel: float) -> Sign:
    return (
        *_track(-18, 18),
        _solid((-18, 2), (-15, -2), (-9, -2), (-7, -8), (9, -8), (15, -2), (18, 2)),
        Line(((0, -4.5), (-8 - barrel, -4.5)), "barrel"),
    )


def _wheels(*places: float) -> Sign:
    return tuple(shape for x in places for shape in (_disc(x, 7, 4.5), _disc(x, 7, 1.6, "gap")))


def _armoured_car(*wheels: float, turret: float = 1) -> Sign:
    return (
        _solid((-19, 4), (-17, -1), (-8, -3), (-5, -5), (12, -5), (18, 0), (17, 5), (-18, 6)),
        _solid((-4 * turret, -5), (-3 * turret, -5 - 5 * turret), (6 * turret, -5 - 5 * turret), (7 * turret, -5)),
        Line(((0, -5 - 2.5 * turret), (-11, -5 - 2.5 * turret)), "stroke"),
        *_wheels(*wheels),
    )


_HALF_TRACK: Sign = (
    _solid((-20, 5), (-19, -1), (-8, -3), (-5, -7), (17, -7), (19, 4)),
    *_track(-6, 20, top=3),
    *_wheels(-14),
    _stroke((-4, -7), (-4, -10), (-9, -11)),
)
_AA_TRUCK: Sign = (
    _solid((-20, 5), (-20, -1), (-14, -2), (-11, -8), (-4, -8), (-4, 5)),
    box(-3, 0, 22, 5, "solid"),
    *_wheels(-13, 10),
    _stroke((7, 0), (7, -5), (1, -11)),
    _stroke((10, -5), (4, -11)),
    _stroke((4, -5), (11, -5)),
)
_TRACTOR: Sign = (
    *_track(-15, 15),
    _solid((-15, 2), (-13, -6), (-2, -6), (-1, -2), (14, -2), (15, 2)),
    Line(((-8, -4), (-19, -4)), "stroke"),
)


# The rest


_MONOPLANE: Sign = _mirror_figure(
    (
        _solid((0, -12), (2, -9), (2.2, 2), (1, 11), (0, 11)),
        _solid((1, -5), (8, -3.5), (21, -5), (21, -1), (9, 2.5), (1, 2)),
        _solid((0, 7.5), (7, 8), (7, 10.5), (0, 11.5)),
    )
)
_BIPLANE: Sign = _mirror_figure(
    (
        _solid((0, -12), (2, -9), (2, 2), (1, 11), (0, 11)),
        _solid((0, -8), (19, -8), (21, -6), (19, -4.5), (0, -4.5)),
        _solid((0, -2.5), (18, -2.5), (20, -1), (18, 1), (0, 1)),
        _solid((0, 7.5), (7, 8), (7, 10.5), (0, 11.5)),
    )
)
_MINES: Sign = tuple(
    shape
    for x in (-13, 0, 13)
    for shape in (_disc(x, 2, 5), _stroke((x, 2), (x - 4.5, -5)), _stroke((x, 2), (x + 4.5, -5)))
)
_BUNKER: Sign = (
    _solid((-19, 10), (-14, -8), (14, -8), (19, 10)),
    Polygon(((-11, -3), (11, -3), (12, 1), (-12, 1)), "gap"),
)
_NEST: Sign = (
    _solid((-17, 11), (-17, -3), (-9, -3), (-9, -10), (-3, -6), (2, -11), (6, -4), (17, -4), (17, 11)),
    *(box(x, 1, 5, 4, "gap") for x in (-12, -2.5, 7)),
)
_FLAG: Sign = (_stroke((-8, 11), (-8, -11)), _solid((-8, -11), (12, -6), (-8, -1)))

_BY_KIND: dict[CounterKind, Sign] = {
    CounterKind.SQUAD: _INFANTRY,
    CounterKind.LEADER: _OFFICER,
    CounterKind.SW_TEAM: _MACHINE_GUN,
    CounterKind.GUN: _gun(17, 0),
    CounterKind.VEHICLE: _tank(10),
    CounterKind.AIRCRAFT: _MONOPLANE,
    CounterKind.FORTIFICATION: _BUNKER,
    CounterKind.MARKER: _FLAG,
}
_BY_KEY: dict[str, Sign] = {
    "panzergrenadier_squad": _MOTORIZED,
    "pioneer_squad": _PIONEERS,
    "militia_squad": _MILITIA,
    "guards_squad": _GUARDS,
    "marine_squad": _MARINES,
    "smg_squad": _SMG,
    "nco": _NCO,
    "commissar": _COMMISSAR,
    "flamethrower": _FLAMETHROWER,
    "demo_charge": _DEMO_CHARGE,
    "grw_36": _mortar(1),
    "bm_41": _mortar(1),
    "grw_34": _mortar(2),
    "bm_37": _mortar(2),
    "ptrs": _ANTI_TANK_RIFLE,
    "leig_18": _gun(9, 4),
    "m1927": _gun(9, 4),
    "stug_iii_c": _assault_gun(3),
    "stug_iii_f": _assault_gun(13),
    "pz_iii_h": _tank(8),
    "pz_iii_j": _tank(13),
    "pz_iv_f1": _tank(6, 1.1),
    "pz_iv_f2": _tank(15, 1.1),
    "psw_222": _armoured_car(-11, 11),
    "sdkfz_251_1_c": _HALF_TRACK,
    "t_34_76_b": _tank(12, 0.9),
    "ot_34": (*_tank(4, 0.9), _flame(-9, -6, 0.75)),
    "kv_1a": _tank(12, 1.25, 20),
    "t_70": _tank(8, 0.8, 14),
    "ba_10m": _armoured_car(-13, 4, 13, turret=1.2),
    "ba_20": _armoured_car(-11, 11, turret=0.8),
    "gaz_aa": _AA_TRUCK,
    "komsomolets": _TRACTOR,
    "po_2": _BIPLANE,
    "mine_factor": _MINES,
    "nest": _NEST,
}
