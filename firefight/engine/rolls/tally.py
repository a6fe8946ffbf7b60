"""Dice as they fell against dice as they should: counts, means, and how far chance alone would carry them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from statistics import NormalDist

import icepool

LIKELY = Fraction(95, 100)  # of all fair dice stay within the ranges given here
_FEW = 4  # so many dice are added up exactly; the sum of more is as good as normal
_GROUPS = 10  # faces are counted in so many groups: each face of a d10, each ten of a d100


@dataclass(frozen=True, slots=True)
class Range:
    """What 95 of 100 fair series of this length stay within, both ends included."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a value lies inside."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Tally:
    """Faces of dice of one size, at least one. ``groups``: how often each tenth of the faces came up."""

    sides: int
    number: int
    mean: float
    groups: tuple[int, ...]

    @property
    def expected(self) -> float:
        """The mean of fair dice."""
        return (self.sides + 1) / 2

    @property
    def mean_range(self) -> Range:
        """Where the mean of so many fair dice lies in 95 of 100 series."""
        if self.number <= _FEW:
            return self._exact_range()
        off = NormalDist().inv_cdf(float(1 + LIKELY) / 2) * sqrt((self.sides**2 - 1) / 12 / self.number)
        return Range(self.expected - off, self.expected + off)

    def _exact_range(self) -> Range:
        total = self.number @ icepool.d(self.sides)
        outcomes, rare = total.outcomes(), (1 - LIKELY) / 2
        low = next(sum_ for sum_ in outcomes if total.probability("<=", sum_) > rare)
        high = next(sum_ for sum_ in reversed(outcomes) if total.probability(">=", sum_) > rare)
        return Range(low / self.number, high / self.number)

    @property
    def group_names(self) -> tuple[str, ...]:
        """The faces of each group, as "3" or "21-30"."""
        width = self.sides // _GROUPS
        if width == 1:
            return tuple(str(face) for face in range(1, self.sides + 1))
        return tuple(f"{first + 1}-{first + width}" for first in range(0, self.sides, width))

    @property
    def group_range(self) -> Range:
        """How often one group, named beforehand, comes up in 95 of 100 series of so many fair dice."""
        rare, total = (1 - LIKELY) / 2, _GROUPS**self.number
        low = self._first_above(rare * total)
        return Range(low, self._first_above((1 - rare) * total))

    def _first_above(self, limit: Fraction) -> int:
        """The first count up to which the weights of all counts come to more than a limit."""
        return next(count for count, passed in enumerate(accumulate(self._weights())) if passed > limit)

    def _weights(self) -> Iterator[int]:
        """In how many of all series a group comes up 0 times, once, and so on: the binomial distribution."""
        weight = (_GROUPS - 1) ** self.number
        for count in range(self.number + 1):
            yield weight
            weight = weight * (self.number - count) // ((count + 1) * (_GROUPS - 1))


def tally(sides: int, faces: Sequence[int]) -> Tally:
    """Count faces of d10 or d100, natural, 1 to ``sides``. Raises ValueError for no dice at all."""
    if not faces:
        raise ValueError("There are no dice to count.")
    counts = Counter((face - 1) * _GROUPS // sides for face in faces)
    return Tally(sides, len(faces), sum(faces) / len(faces), tuple(counts[group] for group in range(_GROUPS)))
