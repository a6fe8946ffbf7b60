"""What a game asks of each of its charts, and a chart read as that."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .cells import Unreadable
from .kinds import MODESTY, PROVENANCES, Bands, Chart, Choices, Grid, Matrix, Numbers, Problem
from .notation import fold_word

_MAX_CELLS = 2_000
_LONGEST_NAME = 200  # of a cell

# What a game demands of a chart of one shape.
Constraint = Callable[[Any], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class TappedRows:
    """How a table is tapped, one row on each page. ``choices``: by column, the texts that its cells may have.

    ``links``: the column that lists all rows that a row touches, with commas between them. ``known``: the chart of the
    same book that already names some of them in a column.
    """

    choices: Mapping[str, tuple[str, ...]]
    links: str
    known: str = ""


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """What a game asks of one chart: its shape, the meanings it may hold, and its own constraints.

    ``keys``: the numbers or choices that it must have; ``optional``: numbers that an older book may lack, which are
    then blank. ``sides``, ``lowest``: the highest and the lowest of the throw that bands or a grid are read with, None
    for any. ``ranks``: its results from the most severe to the mildest, for the colours. ``names``: what players call
    keys and results whose own names do not say it. ``tapped``: how its rows are tapped, None where they can
    only be typed.
    """

    name: str
    shape: type[Chart]
    codes: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    constraints: tuple[Constraint, ...] = ()
    sides: int | None = None
    optional: tuple[str, ...] = ()
    lowest: int | None = None
    ranks: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    tapped: TappedRows | None = field(default=None, compare=False)

    def key_of(self, name: str) -> str:
        """The key or result that players call by a name; "" if there is none."""
        return next((key for key, players_name in self.names.items() if fold_word(players_name) == fold_word(name)), "")

    def problems(self, chart: Chart) -> Iterable[Problem]:
        """Every way in which a chart of the right shape breaks this spec; blank cells are not a problem."""
        yield from chart.problems()
        if isinstance(chart, Bands | Grid):
            for name, expected, actual in (("sides", self.sides, chart.sides), ("lowest", self.lowest, chart.lowest)):
                if expected not in (None, actual):
                    yield Problem(chart.name, name, f"should be {expected}")
        if isinstance(chart, Bands) and self.codes:
            unknown = [band for band in chart.bands if band.value is not None and band.value not in self.codes]
            for band in unknown:
                yield Problem(chart.name, str(band), f"“{band.value}” is not a result of this chart")
        if isinstance(chart, Matrix) and self.codes:
            for key, word in chart.cells.items():
                if word is not None and word not in self.codes:
                    yield Problem(chart.name, ", ".join(key), f"“{word}” is not a result of this chart")
        if isinstance(chart, Grid) and self.codes:
            for row in chart.rows:
                if row not in self.codes:
                    yield Problem(chart.name, row, "is not a result of this chart")
        entries = getattr(chart, "values", None) or getattr(chart, "items", None) or {}
        for name in sorted(self.keys - set(entries)):
            yield Problem(chart.name, name, "is missing")
        for constraint in self.constraints:
            yield from constraint(chart)


def read_chart(name: str, raw: object, spec: ChartSpec) -> Chart:
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
    weakest = next((origin for origin in MODESTY if origin in claimed), chart.provenance)
    return replace(chart, provenance=weakest, origins=origins, confirmed=confirmed, names=spec.names)


def is_confirmed(problem: Problem, chart: Chart) -> bool:
    """Whether the owner has confirmed that their card says this odd value."""
    return bool(problem.odd) and problem.confirmation in chart.confirmed


def read_origins(raw: Mapping[str, object], chart: Chart) -> dict[str, str]:
    """The provenance of every cell: the chart's own, unless the cell stands in a list named after another.

    Raises Unreadable.
    """
    if isinstance(chart, Choices):
        return {key: item.provenance for key, item in chart.items.items()}
    origins, listed = dict.fromkeys(chart.named_values(), chart.provenance), set()
    for provenance in PROVENANCES:
        for cell in read_names(raw, provenance):
            if cell not in origins or cell in listed:
                raise Unreadable(cell[:40], f"is named as {provenance}, but is not here, or is named twice")
            listed.add(cell)
            origins[cell] = provenance
    return origins


def read_names(raw: Mapping[str, object], key: str) -> list[str]:
    """A list of names of cells, which may be absent. Raises Unreadable."""
    names = raw.get(key, [])
    if isinstance(names, list) and len(names) <= _MAX_CELLS and all(map(_is_name, names)):
        return names
    raise Unreadable(key, "should be a list of names of cells")


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= _LONGEST_NAME
