"""What a roll adds to the sentence that tells an act and all that followed from it.

A game says it in its own terms (``Game.tell_roll``), from facts alone: what the roll was made with and what it came to,
as far as the reader may know.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from firefight.engine.values import Values


@dataclass(frozen=True, slots=True)
class RollFacts:
    """A roll of a log. ``outcome``: the value of its outcome; ``headline``: its result in short.
    ``words``: its line's own sentence, which begins with the title of the roll.

    ``scene``: where those stood who made it ("firers") and at whom ("targets"), in words.
    """

    helper: str
    inputs: Values
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
    """What a roll adds. ``words``: a clause of its own, "" for none; ``fates``: what happened to whom, by the counter's
    name: "held". ``passing``: its words are left out once something follows that says more."""

    words: str = ""
    fates: Mapping[str, str] = field(default_factory=dict)
    passing: bool = False


def tell_in_short(facts: RollFacts) -> Clause:
    """A roll about which its game says nothing else: its result, with the roll's title unless the result names itself.

    >>> tell_in_short(RollFacts("supply", {}, "yes", "25: supplied by 6.", "Supply. 25: supplied by 6.")).words
    '25: supplied by 6.'
    >>> tell_in_short(RollFacts("movement", {}, "", "3 MF.", "Movement costs. 3 MF.")).words
    'Movement costs: 3 MF.'
    """
    title = facts.words.removesuffix(facts.headline).strip().removesuffix(".")
    if not facts.words.endswith(facts.headline) or not title:
        return Clause(facts.words)
    return Clause(facts.headline if ": " in facts.headline else f"{title}: {facts.headline}")
