"""Beginning a campaign: its card, its sides, its chart book; and sitting down at the demo campaign."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaign.acts import demo
from campaign.acts.beginning import begin
from campaign.ledger import content
from campaign.ledger import drafts as content_drafts
from campaign.ledger.content import shipped
from campaign.models import ContentBook
from campaign.rules.content import Content
from firefight.chartroom import drafts
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.hosting.allowance import counting_visits, spend
from firefight.hosting.host_word import asking_word
from firefight.table.act import bounds
from firefight.table.seats import devices, seating
from firefight.table.seats.seating import NoSeat
from firefight.table.views.seats import BAD_PIN, is_pin, seat_maker, typed_pins
from firefight.web.requests import CONTROLS


@require_http_methods(["GET", "POST"])
@asking_word
@counting_visits
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Begin a campaign."""
    # The content that a link names is offered as well: whoever knows its digest may play with it.
    book_digest = request.POST.get("content") or request.GET.get("content", "")
    contents = content_drafts.usable_contents(request, book_digest)
    played_with = contents.get(book_digest)
    if request.method == "GET":
        played_with = played_with or next(iter(contents.values()))
    chosen_content = content.read_pinned(played_with.pk) if played_with else shipped()
    ctx: Json = {
        "contents": contents.values(),
        "chosen": played_with.pk if played_with else "",
        "cards": chosen_content.cards.values(),
        "sides": [(side.value, side.word) for side in Side],
        "books": drafts.list_usable(request, GAME),
        "book": request.POST.get("book", ""),
        "values": request.POST,
        "name_length": bounds.NAME_LENGTH,
        "problems": [],
    }
    if request.method == "GET":
        return render(request, "campaign/begin.html", ctx)
    card, side = request.POST.get("card", ""), request.POST.get("side", "")
    name = " ".join(request.POST.get("name", "").split())
    book = drafts.choose_version(request, GAME, request.POST.get("book", ""))
    hot_seat = request.POST.get("hot_seat") == "on"
    pins = typed_pins(request, Side) if hot_seat else {}
    ctx["problems"] = list(_problems(card, side, name, book, played_with, chosen_content))
    if not all(map(is_pin, pins.values())):
        ctx["problems"].append(BAD_PIN)
    if ctx["problems"] or played_with is None:
        return render(request, "campaign/begin.html", ctx, status=422)
    name = name or chosen_content.cards[card].name
    spend(request)
    match, tokens = begin(card, name, hot_seat, drafts.row_of(GAME, book), played_with)
    return seat_maker(request, match, tokens, side, pins)


def _problems(
    card: str, side: str, name: str, book: str, played_with: ContentBook | None, chosen_content: Content
) -> Iterator[str]:
    if card not in chosen_content.cards:
        yield "Choose a campaign card."
    if side not in set(Side):
        yield "Choose your side."
    if not book:
        yield "Choose a chart book."
    if played_with is None:
        yield "Choose the rosters, cards and map to play with."
    if len(name) > bounds.NAME_LENGTH or CONTROLS.search(name):
        yield f"A name has at most {bounds.NAME_LENGTH} characters, none of them a control character."


@require_POST
@asking_word
@counting_visits
def open_demo(request: HttpRequest) -> HttpResponse:
    """Sit down at both sides of a copy of the demo campaign, the one that this browser already has if there is one."""
    own_copy = request.session.get("demo", "")
    if own_copy and _still_plays(request, own_copy):
        devices.act_for(request, own_copy, Side.GERMAN.value)
        return redirect("firefight:match", own_copy)
    spend(request)
    match, tokens = demo.copy()
    for side in Side:
        seating.claim_seat(request, tokens[side])
    devices.act_for(request, match.pk, Side.GERMAN.value)
    request.session["demo"] = match.pk
    return redirect("firefight:match", match.pk)


def _still_plays(request: HttpRequest, match_id: str) -> bool:
    """Whether this browser holds all seats of a match that has not ended."""
    try:
        table = seating.at_table(request, match_id, lift_cover=True)
    except NoSeat:
        return False
    return table.plays_all and not table.match.ended
