"""Turns of named phases, some of them of impulses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from firefight.engine.values import Values

from .course import NOTHING_KEPT, Allowed, BadMove, Button, Course, Move, Position


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a turn. ``side``: whose phase it is, "" if it is everybody's. ``has_impulses``: sides take turns.

    ``first``: in everybody's phase, the side that acts or places first, "" where that does not matter.
    """

    slug: str
    title: str
    side: str = ""
    has_impulses: bool = False
    first: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Phases(Course):
    """Turns that go through the same phases, each a step.

    ``numbered``: forms and files call a phase by its place among them, from 1; a match keeps its word all the same.
    """

    phases: tuple[Phase, ...]
    numbered: bool = False

    def begin(self) -> Position:
        """The first phase of the first turn; the first side has the impulse."""
        side = next(iter(self.sides)) if self._has_impulses else ""
        return Position(turn=self.first_turn, phase=self.phases[0].slug, side=side)

    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        """Passing the impulse, in a phase of impulses, and the next phase."""
        impulse = (Button("impulse", "Pass impulse"),) if self._phase(position).has_impulses else ()
        return (*impulse, Button("phase", "Next phase"))

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        if slug == "phase":
            return self._next_phase(position)
        if slug != "impulse":
            raise self._no_such_button(position)
        if not self._phase(position).has_impulses:
            having = " and the ".join(phase.title for phase in self.phases if phase.has_impulses)
            raise BadMove(f"Impulses belong to the {having}." if having else "This game has no impulses.")
        next_side = self._next_side(position.side)
        return Move(replace(position, side=next_side), f"Impulse: {self.sides[next_side]}.")

    def headings(self, position: Position) -> tuple[str, ...]:
        """The turn, the phase and, where there are impulses, whose it is; or who is first."""
        phase = self._phase(position)
        impulse = (f"impulse: {self.sides[position.side]}",) if phase.has_impulses else ()
        first = (f"{self.sides[phase.first]} first",) if phase.first else ()
        return (self.turn_title(position.turn), phase.title, *impulse, *first)

    @property
    def steps(self) -> Mapping[str, str]:
        return {phase.slug: phase.title for phase in self.phases}

    def step(self, position: Position) -> str:
        return position.phase

    def actor(self, position: Position) -> str:
        phase = self._phase(position)
        return position.side if phase.has_impulses else phase.side

    def _own_facts(self) -> Mapping[str, tuple[str, Allowed]]:
        allowed: Allowed = range(1, len(self.phases) + 1) if self.numbered else tuple(self.steps)
        facts: dict[str, tuple[str, Allowed]] = {"phase": ("phase", allowed)}
        return facts | ({"impulse": ("side", tuple(self.sides))} if self._has_impulses else {})

    def _say_fact(self, name: str, value: object) -> object:
        if name != "phase" or not self.numbered:
            return value
        return next((place for place, phase in enumerate(self.phases, 1) if phase.slug == value), 0)

    def _read_fact(self, name: str, value: Any) -> object:
        return self.phases[value - 1].slug if name == "phase" and self.numbered else value

    @property
    def _has_impulses(self) -> bool:
        return any(phase.has_impulses for phase in self.phases)

    def _phase(self, position: Position) -> Phase:
        return next(phase for phase in self.phases if phase.slug == position.phase)

    def _next_phase(self, position: Position) -> Move:
        order = list(self.steps)
        place = order.index(position.phase) + 1
        if place == len(order):
            place, position = 0, replace(position, turn=self._next_turn(position))
        position = replace(position, phase=order[place])
        return Move(position, f"{self.turn_title(position.turn)}, {self.phases[place].title}.")
