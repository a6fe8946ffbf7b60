"""What an answer is measured against: a Django view that writes as many rows and returns the same bytes.

It goes through the same middleware, so it pays the same for cookies, CSRF and headers, and saves as many log entries as
the real one, with their values, in one transaction. It asks for no seat, reads no form, rolls no die, counts no odds,
and draws nothing.
"""

import random
from itertools import count
from typing import Any

from django.conf import settings
from django.db import transaction
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from firefight.models import LogEntry
from firefight.table.views import match

# By match, and kept by each process for itself: the rows' values, and the bytes.
answers: dict[str, tuple[list[dict[str, Any]], bytes]] = {}
# Several processes may write lines of the same match.
numbers = count(random.randrange(1_000_000, 2_000_000_000))


def prepare(request: HttpRequest, match_id: str, slug: str) -> HttpResponse:
    """Let the real view answer, and keep what it answered with where every process finds it."""
    is_card = slug == "due"
    response = match.roll_due(request, match_id=match_id) if is_card else match.roll(request, match_id, slug=slug)
    (settings.DATA_DIR / f"bare-{match_id}").write_bytes(response.content)
    answers.pop(match_id, None)
    return response


def read_answer(match_id: str) -> tuple[list[dict[str, Any]], bytes]:
    """The lines of the newest act as values, and what was kept."""
    newest = LogEntry.objects.filter(match=match_id).first()
    lines = [entry for entry in LogEntry.objects.filter(match=match_id) if entry.act_id == newest.act_id]
    rows = [model_to_dict(entry, exclude=["id", "match", "act", "number"]) | {"match_id": match_id} for entry in lines]
    return rows, (settings.DATA_DIR / f"bare-{match_id}").read_bytes()


def constant(request: HttpRequest, match_id: str) -> HttpResponse:
    """Write the rows and return the bytes as they are."""
    if match_id not in answers:
        answers[match_id] = read_answer(match_id)
    rows, content = answers[match_id]
    with transaction.atomic():
        for row in rows:
            LogEntry(number=next(numbers), **row).save(force_insert=True)
    return HttpResponse(content)


urlpatterns = [
    path("bare/<slug:match_id>/prepare/<slug:slug>/", prepare),
    path("bare/<slug:match_id>/constant/", constant),
    path("", include("config.urls")),
]
