"""Pages of a campaign being played. Each shows the ledger as the browser may know it, and takes acts posted to it."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from campaign.acts.forms import read_form
from campaign.acts.forms.reorganizing import JustLooking
from campaign.ledger.ledger import Ledger, load
from campaign.models import Campaign
from campaign.presenters.film import present_film, present_then
from campaign.presenters.firefight import present_firefight
from campaign.presenters.frame import Reply, present_frame
from campaign.presenters.overview import present_overview
from campaign.presenters.roster import present_roster
from campaign.presenters.sealed import present_sealed
from campaign.presenters.sectors import present_map
from campaign.presenters.verdict import paint_verdict, present_verdict
from campaign.rules.stages import Stage
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.act import Done
from firefight.table.act.lines import LogLine
from firefight.table.act.refusals import Incomplete, LeavesOpen, Refused
from firefight.table.act.table import Table
from firefight.table.log import reading
from firefight.table.seats import devices, visits
from firefight.table.views import programs
from firefight.table.views.access import page_anew, sitting
from firefight.table.views.freshness import OTHER_SIDE, has_changed_hands, is_current, is_for_other_side
from firefight.web.requests import number_in, wants_json

Drawn = tuple[str, Json]
MOST_DONE = 6  # lines of an act above the page that it led back to


def ledger_page(view: Callable[..., Drawn]) -> Callable[..., HttpResponse]:
    """A page of the ledger. ``view`` returns its template and the context of its own.

    A posted act is done and the browser sent back to the same page; a refused one changes nothing, and the page says
    why above what was typed.
    """

    @require_http_methods(["GET", "POST"])
    @sitting
    def page(request: HttpRequest, table: Table, **parts: object) -> HttpResponse:
        if parts.get("side", Side.GERMAN) not in set(Side):  # before anything is done
            raise Http404("There is no such roster.")
        reply = Reply()
        if request.method == "POST":
            try:
                done = _act(request, table)
                if wants_json(request):
                    return programs.tell_done(table, done)
                return redirect(_address_after(request, done))
            except (Refused, Incomplete) as problem:
                reply = _answer_problem(request, problem)
                table.match.refresh_from_db()
                if wants_json(request):
                    return programs.tell_refusal(table, " ".join(reply.troubles), reply.status, needs=reply.needs)
            except Campaign.DoesNotExist:
                raise Http404("This match has no campaign.") from None
        ledger = known_ledger(table)
        visits.note_shown(request, table)
        template, page_of_view = view(request, table, ledger, **parts)
        frame = present_frame(table, ledger, reply, _find_done(request, table))
        return render(request, template, {**frame, **page_of_view}, status=reply.status)

    return page


def _act(request: HttpRequest, table: Table) -> Done:
    if is_for_other_side(request, table):
        raise Refused(OTHER_SIDE)
    return read_form(request.POST).perform(table)


def _answer_problem(request: HttpRequest, problem: Refused | Incomplete) -> Reply:
    """What the page says about a form that was not done: why, or which dice it lacks."""
    if isinstance(problem, Incomplete):
        return Reply([str(problem)], problem.result.needs, posted=request.POST, status=422)
    reasons = [] if isinstance(problem, JustLooking) else problem.reasons
    is_open = isinstance(problem, LeavesOpen)
    return Reply(list(dict.fromkeys(reasons)), posted=request.POST, status=problem.status, leaves_open=is_open)


def _address_after(request: HttpRequest, done: Done) -> str:
    """The same page, with the line of the log to show as done."""
    query = request.GET.copy()
    query.pop("done", None)
    if done.entries:
        query["done"] = str(done.entries[0].number)
    return request.path + (f"?{query.urlencode()}" if query else "")


def _find_done(request: HttpRequest, table: Table) -> list[LogLine]:
    """The lines of the act that wrote the line in the page's address, if the browser's own side did it.

    Of many the first alone, and none that is taken back.
    """
    number = number_in(request, "done")
    if request.method == "POST" or number is None or not table.plays:
        return []
    own_acts = table.match.acts.filter(side=table.side, entries__number=number)
    entries = table.match.log.filter(act__in=own_acts, voided_by=None).order_by("number")
    lines = reading.visible(entries[: MOST_DONE + 1], table.sees)
    return lines if len(lines) <= MOST_DONE else lines[:1]


def known_ledger(table: Table) -> Ledger:
    """The campaign of a match as far as the browser may know it. Raises Http404."""
    try:
        return load(table.match).known(table.sees)
    except Campaign.DoesNotExist:
        raise Http404("This match has no campaign.") from None


@ledger_page
def overview(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """Where the campaign stands and what is to be done now; CP lines, the newest log."""
    return "campaign/overview.html", present_overview(table, ledger)


@ledger_page
def roster(request: HttpRequest, table: Table, ledger: Ledger, side: str) -> Drawn:
    """A side's roster with its boxes, one group to buy, and the groups that it has."""
    return "campaign/roster.html", present_roster(table, ledger, Side(side), request.GET.get("group"))


@ledger_page
def sector_map(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The map with units; a sector opened; in set-up, what each sector costs for the units chosen.

    ``chapter`` in the address: as it was when a chapter began.
    """
    sector, party = number_in(request, "sector"), number_in(request, "for")
    place = number_in(request, "chapter") if request.method == "GET" else None
    if place is not None and (chapter_page := present_then(table, ledger, place, sector)):
        return "campaign/map_then.html", chapter_page
    return "campaign/map.html", present_map(table, ledger, sector, party, request.POST)


@ledger_page
def film(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The map chapter by chapter, as a strip."""
    return "campaign/film.html", present_film(table)


@ledger_page
def firefight(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The record of the firefight: turns, batteries, aircraft, nests, and what becomes of units."""
    return "campaign/firefight.html", present_firefight(table, ledger)


@ledger_page
def sealed(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """What the browser's side has under seal: orders, plots, off-map observers, hidden units."""
    return "campaign/sealed.html", present_sealed(table, ledger)


@ledger_page
def verdict(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """How the campaign ended."""
    _check_over(ledger)
    return "campaign/verdict.html", present_verdict(table, ledger)


@require_GET
@sitting
def verdict_picture(request: HttpRequest, table: Table) -> HttpResponse:
    """The verdict as a picture to share."""
    ledger = known_ledger(table)
    _check_over(ledger)
    return HttpResponse(paint_verdict(table, ledger), content_type="image/png")


def _check_over(ledger: Ledger) -> None:
    if ledger.stage is not Stage.OVER:
        raise Http404("The campaign is not over yet.")


@require_GET
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """Whether the campaign has moved on since a page was drawn: an empty answer, or one that says so. One query."""
    glance = devices.glance(request, match_id)
    if has_changed_hands(request, glance):
        return page_anew()
    if is_current(request, glance):
        return HttpResponse(status=204)
    response = HttpResponse()
    response["HX-Trigger"] = "volga:news"
    return response
