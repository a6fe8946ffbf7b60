"""Helpers of chapter 18: the Firepower Factors Table, who is hit, Casualties and Morale Checks."""

from collections.abc import Iterable

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import Odds, sweep
from firefight.kit import HelperForm, Inputs, ModifiersField, NumberField, Pick, TickField

from ..rules import fire, morale
from ..rules.units import State
from . import shared
from .shared import D10, D100, FIRE_AND_MELEE, TargetRow, UnitForm, game_helper

# Results that hit somebody in the hex.
HITTING = (fire.FireOutcome.C, fire.FireOutcome.C_M, fire.FireOutcome.E, fire.FireOutcome.E_2)


class ExposedRow(TargetRow):
    """A unit in the hex of an attack, with modifiers of its own where a mission brought them (A-50)."""

    modifiers = ModifiersField("Its FFT modifiers", "fft_modifiers", widget=forms.MultipleHiddenInput)


class FireForm(HelperForm):
    """Inputs of an attack on the FFT."""

    seldom = ("artillery", "other_drm")
    only_with = {
        "ff": ("weapon", (fire.Weapon.FIREPOWER.value, fire.Weapon.AIR.value)),
        "caliber": ("weapon", (fire.Weapon.CALIBER.value,)),
    }

    weapon = Pick.among("Weapon", fire.Weapon)
    ff = NumberField("FF", 0, 999, initial=None)
    caliber = shared.caliber()
    state = Pick.among("State of the firer", State)
    artillery = TickField("Artillery fire")
    modifiers = ModifiersField("Modifiers", "fft_modifiers")
    other_drm = shared.other_drm()
    units = shared.units(ExposedRow)


class HitForm(HelperForm):
    """Inputs of who is hit."""

    result = Pick.among("Result", HITTING)
    check = NumberField("Then check, x of M+x", 0, 6, initial=None)
    source = Pick.among("Comes from", (morale.Cause.FFT, morale.Cause.CLOSE_COMBAT))
    units = shared.units(required=True, error_messages={"required": "Name at least one unit in the hex."})


class CasualtiesForm(UnitForm):
    """Inputs of Casualties."""

    source = Pick.among("Comes from", morale.Cause)
    tq = NumberField("TQ", 1, 10, initial=None)
    then_check = NumberField("Then check, x of M+x", 0, 6, initial=None)


class MoraleForm(UnitForm):
    """Inputs of a Morale Check."""

    field_order = ("name", "unit", "tq", "state", "modifier", "other_drm")

    tq = NumberField("TQ", 1, 10, initial=None, required=True)
    modifier = NumberField("The x of M+x", 0, 6)
    other_drm = shared.other_drm()


def fire_odds(book: Book, inputs: Inputs) -> Iterable[Odds]:
    """The bare table result, then each unit's end of the chain."""
    opening = fire.fire(charts=book, **inputs)
    weapon = fire.find_weapon(inputs["weapon"], inputs["ff"], inputs["caliber"])
    units, _ = fire.find_attacked(inputs["units"], weapon, inputs["artillery"])
    attack = {name: inputs[name] for name in ("modifiers", "artillery", "other_drm")}
    readings = fire.read_attack(charts=book, weapon=weapon, units=units, **attack)
    # Of the units there only their own modifiers matter to the table.
    alone = {**inputs, "units": (), "modifiers": tuple(choice.key for choice in readings[0].choices)}
    table = sweep(lambda dice: fire.fire(charts=book, **alone, **dice), (D100,))
    yield table
    if opening.needs:
        column = str(opening.details["column"])
        yield from fire.fire_chain(table=table, charts=book, column=column, units=units, readings=readings)


def hit_odds(book: Book, inputs: Inputs) -> Iterable[Odds]:
    """How many units are hit, and any one unit's chance."""
    if not inputs["units"]:
        return ()
    return fire.hit_odds(charts=book, **inputs)


def hit_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """One die per unit."""
    return fire.hit_dice(inputs["units"], inputs["result"])


MEANINGS = {
    "m": "Morale Check",
    **{f"m+{size}": f"Morale Check at +{size}" for size in range(1, 7)},
    "c": "Casualties",
    "c/m": "Casualties + Morale Check",
    "e": "Elimination",
    "2e": "Double elimination",
}

# Results that cost a counter or half of one, and those that only call for a check.
BRIEF = {
    **dict.fromkeys(("2e", "e", "c/m", "c"), "losses"),
    **dict.fromkeys(("m", *(f"m+{size}" for size in range(1, 7))), "check"),
    "none": "nothing",
}

CHECKED = {
    "eliminated": "eliminated",
    "casualties": "Casualties",
    "wia": "WIA",
    "disrupted": "Disrupted",
    "pinned": "Pinned Down",
    "suppressed": "Suppressed",
    "no_effect": "passed",
}

HELPERS = (
    game_helper(
        "fire",
        title="Fire (FFT)",
        group="Fire and morale",
        purpose="An attack on the Firepower Factors Table, with the odds for each unit to the end of the chain.",
        rules=("18.1 Firepower Factors Table Results", "18.1.2 FFT Combat Results"),
        form=FireForm,
        rule=fire.fire,
        outcomes=fire.FireOutcome,
        dice=(D100,),
        odds=fire_odds,
        beyond=("units",),
        meanings=MEANINGS,
        brief=BRIEF,
    ),
    game_helper(
        "who-is-hit",
        title="Who is hit",
        group="Fire and morale",
        purpose="One die for each unit of a stack; the highest is hit.",
        rules=("18.1.3 (no heading)",),
        form=HitForm,
        rule=fire.who_is_hit,
        outcomes=fire.HitOutcome,
        dice=hit_dice,
        odds=hit_odds,
        is_read=False,
        read_by="units",
        dice_words="one d10 for each unit: die_1, die_2 …",
    ),
    game_helper(
        "casualties",
        title="Casualties",
        group="Fire and morale",
        purpose="What becomes of a counter.",
        rules=("18.1.2 FFT Combat Results", "18.1.4 (no heading)", "18.2.2 Leaders", "18.2.5 WIA Units"),
        form=CasualtiesForm,
        rule=morale.casualties,
        outcomes=morale.CasualtiesOutcome,
        read_by="id",
        steps=FIRE_AND_MELEE,
    ),
    game_helper(
        "morale",
        title="Morale Check",
        group="Fire and morale",
        purpose="Against TQ, and what becomes of the unit.",
        rules=("18.2 Morale Check Results", "18.2.1 (no heading)"),
        form=MoraleForm,
        rule=morale.morale,
        outcomes=morale.MoraleOutcome,
        dice=(D10,),
        steps=FIRE_AND_MELEE,
        together=True,
        read_by="id",
        brief=CHECKED,
    ),
)
