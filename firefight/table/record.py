"""A match's record: what rolls make of it, what a correction makes of that, and what one browser may know of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms

from firefight.assistant import registry
from firefight.assistant.fields import HelperForm
from firefight.engine.course.record import BadValue, Values
from firefight.models import LogEntry, Match

from .differences import put_back
from .seats import Table

Kind = LogEntry.Kind
CHANGES = "changes"  # so a line calls them: a roll in its result's details, what a hand has set in its inputs


def known_values(table: Table) -> dict[str, Any]:
    """The values as one browser may know them: of what is hidden a number, or None."""
    return table.game.record.hide(table.match.state.record, table.sees)


def change(match: Match, changes: Values) -> None:
    """Make changes, all of them or none. Raises BadValue with all that is wrong with them."""
    record = registry.games()[match.game].record
    match.state = replace(match.state, record=record.apply(match.state.record, changes))


# Forms


@dataclass(frozen=True, slots=True)
class Filling:
    """What the record knows of a form's fields.

    ``sealed``: what the app fills in unseen, since it belongs to a side that nobody plays. ``owner``: the side whose
    secret a roll is that is filled from there, "" for nobody's.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    sealed: Mapping[str, Any] = field(default_factory=dict)
    owner: str = ""


def fill(table: Table, form: type[HelperForm]) -> Filling:
    """Fill a form from the record, as far as this browser may know it."""
    record, values = table.game.record, table.match.state.record
    filled, sealed, owners = {}, {}, {}
    for name, found in form.base_fields.items():
        path = form.filled_from.get(name, name)
        if record.find(path.partition(".")[0]) is None:
            continue
        value, owner = record.value(values, path), record.owner(path)
        if isinstance(found, forms.IntegerField) and isinstance(value, (list, tuple)):
            value, owner = len(value), ""  # how many there are everybody may know
        if not owner or owner in table.sees:
            filled[name] = value
        elif not is_played(table, owner):
            sealed[name] = value
        else:
            continue
        owners |= {owner: None}
    return Filling(filled, sealed, next(filter(None, owners), ""))


def is_played(table: Table, side: str) -> bool:
    """Whether a side has a player in this match."""
    return any(seat.side == side for seat in table.seats)


# Corrections


def changes_of(entry: LogEntry) -> Mapping[str, Any]:
    """What a line has made of the record; nothing, mostly."""
    if entry.kind == Kind.RECORD:
        return entry.inputs.get(CHANGES, {})
    return entry.result.details.get(CHANGES, {}) if entry.result else {}


def rewind(match: Match, old: LogEntry, struck: Collection[LogEntry]) -> list[LogEntry]:
    """Put the record back to what it was before a roll that is corrected.

    Returns the later lines, in the order in which their changes are to be made again: a correction stands where what
    it corrects stood. ``struck``: the lines that go with the correction. Raises BadValue where nobody knows any more
    what was before.
    """
    if not registry.games()[match.game].record:
        return []
    places = _find_places(match)
    place = places[old.number]
    origin = LogEntry.objects.filter(match=match, number=place).select_related("act").get().act
    if origin is None:
        if any(map(changes_of, struck)):
            raise BadValue("This roll came with a file: take its changes of the record back by hand, then correct it.")
        return []
    acts = match.acts.filter(number__gte=origin.number, taken_back=False).order_by("-number")
    before = match.state.record
    for undo in acts.values_list("state_undo", flat=True):
        before = _undo(before, undo or {})
    match.state = replace(match.state, record=before)
    gone = {entry.number for entry in struck}
    later = LogEntry.objects.filter(match=match, number__gte=place, voided_by=None, kind__in=(Kind.ROLL, Kind.RECORD))
    left = [entry for entry in later if entry.number not in gone and changes_of(entry)]
    return sorted(left, key=lambda entry: (places[entry.number], entry.number))


def _undo(after: Values, undo: Mapping[str, Any]) -> Values:
    """The record before an act, by what that act keeps of the match's state."""
    if "record" in undo.get("new", ()):
        return {}
    before: Values = put_back(after, undo.get("fields", {}).get("record", {}))
    return before


def _find_places(match: Match) -> dict[int, int]:
    """Where each line counts: a correction, with all that comes with it, where the corrected roll stood."""
    places: dict[int, int] = {}
    by_act: dict[Any, int] = {}
    rows = LogEntry.objects.filter(match=match).order_by("number").values_list("number", "act_id", "kind", "about")
    for number, act, kind, about in rows:
        if kind == Kind.ROLL and about is not None:
            by_act[act] = places[about]
        places[number] = by_act.get(act, number) if act else number
    return places


def go_on(match: Match, later: Iterable[LogEntry]) -> None:
    """Make the changes of later lines again. Raises BadValue where one does not fit any more."""
    for entry in later:
        try:
            change(match, changes_of(entry))
        except BadValue as error:
            raise BadValue(
                f"With that, № {entry.number} does not fit any more: {error} Take back or correct that first."
            ) from None


def say_overruled(match: Match, corrected: Iterable[LogEntry], later: Iterable[LogEntry]) -> Iterator[str]:
    """What corrected rolls change and a hand has set since: it stays as it was set, and that is said."""
    record = registry.games()[match.game].record
    touched = {path for entry in corrected for path in _paths(changes_of(entry))}
    for entry in later:
        if entry.kind != Kind.RECORD or entry.secret:
            continue
        for path in _paths(changes_of(entry)):
            if path in touched and (found := record.find(path)):
                value = found.describe_or_blank(record.value(match.state.record, path))
                yield f"{found.title} stays as № {entry.number} has set it by hand: {value}."


def _paths(changes: Mapping[str, Any], head: str = "") -> Iterator[str]:
    for name, value in changes.items():
        yield f"{head}{name}"
        if isinstance(value, Mapping):
            yield from _paths(value, f"{head}{name}.")
