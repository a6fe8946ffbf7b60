"""Turning points: rolls judged by the odds that were shown before them, and by what they and all after them changed.

The odds are those of the roll alone, from the rule itself and the charts that the match was played with then, so that
they are those that stood on the page.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from math import prod

from firefight.engine.charts.book import Book
from firefight.engine.errors import MissingChart, RuleError
from firefight.engine.rolls.odds import Odds
from firefight.games import chartbooks, registry
from firefight.kit.game import Game
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match
from firefight.table.act.ledger_values import JudgedRoll, say_percent
from firefight.table.act.lines import LogLine
from firefight.table.act.ports import the_ledger

from .history import FELL, STRIKES, Histories

TEN = 10
MOST_JUDGED = 2_500  # rolls of one report, the newest; the longest campaign has about 1,300


def judge_rolls(
    match: Match, lines: Sequence[LogLine], outcomes: Mapping[int, str], histories: Histories
) -> list[JudgedRoll]:
    """The rolls among these lines for which odds were shown. ``outcomes``: what each came to, by its number."""
    game, costs = registry.games()[match.game], _count_costs(lines, histories)
    charts = _Charts(match, lines)
    judged: list[JudgedRoll] = []
    for line in [line for line in lines if line.voided_by is None and line.rolls][-MOST_JUDGED:]:
        if line.kind == LogEntry.Kind.ROLL:
            judged += _judge_roll(game, line, outcomes.get(line.number), charts, costs)
        elif STRIKES in line.inputs:
            judged += the_ledger().judge_line(line, charts.at(line))
    return judged


@dataclass(frozen=True, slots=True)
class DecisiveRoll:
    """A roll and all that followed from it. ``number``: of the line that began it; ``side``: whose roll it was.

    ``lines``: its rolls that cost something, with what led to them and what came of them, oldest first; all where
    nothing was lost. ``change``: by how many counters it missed what its odds had promised (``rank_turning_points``).
    ``likelihood``: of the least likely thing that came of it. ``fell``, ``hurt``, ``hit``: how many counters; of those
    that were hit in sector combat the line of the round says what became of them.
    """

    number: int
    lines: tuple[LogLine, ...]
    side: str
    change: float
    likelihood: float
    fell: int
    hurt: int
    hit: int

    @property
    def chance(self) -> str:
        return say_percent(self.likelihood)

    @property
    def cost(self) -> str:
        """What it cost, in words: "2 fell, 1 hurt"; "" where it cost nothing."""
        counts = ((self.fell, "fell"), (self.hurt, "hurt"), (self.hit, "hit"))
        return ", ".join(f"{number} {word}" for number, word in counts if number)


HURT = 0.5  # of a counter: one that was reduced, wounded or damaged


@dataclass(slots=True)
class _Chain:
    """A roll and what followed from it, while it is added up."""

    lines: list[LogLine]
    judged: list[JudgedRoll] = field(default_factory=list)
    change: float = 0
    fell: int = 0
    hurt: int = 0
    hit: int = 0
    chances: list[float] = field(default_factory=list)  # of whatever it cost
    led: set[int] = field(default_factory=set)  # lines that led to that

    def cost(self, worth: float, chance: float) -> None:
        """Something was lost that had a chance of being lost."""
        self.change += worth * (1 - chance)
        self.chances.append(chance)

    def finish(self) -> DecisiveRoll:
        lines = [line for line in self.lines if line.kind in _TOLD and (not self.led or line.number in self.led)]
        lines = lines or self.lines[:1]
        least = min(self.judged, key=lambda roll: (-roll.cost, roll.tail))
        side = least.side if STRIKES in lines[0].inputs else lines[0].side
        likelihood = min(self.chances or [roll.tail for roll in self.judged])
        counted = (self.change, likelihood, self.fell, self.hurt, self.hit)
        return DecisiveRoll(self.lines[0].number, tuple(lines), side, *counted)


_TOLD = (LogEntry.Kind.ROLL, LogEntry.Kind.COUNTER)


def rank_turning_points(
    judged: Iterable[JudgedRoll], lines: Iterable[LogLine], histories: Histories
) -> list[DecisiveRoll]:
    """The judged rolls with all that followed from each, the one that changed most first. ``lines``: oldest first.

    What a roll changed is how far it missed what its odds had promised, in counters: a counter that fell counts 1, one
    that was reduced, wounded or damaged HURT, and each of them less the chance that it had of that. This chance is the
    product, over the rolls that led to it, of the chance of what each came to or beyond. So two squads that fell to a
    result of 2 % change 1.96, and one that fell to a result of 90 % changes 0.1. Rolls that cost nobody come after all
    others, the least likely first, and so do all where the app keeps no counters.
    """
    standing = {line.number: line for line in lines if line.voided_by is None}
    chains = _gather_chains(standing.values())
    tails: dict[int, float] = {}
    for roll in judged:
        chain = chains[_root_of(roll.line)]
        chain.judged.append(roll)
        for chance in roll.took:
            chain.cost(1, chance)
            chain.fell += 1
            chain.led.add(roll.line.number)
        tails[roll.line.number] = roll.tail
        if STRIKES in roll.line.inputs and roll.cost:  # dice of a ledger's line say themselves what each cost
            chain.cost(roll.cost, roll.tail)
            chain.hit += roll.cost
    in_words = {roll.line.number for roll in judged if roll.took}  # whose losses their own words have counted
    for _, moment in histories.harms:
        if moment.line.number not in standing or in_words.intersection(_list_numbers(moment.line, standing)):
            continue
        chain, has_fallen = chains[_root_of(moment.line)], moment.word == FELL
        chain.fell, chain.hurt = chain.fell + has_fallen, chain.hurt + (not has_fallen)
        if STRIKES not in moment.line.inputs:
            path = _list_numbers(moment.line, standing)
            chain.cost(1 if has_fallen else HURT, prod(tails.get(number, 1.0) for number in path))
            chain.led |= {*path}
    points = [chain.finish() for chain in chains.values() if chain.judged]
    return sorted(points, key=lambda point: (-point.change, point.likelihood, point.number))


def _root_of(line: LogLine) -> int:
    """The line that began what a line belongs to: its episode, but each round of a ledger's battle by itself."""
    return line.number if STRIKES in line.inputs else line.begin


def _gather_chains(lines: Iterable[LogLine]) -> dict[int, _Chain]:
    """Lines with all that followed from each, by the number of the line that began it."""
    chains: dict[int, _Chain] = {}
    for line in lines:
        chains.setdefault(_root_of(line), _Chain([])).lines.append(line)
    return chains


def _list_numbers(line: LogLine, standing: Mapping[int, LogLine]) -> list[int]:
    """A line, and those that it follows from, up to the first."""
    numbers: list[int] = []
    cause: LogLine | None = line
    while cause is not None:
        numbers.append(cause.number)
        cause = standing.get(cause.follows or 0)
    return numbers


def find_luckiest(game: Game, judged: Iterable[JudgedRoll], is_best: bool) -> list[JudgedRoll]:
    """The ten best or worst rolls, the least likely first; of those rolls whose luck has a direction."""
    turned = [roll for roll in judged if roll.helper in game.low_is_lucky and roll.is_low is is_best]
    return sorted(turned, key=lambda roll: (roll.tail, -roll.cost, roll.line.number))[:TEN]


def _count_costs(lines: Iterable[LogLine], histories: Histories) -> dict[int, int]:
    """How many counters each roll has cost: harm counts for every roll of the chain that led to it."""
    parents = {line.number: line.follows for line in lines}
    costs: dict[int, int] = {}
    for _, moment in histories.harms:
        number = parents.get(moment.line.number)
        while number is not None:
            costs[number] = costs.get(number, 0) + 1
            number = parents.get(number)
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
        head = match.log.filter(number=1).values_list("inputs", flat=True).first() if moves else None
        self.books = [(0, (head or {}).get("book", match.book_id)), *moves]

    def at(self, line: LogLine) -> Book:
        digest = [book for number, book in self.books if number <= line.number][-1]
        return chartbooks.of_version(digest, self.game)


def _judge_roll(
    game: Game, line: LogLine, outcome: str | None, charts: _Charts, costs: Mapping[int, int]
) -> list[JudgedRoll]:
    helper = registry.helpers(game.slug).get(line.helper)
    odds = _find_odds(helper, charts.at(line), line.inputs) if helper and outcome is not None else None
    if odds is None or outcome is None:
        return []
    return judge(line, odds, outcome, costs.get(line.number, 0), game.count_lost)


def judge(
    line: LogLine, odds: Odds, outcome: str, cost: int, count_lost: Callable[[str], int] | None = None
) -> list[JudgedRoll]:
    """A roll by its odds, and what it came to; none where that was certain.

    Of several rows with its outcome it is the one that its headline ends with: "2 enemy units eliminated".
    ``count_lost``: how many units such words say are lost.
    """
    shares = [row.weight / odds.total for row in odds.rows]
    headline = line.headline.rstrip(".")
    has_outcome = [row.outcome == outcome for row in odds.rows]
    has_label = [is_it and headline.endswith(row.label) for is_it, row in zip(has_outcome, odds.rows, strict=True)]
    matching = has_label if any(has_label) else has_outcome
    share = sum(row_share for row_share, is_it in zip(shares, matching, strict=True) if is_it)
    if not 0 < share < 1:
        return []
    before = sum(row_share for _, row_share in takewhile(lambda pair: not pair[0], zip(matching, shares, strict=True)))
    low, high = before + share, 1 - before
    lost = [count_lost(row.label) for row in odds.rows] if count_lost else []
    matching_losses = [number for number, is_it in zip(lost, matching, strict=True) if is_it] if lost else []
    took = tuple(
        sum(row_share for number, row_share in zip(lost, shares, strict=True) if number >= least)
        for least in range(1, min(matching_losses, default=0) + 1)
    )
    return [JudgedRoll(line, line.side, line.helper, line.sentence, share, min(low, high), low <= high, cost, took)]


def _find_odds(helper: Helper, book: Book, plain: Mapping[str, object]) -> Odds | None:
    """The odds of a roll with these inputs; None where the charts cannot tell any more."""
    fields = helper.form.base_fields
    form = helper.form.from_plain({name: value for name, value in plain.items() if name in fields}, book=book)
    if not form.is_valid():
        return None
    # What a counter is called changes no odds: rolls that differ only in that are counted once.
    inputs = {name: "" if name == "name" else value for name, value in form.inputs().items()}
    inputs |= dict.fromkeys(helper.beyond, ())
    try:
        return _count(helper, book, frozenset(inputs.items()))
    except (RuleError, MissingChart):
        return None


@lru_cache(maxsize=2_000)
def _count(helper: Helper, book: Book, inputs: frozenset[tuple[str, object]]) -> Odds:
    return helper.table_odds(book, dict(inputs))
