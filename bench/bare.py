"""What an answer is compared with: a plain Django view that writes as many rows and returns the same bytes.

It goes through the same middleware, so it pays the same for cookies, CSRF, headers and compression, and writes the
lines, the act and the match's own row in one transaction with the real values. It asks for no seat, reads no form,
rolls no die, counts no odds, and draws nothing.
"""

import random
import uuid
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.conf import settings
from django.db import transaction
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from firefight.models import Act, LogEntry, Match
from firefight.table.views import due_rolls, roll_pages


@dataclass
class Answer:
    """What the real view has written, as values, and what it has answered."""

    lines: list[dict[str, Any]]
    act: dict[str, Any]
    match: dict[str, Any]
    content: bytes


# By match; each process keeps its own.
answers: dict[str, Answer] = {}
# Several processes may write lines of the same match.
numbers = count(random.randrange(1_000_000, 2_000_000_000))
# What an act changes in a match.
CHANGED = ("state", "proposal", "version", "last_number", "digest", "next_roll", "weight", "ended")


def prepare(request: HttpRequest, match_id: str, slug: str) -> HttpResponse:
    """Let the real view answer, and keep what it answered with where every process finds it."""
    if slug == "due":
        response = due_rolls.roll_due(request, match_id=match_id)
    else:
        response = roll_pages.roll(request, match_id, slug=slug)
    (settings.DATA_DIR / f"bare-{match_id}").write_bytes(response.content)
    answers.pop(match_id, None)
    return response


def find_answer(match_id: str) -> Answer:
    """What the newest act of the match has written, and its answer as it was kept."""
    if match_id not in answers:
        newest = LogEntry.objects.filter(match=match_id, act__isnull=False).select_related("act").first()
        lines = LogEntry.objects.filter(act=newest.act).order_by("number")
        table = Match.objects.get(pk=match_id)
        answers[match_id] = Answer(
            [model_to_dict(line, exclude=["id", "match", "act", "number"]) | {"match_id": match_id} for line in lines],
            model_to_dict(newest.act, exclude=["id", "match", "number"]) | {"match_id": match_id},
            {name: getattr(table, name) for name in CHANGED},
            (settings.DATA_DIR / f"bare-{match_id}").read_bytes(),
        )
    return answers[match_id]


def write(request: HttpRequest, match_id: str) -> HttpResponse:
    """Write as many rows as the real view, of the same tables, and return the bytes as they are."""
    answer = find_answer(match_id)
    with transaction.atomic():
        act = Act(id=uuid.uuid4(), number=next(numbers), **answer.act)
        act.save(force_insert=True)
        for line in answer.lines:
            LogEntry(number=next(numbers), act=act, **line).save(force_insert=True)
        Match.objects.filter(pk=match_id).update(**answer.match)
    return HttpResponse(answer.content)


urlpatterns = [
    path("bare/<slug:match_id>/prepare/<slug:slug>/", prepare),
    path("bare/<slug:match_id>/", write),
    path("", include("config.urls")),
]
