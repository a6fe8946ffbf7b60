"""A campaign as it stands: its rows, loaded in six queries, with everything that follows from them.

``known`` is what one browser may see of it. Pages are drawn from that alone, so a template cannot give away
what is sealed.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.models import Campaign, CpLine, Group, Row, Seal, Unit
from campaign.rules import setup
from campaign.rules.cards import Card, Forces
from campaign.rules.content import Content
from campaign.rules.orders import Order, order_of_card, set_up_order
from campaign.rules.phase import ReorganizationPhase
from campaign.rules.purchases import HeldGroup, Situation, count_left, count_ticked, find_free_box
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType, Roster, Time
from campaign.rules.sectors import Control, read_control
from campaign.rules.setup import Bill, Placing, SectorChoice, SetupUnit
from campaign.rules.stages import Stage
from campaign.rules.units import is_set_up, keeps_hex
from firefight.games.combat_stalingrad.rules.counters import Counter, Rank
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.undo import Kept

from . import content as content_store
from . import hiding


def _make_no_rows() -> dict[Side, dict[int, Any]]:
    return {side: {} for side in Side}


@dataclass(slots=True)
class Ledger:
    """All rows of a campaign. Groups and units by side and number; lines and seals in order."""

    match: Match
    campaign: Campaign
    content: Content
    groups: dict[Side, dict[int, Group]] = field(default_factory=_make_no_rows)
    units: dict[Side, dict[int, Unit]] = field(default_factory=_make_no_rows)
    seals: dict[Side, dict[int, Seal]] = field(default_factory=_make_no_rows)
    lines: dict[Side, dict[int, CpLine]] = field(default_factory=_make_no_rows)

    def rows(self) -> Iterator[Kept]:
        """Every row, with those that others point to first."""
        yield self.campaign
        for kind in (self.groups, self.units, self.seals, self.lines):
            for side in Side:
                yield from kind[side].values()

    def known(self, sees: tuple[str, ...]) -> "Ledger":
        """The ledger as somebody who may see these sides' secrets knows it.

        Another side's hidden units count as off the map, and its sealed records and CP lines are missing.
        """
        hidden = {side for side in Side if side not in sees}
        open_seals = (Seal.Standing.OPEN,)
        return replace(
            self,
            units={s: hiding.know_units(self.units[s], sees) for s in Side},
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
    def gallery(self) -> str:
        """The name of the gallery with the counters' pictures: see ``name_gallery``."""
        return content_store.name_gallery(self.campaign.content_id)

    @property
    def stage(self) -> Stage:
        """Where the campaign stands."""
        return Stage(self.campaign.stage)

    @property
    def phase(self) -> ReorganizationPhase:
        """Where the Reorganization Phase stands. Raises ValueError outside of it."""
        if self.campaign.phase is None:
            raise ValueError("The campaign is not in a Reorganization Phase after a firefight.")
        return self.campaign.phase

    @phase.setter
    def phase(self, phase: ReorganizationPhase) -> None:
        self.campaign.phase = phase

    @property
    def sector_fought_out(self) -> int | None:
        """The sector that is fought out now, if one is."""
        return self.campaign.phase.sector if self.campaign.phase else None

    def has_left(self, unit: Unit) -> bool:
        """Whether a unit left by its own edge in the firefight that was just played."""
        return self.campaign.phase is not None and (Side(unit.side), unit.number) in self.phase.exited

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
        control = read_control(self.campaign.held, self.content.sector_map)
        if control is None:
            raise ValueError(f"The letters {self.campaign.held} do not fit the map.")
        return control

    @property
    def is_last_firefight(self) -> bool:
        """Whether no firefight follows on the card."""
        return self.card.is_last(self.campaign.firefight)

    def forces(self, side: Side) -> Forces:
        """A side's half of the card."""
        return self.card.forces[side]

    def roster(self, side: Side) -> Roster:
        """A side's roster."""
        return self.content.rosters[side]

    def kind_of(self, unit: Unit) -> Counter:
        """What a unit's counter is."""
        return self.content.counters[Side(unit.side)][unit.counter]

    def name_unit(self, unit: Unit) -> str:
        """A unit by its counter, with its number where the box holds several alike."""
        counter = self.kind_of(unit)
        return f"{counter.name} #{unit.number}" if counter.count > 1 else counter.name

    def name_units(self, units: Iterable[Unit]) -> str:
        """Units in words, equal counters together: "3 × Rifle squad (#3 #4 #5), 1 × Commissar"."""
        alike: dict[str, list[Unit]] = {}
        for unit in units:
            alike.setdefault(self.kind_of(unit).name, []).append(unit)
        return ", ".join(f"{len(members)} × {name}{self.say_numbers(members)}" for name, members in alike.items())

    def say_numbers(self, units: Iterable[Unit]) -> str:
        """The numbers of units after their name, where the box holds several alike: " (#3 #4 #5)"."""
        numbers = " ".join(f"#{unit.number}" for unit in units if self.kind_of(unit).count > 1)
        return f" ({numbers})" if numbers else ""

    def roster_line(self, group: Group) -> RosterGroup:
        """A group's line of the roster."""
        return self.content.rosters[Side(group.side)].groups[group.rg]

    # What follows from the rows

    def balance(self, side: Side) -> int:
        """A side's Campaign Points: the sum of its lines."""
        return sum(line.amount for line in self.lines[side].values())

    def bought(self, side: Side) -> Tally[str]:
        """Boxes ticked by ID, including that of a sealed Attack."""
        attacks = [seal.orders.group for seal in self.list_seals(side, Seal.Kind.ORDERS) if seal.orders.box]
        return count_ticked(self._holdings(side), attacks)

    def free_box(self, side: Side, rg: str) -> int:
        """The first box of a group that is not ticked."""
        return find_free_box(self._holdings(side), rg)

    def _holdings(self, side: Side) -> list[HeldGroup]:
        groups = self.groups[side].values()
        return [HeldGroup(group.rg, group.box, group.standing == Group.Standing.REFUNDED) for group in groups]

    def list_groups(self, side: Side, *types: GroupType) -> list[Group]:
        """A side's groups of these types, of all types if none is named, in order; without what was given back."""
        groups = (group for group in self.groups[side].values() if group.standing != Group.Standing.REFUNDED)
        return [group for group in groups if not types or self.roster_line(group).type in types]

    def list_seals(self, side: Side, *kinds: Seal.Kind) -> list[Seal]:
        """What a side has sealed of these kinds, in order; without what was withdrawn."""
        standing = (seal for seal in self.seals[side].values() if seal.standing != Seal.Standing.WITHDRAWN)
        return [seal for seal in standing if seal.kind in kinds]

    def in_play(self, side: Side) -> list[Unit]:
        """A side's units that are not gone, in order."""
        return [unit for unit in self.units[side].values() if not unit.fate]

    def units_of(self, group: Group) -> list[Unit]:
        """The units of a group that are not gone."""
        return [unit for unit in self.in_play(Side(group.side)) if unit.group is group]

    def left_in_box(self, side: Side) -> dict[str, int]:
        """Counters of each kind that remain in the box."""
        return count_left(self.content.counters[side], (unit.counter for unit in self.in_play(side)))

    def commissars(self, side: Side) -> int:
        """How many Commissars are in play."""
        return len(self.list_commissars(side))

    def list_commissars(self, side: Side) -> list[Unit]:
        """A side's Commissars in play."""
        return [unit for unit in self.in_play(side) if self.kind_of(unit).rank is Rank.COMMISSAR]

    def situation(self, side: Side) -> Situation:
        """What a side may count on when it buys."""
        return Situation(
            campaign=self.campaign.card,
            time=self.time,
            cp=self.balance(side),
            counters_left=self.left_in_box(side),
            bought=self.bought(side),
            commissars=self.commissars(side),
            stance_fixed=self.fixed_order(side) is not None,
        )

    @property
    def random_hex(self) -> str:
        """Where the Random marker is: in the card's hex until it has moved; "" if nobody has noted it."""
        return self.card.find_random_hex(self.campaign.random_hex, self.has_been_fought)

    def fixed_order(self, side: Side) -> Order | None:
        """The order that the card gives for the firefight ahead, if it does."""
        return order_of_card(self.forces(side).stance, self.campaign.firefight)

    def orders_of(self, side: Side) -> Seal | None:
        """A side's orders for the firefight ahead, sealed or open; None if there are none yet."""
        orders = self.list_seals(side, Seal.Kind.ORDERS)
        return next((seal for seal in orders if seal.firefight == self.campaign.firefight), None)

    @property
    def has_been_fought(self) -> bool:
        """Whether a firefight was played before the one ahead: if somebody attacked, it was not skipped."""
        return any(
            seal.firefight < self.campaign.firefight and seal.orders.order is Order.ATTACK
            for side in Side
            for seal in self.list_seals(side, Seal.Kind.ORDERS)
            if seal.standing == Seal.Standing.OPEN
        )

    def attack_group(self, side: Side) -> RosterGroup | None:
        """The roster's Attack."""
        return next((group for group in self.roster(side).groups.values() if group.type is GroupType.ATTACK), None)

    # Set-up

    @property
    def defender(self) -> Side:
        """Who defends, once the Attacker is known."""
        return Side(self.campaign.attacker or Side.GERMAN).other

    @property
    def setting_up(self) -> Side | None:
        """Whose set-up it is."""
        if self.stage is not Stage.SETUP:
            return None
        order = set_up_order(Side(self.campaign.attacker))
        return next((side for side in order if side not in self.campaign.ready), None)

    def sets_up(self, unit: Unit) -> bool:
        """Whether a unit is ever placed on the map."""
        return not unit.fate and is_set_up(self.kind_of(unit).kind)

    def is_fixed(self, unit: Unit) -> bool:
        """Whether a counter keeps its hex from one firefight into the next."""
        return keeps_hex(self.kind_of(unit).kind, unit.marks)

    def is_new(self, unit: Unit) -> bool:
        """Bought for the firefight ahead."""
        return setup.is_new(_bought_for(unit), self.campaign.firefight)

    def mover(self, unit: Unit) -> SetupUnit:
        """A unit as set-up sees it."""
        pays = unit.group is not None and self.roster_line(unit.group).pays_to_go_in
        kind, firefight = self.kind_of(unit).kind, self.campaign.firefight
        return setup.mover_of(kind, unit.marks, unit.home, _bought_for(unit), firefight, pays)

    def places(self, unit: Unit) -> dict[int, SectorChoice]:
        """Every sector, with what speaks against a unit's set-up there, or what it costs."""
        side = Side(unit.side)
        deployment = self.forces(side).deployment
        is_first = not self.has_been_fought
        return setup.list_sector_choices(
            self.mover(unit), side, self.content.sector_map, self.control, deployment, is_first
        )

    def bill(self, side: Side) -> Bill:
        """What a side's set-up costs as it stands, and what is wrong with it."""
        placings = [
            # Single counters of the OB pay nothing and need not stay together.
            Placing(unit.number, unit.group.number if unit.group else -unit.number, self.mover(unit), unit.sector)
            for unit in self.units[side].values()
            if self.sets_up(unit)
        ]
        deployment = self.forces(side).deployment
        sector_map, control, cp = self.content.sector_map, self.control, self.balance(side)
        return setup.make_bill(placings, side, sector_map, control, deployment, cp, is_first=not self.has_been_fought)


def _bought_for(unit: Unit) -> int | None:
    """For which firefight a unit's group was bought, 0 at start; None for a single counter."""
    return unit.group.bought_for if unit.group else None


def load(match: Match) -> Ledger:
    """The ledger of a match. Raises Campaign.DoesNotExist for a match without a campaign."""
    ledger = load_units(match)
    read_rest(ledger)
    return ledger


def load_units(match: Match) -> Ledger:
    """The campaign with only its units, in two queries: what a firefight needs. Nothing is linked to them yet."""
    campaign = Campaign.objects.get(pk=match.pk)
    ledger = Ledger(match, campaign, content_store.read_pinned(campaign.content_id))
    _read_rows([ledger], "units")
    return ledger


def read_rest(ledger: Ledger) -> None:
    """Read what ``load_units`` has left out, unless that was done."""
    if any(ledger.groups.values()):
        return
    _read_rows([ledger], "groups", "seals", "lines")
    _link(ledger)


def load_heads(matches: Iterable[Match]) -> list[Ledger]:
    """The ledgers of these matches with only the campaigns' own rows. One query, and one for content not read yet."""
    by_id = {match.pk: match for match in matches}
    campaigns = Campaign.objects.filter(pk__in=by_id)
    return [
        Ledger(by_id[campaign.pk], campaign, content_store.read_pinned(campaign.content_id)) for campaign in campaigns
    ]


def read_all(ledgers: Sequence[Ledger]) -> None:
    """Read all rows of some ledgers at once, in four queries."""
    if not ledgers:
        return
    _read_rows(ledgers, *KINDS)
    for ledger in ledgers:
        _link(ledger)


KINDS: dict[str, type[Row]] = {"groups": Group, "units": Unit, "seals": Seal, "lines": CpLine}


def _read_rows(ledgers: Iterable[Ledger], *kinds: str) -> None:
    """Read the rows of these kinds, in a query each."""
    by_id = {ledger.campaign.pk: ledger for ledger in ledgers}
    for kind in kinds:
        for row in KINDS[kind]._base_manager.filter(campaign__in=by_id).order_by("side", "number"):
            ledger = by_id[row.campaign_id]
            row.campaign = ledger.campaign
            getattr(ledger, kind)[Side(row.side)][row.number] = row


# What rows of a kind point to, and of which kind that is.
_POINTING = (
    ("units", "group", "groups"),
    ("seals", "group", "groups"),
    ("lines", "group", "groups"),
    ("lines", "seal", "seals"),
    ("lines", "unit", "units"),
)


def _link(ledger: Ledger) -> None:
    """Let rows that point to the same group, unit or seal share one object."""
    for kind, name, pointed_to in _POINTING:
        by_key = {row.pk: row for side in Side for row in getattr(ledger, pointed_to)[side].values()}
        for side in Side:
            for row in getattr(ledger, kind)[side].values():
                setattr(row, name, by_key.get(getattr(row, f"{name}_id")))
