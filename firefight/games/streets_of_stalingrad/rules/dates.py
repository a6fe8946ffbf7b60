"""The calendar: turns are days, and what begins on each (4.1)."""

from collections.abc import Mapping

from firefight.engine.dates import add_days, days_between

from .data import read_lists

FIRST, LAST = "1942-09-13", "1942-11-18"
TURNS = days_between(FIRST, LAST) + 1  # of the campaign (2.31)
_BEGINS: Mapping[str, str] = read_lists("calendar")["begins"]
MOLOTOV_FROM = _BEGINS["molotov"]  # Soviets fight armour in built-up hexes with anything at hand (9.93)
INFILTRATION_FROM = _BEGINS["infiltration"]  # 13.1
BREAKDOWN_FROM = _BEGINS["breakdown"]  # of Soviet tanks (16.33)


def has_begun(name: str, date: str) -> bool:
    """Whether something in the calendar has begun by a date.

    >>> has_begun("weather", "1942-10-20"), has_begun("weather", "1942-10-21")
    (False, True)
    """
    return date >= _BEGINS[name]


def days_since(name: str, date: str) -> int:
    """How many days ago something in the calendar began, less than 0 before that.

    >>> days_since("snipers", "1942-09-30")
    4
    """
    return days_between(_BEGINS[name], date)


def date_of(turn: int) -> str:
    """The date of a turn, 1 to 67 (4.1).

    >>> date_of(1), date_of(67)
    ('1942-09-13', '1942-11-18')
    """
    return add_days(FIRST, turn - 1)


def turn_of(date: str) -> int:
    """The turn of a date.

    >>> turn_of("1942-10-11")
    29
    """
    return days_between(FIRST, date) + 1


def say_turn(turn: int) -> str:
    """A turn by its date, which may be after the last one.

    >>> say_turn(2), say_turn(70)
    ('14 September', 'after the last turn')
    """
    return say_date(date_of(turn)) if turn <= TURNS else "after the last turn"


def say_date(date: str) -> str:
    """A date as players say it.

    >>> say_date("1942-09-26")
    '26 September'
    """
    return f"{int(date[8:])} {_MONTHS[date[5:7]]}"


_MONTHS = {"09": "September", "10": "October", "11": "November"}
