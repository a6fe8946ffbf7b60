"""What leads a side through its turn of Masked March, if its player asks for that."""

from firefight.engine.board.counters import Piece
from firefight.engine.course.conducting import Choice
from firefight.engine.course.guiding import GuideStep
from firefight.engine.course.keeping import Chance, TableState

from .rules import PLACES

RULE = "4.1 A Turn"


class TurnGuide:
    """The blocks of one place fire at those that stand there, too, or are filled up."""

    title = "Lead me through this turn"

    def find_step(self, situation: TableState, chosen: str) -> GuideStep:
        """A place first, then what its blocks may do."""
        side = situation.position.side
        there = [each for each in situation.pieces if each.counter.in_play and each.counter.place in PLACES]
        own = [each for each in there if each.counter.side == side]
        acting = [each for each in own if each.counter.place == chosen]
        if not acting:
            places = dict.fromkeys(each.counter.place for each in own)
            choices = tuple(Choice(name, PLACES[name]) for name in places)
            said = "Choose the place whose blocks act." if choices else "No block stands anywhere: the turn is done."
            return GuideStep(said, RULE, choices)
        enemies = tuple(each.counter.id for each in there if each not in own and each.counter.place == chosen)
        chances = [
            Chance("Fill up", each.counter.name, "", (each.counter.id,), "fill-up", fires=True) for each in acting
        ]
        fire = [_aim(each, enemies) for each in acting] if enemies else []
        said = f"Fire with blocks of the {PLACES[chosen]}, or fill them up; then the turn is done."
        return GuideStep(said, RULE, (Choice("", "Another place"),), (*fire, *chances))


def _aim(piece: Piece, enemies: tuple[str, ...]) -> Chance:
    """A block may fire at all that stand before it."""
    return Chance("Fire", piece.counter.name, f"at {len(enemies)}", (piece.counter.id,), "fire", fires=True, at=enemies)
