"""What is known about each sector, as the frame's board shows it over the map."""

from collections.abc import Iterable, Iterator

from campaign.rules.sectors import Holding
from firefight.engine.board.board import BoardView, Outline, PieceStack, PlaceView, Sign
from firefight.games.combat_stalingrad.rules.sides import Side

from .figures import EDGE_LABELS, MEANINGS, Sector

# What the signs of a map mean, each with the class that draws it on a page.
_CLASSES = {Holding.THREATENED: "hx", **{side.value: f"h{rank}" for rank, side in enumerate(Side, 1)}}
LEGEND = tuple((_CLASSES.get(role, role), words) for role, words in MEANINGS)


def view_sectors(sectors: Iterable[tuple[Sector, str, tuple[PieceStack, ...]]]) -> BoardView:
    """What is known about each sector. ``sectors``: each in words with its units; without units its mark shows."""
    places = {str(sector.number): _view_sector(sector, words, stacks) for sector, words, stacks in sectors}
    return BoardView(places, EDGE_LABELS)


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
