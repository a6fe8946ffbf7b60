"""What several groups ask for: fields under the names of the JSON contract, and the dice."""

import re
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CounterField, DateField, Helper, NumberField, Pick, PlaceField, Shared, TokensField

from ..rules.areas import AREAS, NAMES
from ..rules.dates import FIRST, LAST
from ..rules.record import Track
from ..rules.sides import SLUG, Side, Time

DIE = DieSpec("die", 6, "d6")
DR = DieSpec("dr", 6, "2d6", number=2)
MOST_FACTOR = 20
ALWAYS = (Time.DAY.value, Time.NIGHT.value)


def side(label: str = "Side", initial: Side = Side.GERMAN) -> Pick:
    """One of the sides."""
    return Pick.among(label, Side, initial=initial.value)


def date() -> DateField:
    """A date of the campaign; a match fills it from its place."""
    return DateField("Date", FIRST, LAST, FIRST)


def time(initial: Time = Time.DAY) -> Pick:
    """Day or night; a match fills it from its place."""
    return Pick.among("Day or night", Time, initial=initial.value)


def track_box() -> NumberField:
    """The box of the track; a match fills it from its place."""
    return NumberField("Box", 1, 12, initial=1)


class TrackField(CounterField):
    """How far the roll of this impulse has come, so that only its first attack counts: only a match fills it, nobody is
    asked; "" without one."""

    def clean(self, value: object) -> str:
        text = str(value or "")
        if text and text not in set(Track):
            raise ValidationError(f"Choose one of: {', '.join(Track)}.")
        return text


class AreasField(CounterField):
    """The Areas that are offered: only a match fills it, nobody is asked; "" without one."""

    def clean(self, value: object) -> str:
        return " ".join(name for name in str(value or "")[:300].split() if name in AREAS.names)


class PrintedFactorField(Shared, forms.CharField):
    """An Attack Factor: a number, or the * of units that cannot lead."""

    def __init__(self, label: str, **options: Any):
        super().__init__(label=label, max_length=3, required=False, widget=forms.TextInput({"size": 3}), **options)

    def clean(self, value: object) -> Any:
        text = super().clean(str(value)) if value not in (None, "") else str(self.initial or "0")
        if text == "*":
            return text
        if not re.fullmatch(r"-?[0-9]{1,2}", text) or not -2 <= int(text) <= MOST_FACTOR:
            raise ValidationError(f"Give a whole number up to {MOST_FACTOR}, or *.")
        return int(text)


def area(label: str = "Area") -> PlaceField:
    """An Area or Zone."""
    return PlaceField(label, AREAS)


def areas(label: str) -> TokensField:
    """Areas and Zones by number and letter."""
    return TokensField(label, {name: name for name in NAMES}, most=82)


# A helper of this game: by day, at night or both, as its ``steps`` say, offered first.
game_helper = partial(Helper, SLUG, is_read=False, steps=ALWAYS)
