"""Sheets of units: a game says which columns its owners' counters have, and what a row of them is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from firefight.engine.charts.records import Column, RecordsLayout, SheetRow
from firefight.engine.charts.tables import BadSheet, Limits, parse_block, read_block
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

Kinds = Mapping[str, Values]  # by side and key
OF_A_SHEET = Limits(rows=80, columns=24, cells=1_600, text=8_000, cell=60)
LONGEST_KEY = 40


@dataclass(frozen=True, slots=True)
class SheetRead:
    """A sheet that was read: its ``kinds`` by side and key, its ``text`` as it is kept, and what is wrong with it."""

    kinds: Kinds = field(default_factory=dict)
    text: str = ""
    problems: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        """Whose kinds these are, by side and key."""
        return frozenset((side, key) for side, kinds in self.kinds.items() for key in kinds)


@dataclass(frozen=True, slots=True, eq=False)
class UnitSheet:
    """What an owner's sheet of counters looks like in a game.

    ``columns``: each with how its cells are read, what they may be, and what else it is called. ``build``: the side and
    the kind of counter that the values of a row say; a kind has at least what GalleryKind asks for. It raises BadInput,
    whose reasons go by the columns' names. ``limits``: how large one sheet may be.
    """

    columns: tuple[Column, ...]
    build: Callable[[Values], tuple[str, Any]]
    limits: Limits = OF_A_SHEET

    def read(self, text: str) -> SheetRead:
        """A pasted text, a row a unit under the columns' titles, or without titles in their order."""
        return _read(self, text)

    @property
    def titles(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(column.title for column in self.columns)


@lru_cache(maxsize=400)
def _read(sheet: UnitSheet, text: str) -> SheetRead:
    """Remembered: a match reads its sheets at every request."""
    rows, told = read_sheet_rows(sheet.columns, sheet.limits, text)
    titles = {column.name: column.title for column in sheet.columns}
    kinds: dict[str, Json] = {}
    for row in rows if not told else ():
        try:
            side, kind = sheet.build(row.values)
        except BadInput as error:
            told += [f"Row {row.number}, {titles.get(name, name)}: {why}" for name, why in error.problems.items()]
            continue
        if kind.key in kinds.setdefault(side, {}):
            told.append(f"Row {row.number}: there is another {kind.name} on this sheet.")
        kinds[side][kind.key] = kind
    return SheetRead(kinds, write_rows(sheet.columns, [row.values for row in rows]) if rows else "", tuple(told))


def read_sheet_rows(
    columns: Sequence[Column], limits: Limits, text: str, names: Sequence[str] = ()
) -> tuple[list[SheetRow], list[str]]:
    """The rows of a pasted text, and what is wrong with it: "Row 7, count: ...".

    ``names``: the columns by which a row is called besides its number.
    """
    layout = RecordsLayout(columns)
    try:
        laid = read_block(layout.fit(parse_block(text, len(columns), limits)), limits)
    except BadSheet as error:
        return [], [str(error)]
    rows, flaws = layout.read_records(laid)
    called = {row.number: call_row(row, names) for row in rows}
    told = ((flaw.place, flaw.message) for flaw in flaws if flaw.place)
    return rows, [f"{called[place[0]]}, {laid.head[place[1]]}: {message}." for place, message in told]


def call_row(row: SheetRow, names: Sequence[str]) -> str:
    """What players find a row by: "Row 41 (german 94th Infantry)"."""
    words = " ".join(str(row.get(name)) for name in names if row.get(name) is not None)
    return f"Row {row.number}" if words in ("", str(row.number)) else f"Row {row.number} ({words})"


def write_rows(columns: Sequence[Column], rows: Iterable[Values]) -> str:
    """Rows as they are kept and copied out: tabs between their cells, the titles above."""
    write = RecordsLayout.write
    lines = ("\t".join(write(column, row.get(column.name)) for column in columns).rstrip("\t") for row in rows)
    return "\n".join(("\t".join(column.title for column in columns), *lines))
