"""The Reinforcement Track, and where Units arrive at which strength (Call for Reinforcements, Random Deployment)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from .tables import BOXES, SPAWN_OF, STRONGEST, Colour

SPINS = 4  # edges of a block
RAUS_ROW, RAUS_UNITS = 6, 3


@dataclass(frozen=True, slots=True)
class Call:
    """What six dice pick up. ``picked``, ``left``: of each row; ``remove``: rows that strike; ``raus``: he comes."""

    picked: tuple[int, ...]
    rows_left: tuple[int, ...]
    remove: tuple[int, ...]
    raus: bool = False


def pick_up(rows: Sequence[int], faces: Sequence[int], removed: Collection[int] = (), raus_waits: bool = False) -> Call:
    """Each die picks the leftmost Unit of its row; one on an empty row Removes the Unit named there, once in a game.

    ``removed``: rows that have struck, from 1. ``raus_waits``: the 6th Panzer is an Advantage, and has not come.
    """
    dice_by_row = [list(faces).count(row) for row in range(1, len(rows) + 1)]
    picked = [min(units, dice) for units, dice in zip(rows, dice_by_row, strict=True)]
    idle = [row for row, dice in enumerate(dice_by_row, 1) if dice > rows[row - 1]]
    remove = tuple(row for row in idle if row not in removed)
    rows_left = tuple(units - units_picked for units, units_picked in zip(rows, picked, strict=True))
    return Call(tuple(picked), rows_left, remove, raus_waits and RAUS_ROW in idle)


def count_free_boxes(rows: Sequence[int]) -> int:
    """How many Units the Track can take."""
    return sum(BOXES - units for units in rows)


def put_back(rows: Sequence[int], number: int, recount: bool = True) -> tuple[int, ...]:
    """Units go back to the row with the fewest left, among equals to the lowest number.

    ``recount``: rows are compared again after each Unit (B20); otherwise once, and Units go round in that order.
    ``number``: no more than there are free boxes.
    """
    rows_left = [*rows]
    ranked = sorted(range(len(rows_left)), key=lambda row: (rows_left[row], row))
    for place in range(number):
        if recount:
            row = min((row for row in ranked if rows_left[row] < BOXES), key=lambda row: (rows_left[row], row))
        else:
            turn = place % len(ranked)
            row = next(row for row in (*ranked[turn:], *ranked[:turn]) if rows_left[row] < BOXES)
        rows_left[row] += 1
    return tuple(rows_left)


def list_deploy_hexes(colour: Colour, caller: Colour | None = None, own_full: bool = False) -> tuple[str, ...]:
    """Where a German Unit may arrive. In Co-Op a caller's White Units fill his own colour first (Co-Op 9).

    ``own_full``: his own Spawn Hexes are full.
    """
    if colour is not Colour.WHITE or caller not in (Colour.YELLOW, Colour.BLUE):
        return SPAWN_OF[colour]
    partner = Colour.BLUE if caller is Colour.YELLOW else Colour.YELLOW
    return SPAWN_OF[partner if own_full else caller]


def show_spin(maximum: int, edge: int) -> int:
    """The strength of a Soviet block on an edge from 1, its strongest, to 4; one without dots counts as one dot."""
    return max(1, maximum + 1 - edge)


def adjust_strength(dots: int) -> int:
    """The strength of a revealed Soviet block (Adjusting Soviet Strength)."""
    return max(1, dots)


def count_spins(maximum: int) -> Mapping[int, int]:
    """In how many of the four ways a spun block comes to each strength, the strongest first.

    >>> count_spins(3)
    {3: 1, 2: 1, 1: 2}
    """
    strengths = [show_spin(maximum, edge) for edge in range(1, SPINS + 1)]
    return {strength: strengths.count(strength) for strength in range(min(maximum, STRONGEST), 0, -1)}
