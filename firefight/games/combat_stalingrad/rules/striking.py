"""Whom artillery and bombs attack besides those named: hidden counters, those who move into fire or stay in it.

What is attacked, impact.py says; here it becomes due, each attack for the side that may know of it (A-57).
"""

from collections.abc import Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import ChangedCounter, DueAtStep, TableState
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from . import impact, missions
from .about import hexes_of
from .artillery import Marker
from .turn import TurnPhase

Inputs = Values


def strike_hidden(inputs: Inputs, situation: TableState) -> list[DueAtStep]:
    """The attacks of an impact on hidden counters: each is its owner's alone to know of, and to roll (A-57)."""
    hidden = [piece for piece in situation.pieces if piece.counter.hidden]
    struck = impact.find_struck(situation.book, inputs, hidden)
    return _attack_sides(inputs, struck, situation)


def bomb_hidden(inputs: Inputs, result: Result, situation: TableState) -> list[DueAtStep]:
    """The attacks of an aircraft on hidden counters in the hex that it has hit, as for an impact."""
    hidden = impact.find_in_reach(situation.book, inputs, [piece for piece in situation.pieces if piece.counter.hidden])
    return [
        DueAtStep(attack, owner)
        for owner, pieces in _share_out(hidden)
        for attack in impact.list_bombings(situation.book, inputs, result.dice, pieces)
    ]


def offer_choice(inputs: Inputs, result: Result, situation: TableState) -> list[DueAtStep]:
    """Defender Choice: the attacks on each place with units within its range, of which the side under attack picks one
    hex (17.6.5, R-135)."""
    hexes, visible = hexes_of(situation), [piece for piece in situation.pieces if not piece.counter.hidden]
    zone = [str(place) for place in hexes.within(hexes.parse(inputs["hex"]), int(result.details["range"]))]
    return [DueAtStep(attack) for attack in impact.list_picks(situation.book, inputs, zone, visible)]


def strike_movers(changed: Sequence[ChangedCounter], situation: TableState) -> list[DueAtStep]:
    """The attacks on counters that have come into fire, or to another place in it (17.4.5, 17.4.6)."""
    if situation.position.phase != TurnPhase.FIRE_AND_MOVEMENT:
        return []
    moved = [
        change.now
        for change in changed
        if (change.was.place, change.was.level) != (change.now.counter.place, change.now.counter.level)
    ]
    attacks: list[DueAtStep] = []
    for mission in missions.read_missions(situation.record) if moved else ():
        if missions.acts_now(mission, situation.position.turn) and not mission.is_sealed:
            shot = missions.fill_firepower(mission, situation.position.turn)
            attacks += _attack_sides(shot, impact.find_struck(situation.book, shot, moved), situation, mission.side)
    return attacks


def strike_stayers(before: Position, situation: TableState) -> list[DueAtStep]:
    """The attacks of each FFE under Fire 2 on those who have stayed in its own hex, as the Fire and Movement Phase
    begins (17.3.6, R-134)."""
    after = situation.position
    if after.phase != TurnPhase.FIRE_AND_MOVEMENT or (after.turn, after.phase) == (before.turn, before.phase):
        return []
    attacks: list[DueAtStep] = []
    for mission in missions.read_missions(situation.record):
        shot = missions.fill_firepower(mission, after.turn)
        if mission.marker == Marker.FFE and shot["fire_2"] and mission.hex and not mission.is_sealed:
            struck = impact.find_struck(situation.book, shot, situation.pieces)
            attacks += _attack_sides(shot, struck, situation, mission.side)
    return attacks


def _attack_sides(shot: Inputs, struck: Sequence[Piece], situation: TableState, reader: str = "") -> list[DueAtStep]:
    """Attacks on counters: the ``reader``, whose fire it is, rolls for those all know; their side for hidden ones."""
    return [
        DueAtStep(attack, owner, "" if owner else reader)
        for owner, pieces in _share_out(struck)
        for attack in impact.list_attacks(situation.book, shot, pieces)
    ]


def _share_out(pieces: Sequence[Piece]) -> list[tuple[str, list[Piece]]]:
    """Counters by the side that alone knows where they stand, "" for all."""
    shares: dict[str, list[Piece]] = {}
    for piece in pieces:
        shares.setdefault(piece.counter.side if piece.counter.hidden else "", []).append(piece)
    return sorted(shares.items())
