"""Browsers that hold seats. A browser's signed cookie has one random key; rows say which seats that key holds.

So a cookie is never full, a seat can be taken from a device, and a copy of a cookie is worth no more than its rows.
"""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from firefight.models import Device, Seat
from firefight.table.act import bounds
from firefight.table.act.composed import Composed
from firefight.table.act.table import OBSERVER
from firefight.web.tokens import hash_token

SEEN_EVERY = timedelta(minutes=15)  # after that long away, a new visit begins

# What a user agent says, and what a player calls it; the first that fits.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "Chromebook",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def describe_browser(agent: str) -> str:
    """A browser in a player's words.

    >>> describe_browser("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'Firefox on Android'
    >>> describe_browser("curl/8.5.0")
    'A browser'
    """
    browser = next((name for sign, name in _BROWSERS.items() if sign in agent), "A browser")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    return f"{browser} on {system}" if system else browser


def own_key(request: HttpRequest) -> str:
    """The hash of this browser's key; "" for one that never sat down."""
    if "seats" in request.session:
        _convert_claims(request)
    key = request.session.get("device", "")
    return hash_token(key) if key else ""


def _convert_claims(request: HttpRequest) -> None:
    """Make rows of what cookies of version 0.1.0 hold: {match: {side: generation}}. Every cover is on then."""
    claims = request.session.pop("seats")
    request.session.pop("acting", None)
    for seat in Seat.objects.filter(match__in=claims):
        if claims[seat.match_id].get(seat.side) == seat.generation:
            sit_down(request, seat)


def sit_down(request: HttpRequest, seat: Seat) -> None:
    """Let this browser hold a seat."""
    if not own_key(request):
        request.session["device"] = secrets.token_urlsafe(32)
    name = describe_browser(request.headers.get("User-Agent", ""))
    last_number = seat.match.last_number  # nobody has missed what was before their time
    row = Device(key=own_key(request), seat=seat, name=name, read=last_number, visit=last_number, arrived=last_number)
    Device.objects.bulk_create([row], ignore_conflicts=True)
    surplus = seat.devices.order_by("-seen", "-pk").values("pk")[bounds.MOST_DEVICES :]
    Device.objects.filter(pk__in=surplus).delete()
    if seat.side != OBSERVER:
        Seat.objects.filter(pk=seat.pk, claimed=None).update(claimed=timezone.now())


def find_devices(request: HttpRequest) -> QuerySet[Device]:
    """All rows of this browser; a visitor who never sat down has none, and costs no query."""
    key = own_key(request)
    return Device.objects.filter(key=key) if key else Device.objects.none()


def find_devices_here(request: HttpRequest, match_id: str) -> QuerySet[Device]:
    return find_devices(request).filter(seat__match=match_id)


def begin_visit(request: HttpRequest, match_id: str, seats: Iterable[Seat]) -> None:
    """Remember that this browser is here, and what it has missed; its cookie lasts for another year."""
    own_seats = [seat for seat in seats if seat.device]
    for seat in own_seats:
        seat.visit, seat.arrived = seat.read, seat.match.last_number
    find_devices_here(request, match_id).update(seen=timezone.now(), visit=F("read"), arrived=own_seats[0].arrived)
    request.session.modified = True


def note_read(seat: Seat) -> None:
    """Remember that this browser is shown the newest line of the log. A query only if it was not before."""
    last_number = seat.match.last_number
    if seat.device and seat.read < last_number:
        seat.read = last_number
        Device.objects.filter(pk=seat.device).update(read=last_number)


# Hot-seat


def act_for(request: HttpRequest, match_id: str, side: str) -> None:
    """Lift the cover for a side; "" puts it on. Links not looked at yet go with the side.

    The browser gets a fresh word each time, so that no copy of its cookie sees through a cover lifted later.
    """
    request.session.pop("links", None)
    lifted = request.session.get("lifted", {})
    lifted.pop(match_id, None)
    own_devices = find_devices_here(request, match_id)
    own_devices.exclude(uncovered="").update(uncovered="")
    if side:
        word = secrets.token_urlsafe(16)
        own_devices.filter(seat__side=side).update(uncovered=hash_token(word))
        lifted = {**dict(list(lifted.items())[-(bounds.MOST_LIFTED - 1) :]), match_id: word}
    request.session["lifted"] = lifted


def acting_side(request: HttpRequest, match_id: str, sides: Mapping[str, str]) -> str:
    """The side that this browser acts for; "" while a hot-seat cover lies on the match.

    ``sides``: those that it holds, each with what is stored about its lifted cover.
    """
    playing = [side for side in sides if side != OBSERVER]
    if len(playing) < 2:
        return playing[0] if playing else OBSERVER
    word = request.session.get("lifted", {}).get(match_id, "")
    return next((side for side in playing if word and sides[side] == hash_token(word)), "")


@dataclass(frozen=True, slots=True)
class Glance:
    """What a page that is open asks again and again: the match's version, and for whom this browser acts."""

    version: int
    side: str


# Every open page asks this every second and a half.
_GLANCE = Composed(
    lambda key, match: Device.objects.filter(key=key, seat__match=match).values_list(
        "seat__side", "uncovered", "seat__match__version"
    ),
    *("key", "match"),
)


def glance(request: HttpRequest, match_id: str) -> Glance | None:
    """A look at a match; None for a browser without a seat in it. One query."""
    key = own_key(request)
    rows = _GLANCE.rows(key, match_id) if key else []
    if not rows:
        return None
    sides = {side: uncovered for side, uncovered, _ in rows}
    return Glance(rows[0][2], acting_side(request, match_id, sides))
