"""A match's page, and what is new on it."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from firefight.table.act.table import Table
from firefight.table.log import reading
from firefight.table.presenters import describe_table, table_of
from firefight.table.rolling import joint
from firefight.table.seats import devices, visits
from firefight.web.requests import number_in

from . import programs
from .access import page_anew
from .desks import find_desk
from .freshness import has_changed_hands, is_current
from .page import BESIDE_DESK, show_match, show_news
from .seated import seated


@require_http_methods(["GET"])
@seated
def match_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The match: its status, the next due roll or the helpers, the log."""
    visits.note_shown(request, table)
    return show_match(request, table, find_desk(table, []), [], since=visits.find_missed(table))


@require_GET
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """What is new since the page last asked. One cheap query and an empty answer when nothing is."""
    glance = devices.glance(request, match_id)
    if has_changed_hands(request, glance):
        return page_anew()
    return HttpResponse(status=204) if is_current(request, glance) else news(request, match_id)


@require_GET
def hands(request: HttpRequest, match_id: str) -> HttpResponse:
    """Whether this hot-seat device has changed hands since a page was drawn: then the page makes way. One query."""
    return page_anew() if has_changed_hands(request, devices.glance(request, match_id)) else HttpResponse(status=204)


@seated
def news(request: HttpRequest, table: Table) -> HttpResponse:
    """The log lines and the status that a page does not show yet, and the desk if the news changes it."""
    after = number_in(request, "after") or 0
    visits.note_shown(request, table)
    lines = reading.read_since(table.match, table.sees, after)
    if reading.are_too_many(lines) or table.match.ended:  # nothing on the page may be pressed any more
        return page_anew()
    is_new = any(line.kind not in BESIDE_DESK for line in lines if line.number > after)
    return show_news(request, table, lines, after, is_new)


@require_GET
@seated
def places(request: HttpRequest, table: Table) -> HttpResponse:
    """The places with their counters, for a page on which some have moved."""
    ctx = {**describe_table(table), "places": table_of(table), "joint_at": joint.places_of_counters(table)}
    return render(request, "firefight/_table_news.html", ctx)


@require_GET
@seated
def match_json(request: HttpRequest, table: Table) -> JsonResponse:
    """For other programs: how the match stands, the lines after a number, the token for what they post."""
    after = number_in(request, "after")
    lines = [] if after is None else reading.read_since(table.match, table.sees, after)
    answer = {"token": get_token(request), "lines": programs.describe_lines(lines)}
    return JsonResponse({**answer, **programs.describe_match(table)})
