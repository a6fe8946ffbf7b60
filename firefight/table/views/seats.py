"""Sitting down: seat links with their QR codes, devices, the hot-seat cover."""

from collections.abc import Callable, Iterable

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.engine.values import Json
from firefight.games import registry
from firefight.hosting import gate
from firefight.hosting.addresses import is_local
from firefight.models import Device, Match, Seat
from firefight.table.act.ports import home_of
from firefight.table.act.table import OBSERVER, Table, free_from
from firefight.table.presenters import describe_table
from firefight.table.seats import cover_pins, devices, seating, turns
from firefight.table.seats.cover_pins import BadPin
from firefight.table.seats.seating import BadLink, NoSeat, NotFreed
from firefight.web.answers import refuse_post
from firefight.web.requests import number_in, wants_json

from .access import refuse_seat, turn_away
from .seated import seated

LONGEST_PIN = 64  # characters that are read
LONGEST_BACK = 80  # characters of an address
NOT_YOURS = "That seat is another player's."
BAD_PIN = "A PIN has 4 to 8 digits."


def typed_pins(request: HttpRequest, sides: Iterable[str]) -> dict[str, str]:
    """The PINs that the players of one device choose as they begin, by side, without those left blank."""
    typed = {side: request.POST.get(f"pin-{side}", "") for side in sides}
    return {side: pin for side, pin in typed.items() if pin}


def is_pin(text: str) -> bool:
    """Whether a text can be a PIN: 4 to 8 digits."""
    return text.isascii() and text.isdigit() and 4 <= len(text) <= 8


def seat_maker(
    request: HttpRequest, match: Match, tokens: dict[str, str], side: str, pins: dict[str, str]
) -> HttpResponse:
    """Sit down at a match that was just made, and go on to its pages, or to the links that it begins with."""
    links = seating.sit_at_new(request, match, tokens, side)
    for seat in match.seats.filter(side__in=pins):
        cover_pins.set_pin(seat.pk, pins[seat.side])
    return hand_out(request, match.pk, links) if links else redirect(home_of(match))


def hand_out(request: HttpRequest, match_id: str, tokens: dict[str, str]) -> HttpResponse:
    """Show fresh links on the page of seats, once: what the database keeps cannot be turned back into a link.

    They travel there in the session, so that neither Back nor reloading begins a second match.
    """
    request.session["links"] = {match_id: tokens}
    return redirect("firefight:seats", match_id)


@require_GET
@seated
def seat_list(request: HttpRequest, table: Table) -> HttpResponse:
    """Who sits where, on which devices, and the links that were issued a moment ago."""
    return draw_seats(request, table, request.session.pop("links", {}).get(table.match.pk, {}))


def draw_seats(
    request: HttpRequest, table: Table, tokens: dict[str, str], problem: str = "", status: int = 200
) -> HttpResponse:
    """The page of seats, with links for these tokens by side."""
    own_seat = table.seat
    links = [
        {"side": side, "name": table.game.name_of(side), "token": token, **drawn_link(request, token)}
        for side, token in tokens.items()
    ]
    ctx = {
        **describe_table(table),
        "links": [link for link in links if link["side"] != table.side],
        "way_back": next((link for link in links if link["side"] == table.side), None),
        "fresh": links,
        "gate": {"address": gate.gate_address()} if gate.may_open_gate(request) else None,
        "rows": [seat_row(table, seat) for seat in table.seats],
        "devices": listed_devices(request, own_seat) if table.plays else (),
        "has_pin": bool(own_seat.pin) and table.plays,
        "wait": settings.SEAT_WAIT.total_seconds() // 3600,
        "problem": problem,
    }
    return render(request, "firefight/seats.html", ctx, status=status)


def seat_row(table: Table, seat: Seat) -> dict[str, object]:
    """A seat, and what may be done with it."""
    return {
        "side": seat.side,
        "name": table.game.name_of(seat.side),
        "held": seat.side in table.held,
        "claimed": seat.claimed,
        "can_issue": seat.side != table.side and table.may_issue(seat),
        "can_free": table.may_free(seat),
        "at_once": table.may_free(seat) and seating.is_freed_at_once(table, seat),
        "free_from": free_from(seat.missed) if seat.missed else None,
        "is_due": seat.missed is not None and free_from(seat.missed) <= timezone.now(),
    }


def listed_devices(request: HttpRequest, seat: Seat) -> list[Device]:
    """The devices of a seat, this one first; each knows whether it is ``is_this_browser``."""
    seat_devices = list(seat.devices.order_by("-seen", "-pk"))
    own_key = devices.own_key(request)
    for device in seat_devices:
        device.is_this_browser = device.key == own_key
    return sorted(seat_devices, key=lambda device: not device.is_this_browser)


def drawn_link(request: HttpRequest, token: str) -> dict[str, object]:
    """A seat link in full, and as a QR code if another device could open it."""
    address = link_address(request, token)
    if is_local(address):
        return {"address": address, "is_local": True, "qr": ""}
    code = segno.make(address, error="m").svg_inline(scale=4, dark="#000", light="#fff", omitsize=True)
    # segno's own markup around our own address
    return {"address": address, "is_local": False, "qr": mark_safe(code)}


def link_address(request: HttpRequest, token: str) -> str:
    return public_address(request, reverse("firefight:open-link", args=[token]))


def public_address(request: HttpRequest, path: str) -> str:
    """A path in full, as other devices can open it, if they can."""
    address = request.build_absolute_uri(path)
    public = (settings.PUBLIC_ADDRESS or gate.gate_address()) if is_local(address) else ""
    return f"{public}{path}" if public else address


@require_POST
@seated
def issue(request: HttpRequest, table: Table) -> HttpResponse:
    """Issue a new link for a seat, which ends the old one. For one's own seat it is a way back, and needs the PIN."""
    side = request.POST.get("side", "")
    asked_seat(table, side)
    try:
        if table.plays and side == table.side:
            cover_pins.check_pin(table.seat.pk, request.POST.get("pin", "")[:LONGEST_PIN])
        token = seating.issue_link(table, side)
    except BadPin as error:
        return draw_seats(request, table, {}, str(error), 403)
    except NoSeat:
        return refuse_seat(request, NOT_YOURS)
    return hand_out(request, table.match.pk, {side: token})


def asked_seat(table: Table, side: str) -> Seat:
    """A seat of the match by its side. Raises Http404."""
    asked_for = next((seat for seat in table.seats if seat.side == side), None)
    if asked_for is None:
        raise Http404("There is no such seat.")
    return asked_for


@require_POST
@seated
def put_out(request: HttpRequest, table: Table) -> HttpResponse:
    """Take one's own seat from one of its devices."""
    device = table.seat.devices.filter(pk=number_in(request, "device") or 0).first() if table.plays else None
    if device is None:
        raise Http404("There is no such device at your seat.")
    try:
        seating.put_out(table, device)
    except NotFreed as error:
        return draw_seats(request, table, {}, str(error), 403)
    is_this_device = device.key == devices.own_key(request)
    return redirect("firefight:home") if is_this_device else redirect("firefight:seats", table.match.pk)


@require_POST
@seated
def lost(request: HttpRequest, table: Table) -> HttpResponse:
    """The other side's seat: report it lost, take that back, or free it once its holder has had time to answer."""
    seat, do = asked_seat(table, request.POST.get("side", "")), request.POST.get("do", "")
    try:
        if do == "free":
            return hand_out(request, table.match.pk, {seat.side: seating.free_lost(table, seat.side)})
        if do == "withdraw":
            seating.say_found(table, seat.side)
        elif do == "ask":
            seating.report_lost(table, seat.side)
        else:
            raise Http404("There is no such thing to do with a seat.")
    except NotFreed as error:
        return draw_seats(request, table, {}, str(error), 403)
    except NoSeat:
        return refuse_seat(request, NOT_YOURS)
    return redirect("firefight:seats", table.match.pk)


@require_POST
@seated
def say_here(request: HttpRequest, table: Table) -> HttpResponse:
    """Say that one's own seat is not lost. Any other act of its holder says so too, see ``access.sitting``."""
    return redirect(home_of(table.match))


@require_GET
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """A seat link: the token goes into the session and leaves the address bar at once.

    Nothing is claimed yet, so that a messenger's link preview cannot use up the seat.
    """
    request.session["claiming"] = token[:64]
    return redirect("firefight:claim")


@require_http_methods(["GET", "POST"])
def claim(request: HttpRequest) -> HttpResponse:
    """Say which seat the link opens; take it when the button is pressed."""
    token = request.session.get("claiming", "")
    try:
        if request.method == "POST":
            seat = seating.claim_seat(
                request, token, request.POST.get("keep") == "on", request.POST.get("both") == "on"
            )
            del request.session["claiming"]
            return after_claim(request, seat)
        seat = seating.find_link(token)
    except BadLink:
        if wants_json(request):
            return JsonResponse({"error": "This link opens no seat: it was used, or replaced."}, status=403)
        return render(request, "firefight/bad_link.html", status=403)
    if wants_json(request):
        return JsonResponse({"token": get_token(request), "match": seat.match_id, "side": seat.side})
    game = registry.games()[seat.match.game]
    ctx = {"match": seat.match, "game": game, "name": game.name_of(seat.side), "comes_back": seat.claimed is not None}
    ctx |= {"others": (), "partners": (), "beside": ""}
    ctx["hosts"] = [game.name_of(host.side) for host in seating.find_claimed(seat)]
    if seat.claimed:
        partners = [game.name_of(partner.side) for partner in seating.find_partners(seat)]
        ctx |= {"others": seating.others_at(request, seat), "partners": partners}
    elif seat.side != OBSERVER:
        beside = devices.find_devices_here(request, seat.match_id).exclude(seat__side__in=(OBSERVER, seat.side)).first()
        ctx["beside"] = beside and game.name_of(beside.seat.side)
    return render(request, "firefight/claim.html", ctx)


def after_claim(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Go to one's own way back: the first, or a new one to replace the one just used up."""
    if wants_json(request):
        return tell_claim(request, seat)
    if seat.side == OBSERVER:
        return redirect(home_of(seat.match))
    table = seating.at_table(request, seat.match_id, lift_cover=True)
    if table.has_cover:
        return redirect(home_of(seat.match))
    return hand_out(request, seat.match_id, {seat.side: seating.issue_link(table, seat.side)})


def tell_claim(request: HttpRequest, seat: Seat) -> JsonResponse:
    """Tell a program at which seat it sits, and its next way back, to replace a link just used up."""
    answer: Json = {"match": seat.match_id, "side": seat.side}
    if seat.claimed is not None and seat.side != OBSERVER:
        table = seating.at_table(request, seat.match_id, lift_cover=True)
        if not table.has_cover:
            answer["way_back"] = link_address(request, seating.issue_link(table, seat.side))
    return JsonResponse(answer)


# Hot-seat


def between_hands(
    view: Callable[[HttpRequest, Table, list[Seat]], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """Give the view the table of a device that holds both sides, with or without the cover, and their seats."""

    def guarded(request: HttpRequest, match_id: str) -> HttpResponse:
        try:
            table = seating.at_table(request, match_id, lift_cover=True)
        except NoSeat:
            return turn_away(request)
        playing = [seat for seat in table.seats if seat.side in table.held and seat.side != OBSERVER]
        if len(playing) < 2:
            return redirect("firefight:match", match_id)
        response = view(request, table, playing)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


@require_http_methods(["GET", "POST"])
@between_hands
def cover(request: HttpRequest, table: Table, playing: list[Seat]) -> HttpResponse:
    """The cover between two players of one device: it offers their sides, and shows nothing else.

    A posted form may name the page to which lifting the cover leads ``back``, or go ``straight`` to the other side,
    where nothing has to lie between them.
    """
    if request.method == "POST":
        neighbour = turns.find_neighbour(table) if "straight" in request.POST else ""
        if neighbour:
            devices.act_for(request, table.match.pk, neighbour)
            return redirect("firefight:match", table.match.pk)
        devices.act_for(request, table.match.pk, "")
        request.session["back"] = request.POST.get("back", "")[:LONGEST_BACK]
        return redirect("firefight:cover", table.match.pk)
    return draw_cover(request, table, playing)


def draw_cover(
    request: HttpRequest, table: Table, playing: list[Seat], problem: str = "", status: int = 200
) -> HttpResponse:
    """The cover page; the side shown until now is hidden."""
    if table.side:
        devices.act_for(request, table.match.pk, "")
    sides = [{"side": s.side, "name": table.game.sides[s.side], "pin": bool(s.pin)} for s in playing]
    has_pin = any(seat.pin for seat in playing)
    page = {"match": table.match, "sides": sides, "problem": problem, "has_pin": has_pin}
    return render(request, "firefight/cover.html", page, status=status)


@require_POST
@between_hands
def lift(request: HttpRequest, table: Table, playing: list[Seat]) -> HttpResponse:
    """Lift the cover for a side, with its PIN if it has one."""
    chosen = next((seat for seat in playing if seat.side == request.POST.get("side")), None)
    if chosen is None:
        return draw_cover(request, table, playing, "Choose a side.", 422)
    try:
        cover_pins.check_pin(chosen.pk, request.POST.get("pin", "")[:LONGEST_PIN])
    except BadPin as error:
        return draw_cover(request, table, playing, str(error), 403)
    devices.act_for(request, table.match.pk, chosen.side)
    home, back = home_of(table.match), request.session.pop("back", "")
    return redirect(back if back.startswith(home) else home)


@require_POST
@seated
def pin(request: HttpRequest, table: Table) -> HttpResponse:
    """Set, change or remove the acting side's PIN. Changing one needs the present one."""
    if not table.plays:
        return refuse_seat(request, "Observers have no PIN.")
    digits = request.POST.get("pin", "")
    if digits and not is_pin(digits):
        return refuse_post(request, BAD_PIN, reverse("firefight:seats", args=[table.match.pk]))
    try:
        cover_pins.check_pin(table.seat.pk, request.POST.get("present", "")[:LONGEST_PIN])
    except BadPin as error:
        return draw_seats(request, table, {}, str(error), 403)
    cover_pins.set_pin(table.seat.pk, digits)
    return redirect("firefight:seats", table.match.pk)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Dark or light, remembered by the browser."""
    chosen = "light" if request.POST.get("theme") == "light" else "dark"
    back = request.POST.get("back", "/")
    is_own_page = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect(back if is_own_page else "/")
    response.set_cookie("theme", chosen, max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
    return response
