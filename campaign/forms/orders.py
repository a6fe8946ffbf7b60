"""Forms of Attack and Hold."""

from campaign.acts import orders
from campaign.rules.orders import Order
from firefight.table.forms import ActForm, OneOf, Tick

from .dice import DiceForm


class Seal(ActForm):
    """Seal the orders for the firefight ahead; where the card gives them there is nothing to choose."""

    do = "seal"
    act = staticmethod(orders.seal_orders)

    order = OneOf(Order, required=False)
    bonus = Tick()


class Withdraw(ActForm):
    """Take the sealed orders back."""

    do = "withdraw-orders"
    act = staticmethod(orders.withdraw_orders)


class Reveal(ActForm):
    """Open both sides' orders."""

    do = "reveal"
    act = staticmethod(orders.reveal_orders)


class Settle(DiceForm):
    """Both attack: roll for the Attacker."""

    do = "settle"
    act = staticmethod(orders.settle)
    dice_called = ("german_die", "russian_die")
