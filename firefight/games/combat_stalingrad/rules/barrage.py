"""What an FFE does to each hex that it reaches (17.4, 17.5).

Every function takes the faces shown by the dice (d100 "00" is 100), the charts and the players'
inputs by name, and returns a frozen Result. Line of sight is the players' business.
"""

from collections.abc import Callable, Sequence

from firefight.engine.board.hexes import Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources

from .artillery import Fire, Marker, check_smoke, settle_mission
from .units import Unit, call_level, common_modifiers

CFF_SHARE = 4  # a CFF brings one quarter (17.4.2)


class FirepowerOutcome(Outcome):
    """Whether artillery has firepower in a hex."""

    FF = "ff", "Firepower"
    NO_FF = "no_ff", "No firepower"


def firepower(
    *,
    charts: Book,
    caliber: int,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    distance: int = 0,
    smoke: bool = False,
    danger_close: bool = False,
    fire_2: bool = False,
    impact: str = "",
    rim_hexes: int = 0,
    rim_direction: int = 1,
    units: Sequence[Unit] = (),
) -> Result:
    """Firepower factors (FF) of artillery in a hex and the fire rolls that follow (17.4.1 to 17.5.3).

    caliber: millimetres, rounded down to a row. distance: hexes from the marker for targets whose
    hex is not given. impact: the marker's hex; units that name their hex are measured from it. A marker over the
    rim of the map lies rim_hexes from impact in rim_direction, 1 to 6 clockwise from north (A-48).
    fire_2: an FFE that acts in its own hex only, since it was not called again (17.3.6). A Bombardment marker is
    an FFE at once (17.5.2). A CFF's quarter rounds down, an FFE's shares round up; below 45 mm there is no share
    (R-02). Units of one location share a roll (A-50). Raises BadInput for contradictory inputs.
    """
    marker, kind = _settle_fire(marker, kind, fire_2)
    check_smoke(smoke, kind)
    hexes: HexMap = charts["map"].hexes
    centre = _marker_place(impact, rim_hexes, rim_direction, hexes)
    table: Numbers = charts["artillery_ff"]
    shares: Numbers = charts["ffe_shares"]
    row = table.floor_row(caliber)
    full = table.get(row)

    def ff_at(hexes_away: int) -> tuple[int, str]:
        return _ff_at(full, shares, caliber, marker, kind, hexes_away, smoke, danger_close, fire_2)

    spreads = marker is Marker.FFE and not fire_2 and (smoke or _has_share(shares, caliber))
    area = _area(centre, hexes, kind.radius if spreads else 0) if centre and (smoke or ff_at(0)[0]) else []
    reach = _find_reach(centre, area, hexes, distance)
    ff, reason = (0, "none of its hexes lies on the map") if reach is None else ff_at(reach)
    falls = (f"It falls on {', '.join(map(str, area))}.",) if ff and area else ()
    follow_ups, missed = _fire_rolls(units, centre, hexes, reach or 0, ff_at)
    if not units and ff:
        follow_ups = (FollowUp("fire", f"Fire with {ff} FF", {"ff": ff, "artillery": True}),)
    return Result(
        headline=f"{ff} FF: {reason}." if ff else f"No firepower: {reason}.",
        outcome=FirepowerOutcome.FF if ff else FirepowerOutcome.NO_FF,
        details={
            "ff": ff,
            "column": int(charts["fft"].floor_column(ff)) if ff else None,
            "row": int(row),
            "full": full,
            **({"hexes": [str(place) for place in area]} if area else {}),
        },
        effects=(*missed, *falls, *_smoke_effects(smoke, marker is Marker.FFE and not fire_2)),
        follow_ups=follow_ups,
        rules=("17.4.1 Area", "17.4.2 CFF FP", "17.4.3 FFE FP", "17.4.5 Attack Resolution"),
        provenance=sources((table, shares) + ((charts["map"],) if centre else ())),
    )


def _settle_fire(marker: Marker, kind: Fire, fire_2: bool) -> tuple[Marker, Fire]:
    """What acts: a Bombardment marker is the FFE of a bombardment. Raises BadInput for what cannot be."""
    if marker is not Marker.FFE:
        marker, kind = settle_mission(marker, kind)
    if marker is Marker.BOMBARDMENT:
        marker = Marker.FFE
    if fire_2 and kind is not Fire.BATTERY:
        raise BadInput({"fire_2": "Plotted fire and bombardments last one phase: no Fire 2 (17.4.8.1, 17.5.3)."})
    return marker, kind


def find_zone(
    *,
    charts: Book,
    caliber: int | None,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    smoke: bool = False,
    danger_close: bool = False,
    fire_2: bool = False,
    impact: str = "",
    rim_hexes: int = 0,
    rim_direction: int = 1,
) -> tuple[Hex, ...]:
    """The hexes of the map that an impact attacks, the nearest first (17.4.2, 17.4.3, 17.5.2); see ``firepower``.

    None where the marker's hex is not known, and for what has no firepower. How much falls on each does not matter:
    a caliber or a cell of the chart may still be missing. Raises BadInput for contradictory inputs.
    """
    marker, kind = _settle_fire(marker, kind, fire_2)
    hexes: HexMap = charts["map"].hexes
    centre = _marker_place(impact, rim_hexes, rim_direction, hexes)
    if centre is None or smoke or marker is Marker.PLOT or (danger_close and marker is not Marker.FFE):
        return ()
    spreads = marker is Marker.FFE and not fire_2 and (caliber is None or _has_share(charts["ffe_shares"], caliber))
    return tuple(_area(centre, hexes, kind.radius if spreads else 0))


def _marker_place(impact: str, rim_hexes: int, rim_direction: int, hexes: HexMap) -> Hex | None:
    if rim_hexes and not impact:
        raise BadInput({"impact": "Give the hex that the marker left on its way over the rim."})
    if not impact:
        return None
    return hexes.step(hexes.parse(impact), rim_direction, rim_hexes)


def _find_reach(centre: Hex | None, area: Sequence[Hex], hexes: HexMap, distance: int) -> int | None:
    """How far from the marker the fire is asked for: for one over the rim, the nearest hex of the map that it acts on,
    None where there is none (A-48)."""
    if centre is None or centre in hexes or distance:
        return distance
    return min((hexes.distance(centre, place) for place in area), default=None)


def _area(centre: Hex, hexes: HexMap, radius: int) -> list[Hex]:
    """The map's hexes that a marker acts on: its own, and an FFE's neighbours or 36 around (17.4.2, 17.4.3, 17.5.2)."""
    return [place for place in hexes.within(centre, radius) if place in hexes]


def _ff_at(
    full: int,
    shares: Numbers,
    caliber: int,
    marker: Marker,
    kind: Fire,
    distance: int,
    smoke: bool,
    danger_close: bool,
    fire_2: bool,
) -> tuple[int, str]:
    """FF at a distance from the marker, and why."""
    if smoke:
        return 0, "smoke has none"
    if marker is Marker.FFE:
        return _ffe_ff_at(full, shares, caliber, kind.radius, distance, fire_2)
    if marker is Marker.PLOT:
        return 0, "a Plot has none until it is an FFE"
    if danger_close:
        return 0, "a danger-close CFF has none"
    if distance:
        return 0, "a CFF acts in its own hex only"
    return full // CFF_SHARE, f"a quarter of {full}, fractions down"


def _ffe_ff_at(full: int, shares: Numbers, caliber: int, radius: int, distance: int, fire_2: bool) -> tuple[int, str]:
    """The FF of an FFE: all of it in its own hex, a share around (17.4.3)."""
    if distance == 0:
        return full, "an FFE in its own hex"
    if fire_2:
        return 0, "a Fire 2 FFE that was not called again acts in its own hex only"
    if distance > radius:
        return 0, f"{distance} hexes away is outside its area"
    if not _has_share(shares, caliber):
        return 0, f"{caliber} mm has no share outside the own hex (17.4.3)"
    share = shares.get(shares.floor_row(caliber))
    return -(-full * share // 100), f"{share} % of {full} next to an FFE, fractions up"


def _has_share(shares: Numbers, caliber: int) -> bool:
    return any(is_digits(lowest) and int(lowest) <= caliber for lowest in shares.values)


def _fire_rolls(
    units: Sequence[Unit], centre: Hex | None, hexes: HexMap, distance: int, ff_at: Callable[[int], tuple[int, str]]
) -> tuple[tuple[FollowUp, ...], tuple[str, ...]]:
    """One fire roll for each location, at its own distance (17.4.5); its units may differ in their DRM (A-50)."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        groups.setdefault((unit.hex.upper(), unit.where), []).append(unit)
    rolls, missed = [], []
    for (place, level), group in groups.items():
        away = hexes.distance(centre, hexes.parse(place)) if centre and place else distance
        ff, reason = ff_at(away)
        target = " ".join(filter(None, (place, call_level(level)))) or ", ".join(unit.name_or_kind() for unit in group)
        if ff:
            inputs = {
                "ff": ff,
                "artillery": True,
                "modifiers": common_modifiers(group),
                "units": [unit.plain() for unit in group],
            }
            rolls.append(FollowUp("fire", f"Fire on {target} ({ff} FF)", inputs))
        else:
            missed.append(f"{target}: not attacked ({reason}).")
    return tuple(rolls), tuple(missed)


def _smoke_effects(smoke: bool, spreads: bool) -> tuple[str, ...]:
    if not smoke:
        return ()
    area = "its hex and the six around it" if spreads else "its hex"
    return (f"Smoke stands in {area}, three levels high: +10 to fire into or through it.",)
