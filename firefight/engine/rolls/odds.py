"""Exact odds, by running the rule itself over every face of every die it asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import icepool

from .dice import DieSpec
from .result import Result


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One outcome and in how many of the ``total`` equally likely rolls it happens."""

    outcome: str
    label: str
    weight: int


@dataclass(frozen=True, slots=True)
class Odds:
    """A distribution in integers; ``subject`` says whose (a unit's name) when there are several."""

    total: int
    rows: tuple[OddsRow, ...]
    subject: str = ""

    def as_json(self) -> dict[str, Any]:
        """The distribution under the keys of the machine-readable contract."""
        rows = [{"outcome": r.outcome, "label": r.label, "weight": r.weight} for r in self.rows]
        named = {"subject": self.subject} if self.subject else {}
        return {**named, "total": self.total, "outcomes": rows}


def sweep(rule: Callable[[Mapping[str, int]], Result], specs: Sequence[DieSpec]) -> Odds:
    """The odds of a rule that takes its dice as a mapping and names the dice it still needs.

    Odds and rolls agree by construction: this calls what a real roll calls. A settled outcome
    is counted at once, even if a further die would only place a marker. A die that stands apart
    is swept once.
    """
    wanted = {spec.name: spec for spec in specs}
    order: dict[tuple[str, str], int] = {}
    swept: dict[str, icepool.Die] = {}

    def branch(dice: dict[str, int]) -> Any:
        result = rule(dice)
        if result.outcome is not None:
            key = (result.outcome.value, result.word)
            order.setdefault(key, len(order))
            return key
        die = wanted[result.needs[0]]
        if die.name in swept:
            return swept[die.name]
        faces = icepool.Die([branch({**dice, die.name: face}) for face in range(1, die.sides + 1)])
        if die.apart:
            swept[die.name] = faces
        return faces

    found = branch({})
    if isinstance(found, tuple):
        outcome, label = found
        return Odds(1, (OddsRow(outcome, label, 1),))
    ranked = sorted(found.items(), key=lambda item: order[item[0]])
    return Odds(found.denominator(), tuple(OddsRow(outcome, label, weight) for (outcome, label), weight in ranked))


def distribution(weights: Mapping[tuple[str, str], int], subject: str = "") -> Odds:
    """Odds from counted weights by (outcome, label), in the order given; zero weights are left out."""
    rows = tuple(OddsRow(outcome, label, weight) for (outcome, label), weight in weights.items() if weight)
    return Odds(sum(weights.values()), rows, subject)
