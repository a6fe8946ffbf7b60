"""Sides take turns; or a turn's number is all that a game has; or not even that."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firefight.engine.values import Values

from .course import NOTHING_KEPT, Allowed, Button, Course, Move, Position


@dataclass(frozen=True, kw_only=True, eq=False)
class Alternating(Course):
    """Each side has a turn of its own, one after the other; the number rises when all have had theirs."""

    def begin(self) -> Position:
        return Position(turn=self.first_turn, side=next(iter(self.sides)))

    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        return (Button("turn", "Turn done", position.side),)

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        if slug != "turn":
            raise self._no_such_button(position)
        side = self._next_side(position.side)
        turn = self._next_turn(position) if side == next(iter(self.sides)) else position.turn
        after = replace(position, side=side, turn=turn)
        return Move(after, f"{', '.join(self.headings(after))}.")

    def headings(self, position: Position) -> tuple[str, ...]:
        return (self.turn_title(position.turn), self.sides[position.side])

    @property
    def steps(self) -> Mapping[str, str]:
        return {side: f"Turn of {name}" for side, name in self.sides.items()}

    def step(self, position: Position) -> str:
        return position.side

    def actor(self, position: Position) -> str:
        return position.side

    def _own_facts(self) -> Mapping[str, tuple[str, Allowed]]:
        return {"side": ("side", tuple(self.sides))}


@dataclass(frozen=True, kw_only=True, eq=False)
class Turns(Course):
    """Turns without any order in them."""

    def begin(self) -> Position:
        return Position(turn=self.first_turn)

    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        return (Button("turn", "Next turn"),)

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        if slug != "turn":
            raise self._no_such_button(position)
        after = replace(position, turn=self._next_turn(position))
        return Move(after, f"{self.turn_title(after.turn)}.")

    def headings(self, position: Position) -> tuple[str, ...]:
        return (self.turn_title(position.turn),)

    @property
    def steps(self) -> Mapping[str, str]:
        return {}

    def step(self, position: Position) -> str:
        return ""

    def actor(self, position: Position) -> str:
        return ""

    def _own_facts(self) -> Mapping[str, tuple[str, Allowed]]:
        return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class NoCourse(Turns):
    """Nothing: the players keep the turns themselves."""

    numbers_turns: bool = False

    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        return ()

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        raise self._no_such_button(position)

    def headings(self, position: Position) -> tuple[str, ...]:
        return ()
