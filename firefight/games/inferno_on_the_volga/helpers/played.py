"""Helpers of cards."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, RowForm, RowsField, TickField

from ..answers import played
from ..rules.cards import (
    Marksman,
    SovietEffect,
    Victim,
    count_soviet_dice,
    is_cancelled,
    list_card_objections,
    sum_up_cards,
)
from ..rules.fire import find_need
from ..rules.tables import (
    MARINES,
    MOST_UNITS,
    SOVIET_DICE,
    STRONGEST,
    CardValue,
    Fire,
    GermanCard,
    Kind,
    Side,
    SovietCard,
)
from . import shared


class GermanCardForm(HelperForm):
    """Inputs of German cards."""

    filled_from = {"own_dice": "own_card.dice", "own_rubble": "own_card.rubble"}
    seldom = ("aa_regiment", "own_dice", "own_rubble")
    remembered = ("linden", "richthofen")

    cards = shared.german_cards()
    attacker = shared.side()
    hasty = TickField("Hasty Attack")
    linden = TickField("Linden in play")
    richthofen = TickField("Von Richthofen in play")
    soviet_card = Pick(
        "Soviet card of this combat",
        {"": "—", **{card: card.word for card in SovietCard}},
        lambda value: SovietCard(value) if value else None,
    )
    aa_regiment = TickField("The AA Regiment defends, and its ability is agreed")
    own_dice = shared.own_dice()
    own_rubble = shared.own_rubble()


class SovietCardForm(HelperForm):
    """Inputs of a Soviet card."""

    filled_from = {"marines_left": "pools.marines"}
    remembered = ("zaytsev",)
    _LANDING = (SovietCard.FLOTILLA.value,)
    _COMING = (SovietCard.INFILTRATION.value, SovietCard.T_34.value)
    only_with = {
        "zaytsev": ("card", (SovietCard.SNIPER.value,)),
        "aa_hex": ("card", (SovietCard.AA.value,)),
        **dict.fromkeys(("stack", "pool"), ("card", _COMING)),
        **dict.fromkeys(
            ("german_in_landing", "soviets_in_landing", "landing_german", "marines_left"), ("card", _LANDING)
        ),
    }

    card = Pick.among("Card", SovietCard, initial=SovietCard.TOMMY_GUNNER.value)
    soviet_hex = shared.hex("Soviet hex of the combat", initial="3")
    zaytsev = TickField("Zaytsev in play")
    german_in_landing = TickField("Germans in the landing hex")
    soviets_in_landing = NumberField("Soviets in the landing hex", 0, MOST_UNITS)
    landing_german = TickField("The landing hex is German-controlled")
    marines_left = NumberField("Marines in their pool", 0, MARINES, initial=MARINES)
    stack = NumberField("Soviets in that hex", 0, MOST_UNITS, initial=1)
    pool = NumberField("Units in the pool", 0, 40, initial=1)
    aa_hex = shared.hex("Hex on the AA card")


class VictimRow(RowForm):
    """A Unit that a card may hit."""

    asks = "kind"

    kind = shared.row_pick("Kind", tuple(Kind))
    strength = NumberField("Strength", 1, STRONGEST, initial=1)


class TargetsForm(HelperForm):
    """Inputs of what a card hits."""

    card = Pick.among("Card", Marksman)
    victims = RowsField("Units before it", VictimRow, lambda row: Victim(**row), most=shared.MOST_ATTACKERS)


def german_card_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """The dice of the cards, which a player may leave for later; those of the 672nd Pioneer as its card says."""
    if not inputs["cards"]:
        return (shared.dice_pool(0, least=0, most=100, is_optional=True),)
    is_deliberate = inputs["attacker"] is Side.GERMAN and not inputs["hasty"]
    refused = list_card_objections(inputs["cards"], is_deliberate, inputs["linden"])
    if refused or is_cancelled(inputs["cards"], inputs["soviet_card"], inputs["aa_regiment"]):
        return ()
    own_values = {GermanCard.PIONEER_672: CardValue(inputs["own_dice"] or 0)}
    number = sum_up_cards(inputs["cards"], inputs["richthofen"], own_values).dice
    groups = shared.group_faces(find_need(Fire.TRIPLE))
    return (shared.dice_pool(number, alike=groups, is_optional=True),) if number else ()


def soviet_card_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Two or three dice, of the cards that throw any."""
    number = count_soviet_dice(inputs["card"])
    return (shared.dice_pool(number, most=max(SOVIET_DICE.values())),) if number else ()


helper = partial(shared.game_helper, group="Cards")
look_up = partial(helper, verb="Look up")
HELPERS = (
    helper(
        "german-card",
        title="German cards",
        purpose="Whether cards may be played, their dice and their Rubble Modifier.",
        rules=(played.SUPPORT, "Linden", "Von Richthofen"),
        form=GermanCardForm,
        rule=played.answer_german_card,
        outcomes=played.PlayOutcome,
        dice=german_card_dice,
        dice_words="faces, the dice of the cards, each for itself; they may be left out",
        spare_dice=("faces",),
    ),
    helper(
        "soviet-card",
        title="Soviet card",
        purpose="What the Soviet card of a combat comes to.",
        rules=("Soviet Leader Cards", "Soviet Support Cards"),
        form=SovietCardForm,
        rule=played.answer_soviet_card,
        outcomes=SovietEffect,
        dice=soviet_card_dice,
        dice_words="faces, 2 d6 of Tommy Gunner or 3 d6 of Volga River Flotilla, each for itself",
        spare_dice=("faces",),
    ),
    look_up(
        "targets",
        title="Who is hit by a card",
        purpose="The strongest Unit that a Sniper, an Anti-Tank gun or a Pak can hit.",
        rules=("Card Decks",),
        form=TargetsForm,
        rule=played.answer_targets,
        outcomes=played.TargetOutcome,
    ),
)
