"""What the steps of the Reorganization Phase look up in the ledger: which units, sectors and groups they concern."""

from collections.abc import Iterable

from campaign.ledger.ledger import Ledger
from campaign.models import Group, Unit
from campaign.rules.mines import is_mined
from campaign.rules.redeployment import find_goals, may_try_to_leave
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import Holding
from campaign.rules.steps import FINAL_STEPS, Step
from campaign.rules.upkeep import Damage, mark_of
from firefight.games.combat_stalingrad.rules.marks import is_unit
from firefight.games.combat_stalingrad.rules.melee.attacks import Key
from firefight.games.combat_stalingrad.rules.sides import Side


def step(ledger: Ledger) -> Step:
    """Where the phase stands."""
    return ledger.phase.step


def unit_key(unit: Unit) -> Key:
    """A unit by its side and number."""
    return Side(unit.side), unit.number


def find_unit(ledger: Ledger, key: Key) -> Unit:
    """The unit of a key."""
    return ledger.units[key[0]][key[1]]


def list_fighters(ledger: Ledger, side: Side, sector: int) -> list[Unit]:
    """A side's units in a sector, markers and fortifications left out."""
    units, counters = ledger.units[side].values(), ledger.content.counters[side]
    return [u for u in units if u.sector == sector and not u.fate and is_unit(counters[u.counter].kind)]


def find_sectors_with_units(ledger: Ledger) -> dict[Side, set[int]]:
    """The sectors where each side has units that count for control."""
    return {side: {unit.sector for unit in _units_on_map(ledger, side) if unit.sector is not None} for side in Side}


def _units_on_map(ledger: Ledger, side: Side) -> list[Unit]:
    counters = ledger.content.counters[side]
    return [unit for unit in ledger.in_play(side) if unit.sector is not None and is_unit(counters[unit.counter].kind)]


def is_contested(ledger: Ledger, sector: int) -> bool:
    """Whether both sides have units in a sector."""
    return all(list_fighters(ledger, side, sector) for side in Side)


# Leaving


def list_leavers(ledger: Ledger, side: Side, sector: int) -> list[Unit]:
    """Units of a side that may try to leave a sector."""
    tried = set(ledger.phase.tried)
    return [
        unit for unit in list_fighters(ledger, side, sector) if may_try_to_leave(unit.marks, unit_key(unit) in tried)
    ]


def find_open_sectors(ledger: Ledger, side: Side, sector: int) -> dict[int, Holding]:
    """Where a side's units in a sector may re-deploy to in the present step."""
    is_final = step(ledger) in FINAL_STEPS
    return find_goals(side, sector, ledger.content.sector_map.neighbours, ledger.control, is_final)


def leaving_sectors(ledger: Ledger) -> tuple[int, ...]:
    """The sectors that units may leave in the present step."""
    phase = ledger.phase
    if phase.step in FINAL_STEPS:
        return phase.final_sectors
    return () if phase.sector is None else (phase.sector,)


def list_candidates(ledger: Ledger, side: Side) -> list[tuple[Unit, dict[int, Holding]]]:
    """The units of a side that may leave in the present step, each with the sectors that it may reach."""
    return [
        (unit, open_to)
        for sector in leaving_sectors(ledger)
        if (open_to := find_open_sectors(ledger, side, sector))
        for unit in list_leavers(ledger, side, sector)
    ]


# Mines


def list_mined(ledger: Ledger, side: Side) -> list[tuple[Unit, bool]]:
    """A side's units that mines have yet to attack in the sector fought out now, and whether that is sure for each."""
    phase = ledger.phase
    if phase.sector is None:
        return []
    hexes = _mine_hexes(ledger, phase.sector)
    if not hexes:
        return []
    attacked = set(phase.mined)
    waiting = (unit for unit in list_fighters(ledger, side, phase.sector) if unit_key(unit) not in attacked)
    standing = [(unit, is_mined(unit.hex, hexes)) for unit in waiting]
    return [(unit, stands is True) for unit, stands in standing if stands is not False]


def _mine_hexes(ledger: Ledger, sector: int) -> set[str]:
    units = (unit for side in Side for unit in ledger.units[side].values() if unit.sector == sector and not unit.fate)
    return {unit.hex for unit in units if ledger.kind_of(unit).is_mine}


# Changes


def list_damaged(ledger: Ledger, side: Side) -> list[tuple[Unit, Damage]]:
    """The damage that a side rolls for, in the order of the rolls."""
    units = ledger.in_play(side)
    return [(unit, damage) for damage in Damage for unit in units if mark_of(damage) in unit.marks]


def list_nests(ledger: Ledger, side: Side) -> list[Group]:
    """A side's Fanatic Resistance Nests in play."""
    return [g for g in ledger.list_groups(side, GroupType.NEST) if g.standing == Group.Standing.IN_PLAY]


def list_standing_nests(ledger: Ledger, side: Side) -> list[Group]:
    """Those with their marker on the map; the others may still be set up."""
    standing = {unit.group.number for unit in ledger.in_play(side) if unit.group and unit.sector is not None}
    return [nest for nest in list_nests(ledger, side) if nest.number in standing]


def keys_of(units: Iterable[Unit]) -> list[Key]:
    """Units by side and number."""
    return [unit_key(unit) for unit in units]
