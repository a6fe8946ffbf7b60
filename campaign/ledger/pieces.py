"""Units of the campaign as counters in play, as tables and lines of the log know them."""

from campaign.models import Unit
from firefight.engine.board.counters import CounterInPlay, id_of

from .ledger import Ledger


def counter_of(ledger: Ledger, unit: Unit) -> CounterInPlay:
    """A unit's row as a counter in play."""
    place, _, level = unit.hex.partition("/")
    return CounterInPlay(
        id=id_of(unit.side, unit.number),
        side=str(unit.side),
        counter=unit.counter,
        name=ledger.called(unit),
        place=place,
        level=level,
        area="" if unit.sector is None else str(unit.sector),
        state=tuple(unit.marks),
        hidden=unit.hidden,
        fate=str(unit.fate),
        beside="" if unit.beside is None else id_of(unit.side, unit.beside),
        note=unit.note,
    )
