"""What a match keeps of what has parts: a single one, or rows by their ids."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firefight.engine.board.places import Places
from firefight.engine.values import Json, Values

from .fields import BadValue, KeptChoice, KeptField, is_called_so
from .lists import find_things


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptParts(KeptField):
    """Several fields under one name: the parts of something, or the columns of a row."""

    fields: tuple[KeptField, ...]

    @property
    def default(self) -> Json:
        return {part.name: part.default for part in self.fields}

    def read(self, value: Any) -> Json:
        # A part that is left out has to be one that may begin as it does: a place, say, does not.
        whole = {**self.default, **value} if isinstance(value, Mapping) else value
        return self._build(self.default, whole, lambda part, _, value: part.read_or_blank(value))

    def describe(self, value: Any) -> str:
        values = ((part, value.get(part.name)) for part in self.fields)
        return ", ".join(part.tell(of_part) for part, of_part in values if of_part not in (None, "", False, []))

    def change(self, old: Any, change: Any) -> Json:
        return self._build(old, change, lambda part, old, value: part.apply(old, value))

    def _build(self, old: Any, change: object, make: Callable[[KeptField, object, object], Any]) -> Json:
        if not isinstance(change, Mapping):
            raise self.flaw("give a value for each of its parts by name.")
        parts = {part.name: part for part in self.fields}
        flaws = [f"{self.title}: there is no “{name}” in it." for name in change if name not in parts]
        new = dict(old)
        for name in change.keys() & parts.keys():
            try:
                new[name] = make(parts[name], old.get(name, parts[name].default), change[name])
            except BadValue as error:
                flaws += [f"{self.title}, {flaw}" if self.title else flaw for flaw in error.flaws]
        if flaws:
            raise BadValue(*sorted(flaws))
        return new

    def describe_change(self, change: Any) -> Iterator[str]:
        for part in self.fields:
            if part.name in change:
                head = f"{self.title}, " if self.title else ""
                yield from (head + sentence for sentence in part.describe_change(change[part.name]))

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        if not self.is_open_to(sees):
            return None
        return {part.name: part.hide(value[part.name], sees) for part in self.fields}

    def secret_of(self, change: Any) -> set[str]:
        parts = (part.secret_of(change[part.name]) for part in self.fields if part.name in change)
        return KeptField.secret_of(self, change).union(*parts)

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        if not self.is_open_to(sees):
            return self.default
        return {part.name: part.strip(value[part.name], sees) for part in self.fields}


def _rank_id(id: str) -> list[Any]:
    """Where an id sorts among others: red-2 before red-10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", id))]


ROW_ID = re.compile(r"[A-Za-z0-9]+([-:/][A-Za-z0-9]+)*")
LONGEST_ID = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRows(KeptField):
    """Rows of one kind by their ids, each with the same declared parts. A row holds what differs from the defaults.

    ``owner``: the part that names the side which alone knows a row, "" in it for all: nobody else hears that there is
    one. The id of such a row begins with the side, and only that side writes to such ids, so that nobody finds out by
    trying. ``label``: the part by which a sentence calls a row. ``places``: those whose names the ids are, if any.
    ``tells``: a row as players speak of it, from its id and all its parts; None for its parts by their titles.
    ``calls``: what they call it, "" in ``tells``' words.
    """

    parts: tuple[KeptField, ...]
    owner: str = ""
    label: str = ""
    most: int = 60
    places: Places[Any] | None = None
    tells: Callable[[str, Values], str] | None = None
    calls: Callable[[str, Values], str] | None = None

    @property
    def row(self) -> KeptParts:
        """What every row is made of."""
        return KeptParts(fields=self.parts)

    @property
    def default(self) -> Json:
        return {}

    def complete(self, row: Values) -> Json:
        """All parts of a row."""
        return {**self.row.default, **row}

    def owner_of(self, row: Values) -> str:
        """The side that alone knows a row, "" for all."""
        return self.known_to or (row.get(self.owner, "") if self.owner else "")

    def read(self, value: Any) -> Json:
        if not isinstance(value, Mapping):
            raise self.flaw("give its rows by their ids.")
        return self.change({}, {"add": value})

    def describe(self, value: Any) -> str:
        return "; ".join(self._describe_row(id, row) for id, row in value.items()) or "nothing"

    def call(self, id: str, row: Values) -> str:
        """What a sentence calls a row."""
        if self.label and row.get(self.label):
            return str(row[self.label])
        says = self.calls or self.tells
        return says(id, self.complete(row)) if says and row else id

    def _describe_row(self, id: str, row: Values) -> str:
        if self.tells:
            return self.tells(id, self.complete(row))
        plain = {name: value for name, value in row.items() if name not in (self.label, self.owner)}
        return ": ".join(filter(None, (self.call(id, row), self.row.describe(plain))))

    def change(self, old: Any, change: Any) -> Json:
        if not isinstance(change, Mapping) or not change.keys() <= {"add", "change", "strike"}:
            raise self.flaw("rows are added, changed and struck.")
        rows, flaws = dict(old or {}), []
        for id in find_things(self, change, "strike"):
            if not isinstance(id, str) or rows.pop(id, None) is None:
                flaws.append(f"{self.title}: there is no “{id}”.")
        for how in ("add", "change"):
            for id, parts in self._table_in(change, how).items():
                try:
                    rows[id] = self._change_row(rows.get(id), id, parts, is_new=how == "add")
                except BadValue as error:
                    flaws += error.flaws
        if len(rows) > self.most:
            flaws.append(f"{self.title}: {len(rows)} do not fit: at most {self.most}.")
        if flaws:
            raise BadValue(*flaws)
        return rows

    def _table_in(self, change: Values, how: str) -> Mapping[str, object]:
        table = change.get(how, {})
        if not isinstance(table, Mapping):
            raise self.flaw("give rows by their ids.")
        return table

    def _change_row(self, old: Values | None, id: str, parts: object, is_new: bool) -> dict[str, object]:
        if len(id) > LONGEST_ID or not ROW_ID.fullmatch(id):
            raise self.flaw(f"“{id[:LONGEST_ID]}” cannot be the id of a row.")
        if self.places and not is_called_so(self.places, id):
            raise self.flaw(f"“{id}” is not a place on its map.")
        if is_new and old is not None:
            raise self.flaw(f"there is a “{id}” already.")
        if not is_new and old is None:
            raise self.flaw(f"there is no “{id}”.")
        try:
            row = self.row.change(self.complete(old or {}), parts)
        except BadValue as error:
            raise BadValue(*(f"{self.title} {id}: {flaw.removeprefix(': ')}" for flaw in error.flaws)) from None
        if not id.startswith(self.owner_of(row)):
            raise self.flaw(f"what the {self.owner_of(row)} side alone knows has an id that begins so, not “{id}”.")
        fresh = self.row.default
        return {name: value for name, value in row.items() if value != fresh[name]}

    def describe_change(self, change: Any) -> Iterator[str]:
        """Which rows are added, changed and removed. Whose row it is need not be said."""
        for id, parts in change.get("add", {}).items():
            yield f"{self.title}: {self._describe_row(id, parts)}."
        for id, parts in change.get("change", {}).items():
            parts_told = {name: part for name, part in parts.items() if name != self.owner}
            yield from (f"{self.title} {id}, {sentence}" for sentence in self.row.describe_change(parts_told))
        for id in change.get("strike", ()):
            yield f"{self.title}: {id} taken off."

    def tell_rows(self, rows_before: Values, change: Any) -> Iterator[str]:
        """What a player has made of rows, in sentences. ``rows_before``: all of them as they were."""
        yield from self.describe_change({"add": change.get("add", {})})
        for id, parts in change.get("change", {}).items():
            of, old = self.call(id, rows_before[id]), self.complete(rows_before[id])
            for part in self.parts:
                is_told = part.name != self.owner or not parts.get(part.name)  # that all know of it now
                if part.name in parts and is_told and old[part.name] != parts[part.name]:
                    yield f"{of}: {part.tell_setting(old[part.name], parts[part.name])}."
        for id in change.get("strike", ()):
            yield f"{self.title}: {self.call(id, rows_before[id])} taken off."

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        """The rows that somebody may know of, by their ids, without the others.

        They are sorted, since neither a database nor taking back keeps the order in which they came.
        """
        if not self.is_open_to(sees):
            return {}
        return {id: value[id] for id in sorted(value, key=_rank_id) if self.owner_of(value[id]) in ("", *sees)}

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        return self.hide(value, sees)

    def secret_of(self, change: Any) -> set[str]:
        """Whose secret a change is, as far as it says so itself: a rule that changes a sealed row says whose it is."""
        owners = (self.owner_of(row) for how in ("add", "change") for row in change.get(how, {}).values())
        return KeptField.secret_of(self, change).union(owners) - {""}

    def find_owners(self, value: Values, change: object) -> set[str]:
        """The sides that alone know the rows which a change is about, as they stand or as they become."""
        if not isinstance(change, Mapping):
            return set()
        tables = [table for how in ("add", "change") if isinstance(table := change.get(how), Mapping)]
        stand = [self.owner_of(value[id]) for id in self._find_ids(change) if id in value]
        become = [self.owner_of(row) for table in tables for row in table.values() if isinstance(row, Mapping)]
        return {side for side in (*stand, *become) if isinstance(side, str)} - {""}

    def find_writers(self, change: object) -> set[str]:
        """The sides whose ids a change names."""
        owner = next((part for part in self.parts if part.name == self.owner), None)
        sides = set(owner.choices) - {""} if isinstance(owner, KeptChoice) else set()
        ids = self._find_ids(change)
        return {side for side in sides if any(re.match(f"{side}[-:/]", id) for id in ids)}

    def _find_ids(self, change: object) -> list[str]:
        tables = [change.get(how) for how in ("add", "change", "strike")] if isinstance(change, Mapping) else []
        return [id for table in tables if isinstance(table, (Mapping, list)) for id in table if isinstance(id, str)]

    def settle_change(self, change: Values, after: Values) -> Json:
        """A change that was made, with each part as it became: it may have been typed in another form."""
        settled = {
            how: {id: {name: self.complete(after[id])[name] for name in parts} for id, parts in change[how].items()}
            for how in ("add", "change")
            if how in change
        }
        return {**change, **settled}
