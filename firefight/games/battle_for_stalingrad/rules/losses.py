"""Who is lost where not all are (3.22; 3.23 Artillery): the sheet does not say who chooses, so the players do."""

from collections.abc import Callable, Sequence
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
    """Take that many of those who are in the hex off the map (3.22 Combat Results Table).

    ``level_bombers``: they attack, so artillery is the first loss (3.23 Artillery). ``lost``: who was chosen, by place
    in ``at`` from 1. Raises BadInput for those who cannot be lost, OpenQuestion where nobody has said who is.
    """
    if not at:
        artillery_first = " Artillery goes first." if level_bombers else ""
        effects = (f"The sheet does not say who chooses them.{artillery_first}",)
        return Result(
            f"Losses: {count_of(number, 'unit')}.",
            LossOutcome.TAKEN,
            details={"lost": number},
            effects=effects,
            rules=(RULE,),
        )
    unlike_ways = list_unlike_ways(number=number, at=at, level_bombers=level_bombers)
    if not lost and len(unlike_ways) > 1:
        raise OpenQuestion({"lost": f"Which {count_of(number, 'unit')} of the {len(at)} in the hex?"})
    chosen = tuple(sorted(lost)) or unlike_ways[0]
    if chosen not in list_ways(number=number, at=at, level_bombers=level_bombers):
        artillery_first = ", artillery first" if level_bombers else ""
        raise BadInput({"lost": f"Choose {min(number, len(at))} of the {len(at)} in the hex{artillery_first}."})
    lost_counters = [at[place - 1] for place in chosen]
    return Result(
        f"Losses: {join_words([counter.name or 'one unit' for counter in lost_counters])} eliminated.",
        LossOutcome.TAKEN,
        details={"lost": len(lost_counters)},
        rules=(RULE, *(("3.23 Artillery",) if level_bombers else ())),
        changes=_eliminate(lost_counters),
    )


def list_ways(
    *, number: int, at: Sequence[ChosenOfSort], level_bombers: bool = False, **ignored: object
) -> list[Places]:
    """The ways to lose that many of those in a hex, as their places from 1."""
    places = range(1, len(at) + 1)
    guns = [place for place in places if level_bombers and at[place - 1].sort in {gun.value for gun in GUNS}]
    least = min(number, len(guns))
    ways = combinations(places, min(number, len(at)))
    return [way for way in ways if sum(place in guns for place in way) >= least]


def list_unlike_ways(
    *, number: int, at: Sequence[ChosenOfSort], level_bombers: bool = False, **ignored: object
) -> list[Places]:
    """Those ways that differ in more than which of several units of one kind and face are lost (BR-14)."""
    ways: dict[tuple[object, ...], Places] = {}
    for way in list_ways(number=number, at=at, level_bombers=level_bombers):
        faces = (_describe_face(at[place - 1]) for place in way)
        ways.setdefault(tuple(sorted(faces)), way)
    return [*ways.values()]


def _describe_face(counter: ChosenOfSort) -> tuple[str, ...]:
    """What makes a counter unlike others; a closed one is like none."""
    return (counter.kind, counter.sort, *counter.state) if counter.kind else (counter.id, counter.name)


def _eliminate(lost: Sequence[ChosenOfSort]) -> tuple[CounterChange, ...]:
    return tuple(CounterChange(counter.id, CounterFate.ELIMINATED.value) for counter in lost if counter.id)


def take_off(rule: Callable[..., Result]) -> Callable[..., Result]:
    """A rule of fire that takes off those who are certainly lost, and asks who is where there is a choice."""

    @wraps(rule)
    def run(*, at: Sequence[ChosenOfSort] = (), **fields: object) -> Result:
        result = rule(**fields)
        number = result.details.get("losses") or 0
        if not number or not at or fields.get("kind") is Kind.ANTI_AIR:
            return result
        if number >= len(at):
            lost = f"All in the hex are eliminated: {join_words([counter.name or 'one unit' for counter in at])}."
            return replace(result, effects=(*result.effects, lost), changes=(*result.changes, *_eliminate(at)))
        ways = list_unlike_ways(number=number, at=at)
        if len(ways) == 1:
            lost_counters = [at[place - 1] for place in ways[0]]
            names = join_words([counter.name or "one unit" for counter in lost_counters])
            effects = (*result.effects, f"All there are alike, eliminated: {names}.")
            return replace(result, effects=effects, changes=(*result.changes, *_eliminate(lost_counters)))
        choice = {"number": number, "at": [counter.plain() for counter in at]}
        who = FollowUp("losses", f"Losses: {number} of {len(at)}", choice)
        return replace(result, follow_ups=(*result.follow_ups, who))

    return run
