"""A player asks to be guided, chooses on the way, and leaves: none of it changes the match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.web.addresses import address_of
from firefight.web.requests import is_by_htmx, sent_by

from .match_status import present_status
from .seated import seated
from .shown_guide import lead_on, show_guide

LONGEST = 80  # characters of what is chosen


@require_POST
@seated
def lead(request: HttpRequest, table: Table) -> HttpResponse:
    """Begin to guide this device's player, go on with what was chosen, or stop ("do": "leave")."""
    sent = sent_by(request)
    if show_guide(request, table) is None:
        raise Refused("Nobody can be led here now: it is not your part of the turn, or this game leads nobody.")
    lead_on(request, table, None if sent.get("do") == "leave" else sent.get("choice", "")[:LONGEST])
    if not is_by_htmx(request):
        return redirect(address_of("firefight:match", table.match.pk) + "#due")
    ctx = {**present_status(table), "guide": show_guide(request, table), "takes_focus": True}
    return render(request, "firefight/_checklist.html", ctx)
