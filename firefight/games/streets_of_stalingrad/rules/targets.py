"""Which hexes counters may certainly attack: enemies in range of each, not attacked in this phase (9.14, 9.21)."""

from collections.abc import Iterator, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput

from .barring import check_fire
from .becoming import arm_of
from .filling import COUNTED_OTHERWISE, explain_tapped
from .hexes import find_distance
from .spending import breaks_through


def list_targets(situation: TableState, firers: Sequence[Piece]) -> Sequence[str]:
    """The hexes of enemies whom these may attack together, as far as counters and record tell. Who sees whom, and
    what unknown terrain adds, is left to the players."""
    return [
        place
        for place, enemies in _list_enemies(situation, firers)
        if all(_reaches(firer, enemies[0]) for firer in firers) and _may_attack(situation, firers, enemies, place)
    ]


def _list_enemies(situation: TableState, firers: Sequence[Piece]) -> Iterator[tuple[str, list[Piece]]]:
    side = firers[0].counter.side
    by_hex: dict[str, list[Piece]] = {}
    for piece in situation.pieces:
        is_unit = arm_of(piece.counter, piece.kind).is_combat_unit
        if piece.counter.side != side and piece.counter.in_play and piece.counter.place and is_unit:
            by_hex.setdefault(piece.counter.place, []).append(piece)
    yield from by_hex.items()


def _reaches(firer: Piece, target: Piece) -> bool:
    """Whether a counter certainly reaches a hex: an adjacent one always, others by its printed range (9.21 to 9.23;
    14.53). A leader fires at nobody, and goes with the units of his hex."""
    if arm_of(firer.counter, firer.kind).is_leader:
        return True
    distance, reach = find_distance(firer.counter.place, target.counter.place), firer.kind.range or 1
    is_odd = COUNTED_OTHERWISE in (firer.counter.place, target.counter.place)
    return distance is not None and (distance == 1 or not is_odd and distance <= reach)


def _may_attack(situation: TableState, firers: Sequence[Piece], enemies: Sequence[Piece], place: str) -> bool:
    try:
        explain_tapped(situation.book, "battle", firers, enemies, {})
        inputs = {"hex": place, "firer": firers[0].counter.side, "breakthrough": breaks_through({}, situation)}
        check_fire("battle", inputs, situation)
    except BadInput:
        return False
    return True
