"""How much one visitor may store in an hour: new matches, branches, opened files, copies, chart books.

Off on a private host; docs/running.md says how to set it. It is counted by browser, with a mark in its session, and by
network address, with more room, since several players may share one. Only keyed hashes of both are stored.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Min, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from firefight.models import Making

from .addresses import find_network

HOUR = timedelta(hours=1)
BROWSERS = 4  # at one address, on average
A_MATCH, A_BOOK = 30_000, 60_000  # rough bytes of a new match and of a chart book


class TooMuch(Exception):
    """This visitor has stored as much as anybody may in an hour. ``wait``: minutes until there is room again."""

    def __init__(self, wait: int):
        self.wait = wait
        unit = "minute" if wait == 1 else "minutes"
        super().__init__(
            "That is as much as one visitor may store here in an hour: "
            f"{settings.NEW_PER_HOUR} new matches, copies or books, or {settings.NEW_MEGABYTES_PER_HOUR} MB. "
            f"Try again in {wait} {unit}; what you have made goes on as before."
        )


def spend(request: HttpRequest, size: int = A_MATCH) -> None:
    """Note that this visitor is about to store something of roughly this size in bytes. Raises TooMuch."""
    if not settings.NEW_PER_HOUR:
        return
    now = timezone.now()
    bounds = {_browser(request): 1, _hashed("address", visitor_address(request)): BROWSERS}
    with transaction.atomic():
        Making.objects.filter(at__lte=now - HOUR).delete()
        for visitor, share in bounds.items():
            _check(visitor, share, size, now)
        Making.objects.bulk_create(Making(visitor=visitor, at=now, size=size) for visitor in bounds)


def _check(visitor: str, share: int, size: int, now: datetime) -> None:
    spent = Making.objects.filter(visitor=visitor).aggregate(number=Count("pk"), size=Sum("size"), first=Min("at"))
    most = settings.NEW_MEGABYTES_PER_HOUR * 1_000_000 * share
    is_first = not spent["number"]  # so that even the largest file can be opened, however low the bound
    if not is_first and (spent["number"] >= settings.NEW_PER_HOUR * share or spent["size"] + size > most):
        wait_left = spent["first"] + HOUR - now
        raise TooMuch(max(1, -(-wait_left.seconds // 60)))


def _browser(request: HttpRequest) -> str:
    mark = request.session.setdefault("visitor", secrets.token_urlsafe(12))
    return _hashed("browser", mark)


def _hashed(kind: str, value: str) -> str:
    return hash_keyed(f"firefight.hosting.allowance.{kind}", value)


def hash_keyed(use: str, value: str) -> str:
    """How something guessable is stored, such as an address: nobody can try guesses without the host's key."""
    return salted_hmac(use, value, algorithm="sha256").hexdigest()


def visitor_address(request: HttpRequest) -> str:
    """The visitor's network."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    return find_network(request.META.get("REMOTE_ADDR", ""), forwarded)


def counting_visits(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer in words a visitor who has stored too much."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **parts: object) -> HttpResponse:
        try:
            return view(request, *args, **parts)
        except TooMuch as error:
            response = render(request, "firefight/refused.html", {"reason": str(error)}, status=429)
            response["Retry-After"] = str(error.wait * 60)
            return response

    return guarded
