"""What the page of a match shows of its table: the places with their counters, and the bar of rolls below them."""

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeVar

from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.engine.errors import BadInput
from firefight.engine.text import capitalize, count_of
from firefight.engine.values import Json
from firefight.games import chartbooks, registry
from firefight.games.gallery import find_picture
from firefight.kit.counters import CounterRules, befall
from firefight.kit.game import BarItem, Game
from firefight.kit.helper import Helper
from firefight.models import LogEntry
from firefight.table.act.lines import LogLine, changed_by
from firefight.table.act.ports import CounterStore, home_of, ledger_of
from firefight.table.act.table import Table
from firefight.table.board import content, record, record_rules
from firefight.table.board.counters import is_kept_as_row, store_of
from firefight.table.board.shown_counters import (
    GONE,
    OFF_MAP,
    ShownCounter,
    order_of_place,
    place_words,
    present_counter,
    type_place,
)
from firefight.table.board.stores import piece_of
from firefight.table.log.episodes import Episode

T = TypeVar("T")
MORE = BarItem("More")
# Lines that may have changed any counter without saying which.
REARRANGING = (LogEntry.Kind.TAKE_BACK, LogEntry.Kind.LEDGER)
MOST_PICTURES = 6  # beside a line of the log
MOST_DESTINATIONS = 18  # three rows of a phone
STANDING = {"state", "levels", "note", "beside"}  # fields of a counter that change while it stays where it is


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place with the counters of one side. ``title``: as players call it, "K7, level 1", "sector 11", "off map".

    ``ground``: what is known of its ground; ``aim``: what a card aims at there; "" for nothing.
    """

    title: str
    counters: tuple[ShownCounter, ...]
    ground: str = ""
    aim: str = ""


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of the table: its places with a hex, then its sectors; ``aside``: what is off the map or gone."""

    side: str
    name: str
    rank: int
    places: tuple[TablePlace, ...]
    aside: tuple[TablePlace, ...]

    @property
    def count(self) -> int:
        """How many counters it has in play."""
        return sum(len(place.counters) for place in (*self.places, *self.aside) if place.title != GONE)


@dataclass(frozen=True, slots=True)
class BoxPart:
    """A part of its owners' box that a match uses: the name of its page, its title, and what there is of it.

    ``contents`` is blank where the page says nothing about that.
    """

    page: str
    title: str
    contents: str = ""


def list_box_parts(table: Table) -> list[BoxPart]:
    """The parts of their box that owners may enter, the most wanted first."""
    game, state = table.game, table.match.state
    parts = [BoxPart("match-charts", "Charts")] if game.chart_specs else []
    if game.counters.sheet and not ledger_of(table.match).leads:
        parts.append(BoxPart("sheets", "Units", count_of(len(state.sheets), "sheet")))
    if rules := content.find_rules(game, state):
        parts.append(BoxPart("content", rules.title, "an owner's sheets" if state.content else "the house's"))
    return parts


def describe_table(table: Table) -> Json:
    """What every page of a match needs."""
    match = table.match
    return {
        "table": table,
        "match": match,
        "game": table.game,
        "home": home_of(match),
        "box_parts": list_box_parts(table),
        "content_rules": content.find_rules(table.game, match.state),
        "version": match.version,
        "last_number": match.last_number,
    }


def find_moved(table: Table, lines: Iterable[LogLine]) -> bool:
    """Whether lines report counters that have come, gone or moved, or changes of ground, so that the places change."""
    ground = set(table.game.keeping.lines)
    has_closed = table.game.counters.closed_kind is not None
    return any(
        line.kind in REARRANGING
        or _moves(line)
        or (line.kind == LogEntry.Kind.COUNTER and line.is_withheld and has_closed)
        or ground & {*record.changes_of(line)}
        or (_find_pipped(table, line) is None)
        for line in lines
    )


def _find_pipped(table: Table, line: LogLine) -> set[str] | None:
    """The ids of the counters to whose pips a line has added; None where it has set all pips."""
    change = record.changes_of(line).get(table.game.keeping.pips, {})
    return set(change.get("add", ())) if isinstance(change, Mapping) else None


def _moves(line: LogLine) -> bool:
    return any(set(fields) - STANDING for fields in changed_by(line).values())


def show_touched(table: Table, lines: Iterable[LogLine]) -> tuple[ShownCounter, ...]:
    """The counters that lines are about, as they are now."""
    all_lines = list(lines)
    ids = {
        counter_id for line in all_lines if line.kind == LogEntry.Kind.COUNTER for counter_id in line.touches.split()
    }
    ids.update(*(_find_pipped(table, line) or () for line in all_lines))
    if not ids:
        return ()
    store = store_of(table.match)
    pieces = [piece_of(store, counter) for counter in store.known(table.sees) if counter.id in ids]
    return tuple(add_pips(table, [present_counter(table.game, piece) for piece in pieces]))


def add_pips(table: Table, counters: Iterable[ShownCounter]) -> Iterator[ShownCounter]:
    """Counters with the pips that mark what they have done."""
    pips = record_rules.count_pips(table.match)
    for counter in counters:
        pip = record_rules.call_pips(table.match, pips[counter.id])
        words = ", ".join(filter(None, (counter.words, pip)))
        yield replace(counter, pips=pips[counter.id], pip=pip, words=words) if pip else counter


def picture_lines(table: Table, lines: Iterable[LogLine | Episode]) -> dict[int, list[tuple[str, int]]]:
    """The pictures of the counters that lines or episodes are about, in their present state as far as this browser
    knows it, each with the number of those that look alike."""
    about = {line.number: line.touches.split() for line in lines if line.touches}
    if not about:
        return {}
    store = store_of(table.match)
    ids_pictured = {counter_id for ids in about.values() for counter_id in ids}
    counters_open = (
        counter for counter in store.known(table.sees) if counter.id in ids_pictured and not counter.hidden
    )
    pieces = {counter.id: piece_of(store, counter) for counter in counters_open}
    return {
        number: list(
            Tally(
                find_picture(table.game, piece.counter.side, piece.kind, piece.counter.state, piece.book)
                for counter_id in ids
                if (piece := pieces.get(counter_id))
            ).items()
        )[:MOST_PICTURES]
        for number, ids in about.items()
    }


def table_of(table: Table, selected: Collection[str] = ()) -> tuple[ShownSide, ...]:
    """Each side's counters by place, as far as this browser may know them; its own side comes first."""
    store = store_of(table.match)
    ground = tell_ground(table)
    counters = [
        counter for counter in store.known(table.sees) if not is_kept_as_row(table.match, piece_of(store, counter).kind)
    ]
    sides = sorted(table.game.sides, key=lambda side: side != table.side)
    sides_shown = (
        show_side(table, side, [counter for counter in counters if counter.side == side], store, ground, selected)
        for side in sides
    )
    return tuple(side for side in sides_shown if side.places or side.aside)


def tell_ground(table: Table) -> dict[str, str]:
    """What is known of the ground, by place, as far as this browser may know it; "K7/" is what surrounds its levels."""
    lines_by_place: dict[str, list[str]] = {}
    for card in record_rules.present_lines(table):
        lines_by_place.setdefault(card.place, []).extend(card.lines)
        lines_by_place.setdefault(f"{card.place}/", []).extend(card.around)
    return {place: ", ".join(lines) for place, lines in lines_by_place.items()}


def show_side(
    table: Table,
    side: str,
    counters: Iterable[CounterInPlay],
    store: CounterStore,
    ground: Mapping[str, str],
    selected: Collection[str],
) -> ShownSide:
    """One side's counters, place by place."""
    places, words = [], table.game.words
    for title, together in groupby(sorted(counters, key=_rank_place), key=lambda counter: place_words(counter, words)):
        standing = list(together)
        pieces = (piece_of(store, counter) for counter in standing)
        counters_shown = tuple(
            add_pips(table, [present_counter(table.game, piece, piece.counter.id in selected) for piece in pieces])
        )
        place, level = standing[0].place, standing[0].level
        names = (f"{place}/", f"{place}/{level}") if level else (place,)
        ground_there = (ground[name] for name in names if standing[0].in_play and ground.get(name))
        places.append(TablePlace(title, counters_shown, ", ".join(ground_there), place))
    on_map = tuple(place for place in places if place.title not in (OFF_MAP, GONE))
    aside = tuple(place for place in places if place.title in (OFF_MAP, GONE))
    return ShownSide(side, table.game.name_of(side), table.game.rank_of(side), on_map, aside)


def _rank_place(counter: CounterInPlay) -> tuple[bool, bool, tuple[str, int, str], str, int]:
    """Hexes first, K7 before K12; then sectors by number; what is nowhere comes last. Within a place by number."""
    name = counter.place or counter.area
    return (not counter.in_play, not counter.place, order_of_place(name), counter.level, counter.number)


# By hand


@dataclass(frozen=True, slots=True)
class SettableLevel:
    """A number of counters that is set by hand. ``number``: the present one, None where it differs."""

    name: str
    label: str
    low: int
    high: int
    number: int | None


@dataclass(frozen=True, slots=True)
class WithinChoice:
    """What a player may name beside a place: the field as it is sent, its label, and what there is."""

    name: str
    label: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """The counters that are set by hand, with what they have in common: "" where they differ.

    ``words``: what may happen to them; ``states``: the words that their state may hold; ``levels``: the numbers that
    all of them have; ``company``: what each of them may ride on or be led by; ``drawn``: their state, None where it
    differs. ``places``: where they may be going, one tap for each. ``only_moves``: the sheet asks only for their place.
    ``pip_words``: the names of the pips that may be set. ``within``: in which of these the place lies.
    ``trouble``: why what was sent from it was not done.
    """

    counters: tuple[ShownCounter, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    company: Mapping[str, str] = field(default_factory=dict)
    levels: tuple[SettableLevel, ...] = ()
    state: tuple[str, ...] = ()
    drawn: tuple[str, ...] | None = None
    place: str = ""
    beside: str = ""
    note: str = ""
    are_gone: bool = False
    places: tuple[str, ...] = ()
    only_moves: bool = False
    pip_words: tuple[str, ...] = ()
    within: WithinChoice | None = None
    trouble: str = ""


def present_hand(table: Table, ids: Collection[str], only_moves: bool) -> Hand:
    """The sheet on which these counters are set or moved, as far as this browser may know them."""
    rules, store = table.game.counters, store_of(table.match)
    known_counters = store.known(table.sees)
    chosen = [piece_of(store, counter) for counter in known_counters if counter.id in ids]
    if not chosen:
        return Hand(())
    first_counter = chosen[0].counter
    are_known = all(piece.counter.counter for piece in chosen)
    carried = frozenset.intersection(*(rules.may_carry(piece.kind) for piece in chosen)) if are_known else ()
    mates = [
        counter
        for counter in known_counters
        if counter.side == first_counter.side and counter.in_play and counter.id not in ids
    ]

    def common(read: Callable[[CounterInPlay], T], otherwise: T) -> T:
        return read(first_counter) if len({read(piece.counter) for piece in chosen}) == 1 else otherwise

    return Hand(
        tuple(add_pips(table, [present_counter(table.game, piece) for piece in chosen])),
        words=find_words(rules, chosen),
        states={word: label for word, label in rules.states.items() if word in carried},
        levels=tuple(list_settable_levels(rules, chosen)) if are_known else (),
        company={
            counter.id: counter.name
            for counter in sorted(mates, key=lambda counter: counter.place != first_counter.place)
        },
        state=common(lambda counter: counter.state, ()),
        drawn=common(lambda counter: counter.state, None),
        place=common(type_place, ""),
        beside=common(lambda counter: counter.beside, ""),
        note=common(lambda counter: counter.note, ""),
        are_gone=not any(piece.counter.in_play for piece in chosen),
        places=tuple(list_destinations(table, chosen, mates)),
        only_moves=only_moves,
        pip_words=table.game.keeping.pip_words if may_set_pips(table, chosen) else (),
        within=_offer_areas(table.game, store.areas),
    )


def _offer_areas(game: Game, areas: Sequence[str]) -> WithinChoice | None:
    return WithinChoice("area", capitalize(game.words.area), tuple(areas)) if areas else None


def list_settable_levels(rules: CounterRules, chosen: Sequence[Piece]) -> Iterator[SettableLevel]:
    """The numbers that all of these counters have, within the bounds that fit each of them."""
    bounds = [rules.bound_levels(piece.kind) for piece in chosen]
    for name in bounds[0]:
        if all(name in bound for bound in bounds):
            low, high = max(bound[name].low for bound in bounds), min(bound[name].high for bound in bounds)
            numbers = {piece.counter.levels.get(name) for piece in chosen}
            yield SettableLevel(name, rules.levels[name], low, high, numbers.pop() if len(numbers) == 1 else None)


def may_set_pips(table: Table, chosen: Iterable[Piece]) -> bool:
    """Whether this seat may set the pips of these counters: on its own ones that everybody sees."""
    return all(table.may_decide(piece.counter.side) and not piece.counter.hidden for piece in chosen)


def list_destinations(table: Table, chosen: Iterable[Piece], mates: Iterable[CounterInPlay]) -> list[str]:
    """Where counters are likely to go, as a player would type it: where some of them stand, next to that, where others
    of their side stand, then next to those, beside most of them first. The place where all of them stand is left out.
    """
    rules, charts = table.game.counters, chartbooks.of_match(table.match)
    own_places = {type_place(piece.counter): piece.counter.place for piece in chosen}
    mates_by_place = Tally(mate.place for mate in mates if mate.place)
    used = sorted({type_place(mate) for mate in mates if mate.place}, key=order_of_place)
    beside: Tally[str] = Tally()
    for place, number in mates_by_place.items():
        beside.update(dict.fromkeys(rules.list_places_around(charts, place), number))
    nearby = sorted(beside, key=lambda place: (-beside[place], order_of_place(place)))
    next_to = [
        place_around
        for place in filter(None, own_places.values())
        for place_around in rules.list_places_around(charts, place)
    ]
    destinations = dict.fromkeys([*filter(None, own_places), *next_to, *used, *nearby])
    return [place for place in destinations if own_places.keys() != {place}][:MOST_DESTINATIONS]


def find_words(rules: CounterRules, chosen: Collection[Piece]) -> dict[str, str]:
    """What may happen to at least one of these counters, so that it changes."""
    return {word: label for word, label in rules.words.items() if any(_befalls(rules, piece, word) for piece in chosen)}


def _befalls(rules: CounterRules, piece: Piece, word: str) -> bool:
    try:
        return befall(rules, piece.counter, piece.kind, word) != piece.counter
    except BadInput:
        return False


# The bar


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item of the bar: one roll that it opens, or a menu of several under their headings.

    ``is_now``: the present step offers it first. ``aims``: its one roll is what counters do to others. ``sums``: the
    unit in which the strength of the chosen counters is added up.
    """

    title: str
    key: str
    groups: dict[str, list[Helper]]
    is_now: bool = False
    aims: bool = False
    sums: str = ""

    @property
    def only(self) -> Helper | None:
        """Its one roll; None where there is a choice."""
        rolls = [helper for helpers in self.groups.values() for helper in helpers]
        return rolls[0] if len(rolls) == 1 else None


def bar_of(game: Game, step: str) -> list[ShownItem]:
    """The bar of a game's rolls: its own items, those of the present step first; all the rest is under More.

    A game that declares no bar gets its first three groups of rolls as items.
    """
    offered = registry.helpers(game.slug)
    items = game.bar or default_bar(offered.values())
    items_shown = [show_item(item, [offered[slug] for slug in item.helpers if slug in offered], step) for item in items]
    slugs_on_bar = {slug for item in items for slug in item.helpers}
    rest = [helper for helper in offered.values() if helper.slug not in slugs_on_bar]
    return [*sorted(items_shown, key=lambda item: not item.is_now), show_item(MORE, rest, "")]


def show_item(item: BarItem, helpers: Iterable[Helper], step: str) -> ShownItem:
    """One item with its rolls under their headings."""
    groups: dict[str, list[Helper]] = {}
    for helper in helpers:
        groups.setdefault(helper.group, []).append(helper)
    is_now = bool(step) and any(step in helper.steps for group_helpers in groups.values() for helper in group_helpers)
    return ShownItem(item.title, item.key, groups, is_now, item.helpers == item.aims, item.sums)


def default_bar(helpers: Iterable[Helper]) -> tuple[BarItem, ...]:
    """An item for each of the first groups; its key is its first letter that no other item uses."""
    groups: dict[str, list[str]] = {}
    for helper in helpers:
        groups.setdefault(helper.group, []).append(helper.slug)
    items: list[BarItem] = []
    for title, slugs in list(groups.items())[:3]:
        keys = {item.key for item in items}
        key = next((letter for letter in title.lower() if letter.isalpha() and letter not in keys), "")
        items.append(BarItem(title, key, tuple(slugs)))
    return tuple(items)
