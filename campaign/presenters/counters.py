"""Counters as pages show them: the address of a picture, the same in words, and what stands below it."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.rules.rosters import Group
from firefight.engine.board.counters import Piece
from firefight.games.combat_stalingrad.pictures.counters import describe_counter
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.gallery import picture_address


@dataclass(frozen=True, slots=True)
class CounterPicture:
    """A counter as a page shows it. ``alt``: the picture in words."""

    src: str
    alt: str
    caption: str = ""


def picture_counter(
    book: str, side: Side, counter: Counter, marks: Iterable[str] = (), caption: str = ""
) -> CounterPicture:
    """A counter for a page. ``book``: the content that it belongs to, "" for the shipped one."""
    carried = [Mark(mark) for mark in marks if mark in may_carry(counter.kind)]
    return CounterPicture(
        picture_address(GAME, side, counter.key, carried, book), describe_counter(counter, side, carried), caption
    )


def show_unit(ledger: Ledger, unit: Unit, is_drawn: bool = True) -> CounterPicture:
    """A unit's counter, in its present state; ``is_drawn``: with a picture."""
    if not is_drawn:
        return CounterPicture("", "")
    return picture_counter(ledger.gallery, Side(unit.side), ledger.kind_of(unit), unit.marks)


def show_piece(piece: Piece) -> CounterPicture:
    """A counter in play, in its present state."""
    return picture_counter(piece.book, Side(piece.counter.side), piece.kind, piece.counter.state)


def show_group(ledger: Ledger, side: Side, group: Group) -> list[CounterPicture]:
    """What a group of a roster brings, with its numbers; what dice decide has the faces that bring it."""
    book, counters = ledger.gallery, ledger.content.counters[side]
    certain = [
        picture_counter(book, side, counters[key], caption=f"× {number}") for key, number in group.contents.items()
    ]
    if not group.mix:
        return certain
    bands = [(str(band), band.value) for band in group.mix.bands.bands if band.value]
    die = f"d{group.mix.bands.sides}"
    return certain + [picture_counter(book, side, counters[key], caption=f"{die}: {band}") for band, key in bands]
