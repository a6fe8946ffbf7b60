"""Counters by hand: the sheet on which the selected ones are set."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.presenters import present_hand
from firefight.table.seats import seating
from firefight.web.requests import number_in

from .page import find_missing_lines, show_match
from .seated import seated


@require_GET
@seated
def by_hand(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheet for the selected counters; ``move``: for their place alone."""
    hand = present_hand(table, request.GET.getlist("chosen"), only_moves="move" in request.GET)
    return show_match(request, table, None, [], hand=hand)


def show_again(request: HttpRequest, table: Table, error: Refused) -> HttpResponse:
    """The sheet as it was sent, with why that was not done: on a phone it covers what stands above the table."""
    table = seating.at_table(request, table.match.pk)
    hand = present_hand(table, request.POST.getlist("id"), only_moves=request.POST["sheet"] == "move")
    typed = replace(hand, trouble=str(error), place=request.POST.get("place", hand.place))
    lines, after = find_missing_lines(request, table), number_in(request, "after")
    return show_match(request, table, None, lines, status=error.status, after=after, hand=typed)
