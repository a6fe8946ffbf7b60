"""Dice as the games read them, and dice that the app rolls in a way that can be checked afterwards."""

import hashlib
import hmac
from dataclasses import dataclass

from firefight.engine.errors import BadDie

_CHUNK = 4  # bytes of digest per attempt
_SPAN = 1 << (8 * _CHUNK)


@dataclass(frozen=True, slots=True)
class DieSpec:
    """A die that a helper may ask for: its parameter name, its sides and what to call it on the page.

    ``apart``: what its faces come to is the same whatever the dice before it showed.
    """

    name: str
    sides: int
    label: str
    apart: bool = False


def check_face(face: int, sides: int, name: str = "die") -> int:
    """Return the face when a die with so many sides has it; raise BadDie otherwise. Never clamps."""
    if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= sides:
        raise BadDie(f"A d{sides} shows 1 to {sides}; {face} is not on it.", name)
    return face


def read_face(text: str, sides: int, name: str = "die") -> int:
    """Read a die as it lies on the table: "0" on a d10 is 10, "00" on a d100 is 100.

    Raises BadDie for anything that the die cannot show.

    >>> read_face("0", 10), read_face("00", 100), read_face("07", 100)
    (10, 100, 7)
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3):
        raise BadDie(f"Type what the d{sides} shows, in digits.", name)
    if sides == 100 and digits == "0":
        raise BadDie("Type 00 for 100: a d100 is read with two digits.", name)
    if (sides, digits) in {(10, "0"), (100, "00")}:
        return sides
    return check_face(int(digits), sides, name)


def face_text(face: int, sides: int) -> str:
    """A face as players say it: 100 on a d100 is "00". The reverse of ``read_face``.

    >>> face_text(100, 100), face_text(7, 100), face_text(10, 10)
    ('00', '7', '10')
    """
    return "00" if (face, sides) == (100, 100) else str(face)


def commitment(seed: bytes) -> str:
    """The SHA-256 of a match's secret seed, in hex: published before the first roll."""
    return hashlib.sha256(seed).hexdigest()


def rolled_face(seed: bytes, number: int, sides: int) -> int:
    """The face of roll ``number`` of a match, from 1 to ``sides``.

    HMAC-SHA256(seed, "number:round") gives eight chunks of 32 bits a round; the first chunk
    below the largest multiple of ``sides`` counts, the others are passed over, so that every
    face is equally likely. docs/dice.md describes the same in words.
    """
    fair = _SPAN - _SPAN % sides
    attempt = 0
    while True:
        digest = hmac.new(seed, f"{number}:{attempt}".encode(), hashlib.sha256).digest()
        for start in range(0, len(digest), _CHUNK):
            chunk = int.from_bytes(digest[start : start + _CHUNK], "big")
            if chunk < fair:
                return chunk % sides + 1
        attempt += 1
