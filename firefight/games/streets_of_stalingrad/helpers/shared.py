"""What several groups ask: fields under the names of the JSON contract, and the dice."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import DateField, Helper, NumberField, Pick

from ..rules.dates import FIRST, LAST, TURNS
from ..rules.terms import SLUG, Side, Terrain

DIE = DieSpec("die", 10, "d10")


def side(label: str = "Side", initial: Side = Side.GERMAN) -> Pick:
    """One of the sides."""
    return Pick.among(label, Side, initial=initial.value)


def terrain(label: str = "Terrain") -> Pick:
    """What lies in the hex."""
    return Pick.among(label, Terrain)


def date() -> DateField:
    """A date of the campaign; a match fills it from its place."""
    return DateField("Date", FIRST, LAST, FIRST)


def turn(initial: int | None = 1, first: int = 1) -> NumberField:
    """A turn of the campaign; a match fills it from its place."""
    return NumberField("Turn", first, TURNS, initial=initial)


# A helper of this game: it reads most results off its charts.
game_helper = partial(Helper, SLUG)
