"""Tables of raw texts under named columns: typed cell by cell, pasted as a block, rows and columns added.

What the texts mean is not known here, so that charts, rosters and cards can all be typed in the same way.
A cell's place is (row, column); row 0 is the head, column 0 usually holds the names of the rows.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict, TypeVar

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 90, 40, 560  # of a chart
MOST_TEXT = 8_000  # characters of all cells
LONGEST_CELL, LONGEST_PASTE = 80, 40_000  # characters
TYPED = "o"  # the mark of a cell that its owner has typed
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_RULED = re.compile(r"[\s|:+=-]*")  # the line under the head of a drawn table

Place = tuple[int, int]
Block = tuple[tuple[str, ...], ...]
T = TypeVar("T")


class BadSheet(ValueError):
    """What was typed or pasted does not fit a sheet; the message says why, for whoever did it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a sheet may be; ``text`` and ``cell`` in characters, of all cells and of one."""

    rows: int = MOST_ROWS
    columns: int = MOST_COLUMNS
    cells: int = MOST_CELLS
    text: int = MOST_TEXT
    cell: int = LONGEST_CELL


OF_A_CHART = Limits()


class PlainSheet(TypedDict):
    """A sheet as plain values, as it is kept."""

    head: list[str]
    rows: list[list[str]]
    marks: list[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A head of column names, rows of texts of the same length, and for each row one mark a cell.

    A mark is the first letter of the cell's provenance: t(ext), h(ouse), o(wner). Raises BadSheet beyond the limits.
    """

    head: tuple[str, ...]
    rows: Block
    marks: tuple[str, ...]
    limits: Limits = field(default=OF_A_CHART, compare=False, repr=False)

    def __post_init__(self) -> None:
        width, most = len(self.head), self.limits
        if not 1 <= width <= most.columns or len(self.rows) > most.rows or width * (len(self.rows) + 1) > most.cells:
            raise BadSheet(f"A table has at most {most.rows} rows, {most.columns} columns and {most.cells} cells.")
        if any(len(row) != width for row in self.rows) or [len(line) for line in self.marks] != [width] * len(
            self.rows
        ):
            raise BadSheet("The rows of a table are all as long as its head.")
        lengths = [len(text) for row in (self.head, *self.rows) for text in row]
        if max(lengths) > most.cell or sum(lengths) > most.text:
            raise BadSheet(f"A cell holds at most {most.cell} characters, a table {most.text:,}.")

    def at(self, place: Place) -> str:
        row, column = place
        return self.rows[row - 1][column] if row else self.head[column]

    def plain(self) -> PlainSheet:
        return {"head": list(self.head), "rows": [list(row) for row in self.rows], "marks": list(self.marks)}


def from_plain(plain: PlainSheet, limits: Limits = OF_A_CHART) -> Sheet:
    return Sheet(tuple(plain["head"]), tuple(map(tuple, plain["rows"])), tuple(plain["marks"]), limits)


def clean_text(text: str) -> str:
    """A cell's text on one line, without what cannot be seen."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def has_controls(text: str) -> bool:
    """Whether a text holds what cannot be seen, other than tabs and the ends of lines."""
    return "\r" in text or bool(_CONTROLS.search(text))


def put_texts(sheet: Sheet, texts: Mapping[Place, str]) -> Sheet:
    """Type texts into cells. Those that change are marked as typed. Raises BadSheet for a cell that is not there."""
    head, rows, marks = list(sheet.head), [list(row) for row in sheet.rows], [list(line) for line in sheet.marks]
    for (row, column), text in texts.items():
        if not (0 <= row <= len(rows) and 0 <= column < len(head)):
            raise BadSheet("That cell is not on the sheet any more.")
        line, cell = rows[row - 1] if row else head, clean_text(text)
        if line[column] == cell:
            continue
        line[column] = cell
        if row:
            marks[row - 1][column] = TYPED
    return Sheet(tuple(head), tuple(map(tuple, rows)), tuple(map("".join, marks)), sheet.limits)


def add_row(sheet: Sheet, after: int) -> Sheet:
    """An empty row below row ``after``; 0 is the head."""
    place = min(max(after, 0), len(sheet.rows))
    rows, marks = list(sheet.rows), list(sheet.marks)
    rows.insert(place, ("",) * len(sheet.head))
    marks.insert(place, TYPED * len(sheet.head))
    return Sheet(sheet.head, tuple(rows), tuple(marks), sheet.limits)


def remove_row(sheet: Sheet, row: int) -> Sheet:
    if not 1 <= row <= len(sheet.rows):
        raise BadSheet("That row is not on the sheet any more.")
    return replace(sheet, rows=_without(sheet.rows, row - 1), marks=_without(sheet.marks, row - 1))


def add_column(sheet: Sheet, after: int) -> Sheet:
    """An empty column behind column ``after``."""
    place = min(max(after, 0), len(sheet.head) - 1) + 1
    rows = tuple((*row[:place], "", *row[place:]) for row in sheet.rows)
    marks = tuple(f"{line[:place]}{TYPED}{line[place:]}" for line in sheet.marks)
    return Sheet((*sheet.head[:place], "", *sheet.head[place:]), rows, marks, sheet.limits)


def remove_column(sheet: Sheet, column: int) -> Sheet:
    """The sheet without a column; the first, which names the rows, stays."""
    if not 1 <= column < len(sheet.head):
        raise BadSheet("That column is not on the sheet any more.")
    rows = tuple(_without(row, column) for row in sheet.rows)
    marks = tuple("".join(_without(line, column)) for line in sheet.marks)
    return Sheet(_without(sheet.head, column), rows, marks, sheet.limits)


def _without(row: Sequence[T], place: int) -> tuple[T, ...]:
    return (*row[:place], *row[place + 1 :])


def read_block(block: Block, limits: Limits = OF_A_CHART) -> Sheet:
    """A sheet out of a pasted block whose first row is the head."""
    return Sheet(block[0], block[1:], tuple(TYPED * len(row) for row in block[1:]), limits)


def lay_block(sheet: Sheet, block: Block, at: Place) -> Sheet:
    """Lay a block over the sheet, its first cell at a place; the sheet grows where the block is larger.

    Every cell of the block counts as typed, even if the same stood there before. A row of the block that falls on
    the head renames columns.
    """
    top, first_column = at
    while len(sheet.head) < first_column + len(block[0]):
        sheet = add_column(sheet, len(sheet.head))
    while len(sheet.rows) < top + len(block) - 1:
        sheet = add_row(sheet, len(sheet.rows))
    texts = {(top + y, first_column + x): text for y, row in enumerate(block) for x, text in enumerate(row)}
    sheet = put_texts(sheet, texts)
    marks = [list(line) for line in sheet.marks]
    for row, column in texts:
        if row:
            marks[row - 1][column] = TYPED
    return replace(sheet, marks=tuple(map("".join, marks)))


def own_all(sheet: Sheet) -> Sheet:
    """Mark every cell as typed by the owner."""
    return replace(sheet, marks=tuple(TYPED * len(line) for line in sheet.marks))


def mark_as_house_rule(sheet: Sheet, place: Place) -> Sheet:
    row, column = place
    line = sheet.marks[row - 1]
    marked = f"{line[:column]}h{line[column + 1 :]}"
    return replace(sheet, marks=(*sheet.marks[: row - 1], marked, *sheet.marks[row:]))


def parse_block(text: str, most: int = MOST_COLUMNS, limits: Limits = OF_A_CHART) -> Block:
    """A pasted text as rows of cells, all of one length; blank rows, and blank columns at the end, are dropped.

    Cells are separated by tabs, else by bars, semicolons or commas, else by blanks, which make at most ``most`` cells
    of a line. Raises BadSheet when nothing is left, or too much.

    >>> parse_block("1-5;a\\n6-00;b\\n\\n"), parse_block("1-5  on target\\n6+  lost", 2)
    ((('1-5', 'a'), ('6-00', 'b')), (('1-5', 'on target'), ('6+', 'lost')))
    """
    if len(text) > LONGEST_PASTE:
        raise BadSheet(f"At most {LONGEST_PASTE:,} characters can be pasted at once.")
    text = _CONTROLS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    rows = [[clean_text(cell) for cell in row] for row in _split(text, most)]
    rows = [row for row in rows if any(row)]
    width = max((place for row in rows for place, cell in enumerate(row, 1) if cell), default=0)
    if not rows:
        raise BadSheet("There is nothing in what was pasted.")
    if len(rows) > limits.rows + 1 or width > limits.columns:
        raise BadSheet(f"A table has at most {limits.rows} rows and {limits.columns} columns.")
    return tuple(tuple((row + [""] * width)[:width]) for row in rows)


def _split(text: str, most: int) -> list[list[str]]:
    lines = text.split("\n")
    if "\t" not in text and "|" in text:
        drawn = [line.strip().strip("|") for line in lines if not _RULED.fullmatch(line)]
        return [line.split("|") for line in drawn]
    for sign in "\t;,":
        if sign in text:
            return list(csv.reader([f"{line}\n" for line in lines], delimiter=sign))
    filled = [line.strip() for line in lines if line.strip()]
    spaced = filled and all(re.search(r"\S\s{2,}\S", line) for line in filled)
    rows = [re.split(r"\s{2,}", line) if spaced else line.split(maxsplit=most - 1) for line in filled]
    if len(rows) > 1 and {len(row) for row in rows[1:]} == {len(rows[0]) + 1}:
        rows[0].insert(0, "")  # the corner was left blank
    return rows


SIDE = "side"  # the title of the column that says whose a row is


def name_cell(sheet: Sheet, place: Place | None) -> str:
    """A cell as people point at it: by row and column. Rows of both sides may begin alike, so the side is named too."""
    if place is None:
        return ""
    row, column = place
    columns = [n for n, title in enumerate(sheet.head) if n == 0 or title == SIDE]
    parts = [*(sheet.rows[row - 1][n] for n in columns if row), sheet.head[column]]
    return ", ".join(filter(None, parts)) or (f"row {row}" if row else f"column {column}")


def turn_block(block: Block) -> Block:
    """Rows as columns."""
    return tuple(zip(*block, strict=True))
