"""Helpers of the Soviet turn."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, RowForm, RowsField, TickField

from ..answers import soviets
from ..rules.soviet_side import Ahead, DieEffect, Placed
from ..rules.tables import INFANTRY_POOL, MOST_UNITS, SOVIET_SPAWN, TANK_POOL, TANKS
from . import shared

MOST_STACKS = 40


class StackRow(RowForm):
    """A hex with Soviets in it."""

    asks = "hex"

    hex = shared.hex("Hex")
    units = NumberField("Units", 1, MOST_UNITS, initial=1)


def soviet_stacks(label: str) -> RowsField:
    """Hexes with Soviets."""
    return RowsField(label, StackRow, lambda row: soviets.SovietStack(**row), most=MOST_STACKS)


class PlacedRow(RowForm):
    """Where a hex lies."""

    asks = "hex"

    hex = shared.hex("Hex")
    north = NumberField("Row from the north", 0, 60)
    volga = NumberField("Hexes to the Volga", 0, 60)


class SovietTurnForm(HelperForm):
    """Inputs of a Soviet turn."""

    seldom = ("top", "spawns")

    stacks = soviet_stacks("Soviet Stacks, the largest will do")
    controlled = shared.hexes("Spawn Hexes in Soviet hands", most=20)
    mode = Pick.among("Who decides", soviets.Player)
    top = NumberField("Top Stacked Hexes, if you have counted", 0, MOST_STACKS, initial=None)
    spawns = NumberField("Spawn Hexes held, if you have counted", 0, len(SOVIET_SPAWN), initial=None)


class SpawnForm(HelperForm):
    """Inputs of a Spawn Action."""

    filled_from = {"infantry": "pools.infantry", "tanks": "pools.tanks"}

    controlled = shared.hexes("Spawn Hexes in Soviet hands", most=20)
    stacks = soviet_stacks("Soviets in them")
    infantry = NumberField("Infantry pool", 0, 40, initial=INFANTRY_POOL)
    tanks = NumberField("Tank pool", 0, TANKS, initial=TANK_POOL)


class RollOrderForm(HelperForm):
    """Inputs of the order of the dice."""

    hexes = RowsField("Top Stacked Hexes", PlacedRow, lambda row: Placed(**row), most=soviets.MOST_DICE)


class SovietDiceForm(HelperForm):
    """Inputs of the movement dice."""

    hexes = shared.hexes("Top Stacked Hexes, as dice are thrown", most=soviets.MOST_DICE)


class SovietDieForm(HelperForm):
    """Inputs of one die: what lies in its direction."""

    remembered = ("chuikov",)

    face = NumberField("Die", 1, 6, initial=1)
    same_dice = NumberField("Dice that show it", 1, 6, initial=1)
    units_left = NumberField("Units left in its hex", 0, MOST_UNITS, initial=1)
    target = Pick.among("In its direction", Ahead)
    soviets_there = NumberField("Soviets there", 0, MOST_UNITS)
    chuikov = TickField("Chuikov in play")
    next_to_target = TickField("Another Soviet Stack is next to the Germans")


def movement_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """A die for each hex, in the order in which they are thrown."""
    return (shared.dice_pool(len(inputs["hexes"])),) if inputs["hexes"] else ()


helper = partial(shared.game_helper, group="Soviet turn", steps=("soviet",))
look_up = partial(helper, verb="Look up")
HELPERS = (
    look_up(
        "soviet-turn",
        title="Soviet turn",
        purpose="Whether the Soviets draw, spawn or move.",
        rules=(soviets.ACTIONS,),
        form=SovietTurnForm,
        rule=soviets.answer_soviet_turn,
        outcomes=soviets.TurnOutcome,
    ),
    look_up(
        "spawn",
        title="Spawn Action",
        purpose="What comes into which Spawn Hex, and how many cards are drawn.",
        rules=(soviets.SPAWN,),
        form=SpawnForm,
        rule=soviets.answer_spawn,
        outcomes=soviets.SpawnOutcome,
    ),
    look_up(
        "roll-order",
        title="Order of the dice",
        purpose="Which Top Stacked Hex throws first.",
        rules=("Die Rolls Order",),
        form=RollOrderForm,
        rule=soviets.answer_roll_order,
        outcomes=soviets.OrderedOutcome,
    ),
    helper(
        "soviet-dice",
        title="Movement dice",
        purpose="What the dice on the Top Stacked Hexes may come to, low to high.",
        rules=(soviets.MOVEMENT, "Card Drawing A, C"),
        form=SovietDiceForm,
        rule=soviets.answer_soviet_dice,
        outcomes=soviets.PlannedOutcome,
        dice=movement_dice,
        odds=soviets.count_card_odds,
        dice_words="faces, one d6 for each hex, each for itself",
    ),
    look_up(
        "soviet-die",
        title="One movement die",
        purpose="A card, an attack or a move, by what lies in its direction.",
        rules=("Movement", "Card Drawing", "Soviet Hasty Attack"),
        form=SovietDieForm,
        rule=soviets.answer_soviet_die,
        outcomes=DieEffect,
        settles=False,
    ),
)
