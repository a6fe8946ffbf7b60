"""A board drawn from what it is made of: hexes by where they are, areas by what they touch.

What is printed on it is a Drawing, kept by the browser; where its places lie is a style sheet beside it, so that what
lies on the board at present needs only the number of its place. A unit is a pixel of a phone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, pi, sin, sqrt

from firefight.drawing.layout.frame import EAST, WEST
from firefight.drawing.layout.laying_out import CannotDraw, lay_out_map
from firefight.drawing.shapes import Drawing, Label, Line, Paint, Pattern, Point, Polygon, box
from firefight.drawing.shapes import Shape as Drawn
from firefight.engine.board.board import Board, BoardPlace, Look, PlaceView, Shape, tell_place

RADIUS = 34  # of a hex, so that seven columns are as wide as a phone and the least of its widths is 58
MARGIN = 6
EDGE = 3  # the margin of what somebody has drawn, which has a frame of its own
STEP = 84  # from a round area to the next one on the axes
ROUND = 32  # the radius of such an area
CORNERS = 16  # of what stands for a circle
LAID_OUT = 0.5  # how large a layout is drawn
LETTERS = 15  # the size of what stands on a place
PHONE, TALL = 354, 474  # the frame that outlines which somebody has drawn fit into
WHOLE = 280  # the width at which a phone shows such a board unscrolled
TARGET = 44  # the least width and height of a place, to be tapped
MOST_TIMES = 12  # how many times larger such outlines are made for that
NAME, BELOW = 17, 15  # of a place that somebody has drawn: the size of its name, and how far below it all else stands

PAINTS: Mapping[str, Paint] = {
    "paper": Paint("#e9e2d0"),
    "link": Paint(line="#7d745f", width=3),
    Look.OPEN: Paint("#f6f0df", "#8a8069", 1),
    Look.ROUGH: Paint("#eadcb6", "#8a8069", 1, Pattern.DOTTED, "#a08b55", 9),
    Look.BUILT: Paint("#e6d2c4", "#8a8069", 1, Pattern.HATCHED, "#bd9c86", 9),
    Look.WOOD: Paint("#d9e5c3", "#8a8069", 1, Pattern.CROSSED, "#a9bf86", 12),
    Look.WATER: Paint("#cfe3ec", "#8a8069", 1, Pattern.RULED, "#94b8c9", 9),
    "gap": Paint("#cfc6b0", "#8a8069", 1),
    "name": Paint("#1b1b19"),
    "number": Paint("#3b372d"),
    "mark": Paint("#5b2413"),
    "held-1": Paint(pattern=Pattern.HATCHED, ink="#8da4b3", grain=12),
    "held-2": Paint(pattern=Pattern.DOTTED, ink="#ae9360", grain=12),
    "contested": Paint(pattern=Pattern.CROSSED, ink="#c97a5f", grain=12),
    "piece-0": Paint("#57544b"),
    "piece-1": Paint("#2f5878"),
    "piece-2": Paint("#7a4d06"),
    "piece-3": Paint("#8a2f6c"),
    "piece-4": Paint("#0c6350"),
    "ring": Paint("#ffffff", "#1b1b19", 2),
    "sign": Paint("#1b1b19"),
    "piece-word": Paint("#ffffff"),
}


@dataclass(frozen=True, slots=True)
class BoardOutlines:
    """Where the places of a board lie in a frame of ``width`` by ``height``: outlines and middles by name.

    ``least``: how wide the board must be shown for every place to be tapped. ``names``: where those names stand that
    are not above a middle.
    """

    width: float
    height: float
    cells: Mapping[str, tuple[Point, ...]]
    middles: Mapping[str, Point]
    least: float
    names: Mapping[str, Point]

    @property
    def is_whole(self) -> bool:
        """Whether a phone has room for all of it with places that can be tapped."""
        return bool(self.names) and self.least <= WHOLE


@lru_cache(maxsize=32)
def outline_board(board: Board) -> BoardOutlines:
    """Where everything lies. What cannot be laid out stands in rows, with lines between what touches."""
    scale = _scale_drawn(board)
    if scale:
        cells = {place.name: tuple((x * scale, y * scale) for x, y in place.outline) for place in board.places}
    elif board.shape is Shape.AREAS:
        cells = _lay_out_areas(board) or _place_rounds(board)
    else:
        cells = {place.name: _outline_hex(board.shape, place) for place in board.places}
    margin = EDGE if scale else MARGIN
    left = min(x for cell in cells.values() for x, _ in cell) - margin
    top = min(y for cell in cells.values() for _, y in cell) - margin
    moved = {name: tuple((x - left, y - top) for x, y in cell) for name, cell in cells.items()}
    width = max(x for cell in moved.values() for x, _ in cell) + margin
    height = max(y for cell in moved.values() for _, y in cell) + margin
    middles = {name: (sum(_ends(cell, 0)) / 2, sum(_ends(cell, 1)) / 2) for name, cell in moved.items()}
    if not scale:
        return BoardOutlines(width, height, moved, middles, width, {})
    names = {place.name: (place.at[0] * scale - left, place.at[1] * scale - top) for place in board.places if place.at}
    middles |= {name: (x, y + BELOW) for name, (x, y) in names.items()}
    least = min(width, width * TARGET / _find_least(moved.values()))
    return BoardOutlines(width, height, moved, middles, least, names)


def _scale_drawn(board: Board) -> float:
    """The scale at which outlines that somebody has drawn are shown, 0 where there are none: whole on a phone, or
    larger until every place can be tapped, within bounds."""
    drawn = [place.outline for place in board.places if place.outline]
    if not drawn or len(drawn) < len(board.places):
        return 0
    wide, high = (max(ends[1] for ends in along) - min(ends[0] for ends in along) for along in _ends_of_all(drawn))
    whole = min(PHONE / wide, TALL / high)
    return whole * min(max(1, TARGET / (_find_least(drawn) * whole)), MOST_TIMES)


def _ends_of_all(cells: Iterable[tuple[Point, ...]]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    cells = list(cells)
    return [_ends(cell, 0) for cell in cells], [_ends(cell, 1) for cell in cells]


def _find_least(cells: Iterable[tuple[Point, ...]]) -> float:
    """The least width or height of a place."""
    return min(last - first for along in _ends_of_all(cells) for first, last in along)


def _share_side(lies: BoardOutlines, place: str, neighbour: str) -> bool:
    """Whether two places are drawn side by side, so that no line need say that they touch."""
    return len({*lies.cells[place]} & {*lies.cells[neighbour]}) > 1


def _ends(cell: tuple[Point, ...], axis: int) -> tuple[float, float]:
    along = [point[axis] for point in cell]
    return min(along), max(along)


def _outline_hex(shape: Shape, place: BoardPlace) -> tuple[Point, ...]:
    if place.at is None:
        raise ValueError(f"{place.name}: a hex has to say where it is.")
    x, y = place.at
    half, row, turned = RADIUS * sqrt(3) / 2, RADIUS * 1.5, 0.0 if shape is Shape.FLAT else 0.5
    middle = (x * row, y * half) if shape is Shape.FLAT else (x * half, y * row)
    return _outline_round(middle, RADIUS, 6, turned)


def _outline_round(middle: Point, radius: float, corners: int, turned: float = 0) -> tuple[Point, ...]:
    ways = [2 * pi * (corner + turned) / corners for corner in range(corners)]
    return tuple((middle[0] + radius * cos(way), middle[1] + radius * sin(way)) for way in ways)


def _lay_out_areas(board: Board) -> dict[str, tuple[Point, ...]] | None:
    """Areas side by side, as they touch; None where the board says where they are, or it cannot be drawn: unconnected
    areas would end up in the midst of others."""
    if any(place.at for place in board.places):
        return None
    numbers = {place.name: number for number, place in enumerate(board.places, 1)}
    neighbours = {numbers[name]: {numbers[neighbour] for neighbour in board.list_neighbours(name)} for name in numbers}
    reached = _reach_all(neighbours)
    if len(reached) < len(numbers):
        return None
    try:
        drawn = lay_out_map(neighbours, {WEST: [1], EAST: [reached[-1]]})
    except CannotDraw:
        return None
    return {name: tuple((x * LAID_OUT, y * LAID_OUT) for x, y in drawn.cells[numbers[name]]) for name in numbers}


def _reach_all(neighbours: Mapping[int, set[int]]) -> list[int]:
    """All areas connected to the first one, which lies in the west; the last, farthest from it, lies in the east."""
    reached = [1]
    for number in reached:
        reached += sorted(neighbours[number] - {*reached})
    return reached


def _place_rounds(board: Board) -> dict[str, tuple[Point, ...]]:
    """Each area as a circle where it says it is, or in rows in its turn."""
    in_row = max(2, round(sqrt(len(board.places))))
    spots = {place.name: place.at or (n % in_row, n // in_row) for n, place in enumerate(board.places)}
    return {name: _outline_round((x * STEP, y * STEP), ROUND, CORNERS) for name, (x, y) in spots.items()}


@lru_cache(maxsize=32)
def draw_board(board: Board) -> Drawing:
    """All that is printed on it."""
    lies = outline_board(board)
    shapes: list[Drawn] = [box(0, 0, lies.width, lies.height, "paper")]
    if lies.names:  # there are no places where the board's author has left room
        shapes.append(box(EDGE, EDGE, lies.width - 2 * EDGE, lies.height - 2 * EDGE, "gap"))
    apart = [link for link in board.links if not _share_side(lies, *link)]
    shapes += [Line((lies.middles[place], lies.middles[neighbour]), "link") for place, neighbour in apart]
    for place in board.places:
        shapes.append(Polygon(lies.cells[place.name], place.ground.look))
    for place in board.places:
        x, top = lies.middles[place.name][0], _ends(lies.cells[place.name], 1)[0]
        if place.name in lies.names:
            shapes.append(Label(*lies.names[place.name], place.name, NAME, "name", bold=True))
        else:
            shapes.append(Label(x, top + 13, place.name, 11, "number", bold=True))
        if place.marks:
            letters = " ".join(mark.letters for mark in place.marks)
            shapes.append(Label(x, _ends(lies.cells[place.name], 1)[1] - 4, letters, 9, "mark", bold=True))
    return Drawing(lies.width, lies.height, tuple(shapes), f"{board.title}: {len(board.places)} places")


def draw_lying(board: Board, view: Mapping[str, PlaceView], sides: Mapping[str, str]) -> Drawing:
    """All that is printed on it, with what lies there. ``sides``: their names; their order gives their colours."""
    printed, lies = draw_board(board), outline_board(board)
    shapes, sentences = [*printed.shapes], [board.title]
    ranks = {side: rank for rank, side in enumerate(sides, 1) if f"piece-{rank}" in PAINTS}
    for place in (place for place in board.places if place.name in view):
        lying = view[place.name]
        role = "contested" if lying.is_contested else f"held-{ranks.get(lying.held_by, 0)}"
        if role in PAINTS:
            shapes.append(Polygon(lies.cells[place.name], role))
        shapes += _draw_pieces(lying, *lies.middles[place.name], ranks)
        if lying.stacks:
            sentences.append(tell_place(place, lying, sides))
    return Drawing(printed.width, printed.height, tuple(shapes), "; ".join(sentences))


def _draw_pieces(view: PlaceView, middle: float, top: float, ranks: Mapping[str, int]) -> Iterator[Drawn]:
    """What lies on a place, side by side: the count of each stack, then signs."""
    pieces = [(f"piece-{ranks.get(pile.side, 0)}", f"{pile.letters}{pile.count}", pile) for pile in view.stacks]
    signs = [("sign", mark.letters, None) for mark in view.marks]
    widths = [max(LETTERS * 1.4, LETTERS * 0.6 * len(words) + 6) for _, words, _ in (*pieces, *signs)]
    left = middle - (sum(widths) + 2 * max(0, len(widths) - 1)) / 2
    for (role, words, pile), width in zip((*pieces, *signs), widths, strict=True):
        if pile and pile.is_ringed:
            yield box(left - 3, top - 9, width + 6, LETTERS * 1.4 + 6, "ring")
        yield box(left, top - 6, width, LETTERS * 1.4, role)
        yield Label(left + width / 2, top + 10, words, LETTERS, "piece-word", bold=True)
        left += width + 2


def style_board(board: Board) -> str:
    """Where what lies on each place is shown, as a style sheet: the place of number n has the class "b" and n.

    The sheet is as wide as the drawing, or as its page where that is wider, within bounds; letters grow with it. What
    somebody has drawn is shown whole if each place can be tapped then.
    """
    lies = outline_board(board)
    rules = [*_style_sheet(lies), f".board-over{{font-size:{100 * LETTERS / lies.width:.3f}cqw}}"]
    for number, place in enumerate(board.places):
        rules.append(f".b{number}{{{_style_place(lies, place.name)}}}")
    return "\n".join(rules)


def _style_sheet(lies: BoardOutlines) -> Iterator[str]:
    """How large the sheet is, also before its drawing is there.

    ``--tall``, set by the page: how high the visible part of it may be.
    """
    yield f".board-sheet img{{aspect-ratio:{lies.width:.3f}/{lies.height:.3f}}}"
    least, most = (f"{lies.width * times:.0f}px" for times in (0.75, 1.6))
    if lies.names:
        whole = f"min(100%,{lies.width / lies.height:.3f}*var(--tall))"
        yield f".board-sheet{{width:clamp({ceil(lies.least) + 1}px,{whole},{most})}}"
        yield f".board:has(#board-whole:checked) .board-sheet{{width:{whole}}}"
    else:
        yield f".board-sheet{{width:{lies.width:.0f}px}}"
        yield f"@media(min-width:60rem){{.board-sheet{{width:clamp({least},100%,{most})}}}}"


def _style_place(lies: BoardOutlines, name: str) -> str:
    cell = lies.cells[name]
    (left, right), (top, bottom) = _ends(cell, 0), _ends(cell, 1)
    width, height = right - left, bottom - top
    points = ",".join(f"{_part(x - left, width)} {_part(y - top, height)}" for x, y in cell)
    return (
        f"left:{_part(left, lies.width)};top:{_part(top, lies.height)};width:{_part(width, lies.width)};"
        f"height:{_part(height, lies.height)};clip-path:polygon({points}){_style_padding(lies, name)}"
    )


def _style_padding(lies: BoardOutlines, name: str) -> str:
    """What puts all that lies on a place at its middle, which need not be that of its outline."""
    if name not in lies.names:
        return ""
    aside = [2 * (middle - sum(_ends(lies.cells[name], axis)) / 2) for axis, middle in enumerate(lies.middles[name])]
    right, down = (_part(max(0, -shift), lies.width) for shift in aside)
    left, up = (_part(max(0, shift), lies.width) for shift in aside)
    return f";--pad:{up} {right} {down} {left}"


def _part(length: float, of: float) -> str:
    return f"{100 * length / of:.2f}".rstrip("0").rstrip(".") + "%"
