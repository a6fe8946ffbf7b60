"""Numbers and days between two bounds."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.dates import BadDay, read_day
from firefight.kit.fields.base import Shared


class NumberField(Shared, forms.IntegerField):
    """A whole number between two bounds, with the unit in its label."""

    def __init__(self, label: str, low: int, high: int, initial: int | None = 0, **options: Any):
        message = f"Give a whole number from {low} to {high}."
        self.low, self.high = low, high
        options.setdefault("required", False)
        super().__init__(
            label=label,
            min_value=low,
            max_value=high,
            initial=initial,
            widget=forms.NumberInput(attrs={"inputmode": "numeric" if low >= 0 else "text"}),
            error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), message)
            | {"required": f"{label.split(' (', maxsplit=1)[0]}: {message[0].lower()}{message[1:]}"},
            **options,
        )

    def to_python(self, value: object) -> int | None:
        if isinstance(value, str) and not value.isascii():  # "²" and "٣" are digits to Python
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)

    def clean(self, value: object) -> int | None:
        # Django would take ten times as long for the same, and most of what is typed is good.
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if type(value) is int and self.low <= value <= self.high:
            return value
        cleaned: int | None = super().clean(value)
        return self.initial if cleaned is None else cleaned


class DateField(Shared, forms.CharField):
    """A day of the campaign, from the first to the last, as an ISO text: 1942-09-13."""

    def __init__(self, label: str, first: str, last: str, initial: str | None = "", **options: Any):
        self.first, self.last = first, last
        options.setdefault("required", False)
        attrs = {"autocomplete": "off", "size": 10, "placeholder": first}
        super().__init__(
            label=label,
            max_length=20,
            initial=initial,
            widget=forms.TextInput(attrs=attrs),
            empty_value=None,
            **options,
        )

    def clean(self, value: object) -> str | None:
        text = super().clean(value)
        if not text:
            return self.initial or None
        try:
            day = read_day(text)
        except BadDay as error:
            raise ValidationError(str(error)) from None
        if not self.first <= day <= self.last:
            raise ValidationError(f"Give a day from {self.first} to {self.last}.")
        return day
