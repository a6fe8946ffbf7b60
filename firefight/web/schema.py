"""What plain values from outside must look like, declared as tables of fields. A check reports every flaw by its place.

The flaws come one by one, so that a reader can stop early: a file of nothing but flaws costs no more than its first
thousand. pydantic was tried instead of these functions (docs/archive.md has the figures).
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

Check = Callable[[object, str], Iterator[str]]

LONGEST = 20_000  # characters of any text, and of a key
MOST = 2_000  # entries of a list or a table that has no bound of its own
LARGEST = 10**15


def whole_number(low: int, high: int) -> Check:
    """A whole number between two bounds; true and false do not count as numbers."""

    def check(value: object, place: str) -> Iterator[str]:
        if type(value) is not int or not low <= value <= high:
            yield f"{place}: should be a whole number from {low} to {high}."

    return check


def text(longest: int = LONGEST, shortest: int = 0, pattern: str = "") -> Check:
    """A text with a bounded number of characters; ``pattern``: a regular expression that the whole text matches."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, str) or not shortest <= len(value) <= longest:
            yield f"{place}: should be a text of {shortest} to {longest} characters."
        elif pattern and not re.fullmatch(pattern, value):
            yield f"{place}: is not written as it should be."

    return check


def one_of(words: Collection[str]) -> Check:
    """One of these words."""

    def check(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, str) or value not in words:
            yield f"{place}: should be one of: {', '.join(word or '(blank)' for word in words)}."

    return check


def only_true(value: object, place: str) -> Iterator[str]:
    """True, or left out."""
    if value is not True:
        yield f"{place}: should be true or left out."


def flag(value: object, place: str) -> Iterator[str]:
    """True or false."""
    if not isinstance(value, bool):
        yield f"{place}: should be true or false."


def point_in_time(value: Any, place: str) -> Iterator[str]:
    """A time with its zone, as ISO 8601 writes it."""
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        time = None
    if time is None or time.tzinfo is None or not 2000 <= time.year < 3000:
        yield f"{place}: should be a time such as 2026-10-14T19:30:00+00:00."


def maybe(check: Check) -> Check:
    """The same, or null."""

    def checked(value: object, place: str) -> Iterator[str]:
        if value is not None:
            yield from check(value, place)

    return checked


def list_of(check: Check, most: int = MOST, different: bool = False) -> Check:
    """A list of such values, places counted from 1; ``different``: without repeats."""

    def checked(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, list) or len(value) > most:
            yield f"{place}: should be a list of at most {most}."
            return
        is_sound = True
        for number, item in enumerate(value, 1):
            for flaw in check(item, f"{place} {number}"):
                is_sound = False
                yield flaw
        if different and is_sound and any(item in value[:number] for number, item in enumerate(value)):
            yield f"{place}: holds something twice."

    return checked


def within_json(check: Check, most: int) -> Check:
    """The same, with at most ``most`` characters when it is written as JSON."""

    def checked(value: object, place: str) -> Iterator[str]:
        if len(json.dumps(value, ensure_ascii=False)) > most:
            yield f"{place}: is too long, at most {most:,} characters."
        else:
            yield from check(value, place)

    return checked


def tuple_of(*checks: Check) -> Check:
    """A list with one value for each check."""

    def checked(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, list) or len(value) != len(checks):
            yield f"{place}: should be a list of {len(checks)}."
            return
        for number, (check, item) in enumerate(zip(checks, value, strict=True), 1):
            yield from check(item, f"{place} {number}")

    return checked


def table(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """A table with these fields and no others."""
    fields = {**needed, **(optional or {})}
    must, may = frozenset(needed), frozenset(fields)

    def checked(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{place}: should be a table."
            return
        at = f"{place}, " if place else ""
        if not must <= value.keys() <= may:
            yield from (f"{at}{name}: is missing." for name in needed if name not in value)
            yield from (f"{at}{name[:40]}: is not known here." for name in value if name not in fields)
        for name, check in fields.items():
            if name in value:
                yield from check(value[name], f"{at}{name}")

    return checked


def by_name(check: Check, most: int = MOST) -> Check:
    """A table of any names with such values."""

    def checked(value: object, place: str) -> Iterator[str]:
        if not isinstance(value, dict) or len(value) > most:
            yield f"{place}: should be a table of at most {most}."
            return
        for name, entry in value.items():
            yield from check(entry, f"{place}, {name[:40]}")

    return checked


def any_value(value: object, place: str) -> Iterator[str]:
    """Anything, within bounds. How deep it may nest is for the reader of the JSON to decide."""
    if _is_bounded(value):  # nearly always, and a far quicker check than going place by place
        return
    if isinstance(value, dict):
        yield from by_name(any_value)(value, place)
    elif isinstance(value, list):
        yield from list_of(any_value)(value, place)
    elif isinstance(value, str):
        yield from text()(value, place)
    else:
        yield f"{place}: is too large a number."


def _is_bounded(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST
    if isinstance(value, dict):
        return len(value) <= MOST and all(map(_is_bounded, value.values()))
    if isinstance(value, list):
        return len(value) <= MOST and all(map(_is_bounded, value))
    return value is None or abs(value) <= LARGEST
