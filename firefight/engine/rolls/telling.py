"""What a roll adds to the sentence that tells of an act and all that followed from it.

A game says it in its own terms (``Game.tell_roll``), from facts alone: what the roll was made with and what it came to,
as far as whoever reads may know.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RollFacts:
    """A roll of a log. ``outcome``: the value of its outcome; ``headline``: its result in short.
    ``words``: its line's own sentence, which begins with the title of the roll.

    ``scene``: where those stood who made it ("firers") and at whom ("targets"), in words.
    """

    helper: str
    inputs: Mapping[str, Any]
    outcome: str
    headline: str
    words: str
    scene: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """An input as a text, "" for none."""
        value = self.inputs.get(name)
        return "" if value is None else str(value)

    def names(self, name: str) -> list[str]:
        """Those who are named in the rows of an input."""
        rows = self.inputs.get(name)
        if not isinstance(rows, (list, tuple)):
            return []
        return [str(row["name"]) for row in rows if isinstance(row, Mapping) and row.get("name")]


@dataclass(frozen=True, slots=True)
class Clause:
    """What a roll adds. ``words``: a clause of its own, "" for none; ``fates``: what became of whom, by the counter's
    name: "held". ``passing``: its words are left out once something follows that tells more."""

    words: str = ""
    fates: Mapping[str, str] = field(default_factory=dict)
    passing: bool = False
