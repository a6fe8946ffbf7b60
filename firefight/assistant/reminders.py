"""Reminders and facts of a game that software does not compute, read from the shipped file if there is one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from firefight.engine.values import Json, Values
from firefight.games import registry


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something to remember at some steps of the course and beside some helpers."""

    text: str
    rule: str
    steps: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the reference page: what it is about, the text, and where it comes from."""

    anchor: str
    head: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of the reference page under a title of the game's own."""

    title: str
    entries: tuple[Entry, ...]


@cache
def read_reference(game: str) -> Mapping[str, list[Json]]:
    """All tables of a game's reference file; none where the game has no file."""
    return registry.data_of_game(game, "reference")


@cache
def list_sections(game: str) -> tuple[Section, ...]:
    """The reference page, in the order and under the titles that the file gives."""
    tables = read_reference(game)
    return tuple(
        Section(
            section["title"],
            tuple(
                _entry(f"{name}-{place}", row) for name in section["tables"] for place, row in enumerate(tables[name])
            ),
        )
        for section in tables.get("section", ())
    )


def _entry(anchor: str, row: Values) -> Entry:
    """One row: "F-12 Radio" and its text, or "NM-01 3" and a name with its note."""
    head = " ".join(str(row[name]) for name in ("row", "number", "subject") if name in row)
    words = (row.get("name", ""), row.get("text", row.get("note", "")))
    return Entry(anchor, head, ": ".join(filter(None, words)), row.get("rule", ""))


@cache
def for_step(game: str, step: str) -> tuple[Reminder, ...]:
    """What to remember when the course comes to a step."""
    return tuple(reminder for reminder in _reminders(game) if step in reminder.steps)


@cache
def for_helper(game: str, helper: str) -> tuple[Reminder, ...]:
    return tuple(reminder for reminder in _reminders(game) if helper in reminder.helpers)


@cache
def _reminders(game: str) -> tuple[Reminder, ...]:
    return tuple(
        Reminder(row["text"], row["rule"], tuple(row["steps"]), tuple(row["helpers"]))
        for row in read_reference(game).get("reminder", ())
    )
