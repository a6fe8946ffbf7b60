"""Sheets: what is printed on a game's counters, board and cards, as owners type it off them.

A game declares each of its sheets once: units, Areas, hexes, cards. Reading and keeping them is the frame's business.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from firefight.engine.charts.records import BLANK, Column, RecordsLayout, SheetRow
from firefight.engine.charts.tables import BadSheet, Limits, parse_block, read_block
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

Kinds = Mapping[str, Values]  # by side and key
Build = Callable[[Values], tuple[str, Any]]  # the side and the kind of counter that a row describes
OF_UNITS = Limits(rows=80, columns=24, cells=1_600, text=8_000, cell=60)
OF_CONTENT = Limits(rows=150, columns=20, cells=2_400, text=12_000, cell=60)
MOST_ROWS_NAMED = 5  # of those that lack the same column


@dataclass(frozen=True, slots=True)
class SheetRead:
    """A sheet that was read: its ``rows``, its ``text`` as it is kept, and what is wrong with it.

    ``kinds``: of a sheet of units what its rows are, by side and key.
    """

    rows: Sequence[Values] = ()
    text: str = ""
    problems: tuple[str, ...] = ()
    kinds: Kinds = field(default_factory=dict)

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        return frozenset((side, key) for side, kinds in self.kinds.items() for key in kinds)


@dataclass(frozen=True, slots=True, eq=False)
class ContentSheet:
    """A sheet of a game. ``slug``: the key under which its texts and rows are kept; ``title``: what players call it.

    ``columns``: each with how its cells are read, what they may be, and what else it is called. ``needed``: those that
    no row leaves blank; ``unique``: those whose values no two rows share, and which name a row where something is wrong
    with it. ``hint``: what is typed in it, in a few sentences. ``limits``: how large it may be.

    ``build``: for a sheet of units, the side and the kind of counter that the values of a row describe; a kind has at
    least what GalleryKind asks for. It raises BadInput, with reasons by the columns' names. A match has any number of
    sheets of units, each with a name of its own, but only one of any other sheet.
    """

    slug: str
    title: str
    columns: tuple[Column, ...]
    needed: tuple[str, ...] = ()
    unique: tuple[str, ...] = ()
    hint: str = ""
    limits: Limits = OF_CONTENT
    build: Build | None = None

    def read(self, text: str) -> SheetRead:
        """A pasted text, row by row under the columns' titles, or without titles in their order."""
        return _read(self, text)

    def write(self, rows: Sequence[Values]) -> str:
        """Rows as a match keeps them and as they are copied out."""
        return write_rows(self.columns, rows)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


def declare_units(columns: tuple[Column, ...], build: Build, hint: str = "") -> ContentSheet:
    """The sheet on which owners type units off their counters. ``hint``: what a row looks like."""
    return ContentSheet("units", "Units", columns, hint=hint, limits=OF_UNITS, build=build)


@dataclass(frozen=True, slots=True)
class RowFlaw:
    """Something wrong in a row: the column by its name, "" for none in particular, and why."""

    row: SheetRow
    name: str
    message: str


def find_row_flaws(sheet: ContentSheet, rows: Sequence[SheetRow], kinds: dict[str, Json]) -> Iterator[RowFlaw]:
    """What is wrong with rows whose cells could be read; ``kinds`` is filled with those of a sheet of units."""
    yield from (RowFlaw(row, name, BLANK) for name in sheet.needed for row in rows if row.get(name) is None)
    yield from _find_twins(sheet, rows)
    if sheet.build:
        yield from _build_kinds(sheet.build, rows, kinds)


def _find_twins(sheet: ContentSheet, rows: Sequence[SheetRow]) -> Iterator[RowFlaw]:
    keys: set[tuple[object, ...]] = set()
    for row in rows if sheet.unique else ():
        words = tuple(row.get(name) for name in sheet.unique)
        if words in keys:
            yield RowFlaw(row, "", f"there is another {' '.join(map(str, words))} on this sheet.")
        keys.add(words)


def _build_kinds(build: Build, rows: Sequence[SheetRow], kinds: dict[str, Json]) -> Iterator[RowFlaw]:
    for row in rows:
        try:
            side, kind = build(row.values)
        except BadInput as error:
            yield from (RowFlaw(row, name, why) for name, why in error.problems.items())
            continue
        if kind.key in kinds.setdefault(side, {}):
            yield RowFlaw(row, "", f"there is another {kind.name} on this sheet.")
        kinds[side][kind.key] = kind


@lru_cache(maxsize=400)
def _read(sheet: ContentSheet, text: str) -> SheetRead:
    """Remembered: a match reads its sheets at every request."""
    rows, problems = read_sheet_rows(sheet.columns, sheet.limits, text, sheet.unique)
    kinds: dict[str, Json] = {}
    if not problems:
        problems = list(_tell_flaws(sheet, list(find_row_flaws(sheet, rows, kinds))))
    values = [row.values for row in rows]
    return SheetRead(values, sheet.write(values) if rows else "", tuple(problems), kinds)


def _tell_flaws(sheet: ContentSheet, flaws: Sequence[RowFlaw]) -> Iterator[str]:
    """Flaws in sentences; what several rows lack is told a column at a time."""
    titles = {column.name: column.title for column in sheet.columns}
    for name in sheet.needed:
        blank = [call_row(flaw.row, sheet.unique) for flaw in flaws if flaw.name == name and flaw.message == BLANK]
        if len(blank) > 1:
            more = len(blank) - MOST_ROWS_NAMED
            rest = f" and {more} more" if more > 0 else ""
            yield f"{titles[name]} {BLANK[:-1]}, and is blank: {', '.join(blank[:MOST_ROWS_NAMED])}{rest}."
        else:
            yield from (f"{row}, {titles[name]}: {BLANK}" for row in blank)
    for flaw in flaws:
        if not (flaw.name in sheet.needed and flaw.message == BLANK):
            column = f", {titles.get(flaw.name, flaw.name)}" if flaw.name else ""
            yield f"Row {flaw.row.number}{column}: {flaw.message}"


def read_sheet_rows(
    columns: Sequence[Column], limits: Limits, text: str, names: Sequence[str] = ()
) -> tuple[list[SheetRow], list[str]]:
    """The rows of a pasted text, and what is wrong with it: "Row 7, count: ...".

    ``names``: the columns that name a row besides its number.
    """
    layout = RecordsLayout(columns)
    try:
        laid = read_block(layout.fit(parse_block(text, len(columns), limits)), limits)
    except BadSheet as error:
        return [], [str(error)]
    rows, flaws = layout.read_records(laid)
    called = {row.number: call_row(row, names) for row in rows}
    problems = ((flaw.place, flaw.message) for flaw in flaws if flaw.place)
    return rows, [f"{called[place[0]]}, {laid.head[place[1]]}: {message}." for place, message in problems]


def call_row(row: SheetRow, names: Sequence[str]) -> str:
    """What players find a row by: "Row 41 (german 94th Infantry)"."""
    words = " ".join(str(row.get(name)) for name in names if row.get(name) is not None)
    return f"Row {row.number}" if words in ("", str(row.number)) else f"Row {row.number} ({words})"


def write_rows(columns: Sequence[Column], rows: Iterable[Values]) -> str:
    """Rows as they are kept and copied out: tabs between their cells, the titles above."""
    write = RecordsLayout.write
    lines = ("\t".join(write(column, row.get(column.name)) for column in columns).rstrip("\t") for row in rows)
    return "\n".join(("\t".join(column.title for column in columns), *lines))
