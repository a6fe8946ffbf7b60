"""For whom a form or a page was drawn, and whether it is still current."""

from django.http import HttpRequest

from firefight.table.act.table import Table
from firefight.table.seats import devices
from firefight.web.requests import number_in, sent_by

OTHER_SIDE = "This form was drawn for another side, before the device changed hands. Nothing was done."


def is_for_other_side(request: HttpRequest, table: Table) -> bool:
    """Whether a form was drawn before a hot-seat device changed hands."""
    return sent_by(request).get("as", table.side) != table.side


def has_changed_hands(request: HttpRequest, glance: devices.Glance | None) -> bool:
    """Whether the page was drawn "as" a side that this browser no longer acts for."""
    drawn_as = request.GET.get("as")
    return drawn_as is not None and drawn_as != (glance.side if glance else "")


def is_current(request: HttpRequest, glance: devices.Glance | None) -> bool:
    """Whether a page shows the present version, to a browser that still holds its seat."""
    return glance is not None and glance.side != "" and glance.version == number_in(request, "version")
