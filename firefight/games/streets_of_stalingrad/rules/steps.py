"""One step of a unit into the next hex: whether it may, stops, or pays more (6.5 to 6.8, 8.08, 8.12)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a unit.

    from_zoc, to_zoc: enemy ZOC in the hex that is left, in the one that is entered. to_breakthru: with a breakthru
    marker. came_this_phase: into the ZOC that it leaves. arrow: a landing arrow points at the hex. number: the hex
    that is entered, in case it is in an appendix. advance: after combat, which is not movement. terrain: what is
    entered, to show its MP; their chart is asked for once (8.04). in_reserve: in a Reserves Movement Phase, where
    nobody breaks through (8.51).
    """

    unit: UnitKind
    mp: int | None
    from_zoc: bool
    to_zoc: bool
    to_breakthru: bool
    came_this_phase: bool
    bridge: bool
    road: bool
    arrow: bool
    advance: bool
    infiltrating: bool
    enemy: Enemy
    number: str
    terrain: str = ""
    in_reserve: bool = False

    @property
    def hex(self) -> str:
        """The hex that is entered, "" where nobody has said which. Raises BadInput."""
        return read_hex(self.number, "number") if self.number else ""

    @property
    def is_free(self) -> bool:
        """Whether enemy ZOC are no matter: beside a breakthru marker, after combat, with Herman (6.7, 6.8, 13.2)."""
        return self.to_breakthru or self.advance or self.infiltrating

    @property
    def breaks(self) -> bool:
        """Whether it is breakthrough movement: armour goes from ZOC to ZOC (8.51)."""
        return self.unit.is_armored and not self.in_reserve and not self.is_free

    @property
    def is_held(self) -> bool:
        """Whether enemy ZOC hold it (6.5, 6.7, 8.09)."""
        return not (self.is_free or self.breaks or self.unit is UnitKind.TRANSPORT)

    @property
    def stops(self) -> bool:
        """Whether it stops where it comes (6.5)."""
        return self.to_zoc and self.is_held

    @property
    def over_bridge(self) -> bool:
        """Whether it uses the bridge: not on breakthrough movement into a ZOC (8.55)."""
        return self.bridge and not (self.breaks and self.to_zoc)

    @property
    def by_road(self) -> bool:
        """Whether it pays the road's rate (8.54)."""
        return self.road and not (self.breaks and self.to_zoc)

    @property
    def zoc_mp(self) -> int:
        """What armour pays for the ZOC that it leaves (8.56)."""
        return ZOC_MP if self.breaks and self.from_zoc and (self.to_zoc or self.came_this_phase) else 0

    @property
    def blocked(self) -> list[str]:
        """What it may enter, but not cross, for lack of a road, a bridge or an arrow (8.12, 8.67)."""
        is_barred = self.unit.is_vehicle(self.mp) and not (self.road or self.arrow or self.over_bridge)
        return name_features("blocks", self.hex) if self.hex and is_barred else []


def judge_step(charts: Book, step: Step) -> Result:
    """One step (6.5 to 6.8, 8.08, 8.09, 8.12, 8.51 to 8.56, 8.67, 9.86, 16.46, 17.12)."""
    if step.unit.never_moves:
        raise BadInput({"unit": f"{step.unit.word}: it is placed, and does not move (2.25)."})
    entering = _find_cost(charts, step) if step.terrain and not step.advance else None
    cost = entering + step.zoc_mp if isinstance(entering, int) else None
    result = allow_or_refuse(
        f"{step.unit.word} into {step.hex or 'the next hex'}",
        list(_list_reasons(step, entering)),
        ("6.5", "6.7", "8.08", "8.12", *(("8.56",) if step.zoc_mp else ()), *(("9.86",) if step.advance else ())),
        {"stops": step.stops, "extra_mp": step.zoc_mp, "blocked": step.blocked, "cost": cost},
        provenance=(
            *(from_text("hexes") if step.hex else ()),
            *sources([charts["move_costs"]] if step.terrain else []),
        ),
    )
    costs = () if cost is None else (f"{count_of(cost, 'MP', 'MP')} to enter (8.04, TEC).",)
    return replace(result, effects=(*result.effects, *costs, *_tell(step)))


def _list_reasons(step: Step, entering: int | str | None) -> Iterator[str]:
    """Why it may not go there; ``entering``: what the chart has for the terrain."""
    if step.enemy is Enemy.COMBAT and not step.infiltrating:
        yield "8.08: an enemy combat unit is there."
    if step.from_zoc and step.to_zoc and step.is_held and not step.unit.is_support:
        yield "6.7: from one enemy ZOC to another goes armour alone, or by a breakthru marker."
    if entering is BARRED:
        yield f"8.04: it may not enter {Terrain(step.terrain).word} (TEC)."


BARRED = "-"
BRIDGE_MP = 1  # 17.12


def _find_cost(charts: Book, step: Step) -> int | str:
    """The MP of a hex by the Terrain Effects Chart, BARRED where the unit may not enter (8.04, 8.11, 8.14, 17.12)."""
    if step.over_bridge:
        return BRIDGE_MP
    chart = charts["move_costs"]
    assert isinstance(chart, Matrix)
    row = "along_road" if step.by_road and not Terrain(step.terrain).is_built_up else step.terrain
    cost = str(chart.cell(row, "vehicle" if step.unit.is_vehicle(step.mp) else "foot"))
    return BARRED if cost == BARRED else int(cost)


def _tell(step: Step) -> Iterator[str]:
    if step.stops:
        yield "It stops there (6.5)."
    if step.zoc_mp:
        yield f"{step.zoc_mp} MP more for the ZOC that it leaves (8.56)."
    if step.unit.is_armored and step.to_zoc and not step.stops:
        yield "In Movement and Exploit Movement it need not stop; it pays for the terrain, not the road (8.51, 8.54)."
        yield "Opportunity fire reaches it; one leader or observer of its command may ride along (8.53, 8.57)."
    if step.to_breakthru:
        yield "The breakthru marker costs half the MP of the phase (10.7)."
    if step.over_bridge:
        yield "The bridge costs 1 MP, never the road rate; none is crossed in a hex under a pinned marker (17.12)."
    elif step.bridge:
        yield "Armour on breakthrough movement does not use a bridge in an enemy ZOC (8.55)."
    if step.blocked:
        yield f"It may enter and follow the {' and '.join(step.blocked)}, but not cross it (8.12)."
    if step.unit.is_support and step.to_zoc:
        yield "Into an enemy ZOC only with or to a friendly combat unit; an observer alone stops (14.93, 18.16)."
