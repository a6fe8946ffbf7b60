"""What a page reports about the hints of a lesson: that something was opened, or that nobody wants more of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from firefight.table import lessons
from firefight.table.act.table import Table
from firefight.table.presenters import describe_table
from firefight.web.addresses import address_of
from firefight.web.requests import is_by_htmx

from .seated import seated


@require_POST
@seated
def hints(request: HttpRequest, table: Table) -> HttpResponse:
    """Remember what was opened, or end the hints; answers with those that are open now."""
    if table.plays and request.POST.get("over"):
        lessons.end_hints(table.match)
    elif table.plays:
        lessons.note_opened(table.match, request.POST.get("step", ""))
    if not is_by_htmx(request):
        return redirect(address_of("firefight:match", table.match.pk))
    ctx = {**describe_table(table), "lesson": lessons.show_lesson(table)}
    return render(request, "firefight/_lesson.html", ctx)
