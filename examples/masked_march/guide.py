"""What leads a side through its turn of Masked March, if its player asks for that."""

from firefight.engine.board.counters import Piece
from firefight.engine.course.conducting import Choice
from firefight.engine.course.guiding import GuideStep
from firefight.engine.course.keeping import Chance, TableState

from .rules import PLACES

RULE = "4.1 A Turn"


class TurnGuide:
    """The blocks of one place fire at enemies in the same place, or are filled up."""

    title = "Lead me through this turn"

    def find_step(self, situation: TableState, chosen: str) -> GuideStep:
        """A place first, then what its blocks may do."""
        side = situation.position.side
        in_place = [piece for piece in situation.pieces if piece.counter.in_play and piece.counter.place in PLACES]
        own = [piece for piece in in_place if piece.counter.side == side]
        acting = [piece for piece in own if piece.counter.place == chosen]
        if not acting:
            places = dict.fromkeys(piece.counter.place for piece in own)
            choices = tuple(Choice(name, PLACES[name]) for name in places)
            words = "Choose the place whose blocks act." if choices else "No block stands anywhere: the turn is done."
            return GuideStep(words, RULE, choices)
        enemies = tuple(piece.counter.id for piece in in_place if piece not in own and piece.counter.place == chosen)
        chances = [
            Chance("Fill up", piece.counter.name, "", (piece.counter.id,), "fill-up", fires=True) for piece in acting
        ]
        fire = [_aim(piece, enemies) for piece in acting] if enemies else []
        words = f"Fire with blocks of the {PLACES[chosen]}, or fill them up; then the turn is done."
        return GuideStep(words, RULE, (Choice("", "Another place"),), (*fire, *chances))


def _aim(piece: Piece, enemies: tuple[str, ...]) -> Chance:
    """A block may fire at all that stand before it."""
    return Chance("Fire", piece.counter.name, f"at {len(enemies)}", (piece.counter.id,), "fire", fires=True, at=enemies)
