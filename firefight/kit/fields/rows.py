"""Rows: a short list of like entries, built one by one or typed in a line."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.charts.book import Book
from firefight.engine.plain_json import read_json
from firefight.engine.values import Json, Values
from firefight.kit.fields.base import BookForm, fields_for

LONGEST_LINE = 200  # characters of rows that are typed at once
_TOKENS = re.compile(r"[\w*+-]+(,[\w*+-]+)*", re.ASCII)  # JSON never begins like this


@dataclass(frozen=True, slots=True)
class Notation:
    """How players type several rows in one line, such as 6a44*/295.

    ``sign``: what a row is asked for, as a regular expression for a single one; ``marks``: letters that may follow it,
    each with what it sets; ``tail``: the field that follows a "/", for all rows since the last blank. ``hint``: how it
    is done, for players.
    """

    sign: str
    marks: Mapping[str, Values]
    tail: str = ""
    hint: str = ""

    def read(self, text: str, asks: str) -> list[Json]:
        """The rows of a line. What cannot be read becomes a row, whose own field then says what is wrong with it.

        >>> Notation(r"\\d|\\*", {"a": {"armour": True}}, "parent").read("6a4/295 *", "af")
        [{'af': '6', 'armour': True, 'parent': '295'}, {'af': '4', 'parent': '295'}, {'af': '*'}]
        """
        letters = "".join(map(re.escape, self.marks))
        pattern = re.compile(rf"({self.sign})([{letters}]*)" if letters else rf"({self.sign})()", re.IGNORECASE)
        rows: list[Json] = []
        for word in re.split(r"[\s,;]+", text.strip(" ,;\t\n")):
            units, slash, tail = word.partition("/")
            shared = {self.tail: tail} if self.tail and tail else {}
            matches = list(pattern.finditer(units))
            if "".join(match.group() for match in matches) != units or not units or (slash and not shared):
                rows += [{asks: word[:24]}] if word else []
                continue
            for match in matches:
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

    def value_from_datadict(self, data: Mapping[str, object], files: object, name: str) -> object:
        built, row = data.get(name), self.field.open_row(data, files, name)
        rows = [*self.field.short_rows(data, name), *([row] if row else [])]
        if not rows:
            return built
        try:
            return [*self.field.read_rows(built), *rows]
        except ValidationError:
            return built


class RowsField(forms.Field):
    """A short list of like entries, top to bottom: the units of a hex, the fighters of an attack.

    A page shows the list so far as text and one open row, so that its size hardly grows with the
    list; the row's values are named units-new-kind, units-new-tq …, the list travels as JSON.
    """

    def __init__(
        self,
        label: str,
        row_form: type[RowForm],
        build: Callable[[Values], Any],
        most: int = 12,
        **options: Any,
    ):
        self.row_form, self.build, self.most = row_form, build, most
        options.setdefault("required", False)
        super().__init__(label=label, widget=RowsWidget(), **options)
        self.widget.field = self

    def __deepcopy__(self, memo: dict[int, object]) -> "RowsField":
        copied = super().__deepcopy__(memo)
        copied.widget.field = copied
        return copied

    def use_book(self, book: Book) -> None:
        """Let the rows' fields read this book."""
        self.book = book

    def open_row(self, data: Mapping[str, object], files: object, name: str) -> dict[str, object] | None:
        """The open row of a posted page; None while the field that it asks for is blank."""
        prefix = f"{name}-new-"
        fields = self.row_form.base_fields.items()
        if data.get(prefix + self.row_form.asks) in (None, ""):
            return None
        row = {key: field.widget.value_from_datadict(data, files, prefix + key) for key, field in fields}
        return {key: value for key, value in row.items() if value not in (None, "", [], False)}

    def short_rows(self, data: Mapping[str, object], name: str) -> list[dict[str, object]]:
        """The rows of the line of a posted page that takes several at once."""
        notation, text = self.row_form.notation, data.get(f"{name}-short")
        return notation.read(text[:LONGEST_LINE], self.row_form.asks) if notation and isinstance(text, str) else []

    def read_rows(self, value: object) -> list[Mapping[str, object]]:
        """The rows as plain mappings, from whatever came in. Raises ValidationError.

        A list of what each row asks for is enough: "squad,squad,leader", or a total such as 9.
        """
        rows = self._rows(value)
        if len(rows) > self.most:
            raise ValidationError(f"At most {self.most} rows fit here.")
        return rows

    def _rows(self, value: object) -> list[Mapping[str, object]]:
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

    def clean(self, value: object) -> tuple[Any, ...]:
        text = _write_rows(value) if type(value) is list else value
        is_short = type(text) is str and len(text) <= LONGEST_REMEMBERED
        return _remember_rows(self, text) if is_short else self.build_rows(value)

    def build_rows(self, value: object) -> tuple[object, ...]:
        """What the rows stand for. Raises ValidationError with every flaw of every row."""
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

    def _read(self, rows: list[Mapping[str, object]]) -> list[tuple[dict[str, object], list[tuple[str, str]]]]:
        """The cleaned values of each row, and what is wrong with it by the labels of its fields."""
        fields = fields_for(self.row_form, self.book)
        return [read_row(fields, row) for row in rows]

    def present(self, value: object, built: Sequence[Any] | None = None) -> tuple[list[str], str, Mapping[str, object]]:
        """The good rows in words, the same as JSON, and what the open row begins with.

        A row with a flaw, or one too many, is open again; otherwise the open row repeats what the
        last row probably shares with the next: its place and quality, not its name.
        ``built``: what the rows were read as, where all of them are good.
        """
        try:
            rows = self._rows(value)[: self.most + 1]
        except ValidationError:
            rows = []
        descriptions = map(str, built) if built is not None else map(self._describe, self._read(rows))
        words: list[str] = []
        good: list[Mapping[str, object]] = []
        start: Mapping[str, object] = {}
        for row, word in zip(rows, descriptions, strict=True):
            if word and len(good) < self.most:
                words.append(word)
                good.append(row)
                own = (self.row_form.asks, "name", "id")
                start = {key: entry for key, entry in row.items() if key not in own}
            else:
                start = row
        return words, json.dumps(good, separators=(",", ":")), start

    def _describe(self, read: tuple[dict[str, object], list[tuple[str, str]]]) -> str:
        """A row that was read, in words; "" for one with a flaw."""
        cleaned, wrong = read
        return "" if wrong else str(self.build(cleaned))

    def open_form(self, name: str, start: Mapping[str, object]) -> RowForm:
        """The open row, beginning with these values."""
        return self.row_form(None, initial=start, prefix=f"{name}-new", book=self.book)


LONGEST_REMEMBERED = 4_000  # characters


def _write_rows(rows: list[object]) -> str | None:
    """Rows as a page would send them; None for what no page could send."""
    try:
        return json.dumps(rows)
    except (TypeError, ValueError):
        return None


@lru_cache(maxsize=1000)
def _remember_rows(field: RowsField, text: str) -> tuple[object, ...]:
    """What the rows of a page stand for: it sends them with its live odds, then with the roll, then with the next."""
    return field.build_rows(text)


def read_rows(form: type[BookForm], name: str, value: object) -> object:
    """What was sent for a field; for a list its rows, none where they cannot be read."""
    field = form.base_fields.get(name)
    if not isinstance(field, RowsField):
        return value
    try:
        return field.read_rows(value)
    except ValidationError:
        return []


def read_row(
    fields: Mapping[str, forms.Field], row: Mapping[str, object]
) -> tuple[dict[str, object], list[tuple[str, str]]]:
    """A row's cleaned values by the names of its fields, and what is wrong with it by their labels."""
    cleaned, wrong = {}, []
    for name, field in fields.items():
        try:
            cleaned[name] = field.clean(field.widget.value_from_datadict(row, {}, name))
        except ValidationError as error:
            wrong.append((str(field.label), " ".join(error.messages)))
    return cleaned, wrong


def plain_item(item: object) -> Any:
    """An entry of a list as plain values: rows have classes of their own, or dataclasses."""
    if hasattr(item, "plain"):
        return item.plain()
    return asdict(item) if is_dataclass(item) and not isinstance(item, type) else item
