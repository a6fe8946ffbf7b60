"""A table that is tapped a row at a time: each value one of a few, and which other rows the row touches.

Rows touch each other, so that both lists are kept true. A list that is blank says nothing; any other is whole.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from firefight.engine.charts.notation import fold_word
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import BadSheet, Place, Sheet, put_texts


@dataclass(frozen=True, slots=True)
class TappedRow:
    """A row as it is tapped: its name, its values by column, the rows that it touches as far as any list says.

    ``is_whole``: its own list says all of them.
    """

    name: str
    values: Mapping[str, str]
    links: frozenset[str]
    is_whole: bool


class TapTable:
    """A sheet as one that is tapped. ``link_sheets``: those of other charts that name links, too."""

    def __init__(self, sheet: Sheet, spec: ChartSpec, link_sheets: Iterable[Sheet] = ()):
        assert spec.tapped is not None
        self.sheet, self.tapped = sheet, spec.tapped
        self.columns = {fold_word(spec.key_of(title) or title): n for n, title in enumerate(sheet.head) if n}
        self.names = [row[0] for row in sheet.rows]
        self.pairs = [*self._list_links(), *(pair for other in link_sheets for pair in _pairs_of(other))]

    def _list_links(self) -> list[tuple[str, str]]:
        column = self.columns.get(self.tapped.links)
        return [(row[0], name) for row in self.sheet.rows if column for name in split_names(row[column])]

    def read_row(self, number: int) -> TappedRow:
        """A row by its number, from 1. Raises BadSheet."""
        if not 1 <= number <= len(self.names):
            raise BadSheet("That row is not on the sheet any more.")
        row, own_name = self.sheet.rows[number - 1], fold_word(self.names[number - 1])
        near = {fold_word(pair[end]) for pair in self.pairs for end in (0, 1) if fold_word(pair[1 - end]) == own_name}
        values = {name: row[self.columns[name]] for name in self.tapped.choices if name in self.columns}
        column = self.columns.get(self.tapped.links)
        links = frozenset(name for name in self.names if fold_word(name) in near)
        return TappedRow(row[0], values, links, bool(column and row[column]))

    def list_whole(self) -> list[int]:
        """The rows by number whose list says all that they touch."""
        column = self.columns.get(self.tapped.links)
        return [number for number, row in enumerate(self.sheet.rows, 1) if column and row[column]]

    def tap(self, number: int, values: Mapping[str, str], links: Iterable[str], is_whole: bool) -> Sheet:
        """The sheet with a row as it was tapped; what touches it says so, too, where it has a list. Raises BadSheet.

        ``is_whole``: nothing else touches it. Its list is left alone where it was blank and nothing was tapped in it.
        """
        before, touched = self.read_row(number), {*links}
        allowed = {name: (*self.tapped.choices[name], before.values.get(name), "") for name in values}
        if refused := [text for name, text in values.items() if text not in allowed[name] or name not in self.columns]:
            raise BadSheet(f"“{refused[0][:20]}” is not one of the choices.")
        if touched - {*self.names}:
            raise BadSheet("One of the rows that it touches is not on the sheet any more.")
        texts: dict[Place, str] = {(number, self.columns[name]): text for name, text in values.items()}
        column = self.columns.get(self.tapped.links)
        if column and (before.is_whole or is_whole or touched != before.links):
            texts[number, column] = self._write(touched)
            for place, name in enumerate(self.names, 1):
                listed = {*split_names(self.sheet.rows[place - 1][column])}
                if listed and place != number and (name in touched) != self._holds(listed, before.name):
                    listed_names = {other for other in self.names if self._holds(listed, other)} - {before.name}
                    texts[place, column] = self._write(listed_names | ({before.name} if name in touched else set()))
        return put_texts(self.sheet, texts)

    def _write(self, names: Iterable[str]) -> str:
        listed = {*names}
        return ",".join(name for name in self.names if name in listed)

    @staticmethod
    def _holds(listed: Iterable[str], name: str) -> bool:
        return fold_word(name) in map(fold_word, listed)


def _pairs_of(sheet: Sheet) -> list[tuple[str, str]]:
    return [(row[0], name) for row in sheet.rows for text in row[1:] for name in split_names(text)]


def split_names(text: str) -> list[str]:
    """The rows that a cell lists, as "6,7,C"."""
    return [name for name in re.split(r"[\s,;_]+", text) if name and name != "?"]
