"""Reinforcement rolls, purchases and refunds (20.2.2, 20.5.8 step 2, 20.5.8.1 steps 3 and 4, 20.8.1, 20.9.1)."""

from collections import Counter as Tally
from collections.abc import Mapping

from campaign.ledger.act import CampaignAct, refuse, tell_fates
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import load
from campaign.ledger.performing import campaign_act, check_fresh
from campaign.models import Group, Seal, Unit
from campaign.phase import lookups
from campaign.rules.leaders import LeaderOutcome, leaders_brought
from campaign.rules.purchases import against_nest_without_commissar, against_refund, make_offer, mix_dice, take_from_box
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from firefight.columns import Matter, Proposal, Rolled
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.act import MatchAct
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused
from firefight.table.consent import matters

from .content import put_right_points


@campaign_act(Stage.REINFORCEMENTS)
def reinforce(act: CampaignAct, dice: Dice) -> None:
    """Roll for new CP before a later firefight (20.2.2); what is unspent stays. Die: ``die``, as the card says."""
    if act.is_ready():
        raise Refused("Your side has rolled for its reinforcements already.")
    forces = act.ledger.forces(act.side)
    (die,) = rolled = act.roll([forces.die], dice)
    total = forces.reinforce(die.face)
    act.pay(total, f"Reinforcements for {act.ledger.time}: {forces.reinforcement}")
    act.tell(f"{act.name} receives {total} CP: {die.face} on {forces.reinforcement}.", rolled=rolled)
    if act.set_ready():
        act.move_on(Stage.PURCHASES)


@match_act(any_version=True)
def put_right_cp(act: MatchAct, amount: int, reason: str) -> None:
    """Set a side's Campaign Points by hand, to correct what was reported wrongly earlier. Raises Unfit below 0.

    A gain needs the other side's agreement first. It learns only the difference: the balance may give away what was
    paid under seal.
    """
    side_act = CampaignAct(act.match, act.row, Side(act.side), load(act.match))
    check_fresh(side_act, act.drawn)
    side_act.expect(*(stage for stage in Stage if stage is not Stage.OVER))
    balance = side_act.ledger.balance(side_act.side)
    if amount == balance:
        raise Refused(f"Your side has {balance} CP already. Nothing was changed.")
    if amount > balance and matters.sides_to_ask(act.table, act.table.sides):
        gain = {"points": amount - balance, "reason": reason}
        matters.propose(act, Proposal(Matter.POINTS, act.side, wanted=gain))
    else:
        put_right_points(act, act.side, amount - balance, reason)


@campaign_act(Stage.PURCHASES)
def buy(act: CampaignAct, rg: str, dice: Dice) -> None:
    """Buy one group: its box, its CP, its counters and, where it says so, its leader (20.8.1, 20.9.1).

    Dice: mix_1, mix_2 … for a group such as V3; ``die`` and ``second_die`` for the leader roll. Raises Unfit with
    everything that is wrong, before any die is rolled.
    """
    if act.is_ready():
        raise Refused("Your orders are sealed, which ends your purchases. Take them back to buy more.")
    group = act.ledger.roster(act.side).groups.get(rg)
    if group is None:
        raise BadField(f"There is no group {rg[:6]} on your roster.")
    if group.type is GroupType.ATTACK:
        raise BadField("An Attack goes with your orders, under seal (20.5.3).")
    situation, counters = act.ledger.situation(act.side), act.ledger.content.counters[act.side]
    refuse(*make_offer(group, counters, situation).objections)
    _check_dice(act, group, dice)
    mixed = act.roll(mix_dice(group), dice)
    offered = make_offer(group, counters, situation, [die.face for die in mixed])
    refuse(*offered.objections)
    box = act.ledger.free_box(act.side, rg)
    bought = act.add_group(rg, bought_for=act.campaign.firefight, box=box)
    act.add_units(offered.receives, bought)
    act.pay(-offered.price, f"{rg} {group.unit}", group=bought)
    brought = act.ledger.name_units(act.ledger.units_of(bought))
    leaders, missing, rolled = _roll_leader(act, bought, dice) if group.leader else ("", {}, [])
    units = act.ledger.units_of(bought)
    bought.app_dice = any(die.source == "app" for die in (*mixed, *rolled))
    if mixed or rolled:
        # Real dice too, or players could roll until they like the result: the other side must agree (20.5.8).
        act.row.free_to_take_back = False
    short = _name_counters(act, {**offered.short, **missing})
    lacks = f" Not in the box any more: {short}." if short else ""
    act.tell(
        f"{act.name} buys {rg} {group.unit} for {offered.price} CP{f': {brought}' if brought else ''}{leaders}.{lacks}",
        rolled=[*mixed, *rolled],
        **tell_fates("purchase", (units, ("bought",))),
    )


def _check_dice(act: CampaignAct, group: RosterGroup, dice: Dice) -> None:
    """Refuse before the app draws a number, if any face of its dice would give no result."""
    if dice.source == "app" and group.mix:
        counters, situation = act.ledger.content.counters[act.side], act.ledger.situation(act.side)
        for face in range(1, group.mix.bands.sides + 1):
            refuse(*make_offer(group, counters, situation, [face] * group.mix.number).objections)
    if group.leader:
        act.check_reach("leader", {"side": act.side}, dice)


def _roll_leader(act: CampaignAct, bought: Group, dice: Dice) -> tuple[str, dict[str, int], list[Rolled]]:
    """Roll for a group's leaders; returns what to say, those that the box no longer holds, and the dice."""
    result, rolled = act.play("leader", {"side": act.side}, dice)
    assert isinstance(result.outcome, LeaderOutcome)
    received = Tally(leaders_brought(result.outcome))
    available, missing = take_from_box(received, act.ledger.left_in_box(act.side))
    before = act.ledger.units_of(bought)
    act.add_units(available, bought)
    numbers = act.ledger.say_numbers(unit for unit in act.ledger.units_of(bought) if unit not in before)
    headline = result.headline[0].lower() + result.headline[1:].rstrip(".")
    return f"; {headline}{numbers}", missing, rolled


def _name_counters(act: CampaignAct, counters: Mapping[str, int]) -> str:
    names = act.ledger.content.counters[act.side]
    return ", ".join(f"{number} × {names[key].name}" for key, number in counters.items())


@campaign_act(Stage.PURCHASES)
def refund(act: CampaignAct, number: int) -> None:
    """Give a purchase of this phase back for its full price, until the side's orders are sealed (20.5.8 step 2).

    Never one with dice, not even real ones, or players could roll until they like the result (20.5.8).
    """
    if act.is_ready():
        raise Refused("Your orders are sealed, which ends your purchases. Take them back to give anything back.")
    group = act.find_own(act.ledger.groups, number, "group")
    _check_refundable(act, group)
    price = -sum(line.amount for line in act.ledger.lines[act.side].values() if line.group is group)
    group.standing = Group.Standing.REFUNDED
    units = act.ledger.units_of(group)
    for unit in units:
        unit.fate, unit.sector, unit.hidden = Unit.Fate.RETURNED, None, False
    for seal in act.ledger.seals[act.side].values():
        if seal.group is group and seal.standing == Seal.Standing.SEALED:
            seal.standing = Seal.Standing.WITHDRAWN
    _check_nests(act)
    unit_name = act.ledger.roster_line(group).unit
    act.pay(price, f"{group.rg} {unit_name} given back", group=group)
    fates = tell_fates("purchase", (units, ("returned",)))
    act.tell(f"{act.name} gives {group.rg} {unit_name} back for {price} CP.", **fates)


def _check_refundable(act: CampaignAct, group: Group) -> None:
    is_new = group.standing == Group.Standing.IN_PLAY and group.bought_for == act.campaign.firefight
    refuse(against_refund(is_new, act.ledger.roster_line(group).has_dice))


def _check_nests(act: CampaignAct) -> None:
    nests = lookups.list_nests(act.ledger, act.side)
    refuse(against_nest_without_commissar(len(nests), act.ledger.commissars(act.side)))
