"""Attack or Hold: sealed by each side, revealed together, compared (20.5.3, 20.5.4)."""

from dataclasses import replace

from campaign.ledger.act import Deed, Dice, name_of, perform, unfit
from campaign.models import Seal
from campaign.phase import conductor
from campaign.rules.orders import Order, OrdersOutcome, attack_or_hold
from campaign.rules.purchases import offer
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from firefight.assistant.chartbooks import of_match
from firefight.table.acts import BadField, Done, Refused
from firefight.table.seats import Table


def seal_orders(table: Table, act_id: str, version: int | None, order: Order | None, bonus: bool = False) -> Done:
    """Seal the order for the firefight ahead, which ends the side's purchases.

    An Attack is paid for, and ticks its box, under the same seal. ``order`` does not matter where the card gives
    it (20.5.3). Whatever is sealed, the log and the other side learn the same.
    """

    def do(deed: Deed) -> None:
        deed.expect(Stage.PURCHASES)
        if deed.is_ready():
            raise Refused("Your orders are sealed already. Take them back to write others.")
        fixed = deed.ledger.fixed_order(deed.side)
        chosen = fixed or order
        if chosen is None:
            raise BadField("Choose Attack or Hold.")
        if bonus and (fixed or chosen is Order.HOLD):
            raise BadField("The CP Bonus goes with an Attack that is paid for (20.5.4).")
        data = {"order": chosen.value, "bonus": bonus, "fixed": bool(fixed)}
        price = 0
        if chosen is Order.ATTACK and not fixed:
            price, more = _priced(deed, bonus)
            data |= more
        entry = deed.tell(f"{deed.name} seals its orders.", secret=told(data, price))
        seal = deed.add_seal(Seal.Kind.ORDERS, entry, data={**data, "price": price})
        deed.pay(-price, "Attack, with its CP Bonus" if bonus else "Attack", seal=seal, sealed=True)
        deed.set_ready()

    return perform(table, act_id, version, do)


def _priced(deed: Deed, bonus: bool) -> tuple[int, dict]:
    group = deed.ledger.attack_group(deed.side)
    if group is None:
        raise BadField("Your roster has no Attack to buy (20.5.3).")
    found = offer(group, deed.ledger.content.counters[deed.side], deed.ledger.situation(deed.side), bonus=bonus)
    unfit(found.objections)
    return found.price, {"group": group.id, "box": found.box}


def told(data: dict, price: int) -> str:
    """Orders in words."""
    words = Order(data["order"]).value.capitalize()
    if data["bonus"]:
        words += ", with the CP Bonus"
    return f"{words}, as the card says." if data["fixed"] else f"{words} ({price} CP)." if price else f"{words}."


def withdraw_orders(table: Table, act_id: str, version: int | None) -> Done:
    """Take the own sealed orders back before they are revealed; what an Attack cost comes back under seal."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.PURCHASES)
        seal = deed.ledger.orders_of(deed.side)
        if seal is None:
            raise Refused("Your side has sealed no orders yet.")
        seal.standing = Seal.Standing.WITHDRAWN
        deed.pay(seal.data["price"], "Attack taken back", seal=seal, sealed=True)
        deed.campaign.ready = [side for side in deed.campaign.ready if side != deed.side]
        deed.tell(f"{deed.name} takes its sealed orders back.")

    return perform(table, act_id, version, do)


def reveal_orders(table: Table, act_id: str, version: int | None) -> Done:
    """Open both sides' orders in one act, and go on to what they lead to."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.PURCHASES)
        waiting = [name_of(side) for side in Side if not deed.is_ready(side)]
        if waiting:
            raise Refused(f"Both sides reveal together; still without sealed orders: {' and '.join(waiting)}.")
        found = {side: deed.ledger.orders_of(side) for side in Side}
        for side, seal in found.items():
            _open(deed, side, seal)
        _compare(deed)

    return perform(table, act_id, version, do)


def _open(deed: Deed, side: Side, seal: Seal) -> None:
    seal.standing = Seal.Standing.OPEN
    for line in deed.ledger.lines[side].values():
        if line.seal is seal:
            line.sealed = False
    deed.reveal(seal.entry, f"{name_of(side)} orders: {told(seal.data, seal.data['price'])}", side)


def _choices(deed: Deed) -> dict[str, Order | bool]:
    """Both sides' orders as the comparison takes them."""
    found = {side: deed.ledger.orders_of(side).data for side in Side}
    orders = {side.value: Order(data["order"]) for side, data in found.items()}
    return orders | {f"{side.value}_bonus": data["bonus"] for side, data in found.items()}


def _compare(deed: Deed) -> None:
    """Who attacks; if both do, the roll is due (20.5.4)."""
    result = attack_or_hold(charts=of_match(deed.match), **_choices(deed))
    if result.needs:
        deed.move_on(Stage.PRIORITY)
        deed.tell("Both attack: a d10 each decides who is the Attacker.")
    elif result.outcome is OrdersOutcome.NO_FIREFIGHT:
        _skip(deed)
    else:
        _settle(deed, result)


def settle(table: Table, act_id: str, version: int | None, dice: Dice) -> Done:
    """Both attack: roll for the Attacker, a tie makes the Russian the Defender. Dice: german_die, russian_die."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.PRIORITY)
        result, rolled = deed.play("attack-or-hold", _choices(deed), dice)
        _settle(deed, result, [replace(die, side=die.die.removesuffix("_die")) for die in rolled])

    return perform(table, act_id, version, do)


def _settle(deed: Deed, result, rolled=()) -> None:
    deed.campaign.attacker = result.details["attacker"]
    deed.move_on(Stage.SETUP)
    deed.tell(f"{result.headline} {' '.join(result.effects)}", rolled=rolled)


def _skip(deed: Deed) -> None:
    """Both hold: no firefight at this time, on to the next one's Reorganization Phase (20.5.4)."""
    deed.campaign.attacker = ""
    deed.tell(f"Both hold: no firefight at {deed.ledger.time}.")
    conductor.begin_without_firefight(deed)
