"""The sector map on paper: who controls what, which sectors are isolated, which units stand where (20.3.4, 20.6)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from campaign.ledger.ledger import Ledger
from campaign.pictures.figures import list_empty_sectors, sector_map
from campaign.presenters.sectors import Spot, list_spots
from campaign.presenters.units import group_units
from campaign.rules.maps import SectorMap
from firefight.drawing.paper import GREY, Paper
from firefight.drawing.pdf import paint
from firefight.drawing.shapes import Drawing, Label
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.sides import Side

from .blocks import PAINTS, PLAIN, WRITING, Block, Heading, Paragraph, Space, Stack, TickChoices, boxes, flow
from .printing import Printing, tell_party

COLUMNS = 3


def draw_map_sheet(printing: Printing) -> Paper:
    """The map on a page of its own, then its sectors one by one, without what its reader may not know."""
    paper = printing.begin("Sector map", _describe_origins(printing.content.sector_map))
    ledger, drawing = printing.ledger, printing.content.sector_map.drawing
    spots = list_spots(ledger) if ledger else []
    picture = sector_map(drawing, spots or list_empty_sectors(printing.content.sector_map), legend=bool(spots))
    room = paper.bottom - paper.y
    width = min(paper.epw, room * picture.width / picture.height)
    picture = picture if ledger else _with_room(picture)
    paint(paper, picture, paper.l_margin + (paper.epw - width) / 2, paper.y, width, PAINTS)
    paper.add_page()
    paper.heading("Units by sector" if ledger else "The sectors one by one")
    flow(paper, list(_lists(paper, ledger, spots) if ledger else _to_fill_in(printing)), COLUMNS)
    return paper


def _lists(paper: Paper, ledger: Ledger, spots: Iterable[Spot]) -> Iterator[Block]:
    for spot in spots:
        cut_off = spot.line is not None and spot.line.is_isolated
        parts: list[Block] = [Paragraph(f"Line to the map edge: {spot.way}" if spot.line else "", ink=GREY)]
        parts += _units(ledger, spot.number)
        head = Heading(str(spot.number), spot.holding.word, "isolated" if cut_off else "")
        yield from boxes(paper, head, parts, COLUMNS)
    yield from boxes(paper, Heading("", "Off the map"), _units(ledger, None), COLUMNS)


def _units(ledger: Ledger, sector: int | None) -> list[Block]:
    """Which units stand in a sector, or off the map, as far as the reader knows."""
    blocks: list[Block] = []
    for side in Side:
        units = [unit for unit in ledger.in_play(side) if unit.sector == sector and ledger.sets_up(unit)]
        if units:
            blocks.append(Paragraph(side.word, PLAIN, bold=True))
            blocks += [Paragraph(tell_party(party)) for party in group_units(ledger, units)]
    return blocks or [Paragraph("nobody that is known of", ink=GREY)]


def _to_fill_in(printing: Printing) -> Iterator[Block]:
    """For the pencil: whose each sector is, and lines for the units in it."""
    edges = printing.content.sector_map.edges
    for number, neighbours in sorted(printing.content.sector_map.neighbours.items()):
        touched = [f"{side.word} edge" for side in Side if number in edges[side]]
        beside = f"beside {join_numbers(neighbours)}{''.join(f'; {edge}' for edge in touched)}"
        choices = TickChoices((*(side.word for side in Side), "threatened", "isolated"))
        yield Stack((Heading(str(number), beside, light=True), choices, Space(WRITING, 6)))


def _with_room(picture: Drawing) -> Drawing:
    """A map with smaller numbers, which leaves more room for the pencil."""
    shapes = [replace(s, size=s.size * 0.7) if isinstance(s, Label) else s for s in picture.shapes]
    return replace(picture, shapes=tuple(shapes))


def _describe_origins(sector_map: SectorMap) -> Iterator[str]:
    """Whose values the parts of the map are."""
    for provenance in dict.fromkeys(sector_map.origins.values()):
        parts = [_PARTS[part] for part, origin in sector_map.origins.items() if origin == provenance]
        yield f"{_WHOSE[provenance]}: {', '.join(parts)}."


_PARTS = {
    "adjacency": "which sectors touch",
    "drawing": "the drawing",
    **{side.value: f"the sectors on the {side.word} edge" for side in Side},
}
_WHOSE = {
    "house": "House values, ours and not the published ones",
    "text": "From the rulebook's text",
    "owner": "From an owner's copy",
}
