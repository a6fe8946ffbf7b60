"""Attack or Hold: sealed by each side, revealed together, compared (20.5.3, 20.5.4)."""

from collections.abc import Iterable
from dataclasses import replace

from campaign.ledger.act import NOBODY, CampaignAct, refuse
from campaign.ledger.dice import Dice
from campaign.ledger.performing import campaign_act
from campaign.models import Seal
from campaign.phase import conductor
from campaign.rules.orders import Order, OrdersOutcome, against_bonus, attack_or_hold, is_paid_for
from campaign.rules.purchases import make_offer
from campaign.rules.seals import SealedOrders
from campaign.rules.stages import Stage
from firefight.columns import Rolled
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import BadField, Refused

from .setting_up import forget_hexes

TIE_DICE = (DieSpec("german_die", 10, "German d10"), DieSpec("russian_die", 10, "Russian d10"))


@campaign_act(Stage.PURCHASES)
def seal_orders(act: CampaignAct, order: Order | None, bonus: bool = False) -> None:
    """Seal the order for the firefight ahead, which ends the side's purchases.

    An Attack is paid for, and ticks its box, under the same seal. ``order`` does not matter where the card gives
    it (20.5.3). Whatever is sealed, the log and the other side see the same line.
    """
    if act.is_ready():
        raise Refused("Your orders are sealed already. Take them back to write others.")
    fixed = act.ledger.fixed_order(act.side)
    chosen = fixed or order
    if chosen is None:
        raise BadField("Choose Attack or Hold.")
    if bonus and (objection := against_bonus(chosen, is_of_card=fixed is not None)):
        raise BadField(str(objection))
    orders = SealedOrders(chosen, bonus, fixed=fixed is not None)
    if is_paid_for(chosen, orders.fixed):
        orders = _price(act, orders)
    entry = act.tell(f"{act.name} seals its orders.", secret=describe_orders(orders))
    seal = act.add_seal(Seal.Kind.ORDERS, entry, data=orders)
    act.pay(-orders.price, "Attack, with its CP Bonus" if bonus else "Attack", seal=seal, sealed=True)
    act.set_ready()


def _price(act: CampaignAct, orders: SealedOrders) -> SealedOrders:
    """An Attack with its price and the box that it ticks."""
    group = act.ledger.attack_group(act.side)
    if group is None:
        raise BadField("Your roster has no Attack to buy (20.5.3).")
    offered = make_offer(
        group, act.ledger.content.counters[act.side], act.ledger.situation(act.side), bonus=orders.bonus
    )
    refuse(*offered.objections)
    return replace(orders, price=offered.price, group=group.id, box=offered.box)


def describe_orders(orders: SealedOrders) -> str:
    """Orders in words."""
    words = orders.order.word
    if orders.bonus:
        words += ", with the CP Bonus"
    if orders.fixed:
        return f"{words}, as the card says."
    return f"{words} ({orders.price} CP)." if orders.price else f"{words}."


@campaign_act(Stage.PURCHASES)
def withdraw_orders(act: CampaignAct) -> None:
    """Take a side's sealed orders back before they are revealed; what an Attack cost comes back under seal."""
    seal = act.ledger.orders_of(act.side)
    if seal is None:
        raise Refused("Your side has sealed no orders yet.")
    seal.standing = Seal.Standing.WITHDRAWN
    act.pay(seal.orders.price, "Attack taken back", seal=seal, sealed=True)
    act.campaign.ready = [side for side in act.campaign.ready if side != act.side]
    act.tell(f"{act.name} takes its sealed orders back.")


@campaign_act(Stage.PURCHASES)
def reveal_orders(act: CampaignAct) -> None:
    """Open both sides' orders in one act, and go on to what they lead to."""
    waiting = [side.word for side in Side if not act.is_ready(side)]
    if waiting:
        raise Refused(f"Both sides reveal together; still without sealed orders: {' and '.join(waiting)}.")
    for side, seal in _find_orders(act).items():
        _open(act, side, seal)
    _compare(act)


def _open(act: CampaignAct, side: Side, seal: Seal) -> None:
    seal.standing = Seal.Standing.OPEN
    for line in act.ledger.lines[side].values():
        if line.seal is seal:
            line.sealed = False
    act.reveal(seal.entry, f"{side.word} orders: {describe_orders(seal.orders)}", side)


def _find_orders(act: CampaignAct) -> dict[Side, Seal]:
    """Both sides' orders, once both have sealed them."""
    return {side: seal for side in Side if (seal := act.ledger.orders_of(side))}


def _choices(act: CampaignAct) -> Json:
    """Both sides' orders as the comparison takes them."""
    sealed_orders = {side: seal.orders for side, seal in _find_orders(act).items()}
    orders: dict[str, object] = {side.value: sealed.order for side, sealed in sealed_orders.items()}
    return orders | {f"{side.value}_bonus": sealed.bonus for side, sealed in sealed_orders.items()}


def _compare(act: CampaignAct) -> None:
    """See who attacks; if both do, the roll is due (20.5.4)."""
    result = attack_or_hold(charts=of_match(act.match), **_choices(act))
    if result.needs:
        act.move_on(Stage.PRIORITY)
        act.tell("Both attack: a d10 each decides who is the Attacker.", side=NOBODY)
    elif result.outcome is OrdersOutcome.NO_FIREFIGHT:
        _skip(act)
    else:
        _name_attacker(act, result)


@campaign_act(Stage.PRIORITY)
def roll_for_attacker(act: CampaignAct, dice: Dice) -> None:
    """Both attack: roll for the Attacker, a tie makes the Russian the Defender. Dice: german_die, russian_die."""
    result, rolled = act.play("attack-or-hold", _choices(act), dice)
    _name_attacker(act, result, [replace(die, side=die.die.removesuffix("_die")) for die in rolled])


def _name_attacker(act: CampaignAct, result: Result, rolled: Iterable[Rolled] = ()) -> None:
    act.campaign.attacker = result.details["attacker"]
    forget_hexes(act.ledger)
    act.move_on(Stage.SETUP)
    act.tell(f"{result.headline} {' '.join(result.effects)}", rolled=rolled, side=NOBODY)


def _skip(act: CampaignAct) -> None:
    """Both hold: no firefight at this time, on to the next one's Reorganization Phase (20.5.4)."""
    act.campaign.attacker = ""
    act.tell(f"Both hold: no firefight at {act.ledger.time}.", side=NOBODY)
    conductor.begin_without_firefight(act)
