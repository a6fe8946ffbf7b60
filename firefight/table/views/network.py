"""Letting in phones on the owner's network while the app runs, on request of the machine itself (page of seats)."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from firefight.hosting import gate
from firefight.hosting.gate import NotOpened
from firefight.table.act.table import Table
from firefight.web.tokens import hash_token

from .seated import seated
from .seats import draw_seats, hand_out


@require_POST
@seated
def network(request: HttpRequest, table: Table) -> HttpResponse:
    """Let phones in, or stop doing so. Links that the page has just shown come with the request and are shown again."""
    if not gate.may_open_gate(request):
        raise PermissionDenied("Only the machine that runs the app lets phones in. Nothing was changed.")
    tokens = {seat.side: request.POST.get(f"link-{seat.side}", "") for seat in table.seats}
    links = {seat.side: tokens[seat.side] for seat in table.seats if hash_token(tokens[seat.side]) == seat.token_hash}
    do = request.POST.get("do", "")
    if do == "open":
        try:
            gate.open_gate()
        except NotOpened as error:
            return draw_seats(request, table, links, str(error), 409)
    elif do == "close":
        gate.close_gate()
    else:
        raise Http404("There is no such thing to do with the network.")
    return hand_out(request, table.match.pk, links)
