"""What rolls do to the counters that they are about: who is spent, pinned, lost (9.18, 9.81, 9.84, 12.6)."""

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
    """A rule of fire that also marks counters. ``spends``: those who fire are spent by it."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **fields: Any) -> Result:
        result = rule(**fields)
        if result.needs:
            return result
        marker = result.details.get("marker")
        firing = [CounterChange(counter.id, SPENT) for counter in by if counter.id and spends]
        struck = [CounterChange(counter.id, str(marker)) for counter in at if counter.id and marker]
        terrain = fields.get("terrain") or Terrain.CLEAR
        steps = [follow_up for step in result.follow_ups for follow_up in _name_struck(step, at, terrain)]
        return replace(result, changes=(*result.changes, *firing, *struck), follow_ups=tuple(steps))

    return run


def mark_counter_attack(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a counter-attack: all who made it are spent (12.6), the loser says who is lost (12.8), and leaders
    in that hex roll for survival (9.83)."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **fields: object) -> Result:
        result = rule(**fields)
        if result.needs or result.outcome is CounterAttack.NOBODY:
            return result
        is_thrown_back = result.outcome is CounterAttack.ATTACKER_LOST
        losers = [counter for counter in (by if is_thrown_back else at) if counter.id and _is_counted(counter)]
        inputs: Json = {"result": "D1", "combat_units": len(losers), "who": [counter.plain() for counter in losers]}
        steps = [FollowUp("losses", "Losses of the counter-attack", inputs)] if losers else []
        if not is_thrown_back or len(losers) == 1:  # else nobody knows yet in whose hex somebody is lost
            steps += [_ask_survival(leader) for leader in (by if is_thrown_back else at) if is_sort(leader, *LEADERS)]
        spent = tuple(CounterChange(counter.id, SPENT) for counter in by if counter.id)
        return replace(result, changes=(*result.changes, *spent), follow_ups=(*result.follow_ups, *steps))

    return run


def _ask_survival(leader: ChosenOfSort) -> FollowUp:
    """The roll of a leader in whose hex one unit was lost (9.83, 18.33)."""
    inputs = {"side": leader.id.rpartition("-")[0], "units_eliminated": 1}
    return _ask_leader(FollowUp("leader-survival", "", inputs), leader)


def mark_infiltration(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of an infiltration: the first of those in the hex is attacked (13.3), and leaders beside it roll for
    survival (18.33); Herman and his infantry are lost together (13.6)."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **fields: object) -> Result:
        result, steps = rule(**fields), list[FollowUp]()
        lost: Sequence[ChosenOfSort] = by if result.details.get("herman_lost") else ()
        if result.details.get("german_unit_lost"):
            lost = at[:1]
            steps = [_ask_survival(leader) for leader in at[1:] if leader.id and is_sort(leader, *LEADERS)]
        return replace(result, changes=(*result.changes, *_eliminate(lost)), follow_ups=(*result.follow_ups, *steps))

    return run


def mark_dog(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a mine dog, which is lost whatever happens, and with it perhaps the armoured unit (16.23)."""

    @wraps(rule)
    def run(*, by: Sequence[ChosenOfSort] = (), at: Sequence[ChosenOfSort] = (), **fields: object) -> Result:
        result = rule(**fields)
        lost = [*(by if result.details.get("mine_dog_lost") else ())]
        lost += at if result.details.get("armored_unit_lost") else ()
        return replace(result, changes=(*result.changes, *_eliminate(lost)))

    return run


def _eliminate(lost: Iterable[ChosenOfSort]) -> Iterator[CounterChange]:
    return (CounterChange(counter.id, ELIMINATED) for counter in lost if counter.id)


def mark_p(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a P: where one unit is lost for the rest to stay its owner says which (9.88, 9.884), and leaders
    beside it roll for survival (18.33)."""

    @wraps(rule)
    def run(*, who: Sequence[ChosenOfSort] = (), **fields: Any) -> Result:
        result = rule(**fields)
        if fields.get("choice") != "stay":
            return result
        counters = [counter for counter in who if counter.id]
        fighting = [counter for counter in counters if _is_counted(counter) and not _is_immobile(counter)]
        losers = [counter for counter in fighting if is_sort(counter, Arm.NKVD) or not fields.get("nkvd")]
        rows = [counter.plain() for counter in (*losers, *(other for other in counters if other not in losers))]
        inputs: Json = {"result": "D1", "combat_units": len(losers), "who": rows, "terrain": fields["terrain"].value}
        steps = [FollowUp("losses", "One unit for the rest to stay", inputs)] if losers else []
        steps += [_ask_survival(counter) for counter in counters if is_sort(counter, *LEADERS)] if losers else []
        details = {**result.details, "is_emptied": len(fighting) == 1}
        return replace(result, details=details, follow_ups=(*result.follow_ups, *steps))

    return run


def _is_immobile(counter: ChosenOfSort) -> bool:
    return IMMOBILIZED in counter.state or is_sort(counter, Arm.IMMOBILIZED)


def _is_counted(counter: ChosenOfSort) -> bool:
    """Whether a D may take it, as far as anybody has said what it is (9.81)."""
    return counter.sort not in set(Arm) or Arm(counter.sort).is_combat_unit


def _name_struck(step: FollowUp, at: Sequence[ChosenOfSort], terrain: Terrain) -> Iterator[FollowUp]:
    """What follows knows who was in the hex. Each leader there rolls for himself; a tank does once it is lost."""
    counters = [counter for counter in at if counter.id]
    leaders = [counter for counter in counters if is_sort(counter, *LEADERS)]
    tanks = [counter for counter in counters if is_sort(counter, *TANKS)]
    inputs: Json = {**step.inputs, "who": [counter.plain() for counter in at], "terrain": terrain.value}
    match step.helper:
        case "losses" if counters:
            observers = sum(is_sort(counter, *OBSERVERS) for counter in counters)
            yield replace(step, inputs={**inputs, **({"observers": observers} if observers else {})})
        case "p-result" if counters:
            yield replace(step, inputs={**step.inputs, "who": inputs["who"]})
        case "bombardment-losses" if counters:
            yield replace(step, inputs={**inputs, **count_classes(counters)})
        case "leader-survival" if leaders:
            yield from (_ask_leader(step, counter) for counter in leaders)
        case "tank" if tanks:
            return
        case _:
            yield step


def _ask_leader(step: FollowUp, leader: ChosenOfSort) -> FollowUp:
    """The roll of one leader, who may be a commander (18.43)."""
    name = next((key for key, word in COMMANDERS.items() if word.casefold() == leader.name.casefold()), "")
    inputs: Json = {**step.inputs, "who": [leader.plain()], **({"leader": name} if name else {})}
    return replace(step, title=f"{leader.name}: survival", inputs=inputs)


def is_sort(counter: ChosenOfSort, *sorts: Arm) -> bool:
    """Whether a counter is one of these, as far as anybody has said."""
    return counter.sort in {sort.value for sort in sorts}


def find_class(counter: ChosenOfSort) -> str:
    """The class in which a bombardment takes a counter (14.81); "" for one in no class, or of unknown sort."""
    if not counter.sort:
        return ""
    arm = Arm.IMMOBILIZED if IMMOBILIZED in counter.state else Arm(counter.sort)
    if arm in _CLASSES:
        return _CLASSES[arm]
    return "" if not arm.is_combat_unit else "armored" if arm.is_armored else "combat"


def count_classes(counters: Iterable[ChosenOfSort]) -> dict[str, int]:
    """How many of each class a bombardment may take."""
    by_class = Counter(filter(None, map(find_class, counters)))
    return {name: by_class[name] for name in (*ORDER, *LAST_TAKEN) if by_class[name]}


LEADERS = (Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR, Arm.HQ)
TANKS = (Arm.TANK,)
OBSERVERS = (Arm.OP, Arm.LW_OP)
_CLASSES = {
    **{Arm.MINEFIELD: "minefield", Arm.BRIDGE: "bridge", Arm.SNIPER: "sniper", Arm.FORTIFICATION: "fortification"},
    **dict.fromkeys(OBSERVERS, "op"),
}


def list_ways(
    *,
    result: str,
    who: Sequence[ChosenOfSort] = (),
    combat_units: int = 0,
    engineers: bool = False,
    armor: bool = False,
    **ignored: object,
) -> list[Way]:
    """The ways to lose that many of those who are there: their places in the list, from 1, and their names.

    The first ``combat_units`` of the list are those who can be chosen, snipers last (9.82, 16.16); there is no choice
    where all are lost, or none. ``engineers``, ``armor``: one of them is the first to be lost (9.58, 9.82).
    """
    number = count_eliminated(result)
    choosable = [(place, counter) for place, counter in enumerate(who[:combat_units], 1) if counter.id]
    if number == "all" or not number or len(choosable) <= int(number):
        return []
    preferred = [
        (place, counter)
        for place, counter in choosable
        if counter.kind not in LAST and not is_sort(counter, Arm.SNIPER)
    ]
    ways = _combine(preferred if len(preferred) >= int(number) else choosable, int(number))
    first = {place for place, counter in choosable if _goes_first(counter, engineers, armor)}
    return [way for way in ways if not first.isdisjoint(way[0])] or ways


def _goes_first(counter: ChosenOfSort, engineers: bool, armor: bool) -> bool:
    is_armored = counter.sort in set(Arm) and Arm(counter.sort).is_armored
    return (engineers and is_sort(counter, Arm.ENGINEER)) or (armor and is_armored)


def _combine(choosable: Sequence[tuple[int, ChosenOfSort]], number: int) -> list[Way]:
    ways = combinations(choosable, number)
    return [(tuple(place for place, _ in way), " and ".join(counter.name for _, counter in way)) for way in ways]


LAST = ("sniper", "zaitsev")  # by their keys


def _check_choice(lost: Sequence[int], ways: Sequence[Way]) -> None:
    """Raise BadInput for those who cannot be lost, OpenQuestion where nobody has said who is."""
    if lost and not ways:
        raise BadInput({"lost": "There is nobody to choose."})
    if ways and not lost:
        raise OpenQuestion({"lost": "Who is lost? Its owner says (9.81)."})
    if ways and tuple(sorted(lost)) not in [places for places, _ in ways]:
        raise BadInput({"lost": f"Lost is one of: {'; '.join(words for _, words in ways[:12])}."})


def _lose(result: Result, lost: Iterable[ChosenOfSort], terrain: Terrain) -> Result:
    """Take the lost off the table. A Soviet tank rolls first in a city, industrial or fortified hex (16.31); a flotilla
    unit for when it comes back (16.57)."""
    counters = [counter for counter in lost if counter.id]
    rolling = [
        counter for counter in counters if terrain.is_built_up and is_sort(counter, *TANKS) and _may_stay(counter)
    ]
    changes = [CounterChange(counter.id, ELIMINATED) for counter in counters if counter not in rolling]
    steps = [_ask_tank(counter, terrain) for counter in rolling]
    steps += [_ask_flotilla(counter) for counter in counters if is_sort(counter, Arm.FLOTILLA)]
    return replace(result, changes=(*result.changes, *changes), follow_ups=(*result.follow_ups, *steps))


def _may_stay(tank: ChosenOfSort) -> bool:
    """Soviet tanks that still ran (16.31)."""
    return tank.id.startswith(f"{Side.SOVIET.value}-") and IMMOBILIZED not in tank.state


def _ask_tank(tank: ChosenOfSort, terrain: Terrain) -> FollowUp:
    inputs: Json = {"event": "eliminated", "terrain": terrain.value, "who": [tank.plain()], "side": Side.SOVIET.value}
    return FollowUp("tank", f"{tank.name} is lost: immobilized?", inputs)


def _ask_flotilla(unit: ChosenOfSort) -> FollowUp:
    return FollowUp("flotilla-return", f"{unit.name} is lost: back when?", {"side": Side.SOVIET.value})


def tick_losses(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of losses, which also takes the lost off the table: those who were chosen, or all."""

    @wraps(rule)
    def run(
        *,
        who: Sequence[ChosenOfSort] = (),
        lost: Sequence[int] = (),
        terrain: Terrain = Terrain.CLEAR,
        **fields: Any,
    ) -> Result:
        result = rule(**fields)
        ways = list_ways(who=who, **fields)
        _check_choice(lost, ways)
        number, combat_units = count_eliminated(fields["result"]), fields.get("combat_units", 0)
        combat_counters = who[: combat_units + fields.get("immobilized", 0)]
        lost_counters = [who[place - 1] for place in lost]
        if not ways and number:
            lost_counters = list(combat_counters if number == "all" else who[:combat_units])
        if lost_counters and all(
            counter in lost_counters or _goes_anyway(counter, fields["result"]) for counter in combat_counters
        ):
            lost_counters += [
                counter for counter in who if is_sort(counter, *OBSERVERS, Arm.FORTIFICATION)
            ]  # with the last (9.82)
        return _lose(result, lost_counters, terrain)

    return run


def _goes_anyway(counter: ChosenOfSort, result: str) -> bool:
    """An immobilized tank under a P, which is gone by its marker (16.37)."""
    return has_p(result) and _is_immobile(counter)


def list_bombed_ways(
    *, number: str, table: FireTable = FireTable.CRT, who: Sequence[ChosenOfSort] = (), **classes: Any
) -> list[Way]:
    """The ways to take a bombardment's losses from those who are there: there is a choice within one class alone."""
    for kind, number_lost in _take_by_class(number, table, classes).items():
        members = [
            (place, counter) for place, counter in enumerate(who, 1) if counter.id and find_class(counter) == kind
        ]
        if 0 < number_lost < len(members):
            return _combine(members, number_lost)
    return []


def _take_by_class(number: str, table: FireTable, classes: Values) -> dict[str, int]:
    return take_in_order(number, table, {name: int(classes.get(name) or 0) for name in (*ORDER, *LAST_TAKEN)})


def tick_bombed(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a bombardment's losses, which also takes the lost off the table (14.81)."""

    @wraps(rule)
    def run(
        *,
        who: Sequence[ChosenOfSort] = (),
        lost: Sequence[int] = (),
        terrain: Terrain = Terrain.CLEAR,
        **fields: Any,
    ) -> Result:
        result = rule(**fields)
        ways = list_bombed_ways(who=who, **fields)
        _check_choice(lost, ways)
        lost_counters = [who[place - 1] for place in lost]
        lost_by_class = result.details["lost"]
        lost_counters += [
            counter
            for counter in who
            if lost_by_class.get(kind := find_class(counter)) and kind not in map(find_class, lost_counters)
        ]
        return _lose(result, lost_counters, terrain)

    return run


def mark_fate(rule: Callable[..., Result], words: Mapping[str, str]) -> Callable[..., Result]:
    """A rule about one counter that becomes what the outcome says. ``words``: what happens to it, by outcome."""

    @wraps(rule)
    def run(*, who: Sequence[ChosenOfSort] = (), **fields: object) -> Result:
        result = rule(**fields)
        word = words.get(result.outcome.value, "") if result.outcome and not result.needs else ""
        if fields.get("alone") and word == WOUNDED:
            word = ""  # he may go on, and is away only once he arrives (18.32)
        changes = [CounterChange(counter.id, word) for counter in who if counter.id and word]
        return replace(result, changes=(*result.changes, *changes))

    return run
