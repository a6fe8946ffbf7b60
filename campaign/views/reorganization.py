"""The page of the Reorganization Phase after a firefight, and the odds of its battles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.ledger.ledger import Ledger
from campaign.presenters.reorganization import NO_ODDS, list_recent, present_outlook, present_step
from campaign.rules.stages import Stage
from firefight.table.act.table import Table
from firefight.table.views.access import sitting
from firefight.web.requests import wants_part

from .ledger import Drawn, known_ledger, ledger_page


@ledger_page
def reorganization(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The step of the phase."""
    if ledger.stage is not Stage.REORGANIZATION:
        return "campaign/no_reorganization.html", {"recent": list_recent(table)}
    return "campaign/reorganization.html", present_step(table, ledger, request.POST)


@require_GET
@sitting
def outlook(request: HttpRequest, table: Table) -> HttpResponse:
    """The odds of holding the sector: worked on for a moment, and asked for again until they are there."""
    ledger = known_ledger(table)
    odds = present_outlook(table, ledger) if ledger.stage is Stage.REORGANIZATION else NO_ODDS
    template = "campaign/_outlook.html" if wants_part(request) else "campaign/outlook.html"
    return render(request, template, {"match": table.match, "alone": not wants_part(request), **odds})
