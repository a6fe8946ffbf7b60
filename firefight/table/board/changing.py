"""What happens to counters: each change is a line of the log, and can be undone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firefight.columns import LoggedResult, ProposedChange
from firefight.engine.board.counters import (
    CounterFate,
    CounterInPlay,
    describe_levels,
    find_changes,
    ids_named,
    show_closed,
    write_field,
    write_mentions,
)
from firefight.engine.course.keeping import ChangedCounter
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.games.registry import helpers
from firefight.kit.counters import CounterRules, befall, call_word
from firefight.kit.game import APPLYING, ASKED_FIRST, PageWords
from firefight.models import Act, LogEntry, Match
from firefight.table.act import bounds, episodes
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import AGAIN, CHANGED_COUNTERS, NAMES
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import CounterStore
from firefight.table.act.table import Table
from firefight.table.log.asked import list_ids

from .counters import list_reachable, rules_of, store_of
from .stores import clear_if_gone, find_page_words, name_closed, piece_of, set_fields

UNDER_SEAL = "{side}: something may have changed on hidden counters."
NOTHING_UNSEEN = "Nothing has changed on hidden counters."
CLOSED_ONE = "{side}: something befalls a closed counter."
NOTED = "{side} notes something on a counter."


CounterPair = tuple[CounterInPlay, CounterInPlay]  # a counter before and after a change


def tell_changes(
    act: MatchAct,
    pairs: Iterable[CounterPair],
    head: str = "",
    again: int | None = None,
    about: int | None = None,
    covered: Collection[str] = (),
) -> None:
    """Let counters be as the second of each pair, with lines that say so; nothing is said where nothing changes.

    ``head``: how the sentences begin. ``again``: the line that told it first, before a correction; ``about``: the one
    that it came of. What happens to counters that stay hidden is their side's secret, told in one line: several would
    give away how many they are. ``covered``: the sides that get that line even where nothing changes, which nobody else
    can tell.
    """
    changed = [(before, clear_if_gone(after)) for before, after in pairs]
    marks = {AGAIN: again} if again else {}
    for before, after in changed:
        if not after.hidden:
            _tell_in_steps(act, before, after, head, marks, about)
    for side in act.table.game.sides:
        unseen = [pair for pair in changed if pair[1].hidden and pair[1].side == side]
        if unseen or side in covered:
            _tell_unseen(act, side, unseen, head, marks, about, is_covered=side in covered)


def _tell_in_steps(
    act: MatchAct, before: CounterInPlay, after: CounterInPlay, head: str, marks: Values, about: int | None
) -> None:
    """Tell a change of a counter that is in sight by then. What a line says about a note, or about a counter's company
    with a hidden one, is its side's secret."""
    store, rules = store_of(act.match), rules_of(act.match)
    for step, is_secret in _find_steps(store, before, after):
        changes = _put(act, before, step)
        if changes:
            words = f"{head}{step.name}: {describe_difference(rules, store, before, step)}."
            inputs = {CHANGED_COUNTERS: {step.id: changes}, **marks}
            openly = _tell_closed(rules, store, before, step) if before.closed and not step.hidden else ""
            _tell(act, step.side, words, inputs, is_secret=is_secret, openly=openly, about=about)
        before = step


def _tell_unseen(
    act: MatchAct,
    side: str,
    pairs: Sequence[CounterPair],
    head: str,
    marks: Values,
    about: int | None,
    is_covered: bool,
) -> None:
    """Tell what happens to a side's hidden counters; ``is_covered``: even if nothing does."""
    store, rules = store_of(act.match), rules_of(act.match)
    changed = {after.id: changes for before, after in pairs if (changes := _put(act, before, after))}
    tales = [
        f"{after.name}: {describe_difference(rules, store, before, after)}"
        for before, after in pairs
        if after.id in changed
    ]
    names = {after.id: after.name for _, after in pairs if after.id in changed}
    inputs = {CHANGED_COUNTERS: changed, **({NAMES: names} if len(names) > 1 else {}), **marks}
    if tales or is_covered:
        words = f"{head}{'; '.join(tales)}." if tales else NOTHING_UNSEEN
        _tell(act, side, words, inputs, is_secret=True, about=about)


def _put(act: MatchAct, before: CounterInPlay, after: CounterInPlay) -> Values:
    """Set a counter; returns what that changes of it."""
    changes = find_changes(before, after)
    if changes:
        if act.retelling:
            act.retelling.make_way(after.id, changes)
        store_of(act.match).put(after)
    return changes


def list_hiding(match: Match) -> set[str]:
    """The sides that have hidden counters, or have had some, as everybody can read in the log."""
    game = registry.games()[match.game]
    rows = match.log.filter(kind=LogEntry.Kind.COUNTER).exclude(secret="")
    kept_quiet = {(side, sentence) for side, sentence in rows.order_by().values_list("side", "sentence").distinct()}
    return {side for side, sentence in kept_quiet if sentence == UNDER_SEAL.format(side=game.name_of(side))}


def _find_steps(store: CounterStore, before: CounterInPlay, after: CounterInPlay) -> list[tuple[CounterInPlay, bool]]:
    """A change as lines report it, each with whether it is its side's secret: first what nobody else may know.

    For a hidden counter that includes where it has gone unseen: it comes into sight where it then is, or is gone. For
    one that is closed and stays so, it is all of it: others hear only where it goes.
    """
    steps = _find_steps_in_sight(store, before, after)
    if not after.closed:
        return steps
    if before.closed:
        return [(step, True) for step, _ in steps]
    return [*((replace(step, closed=False), is_secret) for step, is_secret in steps), (after, after.hidden)]


def _find_steps_in_sight(
    store: CounterStore, before: CounterInPlay, after: CounterInPlay
) -> list[tuple[CounterInPlay, bool]]:
    mates = (store.find(counter.beside) for counter in (before, after) if counter.beside)
    with_hidden = any(mate and (mate.hidden or mate.closed) for mate in mates)
    if not before.hidden:
        return [(_take_fields(after, before, ["note", *(["beside"] if with_hidden else [])]), True), (after, False)]
    moved = _take_fields(after, before, ["note", "place", "level", "area", "beside"])
    in_sight = [] if after.fate else [(replace(moved, hidden=False), False)]
    return [(moved, True), *in_sight, (after, False)]


def _take_fields(source: CounterInPlay, counter: CounterInPlay, names: Iterable[str]) -> CounterInPlay:
    return replace(counter, **{name: getattr(source, name) for name in names})


def _tell_closed(rules: CounterRules, store: CounterStore, before: CounterInPlay, after: CounterInPlay) -> str:
    """What others hear of a closed counter that stays so: where it goes; else that something happens to it."""
    side, page_words = registry.games()[store.match.game].name_of(after.side), find_page_words(store)
    known_before, known_after = (show_closed(counter, name_closed(store.match.game)) for counter in (before, after))
    if before.hidden:
        return f"{side}, {known_after.name}: in sight {describe_place(known_after, page_words)}."
    if known_after.fate != known_before.fate:
        return f"{side}, {known_after.name}: {known_after.fate or 'back in play'}."
    changes = find_changes(known_before, known_after)
    return (
        f"{side}, {known_after.name}: {describe_difference(rules, store, known_before, known_after)}."
        if changes
        else CLOSED_ONE
    )


def _tell(
    act: MatchAct, side: str, words: str, inputs: Values, is_secret: bool, openly: str = "", **more: Any
) -> LogEntry:
    changed = inputs[CHANGED_COUNTERS]
    is_note = bool(changed) and all(fields.keys() <= {"note"} for fields in changed.values())
    openly = (NOTED if is_note else openly or UNDER_SEAL).format(side=act.table.game.name_of(side))
    texts = {"sentence": openly, "secret": words} if is_secret else {"sentence": words}
    touches = write_mentions(changed)
    return act.tell(LogEntry.Kind.COUNTER, side=side, inputs=inputs, touches=touches, **texts, **more)


def tell_added(act: MatchAct, side: str, fresh: Sequence[CounterInPlay], tally: str) -> None:
    """Put a side's new counters on the table, with one line: when that is taken back, they are given back."""
    store = store_of(act.match)
    for counter in fresh:
        store.put(counter)
    inputs = {CHANGED_COUNTERS: {counter.id: _describe_added(counter) for counter in fresh}}
    is_hidden, is_closed = (any(getattr(counter, how) for counter in fresh) for how in ("hidden", "closed"))
    openly = f"Into play: {len(fresh)} × {name_closed(act.match.game)}." if is_closed and not is_hidden else ""
    _tell(act, side, f"Into play: {tally}.", inputs, is_secret=is_hidden or is_closed, openly=openly)


def _describe_added(counter: CounterInPlay) -> dict[str, list[object]]:
    """What a line says about a new counter: what it is, and that it was not in play."""
    before = replace(counter, counter="", name="", hidden=False, fate=CounterFate.RETURNED.value)
    identity = {name: ["", getattr(counter, name)] for name in ("counter", "name")}
    return identity | find_changes(before, counter)


def describe_difference(rules: CounterRules, store: CounterStore, before: CounterInPlay, after: CounterInPlay) -> str:
    """What a change makes of a counter: "Good Order; was Disrupted"."""
    changes = find_changes(before, after)
    return f"{_describe(rules, store, changes, after)}; was {_describe(rules, store, changes, before)}"


def _describe(
    rules: CounterRules, store: CounterStore, changes: Mapping[str, Sequence[Any]], counter: CounterInPlay
) -> str:
    """The state of a counter, as far as that changes: "Disrupted, in K7"."""
    words = []
    if not {"state", "fate"}.isdisjoint(changes):
        words.append(rules.describe(counter))
    elif "levels" in changes:
        levels_before, levels_after = changes["levels"]
        changed = {
            name: number for name, number in counter.levels.items() if levels_before.get(name) != levels_after.get(name)
        }
        words += describe_levels(changed, rules.levels)
    if not {"place", "level", "area"}.isdisjoint(changes) and not counter.fate:
        words.append(describe_place(counter, find_page_words(store)))
    if "hidden" in changes and not counter.fate:
        words.append("hidden" if counter.hidden else f"in sight {describe_place(counter, find_page_words(store))}")
    if "closed" in changes and not counter.fate:
        words.append("closed" if counter.closed else "turned up")
    if "beside" in changes and not counter.fate:
        words.append(_describe_company(store, counter))
    if "note" in changes:
        words.append(f"note “{counter.note}”" if counter.note else "without a note")
    return ", ".join(words)


def describe_place(counter: CounterInPlay, words: PageWords) -> str:
    """Where a counter is, in words: "in K7, level 1", "in sector 11", "off the map"."""
    place = f"in {words.call_place(counter.place)}" if counter.place else ""
    level = f"level {counter.level}" if counter.level.isdigit() else counter.level
    area = f"{'' if place else 'in '}{words.area} {counter.area}" if counter.area else ""
    return ", ".join(filter(None, (place, level, area))) or "off the map"


def _describe_company(store: CounterStore, counter: CounterInPlay) -> str:
    mate = store.find(counter.beside)
    return f"with {mate.name}" if mate else "by itself"


# What rolls make of counters


def changes_of_roll(entry: LogEntry) -> Mapping[str, str]:
    """What a roll makes of counters, by id; nothing, mostly."""
    return entry.result.details.get("changes", {}).get(CHANGED_COUNTERS, {}) if entry.result else {}


def mention_in_roll(inputs: Values, result: LoggedResult) -> str:
    """The counters that a roll is about: those that fire, those fired at, those that change."""
    role_ids = [*ids_named(inputs, "firers"), *ids_named(inputs, "targets")]
    changed = result.details.get("changes", {}).get(CHANGED_COUNTERS, {})
    return write_mentions([*role_ids, *list_ids(inputs), *changed])


def apply_changes(act: MatchAct, entry: LogEntry, changes: Mapping[str, str], owner: str) -> None:
    """Make the changes of counters that a roll's result declares, each with a line about the roll.

    ``owner``: the side whose secret the roll is. Counters that this browser does not know of, or that are gone already,
    are passed over: a form that names them was not drawn by the app. Raises BadInput for an impossible change.
    """
    if not changes:
        return
    rules, store = rules_of(act.match), store_of(act.match)
    reachable, pairs = list_reachable(act.match, act.table.sees), []
    for counter_id, word in changes.items():
        before = store.find_behind(counter_id)
        is_reached = counter_id in reachable or (before and owner == before.side)
        is_frozen = before is not None and act.retelling is not None and before.id in act.retelling.frozen
        if before is None or before.fate or is_frozen or not is_reached:
            continue
        after = _make_change(rules, store, before, word, is_known=before.id in reachable)
        # What happens to a hidden counter for all to see shows it.
        after = after if owner else replace(after, hidden=False)
        if after != before and (flaws := store.find_flaws(clear_if_gone(after))):
            raise BadInput({"id": " ".join(flaws)})
        pairs.append((before, after))
    tell_changes(act, pairs, about=entry.number)


def _make_change(
    rules: CounterRules, store: CounterStore, counter: CounterInPlay, word: str, is_known: bool
) -> CounterInPlay:
    """What a roll makes of a counter. Raises BadInput, which says nothing of one that is closed to whoever rolls."""
    try:
        return befall(rules, counter, piece_of(store, counter).kind, word)
    except BadInput:
        if is_known:
            raise
        raise BadInput({"id": "That cannot happen to a closed counter."}) from None


def change_or_propose(act: MatchAct, entry: LogEntry, waits: bool, owner: str) -> None:
    """Make the changes of counters that a roll declares, or let them wait for the players: because they want to be
    asked first, or because another roll comes first (``waits``)."""
    changes, state = changes_of_roll(entry), act.match.state
    if not changes or not (waits or is_asked_first(act.match)):
        apply_changes(act, entry, changes, owner)
        return
    fresh = tuple(ProposedChange(entry.number, counter_id, word, owner) for counter_id, word in changes.items())
    if len(state.proposed) + len(fresh) > bounds.MOST_PROPOSED:
        raise BadInput({"id": "Too many changes of counters wait already: write them down or leave them first."})
    act.match.state = replace(state, proposed=(*state.proposed, *fresh))


def is_asked_first(match: Match) -> bool:
    """Whether players want to be asked before a roll changes counters."""
    return match.state.options.get(APPLYING.slug) == ASKED_FIRST


def apply_proposed(act: MatchAct, entries: Iterable[LogEntry]) -> None:
    """Make all waiting changes of these rolls."""
    lines = {entry.number: entry for entry in entries}
    chosen = [change for change in act.match.state.proposed if change.number in lines]
    waiting = tuple(change for change in act.match.state.proposed if change not in chosen)
    act.match.state = replace(act.match.state, proposed=waiting)
    for change in chosen:
        apply_changes(act, lines[change.number], {change.id: change.becomes}, change.known_to)


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change that waits: the key by which it is named, the counter and what happens to it, the line of its roll.

    ``comes_by_itself``: once all have rolled, so that nobody has to write it down.
    """

    key: str
    name: str
    words: str
    number: int
    comes_by_itself: bool = False


def list_proposed(table: Table) -> list[ShownChange]:
    """The changes that wait, as one browser may know of them."""
    proposed = table.match.state.proposed_for(table.sees)
    if not proposed:
        return []
    known_counters, rules = list_reachable(table.match, table.sees), rules_of(table.match)
    comes = {} if is_asked_first(table.match) else find_waiting(table.match)
    return [
        ShownChange(
            change.key,
            known_counters[change.id].name,
            call_word(rules, change.becomes),
            change.number,
            comes.get(change.number, False),
        )
        for change in proposed
        if change.id in known_counters
    ]


def find_waiting(match: Match) -> dict[int, bool]:
    """The rolls, by number, whose changes of counters wait since simultaneous rolls count together; whether one of
    those, or of what followed from them, is still due."""
    rolls = match.log.filter(kind=LogEntry.Kind.ROLL)
    rolls_by_number = {number: (helper, due) for number, helper, due in rolls.values_list("number", "helper", "due")}
    of_game = helpers(match.game)

    def find_asking(helper: str, due: str) -> int:
        """The line that asked for the simultaneous roll that something belongs to; 0 where it belongs to none."""
        while due and not of_game[helper].simultaneous:
            helper, due = rolls_by_number.get(episodes.parent_of(due), (helper, ""))
        return episodes.parent_of(due)

    still_due = {find_asking(step.helper, step.id) for step in match.state.queue}
    waiting = {proposal.number for proposal in match.state.proposed} & rolls_by_number.keys()
    asking = {number: find_asking(*rolls_by_number[number]) for number in waiting}
    return {number: line in still_due for number, line in asking.items() if line}


def find_doer(entry: LogEntry) -> Act | None:
    """The act that made a line's change; for one that is told again, the act that told it first."""
    number = entry.inputs.get(AGAIN)
    line = (
        LogEntry.objects.filter(match=entry.match_id, number=number).select_related("act").first() if number else entry
    )
    return line.act if line else None


def gather_changes(match: Match, entries: Iterable[LogEntry]) -> list[ChangedCounter]:
    """The counters that these lines of one act change, each as it was before and as it is after it.

    What a line undoes or tells again does not happen a second time.
    """
    old_fields: dict[str, Json] = {}
    for entry in (entry for entry in entries if not entry.voids and AGAIN not in entry.inputs):
        for counter_id, fields in changed_by(entry).items():
            old = old_fields.setdefault(counter_id, {})
            old.update({name: before for name, (before, _) in _find_restorable(fields) if name not in old})
    store = store_of(match) if old_fields else None
    changed = ((store.find(counter_id), fields) for counter_id, fields in old_fields.items()) if store else ()
    return [
        ChangedCounter(set_fields(counter, fields), piece_of(store, counter))
        for counter, fields in changed
        if store and counter
    ]


def find_later_changes(match: Match, entry: LogEntry) -> list[str]:
    """The counters of a line that have changed since in what the line is about, by name; a lost one by its id.

    A counter that stands as the line left it may have changed and changed back: that counts, too.
    """
    store, names = store_of(match), []
    fields_touched = _find_touched_since(match, entry)
    for counter_id, fields in changed_by(entry).items():
        counter = store.find(counter_id)
        if counter is None or any(
            (counter_id, name) in fields_touched or write_field(getattr(counter, name)) != value
            for name, (_, value) in _find_restorable(fields)
        ):
            names.append(counter.name if counter else counter_id)
    return names


def _find_touched_since(match: Match, entry: LogEntry) -> set[tuple[str, str]]:
    """The fields of counters, by id and name, that later lines have changed; what was undone since does not count."""
    later_lines = match.log.filter(kind=LogEntry.Kind.COUNTER, number__gt=entry.number)
    undoing = {line.voided_by for line in later_lines if line.voided_by}
    standing = [line for line in later_lines if not line.voided_by and line.number not in undoing]
    return {
        (counter_id, name) for line in standing for counter_id, fields in changed_by(line).items() for name in fields
    }


def _find_restorable(fields: Mapping[str, Sequence[object]]) -> list[tuple[str, Sequence[object]]]:
    """What can be put back of a line's fields: not what a counter is."""
    return [(name, values) for name, values in fields.items() if name not in _IDENTITY]


_IDENTITY = ("counter", "name")


def put_counters_back(act: MatchAct, entry: LogEntry) -> dict[str, dict[str, Sequence[object]]]:
    """Put a line's counters back to what they were before it; returns what that changes, by id."""
    store = store_of(act.match)
    changes: dict[str, dict[str, Sequence[Any]]] = {}
    for counter_id, fields in changed_by(entry).items():
        counter = store.find(counter_id)
        if counter is None:
            continue
        restored = set_fields(counter, {name: old for name, (old, _) in _find_restorable(fields)})
        # What the counter is stays on record, even where the line that said so goes.
        changes[counter_id] = {
            **{name: fields[name] for name in _IDENTITY if name in fields},
            **find_changes(counter, restored),
        }
        store.put(restored)
    return changes


def find_hidden_since(match: Match, entry: LogEntry) -> list[CounterInPlay]:
    """The counters of an open line that are hidden by now: what would be told about them is their side's secret."""
    if entry.secret and entry.revealed_by is None:
        return []
    store = store_of(match)
    counters = (counter for counter_id in changed_by(entry) if (counter := store.find(counter_id)))
    return [counter for counter in counters if counter.hidden or counter.closed]


def tell_undone(act: MatchAct, entry: LogEntry) -> LogEntry:
    """Put a line's counters back, with a line that strikes it. The caller has seen that nothing was built on it."""
    changes = put_counters_back(act, entry)
    store, rules = store_of(act.match), rules_of(act.match)
    counters = [counter for counter_id in changes if (counter := store.find(counter_id))]
    words = "; ".join(
        f"{counter.name}: {_describe(rules, store, changes[counter.id], counter)} again" for counter in counters
    )
    marks: Json = {"about": entry.number, "voids": [entry.number]}
    is_secret = bool(entry.secret) and entry.revealed_by is None
    openly = ""
    if counters and all(counter.closed and not counter.hidden for counter in counters):
        places = (_tell_place_again(act, store, counter, changes[counter.id]) for counter in counters)
        openly = f"{'; '.join(dict.fromkeys(places))}. № {entry.number} is undone."
    sentence = f"{words}. № {entry.number} is undone."
    return _tell(act, entry.side, sentence, {CHANGED_COUNTERS: changes}, is_secret, openly, **marks)


def _tell_place_again(act: MatchAct, store: CounterStore, counter: CounterInPlay, changes: Collection[str]) -> str:
    """What others hear of a closed counter that is put back."""
    side = act.table.game.name_of(counter.side)
    if {"place", "level", "area"}.isdisjoint(changes):
        return CLOSED_ONE.format(side=side).removesuffix(".")
    return f"{side}, {name_closed(act.match.game)}: {describe_place(counter, find_page_words(store))} again"
