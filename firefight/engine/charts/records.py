"""Sheets of records: a row for each thing, under named columns that know how their cells are written and read.

What the values mean, and what is wrong with them, is for the reader of the file that they become. A cell that cannot be
read is noted with its place and left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .checks import LETTERS
from .kinds import MODESTY
from .layouts import Flaw, Layout
from .notation import fold_word, is_yes, read_number
from .spec import ChartSpec
from .tables import BadSheet, Block, Limits, Place, Sheet, turn_block

LARGE = Limits(rows=120, columns=121, cells=2_000, text=60_000, cell=300)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet, or a field of a form: its title, the name of its value, how a cell is written and read.

    ``read`` gets a text that is not blank and raises ValueError with what is wrong; None is no value. ``is_value``: has
    a provenance. ``also``: what else it may be called where it is pasted. ``choices``: the only texts that it may hold,
    with their words. ``suggests``: the name of the list that is searched once three letters are typed.
    """

    title: str
    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    also: tuple[str, ...] = ()
    is_value: bool = True
    is_digits: bool = False
    choices: Mapping[str, str] = field(default_factory=dict, compare=False)
    suggests: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row as it was read, by its number: its values by name, blanks left out, and the places of all its cells."""

    number: int
    values: Json
    places: dict[str, Place]

    def get(self, name: str) -> Any:
        """A value, None where the cell is blank or cannot be read."""
        return self.values.get(name)


class RecordsLayout(Layout):
    """Rows of records under the titles of their columns."""

    limits = LARGE

    def __init__(self, columns: Sequence[Column]):
        self.columns = tuple(columns)
        self.head = tuple(column.title for column in columns)
        self.titles = {
            fold_word(title): n for n, column in enumerate(columns) for title in (column.title, *column.also)
        }

    def columns_of_digits(self, width: int) -> range | tuple[int, ...]:
        return tuple(place for place, column in enumerate(self.columns) if column.is_digits)

    def lay_out(self, records: Iterable[tuple[Values, Callable[[str], str]]]) -> Sheet:
        """Records as a sheet: the values of each by name, and a function that says whose a value is."""
        rows, marks = [], []
        for values, origin_of in records:
            rows.append(tuple(self.write(column, values.get(column.name)) for column in self.columns))
            marks.append("".join(origin_of(column.name)[0] if column.is_value else "." for column in self.columns))
        return Sheet(self.head, tuple(rows), tuple(marks), self.limits)

    @staticmethod
    def write(column: Column, value: Any) -> str:
        """A value as its cell has it, blank where there is none."""
        return "" if value is None or value is False else column.write(value)

    def read_records(self, sheet: Sheet) -> tuple[list[SheetRow], list[Flaw]]:
        """The rows that are not blank, and every cell that cannot be read."""
        records, flaws = [], []
        for number, row in enumerate(sheet.rows, 1):
            if not any(row):
                continue
            record = SheetRow(number, {}, {column.name: (number, n) for n, column in enumerate(self.columns)})
            for column, text in zip(self.columns, row, strict=True):
                try:
                    value = column.read(text) if text else None
                except ValueError as error:
                    flaws.append(Flaw(record.places[column.name], "", str(error)))
                    continue
                if value is not None:
                    record.values[column.name] = value
            records.append(record)
        return records, flaws

    # Pasting

    def places_of(self, row: Sequence[str]) -> list[int | None]:
        """Which column each cell of a row names."""
        return [self.titles.get(fold_word(text)) for text in row]

    def is_head(self, row: tuple[str, ...]) -> bool:
        """Whether a pasted row names columns: most of what it says are their titles."""
        titles_named = sum(place is not None for place in self.places_of(row))
        return titles_named > 1 and 2 * titles_named >= sum(map(bool, row))

    def is_whole(self, block: Block, at: Place) -> bool:
        return len(block[0]) > 1 and (at in ((0, 0), (1, 0)) or self.is_head(block[0]) or self.lies_across(block))

    def lies_across(self, block: Block) -> bool:
        """Whether the titles stand on the left instead of above."""
        return not self.is_head(block[0]) and self.is_head(tuple(row[0] for row in block))

    def fit(self, block: Block, spec: ChartSpec | None = None) -> Block:
        """Each pasted column where its title says; without titles, in the order of the sheet. Raises BadSheet."""
        if self.lies_across(block):
            block = turn_block(block)
        places: list[int | None] = list(range(min(len(block[0]), len(self.head))))
        if self.is_head(block[0]):
            heads, block = block[0], block[1:]
            places = self.places_of(heads)
            for place, title in zip(places, heads, strict=True):
                if place is None and any(row[heads.index(title)] for row in block):
                    raise BadSheet(f"“{title}” is not a column here. The columns are: {', '.join(self.head)}.")
        elif len(block[0]) > len(self.head):
            raise BadSheet(f"There are {len(self.head)} columns here: {', '.join(self.head)}.")
        rows = []
        for row in block:
            laid = [""] * len(self.head)
            for place, text in zip(places, row, strict=False):
                if place is not None:
                    laid[place] = text
            rows.append(tuple(laid))
        return (self.head, *rows)


# How cells are written


def number(text: str) -> int | None:
    """A whole number as people write it. Raises ValueError."""
    return read_number(text)


def number_reader(most: int, least: int = 0) -> Callable[[str], int]:
    """A reader of a whole number between two bounds."""

    def read(text: str) -> int:
        value = read_number(text)
        if value is None or not least <= value <= most:
            raise ValueError(f"should be a whole number from {least} to {most}")
        return value

    return read


def text_reader(most: int) -> Callable[[str], str]:
    """A reader of a text of at most that many letters."""

    def read(text: str) -> str:
        if len(text) > most:
            raise ValueError(f"is longer than {most} letters")
        return text

    return read


def read_flag(text: str) -> bool:
    """Yes or no. Raises ValueError."""
    answer = is_yes(text)
    if answer is None:
        raise ValueError("write yes, or leave it blank")
    return answer


def write_flag(value: object) -> str:
    """As ``read_flag`` reads it."""
    return "yes" if value else ""


def word_reader(words: Mapping[str, str]) -> Callable[[str], str]:
    """A reader of one word: ``words`` has the value of each with what players call it."""
    by_text = {fold_word(text): value for value, word in words.items() for text in (value, word)}

    def read(text: str) -> str:
        if fold_word(text) not in by_text:
            raise ValueError(f"should be one of {', '.join(words.values())}")
        return by_text[fold_word(text)]

    return read


# Counters that owners type


BLANK = "has to be there."


def require(row: Values, *names: str) -> None:
    """Raise BadInput for every column that a counter cannot do without but its row leaves blank."""
    if lacking := {name: BLANK for name in names if not row.get(name)}:
        raise BadInput(lacking)


def make_own_key(name: str) -> str:
    """The key of a counter by its name, which keeps what owners type apart from what is shipped.

    >>> make_own_key("1./I/274 Inf")
    'own_1_i_274_inf'
    """
    return "own_" + re.sub(r"[\W_]+", "_", name.casefold()).strip("_")[:36]


# Whose values these are


def claim_least(letters: Iterable[str]) -> str:
    """The provenance of several values together: that of the one that claims least."""
    origins = {LETTERS[letter] for letter in letters if letter in LETTERS}
    return next((word for word in MODESTY if word in origins), "house")


def write_origins(letters: Mapping[str, Iterable[str]]) -> Json:
    """Provenance as a file has it: what most values have, and lists of those that have another."""
    words = {name: claim_least(of_name) for name, of_name in letters.items()}
    counted = Counter(words.values())
    most = max(MODESTY, key=lambda word: counted[word])
    exceptions = {word: [name for name, own in words.items() if own == word] for word in ("text", "house", "owner")}
    return {"provenance": most, **{word: names for word, names in exceptions.items() if names and word != most}}
