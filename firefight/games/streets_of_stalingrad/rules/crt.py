"""The Combat Results Table: how a total and a die become a result, and what a result does (9.19, 9.81, 9.84)."""

from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Lookup
from firefight.engine.rolls.result import Outcome
from firefight.engine.text import count_of

from .terms import NO_EFFECT, Terrain

RULE = "9.81 Combat Results"
Lost = int | str  # a number, or "all"


class CombatOutcome(Outcome):
    """Results of the Combat Results Table and of the West Bank Bombardment Table."""

    NO_EFFECT = "no_effect", "no effect"
    P = "p", "P"
    D1P = "d1p", "D1P"
    D1 = "d1", "D1"
    D2 = "d2", "D2"
    D3 = "d3", "D3"
    DE = "de", "DE"


def find_table(charts: Book, name: str) -> Lookup:
    """One of the tables that are read by a total and a modified die."""
    table = charts[name]
    assert isinstance(table, Lookup)
    return table


def find_column(table: Lookup, points: int, shift: bool = False) -> str:
    """The column of a total; ``shift``: one higher, from the last one none (9.67 Close Assault Bonus, ruling A05)."""
    column = table.column_of(points)
    place = table.columns.index(column) + (1 if shift else 0)
    return table.columns[min(place, len(table.columns) - 1)]


def read_result(table: Lookup, modified: int, column: str) -> str:
    """The printed result; a die beyond the table counts as its last row (CRT, ruling A04)."""
    return table.cell(table.row_of(modified), column)


def outcome_of(result: str) -> CombatOutcome:
    """A printed result as an outcome.

    >>> outcome_of("D1P"), outcome_of("-")
    (<CombatOutcome.D1P: 'd1p'>, <CombatOutcome.NO_EFFECT: 'no_effect'>)
    """
    return CombatOutcome.NO_EFFECT if result == NO_EFFECT else CombatOutcome(result.lower())


def has_p(result: str) -> bool:
    """Whether a result pins or makes spent."""
    return result.endswith("P")


def count_eliminated(result: str) -> Lost:
    """How many combat units a result eliminates, or "all" (9.81).

    >>> count_eliminated("D1P"), count_eliminated("DE"), count_eliminated("P")
    (1, 'all', 0)
    """
    if result == "DE":
        return "all"
    return int(result[1]) if result[0] == "D" else 0


def marker_of(result: str, terrain: Terrain) -> str | None:
    """The marker under which units come: spent in built-up hexes, else pinned (9.84); None without a P."""
    if not has_p(result):
        return None
    return "spent" if terrain.is_built_up else "pinned"


@dataclass(frozen=True, slots=True)
class Hit:
    """What a result costs a hex: a number of its combat units, and its immobilized tanks besides (9.81, 16.37).

    ``combat_units``, ``immobilized``: how many are there; nobody has counted where both are 0.
    """

    result: str
    combat_units: int
    immobilized: int

    @property
    def is_counted(self) -> bool:
        """Whether anybody said what is there."""
        return bool(self.combat_units or self.immobilized)

    @property
    def lost(self) -> int:
        """All that are lost: under a P every immobilized tank goes, before and besides what a D takes (16.37)."""
        if self.result == "DE":
            return self.combat_units + self.immobilized
        tanks = self.immobilized if has_p(self.result) else 0
        rest = self.combat_units + self.immobilized - tanks
        return tanks + min(int(count_eliminated(self.result)), rest)

    @property
    def empties(self) -> bool:
        """Whether nobody is left, as far as anybody knows."""
        return self.result == "DE" or (self.is_counted and self.lost == self.combat_units + self.immobilized)

    @property
    def counted_loss(self) -> int | None:
        """The number lost, None where nobody has counted."""
        return self.lost if self.is_counted else None


def say_result(result: str, eliminated: Lost, marker: str | None) -> str:
    """A result in words.

    >>> say_result("D1P", 1, "pinned"), say_result("-", 0, None)
    ('D1P, 1 combat unit eliminated, the rest pinned', 'no effect')
    """
    if result == NO_EFFECT:
        return "no effect"
    elimination = "all eliminated" if eliminated == "all" else f"{count_of(int(eliminated), 'combat unit')} eliminated"
    marked = f"{'the rest ' if eliminated else ''}{marker}" if marker else ""
    return ", ".join(part for part in (result, elimination if eliminated else "", marked) if part)
