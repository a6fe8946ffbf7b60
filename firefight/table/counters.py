"""The counters of a match, wherever they are kept: in its state, or as the rows of its ledger.

One store is kept on the match while an act is done, so that everybody who reads or changes counters meets in it. Each
change is a line of the log, which holds the counter's fields as they were and as they are, so that it can be undone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from django.conf import settings

from firefight.assistant import registry
from firefight.assistant.registry import CounterRules, GalleryKind
from firefight.columns import LoggedResult, ProposedChange
from firefight.engine.board.counters import (
    CounterFate,
    CounterInPlay,
    Piece,
    find_changes,
    id_of,
    ids_named,
    mention,
    withhold_note,
)
from firefight.engine.course.keeping import ChangedCounter
from firefight.engine.errors import BadInput
from firefight.models import Act, LogEntry, Match

from . import bounds
from .seats import Table
from .values import tell_kinds

if TYPE_CHECKING:
    from .acts import MatchAct
    from .seats import Table

CHANGES = "counters"  # so a line calls them: a roll among the changes of its result, a COUNTER line in its inputs
AGAIN = "again"  # so a line that tells again what an earlier one told names the first of them
UNDER_SEAL = "{side}: something befalls a hidden counter."
NOTED = "{side} notes something on a counter."


class CounterStore(Protocol):
    """All counters of one match. ``book``: the content that they are of, "" for the shipped."""

    match: Match

    @property
    def book(self) -> str: ...

    def all(self) -> Sequence[CounterInPlay]:
        """Every counter, also those that are gone: the sides in their order, each by number."""

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id."""

    def known(self, sees: Iterable[str]) -> Sequence[CounterInPlay]:
        """The counters as somebody who may see these sides' secrets gets them."""

    def kinds(self, side: str) -> Mapping[str, Any]:
        """The gallery of a side, by key."""

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """Why a counter cannot be so, in sentences."""

    def put(self, counter: CounterInPlay) -> None:
        """Let a counter be so from now on: one that is there, or a new one with a number that nobody has had."""

    def save(self, act: "MatchAct") -> None:
        """Write what was put, with all that follows from it, and note on the act how to undo it."""


class StateStore:
    """The counters of a single firefight, which are part of the match's state."""

    book = ""

    def __init__(self, match: Match):
        self.match = match
        self.read_from = match.state.counters
        self._counters = {each: read_counter(each, plain) for each, plain in self.read_from.items()}
        self._changed: set[str] = set()
        # One request asks many times.
        self._all: list[CounterInPlay] = []
        self._known: dict[tuple[str, ...], list[CounterInPlay]] = {}

    def copied_for(self, match: Match) -> "StateStore":
        """The same counters for a copy of the match, free to be changed."""
        copied = copy(self)
        copied.match, copied._counters = match, dict(self._counters)
        copied._changed, copied._known = set(), dict(self._known)
        return copied

    def all(self) -> list[CounterInPlay]:
        """Every counter, also those that are gone."""
        if not self._all:
            ranks = {side: rank for rank, side in enumerate(registry.games()[self.match.game].sides)}
            self._all = sorted(self._counters.values(), key=lambda each: (ranks.get(each.side, -1), each.number))
        return self._all

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id."""
        return self._counters.get(counter_id)

    def known(self, sees: Iterable[str]) -> list[CounterInPlay]:
        """The counters that these sides know of: nothing of what another one hides, none of its notes."""
        seen = tuple(sees)
        if seen not in self._known:
            there = [each for each in self.all() if not each.hidden or each.side in seen]
            ids = {"", *(each.id for each in there)}
            shown = (withhold_note(each, seen) for each in there)
            self._known[seen] = [each if each.beside in ids else replace(each, beside="") for each in shown]
        return self._known[seen]

    def kinds(self, side: str) -> Mapping[str, GalleryKind]:
        """The shipped gallery of a side."""
        rules = registry.games()[self.match.game].counters
        return tell_kinds(self.match, side, rules.kinds.get(side, {})) if rules else {}

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """Why a counter cannot be so: a match without a campaign knows no places but those of its map."""
        return [f"{counter.name}: there are {find_page_words(self).area}s in a campaign alone."] if counter.area else []

    def put(self, counter: CounterInPlay) -> None:
        """Let a counter be so from now on."""
        is_known = counter.id in self._counters
        self._counters[counter.id] = counter
        self._changed.add(counter.id)
        self._all = [counter if each.id == counter.id else each for each in self._all] if is_known else []
        self._known.clear()

    def save(self, act: "MatchAct") -> None:
        """Write what was put into the match's state, which taking back restores."""
        if self._changed:
            told = {each: write_counter(self._counters[each]) for each in self._changed}
            self.read_from = {**act.match.state.counters, **told}
            act.match.state = replace(act.match.state, counters=self.read_from)
            self._changed.clear()


def read_counter(counter_id: str, plain: Mapping[str, Any]) -> CounterInPlay:
    """A counter as a match's state keeps it under its id."""
    return CounterInPlay.from_json({**plain, "id": counter_id})


def write_counter(counter: CounterInPlay) -> dict[str, Any]:
    """A counter as a match's state keeps it under its id."""
    return {name: value for name, value in counter.to_json().items() if name != "id"}


def narrow(counters: Mapping[str, Mapping[str, Any]], sees: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """The counters of a state as these sides know them: without what the others hide or have noted."""
    seen = set(sees)
    there = {each: plain for each, plain in counters.items() if not plain.get("hidden") or plain["side"] in seen}
    found: dict[str, Mapping[str, Any]] = {}
    for each, plain in there.items():
        unknown = [] if plain.get("beside", "") in ("", *there) else ["beside"]
        unknown += [] if plain["side"] in seen else ["note"]
        found[each] = {name: value for name, value in plain.items() if name not in unknown}
    return found


def find_misfits(match: Match) -> Iterator[str]:
    """Counters of a file's match that cannot be: each value fits by itself."""
    store, rules = StateStore(match), registry.games()[match.game].counters
    for counter in store.all():
        kind = store.kinds(counter.side).get(counter.counter)
        if rules is None or kind is None:
            yield f"{counter.id}: there is no such counter."
            continue
        if not counter.number or counter.id != id_of(counter.side, counter.number):
            yield f"{counter.id}: its id is not that of a counter of its side."
        if odd := [word for word in counter.state if word not in rules.may_carry(kind)]:
            yield f"{counter.id}: cannot be {', '.join(odd)}."
        if counter.beside and store.find(counter.beside) is None:
            yield f"{counter.id}: stands beside a counter that is not there."
        if counter != clear_if_gone(counter):
            yield f"{counter.id}: is gone, and yet somewhere."


def store_of(match: Match) -> CounterStore:
    """The store of a match, the same one while an act is done."""
    store: CounterStore | None = vars(match).get("counter_store")
    if store is None:
        store = ledger_counters().LedgerStore(match) if match.state.ledger else StateStore(match)
        match.counter_store = store
    return store


def forget_store(match: Match) -> None:
    """Read the counters anew when somebody asks for them next: they were put back beneath the store."""
    vars(match).pop("counter_store", None)


def begin_with_store(match: Match) -> None:
    """Let an act begin with what its request has read of the counters, if they stand so still; else anew."""
    read = vars(match).pop("counter_store", None)
    if isinstance(read, StateStore) and read.read_from is match.state.counters:
        match.counter_store = read.copied_for(match)


def ledger_counters() -> ModuleType:
    """The module that keeps the counters of a ledger; its names are those of campaign.acts.counters."""
    return import_module(settings.LEDGER_COUNTERS)


def rules_of(match: Match) -> CounterRules:
    """What the match's game knows of its counters. Raises BadInput for a game without any."""
    rules = registry.games()[match.game].counters
    if rules is None:
        raise BadInput({"id": "This game keeps no counters here."})
    return rules


def piece_of(store: CounterStore, counter: CounterInPlay) -> Piece:
    """A counter with what the gallery says of its kind."""
    return Piece(counter, store.kinds(counter.side)[counter.counter], store.book)


def is_kept_as_row(match: Match, kind: GalleryKind) -> bool:
    """Whether the record keeps such counters, so that nobody finds them on the table, too."""
    rules = registry.games()[match.game].keeping
    return rules is not None and rules.find_row(kind, 1) is not None


def list_in_sight(match: Match) -> list[Piece]:
    """The counters in play that all know of, each with its kind."""
    store = store_of(match)
    return [piece_of(store, each) for each in store.known(()) if each.in_play]


def known_to(table: Table) -> dict[str, CounterInPlay]:
    """The counters that one browser may know of, by id."""
    return {each.id: each for each in store_of(table.match).known(table.sees)}


def find_reach(match: Match, sees: Collection[str]) -> dict[str, CounterInPlay]:
    """The counters that an act of somebody who may see these sides' secrets can concern, by id.

    In a campaign everybody knows which units there are, and a hidden one seems to be off the map. Those of another side
    that are off the map, or seem to be, are out of reach all alike: nobody finds the hidden ones by trying.
    """
    known, has_ledger = store_of(match).known(sees), bool(match.state.ledger)
    return {each.id: each for each in known if not has_ledger or each.side in sees or not _seems_away(each)}


def _seems_away(counter: CounterInPlay) -> bool:
    return counter.in_play and not counter.area


# Lines


def tell_change(
    act: "MatchAct", was: CounterInPlay, now: CounterInPlay, head: str = "", again: int | None = None, **more: Any
) -> None:
    """Let a counter be as ``now``, with a line that says so; nothing is said where that is no change.

    ``head``: how the sentence begins. ``again``: the line that told it first, before a correction. A line about a
    counter that stays hidden is its own side's secret, and so is what a line says of a note, or of a counter's company
    with a hidden one.
    """
    store, rules = store_of(act.match), rules_of(act.match)
    for step, is_secret in _find_steps(store, was, clear_if_gone(now)):
        changes = find_changes(was, step)
        if changes:
            if act.rewinding:
                act.rewinding.make_way(step.id, changes)
            store.put(step)
            words = f"{head}{step.name}: {describe_difference(rules, store, was, step)}."
            inputs = {CHANGES: {step.id: changes}} | ({AGAIN: again} if again else {})
            _tell(act, step.side, words, inputs, is_secret=is_secret, **more)
        was = step


def _find_steps(store: CounterStore, was: CounterInPlay, now: CounterInPlay) -> list[tuple[CounterInPlay, bool]]:
    """A change as lines tell of it, each with whether it is its side's secret: first what nobody else may know.

    Of a hidden counter that is also where it has gone unseen: it comes into sight where it then is, or is gone.
    """
    if now.hidden:
        return [(now, True)]
    with_hidden = any((mate := store.find(each.beside)) and mate.hidden for each in (was, now) if each.beside)
    if not was.hidden:
        return [(_take_fields(now, was, ["note", *(["beside"] if with_hidden else [])]), True), (now, False)]
    moved = _take_fields(now, was, ["note", "place", "level", "area", "beside"])
    shown = [] if now.fate else [(replace(moved, hidden=False), False)]
    return [(moved, True), *shown, (now, False)]


def _take_fields(source: CounterInPlay, counter: CounterInPlay, names: Iterable[str]) -> CounterInPlay:
    """A counter with some fields as another has them."""
    return replace(counter, **{name: getattr(source, name) for name in names})


def _tell(act: "MatchAct", side: str, words: str, inputs: Mapping[str, Any], is_secret: bool, **more: Any) -> LogEntry:
    is_note = all(fields.keys() <= {"note"} for fields in inputs[CHANGES].values())
    openly = (NOTED if is_note else UNDER_SEAL).format(side=act.table.game.name_of(side))
    said = {"sentence": openly, "secret": words} if is_secret else {"sentence": words}
    touches = mention(inputs[CHANGES])
    return act.tell(LogEntry.Kind.COUNTER, side=side, inputs=inputs, touches=touches, **said, **more)


def tell_added(act: "MatchAct", side: str, fresh: Sequence[CounterInPlay], tally: str) -> None:
    """Put a side's new counters on the table, with one line: taken back from there they are given back."""
    store = store_of(act.match)
    for counter in fresh:
        store.put(counter)
    inputs = {CHANGES: {counter.id: _added(counter) for counter in fresh}}
    _tell(act, side, f"Into play: {tally}.", inputs, is_secret=any(counter.hidden for counter in fresh))


def _added(counter: CounterInPlay) -> dict[str, list[Any]]:
    """What a line says of a new counter: what it is, and that it was not in play."""
    before = replace(counter, counter="", name="", hidden=False, fate=CounterFate.RETURNED.value)
    told = {name: ["", getattr(counter, name)] for name in ("counter", "name")}
    return told | find_changes(before, counter)


def clear_if_gone(counter: CounterInPlay) -> CounterInPlay:
    """A counter that is gone stands nowhere, beside nobody, and hides nothing."""
    return replace(counter, place="", level="", area="", beside="", hidden=False) if counter.fate else counter


def describe_difference(rules: CounterRules, store: CounterStore, was: CounterInPlay, now: CounterInPlay) -> str:
    """What becomes of a counter: "Good Order; was Disrupted"."""
    changes = find_changes(was, now)
    return f"{_describe(rules, store, changes, now)}; was {_describe(rules, store, changes, was)}"


def set_fields(counter: CounterInPlay, plain: Mapping[str, Any]) -> CounterInPlay:
    """A counter with some fields as plain values hold them."""
    return CounterInPlay.from_json({**counter.to_json(), **plain})


def _describe(rules: CounterRules, store: CounterStore, changes: Collection[str], counter: CounterInPlay) -> str:
    """How a counter is, as far as that changes: "Disrupted, in K7"."""
    told = []
    if not {"state", "fate"}.isdisjoint(changes):
        told.append(rules.describe(counter))
    if not {"place", "level", "area"}.isdisjoint(changes) and not counter.fate:
        told.append(describe_place(counter, find_page_words(store)))
    if "hidden" in changes and not counter.fate:
        told.append("hidden" if counter.hidden else f"in sight {describe_place(counter, find_page_words(store))}")
    if "beside" in changes and not counter.fate:
        told.append(_describe_company(store, counter))
    if "note" in changes:
        told.append(f"note “{counter.note}”" if counter.note else "without a note")
    return ", ".join(told)


def find_page_words(store: CounterStore) -> registry.PageWords:
    """What pages call things in the game of these counters."""
    return registry.games()[store.match.game].words


def describe_place(counter: CounterInPlay, words: registry.PageWords) -> str:
    """Where a counter is, in words: "in K7, level 1", "in sector 11", "off the map"."""
    place = f"in {counter.place}" if counter.place else ""
    level = f"level {counter.level}" if counter.level.isdigit() else counter.level
    area = f"{'' if place else 'in '}{words.area} {counter.area}" if counter.area else ""
    return ", ".join(filter(None, (place, level, area))) or "off the map"


def _describe_company(store: CounterStore, counter: CounterInPlay) -> str:
    other = store.find(counter.beside)
    return f"with {other.name}" if other else "by itself"


# What rolls make of counters


def changes_of_roll(entry: LogEntry) -> Mapping[str, str]:
    """What a roll makes of counters, by id; nothing, mostly."""
    return entry.result.details.get("changes", {}).get(CHANGES, {}) if entry.result else {}


def mention_in_roll(inputs: Mapping[str, Any], result: LoggedResult) -> str:
    """The counters that a roll is about: who fires, at whom, and what becomes of whom."""
    named = [*ids_named(inputs, "firers"), *ids_named(inputs, "targets")]
    rows = (row for value in inputs.values() if isinstance(value, list) for row in value if isinstance(row, dict))
    rowed = [row["id"] for row in rows if row.get("id")]
    single = inputs.get("id")
    changed = result.details.get("changes", {}).get(CHANGES, {})
    return mention([*named, *rowed, *([single] if isinstance(single, str) and single else []), *changed])


def apply_changes(act: "MatchAct", entry: LogEntry, changes: Mapping[str, str], owner: str) -> None:
    """Make what a roll's result says becomes of counters, each with a line about the roll.

    ``owner``: the side whose secret the roll is. Counters that this browser does not know of, or that are gone already,
    are passed over: a form that names them was not drawn by the app. Raises BadInput for what cannot befall a counter.
    """
    if not changes:
        return
    rules, store = rules_of(act.match), store_of(act.match)
    within = find_reach(act.match, act.table.sees)
    for counter_id, word in changes.items():
        was = store.find(counter_id)
        is_reached = counter_id in within or (was and owner == was.side)
        is_frozen = act.rewinding is not None and counter_id in act.rewinding.frozen
        if was is None or was.fate or is_frozen or not is_reached:
            continue
        now = rules.become(was, piece_of(store, was).kind, word)
        # What befalls a hidden counter for all to see shows it.
        now = now if owner else replace(now, hidden=False)
        if now != was and (flaws := store.find_flaws(clear_if_gone(now))):
            raise BadInput({"id": " ".join(flaws)})
        tell_change(act, was, now, about=entry.number)


def change_or_propose(act: "MatchAct", entry: LogEntry, waits: bool, owner: str) -> None:
    """Make what a roll says becomes of counters, or let it wait for the players: since they want to be asked first, or
    since another roll comes first (``waits``)."""
    changes, state = changes_of_roll(entry), act.match.state
    if not changes or not (waits or is_asked_first(act.match)):
        apply_changes(act, entry, changes, owner)
        return
    fresh = tuple(ProposedChange(entry.number, each, word, owner) for each, word in changes.items())
    if len(state.proposed) + len(fresh) > bounds.MOST_PROPOSED:
        raise BadInput({"id": "Too many changes of counters wait already: write them down or leave them first."})
    act.match.state = replace(state, proposed=(*state.proposed, *fresh))


def is_asked_first(match: Match) -> bool:
    """Whether players want to be asked before what a roll says becomes of counters."""
    return match.state.options.get(registry.APPLYING.slug) == registry.ASKED_FIRST


def apply_proposed(act: "MatchAct", entries: Iterable[LogEntry]) -> None:
    """Make all changes that wait of these rolls."""
    lines = {entry.number: entry for entry in entries}
    chosen = [each for each in act.match.state.proposed if each.number in lines]
    left = tuple(each for each in act.match.state.proposed if each not in chosen)
    act.match.state = replace(act.match.state, proposed=left)
    for each in chosen:
        apply_changes(act, lines[each.number], {each.id: each.becomes}, each.known_to)


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change that waits: the key by which it is named, the counter and what becomes of it, the line of its roll."""

    key: str
    name: str
    words: str
    number: int


def list_proposed(table: "Table") -> list[ShownChange]:
    """The changes that wait, as one browser may know of them."""
    proposed = table.match.state.proposed_for(table.sees)
    if not proposed:
        return []
    known, words = find_reach(table.match, table.sees), rules_of(table.match).words
    return [
        ShownChange(each.key, known[each.id].name, words.get(each.becomes, each.becomes), each.number)
        for each in proposed
        if each.id in known
    ]


def changed_by(entry: LogEntry) -> Mapping[str, Mapping[str, Sequence[Any]]]:
    """What a COUNTER line says: by id, each field that it changed as it was and as it is since."""
    return entry.inputs.get(CHANGES, {}) if entry.kind == LogEntry.Kind.COUNTER else {}


def find_doer(entry: LogEntry) -> Act | None:
    """The act that a line's change came about by; of one that is told again, the act that told it first."""
    first = entry.inputs.get(AGAIN)
    told = LogEntry.objects.filter(match=entry.match_id, number=first).select_related("act").first() if first else entry
    return told.act if told else None


def gather_changes(match: Match, entries: Iterable[LogEntry]) -> list[ChangedCounter]:
    """The counters that these lines of one act tell of, each as it was before and as it is after it.

    What a line undoes or tells again happens no second time.
    """
    was: dict[str, dict[str, Any]] = {}
    for entry in (entry for entry in entries if not entry.voids and AGAIN not in entry.inputs):
        for counter_id, fields in changed_by(entry).items():
            told = was.setdefault(counter_id, {})
            told.update({name: before for name, (before, _) in _own(fields) if name not in told})
    store = store_of(match) if was else None
    found = ((store.find(each), fields) for each, fields in was.items()) if store else ()
    return [ChangedCounter(set_fields(now, fields), piece_of(store, now)) for now, fields in found if store and now]


def find_later_changes(match: Match, entry: LogEntry) -> list[str]:
    """The counters of a line that have changed since, in what the line is about, by name; one that is lost by id.

    A counter that stands as the line left it may have been through others: they count, too.
    """
    store, found = store_of(match), []
    touched = _find_touched_since(match, entry)
    for counter_id, fields in changed_by(entry).items():
        counter = store.find(counter_id)
        if counter is None or any(
            (counter_id, name) in touched or _as_json(getattr(counter, name)) != now for name, (_, now) in _own(fields)
        ):
            found.append(counter.name if counter else counter_id)
    return found


def _find_touched_since(match: Match, entry: LogEntry) -> set[tuple[str, str]]:
    """The fields of counters, by id and name, that lines after this one have changed; what was undone since is none."""
    later = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.COUNTER, number__gt=entry.number)
    undoing = {line.voided_by for line in later if line.voided_by}
    standing = [line for line in later if not line.voided_by and line.number not in undoing]
    return {(each, name) for line in standing for each, fields in changed_by(line).items() for name in fields}


def _own(fields: Mapping[str, Sequence[Any]]) -> list[tuple[str, Sequence[Any]]]:
    """What can be put back of a line's fields: not what a counter is."""
    return [(name, values) for name, values in fields.items() if name not in _IDENTITY]


_IDENTITY = ("counter", "name")


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def put_back(act: "MatchAct", entry: LogEntry) -> dict[str, dict[str, Sequence[Any]]]:
    """Put a line's counters back to what they were before it; returns what that changes, by id."""
    store = store_of(act.match)
    changes: dict[str, dict[str, Sequence[Any]]] = {}
    for counter_id, fields in changed_by(entry).items():
        counter = store.find(counter_id)
        if counter is None:
            continue
        now = set_fields(counter, {name: was for name, (was, _) in _own(fields)})
        # What the counter is stays told, also where the line that said so goes.
        changes[counter_id] = {
            **{name: fields[name] for name in _IDENTITY if name in fields},
            **find_changes(counter, now),
        }
        store.put(now)
    return changes


def find_hidden_since(match: Match, entry: LogEntry) -> list[CounterInPlay]:
    """The counters of an open line that are hidden by now: what would be told of them is their side's secret."""
    if entry.secret and entry.revealed_by is None:
        return []
    store = store_of(match)
    return [counter for each in changed_by(entry) if (counter := store.find(each)) and counter.hidden]


def tell_undone(act: "MatchAct", entry: LogEntry) -> LogEntry:
    """Put a line's counters back, with a line that strikes it; on which nothing was built is the caller's to see to."""
    changes = put_back(act, entry)
    store, rules = store_of(act.match), rules_of(act.match)
    there = [counter for each in changes if (counter := store.find(each))]
    words = "; ".join(
        f"{counter.name}: {_describe(rules, store, changes[counter.id], counter)} again" for counter in there
    )
    more = {"about": entry.number, "voids": [entry.number]}
    is_secret = bool(entry.secret) and entry.revealed_by is None
    side = entry.side
    return _tell(act, side, f"{words}. № {entry.number} is undone.", {CHANGES: changes}, is_secret, **more)


def new_counter(side: str, kind: GalleryKind, number: int) -> CounterInPlay:
    """A fresh counter of a kind, called as players tell several of them apart."""
    name = f"{kind.name} #{number}" if kind.count > 1 else kind.name
    return CounterInPlay(id_of(side, number), side, kind.key, name)
