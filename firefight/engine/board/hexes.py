"""Hexes of a map with lettered columns and numbers that grow southward.

Which columns sit half a hex lower is one setting of the map (``HexMap.low_columns``); nothing
else in the code knows about it. Inside, hexes are counted on two slanted axes, where distance
and direction are plain sums.
"""

from dataclasses import dataclass

from firefight.engine.errors import RuleError

# Clockwise from north, as steps on the two axes: column, and row along the south-east slant.
DIRECTIONS = {1: (0, -1), 2: (1, -1), 3: (1, 0), 4: (0, 1), 5: (-1, 1), 6: (-1, 0)}
DIRECTION_NAMES = {1: "north", 2: "north-east", 3: "south-east", 4: "south", 5: "south-west", 6: "north-west"}


class BadHex(RuleError):
    """A hex that the map does not have."""


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex by column (A is 0) and printed number."""

    column: int
    number: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.column)}{self.number}"


@dataclass(frozen=True, slots=True)
class HexMap:
    """Columns by letter, the first and last number, and the columns that sit half a hex low.

    ``low_columns`` is "even" (B, D, F …) or "odd" (A, C, E …).
    """

    first_column: str = "A"
    last_column: str = "Z"
    first_number: int = 1
    last_number: int = 99
    low_columns: str = "even"

    def parse(self, text: str) -> Hex:
        """Read a hex such as "K7". Raises BadHex with the map's bounds when there is no such hex."""
        name = text.strip().upper()
        letter, digits = name[:1], name[1:]
        if letter.isascii() and letter.isalpha() and digits.isascii() and digits.isdigit() and len(digits) < 4:
            found = Hex(ord(letter) - ord("A"), int(digits))
            if found in self:
                return found
        raise BadHex(
            f"“{text.strip()[:12]}” is no hex of this map: columns {self.first_column} to {self.last_column}, "
            f"numbers {self.first_number} to {self.last_number}, for instance "
            f"{self.first_column}{self.first_number}."
        )

    def __contains__(self, place: Hex) -> bool:
        letter = chr(ord("A") + place.column) if 0 <= place.column < 26 else ""
        return self.first_column <= letter <= self.last_column and self.first_number <= place.number <= self.last_number

    def distance(self, a: Hex, b: Hex) -> int:
        """Hexes from a to b, not counting a itself."""
        (qa, ra), (qb, rb) = self._axes(a), self._axes(b)
        dq, dr = qb - qa, rb - ra
        return max(abs(dq), abs(dr), abs(dq + dr))

    def step(self, start: Hex, direction: int, hexes: int = 1) -> Hex:
        """The hex so many hexes from ``start`` in a direction, 1 to 6 clockwise from north.

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
        found = [
            self._hex(q + dq, r + dr)
            for dq in range(-radius, radius + 1)
            for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1)
        ]
        return tuple(sorted(found, key=lambda place: (self.distance(centre, place), place)))

    def _shift(self, column: int) -> int:
        # Rows of the slanted axis that lie above this column's number 0.
        odd = column & 1
        return (column - odd) // 2 if self.low_columns == "even" else (column + odd) // 2

    def _axes(self, place: Hex) -> tuple[int, int]:
        return place.column, place.number - self._shift(place.column)

    def _hex(self, q: int, r: int) -> Hex:
        return Hex(q, r + self._shift(q))
