"""Turning points: rolls judged by the odds that were shown before them, and by the counters that they cost.

The odds are those of the roll alone, from the rule itself and the charts that the match was played with then, so that
they are those that stood on the page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from math import log2
from typing import Any

from firefight.assistant import chartbooks, registry
from firefight.assistant.registry import Game, Helper
from firefight.engine.charts.book import Book
from firefight.engine.errors import MissingChart, RuleError
from firefight.engine.rolls.odds import Odds
from firefight.models import LogEntry, Match

from .history import STRIKES, Histories, ledger_story
from .log import LogLine

TEN = 10
MOST_JUDGED = 2_500  # rolls of one report, the newest; the longest campaign has about 1,300


@dataclass(frozen=True, slots=True)
class JudgedRoll:
    """A roll with the odds before it. ``share``: of what it came to; ``tail``: of that or what lies beyond.

    ``line``: the line that tells of it, which may tell of several. ``is_low``: it fell on the low side, which rolls of
    this kind hope for. ``cost``: how many counters were hurt or fell of what followed from it.
    """

    line: LogLine
    side: str
    helper: str
    sentence: str
    share: float
    tail: float
    is_low: bool
    cost: int

    @property
    def weight(self) -> float:
        """How much it changed: how unlikely it was, times what it cost."""
        return -log2(self.tail) * (1 + self.cost)

    @property
    def chance(self) -> str:
        """The share of what it came to, in percent."""
        return _in_percent(self.share)

    @property
    def luck(self) -> str:
        """The share of what it came to and all beyond that, in percent."""
        return _in_percent(self.tail)


def _in_percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"


def judge_rolls(
    match: Match, lines: Sequence[LogLine], outcomes: Mapping[int, str], told: Histories
) -> list[JudgedRoll]:
    """The rolls among these lines for which odds were shown. ``outcomes``: what each came to, by its number."""
    game, costs = registry.games()[match.game], _count_costs(lines, told)
    charts = _Charts(match, lines)
    judged: list[JudgedRoll] = []
    for line in [line for line in lines if line.voided_by is None and line.rolls][-MOST_JUDGED:]:
        if line.kind == LogEntry.Kind.ROLL:
            judged += _judge_roll(game, line, outcomes.get(line.number), charts, costs)
        elif STRIKES in line.inputs:
            judged += ledger_story().judge_line(line, charts.at(line))
    return judged


def find_turning_points(judged: Iterable[JudgedRoll]) -> list[JudgedRoll]:
    """The ten that changed most, in the order in which they fell."""
    most = sorted(judged, key=lambda each: (-each.weight, each.line.number))[:TEN]
    return sorted(most, key=lambda each: each.line.number)


def find_luckiest(game: Game, judged: Iterable[JudgedRoll], is_best: bool) -> list[JudgedRoll]:
    """The ten best or worst rolls, the least likely first; of those rolls whose luck has a direction."""
    turned = [each for each in judged if each.helper in game.low_is_lucky and each.is_low is is_best]
    return sorted(turned, key=lambda each: (each.tail, -each.cost, each.line.number))[:TEN]


def _count_costs(lines: Iterable[LogLine], told: Histories) -> dict[int, int]:
    """How many counters each roll has cost: harm counts for every roll of the chain that led to it."""
    above = {line.number: line.follows for line in lines}
    costs: dict[int, int] = {}
    for _, moment in told.harms:
        number = above.get(moment.line.number)
        while number is not None:
            costs[number] = costs.get(number, 0) + 1
            number = above.get(number)
    return costs


class _Charts:
    """Which charts were played with at a line: a move of the match names the new ones."""

    def __init__(self, match: Match, lines: Iterable[LogLine]):
        self.game = match.game
        moves = [
            (line.number, line.inputs["book"])
            for line in lines
            if line.kind == LogEntry.Kind.BOOK and "book" in line.inputs
        ]
        head = (
            LogEntry.objects.filter(match=match, number=1).values_list("inputs", flat=True).first() if moves else None
        )
        self.books = [(0, (head or {}).get("book", match.book_id)), *moves]

    def at(self, line: LogLine) -> Book:
        digest = [book for number, book in self.books if number <= line.number][-1]
        return chartbooks.of_version(digest, self.game)


def _judge_roll(
    game: Game, line: LogLine, outcome: str | None, charts: _Charts, costs: Mapping[int, int]
) -> list[JudgedRoll]:
    helper = registry.helpers(game.slug).get(line.helper)
    odds = _find_odds(helper, charts.at(line), line.inputs) if helper and outcome is not None else None
    return judge(line, odds, outcome, costs.get(line.number, 0)) if odds and outcome is not None else []


def judge(line: LogLine, odds: Odds, outcome: str, cost: int) -> list[JudgedRoll]:
    """A roll by its odds, and what it came to; none where that was certain."""
    shares = [row.weight / odds.total for row in odds.rows]
    here = [row.outcome == outcome for row in odds.rows]
    share = sum(part for part, is_it in zip(shares, here, strict=True) if is_it)
    if not 0 < share < 1:
        return []
    before = sum(part for _, part in takewhile(lambda pair: not pair[0], zip(here, shares, strict=True)))
    low, high = before + share, 1 - before
    return [JudgedRoll(line, line.side, line.helper, line.sentence, share, min(low, high), low <= high, cost)]


def _find_odds(helper: Helper, book: Book, plain: Mapping[str, Any]) -> Odds | None:
    """The odds of a roll with these inputs; None where the charts cannot tell any more."""
    fields = helper.form.base_fields
    form = helper.form.from_plain({name: value for name, value in plain.items() if name in fields}, book=book)
    if not form.is_valid():
        return None
    # What a counter is called changes no odds: rolls that differ in that alone are counted once.
    inputs = {name: "" if name == "name" else value for name, value in form.inputs().items()}
    inputs |= dict.fromkeys(helper.beyond, ())
    try:
        return _count(helper, book, frozenset(inputs.items()))
    except (RuleError, MissingChart):
        return None


@lru_cache(maxsize=2_000)
def _count(helper: Helper, book: Book, inputs: frozenset[tuple[str, Any]]) -> Odds:
    return helper.table_odds(book, dict(inputs))
