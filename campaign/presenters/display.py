"""What pages show of a campaign, drawn from the ledger as one browser knows it. Nothing in here decides rules."""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.ledger.act import name_of
from campaign.ledger.ledger import Ledger
from campaign.models import Group, Seal, Unit
from campaign.phase import conductor, positions
from campaign.rules.purchases import Offer, offer
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import Holding, Line, lines, write_control
from campaign.rules.setup import Origin, Place
from campaign.rules.sides import Side
from campaign.rules.stages import Stage, ladder
from campaign.rules.units import Mark

# Steps


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the ladder."""

    stage: Stage
    standing: str  # done, now, next


def steps(ledger: Ledger) -> list[Step]:
    """The ladder of the firefight ahead: what is done, where the campaign stands, what comes."""
    # The phase after a firefight is the first step towards the next one.
    is_between = ledger.stage is Stage.REORGANIZATION
    order = list(ladder(ledger.campaign.firefight + is_between))
    here = order.index(ledger.stage) if ledger.stage in order else len(order)
    return [
        Step(stage, "done" if place < here else "now" if place == here else "next")
        for place, stage in enumerate(order)
        if stage is not Stage.PRIORITY or place == here
    ]


def left_to_do(ledger: Ledger, side: Side) -> str:
    """What a side has to do now, in a sentence that both may read."""
    done = side in ledger.campaign.ready
    match ledger.stage:
        case Stage.REINFORCEMENTS:
            return "has its CP" if done else "rolls for its reinforcements"
        case Stage.PURCHASES:
            return "has sealed its orders" if done else "buys, then seals its orders"
        case Stage.PRIORITY:
            return "rolls a d10"
        case Stage.SETUP:
            return "has set up" if done else "sets up" if ledger.setting_up is side else "waits: it sets up second"
        case Stage.FIREFIGHT:
            return "plays"
        case Stage.REORGANIZATION:
            decides = side in conductor.deciders(ledger)
            return f"decides: {positions.step(ledger).word.lower()}" if decides else "waits"
        case _:
            return "–"


# Units


@dataclass(frozen=True, slots=True)
class Pile:
    """Equal units together: "3 × Rifle squad, reduced". ``unit``: one of them."""

    number: int
    name: str
    marks: str
    hidden: bool
    unit: Unit

    def __str__(self) -> str:
        told = ", ".join(filter(None, [self.marks, "hidden" if self.hidden else ""]))
        return f"{self.number} × {self.name}{f' ({told})' if told else ''}"


def piles(ledger: Ledger, units: Iterable[Unit]) -> list[Pile]:
    """Units with equal ones drawn together, in the order in which they come."""
    alike: dict[tuple, list[Unit]] = {}
    for unit in units:
        alike.setdefault((ledger.counter(unit).name, marks_of(unit), unit.hidden), []).append(unit)
    return [Pile(len(members), *what, members[0]) for what, members in alike.items()]


def marks_of(unit: Unit) -> str:
    """A unit's marks in words."""
    return ", ".join(Mark(mark).word for mark in unit.marks)


@dataclass(frozen=True, slots=True)
class Party:
    """The units of one group, or the single counters of the OB, as a list shows them."""

    group: Group | None
    title: str
    units: list[Unit]
    piles: list[Pile]
    where: str
    rows: list[tuple[Unit, str, str]]  # each unit with its name and its marks

    @property
    def key(self) -> int:
        """How an address names it: the group's number, 0 for single counters."""
        return self.group.number if self.group else 0


def parties(ledger: Ledger, units: Iterable[Unit]) -> list[Party]:
    """Units by the group that they came with."""
    found: dict[int, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.group.number if unit.group else 0, []).append(unit)
    return [_party(ledger, members) for _, members in sorted(found.items())]


def _party(ledger: Ledger, units: list[Unit]) -> Party:
    return Party(
        group=units[0].group,
        title=title_of(ledger, units[0].group),
        units=units,
        piles=piles(ledger, units),
        where=where(ledger, units),
        rows=[(unit, ledger.called(unit), marks_of(unit)) for unit in units],
    )


def title_of(ledger: Ledger, group: Group | None) -> str:
    """A group's ID and unit."""
    return f"{group.rg} {ledger.roster_line(group).unit}" if group else "Single counters"


# The roster


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One line of the roster: its boxes, and what a purchase would come to if it is the viewer's own."""

    group: RosterGroup
    ticked: int
    boxes: int
    offer: Offer | None

    @property
    def box_marks(self) -> str:
        """The boxes as they look on paper."""
        return "☒" * self.ticked + "☐" * (self.boxes - self.ticked)

    @property
    def is_open(self) -> bool:
        """Whether it can be bought now."""
        return self.offer is not None and not self.offer.objections


def roster_rows(ledger: Ledger, side: Side, buys: bool) -> list[RosterRow]:
    """A side's roster. ``buys``: say of each group whether it can be bought."""
    bought, situation = ledger.bought(side), ledger.situation(side)
    counters = ledger.content.counters[side]
    return [
        RosterRow(
            group,
            bought[group.id],
            group.boxes[ledger.campaign.card],
            offer(group, counters, situation) if buys and group.type is not GroupType.ATTACK else None,
        )
        for group in ledger.roster(side).groups.values()
    ]


@dataclass(frozen=True, slots=True)
class Held:
    """A group in a side's hands, as its roster shows it."""

    group: Group
    title: str
    origin: str
    piles: list[Pile]
    where: str
    can_return: bool


def held_groups(ledger: Ledger, side: Side) -> list[Held]:
    """Every group that a side has or had, the newest first; what was given back is left out."""
    found = []
    for group in sorted(ledger.groups[side].values(), key=lambda group: -group.number):
        if group.standing == Group.Standing.REFUNDED:
            continue
        units = ledger.units_of(group)
        is_new = group.bought_for == ledger.campaign.firefight
        may = is_new and not ledger.roster_line(group).has_dice and ledger.stage is Stage.PURCHASES
        found.append(
            Held(
                group,
                title_of(ledger, group),
                f"bought for {ledger.card.times[group.bought_for - 1]}" if group.bought_for else "at start",
                piles(ledger, units),
                where(ledger, units) or standing_of(group),
                may and group.standing == Group.Standing.IN_PLAY and side not in ledger.campaign.ready,
            )
        )
    return found


def standing_of(group: Group) -> str:
    """How a group without units stands."""
    if group.standing != Group.Standing.IN_PLAY:
        return group.get_standing_display()
    return group.get_mark_display()


def where(ledger: Ledger, units: Iterable[Unit]) -> str:
    """Where units are, in words: "3 in sector 11, 1 off the map"."""
    tally = Tally(unit.sector for unit in units if ledger.sets_up(unit))
    told = [f"{number} in sector {sector}" for sector, number in sorted((s, n) for s, n in tally.items() if s)]
    return ", ".join([*told, *([f"{tally[None]} off the map"] if tally[None] else [])])


# The map


@dataclass(frozen=True, slots=True)
class Spot:
    """One sector of the drawing (see pictures.Sector), and one row of the table beside it.

    ``mark``: what stands under the number. ``cost``: of set-up, in words, "" outside of set-up.
    """

    number: int
    holding: Holding
    line: Line | None
    mark: str
    told: str
    href: str
    units: Mapping[Side, int]
    chosen: bool
    cost: str

    @property
    def way(self) -> str:
        """The line to the edge, or why there is none."""
        if self.line is None:
            return "–"
        return self.line.reason if self.line.is_isolated else " – ".join(map(str, self.line.chain))


def spots(ledger: Ledger, chosen: int | None, address: str, costs: Mapping[int, Place] | None) -> list[Spot]:
    """All sectors. ``address``: their links, up to the number. ``costs``: of set-up, shown instead of the units."""
    control = ledger.control
    ways = {n: line for side in Side for n, line in lines(ledger.content.sector_map, control, side).items()}
    units = standing_in(ledger)
    found = []
    for number in sorted(control):
        here, line = units[number], ways.get(number)
        told = f"Sector {number}, {control[number].word}"
        told += ", isolated" if line and line.is_isolated else ""
        told += f": {', '.join(f'{name_of(side)} {here[side]}' for side in Side if here[side]) or 'no units'}"
        cost = told_cost(costs[number]) if costs else ""
        told += f". Set-up: {cost}" if cost else ""
        found.append(
            Spot(
                number=number,
                holding=control[number],
                line=line,
                mark=_cost_mark(costs[number]) if costs else _unit_mark(here),
                told=told,
                href=f"{address}{number}",
                units=here,
                chosen=number == chosen,
                cost=cost,
            )
        )
    return found


def standing_in(ledger: Ledger) -> dict[int, dict[Side, int]]:
    """How many units each side has in each sector, as far as is known."""
    found = {number: dict.fromkeys(Side, 0) for number in ledger.control}
    for side in Side:
        for unit in ledger.in_play(side):
            if unit.sector is not None:
                found[unit.sector][side] += 1
    return found


def _unit_mark(here: Mapping[Side, int]) -> str:
    return " ".join(f"{side.value[0].upper()}{here[side]}" for side in Side if here[side])


def _cost_mark(place: Place) -> str:
    return "–" if not place.is_open else f"+{place.cost}" if place.cost else "free"


def told_cost(place: Place) -> str:
    """What set-up in a sector costs, with the way that says why; or what speaks against it."""
    if not place.is_open:
        return f"{place.objection} ({place.rule})"
    if not place.cost:
        return "free"
    way = " – ".join(map(str, reversed(place.line.chain)))
    return f"{place.cost} CP, since it goes in by {way} (20.8.3)"


def origin_word(origin: Origin) -> str:
    """How units come to the set-up, and what that allows."""
    return {
        Origin.AT_START: "at start: anywhere in the deployment area",
        Origin.NEW: "new: all in one sector, 1 CP for each sector in from the edge",
        Origin.HELD: "held off the map: edge sectors free",
        Origin.SURVIVOR: "survivors: the sector where they survived",
    }[origin]


def sealed_rows(ledger: Ledger, side: Side) -> list[Seal]:
    """A side's plots and observers that still mean something, newest first."""
    seals = ledger.seals[side].values()
    shown = [s for s in seals if s.kind != Seal.Kind.ORDERS and s.standing != Seal.Standing.WITHDRAWN]
    return sorted(shown, key=lambda seal: -seal.number)


def told_seal(seal: Seal) -> str:
    """A plot or an observer in words."""
    if seal.kind == Seal.Kind.PLOT:
        first, second = seal.data["hexes"]
        return f"{seal.group.rg}: {first} or {second}, turn {seal.data['turn']}"
    return f"Off-map observer in {seal.data['hex']}"


def letters(ledger: Ledger) -> str:
    """The control of all sectors as an address has it, for the try-out map."""
    return write_control(ledger.control)
