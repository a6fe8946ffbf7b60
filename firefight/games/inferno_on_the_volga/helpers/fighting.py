"""Helpers of a combat."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, TickField, TokensField

from ..answers import fighting
from ..rules.fire import Order, find_need
from ..rules.rubble import list_obstacles
from ..rules.tables import GERMAN_KINDS, MOST_RUBBLE, SOVIET_DECK, Fire, Kind, Side
from . import shared

MOST_DICE = 16  # of one Fire: four Units of four dots
MOST_HITS = 64


class CombatForm(HelperForm):
    """Inputs of a combat's steps."""

    filled_from = {"soviet_hand": "soviet_hand"}
    seldom = ("soviet_passes", "soviets_gone")
    only_with = {"german_card": ("attacker", (Side.GERMAN.value,))}

    attacker = shared.side()
    hasty = TickField("Hasty Attack")
    terrain = shared.terrain("Attacked hex")
    soviet_hand = NumberField("Cards in the Soviet hand", 0, sum(SOVIET_DECK.values()))
    german_card = TickField("The German plays a card")
    chuikov = TickField("Chuikov in play")
    hoth = TickField("Hoth in play")
    german_types = shared.german_types()
    soviet_types = shared.soviet_types()
    attacker_wins = TickField("The attacked hex is empty afterwards")
    soviet_passes = TickField("The Soviet player plays no card (1 vs 1)")
    soviets_gone = TickField("Their own ones have killed all Soviets (Khrushchev)")


class HitsForm(HelperForm):
    """Inputs of dice of one Fire."""

    fire = Pick.among("Fire", Fire)
    khrushchev = TickField("Soviets fire, Khrushchev in play")
    fortified = TickField("Soviets defend in a fortification")
    opportunity = TickField("Opportunity Fire")
    number = NumberField("Dice", 0, MOST_DICE)


class LossesForm(HelperForm):
    """Inputs of hits on Units."""

    strengths = TokensField("Strengths of the Units hit", low=0, high=4, most=shared.MOST_ATTACKERS)
    hits = NumberField("Hits", 0, MOST_HITS)
    rubble = TickField("Rubble in the attacked hex")
    attacker_suffers = TickField("The attacker is hit")
    ignores_rubble = TickField("Sniper, Anti-Tank or Pak: ignores Rubble")


class CloseCombatForm(HelperForm):
    """Inputs of Close Combat."""

    attacker = shared.side()
    terrain = shared.terrain("Attacked hex")
    rubble = TickField("Rubble there")
    bonus = TickField("Combined Force Bonus")
    german = shared.strengths("German strengths")
    soviet = shared.strengths("Soviet strengths")
    german_hits = NumberField("Hits by Germans", 0, MOST_HITS)
    soviet_hits = NumberField("Hits by Soviets", 0, MOST_HITS)


class RubbleForm(HelperForm):
    """Inputs of a Rubble Roll."""

    filled_from = {"own_rubble": "own_card.rubble"}
    seldom = ("modifier", "not_urban", "not_deliberate", "has_rubble", "own_rubble", "hex")
    remembered = ("richthofen",)

    cards = shared.german_cards()
    hexes = NumberField("Hexes attacked from", 1, 6, initial=1)
    panzers = NumberField("Panzers and Panzer Grenadiers", 0, shared.MOST_ATTACKERS)
    richthofen = TickField("Von Richthofen in play")
    airstrike_cancelled = TickField("The airstrike was cancelled")
    placed = NumberField("Rubble markers on the map", 0, MOST_RUBBLE)
    hex = shared.hex("Attacked hex, for what a match keeps")
    modifier = NumberField("Rubble Modifier, if it is known", 0, 60, initial=None)
    not_urban = TickField("The hex is not Urban")
    not_deliberate = TickField("No German Deliberate Attack")
    has_rubble = TickField("Rubble lies there already")
    own_rubble = shared.own_rubble()


class AdvanceForm(HelperForm):
    """Inputs of an advance."""

    seldom = ("hex",)
    remembered = ("hoth",)

    attacker = shared.side()
    survivors = shared.strengths("Attackers left, their strengths")
    hoth = TickField("Hoth in play")
    unit = Pick.among("Unit that would Blitz", GERMAN_KINDS, initial=Kind.PANZER.value)
    advanced_into = shared.terrain("Hex taken")
    target_terrain = shared.terrain("Hex to Blitz into")
    target_has_soviets = TickField("Soviets there")
    hex = shared.hex("Hex taken, by number")


def hit_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """As many dice as the number says; without one as many as are typed."""
    need = find_need(inputs["fire"], inputs["khrushchev"], inputs["fortified"], inputs["opportunity"])
    groups, number = shared.group_faces(need, ones=inputs["khrushchev"]), inputs["number"]
    return (shared.dice_pool(number, alike=groups, **({} if number else {"least": 0, "most": MOST_DICE})),)


def rubble_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Three dice, where there is anything to roll for."""
    conditions = (not inputs["not_urban"], not inputs["not_deliberate"], inputs["has_rubble"], inputs["placed"])
    return () if list_obstacles(*conditions) else (shared.THREE_DICE,)


helper = partial(shared.game_helper, group="Combat")
look_up = partial(helper, verb="Look up")
HELPERS = (
    look_up(
        "combat",
        title="Combat sequence",
        purpose="Which of the thirteen steps this combat has, and who rolls first.",
        rules=(fighting.SEQUENCE, "Hoth"),
        form=CombatForm,
        rule=fighting.answer_combat,
        outcomes=Order,
        suggests=True,
    ),
    helper(
        "hits",
        title="Dice of a Unit or card",
        purpose="How many dice hit, and how many ones hit the Soviets themselves.",
        rules=("Firepower", "Khrushchev", "Soviet Fortifications"),
        form=HitsForm,
        rule=fighting.answer_hits,
        outcomes=fighting.HitsOutcome,
        dice=hit_dice,
        dice_words="faces, 0 to 16 d6, each for itself",
    ),
    look_up(
        "losses",
        title="Hits applied",
        purpose="Which Units hits reduce: the strongest first, halved on defenders in Rubble.",
        rules=(fighting.CLOSE_COMBAT, fighting.RUBBLE),
        form=LossesForm,
        rule=fighting.answer_losses,
        outcomes=fighting.LossesOutcome,
    ),
    look_up(
        "close-combat",
        title="Close Combat",
        purpose="Both sides' hits in their order, and who is left.",
        rules=(f"{fighting.SEQUENCE} 10", fighting.CLOSE_COMBAT, fighting.RUBBLE),
        form=CloseCombatForm,
        rule=fighting.answer_close_combat,
        outcomes=fighting.CloseOutcome,
        suggests=True,
    ),
    helper(
        "rubble",
        title="Rubble Roll",
        purpose="What adds to three dice, and whether Rubble is laid.",
        rules=(fighting.RUBBLE, f"{fighting.SEQUENCE} 9"),
        form=RubbleForm,
        rule=fighting.answer_rubble,
        outcomes=fighting.RubbleOutcome,
        dice=rubble_dice,
        dice_words="total, 3d6, where there is anything to roll for",
        spare_dice=("total",),
        brief={"rubble": "Rubble", "none": "none"},
    ),
    look_up(
        "advance",
        title="Advance and Blitz",
        purpose="Who enters the empty hex, and who may go on.",
        rules=("Advance after Combat", "Blitz Movement"),
        form=AdvanceForm,
        rule=fighting.answer_advance,
        outcomes=fighting.AdvanceOutcome,
        suggests=True,
    ),
)
