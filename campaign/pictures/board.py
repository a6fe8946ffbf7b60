"""The sector map as a board of the frame: sectors as its owner drew them, and over them what is known of each."""

from collections.abc import Iterable, Iterator

from campaign.rules.maps import SectorMap
from campaign.rules.sectors import Holding
from firefight.engine.board.board import Board, BoardPlace, BoardView, Outline, PieceStack, PlaceView, Shape, Sign
from firefight.games.combat_stalingrad.rules.sides import Side

from .figures import EDGES_TOLD, MEANINGS, Sector

# What the signs of a map mean, each with the class that draws it on a page.
_CLASSES = {Holding.THREATENED: "hx", **{side.value: f"h{rank}" for rank, side in enumerate(Side, 1)}}
LEGEND = tuple((_CLASSES.get(role, role), words) for role, words in MEANINGS)


def lay_sectors(sector_map: SectorMap) -> Board:
    """What is printed on it: the sectors by number."""
    drawn = sector_map.drawing
    return Board(
        tuple(BoardPlace(str(number), drawn.labels[number], outline=cell) for number, cell in drawn.cells.items()),
        Shape.AREAS,
        title="Sector map",
    )


def view_sectors(seen: Iterable[tuple[Sector, str, tuple[PieceStack, ...]]]) -> BoardView:
    """What is known of each sector: it, all of that in words, and its units; without units its mark."""
    places = {str(sector.number): _view_sector(sector, words, stacks) for sector, words, stacks in seen}
    return BoardView(places, EDGES_TOLD)


def _view_sector(sector: Sector, words: str, stacks: tuple[PieceStack, ...]) -> PlaceView:
    side = sector.holding.side
    marks = [] if stacks or not sector.mark else [Sign(sector.mark, sector.mark)]
    return PlaceView(
        stacks=stacks,
        marks=(*[Sign("◆", "changed")] * sector.changed, *marks),
        held_by=side.value if side else "",
        is_contested=sector.holding is Holding.THREATENED,
        outlines=tuple(_list_outlines(sector)),
        words=words,
    )


def _list_outlines(sector: Sector) -> Iterator[Outline]:
    if sector.line and sector.line.is_isolated:
        yield Outline.CUT_OFF
    if sector.changed:
        yield Outline.CHANGED
    if sector.chosen:
        yield Outline.CHOSEN
