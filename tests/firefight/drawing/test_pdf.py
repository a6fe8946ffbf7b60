"""Drawings on paper: where things end up, patterns that end with their area, words that can be selected."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from firefight.drawing.pdf import paint, rows_of_dots
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Polygon, box
from tests.firefight.drawing.test_paper import paper
from tests.pdf import pages_of

BLACK, WHITE = "#000000", "#ffffff"
PAINTS = {
    "solid": Paint(BLACK),
    "outline": Paint("", BLACK, 4),
    "dashed": Paint("", BLACK, 4, dash=20),
    "short dashes": Paint("", BLACK, 4, dash=8),
    "nothing": Paint(),
    "word": Paint(BLACK),
    "plate": Paint(BLACK, WHITE, 6),
    **{pattern: Paint("", "", 1, pattern, BLACK, 8) for pattern in Pattern if pattern is not Pattern.PLAIN},
}


def drawn(*shapes, width=100, at=(50, 100)):
    """A drawing of 100 by 100 units on a page; 1 mm each, unless told otherwise."""
    sheet = paper("")
    assert paint(sheet, Drawing(100, 100, shapes, ""), *at, width, PAINTS) == width
    (page,) = pages_of(sheet.bytes())
    return page


def is_dark(page, x, y):
    """Whether there is ink."""
    return page.grey_at(x, y) < 128


def test_shapes_lie_where_they_are_put_in_the_size_that_is_asked_for():
    for width, at in ((100, (50, 100)), (50, (20, 30))):
        page = drawn(box(20, 40, 20, 10, "solid"), Ellipse(80, 80, 10, 5, "solid"), width=width, at=at)

        def place(x, y, width=width, at=at):
            return at[0] + x * width / 100, at[1] + y * width / 100

        for x, y in ((21, 41), (39, 49), (30, 45), (80, 80), (72, 80), (80, 84)):
            assert is_dark(page, *place(x, y)), (x, y)
        for x, y in ((18, 45), (42, 45), (30, 38), (30, 52), (88, 84), (72, 76), (80, 87)):
            assert not is_dark(page, *place(x, y)), (x, y)


def test_lines_are_open_outlines_closed_and_both_as_wide_as_their_paint():
    corners = ((10, 10), (60, 10), (60, 60))
    page = drawn(Line(corners, "outline"))
    assert is_dark(page, 85, 110)
    assert is_dark(page, 110, 135)
    assert is_dark(page, 85, 111.5)
    assert not is_dark(page, 85, 113)
    assert not is_dark(page, 85, 135)
    page = drawn(Polygon(corners, "outline"))
    assert is_dark(page, 85, 135)
    assert not is_dark(page, 95, 120)


def test_a_broken_line_has_gaps_and_leaves_the_next_one_whole():
    page = drawn(Line(((0, 10), (100, 10)), "dashed"), Line(((0, 50), (100, 50)), "outline"))
    assert [is_dark(page, 50 + x, 110) for x in (10, 25, 40, 55)] == [True, False, True, False]
    assert all(is_dark(page, 50 + x, 150) for x in range(1, 100))


def test_gaps_are_as_long_as_they_should_be_however_wide_the_line_is():
    page = drawn(Line(((0, 10), (100, 10)), "short dashes"))
    inked = sum(is_dark(page, 50 + x / 4, 110) for x in range(20, 380)) / 360
    assert 0.6 < inked < 0.73  # 8 drawn, 4 left out


def test_what_has_neither_colour_nor_line_is_not_drawn():
    page = drawn(box(0, 0, 100, 100, "nothing"), Ellipse(50, 50, 9, 9, "nothing"), Line(((0, 0), (9, 9)), "nothing"))
    assert not any(is_dark(page, 50 + x, 100 + x) for x in range(100))


def test_an_unknown_role_is_an_error():
    with pytest.raises(KeyError):
        drawn(box(0, 0, 9, 9, "mystery"))


@pytest.mark.parametrize(("anchor", "left"), [("start", 100), ("middle", 90), ("end", 80)])
def test_words_can_be_selected_where_they_stand(anchor, left):
    page = drawn(Label(50, 50, "Сектор 7", 5, "word", anchor), Label(50, 80, "bold", 5, "word", bold=True))
    assert page.words_in((left - 1, 145, left + 24, 152)) == "Сектор 7"
    assert "bold" in page.words


def test_a_word_with_a_ground_keeps_what_lies_below_away_and_stands_there_once():
    page = drawn(box(0, 0, 100, 100, "solid"), Label(50, 50, "HIM", 10, "plate"))
    assert page.words.count("HIM") == 1
    assert not is_dark(page, 100, 141.5)
    assert is_dark(page, 100, 137)


@pytest.mark.parametrize("pattern", [pattern for pattern in Pattern if pattern is not Pattern.PLAIN])
def test_a_pattern_fills_its_area_and_nothing_else(pattern):
    page = drawn(Polygon(((10, 10), (90, 30), (50, 50), (80, 90), (20, 80)), pattern))
    inside, outside = [(30, 60, 15), (40, 35, 8)], [(95, 60, 4), (5, 50, 4), (85, 55, 6), (60, 95, 3)]

    def share(x, y, reach):
        spots = [(50 + x + i / 2, 100 + y + j / 2) for i in range(-reach, reach) for j in range(-reach, reach)]
        return sum(is_dark(page, *spot) for spot in spots) / len(spots)

    for spot in inside:
        assert 0.05 < share(*spot) < 0.75, spot
    for spot in outside:
        assert share(*spot) == 0, spot


@pytest.mark.parametrize("pattern", [Pattern.HATCHED, Pattern.CROSSED])
def test_neighbours_of_one_pattern_agree_at_their_border(pattern):
    whole = drawn(box(0, 0, 100, 100, pattern))
    halves = drawn(box(0, 0, 47, 100, pattern), box(47, 0, 53, 100, pattern))
    apart = ImageChops.difference(whole.picture, halves.picture).point(lambda grey: 255 * (grey > 128))
    assert apart.getbbox() is None


def test_strokes_are_as_far_apart_as_their_paint_says():
    page = drawn(box(0, 0, 100, 100, Pattern.HATCHED))
    inked = [is_dark(page, 50 + x / 10, 150) for x in range(100, 900)]
    begins = [place for place, (was_dark, is_inked) in enumerate(pairwise(inked)) if is_inked and not was_dark]
    assert {round((next_begin - begin) / 10) for begin, next_begin in pairwise(begins)} == {8}


COORDINATES = st.integers(-60, 60)
POLYGONS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=7, unique=True)


def is_inside(x, y, points):
    """Whether a point lies in a polygon: a ray to the right meets its sides an odd number of times."""
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return sum((ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay) for (ax, ay), (bx, by) in sides) % 2


@settings(max_examples=60)
@given(POLYGONS, st.floats(2, 30))
def test_dots_lie_in_any_polygon(points, grain):
    for first, level, last in rows_of_dots(points, grain):
        for number in range(round((last - first) / grain) + 1):
            assert is_inside(first + number * grain, level, points)


# The file


def test_alike_drawings_cost_little_more_than_one():
    shapes = (*(box(x, y, 9, 9, Pattern.DOTTED) for x in range(0, 99, 10) for y in range(0, 99, 10)),)

    def size(number):
        sheet = paper("")
        for place in range(number):
            paint(sheet, Drawing(100, 100, shapes, ""), 20 + 7 * place, 30 + 11 * place, 50, PAINTS)
        return len(sheet.bytes())

    once, twice, thrice = (size(number) for number in (1, 2, 3))
    assert thrice - twice < 0.2 * (once - size(0)) > twice - once
