"""Sectors: who controls them, which are threatened or isolated, how far in from the edge they lie (20.6, 20.8.3)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from firefight.engine.labels import Labelled
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.sides import Side

from .evidence import count_steps
from .maps import EDGE_NAMES, SectorMap


class Holding(Labelled):
    """Whose a sector is. A threatened one, with units of both sides in it, belongs to nobody until it is fought out."""

    GERMAN = "german"
    RUSSIAN = "russian"
    NOBODY = "nobody", "nobody's"
    THREATENED = "threatened", "threatened"

    @property
    def choice(self) -> str:
        """What a list to choose from calls it."""
        return "Both" if self is Holding.THREATENED else self.value.capitalize()

    @property
    def side(self) -> Side | None:
        """The side that controls such a sector, if one does."""
        return Side(self.value) if self in (Holding.GERMAN, Holding.RUSSIAN) else None


Control = Mapping[int, Holding]
# One letter for each holding, so that the control of the whole map is a short text.
LETTERS = {"g": Holding.GERMAN, "r": Holding.RUSSIAN, "n": Holding.NOBODY, "t": Holding.THREATENED}
_LETTER_OF = {holding: letter for letter, holding in LETTERS.items()}


def write_control(control: Control) -> str:
    """The control of all sectors, in number order, one letter each."""
    return "".join(_LETTER_OF[control[sector]] for sector in sorted(control))


def read_control(text: str, sector_map: SectorMap) -> dict[int, Holding] | None:
    """The control that the letters stand for, or None if they do not fit the map."""
    numbers = sorted(sector_map.neighbours)
    if len(text) != len(numbers) or not set(text) <= set(LETTERS):
        return None
    return {number: LETTERS[letter] for number, letter in zip(numbers, text, strict=True)}


def initial_control(sectors: Iterable[int], deployment: Mapping[Side, Collection[int]]) -> dict[int, Holding]:
    """Control before the first firefight: a set-up area belongs to its side (20.5.6, 20.6.2).

    A sector in both areas, or in none, is nobody's.
    """
    control = {}
    for sector in sectors:
        owners = [side for side in Side if sector in deployment[side]]
        control[sector] = Holding(owners[0]) if len(owners) == 1 else Holding.NOBODY
    return control


def control_after(before: Control, present: Mapping[Side, Collection[int]]) -> dict[int, Holding]:
    """Control when a firefight ends, by where each side has units, hidden ones included (20.6.3, 20.6.4).

    One side alone controls its sector; both threaten it; an empty sector stays with its last owner (A-27),
    or with nobody if it was threatened before.
    """
    control = {}
    for sector, holding in before.items():
        sides = [side for side in Side if sector in present[side]]
        last_holding = Holding.NOBODY if holding is Holding.THREATENED else holding
        control[sector] = Holding.THREATENED if len(sides) == 2 else Holding(sides[0]) if sides else last_holding
    return control


def control_at_first(control: Control, present: Mapping[Side, Collection[int]]) -> dict[int, Holding]:
    """Control when the first firefight begins (20.6.2, 20.6.3).

    A sector of nobody's goes to the only side in it, and stays nobody's with units of both.
    """
    new_control = dict(control)
    for sector, holding in control.items():
        sides = [side for side in Side if sector in present[side]]
        if holding is Holding.NOBODY and len(sides) == 1:
            new_control[sector] = Holding(sides[0])
    return new_control


def find_contested(present: Mapping[Side, Collection[int]]) -> list[int]:
    """The sectors with units of both sides, in number order (20.6.3)."""
    return sorted(set(present[Side.GERMAN]).intersection(present[Side.RUSSIAN]))


def find_next_contested(contested: Collection[int], waiting: Collection[int]) -> int:
    """Which sector is fought out next: the lowest, but one that became threatened on the way comes last (A-29)."""
    return min(contested, key=lambda sector: (sector not in waiting, sector))


def find_newly_threatened(control: Control, present: Mapping[Side, Collection[int]]) -> list[int]:
    """Sectors with units of both sides that are not threatened yet: they become threatened (20.6.3, A-29)."""
    return [sector for sector in find_contested(present) if control[sector] is not Holding.THREATENED]


def holding_after_battle(sides_left: Collection[Side]) -> Holding:
    """Whose a sector is once it is fought out: it goes to the side left there, if one is (20.6.4 step 4)."""
    return Holding(next(iter(sides_left))) if sides_left else Holding.NOBODY


def is_shown_by_enemy_control(kind: CounterKind, side: Side, holding: Holding | None) -> bool:
    """Whether a side's hidden counter comes to light: a fortification in a sector of the enemy (20.7.1 step 3).

    ``holding``: whose its sector is, None off the map.
    """
    is_enemys = holding not in (None, Holding(side), Holding.NOBODY)
    return kind is CounterKind.FORTIFICATION and is_enemys


@dataclass(frozen=True, slots=True)
class LineToEdge:
    """A controlled sector's way to its side's map edge.

    ``chain``: the shortest line of adjacent own sectors, from this one to one on the edge; empty if there is
    none. ``reason``: why there is none.
    """

    sector: int
    side: Side
    chain: tuple[int, ...]
    reason: str = ""

    @property
    def is_isolated(self) -> bool:
        """Whether the sector is marked as Isolated (20.6.4 step 6)."""
        return not self.chain

    @property
    def steps_in(self) -> int:
        """Own sectors in from those on the edge: the CP that a new I, G or V group pays to set up here (20.8.3).

        Raises ValueError for an isolated sector, where new units cannot set up (A-33).
        """
        if self.is_isolated:
            raise ValueError(self.reason)
        return len(self.chain) - 1


def find_lines(sector_map: SectorMap, control: Control, side: Side) -> dict[int, LineToEdge]:
    """The line of every sector that a side controls (20.6.4 step 6, 20.8.3).

    Of equally short lines, the one that keeps to low numbers near the edge.
    """
    own_sectors = {sector for sector, holding in control.items() if holding.side is side}
    onward: dict[int, int | None] = {sector: None for sector in sector_map.edges[side] if sector in own_sectors}
    front = list(onward)
    while front:
        reached = []
        for sector in front:
            for other in sector_map.neighbours[sector]:
                if other in own_sectors and other not in onward:
                    onward[other] = sector
                    reached.append(other)
        front = reached
    return {
        sector: LineToEdge(sector, side, _onward(sector, onward))
        if sector in onward
        else LineToEdge(sector, side, (), _why_isolated(sector_map, control, side, sector, own_sectors))
        for sector in sorted(own_sectors)
    }


def find_isolated(sector_map: SectorMap, control: Control) -> dict[int, LineToEdge]:
    """The sectors to be marked as Isolated, of both sides, in number order (20.6.4 step 6)."""
    cut_off = [line for side in Side for line in find_lines(sector_map, control, side).values() if line.is_isolated]
    return {line.sector: line for line in sorted(cut_off, key=lambda line: line.sector)}


def _onward(sector: int, onward: Mapping[int, int | None]) -> tuple[int, ...]:
    passed: list[int] = []
    current: int | None = sector
    while current is not None:
        passed.append(current)
        current = onward[current]
    return tuple(passed)


def _why_isolated(
    sector_map: SectorMap, control: Control, side: Side, sector: int, own_sectors: Collection[int]
) -> str:
    pocket = set(count_steps(sector_map.neighbours, [sector], own_sectors))
    around = sorted({other for inside in pocket for other in sector_map.neighbours[inside]} - pocket)
    neighbours = {holding: [other for other in around if control[other] is holding] for holding in Holding}
    shut = "; ".join(f"{holding.word} {join_numbers(sectors)}" for holding, sectors in neighbours.items() if sectors)
    linked = f" with {join_numbers(pocket - {sector})}" if len(pocket) > 1 else ""
    return f"No line to the {EDGE_NAMES[side]} edge: shut in{linked} by {shut}."
