"""The host's word: whoever begins a match here must know it, if the host has set one (BEGIN_WORD).

It keeps strangers from filling up a club's machine; seats, links and stories need no word. A browser is asked once.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from firefight.models import Making

from .allowance import hash_keyed, visitor_address

KEY = "host_word"  # in a browser's session
TRIES, HOUR = 20, timedelta(hours=1)  # wrong words from one address


class TooManyTries(Exception):
    """Too many wrong words came from this address."""


def knows_word(request: HttpRequest) -> bool:
    """Whether this browser has said the word, or needs none."""
    return not settings.BEGIN_WORD or secrets.compare_digest(request.session.get(KEY, ""), _mark())


def try_word(request: HttpRequest, word: str) -> bool:
    """Whether this is the word; then the browser is not asked again. Raises TooManyTries."""
    with transaction.atomic():
        visitor, now = _hash("address", visitor_address(request)), timezone.now()
        if Making.objects.filter(visitor=visitor, at__gt=now - HOUR).count() >= TRIES:
            raise TooManyTries
        is_right = secrets.compare_digest(_tidy(word).encode(), _tidy(settings.BEGIN_WORD).encode())
        if not is_right:
            Making.objects.create(visitor=visitor, at=now, size=0)
    if is_right:
        request.session[KEY] = _mark()
    return is_right


def asking_word(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Ask whoever begins something new for the host's word first."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **parts: object) -> HttpResponseBase:
        if knows_word(request):
            return view(request, *args, **parts)
        # What was posted would be lost on the way, so the way on leads back to the start page.
        after = request.get_full_path() if request.method == "GET" else reverse("firefight:home")
        return redirect(f"{reverse('word')}?{urlencode({'next': after})}")

    return guarded


def _mark() -> str:
    """What the session of a browser that has said the word holds: it changes when the host changes the word."""
    return _hash("word", _tidy(settings.BEGIN_WORD))


def _tidy(word: str) -> str:
    return " ".join(word.split()).casefold()


def _hash(kind: str, value: str) -> str:
    return hash_keyed(f"firefight.hosting.host_word.{kind}", value)
