"""The rules of Two Bridges: pure functions of inputs, charts and dice."""

from typing import Any

from firefight.engine.board.counters import CounterChange
from firefight.engine.course.alternating import Alternating
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting

SIDES = {"north": "North", "south": "South"}
COURSE = Alternating(sides=SIDES, last_turn=8)


class FightOutcome(Outcome):
    HIT = "hit"
    MISSED = "missed"
    RALLIED = "rallied"
    FAILED = "failed"


def fire(charts: Any, by: Any, at: Any, die: int | None = None) -> Result:
    """All targets are hit by a d6 no higher than the number of those who fire (1.1 Fire)."""
    if not by or not at:
        raise BadInput({"at": "Choose who fires, and at whom."})
    if die is None:
        return waiting("Roll a d6.", "die")
    hit = at if die <= len(by) else ()
    return Result(
        f"Fire: {len(hit)} hit.",
        FightOutcome.HIT if hit else FightOutcome.MISSED,
        dice={"die": die},
        follow_ups=tuple(FollowUp("rally", f"Rally {target}", {"who": [target.plain()]}) for target in hit),
        changes=tuple(CounterChange(target.id, "hit") for target in hit if target.id),
    )


def rally(charts: Any, who: Any, die: int | None = None) -> Result:
    """On 4 or more a counter is in Good Order again (1.2 Rally)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    if die < 4:
        return Result("No rally.", FightOutcome.FAILED, dice={"die": die})
    changes = tuple(CounterChange(target.id, "good_order") for target in who if target.id)
    return Result("Rallied.", FightOutcome.RALLIED, dice={"die": die}, changes=changes)
