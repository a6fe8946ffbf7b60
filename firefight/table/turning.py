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

from .history import Histories
from .log import LogLine

TEN = 10
MOST_JUDGED = 2_500  # rolls of one report, the newest; the longest campaign has about 1,300


@dataclass(frozen=True, slots=True)
class JudgedRoll:
    """A roll with the odds before it. ``share``: of what it came to; ``tail``: of that or what lies beyond.

    ``is_low``: it fell on the low side, which rolls of this kind hope for. ``cost``: how many counters were hurt or
    fell of what followed from it.
    """

    line: LogLine
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
    books = _find_books(match, lines)
    rolls = [line for line in lines if line.kind == LogEntry.Kind.ROLL and line.voided_by is None and line.rolls]
    found = (_judge(game, line, outcomes.get(line.number), books, costs) for line in rolls[-MOST_JUDGED:])
    return [each for each in found if each]


def find_turning_points(judged: Iterable[JudgedRoll]) -> list[JudgedRoll]:
    """The ten that changed most, in the order in which they fell."""
    most = sorted(judged, key=lambda each: (-each.weight, each.line.number))[:TEN]
    return sorted(most, key=lambda each: each.line.number)


def find_luckiest(game: Game, judged: Iterable[JudgedRoll], is_best: bool) -> list[JudgedRoll]:
    """The ten best or worst rolls, the least likely first; of those rolls whose luck has a direction."""
    turned = [each for each in judged if each.line.helper in game.low_is_lucky and each.is_low is is_best]
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


def _find_books(match: Match, lines: Iterable[LogLine]) -> list[tuple[int, str]]:
    """From which line on which charts were played with; a move of the match names the new ones."""
    moves = [
        (line.number, line.inputs["book"])
        for line in lines
        if line.kind == LogEntry.Kind.BOOK and "book" in line.inputs
    ]
    moved = LogEntry.objects.filter(match=match, number=1).values_list("inputs", flat=True).first() if moves else None
    first = (moved or {}).get("book", match.book_id)
    return [(0, first), *moves]


def _judge(
    game: Game, line: LogLine, outcome: str | None, books: Sequence[tuple[int, str]], costs: Mapping[int, int]
) -> JudgedRoll | None:
    helper = registry.helpers(game.slug).get(line.helper)
    if helper is None or outcome is None:
        return None
    digest = [book for number, book in books if number <= line.number][-1]
    odds = _find_odds(helper, chartbooks.of_version(digest, game.slug), line.inputs)
    if odds is None:
        return None
    shares = [row.weight / odds.total for row in odds.rows]
    here = [row.outcome == outcome for row in odds.rows]
    share = sum(part for part, is_it in zip(shares, here, strict=True) if is_it)
    if not 0 < share < 1:
        return None
    before = sum(part for _, part in takewhile(lambda pair: not pair[0], zip(here, shares, strict=True)))
    low, high = before + share, 1 - before
    return JudgedRoll(line, share, min(low, high), low <= high, costs.get(line.number, 0))


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
