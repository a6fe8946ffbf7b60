"""What a player's file keeps of the other sides' sealed things, which only who plays those sides can open.

Each seat has a key whose public half seals what the others' files keep of it. Its private half stands in the files of
that seat's own player; and in the others' files it stands sealed once more, to a key that is made of the way back to
the seat, of which the server keeps nothing but a hash. So two files open each other, a file and a way back open
everything, and one file alone opens nothing. docs/archive.md tells what becomes of keys when a way back is renewed or
lost.

Everything that is secret about it is PyNaCl's: SealedBox, BLAKE2b, padding.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nacl.bindings import sodium_pad, sodium_unpad
from nacl.encoding import RawEncoder
from nacl.exceptions import CryptoError
from nacl.hash import blake2b
from nacl.public import PrivateKey, SealedBox

from firefight.models import FileKey, Seat

from . import bounds
from .differences import BadDifference, apply_difference, find_difference
from .schema import Check, list_of, table, text

MOST_KEYS = 20  # of a seat that a file holds; older boxes open by a way back alone
STEP = 16_384  # bytes: a box tells how much is sealed no more exactly
LARGEST_BOX, MOST_TABLES = bounds.LARGEST_FILE, 300_000
PERSON = b"volga file key"  # so that the same word gives another key elsewhere


class BadBox(ValueError):
    """A box that does not open, or holds something else than it should."""


# Keys


def key_of_way_back(token: str) -> PrivateKey:
    """The key that is made of a way back's word."""
    return PrivateKey.from_seed(blake2b(token.encode(), digest_size=32, person=PERSON, encoder=RawEncoder))


def renew_key(seat: Seat, token: str = "") -> FileKey:
    """Give a seat another key. ``token``: of the way back that shall open it; blank where the player has none."""
    secret = PrivateKey.generate()
    wrapped = SealedBox(key_of_way_back(token).public_key).encrypt(bytes(secret)) if token else b""
    made = FileKey.objects.create(seat=seat, secret=_write_bytes(bytes(secret)), wrapped=_write_bytes(wrapped))
    return made


def find_keys(seats: Iterable[Seat]) -> dict[str, list[FileKey]]:
    """The keys of some seats of a match by side, the newest first. One query."""
    sides = {seat.pk: seat.side for seat in seats}
    found: dict[str, list[FileKey]] = {}
    for key in FileKey.objects.filter(seat__in=sides).order_by("-pk"):
        of_side = found.setdefault(sides[key.seat_id], [])
        if len(of_side) < MOST_KEYS:
            of_side.append(key)
    return found


# Sealing


def seal(key: FileKey, own: Any, whole: Any) -> dict[str, str]:
    """What a file with the values ``own`` keeps so that a key can make ``whole`` of it; nothing if that is too much."""
    public = PrivateKey(_read_bytes(key.secret)).public_key
    difference = find_difference(_by_number(whole), _by_number(own))
    plain = json.dumps(difference, ensure_ascii=False, separators=(",", ":")).encode()
    if len(plain) > LARGEST_BOX:
        return {}
    box = SealedBox(public).encrypt(sodium_pad(zlib.compress(plain), STEP))
    return {"for": _write_bytes(bytes(public)), "wrapped": key.wrapped, "box": _write_bytes(box)}


def shape_of_boxes(sides: tuple[str, ...]) -> dict[str, Check]:
    """What a file holds of boxes and of keys."""
    key = text(44, 44, "[A-Za-z0-9+/]{43}=")
    box = table({"for": key, "wrapped": text(120, 0, "[A-Za-z0-9+/]*=*"), "box": text(LARGEST_BOX)})
    keys = list_of(key, MOST_KEYS)
    return {"sealed": table({}, dict.fromkeys(sides, box)), "keys": table({}, dict.fromkeys(sides, keys))}


def _by_number(values: Mapping[str, Any]) -> dict[str, Any]:
    """A file's values with the lines of its log by number: most are the same in both, and are not looked into."""
    if "log" not in values:
        return dict(values)
    return {**values, "log": {str(line["number"]): line for line in values["log"]}}


# Opening


def open_boxes(data: Mapping[str, Any], keys: Iterable[str], ways_back: Iterable[str]) -> dict[str, Any]:
    """The values of a file with what one of its boxes keeps. Raises BadBox where nothing opens one.

    ``keys``: private halves out of other files; ``ways_back``: the words of ways back.
    """
    own = {name: value for name, value in data.items() if name not in ("sealed", "keys")}
    for box in data.get("sealed", {}).values():
        for secret in _find_secrets(box, keys, ways_back):
            if bytes(secret.public_key) == _read_bytes(box["for"]):
                return _open_box(box, secret, own)
    raise BadBox


def _find_secrets(box: Mapping[str, str], keys: Iterable[str], ways_back: Iterable[str]) -> Iterator[PrivateKey]:
    yield from (PrivateKey(_read_bytes(key)) for key in keys)
    for token in ways_back:
        try:
            yield PrivateKey(SealedBox(key_of_way_back(token)).decrypt(_read_bytes(box["wrapped"])))
        except (CryptoError, ValueError, TypeError):
            continue


def _open_box(box: Mapping[str, str], secret: PrivateKey, own: Mapping[str, Any]) -> dict[str, Any]:
    try:
        packed = sodium_unpad(SealedBox(secret).decrypt(_read_bytes(box["box"])), STEP)
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed, LARGEST_BOX)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise BadBox
        if plain.count(b"{") + plain.count(b"[") > MOST_TABLES:
            raise BadBox
        difference = json.loads(plain)
        if sum(_list_stretches(difference)) > MOST_TABLES:  # what names one stretch again and again would never end
            raise BadBox
        found: dict[str, Any] = apply_difference(_by_number(own), difference)
        return {**found, "log": list(found["log"].values())}
    except (CryptoError, zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError, BadDifference):
        raise BadBox from None


def _list_stretches(difference: Mapping[str, Any]) -> Iterator[int]:
    """How long each stretch is that a difference takes over."""
    for part in difference.get("parts", ()):
        yield len(part["was"]) if isinstance(part, dict) else max(part[1] - part[0], 0)
    for each in difference.get("fields", {}).values():
        yield from _list_stretches(each)


def _write_bytes(value: bytes) -> str:
    return b64encode(value).decode()


def _read_bytes(value: str) -> bytes:
    try:
        return b64decode(value, validate=True)
    except ValueError:
        raise BadBox from None
