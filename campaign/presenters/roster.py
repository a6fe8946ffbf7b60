"""A side's roster: its boxes, one group opened with what a purchase would come to, and the groups in hand."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.ledger.ledger import Ledger
from campaign.models import Group
from campaign.rules.purchases import Offer, make_offer, purchase_dice
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.table import Table

from .counters import CounterPicture, show_group
from .units import MOST_DRAWN, Pile, group_units, name_group, pile_units, say_standing, say_where


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One line of the roster: its boxes, and what a purchase would come to if it is the viewer's own."""

    group: RosterGroup
    ticked: int
    boxes: int
    offer: Offer | None
    drawn: list[CounterPicture]

    @property
    def box_marks(self) -> str:
        """The boxes as they look on paper."""
        return "☒" * self.ticked + "☐" * (self.boxes - self.ticked)

    @property
    def is_open(self) -> bool:
        """Whether it can be bought now."""
        return self.offer is not None and not self.offer.objections


@dataclass(frozen=True, slots=True)
class GroupInHand:
    """A group in a side's hands, as its roster shows it."""

    group: Group
    title: str
    origin: str
    piles: list[Pile]
    location: str
    can_return: bool


def present_roster(table: Table, ledger: Ledger, side: Side, group_id: str | None) -> dict[str, object]:
    """The page of a roster. ``group_id``: of the group to open."""
    buys = side == table.side and ledger.stage is Stage.PURCHASES and side not in ledger.campaign.ready
    rows = list_rows(ledger, side, buys)
    chosen = next((row for row in rows if row.group.id == group_id), None)
    page = {
        "side": side,
        "rows": rows,
        "buys": buys,
        "chosen": chosen,
        "held": list_groups_in_hand(ledger, side),
        "singles": group_units(ledger, [unit for unit in ledger.in_play(side) if not unit.group]),
        "roster": ledger.roster(side),
    }
    return page | (_present_chosen(ledger, side, chosen) if chosen else {})


def _present_chosen(ledger: Ledger, side: Side, chosen: RosterRow) -> dict[str, object]:
    counters = ledger.content.counters[side]
    short = chosen.offer.short if chosen.offer else {}
    return {
        "contents": describe_contents(chosen.group, counters),
        "drawn": show_group(ledger, side, chosen.group),
        "short": [f"{number} × {counters[key].name}" for key, number in short.items()],
        "dice": purchase_dice(chosen.group, side),
        "is_attack": chosen.group.type is GroupType.ATTACK,
    }


def list_rows(ledger: Ledger, side: Side, buys: bool) -> list[RosterRow]:
    """A side's roster. ``buys``: whether to say for each group if it can be bought."""
    bought, situation = ledger.bought(side), ledger.situation(side)
    counters = ledger.content.counters[side]
    return [
        RosterRow(
            group,
            bought[group.id],
            group.boxes[ledger.campaign.card],
            make_offer(group, counters, situation) if buys and group.type is not GroupType.ATTACK else None,
            show_group(ledger, side, group),
        )
        for group in ledger.roster(side).groups.values()
    ]


def list_groups_in_hand(ledger: Ledger, side: Side) -> list[GroupInHand]:
    """Every group that a side has or had, the newest first; what was given back is left out."""
    is_drawn = len(ledger.in_play(side)) <= MOST_DRAWN
    return [_show_group_in_hand(ledger, side, group, is_drawn) for group in reversed(ledger.list_groups(side))]


def _show_group_in_hand(ledger: Ledger, side: Side, group: Group, is_drawn: bool) -> GroupInHand:
    units = ledger.units_of(group)
    is_new = group.bought_for == ledger.campaign.firefight
    is_open = ledger.stage is Stage.PURCHASES and side not in ledger.campaign.ready
    return GroupInHand(
        group,
        name_group(ledger, group),
        f"bought for {ledger.card.times[group.bought_for - 1]}" if group.bought_for else "at start",
        pile_units(ledger, units, is_drawn),
        say_where(ledger, units) or say_standing(ledger, group),
        is_new and is_open and not ledger.roster_line(group).has_dice and group.standing == Group.Standing.IN_PLAY,
    )


def describe_contents(group: RosterGroup, counters: Mapping[str, Counter]) -> list[str]:
    """What a group brings, in words."""
    words = [f"{number} × {counters[key].name}" for key, number in group.contents.items()]
    if group.mix:
        bands = [f"{band}: {counters[band.value].name}" for band in group.mix.bands.bands if band.value]
        words.append(f"{group.mix.number} by a d{group.mix.bands.sides} each ({', '.join(bands)})")
    if group.caliber:
        words.append(f"caliber {group.caliber} mm{', plotted' if group.plotted else ''}")
    if group.arrival:
        words.append(f"arrives on {group.arrival} or less")
    return words
