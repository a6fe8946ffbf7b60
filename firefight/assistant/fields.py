"""What every helper's form is built from: fields that know the chart book, rows of units, and the carry.

A form reads the same names from a posted page, a query string and a follow-up's plain values.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, Self

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorDict

from firefight.engine.board.counters import COUNTER_ID
from firefight.engine.board.hexes import HexMap
from firefight.engine.board.places import BadPlace, Places
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Choices
from firefight.engine.dates import BadDay, read_day
from firefight.engine.errors import RuleError
from firefight.engine.labels import Labelled, words_of
from firefight.engine.text import fold

MAX_CARRY = 8_000  # characters of JSON
MAX_DEPTH = 8  # how deep JSON from outside may nest
LONGEST_LINE = 200  # characters of rows that are typed at once
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON escapes it; a backslash that somebody typed is doubled
_TOKENS = re.compile(r"[\w*+-]+(,[\w*+-]+)*", re.ASCII)  # JSON begins otherwise


def read_json(text: str, deepest: int = MAX_DEPTH, unique: bool = False, whole: bool = False) -> Any:
    """JSON from outside as plain values that any database, page and copy can hold.

    Raises ValueError for what is not JSON, and for numbers without end, lone surrogates, NUL
    characters and nesting deeper than any value of ours; ``unique``: for a name that a table holds twice, too;
    ``whole``: for a number with a fraction or an exponent, which databases do not give back letter by letter.
    """
    try:
        found = json.loads(text, object_pairs_hook=_unique if unique else None, parse_float=_refuse if whole else None)
        plain = json.dumps(found, allow_nan=False, ensure_ascii=False)
        depth = _depth(found)
    except RecursionError:
        depth = deepest + 1
    if depth > deepest:
        raise ValueError("This is nested too deep.")
    if "\\u0000" in plain and _NUL.search(plain):
        raise ValueError("This holds a NUL character.")
    plain.encode()  # a lone surrogate raises UnicodeEncodeError, a ValueError
    return found


def _refuse(text: str) -> float:
    raise ValueError(f"{text[:20]} is no whole number.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A table in it holds a name twice.")
    return found


def _depth(value: Any) -> int:
    """How many tables and lists lie within each other, counted level by level."""
    depth, level = 0, [value] if isinstance(value, (dict, list)) else []
    while level:
        depth += 1
        inner = chain.from_iterable(each.values() if isinstance(each, dict) else each for each in level)
        level = [each for each in inner if isinstance(each, (dict, list))]
    return depth


class Shared(forms.Field):
    """A field that no form changes: all forms use their class's own, since copying takes longer than reading."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


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

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and not value.isascii():  # "²" and "٣" are digits to Python
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)

    def clean(self, value: Any) -> int | None:
        # Django would take ten times as long for the same, and most that is typed is good.
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if type(value) is int and self.low <= value <= self.high:
            return value
        cleaned = super().clean(value)
        return self.initial if cleaned is None else cleaned


class Pick(Shared, forms.TypedChoiceField):
    """One of an enum's members, named for players; the first is the default unless told otherwise."""

    def __init__(self, label: str, choices: Mapping[Any, str], coerce: Callable[[str], Any] = str, **options: Any):
        named = [(str(value), word) for value, word in choices.items()]
        options.setdefault("initial", named[0][0])
        options.setdefault("required", False)
        message = f"Choose one of: {', '.join(value for value, _ in named if value)}."
        super().__init__(
            label=label,
            choices=named,
            coerce=coerce,
            empty_value=coerce(options["initial"]),
            error_messages={"invalid_choice": message, "required": message},
            **options,
        )
        self.by_word = {value: coerce(value) for value, _ in named if value}

    @classmethod
    def among(cls, label: str, members: Iterable[Labelled], **options: Any) -> Self:
        """One of these members of an enum, called by their own words."""
        words = words_of(members)
        return cls(label, words, type(next(iter(words))), **options)

    def clean(self, value: Any) -> Any:
        # What a page sends, found at once; Django goes through all choices for it.
        return self.by_word[value] if type(value) is str and value in self.by_word else super().clean(value)


class TickField(Shared, forms.BooleanField):
    """A yes or no; JSON may say true, 1 or on."""

    def __init__(self, label: str, **options: Any):
        super().__init__(label=label, required=False, **options)

    def clean(self, value: Any) -> bool:
        return str(value).lower() in ("true", "1", "on", "yes")


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


class PlaceField(forms.CharField):
    """A place of the game, of whatever kind: as its map prints it, "" where none is given."""

    def __init__(self, label: str, places: Places[Any], length: int | None = None, **options: Any):
        self.places = places
        longest = length or places.longest
        attrs = {"autocapitalize": "characters", "autocomplete": "off", "size": longest}
        options.setdefault("required", False)
        super().__init__(label=label, max_length=longest, widget=forms.TextInput(attrs=attrs), **options)

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        try:
            return _print_place(self.places, text) if text else ""
        except BadPlace as error:
            raise ValidationError(str(error)) from None


@lru_cache(maxsize=5_000)
def _print_place(places: Places[Any], text: str) -> str:
    """A place as its map prints it: a match names the same few in every roll. Raises BadPlace."""
    return str(places.parse(text))


class HexField(PlaceField):
    """A hex of the book's map, such as K7."""

    def __init__(self, label: str, **options: Any):
        super().__init__(label, HexMap(), length=4, **options)

    def use_book(self, book: Book) -> None:
        """Read hexes from this book's map."""
        self.places = book["map"].hexes


class DateField(Shared, forms.CharField):
    """A day of the campaign, between two of them, as an ISO text: 1942-09-13."""

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

    def clean(self, value: Any) -> str | None:
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


class TokensField(Shared, forms.CharField):
    """A list of short words or of whole numbers, "a,b,c", in the order given: a tuple, empty where it is blank.

    ``choices``: the words that there are, each with what players call it. Without any the tokens are numbers between
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

    def prepare_value(self, value: Any) -> str:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")

    def clean(self, value: Any) -> tuple[Any, ...]:
        text = super().clean(self.prepare_value(value)) or self.initial
        tokens = [token for token in re.split(r"[\s,;]+", text) if token]
        if len(tokens) > self.most:
            raise ValidationError(f"At most {self.most} fit here.")
        return tuple(map(self._read, tokens))

    def _read(self, token: str) -> Any:
        if self.words:
            known = {fold(key): key for key in self.words} | {fold(word): key for key, word in self.words.items()}
            if fold(token) not in known:
                raise ValidationError(f"“{token[:20]}” is none of these: {', '.join(self.words)}.")
            return known[fold(token)]
        if self.low is None or self.high is None:
            if not re.fullmatch(r"[\w*+.-]{1,24}", token):
                raise ValidationError(f"“{token[:20]}” is no short word.")
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

    def clean(self, value: Any) -> tuple[str, ...]:
        # What a page sends, found at once; Django goes through all choices for each.
        if type(value) is list and all(type(each) is str and each in self.keys for each in value):
            return tuple(value)
        return tuple(super().clean(value))


class BookForm(forms.Form):
    """A form that reads a chart book. Forms of one kind and book share their fields: no form changes them."""

    def __init__(self, data: Any = None, *, book: Book, **options: Any):
        # Django would copy them for each form, which takes longer than to read it.
        self.base_fields = {}  # type: ignore[misc]  # a class's own elsewhere
        super().__init__(data, label_suffix="", use_required_attribute=False, **options)
        del self.base_fields
        self.fields = dict(_fields_for(type(self), book))

    def _clean_fields(self) -> None:
        """Clean each field. Django would make an object of its own for each, which takes longer than to read it."""
        for name, field in self.fields.items():
            try:
                self.cleaned_data[name] = field.clean(self._given(name))
            except ValidationError as error:
                self.add_error(name, error)

    def _given(self, name: str) -> Any:
        """What was sent for a field."""
        widget, html_name = self.fields[name].widget, self.add_prefix(name) if self.prefix else name
        if type(widget).value_from_datadict is forms.Widget.value_from_datadict:  # as of most
            return self.data.get(html_name)
        return widget.value_from_datadict(self.data, self.files, html_name)

    def value_of(self, name: str) -> Any:
        """What a page shows in a field."""
        field = self.fields[name]
        return field.prepare_value(self._given(name) if self.is_bound else self.initial.get(name, field.initial))


@lru_cache(maxsize=500)
def _fields_for(form: type[BookForm], book: Book) -> dict[str, forms.Field]:
    fields = deepcopy(form.base_fields)
    for field in fields.values():
        if hasattr(field, "use_book"):
            field.use_book(book)
    return fields


def stands_at(form: type[BookForm], book: Book, name: str, data: Mapping[str, Any], value: Any) -> bool:
    """Whether what was sent for a field says the same as a plain value."""
    field = _fields_for(form, book)[name]
    sent = field.widget.value_from_datadict(data, {}, name)
    if sent in _BLANK and value in _BLANK:
        return True
    try:
        return bool(field.clean(sent) == field.clean(value))
    except ValidationError:
        return False


_BLANK: tuple[Any, ...] = (None, "", "[]", [], ())


@dataclass(frozen=True, slots=True)
class Notation:
    """How players type several rows in one line, such as 6a44*/295.

    ``sign``: what a row is asked for, as a regular expression of one thing; ``marks``: letters that may follow it, each
    with what it sets; ``tail``: the field that stands after a "/", for all rows since the last blank. ``hint``: for
    players, how it is done.
    """

    sign: str
    marks: Mapping[str, Mapping[str, Any]]
    tail: str = ""
    hint: str = ""

    def read(self, text: str, asks: str) -> list[dict[str, Any]]:
        """The rows of a line. What cannot be read becomes a row, whose own field then says what is wrong with it.

        >>> Notation(r"\\d|\\*", {"a": {"armour": True}}, "parent").read("6a4/295 *", "af")
        [{'af': '6', 'armour': True, 'parent': '295'}, {'af': '4', 'parent': '295'}, {'af': '*'}]
        """
        letters = "".join(map(re.escape, self.marks))
        one = re.compile(rf"({self.sign})([{letters}]*)" if letters else rf"({self.sign})()", re.IGNORECASE)
        rows: list[dict[str, Any]] = []
        for word in re.split(r"[\s,;]+", text.strip(" ,;\t\n")):
            units, slash, tail = word.partition("/")
            shared = {self.tail: tail} if self.tail and tail else {}
            found = list(one.finditer(units))
            if "".join(match.group() for match in found) != units or not units or (slash and not shared):
                rows += [{asks: word[:24]}] if word else []
                continue
            for match in found:
                marked = [self.marks[mark].items() for mark in match.group(2).lower()]
                rows.append({asks: match.group(1), **dict(chain.from_iterable(marked)), **shared})
        return rows


class RowForm(BookForm):
    """One row of a RowsField. ``asks`` names the field without which it is empty; ``notation``: several in one line."""

    asks: ClassVar[str] = ""
    notation: ClassVar[Notation | None] = None


class RowsWidget(forms.Widget):
    """Reads the list that was built so far (one value, JSON or plain) and the open row below it."""

    field: "RowsField"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        built, row = data.get(name), self.field.open_row(data, files, name)
        rows = [*self.field.short_rows(data, name), *([row] if row else [])]
        if not rows:
            return built
        try:
            return [*self.field.read_rows(built), *rows]
        except ValidationError:
            return built


class RowsField(forms.Field):
    """A short list of like things, top to bottom: the units of a hex, the fighters of an attack.

    A page shows the list so far as text and one open row, so that its size hardly grows with the
    list; the row's values are named units-new-kind, units-new-tq …, the list travels as JSON.
    """

    def __init__(
        self,
        label: str,
        row_form: type[RowForm],
        build: Callable[[Mapping[str, Any]], Any],
        most: int = 12,
        **options: Any,
    ):
        self.row_form, self.build, self.most = row_form, build, most
        options.setdefault("required", False)
        super().__init__(label=label, widget=RowsWidget(), **options)
        self.widget.field = self

    def __deepcopy__(self, memo: dict) -> "RowsField":
        copied = super().__deepcopy__(memo)
        copied.widget.field = copied
        return copied

    def use_book(self, book: Book) -> None:
        """Let the rows' fields read this book."""
        self.book = book

    def open_row(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, Any] | None:
        """The open row of a posted page; None while the field that it asks for is blank."""
        prefix = f"{name}-new-"
        fields = self.row_form.base_fields.items()
        if data.get(prefix + self.row_form.asks) in (None, ""):
            return None
        row = {key: field.widget.value_from_datadict(data, files, prefix + key) for key, field in fields}
        return {key: value for key, value in row.items() if value not in (None, "", [], False)}

    def short_rows(self, data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        """The rows of the line of a posted page that takes several at once."""
        notation, text = self.row_form.notation, data.get(f"{name}-short")
        return notation.read(text[:LONGEST_LINE], self.row_form.asks) if notation and isinstance(text, str) else []

    def read_rows(self, value: Any) -> list[Mapping[str, Any]]:
        """The rows as plain mappings, from whatever came in. Raises ValidationError.

        A list of what each row asks for is enough: "squad,squad,leader", or a total such as 9.
        """
        rows = self._rows(value)
        if len(rows) > self.most:
            raise ValidationError(f"At most {self.most} rows fit here.")
        return rows

    def _rows(self, value: Any) -> list[Mapping[str, Any]]:
        if type(value) is int or isinstance(value, str) and _TOKENS.fullmatch(value):
            value = [{self.row_form.asks: token} for token in str(value).split(",")]
        elif isinstance(value, str) and value:
            try:
                value = read_json(value)
            except ValueError:
                raise ValidationError("Give a JSON list of rows.") from None
        rows = value or []
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise ValidationError("Give a list of rows, each with its fields by name.")
        return rows

    def clean(self, value: Any) -> tuple[Any, ...]:
        text = _write_rows(value) if type(value) is list else value
        is_short = type(text) is str and len(text) <= LONGEST_REMEMBERED
        return _remember_rows(self, text) if is_short else self.build_rows(value)

    def build_rows(self, value: Any) -> tuple[Any, ...]:
        """The things that the rows are. Raises ValidationError with every flaw of every row."""
        built, flaws = [], []
        for number, (cleaned, wrong) in enumerate(self._read(self.read_rows(value)), 1):
            flaws += [f"Row {number}, {label}: {message}" for label, message in wrong]
            if not flaws:
                built.append(self.build(cleaned))
        if flaws:
            raise ValidationError(flaws)
        if self.required and not built:
            raise ValidationError(self.error_messages["required"])
        return tuple(built)

    def _read(self, rows: list[Mapping[str, Any]]) -> list[tuple[dict[str, Any], list[tuple[str, str]]]]:
        """The cleaned values of each row, and what is wrong with it by the labels of its fields."""
        fields = _fields_for(self.row_form, self.book)
        return [read_row(fields, row) for row in rows]

    def shown(self, value: Any, built: Sequence[Any] | None = None) -> tuple[list[str], str, Mapping[str, Any]]:
        """The good rows in words, the same as JSON, and what the open row begins with.

        A row with a flaw, or one too many, is open again; otherwise the open row repeats what the
        last one will mostly share with the next: its place and quality, not its name.
        ``built``: what the rows were read as, where all of them are good.
        """
        try:
            rows = self._rows(value)[: self.most + 1]
        except ValidationError:
            rows = []
        told = map(str, built) if built is not None else map(self._describe, self._read(rows))
        words: list[str] = []
        good: list[Mapping[str, Any]] = []
        start: Mapping[str, Any] = {}
        for row, word in zip(rows, told, strict=True):
            if word and len(good) < self.most:
                words.append(word)
                good.append(row)
                own = (self.row_form.asks, "name", "id")
                start = {key: given for key, given in row.items() if key not in own}
            else:
                start = row
        return words, json.dumps(good, separators=(",", ":")), start

    def _describe(self, read: tuple[dict[str, Any], list[tuple[str, str]]]) -> str:
        """A row that was read, in words; "" for one with a flaw."""
        cleaned, wrong = read
        return "" if wrong else str(self.build(cleaned))

    def open_form(self, name: str, start: Mapping[str, Any]) -> RowForm:
        """The open row, beginning with these values."""
        return self.row_form(None, initial=start, prefix=f"{name}-new", book=self.book)


LONGEST_REMEMBERED = 4_000  # characters


def _write_rows(rows: list[Any]) -> str | None:
    """Rows as a page would send them; None for what no page could."""
    try:
        return json.dumps(rows)
    except (TypeError, ValueError):
        return None


@lru_cache(maxsize=1000)
def _remember_rows(field: RowsField, text: str) -> tuple[Any, ...]:
    """The things of a list as a page sends it: with its live odds, then with the roll, then with the next one."""
    return field.build_rows(text)


def read_rows(form: type[BookForm], name: str, value: Any) -> Any:
    """What was sent for a field: of a list its rows, none where they cannot be read."""
    field = form.base_fields.get(name)
    if not isinstance(field, RowsField):
        return value
    try:
        return field.read_rows(value)
    except ValidationError:
        return []


def read_row(fields: Mapping[str, forms.Field], row: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """A row's cleaned values by the names of its fields, and what is wrong with it by their labels."""
    cleaned, wrong = {}, []
    for name, field in fields.items():
        try:
            cleaned[name] = field.clean(field.widget.value_from_datadict(row, {}, name))
        except ValidationError as error:
            wrong.append((str(field.label), " ".join(error.messages)))
    return cleaned, wrong


def plain_item(item: Any) -> Any:
    """A thing of a list as plain values: rows are classes of their own, or dataclasses."""
    if hasattr(item, "plain"):
        return item.plain()
    return asdict(item) if is_dataclass(item) and not isinstance(item, type) else item


class HelperForm(BookForm):
    """The inputs of one helper.

    ``ahead`` names fields that this roll does not need but its follow-ups do. ``carry`` holds, as
    JSON, what an earlier roll of the chain handed on and this form does not ask for. ``filled_from`` says where a
    match's record holds what a field is filled with (advantage.holder); a field without it is filled from its own name.
    ``sealed``: what the app fills in unseen; nobody is asked for it. ``seldom``: fields that players hardly ever
    change, which stand folded up below the others. ``beside``: fields that stand open beside the dice of a roll that is
    due, as long as what asked for it has left them blank. ``recalled``: by list, those that were used before and may be
    used again, each with the number of its line and in words; ``rolls``: those of the log that may be meant, likewise.
    ``narrowed``: fields that a match asks first, with the few values that it leaves to choose among, none where all are
    open. ``if_offered``: fields that are asked only where a match has values to choose among. ``only_with``: fields
    that matter only beside some choices of another one, such as a caliber beside a gun: that field's name, and those
    choices.
    """

    ahead: ClassVar[tuple[str, ...]] = ()
    seldom: ClassVar[tuple[str, ...]] = ()
    beside: ClassVar[tuple[str, ...]] = ()
    only_with: ClassVar[Mapping[str, tuple[str, Collection[str]]]] = {}
    recalled: Mapping[str, Sequence[tuple[int, str]]] = {}
    if_offered: ClassVar[tuple[str, ...]] = ()
    narrowed: Mapping[str, Mapping[str, str]] = {}
    rolls: Sequence[tuple[str, str]] = ()
    filled_from: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        book: Book,
        chained: bool = False,
        quiet: bool = False,
        sealed: Mapping[str, Any] | None = None,
    ):
        super().__init__(data, book=book)
        self.quiet = quiet
        if chained:
            for name in self.ahead:
                del self.fields[name]
        self.sealed = {name: self.fields.pop(name).clean(value) for name, value in (sealed or {}).items()}

    @classmethod
    def from_plain(
        cls,
        values: Mapping[str, Any],
        *,
        book: Book,
        chained: bool = False,
        sealed: Mapping[str, Any] | None = None,
    ) -> "HelperForm":
        """A form filled with plain values, quiet about what is still missing."""
        own = {
            name: values.get(name, field.initial)
            for name, field in cls.base_fields.items()
            if not (chained and name in cls.ahead)
        }
        form = cls(own, book=book, chained=chained, quiet=True, sealed=sealed)
        form.take_carry(values)
        return form

    def take_carry(self, values: Mapping[str, Any]) -> None:
        """Hand on all of these values that the form does not ask for."""
        own = (*self.fields, *self.sealed, *OF_ONE_ROLL)
        self.carried = {key: value for key, value in values.items() if key not in own}

    def hush(self) -> None:
        """Forget the errors: nobody has pressed anything yet."""
        self._errors = ErrorDict()

    def add_rule_error(self, error: RuleError) -> None:
        """Put what a rule found wrong beside the inputs it names."""
        for name, message in getattr(error, "problems", {"": str(error)}).items():
            self.add_error(name if name in self.fields else None, message)

    def inputs(self) -> dict[str, Any]:
        """The cleaned values that the rule takes."""
        return {name: value for name, value in self.cleaned_data.items() if name not in self.ahead} | self.sealed

    def carry(self) -> dict[str, Any]:
        """What the chain hands on: the fields ahead that were filled, over what was carried to here."""
        ahead = [name for name in self.ahead if name in self.fields and self.cleaned_data.get(name)]
        filled = {name: self.plain_value(name) for name in ahead}
        return {**self.carried, **filled}

    def plain_inputs(self) -> dict[str, Any]:
        """The rule's inputs as plain values for the log and for a correction's form; a counter that there is not,
        not."""
        inputs = self.inputs()
        unnamed = {name for name, field in self.fields.items() if isinstance(field, CounterField) and not inputs[name]}
        return {name: self.plain_value(name) for name in inputs if name not in unnamed}

    def plain_value(self, name: str) -> Any:
        """One input as a plain value; None for a field that there is not."""
        value = self.sealed[name] if name in self.sealed else self.cleaned_data.get(name)
        if isinstance(value, tuple):
            return [plain_item(item) for item in value]
        return value

    carried: Mapping[str, Any] = {}

    def read_carry(self, text: str) -> None:
        """Take over the carry that a page sent back; anything unreadable is dropped with a message."""
        try:
            carried = read_json(text or "{}", whole=True) if len(text) <= MAX_CARRY else None
        except ValueError:
            carried = None
        if isinstance(carried, dict):
            self.carried = {key: value for key, value in carried.items() if key not in (*self.fields, *OF_ONE_ROLL)}
        else:
            self.add_error(None, "What was carried from the roll before could not be read; start this roll afresh.")

    def carry_json(self) -> str:
        """The carry as the page sends it back."""
        return json.dumps(self.carried, separators=(",", ":"))
