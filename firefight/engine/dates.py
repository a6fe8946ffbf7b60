"""Days of a campaign as ISO texts, 1942-09-13: they are compared as texts and counted here."""

import re
from datetime import date, timedelta

from .errors import RuleError


class BadDay(RuleError):
    """A day that the calendar does not have."""


def read_day(text: str) -> str:
    """A day as players write it: 1942-09-13, 13.9.1942 or 13 September 1942. Raises BadDay.

    >>> read_day("1942-09-13"), read_day("13.9.1942"), read_day("13 september 1942")
    ('1942-09-13', '1942-09-13', '1942-09-13')
    """
    plain = " ".join(text.replace(".", " ").replace("-", " ").split())
    parts = [part if part.isascii() and part.isdigit() else _month(part) for part in plain.split()]
    if len(parts) == 3 and all(parts) and max(map(len, parts)) <= 4:
        year, month, day = parts if len(parts[0]) == 4 else parts[::-1]
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            pass
    raise BadDay(f"“{text.strip()[:20]}” is not a date: write it as 1942-09-13.")


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _month(word: str) -> str:
    short = word[:3].casefold()
    return str(_MONTHS.index(short) + 1) if short in _MONTHS else ""


def add_days(day: str, number: int) -> str:
    """The day that many days later, or earlier.

    >>> add_days("1942-09-30", 1), add_days("1942-09-13", -13)
    ('1942-10-01', '1942-08-31')
    """
    return (date.fromisoformat(day) + timedelta(number)).isoformat()


def days_between(first: str, last: str) -> int:
    """How many days later the last one is.

    >>> days_between("1942-09-13", "1942-11-18")
    66
    """
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


def day_words(day: str) -> str:
    """A day in words.

    >>> day_words("1942-09-13")
    '13 September 1942'
    """
    date_of_day = date.fromisoformat(day)
    return f"{date_of_day.day} {_NAMES[date_of_day.month - 1]} {date_of_day.year}"


def say_day(word: str) -> str:
    """A day that stands as an ISO text among other words, in words.

    >>> say_day("1942-09-13"), say_day("1942-10-31"), say_day("night"), say_day("13")
    ('13 September 1942', '31 October 1942', 'night', '13')
    """
    return day_words(word) if _DAY.fullmatch(word) else word


_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
