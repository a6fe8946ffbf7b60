"""Reinforcement rolls, purchases and refunds (20.2.2, 20.5.8 step 2, 20.5.8.1 steps 3 and 4, 20.8.1, 20.9.1)."""

from collections import Counter as Tally
from collections.abc import Mapping

from campaign.ledger.act import Deed, Dice, Unfit, perform, unfit
from campaign.models import Group, Seal, Unit
from campaign.rules.leaders import LeaderOutcome
from campaign.rules.purchases import offer
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from firefight.assistant.registry import Rolled
from firefight.engine.rolls.dice import DieSpec
from firefight.table.acts import BadField, Done, Refused
from firefight.table.seats import Table

from .beginning import add_units

_LEADERS = {
    LeaderOutcome.NONE: (),
    LeaderOutcome.NCO: ("nco",),
    LeaderOutcome.OFFICER: ("officer",),
    LeaderOutcome.NCO_OFFICER: ("nco", "officer"),
    LeaderOutcome.NCO_COMMISSAR: ("nco", "commissar"),
}


def reinforce(table: Table, act_id: str, version: int | None, dice: Dice) -> Done:
    """Roll for new CP before a later firefight (20.2.2); what is unspent stays. Die: ``die``, as the card says."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.REINFORCEMENTS)
        if deed.is_ready():
            raise Refused("Your side has rolled for its reinforcements already.")
        forces = deed.ledger.forces(deed.side)
        (die,) = rolled = deed.roll([reinforcement_die(forces.die_sides)], dice)
        total = die.face + forces.die_add
        deed.pay(total, f"Reinforcements for {deed.ledger.time}: {forces.reinforcement}")
        deed.tell(f"{deed.name} receives {total} CP: {die.face} on {forces.reinforcement}.", rolled=rolled)
        if deed.set_ready():
            deed.move_on(Stage.PURCHASES)

    return perform(table, act_id, version, do)


def reinforcement_die(sides: int) -> DieSpec:
    """The die of the reinforcement roll."""
    return DieSpec("die", sides, f"Reinforcements d{sides}")


def mix_dice(group: RosterGroup) -> list[DieSpec]:
    """The dice of a group such as V3, one for each counter that they decide."""
    if group.mix is None:
        return []
    sides = group.mix.bands.sides
    return [DieSpec(f"mix_{place}", sides, f"Counter {place}, d{sides}") for place in range(1, group.mix.number + 1)]


def buy(table: Table, act_id: str, version: int | None, rg: str, dice: Dice) -> Done:
    """Buy one group: its box, its CP, its counters and, where it says so, its leader (20.8.1, 20.9.1).

    Dice: mix_1, mix_2 … of a group such as V3; ``die`` and ``second_die`` of the leader roll. Raises Unfit with
    everything that is wrong, before any die is rolled.
    """

    def do(deed: Deed) -> None:
        deed.expect(Stage.PURCHASES)
        if deed.is_ready():
            raise Refused("Your orders are sealed, which ends your purchases. Take them back to buy more.")
        group = deed.ledger.roster(deed.side).groups.get(rg)
        if group is None:
            raise BadField(f"There is no group {rg[:6]} on your roster.")
        if group.type is GroupType.ATTACK:
            raise BadField("An Attack goes with your orders, under seal (20.5.3).")
        situation, counters = deed.ledger.situation(deed.side), deed.ledger.content.counters[deed.side]
        unfit(offer(group, counters, situation).objections)
        _check_dice(deed, group, dice)
        mixed = deed.roll(mix_dice(group), dice)
        found = offer(group, counters, situation, [die.face for die in mixed])
        unfit(found.objections)
        box = deed.ledger.free_box(deed.side, rg)
        bought = deed.add_group(rg, bought_for=deed.campaign.firefight, box=box)
        add_units(deed, found.receives, bought)
        deed.pay(-found.price, f"{rg} {group.unit}", group=bought)
        leaders, missing, rolled = _roll_leader(deed, bought, dice) if group.leader else ("", {}, [])
        brought = _told(deed, found.receives)
        bought.app_dice = any(die.source == "app" for die in (*mixed, *rolled))
        if mixed or rolled:
            # Real dice too, or they could be rolled until they please: the other side must agree (20.5.8).
            deed.act.free_to_take_back = False
        deed.tell(
            f"{deed.name} buys {rg} {group.unit} for {found.price} CP{f': {brought}' if brought else ''}{leaders}."
            f"{_lacking(deed, {**found.short, **missing})}",
            rolled=[*mixed, *rolled],
        )

    return perform(table, act_id, version, do)


def _check_dice(deed: Deed, group: RosterGroup, dice: Dice) -> None:
    """Refuse before the app draws a number, if some face of its dice would end without a result."""
    if dice.source == "app" and group.mix:
        counters, situation = deed.ledger.content.counters[deed.side], deed.ledger.situation(deed.side)
        for face in range(1, group.mix.bands.sides + 1):
            unfit(offer(group, counters, situation, [face] * group.mix.number).objections)
    if group.leader:
        deed.check_reach("leader", {"side": deed.side}, dice)


def _roll_leader(deed: Deed, bought: Group, dice: Dice) -> tuple[str, dict[str, int], list[Rolled]]:
    """Roll for a group's leaders: what to say, those that the box no longer holds, the dice."""
    result, rolled = deed.play("leader", {"side": deed.side}, dice)
    received = Tally(_LEADERS[result.outcome])
    left = deed.ledger.left_in_box(deed.side)
    taken = {key: min(number, max(left[key], 0)) for key, number in received.items()}
    add_units(deed, taken, bought)
    missing = {key: number - taken[key] for key, number in received.items() if number > taken[key]}
    headline = result.headline[0].lower() + result.headline[1:].rstrip(".")
    return f"; {headline}", missing, rolled


def _told(deed: Deed, counters: Mapping[str, int]) -> str:
    names = deed.ledger.content.counters[deed.side]
    return ", ".join(f"{number} × {names[key].name}" for key, number in counters.items())


def _lacking(deed: Deed, short: Mapping[str, int]) -> str:
    return f" Not in the box any more: {_told(deed, short)}." if short else ""


def refund(table: Table, act_id: str, version: int | None, number: int) -> Done:
    """Give a purchase of this phase back for its full price, until the own orders are sealed (20.5.8 step 2).

    Never one with dice, real ones neither, or they could be rolled until they please (20.5.8).
    """

    def do(deed: Deed) -> None:
        deed.expect(Stage.PURCHASES)
        if deed.is_ready():
            raise Refused("Your orders are sealed, which ends your purchases. Take them back to give anything back.")
        group = deed.own(deed.ledger.groups, number, "group")
        _check_refundable(deed, group)
        price = -sum(line.amount for line in deed.ledger.lines[deed.side].values() if line.group is group)
        group.standing = Group.Standing.REFUNDED
        for unit in deed.ledger.units_of(group):
            unit.fate, unit.sector, unit.hidden = Unit.Fate.RETURNED, None, False
        for seal in deed.ledger.seals[deed.side].values():
            if seal.group is group and seal.standing == Seal.Standing.SEALED:
                seal.standing = Seal.Standing.WITHDRAWN
        _check_nests(deed)
        unit_name = deed.ledger.roster_line(group).unit
        deed.pay(price, f"{group.rg} {unit_name} given back", group=group)
        deed.tell(f"{deed.name} gives {group.rg} {unit_name} back for {price} CP.")

    return perform(table, act_id, version, do)


def _check_refundable(deed: Deed, group: Group) -> None:
    if group.standing != Group.Standing.IN_PLAY or group.bought_for != deed.campaign.firefight:
        raise Unfit(["Only what was bought in this Reorganization Phase can be given back."])
    if deed.ledger.roster_line(group).has_dice:
        raise Unfit(["Dice were rolled for this group. It is taken back only if the other side agrees (20.5.8)."])


def _check_nests(deed: Deed) -> None:
    nests = [
        group
        for group in deed.ledger.groups[deed.side].values()
        if group.standing == Group.Standing.IN_PLAY and deed.ledger.roster_line(group).type is GroupType.NEST
    ]
    if nests and not deed.ledger.commissars(deed.side):
        raise Unfit(["A Fanatic Resistance Nest needs a Commissar in play: give the nest back first (20.9.2)."])
