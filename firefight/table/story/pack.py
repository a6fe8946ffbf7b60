"""The board as it is packed away and set up again: place by place every counter and every note of the record.

What everybody may know is one sheet. What one side alone knows is a sheet of its own, which only that side is given.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from firefight.engine.board.counters import CounterFate, CounterInPlay
from firefight.engine.course.keeping import RowCard
from firefight.engine.text import count_of
from firefight.games.gallery import find_picture
from firefight.table.act.ports import CounterStore
from firefight.table.act.table import Table
from firefight.table.board import record_rules
from firefight.table.board.counters import store_of
from firefight.table.board.shown_counters import order_of_place, place_words
from firefight.table.board.stores import piece_of

BESIDE = "beside the map"
COMMON, OWN = "common", "own"  # the sheets, as addresses name them


@dataclass(frozen=True, slots=True)
class PackRow:
    """One thing to put away or to put back. ``side``: whose it is, as players say it, "" for nobody's.

    ``words``: how it is. ``src``: the address of its picture, "" for none.
    """

    side: str
    name: str
    words: str
    src: str = ""


@dataclass(frozen=True, slots=True)
class PackPlace:
    """A place with what is there. ``title``: "K7, level 1", "sector 11", "off map", "out of play"."""

    title: str
    rows: tuple[PackRow, ...]


@dataclass(frozen=True, slots=True)
class PackSheet:
    """What everybody may know, or what one side alone does."""

    slug: str
    title: str
    places: tuple[PackPlace, ...]


# Where a thing comes on a sheet: out of play last, hexes before sectors, the ground below the counters.
Order = tuple[bool, bool, tuple[str, int, str], str, bool, int, int]


def list_sheets(table: Table) -> list[PackSheet]:
    """The sheets that this browser may have: the common one, and for a player that of their side's secrets."""
    common = _lay_out(table, _list_counters(table), _list_cards(table))
    sheets = [PackSheet(COMMON, "What everybody may know", (*_lay_beside(table), *common))]
    if table.plays:
        open_counters, open_cards = _list_counters(table), _list_cards(table)
        # What the side knows beyond what everybody does, or differently.
        counters = [counter for counter in _list_counters(table, *table.sees) if counter not in open_counters]
        cards = [card for card in _list_cards(table, *table.sees) if card not in open_cards]
        title = f"What {table.game.call_side(table.side)} side alone knows"
        sheets.append(PackSheet(OWN, title, _lay_out(table, counters, cards)))
    return sheets


def _lay_beside(table: Table) -> tuple[PackPlace, ...]:
    """What players keep beside the map, as everybody may know it."""
    rows = tuple(PackRow("", item.title, item.words) for item in record_rules.present_strip(table, ()))
    return (PackPlace(BESIDE, rows),) if rows else ()


def _list_counters(table: Table, *sees: str) -> list[CounterInPlay]:
    return [counter for counter in store_of(table.match).known(sees) if counter.fate != CounterFate.RETURNED]


def _list_cards(table: Table, *sees: str) -> list[RowCard]:
    """Rows of the record that are not over, as somebody who may see these sides' secrets knows them."""
    rules = table.game.keeping
    situation = record_rules.situation_of(table.match, sees, with_counters=False)
    cards = (card for field in (*rules.lines, *rules.cards) for card in rules.present(field, situation))
    return [card for card in cards if not card.is_over]


def _lay_out(table: Table, counters: Iterable[CounterInPlay], cards: Iterable[RowCard]) -> tuple[PackPlace, ...]:
    laid_rows = sorted([*_lay_counters(table, counters), *_lay_cards(table, cards)], key=lambda laid_row: laid_row[0])
    return tuple(
        PackPlace(title, tuple(row for _, _, row in rows_there))
        for title, rows_there in groupby(laid_rows, lambda laid_row: laid_row[1])
    )


def _lay_counters(table: Table, counters: Iterable[CounterInPlay]) -> Iterator[tuple[Order, str, PackRow]]:
    store = store_of(table.match)
    for counter in counters:
        name = counter.place or counter.area
        order = (not counter.in_play, not counter.place, order_of_place(name), counter.level, False)
        yield (
            (*order, table.game.rank_of(counter.side), counter.number),
            place_words(counter, table.game.words),
            _row_of(table, store, counter),
        )


def _row_of(table: Table, store: CounterStore, counter: CounterInPlay) -> PackRow:
    mate = store.find(counter.beside) if counter.beside else None
    words = (
        table.game.counters.describe(counter) if counter.counter else "",
        "hidden" if counter.hidden else "",
        "closed" if counter.closed else "",
        f"with {mate.name}" if mate else "",
        f"“{counter.note}”" if counter.note else "",
    )
    kind = piece_of(store, counter).kind
    picture = find_picture(table.game, counter.side, kind, counter.state, store.book)
    return PackRow(table.game.name_of(counter.side), counter.name, ", ".join(filter(None, words)), picture)


def _lay_cards(table: Table, cards: Iterable[RowCard]) -> Iterator[tuple[Order, str, PackRow]]:
    for number, card in enumerate(cards):
        hex_name, _, level = card.place.partition("/")
        spot = CounterInPlay("", card.side, "", "", place=hex_name, level=level)
        owner = card.side or card.known_to
        name = table.game.words.lines if card.field in table.game.keeping.lines else card.title
        row = PackRow(table.game.name_of(owner) if owner else "", name, " · ".join(card.lines))
        order = (False, not hex_name, order_of_place(hex_name), level, True)
        title = place_words(spot, table.game.words)
        yield (*order, table.game.rank_of(owner) if owner else 0, number), title, row


def describe_whole(sheet: PackSheet) -> str:
    """How much is on a sheet: "12 things in 5 places"."""
    number = sum(len(place.rows) for place in sheet.places)
    if not number:
        return "Nothing."
    return f"{count_of(number, 'thing')} in {count_of(len(sheet.places), 'place')}."
