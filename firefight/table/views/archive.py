"""Saving a match as a file, reading one, and branching off to ask “what if”."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.games import registry
from firefight.hosting.allowance import A_MATCH, counting_visits, spend
from firefight.hosting.host_word import asking_word
from firefight.models import Match
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.consent import going_back, matters
from firefight.table.files import archive, kept_files, making, removal, saving
from firefight.table.files.making import Loaded
from firefight.table.files.packing import is_packed, unpack
from firefight.table.files.shape import LARGEST, BadArchive
from firefight.table.forms import read_head
from firefight.table.presenters import describe_table
from firefight.table.seats.seating import BadLink, at_table
from firefight.web.answers import refuse_post, send_file
from firefight.web.requests import number_in

from .access import refuse_seat
from .seated import seated
from .seats import BAD_PIN, is_pin, seat_maker, typed_pins


def find_shared_sides(table: Table) -> tuple[str, ...]:
    """Whose sealed things a file or a branch may hold: both sides' on one device, unless a PIN separates them."""
    shared_seats = [seat for seat in table.seats if seat.side in table.sides and seat.side != table.side]
    if table.all_sit_here and not any(seat.pin for seat in shared_seats):
        return tuple(table.sides)
    return table.sees


@require_GET
@seated
def file_page(request: HttpRequest, table: Table) -> HttpResponse:
    """What can be saved, and where to branch off."""
    sees = find_shared_sides(table)
    snapshots = table.match.snapshots.filter(state__isnull=False).values("number", "label", "at")
    ctx = {
        **describe_table(table),
        "snapshots": snapshots if table.plays else (),
        "both": len(sees) > 1,
        "own": table.game.call_side(table.side) if table.plays else "",
        "withheld": [table.game.call_side(side) for side in table.sides if side not in sees],
        "goes_back": table.plays and not table.match.ended and not going_back.say_why_not_back(table),
        "acts": going_back.list_acts(table.match) if table.plays and not going_back.say_why_not_back(table) else (),
        "origin": making.find_origin(table.match),
        "links": table.match.pk in request.session.get("links", {}),
        "has_kept": table.plays and bool(kept_files.list_files(table.match.pk)),
    }
    return render(request, "firefight/match_file.html", ctx)


@require_GET
@seated
def download(request: HttpRequest, table: Table) -> HttpResponse:
    """The match as one file, with the acting side's sealed things; ?sides=all: with both sides', where a device may."""
    sees = find_shared_sides(table) if request.GET.get("sides") == "all" else table.sees
    name = "-".join(filter(None, ("volga", slugify(table.match.name)[:40], table.match.pk)))
    content = saving.dump_file(table, sees)
    # Sent as gzip and compressed again on its way, as answers are, it would be unpacked only once by some browsers.
    kind, ending = ("application/octet-stream", "json.gz") if is_packed(content) else ("application/json", "json")
    return send_file(content, kind, f"{name}.{ending}", is_kept=True)


@require_POST
@counting_visits
@seated
def branch(request: HttpRequest, table: Table) -> HttpResponse:
    """A new match that goes on from this one as it stands, or from a numbered snapshot."""
    if not table.plays:
        return refuse_seat(request, "Observers watch; players branch off.")
    number = request.POST.get("number", "")
    at = table.match.snapshots.filter(number=number_in(request, "number") or 0).first() if number else None
    if number and (at is None or at.state is None):
        raise Http404("There is no such snapshot to branch off from.")
    hot_seat = request.POST.get("hot_seat") == "on"
    pins = typed_pins(request, table.sides) if hot_seat else {}
    if not all(map(is_pin, pins.values())):
        return refuse_post(request, BAD_PIN, reverse("firefight:file", args=[table.match.pk]))
    spend(request, A_MATCH + table.match.weight)
    loaded = making.branch(table.match, find_shared_sides(table), hot_seat, at)
    return sit_at(request, loaded, table.side, pins)


def sit_at(request: HttpRequest, loaded: Loaded, side: str, pins: dict[str, str]) -> HttpResponse:
    """Sit down at a match that was made from a file; its page says what it lacks, and leads on."""
    seat_maker(request, loaded.match, dict(loaded.tokens), side, pins)
    return redirect("firefight:file", loaded.match.pk)


@require_http_methods(["GET", "POST"])
@seated
def kept_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The files that the host keeps of the match, by time; a posted form asks to go back to one."""
    if not table.plays:
        return refuse_seat(request, "Observers watch; players go back.")
    trouble, status = "", 200
    labels = dict(table.match.snapshots.values_list("number", "label"))
    if request.method == "POST":
        file = kept_files.find_file(table.match.pk, request.POST.get("name", ""))
        if file is None:
            raise Http404("There is no such file.")
        label = f"“{labels.get(file.number, 'an earlier stage')}” (№ {file.number})"
        try:
            matters.propose_file(table, *read_head(request.POST), file.name, label)
            return redirect("firefight:files", table.match.pk)
        except Refused as error:
            trouble, status = str(error), error.status
            table = at_table(request, table.match.pk)
    ctx = {
        **describe_table(table),
        "pending": matters.describe_pending(table),
        "files": [(file, labels.get(file.number, "")) for file in kept_files.list_files(table.match.pk)],
        "trouble": trouble,
    }
    return render(request, "firefight/kept_files.html", ctx, status=status)


@require_POST
@seated
def delete(request: HttpRequest, table: Table) -> HttpResponse:
    """Ask to delete the match for good, or take that back; the last side that asks deletes it."""
    if not table.plays:
        return refuse_seat(request, "Observers watch; players delete.")
    wants = request.POST.get("wants") == "yes"
    if wants and request.POST.get("sure") != "on":
        return refuse_post(request, "Tick “for good” first.", reverse("firefight:file", args=[table.match.pk]))
    if removal.ask_to_delete(table, find_shared_sides(table), wants):
        return redirect("firefight:home")
    return redirect(reverse("firefight:file", args=[table.match.pk]) + "#delete")


@require_http_methods(["GET", "POST"])
@asking_word
@counting_visits
def read_page(request: HttpRequest) -> HttpResponse:
    """Take a file and make a match from it, or say everything that is wrong with it.

    Who sits down where is asked on a separate page, since only the file says which sides its game has; a form that
    already says so, with ``side``, is not asked again.
    """
    ctx = {"megabytes": LARGEST // 1_000_000}
    if request.method == "GET":
        return render(request, "firefight/import.html", ctx)
    sent, has_side = request.FILES.get("file"), bool(request.POST.get("side"))
    try:
        if not sent or not sent.size:
            raise BadArchive(["Choose a file that “Save and branch” has written."])
        # One byte more than is allowed is enough to know that it is too large.
        plain = unpack(sent.read(LARGEST + 1))
        spend(request, A_MATCH + len(plain))  # first, since reading a file costs more than keeping its match
        saved_match = archive.read_archive(plain, *read_openers(request))
        seating = read_seating(request, saved_match.seats) if has_side else Seating()
        loaded = making.make_match(saved_match, seating.hot_seat)
    except BadArchive as error:
        return render(request, "firefight/import.html", {**ctx, "problems": error.problems}, status=422)
    if has_side:
        return sit_at(request, loaded, seating.side, seating.pins)
    request.session["sitting"] = {loaded.match.pk: dict(loaded.tokens)}
    return redirect("firefight:sit", loaded.match.pk)


def read_openers(request: HttpRequest) -> tuple[bytes, str]:
    """What was sent to open what is sealed in a file: another player's file, or that player's way back."""
    other_file = request.FILES.get("other")
    return unpack(other_file.read(LARGEST + 1)) if other_file else b"", request.POST.get("way_back", "")[:300]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits down at a match that was made from a file."""

    side: str = ""
    hot_seat: bool = False
    pins: dict[str, str] = field(default_factory=dict)


def read_seating(request: HttpRequest, seats: Mapping[str, str]) -> Seating:
    """Which of these sides sits down, and how. Raises BadArchive."""
    side = request.POST.get("side", "")
    if side not in seats:
        raise BadArchive(["Choose your side."])
    hot_seat = request.POST.get("hot_seat") == "on" and len(seats) > 1
    pins = typed_pins(request, seats) if hot_seat else {}
    if not all(map(is_pin, pins.values())):
        raise BadArchive([BAD_PIN])
    return Seating(side, hot_seat, pins)


@require_http_methods(["GET", "POST"])
def take_seat(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask whoever has opened a file which side of its game is theirs, and sit down there."""
    tokens = request.session.get("sitting", {}).get(match_id)
    match = Match.objects.filter(pk=match_id).first() if tokens else None
    if match is None:
        raise Http404("Nobody waits for a seat here.")
    names = registry.games()[match.game].sides
    sides = {side: name for side, name in names.items() if side in tokens}
    side = request.POST.get("side", "")
    ctx = {"match": match, "sides": sides, "side": side if side in sides else next(iter(sides))}
    ctx["hot_seat"] = request.POST.get("hot_seat") == "on"
    if request.method == "GET":
        return render(request, "firefight/sit.html", ctx)
    try:
        seating = read_seating(request, sides)
    except BadArchive as error:
        return render(request, "firefight/sit.html", {**ctx, "problems": error.problems}, status=422)
    del request.session["sitting"]
    match.hot_seat = seating.hot_seat
    match.save(update_fields=["hot_seat"])
    try:
        return sit_at(request, Loaded(match, tokens), seating.side, seating.pins)
    except BadLink:  # the form was sent twice, and the other request was quicker
        return redirect("firefight:file", match.pk)
