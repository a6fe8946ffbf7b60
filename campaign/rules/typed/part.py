"""What every part of content has in common: reading its sheet, provenance, and what its file's reader says about it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from firefight.engine.charts.checks import CheckedSheet, attribute_cells, draw_marks, in_order, part_answered
from firefight.engine.charts.kinds import Problem
from firefight.engine.charts.layouts import Flaw
from firefight.engine.charts.records import Column, RecordsLayout
from firefight.engine.charts.tables import Place, Sheet
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.reading import FileProvenance


@dataclass
class Cells:
    """A sheet on its way to a file: where each value lies, by the name that the file's reader has for it.

    ``texts``: each value as its column writes it, to be compared with what the rulebook's text gives.
    ``spots``: other names of places, such as that of a whole row.
    """

    places: dict[str, Place] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    spots: dict[str, Place] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)

    def note(self, name: str, place: Place, column: Column, value: Any) -> None:
        """Note where a value lies. One without a provenance is only a spot."""
        if column.is_value and value is not None:
            self.places[name] = place
            self.texts[name] = RecordsLayout.write(column, value)
        else:
            self.spots[name] = place

    def flaw(self, place: Place, message: str) -> None:
        """Note what is wrong with a cell."""
        self.flaws.append(Flaw(place, "", message))

    def find(self, cell: str) -> Place | None:
        """Where a reader's name for a cell points to: the cell itself, or what it is a part of."""
        while cell:
            for places in (self.places, self.spots):
                if cell in places:
                    return places[cell]
            cell = cell.rpartition(".")[0]
        return None


def letters_of(sheet: Sheet, cells: Cells, fixed: Mapping[str, str]) -> tuple[dict[str, str], list[Flaw]]:
    """Whose each value is, and where one differs from what the rulebook's text gives."""
    return attribute_cells(sheet, cells.places, cells.texts, lambda name: {name: fixed[name]} if name in fixed else {})


def conclude(
    title: str,
    sheet: Sheet,
    cells: Cells,
    letters: Mapping[str, str],
    broken: Iterable[Flaw],
    raw: Json,
    problems: Iterable[Problem],
    confirmed: Iterable[str] = (),
) -> CheckedSheet:
    """Everything together.

    What a reader says about a cell that could not be read, or about its whole row, waits until that is corrected; so
    does everything while a column is missing.
    """
    flaws, overruled = part_answered(sheet, broken)
    unread = {flaw.place for flaw in cells.flaws}
    rows = {place[0] for place in unread if place}
    flaws += cells.flaws
    of_cells = tuple(flaws)
    confirmations = set(confirmed)
    for problem in problems:
        place = cells.find(problem.cell)
        if place is not None and (place in unread or (place[0] in rows and problem.cell not in cells.places)):
            continue
        answer = {"overrule": "card", "confirmation": problem.confirmation} if problem.odd else {}
        flaw = Flaw(place, problem.cell, problem.message, **answer)
        (overruled if problem.odd and problem.confirmation in confirmations else flaws).append(flaw)
    if missing := tell_missing_columns(sheet, flaws):
        columns = {flaw.place[1] for flaw in missing if flaw.place}
        flaws = [*missing, *(flaw for flaw in of_cells if not (flaw.place and flaw.place[1] in columns))]
    return CheckedSheet(
        title=title,
        sheet=sheet,
        raw=raw,
        flaws=in_order(flaws),
        overruled=tuple(overruled),
        marks=draw_marks(sheet, {cells.places[name]: letter for name, letter in letters.items()}),
        cells=cells.places,
    )


_FEW = 2  # rows that may lack the same column by chance


def tell_missing_columns(sheet: Sheet, flaws: Iterable[Flaw]) -> list[Flaw]:
    """One flaw for each column that is needed and blank in every row."""
    filled = [number for number, row in enumerate(sheet.rows, 1) if any(row)]
    lacking = Counter(flaw.place[1] for flaw in flaws if flaw.place)
    return [
        Flaw((filled[0], column), "", f"the column “{title}” is missing: no row has anything there")
        for column, title in enumerate(sheet.head)
        if lacking[column] > _FEW and not any(sheet.at((number, column)) for number in filled)
    ]


def origins_in(raw: Values, default: str) -> FileProvenance:
    """Whose values a table of a file holds, as far as it says."""
    names_by_word = {word: tuple(raw.get(word, ())) for word in ("text", "house", "owner")}
    return FileProvenance(
        raw.get("provenance", default), {word: names for word, names in names_by_word.items() if names}
    )
