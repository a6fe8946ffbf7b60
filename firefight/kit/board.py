"""A board that a game has drawn on its page, for players to tap."""

from collections.abc import Sequence
from typing import Protocol

from firefight.engine.board.board import Board, BoardView
from firefight.engine.course.keeping import TableState


class BoardRules(Protocol):
    """What is printed on a game's board, and what lies there; all of it is pure.

    Where a conductor's choice names a place (``Choice.place``), that place is lit and pressed instead.
    """

    def lay_board(self, situation: TableState) -> Board | None:
        """What is printed on it, built once, since every look asks for it; None for a match that is played without.

        ``situation``: as whoever looks may know it, since the places may give away what is there.
        """

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """What lies on it, as somebody who sees the secrets of these sides may know it.

        ``situation`` holds everything: whatever is withheld is withheld here, and nothing else reaches a page.
        """
