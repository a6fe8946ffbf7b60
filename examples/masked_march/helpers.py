"""What the assistant offers for Masked March."""

from functools import partial

from firefight.engine.board.pools import pool_throw, spin_throw
from firefight.engine.record import KeptDeck
from firefight.engine.rolls.cards import card_throw, list_uncertain
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CountersField, Helper, HelperForm, Inputs, Pick, PoolField, TokensField

from . import rules
from .counters import COUNTERS

march_helper = partial(Helper, "masked-march", outcomes=rules.MarchOutcome, is_read=False)


class FireForm(HelperForm):
    """Inputs of fire."""

    by = CountersField("Who fires", COUNTERS, role="firers")
    at = CountersField("At whom", COUNTERS, role="targets")


class FillUpForm(HelperForm):
    """Inputs of replacements."""

    who = CountersField("Who is filled up", COUNTERS, role="firers", required=True)


def dice_of_deck(inputs: Inputs) -> tuple[DieSpec, ...]:
    """The throw that draws a card, where a die decides."""
    cards = list_uncertain({"top": inputs["top"], "left": inputs["left"]})
    return (card_throw("Card", cards),) if cards else ()


def pile_field(label: str, deck: KeptDeck) -> TokensField:
    """A pile of a deck."""
    return TokensField(label, {card: card for card in deck.cards})


class DrawOrderForm(HelperForm):
    """Inputs of a draw: the piles of the deck."""

    filled_from = {"left": "orders.left", "top": "orders.top", "bottom": "orders.bottom"}

    left = pile_field("Orders left", rules.ORDERS)
    top = pile_field("On top", rules.ORDERS)
    bottom = pile_field("At the bottom", rules.ORDERS)


class GiveOrderForm(HelperForm):
    """Inputs of an order."""

    order = Pick("Order", {card: card.capitalize() for card in rules.ORDERS.cards})


class WeatherForm(HelperForm):
    """Inputs of the weather: the piles of its deck."""

    filled_from = {"left": "weather.left", "top": "weather.top"}

    left = pile_field("Cards left", rules.WEATHER)
    top = pile_field("On top", rules.WEATHER)


class MusterForm(HelperForm):
    """Inputs of a muster: where to; the pool is filled in unseen."""

    pool = PoolField("Reserve", "reserve")
    place = Pick("Where to", rules.PLACES)


def muster_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """A block of the pool, then its spin."""
    if not inputs["pool"]:
        return ()
    return pool_throw("piece", "Block", inputs["pool"]), spin_throw("spin", "Spin", rules.SPIN)


HELPERS = (
    march_helper(
        "fire",
        title="Fire",
        group="Fight",
        purpose="Who loses a dot.",
        rules=("1.1 Fire",),
        form=FireForm,
        rule=rules.fire,
        dice=(DieSpec("die", 6, "d6"),),
    ),
    march_helper(
        "fill-up",
        title="Fill up",
        group="Fight",
        purpose="Two dots again.",
        rules=("1.2 Replacements",),
        form=FillUpForm,
        rule=rules.fill_up,
    ),
    march_helper(
        "muster",
        title="Muster",
        group="Fight",
        purpose="A block out of the reserve.",
        rules=("3.1 The Reserve",),
        form=MusterForm,
        rule=rules.muster,
        dice=muster_dice,
        dice_words="one of the reserve, then a d4",
    ),
    march_helper(
        "draw-order",
        title="Draw an order",
        group="Orders",
        purpose="The next of the North's orders.",
        rules=("2.1 Orders",),
        form=DrawOrderForm,
        rule=rules.draw_order,
        dice=dice_of_deck,
        dice_words="one of the orders that are left",
    ),
    march_helper(
        "give-order",
        title="Give an order",
        group="Orders",
        purpose="For all to hear.",
        rules=("2.2 Giving Orders",),
        form=GiveOrderForm,
        rule=rules.give_order,
    ),
    march_helper(
        "weather",
        title="Weather",
        group="Orders",
        purpose="How the day is.",
        rules=("2.3 Weather",),
        form=WeatherForm,
        rule=rules.turn_weather,
        dice=dice_of_deck,
        dice_words="one of the cards that are left",
    ),
)
