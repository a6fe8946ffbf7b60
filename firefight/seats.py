"""Seats are capabilities: whoever opened a seat's link holds it in that browser. No accounts.

A browser's seats stand in its signed session cookie as {match id: {side: generation}}; each request
checks them against the rows, so that a link issued anew ends every older claim.
"""

import hashlib
import secrets
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from . import assist, log
from .models import LogEntry, Match, Seat

OBSERVER = "observer"
PIN_TRIES = 5
PIN_PAUSE = timedelta(minutes=1)
MOST_MATCHES = 40  # in one browser's cookie; the oldest fall out


class NoSeat(Exception):
    """This browser holds no seat in the match."""


class Covered(Exception):
    """Hot-seat: the cover lies over the match until a side lifts it."""


class BadLink(Exception):
    """A seat link that was never issued, is used up, or was replaced."""


class BadPin(Exception):
    """The PIN is wrong, or too many were; the message says which."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match as one browser may see it: the side it acts for and the sides that it holds."""

    match: Match
    side: str
    held: tuple[str, ...]
    seats: tuple[Seat, ...]

    @property
    def game(self) -> assist.Game:
        """The match's game."""
        return assist.games()[self.match.game]

    @property
    def fresh_act(self) -> str:
        """An act id for one form."""
        return str(uuid.uuid4())

    @property
    def plays(self) -> bool:
        """Holds a side, rather than a place on the observers' bench."""
        return self.side != OBSERVER

    @property
    def plays_all(self) -> bool:
        """Holds every side: both players sit in front of this page."""
        return {seat.side for seat in self.seats} - {OBSERVER} <= set(self.held)

    def may_issue(self, seat: Seat) -> bool:
        """A side's link is for who acts for it, so that no PIN is gone around; a free seat's for any player."""
        return self.plays and (seat.side in (self.side, OBSERVER) or seat.claimed is None)

    @property
    def sees(self) -> tuple[str, ...]:
        """The sides whose sealed things this browser may be sent now."""
        return (self.side,) if self.plays else ()


def hashed(token: str) -> str:
    """How a token is stored. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def create(match: Match, sides: Iterable[str]) -> dict[str, str]:
    """Make the seats of a new match; returns each seat's token, which is not kept."""
    tokens = {side: secrets.token_urlsafe(32) for side in (*sides, OBSERVER)}
    Seat.objects.bulk_create(Seat(match=match, side=side, token_hash=hashed(token)) for side, token in tokens.items())
    return tokens


def sit_down(request: HttpRequest, seat: Seat) -> None:
    """Let this browser hold a seat."""
    held = request.session.get("seats", {})
    mine = {**held.pop(seat.match_id, {}), seat.side: seat.generation}
    kept = dict(list(held.items())[-(MOST_MATCHES - 1) :])
    request.session["seats"] = {**kept, seat.match_id: mine}


def find_link(token: str) -> Seat:
    """The seat that a link's token opens. Raises BadLink."""
    seat = Seat.objects.select_related("match").filter(token_hash=hashed(token)).first()
    if seat is None:
        raise BadLink
    return seat


def claim(request: HttpRequest, token: str) -> Seat:
    """Take the seat of a link. A side's link works once; the observers' for everybody. Raises BadLink."""
    with transaction.atomic():
        seat = find_link(token)
        if seat.side != OBSERVER:
            _use_up(seat, token)
    sit_down(request, seat)
    return seat


def _use_up(seat: Seat, token: str) -> None:
    match = Match.objects.select_for_update().get(pk=seat.match_id)
    if not Seat.objects.filter(pk=seat.pk, token_hash=hashed(token)).update(token_hash="", claimed=timezone.now()):
        raise BadLink  # another browser was quicker
    name = assist.games()[match.game].sides[seat.side]
    log.record(match, None, LogEntry.Kind.SEAT, seat.side, f"{name} takes the seat.")
    match.version += 1
    match.save(update_fields=[*log.GROWS, "version"])


def issue_link(request: HttpRequest, table: Table, side: str) -> str:
    """Issue a seat's link anew and unseat whoever held it before, except the asking browser.

    Raises NoSeat when this browser may not ask for it.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(match=table.match, side=side)
        if not table.may_issue(seat):
            raise NoSeat
        seat.token_hash = hashed(token)
        seat.generation = F("generation") + 1
        seat.claimed = seat.claimed if side in table.held else None
        seat.save(update_fields=["token_hash", "generation", "claimed"])
        seat.refresh_from_db(fields=["generation"])
    if side in table.held:
        sit_down(request, seat)
    return token


def at_table(request: HttpRequest, match_id: str, lift_cover: bool = False) -> Table:
    """What this browser may see of a match. One query.

    Raises Match.DoesNotExist, NoSeat, or Covered when a hot-seat cover lies on it.
    """
    seats = tuple(Seat.objects.filter(match=match_id).select_related("match"))
    if not seats:
        raise Match.DoesNotExist
    claims = request.session.get("seats", {}).get(match_id, {})
    held = tuple(seat.side for seat in seats if claims.get(seat.side) == seat.generation)
    if not held:
        raise NoSeat
    side = acting_side(request, seats[0].match, held)
    if not side and not lift_cover:
        raise Covered
    return Table(seats[0].match, side, held, seats)


def acting_side(request: HttpRequest, match: Match, held: tuple[str, ...]) -> str:
    """The side that this browser acts for; "" while a hot-seat cover lies on the match."""
    playing = tuple(side for side in held if side != OBSERVER)
    if len(playing) < 2:
        return playing[0] if playing else OBSERVER
    side = request.session.get("acting", {}).get(match.pk, "")
    return side if side in playing else ""


def act_for(request: HttpRequest, match_id: str, side: str) -> None:
    """Hot-seat: act for a side from now on; "" puts the cover on. Links not looked at yet go with the side."""
    request.session.pop("links", None)
    acting = request.session.get("acting", {})
    acting.pop(match_id, None)
    request.session["acting"] = {**dict(list(acting.items())[-MOST_MATCHES:]), match_id: side}


def set_pin(seat_pk: int, pin: str) -> None:
    """Store a seat's PIN, hashed; "" removes it."""
    Seat.objects.filter(pk=seat_pk).update(pin=make_password(pin) if pin else "", pin_failures=0)


def check_pin(seat_pk: int, pin: str) -> None:
    """Compare a PIN. After five wrong ones the seat pauses for a minute. Raises BadPin."""
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(pk=seat_pk)
        if not seat.pin:
            return
        now = timezone.now()
        if seat.pin_locked_until and seat.pin_locked_until > now:
            problem = "Too many wrong PINs: wait a minute."
        elif check_password(pin, seat.pin):
            problem, seat.pin_failures = "", 0
        else:
            seat.pin_failures += 1
            problem = "That is not this side's PIN."
            if seat.pin_failures >= PIN_TRIES:
                seat.pin_failures, seat.pin_locked_until = 0, now + PIN_PAUSE
        seat.save(update_fields=["pin_failures", "pin_locked_until"])
    if problem:
        raise BadPin(problem)
