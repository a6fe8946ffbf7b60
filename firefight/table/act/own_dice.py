"""Dice that the app rolls in a match."""

from firefight.assistant.throwing import Thrower
from firefight.columns import Rolled
from firefight.engine.rolls.dice import DieSpec, rolled_face
from firefight.kit.playing import one_by_one
from firefight.models import Match


def dice_of_match(match: Match) -> Thrower:
    """Dice that the app rolls: derived from the match's seed, numbered without gaps.

    ``match.drawn`` notes them, so that they are used up whatever becomes of the act.
    """
    seed, drawn = bytes.fromhex(match.seed), match.__dict__.setdefault("drawn", [])

    def draw(spec: DieSpec) -> Rolled:
        number = match.next_roll
        match.next_roll += 1
        die = Rolled.from_spec(spec, rolled_face(seed, number, spec.sides), "app", number)
        drawn.append(die)
        return die

    return one_by_one(draw)
