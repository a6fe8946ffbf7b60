"""What one hex holds, the limit of every attack and defense in a sector (20.6.4 step 3)."""

from collections.abc import Iterable
from dataclasses import dataclass

from firefight.engine.rolls.result import Source

from .units import Kind

# What counts towards the squads of a stack, in half-squads.
_HALVES = {Kind.SQUAD: 2, Kind.HALF_SQUAD: 1, Kind.SW_TEAM: 1, Kind.CREW: 1}


@dataclass(frozen=True, slots=True)
class Stacking:
    """The limits of one hex.

    ``squads``: or equivalents; a half-squad, an SW team and a crew count half, leaders nothing. ``provenance``:
    whose values these are, ``text``, ``house`` or ``owner``.
    """

    squads: int
    vehicles: int
    provenance: str

    def __post_init__(self) -> None:
        """Raise ValueError for a hex that cannot hold a unit of each kind."""
        if self.squads < 1 or self.vehicles < 1:
            raise ValueError("One hex holds at least one squad and one vehicle.")

    @property
    def source(self) -> Source:
        """Where the values come from."""
        return Source("stacking", "Stacking limit of one hex", self.provenance)

    def excess(self, kinds: Iterable[Kind]) -> tuple[str, ...]:
        """Every way in which units of one side, of these kinds, are too many for one hex, in words."""
        kinds = tuple(kinds)
        halves, vehicles = sum(_HALVES.get(kind, 0) for kind in kinds), kinds.count(Kind.VEHICLE)
        origin = f"({self.provenance} value)"
        excesses = []
        if halves > 2 * self.squads:
            squads = f"{halves // 2}{'½' if halves % 2 else ''}"
            excesses.append(f"{squads} squads or equivalents are too many: one hex holds {self.squads} {origin}.")
        if vehicles > self.vehicles:
            excesses.append(f"{vehicles} vehicles are too many: one hex holds {self.vehicles} {origin}.")
        return tuple(excesses)
