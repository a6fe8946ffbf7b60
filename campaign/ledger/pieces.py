"""Units of the campaign as counters in play, as tables and lines of the log know them."""

from campaign.models import Unit
from firefight.engine.board.counters import CounterInPlay, Piece, id_of
from firefight.games.combat_stalingrad.rules import flak
from firefight.games.combat_stalingrad.rules.record import RECORD
from firefight.games.combat_stalingrad.rules.sides import Side

from .ledger import Ledger


def counter_of(ledger: Ledger, unit: Unit) -> CounterInPlay:
    """A unit's row as a counter in play."""
    place, _, level = unit.hex.partition("/")
    return CounterInPlay(
        id=id_of(unit.side, unit.number),
        side=str(unit.side),
        counter=unit.counter,
        name=ledger.name_unit(unit),
        place=place,
        level=level,
        area="" if unit.sector is None else str(unit.sector),
        state=tuple(unit.marks),
        hidden=unit.hidden,
        fate=str(unit.fate),
        beside="" if unit.beside is None else id_of(unit.side, unit.beside),
        note=unit.note,
    )


def list_pieces(ledger: Ledger, side: Side) -> list[Piece]:
    """A side's units on the map as counters."""
    on_map = [unit for unit in ledger.in_play(side) if unit.sector is not None]
    return [Piece(counter_of(ledger, unit), ledger.kind_of(unit), ledger.gallery) for unit in on_map]


def list_flak_against(ledger: Ledger, flying: Side) -> list[Piece]:
    """Which units on the map may fire at a side's aircraft, as far as both sides know (17.6.7, A-61)."""
    pieces = list_pieces(ledger, flying.other)
    return flak.list_flak(pieces, RECORD.complete(ledger.match.state.record)["ground"], flying)
