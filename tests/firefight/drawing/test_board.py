"""Boards drawn from what they are made of: hexes that meet, areas laid out or in rows."""

from itertools import pairwise

from firefight.drawing import svg
from firefight.drawing.board import PAINTS, draw_board, outline_board, style_board
from firefight.engine.board.board import Board, BoardPlace, GroundKind, Look, Shape, Sign

LINKS = (("1", "2"), ("1", "4"), ("2", "3"), ("2", "4"), ("3", "5"), ("4", "5"), ("5", "6"), ("5", "7"))
LINKS += (("6", "7"), ("6", "8"), ("7", "8"))
# Five areas that all touch each other fit into no plane.
TANGLED = tuple((one, other) for one in "12345" for other in "12345" if one < other)


def areas(names, links):
    return Board(tuple(BoardPlace(name) for name in names), Shape.AREAS, links)


def count_shared(one, other):
    return sum(abs(x - u) + abs(y - v) < 0.01 for x, y in one for u, v in other)


def test_hexes_that_touch_share_a_side_of_both_shapes():
    for shape in (Shape.FLAT, Shape.POINTED):
        spots = [(x, 2 * y + x % 2) if shape is Shape.FLAT else (2 * y + x % 2, x) for x in range(4) for y in range(3)]
        board = Board(tuple(BoardPlace(str(n), at) for n, at in enumerate(spots)), shape)
        cells = outline_board(board).cells
        for place in board.places:
            touching = {name for name in cells if count_shared(cells[place.name], cells[name]) == 2}
            assert touching == {*board.list_neighbours(place.name)} != set(), (shape, place.name)


def test_areas_are_laid_out_as_they_touch():
    board = areas("12345678", LINKS)
    lies = outline_board(board)
    assert all(len({*lies.cells[one]} & {*lies.cells[other]}) > 1 for one, other in LINKS)
    assert not [shape for shape in draw_board(board).shapes if shape.role == "link"]


def test_areas_that_cannot_be_laid_out_stand_apart_with_a_line_for_each_link():
    board = areas("12345", TANGLED)
    assert len([shape for shape in draw_board(board).shapes if shape.role == "link"]) == len(TANGLED)
    middles = sorted(outline_board(board).middles.values())
    assert all(one != other for one, other in pairwise(middles))


def test_areas_in_two_parts_stand_apart_and_none_lies_on_another():
    board = Board(tuple(map(BoardPlace, "abcde")), Shape.AREAS, (("a", "b"), ("c", "d"), ("d", "e")))
    cells = outline_board(board).cells
    middles = {
        name: (sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)) for name, cell in cells.items()
    }
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 80 for a, b in pairwise(middles.values()))


def test_every_look_has_a_pattern_of_its_own_beside_its_colour():
    paints = [PAINTS[look] for look in Look]
    assert len({paint.pattern for paint in paints}) == len({paint.fill for paint in paints}) == len(Look)


def test_the_drawing_has_every_name_and_mark_and_the_style_every_place():
    places = (BoardPlace("A1", (0, 0), GroundKind("town", Look.BUILT), (Sign("AA", "guns"),)), BoardPlace("B<", (1, 1)))
    board = Board(places, title="Two")
    drawn = svg.document(draw_board(board), PAINTS).decode()
    assert ">A1<" in drawn and ">B&lt;<" in drawn and ">AA<" in drawn and "Two: 2 places" in drawn
    css = style_board(board)
    assert ".b0{" in css and ".b1{" in css and "A1" not in css
