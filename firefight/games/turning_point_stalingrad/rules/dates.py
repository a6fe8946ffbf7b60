"""The calendar: weeks, the boxes in which days and nights begin, and what changes by date (6.5, 15.3, 17.23, 21.2)."""

from dataclasses import dataclass
from functools import lru_cache

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.dates import add_days, days_between

from .sides import Time

FIRST, LAST = "1942-09-13", "1942-11-14"
DAYS = tuple(add_days(FIRST, number) for number in range(days_between(FIRST, LAST) + 1))
BOXES = 12
FIXED_IMPULSES = 12  # German ones by day on 13 September (20.2)


@dataclass(frozen=True, slots=True)
class Week:
    """A week of the campaign, with the ends of its Victory Point spread (19.2)."""

    number: int
    first: str
    last: str
    low: int
    high: int


@lru_cache(maxsize=500)
def week_of(date: str, charts: Book) -> Week:
    """The week that holds a date (2.0 Week)."""
    number = week_number(date)
    first, chart = add_days(FIRST, 7 * (number - 1)), _matrix(charts, "weeks")
    low, high = (int(chart.cell(first, column)) for column in ("low", "high"))
    return Week(number, first, add_days(first, 6), low, high)


def week_number(date: str) -> int:
    """Which week of the campaign a date is in."""
    return days_between(FIRST, date) // 7 + 1


def is_week_end(date: str) -> bool:
    """Whether a week ends with the night of this date (6.5)."""
    return days_between(FIRST, date) % 7 == 6


def next_date(date: str) -> str | None:
    """The date after it, None after the last one."""
    return None if date == LAST else add_days(date, 1)


@lru_cache(maxsize=500)
def first_box(date: str, time: Time, charts: Book) -> int:
    """The box in which the day or the night of a date begins (6.4, 6.41, 21.2)."""
    return int(_at(charts, "boxes", date, time.value))


@lru_cache(maxsize=500)
def dated(name: str, date: str, charts: Book) -> int:
    """What a value that changes by date is: luftwaffe, russian_artillery or dv_bonus (15.3, 17.23, 8.35)."""
    return int(_at(charts, "dated", date, name))


def flip_ways(box: int) -> int:
    """In how many of 36 rolls two dice come to at most the box (6.4, 6.41)."""
    return sum(first + second <= box for first in range(1, 7) for second in range(1, 7))


def is_fixed_day(date: str, time: Time) -> bool:
    """Whether the number of impulses is fixed: by day on 13 September (20.2)."""
    return date == FIRST and time is Time.DAY


def _matrix(charts: Book, name: str) -> Matrix:
    chart = charts[name]
    assert isinstance(chart, Matrix)
    return chart


def _at(charts: Book, name: str, date: str, column: str) -> str:
    """The cell of the last row that begins on or before a date."""
    chart = _matrix(charts, name)
    return chart.cell(max((row for row in chart.rows if row <= date), default=chart.rows[0]), column)
