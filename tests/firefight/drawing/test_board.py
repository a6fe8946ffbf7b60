"""Boards drawn from what they are made of: hexes that meet, areas laid out or in rows."""

import re
from itertools import pairwise
from math import ceil

import pytest

from firefight.drawing import svg
from firefight.drawing.board import MOST_TIMES, PAINTS, TARGET, draw_board, outline_board, style_board
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


# Areas that somebody has drawn: a square, and an L whose middle lies outside of it.
SQUARE, BEND = ((0, 0), (50, 0), (50, 100), (0, 100)), ((50, 0), (100, 0), (100, 100), (80, 100), (80, 40), (50, 40))


def drawn(times=1, square=SQUARE):
    outlines = {"1": (square, (25, 50)), "2": (BEND, (85, 20))}
    return Board(
        tuple(
            BoardPlace(name, (at[0] * times, at[1] * times), outline=tuple((x * times, y * times) for x, y in outline))
            for name, (outline, at) in outlines.items()
        ),
        Shape.AREAS,
    )


def test_drawn_areas_lie_as_they_were_drawn_at_one_size_whatever_their_units():
    lies = outline_board(drawn())
    assert (lies.width, lies.height) == (360, 360)
    assert lies.cells["1"] == ((3, 3), (180, 3), (180, 357), (3, 357))
    assert lies.names["2"] == pytest.approx((3 + 85 * 3.54, 3 + 20 * 3.54))
    larger = outline_board(drawn(100))
    assert (larger.width, larger.height, larger.least) == pytest.approx((lies.width, lies.height, lies.least))


def test_what_lies_on_a_drawn_area_stands_below_its_name_and_not_where_there_is_nothing_of_it():
    sheet = style_board(drawn()).splitlines()
    bend = next(rule for rule in sheet if rule.startswith(".b1{"))
    # Its name is to the right of its middle, and above it: room is left on the left side and at the foot.
    assert re.search(r"--pad:0% 0% [1-9][\d.]*% [1-9][\d.]*%", bend)
    assert "--pad" not in style_board(areas("12345678", LINKS))


def test_drawn_areas_are_shown_so_large_that_each_can_be_tapped_within_bounds():
    lies = outline_board(drawn())
    narrowest = min(max(x for x, _ in cell) - min(x for x, _ in cell) for cell in lies.cells.values())
    assert lies.least == 360 * TARGET / narrowest < 360
    assert f"width:clamp({ceil(lies.least) + 1}px,min(100%,1.000*var(--tall)),576px)" in style_board(drawn())
    assert lies.is_whole
    narrow = outline_board(drawn(square=((0, 0), (5, 0), (5, 100), (0, 100))))
    cell = narrow.cells["1"]
    assert cell[1][0] - cell[0][0] == pytest.approx(TARGET) and narrow.least == narrow.width == pytest.approx(886)
    assert not narrow.is_whole
    hair = outline_board(drawn(square=((0, 0), (0.01, 0), (0.01, 100), (0, 100))))
    assert hair.width == pytest.approx(MOST_TIMES * 354 + 6)
