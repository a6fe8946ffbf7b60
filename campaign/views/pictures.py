"""Pictures as files, counters and maps; and the page of all counters."""

import re
from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.ledger.content import pinned, shipped
from campaign.ledger.ledger import load
from campaign.models import Campaign, ContentBook
from campaign.pictures import figures
from campaign.pictures.paints import PAINTS
from campaign.presenters.counters import Shown, show_counter
from campaign.presenters.sectors import list_spots
from campaign.rules.content import Content
from campaign.rules.counters import Counter
from campaign.rules.reading import GAME
from campaign.rules.sides import Side
from campaign.rules.units import Mark, may_carry
from firefight.assistant.registry import games
from firefight.drawing import png, svg
from firefight.drawing.shapes import Drawing
from firefight.table.seats import Table
from firefight.table.views.access import sitting

SCALES = ("1", "2", "3")
DIGEST = re.compile("[0-9a-f]{64}")
TYPES = {"svg": "image/svg+xml", "png": "image/png"}
KEPT = "public, max-age=3600"  # a counter looks the same for everybody, and until the app is replaced


@require_GET
def counter(request: HttpRequest, side: str, key: str, kind: str) -> HttpResponse:
    """The picture of one counter. ``marks`` in the address: its state; ``book``: content other than the shipped."""
    counters = _content(request.GET.get("book", "")).counters
    found = counters[Side(side)].get(key) if side in set(Side) else None
    if found is None:
        raise Http404("There is no such counter.")
    marks = request.GET.get("marks", "").split()
    if not set(marks) <= may_carry(found.kind):
        return _unread(request, f"A counter such as {found.name} does not carry these marks.")
    return _file(request, figures.counter(found, Side(side), [Mark(mark) for mark in marks]), kind, KEPT)


def _content(book: str) -> Content:
    """The shipped content, or the one that a campaign is played with. Raises Http404."""
    if not book:
        return shipped()
    try:
        return pinned(book if DIGEST.fullmatch(book) else "")
    except ContentBook.DoesNotExist:
        raise Http404("There is no such content.") from None


@require_GET
@sitting
def map_picture(request: HttpRequest, table: Table, kind: str) -> HttpResponse:
    """The map of a campaign as a file, as far as this browser knows it."""
    try:
        ledger = load(table.match).known(table.sees)
    except Campaign.DoesNotExist:
        raise Http404("This match has no campaign.") from None
    known = f"as the {Side(table.side).label} knows it" if table.plays else "as both sides know it"
    heading = f"{ledger.card.label} · firefight {ledger.campaign.firefight}, {ledger.time} · {known}"
    drawing = ledger.content.sector_map.drawing
    drawn = figures.sector_map(drawing, list_spots(ledger), heading)
    return _file(request, drawn, kind, "no-store")


def _file(request: HttpRequest, drawing: Drawing, kind: str, kept: str) -> HttpResponse:
    """A drawing as a file. A PNG has as many points for each unit as ``scale`` in the address says."""
    scale = request.GET.get("scale", SCALES[0])
    if scale not in SCALES:
        return _unread(request, f"A picture's scale is one of {', '.join(SCALES)}.")
    painted = png.png(drawing, PAINTS, int(scale)) if kind == "png" else svg.document(drawing, PAINTS)
    return HttpResponse(painted, content_type=TYPES[kind], headers={"Cache-Control": kept})


def _unread(request: HttpRequest, reason: str) -> HttpResponse:
    return render(request, "400.html", {"reason": reason}, status=400)


@require_GET
def gallery(request: HttpRequest) -> HttpResponse:
    """All counters of both sides of the shipped content, with whose values they bear."""
    content = shipped()
    sides = [
        {"side": side, "name": side.label, "counters": _rows(side, content.counters[side].values())} for side in Side
    ]
    states = _states(content.counters[Side.RUSSIAN].values())
    return render(request, "campaign/counters.html", {"game": games()[GAME], "sides": sides, "states": states})


def _states(counters: Iterable[Counter]) -> list[Shown]:
    """Each mark on the first counter that may carry it."""
    bearers = {mark: next(each for each in counters if mark in may_carry(each.kind)) for mark in Mark}
    return [show_counter("", Side.RUSSIAN, bearer, [mark], mark.word) for mark, bearer in bearers.items()]


def _rows(side: Side, counters: Iterable[Counter]) -> list[dict[str, Any]]:
    return [{"counter": counter, "shown": show_counter("", side, counter)} for counter in counters]
