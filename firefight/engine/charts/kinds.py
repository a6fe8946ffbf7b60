"""The kinds of charts: what each holds, how it is read from plain values, what can be wrong, how rules ask it.

A cell may be blank: the chart loads, and a roll that needs the cell raises MissingChart with the chart's title and
the cell's name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar, Self

from firefight.engine.board.hexes import HexMap
from firefight.engine.errors import MissingChart
from firefight.engine.values import Json, Values

from .cells import BLANKS, Band, Totals, Unreadable, is_digits, read_band, read_table, read_totals, read_whole_number

PROVENANCES = ("text", "house", "owner")
# A chart of several origins is named after the one that claims least.
MODESTY = ("house", "owner", "text")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a chart: which chart, which cell ("" for the whole), and in plain words.

    ``odd``: a value that makes little sense in the game, though a printed card may still have it. Its owner overrules
    the problem by confirming ``odd`` under the cell's name; "" for what no card can mean.
    """

    chart: str
    cell: str
    message: str
    odd: str = ""

    @property
    def confirmation(self) -> str:
        """What a chart's ``confirmed`` holds once its owner has overruled this."""
        return f"{self.cell} = {self.odd}"

    def __str__(self) -> str:
        return f"{self.chart}{f' [{self.cell}]' if self.cell else ''}: {self.message}"


@dataclass(frozen=True, slots=True)
class Chart:
    """What every chart has: its name in the book, a title, the rule it serves, and whose values it holds.

    ``provenance`` is that of the whole: house as long as one value is ours. ``origins`` holds that of every cell,
    ``confirmed`` the odd values that the owner has found on their card. ``names``: what players call keys and results
    whose own names do not say it.
    """

    name: str
    title: str
    rule: str
    provenance: str
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, kw_only=True)
    confirmed: frozenset[str] = field(default=frozenset(), repr=False, kw_only=True)
    names: Mapping[str, str] = field(default_factory=dict, repr=False, kw_only=True)
    kind: ClassVar[str] = ""

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "Chart":
        """A chart with the name, title, rule and provenance of ``head`` and its values. Raises Unreadable."""
        raise NotImplementedError

    def named_values(self) -> Json:
        """Every value by the name of its cell; None where it is blank."""
        raise NotImplementedError

    def is_blank(self, cell: str) -> bool:
        """Whether the chart has a cell of that name, and it is blank."""
        return self.named_values().get(cell, "") is None

    def problems(self) -> Iterable[Problem]:
        """What is wrong with the values as they stand."""
        return ()

    def _problem(self, cell: object, message: str) -> Problem:
        return Problem(self.name, str(cell), message)

    def _blank(self, cell: str) -> tuple[str, str] | None:
        """The names by which a match asks for a blank cell; None for a cell that the chart does not have."""
        return (self.name, cell) if cell in self.named_values() else None


def read_lowest(raw: Mapping[str, object]) -> int:
    """The lowest total of a chart: 1 unless it says another. Raises Unreadable."""
    lowest = read_whole_number(raw.get("lowest", 1), "lowest")
    return 1 if lowest is None else lowest


def _ordered(head: Mapping[str, str]) -> tuple[str, str, str, str]:
    """What every chart begins with, in the order of its fields."""
    return head["name"], head["title"], head["rule"], head["provenance"]


@dataclass(frozen=True, slots=True)
class Numbers(Chart):
    """Single values by name, or by a whole number such as a caliber."""

    values: Mapping[str, int | None]
    kind: ClassVar[str] = "numbers"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "Numbers":
        values = raw.get("values", {})
        if not isinstance(values, Mapping):
            raise Unreadable("values", "should be a table of names and whole numbers")
        return cls(
            *_ordered(head), values={str(key): read_whole_number(value, str(key)) for key, value in values.items()}
        )

    def named_values(self) -> Json:
        return dict(self.values)

    def get(self, key: str) -> int:
        """The value of ``key``. Raises MissingChart when it is absent or blank."""
        value = self.values.get(key)
        if value is None:
            raise MissingChart(self.title, self.names.get(key, key), self._blank(key))
        return value

    def floor_row(self, size: int) -> str:
        """The highest row not above ``size`` (calibers round down). Raises MissingChart below the first."""
        rows = [int(key) for key in self.values if is_digits(key) and int(key) <= size]
        if not rows:
            raise MissingChart(self.title, f"for {size}")
        return str(max(rows))


@dataclass(frozen=True, slots=True)
class Bands(Chart):
    """Ranges of a throw (or of a distance) with one meaning each, in order, from ``lowest`` to ``sides``."""

    sides: int
    bands: tuple[Band, ...]
    lowest: int = 1
    kind: ClassVar[str] = "bands"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "Bands":
        sides, rows = read_whole_number(raw.get("sides"), "sides") or 0, raw.get("bands", [])
        lowest = read_lowest(raw)
        if not isinstance(rows, Sequence) or isinstance(rows, str):
            raise Unreadable("bands", "should be a list of pairs such as ['1-7', 'redeploys']")
        return cls(*_ordered(head), sides=sides, bands=tuple(read_band(row, lowest) for row in rows), lowest=lowest)

    def named_values(self) -> Json:
        return {str(band): band.value for band in self.bands}

    def look_up(self, total: int) -> str:
        """What a total means. A total outside the table counts as the nearest in it, for look-up only."""
        face = min(max(total, self.lowest), self.sides)
        for band in self.bands:
            if band.low <= face <= band.high:
                if band.value is None:
                    raise MissingChart(self.title, str(band), self._blank(str(band)))
                return band.value
        raise MissingChart(self.title, str(face))

    def problems(self) -> Iterable[Problem]:
        if not self.bands:
            yield self._problem("bands", f"no band covers {self.lowest} to {self.sides}")
            return
        if self.bands[0].low != self.lowest:
            yield self._problem(self.bands[0], f"the first band should begin at {self.lowest}")
        for before, after in pairwise(self.bands):
            if after.low <= before.high:
                yield self._problem(after, f"overlaps {before}")
            elif after.low != before.high + 1:
                yield self._problem(after, f"leaves a gap after {before}")
        if self.bands[-1].high != self.sides:
            yield self._problem(self.bands[-1], f"the last band should end at {self.sides}")


@lru_cache(maxsize=200)
def _read_numbers(columns: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Those columns that are numbers, each with its name. Every attack asks for them."""
    return tuple((int(column), column) for column in columns if is_digits(column))


@dataclass(frozen=True, slots=True)
class Grid(Chart):
    """Results by column: each cell is the highest modified roll that still gives its row or one above it.

    Rows run from the most severe result down; a column is read from the top, and the first cell
    not below the total is the result. Above the last cell there is no effect. A cell below ``lowest``, the lowest
    roll, means never: 0 on a die.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: Mapping[tuple[str, str], int | None] = field(repr=False)
    sides: int = 100
    lowest: int = 1
    kind: ClassVar[str] = "grid"

    @property
    def never(self) -> int:
        """What a cell that no roll reaches holds."""
        return self.lowest - 1

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "Grid":
        columns, rows, texts = read_table(raw)
        cells = {key: read_whole_number(text, ", ".join(key)) for key, text in texts.items()}
        sides = read_whole_number(raw.get("sides", 100), "sides") or 0
        return cls(*_ordered(head), columns=columns, rows=rows, cells=cells, sides=sides, lowest=read_lowest(raw))

    def named_values(self) -> Json:
        return {", ".join(key): value for key, value in self.cells.items()}

    def look_up(self, total: int, column: str) -> str:
        """The result's row name, "" for no effect. Totals clamp to the table, for look-up only."""
        face = min(max(total, self.lowest), self.sides)
        for row in self.rows:
            if face <= self.cell(row, column):
                return row
        return ""

    def cell(self, row: str, column: str) -> int:
        """One cell. Raises MissingChart when it is blank or outside the grid."""
        value = self.cells.get((row, column))
        if value is None:
            raise MissingChart(self.title, f"{row}, column {column}", self._blank(f"{row}, {column}"))
        return value

    def column(self, column: str) -> dict[str, int | None]:
        """A column's cells by row, most severe first."""
        return {row: self.cells[row, column] for row in self.rows}

    def reachable(self, column: str) -> tuple[str, ...]:
        """The rows that some total really scores in a column, most severe first."""
        highest, rows = self.never, []
        for row in self.rows:
            if self.cell(row, column) > highest:
                highest = self.cell(row, column)
                rows.append(row)
        return tuple(rows)

    def floor_column(self, size: int) -> str:
        """For numbered columns: the highest one not above ``size``. Raises MissingChart below the first."""
        fitting = [number for number in _read_numbers(self.columns) if number[0] <= size]
        if not fitting:
            raise MissingChart(self.title, f"column {size}")
        return max(fitting)[1]

    def problems(self) -> Iterable[Problem]:
        for (row, column), value in self.cells.items():
            if value is not None and not self.never <= value <= self.sides:
                yield self._problem(f"{row}, {column}", f"should lie between {self.never} and {self.sides}")
        for column in self.columns:
            for above, below in pairwise(self.rows):
                if self._falls((above, column), (below, column)):
                    yield self._problem(f"{below}, {column}", f"is lower than {above} above it")
        for row in self.rows:
            for left, right in pairwise(self.columns):
                if self._falls((row, left), (row, right)):
                    odd = str(self.cells[row, right])
                    yield Problem(self.name, f"{row}, {right}", f"is milder than column {left}", odd)

    def _falls(self, first: tuple[str, str], second: tuple[str, str]) -> bool:
        a, b = self.cells[first], self.cells[second]
        return a is not None and b is not None and b < a


@dataclass(frozen=True, slots=True)
class Matrix(Chart):
    """Words by row and column, such as the new state of a unit by its margin and its old state."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: Mapping[tuple[str, str], str | None] = field(repr=False)
    kind: ClassVar[str] = "matrix"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> Self:
        columns, rows, texts = read_table(raw)
        cells = {key: None if text in BLANKS else text for key, text in texts.items()}
        return cls(*_ordered(head), columns=columns, rows=rows, cells=cells)

    def named_values(self) -> Json:
        return {", ".join(key): value for key, value in self.cells.items()}

    def cell(self, row: str, column: str) -> str:
        """One cell. Raises MissingChart when it is blank or outside the matrix."""
        value = self.cells.get((row, column))
        if value is None:
            raise MissingChart(self.title, f"{row}, {column}", self._blank(f"{row}, {column}"))
        return value


@dataclass(frozen=True, slots=True)
class Lookup(Matrix):
    """Words by two totals, as on most combat tables: each row and each column is a band of totals.

    Both run from the lowest totals to the highest; a total beyond either end counts as the nearest band.
    """

    kind: ClassVar[str] = "lookup"

    def look_up(self, row: int, column: int) -> str:
        """The result of two totals. Raises MissingChart when its cell is blank."""
        return self.cell(self.row_of(row), self.column_of(column))

    def row_of(self, total: int) -> str:
        """The name of the row that holds a total, or the nearest one."""
        return self._nearest(self.rows, total)

    def column_of(self, total: int) -> str:
        """The name of the column that holds a total, or the nearest one."""
        return self._nearest(self.columns, total)

    def _nearest(self, names: Sequence[str], total: int) -> str:
        for name in names:
            high = read_totals(name).high
            if high is None or total <= high:
                return name
        return names[-1]

    def problems(self) -> Iterable[Problem]:
        for names, word in ((self.rows, "row"), (self.columns, "column")):
            yield from self._axis_problems(names, word)

    def _axis_problems(self, names: Sequence[str], word: str) -> Iterable[Problem]:
        spans: list[tuple[str, Totals]] = []
        for name in names:
            try:
                spans.append((name, read_totals(name)))
            except ValueError as error:
                yield self._problem(f"{word} {name}", str(error))
        for (before, first), (name, second) in pairwise(spans):
            at = f"{word} {name}"
            if first.high is None or second.low is None:
                yield self._problem(at, f"only the last {word} has no upper end, and only the first no lower one")
            elif second.low <= first.high:
                yield self._problem(at, f"overlaps {before}, or does not follow it upwards")
            elif second.low != first.high + 1:
                yield self._problem(at, f"leaves a gap after {before}")


@dataclass(frozen=True, slots=True)
class NamedModifier:
    """A modifier that players pick by name."""

    key: str
    name: str
    value: int | None
    rule: str
    provenance: str


@dataclass(frozen=True, slots=True)
class Choices(Chart):
    """Named modifiers, each with its own provenance, since a card mixes text and house values."""

    items: Mapping[str, NamedModifier]
    kind: ClassVar[str] = "choices"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "Choices":
        items, entries = {}, raw.get("items", [])
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise Unreadable("items", "should be a list of items, each with a key, a name and a value")
        for entry in entries:
            key = str(entry.get("key", "")) if isinstance(entry, Mapping) else ""
            if not re.fullmatch(r"[a-z0-9_]{1,40}", key) or key in items:
                raise Unreadable(key or "items", "every item needs a key of its own, in a-z, 0-9 and _")
            provenance = entry.get("provenance", head["provenance"])
            if provenance not in PROVENANCES:
                raise Unreadable(key, f"provenance should be one of {', '.join(PROVENANCES)}")
            items[key] = NamedModifier(
                key,
                str(entry.get("name", key))[:60],
                read_whole_number(entry.get("value"), key),
                str(entry.get("rule", head["rule"])),
                provenance,
            )
        return cls(*_ordered(head), items=items)

    def named_values(self) -> Json:
        return {key: item.value for key, item in self.items.items()}

    def get(self, key: str) -> NamedModifier:
        """The choice of that key. Raises MissingChart when it is absent or its value blank."""
        choice = self.items.get(key)
        if choice is None or choice.value is None:
            raise MissingChart(self.title, choice.name if choice else key, self._blank(key))
        return choice


MAP_VALUES = ("first_column", "last_column", "first_number", "last_number", "low_columns")


@dataclass(frozen=True, slots=True)
class MapChart(Chart):
    """The map's lettering and which columns sit low."""

    hexes: HexMap
    kind: ClassVar[str] = "map"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Values) -> "MapChart":
        first, last = str(raw.get("first_column", "")), str(raw.get("last_column", ""))
        low, high = (
            read_whole_number(raw.get("first_number"), "first_number"),
            read_whole_number(raw.get("last_number"), "last_number"),
        )
        if not (re.fullmatch("[A-Z]", first) and re.fullmatch("[A-Z]", last) and first <= last):
            raise Unreadable("columns", "should be letters from A to Z, the first not after the last")
        if low is None or high is None or not 0 <= low <= high <= 999:
            raise Unreadable("numbers", "should be whole numbers, the first not above the last")
        if raw.get("low_columns") not in ("even", "odd"):
            raise Unreadable("low_columns", "should be even (B, D, F …) or odd (A, C, E …)")
        return cls(*_ordered(head), hexes=HexMap(first, last, low, high, raw["low_columns"]))

    def named_values(self) -> Json:
        return {name: getattr(self.hexes, name) for name in MAP_VALUES}
