"""Dice as they fell against dice as they should fall: counts, means, and how far chance alone would carry them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import sqrt
from statistics import NormalDist

import icepool

LIKELY = Fraction(95, 100)  # of all fair dice stay within the ranges given here
_FEW = 4  # up to this many dice are added up exactly; the sum of more is as good as normal
_GROUPS = 10  # dice with more than _MOST_FACES different numbers are counted in that many groups: the tens of a d100
_MOST_FACES = 20


@dataclass(frozen=True, slots=True)
class Range:
    """What 95 of 100 fair series of this length stay within, both ends included."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Tally:
    """Throws of one kind, at least one: ``dice`` dice with that many sides, added up where they are several.

    ``groups``: how often each number came up, or each stretch of numbers that stand next to each other.
    """

    sides: int
    number: int
    mean: float
    groups: tuple[int, ...]
    dice: int = 1

    @property
    def expected(self) -> float:
        """The mean of fair dice."""
        return self.dice * (self.sides + 1) / 2

    @property
    def mean_range(self) -> Range:
        """Where the mean of that many fair throws lies in 95 of 100 series."""
        if self.number <= _FEW:
            return self._exact_range()
        spread = sqrt(self.dice * (self.sides**2 - 1) / 12 / self.number)
        off = NormalDist().inv_cdf(float(1 + LIKELY) / 2) * spread
        return Range(self.expected - off, self.expected + off)

    def _exact_range(self) -> Range:
        total = (self.number * self.dice) @ icepool.d(self.sides)
        outcomes, rare = total.outcomes(), (1 - LIKELY) / 2
        low = next(sum_ for sum_ in outcomes if total.probability("<=", sum_) > rare)
        high = next(sum_ for sum_ in reversed(outcomes) if total.probability(">=", sum_) > rare)
        return Range(low / self.number, high / self.number)

    @property
    def group_names(self) -> tuple[str, ...]:
        """The numbers of each group, as "3" or "21-30"."""
        stretches = _group_throws(self.sides, self.dice)
        return tuple(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}" for numbers in stretches)

    @property
    def group_ranges(self) -> tuple[Range, ...]:
        """How often each group, if named beforehand, comes up in 95 of 100 series of that many fair throws."""
        weights = _count_ways(self.sides, self.dice)
        total = sum(weights.values())
        shares = [
            Fraction(sum(weights[value] for value in numbers), total)
            for numbers in _group_throws(self.sides, self.dice)
        ]
        return tuple(_count_range(self.number, share) for share in shares)

    @property
    def group_range(self) -> Range | None:
        """The range of every group, None where it is not the same for all."""
        ranges = set(self.group_ranges)
        return ranges.pop() if len(ranges) == 1 else None


def _count_ways(sides: int, dice: int) -> dict[int, int]:
    """In how many ways that many dice come to each sum."""
    return dict((dice @ icepool.d(sides)).items())


def _group_throws(sides: int, dice: int) -> list[range]:
    """The groups in which throws are counted, as equal in size as possible."""
    values = range(dice, dice * sides + 1)
    if len(values) <= _MOST_FACES:
        return [range(value, value + 1) for value in values]
    ends = [len(values) * place // _GROUPS for place in range(_GROUPS + 1)]
    return [values[first:last] for first, last in zip(ends, ends[1:], strict=False)]


@lru_cache(maxsize=500)
def _count_range(number: int, share: Fraction) -> Range:
    """How often something with this share comes up in 95 of 100 series."""
    rare, total = (1 - LIKELY) / 2, share.denominator**number
    low = _first_above(number, share, rare * total)
    return Range(low, _first_above(number, share, (1 - rare) * total))


def _first_above(number: int, share: Fraction, limit: Fraction) -> int:
    """The first count up to which the weights of all counts come to more than a limit."""
    return next(count for count, passed in enumerate(accumulate(_count_series(number, share))) if passed > limit)


def _count_series(number: int, share: Fraction) -> Iterator[int]:
    """In how many of all series it comes up 0 times, once, and so on: the binomial distribution."""
    hit, miss = share.numerator, share.denominator - share.numerator
    weight = miss**number
    for count in range(number + 1):
        yield weight
        weight = weight * (number - count) * hit // ((count + 1) * miss)


def tally(sides: int, faces: Sequence[int], dice: int = 1) -> Tally:
    """Count natural faces of dice with that many sides, or sums of ``dice`` of them.

    Raises ValueError for no dice at all, and for what such dice cannot show.
    """
    if not faces:
        raise ValueError("There are no dice to count.")
    groups = {value: place for place, numbers in enumerate(_group_throws(sides, dice)) for value in numbers}
    if not all(face in groups for face in faces):
        raise ValueError(f"{dice}d{sides} do not show that.")
    counts = Counter(groups[face] for face in faces)
    counts_by_group = tuple(counts[place] for place in range(max(groups.values()) + 1))
    return Tally(sides, len(faces), sum(faces) / len(faces), counts_by_group, dice)
