"""How severe a chart is at every roll: a strip for each column, to be looked at for slips of a digit."""

from collections.abc import Iterable
from dataclasses import dataclass

from .book import Bands, Chart, Grid, is_digits

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
    """A column of a chart from its lowest roll to its highest; blank cells leave holes."""

    name: str
    sides: int
    stretches: tuple[Stretch, ...]


def strips(chart: Chart | None) -> tuple[Strip, ...]:
    """The strips of a grid or of bands; other charts have none."""
    match chart:
        case Grid():
            return tuple(_of_column(chart, column) for column in chart.columns)
        case Bands() if chart.bands and chart.sides <= 100:
            return (_of_bands(chart),)
        case _:
            return ()


def _of_column(chart: Grid, column: str) -> Strip:
    top, found = 0, []
    for place, row in enumerate(chart.rows):
        highest = chart.cells[row, column]
        if highest is not None and top < highest <= chart.sides:
            found.append(Stretch(top + 1, highest, row, _level(place, len(chart.rows))))
            top = highest
    if top < chart.sides:
        found.append(Stretch(top + 1, chart.sides, "", LEVELS))
    return Strip(column, chart.sides, tuple(found))


def _of_bands(chart: Bands) -> Strip:
    ranks = {word: place for place, word in enumerate(_ranked(band.value for band in chart.bands if band.value))}
    found = [
        Stretch(band.low, band.high, band.value, _level(ranks[band.value], max(len(ranks) - 1, 1)))
        for band in chart.bands
        if band.value and band.low >= 1 and band.high <= chart.sides
    ]
    return Strip("", chart.sides, tuple(found))


def _ranked(words: Iterable[str]) -> list[str]:
    """Different results, numbers by size and words as the chart has them."""
    found = list(dict.fromkeys(words))
    return sorted(found, key=int) if all(map(is_digits, found)) else found


def _level(place: int, last: int) -> int:
    return round(LEVELS * place / last)
