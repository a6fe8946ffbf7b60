"""Helpers of the German turn."""

from functools import partial

from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.kit import HelperForm, NumberField, Pick, RowForm, RowsField, TickField, TokensField

from ..answers import germans
from ..rules.moves import PathHex, ShortMove
from ..rules.tables import MOST_UNITS, ROWS, Colour, Terrain
from . import shared

GERMAN_STEPS = ("german", "yellow", "blue")
MOST_STACK = 12


class CallForm(HelperForm):
    """Inputs of a Call."""

    remembered = ("paulus", "sixth_panzer", "raus_out")
    seldom = ("sixth_panzer", "raus_out")

    rows = shared.rows()
    removed = TokensField("Rows that have struck", low=1, high=ROWS, most=ROWS)
    paulus = TickField("Paulus in play")
    sixth_panzer = TickField("The 6th Panzer is an Advantage")
    raus_out = TickField("Raus has come already")


class ReturnForm(HelperForm):
    """Inputs of Units that go back to the Track."""

    rows = shared.rows()
    number = NumberField("Units that go back", 0, MOST_STACK, initial=1)
    reading = Pick.among("Several Units", germans.Recount)


class DeployForm(HelperForm):
    """Inputs of where Units arrive."""

    seldom = ("caller", "own_full")

    colour = shared.colour("German Unit")
    shown_strength = NumberField("Dots that a Soviet block shows", 0, 4, initial=4)
    maximum = NumberField("Its most dots", 1, 4, initial=4)
    caller = Pick(
        "Who called (co-op)",
        {"": "—", **{player: player.word for player in (Colour.YELLOW, Colour.BLUE)}},
        lambda value: Colour(value) if value else None,
    )
    own_full = TickField("The caller's own hexes are full")


class PathRow(RowForm):
    """A hex that a Long Move enters."""

    asks = "terrain"

    terrain = shared.row_pick("Terrain", tuple(Terrain))
    next_to_soviet = TickField("Next to Soviets")
    germans = NumberField("Germans there", 0, MOST_UNITS)


class LongMoveForm(HelperForm):
    """Inputs of a Long Move."""

    start_terrain = shared.terrain("Where it starts")
    start_next_to_soviet = TickField("It starts next to Soviets")
    part_of_stack = TickField("Only a part of the Stack moves")
    path = RowsField("Hexes entered, in order", PathRow, lambda row: PathHex(**row), most=4)


class ShortMoveRow(RowForm):
    """Where a Short Move ends."""

    asks = "stack_after"

    stack_after = NumberField("Germans there when all have moved", 0, MOST_STACK, initial=None, required=True)
    next_to_soviet = TickField("Next to Soviets")
    soviets = NumberField("Soviets there", 0, MOST_UNITS)


class ShortMovesForm(HelperForm):
    """Inputs of Short Moves."""

    moves = RowsField("Moves", ShortMoveRow, lambda row: ShortMove(**row), most=6)


class AttackAllowedForm(HelperForm):
    """Inputs of an attack that is to be judged."""

    _HASTY = ("kind", (germans.AttackKind.HASTY.value,))
    only_with = {"next_to_soviet_at_start": _HASTY, "stack_after": _HASTY}

    kind = Pick.among("Attack", germans.AttackKind)
    next_to_soviet_at_start = TickField("The Stack that moves starts next to Soviets")
    not_next_to_target = TickField("Some attackers are not next to the target")
    stack_after = NumberField("Units in the attacking Stack", 0, MOST_STACK, initial=1)
    attacking_stacks = NumberField("Attacking Stacks", 0, 6, initial=1)
    units_held_back = TickField("Units of an attacking Stack stay out of it")
    targets_chosen = NumberField("Soviet Stacks attacked", 0, 6, initial=1)


helper = partial(shared.game_helper, group="German turn", steps=GERMAN_STEPS)
look_up = partial(helper, verb="Look up")
HELPERS = (
    helper(
        "call",
        title="Call for Reinforcements",
        purpose="Cards to draw, and what six dice pick up.",
        rules=(germans.CALL, "Paulus"),
        form=CallForm,
        rule=germans.answer_call,
        outcomes=germans.CallOutcome,
        dice=(shared.dice_pool(ROWS),),
        odds=germans.count_call_odds,
    ),
    look_up(
        "return-units",
        title="Units back to the Track",
        purpose="Into which rows Units go that cannot be placed.",
        rules=(germans.CALL,),
        form=ReturnForm,
        rule=germans.answer_return,
        outcomes=germans.ReturnOutcome,
        settles=False,
    ),
    look_up(
        "deploy",
        title="Where they arrive",
        purpose="Hexes by colour, and what a spun Soviet block shows.",
        rules=(germans.CALL, "Random Deployment", "Adjusting Soviet Strength"),
        form=DeployForm,
        rule=germans.answer_deploy,
        outcomes=IsShown,
        settles=False,
    ),
    look_up(
        "long-move",
        title="Long Move",
        purpose="Whether it is legal.",
        rules=("One Long Move",),
        form=LongMoveForm,
        rule=germans.answer_long_move,
        outcomes=Allowed,
    ),
    look_up(
        "short-moves",
        title="Short Moves",
        purpose="Whether they are legal.",
        rules=("Up to two Short Moves",),
        form=ShortMovesForm,
        rule=germans.answer_short_moves,
        outcomes=Allowed,
    ),
    look_up(
        "attack-allowed",
        title="Hasty or Deliberate",
        purpose="Whether an attack is legal.",
        rules=("One Hasty Attack", "One Deliberate Attack"),
        form=AttackAllowedForm,
        rule=germans.answer_attack_allowed,
        outcomes=Allowed,
    ),
)
