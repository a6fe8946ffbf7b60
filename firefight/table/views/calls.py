"""How players are notified when it is their turn: the page that sets it up, feeds, and the links in mails."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from firefight.games import registry
from firefight.hosting import outgoing
from firefight.hosting.allowance import counting_visits, spend
from firefight.models import Subscription
from firefight.table.act.table import Table
from firefight.table.presenters import describe_table
from firefight.table.seats import subscriptions, turns
from firefight.table.seats.subscriptions import BadSubscription, Kind
from firefight.web.addresses import address_of

from .access import refuse_seat
from .seated import seated
from .seats import public_address

A_CALL = 1_000  # bytes, about


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def calls_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The ways to be notified for this seat; a posted form sets one up, renews or ends it."""
    if not table.plays:
        return refuse_seat(request, "Observers have no turn.")
    if request.method == "GET":
        return draw_calls(request, table, request.session.pop("feed", ""))
    try:
        change_calls(request, table)
    except BadSubscription as error:
        return draw_calls(request, table, problem=str(error), status=422)
    return redirect("firefight:calls", table.match.pk)


def change_calls(request: HttpRequest, table: Table) -> None:
    """Do what a form of the page asks for. Raises BadSubscription."""
    kind, do = request.POST.get("kind", ""), request.POST.get("do", "")
    if kind not in Kind.values or do not in ("set", "end"):
        raise Http404("There is no such way to be called.")
    if do == "end":
        subscriptions.end_calls(table.seat, Kind(kind))
    elif kind == Kind.FEED:
        # Shown once, on the page that this redirects to.
        request.session["feed"] = subscriptions.renew_feed(table.seat)
    else:
        spend(request, A_CALL)
        standing = turns.find_standings({table.match: table.sees})[table.match.pk]
        subscriptions.subscribe(table.seat, Kind(kind), request.POST.get("address", ""), standing)


def draw_calls(
    request: HttpRequest, table: Table, token: str = "", problem: str = "", status: int = 200
) -> HttpResponse:
    """The page; ``token``: that of a feed's new address."""
    subscriptions_by_kind = {
        subscription.kind: subscription for subscription in Subscription.objects.filter(seat=table.seat)
    }
    ctx = {
        **describe_table(table),
        "subscriptions": subscriptions_by_kind,
        "feed": public_address(request, address_of("firefight:feed", token)) if token else "",
        "chats": outgoing.list_chats() if subscriptions.offers_chats() else (),
        "has_mail": subscriptions.offers_mail(),
        "most_failures": subscriptions.MOST_FAILURES,
        "problem": problem,
    }
    return render(request, "firefight/calls.html", ctx, status=status)


@require_GET
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """A seat's feed. Readers that ask often get an empty 304 while nothing is new."""
    subscription = subscriptions.find_by_feed(token)
    if subscription is None:
        raise Http404("There is no such feed.")
    tag = f'"{subscription.seat.match_id}-{subscription.seat.match.version}"'
    headers = {"ETag": tag, "Cache-Control": "private, max-age=60"}
    if request.headers.get("If-None-Match") == tag:
        return HttpResponse(status=304, headers=headers)
    site = public_address(request, "/").rstrip("/")
    text = subscriptions.write_feed(subscription, site)
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8", headers=headers)


@require_http_methods(["GET", "POST"])
def letters(request: HttpRequest, word: str) -> HttpResponse:
    """Where the link in a mail leads. Nothing happens until a button is pressed, since mail programs open links."""
    subscription = subscriptions.find_by_word(word)
    if subscription is None:
        raise Http404("Nobody asks for these letters any more.")
    if request.method == "POST":
        if request.POST.get("do") == "refuse":
            subscriptions.refuse_mailbox(subscription)
            return render(request, "firefight/letters.html", {"ended": True, "refused": True})
        if request.POST.get("do") == "end":
            subscriptions.end_calls(subscription.seat, Kind.MAIL)
            return render(request, "firefight/letters.html", {"ended": True})
        subscriptions.confirm_mailbox(subscription)
        return redirect("firefight:letters", word)
    name = registry.games()[subscription.seat.match.game].name_of(subscription.seat.side)
    ctx = {"match": subscription.seat.match, "name": name, "confirmed": subscription.confirmed}
    return render(request, "firefight/letters.html", ctx)
