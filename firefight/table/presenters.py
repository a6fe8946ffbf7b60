"""What the page of a match shows of its table: the places with their counters, and the bar of rolls below them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from firefight.assistant import registry
from firefight.assistant.registry import BarItem, CounterRules, Helper
from firefight.engine.board.counters import CounterInPlay, Piece

from .counters import CounterStore, store_of
from .seats import Table

OFF_MAP = "off map"
MORE = BarItem("More")


# The table


@dataclass(frozen=True, slots=True)
class ShownCounter:
    """A counter on the page. ``words``: how it is, "" where there is nothing to say; ``signs``: the same in letters.

    ``src``: the address of its picture, "" for none. ``tag``: what tells it from others of its kind, "#2".
    """

    id: str
    name: str
    src: str
    words: str
    signs: str
    tag: str
    hidden: bool
    selected: bool


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place with the counters of one side. ``title``: as players say it, "K7, level 1", "sector 11", "off map"."""

    place: str
    level: str
    title: str
    counters: tuple[ShownCounter, ...]


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of the table: its places with a hex, then its sectors; ``aside`` what is off the map."""

    side: str
    name: str
    rank: int
    places: tuple[ShownPlace, ...]
    aside: tuple[ShownPlace, ...]

    @property
    def count(self) -> int:
        """How many counters it has in play."""
        return sum(len(place.counters) for place in (*self.places, *self.aside))


def table_of(table: Table, selected: Collection[str] = ()) -> tuple[ShownSide, ...]:
    """Each side's counters in play by place, as far as this browser may know them; its own side comes first."""
    rules = table.game.counters
    if rules is None:
        return ()
    store = store_of(table.match)
    known = [counter for counter in store.known(table.sees) if counter.in_play]
    sides = sorted(table.game.sides, key=lambda side: side != table.side)
    shown = (show_side(table, side, [each for each in known if each.side == side], store, selected) for side in sides)
    return tuple(side for side in shown if side.count)


def show_side(
    table: Table, side: str, counters: Iterable[CounterInPlay], store: CounterStore, selected: Collection[str]
) -> ShownSide:
    """One side's counters, place by place."""
    rules = table.game.counters
    assert rules is not None
    places = [
        ShownPlace(place, level, name_place(place, level, area), show_counters(rules, store, list(standing), selected))
        for (place, level, area), standing in groupby(sorted(counters, key=_where), key=_place_of)
    ]
    on_map = tuple(each for each in places if each.title != OFF_MAP)
    aside = tuple(each for each in places if each.title == OFF_MAP)
    return ShownSide(side, table.game.name_of(side), table.game.rank_of(side), on_map, aside)


def show_counters(
    rules: CounterRules, store: CounterStore, counters: Sequence[CounterInPlay], selected: Collection[str]
) -> tuple[ShownCounter, ...]:
    """The counters of one place."""
    return tuple(show_counter(rules, store.piece(each), each.id in selected) for each in counters)


def show_counter(rules: CounterRules, piece: Piece, is_selected: bool = False) -> ShownCounter:
    """One counter for the page."""
    counter = piece.counter
    words = [rules.states.get(word, word) for word in counter.state] + (["hidden"] if counter.hidden else [])
    return ShownCounter(
        counter.id,
        counter.name,
        rules.picture(counter.side, piece.kind, counter.state),
        ", ".join(words),
        "".join(word[0].upper() for word in words),
        f"#{counter.number}",
        counter.hidden,
        is_selected,
    )


def name_place(place: str, level: str, area: str) -> str:
    """A place as players say it.

    >>> name_place("K7", "1", ""), name_place("K7", "cellar", ""), name_place("", "", "11"), name_place("", "", "")
    ('K7, level 1', 'K7, cellar', 'sector 11', 'off map')
    """
    if not place:
        return f"sector {area}" if area else OFF_MAP
    return f"{place}, {f'level {level}' if level.isdigit() else level}" if level else place


def _place_of(counter: CounterInPlay) -> tuple[str, str, str]:
    return counter.place, counter.level, "" if counter.place else counter.area


def _where(counter: CounterInPlay) -> tuple[bool, tuple[str, int, str], str, int]:
    """Hexes first, K7 before K12; then sectors by number; what is nowhere comes last. On a place by number."""
    name = counter.place or counter.area
    letters = name.rstrip("0123456789")
    number = int(name[len(letters) :] or 0) if name[len(letters) :].isascii() else 0
    return not counter.place, (letters or ("" if name else "~"), number, name), counter.level, counter.number


# The bar


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item of the bar: one roll that it opens, or a menu of several under their headings.

    ``is_now``: the present step offers it first. ``aims``: counters do it to others.
    """

    title: str
    key: str
    groups: dict[str, list[Helper]]
    is_now: bool = False
    aims: bool = False

    @property
    def only(self) -> Helper | None:
        """Its one roll; None where there is a choice."""
        rolls = [helper for helpers in self.groups.values() for helper in helpers]
        return rolls[0] if len(rolls) == 1 else None


def bar_of(game: registry.Game, step: str = "") -> list[ShownItem]:
    """The bar of a game's rolls: its own items, those of the present step first; all that is left stands under More.

    A game that declares none has its groups of rolls as items, the first three of them.
    """
    offered = registry.helpers(game.slug)
    items = game.bar or default_bar(offered.values())
    shown = [show_item(item, [offered[slug] for slug in item.helpers if slug in offered], step) for item in items]
    taken = {slug for item in items for slug in item.helpers}
    rest = [helper for helper in offered.values() if helper.slug not in taken]
    return [*sorted(shown, key=lambda item: not item.is_now), show_item(MORE, rest, "")]


def show_item(item: BarItem, helpers: Iterable[Helper], step: str) -> ShownItem:
    """One item with its rolls under their headings."""
    groups: dict[str, list[Helper]] = {}
    for helper in helpers:
        groups.setdefault(helper.group, []).append(helper)
    is_now = bool(step) and any(step in helper.steps for listed in groups.values() for helper in listed)
    return ShownItem(item.title, item.key, groups, is_now, item.aims)


def default_bar(helpers: Iterable[Helper]) -> tuple[BarItem, ...]:
    """An item for each of the first groups, with its first letter that no other has for a key."""
    groups: dict[str, list[str]] = {}
    for helper in helpers:
        groups.setdefault(helper.group, []).append(helper.slug)
    items: list[BarItem] = []
    for title, slugs in list(groups.items())[:3]:
        keys = {item.key for item in items}
        key = next((letter for letter in title.lower() if letter.isalpha() and letter not in keys), "")
        items.append(BarItem(title, key, tuple(slugs)))
    return tuple(items)
