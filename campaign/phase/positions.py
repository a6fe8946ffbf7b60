"""What the steps of the Reorganization Phase look at: who stands where, who may leave for where, what is damaged."""

from collections.abc import Mapping
from typing import Any

from campaign.ledger.ledger import Ledger
from campaign.models import Group, Unit
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import Holding
from campaign.rules.sides import Side
from campaign.rules.steps import Step
from campaign.rules.units import UNIT_KINDS, Mark
from campaign.rules.upkeep import Damage


def step(ledger: Ledger) -> Step:
    """Where the phase stands."""
    return Step(ledger.campaign.phase["step"])


def fighters(ledger: Ledger, side: Side, sector: int) -> list[Unit]:
    """A side's units in a sector, markers and fortifications left out."""
    units = ledger.units[side].values()
    return [u for u in units if u.sector == sector and not u.fate and ledger.counter(u).kind in UNIT_KINDS]


def fighting(ledger: Ledger) -> dict[Side, set[int]]:
    """The sectors where each side has units that count for control; mines and markers do not (20.6.2, 20.6.3)."""
    return {
        side: {
            unit.sector
            for unit in ledger.in_play(side)
            if unit.sector is not None and ledger.counter(unit).kind in UNIT_KINDS
        }
        for side in Side
    }


def is_contested(ledger: Ledger, sector: int) -> bool:
    """Whether both sides have units in a sector."""
    return all(fighters(ledger, side, sector) for side in Side)


def leavers(ledger: Ledger, side: Side, sector: int) -> list[Unit]:
    """Units of a side that may try to leave a sector: not M-KILLED, and without a try in this step (20.12.1, A-47)."""
    tried = {(whose, number) for whose, number in ledger.campaign.phase.get("tried", ())}
    here = fighters(ledger, side, sector)
    return [unit for unit in here if Mark.M_KILLED not in unit.marks and (unit.side, unit.number) not in tried]


def final_sectors(phase: Mapping[str, Any]) -> list[int]:
    """The sectors whose survivors may leave now: one by one, or all if the phase was begun by version 0.1.0 (A-52)."""
    sector = phase.get("survivors_of")
    return phase["fought_over"] if sector is None else [sector]


def goals(ledger: Ledger, side: Side, sector: int) -> dict[int, Holding]:
    """Where units may re-deploy to: connected sectors that the enemy does not control (20.12.1)."""
    control = ledger.control
    near = {other: control[other] for other in ledger.content.sector_map.neighbours[sector]}
    return {other: holding for other, holding in near.items() if holding.side in (None, side)}


def final_goals(ledger: Ledger, side: Side, sector: int) -> dict[int, Holding]:
    """Where survivors may go at the end: connected own sectors (20.6.4 step 5)."""
    return {other: holding for other, holding in goals(ledger, side, sector).items() if holding.side is side}


# Mines


def _mine_hexes(ledger: Ledger, sector: int) -> set[str]:
    units = (unit for side in Side for unit in ledger.units[side].values() if unit.sector == sector and not unit.fate)
    return {unit.hex for unit in units if ledger.counter(unit).is_mine}


def _is_mined(unit: Unit, hexes: set[str]) -> bool | None:
    """Whether a unit stands in one of its sector's mine hexes; None if it may, but a hex is not noted."""
    if unit.hex and unit.hex in hexes:
        return True
    return None if "" in hexes or (hexes and not unit.hex) else False


def mined(ledger: Ledger, side: Side, sector: int) -> list[tuple[Unit, bool]]:
    """A side's units that mines have yet to attack in the sector being fought out; whether it is sure of each."""
    hexes = _mine_hexes(ledger, sector)
    if not hexes:
        return []
    done = {(whose, number) for whose, number in ledger.campaign.phase.get("mined", ())}
    waiting = (unit for unit in fighters(ledger, side, sector) if (unit.side, unit.number) not in done)
    return [(unit, found is True) for unit in waiting if (found := _is_mined(unit, hexes)) is not False]


# Changes


def damaged(ledger: Ledger, side: Side) -> list[tuple[Unit, Damage]]:
    """What a side rolls for in the order of 20.7.1: M-KILLED, F-KILLED, then wounded leaders."""
    marks = {Mark.M_KILLED: Damage.M_KILLED, Mark.F_KILLED: Damage.F_KILLED, Mark.WOUNDED: Damage.WOUNDED_LEADER}
    return [(unit, damage) for mark, damage in marks.items() for unit in ledger.in_play(side) if mark in unit.marks]


def nests(ledger: Ledger, side: Side) -> list[Group]:
    """A side's Fanatic Resistance Nests in play: after a firefight their owner says which stay (20.7.1 step 6)."""
    groups = (group for group in ledger.groups[side].values() if group.standing == Group.Standing.IN_PLAY)
    return [group for group in groups if ledger.roster_line(group).type is GroupType.NEST]
