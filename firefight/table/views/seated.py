"""The guard of a view in a match: the browser holds a seat, and the form was drawn for its side."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table

from .access import sitting
from .freshness import OTHER_SIDE, is_for_other_side
from .page import show_refusal


def seated(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the Table that this browser sits at; turn away a browser without a seat.

    The page of the match shows any refusal, such as that of a form drawn for the other side of a device.
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
