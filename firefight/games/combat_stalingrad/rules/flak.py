"""Who fires at aircraft, and with what (17.6.7 Anti-Aircraft Fire, A-61)."""

from collections.abc import Iterable

from firefight.engine.board.counters import Piece
from firefight.engine.board.hexes import HexMap
from firefight.engine.board.places import BadPlace
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import DueAtStep, TableState
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp
from firefight.engine.values import Json, Values

from . import ground
from .air import AntiAircraftWeapon
from .counters import Counter, CounterKind, FlakColumn
from .firing import counter_firepower, why_silent
from .flights import Flight
from .marks import Mark
from .sides import Side
from .units import State

Inputs = Json


def find_column(piece: Piece) -> FlakColumn | None:
    """The weapon of a counter that may fire at aircraft: a GAZ AA truck, a DShK 38, an MG 34 of any kind.

    A German squad has a light one, but not its smaller side (23.2).
    """
    kind: Counter = piece.kind
    is_squad = kind.kind is CounterKind.SQUAD and piece.counter.side == Side.GERMAN
    has_light_mg = is_squad and kind.mgs and Mark.REDUCED not in piece.counter.state
    return kind.flak or (FlakColumn.MG34 if has_light_mg else None)


def why_no_flak(piece: Piece) -> str:
    """Why a counter cannot fire at aircraft, as a sentence; "" if it can, as far as it shows."""
    if find_column(piece) is None:
        return f"{piece.counter.name} does not fire at aircraft: only AA that may fire does (17.6.7)."
    return why_silent(piece)


def say_indoors(rows: ground.Rows, name: str, place: str, level: str) -> str:
    """That somebody is inside a building, as a sentence; "" if not, or if nobody has noted it. Rooftops are outside."""
    is_inside = ground.is_indoors(rows, place, level)
    return f"{name} is inside a building: it fires at aircraft from a hex or a rooftop (17.6.7)." if is_inside else ""


def arm_flak(piece: Piece, hexes: int | None) -> Inputs:
    """What the form of anti-aircraft fire is filled with. Raises BadInput for a counter that cannot."""
    if reason := why_no_flak(piece):
        raise BadInput({"firers": reason})
    marks, column = piece.counter.state, find_column(piece)
    if piece.kind.kind is CounterKind.SQUAD or (column is not FlakColumn.MG34 and Mark.MOVE_SIDE not in marks):
        state = State.PINNED if Mark.PINNED in marks else State.GOOD_ORDER
        return {"weapon": AntiAircraftWeapon(str(column)).value, "state": state.value}
    ff = counter_firepower(piece.kind, marks, hexes or 1)
    return {"weapon": AntiAircraftWeapon.FIREPOWER.value, "ff": ff, "state": State.GOOD_ORDER.value}


def _reaches(charts: Book, armed: Values, hexes: int) -> bool:
    if armed["weapon"] == AntiAircraftWeapon.FIREPOWER:
        return bool(armed["ff"])
    return bool(hexes <= charts[armed["weapon"]].sides)


def list_flak(pieces: Iterable[Piece], rows: ground.Rows, flying: str, hidden: bool = False) -> list[Piece]:
    """Who may fire at a side's aircraft, as far as both sides know: hidden AA is left out, as its name gives it away.

    ``flying``: the side of the aircraft; ``hidden``: the hidden AA instead, for its owner alone. How far the AA
    reaches is another question.
    """
    return [
        piece
        for piece in pieces
        if piece.counter.side != flying
        and piece.counter.in_play
        and piece.counter.hidden is hidden
        and not why_no_flak(piece)
        and not say_indoors(rows, piece.counter.name, piece.counter.place, piece.counter.level)
    ]


def offer_fire(flight: Flight, aimed: str, situation: TableState) -> list[DueAtStep]:
    """The fire that the enemy may make at an aircraft before its attack on a hex: one roll for each AA in reach.

    Hidden AA is not offered here, since the attack would wait for it: its owner has it on a list (R-136).
    """
    hexes: HexMap = situation.book["map"].hexes
    offers = []
    for piece in list_flak(situation.pieces, situation.record["ground"], flight.side):
        counter = piece.counter
        if not counter.place:
            continue
        try:
            away = max(1, hexes.distance(hexes.parse(counter.place), hexes.parse(aimed)))
        except BadPlace:
            continue
        armed = arm_flak(piece, away)
        if _reaches(situation.book, armed, away):
            inputs = {**armed, "range": away, "aircraft": flight.aircraft, "flight": flight.id, "id": counter.id}
            offers.append(DueAtStep(FollowUp("anti-aircraft", f"AA fire of {counter.name} at {flight.name}", inputs)))
    return offers


def find_flight(all_flights: Iterable[Flight], firers: Iterable[str]) -> Flight | None:
    """The aircraft that is fired at where nobody says which: the only enemy ones over the map."""
    own_sides = {firer.rpartition("-")[0] for firer in firers}
    enemies = [flight for flight in all_flights if flight.here and flight.side not in own_sides]
    return enemies[0] if len(enemies) == 1 else None
