"""A board that a page draws and players tap: its places, what touches what, the ground, and what lies there now.

What never changes while a match runs is a Board: drawn once and kept by its digest. What changes is a BoardView, as one
reader may know it. All of it is plain; which board that is, is the game's business (firefight/kit/board.py).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from .hexes import Hex, HexGeometry

# Where the neighbours of a hex are, clockwise from the top, in steps of its two axes: half hexes along the one on
# which hexes lie in a line, rows or columns along the other.
FLAT_WAYS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
POINTED_WAYS = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))


class Shape(StrEnum):
    """What the places of a board look like.

    FLAT: hexes with a flat top, placed by column and by half hexes down. POINTED: hexes with a point on top, placed by
    half hexes along and by row. AREAS: shapes that somebody has drawn, or found from what touches what, or round ones
    where they have a place.
    """

    FLAT = "flat"
    POINTED = "pointed"
    AREAS = "areas"


class Look(StrEnum):
    """How ground is drawn: a colour with a pattern, so that it can be told without the colour."""

    OPEN = "open"
    ROUGH = "rough"
    BUILT = "built"
    WOOD = "wood"
    WATER = "water"


@dataclass(frozen=True, slots=True)
class GroundKind:
    """A kind of ground as the game calls it, "urban", and how it is drawn."""

    word: str
    look: Look = Look.OPEN


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that lies or is printed on a place: one or two letters, and its word ("R", "rubble")."""

    letters: str
    word: str


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A place of a board by its name. ``marks``: what is printed on it.

    ``at``: where its middle is, in the steps of the board's shape; None to have it laid out. ``outline``: the corners
    of an area that somebody has drawn, like every other area of its board, in any units; its name then stands ``at``.
    """

    name: str
    at: tuple[int, int] | None = None
    ground: GroundKind = GroundKind("")
    marks: tuple[Sign, ...] = ()
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """All that is printed on a board. ``links``: which areas touch; of hexes that follows from where they are.

    ``title``: what players call it.
    """

    places: tuple[BoardPlace, ...]
    shape: Shape = Shape.FLAT
    links: tuple[tuple[str, str], ...] = ()
    title: str = "Map"

    def find_neighbour(self, name: str, direction: int) -> str | None:
        """The hex that touches one in a direction, 1 to 6 clockwise from its top (POINTED: from its upper right side).

        None where the board ends.
        """
        names, spots = _index_board(self)
        x, y = spots[name]
        dx, dy = self._ways[direction - 1]
        return names.get((x + dx, y + dy))

    def list_neighbours(self, name: str) -> tuple[str, ...]:
        """The places that touch one: hexes clockwise, areas in the order of the board."""
        if self.shape is Shape.AREAS:
            touching = {b if a == name else a for a, b in self.links if name in (a, b)}
            return tuple(place.name for place in self.places if place.name in touching)
        neighbours = (self.find_neighbour(name, direction) for direction in range(1, 7))
        return tuple(neighbour for neighbour in neighbours if neighbour is not None)

    @property
    def _ways(self) -> tuple[tuple[int, int], ...]:
        return POINTED_WAYS if self.shape is Shape.POINTED else FLAT_WAYS


@lru_cache(maxsize=32)
def _index_board(board: Board) -> tuple[dict[tuple[int, int], str], dict[str, tuple[int, int]]]:
    """The places of a board by where they are, and the other way round."""
    spots = {place.name: place.at for place in board.places if place.at is not None}
    return {at: name for name, at in spots.items()}, spots


@lru_cache(maxsize=32)
def digest_board(board: Board) -> str:
    """What a picture of the board is kept by: boards that look different have different ones."""
    return hashlib.sha256(repr(board).encode()).hexdigest()[:16]


def place_hex(geometry: HexGeometry, place: Hex) -> tuple[int, int]:
    """Where a hex of a map with columns stands on a FLAT board.

    >>> from firefight.engine.board.hexes import HexMap
    >>> [place_hex(HexMap(), HexMap().parse(name)) for name in ("A1", "B1", "B2")]
    [(0, 2), (1, 3), (1, 5)]
    """
    is_low = place.column % 2 == (geometry.low_columns == "even")
    return place.column, 2 * place.number + is_low


# What changes


@dataclass(frozen=True, slots=True)
class PieceStack:
    """Pieces of a side on a place: how many, and as one reader may know them ("2nd (4), 79th (3)", "3 blocks").

    ``is_ringed``: the drawing points it out. ``ids``: those of them that are counters of the table, to be selected.
    ``letters``: what stands before the count, "G" of "G2".
    """

    side: str
    count: int
    words: str
    is_ringed: bool = False
    ids: tuple[str, ...] = ()
    letters: str = ""


class Outline(StrEnum):
    """How the outline of a place is drawn above all else, by what that says about it."""

    CUT_OFF = "cut off"
    CHANGED = "changed"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class PlaceView:
    """What lies on a place. ``held_by``: the side whose tint and pattern it has, "" for nobody's.

    ``is_contested``: a pattern of its own, since sides fight for it. ``words``: all of it in words with its name,
    where a game has better ones than ``tell_place``.
    """

    stacks: tuple[PieceStack, ...] = ()
    marks: tuple[Sign, ...] = ()
    held_by: str = ""
    is_contested: bool = False
    outlines: tuple[Outline, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class BoardView:
    """What one reader may know of what changes, for each place where there is anything; ``status``: lines above it."""

    places: Mapping[str, PlaceView] = field(default_factory=dict)
    status: tuple[str, ...] = ()


EMPTY = PlaceView()


def tell_place(place: BoardPlace, view: PlaceView, sides: Mapping[str, str]) -> str:
    """A place in words, for whoever sees no drawing. ``sides``: their names.

    >>> urban = BoardPlace("24", ground=GroundKind("urban"))
    >>> view = PlaceView((PieceStack("red", 3, "3 red blocks"),), (Sign("R", "rubble"),), "red")
    >>> tell_place(urban, view, {"red": "Red"})
    '24, urban, rubble, held by Red, 3 red blocks'
    >>> tell_place(urban, PlaceView(is_contested=True, outlines=(Outline.CUT_OFF,)), {})
    '24, urban, contested, cut off'
    """
    if view.words:
        return view.words
    holder = "contested" if view.is_contested else f"held by {sides[view.held_by]}" if view.held_by else ""
    marks = (mark.word for mark in (*place.marks, *view.marks))
    facts = (place.name, place.ground.word, *marks, holder, *view.outlines, *(pile.words for pile in view.stacks))
    return ", ".join(fact for fact in facts if fact)
