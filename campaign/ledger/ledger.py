"""A campaign as it stands: its rows, loaded in six queries, with everything that follows from them.

``known`` is what one browser may see of it. Pages are drawn from that alone, so a template cannot give away
what is sealed.
"""

from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from campaign.models import Campaign, CpLine, Group, Seal, Unit
from campaign.rules import setup
from campaign.rules.cards import Card, Forces, Stance
from campaign.rules.content import Content
from campaign.rules.counters import Counter, CounterKind
from campaign.rules.orders import Order
from campaign.rules.phase import Phase, read_phase, write_phase
from campaign.rules.purchases import Situation
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType, Roster, Time
from campaign.rules.sectors import Control, read_control
from campaign.rules.setup import Bill, Mover, Origin, Place, Placing
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from campaign.rules.units import FIXED_KINDS, LASTING, Mark
from firefight.models import Match
from firefight.table.undo import Kept

from . import content as content_store


@dataclass(slots=True)
class Ledger:
    """All rows of a campaign. Groups and units by side and number; lines and seals in order."""

    match: Match
    campaign: Campaign
    content: Content
    groups: dict[Side, dict[int, Group]] = field(default_factory=dict)
    units: dict[Side, dict[int, Unit]] = field(default_factory=dict)
    seals: dict[Side, dict[int, Seal]] = field(default_factory=dict)
    lines: dict[Side, dict[int, CpLine]] = field(default_factory=dict)
    # The plain values of the phase that were read last, and what they say.
    _phase_read: tuple[Mapping[str, Any], Phase] | None = field(default=None, init=False, repr=False, compare=False)

    def rows(self) -> Iterator[Kept]:
        """Every row, those first that others point to."""
        yield self.campaign
        for kind in (self.groups, self.units, self.seals, self.lines):
            for side in Side:
                yield from kind[side].values()

    def known(self, sees: tuple[str, ...]) -> "Ledger":
        """The ledger as somebody who may see these sides' secrets gets it.

        Another side's hidden units count as off the map, and its sealed records and CP lines are not there.
        """
        hidden = {side for side in Side if side not in sees}
        open_seals = (Seal.Standing.OPEN,)
        return replace(
            self,
            units={s: {n: _unplaced(u) if s in hidden else u for n, u in self.units[s].items()} for s in Side},
            seals={
                s: {n: seal for n, seal in self.seals[s].items() if s not in hidden or seal.standing in open_seals}
                for s in Side
            },
            lines={
                s: {n: line for n, line in self.lines[s].items() if s not in hidden or not line.sealed} for s in Side
            },
        )

    # What the card, the roster and the map say

    @property
    def stage(self) -> Stage:
        """Where the campaign stands."""
        return Stage(self.campaign.stage)

    @property
    def phase(self) -> Phase:
        """Where the Reorganization Phase stands. Raises ValueError outside of it."""
        plain = self.campaign.phase
        if not plain:
            raise ValueError("The campaign is in no Reorganization Phase after a firefight.")
        if self._phase_read is None or self._phase_read[0] is not plain:
            self._phase_read = plain, read_phase(plain)
        return self._phase_read[1]

    @phase.setter
    def phase(self, phase: Phase) -> None:
        self.campaign.phase = write_phase(phase)
        self._phase_read = self.campaign.phase, phase

    @property
    def sector_fought_out(self) -> int | None:
        """The sector that is fought out now, if one is."""
        return self.phase.sector if self.campaign.phase else None

    def has_left(self, unit: Unit) -> bool:
        """Whether a unit went off by the own edge in the firefight that was just played."""
        return bool(self.campaign.phase) and (Side(unit.side), unit.number) in self.phase.left

    @property
    def card(self) -> Card:
        """The campaign's card."""
        return self.content.cards[self.campaign.card]

    @property
    def time(self) -> Time:
        """The time of the firefight that is ahead or being played."""
        return self.card.times[self.campaign.firefight - 1]

    @property
    def control(self) -> Control:
        """Who controls each sector."""
        return read_control(self.campaign.held, self.content.sector_map)

    @property
    def is_last_firefight(self) -> bool:
        """Whether no firefight follows on the card."""
        return self.campaign.firefight == len(self.card.times)

    def forces(self, side: Side) -> Forces:
        """A side's half of the card."""
        return self.card.forces[side]

    def roster(self, side: Side) -> Roster:
        """A side's roster."""
        return self.content.rosters[side]

    def counter(self, unit: Unit) -> Counter:
        """What a unit's counter is."""
        return self.content.counters[Side(unit.side)][unit.counter]

    def called(self, unit: Unit) -> str:
        """A unit by its counter, with its number where the box holds several that look alike."""
        counter = self.counter(unit)
        return f"{counter.name} #{unit.number}" if counter.count > 1 else counter.name

    def roster_line(self, group: Group) -> RosterGroup:
        """A group's line of the roster."""
        return self.content.rosters[Side(group.side)].groups[group.rg]

    # What follows from the rows

    def balance(self, side: Side) -> int:
        """A side's Campaign Points: the sum of its lines."""
        return sum(line.amount for line in self.lines[side].values())

    def bought(self, side: Side) -> Tally[str]:
        """Boxes ticked by ID. At-start groups tick none (20.5.2); what was given back is free again."""
        ticked: Tally[str] = Tally(
            group.rg
            for group in self.groups[side].values()
            if group.box is not None and group.standing != Group.Standing.REFUNDED
        )
        for seal in self.seals[side].values():
            if seal.kind == Seal.Kind.ORDERS and seal.orders.box and seal.standing != Seal.Standing.WITHDRAWN:
                ticked[seal.orders.group] += 1
        return ticked

    def free_box(self, side: Side, rg: str) -> int:
        """The first box of a group that is not ticked: what was given back may leave a gap."""
        groups = self.groups[side].values()
        ticked = {group.box for group in groups if group.rg == rg and group.standing != Group.Standing.REFUNDED}
        return next(box for box in count(1) if box not in ticked)

    def in_play(self, side: Side) -> list[Unit]:
        """A side's units that are not gone, in order."""
        return [unit for unit in self.units[side].values() if not unit.fate]

    def units_of(self, group: Group) -> list[Unit]:
        """The units of a group that are not gone."""
        return [unit for unit in self.in_play(Side(group.side)) if unit.group is group]

    def left_in_box(self, side: Side) -> dict[str, int]:
        """Counters of each kind that are not in use (20.8.1)."""
        used = Tally(unit.counter for unit in self.in_play(side))
        return {key: counter.count - used[key] for key, counter in self.content.counters[side].items()}

    def commissars(self, side: Side) -> int:
        """Commissars in play."""
        return sum(unit.counter == "commissar" for unit in self.in_play(side))

    def situation(self, side: Side) -> Situation:
        """What a side may count on when it buys."""
        return Situation(
            campaign=self.campaign.card,
            time=self.time,
            cp=self.balance(side),
            left=self.left_in_box(side),
            bought=self.bought(side),
            commissars=self.commissars(side),
            stance_fixed=self.fixed_order(side) is not None,
        )

    @property
    def random_hex(self) -> str:
        """Where the Random marker is: in the card's hex until it has moved; "" if nobody has noted it."""
        return self.campaign.random_hex or ("" if self.has_been_fought else self.card.random_hex)

    def fixed_order(self, side: Side) -> Order | None:
        """The order that the card gives for the first firefight, if it does (20.5.3)."""
        stance = self.forces(side).stance
        if self.campaign.firefight > 1 or stance is Stance.CHOOSES:
            return None
        return Order.ATTACK if stance is Stance.ATTACKER else Order.HOLD

    def orders_of(self, side: Side) -> Seal | None:
        """A side's orders for the firefight ahead, sealed or open; None if there are none yet."""
        held = (
            seal
            for seal in self.seals[side].values()
            if seal.kind == Seal.Kind.ORDERS
            and seal.firefight == self.campaign.firefight
            and seal.standing != Seal.Standing.WITHDRAWN
        )
        return next(held, None)

    @property
    def has_been_fought(self) -> bool:
        """Whether a firefight was played before the one ahead: somebody attacked, so that it was not skipped."""
        return any(
            seal.firefight < self.campaign.firefight and seal.orders.order is Order.ATTACK
            for side in Side
            for seal in self.seals[side].values()
            if seal.kind == Seal.Kind.ORDERS and seal.standing == Seal.Standing.OPEN
        )

    def attack_group(self, side: Side) -> RosterGroup | None:
        """The roster's Attack."""
        return next((group for group in self.roster(side).groups.values() if group.type is GroupType.ATTACK), None)

    # Set-up

    @property
    def defender(self) -> Side:
        """Who sets up first, once the Attacker is known (20.5.4)."""
        return Side(self.campaign.attacker or Side.GERMAN).other

    @property
    def setting_up(self) -> Side | None:
        """Whose set-up it is (20.5.4)."""
        if self.stage is not Stage.SETUP:
            return None
        order = (self.defender, Side(self.campaign.attacker))
        return next((side for side in order if side not in self.campaign.ready), None)

    def sets_up(self, unit: Unit) -> bool:
        """Whether a unit is ever placed on the map; aircraft are not."""
        return not unit.fate and self.counter(unit).kind is not CounterKind.AIRCRAFT

    def is_fixed(self, unit: Unit) -> bool:
        """Whether a counter keeps its hex from one firefight into the next: M-KILLED, or no unit (20.7.1)."""
        return Mark.M_KILLED in unit.marks or self.counter(unit).kind in FIXED_KINDS

    def is_new(self, unit: Unit) -> bool:
        """Bought for the firefight ahead: it sets up with its whole group (20.8.2)."""
        return unit.group is not None and unit.group.bought_for == self.campaign.firefight

    def mover(self, unit: Unit) -> Mover:
        """A unit as set-up sees it."""
        if unit.home is not None:
            origin = Origin.SURVIVOR
        elif self.is_new(unit):
            origin = Origin.NEW
        else:
            is_at_start = unit.group is None or unit.group.bought_for == 0
            origin = Origin.AT_START if is_at_start and Mark.HELD not in unit.marks else Origin.HELD
        is_vehicle = self.counter(unit).kind is CounterKind.VEHICLE
        # A single counter that left the map comes back as a held group does.
        pays = self.roster_line(unit.group).pays_to_go_in if unit.group else origin is Origin.HELD
        return Mover(origin, pays, unit.home, is_vehicle, is_vehicle and Mark.M_KILLED not in unit.marks)

    def places(self, unit: Unit) -> dict[int, Place]:
        """Every sector, with what speaks against a unit's set-up there, or what it costs."""
        side = Side(unit.side)
        deployment = self.forces(side).deployment
        is_first = not self.has_been_fought
        return setup.places(self.mover(unit), side, self.content.sector_map, self.control, deployment, is_first)

    def bill(self, side: Side) -> Bill:
        """What a side's set-up costs as it stands, and what is wrong with it."""
        placings = [
            # Single counters of the OB pay nothing and are held together by nothing.
            Placing(unit.number, unit.group.number if unit.group else -unit.number, self.mover(unit), unit.sector)
            for unit in self.units[side].values()
            if self.sets_up(unit)
        ]
        deployment = self.forces(side).deployment
        here, control, cp = self.content.sector_map, self.control, self.balance(side)
        return setup.bill(placings, side, here, control, deployment, cp, is_first=not self.has_been_fought)

    def present(self) -> Mapping[Side, set[int]]:
        """The sectors in which each side has counters, hidden ones included."""
        return {side: {unit.sector for unit in self.in_play(side) if unit.sector is not None} for side in Side}


def _unplaced(unit: Unit) -> Unit:
    """A unit as the other side knows it: a hidden one could as well be off the map."""
    if not unit.hidden:
        return unit
    seen = copy(unit)
    seen.sector, seen.hex, seen.home, seen.hidden = None, "", None, False
    seen.marks = [mark for mark in unit.marks if mark in LASTING]
    return seen


def load(match: Match) -> Ledger:
    """The ledger of a match. Raises Campaign.DoesNotExist for a match without a campaign."""
    campaign = Campaign.objects.get(pk=match.pk)
    ledger = Ledger(match, campaign, content_store.pinned(campaign.content_id))
    for kind, model in (("groups", Group), ("units", Unit), ("seals", Seal), ("lines", CpLine)):
        found: dict[Side, dict[int, Kept]] = {side: {} for side in Side}
        for row in model.objects.filter(campaign=campaign):
            row.campaign = campaign
            found[Side(row.side)][row.number] = row
        setattr(ledger, kind, found)
    _link(ledger)
    return ledger


def _link(ledger: Ledger) -> None:
    """Let rows that point to the same group, unit or seal share one object."""
    groups = {group.pk: group for side in Side for group in ledger.groups[side].values()}
    units = {unit.pk: unit for side in Side for unit in ledger.units[side].values()}
    seals = {seal.pk: seal for side in Side for seal in ledger.seals[side].values()}
    for side in Side:
        for kind in (ledger.units, ledger.seals, ledger.lines):
            for row in kind[side].values():
                row.group = groups.get(row.group_id)
        for line in ledger.lines[side].values():
            line.seal = seals.get(line.seal_id)
            line.unit = units.get(line.unit_id)
