"""Charts as sheets that an owner types into, and back: one layout for each kind of chart.

A sheet may be incomplete or wrong in any way: it is read as far as possible, and every unreadable cell is noted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from firefight.engine.values import Json

from .cells import BLANKS, Totals
from .kinds import MAP_VALUES, PROVENANCES, Bands, Chart, Choices, Grid, Lookup, MapChart, Matrix, Numbers
from .notation import DASHES, code_of, fold_word, name_of, read_faces, read_number, totals_of, word_of
from .spec import ChartSpec
from .tables import (
    LONGEST_CELL,
    MOST_ROWS,
    OF_A_CHART,
    BadSheet,
    Block,
    Limits,
    Place,
    Sheet,
    clean_text,
    lay_block,
    read_block,
    turn_block,
)

NEVER = ("never", "none", *DASHES)
NO_EFFECT = ("no effect", "no_effect", "ne", "none", *DASHES)


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong in a sheet: the cell's name and place (None for the whole), and why.

    ``overrule``: "card" where the owner may answer that their card says so, "rule" where they may answer that it is a
    house rule of theirs; "" where neither would help.
    """

    place: Place | None
    cell: str
    message: str
    overrule: str = ""
    confirmation: str = ""

    @property
    def key(self) -> str:
        """What a form sends to overrule this very flaw, and no later one of the same cell."""
        return f"{self.overrule}:{self.confirmation}"


@dataclass(slots=True)
class Reading:
    """A sheet on its way to plain values: what its cells are called, and what could not be read."""

    values: Json = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    faces: dict[str, Place] = field(default_factory=dict)
    cells: dict[str, Place] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)

    def flaw(self, place: Place, message: str) -> None:
        """Note what is wrong with one cell."""
        self.flaws.append(Flaw(place, "", message))

    def place_of(self, cell: str) -> Place | None:
        """Where the cell of that name stands: a value, or the name of a row or column."""
        return self.cells.get(cell) or self.places.get(cell)


# Layouts


class Layout:
    """How a kind of chart lies on a sheet. ``head``: the names of its columns; none where the sheet has its own."""

    head: tuple[str, ...] = ()
    values: tuple[int, ...] = (1,)  # the columns that hold values, of a fixed head
    keys: tuple[str, ...] = ()  # what a file holds besides title, rule, kind and provenance
    grows = True
    limits: Limits = OF_A_CHART

    def is_locked(self, place: Place) -> bool:
        """Whether a cell keeps its text: the names of columns where every chart of the kind has the same."""
        return not place[0]

    def columns_of_digits(self, width: int) -> range | tuple[int, ...]:
        """The columns that take only digits, so that a phone shows its number keyboard."""
        return ()

    def sheet(self, chart: Any) -> Sheet:
        """A chart as a sheet, each value marked with its provenance."""
        rows, marks = [], []
        for cell, row in self.rows(chart):
            letter = chart.origins[cell][0]
            rows.append(row)
            marks.append("".join(letter if place in self.values else "." for place in range(len(row))))
        return Sheet(self.head, tuple(rows), tuple(marks))

    def rows(self, chart: Any) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Each row of a chart with a fixed head, by the name of its value."""
        raise NotImplementedError

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        """The plain values of a sheet, as far as they can be read."""
        raise NotImplementedError

    def is_head(self, row: tuple[str, ...]) -> bool:
        """Whether a pasted row names the columns."""
        return fold_word(row[0]) == fold_word(self.head[0])

    def is_whole(self, block: Block, at: Place) -> bool:
        """Whether a block pasted at this place is meant to replace the chart."""
        return len(block[0]) > 1 and (at == (1, 0) or self.is_head(block[0]))

    def fit(self, block: Block, spec: ChartSpec) -> Block:
        """A pasted block in the shape of the whole chart, the head first; one that lies across is turned."""
        width = len(self.head)
        if len(block) == width < len(block[0]):
            block = turn_block(block)
        body = block[1:] if self.is_head(block[0]) else block
        return (self.head, *(tuple((*row, *[""] * width)[:width]) for row in body))

    def paste(self, sheet: Sheet, spec: Any, block: Block, at: Place | None) -> Sheet:
        """Paste a block at a place, or instead of the whole chart where that is meant (``at`` None). Raises BadSheet.

        Whatever is pasted counts as typed by the owner.
        """
        if at is None or self.is_whole(block, at):
            return read_block(self.fit(block, spec), self.limits)
        if self.head:
            if at[1] >= len(self.head):
                raise BadSheet("That cell is not on the sheet any more.")
            block = tuple(row[: len(self.head) - at[1]] for row in block)
            at = (max(at[0], 1), at[1])
        return lay_block(sheet, block, at)


class NumbersLayout(Layout):
    """Names and their numbers."""

    keys = ("values", *PROVENANCES)
    head = ("name", "value")

    def columns_of_digits(self, width: int) -> range | tuple[int, ...]:
        return (1,)

    def is_head(self, row: tuple[str, ...]) -> bool:
        return super().is_head(row) or (len(row) > 1 and is_word(row[1]))

    def rows(self, chart: Numbers) -> Iterable[tuple[str, tuple[str, ...]]]:
        return ((key, (chart.names.get(key, word_of(key)), word_of(value))) for key, value in chart.values.items())

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        reading, values = Reading(), {}
        for number, (name, text) in enumerate(sheet.rows, 1):
            key = spec.key_of(name) or number_key(name)
            if not key:
                if text:
                    reading.flaw((number, 0), "a name is missing")
                continue
            if key in values:
                reading.flaw((number, 0), "stands here twice")
                continue
            values[key] = number_at(reading, (number, 1), text)
            reading.cells[key] = (number, 1)
        reading.values = {"values": values}
        return reading


def number_key(name: str) -> str:
    """What rules call a number by the name on a sheet."""
    return re.sub(r"\s+", "_", re.sub(r"^(\d+)\s*mm$", r"\1", name.casefold().strip()))


def complete_sheet(sheet: Sheet, spec: ChartSpec) -> Sheet:
    """A sheet with a blank row for each number that it lacks and that a book need not have."""
    keys_present = {spec.key_of(row[0]) or number_key(row[0]) for row in sheet.rows}
    missing = [key for key in spec.optional if key not in keys_present]
    if not missing or len(sheet.rows) + len(missing) > MOST_ROWS:
        return sheet
    rows = tuple((word_of(key), "") for key in missing)
    return Sheet(sheet.head, (*sheet.rows, *rows), (*sheet.marks, *(".h" for _ in missing)))


class BandsLayout(Layout):
    """Bands of faces and what they mean."""

    keys = ("sides", "lowest", "bands", *PROVENANCES)
    head = ("faces", "result")

    def is_head(self, row: tuple[str, ...]) -> bool:
        return super().is_head(row) or is_word(row[0])

    def rows(self, chart: Bands) -> Iterable[tuple[str, tuple[str, ...]]]:
        return ((str(band), (str(band), chart.names.get(str(band.value), word_of(band.value)))) for band in chart.bands)

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        reading, bands, highest = Reading(), [], 0
        lowest = 1 if spec.lowest is None else spec.lowest
        for number, (faces, text) in enumerate(sheet.rows, 1):
            if not faces and not text:
                continue
            try:
                low, high = read_faces(faces, spec.sides, lowest)
            except ValueError as error:
                reading.flaw((number, 0), str(error) if faces else "which faces? Write 7, 1-5, ≤5 or 96+")
                continue
            low, highest = high if low is None else low, max(highest, high)
            name = str(Totals(low, high))
            bands.append([name, "" if text in BLANKS else spec.key_of(text) or code_of(text, spec.codes)])
            reading.faces.setdefault(name, (number, 0))
            reading.cells.setdefault(name, (number, 1))
        reading.values = {"sides": spec.sides or highest, **_lowest_of(spec), "bands": bands}
        return reading


def _lowest_of(spec: ChartSpec) -> dict[str, int]:
    """What plain values say about the lowest total: nothing where that is 1."""
    return {} if spec.lowest in (None, 1) else {"lowest": spec.lowest or 0}


class TableLayout(Layout):
    """A table with names of its own for rows and columns: highest rolls, words, or words by bands of totals."""

    keys = ("grid", "sides", "lowest", *PROVENANCES)

    def is_locked(self, place: Place) -> bool:
        return place == (0, 0)

    def sheet(self, chart: Any) -> Sheet:
        rows = [(word_of(row), *(word_of(chart.cells[row, column]) for column in chart.columns)) for row in chart.rows]
        letters = [
            "." + "".join(chart.origins[f"{row}, {column}"][0] for column in chart.columns) for row in chart.rows
        ]
        return Sheet(("", *map(word_of, chart.columns)), tuple(rows), tuple(letters))

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        reading = Reading()
        columns = self.names(reading, [((0, place), text) for place, text in enumerate(sheet.head)][1:], (), spec)
        listed = [
            (number, row)
            for number, row in enumerate(sheet.rows, 1)
            if any(row) and not (spec.shape is Grid and row[0].casefold() in NO_EFFECT and row[0])
        ]
        rows = self.names(reading, [((number, 0), row[0]) for number, row in listed], spec.codes, spec)
        texts = {(number, place): text for number, row in listed for place, text in enumerate(row[1:], 1)}
        for (number, _), row in zip(listed, rows, strict=True):
            reading.cells |= {f"{row}, {column}": (number, place) for place, column in enumerate(columns, 1)}
        tokens = self.tokens(reading, texts, [number for number, _ in listed], len(columns), spec)
        lines = [["by", *columns]]
        lines += [
            [row, *(tokens[number, place] for place in range(1, len(columns) + 1))]
            for (number, _), row in zip(listed, rows, strict=True)
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        laid = ["  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines]
        reading.values = {"grid": "\n".join(laid) + "\n"}
        if spec.shape is Grid:
            reading.values |= {} if spec.sides in (None, 100) else {"sides": spec.sides}
            reading.values |= _lowest_of(spec)
        return reading

    def names(
        self, reading: Reading, listed: list[tuple[Place, str]], codes: Iterable[str], spec: ChartSpec
    ) -> list[str]:
        """The names of rows or columns; a missing or repeated one is a flaw and gets a stand-in."""
        names: list[str] = []
        for place, text in listed:
            name = totals_of(text) if spec.shape is Lookup else name_of(text, codes)
            if not name or name in names:
                reading.flaw(place, "stands here twice" if name else "a name is missing")
                name = f"({len(names) + 1})"
            names.append(name)
            # A band of totals may name a row and a column.
            reading.places.setdefault(name, place)
            reading.places.setdefault(f"{'row' if place[0] else 'column'} {name}", place)
        return names

    def tokens(
        self, reading: Reading, texts: Mapping[Place, str], numbers: Sequence[int], width: int, spec: ChartSpec
    ) -> dict[Place, str]:
        """Each cell as it stands in the plain values."""
        if issubclass(spec.shape, Matrix):
            return {
                place: "?" if text in BLANKS else re.sub(r"\s", "_", code_of(text, spec.codes))
                for place, text in texts.items()
            }
        tokens = {}
        for column in range(1, width + 1):
            top = (1 if spec.lowest is None else spec.lowest) - 1
            for number in numbers:
                place = (number, column)
                highest = self.highest(reading, place, texts[place], top, spec)
                tokens[place] = "?" if highest is None else str(highest)
                top = top if highest is None else max(top, highest)
        return tokens

    def highest(self, reading: Reading, place: Place, text: str, top: int, spec: ChartSpec) -> int | None:
        """The highest roll of a cell, which may give it as a band or say that there is none; ``top``: that above it."""
        if text in BLANKS:
            return None
        if text.casefold() in NEVER:
            return top
        try:
            low, high = read_faces(text, spec.sides or 100, 1 if spec.lowest is None else spec.lowest)
        except ValueError as error:
            reading.flaw(place, str(error))
            return None
        if low is not None and low <= top:
            reading.flaw(place, f"overlaps the cell above it, which ends at {top}")
        elif low is not None and low > top + 1:
            gap = f"{top + 1} to {low - 1}" if low > top + 2 else str(top + 1)
            reading.flaw(place, f"leaves {gap} to no result")
        return high

    def is_whole(self, block: Block, at: Place) -> bool:
        return len(block[0]) > 1 and (at == (0, 0) or (not block[0][0] and at in ((1, 0), (1, 1))))

    def fit(self, block: Block, spec: ChartSpec) -> Block:
        """The first row and column hold the names; a grid whose results stand across is turned. Raises BadSheet."""
        if len(block) < 2 or len(block[0]) < 2:
            raise BadSheet("A whole table has the names of its columns above, and the names of its rows on the left.")
        if block[0][0] and not block[0][-1] and any(row[-1] for row in block):  # the corner was left out
            block = (("", *block[0][:-1]), *block[1:])
        codes = {fold_word(code) for code in spec.codes}
        across = sum(fold_word(text) in codes for text in block[0][1:])
        if spec.shape is Grid and across > sum(fold_word(row[0]) in codes for row in block[1:]):
            block = turn_block(block)
        return (("", *block[0][1:]), *block[1:])


class GridLayout(TableLayout):
    """A table of highest rolls; 0 is as good as a dash for a result that is never reached."""

    def columns_of_digits(self, width: int) -> range | tuple[int, ...]:
        return range(1, width)


class ChoicesLayout(Layout):
    """Named modifiers: the key that rules know them by, name, value, and the rule that gives them."""

    keys = ("items",)
    head = ("key", "name", "value", "rule")
    names: ClassVar = {name: name for name in head} | {"modifier": "name", "drm": "value", "mod": "value"}
    values = (2,)

    def rows(self, chart: Choices) -> Iterable[tuple[str, tuple[str, ...]]]:
        return ((key, (key, item.name, word_of(item.value), item.rule)) for key, item in chart.items.items())

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        reading, items = Reading(), {}
        for number, (own_key, name, text, rule) in enumerate(sheet.rows, 1):
            if not (own_key or name or text):
                continue
            key = re.sub(r"[^a-z0-9]+", "_", (own_key or name).casefold()).strip("_")[:40]
            if not key or key in items:
                reading.flaw((number, 0 if key else 1), "stands here twice" if key else "a name in letters is missing")
                continue
            value = number_at(reading, (number, 2), text)
            items[key] = {"key": key, "name": name or word_of(key), "value": "" if value is None else value}
            if len(name) > 60:
                reading.flaw((number, 1), "a name has at most 60 characters")
            if rule:
                items[key]["rule"] = rule
            reading.cells[key] = (number, 2)
        reading.values = {"items": list(items.values())}
        return reading

    def is_head(self, row: tuple[str, ...]) -> bool:
        return len(row) > 1 and sum(fold_word(text) in self.names for text in row) > 1

    def fit(self, block: Block, spec: ChartSpec) -> Block:
        """Each column goes where its name says; without names, two are name and value, a third is rule or key."""
        if self.is_head(block[0]):
            heads = [self.names.get(fold_word(text)) for text in block[0]]
            block = block[1:]
        else:
            is_named = len(block[0]) == 2 or (len(block[0]) == 3 and any(is_value(row[1]) for row in block))
            heads = ["name", "value", "rule"] if is_named else [*self.head]
        records = [dict(zip(heads, row, strict=False)) for row in block]
        return (self.head, *(tuple(row.get(name, "") for name in self.head) for row in records))

    def paste(self, sheet: Sheet, spec: ChartSpec, block: Block, at: Place | None) -> Sheet:
        """As in every chart; a modifier pasted without its key keeps the key that its name had before."""
        pasted = super().paste(sheet, spec, block, at)
        keys = {fold_word(name): key for key, name, *_ in sheet.rows if name}
        rows = tuple((key or keys.get(fold_word(name), ""), name, *rest) for key, name, *rest in pasted.rows)
        return replace(pasted, rows=rows)


class MapLayout(Layout):
    """The map's lettering: five values under fixed names."""

    keys = (*MAP_VALUES, *PROVENANCES)
    head = ("name", "value")
    grows = False

    def is_locked(self, place: Place) -> bool:
        return not (place[0] and place[1])

    def rows(self, chart: MapChart) -> Iterable[tuple[str, tuple[str, ...]]]:
        return ((key, (word_of(key), word_of(value))) for key, value in chart.named_values().items())

    def read(self, sheet: Sheet, spec: ChartSpec) -> Reading:
        reading = Reading()
        texts = {name.replace(" ", "_"): (number, text) for number, (name, text) in enumerate(sheet.rows, 1)}
        for name in MAP_VALUES:
            number, text = texts[name]
            reading.cells[name] = place = (number, 1)
            letters = text.upper() if name.endswith("_column") else text.casefold()
            reading.values[name] = number_at(reading, place, text) if name.endswith("_number") else letters
        reading.places |= {"columns": reading.cells["first_column"], "numbers": reading.cells["first_number"]}
        return reading

    def paste(self, sheet: Sheet, spec: ChartSpec, block: Block, at: Place | None) -> Sheet:
        raise BadSheet("The map's five values are typed one by one.")


def is_value(text: str) -> bool:
    """Whether a cell holds a whole number."""
    try:
        return read_number(text) is not None
    except ValueError:
        return False


def is_word(text: str) -> bool:
    """Whether a cell names a column of numbers or faces: letters without any digit, or a die such as d100."""
    plain = text.casefold()
    return bool(re.search("[^\\W\\d_]", plain)) and not re.search(r"\d", re.sub(r"\b1?d\d+\b", "", plain))


LAYOUTS: dict[type[Chart], Layout] = {
    Numbers: NumbersLayout(),
    Bands: BandsLayout(),
    Grid: GridLayout(),
    Matrix: TableLayout(),
    Lookup: TableLayout(),
    Choices: ChoicesLayout(),
    MapChart: MapLayout(),
}


def number_at(reading: Reading, place: Place, text: str) -> int | str:
    """The number in a cell, "" when it is blank or cannot be read, which is noted."""
    try:
        value = read_number(text)
    except ValueError as error:
        reading.flaw(place, str(error))
        return ""
    return "" if value is None else value


def is_line(text: object) -> bool:
    """Whether a title or a rule's number can be shown as it is."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST_CELL and text == clean_text(text)


def sheet_of(chart: Chart) -> Sheet:
    return LAYOUTS[type(chart)].sheet(chart)
