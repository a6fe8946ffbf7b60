"""Batteries and aircraft of a campaign: its groups and the rows of its match's record are kept in step.

During a firefight each battery and each group of aircraft has a row in the record, where rolls write down what it does.
What outlasts the firefight belongs to the ledger. After an act of the campaign the rows are set to what the ledger says
(``mirror``); after an act at the table the ledger is set to what the rows say (``write_back``).
"""

from collections.abc import Mapping
from dataclasses import replace

from campaign.models import Group, Seal, Unit
from campaign.rules.rosters import BATTERIES, GroupType
from campaign.rules.stages import Stage
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules import flights, ground, missions
from firefight.games.combat_stalingrad.rules.air import Aircraft
from firefight.games.combat_stalingrad.rules.flights import Flight, count_used, share_marks
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.missions import Mission
from firefight.games.combat_stalingrad.rules.record import RECORD
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, Match
from firefight.table.act import undo

from .ledger import Ledger, load

OF_FIREFIGHT = (
    "missions",
    "sets",
    "aircraft",
    "melees",  # by turns, which the next firefight counts from 1 again
    "fired",
    "tried",
)  # gone when a firefight is over; the ground stays (20.4.1)


def mission_id(group: Group) -> str:
    """The id of a battery's row."""
    return f"{group.side}-{group.number}"


def flight_id(group: Group) -> str:
    """The id of the row of a group of aircraft."""
    return f"{group.side}-flight{group.number}"


# From the ledger to the record


def mirror(ledger: Ledger) -> None:
    """Set the rows to what the ledger says; outside of a firefight there are only those of the ground."""
    state = ledger.match.state
    record = RECORD.complete(state.record)
    if ledger.stage is not Stage.FIREFIGHT:
        changed = {**record, **{name: RECORD.defaults[name] for name in OF_FIREFIGHT}}
    else:
        batteries = _groups(ledger, *BATTERIES)[: missions.MISSION_ROWS.most]
        aircraft = _groups(ledger, GroupType.AIRCRAFT)[: flights.FLIGHT_ROWS.most]
        changes = {
            "missions": _change_rows(record["missions"], {mission_id(g): _battery_parts(ledger, g) for g in batteries}),
            "aircraft": _change_rows(record["aircraft"], {flight_id(g): _flight_parts(ledger, g) for g in aircraft}),
        }
        if ledger.random_hex != ground.find_random(record["ground"]):
            changes["ground"] = ground.move_random(record["ground"], ledger.random_hex)
        changed = RECORD.apply(record, {name: change for name, change in changes.items() if change})
    if changed != record:
        ledger.match.state = replace(state, record=changed)


def _change_rows(rows: Mapping[str, object], columns: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    fresh = {id: row for id, row in columns.items() if id not in rows and row}
    changed = {id: row for id, row in columns.items() if id in rows}
    return {**({"add": fresh} if fresh else {}), **({"change": changed} if changed else {})}


def _groups(ledger: Ledger, *types: GroupType) -> list[Group]:
    """The groups of these types that this firefight has, or has lost."""
    rows, lost = RECORD.complete(ledger.match.state.record), Group.Standing.LOST
    return [
        group
        for side in Side
        for group in ledger.list_groups(side, *types)
        if group.standing == Group.Standing.IN_PLAY or (group.standing == lost and _has_row(rows, group))
    ]


def _has_row(rows: Values, group: Group) -> bool:
    return mission_id(group) in rows["missions"] or flight_id(group) in rows["aircraft"]


def _battery_parts(ledger: Ledger, group: Group) -> dict[str, object]:
    line = ledger.roster_line(group)
    columns: Json = {
        "side": group.side,
        "name": f"{group.rg} {line.unit}"[:40],
        "kind": "bombardment" if line.type is GroupType.BOMBARDMENT else "battery",
        "plotted": line.plotted,
        "caliber": line.caliber if line.caliber and 20 <= line.caliber <= 420 else None,
        "lost": group.standing == Group.Standing.LOST,
        "used": group.mark == Group.Sign.FFE,
        "group": group.number,
    }
    seal = find_plot(ledger, group)
    if seal:
        is_sealed = seal.standing == Seal.Standing.SEALED
        columns |= {
            "plot": list(seal.plot.hexes),
            "plot_turn": seal.plot.turn,
            "known_to": group.side if is_sealed else "",
        }
    return columns


def find_plot(ledger: Ledger, group: Group) -> Seal | None:
    """The plot of a battery for this firefight, sealed or open."""
    plots = reversed(ledger.list_seals(Side(group.side), Seal.Kind.PLOT))
    return next((seal for seal in plots if seal.group is group), None)


def _flight_parts(ledger: Ledger, group: Group) -> dict[str, object]:
    flying = ledger.units_of(group)[: flights.MOST_PLANES]
    line = ledger.roster_line(group)
    is_po2 = any(key.startswith("po") for key in line.contents)
    return {
        "side": group.side,
        "name": f"{group.rg} {line.unit}"[:40],
        "aircraft": (Aircraft.PO2 if is_po2 else Aircraft.JU87).value,
        "planes": len(flying),
        "number": line.arrival or 5,
        "here": group.mark == Group.Sign.HERE,
        "since": group.since,
        "left": group.standing == Group.Standing.LOST,
        "he": count_used((unit.marks for unit in flying), Mark.HE_USED),
        "mg": count_used((unit.marks for unit in flying), Mark.MG_USED),
        "group": group.number,
    }


def flight_of_group(ledger: Ledger, group: Group) -> Flight:
    """A group of aircraft as the rules of 17.6 see it."""
    return Flight.read(flight_id(group), _flight_parts(ledger, group))


def list_flights(ledger: Ledger) -> list[Flight]:
    """All groups of aircraft, including those that have left."""
    groups = (group for side in Side for group in ledger.list_groups(side, GroupType.AIRCRAFT))
    return [flight_of_group(ledger, group) for group in groups]


# From the record to the ledger


def write_back(ledger: Ledger) -> None:
    """Set the ledger to what the rows say, as far as it outlasts the firefight (17.3.1, 17.6, 20.8.2)."""
    if ledger.stage is not Stage.FIREFIGHT:
        return
    record = RECORD.complete(ledger.match.state.record)
    for side in Side:
        for group in ledger.groups[side].values():
            if row := record["missions"].get(mission_id(group)):
                _write_battery(ledger, group, Mission.read(mission_id(group), row))
            elif row := record["aircraft"].get(flight_id(group)):
                _write_aircraft(ledger, group, Flight.read(flight_id(group), row))
    if random_hex := ground.find_random(record["ground"]):
        ledger.campaign.random_hex = random_hex


def _write_battery(ledger: Ledger, group: Group, mission: Mission) -> None:
    if mission.group != group.number:
        return
    group.standing = (Group.Standing.LOST if mission.lost else Group.Standing.IN_PLAY).value
    group.mark = (Group.Sign.FFE if mission.used else Group.Sign.NONE).value
    seal = find_plot(ledger, group)
    if seal and seal.standing == Seal.Standing.SEALED and not mission.is_sealed:
        seal.standing = Seal.Standing.OPEN.value


def _write_aircraft(ledger: Ledger, group: Group, flight: Flight) -> None:
    if flight.group != group.number:
        return
    group.standing = (Group.Standing.LOST if flight.left else Group.Standing.IN_PLAY).value
    group.mark = (Group.Sign.HERE if flight.here else Group.Sign.NONE).value
    group.since = flight.since
    units = [unit for unit in ledger.units[Side(group.side)].values() if unit.group is group]
    flying = [unit for unit in units if not unit.fate]
    has_left = flight.left and bool(flight.planes)
    stay = 0 if has_left else flight.planes
    for unit in flying[stay:]:
        unit.fate = (Unit.Fate.LEFT if has_left else Unit.Fate.ELIMINATED).value
    for unit in [unit for unit in units if unit.fate][: max(0, stay - len(flying))]:
        unit.fate = Unit.Fate.NONE.value  # a roll was corrected, or it was set by hand
    in_play = ledger.units_of(group)
    for unit, marks in zip(in_play, share_marks([unit.marks for unit in in_play], flight), strict=True):
        if set(marks) != set(unit.marks):
            unit.marks = marks


def note_wreck(ledger: Ledger, place: str) -> Json:
    """Note a vehicle's wreck in its hex (20.4.1); returns the change of the record, nothing where one lies there."""
    state = ledger.match.state
    record, hex_name = RECORD.complete(state.record), place.partition("/")[0]
    known_ground = ground.find_ground(record["ground"], hex_name)
    if not hex_name or (known_ground and known_ground.wreck):
        return {}
    values = {"ground": ground.change_ground(record["ground"], hex_name, wreck="wreck")}
    ledger.match.state = replace(state, record=RECORD.apply(record, values))
    return values


def reorganize_ground(ledger: Ledger) -> tuple[Json, list[str]]:
    """Change the ground as 20.7.1 steps 1 and 2 say; returns the change of the record, and sentences."""
    state = ledger.match.state
    record = RECORD.complete(state.record)
    change, sentences = ground.reorganize_hexes(record["ground"])
    values = {"ground": change} if change else {}
    ledger.match.state = replace(state, record=RECORD.apply(record, values))
    return values, sentences


def follow_record(match: Match, row: Act) -> None:
    """Write the rows of a match's record back to its ledger at the end of an act at the table."""
    ledger = load(match)
    write_back(ledger)
    undo.keep_rows(row, ledger.rows())
