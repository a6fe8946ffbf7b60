"""Pools of pieces that are drawn blind: the counters whose place is that pool."""

from collections.abc import Sequence

from firefight.engine.rolls.dice import DieSpec, check_face

from .counters import LevelBounds

POOL = "pool:"


def write_pool(name: str) -> str:
    """A pool as the place of its pieces.

    >>> write_pool("reserve"), find_pool("pool:reserve"), find_pool("K7")
    ('pool:reserve', 'reserve', '')
    """
    return f"{POOL}{name}"


def find_pool(place: str) -> str:
    """The pool that a place is; "" for any other place."""
    return place.removeprefix(POOL) if place.startswith(POOL) else ""


def pool_throw(name: str, label: str, ids: Sequence[str]) -> DieSpec:
    """The throw that draws one piece of a pool. Its faces have no names, and the odds treat them all alike.

    Raises ValueError where the pool is empty.

    >>> pool_throw("piece", "Piece", ("red-4711", "red-815")).words
    'd2'
    """
    if not ids:
        raise ValueError("No piece is left in the pool.")
    return DieSpec(name, len(ids), label, alike=(tuple(range(1, len(ids) + 1)),))


def draw_piece(ids: Sequence[str], face: int) -> str:
    """The piece that a throw draws, by its id. Raises BadDie."""
    return ids[check_face(face, len(ids), "piece") - 1]


def spin_throw(name: str, label: str, bounds: LevelBounds) -> DieSpec:
    """The throw that says with which number a piece comes into play, such as the dots of a block that is spun."""
    return DieSpec(name, bounds.high - max(bounds.low, 1) + 1, label, apart=True)


def read_spin(bounds: LevelBounds, face: int) -> int:
    """The number that a spin gives.

    >>> read_spin(LevelBounds(0, 4, start=4), 2), read_spin(LevelBounds(2, 5, start=5), 1)
    (2, 2)
    """
    return max(bounds.low, 1) + face - 1
