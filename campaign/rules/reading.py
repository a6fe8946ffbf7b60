"""Reading entries that name sectors of the map."""

from collections.abc import Iterable, Mapping

from firefight.engine.charts.cells import is_digits
from firefight.games.combat_stalingrad.rules.reading import FileReading


def read_sectors(reading: FileReading, value: object, cell: str, known_sectors: Iterable[int]) -> tuple[int, ...]:
    """A list of different sectors of the map, in number order."""
    known_sectors, sectors = set(known_sectors), []
    for entry in reading.rows(value, cell):
        if isinstance(entry, bool) or not isinstance(entry, int) or entry not in known_sectors:
            reading.flaw(cell, f"names an unknown sector: {str(entry)[:20]}")
        elif entry in sectors:
            reading.flaw(cell, f"names sector {entry} twice")
        else:
            sectors.append(entry)
    return tuple(sorted(sectors))


def read_numbered(raw: Mapping[str, object]) -> dict[int, object]:
    """The entries whose names are sector numbers, in number order."""
    entries = {int(key): value for key, value in raw.items() if is_digits(key) and len(key) <= 2 and int(key) > 0}
    return dict(sorted(entries.items()))
