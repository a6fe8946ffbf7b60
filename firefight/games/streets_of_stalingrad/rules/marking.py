"""What rolls make of the counters that they are about: who is spent, pinned, lost (9.18, 9.81, 9.84, 12.8)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from itertools import combinations
from typing import Any

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import CounterChange
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json, Values

from .becoming import ELIMINATED, SPENT, WOUNDED
from .bombardment import LAST as LAST_TAKEN
from .bombardment import ORDER, FireTable, take_in_order
from .counter_attack import CounterAttack
from .crt import count_eliminated, has_p
from .housekeeping import IMMOBILIZED
from .record import COMMANDERS
from .terms import Side, Terrain
from .units import Arm

Way = tuple[tuple[int, ...], str]


def mark(rule: Callable[..., Result], spends: bool = False) -> Callable[..., Result]:
    """A rule of a fire that marks counters, too. ``spends``: those who fire are spent by it."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **given: Any) -> Result:
        result = rule(**given)
        if result.needs:
            return result
        marker = result.details.get("marker")
        firing = [CounterChange(each.id, SPENT) for each in by if each.id and spends]
        struck = [CounterChange(each.id, str(marker)) for each in at if each.id and marker]
        terrain = given.get("terrain") or Terrain.CLEAR
        steps = [named for step in result.follow_ups for named in _name_struck(step, at, terrain)]
        return replace(result, changes=(*result.changes, *firing, *struck), follow_ups=tuple(steps))

    return run


def mark_counter_attack(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a counter-attack: all who made it are spent (12.8), and the loser says who is lost (12.6)."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **given: object) -> Result:
        result = rule(**given)
        if result.needs:
            return result
        is_thrown_back = result.outcome is CounterAttack.ATTACKER_LOST
        losing = [each for each in (by if is_thrown_back else at) if each.id and _is_counted(each)]
        told: Json = {"result": "D1", "combat_units": len(losing), "who": [each.plain() for each in losing]}
        steps = [FollowUp("losses", "Losses of the counter-attack", told)] if losing else []
        spent = tuple(CounterChange(each.id, SPENT) for each in by if each.id)
        return replace(result, changes=(*result.changes, *spent), follow_ups=(*result.follow_ups, *steps))

    return run


def _is_counted(each: ChosenOfSort) -> bool:
    """Whether a D may take it, as far as anybody has said what it is (9.81)."""
    return each.sort not in set(Arm) or Arm(each.sort).is_combat_unit


def _name_struck(step: FollowUp, at: Sequence[ChosenOfSort], terrain: Terrain) -> Iterator[FollowUp]:
    """What follows knows who was in the hex. Each leader there rolls for himself; a tank does once it is lost."""
    known = [each for each in at if each.id]
    leaders = [each for each in known if is_sort(each, *LEADERS)]
    tanks = [each for each in known if is_sort(each, *TANKS)]
    told: Json = {**step.inputs, "who": [each.plain() for each in at], "terrain": terrain.value}
    match step.helper:
        case "losses" if known:
            seen = sum(is_sort(each, *OBSERVERS) for each in known)
            yield replace(step, inputs={**told, **({"observers": seen} if seen else {})})
        case "bombardment-losses" if known:
            yield replace(step, inputs={**told, **count_classes(known)})
        case "leader-survival" if leaders:
            yield from (_ask_leader(step, each) for each in leaders)
        case "tank" if tanks:
            return
        case _:
            yield step


def _ask_leader(step: FollowUp, leader: ChosenOfSort) -> FollowUp:
    """The roll of one leader, who may be a commander (18.43)."""
    name = next((key for key, word in COMMANDERS.items() if word.casefold() == leader.name.casefold()), "")
    told: Json = {**step.inputs, "who": [leader.plain()], **({"leader": name} if name else {})}
    return replace(step, title=f"{leader.name}: survival", inputs=told)


def is_sort(each: ChosenOfSort, *sorts: Arm) -> bool:
    """Whether a counter is one of these, as far as anybody has said."""
    return each.sort in {sort.value for sort in sorts}


def find_class(each: ChosenOfSort) -> str:
    """As whom a bombardment takes a counter (14.81); "" for whom it does not take, and for what nobody has told."""
    if not each.sort:
        return ""
    arm = Arm.IMMOBILIZED if IMMOBILIZED in each.state else Arm(each.sort)
    if arm in _CLASSES:
        return _CLASSES[arm]
    return "" if not arm.is_combat_unit else "armored" if arm.is_armored else "combat"


def count_classes(who: Iterable[ChosenOfSort]) -> dict[str, int]:
    """How many of each class a bombardment may take."""
    found = Counter(filter(None, map(find_class, who)))
    return {name: found[name] for name in (*ORDER, *LAST_TAKEN) if found[name]}


LEADERS = (Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR, Arm.HQ)
TANKS = (Arm.TANK,)
OBSERVERS = (Arm.OP, Arm.LW_OP)
_CLASSES = {
    **{Arm.MINEFIELD: "minefield", Arm.BRIDGE: "bridge", Arm.SNIPER: "sniper", Arm.FORTIFICATION: "fortification"},
    **dict.fromkeys(OBSERVERS, "op"),
}


def list_ways(
    *, result: str, who: Sequence[ChosenOfSort] = (), combat_units: int = 0, immobilized: int = 0, **others: object
) -> list[Way]:
    """The ways to lose so many of those who are there: their places in the list, from 1, and their names.

    The first ``combat_units`` of the list are those who can be chosen, snipers last (9.82, 16.16); nobody chooses where
    all are lost, or none.
    """
    number = count_eliminated(result)
    there = [(place, each) for place, each in enumerate(who[:combat_units], 1) if each.id]
    if number == "all" or not number or len(there) <= int(number):
        return []
    first = [(place, each) for place, each in there if each.kind not in LAST and not is_sort(each, Arm.SNIPER)]
    return _combine(first if len(first) >= int(number) else there, int(number))


def _combine(able: Sequence[tuple[int, ChosenOfSort]], number: int) -> list[Way]:
    ways = combinations(able, number)
    return [(tuple(at for at, _ in way), " and ".join(each.name for _, each in way)) for way in ways]


LAST = ("sniper", "zaitsev")  # by their keys


def _check_choice(lost: Sequence[int], ways: Sequence[Way]) -> None:
    """Raise BadInput for who cannot be lost, OpenQuestion where nobody has said who is."""
    if lost and not ways:
        raise BadInput({"lost": "There is nobody to choose."})
    if ways and not lost:
        raise OpenQuestion({"lost": "Who is lost? Its owner says (9.81)."})
    if ways and tuple(sorted(lost)) not in [places for places, _ in ways]:
        raise BadInput({"lost": f"Lost is one of: {'; '.join(words for _, words in ways[:12])}."})


def _lose(result: Result, gone: Iterable[ChosenOfSort], terrain: Terrain) -> Result:
    """Take the lost off the table. A Soviet tank rolls first in a city, industrial or fortified hex (16.31); a flotilla
    unit for when it comes back (16.57)."""
    known = [each for each in gone if each.id]
    rolls = [each for each in known if terrain.is_built_up and is_sort(each, *TANKS) and _may_stay(each)]
    changes = [CounterChange(each.id, ELIMINATED) for each in known if each not in rolls]
    steps = [_ask_tank(each, terrain) for each in rolls]
    steps += [_ask_flotilla(each) for each in known if is_sort(each, Arm.FLOTILLA)]
    return replace(result, changes=(*result.changes, *changes), follow_ups=(*result.follow_ups, *steps))


def _may_stay(tank: ChosenOfSort) -> bool:
    """Soviet tanks that ran until now (16.31)."""
    return tank.id.startswith(f"{Side.SOVIET.value}-") and IMMOBILIZED not in tank.state


def _ask_tank(tank: ChosenOfSort, terrain: Terrain) -> FollowUp:
    told: Json = {"event": "eliminated", "terrain": terrain.value, "who": [tank.plain()], "side": Side.SOVIET.value}
    return FollowUp("tank", f"{tank.name} is lost: immobilized?", told)


def _ask_flotilla(unit: ChosenOfSort) -> FollowUp:
    return FollowUp("flotilla-return", f"{unit.name} is lost: back when?", {"side": Side.SOVIET.value})


def tick_losses(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of losses, which takes the lost off the table, too: those who were chosen, or all."""

    @wraps(rule)
    def run(
        *,
        who: Sequence[ChosenOfSort] = (),
        lost: Sequence[int] = (),
        terrain: Terrain = Terrain.CLEAR,
        **given: Any,
    ) -> Result:
        result = rule(**given)
        told = {name: given[name] for name in ("result", "combat_units", "immobilized") if name in given}
        ways = list_ways(who=who, **told)
        _check_choice(lost, ways)
        number, fighting = count_eliminated(told["result"]), told.get("combat_units", 0)
        gone = [who[place - 1] for place in lost]
        if not ways and number:
            gone = list(who[: fighting + told.get("immobilized", 0)] if number == "all" else who[:fighting])
        there = who[: fighting + told.get("immobilized", 0)]
        if gone and all(each in gone or _goes_anyway(each, told["result"]) for each in there):
            gone += [each for each in who if is_sort(each, *OBSERVERS, Arm.FORTIFICATION)]  # with the last (9.82)
        return _lose(result, gone, terrain)

    return run


def _goes_anyway(each: ChosenOfSort, result: str) -> bool:
    """An immobilized tank under a P, which is gone by its marker (16.37)."""
    return has_p(result) and (IMMOBILIZED in each.state or is_sort(each, Arm.IMMOBILIZED))


def list_bombed_ways(
    *, number: str, table: FireTable = FireTable.CRT, who: Sequence[ChosenOfSort] = (), **there: Any
) -> list[Way]:
    """The ways to take from those who are there what a bombardment eliminates: of one class alone there is a choice."""
    for kind, few in _take_by_class(number, table, there).items():
        members = [(place, each) for place, each in enumerate(who, 1) if each.id and find_class(each) == kind]
        if 0 < few < len(members):
            return _combine(members, few)
    return []


def _take_by_class(number: str, table: FireTable, there: Values) -> dict[str, int]:
    return take_in_order(number, table, {name: int(there.get(name) or 0) for name in (*ORDER, *LAST_TAKEN)})


def tick_bombed(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a bombardment's losses, which takes the lost off the table, too (14.81)."""

    @wraps(rule)
    def run(
        *,
        who: Sequence[ChosenOfSort] = (),
        lost: Sequence[int] = (),
        terrain: Terrain = Terrain.CLEAR,
        **given: Any,
    ) -> Result:
        result = rule(**given)
        ways = list_bombed_ways(who=who, **given)
        _check_choice(lost, ways)
        gone = [who[place - 1] for place in lost]
        taken = result.details["lost"]
        gone += [each for each in who if taken.get(kind := find_class(each)) and kind not in map(find_class, gone)]
        return _lose(result, gone, terrain)

    return run


def mark_fate(rule: Callable[..., Result], words: Mapping[str, str]) -> Callable[..., Result]:
    """A rule about one counter, which is what its outcome says: ``words``, by outcome, of what befalls it."""

    @wraps(rule)
    def run(*, who: Sequence[ChosenOfSort] = (), **given: object) -> Result:
        result = rule(**given)
        word = words.get(result.outcome.value, "") if result.outcome and not result.needs else ""
        if given.get("alone") and word == WOUNDED:
            word = ""  # he may go on, and is away only once he arrives (18.32)
        changes = [CounterChange(each.id, word) for each in who if each.id and word]
        return replace(result, changes=(*result.changes, *changes))

    return run
