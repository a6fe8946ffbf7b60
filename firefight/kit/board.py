"""A board that a game has drawn on its page, and tapped."""

from collections.abc import Sequence
from typing import Protocol

from firefight.engine.board.board import Board, BoardView
from firefight.engine.course.keeping import TableState


class BoardRules(Protocol):
    """What is printed on a game's board, and what lies there; all of it is pure.

    Where a conductor's decision names a place (``Choice.place``), that place is lit and pressed in its stead.
    """

    def lay_board(self, situation: TableState) -> Board | None:
        """What is printed on it, built once, for every look asks for it; None for a match that is played without.

        ``situation``: as who looks may know it, for where places are tells of what is there.
        """

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """What lies on it, as somebody may know it who sees the secrets of these sides.

        ``situation`` holds all: what is withheld is withheld here, for nothing else reaches a page.
        """
