"""The sector map as the frame's page shows a board: its places are links, its drawing is kept by the browser."""

from collections.abc import Mapping

from django.urls import reverse

from campaign.rules.maps import SectorMap, lay_sectors
from firefight.engine.board.board import Board, BoardView, digest_board
from firefight.models import Match
from firefight.table.views.shown_board import BoardAddresses, ShownBoard, show_places


def show_sectors(
    sector_map: SectorMap, view: BoardView, links: Mapping[int, str], match: Match | None = None, query: str = ""
) -> ShownBoard:
    """The map with what is known. ``links``: where a tap on each sector leads.

    ``match``: whose map it is, None for the shipped one; ``query``: to be added to its addresses.
    """
    board = lay_sectors(sector_map)
    places = show_places(board, view, {}, links={str(number): link for number, link in links.items()})
    return ShownBoard(board, address_board(board, match, query), view.status, places)


def address_board(board: Board, match: Match | None = None, query: str = "") -> BoardAddresses:
    """Where the drawing of a map and its style sheet are, for a match or for the shipped map."""
    of_match = [match.pk] if match else []
    name = "campaign:board" if match else "campaign:shipped-board"
    drawing, style = (
        f"{reverse(f'{name}-{form}', args=[*of_match, digest_board(board)])}{query}" for form in ("svg", "css")
    )
    return BoardAddresses(drawing, style)
