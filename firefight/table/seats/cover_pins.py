"""The PIN that keeps a cover over a seat."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import transaction
from django.utils import timezone

from firefight.models import Match, Seat

from .seating import PIN_PAUSE, PIN_TRIES, _name, _tell, logger


class PinHasher(PBKDF2PasswordHasher):
    """Cheaper than for passwords: ten thousand PINs are few for whoever has the rows, however costly each is.

    What guards a PIN is that tries are counted; a costly hash would only let a guesser keep the workers busy.
    """

    iterations = 100_000


def hash_pin(pin: str) -> str:
    return PinHasher().encode(pin, PinHasher().salt())


def is_pin_of(pin: str, stored: str) -> bool:
    """Whether a PIN is the one that is stored, also as version 0.1.0 did it."""
    return PinHasher().verify(pin, stored)


class BadPin(Exception):
    """The PIN is wrong, or too many were; the message says which."""


def set_pin(seat_pk: int, pin: str) -> None:
    """Store a seat's PIN, hashed; "" removes it."""
    Seat.objects.filter(pk=seat_pk).update(pin=hash_pin(pin) if pin else "", pin_failures=0)


def check_pin(seat_pk: int, pin: str) -> None:
    """Compare a PIN. After five wrong ones the seat pauses for a minute. Raises BadPin.

    Hashing takes its time, so nothing is locked meanwhile: a try is counted before it is looked at, and
    many at once are not more tries.
    """
    seat, tries = _count_try(seat_pk)
    if not seat.pin:
        return
    if is_pin_of(pin, seat.pin):
        Seat.objects.filter(pk=seat_pk).update(pin_failures=0, pin_locked_until=None)
        return
    logger.warning("Wrong PIN for the %s seat of match %s, try %s of %s.", seat.side, seat.match_id, tries, PIN_TRIES)
    if tries >= PIN_TRIES:
        _tell_lock_out(seat)
    raise BadPin("That is not this side's PIN.")


def _count_try(seat_pk: int) -> tuple[Seat, int]:
    """Count a try, and begin the pause with the last one. Raises BadPin during a pause."""
    with transaction.atomic():
        seat = Seat.objects.select_for_update().get(pk=seat_pk)
        if not seat.pin:
            return seat, 0
        now = timezone.now()
        # An end further off than a pause lasts comes from a clock that was set back since.
        if seat.pin_locked_until and now < seat.pin_locked_until <= now + PIN_PAUSE:
            raise BadPin("Too many wrong PINs: wait a minute.")
        tries = seat.pin_failures + 1
        seat.pin_failures, seat.pin_locked_until = (0, now + PIN_PAUSE) if tries >= PIN_TRIES else (tries, None)
        seat.save(update_fields=["pin_failures", "pin_locked_until"])
    return seat, tries


def _tell_lock_out(seat: Seat) -> None:
    """Log that somebody has tried to guess a PIN; once for a row of guesses, so that they cannot fill the log."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=seat.match_id)
        sentence = f"{PIN_TRIES} wrong PINs for {_name(match, seat)}: the cover stays on for a minute."
        last_line = match.log.order_by("-number").first()
        if last_line is None or last_line.sentence != sentence:
            _tell(match, "", sentence)
