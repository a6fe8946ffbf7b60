"""Pictures as files, counters and maps; and the page of all counters."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaign.ledger.content import pinned, shipped
from campaign.ledger.ledger import Ledger, load
from campaign.models import Campaign, ContentBook
from campaign.pictures import figures
from campaign.pictures.paints import PAINTS
from campaign.presenters import display
from campaign.rules.content import Content
from campaign.rules.counters import Counter
from campaign.rules.rosters import Group
from campaign.rules.sides import Side
from campaign.rules.units import Mark, may_carry
from firefight.drawing import png, svg
from firefight.drawing.shapes import Drawing
from firefight.table.seats import Table
from firefight.table.views.access import sitting

SCALES = ("1", "2", "3")
DIGEST = re.compile("[0-9a-f]{64}")
TYPES = {"svg": "image/svg+xml", "png": "image/png"}
KEPT = "public, max-age=3600"  # a counter looks the same for everybody, and until the app is replaced


@dataclass(frozen=True, slots=True)
class Shown:
    """A counter as a page shows it: the address of its picture, the same in words, and what stands below it."""

    src: str
    told: str
    caption: str = ""


def shown(book: str, side: Side, counter: Counter, marks: Iterable[str] = (), caption: str = "") -> Shown:
    """A counter for a page. ``book``: the content that it belongs to, "" for the shipped one."""
    marks = [Mark(mark) for mark in marks if mark in may_carry(counter.kind)]
    asked = {**({"book": book} if book else {}), **({"marks": " ".join(marks)} if marks else {})}
    address = reverse("campaign:counter-svg", args=[side, counter.key])
    return Shown(f"{address}?{urlencode(asked)}" if asked else address, figures.told(counter, side, marks), caption)


def of_piles(ledger: Ledger, piles: Iterable[display.Pile]) -> list[Shown]:
    """Equal units as one counter each, with their number."""
    book = ledger.campaign.content_id
    return [
        shown(book, Side(pile.unit.side), ledger.counter(pile.unit), pile.unit.marks, f"× {pile.number}")
        for pile in piles
    ]


def of_group(ledger: Ledger, side: Side, group: Group) -> list[Shown]:
    """What a group of a roster brings, with its numbers; what dice decide, with the faces that bring it."""
    book, counters = ledger.campaign.content_id, ledger.content.counters[side]
    certain = [shown(book, side, counters[key], caption=f"× {number}") for key, number in group.contents.items()]
    if not group.mix:
        return certain
    bands = [band for band in group.mix.bands.bands if band.value]
    die = f"d{group.mix.bands.sides}"
    return certain + [shown(book, side, counters[band.value], caption=f"{die}: {band}") for band in bands]


@require_GET
def counter(request: HttpRequest, side: str, key: str, kind: str) -> HttpResponse:
    """The picture of one counter. ``marks`` in the address: its state; ``book``: content other than the shipped."""
    found = _content(request.GET.get("book", "")).counters.get(side, {}).get(key)
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
    known = f"as the {display.name_of(table.side)} knows it" if table.plays else "as both sides know it"
    heading = f"{ledger.card.label} · firefight {ledger.campaign.firefight}, {ledger.time} · {known}"
    drawing = ledger.content.sector_map.drawing
    drawn = figures.sector_map(drawing, display.spots(ledger, None, "", None), heading)
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
        {"side": side, "name": display.name_of(side), "counters": _rows(side, content.counters[side].values())}
        for side in Side
    ]
    states = _states(content.counters[Side.RUSSIAN].values())
    return render(request, "campaign/counters.html", {"sides": sides, "states": states})


def _states(counters: Iterable[Counter]) -> list[Shown]:
    """Each mark on the first counter that may carry it."""
    bearers = {mark: next(each for each in counters if mark in may_carry(each.kind)) for mark in Mark}
    return [shown("", Side.RUSSIAN, bearer, [mark], mark.word) for mark, bearer in bearers.items()]


def _rows(side: Side, counters: Iterable[Counter]) -> list[dict[str, Any]]:
    return [{"counter": counter, "shown": shown("", side, counter)} for counter in counters]
