"""The keys of the boxes in which files keep the other side's things."""

from base64 import b64decode, b64encode
from collections.abc import Iterable

from nacl.encoding import RawEncoder
from nacl.hash import blake2b
from nacl.public import PrivateKey, SealedBox

from firefight.models import FileKey, Seat

MOST_KEYS = 20  # of a seat that a file holds; older boxes open only by a way back
# So that the same word or key gives a different one elsewhere.
OF_WAY_BACK, OF_BOX, OF_FILE = b"volga file key", b"volga box key", b"volga file"


class BadBox(ValueError):
    """A box that none of the keys is for, or that holds something other than it should."""


def key_of_way_back(token: str) -> PrivateKey:
    """The key that is made from a way back's word."""
    return PrivateKey.from_seed(hash_bytes(token.encode(), OF_WAY_BACK))


def hash_bytes(value: bytes, person: bytes) -> bytes:
    return blake2b(value, digest_size=32, person=person, encoder=RawEncoder)


def renew_key(seat: Seat, token: str = "") -> FileKey:
    """Give a seat another key. ``token``: of the way back that is to open it; blank where the player has none."""
    secret = PrivateKey.generate()
    wrapped = SealedBox(key_of_way_back(token).public_key).encrypt(bytes(secret)) if token else b""
    new_key = FileKey.objects.create(seat=seat, secret=write_bytes(bytes(secret)), wrapped=write_bytes(wrapped))
    return new_key


def find_keys(seats: Iterable[Seat]) -> dict[str, list[FileKey]]:
    """The keys of some seats of a match by side, the newest first. One query."""
    sides = {seat.pk: seat.side for seat in seats}
    keys: dict[str, list[FileKey]] = {}
    for key in FileKey.objects.filter(seat__in=sides).order_by("-pk"):
        of_side = keys.setdefault(sides[key.seat_id], [])
        if len(of_side) < MOST_KEYS:
            of_side.append(key)
    return keys


def write_bytes(value: bytes) -> str:
    return b64encode(value).decode()


def read_bytes(value: str) -> bytes:
    try:
        return b64decode(value, validate=True)
    except ValueError:
        raise BadBox from None
