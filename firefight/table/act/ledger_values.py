"""What a ledger tells about itself: where it stands, the parts of its story, rolls that it has judged."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .lines import LogLine


@dataclass(frozen=True, slots=True)
class StoryPart:
    """A part of a match as a chart calls it, from a line of the log on: a firefight, a turn."""

    title: str
    first: int


def say_percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"


@dataclass(frozen=True, slots=True)
class JudgedRoll:
    """A roll with the odds before it. ``share``: of what it came to; ``tail``: of that or what lies beyond.

    ``line``: the line that reports it, which may report several. ``is_low``: it fell on the low side, which rolls of
    this kind hope for. ``cost``: how many counters were hurt or fell because of it. ``took``: for each unit that it
    says it eliminated, where the app keeps no counters, the chance that that many were.
    """

    line: LogLine
    side: str
    helper: str
    sentence: str
    share: float
    tail: float
    is_low: bool
    cost: int
    took: tuple[float, ...] = ()

    @property
    def chance(self) -> str:
        """The share of what it came to, in percent."""
        return say_percent(self.share)

    @property
    def luck(self) -> str:
        """The share of what it came to and all beyond that, in percent."""
        return say_percent(self.tail)


Sees = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands, in words, and the sides that it waits for; none where all act or nobody has to."""

    headings: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()

    def is_turn_of(self, sides: Iterable[str]) -> bool:
        return not set(self.awaited).isdisjoint(sides)


def join_titles(first: str, last: str) -> str:
    """What chapters are called together.

    >>> join_titles("Turn 2", "Turn 3"), join_titles("Turns 2 to 3", "Turn 4"), join_titles("The beginning", "Turn 2")
    ('Turns 2 to 3', 'Turns 2 to 4', 'The beginning to Turn 2')
    >>> join_titles("Turns 2 to 3", "Turns 4 to 5"), join_titles("Turns 2 to 3", "A file to The end")
    ('Turns 2 to 5', 'Turn 2 to The end')
    """
    begins = re.fullmatch(r"Turns? (\d+)(?: to \d+)?", first)
    ends = re.fullmatch(r"Turns? (?:\d+ to )?(\d+)", last)
    if begins and ends:
        return f"Turns {begins[1]} to {ends[1]}"
    first_title = f"Turn {begins[1]}" if begins else first.partition(" to ")[0]
    return f"{first_title} to {f'Turn {ends[1]}' if ends else last.rpartition(' to ')[2]}"
