"""Who takes part in a battle, and who may be attacked alone (19.1.6, 19.3.6, 20.6.4 steps 1 and 3)."""

from firefight.engine.board.hexes import Hex

from ..sides import Side
from .attacks import Key
from .fighters import Battle, Fighter, asked_once


@asked_once
def list_present(battle: Battle) -> tuple[Fighter, ...]:
    """Those that a step is about: in step 1 all in a location with a Close Combat marker, marked or not (A-46).

    Where a hex was not noted, nobody knows who else is there: only the marked ones are.
    """
    if not battle.existing:
        return battle.fighters
    marked = {unit.location for unit in battle.fighters if unit.in_cc and unit.hex}
    return tuple(unit for unit in battle.fighters if unit.in_cc or unit.location in marked)


def place_of(unit: Fighter, battle: Battle) -> tuple[Side, tuple[Hex | None, int] | None]:
    """Where infantry must be to cover a leader: in the same location in step 1, anywhere in the sector in step 3."""
    return unit.side, unit.location if battle.existing else None


@asked_once
def on_their_own(battle: Battle) -> list[Fighter]:
    """Those that can be attacked by themselves: all but leaders with other infantry around (19.3.6)."""
    present = list_present(battle)
    covered = {place_of(unit, battle) for unit in present if unit.is_rank_and_file}
    return [unit for unit in present if not (unit.is_leader and place_of(unit, battle) in covered)]


@asked_once
def list_bound(battle: Battle) -> frozenset[Key]:
    """M-KILLED vehicles that attack nobody but those attacking them (20.6.4 step 3).

    If both sides have nothing else, they all may: the sector must end in one hand.
    """
    if battle.existing:
        return frozenset()
    stuck = frozenset(unit.key for unit in battle.fighters if unit.m_killed and not unit.enemy_in_hex)
    return frozenset() if stuck and all(unit.key in stuck for unit in on_their_own(battle)) else stuck
