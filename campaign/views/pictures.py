"""Pictures as files, counters and maps; and the page of all counters."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.ledger.content import shipped
from campaign.ledger.ledger import load
from campaign.models import Campaign
from campaign.pictures import figures
from campaign.pictures.paints import MAP
from campaign.presenters.counters import Shown, picture_counter
from campaign.presenters.sectors import list_spots
from firefight.assistant.registry import games
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.seats import Table
from firefight.table.views.access import sitting
from firefight.web.pictures import send_picture


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
    return send_picture(request, drawn, MAP, kind, "no-store")


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
    return [picture_counter("", Side.RUSSIAN, bearer, [mark], mark.word) for mark, bearer in bearers.items()]


def _rows(side: Side, counters: Iterable[Counter]) -> list[dict[str, Any]]:
    return [{"counter": counter, "shown": picture_counter("", side, counter)} for counter in counters]
