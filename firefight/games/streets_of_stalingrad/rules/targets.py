"""Which hexes counters may attack for certain: enemies in range of each, not attacked in this phase (9.14, 9.21)."""

from collections.abc import Iterator, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput

from .barring import check_fire
from .becoming import arm_of
from .filling import COUNTED_OTHERWISE, explain_tapped, find_distance
from .spending import breaks_through


def list_targets(situation: TableState, firers: Sequence[Piece]) -> Sequence[str]:
    """The hexes of enemies whom these may attack together, as far as counters and record tell. Who sees whom, and what
    a hex of unknown terrain holds, stays with the players."""
    return [
        place
        for place, there in _list_enemies(situation, firers)
        if all(_reaches(each, there[0]) for each in firers) and _may_attack(situation, firers, there, place)
    ]


def _list_enemies(situation: TableState, firers: Sequence[Piece]) -> Iterator[tuple[str, list[Piece]]]:
    side = firers[0].counter.side
    there: dict[str, list[Piece]] = {}
    for each in situation.pieces:
        is_unit = arm_of(each.counter, each.kind).is_combat_unit
        if each.counter.side != side and each.counter.in_play and each.counter.place and is_unit:
            there.setdefault(each.counter.place, []).append(each)
    yield from there.items()


def _reaches(firer: Piece, target: Piece) -> bool:
    """Whether a counter reaches a hex for certain: the next one always, others by the range that is printed on it
    (9.21 to 9.23; 14.53). A leader fires at nobody, and goes with those of his hex."""
    if arm_of(firer.counter, firer.kind).is_leader:
        return True
    distance, reach = find_distance(firer.counter, target.counter), firer.kind.range or 1
    is_odd = COUNTED_OTHERWISE in (firer.counter.place, target.counter.place)
    return distance is not None and (distance == 1 or not is_odd and distance <= reach)


def _may_attack(situation: TableState, firers: Sequence[Piece], there: Sequence[Piece], place: str) -> bool:
    try:
        explain_tapped(situation.book, "battle", firers, there, {})
        asked = {"hex": place, "firer": firers[0].counter.side, "breakthrough": breaks_through({}, situation)}
        check_fire("battle", asked, situation)
    except BadInput:
        return False
    return True
