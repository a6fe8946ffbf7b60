"""Who is lost where not all are (3.22; 3.23 Artillery): the sheet does not say who chooses, so the players do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import combinations

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import CounterChange, CounterFate
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.text import count_of, join_words

from .combat import RULE, Kind
from .units import GUNS

Places = tuple[int, ...]


class LossOutcome(Outcome):
    """Counters are taken off."""

    TAKEN = "taken"


def take_losses(
    *,
    charts: Book,
    number: int = 1,
    at: Sequence[ChosenOfSort] = (),
    level_bombers: bool = False,
    lost: Sequence[int] = (),
) -> Result:
    """Take so many of those who are in the hex off the map (3.22 Combat Results Table).

    ``level_bombers``: they attack, so artillery is the first loss (3.23 Artillery). ``lost``: who was chosen, by place
    in ``at`` from 1. Raises BadInput for who cannot be lost, OpenQuestion where nobody has said who is.
    """
    if not at:
        first = " Artillery goes first." if level_bombers else ""
        effects = (f"The sheet does not say who chooses them.{first}",)
        return Result(
            f"Losses: {count_of(number, 'unit')}.",
            LossOutcome.TAKEN,
            details={"lost": number},
            effects=effects,
            rules=(RULE,),
        )
    ways = list_ways(number=number, at=at, level_bombers=level_bombers)
    if not lost and len(ways) > 1:
        raise OpenQuestion({"lost": f"Which {count_of(number, 'unit')} of the {len(at)} in the hex?"})
    chosen = tuple(sorted(lost)) or ways[0]
    if chosen not in ways:
        first = ", artillery first" if level_bombers else ""
        raise BadInput({"lost": f"Choose {min(number, len(at))} of the {len(at)} in the hex{first}."})
    gone = [at[place - 1] for place in chosen]
    return Result(
        f"Losses: {join_words([each.name or 'one unit' for each in gone])} eliminated.",
        LossOutcome.TAKEN,
        details={"lost": len(gone)},
        rules=(RULE, *(("3.23 Artillery",) if level_bombers else ())),
        changes=_eliminate(gone),
    )


def list_ways(
    *, number: int, at: Sequence[ChosenOfSort], level_bombers: bool = False, **others: object
) -> list[Places]:
    """The ways to lose so many of those in a hex, as their places from 1."""
    places = range(1, len(at) + 1)
    guns = [place for place in places if level_bombers and at[place - 1].sort in {gun.value for gun in GUNS}]
    least = min(number, len(guns))
    found = combinations(places, min(number, len(at)))
    return [way for way in found if sum(place in guns for place in way) >= least]


def _eliminate(gone: Sequence[ChosenOfSort]) -> tuple[CounterChange, ...]:
    return tuple(CounterChange(each.id, CounterFate.ELIMINATED.value) for each in gone if each.id)


def take_off(rule: Callable[..., Result]) -> Callable[..., Result]:
    """A rule of fire that takes those off who are lost for certain, and asks who is where there is a choice."""

    @wraps(rule)
    def run(*, at: Sequence[ChosenOfSort] = (), **given: object) -> Result:
        result = rule(**given)
        number = result.details.get("losses") or 0
        if not number or not at or given.get("kind") is Kind.ANTI_AIR:
            return result
        if number >= len(at):
            return replace(result, changes=(*result.changes, *_eliminate(at)))
        return replace(result, follow_ups=(*result.follow_ups, *_ask_who(number, at)))

    return run


def _ask_who(number: int, at: Sequence[ChosenOfSort]) -> Iterator[FollowUp]:
    yield FollowUp("losses", f"Losses: {number} of {len(at)}", {"number": number, "at": [each.plain() for each in at]})
