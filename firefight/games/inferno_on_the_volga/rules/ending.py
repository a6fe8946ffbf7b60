"""Cards for captured hexes and Calls, and who has won (Capturing an Enemy Spawn Hex, How to Win the Game, OKH)."""

from dataclasses import dataclass

from .tables import GERMAN_SPAWN, OKH_HEXES, R_UNITS, SOVIET_SPAWN, Colour, Side

POINTS = 10  # German Units destroyed, R-marked ones twice


def is_enemy_spawn(side: Side, hex: str) -> bool:
    """Whether a hex is a Spawn Hex of the other side; one's own taken back does not count (B22)."""
    return hex in (SOVIET_SPAWN if side is Side.GERMAN else GERMAN_SPAWN)


def count_captured_cards(side: Side, hex: str, paulus: bool = False) -> int:
    """How many cards a side draws as it takes a hex."""
    if not is_enemy_spawn(side, hex):
        return 0
    return 2 if side is Side.GERMAN and paulus else 1


def count_call_cards(paulus: bool) -> int:
    """How many cards a Call draws. Paulus drawn by this very Call doubles from the next draw on (B18)."""
    return 2 if paulus else 1


@dataclass(frozen=True, slots=True)
class Standings:
    """What victory is judged by. ``destroyed`` includes the R-marked Units; ``r_removed``: those on the Track."""

    soviet_spawn_german: int = 0
    soviet_units: int = 1
    destroyed: int = 0
    destroyed_r: int = 0
    deck_empty: bool = False
    okh: bool = False
    hexes_1_19_german: int = 0
    r_removed: int = 0
    extra_used: int = 0

    @property
    def score(self) -> int:
        """German Units destroyed, those marked R twice."""
        return self.destroyed + self.destroyed_r

    @property
    def extra_turns(self) -> int:
        """German turns that OKH still gives once the Soviet deck is empty (B17)."""
        if not (self.okh and self.deck_empty):
            return 0
        return max(0, min(R_UNITS, self.r_removed) - self.extra_used)

    @property
    def is_german_won(self) -> bool:
        """Whether the German goal is reached, at the end of a turn."""
        if self.okh:
            return self.soviet_units == 0 or self.hexes_1_19_german == len(OKH_HEXES)
        return self.soviet_units == 0 or self.soviet_spawn_german == len(SOVIET_SPAWN)

    @property
    def is_deck_lost(self) -> bool:
        """Whether the empty Soviet deck ends the game, which it does at once."""
        return self.deck_empty and not self.extra_turns

    @property
    def is_soviet_won(self) -> bool:
        """Whether the Soviet goal is reached; OKH's last extra turn is judged by the German goal first (B58)."""
        in_time = self.okh and self.is_german_won
        return self.score >= POINTS or (self.is_deck_lost and not in_time)


def find_co_op_winner(yellow: int, blue: int) -> Colour | None:
    """Which of two German players holds more Soviet Spawn Hexes; None where they are level (Co-Op 11)."""
    if yellow == blue:
        return None
    return Colour.YELLOW if yellow > blue else Colour.BLUE
