"""A chart book: a mapping of plain values (from TOML or JSON) with one table per chart, read as a whole.

Reading it collects every problem instead of stopping at the first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firefight.engine.errors import MissingChart
from firefight.engine.values import Values

from .cells import Unreadable
from .kinds import Chart, Problem
from .spec import ChartSpec, is_confirmed, read_chart


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A complete set of charts for one game, ready to be asked. A book equals only itself."""

    name: str
    charts: Mapping[str, Chart]

    def __getitem__(self, name: str) -> Any:
        if name not in self.charts:
            raise MissingChart(name)
        return self.charts[name]


CELL = "cell"  # how the names of fields that ask for a blank cell begin
MOST_ASKED = 6  # blank cells at a time


def cell_field(chart: str, cell: str) -> str:
    """What a blank cell is called when an owner tells it with a roll."""
    return f"{CELL}:{chart}:{cell}"


def read_book(data: Values, specs: Iterable[ChartSpec]) -> tuple[Book, list[Problem]]:
    """Read plain values into a Book and list every problem found on the way.

    Charts that cannot be read at all are left out of the book.
    """
    tables = data.get("charts")
    tables = tables if isinstance(tables, Mapping) else {}
    charts: dict[str, Chart] = {}
    problems: list[Problem] = []
    specs_by_name = {spec.name: spec for spec in specs}
    problems += [
        Problem(str(name)[:40], "", "is not a chart of this game") for name in tables if name not in specs_by_name
    ]
    for name, spec in specs_by_name.items():
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
