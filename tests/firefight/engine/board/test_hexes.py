from math import hypot, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.board.hexes import DIRECTION_NAMES, DIRECTIONS, BadHex, Hex, HexMap
from firefight.engine.errors import RuleError

PARITIES = ("even", "odd")
EAST = {1: 0, 2: 1, 3: 1, 4: 0, 5: -1, 6: -1}
SOUTH = {1: -1, 2: -0.5, 3: 0.5, 4: 1, 5: 0.5, 6: -0.5}

maps = st.sampled_from([HexMap(low_columns=parity) for parity in PARITIES])
places = st.builds(Hex, st.integers(-30, 30), st.integers(-40, 40))


def centre(board, place):
    """Where the hex lies on paper: neighbouring centres are exactly 1 apart, y grows southward."""
    low = place.column % 2 == (1 if board.low_columns == "even" else 0)
    return place.column * sqrt(3) / 2, place.number + (0.5 if low else 0)


def touching(board, a, b):
    (xa, ya), (xb, yb) = centre(board, a), centre(board, b)
    return isclose(hypot(xa - xb, ya - yb), 1)


def neighbours(board, place):
    around = [Hex(place.column + c, place.number + n) for c in (-1, 0, 1) for n in (-2, -1, 0, 1, 2)]
    return [other for other in around if touching(board, place, other)]


def walked(board, start, far):
    """Distances by walking from hex to touching hex."""
    distances, edge = {start: 0}, [start]
    for steps in range(1, far + 1):
        edge = [hex_ for place in edge for hex_ in neighbours(board, place) if hex_ not in distances]
        distances |= dict.fromkeys(edge, steps)
    return distances


@pytest.mark.parametrize("parity", PARITIES)
@pytest.mark.parametrize("start", [Hex(10, 7), Hex(11, 7)])
def test_distance_is_the_number_of_hexes_walked(parity, start):
    board = HexMap(low_columns=parity)
    reached = walked(board, start, 9)
    assert len(reached) == 1 + 3 * 9 * 10
    assert {place: board.distance(start, place) for place in reached} == reached


@pytest.mark.parametrize("parity", PARITIES)
@pytest.mark.parametrize("start", [Hex(10, 7), Hex(11, 7)])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_step_goes_where_the_compass_says(parity, start, direction):
    board = HexMap(low_columns=parity)
    x, y = centre(board, start)
    to_x, to_y = centre(board, board.step(start, direction))
    assert (to_x - x) / (sqrt(3) / 2) == pytest.approx(EAST[direction])
    assert to_y - y == pytest.approx(SOUTH[direction])


def test_directions_run_clockwise_from_north():
    assert DIRECTION_NAMES == {
        1: "north",
        2: "north-east",
        3: "south-east",
        4: "south",
        5: "south-west",
        6: "north-west",
    }


def test_numbers_grow_southward_and_letters_eastward():
    board = HexMap()
    assert str(board.step(Hex(10, 7), 1)) == "K6"
    assert str(board.step(Hex(10, 7), 4)) == "K8"
    # K is high and L low: L7 lies south-east of K7, L6 north-east.
    assert [str(board.step(Hex(10, 7), way)) for way in (2, 3, 5, 6)] == ["L6", "L7", "J7", "J6"]
    other = HexMap(low_columns="odd")
    assert [str(other.step(Hex(10, 7), way)) for way in (2, 3, 5, 6)] == ["L7", "L8", "J8", "J7"]


@given(maps, places, places, places)
def test_distance_is_a_metric(board, a, b, c):
    assert board.distance(a, b) == board.distance(b, a)
    assert (board.distance(a, b) == 0) == (a == b)
    assert board.distance(a, c) <= board.distance(a, b) + board.distance(b, c)


@given(maps, places, st.sampled_from(list(DIRECTIONS)), st.integers(0, 30))
def test_steps_in_one_direction_are_that_far_away_and_lead_back(board, start, direction, hexes):
    end = board.step(start, direction, hexes)
    assert board.distance(start, end) == hexes
    opposite = (direction + 2) % 6 + 1
    assert board.step(end, opposite, hexes) == start


@given(maps, places, st.sampled_from(list(DIRECTIONS)), st.integers(0, 12))
def test_a_line_is_one_step_after_the_other_without_the_start(board, start, direction, hexes):
    passed, place = [], start
    for _ in range(hexes):
        place = board.step(place, direction)
        passed.append(place)
    assert board.line(start, direction, hexes) == tuple(passed)
    assert start not in passed


@given(maps, places, st.integers(0, 5))
def test_within_is_every_hex_at_most_so_far_centre_first_and_nearer_before_farther(board, middle, radius):
    area = board.within(middle, radius)
    distances = [board.distance(middle, place) for place in area]
    assert area[0] == middle
    assert len(area) == len(set(area)) == 1 + 3 * radius * (radius + 1)
    assert distances == sorted(distances)
    assert distances[-1] == radius
    nearby = [Hex(middle.column + c, middle.number + n) for c in range(-7, 8) for n in range(-10, 11)]
    assert set(area) == {place for place in nearby if board.distance(middle, place) <= radius}


@pytest.mark.parametrize("parity", PARITIES)
@pytest.mark.parametrize(("radius", "hexes"), [(0, 1), (1, 7), (2, 19), (3, 37)])
def test_an_ffe_covers_7_hexes_and_a_bombardment_37(parity, radius, hexes):
    assert len(HexMap(low_columns=parity).within(Hex(10, 7), radius)) == hexes


@given(places, st.integers(-12, 12), st.integers(-40, 40))
def test_distances_between_columns_an_even_number_apart_do_not_depend_on_the_parity(a, pairs, number):
    b = Hex(a.column + 2 * pairs, number)
    assert HexMap(low_columns="even").distance(a, b) == HexMap(low_columns="odd").distance(a, b)


def test_distances_between_columns_an_odd_number_apart_do_depend_on_it():
    a, b = Hex(10, 7), Hex(11, 8)
    assert HexMap(low_columns="even").distance(a, b) == 2
    assert HexMap(low_columns="odd").distance(a, b) == 1


BOARD = HexMap("A", "Y", 4, 22)


def test_every_hex_of_the_map_is_read_back_from_its_name():
    names = [f"{letter}{number}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY" for number in range(4, 23)]
    assert [str(BOARD.parse(name)) for name in names] == names
    assert all(BOARD.parse(name) in BOARD for name in names)


@pytest.mark.parametrize("text", ["k7", " K7 ", "K07", "k007"])
def test_a_hex_may_be_typed_loosely(text):
    assert str(BOARD.parse(text)) == "K7"


@pytest.mark.parametrize(
    "text", ["", "K", "7", "K3", "K23", "Z7", "K-7", "KK7", "K7.5", "Ж7", "K²", "K٧", "7K", "K0007"]
)
def test_what_the_map_does_not_have_is_refused_with_its_bounds(text):
    with pytest.raises(BadHex, match=r"columns A to Y, numbers 4 to 22, for instance A4\.") as caught:
        BOARD.parse(text)
    assert isinstance(caught.value, RuleError)


def test_a_long_wrong_name_is_cut_in_the_message():
    with pytest.raises(BadHex, match="^“KKKKKKKKKKKK” is not a hex"):
        BOARD.parse("K" * 500)


@pytest.mark.parametrize(("column", "number"), [(-1, 7), (25, 7), (26, 7), (10, 3), (10, 23)])
def test_a_hex_beside_the_map_is_not_in_it(column, number):
    assert Hex(column, number) not in BOARD


@given(st.text(max_size=8))
def test_any_text_is_a_hex_of_the_map_or_is_refused(text):
    try:
        place = BOARD.parse(text)
    except BadHex:
        return
    assert place in BOARD
    assert BOARD.parse(str(place)) == place


@pytest.mark.parametrize(
    ("goal", "crossed"),
    [
        ("K10", {"K7", "K8", "K9", "K10"}),
        ("L8", {"K7", "L7", "L8", "K8"}),  # along the side of two hexes: both are beside the line
        ("M7", {"K7", "L6", "L7", "M7"}),
        ("N8", {"K7", "L7", "M8", "N8"}),
        ("G10", {"K7", "J7", "I8", "I9", "H9", "G10"}),  # it touches a corner of J8 and of H8, which is not crossing
        ("K7", {"K7"}),
    ],
)
def test_a_straight_line_crosses_hexes_and_runs_along_their_sides(goal, crossed):
    start, end = BOARD.parse("K7"), BOARD.parse(goal)
    everywhere = BOARD.within(start, 6)
    assert {str(place) for place in everywhere if BOARD.crosses(start, end, place)} == crossed


@given(places, places, places)
def test_a_line_crosses_the_same_hexes_both_ways_and_never_one_further_off_than_its_ends(a, b, place):
    board = HexMap()
    assert board.crosses(a, b, place) == board.crosses(b, a, place)
    assert board.crosses(a, b, a) and board.crosses(a, b, b)
    if board.crosses(a, b, place):
        assert board.distance(a, place) + board.distance(place, b) <= board.distance(a, b) + 1
