"""What a helper's answer is measured against: the least that a Django view does to give the same answer.

All three go through the same middleware, so they pay the same for cookies, CSRF and headers. Each saves one
log entry with the real one's values, in one transaction. They read no form, roll no die, count no odds and
look nothing up in the match:

- ``seated`` checks the session against the seats, as every view of a match must, and renders the real answer's
  template with the very context of the real answer, prepared once;
- ``unseated`` does the same for anybody who asks;
- ``constant`` has the bytes already.
"""

from dataclasses import dataclass
from itertools import count
from typing import Any
from unittest.mock import patch

from django.db import transaction
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from firefight.assistant import desk
from firefight.models import LogEntry
from firefight.table.seats import Table
from firefight.table.views import match


@dataclass(frozen=True, slots=True)
class Prepared:
    """A real answer taken apart: template and context, the row that it wrote, and the bytes."""

    template: str
    context: dict[str, Any]
    row: dict[str, Any]
    content: bytes
    numbers: count


answers: dict[str, Prepared] = {}


def prepare(request: HttpRequest, match_id: str, slug: str) -> HttpResponse:
    """Let the real view answer, and keep what it answered with."""
    with patch.object(desk, "render", wraps=desk.render) as rendering:
        response = match.roll(request, match_id=match_id, slug=slug)
    _, template, context = rendering.call_args.args
    entry = LogEntry.objects.filter(match=match_id).first()
    row = model_to_dict(entry, exclude=["id", "match", "act", "number"]) | {"match_id": match_id}
    answers[match_id] = Prepared(template, context, row, response.content, count(entry.number + 1))
    return response


def write(match_id: str) -> Prepared:
    """Save one row, and return what is to be answered."""
    answer = answers[match_id]
    with transaction.atomic():
        LogEntry(number=next(answer.numbers), **answer.row).save(force_insert=True)
    return answer


def unseated(request: HttpRequest, match_id: str) -> HttpResponse:
    """Write a row and render the same template with the same context."""
    answer = write(match_id)
    if form := answer.context["desk"].form:
        form._bound_fields_cache.clear()  # as it was when the real answer was rendered
    return render(request, answer.template, answer.context)


@match.seated
def seated(request: HttpRequest, table: Table) -> HttpResponse:
    """The same for whoever holds a seat."""
    return unseated(request, table.match.pk)


def constant(request: HttpRequest, match_id: str) -> HttpResponse:
    """Write a row and return the bytes as they are."""
    return HttpResponse(write(match_id).content)


urlpatterns = [
    path("bare/<slug:match_id>/prepare/<slug:slug>/", prepare),
    path("bare/<slug:match_id>/seated/", seated),
    path("bare/<slug:match_id>/unseated/", unseated),
    path("bare/<slug:match_id>/constant/", constant),
    path("", include("config.urls")),
]
