"""Who plays a game: one German or two, and whether the Soviets have a player (the modes of play)."""

from dataclasses import dataclass

from ..rules.course import APP, BLUE, CO_OP_MODE, DUEL_MODE, GERMAN, SOLO_MODE, SOVIET, TWO_ON_ONE_MODE, YELLOW

MODES_CONDUCTED = (SOLO_MODE, CO_OP_MODE, DUEL_MODE, TWO_ON_ONE_MODE)


@dataclass(frozen=True, slots=True)
class Players:
    """The seats of a mode."""

    mode: str

    @property
    def is_solo(self) -> bool:
        """Whether there is nobody from whom a German hand is hidden."""
        return self.mode == SOLO_MODE

    @property
    def are_two_germans(self) -> bool:
        """Whether Yellow and Blue have a player each (The Co-Op Mode)."""
        return self.mode in (CO_OP_MODE, TWO_ON_ONE_MODE)

    @property
    def is_soviet_played(self) -> bool:
        """Whether a player has the Soviets (The 1 vs 1 Mode)."""
        return self.mode in (DUEL_MODE, TWO_ON_ONE_MODE)

    @property
    def germans(self) -> tuple[str, ...]:
        """The seats of the Germans; the starting hand is the first one's (Co-Op 5)."""
        return (YELLOW, BLUE) if self.are_two_germans else (GERMAN,)

    @property
    def keeper(self) -> str:
        """The only seat that may know what no player may: a Soviet player does not know the Reinforcement Track."""
        return APP if self.is_soviet_played else SOVIET

    def find_active(self, turn: int) -> str:
        """Which German a turn belongs to: with two, Yellow has the odd ones (Co-Op 5)."""
        return self.germans[(turn - 1) % len(self.germans)]
