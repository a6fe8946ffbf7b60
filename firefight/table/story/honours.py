"""The roll of honour: every counter with its history, those that stand and those that fell, by group and by arm."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from firefight.engine.board.counters import CounterInPlay
from firefight.kit.counters import CounterRules
from firefight.table.act.ports import CounterStore, ledger_of
from firefight.table.act.table import Table
from firefight.table.board.counters import rules_of, store_of
from firefight.table.board.shown_counters import ShownCounter, present_counter
from firefight.table.board.stores import piece_of
from firefight.table.log import filtering

from .history import Histories, History, read_histories

MOST_FEARED = 5  # of a side


@dataclass(frozen=True, slots=True)
class Honoured:
    """A counter with its story. ``credits``: how many of the other side fell by attacks in which it took part.

    ``history``: in a line, "" where nothing is told. ``fell``: by what, "" while it stands.
    """

    shown: ShownCounter
    history: str
    credits: int
    fell: str
    line: int = 0

    @property
    def title(self) -> str:
        """Its name, and what it fell by."""
        return f"{self.shown.name}: {self.fell}" if self.fell else self.shown.name


@dataclass(frozen=True, slots=True)
class HonouredGroup:
    """Counters under a heading; ``others`` are those to whom nothing happened, ``idle`` how many.

    ``query``: asks the log for all lines about them.
    """

    title: str
    counters: tuple[Honoured, ...]
    idle: int
    standing: int
    number: int
    query: str
    others: tuple[Honoured, ...]


@dataclass(frozen=True, slots=True)
class HonouredSide:
    """One side's roll: the most feared, its leaders and all others by arm, and its groups where it has any."""

    side: str
    name: str
    rank: int
    standing: int
    number: int
    feared: tuple[Honoured, ...]
    arms: tuple[HonouredGroup, ...]
    groups: tuple[HonouredGroup, ...]


def present_honours(table: Table, histories: Histories | None = None) -> tuple[HonouredSide, ...]:
    """The roll of honour as far as this browser may know it; none for a game without counters.

    ``histories``: those of the whole match, where they are read already.
    """
    rules = table.game.counters
    store, histories = store_of(table.match), histories or read_histories(table.match, table.sees)
    known_counters = [counter for counter in store.known(table.sees) if counter.fate != "returned" and counter.counter]
    groups = ledger_of(table.match).group_titles(table.match)
    sides = ((side, [counter for counter in known_counters if counter.side == side]) for side in table.game.sides)
    return tuple(
        _present_side(table, side, of_side, store, rules, histories, groups) for side, of_side in sides if of_side
    )


def _present_side(
    table: Table,
    side: str,
    counters: list[CounterInPlay],
    store: CounterStore,
    rules: CounterRules,
    histories: Histories,
    groups: Mapping[str, str],
) -> HonouredSide:
    """A side's counters: the most feared of them first, then all by arm, and by group where there are groups."""
    counters = [counter for counter in counters if rules.arm(store.kinds(side)[counter.counter])]
    honoured = {counter.id: honour(table, counter, histories) for counter in counters}
    ranked = sorted(honoured.values(), key=lambda entry: -entry.credits)
    arms = _gather(counters, honoured, lambda counter: rules.arm(store.kinds(side)[counter.counter]))
    by_group = _gather(counters, honoured, lambda counter: groups.get(counter.id, "")) if groups else ()
    return HonouredSide(
        side,
        table.game.name_of(side),
        table.game.rank_of(side),
        sum(counter.in_play for counter in counters),
        len(counters),
        tuple(entry for entry in ranked[:MOST_FEARED] if entry.credits),
        arms,
        by_group,
    )


def honour(table: Table, counter: CounterInPlay, histories: Histories) -> Honoured:
    history = histories.of.get(counter.id, History(counter.id))
    fall = history.fall if counter.fate else None
    shown_counter = present_counter(table.game, piece_of(store_of(table.match), counter))
    how = "" if counter.in_play else (fall.cause if fall else rules_of(table.match).describe(counter))
    return Honoured(
        shown_counter,
        history.summarize(histories.words),
        histories.credits(counter.id),
        how,
        fall.line.number if fall else 0,
    )


def _gather(
    counters: Iterable[CounterInPlay], honoured: Mapping[str, Honoured], heading: Callable[[CounterInPlay], str]
) -> tuple[HonouredGroup, ...]:
    """Counters under their headings, in the order in which these come."""
    members: dict[str, list[CounterInPlay]] = {}
    for counter in counters:
        members.setdefault(heading(counter), []).append(counter)
    groups = []
    for title, group in members.items():
        with_story = tuple(
            honoured[counter.id] for counter in group if honoured[counter.id].history or not counter.in_play
        )
        standing = sum(counter.in_play for counter in group)
        without_story = tuple(honoured[counter.id] for counter in group if honoured[counter.id] not in with_story)
        query = urlencode([("about", counter.id) for counter in group[: filtering.MOST_ABOUT]])
        groups.append(
            HonouredGroup(title, with_story, len(group) - len(with_story), standing, len(group), query, without_story)
        )
    return tuple(groups)
