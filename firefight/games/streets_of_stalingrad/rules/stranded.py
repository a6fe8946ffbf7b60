"""Leaders in whose hex no combat unit is left: to which units of their command they may go (18.34)."""

from collections.abc import Iterator, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import DueAtStep, TableState
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .becoming import arm_of
from .decisions import MOST_HEXES, Question, ask_side
from .filling import name_rows
from .hexes import find_distance
from .leaders import Survival
from .terms import Side


def ask_stranded(inputs: Values, result: Result, situation: TableState) -> Iterator[DueAtStep]:
    """After a leader has survived: where he goes, if he stands alone and the map shows units of his command. Nothing
    is asked about hidden ones (ruling S-92)."""
    ids = {row["id"] for row in inputs.get("who") or () if row.get("id")}
    if result.outcome is not Survival.SURVIVES or inputs.get("alone"):
        return
    for leader in situation.pieces:
        if leader.counter.id not in ids or leader.counter.hidden or not leader.counter.place:
            continue
        if places := _list_homes(leader, situation):
            question = ask_side(Question.HOME, Side(leader.counter.side), places=places, who=name_rows([leader]))
            yield DueAtStep(question)


def _list_homes(leader: Piece, situation: TableState) -> Sequence[str]:
    """The hexes of his command, the nearest first; none where he is not alone. Of a leader whose formation nobody has
    told all units of his side are."""
    formation = leader.kind.formation
    friends = [
        piece
        for piece in situation.pieces
        if piece.counter.in_play
        and piece.counter.side == leader.counter.side
        and arm_of(piece.counter, piece.kind).is_combat_unit
    ]
    if any(piece.counter.place == leader.counter.place for piece in friends):
        return []
    own = [piece.counter for piece in friends if not formation or piece.kind.formation == formation]
    places = {counter.place for counter in own if not counter.hidden}
    distances = ((find_distance(place, leader.counter.place), place) for place in places)
    known = sorted((distance, place) for distance, place in distances if distance is not None)
    return [place for _, place in known[:MOST_HEXES]]
