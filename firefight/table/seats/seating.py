"""Seats are capabilities: whoever opened a seat's link holds it in that browser. No accounts.

Which browser holds which seat stands in rows (table/seats/devices.py). A free seat's link invites; a taken seat's link
is its holder's own way back to it. Each works once, and is renewed by asking for another.
"""

import logging
import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateformat import format as format_time

from firefight.engine.text import capitalize
from firefight.games import registry
from firefight.models import Device, LogEntry, Match, Seat
from firefight.table.act import writing
from firefight.table.act.composed import Composed
from firefight.table.act.table import OBSERVER, Table, free_from
from firefight.table.act.writing import GROWS
from firefight.web.tokens import hash_token

from . import box_keys, devices
from .devices import act_for, own_key, sit_down

PIN_TRIES = 5
PIN_PAUSE = timedelta(minutes=1)
SEATS_OUT = " What held it before holds it no longer."
logger = logging.getLogger(__name__)


class NoSeat(Exception):
    """This browser holds no seat in the match."""


class Covered(Exception):
    """Hot-seat: the cover lies over the match until a side lifts it."""


class BadLink(Exception):
    """A seat link that was never issued, is used up, or was replaced."""


class NotFreed(Exception):
    """A seat stays with whoever holds it; the message says why."""


# Links


def create_seats(match: Match, sides: Iterable[str]) -> dict[str, str]:
    """Make the seats of a new match; returns each seat's token, which is not kept."""
    tokens = {side: secrets.token_urlsafe(32) for side in (*sides, OBSERVER)}
    Seat.objects.bulk_create(
        Seat(match=match, side=side, token_hash=hash_token(token)) for side, token in tokens.items()
    )
    return tokens


def sit_at_new(request: HttpRequest, match: Match, tokens: Mapping[str, str], side: str) -> dict[str, str]:
    """Sit down at a match that was just made: at all its sides if it is hot-seat, else at one.

    Returns the tokens of the links to hand out: the other seats', and one's own way back.
    """
    if match.hot_seat:
        for played_side in tokens.keys() - {OBSERVER}:
            claim_seat(request, tokens[played_side])
        act_for(request, match.pk, side)
        return {}
    seat = claim_seat(request, tokens[side])
    return {**tokens, side: _renew_way_back(seat)}


def find_link(token: str) -> Seat:
    """The seat that a link's token opens. Raises BadLink."""
    seat = Seat.objects.select_related("match").filter(token_hash=hash_token(token)).first()
    if seat is None:
        raise BadLink
    return seat


def claim_seat(request: HttpRequest, token: str, keep: bool = False, both: bool = False) -> Seat:
    """Take the seat of a link. A side's link works once; the observers' for everybody. Raises BadLink.

    A way back puts out the devices that held the seat, unless they are to ``keep`` it. ``both``: take the
    ``partners`` of the seat too, in the same way. The seat that is returned is as it was before.
    """
    with transaction.atomic():
        seat = find_link(token)
        if seat.side == OBSERVER:
            sit_down(request, seat)
        else:
            _take_seat(request, seat, token, keep, both)
    return seat


def _take_seat(request: HttpRequest, seat: Seat, token: str, keep: bool, both: bool) -> None:
    match = Match.objects.select_for_update().get(pk=seat.match_id)
    if not Seat.objects.filter(pk=seat.pk, token_hash=hash_token(token)).update(token_hash="", missed=None):
        raise BadLink  # another browser was quicker
    name = _name(match, seat)
    if seat.claimed is None:
        _tell(match, seat.side, f"{name} takes the seat{_say_both_sides(request, match, seat)}.")
        sit_down(request, seat)
        return
    seats_taken = [seat, *(find_partners(seat) if both else ())]
    out = 0 if keep else sum(_put_out(seat_taken, others_at(request, seat_taken)) for seat_taken in seats_taken)
    _tell(match, seat.side, f"{name} comes back to the seat by its own link.{SEATS_OUT if out else ''}")
    for seat_taken in seats_taken:
        sit_down(request, seat_taken)


def _say_both_sides(request: HttpRequest, match: Match, seat: Seat) -> str:
    """What the log adds when somebody sits down at both sides of a match for two devices."""
    if match.hot_seat:
        return ""
    device = devices.find_devices_here(request, match.pk).exclude(seat__side__in=(OBSERVER, seat.side)).first()
    return f", on a device that holds the seat of {_name(match, device.seat)} too" if device else ""


def find_claimed(seat: Seat) -> list[Seat]:
    """The other sides of its match in whose seats somebody sits."""
    return list(seat.match.seats.filter(claimed__isnull=False).exclude(side__in=(seat.side, OBSERVER)).order_by("pk"))


def find_partners(seat: Seat) -> list[Seat]:
    """Hot-seat: the other seats of the same device, from which no PIN separates this one."""
    other_seats = Seat.objects.filter(match=seat.match).exclude(side__in=(OBSERVER, seat.side))
    return [other_seat for other_seat in other_seats if seat.match.hot_seat and _is_one_device(other_seat, seat)]


def _is_one_device(other_seat: Seat, seat: Seat) -> bool:
    """Whether a seat without a PIN is held by nothing but devices that hold ``seat`` as well."""
    if other_seat.pin:
        return False
    keys = {key for key in other_seat.devices.values_list("key", flat=True)}
    return bool(keys) and keys <= set(seat.devices.values_list("key", flat=True))


def _name(match: Match, seat: Seat) -> str:
    return registry.games()[match.game].name_of(seat.side)


def _tell(match: Match, side: str, sentence: str) -> None:
    """Log what became of a seat, and let every page know. The log of an ended match is shut. Needs the match locked."""
    if not match.ended:
        writing.record(match, None, LogEntry.Kind.SEAT, side, sentence)
    match.version += 1
    match.save(update_fields=[*GROWS, "version"])


def issue_link(table: Table, side: str) -> str:
    """Issue a new link to a seat, and end the one before: a free seat's, the observers', or one's own way back.

    Whoever watched by the observers' old link is out. Returns the token. Raises NoSeat when this browser may not ask.
    """
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(match=table.match, side=side)
        if not table.may_issue(seat):
            raise NoSeat
        if side == OBSERVER:
            _put_out(seat, seat.devices.all())
        return _renew_way_back(seat) if side == table.side else _renew_link(seat)


def _renew_link(seat: Seat) -> str:
    token = secrets.token_urlsafe(32)
    Seat.objects.filter(pk=seat.pk).update(token_hash=hash_token(token))
    return token


def _renew_way_back(seat: Seat) -> str:
    """A new link for whoever holds the seat. It opens what the others' files keep of the seat from now on, too."""
    token = _renew_link(seat)
    if seat.side != OBSERVER:
        box_keys.renew_key(seat, token)
    return token


# Devices


def others_at(request: HttpRequest, seat: Seat) -> QuerySet[Device]:
    """The devices of a seat, without this browser."""
    return seat.devices.exclude(key=own_key(request)).order_by("-seen", "-pk")


def _put_out(seat: Seat, rows: QuerySet[Device]) -> int:
    """Take the seat from these devices, and from every cookie of version 0.1.0; returns how many rows those were."""
    Seat.objects.filter(pk=seat.pk).update(generation=F("generation") + 1)
    return rows.delete()[0]


def put_out(table: Table, device: Device) -> None:
    """Take one's own seat from a device. Raises NotFreed when nobody could sit there any more."""
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(pk=table.seat.pk)
        if not seat.token_hash and not seat.devices.exclude(pk=device.pk).exists():
            raise NotFreed("This is the only device that holds the seat. Make a way back first, and keep it.")
        _put_out(seat, seat.devices.filter(pk=device.pk))


def report_lost(table: Table, side: str) -> None:
    """Say that another side has lost its seat. Its devices are asked, and any act of theirs ends it. Raises NoSeat."""
    with transaction.atomic():
        match, seat = _hold(table, side)
        if not table.may_free(seat):
            raise NoSeat
        if seat.missed is None:
            seat.missed = timezone.now()
            seat.save(update_fields=["missed"])
            name = _name(match, seat)
            when = format_time(free_from(seat.missed), "j M, H:i")
            claim = f"{_name(match, table.seat)} says that {name} has lost the seat"
            _tell(match, table.side, f"{claim}: unless {name} acts, it can be freed from {when} UTC on.")


def say_found(table: Table, side: str) -> None:
    """Say that another side has its seat after all. Raises NoSeat."""
    with transaction.atomic():
        match, seat = _hold(table, side)
        if not table.may_free(seat):
            raise NoSeat
        _find(match, seat, table.side, f"{_name(match, table.seat)} says that {_name(match, seat)} has the seat.")


def say_here(table: Table) -> None:
    """Say that one's own seat is not lost."""
    with transaction.atomic():
        match, seat = _hold(table, table.side)
        _find(match, seat, table.side, f"{_name(match, seat)} is here and keeps the seat.")


def _find(match: Match, seat: Seat, by: str, sentence: str) -> None:
    if seat.missed is not None:
        seat.missed = None
        seat.save(update_fields=["missed"])
        _tell(match, by, sentence)


def _hold(table: Table, side: str) -> tuple[Match, Seat]:
    match = Match.objects.select_for_update().get(pk=table.match.pk)
    return match, Seat.objects.get(match=match, side=side)


def is_freed_at_once(table: Table, seat: Seat) -> bool:
    """Hot-seat: nobody else can be asked. Otherwise a cheat could sit down there and look."""
    return table.match.hot_seat and _is_one_device(seat, table.seat)


def free_lost(table: Table, side: str) -> str:
    """Free another side's seat that was said to be lost long enough ago; returns its new link's token.

    Raises NoSeat, or NotFreed while its holder may still object.
    """
    with transaction.atomic():
        match, seat = _hold(table, side)
        if not table.may_free(seat):
            raise NoSeat
        if not is_freed_at_once(table, seat):
            if seat.missed is None:
                raise NotFreed(f"{capitalize(table.another_side)} is here, or nobody has said that the seat is lost.")
            if free_from(seat.missed) > timezone.now():
                raise NotFreed(f"{capitalize(table.another_side)} still has time to answer.")
        return free_seat(match, seat, table.side, _name(match, table.seat))


def free_seat(match: Match, seat: Seat, by: str, name: str) -> str:
    """Free a seat: no device holds it, it has no PIN, a new link invites to it. Needs the match locked (free_lost)."""
    _put_out(seat, seat.devices.all())
    fresh = {"claimed": None, "missed": None, "pin": "", "pin_failures": 0, "pin_locked_until": None}
    fresh |= {"wants_deletion": False}  # whoever sits down next has not asked for it
    Seat.objects.filter(pk=seat.pk).update(**fresh)
    seat.subscriptions.all().delete()
    box_keys.renew_key(seat)  # what its last holder knows opens nothing that is sealed from now on
    _tell(match, by, f"{name} frees the seat of {_name(match, seat)}.")
    return _renew_link(seat)


def free_by_host(seat: Seat) -> str:
    """Free a seat at once, as only whoever runs the app can; returns its new link's token."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=seat.match_id)
        return free_seat(match, seat, "", "The host")


def way_back_by_host(seat: Seat) -> str:
    """A way back to a seat, for its player; the host can make one. Logged."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=seat.match_id)
        _tell(match, "", f"The host makes a way back to the seat of {_name(match, seat)}.")
        return _renew_way_back(seat)


# The table


_MATCH = [field.attname for field in Match._meta.concrete_fields]
_SEAT = [field.attname for field in Seat._meta.concrete_fields]
_OF_DEVICE = ("here__pk", "here__seen", "here__uncovered", "here__read", "here__visit", "here__arrived")


def _seats_for(key: str, match_id: str) -> QuerySet[Seat]:
    """The seats of a match, each with the match and with what the device of this key holds of it."""
    own_device = FilteredRelation("devices", condition=Q(devices__key=key))
    columns = (*_SEAT, *(f"match__{name}" for name in _MATCH), *_OF_DEVICE)
    return Seat.objects.filter(match=match_id).annotate(here=own_device).values_list(*columns)


# Whatever anybody does or looks at in a match begins with this.
_SEATS = Composed(_seats_for, "key", "match", alike=range(len(_SEAT), len(_SEAT) + len(_MATCH)))


def _read_seats(key: str, match_id: str) -> tuple[Seat, ...]:
    """The seats of a match, and for each what the browser with this key is there: ``device``, ``seen`` and so on."""
    rows, seats = _SEATS.rows(key, match_id), []
    if rows:
        match = Match.from_db(DEFAULT_DB_ALIAS, _MATCH, rows[0][len(_SEAT) : -len(_OF_DEVICE)])
    for row in rows:
        seat = Seat.from_db(DEFAULT_DB_ALIAS, _SEAT, row[: len(_SEAT)])
        seat.match = match
        seat.device, seat.seen, seat.uncovered, seat.read, seat.visit, seat.arrived = row[-len(_OF_DEVICE) :]
        seats.append(seat)
    return tuple(seats)


def at_table(request: HttpRequest, match_id: str, lift_cover: bool = False) -> Table:
    """What this browser may see of a match. One query, and another one when a visit begins.

    Raises NoSeat, of a match that does not exist too, so that nobody learns which do; or Covered when a hot-seat cover
    lies on it.
    """
    seats = _read_seats(own_key(request), match_id)
    own_sides = {seat.side: seat.uncovered for seat in seats if seat.device}
    if not own_sides:
        raise NoSeat
    if min(seat.seen for seat in seats if seat.device) < timezone.now() - devices.SEEN_EVERY:
        devices.begin_visit(request, match_id, seats)
    side = devices.acting_side(request, match_id, own_sides)
    if not side and not lift_cover:
        raise Covered
    return Table(seats[0].match, side, tuple(own_sides), seats)
