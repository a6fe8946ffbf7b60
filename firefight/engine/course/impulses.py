"""A track: sides have impulses in turn until the turn ends, which a roll or their passing decides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firefight.engine.values import Values

from .course import NOTHING_KEPT, Allowed, Button, Course, Move, Position

MOST_IMPULSES = 999


@dataclass(frozen=True, kw_only=True, eq=False)
class Impulses(Course):
    """Turns of impulses. A game says by a helper's changes, or its players by a button, when a turn ends.

    ``boxes``: how long the track is, 0 without one. ``track_side``: after whose impulses its marker moves, "" after
    everybody's. ``first_boxes``: where the marker begins each turn; its first box if left blank. ``opening_side``:
    who opens every turn but the first, which the first side opens. ``passes``: how many in a row end the turn.
    """

    shows_ways = True

    boxes: int = 0
    track_side: str = ""
    first_boxes: tuple[int, ...] = ()
    opening_side: str = ""
    passes: int = 2

    @property
    def track(self) -> int:
        return self.boxes

    def begin(self) -> Position:
        first, side = self.first_turn, next(iter(self.sides))
        return Position(turn=first, side=side, impulse=1, box=self._first_box(first))

    def open_turn(self, turn: int) -> Position:
        """The first impulse of a later turn."""
        opening = self.opening_side or next(iter(self.sides))
        return Position(turn=turn, side=opening, impulse=1, box=self._first_box(turn))

    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        """The impulse is done or passed, or the turn is over."""
        end = self.turns[position.turn - 1].end if self.turns else "Next turn"
        own = position.side
        return (Button("pass", "Pass", own), Button("turn", end), Button("impulse", "Impulse done", own))

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        if slug == "turn":
            return self._next(position)
        if slug == "impulse":
            after = self._hand_on(replace(position, passes=0))
            return Move(after, f"{self.sides[after.side]}: impulse {after.impulse}.")
        if slug == "pass":
            return self._pass(position)
        raise self._no_such_button(position)

    def headings(self, position: Position) -> tuple[str, ...]:
        box = (f"box {position.box}",) if self.boxes else ()
        return (self.turn_title(position.turn), *box, self._say_impulse(position))

    @property
    def steps(self) -> Mapping[str, str]:
        """The times of day, where the turns tell them apart."""
        return {turn.step: turn.step.replace("_", " ").capitalize() for turn in self.turns if turn.step}

    def step(self, position: Position) -> str:
        return self.turns[position.turn - 1].step if self.turns else ""

    def actor(self, position: Position) -> str:
        return position.side

    def _own_facts(self) -> Mapping[str, tuple[str, Allowed]]:
        box: dict[str, tuple[str, Allowed]] = {"box": ("box", range(1, self.boxes + 1))} if self.boxes else {}
        return box | {
            "side": ("side", tuple(self.sides)),
            "impulse": ("impulse", range(1, MOST_IMPULSES + 1)),
            "passes": ("passes", range(self.passes)),
        }

    def _first_box(self, turn: int) -> int:
        if not self.boxes:
            return 0
        return self.first_boxes[turn - 1] if self.first_boxes else 1

    def _next(self, position: Position) -> Move:
        after = self.open_turn(self._next_turn(position))
        return Move(after, f"{self.turn_title(after.turn)}, {self._say_impulse(after)}.")

    def _pass(self, position: Position) -> Move:
        name = self.sides[position.side]
        if position.passes + 1 >= self.passes:
            move = self._next(position)
            return Move(move.position, f"{name} passes, which ends the turn. {move.sentence}")
        after = self._hand_on(replace(position, passes=position.passes + 1))
        return Move(after, f"{name} passes; {self._say_impulse(after)}.")

    def _hand_on(self, position: Position) -> Position:
        moves = self.boxes and self.track_side in ("", position.side)
        box = min(position.box + 1, self.boxes) if moves else position.box
        number = min(position.impulse + 1, MOST_IMPULSES)
        return replace(position, side=self._next_side(position.side), impulse=number, box=box)

    def _say_impulse(self, position: Position) -> str:
        return f"impulse {position.impulse}: {self.sides[position.side]}"
