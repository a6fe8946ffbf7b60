"""What a match of Combat! Stalingrad keeps besides its log: missions, sets, aircraft, and what is known of hexes."""

from firefight.engine.record import Record, RecordChange
from firefight.engine.values import Json

from . import chances, fired, flights, ground, missions, sets
from .melee import table as melee_table

RECORD = Record(
    fields=(
        missions.MISSION_ROWS,
        sets.SET_ROWS,
        flights.FLIGHT_ROWS,
        ground.GROUND_ROWS,
        melee_table.MELEE_ROWS,
        fired.FIRED_LIST,
        chances.TRIED_LIST,
    )
)


def write_down(values: Json, *sentences: str, known_to: str = "") -> RecordChange:
    """A change of the record in words that name things as players do.

    Rolls are made openly, even for a sealed row: what they say about it is not what it hides. ``known_to``: for what is
    noted without a roll.
    """
    change = RECORD.change(values, openly=True)
    return RecordChange(change.values, tuple(sentence for sentence in sentences if sentence), known_to)
