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


def present_honours(table: Table, told: Histories | None = None) -> tuple[HonouredSide, ...]:
    """The roll of honour as far as this browser may know it; none for a game without counters.

    ``told``: the histories of the whole match, where they are read already.
    """
    rules = table.game.counters
    if rules is None:
        return ()
    store, told = store_of(table.match), told or read_histories(table.match, table.sees)
    known = [each for each in store.known(table.sees) if each.fate != "returned" and each.counter]
    groups = ledger_of(table.match).group_titles(table.match)
    sides = ((side, [each for each in known if each.side == side]) for side in table.game.sides)
    return tuple(_present_side(table, side, of_side, store, rules, told, groups) for side, of_side in sides if of_side)


def _present_side(
    table: Table,
    side: str,
    counters: list[CounterInPlay],
    store: CounterStore,
    rules: CounterRules,
    told: Histories,
    groups: Mapping[str, str],
) -> HonouredSide:
    """A side's counters: the most feared of them first, then all by arm, and by group where there are groups."""
    counters = [each for each in counters if rules.arm(store.kinds(side)[each.counter])]
    honoured = {each.id: honour(table, each, told) for each in counters}
    ranked = sorted(honoured.values(), key=lambda each: -each.credits)
    arms = _gather(counters, honoured, lambda each: rules.arm(store.kinds(side)[each.counter]))
    by_group = _gather(counters, honoured, lambda each: groups.get(each.id, "")) if groups else ()
    return HonouredSide(
        side,
        table.game.name_of(side),
        table.game.rank_of(side),
        sum(each.in_play for each in counters),
        len(counters),
        tuple(each for each in ranked[:MOST_FEARED] if each.credits),
        arms,
        by_group,
    )


def honour(table: Table, counter: CounterInPlay, told: Histories) -> Honoured:
    """One counter with its story."""
    history = told.of.get(counter.id, History(counter.id))
    fall = history.fall if counter.fate else None
    shown = present_counter(table.game, piece_of(store_of(table.match), counter))
    how = "" if counter.in_play else (fall.cause if fall else rules_of(table.match).describe(counter))
    return Honoured(shown, history.summary, told.credits(counter.id), how, fall.line.number if fall else 0)


def _gather(
    counters: Iterable[CounterInPlay], honoured: Mapping[str, Honoured], heading: Callable[[CounterInPlay], str]
) -> tuple[HonouredGroup, ...]:
    """Counters under their headings, in the order in which these come."""
    members: dict[str, list[CounterInPlay]] = {}
    for counter in counters:
        members.setdefault(heading(counter), []).append(counter)
    groups = []
    for title, alike in members.items():
        told = tuple(honoured[each.id] for each in alike if honoured[each.id].history or not each.in_play)
        standing = sum(each.in_play for each in alike)
        others = tuple(honoured[each.id] for each in alike if honoured[each.id] not in told)
        query = urlencode([("about", each.id) for each in alike[: filtering.MOST_ABOUT]])
        groups.append(HonouredGroup(title, told, len(alike) - len(told), standing, len(alike), query, others))
    return tuple(groups)
