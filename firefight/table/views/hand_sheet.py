"""Counters by hand: the sheet on which the selected ones are set."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from firefight.table.act.table import Table
from firefight.table.presenters import present_hand

from .page import show_match
from .seated import seated


@require_GET
@seated
def by_hand(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheet for the selected counters; ``move``: for their place alone."""
    hand = present_hand(table, request.GET.getlist("chosen"), only_moves="move" in request.GET)
    return show_match(request, table, None, [], hand=hand)
