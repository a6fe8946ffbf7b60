"""What a request says: plain values that were posted, and what htmx adds."""

import re
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

CONTROLS = re.compile(r"[\x00-\x1f\x7f]")  # characters that no line of text holds


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What htmx says of a request: true if htmx sent it. The middleware of django-htmx has noted it there."""
    return request.htmx  # type: ignore[attr-defined,no-any-return]  # Django's own type does not know of it


def is_by_htmx(request: HttpRequest) -> bool:
    """Whether htmx has sent it. Every act asks this; ``htmx_of`` looks through all headers first."""
    return _says(request, "HTTP_HX_REQUEST")


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page: not where it follows a link for all of it, or brings one back."""
    is_whole = _says(request, "HTTP_HX_BOOSTED") or _says(request, "HTTP_HX_HISTORY_RESTORE_REQUEST")
    return is_by_htmx(request) and not is_whole


def wants_json(request: HttpRequest) -> bool:
    """Whether another program asks, which reads JSON and no pages. Browsers always take HTML, too."""
    accepted = request.META.get("HTTP_ACCEPT", "")
    return "application/json" in accepted and "text/html" not in accepted


def _says(request: HttpRequest, header: str) -> bool:
    return request.META.get(header) == "true"


def sent_by(request: HttpRequest) -> dict[str, str]:
    """What was posted, the last value of each name; in a dictionary, since a roll asks forty times for one of them."""
    known: dict[str, str] | None = vars(request).get("sent")
    if known is None:
        known = {name: values[-1] if values else "" for name, values in request.POST.lists()}
        vars(request)["sent"] = known
    return known


def number_in(request: HttpRequest, name: str) -> int | None:
    """A whole number among the posted values, or in the address; None when there is none."""
    text = sent_by(request).get(name) or (request.GET.get(name, "") if request.GET else "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def zone_of(request: HttpRequest) -> tzinfo:
    """The browser's time zone, as it has named it in a cookie (static/volga.js); UTC for one that nobody knows."""
    name = request.COOKIES.get("zone", "")
    if not re.fullmatch(r"[A-Za-z]+(/[A-Za-z0-9_+-]+){0,2}", name):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
