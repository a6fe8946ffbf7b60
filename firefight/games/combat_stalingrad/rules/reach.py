"""Whom an attack reaches by where they stand, whoever was chosen: both sides of a Close Combat (19.1.4, A-59)."""

from collections.abc import Iterable, Sequence

from firefight.engine.board.counters import Piece

from .marks import Mark, is_unit

# Fire from outside, bombs, and the overrun of an AFV.
ATTACKS = frozenset({"fire", "air-attack", "close-combat"})


def list_struck(slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]) -> list[str]:
    """The counters that an attack on these targets is made on, by id; nothing where it is made on the chosen alone.

    Who attacks is not among them, and who stands in the same place fights there and does not fire into it. Hidden units
    take no part until they are shown.
    """
    if slug not in ATTACKS:
        return []
    fighting = {
        _place_of(piece) for piece in targets if Mark.CLOSE_COMBAT in piece.counter.state and piece.counter.place
    }
    fighting -= {_place_of(piece) for piece in firers}
    if not fighting:
        return []
    own = {piece.counter.id for piece in firers}
    return [
        piece.counter.id
        for piece in everybody
        if _place_of(piece) in fighting and piece.counter.id not in own and _can_be_struck(piece)
    ]


def _place_of(piece: Piece) -> tuple[str, str]:
    return piece.counter.place, piece.counter.level


def _can_be_struck(piece: Piece) -> bool:
    return piece.counter.in_play and not piece.counter.hidden and is_unit(piece.kind.kind)


def say_both(firers: Sequence[Piece], targets: Sequence[Piece]) -> str:
    """That an attack is made on both sides of a Close Combat, in words; "" for any other."""
    sides = {piece.counter.side for piece in firers}
    place = next((piece.counter.place for piece in targets if piece.counter.side in sides), "")
    return f"Close Combat in {place}: friend and enemy are attacked (19.1.4)" if place else ""
