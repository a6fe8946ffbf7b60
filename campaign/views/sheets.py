"""Sheets as PDF: of a campaign as far as the browser knows it, and blank ones; and the page that lists them."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from campaign import sight
from campaign.content import shipped
from campaign.ledger import Ledger
from campaign.sheets import SHEETS
from campaign.sheets.printing import Printing
from firefight.paper import Format
from firefight.seats import Table
from firefight.views.match import sitting

from .ledger import Drawn, known_ledger, ledger_page


@ledger_page
def paper(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """What can be printed, for the size of paper that the address names."""
    asked = request.GET.get("paper")
    return "ledger_paper.html", {"sheets": SHEETS, **sizes(asked)}


def sizes(asked: str | None = None) -> dict[str, Any]:
    """The sizes of paper for a page, and which of them is chosen."""
    return {"formats": list(Format), "format": Format(asked) if asked in set(Format) else Format.A4}


@require_GET
@cache_control(private=True, no_store=True)
@sitting
def sheet(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """A sheet of a campaign, filled in as far as this browser knows it; with ``blank`` in the address, blank."""
    ledger = known_ledger(table)
    if request.GET.get("blank") == "1":
        told, ledger_of_sheet = "to be filled in", None
    else:
        told, ledger_of_sheet = _whose(table), ledger
    order = {
        "content": ledger.content,
        "card": ledger.card,
        "ledger": ledger_of_sheet,
        "subject": f"{table.match.name} · {told}",
    }
    return _file(request, name, f"volga-{table.match.pk}-{name}", order)


def _whose(table: Table) -> str:
    """For whose eyes a sheet is."""
    return f"as the {sight.name_of(table.side)} side knows it" if table.plays else "as both sides may know it"


@require_GET
def blank_sheet(request: HttpRequest, name: str) -> HttpResponse:
    """A sheet of the shipped content for pencil play, without a campaign."""
    return _file(request, name, f"volga-{name}", {"content": shipped(), "subject": "Combat! Stalingrad"})


def _file(request: HttpRequest, name: str, title: str, order: dict[str, Any]) -> HttpResponse:
    """A sheet as a file, on the ``paper`` that the address names."""
    if name not in SHEETS:
        raise Http404("There is no such sheet.")
    asked, blank = request.GET.get("paper", Format.A4), request.GET.get("blank", "")
    if asked not in set(Format):
        return _unread(request, f"Paper is one of {', '.join(Format)}.")
    if blank not in ("", "0", "1"):
        return _unread(request, "A sheet is blank with blank=1, and filled in without it.")
    printing = Printing(size=Format(asked), printed=timezone.now(), **order)
    kind = "" if printing.ledger else "-blank"
    return HttpResponse(
        SHEETS[name].draw(printing).bytes(),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{title}{kind}-{asked}.pdf"'},
    )


def _unread(request: HttpRequest, reason: str) -> HttpResponse:
    return render(request, "400.html", {"reason": reason}, status=400)
