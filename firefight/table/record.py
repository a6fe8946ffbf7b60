"""A match's record: what rolls make of it, what a correction makes of that, and what one browser may know of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firefight.assistant import registry
from firefight.assistant.fields import HelperForm
from firefight.engine.course.record import BadValue, Field, Values
from firefight.engine.rolls.result import Result
from firefight.models import Act, LogEntry, Match

from .differences import put_back
from .seats import Table

Kind = LogEntry.Kind
CHANGES = "changes"  # under this name lines hold them: a roll's in its details, what was set by hand in its inputs


def values_of(match: Match) -> dict[str, Any]:
    """All values, hidden ones too."""
    return registry.games()[match.game].record.complete(match.state.record)


def known_values(table: Table) -> dict[str, Any]:
    """The values as one browser may know them."""
    return table.game.record.hide(values_of(table.match), table.sees)


# Changing


def change(match: Match, changes: Values) -> None:
    """Make changes, all of them or none. Raises BadValue with all that is wrong with them."""
    game = registry.games()[match.game]
    match.state = replace(match.state, record=game.record.apply(match.state.record, changes))


def find_owner(table: Table, form: HelperForm, result: Result) -> str:
    """The side whose secret a roll is: it changes what that side hides, or was filled from it; "" for nobody's."""
    owners = {_owner(field) for field, _ in _sources(table, form) if not field.is_open_to(())}
    owners |= {result.known_to} - {""}
    return next(iter(owners), "")


def _owner(field: Field) -> str:
    return field.known_to


# Filling forms


def fill(table: Table, form: type[HelperForm] | HelperForm) -> dict[str, Any]:
    """What the record knows of a form's fields, as far as this browser may know it too."""
    raise NotImplementedError
