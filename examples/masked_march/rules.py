"""The rules of Masked March."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.course.alternating import Alternating
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import Outcome, Result, waiting

SIDES = {"north": "North", "south": "South"}
COURSE = Alternating(sides=SIDES, last_turn=6)


class Block(Protocol):
    """A block as a roll names it."""

    @property
    def id(self) -> str: ...

    @property
    def levels(self) -> Mapping[str, int]: ...


class MarchOutcome(Outcome):
    """How a roll ends."""

    HIT = "hit"
    MISSED = "missed"
    FILLED = "filled"


def fire(charts: Book, by: Sequence[Block], at: Sequence[Block], die: int | None = None) -> Result:
    """A d6 of at most the dots of those who fire takes a dot of each target (1.1 Fire)."""
    if not by or not at:
        raise BadInput({"at": "Choose who fires, and at whom."})
    if die is None:
        return waiting("Roll a d6.", "die")
    strength = sum(each.levels.get("dots", 0) for each in by)
    hit = at if die <= strength else ()
    return Result(
        f"Fire with {strength}: {len(hit)} hit.",
        MarchOutcome.HIT if hit else MarchOutcome.MISSED,
        dice={"die": die},
        rules=("1.1 Fire",),
        changes=tuple(CounterChange(each.id, "hit") for each in hit if each.id),
    )


def fill_up(charts: Book, who: Sequence[Block]) -> Result:
    """Blocks of less than two dots have two again (1.2 Replacements)."""
    weak = [each for each in who if each.levels.get("dots", 0) < 2]
    return Result(
        f"Filled up: {len(weak)}.",
        MarchOutcome.FILLED,
        rules=("1.2 Replacements",),
        changes=tuple(CounterChange(each.id, "dots", 2) for each in weak if each.id),
    )
