"""Forms of reinforcement rolls, purchases and refunds."""

from campaign.acts import buying
from firefight.table.forms import ActForm, Line, Number

from .dice import DiceForm


class Reinforce(DiceForm):
    """Roll for new CP."""

    do = "reinforce"
    act = staticmethod(buying.reinforce)


class Buy(DiceForm):
    """Buy a group of the roster."""

    do = "buy"
    act = staticmethod(buying.buy)
    called = {"group": "rg"}
    dice_called = ("die", "second_die", "mix")

    group = Line(20, wanted="Choose a group of your roster.")


class Refund(ActForm):
    """Give a purchase back."""

    do = "refund"
    act = staticmethod(buying.refund)

    number = Number("a group")


class PutRight(ActForm):
    """Set the own CP by hand."""

    do = "put-right-cp"
    act = staticmethod(buying.put_right_cp)

    amount = Number("how many CP", asks="Give the CP that your side has: 0 or more.")
    reason = Line(80, asks="Say in at most 80 characters what was told wrongly.")
