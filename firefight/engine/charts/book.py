"""Charts as data: six shapes, read from plain values, checked as a whole, asked by rules.

A chart book is a mapping of plain values (from TOML or JSON) with one table per chart. Reading it
collects every problem instead of stopping at the first. A cell may be blank: the book loads, and
a roll that needs the cell raises MissingChart with the chart's title and the cell's name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

from firefight.engine.board.hexes import HexMap
from firefight.engine.errors import MissingChart

PROVENANCES = ("text", "house", "owner")
# What a chart of several origins is called: by the one that claims least.
MODESTY = ("house", "owner", "text")
BLANKS = ("", "?", ".")
_BAND = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
_MAX_CELLS = 2_000
_LONGEST_NAME = 200  # of a cell


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a chart: which chart, which cell ("" for the whole), and in plain words.

    ``odd``: the value that the game's sense speaks against, where a printed card may still say so. Its owner
    overrules that by confirming ``odd`` under the cell's name; "" for what no card can mean.
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


class Unreadable(ValueError):
    """A cell that cannot be read; the reader turns it into a Problem."""

    def __init__(self, cell: str, message: str):
        super().__init__(message)
        self.cell = cell


@dataclass(frozen=True, slots=True)
class Chart:
    """What every chart has: its name in the book, a title, the rule it serves, and whose values it holds.

    ``provenance`` is that of the whole: house as long as one value is ours. ``origins`` holds that of every cell,
    ``confirmed`` the odd values that the owner has found on his card.
    """

    name: str
    title: str
    rule: str
    provenance: str
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, kw_only=True)
    confirmed: frozenset[str] = field(default=frozenset(), repr=False, kw_only=True)
    kind: ClassVar[str] = ""

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Chart":
        """A chart with the name, title, rule and provenance of ``head`` and its values. Raises Unreadable."""
        raise NotImplementedError

    def named_values(self) -> dict[str, Any]:
        """Every value by the name of its cell; None where it is blank."""
        raise NotImplementedError

    def problems(self) -> Iterable[Problem]:
        """What is wrong with the values as they stand."""
        return ()

    def _problem(self, cell: object, message: str) -> Problem:
        return Problem(self.name, str(cell), message)


def _ordered(head: Mapping[str, str]) -> tuple[str, str, str, str]:
    """What every chart begins with, in the order of its fields."""
    return head["name"], head["title"], head["rule"], head["provenance"]


@dataclass(frozen=True, slots=True)
class Numbers(Chart):
    """Single values by name, or by a whole number such as a caliber."""

    values: Mapping[str, int | None]
    kind: ClassVar[str] = "numbers"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Numbers":
        values = raw.get("values", {})
        if not isinstance(values, Mapping):
            raise Unreadable("values", "should be a table of names and whole numbers")
        return cls(*_ordered(head), values={str(key): whole(value, str(key)) for key, value in values.items()})

    def named_values(self) -> dict[str, Any]:
        return dict(self.values)

    def get(self, key: str) -> int:
        """The value of ``key``. Raises MissingChart when it is absent or blank."""
        value = self.values.get(key)
        if value is None:
            raise MissingChart(self.title, key)
        return value

    def floor_row(self, size: int) -> str:
        """The highest row not above ``size`` (calibers round down). Raises MissingChart below the first."""
        rows = [int(key) for key in self.values if is_digits(key) and int(key) <= size]
        if not rows:
            raise MissingChart(self.title, f"for {size}")
        return str(max(rows))


@dataclass(frozen=True, slots=True)
class Band:
    """Die faces from ``low`` to ``high`` and what they mean; None is a blank cell."""

    low: int
    high: int
    value: str | None

    def __str__(self) -> str:
        return f"{self.low}-{self.high}" if self.low != self.high else str(self.low)


@dataclass(frozen=True, slots=True)
class Bands(Chart):
    """Ranges of a die (or of a distance) with one meaning each, in order."""

    sides: int
    bands: tuple[Band, ...]
    kind: ClassVar[str] = "bands"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Bands":
        sides, rows = whole(raw.get("sides"), "sides") or 0, raw.get("bands", [])
        if not isinstance(rows, Sequence) or isinstance(rows, str):
            raise Unreadable("bands", "should be a list of pairs such as ['1-7', 'redeploys']")
        return cls(*_ordered(head), sides=sides, bands=tuple(read_band(row) for row in rows))

    def named_values(self) -> dict[str, Any]:
        return {str(band): band.value for band in self.bands}

    def look_up(self, total: int) -> str:
        """What a total means. A total outside the table counts as the nearest face, for look-up only."""
        face = min(max(total, 1), self.sides)
        for band in self.bands:
            if band.low <= face <= band.high:
                if band.value is None:
                    raise MissingChart(self.title, str(band))
                return band.value
        raise MissingChart(self.title, str(face))

    def problems(self) -> Iterable[Problem]:
        if not self.bands:
            yield self._problem("bands", f"no band covers 1 to {self.sides}")
            return
        if self.bands[0].low != 1:
            yield self._problem(self.bands[0], "the first band should begin at 1")
        for before, after in pairwise(self.bands):
            if after.low <= before.high:
                yield self._problem(after, f"overlaps {before}")
            elif after.low != before.high + 1:
                yield self._problem(after, f"leaves a gap after {before}")
        if self.bands[-1].high != self.sides:
            yield self._problem(self.bands[-1], f"the last band should end at {self.sides}")


@dataclass(frozen=True, slots=True)
class Grid(Chart):
    """Results by column: each cell is the highest modified d100 that still gives its row or a row above.

    Rows run from the most severe result down; a column is read from the top, and the first cell
    not below the total is the result. Above the last cell there is no effect. 0 means never.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: Mapping[tuple[str, str], int | None] = field(repr=False)
    sides: int = 100
    kind: ClassVar[str] = "grid"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Grid":
        columns, rows, texts = read_table(raw)
        cells = {key: whole(text, ", ".join(key)) for key, text in texts.items()}
        return cls(*_ordered(head), columns=columns, rows=rows, cells=cells)

    def named_values(self) -> dict[str, Any]:
        return {", ".join(key): value for key, value in self.cells.items()}

    def look_up(self, total: int, column: str) -> str:
        """The result's row name, "" for no effect. Totals clamp to the table, for look-up only."""
        face = min(max(total, 1), self.sides)
        for row in self.rows:
            if face <= self.cell(row, column):
                return row
        return ""

    def cell(self, row: str, column: str) -> int:
        """One cell. Raises MissingChart when it is blank or outside the grid."""
        value = self.cells.get((row, column))
        if value is None:
            raise MissingChart(self.title, f"{row}, column {column}")
        return value

    def column(self, column: str) -> dict[str, int | None]:
        """A column's cells by row, most severe first."""
        return {row: self.cells[row, column] for row in self.rows}

    def reachable(self, column: str) -> tuple[str, ...]:
        """The rows that some total really scores in a column, most severe first."""
        highest, found = 0, []
        for row in self.rows:
            if self.cell(row, column) > highest:
                highest = self.cell(row, column)
                found.append(row)
        return tuple(found)

    def floor_column(self, size: int) -> str:
        """For numbered columns: the highest one not above ``size``. Raises MissingChart below the first."""
        fitting = [column for column in self.columns if is_digits(column) and int(column) <= size]
        if not fitting:
            raise MissingChart(self.title, f"column {size}")
        return max(fitting, key=int)

    def problems(self) -> Iterable[Problem]:
        for (row, column), value in self.cells.items():
            if value is not None and not 0 <= value <= self.sides:
                yield self._problem(f"{row}, {column}", f"should lie between 0 and {self.sides}")
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
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Matrix":
        columns, rows, texts = read_table(raw)
        cells = {key: None if text in BLANKS else text for key, text in texts.items()}
        return cls(*_ordered(head), columns=columns, rows=rows, cells=cells)

    def named_values(self) -> dict[str, Any]:
        return {", ".join(key): value for key, value in self.cells.items()}

    def cell(self, row: str, column: str) -> str:
        """One cell. Raises MissingChart when it is blank or outside the matrix."""
        value = self.cells.get((row, column))
        if value is None:
            raise MissingChart(self.title, f"{row}, {column}")
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """A modifier that players pick by name."""

    key: str
    name: str
    value: int | None
    rule: str
    provenance: str


@dataclass(frozen=True, slots=True)
class Choices(Chart):
    """Named modifiers, each with its own provenance, since a card mixes text and house values."""

    items: Mapping[str, Choice]
    kind: ClassVar[str] = "choices"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "Choices":
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
            items[key] = Choice(
                key,
                str(entry.get("name", key))[:60],
                whole(entry.get("value"), key),
                str(entry.get("rule", head["rule"])),
                provenance,
            )
        return cls(*_ordered(head), items=items)

    def named_values(self) -> dict[str, Any]:
        return {key: item.value for key, item in self.items.items()}

    def get(self, key: str) -> Choice:
        """The choice of that key. Raises MissingChart when it is absent or its value blank."""
        choice = self.items.get(key)
        if choice is None or choice.value is None:
            raise MissingChart(self.title, choice.name if choice else key)
        return choice


MAP_VALUES = ("first_column", "last_column", "first_number", "last_number", "low_columns")


@dataclass(frozen=True, slots=True)
class MapChart(Chart):
    """The map's lettering and which columns sit low."""

    hexes: HexMap
    kind: ClassVar[str] = "map"

    @classmethod
    def read(cls, head: Mapping[str, str], raw: Mapping[str, Any]) -> "MapChart":
        first, last = str(raw.get("first_column", "")), str(raw.get("last_column", ""))
        low, high = whole(raw.get("first_number"), "first_number"), whole(raw.get("last_number"), "last_number")
        if not (re.fullmatch("[A-Z]", first) and re.fullmatch("[A-Z]", last) and first <= last):
            raise Unreadable("columns", "should be letters from A to Z, the first not after the last")
        if low is None or high is None or not 0 <= low <= high <= 999:
            raise Unreadable("numbers", "should be whole numbers, the first not above the last")
        if raw.get("low_columns") not in ("even", "odd"):
            raise Unreadable("low_columns", "should be even (B, D, F …) or odd (A, C, E …)")
        return cls(*_ordered(head), hexes=HexMap(first, last, low, high, raw["low_columns"]))

    def named_values(self) -> dict[str, Any]:
        return {name: getattr(self.hexes, name) for name in MAP_VALUES}


# What a game demands of a chart of one shape.
Constraint = Callable[[Any], Iterable[Problem]]
KINDS: dict[str, type[Chart]] = {kind.kind: kind for kind in (Numbers, Bands, Grid, Matrix, Choices, MapChart)}


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """What a game asks of one chart: its shape, the meanings it may hold, and its own constraints.

    ``keys``: the numbers or choices that it must have; ``optional``: numbers that an older book may lack, which are
    then blank. ``sides``: those of the die that bands are read with, None for any number.
    """

    name: str
    shape: type[Chart]
    codes: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    constraints: tuple[Constraint, ...] = ()
    sides: int | None = None
    optional: tuple[str, ...] = ()

    def problems(self, chart: Chart) -> Iterable[Problem]:
        """Everything in which a chart of the right shape breaks this spec; blank cells are no problem."""
        yield from chart.problems()
        if isinstance(chart, Bands) and self.sides not in (None, chart.sides):
            yield Problem(chart.name, "sides", f"should be {self.sides}")
        if isinstance(chart, Bands) and self.codes:
            unknown = [band for band in chart.bands if band.value is not None and band.value not in self.codes]
            for band in unknown:
                yield Problem(chart.name, str(band), f"“{band.value}” is no result of this chart")
        if isinstance(chart, Matrix) and self.codes:
            for key, word in chart.cells.items():
                if word is not None and word not in self.codes:
                    yield Problem(chart.name, ", ".join(key), f"“{word}” is no result of this chart")
        if isinstance(chart, Grid) and self.codes:
            for row in chart.rows:
                if row not in self.codes:
                    yield Problem(chart.name, row, "is no result of this chart")
        held = getattr(chart, "values", None) or getattr(chart, "items", None) or {}
        for name in sorted(self.keys - set(held)):
            yield Problem(chart.name, name, "is missing")
        for constraint in self.constraints:
            yield from constraint(chart)


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A complete set of charts for one game, ready to be asked. A book equals only itself."""

    name: str
    charts: Mapping[str, Chart]

    def __getitem__(self, name: str) -> Any:
        if name not in self.charts:
            raise MissingChart(name)
        return self.charts[name]


def read_book(data: Mapping[str, Any], specs: Iterable[ChartSpec]) -> tuple[Book, list[Problem]]:
    """Read plain values into a Book and list every problem found on the way.

    Charts that cannot be read at all are left out of the book.
    """
    tables = data.get("charts")
    tables = tables if isinstance(tables, Mapping) else {}
    charts: dict[str, Chart] = {}
    problems: list[Problem] = []
    known = {spec.name: spec for spec in specs}
    problems += [Problem(str(name)[:40], "", "is no chart of this game") for name in tables if name not in known]
    for name, spec in known.items():
        if name not in tables:
            problems.append(Problem(name, "", "is missing"))
            continue
        try:
            chart = charts[name] = read_chart(name, tables[name], spec)
        except Unreadable as flaw:
            problems.append(Problem(name, flaw.cell, str(flaw)))
        else:
            problems += [problem for problem in spec.problems(chart) if not is_confirmed(problem, chart)]
    return Book(str(data.get("name", ""))[:80], charts), problems


def read_chart(name: str, raw: Any, spec: ChartSpec) -> Chart:
    """Read one chart's plain values. Raises Unreadable."""
    if not isinstance(raw, Mapping):
        raise Unreadable("", "should be a table")
    if raw.get("kind") != spec.shape.kind:
        raise Unreadable("kind", f"should be {spec.shape.kind}")
    if raw.get("provenance") not in PROVENANCES:
        raise Unreadable("provenance", f"should be one of {', '.join(PROVENANCES)}")
    head = {"name": name, "title": str(raw.get("title", name))[:80], "rule": str(raw.get("rule", ""))[:80]}
    chart = spec.shape.read({**head, "provenance": raw["provenance"]}, raw)
    origins, confirmed = read_origins(raw, chart), frozenset(read_names(raw, "confirmed"))
    values = chart.named_values()
    missing = [key for key in spec.optional if key not in values]
    if missing and isinstance(chart, Numbers):
        chart = replace(chart, values={**chart.values, **dict.fromkeys(missing)})
        origins |= dict.fromkeys(missing, "house")
    # A blank cell is nobody's value.
    claimed = {origin for cell, origin in origins.items() if values.get(cell) is not None}
    weakest = next((one for one in MODESTY if one in claimed), chart.provenance)
    return replace(chart, provenance=weakest, origins=origins, confirmed=confirmed)


def is_confirmed(problem: Problem, chart: Chart) -> bool:
    """Whether the owner has found on his card what the game's sense speaks against."""
    return bool(problem.odd) and problem.confirmation in chart.confirmed


def read_origins(raw: Mapping[str, Any], chart: Chart) -> dict[str, str]:
    """The provenance of every cell: the chart's own, unless the cell stands in a list named after another.

    Raises Unreadable.
    """
    if isinstance(chart, Choices):
        return {key: item.provenance for key, item in chart.items.items()}
    origins, named = dict.fromkeys(chart.named_values(), chart.provenance), set()
    for provenance in PROVENANCES:
        for cell in read_names(raw, provenance):
            if cell not in origins or cell in named:
                raise Unreadable(cell[:40], f"is named as {provenance}, but is not here, or is named twice")
            named.add(cell)
            origins[cell] = provenance
    return origins


def read_names(raw: Mapping[str, Any], key: str) -> list[str]:
    """A list of names of cells, which may be absent. Raises Unreadable."""
    names = raw.get(key, [])
    if isinstance(names, list) and len(names) <= _MAX_CELLS and all(map(_is_name, names)):
        return names
    raise Unreadable(key, "should be a list of names of cells")


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= _LONGEST_NAME


def read_table(raw: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...], dict[tuple[str, str], str]]:
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


def read_band(row: Any) -> Band:
    """Read a pair such as ["6-10", "eliminated"] or ["8", ""]; "00" is 100. Raises Unreadable."""
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 2:
        raise Unreadable("bands", "every band is a pair: faces, meaning")
    faces, value = (str(part).strip() for part in row)
    match = _BAND.fullmatch(faces)
    if not match:
        raise Unreadable(faces[:12], "faces should look like 8 or 1-7")
    low, high = (100 if text == "00" else int(text) for text in (match[1], match[2] or match[1]))
    if low > high:
        raise Unreadable(faces, "runs backwards")
    return Band(low, high, None if value in BLANKS else value)


def is_digits(text: str) -> bool:
    """Whether a text is nothing but the digits 0 to 9: "²" is a digit to Python, and no number."""
    return text.isascii() and text.isdigit()


def whole(value: Any, cell: str) -> int | None:
    """Read a whole number; a blank is None. Raises Unreadable."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 100_000:
        return value
    text = str(value).strip() if isinstance(value, str) else "no"
    if text in BLANKS:
        return None
    if re.fullmatch(r"-?\d{1,5}", text, re.ASCII):
        return int(text)
    raise Unreadable(cell, f"“{str(value)[:20]}” is no whole number")
