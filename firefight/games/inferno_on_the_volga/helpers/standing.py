"""Helpers of how a game stands and how it begins."""

from functools import partial

from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, NumberField, Pick, TickField, gather_inputs

from ..answers import standing
from ..rules.ending import Standings
from ..rules.levels import Level
from ..rules.tables import GERMANS, OKH_HEXES, R_UNITS, SOVIET_SPAWN, SOVIETS, Colour, Side
from . import shared

HEADQUARTERS = DieSpec("total", 6, "3d6 for Chuikov's HQ", number=3, is_optional=True)


class CaptureForm(HelperForm):
    """Inputs of cards drawn."""

    remembered = ("paulus",)

    side = shared.side("Who draws")
    event = Pick.among("Why", standing.DrawEvent)
    hex = shared.hex("Hex taken")
    paulus = TickField("Paulus in play")


class VictoryForm(HelperForm):
    """Inputs of victory."""

    filled_from = {name: name for name in ("destroyed", "destroyed_r", "extra_used")}
    seldom = ("hexes_1_19_german", "r_removed")
    remembered = ("okh",)

    soviet_spawn_german = NumberField("Soviet Spawn Hexes in German hands", 0, len(SOVIET_SPAWN))
    soviet_units = NumberField("Soviet Units on the map", 0, SOVIETS, initial=1)
    destroyed = NumberField("German Units destroyed", 0, GERMANS)
    destroyed_r = NumberField("of them marked R", 0, R_UNITS)
    deck_empty = TickField("The Soviet deck is empty")
    okh = TickField("OKH in play")
    hexes_1_19_german = NumberField("Hexes 1 to 19 in German hands (OKH)", 0, len(OKH_HEXES))
    r_removed = NumberField("Units marked R Removed to the Track (OKH)", 0, R_UNITS + 1)
    extra_used = NumberField("Extra turns used", 0, R_UNITS)


class SetUpForm(HelperForm):
    """Inputs of the set-up."""

    deck = Pick.among("Deck", Side, initial=Side.SOVIET.value)
    level = Pick.among("Level", Level)


class CoOpForm(HelperForm):
    """Inputs of two German players."""

    colours = shared.MembersField("Colours in the Stack", Colour, most=4)
    player = shared.colour("Player", Colour.YELLOW, Colour.BLUE)
    yellow_spawns = NumberField("Soviet Spawn Hexes of Yellow", 0, len(SOVIET_SPAWN))
    blue_spawns = NumberField("Soviet Spawn Hexes of Blue", 0, len(SOVIET_SPAWN))


class DesignersWayForm(HelperForm):
    """Inputs of The Designer's Way."""

    seldom = ("maximum",)

    die_shown = NumberField("Die for Advantages", 1, 6, initial=1)
    hex = shared.hex("Hex of a fortification")
    soviet_controlled = TickField("The HQ's hex is Soviet")
    not_in_use = TickField("Without fortifications")
    soviets_attack = TickField("The Soviets there attack")
    germans_have_entered = TickField("Germans have entered it")
    maximum = NumberField("Most dots of a Guard", 1, 4, initial=4)


helper = partial(shared.game_helper, group="The game")
look_up = partial(helper, verb="Look up")
HELPERS = (
    look_up(
        "capture",
        title="Cards drawn",
        purpose="How many cards a captured Spawn Hex or a Call draws.",
        rules=("Capturing an Enemy Spawn Hex", "Paulus"),
        form=CaptureForm,
        rule=standing.answer_capture,
        outcomes=standing.DrawOutcome,
    ),
    look_up(
        "victory",
        title="Victory",
        purpose="Whether a side has reached its goal at the end of a turn.",
        rules=("How to Win the Game", "OKH"),
        form=VictoryForm,
        rule=gather_inputs(Standings, standing.answer_victory),
        outcomes=standing.EndOutcome,
    ),
    look_up(
        "set-up",
        title="Set-up and decks",
        purpose="How many Units go where, and what a deck holds by level.",
        rules=("Game Setup", standing.WAY),
        form=SetUpForm,
        rule=standing.answer_set_up,
        outcomes=IsShown,
    ),
    look_up(
        "co-op",
        title="Two German players",
        purpose="Whose a Stack is, and which of the two wins.",
        rules=("The Co-Op Mode",),
        form=CoOpForm,
        rule=standing.answer_co_op,
        outcomes=standing.ColourOutcome,
    ),
    helper(
        "designers-way",
        title="The Designer's Way",
        purpose="Advantages, Chuikov's HQ, fortifications, Guards.",
        rules=(standing.WAY,),
        form=DesignersWayForm,
        rule=standing.answer_designers_way,
        outcomes=IsShown,
        dice=(HEADQUARTERS,),
    ),
)
