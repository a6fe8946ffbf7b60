"""What a roll is about, out of the rows of the record: a mission, a group of aircraft, a radio or phone."""

from collections.abc import Callable
from typing import TypeVar

from firefight.engine.board.hexes import HexMap
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values

from .flights import Flight
from .missions import Mission, find_observer, read_missions
from .sets import Set, find_named_set

Row = TypeVar("Row")


def _find_row(read: Callable[[str, Values], Row], id: object, rows: Values) -> Row | None:
    row = rows.get(id) if isinstance(id, str) else None
    return None if row is None else read(str(id), row)


def read_mission(about: Values, situation: TableState) -> Mission | None:
    """The mission that a roll is about, as far as the situation knows it."""
    return _find_row(Mission.read, about.get("mission"), situation.record["missions"])


def read_flight(about: Values, situation: TableState) -> Flight | None:
    """The group of aircraft that a roll is about."""
    return _find_row(Flight.read, about.get("flight"), situation.record["aircraft"])


def find_set(about: Values, situation: TableState) -> Set | None:
    """The set that a roll is about."""
    return _find_row(Set.read, about.get("set"), situation.record["sets"])


def read_set(mission: Mission, situation: TableState) -> Set | None:
    """The set that a mission is called with, if it is known."""
    return find_named_set(situation.record["sets"], mission.set, mission.side)


def place_set(of_set: Set, situation: TableState) -> str:
    """Where a set is: with the observer who calls with it, as far as whoever looks knows where he is (17.2.2), or else
    where it was left."""
    in_play = [counter for counter in situation.counters if counter.in_play]
    observers = [
        find_observer(mission, in_play)
        for mission in read_missions(situation.record)
        if mission.observer and read_set(mission, situation) == of_set
    ]
    places = {observer.place for observer in observers if observer and observer.place}
    return places.pop() if len(places) == 1 else of_set.hex


def hexes_of(situation: TableState) -> HexMap:
    """The map's hexes."""
    hexes: HexMap = situation.book["map"].hexes
    return hexes
