"""Set-up for a campaign firefight: where each unit may start, and what that costs (20.8.2, 20.8.3, 20.6.4 step 6)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from firefight.engine.labels import Labelled
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

from .maps import EDGE_NAMES, SectorMap
from .sectors import Control, Holding, LineToEdge, find_lines
from .units import FIXED_KINDS


class Arrival(Labelled):
    """How a unit comes to the firefight ahead, and what that allows at set-up.

    At start: from the card's first forces, as long as it has not entered (R-20). New: bought for this firefight. Held:
    bought earlier and never entered, or it left by its own edge (20.11.1, A-54). Survivor: on the map when the
    last firefight was settled.
    """

    AT_START = "at_start", "at start: anywhere in the deployment area"
    NEW = "new", "new: all in one sector, 1 CP for each sector in from the edge"
    HELD = "held", "held off the map: edge sectors free"
    SURVIVOR = "survivor", "survivors: the sector where they survived"


@dataclass(frozen=True, slots=True)
class SetupUnit:
    """A unit as set-up sees it.

    ``pays``: it pays to go in: the ID of its group starts with I, G or V (20.8.3), or it has none (A-54). ``home``:
    the sector where a survivor ended the last Reorganization Phase. ``is_mobile``: False for an M-KILLED vehicle.
    """

    origin: Arrival
    pays: bool = False
    home: int | None = None
    is_vehicle: bool = False
    is_mobile: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError for a survivor without a sector."""
        if self.origin is Arrival.SURVIVOR and self.home is None:
            raise ValueError("A survivor has a sector where it survived.")

    @property
    def allowance(self) -> str:
        """Where it may set up, and at what price, in words."""
        if self.origin is Arrival.NEW and not self.pays:
            return "new: all in one sector, for nothing"
        goes_on = self.origin is Arrival.SURVIVOR and self.is_vehicle and self.is_mobile
        return f"{self.origin.word}, or as a vehicle one beside it" if goes_on else self.origin.word


@dataclass(frozen=True, slots=True)
class SectorChoice:
    """One sector for one unit: open, or refused with an ``objection`` and its ``rule``.

    ``cost``: CP that its group pays to set up here, 0 where it is refused. ``line``: the sector's way to
    the own edge, None if the side does not control it.
    """

    sector: int
    cost: int
    line: LineToEdge | None
    objection: str
    rule: str

    @property
    def refusal(self) -> str:
        """The objection in a sentence, with its rule."""
        return str(Objection(self.objection, self.rule))

    @property
    def is_open(self) -> bool:
        """Whether the unit may set up here."""
        return not self.objection


@dataclass(frozen=True, slots=True)
class Placing:
    """One unit in a set-up. ``group``: the number of the group it came with. ``sector``: None if it stays off map."""

    unit: int
    group: int
    mover: SetupUnit
    sector: int | None


@dataclass(frozen=True, slots=True)
class Charge:
    """What one group pays, in CP, and the sector and line that say why; a single counter is minus its number."""

    group: int
    sector: int
    cost: int
    line: LineToEdge

    @property
    def unit(self) -> int | None:
        """The number of the single counter that pays for itself, None for a group (A-54)."""
        return -self.group if self.group < 0 else None


@dataclass(frozen=True, slots=True)
class Bill:
    """A whole set-up with its price in CP: it is valid if there is no objection."""

    charges: tuple[Charge, ...]
    total: int
    objections: tuple[Objection, ...]


def may_stay_off(mover: SetupUnit) -> bool:
    """Whether a unit may wait off map and enter later: all but survivors (20.5.8 step 3, 20.6.4 step 6)."""
    return mover.origin is not Arrival.SURVIVOR


def list_sector_choices(
    mover: SetupUnit,
    side: Side,
    sector_map: SectorMap,
    control: Control,
    deployment: Collection[int],
    is_first: bool = True,
) -> dict[int, SectorChoice]:
    """Every sector of the map, in number order, as a unit may use it or not (20.6.3, 20.6.4 step 6, 20.8, 20.10.1).

    ``deployment``: the sectors of the card's set-up area. There, or on the own edge, at-start units set up
    for nothing; for the first firefight (``is_first``) also where the areas of both sides overlap or without a line
    to the edge. Whatever else comes from off the map needs a sector of its side with a line to the edge (A-55); if
    its group pays, 1 CP for each step in (A-33). A survivor stays in its sector, and a vehicle that can move may
    also take one of its side beside it (A-30).
    """
    at_start = {*deployment, *sector_map.edges[side]}
    shared = {sector for sector in deployment if is_first and control[sector] is Holding.NOBODY}
    ground = _Ground(side, sector_map.neighbours, find_lines(sector_map, control, side), at_start, shared, is_first)
    return {sector: _place(mover, sector, ground) for sector in sorted(sector_map.neighbours)}


def make_bill(
    placings: Iterable[Placing],
    side: Side,
    sector_map: SectorMap,
    control: Control,
    deployment: Collection[int],
    cp: int,
    is_first: bool = True,
) -> Bill:
    """Price a side's set-up and name everything that is wrong with it (20.8.2, 20.8.3).

    ``cp``: Campaign Points in hand. A group pays once, for the deepest sector that it uses. What is
    wrong in the same way with several units is mentioned once.
    """
    placings = tuple(placings)
    movers = dict.fromkeys(placing.mover for placing in placings)
    open_to = {mover: list_sector_choices(mover, side, sector_map, control, deployment, is_first) for mover in movers}
    charges = _charges(placings, open_to)
    total = sum(charge.cost for charge in charges)
    objections = [*_against_sectors(placings, open_to), *_against_parting(placings)]
    if total > cp:
        objections.append(Objection(f"This set-up costs {total} CP in all, and your side has {cp}.", "20.8.3"))
    return Bill(charges, total, tuple(dict.fromkeys(objections)))


@dataclass(frozen=True, slots=True)
class _Ground:
    """The map as a side finds it. ``at_start``: the deployment area and the sectors on its edge.

    ``shared``: sectors of the deployment area that are nobody's, since they lie in both areas (20.6.2).
    ``is_first``: no firefight has been fought yet.
    """

    side: Side
    neighbours: Mapping[int, Collection[int]]
    ways: Mapping[int, LineToEdge]
    at_start: Collection[int]
    shared: Collection[int]
    is_first: bool


_Refusal = tuple[str, str]
_NONE: _Refusal = ("", "")


def _place(mover: SetupUnit, sector: int, ground: _Ground) -> SectorChoice:
    objection, rule = _REFUSALS[mover.origin](mover, sector, ground)
    line = ground.ways.get(sector)
    pays = mover.pays and mover.origin in (Arrival.NEW, Arrival.HELD) and not objection
    return SectorChoice(sector, line.steps_in if line and pays else 0, line, objection, rule)


def _against_at_start(mover: SetupUnit, sector: int, ground: _Ground) -> _Refusal:
    if sector in ground.shared:
        return _NONE
    if sector in ground.ways and sector not in ground.at_start:
        edge = EDGE_NAMES[ground.side]
        return f"Sector {sector} is neither in the deployment area nor on the {edge} edge.", "20.8.3"
    return _against_owner(sector, ground) if ground.is_first else _against_off_map(mover, sector, ground)


def _against_off_map(_: SetupUnit, sector: int, ground: _Ground) -> _Refusal:
    if sector in ground.ways and ground.ways[sector].is_isolated:
        needs = f"units from off map need a line of friendly sectors to the {EDGE_NAMES[ground.side]} edge"
        return f"Sector {sector} is isolated: {needs}.", "20.8.3"
    return _against_owner(sector, ground)


def _against_survivor(mover: SetupUnit, sector: int, ground: _Ground) -> _Refusal:
    home = mover.home
    if sector == home:
        return _NONE
    assert home is not None  # every survivor has one, see SetupUnit
    if home in ground.ways and ground.ways[home].is_isolated:
        return f"Sector {home} is isolated: a unit that survived there cannot set up in sector {sector}.", "20.10.1"
    if not mover.is_vehicle:
        return f"A unit that survived in sector {home} sets up there again, not in sector {sector}.", "20.6.4"
    if not mover.is_mobile:
        return f"A vehicle M-KILLED in sector {home} stays there: it cannot set up in sector {sector}.", "20.7.1"
    if sector not in ground.neighbours[home]:
        choices = "there or in a friendly sector beside it"
        return f"A vehicle that survived in sector {home} sets up {choices}, not in sector {sector}.", "20.6.4"
    return _against_owner(sector, ground)


def _against_owner(sector: int, ground: _Ground) -> _Refusal:
    if sector in ground.ways:
        return _NONE
    return f"Sector {sector} is not under {ground.side.word} control.", "20.6.3"


_REFUSALS = {
    Arrival.AT_START: _against_at_start,
    Arrival.NEW: _against_off_map,
    Arrival.HELD: _against_off_map,
    Arrival.SURVIVOR: _against_survivor,
}


def _charges(
    placings: Iterable[Placing], open_to: Mapping[SetupUnit, Mapping[int, SectorChoice]]
) -> tuple[Charge, ...]:
    """The dearest sector of each group, then of each single counter; of several the one with the lowest number.

    Those that cost nothing are left out.
    """
    dearest: dict[int, Charge] = {}
    for placing in placings:
        place = None if placing.sector is None else open_to[placing.mover].get(placing.sector)
        if place is None or place.line is None or not place.cost:
            continue
        charge = dearest.get(placing.group)
        if charge is None or (-place.cost, place.sector) < (-charge.cost, charge.sector):
            dearest[placing.group] = Charge(placing.group, place.sector, place.cost, place.line)
    return tuple(dearest[group] for group in sorted(dearest, key=lambda group: (group < 0, abs(group))))


def _against_sectors(
    placings: Iterable[Placing], open_to: Mapping[SetupUnit, Mapping[int, SectorChoice]]
) -> Iterable[Objection]:
    for placing in placings:
        if placing.sector is None:
            if not may_stay_off(placing.mover):
                home = placing.mover.home
                yield Objection(f"A unit that survived in sector {home} cannot stay off the map.", "20.6.4")
        elif placing.sector not in open_to[placing.mover]:
            yield Objection(f"There is no sector {placing.sector} on the map.", "20.3.4")
        else:
            place = open_to[placing.mover][placing.sector]
            if not place.is_open:
                yield Objection(place.objection, place.rule)


def _against_parting(placings: Iterable[Placing]) -> Iterable[Objection]:
    """A new group sets up whole, or not at all (20.8.2)."""
    sectors_used: dict[int, set[int | None]] = {}
    for placing in placings:
        if placing.mover.origin is Arrival.NEW:
            sectors_used.setdefault(placing.group, set()).add(placing.sector)
    for group in sorted(sectors_used):
        if len(sectors_used[group]) > 1:
            sectors = join_numbers(sector for sector in sectors_used[group] if sector is not None)
            stand = f"of one, some stand in {sectors}" + (
                " and some stay off the map" if None in sectors_used[group] else ""
            )
            yield Objection(f"The units of a new group set up together, in one sector: {stand}.", "20.8.2")


# A counter as set-up sees it


def is_new(bought_for: int | None, firefight: int) -> bool:
    """Whether a counter was bought for the firefight ahead: it sets up with its whole group (20.8.2).

    ``bought_for``: the firefight of its group's purchase, 0 at start; None for a single counter.
    """
    return bought_for == firefight


def mover_of(
    kind: CounterKind, marks: Collection[str], home: int | None, bought_for: int | None, firefight: int, pays: bool
) -> SetupUnit:
    """A counter as set-up sees it. ``pays``: its group pays to go in (20.8.3)."""
    if home is not None:
        origin = Arrival.SURVIVOR
    elif is_new(bought_for, firefight):
        origin = Arrival.NEW
    else:
        origin = Arrival.AT_START if not bought_for and Mark.HELD not in marks else Arrival.HELD
    # A single counter that left the map comes back as a held group does.
    pays = pays if bought_for is not None else origin is Arrival.HELD
    return SetupUnit(origin, pays, home, kind is CounterKind.VEHICLE, Mark.M_KILLED not in marks)


def against_hiding(name: str, kind: CounterKind, marks: Collection[str], lies_in_sight: bool) -> Objection | None:
    """Whatever stands on the map in sight stays in sight: a nest, an M-KILLED vehicle, placed mines (20.7.1).

    ``lies_in_sight``: it is on the map from an earlier firefight, and was not hidden.
    """
    if kind is CounterKind.MARKER:
        return Objection("A Fanatic Resistance Nest is marked on the map, so it cannot be hidden.", "20.9.2")
    if Mark.M_KILLED in marks:
        return Objection(f"{name} is M-KILLED: it begins in its hex, where all see it.", "20.7.1 step 4")
    if kind is CounterKind.FORTIFICATION and lies_in_sight:
        return Objection(f"{name} lies on the map already and cannot be hidden again.", "20.7.1 step 3")
    return None


def against_moving(name: str, lies_in: str, spot: str) -> Objection | None:
    """What speaks against setting a unit up in a hex: whatever lies on the map begins where it lies (20.7.1).

    ``lies_in``: the hex that it keeps from an earlier firefight, "" for all others; ``spot``: "" if nobody says.
    """
    if not lies_in or spot in ("", lies_in):
        return None
    return Objection(f"{name} begins in {lies_in}.", "20.7.1")


def against_taking_off(
    name: str, kind: CounterKind, side: Side, home: int | None, sector: int | None, control: Control
) -> Objection | None:
    """What speaks against taking a counter of an earlier firefight off the map (20.6.4 step 6)."""
    rule = "20.6.4 step 6"
    if kind not in FIXED_KINDS:
        return Objection(f"{name}: only mines and nest markers are taken off the map.", rule)
    if home is None or sector is None:
        return Objection(f"{name} is not on the map from an earlier firefight.", rule)
    if control[sector] is not Holding(side):
        return Objection(f"{name} is in sector {sector}, which your side does not control.", rule)
    return None
