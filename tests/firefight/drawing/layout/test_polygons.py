import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.drawing.layout.polygons import (
    are_near,
    doubled_area,
    is_inside,
    is_simple,
    loose_contacts,
    overlap,
    shared_sides,
)

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
RIGHT = [(4, 0), (8, 0), (8, 4), (4, 4)]
CORNER = [(4, 4), (8, 4), (8, 8), (4, 8)]
HALF_WAY = [(4, 2), (8, 2), (8, 6), (4, 6)]
INSIDE = [(1, 1), (3, 1), (3, 3), (1, 3)]
WEDGE = [(0, 0), (4, 0), (4, 4)]


@pytest.mark.parametrize(
    ("polygon", "simple"),
    [
        (SQUARE, True),
        (SQUARE[::-1], True),
        (SQUARE[:2], False),
        ([(0, 0), (2, 0), (4, 0)], False),
        ([(0, 0), (4, 4), (4, 0), (0, 4)], False),
        ([*SQUARE, (0, 0)], False),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], False),
    ],
)
def test_an_outline_is_simple_if_it_neither_cuts_nor_touches_itself(polygon, simple):
    assert is_simple(polygon) is simple


def test_area_has_the_sign_of_the_direction():
    assert (doubled_area(SQUARE), doubled_area(SQUARE[::-1])) == (32, -32)


def test_the_rim_is_not_inside():
    assert is_inside((2, 2), SQUARE)
    assert not any(is_inside(point, SQUARE) for point in [(0, 0), (4, 2), (2, 0), (5, 2), (-1, 0), (2, 9)])


@given(st.integers(-1, 9), st.integers(-1, 9))
def test_inside_agrees_with_counting_triangles(x, y):
    dented = [(0, 0), (8, 0), (8, 8), (4, 3), (0, 8)]
    wholes = [[(0, 0), (8, 0), (4, 3)], [(8, 0), (8, 8), (4, 3)], [(0, 0), (4, 3), (0, 8)]]

    def in_triangle(corners):
        a, b, c = corners
        hands = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
        return all(hand >= 0 for hand in hands) or all(hand <= 0 for hand in hands)

    on_rim = (x, y) in dented or (y == 0 and 0 <= x <= 8) or (x in (0, 8) and 0 <= y <= 8)
    on_rim = on_rim or ((x - 4) * 5 == (y - 3) * 4 and 4 <= x <= 8) or ((4 - x) * 5 == (y - 3) * 4 and 0 <= x <= 4)
    assert is_inside((x, y), dented) == (any(map(in_triangle, wholes)) and not on_rim)


@pytest.mark.parametrize(
    ("other", "overlaps"),
    [
        (RIGHT, False),
        (RIGHT[::-1], False),
        (CORNER, False),
        (HALF_WAY, False),
        (INSIDE, True),
        (SQUARE, True),
        (SQUARE[::-1], True),
        (WEDGE, True),
        ([(0, 0), (4, 4), (8, 0)], True),
        ([(2, 2), (6, 2), (6, 6), (2, 6)], True),
        ([(0, 0), (4, 4), (0, 8), (-4, 4)], True),
        ([(0, 4), (4, 4), (2, 9)], False),
        ([(-1, -1), (5, -1), (5, 5), (-1, 5)], True),
    ],
)
def test_polygons_overlap_if_they_cover_common_ground(other, overlaps):
    assert overlap(SQUARE, other) is overlaps
    assert overlap(other, SQUARE) is overlaps


def test_a_chord_through_a_polygon_is_an_overlap():
    dented = [(0, 0), (4, 0), (4, 4), (2, 2), (0, 4)]
    assert overlap(dented, [(0, 0), (4, 0), (2, -3)]) is False
    assert overlap(SQUARE, [(0, 0), (4, 4), (9, 9), (9, 0)]) is True
    assert overlap(dented, [(4, 4), (2, 2), (0, 4)]) is False


def test_polygons_are_near_if_their_boxes_meet():
    far = [(x + 5, y) for x, y in SQUARE]
    assert are_near(SQUARE, RIGHT)
    assert are_near(SQUARE, CORNER)
    assert are_near(SQUARE, INSIDE)
    assert not are_near(SQUARE, far)
    assert not are_near([(y, x) for x, y in far], SQUARE)


def test_sides_are_shared_between_the_same_two_points_only():
    assert shared_sides(SQUARE, RIGHT) == shared_sides(SQUARE[::-1], RIGHT) == 1
    assert shared_sides(SQUARE, HALF_WAY) == shared_sides(SQUARE, CORNER) == 0


def test_a_corner_on_a_side_is_a_loose_contact():
    assert list(loose_contacts(HALF_WAY, SQUARE)) == [(4, 2)]
    assert list(loose_contacts(SQUARE, HALF_WAY)) == [(4, 4)]
    assert list(loose_contacts(RIGHT, SQUARE)) == []
