"""Reading the game's files from plain values: what is there is handed out, whatever is wrong is collected."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from firefight.engine.charts.cells import Unreadable, read_whole_number
from firefight.engine.charts.kinds import PROVENANCES, Problem
from firefight.engine.values import Json, Values

GAME = "combat-stalingrad"
KEY = r"[a-z][a-z0-9_]{0,39}"

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class FileProvenance:
    """Whose values these are: one provenance for all, and the names of the values that have another."""

    provenance: str
    others: Mapping[str, tuple[str, ...]]

    def of(self, name: str) -> str:
        """The provenance of one value."""
        return next((exception for exception, names in self.others.items() if name in names), self.provenance)

    @property
    def in_words(self) -> dict[str, str]:
        """The values of another provenance, in words; short names such as cp are the game's own capitals."""
        return {
            exception: ", ".join(name.upper() if len(name) < 4 else name.replace("_", " ") for name in names)
            for exception, names in self.others.items()
        }


class FileReading:
    """One file on its way from plain values: every ``get`` answers something usable and notes what it missed."""

    def __init__(self, file: str):
        self.file = file
        self.problems: list[Problem] = []

    def flaw(self, cell: object, message: str) -> None:
        """Note one problem."""
        self.problems.append(Problem(self.file, str(cell)[:60], message))

    def table(self, raw: object, cell: str) -> Json:
        """A table, or an empty one."""
        if isinstance(raw, Mapping):
            return {str(key)[:60]: value for key, value in raw.items()}
        self.flaw(cell, "should be a table")
        return {}

    def rows(self, raw: object, cell: str, most: int = 100) -> list[object]:
        """A list, or an empty one."""
        if isinstance(raw, list) and len(raw) <= most:
            return raw
        self.flaw(cell, f"should be a list of at most {most}")
        return []

    def text(self, raw: Values, key: str, cell: str, longest: int = 200) -> str:
        """A short text that must be there."""
        value = raw.get(key)
        if isinstance(value, str) and 0 < len(value.strip()) <= longest:
            return value.strip()
        self.flaw(within(cell, key), f"should be a text of 1 to {longest} characters")
        return ""

    def texts(self, raw: Mapping[str, object], key: str, cell: str) -> tuple[str, ...]:
        """A list of texts, which may be absent."""
        lines = self.rows(raw.get(key, []), within(cell, key), 20)
        readable = tuple(line for line in lines if isinstance(line, str) and 0 < len(line) <= 300)
        if len(readable) != len(lines):
            self.flaw(within(cell, key), "should hold texts of 1 to 300 characters")
        return readable

    def number(self, value: object, cell: str, low: int, high: int) -> int:
        """A whole number between two bounds; the lower one if it is anything else."""
        number = self.maybe_number(value, cell, low, high)
        if number is None and value in (None, "", "?", "."):
            self.flaw(cell, "is missing")
        return low if number is None else number

    def maybe_number(self, value: object, cell: str, low: int, high: int) -> int | None:
        """A whole number between two bounds, or None if it is absent, blank or wrong."""
        try:
            number = None if value is None else read_whole_number(value, cell)
        except Unreadable as flaw:
            self.flaw(cell, str(flaw))
            return None
        if number is not None and not low <= number <= high:
            self.flaw(cell, f"should lie between {low} and {high}, not be {number}")
            return None
        return number

    def flag(self, raw: Mapping[str, object], key: str, cell: str) -> bool:
        """A yes or no; absent is no."""
        value = raw.get(key, False)
        if not isinstance(value, bool):
            self.flaw(within(cell, key), "should be true or false")
        return value is True

    def word(self, value: object, cell: str, words: type[Word]) -> Word | None:
        """One word out of an enum's."""
        if isinstance(value, str) and value in set(words):
            return words(value)
        self.flaw(cell, f"should be one of {', '.join(words)}")
        return None

    def origin(self, raw: Values, cell: str, default: str | None = None, names: Iterable[str] = ()) -> FileProvenance:
        """Whose values a table holds: ``provenance``, and lists such as ``text = ["cp"]`` for single values."""
        provenance = raw.get("provenance", default)
        if provenance not in PROVENANCES:
            self.flaw(within(cell, "provenance"), f"should be one of {', '.join(PROVENANCES)}")
            provenance = ""
        known_names, exceptions = set(names), {}
        for exception in PROVENANCES:
            exceptions[exception] = self.texts(raw, exception, cell)
            for name in exceptions[exception]:
                if name not in known_names:
                    self.flaw(within(cell, exception), f"names a value that is not here: {name[:40]}")
        listed = [name for names in exceptions.values() for name in names]
        for name in sorted({name for name in listed if listed.count(name) > 1}):
            self.flaw(cell, f"gives {name[:40]} two provenances")
        return FileProvenance(provenance, {exception: names for exception, names in exceptions.items() if names})

    def only(self, raw: Values, cell: str, names: Iterable[str]) -> None:
        """Note whatever stands in a table without belonging there, such as a misspelled name."""
        for name in sorted(set(raw) - set(names)):
            self.flaw(within(cell, name), "is not known here")

    def head(self, data: object, *names: str) -> dict[str, object]:
        """The outermost table, which names its game."""
        raw = self.table(data, "")
        self.only(raw, "", ("game", "name", *names))
        if raw.get("game") != GAME:
            self.flaw("game", f"should be {GAME}")
        return raw


def within(cell: str, key: object) -> str:
    """The place of a value inside a table."""
    return f"{cell}.{key}" if cell else str(key)


def is_key(text: object) -> bool:
    """Whether a text can name a counter or a card."""
    return isinstance(text, str) and re.fullmatch(KEY, text) is not None
