"""What a player's file keeps of the other sides' sealed things, which only their own players can open.

Each seat has a key, and what the others' files keep of the seat is sealed with what is made of its private half. That
half stands in the files of the seat's own player; and in the others' files it stands sealed once more, to a key that is
made of the way back to the seat, of which the server keeps nothing but a hash. So two files open each other, a file and
a way back open everything, and one file alone opens nothing. Nor can whoever has one file make a box for it: only the
server and the box's own player know its key, and the box says which file it belongs to. docs/archive.md tells what
becomes of keys when a way back is renewed or lost.

Everything that is secret about it is PyNaCl's: Aead (XChaCha20-Poly1305), SealedBox, BLAKE2b, padding.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nacl.bindings import sodium_pad, sodium_unpad
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.secret import Aead

from firefight.engine.values import Json, Values
from firefight.models import FileKey
from firefight.table.act import bounds
from firefight.table.act.differences import BadDifference, apply_difference, find_difference
from firefight.table.seats.box_keys import (
    MOST_KEYS,
    OF_BOX,
    OF_FILE,
    BadBox,
    hash_bytes,
    key_of_way_back,
    read_bytes,
    write_bytes,
)
from firefight.web.schema import Check, list_of, table, text

STEP = 16_384  # bytes: a box gives away how much is sealed no more exactly than this
LARGEST_BOX, MOST_TABLES = bounds.LARGEST_FILE, 300_000


class ChangedFile(BadBox):
    """A box that its key does not open, or that belongs to another file: this one was changed since it was saved.

    ``values``: what the file as it stands and its box would come to, None if nothing.
    """

    def __init__(self, values: Values | None) -> None:
        super().__init__("The file was changed after it was saved.")
        self.values = values


# Sealing


def seal_box(key: FileKey, own_file: Any, whole: Any) -> dict[str, str]:
    """What the file ``own_file`` keeps so that a key can make ``whole`` of it; nothing if that is too much."""
    secret = PrivateKey(read_bytes(key.secret))
    content = {"of": _digest(own_file), "difference": find_difference(_by_number(whole), _by_number(own_file))}
    plain = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    if len(plain) > LARGEST_BOX:
        return {}
    box = _box_key(secret).encrypt(sodium_pad(zlib.compress(plain), STEP))
    return {"for": write_bytes(bytes(secret.public_key)), "wrapped": key.wrapped, "box": write_bytes(box)}


def _box_key(secret: PrivateKey) -> Aead:
    """What a seat's boxes are sealed and opened with: whoever knows only its public half cannot make one."""
    return Aead(hash_bytes(bytes(secret), OF_BOX))


def _digest(own_file: object) -> str:
    """Which file a box belongs to: a digest of everything in it besides boxes and keys."""
    return hash_bytes(json.dumps(own_file, sort_keys=True, separators=(",", ":")).encode(), OF_FILE).hex()


def shape_of_boxes(sides: tuple[str, ...]) -> dict[str, Check]:
    """The boxes and keys of a file."""
    key = text(44, 44, "[A-Za-z0-9+/]{43}=")
    box = table({"for": key, "wrapped": text(120, 0, "[A-Za-z0-9+/]*=*"), "box": text(LARGEST_BOX)})
    keys = list_of(key, MOST_KEYS)
    return {"sealed": table({}, dict.fromkeys(sides, box)), "keys": table({}, dict.fromkeys(sides, keys))}


def _by_number(values: Values) -> Json:
    """A file's values with the lines of its log by number: most are the same in both, and are not looked into."""
    if "log" not in values:
        return dict(values)
    return {**values, "log": {str(line["number"]): line for line in values["log"]}}


# Opening


def open_boxes(data: Values, keys: Mapping[str, Iterable[str]], ways_back: Iterable[str]) -> dict[str, object]:
    """The values of a file with what one of its boxes keeps. Raises BadBox where no key fits, and ChangedFile.

    ``keys``: by side private halves out of that side's own file; ``ways_back``: the words of ways back.
    """
    own_file = strip_boxes(data)
    for side, box in data.get("sealed", {}).items():
        for secret in _find_secrets(box, keys.get(side, ()), ways_back):
            if bytes(secret.public_key) == read_bytes(box["for"]):
                return _open_box(box, secret, own_file)
    raise BadBox


def strip_boxes(data: Mapping[str, object]) -> dict[str, object]:
    """The values of a file without boxes and keys."""
    return {name: value for name, value in data.items() if name not in ("sealed", "keys")}


def _find_secrets(box: Mapping[str, str], keys: Iterable[str], ways_back: Iterable[str]) -> Iterator[PrivateKey]:
    yield from (PrivateKey(read_bytes(key)) for key in keys)
    for token in ways_back:
        try:
            yield PrivateKey(SealedBox(key_of_way_back(token)).decrypt(read_bytes(box["wrapped"])))
        except (CryptoError, ValueError, TypeError):
            continue


def _open_box(box: Mapping[str, str], secret: PrivateKey, own_file: Values) -> dict[str, object]:
    try:
        content = _unseal(box, secret)
    except (CryptoError, zlib.error, BadBox, *_MALFORMED):
        raise ChangedFile(None) from None
    is_of_file = content["of"] == _digest(own_file)
    try:
        values: Json = apply_difference(_by_number(own_file), content["difference"])
        whole = {**values, "log": list(values["log"].values())}
    except (*_MALFORMED, BadDifference):
        if is_of_file:
            raise BadBox from None
        raise ChangedFile(None) from None
    if not is_of_file:
        raise ChangedFile(whole)
    return whole


_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def _unseal(box: Mapping[str, str], secret: PrivateKey) -> Json:
    """What is in a box, as it was put there; whatever is not ours raises any of several errors."""
    packed = sodium_unpad(_box_key(secret).decrypt(read_bytes(box["box"])), STEP)
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(packed, LARGEST_BOX)
    if unpacking.unconsumed_tail or not unpacking.eof or plain.count(b"{") + plain.count(b"[") > MOST_TABLES:
        raise BadBox
    content: Json = json.loads(plain)
    # One that names the same stretch again and again would never end.
    if content.keys() != {"of", "difference"} or sum(_list_stretches(content["difference"])) > MOST_TABLES:
        raise BadBox
    return content


def _list_stretches(difference: Values) -> Iterator[int]:
    """How long each stretch is that a difference takes over."""
    for part in difference.get("parts", ()):
        yield len(part["was"]) if isinstance(part, dict) else max(part[1] - part[0], 0)
    for change in difference.get("fields", {}).values():
        yield from _list_stretches(change)
