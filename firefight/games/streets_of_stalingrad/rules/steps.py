"""One step of a unit into the next hex: whether it may, stops, or pays more (6.5 to 6.8, 8.08, 8.12)."""

from collections.abc import Iterator
from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Result, sources
from firefight.engine.text import count_of

from .data import from_text
from .hexes import name_features, read_hex
from .kinds import UnitKind
from .terms import Terrain

ZOC_MP = 2  # for each enemy ZOC that armour leaves on its way (8.56)


class Enemy(Labelled):
    """Which enemy stands in the hex that is entered."""

    NONE = "none", "nobody"
    COMBAT = "combat", "a combat unit"
    SUPPORT = "support", "a leader, observer, minefield, bridge or fortification alone"


def step(
    *,
    charts: Book,
    unit: UnitKind,
    mp: int | None,
    from_zoc: bool,
    to_zoc: bool,
    to_breakthru: bool,
    came_this_phase: bool,
    bridge: bool,
    road: bool,
    arrow: bool,
    advance: bool,
    infiltrating: bool,
    enemy: Enemy,
    number: str,
    terrain: str = "",
    in_reserve: bool = False,
) -> Result:
    """One step (6.5 to 6.8, 8.08, 8.09, 8.12, 8.51 to 8.56, 8.67, 9.86, 16.46, 17.12).

    from_zoc, to_zoc: enemy ZOC in the hex that is left, in the one that is entered. to_breakthru: with a breakthru
    marker. came_this_phase: into the ZOC that it leaves. arrow: a landing arrow points at the hex. number: the hex
    that is entered, in case it is in an appendix. advance: after combat, which is not movement. terrain: what is
    entered, to show its MP; their chart is asked for once (8.04). in_reserve: in a Reserves Movement Phase, where
    nobody breaks through (8.51).
    """
    number = read_hex(number, "number") if number else ""
    if unit.never_moves:
        raise BadInput({"unit": f"{unit.word}: it is placed, and does not move (2.25)."})
    is_free = to_breakthru or advance or infiltrating
    breaks = unit.is_armored and not in_reserve and not is_free
    is_held = not (is_free or breaks or unit is UnitKind.TRANSPORT)  # by enemy ZOC (6.5, 6.7, 8.09)
    reasons = [] if enemy is not Enemy.COMBAT or infiltrating else ["8.08: an enemy combat unit is there."]
    if from_zoc and to_zoc and is_held and not unit.is_support:
        reasons.append("6.7: from one enemy ZOC to another goes armour alone, or by a breakthru marker.")
    over_bridge = bridge and not (breaks and to_zoc)
    by_road = road and not (breaks and to_zoc)  # 8.54
    entering = _find_cost(charts, Terrain(terrain), unit, mp, by_road, over_bridge) if terrain and not advance else None
    if entering is BARRED:
        reasons.append(f"8.04: it may not enter {Terrain(terrain).word} (TEC).")
    stops = to_zoc and is_held
    extra = ZOC_MP if breaks and from_zoc and (to_zoc or came_this_phase) else 0
    is_barred = unit.is_vehicle(mp) and not (road or arrow or over_bridge)
    blocked = name_features("blocks", number) if number and is_barred else []
    result = allow_or_refuse(
        f"{unit.word} into {number or 'the next hex'}",
        reasons,
        ("6.5", "6.7", "8.08", "8.12", *(("8.56",) if extra else ()), *(("9.86",) if advance else ())),
        {
            "stops": stops,
            "extra_mp": extra,
            "blocked": blocked,
            "cost": entering + extra if isinstance(entering, int) else None,
        },
        provenance=(*(from_text("hexes") if number else ()), *sources([charts["move_costs"]] if terrain else [])),
    )
    costs = (f"{count_of(entering + extra, 'MP', 'MP')} to enter (8.04, TEC).",) if isinstance(entering, int) else ()
    effects = (*result.effects, *costs, *_tell(unit, to_zoc, to_breakthru, stops, extra, blocked, bridge, over_bridge))
    return replace(result, effects=effects)


BARRED = "-"
BRIDGE_MP = 1  # 17.12


def _find_cost(charts: Book, terrain: Terrain, unit: UnitKind, mp: int | None, road: bool, bridge: bool) -> int | str:
    """The MP of a hex by the Terrain Effects Chart, BARRED where the unit may not enter (8.04, 8.11, 8.14, 17.12)."""
    if bridge:
        return BRIDGE_MP
    chart = charts["move_costs"]
    assert isinstance(chart, Matrix)
    row = "along_road" if road and not terrain.is_built_up else terrain.value
    cost = str(chart.cell(row, "vehicle" if unit.is_vehicle(mp) else "foot"))
    return BARRED if cost == BARRED else int(cost)


def _tell(
    unit: UnitKind,
    to_zoc: bool,
    to_breakthru: bool,
    stops: bool,
    extra: int,
    blocked: list[str],
    bridge: bool,
    over_bridge: bool,
) -> Iterator[str]:
    if stops:
        yield "It stops there (6.5)."
    if extra:
        yield f"{extra} MP more for the ZOC that it leaves (8.56)."
    if unit.is_armored and to_zoc and not stops:
        yield "In Movement and Exploit Movement it need not stop; it pays for the terrain, not the road (8.51, 8.54)."
        yield "Opportunity fire reaches it; one leader or observer of its command may ride along (8.53, 8.57)."
    if to_breakthru:
        yield "The breakthru marker costs half the MP of the phase (10.7)."
    if over_bridge:
        yield "The bridge costs 1 MP, never the road rate; none is crossed in a hex under a pinned marker (17.12)."
    elif bridge:
        yield "Armour on breakthrough movement does not use a bridge in an enemy ZOC (8.55)."
    if blocked:
        yield f"It may enter and follow the {' and '.join(blocked)}, but not cross it (8.12)."
    if unit.is_support and to_zoc:
        yield "Into an enemy ZOC only with or to a friendly combat unit; an observer alone stops (14.93, 18.16)."
