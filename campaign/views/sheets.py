"""Sheets as PDF: of a campaign as far as the browser may know it, and blank ones; and the page that lists them."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods

from campaign.ledger.content import shipped
from campaign.ledger.ledger import Ledger
from campaign.sheets import SHEETS
from campaign.sheets.printing import Printing
from firefight.drawing.paper import Format
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.hosting.addresses import is_local
from firefight.table.act.table import Table
from firefight.table.seats.cover_pins import BadPin, check_pin
from firefight.table.seats.seating import issue_link
from firefight.table.views.access import sitting
from firefight.table.views.freshness import OTHER_SIDE, is_for_other_side
from firefight.table.views.seats import LONGEST_PIN, link_address, public_address
from firefight.web.answers import refuse_address, send_file

from .ledger import Drawn, known_ledger, ledger_page

ONLY_HERE = (
    "Only this machine could open it. Press “Let a phone in” on the page Seats; where it has none, start the app with "
    "LAN=1, and open it at the address that it prints."
)


@ledger_page
def paper(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """What can be printed, for the size of paper that the address names."""
    paper_name = request.GET.get("paper")
    return "campaign/paper.html", {"sheets": SHEETS, **list_sizes(paper_name)}


def list_sizes(name: str | None = None) -> dict[str, object]:
    """The sizes of paper for a page, and the chosen one."""
    return {"formats": list(Format), "format": Format(name) if name in set(Format) else Format.A4}


@require_http_methods(["GET", "POST"])
@cache_control(private=True, no_store=True)
@sitting
def sheet(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """A sheet of a campaign, filled in as far as this browser knows it; with ``blank`` in the address, blank.

    A posted one is the record with a new way back to the player's seat on it.
    """
    way_back = ""
    if request.method == "POST":
        if name != "record":
            return HttpResponseNotAllowed(["GET"])
        try:
            way_back = _new_way_back(request, table)
        except (BadPin, NotPrinted) as error:
            ctx = {"reason": str(error), "back": reverse("campaign:paper", args=[table.match.pk])}
            return render(request, "firefight/refused.html", ctx, status=403)
    ledger = known_ledger(table)
    if request.GET.get("blank") == "1":
        viewpoint, ledger_of_sheet = "to be filled in", None
    else:
        viewpoint, ledger_of_sheet = _whose(table), ledger
    order = {
        "content": ledger.content,
        "card": ledger.card,
        "ledger": ledger_of_sheet,
        "subject": f"{table.match.name} · {viewpoint}",
        "way_back": way_back,
    }
    return _file(request, name, f"volga-{table.match.pk}-{name}", order)


def _new_way_back(request: HttpRequest, table: Table) -> str:
    """The address of a new way back to the player's seat; the one before ends. Raises BadPin, NotPrinted."""
    if not table.plays:
        raise NotPrinted("Observers have no way back: their link works again and again.")
    if is_for_other_side(request, table):
        raise NotPrinted(OTHER_SIDE)
    if is_local(public_address(request, "/")):
        raise NotPrinted(f"{ONLY_HERE} Nothing was changed.")
    check_pin(table.seat.pk, request.POST.get("pin", "")[:LONGEST_PIN])
    return link_address(request, issue_link(table, table.side))


def _whose(table: Table) -> str:
    """For whose eyes a sheet is."""
    return f"as the {Side(table.side).word} side knows it" if table.plays else "as both sides may know it"


@require_GET
def blank_sheet(request: HttpRequest, name: str) -> HttpResponse:
    """A sheet of the shipped content for pencil play, without a campaign."""
    return _file(request, name, f"volga-{name}", {"content": shipped(), "subject": "Combat! Stalingrad"})


class NotPrinted(Exception):
    """A way back that is not printed; the message says why."""


def _file(request: HttpRequest, name: str, title: str, order: Json) -> HttpResponse:
    """A sheet as a file, on the ``paper`` that the address names."""
    if name not in SHEETS:
        raise Http404("There is no such sheet.")
    size, blank = request.GET.get("paper", Format.A4), request.GET.get("blank", "")
    if size not in set(Format):
        return refuse_address(request, f"Paper is one of {', '.join(Format)}.")
    if blank not in ("", "0", "1"):
        return refuse_address(request, "A sheet is blank with blank=1, and filled in without it.")
    printing = Printing(size=Format(size), printed=timezone.now(), **order)
    kind = "" if printing.ledger else "-blank"
    return send_file(SHEETS[name].draw(printing).bytes(), "application/pdf", f"{title}{kind}-{size}.pdf")
