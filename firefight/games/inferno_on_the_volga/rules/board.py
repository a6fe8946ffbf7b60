"""The board: hexes, what lies next to them by the Soviet Compass, terrain, where Units are set up (Basic Concepts)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .tables import HEX_NAMES, URBAN_HEXES

SET_UP_HEXES = 23  # Game Setup 6
AROUND_DOCK = 4  # Stacks around 9 in the example of a Deliberate Attack; a fifth hex may lie there without one (B68)


@dataclass(frozen=True, slots=True)
class BoardHex:
    """A hex. ``row``: how far south; ``rank``: how far from the Volga; ``towards``: neighbours in directions 1 to 6.

    A direction without a playable hex is "".
    """

    name: str
    row: int
    rank: int
    terrain: str
    is_set_up: bool
    towards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VolgaBoard:
    """All hexes by name."""

    hexes: Mapping[str, BoardHex]
    next_to: Mapping[str, tuple[str, ...]] = field(init=False)
    terrain: Mapping[str, str] = field(init=False)
    set_up: tuple[str, ...] = field(init=False)
    order: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        beside = {
            board_hex.name: tuple(name for name in board_hex.towards if name) for board_hex in self.hexes.values()
        }
        object.__setattr__(self, "next_to", beside)
        object.__setattr__(self, "terrain", {board_hex.name: board_hex.terrain for board_hex in self.hexes.values()})
        object.__setattr__(
            self, "set_up", tuple(board_hex.name for board_hex in self.hexes.values() if board_hex.is_set_up)
        )
        object.__setattr__(self, "order", {name: at for at, name in enumerate(self.hexes)})

    def sort(self, hexes: Iterable[str]) -> list[str]:
        """Hexes in the order of the map."""
        return sorted(hexes, key=self.order.__getitem__)

    def look(self, hex: str, direction: int) -> str:
        """What lies in a direction of the Soviet Compass, 1 to 6; "" for no playable hex."""
        return self.hexes[hex].towards[direction - 1]

    def in_rolling_order(self, hexes: list[str]) -> list[str]:
        """From north to south, and of equally northern ones the nearer to the Volga first (Die Rolls Order)."""
        return sorted(hexes, key=lambda name: (self.hexes[name].row, self.hexes[name].rank, name))

    def find_flaws(self) -> list[str]:
        """What contradicts the text, in sentences."""
        lacking = [name for name in HEX_NAMES if name not in self.hexes]
        if lacking or len(self.hexes) != len(HEX_NAMES):
            return [f"There are 109 hexes, 1 to 105 and W to Z; missing: {', '.join(lacking) or 'none'}."]
        return [*self._find_flaws_of_terrain(), *self._find_flaws_of_compass(), *self._find_flaws_of_examples()]

    def _find_flaws_of_terrain(self) -> list[str]:
        urban = [name for name, terrain in self.terrain.items() if terrain == "urban"]
        flaws = [f"27 hexes are Urban (Rubble), not {len(urban)}."] if len(urban) != URBAN_HEXES else []
        flaws += [f"Hex {name} is Urban." for name in ("9", "26", "32") if name not in urban]
        flaws += [f"Hex {name} is not Urban." for name in ("4", "21", "28") if name in urban]
        if len(self.set_up) != SET_UP_HEXES:
            flaws.append(f"Units are set up in 23 hexes (Setup 6), not {len(self.set_up)}.")
        return flaws

    def _find_flaws_of_compass(self) -> list[str]:
        flaws = []
        for name, board_hex in self.hexes.items():
            for direction, other in enumerate(board_hex.towards, 1):
                back = (direction + 2) % 6 + 1
                if other and other not in self.hexes:
                    flaws.append(f"Direction {direction} of {name}: there is no hex {other}.")
                elif other and self.look(other, back) != name:
                    flaws.append(f"Direction {direction} of {name} is {other}, so {back} of {other} is {name}.")
        if not flaws and len(self._reach("W")) != len(self.hexes):
            flaws.append("Not every hex can be reached from W.")
        return flaws

    def _reach(self, start: str) -> set[str]:
        reached, edge = {start}, [start]
        while edge:
            new = [name for name in self.next_to[edge.pop()] if name not in reached]
            reached.update(new)
            edge += new
        return reached

    def _find_flaws_of_examples(self) -> list[str]:
        """The worked examples of the Soviet Movement Action, of Chuikov and of a Deliberate Attack."""
        facts = (
            (self.in_rolling_order(["25", "9", "7"]) == ["7", "9", "25"], "Dice are rolled for 7, then 9, then 25."),
            (self.hexes["9"].row == self.hexes["25"].row, "Hexes 9 and 25 are equally far north."),
            (self.look("25", 5) == "24", "A 5 leads from 25 to 24."),
            (self.look("7", 6) == "6", "A 6 leads from 7 to 6."),
            ({"7", "8"} <= set(self.next_to["24"]), "Hexes 7 and 8 touch 24."),
            (len(set(self.next_to["9"])) >= AROUND_DOCK, "At least four hexes touch 9."),
        )
        return [sentence for holds, sentence in facts if not holds]
