"""What a match keeps: what rolls make of it, what a correction makes of that, and what one browser may know of it.

That is the record, which a game declares, and the place, where the match stands in its course. Both are read, changed
and shown as one: by the same forms, in the same words, with the same bounds.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from django import forms

from firefight.columns import COURSE_NUMBERS, MatchState
from firefight.engine.course.course import BadMove, Course
from firefight.engine.dates import say_day
from firefight.engine.record import (
    BadValue,
    KeptChoice,
    KeptField,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptRows,
    KeptStanding,
    Record,
)
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.kit.fields.counters import PoolField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match
from firefight.table.act.differences import apply_difference
from firefight.table.act.line_keys import BY_HAND, CHANGED_COUNTERS, CHANGES
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.log import descent

from .counters import list_pool

Kind = LogEntry.Kind


def course_of(match: Match) -> Course:
    """The course of a match, which its mode may have chosen."""
    return registry.games()[match.game].find_course(match.state.options)


def known_place(match: Match) -> Json:
    """Where a match stands."""
    return course_of(match).facts(match.state.position)


def known_record(table: Table) -> Json:
    """The record as one browser may know it: for what is hidden a number, or None."""
    return table.game.record.hide(table.match.state.record, table.sees)


def declare_place(course: Course, game: str) -> Record:
    """The facts of a course as fields, so that they can be set like the record's."""
    words = {**registry.games()[game].sides, **course.steps}
    fields: list[KeptField] = []
    for name, allowed in course.allowed().items():
        title = name.replace("_", " ").capitalize()
        if isinstance(allowed, range):
            fields.append(KeptNumber(name=name, title=title, low=allowed.start, high=allowed.stop - 1))
        else:
            choices = {word: words.get(word) or say_day(word) for word in allowed}
            fields.append(KeptChoice(name=name, title=title, choices=choices))
    return Record(tuple(fields))


def declare_all(match: Match) -> Record:
    """Place and record together."""
    return _join(course_of(match), match.game)


@lru_cache(maxsize=2000)  # a scenario of one's own has a course of its own
def _join(course: Course, game: str) -> Record:
    return Record((*declare_place(course, game).fields, *registry.games()[game].record.fields))


def values_of(match: Match) -> Json:
    """All values of place and record, hidden ones too."""
    return {**known_place(match), **registry.games()[match.game].record.complete(match.state.record)}


def change(match: Match, changes: Values) -> None:
    """Make changes of place and record, all of them or none. Raises BadValue with all that is wrong with them."""
    if not changes:
        return
    record, course = registry.games()[match.game].record, course_of(match)
    after = declare_all(match).apply(values_of(match), changes)
    place = {name: after[name] for name in course.allowed() if name in changes}
    try:
        position = course.change(match.state.position, place) if place else match.state.position
    except BadMove as error:
        raise BadValue(str(error)) from None
    record_values = {kept_field.name: after[kept_field.name] for kept_field in record.fields}
    match.state = replace(match.state.at(position), record=record_values)


# By hand


@dataclass(frozen=True, slots=True)
class Setting:
    """What is set by hand. ``owners``: the sides that alone may know; ``writers``: those that alone may set it."""

    declared: KeptField | None
    owners: frozenset[str]
    writers: frozenset[str]


def find_setting(match: Match, path: str, typed: object) -> Setting:
    """What is at a path, and whose it is: of rows, whose each row is that the typed text is about."""
    declared, values = declare_all(match), values_of(match)
    owners = {declared.owner(path, values)}
    rows, about, writers = declared.find(path.partition(".")[0]), _rows_set(path, typed), set()
    if isinstance(rows, KeptRows):
        owners |= rows.find_owners(values[rows.name], about)
        writers = rows.find_writers(about)
    return Setting(declared.find(path), frozenset(owners - {""}), frozenset(writers))


def _rows_set(path: str, typed: object) -> Any:
    """What is set at a path of a field of rows, as a change of that field."""
    id, _, row_field = path.partition(".")[2].partition(".")
    return {"change": {id: {row_field: typed} if row_field else typed}} if id else typed


def find_keepers(match: Match, path: str, typed: object, before: Values, setting: Setting) -> frozenset[str]:
    """The only sides that know of what was set by hand, now that it is: a row that was opened is all players'.

    ``before``: all values as they were, to tell whose a row was that is gone. ``setting``: whose the value was.
    """
    rows = declare_all(match).find(path.partition(".")[0])
    if not isinstance(rows, KeptRows):
        return setting.owners
    return frozenset(rows.find_owners({**before[rows.name], **values_of(match)[rows.name]}, _rows_set(path, typed)))


def describe_setting(match: Match, path: str, change: Values, before: object, after: object) -> str:
    """What the log says about a value that was set by hand."""
    return _call_rows(match, _tell_setting(match, path, change, before, after))


def _call_rows(match: Match, words: str) -> str:
    """Words in which rows that all know of have the names that players use, not their ids."""
    sides = "|".join(registry.games()[match.game].sides)
    values, names = values_of(match), dict[str, str]()
    for rows in (kept_field for kept_field in declare_all(match).fields if isinstance(kept_field, KeptRows)):
        names |= {id: rows.call(id, row) for id, row in rows.hide(values[rows.name], ()).items()}
    return re.sub(rf"\b(?:{sides})-[A-Za-z0-9]+\b", lambda word: names.get(word[0], word[0]), words)


def _tell_setting(match: Match, path: str, change: Values, before: Any, after: object) -> str:
    declared = declare_all(match)
    kept_field = declared.find(path)
    if isinstance(kept_field, KeptRows):
        return " ".join([f"{BY_HAND}.", *kept_field.tell_rows(before, change[kept_field.name])])
    if kept_field is None or isinstance(kept_field, KeptParts):
        return " ".join([f"{BY_HAND}.", *declared.change(change, openly=True).sentences])
    top, _, inside = path.partition(".")
    parent_field, id = declared.find(top), inside.partition(".")[0]
    if isinstance(parent_field, KeptRows):
        head = f"{parent_field.call(id, declared.value(values_of(match), f'{top}.{id}'))}: "
    else:
        head = f"{parent_field.title}, " if parent_field and inside else ""
    return f"{BY_HAND}, {head}{kept_field.tell_setting(before, after)}."


# Forms


@dataclass(frozen=True, slots=True)
class Filling:
    """What a match knows of a form's fields.

    ``sealed``: what the app fills in unseen, since it belongs to a side that nobody plays. ``owner``: the side whose
    secret a roll filled like this is, "" for nobody's.
    """

    values: Values = field(default_factory=dict)
    sealed: Values = field(default_factory=dict)
    owner: str = ""


_NOTHING = Filling()


def fill_form(table: Table, form: type[HelperForm]) -> Filling:
    """Fill a form from place and record, as far as this browser may know them, and from pools, unseen."""
    filling = _fill_from_record(table, form)
    pools = {
        name: list_pool(table, form_field.side or table.side, form_field.place)
        for name, form_field in form.base_fields.items()
        if isinstance(form_field, PoolField)
    }
    return replace(filling, sealed={**filling.sealed, **pools}) if pools else filling


def _fill_from_record(table: Table, form: type[HelperForm]) -> Filling:
    paths = _find_paths(form, course_of(table.match), table.match.game)
    if not paths:  # as of most forms
        return _NOTHING
    declared, values = declare_all(table.match), values_of(table.match)
    filled: dict[str, object] = {}
    sealed: Json = {}
    owners: dict[str, None] = {}
    for name, path in paths.items():
        if path.partition(".")[0] not in values:  # a fact that this turn does not have
            continue
        value, owner = declared.value(values, path), declared.owner(path)
        if isinstance(value, Mapping) and isinstance(form.base_fields[name], forms.ChoiceField | forms.IntegerField):
            continue  # rows and parts cannot be chosen or counted: a form that is about one is filled from it
        if isinstance(value, Mapping | list) and isinstance(form.base_fields[name], forms.BooleanField):
            continue  # that it holds for some says nothing about this one
        if isinstance(form.base_fields[name], forms.IntegerField) and isinstance(value, (list, tuple)):
            value, owner = len(value), ""  # how many there are everybody may know
        if not owner or owner in table.sees:
            filled[name] = value
        elif not is_played(table, owner):
            sealed[name] = value
        else:
            continue
        owners |= {owner: None}
    return Filling(filled, sealed, next(filter(None, owners), ""))


@lru_cache(maxsize=2000)
def _find_paths(form: type[HelperForm], course: Course, game: str) -> dict[str, str]:
    """The fields of a form that place or record may fill, each with the path that it is filled from."""
    names = {kept_field.name for kept_field in _join(course, game).fields}
    paths = {name: form.filled_from.get(name, name) for name in form.base_fields}
    return {name: path for name, path in paths.items() if path.partition(".")[0] in names}


def present_values(table: Table, helper: Helper) -> dict[str, object]:
    """What the match knows of a fresh form's fields: its place, its record, and what was agreed."""
    options, fields = table.match.state.options, helper.form.base_fields
    agreed = ((option, options.get(option.slug)) for option in table.game.all_options)
    chosen = {name: value for option, value in agreed for name in fields if value and option.fills(helper.slug, name)}
    return {**fill_form(table, helper.form).values, **chosen}


def is_played(table: Table, side: str) -> bool:
    """Whether a side has a player in this match."""
    return any(seat.side == side for seat in table.seats)


# Corrections


def changes_of(entry: "LogEntry | LogLine") -> Values:
    """What a line has changed in place and record; mostly nothing. Counters are separate (board/changing.py)."""
    if entry.kind == Kind.RECORD:
        return dict(entry.inputs.get(CHANGES, {}))
    changes = entry.result.details.get(CHANGES, {}) if entry.result else {}
    return {name: change for name, change in changes.items() if name != CHANGED_COUNTERS}


@dataclass(frozen=True, slots=True)
class LaterChanges:
    """What came after a roll that is corrected, as far as it counts for the record.

    ``entries``: lines whose changes are to be made again, in their order. ``place``: where the match stands since its
    course has gone on, None where it has not.
    """

    entries: tuple[LogEntry, ...] = ()
    place: MatchState | None = None


def rewind_record(match: Match, old: LogEntry, struck: Collection[LogEntry]) -> LaterChanges:
    """Put place and record back to where they were before a roll that is corrected.

    A correction stands where what it corrects stood, so later changes are made again after it. Where a procedure
    stands is what it has made of all that, and stays. ``struck``: the lines that go with the correction. Raises
    BadValue where nobody knows any longer what was before.
    """
    climb = descent.Climb(match.pk)
    start = climb.find_place(old.number)
    places = _find_places(match, climb, start)
    origin = match.log.filter(number=start).select_related("act").get().act
    if origin is None:
        if not _take_out(match, struck):
            raise BadValue("This roll came with a file: take its changes back by hand, then correct it.")
        return LaterChanges()
    acts = match.acts.filter(number__gte=origin.number, taken_back=False).order_by("-number")
    undone = [(number, _without_queue(undo or {})) for number, undo in acts.values_list("number", "state_undo")]
    plain = {name: value for name, value in match.state.to_json().items() if name != "queue"}
    for _, undo in undone:
        plain = apply_difference(plain, undo)
    before = MatchState.from_json(plain)
    struck_numbers = {entry.number for entry in struck}
    rows = match.log.filter(number__gte=start, voided_by=None, kind__in=(Kind.ROLL, Kind.RECORD))
    later_entries = [entry for entry in rows if entry.number not in struck_numbers and changes_of(entry)]
    numbers = [number for number, undo in undone if number > origin.number and _has_moved(undo)]
    stays = match.state if numbers else None
    match.state = replace(match.state.at(before.position), record={**before.record, **_find_standings(match)})
    return LaterChanges(tuple(sorted(later_entries, key=lambda entry: (places[entry.number], entry.number))), stays)


def _find_standings(match: Match) -> Json:
    """Where procedures of a match stand."""
    standings = (kept_field.name for kept_field in declare_all(match).fields if isinstance(kept_field, KeptStanding))
    return {name: match.state.record[name] for name in standings if name in match.state.record}


def find_before(match: Match, number: int) -> Match:
    """The match with its record as it was before a roll, for whoever looks at the form of its correction; as it is,
    where nobody knows that any longer."""
    old = match.log.filter(number=number).first()
    before = copy(match)
    try:
        if old is not None:
            rewind_record(before, old, [old, *descent.find_followers(old)])
    except BadValue:
        return match
    return before


def _take_out(match: Match, struck: Iterable[LogEntry]) -> bool:
    """Take out of lists what rolls have added to them; whether that was all that they had changed."""
    changes = [changes_of(entry) for entry in struck]
    added: dict[str, list[Any]] = {}
    for name, changed in (pair for line_changes in changes for pair in line_changes.items()):
        is_list = isinstance(declare_all(match).find(name), KeptList)
        if not is_list or not isinstance(changed, Mapping) or {*changed} != {"add"}:
            return False
        added.setdefault(name, []).extend(changed["add"])
    values = values_of(match)
    lists = {name: list(values[name]) for name in added}
    for name, member in ((name, member) for name, members in added.items() for member in members):
        if member in lists[name]:  # what a step of the course has taken off is gone already
            lists[name].remove(member)
    change(match, lists)
    return True


def _without_queue(undo: Values) -> dict[str, object]:
    if "fields" not in undo:
        return dict(undo)
    fields = {name: difference for name, difference in undo["fields"].items() if name != "queue"}
    return {"fields": fields, "new": [name for name in undo["new"] if name != "queue"]}


def _has_moved(undo: Values) -> bool:
    """Whether an act has led the match to another place."""
    changed = {*undo.get("fields", ()), *undo.get("new", ())}
    return not changed.isdisjoint(("turn", "phase", "impulse", *COURSE_NUMBERS))


def _find_places(match: Match, climb: descent.Climb, start: int) -> dict[int, int]:
    """Where each line from ``start`` on counts: a correction, with all that comes with it, where the corrected roll
    stood."""
    places: dict[int, int] = {}
    by_act: dict[object, int] = {}
    rows = match.log.filter(number__gte=start).order_by("number").values_list("number", "act_id", "kind", "about")
    for number, act, kind, about in rows:
        if kind == Kind.ROLL and about is not None:
            by_act[act] = places[about] if about in places else climb.find_place(about)
        places[number] = by_act.get(act, number) if act else number
    return places


def make_changes_again(match: Match, later: LaterChanges) -> None:
    """Make the changes of later lines again. Raises BadValue where one does not fit any more."""
    for entry in later.entries:
        try:
            change(match, changes_of(entry))
        except BadValue as error:
            number = entry.number
            reason = f"With that, № {number} does not fit any more: {error} Take back or correct that first."
            raise BadValue(reason) from None
    if later.place:
        match.state = match.state.at(later.place.position)


def say_overruled(
    match: Match, struck: Iterable[LogEntry], written: Iterable[LogEntry], later: LaterChanges
) -> Iterator[str]:
    """What a correction would change, and what stays all the same: a hand has set it since, or the course has gone on.

    ``struck``: the lines that go; ``written``: those in their place. What both say changes nothing.
    """
    if later == LaterChanges():
        return
    declared, values = declare_all(match), values_of(match)
    struck_values, written_values = (
        {path: value for entry in lines for path, value in _leaves(changes_of(entry))} for lines in (struck, written)
    )
    paths_touched = struck_values.keys() | written_values.keys()
    differs = {
        path
        for path in paths_touched
        if struck_values.get(path, _NOTHING_SAID) != written_values.get(path, _NOTHING_SAID)
    }
    for entry in later.entries:
        # What a step of the course has written down was not set by hand.
        if entry.kind != Kind.RECORD or entry.secret or not entry.sentence.startswith(BY_HAND):
            continue
        for path in _paths(changes_of(entry)):
            kept_field = declared.find(path) if path in paths_touched else None
            if kept_field and not isinstance(declared.value(values, path), dict):
                value = kept_field.describe_or_blank(declared.value(values, path))
                yield f"{kept_field.title} stays as № {entry.number} has set it by hand: {value}."
    if later.place and not differs.isdisjoint(known_place(match)):
        yield "The course has gone on since, so the match stays where it stands."


_NOTHING_SAID = object()


def _leaves(changes: Mapping[str, object], head: str = "") -> Iterator[tuple[str, object]]:
    """Every path that a change is about, with its part of the change."""
    for name, value in changes.items():
        yield f"{head}{name}", value
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{head}{name}.")


def _paths(changes: Mapping[str, object]) -> Iterator[str]:
    return (path for path, _ in _leaves(changes))
