"""What a hand does with counters: set them, put them right, undo what a line says, add more of them.

Whoever changes counters of another side asks that side, unless both sit at one device or nobody plays it.
"""

import hmac
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.columns import Matter, Proposal, ProposedChange
from firefight.engine.board.counters import CounterInPlay, find_changes, hides_from, set_level
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
LINE_ROOM = 80  # counters that one line says to be added


class UnfitCounters(BadField):
    """Counters cannot be so, or cannot come; ``reasons`` says everything that speaks against it."""

    def __init__(self, reasons: Iterable[str]):
        self.reasons = list(dict.fromkeys(reasons))
        super().__init__(" ".join(self.reasons))


@dataclass(frozen=True, slots=True)
class HandSet:
    """What a hand sets of counters; None leaves a field as it is. ``becomes``: what befalls each of them, by the rules.

    ``drawn``: the state that the sheet showed, so that what has befallen a counter since stays; without it ``state`` is
    set as it is. ``levels``: some of its numbers, by name. ``place`` may name a level, too. ``fate``: "" brings a
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
    """Set counters by hand, several at once; what was told wrongly earlier is put right so. Raises Refused, BadField.

    Counters of another side are set once it agrees.
    """
    chosen = _choose(act, ids)
    wanted, flaws = _work_out(act, chosen, values)
    if flaws:
        raise UnfitCounters(flaws)
    changed = {was.id: changes for was in chosen if (changes := find_changes(was, wanted[was.id]))}
    if not changed:
        raise Refused(_say_unchanged(values))
    others = matters.sides_to_ask(act.table, [was.side for was in chosen])
    if others:
        _check_mixture(chosen)
        told = {each: {name: now for name, (_, now) in fields.items()} for each, fields in changed.items()}
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, counters=told))
        return
    store = counters.store_of(act.match)
    for was in chosen:
        # Who sets them may not know all of them: what was not changed stays as it truly is.
        if fields := changed.get(was.id):
            truly = store.find_behind(was.id) or was
            now = stores.set_fields(truly, {name: now for name, (_, now) in fields.items()})
            changing.tell_change(act, truly, now, _head(act, was))


def _say_unchanged(values: HandSet) -> str:
    """Why nothing was changed: whoever only wanted to move counters is told of their place."""
    if values.place is None or values != HandSet(place=values.place):
        return "They are so already. Nothing was changed."
    if not values.place.strip():
        return "They are off the map already: name a place, such as K7. Nothing was changed."
    return f"They are in {values.place} already. Nothing was changed."


@match_act()
def set_pips(act: MatchAct, ids: Sequence[str], number: int) -> None:
    """Set by hand what counters carry for what they have done. Raises Refused, BadField.

    Each side does so for its own, where all see them: what a hidden counter has done nobody else may know.
    """
    rules, chosen = act.table.game.keeping, _choose(act, ids)
    if rules is None or not 0 <= number <= len(rules.pip_words):
        raise BadField("There is no such marker in this game.")
    if others := {act.table.game.name_of(each.side) for each in chosen if not act.table.may_decide(each.side)}:
        raise Refused(f"Those are the {others.pop()}'s counters to mark. Nothing was changed.")
    if hidden := [each.name for each in chosen if each.hidden]:
        raise Refused(f"{hidden[0]} is hidden: bring it in sight first. Nothing was changed.")
    was = record.values_of(act.match)[rules.pips]
    changed = [each for each in chosen if was.count(each.id) != number]
    if not changed:
        raise Refused("They are so already. Nothing was changed.")
    gone = {each.id for each in changed}
    now = [*(each for each in was if each not in gone), *(each.id for each in changed for _ in range(number))]
    record.change(act.match, {rules.pips: now})
    called = rules.pip_words[number - 1] if number else f"No {rules.pip_words[0].split()[0]} marker"
    names = join_words(each.name for each in changed)
    act.tell(Kind.RECORD, f"{called}: {names}.", inputs={CHANGES: {rules.pips: now}})


def _head(act: MatchAct, counter: CounterInPlay) -> str:
    """How a line begins that a hand has made: it says so where another side than that of the counter did it."""
    return BY_HAND if counter.side == act.side else f"{BY_HAND}by the {act.table.name}, "


def _choose(act: MatchAct, ids: Sequence[str]) -> list[CounterInPlay]:
    """The counters with these ids, as far as this browser knows of them. Raises BadField."""
    if not ids:
        raise BadField("Choose the counters.")
    if len(ids) > bounds.MOST_COUNTERS_AT_ONCE:
        raise BadField(f"At most {bounds.MOST_COUNTERS_AT_ONCE} counters at once.")
    within = counters.list_reachable(act.match, act.table.sees)
    asked = dict.fromkeys(ids)
    if missing := [each[:24] for each in asked if each not in within]:
        raise BadField(f"There is no such counter in play, for all that you know: {', '.join(missing[:12])}.")
    return [within[each] for each in asked]


def _work_out(
    act: MatchAct, chosen: Iterable[CounterInPlay], values: HandSet
) -> tuple[dict[str, CounterInPlay], list[str]]:
    """What the counters would be, and everything that speaks against it."""
    store, flaws = counters.store_of(act.match), []
    wanted: dict[str, CounterInPlay] = {}
    # Whoever sets their state, too, knows how they are.
    is_only_moved = values.place and values.state in (None, values.drawn)
    before = situation_of(act.match, ()) if is_only_moved else None
    for was in chosen:
        try:
            now = stores.clear_if_gone(_set_one(act, store, was, values))
            if before and now.place != was.place:
                now = counters.rules_of(act.match).arrive(now, stores.piece_of(store, was).kind, before)
        except BadInput as error:
            flaws += list(error.problems.values())
            now = was
        flaws += store.find_flaws(now) if now != was else []
        wanted[was.id] = now
    return wanted, flaws


def _set_one(act: MatchAct, store: CounterStore, was: CounterInPlay, values: HandSet) -> CounterInPlay:
    """One counter as a hand sets it. Raises BadInput with everything that is wrong."""
    rules, kind, flaws = counters.rules_of(act.match), stores.piece_of(store, was).kind, []
    now = was
    if values.fate is not None:
        now = replace(now, fate=values.fate)
    if not was.counter and not _says_what_all_see(values):
        raise BadInput({"id": f"{was.name}: {UNKNOWN_PIECE}"})
    if values.state is not None:
        odd = [rules.states.get(word, word) for word in values.state if word not in rules.may_carry(kind)]
        flaws += [f"{was.name} cannot be {', '.join(odd)[:80]}."] if odd else []
        flaws += [f"{was.name}: {why}." for why in _find_exclusive(rules, values.state)]
        now = replace(now, state=_change_state(was.state, values.state, values.drawn))
    for name, number in (values.levels or {}).items():
        try:
            now = set_level(now, rules.bound_levels(kind), rules.levels, name, number)
        except BadInput as error:
            flaws += list(error.problems.values())
    if values.place is not None:
        try:
            pool = act.table.game.words.read_pool(values.place)
            place, level = (pool, "") if pool else rules.read_place(of_match(act.match), values.place)
            now = replace(now, place=place, level=level)
        except BadInput as error:
            flaws += list(error.problems.values())
    if values.hidden and not rules.hideable:
        flaws.append(f"{was.name}: nothing is hidden in this game.")
    if values.note and was.side != act.side:
        flaws.append(f"{was.name}: a note is for its own side. Write into the log what all may read.")
    for name in ("level", "area", "hidden", "note"):
        value = getattr(values, name)
        now = now if value is None else replace(now, **{name: value})
    if values.beside is not None:
        flaws += _against_company(act, store, was, values.beside)
        now = replace(now, beside=values.beside)
    if values.becomes and not flaws:
        now = befall(rules, now, kind, values.becomes) if values.becomes in rules.words else now
        flaws += [] if values.becomes in rules.words else [f"Nothing is called “{values.becomes[:20]}” here."]
    if flaws:
        raise BadInput({str(number): flaw for number, flaw in enumerate(flaws)})
    return now


def _says_what_all_see(values: HandSet) -> bool:
    """Whether a hand sets no more than where a counter is, whether it is gone, and that it is turned up."""
    seen = HandSet(values.becomes, place=values.place, level=values.level, area=values.area, fate=values.fate)
    return values == seen


def _find_exclusive(rules: CounterRules, state: Sequence[str]) -> Iterator[str]:
    """The words of which a state that is wanted may hold one alone, where it holds more."""
    for words in rules.exclusive:
        held = [rules.states[word] for word in state if word in words]
        if len(held) > 1:
            yield f"one of {', '.join(held)}"


def _change_state(was: tuple[str, ...], wanted: tuple[str, ...], drawn: tuple[str, ...] | None) -> tuple[str, ...]:
    """The state that is wanted, but for what has come or gone since the sheet was drawn and it does not know of."""
    drawn = was if drawn is None else drawn
    set_here = [word for word in wanted if word in was or word not in drawn]
    return tuple(dict.fromkeys([*set_here, *(word for word in was if word not in drawn)]))


def _against_company(act: MatchAct, store: CounterStore, counter: CounterInPlay, beside: str) -> list[str]:
    """Why a counter cannot ride on another one or be led by it."""
    other = store.find(beside) if beside else None
    is_known = other is not None and not hides_from(other, act.table.sees)
    if beside and (other is None or not is_known or other.side != counter.side or other.fate):
        return [f"{counter.name}: rides on a counter of its own side that is in play, or is led by one."]
    if other and (other.id == counter.id or other.beside == counter.id):
        return [f"{counter.name} and {other.name} cannot each ride on the other."]
    return []


def _check_mixture(chosen: Iterable[CounterInPlay]) -> None:
    """What the other side is asked about must not tell it of what is hidden from it."""
    if any(counter.hidden for counter in chosen):
        raise Refused("Set your hidden counters by themselves: the other side is asked about its own.")


@match_act(any_version=True)
def undo_change(act: MatchAct, number: int) -> None:
    """Undo what one line says of counters, while they still stand as it left them. Raises Refused.

    A side undoes alone what it did itself, or what concerns its own counters; else the other side is asked.
    """
    entry = act.match.log.filter(number=number, kind=Kind.COUNTER, voided_by=None).first()
    if entry is None or (entry.secret and entry.revealed_by is None and entry.side not in act.table.sees):
        raise Refused(NO_SUCH_CHANGE)
    if hidden := changing.find_hidden_since(act.match, entry):
        if any(each.side not in act.table.sees for each in hidden):
            raise Refused(NO_SUCH_CHANGE)
        raise Refused(
            f"{hidden[0].name} is hidden by now: undoing what all have read would tell of it. Set it by hand."
        )
    if later := changing.find_later_changes(act.match, entry):
        raise Refused(f"{' and '.join(later)}: changed again since № {number}. Undo that first, or put it right.")
    doer = changing.find_doer(entry)
    did_it = doer is not None and doer.side == act.side
    others = [] if did_it else matters.sides_to_ask(act.table, [entry.side])
    if others:
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, undoes=number))
        return
    changing.tell_undone(act, entry)
    due.take_off_moves(act.match, entry)


@match_act()
def keep_value(act: MatchAct, field: str, number: int) -> None:
    """Keep a value of a kind of counter that its owner tells, see table/board/values.py. Raises Refused, BadField.

    What nobody knew is told at once, since play waits for it. Another value than is known is proposed.
    """
    kinds = counters.store_of(act.match).kinds
    try:
        check_values(act.match, {field: number}, kinds)
        others = matters.sides_to_ask(act.table, act.table.sides)
        if others and find_changed(act.match, {field: number}, kinds):
            matters.propose(act, Proposal(Matter.VALUE, act.side, wanted={"values": {field: number}}))
        else:
            keep_values(act, {field: number}, kinds)
    except BadInput as error:
        raise BadField(str(error)) from None


# More counters


@match_act()
def add_counters(act: MatchAct, wanted: Sequence[Wanted], hidden: bool = False, closed: bool = False) -> None:
    """Counters come into a single firefight: from the gallery, from a list, from a card. Raises Refused, BadField.

    Either side may bring in both sides' counters; what it hides or closes are its own.
    """
    if ledger_of(act.match).leads:
        raise Refused("The campaign says which counters are in play.")
    if not wanted:
        raise BadField("Name the counters.")
    if hidden and not counters.rules_of(act.match).hideable:
        raise BadField("Nothing is hidden in this game.")
    if hidden and any(each.side != act.side for each in wanted):
        raise BadField("You can hide your own counters alone.")
    if closed and not counters.rules_of(act.match).closed_kind:
        raise BadField("No counter of this game is closed.")
    if closed and any(each.side != act.side for each in wanted):
        raise BadField("You can close your own counters alone.")
    store, flaws = counters.store_of(act.match), []
    fresh: list[CounterInPlay] = []
    rows = [each for each in wanted if _find_row(act, store, each)]
    if (hidden or closed) and rows:
        raise BadField("What has a card of its own comes openly.")
    for each in sorted((each for each in wanted if each not in rows), key=lambda each: each.tag is None):
        made, flaw = _make(store, fresh, each, hidden, closed)
        fresh += made
        flaws += flaw
    # Of those that somebody knows: how many more may come tells nobody how many are hidden.
    there = sum(counter.in_play for counter in store.known(act.table.sees))
    if len(fresh) > bounds.MOST_COUNTERS_AT_ONCE or there + len(fresh) > bounds.MOST_COUNTERS:
        flaws.append(
            f"That is too much: at most {bounds.MOST_COUNTERS_AT_ONCE} at once, and {bounds.MOST_COUNTERS} in play."
        )
    if flaws:
        raise UnfitCounters(flaws)
    for each in rows:
        _add_row(act, store, each)
    for side in dict.fromkeys(counter.side for counter in fresh):
        _tell_added(act, side, sorted((each for each in fresh if each.side == side), key=lambda each: each.number))


def _find_row(act: MatchAct, store: CounterStore, wanted: Wanted) -> tuple[str, Values] | None:
    """The row of the record that counters are which somebody adds; None where they are counters."""
    rules, kind = act.table.game.keeping, store.kinds(wanted.side).get(wanted.key)
    return rules.find_row(kind, wanted.number) if rules and kind else None


def _add_row(act: MatchAct, store: CounterStore, wanted: Wanted) -> None:
    """Let the record have what comes in the place of counters. Raises BadField."""
    found, rules = _find_row(act, store, wanted), act.table.game.keeping
    if found is None or rules is None:
        return
    field, parts = found
    try:
        row_id, row = rules.make_row(field, wanted.side, parts, list(record.values_of(act.match)[field]))
        change = record.declare_all(act.match).change({field: {"add": {row_id: row}}}, openly=True)
        record.change(act.match, change.values)
    except (BadValue, BadInput) as error:
        raise BadField(str(error)) from None
    act.tell(Kind.RECORD, " ".join(change.sentences), inputs={CHANGES: change.values})


def _make(
    store: CounterStore, fresh: Sequence[CounterInPlay], wanted: Wanted, hidden: bool, closed: bool
) -> tuple[list[CounterInPlay], list[str]]:
    """New counters as one part of a list asks for them, and what is wrong with that."""
    kind = store.kinds(wanted.side).get(wanted.key)
    if kind is None or not 1 <= wanted.number <= bounds.MOST_COUNTERS_AT_ONCE:
        return [], [f"There is no such counter: {wanted.key[:40]}."]
    taken = {each.number for each in (*store.all(), *fresh) if each.side == wanted.side}
    try:
        numbers = _draw_numbers(store.match, wanted, taken) if hidden or closed else _count_on(wanted, kind.name, taken)
    except BadField as error:
        return [], [str(error)]
    bounded = counters.rules_of(store.match).bound_levels(kind)
    made = (counters.new_counter(wanted.side, kind, number, bounded) for number in numbers)
    return [replace(counter, hidden=hidden, closed=closed) for counter in made], []


def _count_on(wanted: Wanted, name: str, taken: Collection[int]) -> list[int]:
    """The numbers of counters that come openly: the one that was asked for, or the next ones. Raises BadField.

    They go by the numbers of those that came openly before, which all know: those that came hidden have others.
    """
    if wanted.tag is not None:
        if not 1 <= wanted.tag <= bounds.MOST_OPEN:
            raise BadField(f"{name} #{wanted.tag}: give a number from 1 to {bounds.MOST_OPEN}.")
        if wanted.tag in taken:
            raise BadField(f"{name} #{wanted.tag}: another counter has that number.")
        return [wanted.tag]
    first = max((number for number in taken if number <= bounds.MOST_OPEN), default=0) + 1
    if first + wanted.number - 1 > bounds.MOST_OPEN:
        raise BadField(
            f"{name}: give it a number yourself, such as “{name} #2”: the app counts on to {bounds.MOST_OPEN}."
        )
    return list(range(first, first + wanted.number))


def _draw_numbers(match: Match, wanted: Wanted, taken: Collection[int]) -> list[int]:
    """The numbers of counters that come hidden, which tell nobody how many of them there are. Raises BadField."""
    if wanted.tag is not None:
        raise BadField(f"Leave “#{wanted.tag}” out: a counter that comes hidden gets its number from the app.")
    if len(taken) + wanted.number > bounds.MOST_NUMBERED:
        raise BadField(
            f"A side has at most {bounds.MOST_NUMBERED:,} counters in a match, those that are gone included."
        )
    seed, tries = bytes.fromhex(match.seed), len(taken)
    drawn: dict[int, None] = {}
    while len(drawn) < wanted.number:
        # By the match's own secret rather than by chance, so that a test that fails fails again.
        found = int.from_bytes(hmac.digest(seed, f"{wanted.side} {tries}".encode(), "sha256"))
        number, tries = bounds.HIDDEN_NUMBERS[found % len(bounds.HIDDEN_NUMBERS)], tries + 1
        drawn |= {} if number in taken else {number: None}
    return list(drawn)


def _tell_added(act: MatchAct, side: str, fresh: Sequence[CounterInPlay]) -> None:
    """Log a side's new counters, and put them on the table."""
    for first in range(0, len(fresh), LINE_ROOM):
        changing.tell_added(act, side, fresh[first : first + LINE_ROOM], describe_tally(act, fresh[first:][:LINE_ROOM]))


def describe_tally(act: MatchAct, some: Iterable[CounterInPlay]) -> str:
    """Counters in words: "3 × Rifle squad, 1 × Commissar"."""
    store = counters.store_of(act.match)
    tally = Tally(store.kinds(counter.side)[counter.counter].name for counter in some)
    return ", ".join(f"{number} × {name}" for name, number in tally.items())


def read_pasted(match: Match, text: str, side: str) -> list[Wanted]:
    """The counters that a text asks for. Raises BadField with everything that is wrong with it."""
    if len(text) > bounds.LONGEST_LIST:
        raise BadField(f"A list has at most {bounds.LONGEST_LIST:,} characters.")
    game = registry.games()[match.game]
    if game.counters is None:
        raise BadField("This game keeps no counters here.")
    kinds = counters.store_of(match).kinds
    names = {side: {key: kind.name for key, kind in kinds(side).items()} for side in game.sides}
    wanted, problems = read_list(text, names, game.sides, side)
    if problems:
        raise UnfitCounters(problems)
    return wanted


def cards_of(game: Game) -> dict[str, str]:
    """The campaign cards whose counters at start a single firefight of this game may take, with their titles."""
    return the_ledger().list_cards(game.slug) if game.counters else {}


def find_at_start(game: Game, card: str) -> list[Wanted]:
    """The counters of both sides that a campaign's card has at start. Raises BadField."""
    if card not in cards_of(game):
        raise BadField("There is no such card.")
    found = the_ledger().at_start(card)
    return [Wanted(side, key, number) for side, tally in found.items() for key, number in tally.items()]


# What rolls make of them


@match_act()
def settle_proposed(act: MatchAct, keys: Sequence[str], applies: bool) -> None:
    """Write down changes that wait, or leave them: those with these keys, or "all". Raises Refused, Stale."""
    known = act.match.state.proposed_for(act.table.sees)
    chosen = [each for each in known if each.key in keys or "all" in keys]
    if not chosen:
        raise Refused("No such change waits any more: it was written down, left or taken back. Nothing was changed.")
    left = tuple(each for each in act.match.state.proposed if each not in chosen)
    act.match.state = replace(act.match.state, proposed=left)
    if applies:
        _make_changes(act, chosen)
    if not act.entries:
        act.tell(Kind.DROP, f"Not written down: {_say_left(act, chosen)}.")


def _say_left(act: MatchAct, chosen: Sequence[ProposedChange]) -> str:
    """The changes that nobody makes, in words: nothing of those that one side alone knows of."""
    if any(each.known_to for each in chosen):
        return "a change of a hidden counter"
    rules, store = counters.rules_of(act.match), counters.store_of(act.match)
    found = ((store.find(each.id), call_word(rules, each.becomes)) for each in chosen)
    return "; ".join(f"{counter.name} {word}" for counter, word in found if counter)


def _make_changes(act: MatchAct, chosen: Sequence[ProposedChange]) -> None:
    """Make changes, each of a roll's in their order. Raises Refused for what cannot befall a counter any more."""
    entries = act.match.log.filter(number__in=[each.number for each in chosen])
    lines = {entry.number: entry for entry in entries}
    try:
        for each in chosen:
            if each.number in lines:
                changing.apply_changes(act, lines[each.number], {each.id: each.becomes}, each.known_to)
    except BadInput as error:
        raise Refused(f"{error} Leave that change, or put the counter right by hand. Nothing was changed.") from None


@match_act(any_version=True)
def choose_option(act: MatchAct, option: str, choice: str) -> None:
    """Choose anew what players may choose while they play. Raises Refused, Stale, BadField."""
    found = next((each for each in act.table.game.changing_options if each.slug == option), None)
    if found is None or choice not in found.choices:
        raise BadField("There is no such choice in this match.")
    options = act.match.state.options
    if options.get(option, found.usual) == choice:
        raise Refused(f"{found.title}: that is {found.choices[choice]} already. Nothing was changed.")
    kept = {name: value for name, value in options.items() if name != option}
    act.match.state = replace(act.match.state, options=kept if choice == found.usual else {**kept, option: choice})
    act.tell(Kind.RECORD, f"From now on, {found.title[0].lower()}{found.title[1:]}: {found.choices[choice]}.")
