"""The guard of a view in a match: whoever asks holds a seat, and the form was drawn for its side."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table

from .access import sitting
from .freshness import OTHER_SIDE, is_for_other_side
from .page import show_refusal


def seated(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the Table that this browser sits at; turn away whoever holds no seat.

    What is refused, such as a form that was drawn for the other side of a device, the page of the match says.
    """

    @sitting
    def guarded(request: HttpRequest, table: Table, **parts: object) -> HttpResponse:
        if is_for_other_side(request, table):
            return show_refusal(request, table, Refused(OTHER_SIDE))
        try:
            return view(request, table, **parts)
        except Refused as error:
            return show_refusal(request, table, error)

    return guarded
