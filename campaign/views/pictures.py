"""Pictures as files, counters and maps; and the page of all counters."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.ledger.content import shipped
from campaign.pictures import figures
from campaign.pictures.paints import MAP
from campaign.presenters.counters import CounterPicture, picture_counter
from campaign.presenters.film import film_of, find_frame, sees_then
from campaign.presenters.sectors import list_spots
from campaign.rules.maps import lay_sectors
from firefight.drawing import gif
from firefight.engine.board.board import digest_board
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.registry import games
from firefight.table.act.table import Table
from firefight.table.views.access import sitting
from firefight.table.views.board import keep_board, send_board
from firefight.web.pictures import send_picture
from firefight.web.requests import number_in

from .ledger import known_ledger


@require_GET
@sitting
def map_picture(request: HttpRequest, table: Table, kind: str) -> HttpResponse:
    """The map of a campaign as a file, as far as this browser knows it."""
    ledger = known_ledger(table)
    place = number_in(request, "chapter")
    if place is not None:
        return _send_chapter(request, table, place, kind)
    viewpoint = f"as the {Side(table.side).word} knows it" if table.plays else "as both sides know it"
    heading = f"{ledger.card.label} · firefight {ledger.campaign.firefight}, {ledger.time} · {viewpoint}"
    drawing = ledger.content.sector_map.drawing
    map_drawing = figures.sector_map(drawing, list_spots(ledger), heading)
    return send_picture(request, map_drawing, MAP, kind, "no-store")


@require_GET
def board_file(request: HttpRequest, match_id: str, digest: str, form: str) -> HttpResponse:
    """What is printed on the sector map of a campaign, "svg", or where its sectors lie, "css"; for browsers to keep."""
    return keep_board(request, _send_board(request, match_id, digest=digest, form=form), digest)


@sitting
def _send_board(request: HttpRequest, table: Table, digest: str, form: str) -> HttpResponse:
    """The map that is played on; ``chapter`` in the address: the one of a chapter that had other content."""
    board = lay_sectors(known_ledger(table).content.sector_map)
    place = number_in(request, "chapter")
    if place is not None and digest_board(board) != digest and (frame := find_frame(table.match, place, table.sees)):
        board = lay_sectors(frame.ledger.content.sector_map)
    return send_board(board, digest, form)


@require_GET
def shipped_board_file(request: HttpRequest, digest: str, form: str) -> HttpResponse:
    """The same for the shipped map."""
    return keep_board(request, send_board(lay_sectors(shipped().sector_map), digest, form), digest)


def _send_chapter(request: HttpRequest, table: Table, place: int, kind: str) -> HttpResponse:
    """The map at the beginning of a chapter."""
    frame = find_frame(table.match, place, sees_then(table.match, table.sees))
    if frame is None:
        raise Http404("There is no such chapter.")
    return send_picture(request, frame.drawing, MAP, kind, "no-store")


@require_GET
@sitting
def film_picture(request: HttpRequest, table: Table) -> HttpResponse:
    """The map chapter by chapter as one moving picture, as far as this browser may know it."""
    frames = film_of(table.match, sees_then(table.match, table.sees), most=gif.MOST_FRAMES)
    if not frames:
        raise Http404("There is nothing to show yet.")
    name = f"volga-{table.match.pk}.gif"
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}"'}
    painted = gif.gif([frame.drawing for frame in frames], MAP)
    return HttpResponse(painted, content_type="image/gif", headers=headers)


@require_GET
def gallery(request: HttpRequest) -> HttpResponse:
    """All counters of both sides of the shipped content, with whose values they show."""
    content = shipped()
    sides = [
        {
            "side": side,
            "name": side.word,
            "counters": [{"counter": kind, "picture": picture_counter("", side, kind)} for kind in counters.values()],
        }
        for side, counters in content.counters.items()
    ]
    states = _states(content.counters[Side.RUSSIAN].values())
    return render(request, "campaign/counters.html", {"game": games()[GAME], "sides": sides, "states": states})


def _states(counters: Iterable[Counter]) -> list[CounterPicture]:
    """Each mark on the first counter that may carry it."""
    bearers = {mark: next(counter for counter in counters if mark in may_carry(counter.kind)) for mark in Mark}
    return [picture_counter("", Side.RUSSIAN, bearer, [mark], mark.word) for mark, bearer in bearers.items()]
