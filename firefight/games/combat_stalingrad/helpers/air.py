"""Helpers of chapter 17 for aircraft: arrival, attack, and fire at them."""

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, HexField, NumberField, Pick, TickField

from ..rules import air
from ..rules.units import State
from . import shared
from .shared import D10, D100, PlacedRow, game_helper


class AirArrivalForm(HelperForm):
    """Inputs of aircraft arrival."""

    number = NumberField("Arrival number", 1, 10, initial=5)
    already_in_play = TickField("Already in play")


class AirAttackForm(HelperForm):
    """Inputs of an air attack."""

    aircraft = Pick.among("Aircraft", air.Aircraft)
    weapon = Pick.among("Weapon", air.AirWeapon)
    hex = HexField("Hex aimed at")
    units = shared.units(PlacedRow, most=shared.MOST_STRUCK)


class AntiAircraftForm(HelperForm):
    """Inputs of anti-aircraft fire."""

    only_with = {"ff": ("weapon", (air.AntiAircraftWeapon.FIREPOWER.value,))}

    weapon = Pick.among("Weapon", air.AntiAircraftWeapon)
    ff = NumberField("FF", 1, 999, initial=None)
    range = NumberField("Range (hexes)", 1, 40, initial=1)
    state = Pick.among("State of the firer", State)
    aircraft = Pick.among("Aircraft", air.Aircraft)
    other_drm = shared.other_drm()


HELPERS = (
    game_helper(
        "air-arrival",
        title="Aircraft: arrive or stay",
        group="Air",
        purpose="One d10 for the whole group.",
        rules=("17.6.2 Arrival and Return to Base",),
        form=AirArrivalForm,
        rule=air.air_arrival,
        outcomes=air.ArrivalOutcome,
        dice=(D10,),
    ),
    game_helper(
        "air-attack",
        title="Air attack",
        group="Air",
        purpose="Which hex an aircraft really attacks.",
        rules=("17.6.5 Air Attack Routine",),
        form=AirAttackForm,
        rule=air.air_attack,
        outcomes=air.AirAttackOutcome,
        dice=(D100, DieSpec("direction_die", 10, "Direction d10, if it scatters", apart=True)),
        beyond=("units",),
        brief={"scatter": "scatters", "defender_choice": "Defender Choice"},
    ),
    game_helper(
        "anti-aircraft",
        title="Anti-aircraft fire",
        group="Air",
        purpose="Fire at an aircraft before its attack.",
        rules=("17.6.7 Anti-Aircraft (AA) Fire",),
        form=AntiAircraftForm,
        rule=air.anti_aircraft,
        outcomes=air.AntiAircraftOutcome,
        dice=(D100, DieSpec("check_die", 10, "The aircraft's morale d10, on M and C/M", by="result")),
        read_by="id",
        brief={
            "destroyed_before": "destroyed",
            "destroyed_after": "destroyed later",
            "aborts": "aborts",
        },
    ),
)
