"""The charts of a match: the book that it uses, and proposing another from one's shelf."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from firefight.chartroom import drafts
from firefight.chartroom.cards import cards, differing_charts
from firefight.chartroom.shelf import Full
from firefight.games import chartbooks
from firefight.hosting.allowance import counting_visits
from firefight.table.act.refusals import BadField, Refused
from firefight.table.act.table import Table
from firefight.table.consent import matters
from firefight.table.forms import read_head
from firefight.table.presenters import describe_table
from firefight.table.seats.seating import at_table

from .seated import seated


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def of_match(request: HttpRequest, table: Table) -> HttpResponse:
    """The book that a match uses. A player may propose another, or copy it to their own shelf."""
    if request.method == "GET":
        return draw_of_match(request, table)
    try:
        if request.POST.get("do") == "copy":
            return redirect("firefight:chart-book", drafts.copy_version(request, table.match.book).pk)
        offered = drafts.list_usable(request, table.match.game)
        chosen = request.POST.get("book", "")
        if chosen not in offered:
            raise BadField("Choose a book from your shelf.")
        row = drafts.row_of(table.match.game, chosen)
        matters.propose_book(table, *read_head(request.POST), row, f"“{offered[chosen]}”")
    except Full as error:
        return draw_of_match(request, table, str(error), 422)
    except Refused as error:
        return draw_of_match(request, at_table(request, table.match.pk), str(error), error.status)
    return redirect("firefight:match-charts", table.match.pk)


def draw_of_match(request: HttpRequest, table: Table, trouble: str = "", status: int = 200) -> HttpResponse:
    """The page of a match's book."""
    match, pinned = table.match, chartbooks.of_match(table.match)
    pending = matters.describe_pending(table)
    proposed = chartbooks.of_version(pending.book, match.game) if pending and pending.book else None
    ctx = {
        **describe_table(table),
        "pending": pending,
        "name": pinned.name,
        "others": drafts.newer_than(request, match.game, match.book_id) if table.plays and not match.ended else {},
        "cards": cards(table.game, drafts.check_book(table.game, pinned)),
        "proposed": proposed,
        "differing": differing_charts(table.game, pinned, proposed) if proposed else [],
        "trouble": trouble,
    }
    return render(request, "firefight/match_charts.html", ctx, status=status)
