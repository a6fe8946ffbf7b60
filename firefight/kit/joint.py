"""Rolls that the sides of a game make together."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from firefight.engine.board.counters import Piece
from firefight.engine.course.course import Position
from firefight.engine.course.joint import Declared, JointPlace, JointSheet
from firefight.engine.course.keeping import (
    TableState,
)


class JointRules(Protocol):
    """Rolls that all sides make together, once each has declared its part at a place of the table; all of it is pure.

    ``sides``: those that whoever asks may declare for. ``sent``: the fields of the sheet. ``pieces``: all in play.
    """

    @property
    def title(self) -> str: ...

    def is_time(self, position: Position) -> bool:
        """Whether it is offered now."""

    def passes(self, before: Position, after: Position | None) -> bool:
        """Whether its time is over, or passed by, as a match goes from one position to another; None for its end."""

    def find(self, situation: TableState, pieces: Sequence[Piece]) -> Sequence[JointPlace]:
        """The places where somebody still has to declare."""

    def lay_out(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Mapping[str, str]
    ) -> JointSheet:
        """The sheet of a place. Raises BadInput; LackingValues for numbers that have to be asked first."""

    def declare(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Mapping[str, str]
    ) -> Declared:
        """What these sides declare. Raises BadInput with every reason why they cannot."""

    def wait(self, situation: TableState, pieces: Sequence[Piece], place: str, side: str) -> Declared:
        """A side has the other one declare first. Raises BadInput."""
