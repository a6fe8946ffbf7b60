"""All that a game keeps of a match: its fields together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firefight.engine.values import Json, Values

from .changes import RecordChange
from .fields import BadValue, KeptField
from .lists import check_hands
from .rows import KeptParts, KeptRows


@dataclass(frozen=True, slots=True)
class Record:
    """All that a game keeps of a match. ``place``: the names of the fields that say where the game's course stands."""

    fields: tuple[KeptField, ...] = ()
    place: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fields)

    @property
    def _table(self) -> KeptParts:
        return KeptParts(fields=self.fields)

    @property
    def defaults(self) -> Json:
        return self._table.default

    @property
    def hides(self) -> bool:
        """Whether any of it may be known to one side alone."""
        return any(
            kept_field.known_to or (isinstance(kept_field, KeptRows) and kept_field.owner) for kept_field in self.fields
        )

    def find(self, path: str) -> KeptField | None:
        """A field by its name, or by its path: advantage.holder."""
        inside: KeptField | None = self._table
        for name in path.split("."):
            inside = _find_inside(inside, name)
        return inside

    def complete(self, values: Values) -> Json:
        return {kept_field.name: values.get(kept_field.name, kept_field.default) for kept_field in self.fields}

    def flaws(self, values: Values) -> tuple[str, ...]:
        """What is wrong with values from outside, in sentences."""
        try:
            check_hands(self.fields, self._table.read(values))
        except BadValue as error:
            return error.flaws
        return ()

    def change(self, values: Values, *, openly: bool = False, known_to: str = "") -> RecordChange:
        """What a roll makes of the record. ``openly``: everybody may know, even where a field is hidden.

        ``known_to``: the side that alone may know of it, where the change is about a row that is sealed already.

        Raises ValueError for a field that the record does not have: a mistake in a rule.
        """
        unknown = values.keys() - {kept_field.name for kept_field in self.fields}
        if unknown:
            raise ValueError(f"The record has no {', '.join(sorted(unknown))}.")
        sides = set() if openly else self._table.secret_of(values) | ({known_to} - {""})
        if len(sides) > 1:
            raise ValueError("One roll cannot change what two sides hide from each other.")
        return RecordChange(values, tuple(self._table.describe_change(values)), next(iter(sides), ""))

    def apply(self, values: Values, change: Values) -> Json:
        """The values after a change. Raises BadValue with everything that is wrong, and then nothing has changed."""
        after = self._table.change(self.complete(values), change)
        check_hands(self.fields, after)
        return after

    def hide(self, values: Values, sees: Sequence[str]) -> Json:
        """The values as somebody who may see these sides' secrets gets them: a number, or None, for what is hidden."""
        visible: Json = self._table.hide(self.complete(values), sees)
        return visible

    def strip(self, values: Values, sees: Sequence[str]) -> Json:
        """The values that somebody may export: what is hidden stands at its default."""
        stripped: Json = self._table.strip(self.complete(values), sees)
        return stripped

    def value(self, values: Values, path: str) -> Any:
        inside: Any = self.complete(values)
        of: KeptField | None = self._table
        for name in path.split("."):
            inside = of.complete(inside.get(name, {})) if isinstance(of, KeptRows) else inside[name]
            of = _find_inside(of, name)
        return inside

    def owner(self, path: str, values: Values | None = None) -> str:
        """The side that alone may see what is at a path, "" for all. ``values``: to ask for a row, too."""
        inside: KeptField | None = self._table
        at: Any = self.complete(values or {})
        for name in path.split("."):
            above, inside = inside, _find_inside(inside, name)
            at = at.get(name, {}) if isinstance(at, Mapping) else {}
            if isinstance(above, KeptRows) and (owner := above.owner_of(at)):
                return owner
            if inside is None or inside.known_to:
                break
        return inside.known_to if inside else ""

    def setting(self, path: str, value: Any) -> dict[str, object]:
        """The change that sets the field at a path."""
        *above, last = path.split(".")
        change: Any = {last: value}
        for place in range(len(above) - 1, -1, -1):
            if isinstance(self.find(".".join(above[: place + 1])), KeptRows):
                change = {"change": change}
            change = {above[place]: change}
        return dict(change)


def _find_inside(of: KeptField | None, name: str) -> KeptField | None:
    """A part of a field by its name; of rows, any row by its id."""
    if isinstance(of, KeptRows):
        return of.row
    parts = of.fields if isinstance(of, KeptParts) else ()
    return next((part for part in parts if part.name == name), None)
