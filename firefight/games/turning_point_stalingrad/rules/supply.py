"""Supply, what isolation takes away, and what becomes of a unit at Dawn (6.41, 12.1, 12.2)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firefight.engine.board.counters import CounterChange, CounterInPlay
from firefight.engine.board.places import BadPlace, read_links
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import capitalize, count_of
from firefight.engine.values import Json

from .areas import AREAS, GERMAN_SUPPLY, RUSSIAN_SUPPLY, AreaMap, Neighbours, find_way, read_areas
from .becoming import ELIMINATED, SUPPLIED, count_dots, find_marker, word_dots, word_marker
from .sides import Side

LONGEST_DOTS = 4
LAST_MARKER = 2


class SupplyOutcome(Outcome):
    """Whether supply reaches a unit."""

    SUPPLIED = "supplied"
    ISOLATED = "isolated"


class DawnOutcome(Outcome):
    """What a unit is after Dawn."""

    FRESH = "fresh"
    DISRUPTED = "disrupted"
    ELIMINATED = "eliminated"
    SEVERAL = "several", "several units"


class AttritionReading(Outcome):
    """Whether a unit that Attrition puts at D4 loses a dot at the same Dawn (A27)."""

    LISTED = "listed", "It loses a dot at the same Dawn"
    KEPT = "kept", "It stays at D4 that Dawn"


def supply(
    *,
    charts: Book,
    side: Side,
    start: str,
    controlled: Collection[str],
    links: str = "",
    german_areas: Collection[str] = (),
) -> Result:
    """Whether a unit can trace supply at Dawn, and by which way (12.1).

    start: where it stands, whoever controls that. controlled: what its side controls; german_areas: what the German
    does, where that is not said. links: all Areas that touch, in pairs; without any those of the chart.
    """
    try:
        place = AREAS.parse(start) if start else ""
        pairs = read_links(links, AREAS) if links else ()
    except BadPlace as error:
        raise BadInput({"links" if links and start else "start": str(error)}) from None
    if not place:
        raise BadInput({"start": "Say where the unit stands: 1 to 74, or A to H."})
    goals, own_areas = find_supply_sources(side), controlled or list_controlled(side, german_areas)
    way, is_sure = find_way(place, own_areas, goals, _only(pairs) if links else read_areas(charts))
    if not way and not is_sure:
        lacking = "The chart of Areas lacks neighbours on the way: give them here, as 6-7 6-C, or complete the chart."
        raise BadInput({"links": lacking})
    return Result(
        f"{place}: supplied by {', '.join(way)}." if way else f"{place}: isolated, no way to {' '.join(goals)}.",
        SupplyOutcome.SUPPLIED if way else SupplyOutcome.ISOLATED,
        details={"supplied": bool(way), "path": way},
        effects=() if way else ("At Dawn it is marked -1, or its marker turns to -2.",),
        rules=("12.1 Overview", "12.2 Isolation Effects"),
        provenance=() if links else sources([charts["areas"]]),
    )


def find_supply_sources(side: Side) -> tuple[str, ...]:
    """The Areas and Zones from which a side is supplied, as long as it controls them (12.1)."""
    return GERMAN_SUPPLY if side is Side.GERMAN else RUSSIAN_SUPPLY


def list_controlled(side: Side, german_areas: Collection[str]) -> Collection[str]:
    """What a side controls, from what the German does: each Area is always somebody's (7.3). Nothing if none is."""
    if side is Side.GERMAN or not german_areas:
        return german_areas
    return [name for name in AREAS.names if name not in german_areas]


def _only(links: Collection[tuple[str, str]]) -> AreaMap:
    """A map on which only these touch."""
    near: dict[str, set[str]] = {name: set() for name in AREAS.names}
    for area, neighbour in links:
        near[area].add(neighbour)
        near[neighbour].add(area)
    neighbours = {name: Neighbours(frozenset(touching), are_all=True) for name, touching in near.items()}
    return AreaMap(tem={}, vp={}, links=neighbours, banks=frozenset())


def isolation(*, charts: Book, af: int | str, df: int, mf: int, level: int) -> Result:
    """What is left of a unit's printed factors under an Isolation marker (12.21)."""
    af_left = af if isinstance(af, str) else af - level
    values = {"af": af_left, "df": df - level, "mf": mf - level}
    effects = ("Double its movement, or halve anti-aircraft defence, after this.",) if level else ()
    return Result(
        f"Isolated at {-level}: {af_left}-{values['df']}-{values['mf']}."
        if level
        else f"Not isolated: {af}-{df}-{mf}.",
        IsShown.SHOWN,
        details=values,
        effects=(*effects, *(("A Spent unit cannot Regroup.",) if level else ())),
        rules=("12.21 Combat Factors",),
    )


@dataclass(frozen=True, slots=True)
class DawnUnit:
    """A unit as Dawn finds it: its dots, 0 for Fresh, its Isolation marker, and whether it can trace supply now."""

    duration: int = 0
    marker: int = 0
    in_supply: bool = False
    name: str = ""
    id: str = ""

    def plain(self) -> Json:
        """As a row of JSON."""
        marks = {"marker": self.marker, "in_supply": self.in_supply, "name": self.name, "id": self.id}
        return {"duration": self.duration, **{name: value for name, value in marks.items() if value}}

    def __str__(self) -> str:
        marks = (self.marker and f"at {-self.marker}", self.in_supply and "in supply")
        return ", ".join(filter(None, (self.name, say_dots(self.duration), *(str(mark) for mark in marks if mark))))


def say_dots(duration: int) -> str:
    """A unit's face.

    >>> say_dots(0), say_dots(3)
    ('Fresh', 'D3')
    """
    return f"D{duration}" if duration else "Fresh"


def needs_attrition(marker: int, in_supply: bool) -> bool:
    """Whether a unit makes an Attrition roll at Dawn (12.22)."""
    return marker == LAST_MARKER and not in_supply


def dawn(
    *,
    charts: Book,
    duration: int,
    marker: int,
    in_supply: bool,
    reading: AttritionReading = AttritionReading.LISTED,
    units: Sequence[DawnUnit] = (),
    others: bool = False,
    name: str = "",
    id: str = "",
    die: int | None = None,
) -> Result:
    """What Dawn makes of a unit: isolation, Attrition, dots (6.41 Dawn, 12.2, 12.22 Attrition; A27).

    duration: its dots, 0 for Fresh. marker: its Isolation marker before. die: of an isolated unit at -2. units: several
    at once instead, of which those at -2 then roll together. others: everybody else on the board is in supply, and in
    a match each loses a dot. id: of the unit's counter.
    """
    if units or others:
        return _list_units(charts, units, reading, others)
    result = _dawn_of_one(charts, duration, marker, in_supply, reading, die)
    if result.needs:
        return result
    headline = f"{name}: {result.headline}" if name else result.headline
    return replace(result, headline=headline, changes=_change_face(id, result.details))


def _change_face(id: str, details: Mapping[str, Any]) -> tuple[CounterChange, ...]:
    """What becomes of a unit's counter at Dawn; nothing for one that the app does not know."""
    if not id:
        return ()
    word = ELIMINATED if details["eliminated"] else f"{word_dots(details['duration'])} {word_marker(details['marker'])}"
    return (CounterChange(id, word),)


def change_others(counters: Iterable[CounterInPlay], listed_ids: Collection[str]) -> tuple[CounterChange, ...]:
    """What Dawn makes of all counters that no list names: in supply, and with a dot less (6.41).

    ``listed_ids``: of those that a list has.
    """
    others = [counter for counter in counters if counter.in_play and counter.id not in listed_ids]
    return tuple(
        CounterChange(
            counter.id, " ".join(filter(None, (_lose_dot(counter), SUPPLIED if find_marker(counter) else "")))
        )
        for counter in others
        if count_dots(counter) or find_marker(counter)
    )


def _lose_dot(counter: CounterInPlay) -> str:
    dots = count_dots(counter)
    return word_dots(dots - 1) if dots else ""


def _list_units(charts: Book, units: Sequence[DawnUnit], reading: AttritionReading, others: bool) -> Result:
    """What Dawn makes of each of several units, and which of them make an Attrition roll."""
    effects, steps, unit_rows, changes = [], [], [], list[CounterChange]()
    for place, unit in enumerate(units, 1):
        unit_name = unit.name or f"Unit {place}"
        if needs_attrition(unit.marker, unit.in_supply):
            inputs = {**unit.plain(), "name": unit_name, "reading": reading.value}
            steps.append(FollowUp("dawn", f"{unit_name}, {say_dots(unit.duration)}: Attrition", inputs))
            unit_rows.append({"name": unit_name, "marker": None, "duration": None, "eliminated": None})
            continue
        result = _dawn_of_one(charts, unit.duration, unit.marker, unit.in_supply, reading)
        effects.append(f"{unit_name}: {result.headline}")
        unit_rows.append({"name": unit_name, **result.details})
        changes += _change_face(unit.id, result.details)
    effects += ["Everybody else is in supply and loses a dot."] if others else []
    rolling = f", Attrition for {len(steps)} of them" if steps else ""
    return Result(
        f"Dawn for {count_of(len(units), 'unit')}{rolling}." if units else "Dawn: nobody is isolated.",
        DawnOutcome.SEVERAL,
        details={"marker": None, "duration": None, "eliminated": False, "units": unit_rows},
        effects=tuple(effects),
        follow_ups=tuple(steps),
        rules=("6.41 Dawn", "12.2 Isolation Effects"),
        changes=tuple(changes),
    )


def _dawn_of_one(
    charts: Book, duration: int, marker: int, in_supply: bool, reading: AttritionReading, die: int | None = None
) -> Result:
    most = charts["thresholds"].get("attrition")
    rules = ("6.41 Dawn", "12.2 Isolation Effects", "12.22 Attrition")
    if needs_attrition(marker, in_supply):
        if die is None:
            return waiting(f"Attrition: roll a d6, {most} or less hurts.", "die", rules=rules)
        if check_face(die, 6) <= most:
            return _hurt(charts, duration, die, most, reading, rules)
    new_marker = 0 if in_supply else min(marker + 1, LAST_MARKER)
    new_dots = max(0 if in_supply or not duration else 1, duration - 1)
    dice = {"die": die} if die is not None and needs_attrition(marker, in_supply) else {}
    prefix = f"Attrition {die} spares it: " if dice else ""
    return _settle(charts, prefix, new_dots, new_marker, dice, rules)


def _hurt(
    charts: Book, duration: int, die: int, most: int, reading: AttritionReading, rules: tuple[str, ...]
) -> Result:
    """Attrition eliminates a Spent unit and puts a Fresh one at four dots (12.22)."""
    if duration:
        return Result(
            f"Attrition, {die} against {most}: eliminated.",
            DawnOutcome.ELIMINATED,
            dice={"die": die},
            modified=die,
            details={"marker": None, "duration": None, "eliminated": True},
            effects=("Remove it.",),
            rules=rules,
            provenance=sources([charts["thresholds"]]),
        )
    new_dots = LONGEST_DOTS - 1 if reading is AttritionReading.LISTED else LONGEST_DOTS
    return _settle(charts, f"Attrition, {die} against {most}: ", new_dots, LAST_MARKER, {"die": die}, rules)


def _settle(
    charts: Book, prefix: str, duration: int, marker: int, dice: dict[str, int], rules: tuple[str, ...]
) -> Result:
    state = say_dots(duration)
    isolated = f", isolated at {-marker}" if marker else ""
    sentence = f"{prefix}{state}{isolated}."
    return Result(
        capitalize(sentence),
        DawnOutcome.DISRUPTED if duration else DawnOutcome.FRESH,
        dice=dice,
        modified=dice.get("die"),
        details={"marker": marker, "duration": duration, "eliminated": False},
        effects=(f"Show {duration} dots." if duration else "Its Fresh side is up.",),
        rules=rules,
        provenance=sources([charts["thresholds"]]) if dice else (),
    )
