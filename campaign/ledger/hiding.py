"""What another side knows about units: a hidden one could as well be off the map, and nothing rides on it.

The same decision for a row, for a counter in play and for plain values; ``hides_from`` says which are hidden from whom.
"""

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import replace

from campaign.models import Unit
from campaign.rules.units import marks_that_last
from firefight.engine.board.counters import CounterInPlay, hides_from
from firefight.engine.values import Values


def know_units(units: Mapping[int, Unit], sees: Collection[str]) -> dict[int, Unit]:
    """A side's units as somebody who may see these sides' secrets knows them."""
    hidden = {number for number, unit in units.items() if hides_from(unit, sees)}
    return {number: unit if unit.side in sees else _know_unit(unit, hidden) for number, unit in units.items()}


def _know_unit(unit: Unit, hidden: Collection[int]) -> Unit:
    """A unit of another side, without its notes; ``hidden``: the numbers of those that are hidden."""
    is_hidden, is_beside_hidden = unit.number in hidden, unit.beside in hidden
    if not is_hidden and not is_beside_hidden and not unit.note:
        return unit
    known_unit = copy(unit)
    known_unit.note = ""
    if is_hidden or is_beside_hidden:
        known_unit.beside = None
    if is_hidden:
        known_unit.sector, known_unit.hex, known_unit.home, known_unit.hidden = None, "", None, False
        known_unit.marks = marks_that_last(unit.marks)
    return known_unit


def take_off_map(counter: CounterInPlay) -> CounterInPlay:
    """A hidden unit as a counter that another side knows."""
    state = tuple(marks_that_last(counter.state))
    return replace(counter, place="", level="", area="", state=state, hidden=False, beside="")


def know_plain_units(rows: Values) -> Values:
    """The units that a map of an earlier chapter shows, as another side knew them."""
    return {number: _know_plain_unit(row) for number, row in rows.items()}


def _know_plain_unit(row: Values) -> Values:
    if not row.get("hidden"):
        return row
    marks = marks_that_last(row.get("marks", ()))
    rest = {name: value for name, value in row.items() if name not in ("sector", "hidden", "marks")}
    return {**rest, **({"marks": marks} if marks else {})}
