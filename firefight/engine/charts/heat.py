"""How severe a chart is at every roll: a strip for each column, to be looked at for slips of a digit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cells import is_digits, read_totals
from .kinds import Bands, Chart, Grid, Lookup

LEVELS = 8  # the mildest; 0 is the most severe


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rolls from ``low`` to ``high`` with one result; ``level`` is 0 for the chart's most severe."""

    low: int
    high: int
    label: str
    level: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A column of a chart from its lowest roll to its highest, ``sides``; blank cells leave holes."""

    name: str
    sides: int
    stretches: tuple[Stretch, ...]
    lowest: int = 1


def strips_of(chart: Chart | None, ranks: Sequence[str] = ()) -> tuple[Strip, ...]:
    """The strips of a grid, of bands or of a look-up; other charts have none.

    ``ranks``: the results from the most severe to the mildest, where the game says so.
    """
    match chart:
        case Grid():
            return tuple(_of_column(chart, column) for column in chart.columns)
        case Bands() if chart.bands and chart.sides - chart.lowest < 100:
            return (_of_bands(chart, ranks),)
        case Lookup() if not any(chart.problems()):
            return tuple(_of_lookup(chart, ranks))
        case _:
            return ()


def _of_column(chart: Grid, column: str) -> Strip:
    top, stretches = chart.never, []
    for place, row in enumerate(chart.rows):
        highest = chart.cells[row, column]
        if highest is not None and top < highest <= chart.sides:
            stretches.append(Stretch(top + 1, highest, row, _level(place, len(chart.rows))))
            top = highest
    if top < chart.sides:
        stretches.append(Stretch(top + 1, chart.sides, "", LEVELS))
    return Strip(column, chart.sides, tuple(stretches), chart.lowest)


def _of_bands(chart: Bands, ranks: Sequence[str]) -> Strip:
    levels = _rank_results((band.value for band in chart.bands if band.value), ranks)
    stretches = [
        Stretch(band.low, band.high, band.value, levels[band.value])
        for band in chart.bands
        if band.value and band.low >= chart.lowest and band.high <= chart.sides
    ]
    return Strip("", chart.sides, tuple(stretches), chart.lowest)


def _of_lookup(chart: Lookup, ranks: Sequence[str]) -> Iterable[Strip]:
    """A strip for each column; a row without an end is as high as a single total."""
    spans = [read_totals(row) for row in chart.rows]
    ends = [
        (span.high if span.low is None else span.low, span.low if span.high is None else span.high) for span in spans
    ]
    words = (chart.cells[row, column] for row in chart.rows for column in chart.columns)
    levels = _rank_results(filter(None, words), ranks)
    for column in chart.columns:
        stretches = [
            Stretch(low or 0, high or 0, word, levels[word])
            for row, (low, high) in zip(chart.rows, ends, strict=True)
            if (word := chart.cells[row, column])
        ]
        yield Strip(column, ends[-1][1] or 0, tuple(stretches), ends[0][0] or 0)


def _rank_results(words: Iterable[str], ranks: Sequence[str]) -> dict[str, int]:
    """How severe each result is: as the game ranks them, else numbers by size and words as the chart has them."""
    results = list(dict.fromkeys(words))
    ranked = [word for word in ranks if word in results]
    rest = [word for word in results if word not in ranked]
    ordered = [*ranked, *(sorted(rest, key=int) if all(map(is_digits, rest)) else rest)]
    return {word: _level(place, max(len(ordered) - 1, 1)) for place, word in enumerate(ordered)}


def _level(place: int, last: int) -> int:
    return round(LEVELS * place / last)
