"""Every way in which a pool of dice can fall, for odds that are counted."""

from collections.abc import Iterator

from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.engine.rolls.odds import weigh

from ..rules.tables import DIE


def weigh_pool(number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The faces of a number of d6 from low to high, each with the number of orders in which they fall."""
    for faces, weight in weigh(DieSpec("faces", DIE, "d6", number=number, read=ReadAs.EACH)):
        if isinstance(faces, tuple):
            yield faces, weight
