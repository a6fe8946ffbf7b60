"""What a roll makes of what a match keeps, as a Result holds it."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from firefight.engine.errors import RuleError
from firefight.engine.values import Json, Values


class Change(Protocol):
    """Something that a roll changes. It says so itself, so that a page and a log need to know nothing of it."""

    @property
    def values(self) -> Values:
        """What is changed and how, as plain values by name."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same in words."""

    @property
    def known_to(self) -> str:
        """The side that alone may know, "" for all."""


def merge_changes(changes: Iterable[Change]) -> dict[str, object]:
    """The plain values of all changes of one roll. Raises RuleError where two change the same value."""
    merged: dict[str, object] = {}
    for change in changes:
        _merge(merged, change.values)
    return merged


def lay_over(changes: Iterable[Change]) -> dict[str, object]:
    """The plain values of changes one after the other: where two change the same value, the later one counts.

    >>> from firefight.engine.record import RecordChange
    >>> lay_over([RecordChange({"armies": {"red": 1, "blue": 2}}, ()), RecordChange({"armies": {"red": 3}}, ())])
    {'armies': {'red': 3, 'blue': 2}}
    """
    merged: dict[str, object] = {}
    for change in changes:
        _merge(merged, change.values, may_replace=True)
    return merged


def _merge(into: Json, values: Mapping[str, object], *, may_replace: bool = False) -> None:
    for name, value in values.items():
        inside = into.get(name)
        if isinstance(inside, Mapping) and isinstance(value, Mapping):
            into[name] = dict(inside)
            _merge(into[name], value, may_replace=may_replace)
        elif name in into and not may_replace:
            raise RuleError(f"Two changes of one roll change {name}.")
        else:
            into[name] = value
