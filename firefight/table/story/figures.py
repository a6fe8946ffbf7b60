"""What the charts of a report show: losses by cause and by part of the match, and how the dice fell.

What a ledger adds (Campaign Points, sectors) comes from the ledger (act/ports.py).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firefight.drawing.charts import Chart, ColumnChart, Plotted, RangeChart, RangeRow
from firefight.engine.rolls.tally import Tally
from firefight.engine.text import capitalize
from firefight.kit.game import Game
from firefight.table.act.ledger_values import StoryPart

from .history import FELL, Histories

MOST_LABELS = 12  # columns that can be told apart beside each other on a phone


@dataclass(frozen=True, slots=True)
class Loss:
    """What a side has lost by a cause: counters that fell, and those that were reduced, wounded or damaged."""

    side: str
    cause: str
    fell: int
    hurt: int

    @property
    def label(self) -> str:
        """The cause as a heading names it."""
        return capitalize(self.cause) or "Not told"


def count_losses(histories: Histories) -> list[Loss]:
    """Losses by side and cause, the heaviest first."""
    fell = Counter((counter_id.rpartition("-")[0], moment.cause) for counter_id, moment in histories.falls)
    hurt = Counter(
        (counter_id.rpartition("-")[0], moment.cause) for counter_id, moment in histories.harms if moment.word != FELL
    )
    keys = sorted({*fell, *hurt}, key=lambda key: (-fell[key], -hurt[key], key))
    return [Loss(side, cause, fell[side, cause], hurt[side, cause]) for side, cause in keys]


def chart_losses_by_cause(game: Game, histories: Histories) -> Chart | None:
    """How many counters of each side fell by each cause; None where nobody fell."""
    losses = [loss for loss in count_losses(histories) if loss.fell]
    causes = list(dict.fromkeys(loss.label for loss in losses))
    by = {(loss.side, loss.label): loss.fell for loss in losses}
    series = [
        Plotted(name, game.rank_of(side), tuple(by.get((side, cause), 0) for cause in causes))
        for side, name in game.sides.items()
    ]
    return ColumnChart("Counters that fell, by cause", tuple(causes), tuple(series)) if causes else None


def chart_losses_by_part(game: Game, histories: Histories, parts: Sequence[StoryPart]) -> Chart | None:
    """How many counters of each side fell in each part of the match; None where nobody fell, or it has one part."""
    if not 1 < len(parts) <= MOST_LABELS or not histories.falls:
        return None
    falls: Counter[tuple[str, int]] = Counter()
    for counter_id, moment in histories.falls:
        place = max((place for place, part in enumerate(parts) if part.first <= moment.line.number), default=0)
        falls[counter_id.rpartition("-")[0], place] += 1
    series = [
        Plotted(name, game.rank_of(side), tuple(falls[side, place] for place in range(len(parts))))
        for side, name in game.sides.items()
    ]
    return ColumnChart("Counters that fell, in the order of play", tuple(part.title for part in parts), tuple(series))


def chart_dice(series: Iterable[tuple[str, Tally]]) -> Chart | None:
    """The means of dice against the range that holds those of 95 in 100 fair series; None where nothing was rolled."""
    rows = []
    for name, tally in series:
        fair_range = tally.mean_range
        least, most = tally.dice, tally.dice * tally.sides
        # Many dice have a narrow range: the scale is so wide that it can be seen.
        reach = max(3 * (fair_range.high - fair_range.low) / 2, abs(tally.mean - tally.expected) * 1.1)
        low, high = max(least, tally.expected - reach), min(most, tally.expected + reach)
        rows.append(RangeRow(f"{name}: {tally.number}", fair_range.low, fair_range.high, tally.mean, low, high))
    return RangeChart("Dice: means, and where those of 95 in 100 fair series lie", tuple(rows)) if rows else None
