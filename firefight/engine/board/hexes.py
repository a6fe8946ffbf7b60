"""Hexes of a map with columns, lettered or numbered, and numbers that grow southward.

Which columns sit half a hex lower is one setting of the map (``low_columns``); nothing else in the code knows about
it. Inside, hexes are counted on two slanted axes, where distance and direction are plain sums.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .places import BadPlace, PlaceKind

# Clockwise from north, as steps on the two axes: column, and row along the south-east slant.
DIRECTIONS = {1: (0, -1), 2: (1, -1), 3: (1, 0), 4: (0, 1), 5: (-1, 1), 6: (-1, 0)}
DIRECTION_NAMES = {1: "north", 2: "north-east", 3: "south-east", 4: "south", 5: "south-west", 6: "north-west"}


class BadHex(BadPlace):
    """A hex that the map does not have."""


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex by column (A is 0) and printed number."""

    column: int
    number: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.column)}{self.number}"


@dataclass(frozen=True, slots=True, order=True)
class NumberedHex(Hex):
    """A hex that is printed as two digits of its column and two of its row; column 01 is 0."""

    def __str__(self) -> str:
        return f"{self.column + 1:02}{self.number:02}"


class HexGeometry:
    """What hexes have in common however they are named: distance, direction, neighbours.

    ``low_columns`` is "even" (the second, fourth, sixth …) or "odd".
    """

    __slots__ = ()
    low_columns: str
    hex_type: ClassVar[type[Hex]] = Hex

    def __contains__(self, place: Hex) -> bool:
        raise NotImplementedError

    def parse(self, text: str) -> Hex:
        """The hex that a name means. Raises BadHex."""
        raise NotImplementedError

    def neighbours(self, place: Hex) -> tuple[Hex, ...]:
        """The hexes of the map that touch one, clockwise from north."""
        return tuple(neighbour for direction in DIRECTIONS if (neighbour := self.step(place, direction)) in self)

    def distance(self, a: Hex, b: Hex) -> int:
        """Hexes from a to b, not counting a itself."""
        (qa, ra), (qb, rb) = self._axes(a), self._axes(b)
        dq, dr = qb - qa, rb - ra
        return max(abs(dq), abs(dr), abs(dq + dr))

    def step(self, start: Hex, direction: int, hexes: int = 1) -> Hex:
        """The hex that many hexes from ``start`` in a direction, 1 to 6 clockwise from north.

        The hex may lie off the map: ask ``in`` when that matters.
        """
        q, r = self._axes(start)
        dq, dr = DIRECTIONS[direction]
        return self._hex(q + dq * hexes, r + dr * hexes)

    def line(self, start: Hex, direction: int, hexes: int) -> tuple[Hex, ...]:
        """The hexes passed on the way, the last one included, ``start`` not."""
        return tuple(self.step(start, direction, n) for n in range(1, hexes + 1))

    def within(self, centre: Hex, radius: int) -> tuple[Hex, ...]:
        """All hexes at most ``radius`` away, centre first, on the map or not: 7 for 1, 37 for 3."""
        q, r = self._axes(centre)
        hexes = [
            self._hex(q + dq, r + dr)
            for dq in range(-radius, radius + 1)
            for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1)
        ]
        return tuple(sorted(hexes, key=lambda place: (self.distance(centre, place), place)))

    def crosses(self, start: Hex, goal: Hex, place: Hex) -> bool:
        """Whether the straight line between the centres of two hexes goes through a hex, or along one of its sides."""
        begins, ends = self._slants(start, place), self._slants(goal, place)
        first, last = Fraction(0), Fraction(1)
        for begin, end in zip(begins, ends, strict=True):
            if begin == end:
                if abs(begin) > 1:
                    return False
                continue
            near, far = sorted((Fraction(-1 - begin, end - begin), Fraction(1 - begin, end - begin)))
            first, last = max(first, near), min(last, far)
        return first < last

    def _slants(self, point: Hex, place: Hex) -> tuple[int, int, int]:
        """Where a point lies across the three pairs of a hex's sides: within the hex each is between -1 and 1."""
        (q, r), (place_q, place_r) = self._axes(point), self._axes(place)
        dq, dr = q - place_q, r - place_r
        return dq - dr, dq + 2 * dr, -2 * dq - dr

    def _shift(self, column: int) -> int:
        # Rows of the slanted axis that lie above this column's number 0.
        odd = column & 1
        return (column - odd) // 2 if self.low_columns == "even" else (column + odd) // 2

    def _axes(self, place: Hex) -> tuple[int, int]:
        return place.column, place.number - self._shift(place.column)

    def _hex(self, q: int, r: int) -> Hex:
        return self.hex_type(q, r + self._shift(q))


@dataclass(frozen=True, slots=True)
class HexMap(HexGeometry):
    """Columns by letter, the first and last number, and the columns that sit half a hex low.

    ``low_columns`` is "even" (B, D, F …) or "odd" (A, C, E …).
    """

    first_column: str = "A"
    last_column: str = "Z"
    first_number: int = 1
    last_number: int = 99
    low_columns: str = "even"
    kind: ClassVar[PlaceKind] = PlaceKind.LETTERED

    @property
    def longest(self) -> int:
        """How many characters the longest name has."""
        return 1 + len(str(self.last_number))

    def parse(self, text: str) -> Hex:
        """Read a hex such as "K7". Raises BadHex with the map's bounds when there is no such hex."""
        name = text.strip().upper()
        letter, digits = name[:1], name[1:]
        if letter.isascii() and letter.isalpha() and digits.isascii() and digits.isdigit() and len(digits) < 4:
            place = Hex(ord(letter) - ord("A"), int(digits))
            if place in self:
                return place
        raise BadHex(
            f"“{text.strip()[:12]}” is not a hex of this map: columns {self.first_column} to {self.last_column}, "
            f"numbers {self.first_number} to {self.last_number}, for instance "
            f"{self.first_column}{self.first_number}."
        )

    def __contains__(self, place: Hex) -> bool:
        letter = chr(ord("A") + place.column) if 0 <= place.column < 26 else ""
        return self.first_column <= letter <= self.last_column and self.first_number <= place.number <= self.last_number


@dataclass(frozen=True, slots=True)
class NumberedHexMap(HexGeometry):
    """Columns by number, and the rows in them: 0412 is the twelfth hex of column 04.

    >>> board = NumberedHexMap(last_column=30, last_row=48)
    >>> str(board.parse("412")), [str(place) for place in board.neighbours(board.parse("0101"))]
    ('0412', ['0201', '0102'])
    """

    first_column: int = 1
    last_column: int = 99
    first_row: int = 1
    last_row: int = 99
    low_columns: str = "even"
    kind: ClassVar[PlaceKind] = PlaceKind.NUMBERED
    hex_type: ClassVar[type[Hex]] = NumberedHex
    longest: ClassVar[int] = 4

    def parse(self, text: str) -> Hex:
        """Read a hex such as "0412". Raises BadHex with the map's bounds when there is no such hex."""
        digits = text.strip()
        if digits.isascii() and digits.isdigit() and len(digits) in (3, 4):
            place = NumberedHex(int(digits[:-2]) - 1, int(digits[-2:]))
            if place in self:
                return place
        raise BadHex(
            f"“{digits[:12]}” is not a hex of this map: columns {self.first_column:02} to {self.last_column:02}, "
            f"rows {self.first_row:02} to {self.last_row:02}, for instance {self.first_column:02}{self.first_row:02}."
        )

    def __contains__(self, place: Hex) -> bool:
        in_columns = self.first_column <= place.column + 1 <= self.last_column
        return in_columns and self.first_row <= place.number <= self.last_row
