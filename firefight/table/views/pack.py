"""Packing the board away and setting it up again: the page for it, and its sheets on paper."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from firefight.drawing.paper import Format
from firefight.table.act.table import Table
from firefight.table.presenters import describe_table
from firefight.table.story import pack, pack_paper
from firefight.web.answers import refuse_address, send_file

from .access import sitting


@require_GET
@sitting
def pack_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Every counter, drawn, and every note, by place; what only one's own side knows stands apart."""
    _check_board(table)
    ctx = {
        **describe_table(table),
        "headings": table.course.headings(table.match.state.position),
        "sheets": [(sheet, pack.describe_whole(sheet)) for sheet in pack.list_sheets(table)],
        "formats": list(Format),
    }
    return render(request, "firefight/pack.html", ctx)


@require_GET
@sitting
def give_sheet(request: HttpRequest, table: Table) -> HttpResponse:
    """One of the sheets that this browser may have, on the size of paper that the address names."""
    _check_board(table)
    size, name = request.GET.get("paper", Format.A4), request.GET.get("sheet", pack.COMMON)
    if size not in set(Format):
        return refuse_address(request, f"Paper is one of {', '.join(Format)}.")
    sheet = next((paper_sheet for paper_sheet in pack.list_sheets(table) if paper_sheet.slug == name), None)
    if sheet is None:
        return refuse_address(request, f"A sheet is {pack.COMMON}, or {pack.OWN} for a player of a side.")
    headings = table.course.headings(table.match.state.position)
    paper = pack_paper.draw_sheet(sheet, table.match.name, headings, Format(size), timezone.now())
    name = f"volga-{table.match.pk}-board-{sheet.slug}-{size}.pdf"
    return send_file(paper.bytes(), "application/pdf", name)


def _check_board(table: Table) -> None:
    if not table.game.has_board:
        raise Http404("This game keeps no board here.")
