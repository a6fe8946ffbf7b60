"""What an attack reaches by its place, whatever was chosen: both sides of a Close Combat (19.1.4, A-59)."""

from collections.abc import Iterable, Sequence

from firefight.engine.board.counters import Piece

from .marks import Mark, is_unit

# Fire from outside, bombs, and the overrun of an AFV.
ATTACKS = frozenset({"fire", "air-attack", "close-combat"})


def list_struck(slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]) -> list[str]:
    """The counters that an attack on these targets is made on, by id; nothing where it is made on the chosen alone.

    The attackers are not among them, and units in the same place fight there and do not fire into it. Hidden units take
    no part until they are shown.
    """
    if slug not in ATTACKS:
        return []
    aimed_at = {_place_of(piece) for piece in targets if piece.counter.place} - {_place_of(piece) for piece in firers}
    units = [piece for piece in everybody if _place_of(piece) in aimed_at and _can_be_struck(piece)]
    fighting = {
        place for place in aimed_at if _is_close_combat([piece for piece in units if _place_of(piece) == place])
    }
    firer_ids = {piece.counter.id for piece in firers}
    return [piece.counter.id for piece in units if _place_of(piece) in fighting and piece.counter.id not in firer_ids]


def _is_close_combat(units: Sequence[Piece]) -> bool:
    """Whether those in one place fight: one is marked, whoever came later (19.1.2), and both sides are there."""
    return any(Mark.CLOSE_COMBAT in piece.counter.state for piece in units) and len({p.counter.side for p in units}) > 1


def _place_of(piece: Piece) -> tuple[str, str]:
    return piece.counter.place, piece.counter.level


def _can_be_struck(piece: Piece) -> bool:
    return piece.counter.in_play and not piece.counter.hidden and is_unit(piece.kind.kind)


def say_both(firers: Sequence[Piece], targets: Sequence[Piece]) -> str:
    """That an attack is made on both sides of a Close Combat, in words; "" for any other."""
    sides = {piece.counter.side for piece in firers}
    place = next((piece.counter.place for piece in targets if piece.counter.side in sides), "")
    return f"Close Combat in {place}: friend and enemy are attacked (19.1.4)" if place else ""
