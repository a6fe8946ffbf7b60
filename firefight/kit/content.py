"""Sheets of a game's content: what is printed on its board, its blocks and its cards, as owners type it off them.

The rows of all sheets together build one content, which a match is played on; without them it is the house's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from firefight.engine.charts.records import Column, SheetRow
from firefight.engine.charts.tables import Limits
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.kit.sheets import call_row, read_sheet_rows, write_rows

OF_CONTENT = Limits(rows=150, columns=20, cells=2_400, text=12_000, cell=60)
MOST_TOLD = 25  # things that are wrong, at once
MOST_ROWS_NAMED = 5  # of those that lack the same

Rows = Mapping[str, Sequence[Values]]  # by the sheet's slug


@dataclass(frozen=True, slots=True, eq=False)
class ContentSheet:
    """One sheet. ``slug``: by which texts and rows of it are kept; ``title``: what players call it.

    ``needed``: the columns that no row leaves blank; ``unique``: those by which a row stands on it once, and is called
    where something is wrong with it. ``told``: what is typed in it, in a few sentences.
    """

    slug: str
    title: str
    columns: tuple[Column, ...]
    needed: tuple[str, ...] = ()
    unique: tuple[str, ...] = ()
    told: str = ""
    limits: Limits = OF_CONTENT

    def read(self, text: str) -> tuple[list[Values], list[str]]:
        """The rows of a pasted text, and what is wrong with it, by row and column."""
        rows, told = read_sheet_rows(self.columns, self.limits, text, self.unique)
        if told:
            return [], told
        told = list(self._find_gaps(rows))
        seen: set[tuple[object, ...]] = set()
        for row in rows:
            words = tuple(row.get(name) for name in self.unique)
            if words in seen:
                told.append(f"Row {row.number}: there is another {' '.join(map(str, words))} on this sheet.")
            seen |= {words} if words else set()
        return [row.values for row in rows], told

    def _find_gaps(self, rows: Sequence[SheetRow]) -> Iterator[str]:
        """What has to be there and is not, a sentence a column."""
        titles = {column.name: column.title for column in self.columns}
        for name in self.needed:
            blank = [call_row(row, self.unique) for row in rows if row.get(name) is None]
            if len(blank) == 1:
                yield f"{blank[0]}, {titles[name]}: has to be there."
            elif blank:
                more = len(blank) - MOST_ROWS_NAMED
                rest = f" and {more} more" if more > 0 else ""
                yield f"{titles[name]} has to be there, and is blank: {', '.join(blank[:MOST_ROWS_NAMED])}{rest}."

    def write(self, rows: Sequence[Values]) -> str:
        """Rows as a match keeps them and as they are copied out."""
        return write_rows(self.columns, rows)


@dataclass(frozen=True, slots=True)
class ContentRead:
    """Sheets that were read: the ``content`` of their rows, their ``texts`` as they are kept, what is wrong with them.

    ``content`` is None where no rows could be made of them.
    """

    content: object = None
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def _always(options: Mapping[str, str]) -> bool:
    return True


def _fits(content: object, record: Values) -> str:
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class ContentRules:
    """What owners' sheets of content look like in a game, and what is made of them.

    ``house``: the rows of the house's own sheets, from which an owner may start; ``begun``: those rows with only that
    in them which nobody has to read off their box. ``build``: one content of the rows
    that can be read, whatever else is wrong with them; it raises BadInput where nothing can be built, whose reasons go
    by "hexes 7 d3" (sheet, row, column). ``find_flaws``: what in a content cannot be, in sentences. ``find_misfit``:
    what in a record does not fit the content of its match, None for the house's, in words that tell nothing of it.
    ``is_played_on``: whether a match with such options asks its content for anything, so that it is offered.
    """

    title: str
    sheets: tuple[ContentSheet, ...]
    house: Rows
    build: Callable[[Rows], object]
    find_flaws: Callable[[object], Sequence[str]]
    find_misfit: Callable[[object, Values], str] = _fits
    begun: Rows = field(default_factory=dict)
    is_played_on: Callable[[Mapping[str, str]], bool] = _always

    def read(self, texts: Mapping[str, str]) -> ContentRead:
        """All sheets as one content, read once for equal texts."""
        return _read_all(self, tuple(texts.get(sheet.slug, "") for sheet in self.sheets))

    def write_house(self) -> dict[str, str]:
        """The house's own sheets, by their slugs."""
        return self._write(self.house)

    def write_begun(self) -> dict[str, str]:
        """Sheets to be filled in, by their slugs."""
        return self._write(self.begun)

    def _write(self, rows: Rows) -> dict[str, str]:
        return {sheet.slug: sheet.write(rows.get(sheet.slug, ())) for sheet in self.sheets}


@lru_cache(maxsize=60)
def _read_all(rules: ContentRules, texts: tuple[str, ...]) -> ContentRead:
    """Remembered: a match asks for its content at every request."""
    rows: dict[str, list[Values]] = {}
    told: list[str] = []
    for sheet, text in zip(rules.sheets, texts, strict=True):
        rows[sheet.slug], problems = sheet.read(text)
        told += [f"{sheet.title}: {problem}" for problem in problems]
    if told:
        return ContentRead(problems=tuple(told))
    try:
        content = rules.build(rows)
    except BadInput as error:
        return ContentRead(problems=tuple(error.problems.values()))
    kept = {sheet.slug: sheet.write(rows[sheet.slug]) for sheet in rules.sheets}
    return ContentRead(content, kept, tuple(rules.find_flaws(content)))
