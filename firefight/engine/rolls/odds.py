"""Exact odds, by running the rule itself over everything that the throws it asks for can come to.

Sums are weighted and pools counted: what a rule cannot tell apart is asked once, so that nothing sweeps over all
faces of many dice.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import icepool

from firefight.engine.values import Values

from .dice import DieSpec, Face
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

    def as_json(self) -> dict[str, object]:
        """The distribution under the keys of the machine-readable contract."""
        rows = [{"outcome": r.outcome, "label": r.label, "weight": r.weight} for r in self.rows]
        subject = {"subject": self.subject} if self.subject else {}
        return {**subject, "total": self.total, "outcomes": rows}


def weigh(spec: DieSpec) -> tuple[tuple[Face, int], ...]:
    """Everything that a throw can come to, with its weight, lowest first.

    A pool stands for all orders of its dice: no rule's outcome may depend on which die showed what.

    >>> weigh(DieSpec("dr", 3, "2d3", number=2))
    ((2, 1), (3, 2), (4, 3), (5, 2), (6, 1))
    >>> from firefight.engine.rolls.dice import ReadAs
    >>> weigh(DieSpec("faces", 6, "Dice", number=2, read=ReadAs.EACH, alike=((1, 2, 3, 4), (5, 6))))
    (((1, 1), 16), ((1, 5), 16), ((5, 5), 4))
    """
    return _weigh(spec.number, spec.groups, spec.is_pool)


@lru_cache(maxsize=200)
def _weigh(number: int, groups: tuple[tuple[int, ...], ...], is_pool: bool) -> tuple[tuple[Face, int], ...]:
    if is_pool:
        return tuple(_weigh_pool(number, {group[0]: len(group) for group in groups}))
    if number == 1:
        return tuple((group[0], len(group)) for group in groups)
    return tuple((number @ icepool.d(sum(map(len, groups)))).items())


def _weigh_pool(number: int, sizes: Mapping[int, int]) -> list[tuple[Face, int]]:
    """Every way in which that many dice fall, whatever their order; ``sizes``: how many faces each one stands for."""
    weighed: list[tuple[Face, int]] = []
    for faces in combinations_with_replacement(sizes, number):
        counts = Counter(faces)
        orders = factorial(number) // prod(map(factorial, counts.values()))
        weighed.append((faces, orders * prod(sizes[face] ** count for face, count in counts.items())))
    return weighed


def sweep(rule: Callable[[Values], Result], specs: Sequence[DieSpec]) -> Odds:
    """The odds of a rule that takes its dice as a mapping and names the throws it still needs.

    Odds and rolls agree by construction: this calls what a real roll calls. A settled outcome
    is counted at once, even if a further die would only place a marker. A throw that stands apart
    is swept once, one that goes by a detail once for each of its values.
    """
    specs_by_name = {spec.name: spec for spec in specs}
    order: dict[tuple[str, str], int] = {}
    swept: dict[tuple[str, object], icepool.Die] = {}

    def branch(dice: dict[str, Face]) -> Any:
        result = rule(dice)
        if result.outcome is not None:
            key = (result.outcome.value, result.word)
            order.setdefault(key, len(order))
            return key
        spec = specs_by_name[result.needs[0]]
        stand = (spec.name, result.details.get(spec.by))
        if stand in swept:
            return swept[stand]
        faces, weights = zip(*weigh(spec), strict=True)
        thrown = icepool.Die([branch({**dice, spec.name: face}) for face in faces], times=weights)
        if spec.apart or spec.by:
            swept[stand] = thrown
        return thrown

    outcomes = branch({})
    if isinstance(outcomes, tuple):
        outcome, label = outcomes
        return Odds(1, (OddsRow(outcome, label, 1),))
    ranked = sorted(outcomes.items(), key=lambda item: order[item[0]])
    return Odds(outcomes.denominator(), tuple(OddsRow(outcome, label, weight) for (outcome, label), weight in ranked))


def distribution(weights: Mapping[tuple[str, str], int], subject: str = "") -> Odds:
    """Odds from counted weights by (outcome, label), in the order given; zero weights are left out."""
    rows = tuple(OddsRow(outcome, label, weight) for (outcome, label), weight in weights.items() if weight)
    return Odds(sum(weights.values()), rows, subject)
