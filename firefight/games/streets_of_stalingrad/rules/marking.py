"""What rolls make of the counters that they are about: who is spent, pinned, lost (9.18, 9.81, 9.84, 12.8)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from itertools import combinations
from typing import Any, Protocol

from firefight.engine.board.counters import CounterChange
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json

from .becoming import SPENT
from .crt import count_eliminated


class Tapped(Protocol):
    """A counter that a roll is about; ``id`` is "" for one that players have typed."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def plain(self) -> Json: ...


def mark(rule: Callable[..., Result], spends: bool = False) -> Callable[..., Result]:
    """A rule of a fire that marks counters, too. ``spends``: those who fire are spent by it."""

    @wraps(rule)
    def run(*, by: Sequence[Tapped] = (), at: Sequence[Tapped] = (), **given: Any) -> Result:
        result = rule(**given)
        if result.needs:
            return result
        marker = result.details.get("marker")
        firing = [CounterChange(each.id, SPENT, each.name) for each in by if each.id and spends]
        struck = [CounterChange(each.id, str(marker), each.name) for each in at if each.id and marker]
        steps = [_name_struck(step, at) for step in result.follow_ups]
        return replace(result, changes=(*result.changes, *firing, *struck), follow_ups=tuple(steps))

    return run


def _name_struck(step: FollowUp, at: Sequence[Tapped]) -> FollowUp:
    """The roll for losses knows who was in the hex."""
    is_theirs = step.helper == "losses" and any(each.id for each in at)
    return replace(step, inputs={**step.inputs, "who": [each.plain() for each in at]}) if is_theirs else step


def list_ways(
    *, result: str, who: Sequence[Tapped] = (), combat_units: int = 0, immobilized: int = 0, **others: object
) -> list[tuple[tuple[int, ...], str]]:
    """The ways to lose so many of those who are there: their places in the list, from 1, and their names.

    The first ``combat_units`` of the list are those who can be chosen, snipers last (9.82, 16.16); nobody chooses where
    all are lost, or none.
    """
    number = count_eliminated(result)
    there = [(place, each) for place, each in enumerate(who[:combat_units], 1) if each.id]
    if number == "all" or not number or len(there) <= int(number):
        return []
    first = [(place, each) for place, each in there if each.kind not in LAST]
    able = first if len(first) >= int(number) else there
    ways = combinations(able, int(number))
    return [(tuple(at for at, _ in way), " and ".join(each.name for _, each in way)) for way in ways]


LAST = ("sniper", "zaitsev")  # by their keys


def tick_losses(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of losses, which takes the lost off the table, too: those who were chosen, or all."""

    @wraps(rule)
    def run(*, who: Sequence[Tapped] = (), lost: Sequence[int] = (), **given: Any) -> Result:
        result, known = rule(**given), [each for each in who if each.id]
        told = {name: given[name] for name in ("result", "combat_units", "immobilized") if name in given}
        ways = list_ways(who=who, **told)
        if lost and not ways:
            raise BadInput({"lost": "There is nobody to choose."})
        if ways and not lost:
            raise OpenQuestion({"lost": "Who is lost? Its owner says (9.81)."})
        if ways and tuple(sorted(lost)) not in [places for places, _ in ways]:
            raise BadInput({"lost": f"Lost is one of: {'; '.join(words for _, words in ways[:12])}."})
        number, fighting = count_eliminated(told["result"]), told.get("combat_units", 0)
        gone = [who[place - 1] for place in lost]
        if not ways and number:
            gone = list(who[: fighting + told.get("immobilized", 0)] if number == "all" else who[:fighting])
        changes = [CounterChange(each.id, "eliminated", each.name) for each in gone if each in known]
        return replace(result, changes=(*result.changes, *changes))

    return run
