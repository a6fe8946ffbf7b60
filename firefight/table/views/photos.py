"""Photos of the board: the page that attaches them to lines of the log; each as a file for those who may see it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from firefight.hosting.allowance import counting_visits, spend
from firefight.models import Match
from firefight.table.act import bounds, performing
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.forms import HangPhoto
from firefight.table.presenters import describe_table
from firefight.table.story import photos
from firefight.table.story.sharing import find_story
from firefight.web.answers import send_file
from firefight.web.requests import number_in

from .seated import seated


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def photos_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The photos that this browser may see, and a form to add one; ?on= names the line."""
    trouble = ""
    status = 200
    if request.method == "POST":
        try:
            _hang(request, table)
            return redirect(reverse("firefight:photos", args=[table.match.pk]))
        except Refused as error:
            trouble, status = str(error), error.status
            table.match.refresh_from_db()
    ctx = {
        **describe_table(table),
        "lines": photos.visible_photos(table.match, table.sees),
        "photo_base": reverse("firefight:photos", args=[table.match.pk]),
        "on": number_in(request, "about") or number_in(request, "on") or "",
        "trouble": trouble,
        "caption": request.POST.get("caption", "")[: photos.CAPTION],
    }
    return render(request, "firefight/photos.html", ctx, status=status)


def _hang(request: HttpRequest, table: Table) -> None:
    """Do the posted act. A form that is sent again gets its first answer, whatever comes with it."""
    performing.check_plays(table)
    if performing.find_first_answer(table, request.POST.get("act", "")):
        return
    sent = request.FILES.get("photo")
    if sent:
        spend(request, bounds.LARGEST_PHOTO)  # first, since looking at a photo costs more than keeping it
    clean = photos.clean_photo(sent.read(photos.LARGEST_SENT + 1) if sent else b"")
    HangPhoto(request.POST, photo=clean).perform(table)


@require_GET
@seated
def photo(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """A photo, if this browser may see the line that it is attached to."""
    return send_photo(table.match, number, table.sees)


@require_GET
def shared_photo(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """A photo of a shared story: what observers may see."""
    match = find_story(token)
    if match is None:
        raise Http404("That link opens no story: it was withdrawn, or never was.")
    return send_photo(match, number, ())


def send_photo(match: Match, number: int, sees: tuple[str, ...]) -> HttpResponse:
    """A photo as a file that every browser treats as a picture and nothing else."""
    row = photos.find_photo(match, number, sees)
    if row is None:
        raise Http404("There is no such photo in this log.")
    response = send_file(bytes(row.data), "image/jpeg", f"photo-{number}.jpg")
    response["X-Content-Type-Options"], response["Cache-Control"] = "nosniff", "no-store"
    return response
