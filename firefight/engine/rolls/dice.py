"""Throws of dice as the games read them, and dice that the app rolls in a way that can be checked afterwards."""

import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum

from firefight.engine.errors import BadDie
from firefight.engine.text import fold, join_words

_CHUNK = 4  # bytes of digest per attempt
_SPAN = 1 << (8 * _CHUNK)
MOST_DICE = 100  # of one throw

# What a rule gets from a throw: a number, or from a pool the number on each of its dice.
Face = int | tuple[int, ...]


class ReadAs(StrEnum):
    """How the dice of a throw are read."""

    SUM = "sum"  # added up, as for a CRT; a single die is its own sum
    EACH = "each"  # a pool: each die for itself


@dataclass(frozen=True, slots=True)
class DieSpec:
    """A throw that a helper may ask for: its parameter name, the sides of each die, and what to call it on the page.

    ``apart``: what it comes to does not depend on the dice before it; ``by``: it depends on them only through this one
    of the result's details.
    ``number``: how many dice; ``read``: how they are read. Of a pool ``least`` to ``most`` dice may be typed, exactly
    ``number`` unless told otherwise; the app always throws ``number``.
    ``alike``: groups of faces that the rule does not tell apart, every face in one; the odds count them as one.
    ``names``: the cards that are left of a deck, one of which this throw draws.
    ``is_optional``: the rule makes use of it, but is settled without.
    ``about``: what a page says beside the label; the log calls a die by its label alone.

    >>> DieSpec("dr", 6, "2d6", number=2).words, DieSpec("faces", 6, "Dice", number=4, read=ReadAs.EACH).words
    ('2d6', '4 d6')
    """

    name: str
    sides: int
    label: str
    apart: bool = False
    number: int = 1
    read: ReadAs = ReadAs.SUM
    least: int | None = None
    most: int | None = None
    alike: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()
    is_optional: bool = False
    about: str = ""
    by: str = ""

    def __post_init__(self) -> None:
        if not (self.sides >= 1 and (0 if self.is_pool else 1) <= self.number <= MOST_DICE):
            raise ValueError(f"There is no throw of {self.number} dice with {self.sides} sides.")
        if self.alike and sorted(face for group in self.alike for face in group) != list(range(1, self.sides + 1)):
            raise ValueError(f"The groups of faces of {self.name} hold each face from 1 to {self.sides} once.")
        if self.names and (len(self.names) != self.sides or self.number != 1 or self.is_pool):
            raise ValueError(f"{self.name} draws one card, so it has one name for each of its {self.sides} sides.")

    @property
    def is_pool(self) -> bool:
        """Whether each die is read for itself."""
        return self.read is ReadAs.EACH

    @property
    def fewest(self) -> int:
        """How many dice may be typed at least."""
        return self.number if self.least is None else self.least

    @property
    def highest(self) -> int:
        """How many dice may be typed at most."""
        return self.number if self.most is None else self.most

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The faces of one die, those together that the rule does not tell apart."""
        if self.names:
            faces = range(1, self.sides + 1)
            return tuple(
                tuple(face for face in faces if self.names[face - 1] == name) for name in dict.fromkeys(self.names)
            )
        return self.alike or tuple((face,) for face in range(1, self.sides + 1))

    @property
    def words(self) -> str:
        """The dice in short."""
        if self.names:
            return f"1 of {self.sides} cards"
        if self.is_pool:
            return f"{self.number} d{self.sides}"
        return f"{self.number if self.number > 1 else ''}d{self.sides}"

    def as_json(self) -> dict[str, object]:
        """The throw under the keys of the machine-readable contract; a single die has no number."""
        plain: dict[str, object] = {"name": self.name, "sides": self.sides, "label": self.label}
        if self.is_pool or self.number > 1:
            plain |= {"number": self.number, "read": self.read.value}
        if (self.fewest, self.highest) != (self.number, self.number):
            plain |= {"least": self.fewest, "most": self.highest}
        if self.names:
            plain |= {"names": list(self.names)}
        return plain | ({"optional": True} if self.is_optional else {})


def check_face(face: int, sides: int, name: str = "die") -> int:
    """Return the face if a die with that many sides has it; raise BadDie otherwise. Never clamps."""
    if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= sides:
        raise BadDie(f"A d{sides} shows 1 to {sides}; {face} is not on it.", name)
    return face


def check_sum(total: int, number: int, sides: int, name: str = "die") -> int:
    """Return the sum if that many dice can come to it; raise BadDie otherwise. Never clamps."""
    if isinstance(total, bool) or not isinstance(total, int) or not number <= total <= number * sides:
        raise BadDie(f"{number}d{sides} add up to {number} to {number * sides}, not {total}.", name)
    return total


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


def read_throw(text: str, spec: DieSpec) -> Face:
    """Read a throw as players type it: a sum as one number, a pool die by die, a card by its name or its number.

    Raises BadDie for anything that the dice cannot show.

    >>> read_throw("9", DieSpec("dr", 6, "2d6", number=2))
    9
    >>> pool = DieSpec("faces", 6, "Dice", number=4, read=ReadAs.EACH)
    >>> read_throw("6 5 1 4", pool), read_throw("6,5,1,4", pool), read_throw("6514", pool)
    ((6, 5, 1, 4), (6, 5, 1, 4), (6, 5, 1, 4))
    """
    if spec.names:
        return _read_card(text, spec)
    if spec.is_pool:
        return _read_pool(text, spec)
    if spec.number == 1:
        return read_face(text, spec.sides, spec.name)
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise BadDie(f"Type what the {spec.words} come to together, in digits.", spec.name)
    return check_sum(int(digits), spec.number, spec.sides, spec.name)


def _read_pool(text: str, spec: DieSpec) -> tuple[int, ...]:
    parts = re.split(r"[\s,;+]+", text.strip(" ,;+\t\n"))
    # Dice of one digit each need no blanks between them.
    if len(parts) == 1 and spec.sides <= 9 and spec.highest > 1:
        parts = [*parts[0]]
    parts = [part for part in parts if part]
    if not spec.fewest <= len(parts) <= spec.highest:
        expected = str(spec.fewest) if spec.fewest == spec.highest else f"{spec.fewest} to {spec.highest}"
        dice = "die" if expected == "1" else "dice"
        raise BadDie(f"Type what each d{spec.sides} shows: {expected} {dice}, not {len(parts)}.", spec.name)
    return tuple(read_face(part, spec.sides, spec.name) for part in parts)


def _read_card(text: str, spec: DieSpec) -> int:
    typed = fold(text)
    faces = [face for face, name in enumerate(spec.names, 1) if fold(name) == typed]
    if faces:
        return faces[0]
    if typed.isascii() and typed.isdigit() and len(typed) <= 4 and 1 <= int(typed) <= spec.sides:
        return int(typed)
    cards_left = join_words(dict.fromkeys(spec.names))
    raise BadDie(f"That is not one of the cards that are left: {cards_left}.", spec.name)


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
