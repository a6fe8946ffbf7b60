"""Counters in play for tests: of the shipped gallery, with a state and a place."""

from firefight.engine.board.counters import CounterInPlay, Piece

from .gallery import COUNTERS


def piece(side, key, *state, number=1, kind=None, **more):
    """A counter in play with its kind: piece("german", "nco", "pinned", place="K7")."""
    kind = kind or COUNTERS[side][key]
    counter = CounterInPlay(f"{side}-{number}", side, key, f"{kind.name} #{number}", state=state, **more)
    return Piece(counter, kind)
