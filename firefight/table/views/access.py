"""Who is asking: the seat that a browser holds in a match, and what every view of a match needs of a request."""

from collections.abc import Callable

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from firefight.models import Match
from firefight.table.seats import seating
from firefight.table.seats.seating import Covered, NoSeat
from firefight.web.requests import htmx_of, wants_json

NO_SEAT = "You hold no seat in such a match: open a seat's link first, and send back the cookies that you are given."
COVERED = "The cover lies over this match: lift it for a side first."


def sitting(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the Table that this browser sits at, whatever its form says."""

    def guarded(request: HttpRequest, match_id: str, **parts: object) -> HttpResponse:
        try:
            table = seating.at_table(request, match_id)
        except NoSeat:
            if htmx_of(request).boosted:  # or only a part of the answer would be shown
                return to_page(request, request.path)
            return turn_away(request)
        except Covered:
            if wants_json(request):
                return JsonResponse({"error": COVERED}, status=403)
            return to_page(request, reverse("firefight:cover", args=[match_id]))
        try:
            response = view(request, table, **parts)
            if request.method == "POST" and table.missed:
                seating.say_here(table)  # after the act, whose form knows nothing of it
        except (ObjectDoesNotExist, NoSeat) as error:  # something has been deleted since the table was read
            if not Match.objects.filter(pk=match_id).exists():
                raise Http404("There is no such match any more.") from None
            if isinstance(error, NoSeat):
                return turn_away(request)
            raise
        # Nothing of a match stays in a cache, so that Back cannot reveal what a hot-seat cover hides.
        response["Cache-Control"] = "no-store"
        return response

    return guarded


def turn_away(request: HttpRequest) -> HttpResponse:
    """Say that this browser holds no seat or there is no match, without saying which; an open page makes way."""
    if wants_json(request):
        return JsonResponse({"error": NO_SEAT}, status=403)
    response = refuse_seat(request)
    if htmx_of(request):
        response["HX-Refresh"] = "true"
    return response


def refuse_seat(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse what only other players may do, or anybody without a seat."""
    return render(request, "firefight/no_seat.html", {"reason": reason}, status=403)


def to_page(request: HttpRequest, address: str) -> HttpResponse:
    """Send the browser to another page, for htmx as for a plain form; Back asks for the page itself."""
    if htmx_of(request) and not htmx_of(request).history_restore_request:
        response = HttpResponse()
        response["HX-Redirect"] = address
        return response
    return redirect(address)


def page_anew() -> HttpResponse:
    """Have htmx reload the whole page: it has missed too much to be patched."""
    response = HttpResponse()
    response["HX-Refresh"] = "true"
    return response
