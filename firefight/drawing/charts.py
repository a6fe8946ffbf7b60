"""Charts from data: lines from step to step, columns side by side, values within their range. They are Drawings.

Those who cannot tell colours apart, or print in grey, have patterns, dashes, and the numbers themselves. Those who
cannot see have the numbers in words (``told``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, log10

from firefight.drawing.fonts import fit_word, measure_length, measure_word
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Polygon, Shape, box

WIDTH = 360.0  # of every chart: as wide as a phone
_HIGH = 120.0  # of the part that shows values
_LEFT, _RIGHT, _TOP, _FOOT = 30.0, 12.0, 40.0, 20.0
_ROW, _NAMES = 30.0, 8.0
_SIZE, _SMALL = 11.0, 9.5
_RANKS = 4  # kinds of lines and columns that can be told apart

PAINTS = {
    "chart-frame": Paint("", "#57544b", 1),
    "chart-grid": Paint("", "#cfc6b3", 0.7),
    "chart-title": Paint("#1b1b19"),
    "chart-word": Paint("#1b1b19", "#ffffff", 3),
    "chart-soft": Paint("#44443d"),
    "chart-range": Paint("#d9d4c6", "#8d8778", 0.7),
    "chart-value": Paint("#1b1b19"),
    "bar-0": Paint("#e4e0d4", "#1b1b19", 0.8),
    "bar-1": Paint("#dfe9f0", "#1b1b19", 0.8, Pattern.HATCHED, "#2f5878", 5),
    "bar-2": Paint("#fbefd9", "#1b1b19", 0.8, Pattern.DOTTED, "#7a4d06", 5),
    "bar-3": Paint("#f3dced", "#1b1b19", 0.8, Pattern.CROSSED, "#8a2f6c", 5),
    "bar-4": Paint("#d9f0ea", "#1b1b19", 0.8),
    "line-0": Paint("", "#57544b", 2, dash=2),
    "line-1": Paint("", "#2f5878", 2.5),
    "line-2": Paint("", "#7a4d06", 2.5, dash=7),
    "line-3": Paint("", "#8a2f6c", 2.5, dash=3),
    "line-4": Paint("", "#0c6350", 2.5),
    "dot-0": Paint("#57544b"),
    "dot-1": Paint("#2f5878"),
    "dot-2": Paint("#7a4d06"),
    "dot-3": Paint("#8a2f6c"),
    "dot-4": Paint("#0c6350"),
}


@dataclass(frozen=True, slots=True)
class Plotted:
    """Values of one kind, a value for each label, None if it is not known.

    ``rank``: of a side, by which it is coloured; 0 is nobody's.
    """

    name: str
    rank: int
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines from label to label, such as Campaign Points in hand after each firefight."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Plotted, ...]


@dataclass(frozen=True, slots=True)
class ColumnChart:
    """Columns beside each other, such as losses by firefight."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Plotted, ...]


@dataclass(frozen=True, slots=True)
class RangeRow:
    """A value, and the range in which it is expected; both between ``least`` and ``most``."""

    name: str
    low: float
    high: float
    value: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class RangeChart:
    """Values in their ranges, such as the means of dice."""

    title: str
    rows: tuple[RangeRow, ...]


Chart = LineChart | ColumnChart | RangeChart
Inner = Callable[[Sequence[str], Sequence[Plotted], int], Iterator[Shape]]


def draw_chart(chart: Chart) -> Drawing:
    match chart:
        case LineChart():
            return _draw_frame(chart, _draw_lines)
        case ColumnChart():
            return _draw_frame(chart, _draw_columns)
        case RangeChart():
            return _draw_ranges(chart)


def tell_chart(chart: Chart) -> str:
    """The numbers of a chart in words."""
    if isinstance(chart, RangeChart):
        rows = (f"{row.name}: {row.value:.2f}, expected {row.low:.2f} to {row.high:.2f}" for row in chart.rows)
        return f"{chart.title}. {'; '.join(rows)}."
    return f"{chart.title}. {' '.join(_tell_series(chart.labels, series) for series in chart.series)}"


def _tell_series(labels: Sequence[str], series: Plotted) -> str:
    pairs = zip(labels, series.values, strict=True)
    values = (f"{label} {'unknown' if value is None else value}" for label, value in pairs)
    return f"{series.name}: {', '.join(values)}."


# Lines and columns


def _draw_frame(chart: LineChart | ColumnChart, draw: Inner) -> Drawing:
    """Title, key, grid and labels, with what ``draw`` puts between them."""
    top = _find_top(chart.series)
    shapes: list[Shape] = [*_draw_title(chart.title), *_draw_key(chart.series)]
    for value in _find_marks(top):
        y = _y(value, top)
        shapes.append(Line(((_LEFT, y), (WIDTH - _RIGHT, y)), "chart-grid"))
        shapes.append(Label(_LEFT - 5, y + 3.5, str(value), _SMALL, "chart-soft", anchor="end"))
    for place, label in enumerate(chart.labels):
        text, size = fit_word(label, _width_of(chart.labels) - 2, _SMALL, 7)
        shapes.append(Label(_x(place, chart.labels), _TOP + _HIGH + 14, text, size, "chart-soft"))
    shapes.extend(draw(chart.labels, chart.series, top))
    base = _y(0, top)
    shapes.append(Line(((_LEFT, base), (WIDTH - _RIGHT, base)), "chart-frame"))
    return Drawing(WIDTH, _TOP + _HIGH + _FOOT, tuple(shapes), tell_chart(chart))


def _draw_title(title: str) -> Iterator[Shape]:
    text, size = fit_word(title, WIDTH - 8, 13, 9, bold=True)
    yield replace(measure_word(4, 14, text, size, "chart-title", bold=True), anchor="start")


def _draw_key(series: Iterable[Plotted]) -> Iterator[Shape]:
    x = _LEFT
    for line in series:
        yield box(x, 22, 12, 9, f"bar-{line.rank % (_RANKS + 1)}")
        yield replace(measure_word(x + 16, 30, line.name, _SMALL, "chart-soft"), anchor="start")
        x += 28 + measure_length(line.name, _SMALL)


def _find_top(series: Iterable[Plotted]) -> int:
    values = [value for line in series for value in line.values if value is not None]
    return max([*values, 1])


def _find_marks(top: int) -> range:
    """Where the lines of the grid lie: at round numbers, six of them at most."""
    rough = top / 4
    power = 10 ** max(int(log10(rough)) if rough >= 1 else 0, 0)
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return range(0, ceil(1.1 * top / step) * step + 1, step)  # with room for the highest number


def _y(value: float, top: int) -> float:
    return _TOP + _HIGH * (1 - value / _find_marks(top)[-1])


def _width_of(labels: Sequence[str]) -> float:
    return (WIDTH - _LEFT - _RIGHT) / max(len(labels), 1)


def _x(place: int, labels: Sequence[str]) -> float:
    return _LEFT + _width_of(labels) * (place + 0.5)


def _draw_lines(labels: Sequence[str], series: Sequence[Plotted], top: int) -> Iterator[Shape]:
    for line in series:
        rank = line.rank % (_RANKS + 1)
        points = [(_x(place, labels), _y(v, top)) for place, v in enumerate(line.values) if v is not None]
        if len(points) > 1:
            yield Line(tuple(points), f"line-{rank}")
        for x, y in points:
            yield Ellipse(x, y, 3, 3, f"dot-{rank}")
    yield from _draw_values(labels, series, top)


def _draw_values(labels: Sequence[str], series: Sequence[Plotted], top: int) -> Iterator[Shape]:
    """The numbers beside their points: the highest of a label above, the others below, clear of each other."""
    for place in range(len(labels)):
        values = (line.values[place] for line in series)
        distinct = sorted({value for value in values if value is not None}, reverse=True)
        below = 0.0
        for order, value in enumerate(distinct):
            y = _y(value, top) + (-6 if order == 0 else 13)
            y = y if order == 0 else max(y, below + 10)
            below = y
            yield Label(_x(place, labels), min(y, _TOP + _HIGH - 2), str(value), _SMALL, "chart-word")


def _draw_columns(labels: Sequence[str], series: Sequence[Plotted], top: int) -> Iterator[Shape]:
    room = min(_width_of(labels) * 0.84, 26.0 * len(series))
    wide = room / max(len(series), 1)
    for place in range(len(labels)):
        for order, column in enumerate(series):
            value = column.values[place]
            if value is None:
                continue
            x, y = _x(place, labels) - room / 2 + order * wide, _y(value, top)
            if value:
                yield box(x + 1, y, wide - 2, _y(0, top) - y, f"bar-{column.rank % (_RANKS + 1)}")
            if value or len(series) < 3:
                yield Label(x + wide / 2, y - 3, str(value), _SMALL, "chart-word")


# Ranges


def _draw_ranges(chart: RangeChart) -> Drawing:
    shapes: list[Shape] = list(_draw_title(chart.title))
    for place, row in enumerate(chart.rows):
        shapes.extend(_draw_range(row, 22 + place * _ROW))
    return Drawing(WIDTH, 26 + _ROW * len(chart.rows), tuple(shapes), tell_chart(chart))


def _draw_range(row: RangeRow, top: float) -> Iterator[Shape]:
    """A row: its name above, then the range as a block and the value as a mark on a scale."""
    room = WIDTH - 2 * _NAMES - 40

    def at(value: float) -> float:
        return _NAMES + room * (value - row.least) / ((row.most - row.least) or 1)

    text, size = fit_word(row.name, room, _SMALL, 7)
    yield Label(_NAMES, top + 9, text, size, "chart-soft", anchor="start")
    y = top + 20
    yield Line(((at(row.least), y), (at(row.most), y)), "chart-grid")
    yield box(at(row.low), y - 4, at(row.high) - at(row.low), 8, "chart-range")
    x = at(row.value)
    yield Polygon(((x, y - 6), (x + 4, y), (x, y + 6), (x - 4, y)), "chart-value")
    yield Label(WIDTH - _NAMES, y + 3.5, f"{row.value:.2f}", _SMALL, "chart-word", anchor="end")
