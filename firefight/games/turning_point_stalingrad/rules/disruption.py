"""Dots: what puts how many on a unit, and at which Dawn it is Fresh again (8.353 Resolution, chapter 10)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.dates import add_days, day_words
from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import Outcome, Result, sources

from .terms import Kind

MOST = 4


class Event(Labelled):
    """What disrupts a unit."""

    MOVED = "moved", "Moved without attacking"
    WON = "won", "Won its attack"
    TIED = "tied", "Tied its attack"
    LOST = "lost", "Lost its attack"
    OVERRUN = "overrun", "Overran"
    GERMAN_ARTILLERY = "german_artillery", "German artillery that fired"
    AIR = "air", "Aircraft that attacked"
    RUSSIAN_ARTILLERY = "russian_artillery", "Russian artillery that fired"
    CASUALTY = "casualty", "Paid a Casualty Point"
    VOLUNTARY_RETREAT = "voluntary_retreat", "Retreated of its own will"


class Dots(Outcome):
    """A unit's face."""

    FRESH = "fresh"
    D1 = "d1", "D1"
    D2 = "d2", "D2"
    D3 = "d3", "D3"
    D4 = "d4", "D4"


DOTS = tuple(Dots)


def find_duration(charts: Book, event: str, ranged: bool = False) -> int:
    """The dots that an attack puts on those who made it; Ranged one less, at least one (8.31, 10.4, 10.6)."""
    chart = charts["durations"]
    assert isinstance(chart, Matrix)
    return int(chart.cell(event, "ranged" if ranged else "inside"))


def find_attackers_dots(charts: Book, kind: Kind, event: str) -> tuple[int, int]:
    """The dots on attackers inside and on Ranged ones; always the same for guns and aircraft (10.6)."""
    row = event if kind.is_ground else kind.value
    return find_duration(charts, row), find_duration(charts, row, ranged=True)


def disruption(*, charts: Book, event: Event, ranged: bool, current: int, date: str | None) -> Result:
    """The dots on a unit after an event (10.3 to 10.7); ``current``: those that it has.

    Dots never become fewer by it, and never more than four (10.7 Extending Disruption).
    """
    charted = event.value not in ("moved", "casualty", "voluntary_retreat")
    if event is Event.VOLUNTARY_RETREAT:
        dots = min(MOST, current + 1)
    elif charted:
        dots = max(current, find_duration(charts, event.value, ranged))
    else:
        dots = max(current, MOST if event is Event.CASUALTY else 1)
    fresh_on = add_days(date, dots) if date and dots else None
    effects = [f"Fresh again at Dawn of {day_words(fresh_on)}, if it is not isolated then."] if fresh_on else []
    if event is Event.MOVED and current:
        effects.append("A Spent unit moves only by Regrouping, which adds no dots.")
    return Result(
        f"{event.word}: {DOTS[dots].word}.",
        DOTS[dots],
        details={"duration": dots, "fresh_on": fresh_on},
        effects=tuple(effects),
        rules=("10.2 Duration Status", _RULES.get(event, "10.4 Attacker Disruption")),
        provenance=sources([charts["durations"]]) if charted else (),
    )


_RULES = {
    Event.MOVED: "10.3 Movement Disruption",
    Event.OVERRUN: "10.3 Movement Disruption",
    Event.CASUALTY: "10.5 Defense Disruption",
    Event.VOLUNTARY_RETREAT: "10.5 Defense Disruption",
    Event.GERMAN_ARTILLERY: "10.6 Non-Combat Units",
    Event.AIR: "10.6 Non-Combat Units",
    Event.RUSSIAN_ARTILLERY: "15.3 Russian Artillery",
}
