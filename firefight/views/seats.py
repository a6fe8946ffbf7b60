"""Sitting down: new matches, seat links with their QR codes, the hot-seat cover."""

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight import acts, assist, drafts, seats
from firefight.allowance import counted, spend
from firefight.models import Match, Seat
from firefight.seats import OBSERVER, BadLink, BadPin, NoSeat

from .match import CONTROLS, NAME_LENGTH, seated

LONGEST_PIN = 64  # characters that are looked at


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the matches of this browser, and how to begin one."""
    mine = list(request.session.get("seats", {}))
    matches = Match.objects.filter(pk__in=mine).order_by("-created").defer("seed")
    return render(request, "home.html", {"games": assist.games().values(), "matches": matches})


@require_http_methods(["GET", "POST"])
@counted
def new_match(request: HttpRequest) -> HttpResponse:
    """Begin a match: its name, the own side, one device or two."""
    ctx = {"games": assist.games().values(), "problems": {}, "values": request.POST, "name_length": NAME_LENGTH}
    ctx["books"] = {slug: drafts.usable(request, slug) for slug in assist.games()}
    ctx["book"] = request.POST.get("book") or request.GET.get("book", "")
    if request.method == "GET":
        return render(request, "new_match.html", ctx)
    game = assist.games().get(request.POST.get("game", ""))
    name = " ".join(request.POST.get("name", "").split())
    side = request.POST.get("side", "")
    hot_seat = request.POST.get("hot_seat") == "on"
    if game is None:
        ctx["problems"]["game"] = "Choose the game."
    elif side not in game.sides:
        ctx["problems"]["side"] = "Choose your side."
    book = drafts.chosen(request, game.slug, request.POST.get("book", "")) if game else ""
    if game and not book:
        ctx["problems"]["book"] = "Choose a chart book from your shelf."
    if len(name) > NAME_LENGTH:
        ctx["problems"]["name"] = f"A name has at most {NAME_LENGTH} characters."
    elif CONTROLS.search(name):
        ctx["problems"]["name"] = "A name holds no control characters."
    if ctx["problems"]:
        return render(request, "new_match.html", ctx, status=422)
    spend(request)
    match, tokens = acts.new_match(game, name or f"{game.title} firefight", hot_seat, drafts.row_of(game.slug, book))
    for taken in game.sides if hot_seat else [side]:
        seats.claim(request, tokens[taken])
    if hot_seat:
        seats.act_for(request, match.pk, side)
        return redirect("firefight:match", match.pk)
    return hand_out(request, match.pk, {other: token for other, token in tokens.items() if other != side})


def hand_out(request: HttpRequest, match_id: str, tokens: dict[str, str]) -> HttpResponse:
    """Show fresh links on the page of seats, once: what the database keeps cannot be turned back into a link.

    They travel there in the session, so that neither Back nor reloading begins a second match.
    """
    request.session["links"] = {match_id: tokens}
    return redirect("firefight:seats", match_id)


@require_GET
@seated
def seat_list(request: HttpRequest, table: seats.Table) -> HttpResponse:
    """Who sits where, and the links that were issued a moment ago."""
    tokens = request.session.pop("links", {}).get(table.match.pk, {})
    links = [
        {"side": side, "name": side_name(table.game, side), **drawn_link(request, token)}
        for side, token in tokens.items()
    ]
    rows = [
        {
            "side": seat.side,
            "name": side_name(table.game, seat.side),
            "held": seat.side in table.held,
            "claimed": seat.claimed,
            "can_issue": table.may_issue(seat),
        }
        for seat in table.seats
    ]
    has_pin = any(seat.pin for seat in table.seats if seat.side == table.side)
    ctx = {"table": table, "match": table.match, "game": table.game, "links": links, "rows": rows, "has_pin": has_pin}
    return render(request, "seats.html", ctx)


def side_name(game: assist.Game, side: str) -> str:
    """German, Russian, or the observers."""
    return game.sides.get(side, "Observers")


def drawn_link(request: HttpRequest, token: str) -> dict[str, str]:
    """A seat link in full and as a QR code."""
    path = reverse("firefight:open-link", args=[token])
    local = request.get_host().split(":")[0] in ("localhost", "127.0.0.1")
    base = settings.PUBLIC_ADDRESS if local else ""
    address = f"{base}{path}" if base else request.build_absolute_uri(path)
    code = segno.make(address, error="m").svg_inline(scale=4, dark="#000", light="#fff", omitsize=True)
    return {"address": address, "qr": mark_safe(code)}  # noqa: S308 - segno's own markup around our own address


@require_POST
@seated
def issue(request: HttpRequest, table: seats.Table) -> HttpResponse:
    """A seat's link anew; the old one, and whoever came by it, is out."""
    side = request.POST.get("side", "")
    if side not in {seat.side for seat in table.seats}:
        raise Http404("There is no such seat.")
    try:
        token = seats.issue_link(request, table, side)
    except NoSeat:
        return render(request, "no_seat.html", {"reason": "That seat is the other player's."}, status=403)
    return hand_out(request, table.match.pk, {side: token})


@require_GET
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """A seat link: the token goes into the session and leaves the address bar at once.

    Nothing is claimed yet, so that a messenger's link preview cannot use the seat up.
    """
    request.session["claiming"] = token[:64]
    return redirect("firefight:claim")


@require_http_methods(["GET", "POST"])
def claim(request: HttpRequest) -> HttpResponse:
    """Say which seat the link opens; take it on a press of the button."""
    token = request.session.get("claiming", "")
    try:
        if request.method == "POST":
            seat = seats.claim(request, token)
            del request.session["claiming"]
            return redirect(home_of(seat.match))
        seat = seats.find_link(token)
    except BadLink:
        return render(request, "bad_link.html", status=403)
    game = assist.games()[seat.match.game]
    return render(request, "claim.html", {"match": seat.match, "name": side_name(game, seat.side)})


# Hot-seat


def between_hands(view):
    """Give the view the table of a device that holds both sides, cover or no cover, and their seats."""

    def guarded(request: HttpRequest, match_id: str) -> HttpResponse:
        try:
            table = seats.at_table(request, match_id, lift_cover=True)
        except Match.DoesNotExist:
            raise Http404("There is no such match.") from None
        except NoSeat:
            return render(request, "no_seat.html", status=403)
        playing = [seat for seat in table.seats if seat.side in table.held and seat.side != OBSERVER]
        if len(playing) < 2:
            return redirect("firefight:match", match_id)
        response = view(request, table, playing)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


@require_http_methods(["GET", "POST"])
@between_hands
def cover(request: HttpRequest, table: seats.Table, playing: list[Seat]) -> HttpResponse:
    """The cover between two players of one device: says whose turn it could be, and nothing else."""
    if request.method == "POST":
        seats.act_for(request, table.match.pk, "")
        return redirect("firefight:cover", table.match.pk)
    return draw_cover(request, table, playing)


def draw_cover(request, table, playing: list[Seat], problem: str = "", status: int = 200) -> HttpResponse:
    """The cover page; any side shown until now is put away."""
    if table.side:
        seats.act_for(request, table.match.pk, "")
    sides = [{"side": s.side, "name": table.game.sides[s.side], "pin": bool(s.pin)} for s in playing]
    return render(request, "cover.html", {"match": table.match, "sides": sides, "problem": problem}, status=status)


@require_POST
@between_hands
def lift(request: HttpRequest, table: seats.Table, playing: list[Seat]) -> HttpResponse:
    """Lift the cover for a side, with its PIN if it has one."""
    chosen = next((seat for seat in playing if seat.side == request.POST.get("side")), None)
    if chosen is None:
        return draw_cover(request, table, playing, "Choose a side.", 422)
    try:
        seats.check_pin(chosen.pk, request.POST.get("pin", "")[:LONGEST_PIN])
    except BadPin as error:
        return draw_cover(request, table, playing, str(error), 403)
    seats.act_for(request, table.match.pk, chosen.side)
    return redirect(home_of(table.match))


def home_of(match: Match) -> str:
    """Where a player goes who sits down: the ledger that leads the match, or the match itself."""
    return match.state.get("ledger") or reverse("firefight:match", args=[match.pk])


@require_POST
@seated
def pin(request: HttpRequest, table: seats.Table) -> HttpResponse:
    """Set or remove the acting side's PIN."""
    if not table.plays:
        return render(request, "no_seat.html", {"reason": "Observers have no PIN."}, status=403)
    digits = request.POST.get("pin", "")
    if digits and not (digits.isascii() and digits.isdigit() and 4 <= len(digits) <= 8):
        ctx = {"reason": "A PIN has 4 to 8 digits.", "back": reverse("firefight:seats", args=[table.match.pk])}
        return render(request, "refused.html", ctx, status=422)
    seat = next(seat for seat in table.seats if seat.side == table.side)
    seats.set_pin(seat.pk, digits)
    return redirect("firefight:seats", table.match.pk)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Dark or light, remembered by the browser."""
    chosen = "light" if request.POST.get("theme") == "light" else "dark"
    back = request.POST.get("back", "/")
    here = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect(back if here else "/")
    response.set_cookie("theme", chosen, max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
    return response
