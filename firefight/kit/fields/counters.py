"""Counters and rolls of a match that a form is about."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.board.counters import COUNTER_ID
from firefight.kit.fields.base import Shared

NAMED = ("firers", "targets")  # so a roll names its counters; what follows from it names its own
ACCOUNT = "account"  # how its form was filled from them
TOLD = "told"  # what players told for that besides, such as the range
ASKED = "asked"  # which due roll it is, and what was entered otherwise than asked for
SCENE = "scene"  # where they stood, in words: the hex, or who it was
OF_ONE_ROLL = (*NAMED, ACCOUNT, TOLD, ASKED, SCENE)


class CounterField(Shared, forms.CharField):
    """Which counter in play a form or a row is about: a match fills it, nobody is asked; "" for none."""

    def __init__(self) -> None:
        super().__init__(label="Counter", max_length=32, required=False, widget=forms.HiddenInput())

    def clean(self, value: Any) -> str:
        text = super().clean(value) if value else ""
        if text and not COUNTER_ID.fullmatch(text):
            raise ValidationError("There is no such counter.")
        return text


class RollField(CounterField):
    """Which roll of the log is meant, as its line and its helper: "12-attack". A match offers some; "" for none."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.label = label

    def clean(self, value: Any) -> str:
        text = str(value or "")
        if text and not re.fullmatch(r"\d{1,6}-[a-z-]{1,40}", text, re.ASCII):
            raise ValidationError("Choose one of the rolls.")
        return text
