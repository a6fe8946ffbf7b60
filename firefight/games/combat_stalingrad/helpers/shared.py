"""What several chapters' helpers ask: fields under the names of the JSON contract, rows of units, dice."""

from functools import partial

from django import forms

from firefight.engine.board.hexes import DIRECTION_NAMES
from firefight.engine.labels import words_of
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import (
    CounterField,
    Helper,
    HelperForm,
    HexField,
    ModifiersField,
    NumberField,
    Pick,
    RowForm,
    RowsField,
)

from ..rules import artillery
from ..rules.reading import GAME
from ..rules.turn import TurnPhase
from ..rules.units import Kind, State, Unit

# The most units of one place that a roll can name; artillery falls on many places.
MOST_UNITS, MOST_STRUCK = 24, 400
LONGEST_NAME = 48  # of a counter: that of its kind, and its number

D100 = DieSpec("die", 100, "d100")
D10 = DieSpec("die", 10, "d10")
DIRECTION = DieSpec("direction_die", 10, "Direction d10, if it strays", apart=True)


# Units are checked and lost in both.
FIRE_AND_MELEE = (TurnPhase.FIRE_AND_MOVEMENT, TurnPhase.MELEE)


def other_drm() -> NumberField:
    """A DRM that the players bring."""
    return NumberField("Other DRM", -100, 100)


def caliber(required: bool = False) -> NumberField:
    """The caliber of a gun or battery."""
    return NumberField("Caliber (mm)", 20, 420, initial=None, required=required)


def correction() -> NumberField:
    """How far a marker is to be moved."""
    return NumberField("Correction (hexes)", 0, 40)


def marker(*members: artillery.Marker) -> Pick:
    """The artillery marker, one of the given members."""
    return Pick.among("Marker", members or artillery.Marker)


def kind_of_fire() -> Pick:
    """Battery, plotted battery or bombardment."""
    return Pick.among("Kind of fire", artillery.Fire)


def over_the_rim() -> tuple[NumberField, Pick]:
    """Where a marker lies that left the map, seen from the hex it was aimed at (A-48)."""
    away = NumberField("If it left the map: hexes from there", 0, 40)
    return away, Pick("If it left the map: to the", DIRECTION_NAMES, int)


class TargetRow(RowForm):
    """A unit that may be fired at."""

    asks = "kind"

    kind = Pick("Unit", {"": "—"} | words_of(Kind), required=True)
    name = forms.CharField(label="Name", max_length=LONGEST_NAME, required=False)
    tq = NumberField("TQ", 1, 10, initial=None)
    state = Pick.among("State", State)
    id = CounterField()


class PlacedRow(TargetRow):
    """A unit with its place, for artillery that falls on several locations."""

    hex = HexField("Hex")
    where = forms.CharField(label="Level or place", max_length=24, required=False)
    modifiers = ModifiersField("Its FFT modifiers", "fft_modifiers")


def units(row_form: type[RowForm] = TargetRow, most: int = MOST_UNITS, **options: object) -> RowsField:
    """The units of the target hex, top to bottom."""
    return RowsField("Units, top to bottom", row_form, Unit.read, most=most, **options)


class OtherDrmForm(HelperForm):
    """Inputs of calling off plotted fire."""

    other_drm = other_drm()


class UnitForm(HelperForm):
    """Inputs about a single unit."""

    name = forms.CharField(label="Name", max_length=LONGEST_NAME, required=False)
    unit = Pick.among("Unit", Kind)
    state = Pick.among("State", State)
    id = CounterField()


# A helper of this game, offered first in the phases of its ``steps``.
game_helper = partial(Helper, GAME, steps=(TurnPhase.FIRE_AND_MOVEMENT,))
