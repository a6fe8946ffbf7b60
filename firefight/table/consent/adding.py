"""More counters: how players bring them into a single firefight, from the gallery, a list or a card."""

import hmac
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.board.pasting import Wanted, read_list
from firefight.engine.errors import BadInput
from firefight.engine.record import BadValue
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.performing import match_act
from firefight.table.act.ports import CounterStore, ledger_of, the_ledger
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import changing, counters, record

Kind = LogEntry.Kind

LINE_ROOM = 80  # added counters that one line may name


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
        raise BadField(*flaws)
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
        raise BadField(*problems)
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
