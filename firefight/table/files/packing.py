"""A file as it travels: plain JSON, or the same packed with gzip where it is longer than any request may be.

A match of weeks comes to 12 MB of text, which packs to less than one. Whoever opens a file may have made it to burst
when it is unpacked, so no more is unpacked than the largest file may have.
"""

import gzip
import zlib

from .shape import LARGEST, LARGEST_UNPACKED, BadArchive

_GZIP, _WINDOW = b"\x1f\x8b", 31  # how such a file begins (RFC 1952, 2.3.1); how zlib is told that it reads one
_LEVEL = 6


def pack_long(text: str) -> bytes:
    """A file's text as it is sent: packed where it is long."""
    plain = text.encode()
    return plain if len(plain) <= LARGEST else gzip.compress(plain, _LEVEL, mtime=0)


def is_packed(sent: bytes) -> bool:
    return sent.startswith(_GZIP)


def unpack(sent: bytes) -> bytes:
    """The text of a file, however it was sent. Raises BadArchive where it is too large, or is not whole."""
    if len(sent) > LARGEST:
        raise BadArchive([f"The file is too large: at most {LARGEST // 1_000_000} MB."])
    if not is_packed(sent):
        return sent
    unpacking = zlib.decompressobj(_WINDOW)
    try:
        plain = unpacking.decompress(sent, LARGEST_UNPACKED + 1)
    except zlib.error:
        raise BadArchive(["The packed file was damaged on its way: save it and send it again."]) from None
    if len(plain) > LARGEST_UNPACKED:
        raise BadArchive([f"The file is too large: unpacked at most {LARGEST_UNPACKED // 1_000_000} MB."])
    if not unpacking.eof:
        raise BadArchive(["The packed file was cut off on its way: save it and send it again."])
    if unpacking.unused_data:
        raise BadArchive(["More than one file is packed in it: give the one that “Save and branch” has written."])
    return plain
