"""Odds as a page shows them: in percent, in words, and in a line that a phone has room for."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from django.utils.text import capfirst

from firefight.columns import LoggedResult
from firefight.engine.rolls.odds import Odds, OddsRow
from firefight.engine.text import without_capital
from firefight.games import registry
from firefight.kit.helper import Helper

SIMPLEST = 10  # the largest denominator of odds such as 2 in 3
LINE_ROOM, PART_ROOM = 53, 8  # characters of the odds in a line on a phone, and of each part besides its word
MOST_NAMED = 8  # outcomes that the line chooses among


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """One outcome of a distribution, in percent and in words where that is true."""

    label: str
    percent: str
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class ShownOdds:
    """A distribution as a page shows it. ``certain``: its only outcome, where nothing else can come of the roll."""

    title: str
    certain: str
    rows: tuple[ShownOutcome, ...]


@dataclass(frozen=True, slots=True)
class OddsPart:
    """A part of the odds in a line: whole percent, and what they are of."""

    percent: str
    word: str


@lru_cache(maxsize=1000)
def sum_up_odds(helper: Helper, distributions: tuple[Odds, ...]) -> tuple[OddsPart, ...]:
    """The first distribution in a line that a phone has room for, in a helper's ``brief`` words: "22 % losses"."""
    if not distributions:
        return ()
    first, weights = distributions[0], Counter[str]()
    sides = tuple(registry.games()[helper.game].sides.values())
    for row in first.rows:
        word = helper.brief.get(row.label) or helper.brief.get(row.outcome) or without_capital(row.label, sides)
        weights[word] += row.weight
    names = pick_named(weights)
    weighed = {word: weight for word, weight in weights.items() if word in names}
    if len(weighed) < len(weights):
        weighed["other"] = first.total - sum(weighed.values())
    return tuple(OddsPart(in_whole_percent(weight, first.total), word) for word, weight in weighed.items())


def pick_named(weights: Mapping[str, int]) -> Collection[str]:
    """The words of the outcomes to name in a line, as far as there is room: together as likely as possible, so that
    "other" is as small as can be. At least one, the likeliest.

    >>> sorted(pick_named({"a long word for a rare thing, and more": 3, "hit": 2, "miss": 5, "a draw": 1}))
    ['a draw', 'hit', 'miss']
    """
    heaviest = sorted(weights, key=lambda word: -weights[word])[:MOST_NAMED]

    def has_room(words: Sequence[str]) -> bool:
        line = words if len(words) == len(weights) else (*words, "other")
        return sum(len(word) + PART_ROOM for word in line) <= LINE_ROOM

    sets = (words for number in range(len(heaviest), 0, -1) for words in combinations(heaviest, number))
    fitting = (words for words in sets if has_room(words))
    return max(fitting, key=lambda words: sum(weights[word] for word in words), default=heaviest[:1])


def in_whole_percent(weight: int, total: int) -> str:
    """Odds in whole percent, halves up; what is not certain is never shown as certain, nor as impossible.

    >>> in_whole_percent(1, 3), in_whole_percent(1, 1600), in_whole_percent(1599, 1600), in_whole_percent(5, 5)
    ('33', '<1', '>99', '100')
    """
    percent = (200 * weight + total) // (2 * total)
    if weight and not percent:
        return "<1"
    return ">99" if percent == 100 and weight < total else str(percent)


@lru_cache(maxsize=1000)
def show_odds(distributions: tuple[Odds, ...]) -> tuple[ShownOdds, ...]:
    """Distributions in percent and words; units with the same odds share one table."""
    alike: dict[tuple[bool, int, tuple[OddsRow, ...]], list[str]] = {}
    for odds in distributions:
        alike.setdefault((bool(odds.subject), odds.total, odds.rows), []).append(odds.subject)
    tables = (_odds_table(", ".join(subjects), total, rows) for (_, total, rows), subjects in alike.items())
    return tuple(table for table in tables if table.rows)


def _odds_table(subject: str, total: int, rows: Sequence[OddsRow]) -> ShownOdds:
    """One distribution. What is certain for everybody needs no table."""
    words = tuple(
        ShownOutcome(capfirst(row.label), in_percent(row.weight, total), in_words(row.weight, total)) for row in rows
    )
    certain = rows[0].label if len(words) == 1 and not subject else ""
    return ShownOdds(f"For {subject}" if subject else "Odds", certain, words)


def in_percent(weight: int, total: int) -> str:
    """Odds in percent with one decimal, halves up.

    >>> in_percent(1, 3), in_percent(1, 1600), in_percent(5, 5)
    ('33.3', '0.1', '100.0')
    """
    tenths = (2000 * weight + total) // (2 * total)
    return f"{tenths // 10}.{tenths % 10}"


def in_words(weight: int, total: int) -> str:
    """Odds as people say them, where that is true; "" where only the percentage is.

    "About 1 in 19" is said when 19 is the nearest whole number, and off by no more than a tenth; nobody says "about
    1 in 1" of what nearly always happens.

    >>> in_words(25, 100), in_words(2, 3), in_words(100, 100), in_words(1, 100)
    ('1 in 4', '2 in 3', 'certain', '1 in 100')
    >>> in_words(52, 1000), in_words(9, 100), in_words(65, 100), in_words(919, 1000)
    ('about 1 in 19', 'about 1 in 11', '', '')
    """
    exact = Fraction(weight, total)
    if exact == 1:
        return "certain"
    if exact.numerator == 1 or exact.denominator <= SIMPLEST:
        return f"{exact.numerator} in {exact.denominator}"
    nearest = math.floor(1 / exact + Fraction(1, 2))
    return f"about 1 in {nearest}" if nearest > 1 and abs(nearest * exact - 1) <= Fraction(1, 10) else ""


def count_outcomes(helper: Helper, results: Sequence[LoggedResult]) -> str:
    """How often a helper's rolls came to what: "1 Disrupted, 2 passed"; "" for fewer than two, or an unknown word."""
    counts = Counter(helper.brief.get(str(result.outcome), "") for result in results if result.helper == helper.slug)
    if counts.total() < 2 or "" in counts:
        return ""
    words = dict.fromkeys(helper.brief.values())
    return ", ".join(f"{counts[word]} {word}" for word in words if counts[word])
