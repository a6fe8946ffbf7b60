"""The board of Fox Hunt: fourteen hexes of a wood with a brook, and what lies there as far as a reader may know."""

from collections.abc import Sequence
from dataclasses import dataclass

from firefight.engine.board.board import Board, BoardPlace, BoardView, GroundKind, Look, PieceStack, PlaceView, Sign
from firefight.engine.course.keeping import TableState

FIELD, WOOD, BROOK = GroundKind("field"), GroundKind("wood", Look.WOOD), GroundKind("brook", Look.WATER)
COLUMNS = ("FFW", "FWWB", "WFWB", "FFB")  # from west to east, from north to south
GROUNDS = {"F": FIELD, "W": WOOD, "B": BROOK}
LAIRS = ("A3", "B2", "C3")
LAIR = Sign("L", "lair")


def lay_wood() -> Board:
    """A1 to D3; every other column begins half a hex higher."""
    places = []
    for column, (letter, grounds) in enumerate(zip("ABCD", COLUMNS, strict=True)):
        for row, ground in enumerate(grounds, 1):
            name, half = f"{letter}{row}", 2 * row - (len(grounds) == 4) + (letter == "C")
            places.append(BoardPlace(name, (column, half), GROUNDS[ground], (LAIR,) if name in LAIRS else ()))
    return Board(tuple(places), title="The wood")


BOARD = lay_wood()


def wood_of(situation: TableState) -> Board:
    """The wood of a hunt: its owner's, or else the house's."""
    return situation.content if isinstance(situation.content, Board) else BOARD


def list_lairs(wood: Board) -> list[str]:
    """The places with a lair."""
    return [place.name for place in wood.places if LAIR in place.marks]


@dataclass(frozen=True, slots=True)
class Wood:
    """The wood and what is in it."""

    def lay_board(self, situation: TableState) -> Board:
        """The wood of its content."""
        return wood_of(situation)

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Everybody sees the hounds; the animals as animals, unless they see the fox's secrets."""
        hunt = situation.record["hunt"]
        if not hunt:
            return BoardView()
        views = {name: PlaceView((PieceStack("hounds", 1, "a hound"),)) for name in hunt["hounds"]}
        for name, kind in hunt["animals"].items():
            words = kind if "fox" in sees else "an animal"
            views[name] = PlaceView((PieceStack("fox", 1, words),))
        return BoardView(views, (f"{len(hunt['animals'])} animals", f"{len(hunt['hounds'])} hounds"))
