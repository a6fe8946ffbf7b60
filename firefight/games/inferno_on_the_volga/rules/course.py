"""Whose turn it is: the Germans, then the Soviets; two German players take turns, with the Soviets after each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firefight.engine.course.alternating import Alternating
from firefight.engine.course.beginning import Mode
from firefight.engine.course.course import NOTHING_KEPT, Move, Position
from firefight.engine.values import Values

from .tables import Colour, Side

GERMAN, SOVIET, YELLOW, BLUE = Side.GERMAN.value, Side.SOVIET.value, Colour.YELLOW.value, Colour.BLUE.value
APP = "app"  # nobody has this seat: only it knows what the app keeps from all players
SIDES: Mapping[str, str] = {
    GERMAN: "German",
    SOVIET: "Soviet",
    YELLOW: "Yellow (6th Army)",
    BLUE: "Blue (4th Panzer)",
    APP: "The app",
}
SOLO = {GERMAN: SIDES[GERMAN], SOVIET: SIDES[SOVIET]}
CO_OP = {YELLOW: SIDES[YELLOW], SOVIET: SIDES[SOVIET], BLUE: SIDES[BLUE]}


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoGermans(Alternating):
    """Yellow and Blue take turns, each followed by the Soviets (The Co-Op Mode 5; B30). Yellow has the odd turns."""

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        """The Soviets after a German, the other German after them."""
        if slug != "turn":
            raise self._no_such_button(position)
        if position.side != SOVIET:
            after = replace(position, side=SOVIET)
        else:
            turn = self._next_turn(position)
            after = replace(position, turn=turn, side=YELLOW if turn % 2 else BLUE)
        return Move(after, f"{', '.join(self.headings(after))}.")


COURSE = Alternating(sides=SOLO)
_TWO = TwoGermans(sides=CO_OP)
SOLO_MODE, CO_OP_MODE, DUEL_MODE, TWO_ON_ONE_MODE = "solo", "co_op", "one_v_one", "two_v_one"
MODES = (
    Mode(SOLO_MODE, "Solo", (GERMAN,), app_sides=(SOVIET,)),
    Mode(CO_OP_MODE, "Co-op, two Germans", (YELLOW, BLUE), course=_TWO, app_sides=(SOVIET,)),
    Mode(DUEL_MODE, "1 vs 1", (GERMAN, SOVIET)),
    Mode(TWO_ON_ONE_MODE, "2 vs 1", (YELLOW, BLUE, SOVIET), course=_TWO),
)
