"""What the steps of the Reorganization Phase look at: who stands where, who may leave for where, what is damaged."""

from .ledger import Ledger
from .models import Unit
from .rules.leaders import Side
from .rules.sectors import Holding
from .rules.steps import Step
from .rules.units import UNIT_KINDS, Mark
from .rules.upkeep import Damage


def step(ledger: Ledger) -> Step:
    """Where the phase stands."""
    return Step(ledger.campaign.phase["step"])


def fighters(ledger: Ledger, side: Side, sector: int) -> list[Unit]:
    """A side's units in a sector, markers and fortifications left out."""
    here = (unit for unit in ledger.in_play(side) if unit.sector == sector)
    return [unit for unit in here if ledger.counter(unit).kind in UNIT_KINDS]


def fighting(ledger: Ledger) -> dict[Side, set[int]]:
    """The sectors where each side has units that count for control."""
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
    """Units of a side that may try to leave a sector: all but M-KILLED vehicles (20.12.1)."""
    return [unit for unit in fighters(ledger, side, sector) if Mark.M_KILLED not in unit.marks]


def goals(ledger: Ledger, side: Side, sector: int) -> dict[int, Holding]:
    """Where units may re-deploy to: connected sectors that the enemy does not control (20.12.1)."""
    control = ledger.control
    near = {other: control[other] for other in ledger.content.sector_map.neighbours[sector]}
    return {other: holding for other, holding in near.items() if holding.side in (None, side)}


def final_goals(ledger: Ledger, side: Side, sector: int) -> dict[int, Holding]:
    """Where survivors may go at the end: connected own sectors (20.6.4 step 5)."""
    return {other: holding for other, holding in goals(ledger, side, sector).items() if holding.side is side}


def damaged(ledger: Ledger, side: Side) -> list[tuple[Unit, Damage]]:
    """What a side rolls for in the order of 20.7.1: M-KILLED, F-KILLED, then wounded leaders."""
    marks = {Mark.M_KILLED: Damage.M_KILLED, Mark.F_KILLED: Damage.F_KILLED, Mark.WOUNDED: Damage.WOUNDED_LEADER}
    return [(unit, damage) for mark, damage in marks.items() for unit in ledger.in_play(side) if mark in unit.marks]
