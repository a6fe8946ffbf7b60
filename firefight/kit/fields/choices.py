"""Choices: one of several, yes or no, a list of short words, modifiers of a chart."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Choices
from firefight.engine.labels import Labelled, words_of
from firefight.engine.text import fold
from firefight.kit.fields.base import Shared


class Pick(Shared, forms.TypedChoiceField):
    """One of an enum's members, named for players; the first is the default unless told otherwise."""

    def __init__(self, label: str, choices: Mapping[Any, str], coerce: Callable[[str], Any] = str, **options: Any):
        pairs = [(str(value), word) for value, word in choices.items()]
        options.setdefault("initial", pairs[0][0])
        options.setdefault("required", False)
        message = f"Choose one of: {', '.join(value for value, _ in pairs if value)}."
        super().__init__(
            label=label,
            choices=pairs,
            coerce=coerce,
            empty_value=coerce(options["initial"]),
            error_messages={"invalid_choice": message, "required": message},
            **options,
        )
        self.by_word = {value: coerce(value) for value, _ in pairs if value}

    @classmethod
    def among(cls, label: str, members: Iterable[Labelled], **options: object) -> Self:
        """One of these members of an enum, called by their own words."""
        words = words_of(members)
        return cls(label, words, type(next(iter(words))), **options)

    def clean(self, value: object) -> Any:
        # What a page sends, found at once; Django goes through all choices for it.
        return self.by_word[value] if type(value) is str and value in self.by_word else super().clean(value)


class TickField(Shared, forms.BooleanField):
    """A yes or no; JSON may say true, 1 or on."""

    def __init__(self, label: str, **options: Any):
        super().__init__(label=label, required=False, **options)

    def clean(self, value: object) -> bool:
        return str(value).lower() in ("true", "1", "on", "yes")


class TokensField(Shared, forms.CharField):
    """A list of short words or of whole numbers, "a,b,c", in the order given: a tuple, empty where it is blank.

    ``choices``: the words to choose from, each with what players call it. Without any, the tokens are numbers between
    ``low`` and ``high``, or any words of letters, digits and signs where no bounds are given.
    """

    def __init__(
        self,
        label: str,
        choices: Mapping[Any, str] | None = None,
        *,
        low: int | None = None,
        high: int | None = None,
        most: int = 40,
        initial: str = "",
        **options: Any,
    ):
        self.words = {str(key): word for key, word in (choices or {}).items()}
        self.low, self.high, self.most = low, high, most
        options.setdefault("required", False)
        attrs = {"autocomplete": "off"}
        super().__init__(label=label, max_length=800, initial=initial, widget=forms.TextInput(attrs=attrs), **options)

    def prepare_value(self, value: object) -> str:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")

    def clean(self, value: object) -> tuple[object, ...]:
        text = super().clean(self.prepare_value(value)) or self.initial
        tokens = [token for token in re.split(r"[\s,;]+", text) if token]
        if len(tokens) > self.most:
            raise ValidationError(f"At most {self.most} fit here.")
        return tuple(map(self._read, tokens))

    def _read(self, token: str) -> object:
        if self.words:
            keys_by_word = {fold(key): key for key in self.words} | {
                fold(word): key for key, word in self.words.items()
            }
            if fold(token) not in keys_by_word:
                raise ValidationError(f"“{token[:20]}” is not one of these: {', '.join(self.words)}.")
            return keys_by_word[fold(token)]
        if self.low is None or self.high is None:
            if not re.fullmatch(r"[\w*+./-]{1,24}", token):
                raise ValidationError(f"“{token[:20]}” is not a short word.")
            return token
        if not re.fullmatch(r"-?\d{1,6}", token, re.ASCII) or not self.low <= int(token) <= self.high:
            raise ValidationError(f"Give whole numbers from {self.low} to {self.high}, with commas between them.")
        return int(token)


class ModifiersField(forms.MultipleChoiceField):
    """Any of the modifiers that a chart of the book lists, by name."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, label: str, chart: str, **options: Any):
        super().__init__(label=label, required=False, **options)
        self.chart = chart

    def use_book(self, book: Book) -> None:
        """Offer this book's modifiers, with their values."""
        listed: Choices = book[self.chart]
        self.choices = [
            (item.key, f"{item.name} {item.value:+d}" if item.value is not None else f"{item.name} ?")
            for item in listed.items.values()
        ]
        self.keys = frozenset(listed.items)
        self.error_messages["invalid_choice"] = "The chart book has no modifier %(value)s."

    def clean(self, value: object) -> tuple[str, ...]:
        # What a page sends, found at once; Django goes through all choices for each.
        if type(value) is list and all(type(key) is str and key in self.keys for key in value):
            return tuple(value)
        return tuple(super().clean(value))
