"""Forms of acts: what a browser posts, read into the arguments of the act that it asks for.

A form reads text into values and no more. Whether the match allows the act is for the act to say, inside of its
transaction and after it has seen whether this form was answered before: a form that is sent again gets its first
answer, however the match stands by then.
"""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from . import consent
from .acts import BadField, Done
from .seats import Table

CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
NAME_LENGTH = 60  # of a match or a campaign
MOST_NUMBERS = 300  # in one field


class BadForm(BadField):
    """Fields of a form that cannot be read; ``reasons`` says all that is wrong with them."""

    def __init__(self, reasons: list[str]):
        self.reasons = reasons
        super().__init__(" ".join(reasons))


# Fields


def read_number(text: str, what: str) -> int | None:
    """A whole number of at most six digits, None for a blank text; ``what`` names it in a refusal."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValidationError(f"Choose {what}: “{text[:12]}” is no number.")
    return int(text)


class Number(forms.Field):
    """A whole number; ``what`` is it called by: "Choose a group." """

    def __init__(self, what: str, required: bool = True):
        super().__init__(required=required, error_messages={"required": f"Choose {what}."})
        self.what = what

    def to_python(self, value: str | None) -> int | None:
        """The number, or None for a blank field."""
        return read_number(value or "", self.what)


class SignedNumber(Number):
    """A whole number with or without a sign; blank is 0."""

    def __init__(self, what: str):
        super().__init__(what, required=False)

    def to_python(self, value: str | None) -> int:
        """The number."""
        text = (value or "").strip().replace("−", "-").removeprefix("+")
        size = read_number(text.removeprefix("-"), self.what) or 0
        return -size if text.startswith("-") else size


class Numbers(forms.Field):
    """Several whole numbers, each once: ticked boxes."""

    widget = forms.MultipleHiddenInput

    def __init__(self, what: str):
        super().__init__(required=False)
        self.what = what

    def to_python(self, value: list[str] | None) -> list[int]:
        """The numbers in the order in which they were posted."""
        texts = value or []
        if len(texts) > MOST_NUMBERS:
            raise ValidationError(f"At most {MOST_NUMBERS} at once: choose {self.what} again.")
        return list(dict.fromkeys(n for text in texts if (n := read_number(text, self.what)) is not None))


class Line(forms.Field):
    """A short text on one line, without control characters; ``wanted`` asks for it where it must be there."""

    def __init__(self, longest: int, wanted: str = ""):
        super().__init__(required=bool(wanted), error_messages={"required": wanted})
        self.longest = longest

    def to_python(self, value: str | None) -> str:
        """The text, its words one blank apart."""
        text = " ".join((value or "").split())
        if len(text) > self.longest or CONTROLS.search(text):
            raise ValidationError(f"At most {self.longest} characters, none of them a control character.")
        return text


class OneOf(forms.Field):
    """A member of an enum by its value."""

    def __init__(self, words: type[Enum], required: bool = True, asks: str = ""):
        self.words = words
        asks = asks or f"Choose one of: {', '.join(str(word.value) for word in words)}."
        super().__init__(required=required, error_messages={"required": asks, "invalid": asks})

    def to_python(self, value: str | None) -> Enum | None:
        """The member, or None for a blank field."""
        if not value:
            return None
        try:
            return self.words(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"]) from None


class Tick(forms.BooleanField):
    """A box to tick; one that must be ticked says with ``wanted`` what for."""

    def __init__(self, wanted: str = ""):
        super().__init__(required=bool(wanted), error_messages={"required": wanted})


# Forms


class ActForm(forms.Form):
    """A form that posts one act. Its fields are the act's arguments, by the same names or those in ``called``.

    ``do``: what the form says that it is to do, where several are posted to one address.
    """

    do: ClassVar[str] = ""
    act: ClassVar[Callable[..., Done]]
    called: ClassVar[dict[str, str]] = {}
    data: QueryDict

    def arguments(self) -> dict[str, Any]:
        """What the act takes besides the table, the act id and the version."""
        return {self.called.get(name, name): value for name, value in self.cleaned_data.items()}

    def perform(self, table: Table) -> Done:
        """Do the act. Raises BadForm with all that cannot be read, Refused; nothing has changed then."""
        if not self.is_valid():
            raise BadForm([str(sentence) for sentences in self.errors.values() for sentence in sentences])
        return type(self).act(table, *read_head(self.data), **self.arguments())


def read_head(data: QueryDict) -> tuple[str, int]:
    """What every form of an act carries: the act id, and the version that it was drawn from, 0 if it is none."""
    text = data.get("version", "")
    return data.get("act", ""), int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


class TakeBack(ActForm):
    """The last act is taken back, or the other side is asked to agree."""

    do = "take-back"
    act = staticmethod(consent.propose_take_back)


class Answer(ActForm):
    """What is proposed is agreed to, declined or withdrawn."""

    do = "answer"
    act = staticmethod(consent.answer)

    agrees = forms.TypedChoiceField(
        choices=[("yes", "Agree"), ("no", "Decline")],
        coerce=lambda text: text == "yes",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Agree or decline."),
    )
