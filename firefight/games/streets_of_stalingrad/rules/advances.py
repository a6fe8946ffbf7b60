"""Advance after combat: who may, and which attackers go into a hex that is now empty (9.85, 9.86)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.rolls.answers import Allowed
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words

from .housekeeping import IMMOBILIZED
from .limits import advance_after_combat
from .marking import LEADERS, Way, is_sort
from .stacking import find_combat_limit
from .terms import Side
from .units import Arm

ARMOURED = (Arm.TANK, Arm.STUG, Arm.ARMORED)  # with which four Germans fit into a hex (5.3)


def advance_into(
    *,
    charts: Book,
    side: Side = Side.GERMAN,
    hex: str = "",
    by: Sequence[ChosenOfSort] = (),
    goes: Sequence[int] = (),
    **conditions: bool,
) -> Result:
    """Whether units may advance after combat, and which of the counters go in (9.85, 9.86). ``by``: those that
    attacked from next to the hex; ``goes``: their places in that list; ``conditions``: those of advance_after_combat.

    Raises OpenQuestion where nobody has said who goes, BadInput for those who cannot go together.
    """
    result = advance_after_combat(**conditions)
    groups = list_groups(side=side, by=by)
    if result.outcome is not Allowed.ALLOWED or not (hex and groups):
        return result
    if not goes:
        raise OpenQuestion({"goes": "Who advances? The attacker says (9.85)."})
    words = dict(groups).get(tuple(sorted(goes)))
    if words is None:
        raise BadInput(
            {"goes": f"One of these goes in: {'; '.join(names for _, names in groups[:12])} (5.3, 5.4, 9.85)."}
        )
    changes = tuple(CounterChange(by[place - 1].id, to=hex) for place in goes)
    return replace(result, headline=f"Advance into {hex}: {words}.", changes=changes)


def list_groups(*, side: Side, by: Sequence[ChosenOfSort] = (), **ignored: object) -> list[Way]:
    """Who may go in together, largest groups first: combat units that fit, with or without a leader (ruling S-83)."""
    choosable = [
        (place, counter) for place, counter in enumerate(by, 1) if counter.id and IMMOBILIZED not in counter.state
    ]
    leaders = [member for member in choosable if is_sort(member[1], *LEADERS)]
    fighting = [member for member in choosable if member not in leaders]
    return [
        (tuple(sorted(place for place, _ in group)), join_words([counter.name for _, counter in group]))
        for size in range(len(fighting), 0, -1)
        for units in combinations(fighting, size)
        if size <= find_combat_limit(side, any(is_sort(counter, *ARMOURED) for _, counter in units))
        for group in _lead(units, leaders)
    ]


def _lead(
    units: Sequence[tuple[int, ChosenOfSort]], leaders: Iterable[tuple[int, ChosenOfSort]]
) -> Iterator[list[tuple[int, ChosenOfSort]]]:
    """The same units with each of their leaders, and without."""
    yield from ([*units, leader] for leader in leaders)
    yield [*units]
