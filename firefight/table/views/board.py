"""The board of a match: its drawing, which browsers keep, and all of it in words."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from firefight.drawing import svg
from firefight.drawing.board import PAINTS, draw_board, style_board
from firefight.engine.board.board import Board, digest_board
from firefight.table.act.table import Table
from firefight.web.requests import is_by_htmx

from .access import sitting
from .aiming import find_aim
from .match_status import present_status
from .shown_board import find_board, present_board
from .shown_step import show_step

NO_BOARD = "There is no such board."
KEPT = "private, max-age=31536000, immutable"  # the address contains the digest
TYPES = {"svg": "image/svg+xml", "css": "text/css; charset=utf-8"}


@require_GET
def board_file(request: HttpRequest, match_id: str, digest: str, form: str) -> HttpResponse:
    """What is printed on the board, or where its places lie."""
    return keep_board(request, _send_board(request, match_id, digest=digest, form=form), digest)


@sitting
def _send_board(request: HttpRequest, table: Table, digest: str, form: str) -> HttpResponse:
    return send_board(find_board(table), digest, form)


def send_board(board: Board | None, digest: str, form: str) -> HttpResponse:
    """The drawing of a board, "svg", or the style sheet of its places, "css". Raises Http404 unless it is this one."""
    if board is None or digest_board(board) != digest:
        raise Http404(NO_BOARD)
    content = svg.document(draw_board(board), PAINTS) if form == "svg" else style_board(board)
    return HttpResponse(content, content_type=TYPES[form])


def keep_board(request: HttpRequest, response: HttpResponse, digest: str) -> HttpResponse:
    """The same answer for a browser to cache, or 304 where it has it already."""
    tag = f'"{digest}"'
    if response.status_code == 200:
        if request.headers.get("If-None-Match") == tag:
            response = HttpResponse(status=304)
        response["Cache-Control"], response["ETag"] = KEPT, tag
    return response


@require_GET
@sitting
def board_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The board in words, place by place; for htmx only the tapped place, with what may be decided there."""
    ctx = present_status(table)
    is_apart = table.game.board_apart
    if is_apart:
        ctx["shown_board"] = present_board(table, show_step(table))
        ctx["aim"] = find_aim(table, request.GET.getlist("chosen"))
    if ctx["shown_board"] is None and not is_apart:
        raise Http404(NO_BOARD)
    ctx["at"] = request.GET.get("at", "")
    is_part = is_by_htmx(request)
    return render(request, "firefight/_board_place.html" if is_part else "firefight/board.html", ctx)
