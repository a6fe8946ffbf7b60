"""What a request says: plain values that were posted, and what htmx adds."""

import re
from collections.abc import Mapping
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

CONTROLS = re.compile(r"[\x00-\x1f\x7f]")  # characters that no line of text contains


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What htmx says about a request: true if htmx sent it. The middleware of django-htmx has put it there."""
    return request.htmx  # type: ignore[attr-defined,no-any-return]  # Django's own type lacks it


def is_by_htmx(request: HttpRequest) -> bool:
    """Whether htmx has sent it. Every act asks this, and ``htmx_of`` would look through all headers first."""
    return _says(request, "HTTP_HX_REQUEST")


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page, rather than following a link to a whole page or going back to one."""
    is_whole = _says(request, "HTTP_HX_BOOSTED") or _says(request, "HTTP_HX_HISTORY_RESTORE_REQUEST")
    return is_by_htmx(request) and not is_whole


def wants_json(request: HttpRequest) -> bool:
    """Whether the request is from another program, which reads JSON and not pages. Browsers always accept HTML, too."""
    accepted = request.META.get("HTTP_ACCEPT", "")
    return "application/json" in accepted and "text/html" not in accepted


def _says(request: HttpRequest, header: str) -> bool:
    return request.META.get(header) == "true"


def sent_by(request: HttpRequest) -> dict[str, str]:
    """What was posted, the last value for each name; as a dictionary, since a roll looks up forty of them."""
    posted: dict[str, str] | None = vars(request).get("sent")
    if posted is None:
        posted = {name: values[-1] if values else "" for name, values in request.POST.lists()}
        vars(request)["sent"] = posted
    return posted


def number_in(request: HttpRequest, name: str) -> int | None:
    """A whole number among the posted values, or in the address; None when there is none."""
    text = sent_by(request).get(name) or (request.GET.get(name, "") if request.GET else "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def join_query(query: QueryDict, more: Mapping[str, str]) -> QueryDict:
    """An address's query, or what was posted, with these values in it."""
    joined = query.copy()
    for name, value in more.items():
        joined[name] = value
    return joined


def zone_of(request: HttpRequest) -> tzinfo:
    """The browser's time zone, as its cookie says (static/volga.js); UTC for an unknown one."""
    name = request.COOKIES.get("zone", "")
    if not re.fullmatch(r"[A-Za-z]+(/[A-Za-z0-9_+-]+){0,2}", name):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
