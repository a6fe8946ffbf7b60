import re

import pytest

from campaign.rules.evidence import EAST, SECTORS
from campaign.rules.maps import read_map
from firefight.drawing.layout.polygons import doubled_area, shared_sides
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN, cut, join, map_problems, plain

# The synthetic graph, typed once more.
EDGES = (
    "1-2 1-6 2-3 2-6 3-4 3-8 4-5 4-8 4-9 4-12 5-6 5-11 5-12 6-7 6-11 7-11 7-14 7-16 8-9 9-12 9-17 10-16 10-18 "
    "11-12 11-13 11-14 12-13 13-14 13-15 14-16 14-19 14-20 15-17 15-20 15-21 16-18 16-19 17-21 17-22 18-19 19-20 "
    "20-21 21-22"
)
PAIRS = {tuple(map(int, edge.split("-"))) for edge in EDGES.split()}


def test_the_house_map_has_no_problem():
    assert map_problems(plain("map")) == []


def test_the_house_map_has_exactly_the_borders_of_the_synthetic_graph():
    neighbours = CONTENT.sector_map.neighbours
    assert set(neighbours) == SECTORS
    assert {(one, other) for one, others in neighbours.items() for other in others if one < other} == PAIRS
    assert len(PAIRS) == 43


def test_the_house_map_says_whose_values_it_holds():
    sector_map = CONTENT.sector_map
    assert sector_map.edges == {GERMAN: (1, 2, 3, 6), RUSSIAN: tuple(sorted(EAST))}
    assert sector_map.origins == {"adjacency": "house", "drawing": "house", "german": "house", "russian": "text"}


def test_the_drawing_shares_sides_exactly_where_sectors_border():
    cells = CONTENT.sector_map.drawing.cells
    touching = {(a, b) for a in cells for b in cells if a < b and shared_sides(cells[a], cells[b])}
    assert touching == PAIRS


def test_no_two_cells_of_the_drawing_meet_in_a_corner_alone():
    cells = CONTENT.sector_map.drawing.cells
    meeting = {(a, b) for a in cells for b in cells if a < b and set(cells[a]) & set(cells[b])}
    assert meeting == PAIRS


def test_no_cell_is_too_small_to_be_tapped_or_read():
    drawing = CONTENT.sector_map.drawing
    areas = [abs(doubled_area(cell)) / 2 for cell in drawing.cells.values()]
    assert min(areas) > 0.6 * drawing.width * drawing.height / 22
    assert sum(areas) > 0.97 * drawing.width * drawing.height


def neighbours_of(data):
    return data["adjacency"]["neighbours"]


def with_asymmetry(data):
    neighbours_of(data)["1"].remove(2)


def with_unknown_neighbour(data):
    neighbours_of(data)["1"].append(23)


def with_own_neighbour(data):
    neighbours_of(data)["1"].append(1)


def with_double_neighbour(data):
    neighbours_of(data)["1"].append(2)


def with_word_for_a_sector(data):
    neighbours_of(data)["1"].append("two")


def with_lonely_sector(data):
    cut(data, 10, 16)
    cut(data, 10, 18)


def with_odd_sector_name(data):
    neighbours_of(data)["²"] = [1]


def with_missing_sector(data):
    del neighbours_of(data)["22"]


def with_unknown_edge_sector(data):
    data["edges"]["german"]["sectors"].append(30)


def with_third_edge(data):
    data["edges"]["north"] = {"provenance": "house", "sectors": [1]}


def with_border_not_drawn(data):
    join(data, 8, 17)


def with_drawn_border_missing(data):
    cut(data, 8, 9)


def with_unlisted_edge_sector(data):
    data["edges"]["german"]["sectors"].remove(3)


def with_inland_edge_sector(data):
    data["edges"]["german"]["sectors"].append(5)


def with_overlap(data):
    data["drawing"]["cells"]["8"] = data["drawing"]["cells"]["9"]


def with_label_outside(data):
    data["drawing"]["labels"]["8"] = [1, 1]


def with_missing_cell(data):
    del data["drawing"]["cells"]["8"]


def with_missing_label(data):
    del data["drawing"]["labels"]["8"]


def with_unknown_point(data):
    data["drawing"]["cells"]["8"][0] = "nowhere"


def with_crossed_outline(data):
    cell = data["drawing"]["cells"]["4"]
    cell[0], cell[1] = cell[1], cell[0]


def with_two_corners(data):
    data["drawing"]["cells"]["4"] = data["drawing"]["cells"]["4"][:2]


def with_twin_points(data):
    data["drawing"]["points"]["p02"] = data["drawing"]["points"]["p01"]


def with_point_outside(data):
    data["drawing"]["points"]["p02"] = [-1, 9999]


def with_point_of_three(data):
    data["drawing"]["points"]["p02"] = [1, 2, 3]


def with_loose_corner(data):
    data["drawing"]["points"]["pxx"] = [0, 20]
    data["drawing"]["points"]["pyy"] = [20, 20]
    data["drawing"]["points"]["pzz"] = [0, 30]
    data["drawing"]["cells"]["8"] = ["pxx", "pyy", "pzz"]


def with_other_game(data):
    data["game"] = "chess"


def with_bad_provenance(data):
    data["adjacency"]["provenance"] = "printed"


def with_stray_name(data):
    data["drawing"]["colour"] = "red"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (with_asymmetry, r"sector 2\]: names 1 as a neighbour, but 1 does not name 2"),
        (with_unknown_neighbour, r"sector 1\]: names an unknown sector: 23"),
        (with_own_neighbour, r"sector 1\]: cannot be its own neighbour"),
        (with_double_neighbour, r"sector 1\]: names sector 2 twice"),
        (with_word_for_a_sector, r"sector 1\]: names an unknown sector: two"),
        (with_lonely_sector, r"sector 10\]: has no neighbour"),
        (with_odd_sector_name, r"neighbours.²\]: is not known here"),
        (with_missing_sector, r"the map has the sectors 1 to 22"),
        (with_unknown_edge_sector, r"edges.german\]: names an unknown sector: 30"),
        (with_third_edge, r"edges.north\]: is not known here"),
        (with_border_not_drawn, r"sectors 8 and 17\]: are neighbours, but share no side"),
        (with_drawn_border_missing, r"sectors 8 and 9\]: share a side, but are not neighbours"),
        (with_unlisted_edge_sector, r"sector 3\]: touches the west border, but is not listed there"),
        (with_inland_edge_sector, r"sector 5\]: does not touch the west border, but is listed there"),
        (with_overlap, r"sectors 8 and 9\]: overlap"),
        (with_label_outside, r"labels, sector 8\]: lies outside its cell"),
        (with_missing_cell, r"cells, sector 8\]: is missing"),
        (with_missing_label, r"labels, sector 8\]: is missing"),
        (with_unknown_point, r"cells, sector 8\]: names an unknown point: nowhere"),
        (with_crossed_outline, r"cells, sector 4\]: the outline .* must not cut or touch itself"),
        (with_two_corners, r"cells, sector 4\]: the outline needs three corners"),
        (with_twin_points, r"point p02\]: lies where another point lies"),
        (with_point_outside, r"point p02\]: should lie between 0 and 432"),
        (with_point_of_three, r"point p02\]: a point is a pair"),
        (with_loose_corner, r"sectors 6 and 8\]: overlap"),
        (with_other_game, r"game\]: should be combat-stalingrad"),
        (with_bad_provenance, r"adjacency.provenance\]: should be one of text, house, owner"),
        (with_stray_name, r"drawing.colour\]: is not known here"),
    ],
)
def test_a_spoilt_map_is_told_what_is_wrong(spoil, message):
    data = plain("map")
    spoil(data)
    problems = map_problems(data)
    assert any(re.search(message, problem) for problem in problems), problems


def test_a_corner_on_a_side_is_told():
    data = plain("map")
    drawing = data["drawing"]
    ends = [name for name in drawing["cells"]["8"] if drawing["points"][name][1] == drawing["height"]]
    middle = sum(drawing["points"][name][0] for name in ends) // 2
    drawing["height"] = 500
    drawing["points"] |= {"below": [middle, 432], "left": [middle - 5, 480], "right": [middle + 5, 480]}
    drawing["cells"]["17"] = ["below", "right", "left"]
    assert any("sectors 8 and 17]: a corner of one lies on a side" in problem for problem in map_problems(data))


def test_all_problems_are_told_at_once():
    data = plain("map")
    with_asymmetry(data)
    with_label_outside(data)
    with_unknown_edge_sector(data)
    data["edges"]["russian"]["sectors"].remove(10)
    problems = " | ".join(map_problems(data))
    for part in ("names 1 as a neighbour", "labels, sector 8", "unknown sector: 30", "G-1", "touches the east border"):
        assert part in problems


@pytest.mark.parametrize("garbage", [None, 7, "map", [], {}, {"adjacency": {"neighbours": {"1": [[]]}}}])
def test_garbage_is_no_map_and_no_crash(garbage):
    sector_map, problems = read_map(garbage)
    assert sector_map is None
    assert len(problems) > 2
