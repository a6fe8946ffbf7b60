"""Which moves and attacks are legal, and why not (German Actions 2 to 5, Advance after Combat, Blitz)."""

from collections.abc import Sequence
from dataclasses import dataclass

from .fire import find_strongest
from .tables import BLITZING, MOST_UNITS, Kind, Side, Terrain

MOST_LONG, MOST_SHORT = 2, 2  # hexes of a Long Move; Stacks of Short Moves


@dataclass(frozen=True, slots=True)
class PathHex:
    """A hex that a Long Move enters."""

    terrain: Terrain
    next_to_soviet: bool = False
    germans: int = 0

    def __str__(self) -> str:
        beside = ", next to Soviets" if self.next_to_soviet else ""
        return f"{self.terrain.word}{beside}{f', {self.germans} Germans there' if self.germans else ''}"


@dataclass(frozen=True, slots=True)
class ShortMove:
    """Where a Short Move ends. ``stack_after``: Germans in that hex when all moves are done."""

    stack_after: int
    next_to_soviet: bool = False
    soviets: int = 0

    def __str__(self) -> str:
        beside = ", next to Soviets" if self.next_to_soviet else ""
        return f"into a Stack of {self.stack_after}{beside}{f', {self.soviets} Soviets there' if self.soviets else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAttack:
    """An attack before it is made. ``next_to_soviet_at_start``, ``stack_after``: of the Stack that moves in a Hasty
    one; ``units_held_back``: whether Units of an attacking Stack stay out of it."""

    next_to_soviet_at_start: bool = False
    not_next_to_target: bool = False
    stack_after: int = 1
    attacking_stacks: int = 1
    units_held_back: bool = False
    targets_chosen: int = 1


def _keep(objections: dict[str, bool]) -> tuple[str, ...]:
    return tuple(reason for reason, holds in objections.items() if holds)


def list_long_move_objections(
    start: Terrain, start_next_to_soviet: bool, part_of_stack: bool, path: Sequence[PathHex]
) -> tuple[str, ...]:
    """What speaks against a Long Move; nothing where it is legal (German Actions 2)."""
    rule = "One Long Move"
    return _keep(
        {
            f"{rule}: it starts in a Clear hex.": start is not Terrain.CLEAR,
            f"{rule}: it starts next to Soviets.": start_next_to_soviet,
            f"{rule}: the whole Stack moves, without Breakdown.": part_of_stack,
            f"{rule}: it enters one or two hexes.": not 1 <= len(path) <= MOST_LONG,
            f"{rule}: it enters Clear hexes alone.": any(path_hex.terrain is not Terrain.CLEAR for path_hex in path),
            f"{rule}: a hex entered is next to Soviets.": any(path_hex.next_to_soviet for path_hex in path),
            f"{rule}: it ends on Germans, and Join-up is not allowed.": bool(path and path[-1].germans),
        }
    )


def list_short_move_objections(moves: Sequence[ShortMove]) -> tuple[str, ...]:
    """What speaks against Short Moves; nothing where they are legal. None at all is a pass (German Actions 3)."""
    rule = "Up to two Short Moves"
    return _keep(
        {
            f"{rule}: at most two Stacks or parts of Stacks move.": len(moves) > MOST_SHORT,
            f"{rule}: a hex entered holds Soviets.": any(move.soviets for move in moves),
            f"{rule}: a hex entered is next to Soviets.": any(move.next_to_soviet for move in moves),
            f"{rule}: more than four Units would stand in a hex.": any(move.stack_after > MOST_UNITS for move in moves),
        }
    )


def list_hasty_objections(attack: PlannedAttack) -> tuple[str, ...]:
    """What speaks against a Hasty Attack after a move of one hex; nothing where it is legal (German Actions 4; B21)."""
    rule = "One Hasty Attack"
    return _keep(
        {
            f"{rule}: the Stack that moves starts next to Soviets.": attack.next_to_soviet_at_start,
            f"{rule}: its move does not end next to the target.": attack.not_next_to_target,
            f"{rule}: more than four Units would stand in a hex.": attack.stack_after > MOST_UNITS,
            f"{rule}: nobody attacks.": attack.stack_after < 1 or attack.attacking_stacks < 1,
            f"{rule}: one Stack alone attacks.": attack.attacking_stacks > 1,
            f"{rule}: every Unit of the Stack that was formed attacks.": attack.units_held_back,
            f"{rule}: it is against exactly one Soviet Stack.": attack.targets_chosen != 1,
        }
    )


def list_deliberate_objections(attack: PlannedAttack) -> tuple[str, ...]:
    """What speaks against a Deliberate Attack, made without a move; nothing where it is legal (German Actions 5)."""
    rule = "One Deliberate Attack"
    return _keep(
        {
            f"{rule}: each attacking Stack is next to the target.": attack.not_next_to_target,
            f"{rule}: nobody attacks.": attack.attacking_stacks < 1,
            f"{rule}: every Unit of a chosen Stack attacks.": attack.units_held_back,
            f"{rule}: it is against exactly one Soviet Stack.": attack.targets_chosen != 1,
        }
    )


# After a combat


@dataclass(frozen=True, slots=True)
class Advance:
    """Which Units may enter the empty hex: between ``least`` and ``most`` of ``candidates``, by places from 0."""

    least: int
    most: int
    candidates: tuple[int, ...]


def find_advance(attacker: Side, survivors: Sequence[int]) -> Advance:
    """Which Units advance: one German at least and four at most; of the Soviets the strongest (Advance after Combat).

    ``survivors``: strengths of the attackers that are left; nobody advances without any (B23).
    """
    places = tuple(place for place, strength in enumerate(survivors) if strength)
    if not places:
        return Advance(0, 0, ())
    if attacker is Side.GERMAN:
        return Advance(1, min(MOST_UNITS, len(places)), places)
    return Advance(1, 1, find_strongest(survivors))


def may_blitz(
    hoth: bool, unit: Kind, advanced_into: Terrain, target: Terrain = Terrain.CLEAR, target_has_soviets: bool = False
) -> bool:
    """Whether a Unit that has advanced may go one hex on (Blitz Movement; B47)."""
    are_clear = advanced_into is Terrain.CLEAR and target is Terrain.CLEAR
    return hoth and unit in BLITZING and are_clear and not target_has_soviets
