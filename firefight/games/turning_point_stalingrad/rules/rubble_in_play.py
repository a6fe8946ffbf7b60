"""Rubble in a match: its level by Area fills rolls, rolls raise it, Mechanized units roll to get in.

5.5 Rubble Set Up, 14.2 Rubble Creation, 14.3 Rubble Entrance DR, 14.5 Retreat, 18.5 Crossing (T-23).
"""

from collections.abc import Iterator, Mapping, Sequence

from firefight.engine.course.keeping import ChangedCounter, DueAtStep, TableState
from firefight.engine.record import RecordChange, put_in, strike
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json, Values

from .areas import WORKS, is_zone, name_area
from .becoming import count_dots
from .deployment import Deployment
from .kinds import Transport
from .marching import list_own_steps
from .record import RECORD, FerryWay, find_rubble
from .rubble import Situation
from .sides import Side

# By roll: the field that names the Area, and the one for its Rubble.
FIELDS: Mapping[str, tuple[str, str]] = {
    **{slug: ("area", "rubble") for slug in ("attack", "defensive-value", "infiltration", "entry-cost")},
    **{slug: ("area", "level") for slug in ("rubble", "rubble-entrance")},
    "move": ("goal", "rubble"),
}
OF_RESULT = {"attack": "rubble", "rubble": "level", "rubble-setup": "stays"}  # what tells the level afterwards
NOTED = frozenset({"defensive-value", "infiltration"} | OF_RESULT.keys())


def fill_rubble(slug: str, about: Values, record: Values) -> Json:
    """The Rubble of the Area that a roll is about; of Area 70 for new tanks (13.2)."""
    if slug == "armour-replacement":
        return {"rubble": find_rubble(WORKS, record)}
    by, field = FIELDS.get(slug, ("", ""))
    area = about.get(by)
    return {field: find_rubble(area, record)} if area and isinstance(area, str) else {}


def note_rubble(slug: str, inputs: Values, result: Result, record: Values) -> tuple[RecordChange, ...]:
    """Rubble that a roll has made or left, or that a player has named with it. No rule takes any away (T-23)."""
    area, level = inputs.get("area"), _read_level(slug, inputs, result)
    rows = [row for row in record["rubble_levels"] if row["area"] == area]
    if not area or is_zone(area) or level is None:
        return ()
    if level <= find_rubble(area, record) and (rows or slug != "rubble-setup"):
        return ()
    change = {"rubble_levels": {**strike(*rows), **put_in({"area": area, "level": level})}}
    return (RecordChange(change, ()) if slug in OF_RESULT else RECORD.change(change),)  # a result says it in its words


def _read_level(slug: str, inputs: Values, result: Result) -> int | None:
    """The Rubble that an Area has after a roll; None where it says nothing."""
    level = result.details.get(OF_RESULT[slug]) if slug in OF_RESULT else inputs.get("rubble")
    return None if level is None else int(level)


def ask_entrances(changed: Sequence[ChangedCounter], situation: TableState) -> Iterator[DueAtStep]:
    """The roll of each Mechanized unit that has come into Rubble: by a move, a ferry, a retreat (14.3, 14.5, 18.5)."""
    deployed = Deployment.of(situation)
    for change in changed:
        counter, level = change.now.counter, find_rubble(change.now.counter.place, situation.record)
        occasion = _find_occasion(change, situation)
        if (
            not level
            or not counter.in_play
            or occasion is None
            or change.now.kind.transport is not Transport.MECHANIZED
        ):
            continue
        side, area = Side(counter.side), counter.place
        inputs: Json = {
            **{"area": area, "start": change.was.place, "name": counter.name, "id": counter.id, "level": level},
            "friendly_controlled": bool(deployed.german_areas) and deployed.is_controlled(side, area),
            "fresh_enemy": bool(deployed.count(side.other, area)[0]),
            "any_enemy": bool(deployed.find_units(side.other, area)),
            "situation": occasion.value,
        }
        title = f"{counter.name} into the Rubble of {name_area(area)}"
        yield DueAtStep(FollowUp("rubble-entrance", title, inputs), cause=counter.id)


def _find_occasion(change: ChangedCounter, situation: TableState) -> Situation | None:
    """How a counter has come where it is now; None for one that players have put there (T-23)."""
    counter, before = change.now.counter, change.was
    if counter.place == before.place:
        return None
    steps = list_own_steps(counter.id, situation)
    if steps and steps[-1]["area"] == counter.place:
        if steps[-1].get("by") == FerryWay.OVER:
            return Situation.LANDING
        return Situation.REGROUP if count_dots(before) else Situation.MOVE
    return Situation.RETREAT if before.place and count_dots(counter) else None
