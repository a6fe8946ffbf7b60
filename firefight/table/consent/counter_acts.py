"""What players do with counters by hand: set them, put them right, undo what a line did, add more of them.

Whoever changes counters of another side asks that side, unless both sit at one device or nobody plays it.
"""

import hmac
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.columns import Matter, Proposal, ProposedChange
from firefight.engine.board.counters import CounterInPlay, find_changes, set_level
from firefight.engine.board.pasting import Wanted, read_list
from firefight.engine.errors import BadInput
from firefight.engine.record import BadValue
from firefight.engine.text import join_words
from firefight.engine.values import Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import UNKNOWN_PIECE, CounterRules, befall, call_word
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.lines import changed_by
from firefight.table.act.performing import match_act
from firefight.table.act.ports import CounterStore, ledger_of, the_ledger
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import changing, counters, due, record, stores
from firefight.table.board.record_rules import situation_of
from firefight.table.board.values import check_values, find_changed, keep_values

from . import matters

Kind = LogEntry.Kind


BY_HAND = "By hand, "
NO_SUCH_CHANGE = "There is no such change of a counter that still stands."
LINE_ROOM = 80  # added counters that one line may name


class UnfitCounters(BadField):
    """Counters cannot be like that, or cannot come. What speaks against several of them is said once."""

    def __init__(self, *reasons: str):
        super().__init__(*dict.fromkeys(reasons))


@dataclass(frozen=True, slots=True)
class HandSet:
    """What is set on counters by hand; None leaves a field as it is. ``becomes``: what happens to each, by the rules.

    ``drawn``: the state that the sheet showed, so that what has happened to a counter since stays; without it ``state``
    is set as it is. ``levels``: some of its numbers, by name. ``place`` may name a level, too. ``fate``: "" brings a
    counter back into play.
    """

    becomes: str = ""
    state: tuple[str, ...] | None = None
    drawn: tuple[str, ...] | None = None
    levels: Mapping[str, int] | None = None
    place: str | None = None
    level: str | None = None
    area: str | None = None
    hidden: bool | None = None
    fate: str | None = None
    beside: str | None = None
    note: str | None = None


@match_act()
def set_counters(act: MatchAct, ids: Sequence[str], values: HandSet) -> None:
    """Set counters by hand, several at once; this also puts right earlier mistakes. Raises Refused, BadField.

    Counters of another side are set once it agrees.
    """
    chosen = _choose(act, ids)
    new_by_id, flaws = _work_out(act, chosen, values)
    if flaws:
        raise UnfitCounters(*flaws)
    changed = {counter.id: changes for counter in chosen if (changes := find_changes(counter, new_by_id[counter.id]))}
    if not changed:
        raise Refused(_say_unchanged(values, act.table.game.words.places))
    sides_asked = matters.sides_to_ask(act.table, [counter.side for counter in chosen])
    if sides_asked:
        _check_mixture(chosen)
        new_values = {
            counter_id: {name: value for name, (_, value) in fields.items()} for counter_id, fields in changed.items()
        }
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, counters=new_values))
        return
    store, remarks = counters.store_of(act.match), _question_moves(act, chosen, changed)
    pairs_by_head: dict[str, list[changing.CounterPair]] = {}
    for counter in chosen:
        # Whoever sets them may not know all of them: what was not changed stays as it really is.
        if fields := changed.get(counter.id):
            actual = store.find_behind(counter.id) or counter
            after = stores.set_fields(actual, {name: value for name, (_, value) in fields.items()})
            pairs_by_head.setdefault(_head(act, counter), []).append((actual, after))
    for head, pairs in pairs_by_head.items():
        changing.tell_changes(act, pairs, head)
    if remarks:
        act.tell(Kind.RECORD, " ".join(remarks))


def _question_moves(
    act: MatchAct, chosen: Iterable[CounterInPlay], changed: Mapping[str, Mapping[str, Sequence[object]]]
) -> list[str]:
    """What speaks against going from place to place by hand, in sentences: it may put something right, so it is done.

    Nothing is said of hidden counters, nor of those that another state is given.
    """
    rules, store = counters.rules_of(act.match), counters.store_of(act.match)
    fields = {counter.id: changed.get(counter.id, {}) for counter in chosen}
    moved = [c for c in chosen if c.place and fields[c.id].get("place", ("", ""))[1] and "state" not in fields[c.id]]
    kinds = {counter.id: stores.piece_of(store, counter).kind for counter in moved if counter.counter}
    doubts = {c.name: rules.question_move(c, kinds[c.id]) for c in moved if c.id in kinds and not c.hidden}
    return [f"{name} is {why}" for name, why in doubts.items() if why]


def _say_unchanged(values: HandSet, places: str) -> str:
    """Why nothing was changed: whoever only wanted to move counters is told their place, or how one is typed."""
    if values.place is None or values != HandSet(place=values.place):
        return "They are like that already. Nothing was changed."
    if not values.place.strip():
        such_as = f", such as {places}" if places else ""
        return f"They are off the map already: name a place{such_as}. Nothing was changed."
    return f"They are in {values.place} already. Nothing was changed."


@match_act()
def set_pips(act: MatchAct, ids: Sequence[str], number: int) -> None:
    """Set by hand what counters carry for what they have done. Raises Refused, BadField.

    Each side does so for its own, where all see them: nobody else may know what a hidden counter has done.
    """
    rules, chosen = act.table.game.keeping, _choose(act, ids)
    if not rules.pips or not 0 <= number <= len(rules.pip_words):
        raise BadField("There is no such marker in this game.")
    if other_sides := {
        act.table.game.name_of(counter.side) for counter in chosen if not act.table.may_decide(counter.side)
    }:
        raise Refused(f"Those are the {other_sides.pop()}'s counters to mark. Nothing was changed.")
    if hidden := [counter.name for counter in chosen if counter.hidden]:
        raise Refused(f"{hidden[0]} is hidden: bring it in sight first. Nothing was changed.")
    pips = record.values_of(act.match)[rules.pips]
    changed = [counter for counter in chosen if pips.count(counter.id) != number]
    if not changed:
        raise Refused("They are like that already. Nothing was changed.")
    changed_ids = {counter.id for counter in changed}
    other_pips = [counter_id for counter_id in pips if counter_id not in changed_ids]
    new_pips = [*other_pips, *(counter.id for counter in changed for _ in range(number))]
    record.change(act.match, {rules.pips: new_pips})
    marker = rules.pip_words[number - 1] if number else f"No {rules.pip_words[0].split()[0]} marker"
    names = join_words(counter.name for counter in changed)
    act.tell(Kind.RECORD, f"{marker}: {names}.", inputs={CHANGES: {rules.pips: new_pips}})


def _head(act: MatchAct, counter: CounterInPlay) -> str:
    """How a line about a change by hand begins: it says so where a side other than the counter's own made it."""
    return BY_HAND if counter.side == act.side else f"{BY_HAND}by the {act.table.name}, "


def _choose(act: MatchAct, ids: Sequence[str]) -> list[CounterInPlay]:
    """The counters with these ids, as far as this browser knows of them. Raises BadField."""
    if not ids:
        raise BadField("Choose the counters.")
    if len(ids) > bounds.MOST_COUNTERS_AT_ONCE:
        raise BadField(f"At most {bounds.MOST_COUNTERS_AT_ONCE} counters at once.")
    reachable = counters.list_reachable(act.match, act.table.sees)
    unique_ids = dict.fromkeys(ids)
    if missing := [counter_id[:24] for counter_id in unique_ids if counter_id not in reachable]:
        raise BadField(f"There is no such counter in play, as far as you know: {', '.join(missing[:12])}.")
    return [reachable[counter_id] for counter_id in unique_ids]


def _work_out(
    act: MatchAct, chosen: Iterable[CounterInPlay], values: HandSet
) -> tuple[dict[str, CounterInPlay], list[str]]:
    """What the counters would be, and everything that speaks against it."""
    store, flaws = counters.store_of(act.match), []
    new_by_id: dict[str, CounterInPlay] = {}
    # Whoever sets their state, too, knows how they are.
    is_only_moved = (values.place or values.area) and values.state in (None, values.drawn)
    situation = situation_of(act.match, ()) if is_only_moved else None
    for counter in chosen:
        try:
            after = stores.clear_if_gone(_set_one(act, store, counter, values))
            if situation and (after.place, after.area) != (counter.place, counter.area):
                after = counters.rules_of(act.match).arrive(after, stores.piece_of(store, counter).kind, situation)
        except BadInput as error:
            flaws += list(error.problems.values())
            after = counter
        flaws += store.find_flaws(after) if after != counter else []
        new_by_id[counter.id] = after
    return new_by_id, flaws


def _set_one(act: MatchAct, store: CounterStore, counter: CounterInPlay, values: HandSet) -> CounterInPlay:
    """One counter as it is set by hand. Raises BadInput with everything that is wrong."""
    rules, kind, flaws = counters.rules_of(act.match), stores.piece_of(store, counter).kind, []
    after = counter
    if values.fate is not None:
        after = replace(after, fate=values.fate)
    if not counter.counter and not _says_what_all_see(values):
        raise BadInput({"id": f"{counter.name}: {UNKNOWN_PIECE}"})
    if values.state is not None:
        odd = [rules.states.get(word, word) for word in values.state if word not in rules.may_carry(kind)]
        flaws += [f"{counter.name} cannot be {', '.join(odd)[:80]}."] if odd else []
        flaws += [f"{counter.name}: {why}." for why in _find_exclusive(rules, values.state)]
        after = replace(after, state=_change_state(counter.state, values.state, values.drawn))
    for name, number in (values.levels or {}).items():
        try:
            after = set_level(after, rules.bound_levels(kind), rules.levels, name, number)
        except BadInput as error:
            flaws += list(error.problems.values())
    if values.place is not None:
        try:
            pool = act.table.game.words.read_pool(values.place)
            place, level = (pool, "") if pool else rules.read_place(of_match(act.match), values.place)
            after = replace(after, place=place, level=level, area=_find_area(act, store, counter, place))
        except BadInput as error:
            flaws += list(error.problems.values())
    if values.hidden and not rules.hideable:
        flaws.append(f"{counter.name}: nothing is hidden in this game.")
    if values.note and counter.side != act.side:
        flaws.append(f"{counter.name}: a note is for its own side. Write into the log what all may read.")
    for name in ("level", "area", "hidden", "note"):
        value = getattr(values, name)
        after = after if value is None else replace(after, **{name: value})
    if values.beside is not None:
        flaws += _against_company(act, counter, values.beside)
        after = replace(after, beside=values.beside)
    if values.becomes and not flaws:
        after = befall(rules, after, kind, values.becomes) if values.becomes in rules.words else after
        flaws += [] if values.becomes in rules.words else [f"Nothing is called “{values.becomes[:20]}” here."]
    if flaws:
        raise BadInput({str(number): flaw for number, flaw in enumerate(flaws)})
    return after


def _find_area(act: MatchAct, store: CounterStore, counter: CounterInPlay, place: str) -> str:
    """The area of a counter that goes to a place: that of the counters there, as far as this browser knows of them.

    Where nobody stands there, or they do not agree, nobody knows: it stays in the area where it was.
    """
    if not store.areas or not place or place == counter.place:
        return counter.area
    in_place = (other for other in store.known(act.table.sees) if other.place == place and other.in_play)
    areas = {other.area for other in in_place if other.area}
    return areas.pop() if len(areas) == 1 else counter.area


def _says_what_all_see(values: HandSet) -> bool:
    """Whether no more is set than where a counter is, whether it is gone, and that it is turned up."""
    visible = HandSet(values.becomes, place=values.place, level=values.level, area=values.area, fate=values.fate)
    return values == visible


def _find_exclusive(rules: CounterRules, state: Sequence[str]) -> Iterator[str]:
    """The words of which a state may hold only one, where it is set to more."""
    for words in rules.exclusive:
        exclusive = [rules.states[word] for word in state if word in words]
        if len(exclusive) > 1:
            yield f"only one of {', '.join(exclusive)}"


def _change_state(current: tuple[str, ...], chosen: tuple[str, ...], drawn: tuple[str, ...] | None) -> tuple[str, ...]:
    """The chosen state, except for what has come or gone since the sheet was drawn, of which it does not know."""
    drawn = current if drawn is None else drawn
    words_set = [word for word in chosen if word in current or word not in drawn]
    return tuple(dict.fromkeys([*words_set, *(word for word in current if word not in drawn)]))


def _against_company(act: MatchAct, counter: CounterInPlay, beside: str) -> list[str]:
    """Why a counter cannot ride on another one or be led by it."""
    mate = counters.list_reachable(act.match, act.table.sees).get(beside) if beside else None
    if beside and (mate is None or mate.side != counter.side or mate.fate):
        return [f"{counter.name}: rides on a counter of its own side that is in play, or is led by one."]
    if mate and (mate.id == counter.id or mate.beside == counter.id):
        return [f"{counter.name} and {mate.name} cannot each ride on the other."]
    return []


def _check_mixture(chosen: Iterable[CounterInPlay]) -> None:
    """What the other side is asked about must not give away what is hidden from it."""
    if any(counter.hidden for counter in chosen):
        raise Refused("Set your hidden counters by themselves: the other side is asked about its own.")


@match_act(any_version=True)
def undo_change(act: MatchAct, number: int) -> None:
    """Undo what one line did to counters, while they still stand as it left them. Raises Refused.

    A side undoes alone what it did itself, or what concerns its own counters; else the other side is asked.
    """
    entry = act.match.log.filter(number=number, kind=Kind.COUNTER, voided_by=None).first()
    if (
        entry is None
        or not changed_by(entry)
        or (entry.secret and entry.revealed_by is None and entry.side not in act.table.sees)
    ):
        raise Refused(NO_SUCH_CHANGE)
    if hidden := changing.find_hidden_since(act.match, entry):
        if any(counter.side not in act.table.sees for counter in hidden):
            raise Refused(NO_SUCH_CHANGE)
        raise Refused(
            f"{hidden[0].name} is hidden by now: undoing what all have read would give it away. Set it by hand."
        )
    if changed := changing.find_later_changes(act.match, entry):
        raise Refused(f"{' and '.join(changed)}: changed again since № {number}. Undo that first, or put it right.")
    if rolls := due.find_answers(act.match, entry):
        numbers = join_words(f"№ {roll.number}" for roll in rolls)
        verb = "was" if len(rolls) == 1 else "were"
        raise Refused(f"{numbers} {verb} rolled because of it: take that back first, or put both right by hand.")
    doer = changing.find_doer(entry)
    is_doer = doer is not None and doer.side == act.side
    sides_asked = [] if is_doer else matters.sides_to_ask(act.table, [entry.side])
    if sides_asked:
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, undoes=number))
        return
    matters.undo_line(act, entry)


@match_act()
def keep_value(act: MatchAct, field: str, number: int) -> None:
    """Keep a value of a kind of counter that its owner enters, see table/board/values.py. Raises Refused, BadField.

    What nobody knew counts at once, since play waits for it. A value other than the known one is proposed.
    """
    kinds = counters.store_of(act.match).kinds
    try:
        check_values(act.match, {field: number}, kinds)
        sides_asked = matters.sides_to_ask(act.table, act.table.sides)
        if sides_asked and find_changed(act.match, {field: number}, kinds):
            matters.propose(act, Proposal(Matter.VALUE, act.side, wanted={"values": {field: number}}))
        else:
            keep_values(act, {field: number}, kinds)
    except BadInput as error:
        raise BadField(str(error)) from None


# More counters


@match_act()
def add_counters(act: MatchAct, additions: Sequence[Wanted], hidden: bool = False, closed: bool = False) -> None:
    """Counters come into a single firefight: from the gallery, from a list, from a card. Raises Refused, BadField.

    Either side may bring in both sides' counters; what it hides or closes are its own.
    """
    if ledger_of(act.match).leads:
        raise Refused("The campaign says which counters are in play.")
    if not additions:
        raise BadField("Name the counters.")
    _check_secrecy(act, additions, hidden, closed)
    store, flaws = counters.store_of(act.match), []
    fresh: list[CounterInPlay] = []
    rows = [(addition, row) for addition in additions if (row := _find_row(act, store, addition))]
    as_rows = [addition for addition, _ in rows]
    if (hidden or closed) and rows:
        raise BadField("What has a card of its own comes openly.")
    for addition in sorted(additions, key=lambda addition: addition.tag is None):
        if addition not in as_rows:
            new_counters, more_flaws = _make(store, fresh, addition, hidden, closed)
            fresh += new_counters
            flaws += more_flaws
    # Those that this side knows: so how many more may come tells nobody how many are hidden.
    in_play = sum(counter.in_play for counter in store.known(act.table.sees))
    if len(fresh) > bounds.MOST_COUNTERS_AT_ONCE or in_play + len(fresh) > bounds.MOST_COUNTERS:
        flaws.append(
            f"That is too many: at most {bounds.MOST_COUNTERS_AT_ONCE} at once, and {bounds.MOST_COUNTERS} in play."
        )
    if flaws:
        raise UnfitCounters(*flaws)
    for addition, (field, values) in rows:
        _add_row(act, addition.side, field, values)
    for side in dict.fromkeys(counter.side for counter in fresh):
        of_side = [counter for counter in fresh if counter.side == side]
        _tell_added(act, side, sorted(of_side, key=lambda counter: counter.number))


def _check_secrecy(act: MatchAct, additions: Iterable[Wanted], hidden: bool, closed: bool) -> None:
    """Raise BadField for counters that cannot come hidden, or closed."""
    if not hidden and not closed:
        return
    rules, are_own = counters.rules_of(act.match), all(addition.side == act.side for addition in additions)
    if hidden and not rules.hideable:
        raise BadField("Nothing is hidden in this game.")
    if hidden and not are_own:
        raise BadField("You can hide only your own counters.")
    if closed and not rules.closed_kind:
        raise BadField("No counter of this game is closed.")
    if closed and not are_own:
        raise BadField("You can close only your own counters.")


def _find_row(act: MatchAct, store: CounterStore, addition: Wanted) -> tuple[str, Values] | None:
    """The row of the record that is kept instead of counters that somebody adds; None where they are counters."""
    kind = store.kinds(addition.side).get(addition.key)
    return act.table.game.keeping.find_row(kind, addition.number) if kind else None


def _add_row(act: MatchAct, side: str, field: str, values: Values) -> None:
    """Give the record the row that comes in place of counters. Raises BadField."""
    row_ids = list(record.values_of(act.match)[field])
    try:
        row_id, row = act.table.game.keeping.make_row(field, side, values, row_ids)
        change = record.declare_all(act.match).change({field: {"add": {row_id: row}}}, openly=True)
        record.change(act.match, change.values)
    except (BadValue, BadInput) as error:
        raise BadField(str(error)) from None
    act.tell(Kind.RECORD, " ".join(change.sentences), inputs={CHANGES: change.values})


def _make(
    store: CounterStore, fresh: Sequence[CounterInPlay], addition: Wanted, hidden: bool, closed: bool
) -> tuple[list[CounterInPlay], list[str]]:
    """New counters as one part of a list asks for them, and what is wrong with that."""
    kind = store.kinds(addition.side).get(addition.key)
    if kind is None or not 1 <= addition.number <= bounds.MOST_COUNTERS_AT_ONCE:
        return [], [f"There is no such counter: {addition.key[:40]}."]
    numbers_used = {counter.number for counter in (*store.all(), *fresh) if counter.side == addition.side}
    try:
        numbers = (
            _draw_numbers(store.match, addition, numbers_used)
            if hidden or closed
            else _count_on(addition, kind.name, numbers_used)
        )
    except BadField as error:
        return [], [str(error)]
    bounded = counters.rules_of(store.match).bound_levels(kind)
    new_counters = (counters.new_counter(addition.side, kind, number, bounded) for number in numbers)
    return [replace(counter, hidden=hidden, closed=closed) for counter in new_counters], []


def _count_on(addition: Wanted, name: str, numbers_used: Collection[int]) -> list[int]:
    """The numbers of counters that come openly: the one that was asked for, or the next ones. Raises BadField.

    They go by the numbers of those that came openly before, which all know: those that came hidden have others.
    """
    if addition.tag is not None:
        if not 1 <= addition.tag <= bounds.MOST_OPEN:
            raise BadField(f"{name} #{addition.tag}: give a number from 1 to {bounds.MOST_OPEN}.")
        if addition.tag in numbers_used:
            raise BadField(f"{name} #{addition.tag}: another counter has that number.")
        return [addition.tag]
    first_number = max((number for number in numbers_used if number <= bounds.MOST_OPEN), default=0) + 1
    if first_number + addition.number - 1 > bounds.MOST_OPEN:
        raise BadField(
            f"{name}: give it a number yourself, such as “{name} #2”: the app counts on to {bounds.MOST_OPEN}."
        )
    return list(range(first_number, first_number + addition.number))


def _draw_numbers(match: Match, addition: Wanted, numbers_used: Collection[int]) -> list[int]:
    """The numbers of counters that come hidden, which tell nobody how many of them there are. Raises BadField."""
    if addition.tag is not None:
        raise BadField(f"Leave “#{addition.tag}” out: a counter that comes hidden gets its number from the app.")
    if len(numbers_used) + addition.number > bounds.MOST_NUMBERED:
        raise BadField(
            f"A side has at most {bounds.MOST_NUMBERED:,} counters in a match, those that are gone included."
        )
    seed, tries = bytes.fromhex(match.seed), len(numbers_used)
    drawn: dict[int, None] = {}
    while len(drawn) < addition.number:
        # By the match's own secret rather than by chance: so a test that fails fails again.
        digest = int.from_bytes(hmac.digest(seed, f"{addition.side} {tries}".encode(), "sha256"))
        number, tries = bounds.HIDDEN_NUMBERS[digest % len(bounds.HIDDEN_NUMBERS)], tries + 1
        drawn |= {} if number in numbers_used else {number: None}
    return list(drawn)


def _tell_added(act: MatchAct, side: str, fresh: Sequence[CounterInPlay]) -> None:
    """Log a side's new counters, and put them on the table."""
    for start in range(0, len(fresh), LINE_ROOM):
        changing.tell_added(act, side, fresh[start : start + LINE_ROOM], describe_tally(act, fresh[start:][:LINE_ROOM]))


def describe_tally(act: MatchAct, new_counters: Iterable[CounterInPlay]) -> str:
    """Counters in words: "3 × Rifle squad, 1 × Commissar"."""
    store = counters.store_of(act.match)
    tally = Tally(store.kinds(counter.side)[counter.counter].name for counter in new_counters)
    return ", ".join(f"{number} × {name}" for name, number in tally.items())


def read_pasted(match: Match, text: str, side: str) -> list[Wanted]:
    """The counters that a text asks for. Raises BadField with everything that is wrong with it."""
    if len(text) > bounds.LONGEST_LIST:
        raise BadField(f"A list has at most {bounds.LONGEST_LIST:,} characters.")
    game = registry.games()[match.game]
    if not game.has_counters:
        raise BadField("This game keeps no counters here.")
    kinds = counters.store_of(match).kinds
    names = {side: {key: kind.name for key, kind in kinds(side).items()} for side in game.sides}
    additions, problems = read_list(text, names, game.sides, side)
    if problems:
        raise UnfitCounters(*problems)
    return additions


def cards_of(game: Game) -> dict[str, str]:
    """The campaign cards whose counters at start a single firefight of this game may take, with their titles."""
    return the_ledger().list_cards(game.slug) if game.has_counters else {}


def find_at_start(game: Game, card: str) -> list[Wanted]:
    """The counters of both sides that a campaign's card has at start. Raises BadField."""
    if card not in cards_of(game):
        raise BadField("There is no such card.")
    at_start = the_ledger().at_start(card)
    return [Wanted(side, key, number) for side, tally in at_start.items() for key, number in tally.items()]


# What rolls make of them


@match_act()
def settle_proposed(act: MatchAct, keys: Sequence[str], applies: bool) -> None:
    """Write down changes that wait, or leave them: those with these keys, or "all". Raises Refused, Stale."""
    waiting = act.match.state.proposed_for(act.table.sees)
    chosen = [change for change in waiting if change.key in keys or "all" in keys]
    if not chosen:
        raise Refused("No such change waits any more: it was written down, left or taken back. Nothing was changed.")
    still_waiting = tuple(change for change in act.match.state.proposed if change not in chosen)
    act.match.state = replace(act.match.state, proposed=still_waiting)
    if applies:
        _make_changes(act, chosen)
    if not act.entries:
        act.tell(Kind.DROP, f"Not written down: {_say_left(act, chosen)}.")


def _say_left(act: MatchAct, chosen: Sequence[ProposedChange]) -> str:
    """The changes that nobody makes, in words: nothing of those that one side alone knows of."""
    if any(change.known_to for change in chosen):
        return "a change of a hidden counter"
    rules, store = counters.rules_of(act.match), counters.store_of(act.match)
    pairs = ((store.find(change.id), call_word(rules, change.becomes)) for change in chosen)
    return "; ".join(f"{counter.name} {word}" for counter, word in pairs if counter)


def _make_changes(act: MatchAct, chosen: Sequence[ProposedChange]) -> None:
    """Make changes, those of each roll in their order. Raises Refused for what can no longer happen to a counter."""
    entries = act.match.log.filter(number__in=[change.number for change in chosen])
    lines = {entry.number: entry for entry in entries}
    try:
        for change in chosen:
            if change.number in lines:
                changing.apply_changes(act, lines[change.number], {change.id: change.becomes}, change.known_to)
    except BadInput as error:
        raise Refused(f"{error} Leave that change, or put the counter right by hand. Nothing was changed.") from None


@match_act(any_version=True)
def choose_option(act: MatchAct, option: str, choice: str) -> None:
    """Change what players may choose while they play. Raises Refused, Stale, BadField."""
    game_option = next(
        (game_option for game_option in act.table.game.changing_options if game_option.slug == option), None
    )
    if game_option is None or choice not in game_option.choices:
        raise BadField("There is no such choice in this match.")
    options = act.match.state.options
    if options.get(option, game_option.usual) == choice:
        raise Refused(f"{game_option.title}: that is {game_option.choices[choice]} already. Nothing was changed.")
    other_options = {name: value for name, value in options.items() if name != option}
    act.match.state = replace(
        act.match.state, options=other_options if choice == game_option.usual else {**other_options, option: choice}
    )
    act.tell(
        Kind.RECORD,
        f"From now on, {game_option.title[0].lower()}{game_option.title[1:]}: {game_option.choices[choice]}.",
    )
