"""The cells of charts in plain values: whole numbers, bands of totals, tables laid out as text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

BLANKS = ("", "?", ".")
_BAND = re.compile(r"(-?\d{1,3})(?:(?:-|\.\.)(-?\d{1,3}))?", re.ASCII)
_MAX_CELLS = 2_000


class Unreadable(ValueError):
    """A cell that cannot be read; the reader turns it into a Problem."""

    def __init__(self, cell: str, message: str):
        super().__init__(message)
        self.cell = cell


@dataclass(frozen=True, slots=True)
class Band:
    """Die faces from ``low`` to ``high`` and what they mean; None is a blank cell."""

    low: int
    high: int
    value: str | None

    def __str__(self) -> str:
        return str(Totals(self.low, self.high))


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals from ``low`` to ``high``, None for no end on that side.

    >>> str(Totals(None, -4)), str(Totals(4, 5)), str(Totals(10, None)), str(Totals(-3, -1)), str(Totals(7, 7))
    ('≤-4', '4-5', '10+', '-3..-1', '7')
    """

    low: int | None
    high: int | None

    def __str__(self) -> str:
        if self.low is None:
            return f"≤{self.high}"
        if self.high is None:
            return f"{self.low}+"
        if self.low == self.high:
            return str(self.low)
        return f"{self.low}{'-' if self.low >= 0 else '..'}{self.high}"

    def holds(self, total: int) -> bool:
        return (self.low is None or self.low <= total) and (self.high is None or total <= self.high)


def read_table(raw: Mapping[str, object]) -> tuple[tuple[str, ...], tuple[str, ...], dict[tuple[str, str], str]]:
    """Read a table laid out as text: columns, rows and the cells' texts. Raises Unreadable."""
    lines = [line.split() for line in str(raw.get("grid", "")).splitlines() if line.strip()]
    if len(lines) < 2 or len(lines) * len(lines[0]) > _MAX_CELLS:
        raise Unreadable("grid", f"needs a heading line and at least one row, at most {_MAX_CELLS} cells")
    columns, rows = tuple(lines[0][1:]), tuple(line[0] for line in lines[1:])
    cells: dict[tuple[str, str], str] = {}
    for row, *texts in lines[1:]:
        if len(texts) != len(columns):
            raise Unreadable(row, f"has {len(texts)} cells for {len(columns)} columns")
        cells |= {(row, column): text for column, text in zip(columns, texts, strict=True)}
    if len(set(rows)) != len(rows) or len(set(columns)) != len(columns):
        raise Unreadable("grid", "names a row or a column twice")
    return columns, rows, cells


def read_band(row: object, lowest: int) -> Band:
    """Read a pair such as ["6-10", "eliminated"] or ["8", ""]; "00" is 100.

    Totals below 0 are read where ``lowest`` is. Raises Unreadable.
    """
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 2:
        raise Unreadable("bands", "every band is a pair: faces, meaning")
    faces, value = (str(part).strip() for part in row)
    match = _BAND.fullmatch(faces)
    if not match or (lowest >= 0 and int(match[1]) < 0):
        raise Unreadable(faces[:12], "faces should look like 8 or 1-7")
    low, high = (100 if text == "00" else int(text) for text in (match[1], match[2] or match[1]))
    if low > high:
        raise Unreadable(faces, "runs backwards")
    return Band(low, high, None if value in BLANKS else value)


@lru_cache(maxsize=2_000)
def read_totals(text: str) -> Totals:
    """A band of totals as a table names its row or column. Raises ValueError.

    >>> read_totals("≤-4"), read_totals("10+"), read_totals("-3..-1")
    (Totals(low=None, high=-4), Totals(low=10, high=None), Totals(low=-3, high=-1))
    """
    if match := re.fullmatch(r"(?:≤|<=)(-?\d{1,3})", text, re.ASCII):
        return Totals(None, int(match[1]))
    if match := re.fullmatch(r"(-?\d{1,3})\+", text, re.ASCII):
        return Totals(int(match[1]), None)
    if not (match := _BAND.fullmatch(text)):
        raise ValueError(f"“{text[:12]}” should be a band of totals such as ≤-4, 4-5 or 10+")
    low, high = int(match[1]), int(match[2] or match[1])
    if low > high:
        raise ValueError(f"{text} runs backwards")
    return Totals(low, high)


def is_digits(text: str) -> bool:
    """Whether a text is nothing but the digits 0 to 9: "²" is a digit to Python, but not a number."""
    return text.isascii() and text.isdigit()


def read_whole_number(value: object, cell: str) -> int | None:
    """Read a whole number; a blank is None. Raises Unreadable."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 100_000:
        return value
    text = str(value).strip() if isinstance(value, str) else "no"
    if text in BLANKS:
        return None
    if re.fullmatch(r"-?\d{1,5}", text, re.ASCII):
        return int(text)
    raise Unreadable(cell, f"“{str(value)[:20]}” is not a whole number")
