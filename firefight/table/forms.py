"""Forms of acts: what a browser posts, read into the arguments of the act that it asks for.

A form turns text into values and does no more. Whether the match allows the act is for the act to say, inside its
transaction and after it has checked whether this form was answered before: a form that is sent again gets its first
answer, however the match stands by then.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from firefight.engine.board.counters import CounterFate
from firefight.engine.board.pasting import Wanted
from firefight.engine.values import Json
from firefight.table.act import bounds, performing
from firefight.table.act.act import Done
from firefight.table.act.refusals import BadField
from firefight.table.act.table import Table
from firefight.table.consent import adding, content_acts, counter_acts, going_back, hand_set, matters
from firefight.table.log import notes
from firefight.table.rolling import advancing
from firefight.table.seats import turns
from firefight.table.story import photos
from firefight.web.requests import CONTROLS

BAD_ABOUT = "Give the number of an entry to annotate, or leave it blank; a sealed note stands alone."


class BadForm(BadField):
    """Fields of a form that cannot be read, with everything that is wrong with them."""


# Fields


def read_number(text: str, noun: str) -> int | None:
    """A whole number of at most six digits, None for a blank text; ``noun`` names it in a refusal."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValidationError(f"Choose {noun}: “{text[:12]}” is not a number.")
    return int(text)


class Number(forms.Field):
    """A whole number; ``noun`` names it in a refusal: "Choose a group." ``asks``: what every refusal says instead."""

    def __init__(self, noun: str, required: bool = True, asks: str = ""):
        super().__init__(required=required, error_messages={"required": asks or f"Choose {noun}."})
        self.noun, self.asks = noun, asks

    def to_python(self, value: str | None) -> int | None:
        try:
            return read_number(value or "", self.noun)
        except ValidationError as error:
            raise ValidationError(self.asks or error.messages) from None


class SignedNumber(Number):
    """A whole number with or without a sign; blank is 0."""

    def __init__(self, noun: str):
        super().__init__(noun, required=False)

    def to_python(self, value: str | None) -> int:
        text = (value or "").strip().replace("−", "-").removeprefix("+")
        size = read_number(text.removeprefix("-"), self.noun) or 0
        return -size if text.startswith("-") else size


class NumberList(forms.Field):
    """Several whole numbers without repeats: ticked boxes."""

    widget = forms.MultipleHiddenInput

    def __init__(self, noun: str):
        super().__init__(required=False)
        self.noun = noun

    def to_python(self, value: list[str] | None) -> list[int]:
        texts = value or []
        if len(texts) > bounds.MOST_NUMBERS:
            raise ValidationError(f"At most {bounds.MOST_NUMBERS} at once: choose {self.noun} again.")
        return list(dict.fromkeys(n for text in texts if (n := read_number(text, self.noun)) is not None))


class Line(forms.Field):
    """A short text on one line, without control characters; a blank one is refused with ``prompt``, where that is set.

    ``asks``: refuses a blank text and any other bad one.
    """

    def __init__(self, longest: int, prompt: str = "", asks: str = ""):
        super().__init__(required=bool(prompt or asks), error_messages={"required": asks or prompt})
        self.longest = longest
        self.asks = asks or f"At most {longest} characters, none of them a control character."

    def to_python(self, value: str | None) -> str:
        """The text, its words separated by single blanks."""
        text = " ".join((value or "").split())
        if len(text) > self.longest or CONTROLS.search(text):
            raise ValidationError(self.asks)
        return text


class OneOf(forms.Field):
    """A member of an enum by its value."""

    def __init__(self, words: type[Enum], required: bool = True, asks: str = ""):
        self.words = words
        asks = asks or f"Choose one of: {', '.join(str(word.value) for word in words)}."
        super().__init__(required=required, error_messages={"required": asks, "invalid": asks})

    def to_python(self, value: str | None) -> Enum | None:
        if not value:
            return None
        try:
            return self.words(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"]) from None


class Tick(forms.Field):
    """A box to tick; one that must be ticked says why with ``prompt``."""

    def __init__(self, prompt: str = ""):
        super().__init__(required=bool(prompt), error_messages={"required": prompt})

    def to_python(self, value: str | None) -> bool:
        return value == "on"

    def validate(self, value: bool) -> None:
        if self.required and not value:
            raise ValidationError(self.error_messages["required"])


# Forms


class ActForm(forms.Form):
    """A form that posts one act. Its fields are the act's arguments, by the same names or those in ``called``.

    ``do``: what the form asks for, where several forms are posted to one address.
    """

    do: ClassVar[str] = ""
    act: ClassVar[Callable[..., Done]]
    called: ClassVar[dict[str, str]] = {}
    data: QueryDict

    def arguments(self) -> dict[str, object]:
        """What the act takes besides the table, the act id and the version."""
        return {self.called.get(name, name): value for name, value in self.cleaned_data.items()}

    def perform(self, table: Table) -> Done:
        """Do the act. Raises BadForm with all that cannot be read, or Refused; then nothing has changed."""
        performing.check_plays(table)
        if not self.is_valid():
            raise BadForm(*(str(sentence) for sentences in self.errors.values() for sentence in sentences))
        return type(self).act(table, *read_head(self.data), **self.arguments())


def read_head(data: QueryDict) -> tuple[str, int]:
    """What every form of an act carries: the act id, and the version that it was drawn from, 0 for a bad one."""
    text = data.get("version", "")
    return data.get("act", ""), int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


class Advance(ActForm):
    """The course goes on, by the button that was pressed or by its main way; ``leaves``: whatever is still open."""

    act = staticmethod(advancing.advance)

    button = Line(40)
    leaves = Tick()


class HandOver(ActForm):
    """Over to you: the others act next; with or without a line of text."""

    act = staticmethod(turns.hand_over)

    text = Line(bounds.LONGEST_OVER)


class Drop(ActForm):
    """A due roll, or "all" of them, is not made."""

    act = staticmethod(matters.drop)
    called = {"step": "step_id"}

    step = Line(24)


class Note(ActForm):
    """A note in the log."""

    act = staticmethod(notes.note)

    text = Line(
        bounds.NOTE_LENGTH, asks=f"A note has 1 to {bounds.NOTE_LENGTH} characters, none of them a control character."
    )
    about = Number("an entry to annotate", required=False, asks=BAD_ABOUT)
    sealed = Tick()

    def clean(self) -> Json:
        """A sealed note is about no other entry."""
        values = super().clean() or {}
        if values.get("sealed") and values.get("about") is not None:
            raise ValidationError(BAD_ABOUT)
        return values


class HangPhoto(ActForm):
    """A photo is attached to a line; the picture itself has been read before."""

    act = staticmethod(photos.hang_photo)

    caption = Line(photos.CAPTION)
    about = Number(
        "an entry to hang the photo on", required=False, asks="Give the number of an entry, or leave it blank."
    )
    sealed = Tick()

    def __init__(self, data: QueryDict, photo: photos.CleanPhoto):
        super().__init__(data)
        self.photo = photo

    def arguments(self) -> dict[str, object]:
        return {**super().arguments(), "photo": self.photo}


class Reveal(ActForm):
    """A sealed note is opened."""

    act = staticmethod(notes.reveal)

    number = Number("a sealed note", asks="There is no sealed note of your side under that number.")


class Words(forms.Field):
    """Several words, posted one by one or with commas or blanks between them; None where none is posted at all."""

    widget = forms.MultipleHiddenInput

    def __init__(self, most: int):
        super().__init__(required=False)
        self.most = most

    def to_python(self, value: list[str] | None) -> tuple[str, ...] | None:
        if not value:
            return None
        words = tuple(dict.fromkeys(word for text in value for word in text.replace(",", " ").split()))
        if len(words) > self.most or any(len(word) > bounds.LONGEST_WORD or CONTROLS.search(word) for word in words):
            raise ValidationError(f"At most {self.most} words at once, of {bounds.LONGEST_WORD} letters each.")
        return words


class Given(forms.Field):
    """A line that may be left out: None then, "" where it is posted blank."""

    def __init__(self, longest: int):
        super().__init__(required=False)
        self.line = Line(longest)

    def to_python(self, value: str | None) -> str | None:
        return None if value is None else self.line.to_python(value)


class Switch(forms.Field):
    """On or off; None where neither is posted."""

    def to_python(self, value: str | None) -> bool | None:
        if value in (None, ""):
            return None
        if value not in ("on", "off"):
            raise ValidationError("Say “on” or “off”.")
        return value == "on"


LEVEL = "level:"  # how the names of the fields for numbers of counters begin


class LevelsInput(forms.Widget):
    """Reads the numbers of counters by their names: "level:dots"."""

    def value_from_datadict(self, data: Mapping[str, str], files: object, name: str) -> dict[str, str]:
        texts = {
            field_name.removeprefix(LEVEL): data[field_name].strip()
            for field_name in data
            if field_name.startswith(LEVEL)
        }
        return {level: text for level, text in texts.items() if text}


class Levels(forms.Field):
    """Numbers of counters by name; None where no number is posted."""

    widget = LevelsInput

    def to_python(self, value: dict[str, str] | None) -> dict[str, int] | None:
        """The numbers; which ones exist, and within which bounds, is for the act to say."""
        return {name: SignedNumber(f"“{name[:20]}”").to_python(text) for name, text in (value or {}).items()} or None


BY_PLACE = "by_place"  # an area that follows from the place


class SetCounters(ActForm):
    """Counters are set by hand: what is not posted stays as it is."""

    act = staticmethod(counter_acts.set_counters)

    id = Words(bounds.MOST_NUMBERS)
    becomes = Line(bounds.LONGEST_WORD)
    state = Words(12)
    drawn = Words(12)
    levels = Levels(required=False)
    place = Given(bounds.LONGEST_PLACE)
    level = Given(bounds.LONGEST_LEVEL)
    area = Given(bounds.LONGEST_LEVEL)
    hidden = Switch(required=False)
    fate = Given(bounds.LONGEST_WORD)
    beside = Given(bounds.LONGEST_WORD)
    note = Given(bounds.LONGEST_NOTE)

    def clean_area(self) -> str | None:
        """An area; None where that follows from the place."""
        area: str | None = self.cleaned_data["area"]
        return None if area == BY_PLACE else area

    def clean_fate(self) -> str | None:
        """A word for why a counter is gone; "in_play" or nothing brings it back."""
        fate = self.cleaned_data["fate"]
        fate = "" if fate == "in_play" else fate
        if fate is not None and fate not in set(CounterFate):
            raise ValidationError(f"Choose the fate: in_play, {', '.join(filter(None, CounterFate))}.")
        return fate

    def arguments(self) -> dict[str, object]:
        values = {name: value for name, value in self.cleaned_data.items() if name != "id"}
        return {"ids": self.cleaned_data["id"] or (), "values": hand_set.HandSet(**values)}


class SetPips(ActForm):
    """Counters are marked by hand with what they have done."""

    act = staticmethod(counter_acts.set_pips)

    id = Words(bounds.MOST_NUMBERS)
    number = Number("the marker")

    def arguments(self) -> dict[str, object]:
        return {"ids": self.cleaned_data["id"] or (), "number": self.cleaned_data["number"]}


class UndoChange(ActForm):
    """The change of counters in a line is undone."""

    act = staticmethod(counter_acts.undo_change)

    number = Number("the line", asks="Name the line whose change is to be undone.")


class KeepValue(ActForm):
    """An owner enters a value of a kind of counter."""

    act = staticmethod(counter_acts.keep_value)

    field = Line(bounds.LONGEST_VALUE)
    number = Number("the value", asks="Give the value.")


class LaySheet(ActForm):
    """A sheet of an owner's units is kept, or taken out."""

    act = staticmethod(content_acts.lay_sheet)

    title = Line(bounds.NAME_LENGTH)
    text = forms.CharField(required=False, strip=False)

    def clean_text(self) -> str:
        """No more than a sheet can hold."""
        text: str = self.cleaned_data["text"]
        if len(text) > bounds.LONGEST_SHEET:
            raise ValidationError(f"A sheet has at most {bounds.LONGEST_SHEET:,} characters.")
        return text

    def arguments(self) -> dict[str, object]:
        """The sheet; its text is blank where it is taken out."""
        return {"title": self.cleaned_data["title"], "text": "" if "out" in self.data else self.cleaned_data["text"]}


class SettleProposed(ActForm):
    """Pending changes of counters are written down or left: one by one, or "all"."""

    act = staticmethod(counter_acts.settle_proposed)

    apply = Words(bounds.MOST_NUMBERS)
    leave = Words(bounds.MOST_NUMBERS)

    def arguments(self) -> dict[str, object]:
        """Which changes, and whether they are made. Raises BadField."""
        apply, leave = self.cleaned_data["apply"], self.cleaned_data["leave"]
        if bool(apply) == bool(leave):
            raise BadField("Say which changes are written down, or which are left.")
        return {"keys": apply or leave, "applies": bool(apply)}


class ChooseOption(ActForm):
    """What players may choose again while they play."""

    act = staticmethod(counter_acts.choose_option)

    option = Line(bounds.LONGEST_WORD)
    choice = Line(bounds.LONGEST_WORD)


class AddCounters(ActForm):
    """Counters come into a single firefight: of one kind from the gallery, from a list, or a card's."""

    act = staticmethod(adding.add_counters)

    side = Line(bounds.LONGEST_WORD)
    counter = Line(bounds.LONGEST_WORD)
    count = Number("how many", required=False)
    list = forms.CharField(required=False, strip=False)
    card = Line(bounds.LONGEST_WORD)
    hidden = Tick()
    closed = Tick()

    def perform(self, table: Table) -> Done:
        self.table = table
        return super().perform(table)

    def arguments(self) -> dict[str, object]:
        """The counters that are wanted, from the gallery's button, the list and the card. Raises BadField."""
        fields, new_counters = self.cleaned_data, []
        if fields["counter"]:
            number = 1 if fields["count"] is None else fields["count"]
            new_counters.append(Wanted(fields["side"], fields["counter"], number))
        if fields["list"].strip():
            new_counters += adding.read_pasted(self.table.match, fields["list"], fields["side"])
        if fields["card"]:
            new_counters += adding.find_at_start(self.table.game, fields["card"])
        return {"additions": new_counters, "hidden": fields["hidden"], "closed": fields["closed"]}


class End(ActForm):
    """The match ends, if the other side agrees; ``leaves``: whatever is still open."""

    act = staticmethod(matters.propose_end)

    sure = Tick(prompt="Tick “the match is over” first: an ended match cannot be taken up again.")
    leaves = Tick()

    def arguments(self) -> dict[str, object]:
        """Whether things are left open; being sure is the players' own business."""
        return {"leaves": self.cleaned_data["leaves"]}


class TakeBack(ActForm):
    """The last act is taken back, or the other side is asked to agree."""

    do = "take-back"
    act = staticmethod(matters.propose_take_back)


class GoBack(ActForm):
    """All that was done after a line is taken back."""

    act = staticmethod(going_back.go_back)

    number = Number("a moment to go back to")


class Answer(ActForm):
    """A proposal is agreed to, declined or withdrawn."""

    do = "answer"
    act = staticmethod(matters.answer)

    agrees = forms.TypedChoiceField(
        choices=[("yes", "Agree"), ("no", "Decline")],
        coerce=lambda text: text == "yes",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Agree or decline."),
    )
