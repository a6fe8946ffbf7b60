"""Which mailboxes were asked whether they want letters, and which want none: nobody can have letters sent to strangers.

A mailbox is asked once a day at most, whatever seat names it, and however its address is written; the host asks a
limited number a day. One that wants no letters is not asked again. Only keyed hashes of addresses are stored, and for a
year.
"""

import re
import unicodedata
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from firefight.hosting.allowance import hash_keyed
from firefight.models import Mailbox

LONGEST = 200  # characters of an address
DAY, YEAR = timedelta(days=1), timedelta(days=365)


class Unasked(Exception):
    """The mailbox is not asked; the message says why, in a player's words."""


def normalize_address(address: str) -> str:
    """An address as it identifies a mailbox: what providers let their customers add to it or vary is left out.

    >>> normalize_address("Some.Body+games@GoogleMail.com"), normalize_address('"somebody"@gmail.com.')
    ('somebody@gmail.com', 'somebody@gmail.com')
    """
    name, _, domain = unicodedata.normalize("NFKC", address).casefold().strip().rstrip(".").rpartition("@")
    with suppress(UnicodeError):  # none that a letter could go to
        domain = domain.encode("idna").decode()
    domain = "gmail.com" if domain == "googlemail.com" else domain
    name = re.sub(r"[^\w-]", "", name.partition("+")[0])
    return f"{name}@{domain}"


def _hash_address(address: str) -> str:
    return hash_keyed("firefight.table.seats.mailboxes", normalize_address(address))


def check_mailbox(address: str) -> None:
    """Raise Unasked if that is not an address."""
    try:
        validate_email(address)
    except ValidationError:
        raise Unasked("That is not an e-mail address.") from None
    if len(address) > LONGEST or address.endswith("]"):  # a number in the place of a name
        raise Unasked("That is not an e-mail address that letters go to.")


def note_question(address: str) -> None:
    """Note that a mailbox is asked now whether it wants letters. Raises Unasked."""
    now = timezone.now()
    with transaction.atomic():
        Mailbox.objects.filter(asked__lte=now - YEAR).delete()
        mailbox, is_new = Mailbox.objects.select_for_update().get_or_create(
            address=_hash_address(address), defaults={"asked": now}
        )
        if mailbox.refused:
            raise Unasked("Whoever reads that mailbox wants no letters from here.")
        if not is_new and mailbox.asked > now - DAY:
            raise Unasked(
                "That mailbox was asked less than a day ago: open the link in the letter, or try again tomorrow."
            )
        asked_today = Mailbox.objects.filter(asked__gt=now - DAY).exclude(pk=mailbox.pk)
        if settings.LETTERS_PER_DAY and asked_today.count() >= settings.LETTERS_PER_DAY:
            raise Unasked("The host of this app has asked as many mailboxes as it may in a day: try again tomorrow.")
        mailbox.asked = now
        mailbox.save(update_fields=["asked"])


def note_refusal(address: str) -> None:
    """Note that a mailbox wants no letters, whoever asks."""
    now = timezone.now()
    Mailbox.objects.update_or_create(address=_hash_address(address), defaults={"asked": now, "refused": now})
