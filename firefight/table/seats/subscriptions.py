"""How a player hears that it is their turn while no page is open: a feed, a chat's webhook, a letter.

Acts know nothing of it. ``attend`` (the command) looks from time to time which matches have moved on, and calls those
they wait for since; so nothing holds up a request, and nothing is sent about what was undone meanwhile.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed

from firefight.games import registry
from firefight.hosting import outgoing
from firefight.hosting.outgoing import Unsent
from firefight.models import Match, Seat, Subscription
from firefight.table.act.ledger_values import Standing
from firefight.table.act.ports import home_of
from firefight.table.log import reading
from firefight.web.tokens import hash_token

from . import mailboxes
from .turns import find_standings

Kind = Subscription.Kind

MOST_FAILURES = 8  # in a row; then nobody is called until the player asks for it again
MOST_AT_ONCE = 500  # looked at by one round
LONGEST_CHAT = 500
PAUSE = timedelta(minutes=5)  # between one address and the next
FEED_LINES = 30
logger = logging.getLogger(__name__)


class BadSubscription(Exception):
    """Nothing was changed; the message says why, in a player's words."""


def offers_chats() -> bool:
    """Whether the host allows webhooks."""
    return bool(settings.WEBHOOKS and settings.PUBLIC_ADDRESS)


def offers_mail() -> bool:
    """Whether the host sends letters."""
    return bool(settings.EMAIL_HOST and settings.PUBLIC_ADDRESS)


# What a player asks for


def renew_feed(seat: Seat) -> str:
    """Give a seat's feed a new secret address; returns the word in it, which is not kept. The one before ends."""
    token = secrets.token_urlsafe(32)
    Subscription.objects.update_or_create(seat=seat, kind=Kind.FEED, defaults={"token": hash_token(token)})
    return token


def subscribe(seat: Seat, kind: Kind, address: str, standing: Standing) -> None:
    """Call a seat's player at an address from now on. Raises BadSubscription.

    ``standing``: where the match stands as they say so, of which they need not be told. A mailbox is asked first,
    unless this seat has its word already.
    """
    address = address.strip()
    old = Subscription.objects.filter(seat=seat, kind=kind).first()
    if old and old.since > timezone.now() - PAUSE:
        raise BadSubscription("That was changed a moment ago: try again in a few minutes.")
    fresh = {"address": address, "since": timezone.now(), "confirmed": None, "failures": 0, "trouble": ""}
    if kind is Kind.WEBHOOK:
        _check_chat(address)
    elif old and old.confirmed and mailboxes.normalize_address(old.address) == mailboxes.normalize_address(address):
        fresh |= {"address": old.address, "confirmed": old.confirmed}
    else:
        _ask_mailbox(address)
    fresh |= {"told": seat.match.version, "awaited": standing.is_turn_of((seat.side,)), "token": ""}
    Subscription.objects.update_or_create(seat=seat, kind=kind, defaults=fresh)


def _check_chat(address: str) -> None:
    if not offers_chats():
        raise BadSubscription("The host of this app calls no chats.")
    if len(address) > LONGEST_CHAT:
        raise BadSubscription("The address is too long.")
    try:
        outgoing.check_address(address)
    except Unsent as error:
        raise BadSubscription(str(error)) from None


def _ask_mailbox(address: str) -> None:
    if not offers_mail():
        raise BadSubscription("The host of this app sends no letters.")
    try:
        mailboxes.check_mailbox(address)
        mailboxes.note_question(address)
    except mailboxes.Unasked as error:
        raise BadSubscription(str(error)) from None


def end_calls(seat: Seat, kind: Kind) -> None:
    """Stop calling a seat's player in this way."""
    Subscription.objects.filter(seat=seat, kind=kind).delete()


# What stands in letters: a word that is valid for one mailbox of one seat, and kept nowhere.

_SIGNER = Signer(salt="firefight.table.seats.subscriptions")


def secret_of_mailbox(subscription: Subscription) -> str:
    return str(_SIGNER.sign_object([subscription.pk, hash_token(subscription.address)[:16]]))


def find_by_word(word: str) -> Subscription | None:
    """The mailbox that a letter's link is about; None where nobody asks for it any more."""
    try:
        key, address = _SIGNER.unsign_object(word)
    except (BadSignature, ValueError, TypeError):
        return None
    subscription = Subscription.objects.select_related("seat__match").filter(pk=key, kind=Kind.MAIL).first()
    return subscription if subscription and hash_token(subscription.address)[:16] == address else None


def confirm_mailbox(subscription: Subscription) -> None:
    """The mailbox wants letters."""
    Subscription.objects.filter(pk=subscription.pk, confirmed=None).update(confirmed=timezone.now())


def refuse_mailbox(subscription: Subscription) -> None:
    """The mailbox wants no letters for any seat, and is not asked again."""
    address = subscription.address
    mailboxes.note_refusal(address)
    normalized = mailboxes.normalize_address(address)
    rows = Subscription.objects.filter(kind=Kind.MAIL).values_list("pk", "address")
    keys = [pk for pk, other_address in rows.iterator() if mailboxes.normalize_address(other_address) == normalized]
    Subscription.objects.filter(pk__in=keys).delete()


# Feeds


def find_by_feed(token: str) -> Subscription | None:
    feeds = Subscription.objects.select_related("seat__match").filter(kind=Kind.FEED, token=hash_token(token))
    return feeds.first()


def write_feed(subscription: Subscription, site: str) -> str:
    """A seat's feed: whose turn it is, and the newest lines as everybody reads them. ``site``: before each path.

    Three queries, seven in a phase between two firefights.
    """
    seat, match = subscription.seat, subscription.seat.match
    game = registry.games()[match.game]
    # Nothing sealed is asked for: whoever finds the address learns nothing that an observer would not.
    lines = reading.visible(match.log.defer("inputs", "result")[:FEED_LINES], ())
    link = f"{site}{home_of(match)}"
    feed = Atom1Feed(
        title=f"{match.name}: {game.name_of(seat.side)}",
        link=link,
        description="",
        feed_guid=f"urn:volga-ledger:{match.pk}:{seat.side}",
        language="en",
    )
    standing = _standing_for(subscription)
    if standing.is_turn_of((seat.side,)):
        place = " · ".join(filter(None, (*standing.headings, say_over(match))))
        guid = f"urn:volga-ledger:{match.pk}:{seat.side}:turn:{match.version}"
        feed.add_item(f"Your turn: {place}", link, "", unique_id=guid, updateddate=lines[0].at, pubdate=lines[0].at)
    for line in lines:
        speaker = f"{game.name_of(line.side)}: " if line.side else ""
        guid = f"urn:volga-ledger:{match.pk}:{line.number}"
        title = f"№ {line.number} {speaker}{line.sentence}"
        feed.add_item(title[:300], link, "", unique_id=guid, updateddate=line.at, pubdate=line.at)
    return feed.writeString("utf-8")


def say_over(match: Match) -> str:
    """What the side that handed over to the others said, in quotation marks; "" for nothing."""
    return f"“{match.state.over_line}”" if match.state.over_line else ""


# Calling


def call_players() -> int:
    """Call everybody whose turn it has become since the last round; returns how many were."""
    moved = Subscription.objects.exclude(kind=Kind.FEED).filter(failures__lt=MOST_FAILURES, seat__match__hot_seat=False)
    moved = moved.select_related("seat__match").order_by("pk")
    ask_mailboxes(moved.filter(kind=Kind.MAIL, confirmed=None, token=""))
    ready = moved.exclude(kind=Kind.MAIL, confirmed=None).filter(told__lt=F("seat__match__version"))[:MOST_AT_ONCE]
    return sum(_call(subscription, _standing_for(subscription)) for subscription in ready)


def _standing_for(subscription: Subscription) -> Standing:
    match = subscription.seat.match
    return find_standings({match: (subscription.seat.side,)})[match.pk]


def _call(subscription: Subscription, standing: Standing) -> bool:
    """Call a player if it has become their turn; returns whether they were."""
    is_due = standing.is_turn_of((subscription.seat.side,))
    row, version_told = Subscription.objects.filter(pk=subscription.pk), subscription.told
    # Whoever notes it first calls, so that two rounds at once do not call twice.
    if not row.filter(told=version_told).update(told=subscription.seat.match.version, awaited=is_due):
        return False
    if not is_due or subscription.awaited:
        return False
    try:
        _SEND[Kind(subscription.kind)](subscription)
    except (Unsent, OSError) as error:
        _note_failure(subscription, error, told=version_told, awaited=False)
        return False
    row.exclude(failures=0).update(failures=0, trouble="")
    return True


def _note_failure(subscription: Subscription, error: Exception, **again: object) -> None:
    """Nobody was reached; ``again``: the columns with which the next round tries again."""
    logger.warning("Not called (%s): %s", subscription.kind, error)
    trouble = str(error)[:120] if isinstance(error, Unsent) else "The mail server does not answer."
    row = Subscription.objects.filter(pk=subscription.pk)
    row.update(failures=F("failures") + 1, trouble=trouble, **again)


def ask_mailboxes(waiting: Iterable[Subscription]) -> None:
    """Ask new mailboxes whether they want letters, each once; those that could not be reached by the next round."""
    for subscription in waiting:
        if not Subscription.objects.filter(pk=subscription.pk, token="").update(token="asked"):
            continue
        text = "Somebody who plays on Volga Ledger wants to be told here when it is their turn. If it was you, open"
        ending = "If not, do nothing: no more letters come. The same page can end all letters from there for good."
        try:
            _send_letter(subscription, "Confirm your address", f"{text}\n\n{_link_of(subscription)}\n\n{ending}")
        except OSError as error:
            _note_failure(subscription, error, token="")


def _call_chat(subscription: Subscription) -> None:
    words = _without_markup(say_over(subscription.seat.match))
    head = f"{_without_markup(_name(subscription))}: your turn."
    text = " ".join(filter(None, (head, words, _page_address(subscription))))
    # What several kinds of chats call the text; and no name of a match calls everybody in the room.
    outgoing.send_json(subscription.address, {"text": text, "content": text, "allowed_mentions": {"parse": []}})


def _call_mailbox(subscription: Subscription) -> None:
    words = say_over(subscription.seat.match)
    lines = ("It is your turn.", words, _page_address(subscription), f"To end these letters: {_link_of(subscription)}")
    text = "\n\n".join(filter(None, lines))
    _send_letter(subscription, f"Your turn: {_name(subscription)}", text)


_SEND = {Kind.WEBHOOK: _call_chat, Kind.MAIL: _call_mailbox}


def _send_letter(subscription: Subscription, subject: str, text: str) -> None:
    headers = {"List-Unsubscribe": f"<{_link_of(subscription)}>", "Auto-Submitted": "auto-generated"}
    EmailMessage(" ".join(subject.split()), text, to=[subscription.address], headers=headers).send()


def _name(subscription: Subscription) -> str:
    match = subscription.seat.match
    return f"{match.name}, {registry.games()[match.game].name_of(subscription.seat.side)}"


def _without_markup(name: str) -> str:
    """A name without what chats take for markup or for a call to somebody."""
    return "".join(letter for letter in name if letter not in "<>@&*_`#[]|~\\")


def _page_address(subscription: Subscription) -> str:
    return f"{settings.PUBLIC_ADDRESS}{home_of(subscription.seat.match)}"


def _link_of(subscription: Subscription) -> str:
    return f"{settings.PUBLIC_ADDRESS}{reverse('firefight:letters', args=[secret_of_mailbox(subscription)])}"
