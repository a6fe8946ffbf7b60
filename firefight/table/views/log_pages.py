"""The log: what came before, what a filter finds, why a roll came out so, all of it as a file, its dice checked."""

from collections.abc import Collection

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from firefight.assistant.desk import render_part
from firefight.table import demo_hints
from firefight.table.act.table import Table
from firefight.table.board import counters
from firefight.table.log import fairness, filtering, reading, telling
from firefight.table.log.episodes import first_episodes, newest_episodes, newest_found, read_episodes
from firefight.table.log.reading import OLDER_ROOM, PAGE_ROOM
from firefight.table.presenters import describe_table, picture_lines
from firefight.table.rolling import replay
from firefight.web.answers import send_file
from firefight.web.requests import number_in, wants_part

from .match_status import present_status
from .page import find_untried
from .seated import seated


@require_GET
@seated
def older(request: HttpRequest, table: Table) -> HttpResponse:
    """The log before an entry, or what a filter finds in it: by counters, side, place or kind of line."""
    known_counters = counters.known_to(table) if "about" in request.GET else {}
    sought, before = read_sought(request, table, known_counters), number_in(request, "before")
    if sought.query:
        among = filtering.find_entries(table.match, table.sees, sought)
        episodes = newest_found(table.match, table.sees, among, before)
    else:
        episodes = newest_episodes(table.match, table.sees, before)
    episodes = first_episodes(episodes, OLDER_ROOM if wants_part(request) else PAGE_ROOM)
    ctx = {
        **present_status(table),
        "episodes": episodes,
        "about": [known_counters[counter_id] for counter_id in sought.about],
    }
    ctx["pictured"] = picture_lines(table, episodes)
    # On the match's page the lines that a filter finds stand beside the log itself.
    ctx |= {"sought": sought, "doubled": wants_part(request) and bool(sought.query or "kind" in request.GET)}
    return render_part(
        request, "firefight/log.html", "firefight/_older.html", {**ctx, "kinds": filtering.list_kinds(table.match)}
    )


@require_GET
@seated
def open_episode(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """All lines of an episode of the log, with their dice, as this browser may read them."""
    episodes = read_episodes(table.match, table.sees, [number])
    if not episodes or episodes[0].number != number or episodes[0].first.number != number:
        raise Http404("No episode of this log begins there.")
    ctx = {
        **present_status(table),
        "lines": episodes[0].lines,
        "tell_line": telling.tell_line,
        "sentence": episodes[0].sentence,
        "doubled": wants_part(request),
    }
    ctx["pictured"] = picture_lines(table, episodes[0].lines)
    return render_part(request, "firefight/log_episode.html", "firefight/_episode_lines.html", ctx)


@require_GET
@seated
def explain(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """The modifiers and sources of a logged roll, if this browser may read it."""
    entry = reading.readable(table.match.log.filter(number=number), table.sees).first()
    if entry is None or entry.result is None:
        raise Http404("There is no such roll in this log.")
    line = reading.visible([entry], table.sees)[0]
    ctx = {**describe_table(table), "line": line, "result": entry.result}
    if table.match.expires:
        request.session[demo_hints.LOOKED] = table.match.pk
    ctx["trying"] = find_untried(request, table.match)
    return render_part(request, "firefight/log_why.html", "firefight/_log_why.html", ctx)


def read_sought(request: HttpRequest, table: Table, known_ids: Collection[str]) -> filtering.Sought:
    """What an address asks of the log; counters that are unknown here are left out."""
    side, kind = request.GET.get("side", ""), request.GET.get("kind", "")
    return filtering.Sought(
        about=[
            counter_id for counter_id in request.GET.getlist("about")[: filtering.MOST_ABOUT] if counter_id in known_ids
        ],
        side=side if side in table.game.sides else "",
        place=filtering.clean_place(request.GET.get("place", "")),
        kind=kind if kind in filtering.KINDS else "",
    )


@require_GET
@seated
def export(request: HttpRequest, table: Table) -> HttpResponse:
    """The log as one JSON file, with the secrets of one's own side only."""
    text = reading.write_export(reading.export_log(table.match, table.sees))
    return send_file(text, "application/json", f"volga-{table.match.pk}.json", is_kept=True)


@require_GET
@seated
def dice(request: HttpRequest, table: Table) -> HttpResponse:
    """How the match's dice can be checked, and the check itself once it has ended or a seed has been opened."""
    first = number_in(request, "first") or 1
    earlier = fairness.earlier_dice(table.match)
    ctx = {**describe_table(table), "first": first, "earlier": earlier}
    if table.match.ended or any(seal["seed"] for seal in earlier):
        ctx |= replay.examine_log(reading.export_log(table.match, ()), first=first)
    return render(request, "firefight/match_dice.html", ctx)
