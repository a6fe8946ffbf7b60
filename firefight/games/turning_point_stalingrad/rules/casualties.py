"""Casualty Points: what each way to pay is worth, which payments are legal, and all that cost least (8.354, 8.3541)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources
from firefight.engine.text import count_of
from firefight.engine.values import Json

from .areas import name_area
from .becoming import ELIMINATED, word_dots
from .choices import Action, count_choices, describe_payment, find_mixes, find_twins, list_choices
from .disruption import MOST
from .sides import Side
from .terms import Group
from .units import Defender, NamedUnit

MOST_UNITS = 10
MOST_CHOICES = 300  # that are listed; all are counted


class Payment(Outcome):
    """What a payment is."""

    LEGAL = "legal"
    SHORT = "short", "too little"
    STRONGEST_SPARED = "strongest_spared", "the strongest is spared"
    BAD_ACTION = "bad_action", "not possible"
    OVERRUN = "overrun", "Overrun"
    CHOICES = "choices", "to be chosen"


WAYS = {
    Group.FRESH: (Action.NONE, Action.FLIP, Action.FLIP_RETREAT, Action.ELIMINATE),
    Group.SPENT: (Action.NONE, Action.RETREAT, Action.ELIMINATE),
}


@dataclass(frozen=True, slots=True)
class Bill:
    """What a Group owes. ``must``: the places, from 0, of which one has to pay; none where nothing is owed."""

    group: Group
    factors: tuple[int, ...]
    required: int
    must: tuple[int, ...]


def read_prices(charts: Book, group: Group) -> dict[Action, int]:
    """What each way is worth to a unit of a Group (8.354)."""
    chart = charts["casualties"]
    assert isinstance(chart, Numbers)
    return {way: chart.get(f"{group.value}_{way.value}") if way is not Action.NONE else 0 for way in WAYS[group]}


def find_capacity(charts: Book, group: Group, units: int) -> int:
    """The most that a Group can pay: all of it eliminated (8.36 Overrun)."""
    return units * read_prices(charts, group)[Action.ELIMINATE]


def find_strongest(factors: Sequence[int], attacker_pick: int = 0) -> tuple[int, ...]:
    """Which units have to pay first: the highest Defense Factor, by the attacker's choice among equals (8.354).

    Raises BadInput for a pick that is not among them.
    """
    highest = [place for place, factor in enumerate(factors) if factor == max(factors)]
    if not attacker_pick:
        return tuple(highest)
    if attacker_pick - 1 not in highest:
        places = ", ".join(str(place + 1) for place in highest)
        raise BadInput({"attacker_pick": f"The attacker picks among the strongest units only: {places}."})
    return (attacker_pick - 1,)


def make_out_bill(group: Group, factors: tuple[int, ...], required: int, attacker_pick: int) -> Bill:
    """What a Group owes. Raises BadInput for an empty Group, and for a pick that is not among the strongest."""
    if not factors:
        raise BadInput({"factors": "Give the Defense Factor of each unit of the Group, such as 3,2,2."})
    must = find_strongest(factors, attacker_pick)
    return Bill(group, factors, required, must if required else ())


def judge_payment(bill: Bill, actions: Sequence[Action], prices: dict[Action, int]) -> tuple[Payment, str]:
    """What a payment is, and why it is not legal (8.354 Casualty Points, 8.3541 Loss Fulfillment)."""
    if len(actions) != len(bill.factors):
        return Payment.BAD_ACTION, f"{len(bill.factors)} units need {len(bill.factors)} actions, not {len(actions)}."
    for place, action in enumerate(actions, 1):
        if action not in prices:
            ways = ", ".join(way.value for way in prices)
            return Payment.BAD_ACTION, f"Unit {place} is {bill.group.word}: it may do {ways}."
    paid = sum(prices[action] for action in actions)
    if paid < bill.required:
        return Payment.SHORT, f"That pays {paid} of {bill.required} Casualty Points."
    if bill.must and all(prices[actions[place]] == 0 for place in bill.must):
        strongest = " or ".join(f"unit {place + 1}" for place in bill.must)
        return Payment.STRONGEST_SPARED, f"The highest Defense Factor pays first: {strongest}."
    return Payment.LEGAL, ""


_RULES = ("8.354 Casualty Points", "8.3541 Loss Fulfillment")


def payment(
    *,
    charts: Book,
    group: Group,
    factors: tuple[int, ...],
    required: int,
    actions: tuple[str, ...],
    attacker_pick: int,
    area: str = "",
    side: Side = Side.RUSSIAN,
    forfeit: bool = False,
    units: Sequence[Defender] = (),
) -> Result:
    """Check how a Group pays Casualty Points, or list all cheapest ways (8.354, 8.3541 Loss Fulfillment).

    area: where the Group stands; side: whose it is. Each list names an action for each unit. More points than the
    Group can pay are an Overrun, with nothing to choose; forfeit: they come from guns, aircraft or a Mistaken Attack,
    so that nobody pays the rest (8.36, 17.3). Until a legal one is chosen, the payment stays due. units: the Group
    itself in place of its factors; what becomes of its counters is a change of the roll.
    """
    factors = find_factors(factors, units)
    labels = [unit.label for unit in units] or [str(factor) for factor in factors]
    prices, capacity = read_prices(charts, group), find_capacity(charts, group, len(factors))
    surplus = max(0, required - capacity) if forfeit and factors else 0
    required -= surplus
    bill = make_out_bill(group, factors, required, attacker_pick)
    failed = charts["casualties"].get("failed_retreat")
    details: dict[str, object] = {
        "legal": False,
        "paid": None,
        "capacity": capacity,
        "choices": [],
        "failed_retreat_value": failed,
    }
    provenance = sources([charts["casualties"]])
    if required > capacity:
        return replace(_overrun(required, capacity, units), details=details, provenance=provenance)
    inputs = {"group": group.value, "factors": list(factors), "required": required, "attacker_pick": attacker_pick}
    inputs |= {"units": [unit.plain() for unit in units]} if units else {}
    inputs |= {"side": side.value, **({"area": area} if area else {}), **({"forfeit": True} if forfeit else {})}
    again = FollowUp("payment", "Choose how to pay", inputs)
    if not actions:
        result = _offer_ways(charts, bill, labels, details, again)
        return replace(result, effects=(*_tell_forfeit(surplus), *result.effects))
    chosen = [Action(action) for action in actions]
    outcome, why = judge_payment(bill, chosen, prices)
    paid = None if outcome is Payment.BAD_ACTION else sum(prices[action] for action in chosen)
    is_legal = outcome is Payment.LEGAL
    verdict = f"{describe_payment(labels, chosen)}: {paid} of {required} paid." if is_legal else f"not legal: {why}"
    return Result(
        f"{say_who(side, area)}: {verdict}",
        outcome,
        details={**details, "legal": is_legal, "paid": paid},
        effects=(*_tell_forfeit(surplus), *_aftermath(chosen, failed)) if is_legal else (),
        follow_ups=_retreats(chosen, area, side, units) if is_legal else (again,),
        rules=_RULES,
        provenance=provenance,
        changes=tuple(_pay(units, chosen)) if is_legal else (),
    )


def _overrun(required: int, capacity: int, units: Sequence[Defender]) -> Result:
    """More points than the Group can pay: nothing is left to choose (8.36 Overrun)."""
    return Result(
        f"Overrun: {required} Casualty Points are more than the {capacity} that the Group can pay.",
        Payment.OVERRUN,
        effects=(
            "The whole Group is eliminated.",
            "From guns, aircraft or a Mistaken Attack it is no Overrun: the rest is forfeit (8.36, 17.3).",
        ),
        rules=(*_RULES, "8.36 Overrun"),
        changes=tuple(CounterChange(unit.id, ELIMINATED) for unit in units if unit.id),
    )


def find_factors(factors: tuple[int, ...], units: Sequence[Defender]) -> tuple[int, ...]:
    """The Defense Factors of a Group: of its counters, where they are known, or as they were given."""
    return tuple(unit.strength for unit in units) or factors


def _pay(units: Sequence[Defender], actions: Sequence[Action]) -> Iterator[CounterChange]:
    """What becomes of the counters that pay: survivors have four dots (10.5)."""
    for unit, action in zip(units, actions, strict=False):
        if unit.id and action is not Action.NONE:
            yield CounterChange(unit.id, ELIMINATED if action is Action.ELIMINATE else word_dots(MOST))


def say_who(side: Side, area: str) -> str:
    """Whose units it is about, and where: "The Russian in Area 30"."""
    return f"The {side.word}{f' in {name_area(area)}' if area else ''}"


def _offer_ways(
    charts: Book, bill: Bill, labels: Sequence[str], details: Mapping[str, object], again: FollowUp
) -> Result:
    """All cheapest ways to pay, of which players choose one; programs get every order of equal units."""
    units = len(bill.factors)
    mixes = find_mixes(read_prices(charts, bill.group), units, bill.required)
    ways = count_choices(mixes, units, bill.must)
    choices = islice(list_choices(mixes, units, bill.must), MOST_CHOICES)
    listed_ways = list_ways(charts, bill)
    return Result(
        f"{count_of(bill.required, 'Casualty Point')} to pay: {_say_ways(listed_ways, ways)}",
        Payment.CHOICES,
        details={**details, "choices": [[action.value for action in choice] for choice in choices], "ways": ways},
        effects=_tell(labels, listed_ways[:MOST_CHOICES]),
        follow_ups=(again,),
        rules=_RULES,
        provenance=sources([charts["casualties"]]),
    )


def _tell_forfeit(surplus: int) -> tuple[str, ...]:
    return (f"{surplus} more {'is' if surplus == 1 else 'are'} forfeit (8.36, 17.3).",) if surplus else ()


MOST_TOLD = 12  # ways that a page gives in words


def list_ways(charts: Book, bill: Bill) -> list[tuple[Action, ...]]:
    """All cheapest ways to pay, equal units not told apart; at most one more than are listed."""
    mixes = find_mixes(read_prices(charts, bill.group), len(bill.factors), bill.required)
    distinct_ways: dict[tuple[tuple[int, Action], ...], tuple[Action, ...]] = {}
    for way in list_choices(mixes, len(bill.factors), bill.must, find_twins(bill.factors, bill.must)):
        distinct_ways.setdefault(tuple(sorted(zip(bill.factors, way, strict=True))), way)
        if len(distinct_ways) > MOST_CHOICES:
            break
    return list(distinct_ways.values())


def _say_ways(listed_ways: Sequence[tuple[Action, ...]], ways: int) -> str:
    number = len(listed_ways)
    if number > MOST_CHOICES:
        return (
            f"more than {MOST_CHOICES} cheapest ways. The first {MOST_CHOICES} are listed; give any other by what each "
            "unit does."
        )
    alike = " Equal units are not told apart." if ways > number else ""
    return f"{count_of(number, 'cheapest way')}.{alike}"


def _tell(factors: Sequence[str], choices: Sequence[Sequence[Action]]) -> tuple[str, ...]:
    """The ways in words."""
    words = [describe_payment(factors, choice).capitalize() + "." for choice in choices]
    more = (f"And {len(words) - MOST_TOLD} more.",) if len(words) > MOST_TOLD else ()
    return (*words[:MOST_TOLD], *more)


def _aftermath(actions: Sequence[Action], failed: int) -> tuple[str, ...]:
    effects = []
    if any(action not in (Action.NONE, Action.ELIMINATE) for action in actions):
        effects.append("Who paid and survives stands at D4 (10.5).")
    if Action.ELIMINATE in actions:
        effects.append("Decide on eliminations before any roll of a retreat (14.5).")
    if any(action.retreats for action in actions):
        effects += [
            "All who retreat go to the same Area (8.3553).",
            f"A unit that is lost on its retreat roll counts {count_of(failed, 'Casualty Point')}, not two (8.3541).",
        ]
    return tuple(effects)


def _retreats(actions: Sequence[Action], area: str, side: Side, units: Sequence[Defender]) -> tuple[FollowUp, ...]:
    retreating = [
        NamedUnit(unit.name, unit.id) for unit, action in zip(units, actions, strict=False) if action.retreats
    ]
    number = sum(action.retreats for action in actions)
    words = f"Where {'the unit retreats' if number == 1 else f'the {number} units retreat'}"
    inputs: Json = {"side": side.value, "units": number, **({"start": area} if area else {})}
    inputs |= (
        {"who": [unit.plain() for unit in retreating]} if retreating and all(unit.id for unit in retreating) else {}
    )
    return (FollowUp("retreat", words, inputs),) if number else ()
