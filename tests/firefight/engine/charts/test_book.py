from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.charts.book import Book, read_book
from firefight.engine.charts.cells import read_whole_number
from firefight.engine.charts.kinds import Bands, Choices, Grid, MapChart, Matrix, Numbers, Problem
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.errors import MissingChart

FATE = ChartSpec("fate", Bands, codes=frozenset({"lives", "dies"}), sides=10)
TABLE = ChartSpec("table", Grid, codes=frozenset({"E", "C", "M"}))
MOODS = ChartSpec("moods", Matrix, codes=frozenset({"calm", "angry"}))
LIMITS = ChartSpec("limits", Numbers, keys=frozenset({"radio", "phone"}))
DRM = ChartSpec("drm", Choices, keys=frozenset({"smoke"}))
BOARD = ChartSpec("board", MapChart)

GOOD = {
    FATE: {"kind": "bands", "sides": 10, "bands": [["1-6", "lives"], ["7-10", "dies"]]},
    TABLE: {"kind": "grid", "grid": "FF 1 10\nE 0 5\nC 10 10\nM 20 40"},
    MOODS: {"kind": "matrix", "grid": "by good bad\n1-2 calm angry\n3+ angry angry"},
    LIMITS: {"kind": "numbers", "values": {"radio": 65, "phone": 75}},
    DRM: {"kind": "choices", "items": [{"key": "smoke", "name": "Smoke", "value": 10}]},
    BOARD: {
        "kind": "map",
        "first_column": "A",
        "last_column": "Y",
        "first_number": 4,
        "last_number": 22,
        "low_columns": "even",
    },
}


def reading(spec, **changes):
    """Read one good chart with some keys changed: the chart, None if unreadable, and the problems."""
    raw = {"title": "A Chart", "rule": "1.1", "provenance": "house", **GOOD[spec], **changes}
    book, problems = read_book({"name": "Book", "charts": {spec.name: raw}}, [spec])
    return book.charts.get(spec.name), problems


def problems_of(spec, **changes):
    return [str(problem) for problem in reading(spec, **changes)[1]]


@pytest.mark.parametrize("spec", GOOD, ids=lambda spec: spec.name)
def test_a_good_chart_reads_without_a_problem_and_keeps_its_head(spec):
    chart, problems = reading(spec)
    assert problems == []
    assert (chart.name, chart.title, chart.rule, chart.provenance) == (spec.name, "A Chart", "1.1", "house")
    assert isinstance(chart, spec.shape)


@pytest.mark.parametrize("spec", GOOD, ids=lambda spec: spec.name)
@pytest.mark.parametrize(
    ("changes", "cell", "message"),
    [
        ({"kind": "nonsense"}, "kind", "should be "),
        ({"kind": None}, "kind", "should be "),
        ({"provenance": "printed"}, "provenance", "should be one of text, house, owner"),
        ({"provenance": ["text"]}, "provenance", "should be one of text, house, owner"),
    ],
)
def test_a_chart_of_another_kind_or_of_unknown_origin_is_left_out_of_the_book(spec, changes, cell, message):
    chart, [problem] = reading(spec, **changes)
    assert chart is None
    assert (problem.chart, problem.cell) == (spec.name, cell)
    assert problem.message.startswith(message)


@pytest.mark.parametrize("provenance", ["text", "house", "owner"])
def test_the_three_origins_are_known(provenance):
    chart, problems = reading(LIMITS, provenance=provenance)
    assert (chart.provenance, problems) == (provenance, [])


def test_a_book_lists_every_problem_of_every_chart_and_keeps_the_charts_it_could_read():
    head = {"provenance": "house"}
    tables = {
        "fate": {**GOOD[FATE], **head, "bands": [["1-4", "lives"], ["6-10", "vanishes"]]},
        "limits": {**GOOD[LIMITS], **head, "values": {"radio": "soon"}},
        "table": {**GOOD[TABLE], **head},
        "weather": {},
    }
    book, problems = read_book({"charts": tables}, [FATE, LIMITS, TABLE, MOODS])
    assert sorted(book.charts) == ["fate", "table"]
    assert [str(problem) for problem in problems] == [
        "weather: is not a chart of this game",
        "fate [6-10]: leaves a gap after 1-4",
        "fate [6-10]: “vanishes” is not a result of this chart",
        "limits [radio]: “soon” is not a whole number",
        "moods: is missing",
    ]


@pytest.mark.parametrize("tables", [None, 3, "charts", ["fate"], [["fate", {}]]])
def test_a_book_without_a_table_of_charts_lacks_them_all(tables):
    book, problems = read_book({"charts": tables}, [FATE, LIMITS])
    assert book.charts == {}
    assert problems == [Problem("fate", "", "is missing"), Problem("limits", "", "is missing")]


@pytest.mark.parametrize("raw", [None, 3, "bands", [["1-10", "lives"]]])
def test_a_chart_that_is_no_table_is_left_out_of_the_book(raw):
    book, problems = read_book({"charts": {"fate": raw}}, [FATE])
    assert (book.charts, problems) == ({}, [Problem("fate", "", "should be a table")])


def test_a_book_asked_for_a_chart_it_lacks_says_which():
    with pytest.raises(MissingChart) as caught:
        Book("Book", {})["accuracy"]
    assert (caught.value.chart, caught.value.cell) == ("accuracy", "")


def test_long_names_are_cut_to_what_a_page_can_show():
    raw = {**GOOD[DRM], "provenance": "owner", "title": "T" * 200, "rule": "1" * 200}
    raw["items"] = [{"key": "smoke", "name": "S" * 200, "value": 1}]
    book, problems = read_book({"name": "B" * 200, "charts": {"drm": raw}}, [DRM])
    assert problems == []
    chart = book["drm"]
    assert (book.name, chart.title, chart.rule) == ("B" * 80, "T" * 80, "1" * 80)
    assert chart.get("smoke").name == "S" * 60


# Bands: ranges of a die.


@pytest.mark.parametrize(
    ("bands", "expected"),
    [
        ([["1-4", "lives"], ["6-10", "dies"]], ["fate [6-10]: leaves a gap after 1-4"]),
        ([["1-6", "lives"], ["6-10", "dies"]], ["fate [6-10]: overlaps 1-6"]),
        ([["1-10", "lives"], ["3", "dies"], ["4-10", "dies"]], ["fate [3]: overlaps 1-10"]),
        ([["2-6", "lives"], ["7-10", "dies"]], ["fate [2-6]: the first band should begin at 1"]),
        ([["0-6", "lives"], ["7-10", "dies"]], ["fate [0-6]: the first band should begin at 1"]),
        ([["1-6", "lives"], ["7-9", "dies"]], ["fate [7-9]: the last band should end at 10"]),
        ([["1-6", "lives"], ["7-11", "dies"]], ["fate [7-11]: the last band should end at 10"]),
        ([["1-6", "lives"], ["7-10", "flies"]], ["fate [7-10]: “flies” is not a result of this chart"]),
        ([["7-10", "dies"], ["1-6", "lives"]], None),
        ([], ["fate [bands]: no band covers 1 to 10"]),
        ([["6-1", "lives"], ["7-10", "dies"]], ["fate [6-1]: runs backwards"]),
        ([["one", "lives"]], ["fate [one]: faces should look like 8 or 1-7"]),
        ([["-1", "lives"]], ["fate [-1]: faces should look like 8 or 1-7"]),
        ([["1-6", "lives", "x"]], ["fate [bands]: every band is a pair: faces, meaning"]),
        (["1-6"], ["fate [bands]: every band is a pair: faces, meaning"]),
        (["12"], ["fate [bands]: every band is a pair: faces, meaning"]),
        ([7], ["fate [bands]: every band is a pair: faces, meaning"]),
        ([{"1-6": "lives"}], ["fate [bands]: every band is a pair: faces, meaning"]),
        ("1-6", ["fate [bands]: should be a list of pairs such as ['1-7', 'redeploys']"]),
        (7, ["fate [bands]: should be a list of pairs such as ['1-7', 'redeploys']"]),
    ],
)
def test_bands_that_do_not_cover_each_face_once_with_a_known_word_are_named(bands, expected):
    problems = problems_of(FATE, bands=bands)
    assert problems
    assert expected is None or problems == expected


@pytest.mark.parametrize("sides", [6, 20, 100])
def test_bands_for_a_die_that_the_game_does_not_roll_there_are_a_problem(sides):
    bands = [["1-3", "lives"], [f"4-{sides}", "dies"]]
    assert problems_of(FATE, sides=sides, bands=bands) == ["fate [sides]: should be 10"]


@pytest.mark.parametrize("sides", [None, "ten", 10.0, [], True])
def test_sides_that_are_no_number_make_the_chart_unreadable(sides):
    chart, [problem] = reading(FATE, sides=sides)
    assert chart is None
    assert (problem.cell, "is not a whole number" in problem.message) == ("sides", True)


@st.composite
def partitions(draw):
    """Cuts of 1 to 10 into bands, each with a word."""
    cuts = sorted(draw(st.sets(st.integers(1, 9))))
    edges = list(pairwise([0, *cuts, 10]))
    words = draw(st.lists(st.sampled_from(["lives", "dies"]), min_size=len(edges), max_size=len(edges)))
    return [(low + 1, high, word) for (low, high), word in zip(edges, words, strict=True)]


def written(bands):
    return [[f"{low}-{high}" if low != high else f"{low}", word] for low, high, word in bands]


@given(partitions())
def test_any_full_partition_reads_and_every_face_finds_its_word(bands):
    chart, problems = reading(FATE, bands=written(bands))
    assert problems == []
    for low, high, word in bands:
        assert {chart.look_up(face) for face in range(low, high + 1)} == {word}


@given(partitions(), st.data())
def test_a_partition_with_one_band_taken_out_or_shifted_is_noticed(bands, data):
    place = data.draw(st.integers(0, len(bands) - 1))
    without = bands[:place] + bands[place + 1 :]
    assert problems_of(FATE, bands=written(without))
    low, high, word = bands[place]
    shifted = bands[:place] + [(low + 1, high + 1, word)] + bands[place + 1 :]
    assert problems_of(FATE, bands=written(shifted))


@pytest.mark.parametrize(("total", "word"), [(-30, "lives"), (0, "lives"), (1, "lives"), (10, "dies"), (47, "dies")])
def test_totals_off_the_die_read_the_nearest_face(total, word):
    assert reading(FATE)[0].look_up(total) == word


@pytest.mark.parametrize("blank", ["", "?", ".", " "])
def test_a_blank_band_loads_and_a_roll_that_needs_it_names_chart_and_band(blank):
    chart, problems = reading(FATE, bands=[["1-6", "lives"], ["7-10", blank]])
    assert problems == []
    assert chart.look_up(6) == "lives"
    with pytest.raises(MissingChart) as caught:
        chart.look_up(7)
    assert (caught.value.chart, caught.value.cell) == ("A Chart", "7-10")


def test_00_is_the_hundred_of_a_percentile_band():
    spec = ChartSpec("fate", Bands, codes=frozenset({"lives", "dies"}), sides=100)
    raw = {"kind": "bands", "provenance": "house", "sides": 100, "bands": [["1-99", "lives"], ["00", "dies"]]}
    book, problems = read_book({"charts": {"fate": raw}}, [spec])
    assert problems == []
    assert (book["fate"].look_up(99), book["fate"].look_up(100)) == ("lives", "dies")


# Grids: the highest total that still scores a row.


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        (
            "FF 1 10\nE 0 5\nC 10 4\nM 20 40",
            ["table [C, 10]: is milder than column 1", "table [C, 10]: is lower than E"],
        ),
        ("FF 1 10\nE 0 5\nC 10 10\nM 9 40", ["table [M, 1]: is lower than C above it"]),
        ("FF 1 10\nE 6 5\nC 10 10\nM 20 40", ["table [E, 10]: is milder than column 1"]),
        ("FF 1 10\nE 0 5\nC 10 10\nM 20 101", ["table [M, 10]: should lie between 0 and 100"]),
        ("FF 1 10\nE -1 5\nC 10 10\nM 20 40", ["table [E, 1]: should lie between 0 and 100"]),
        ("FF 1 10\nE 0 5\nX 10 10\nM 20 40", ["table [X]: is not a result of this chart"]),
        ("FF 1 10\nE 0 5\nC 10\nM 20 40", ["table [C]: has 1 cells for 2 columns"]),
        ("FF 1 10\nE 0 5\nC 10 10 10\nM 20 40", ["table [C]: has 3 cells for 2 columns"]),
        ("FF 1 10\nE 0 5\nE 10 10", ["table [grid]: names a row or a column twice"]),
        ("FF 1 1\nE 0 5\nC 10 10", ["table [grid]: names a row or a column twice"]),
        ("FF 1 10\nE 0 five", ["table [E, 10]: “five” is not a whole number"]),
        ("FF 1 10\nE 0 5.5", ["table [E, 10]: “5.5” is not a whole number"]),
        ("FF 1 10", ["table [grid]: needs a heading line and at least one row"]),
        ("", ["table [grid]: needs a heading line and at least one row"]),
        (None, ["table [grid]: needs a heading line and at least one row"]),
        ("\n".join(["FF " + "1 " * 50] * 41), ["table [grid]: needs a heading line and at least one row"]),
    ],
)
def test_a_grid_that_is_torn_or_not_cumulative_is_noticed_cell_by_cell(grid, expected):
    problems = problems_of(TABLE, grid=grid)
    assert len(problems) == len(expected)
    assert all(any(problem.startswith(start) for problem in problems) for start in expected)


def test_an_empty_line_between_rows_does_not_matter():
    chart, problems = reading(TABLE, grid="FF 1 10\n\nE 0 5\n   \nC 10 10\nM 20 40\n")
    assert problems == []
    assert chart.cells == reading(TABLE)[0].cells


@pytest.mark.parametrize("total", range(-5, 106))
@pytest.mark.parametrize("column", ["1", "10"])
def test_a_column_is_read_from_the_top_and_the_first_cell_not_below_the_total_counts(total, column):
    cells = {"1": [("C", 10), ("M", 20)], "10": [("E", 5), ("C", 10), ("M", 40)]}[column]
    face = min(max(total, 1), 100)
    expected = next((row for row, highest in cells if face <= highest), "")
    assert reading(TABLE)[0].look_up(total, column) == expected


def test_a_blank_cell_is_asked_for_only_when_nothing_above_it_settles_the_roll():
    chart, problems = reading(TABLE, grid="FF 1 10\nE 0 5\nC ? 10\nM 20 40")
    assert problems == []
    assert chart.look_up(3, "10") == "E"
    with pytest.raises(MissingChart) as caught:
        chart.look_up(3, "1")
    assert (caught.value.chart, caught.value.cell) == ("A Chart", "C, column 1")


@pytest.mark.parametrize(("row", "column"), [("E", "7"), ("X", "1")])
def test_a_cell_outside_the_grid_is_missing(row, column):
    with pytest.raises(MissingChart, match=f"{row}, column {column}"):
        reading(TABLE)[0].cell(row, column)


def test_a_blank_cell_is_compared_with_no_neighbour():
    assert problems_of(TABLE, grid="FF 1 10 20\nE 5 ? 6\nC ? 10 10\nM 20 40 50") == []


def test_reachable_rows_are_those_that_some_total_really_scores():
    chart = reading(TABLE, grid="FF 1 10\nE 0 5\nC 10 5\nM 10 40")[0]
    assert chart.reachable("1") == ("C",)
    assert chart.reachable("10") == ("E", "M")


@pytest.mark.parametrize(
    ("size", "column"), [(2, "2"), (8, "2"), (9, "9"), (10, "10"), (39, "10"), (40, "40"), (120, "40")]
)
def test_a_size_between_two_columns_uses_the_lower_one(size, column):
    assert reading(TABLE, grid="FF 2 9 10 40\nE 1 2 3 4")[0].floor_column(size) == column


@pytest.mark.parametrize("size", [-5, 0, 1])
def test_a_size_below_the_first_column_is_missing(size):
    with pytest.raises(MissingChart, match=f"column {size}"):
        reading(TABLE, grid="FF 2 9 10 40\nE 1 2 3 4")[0].floor_column(size)


def test_a_cell_of_1_is_scored_by_a_1_and_below_and_a_cell_of_0_by_nothing():
    chart, problems = reading(TABLE, grid="FF 1 10\nE 0 1\nC 1 1\nM 100 100")
    assert problems == []
    assert [chart.look_up(total, "10") for total in (-3, 0, 1, 2, 100, 130)] == ["E", "E", "E", "M", "M", "M"]
    assert [chart.look_up(total, "1") for total in (-3, 0, 1, 2)] == ["C", "C", "C", "M"]
    assert (chart.reachable("1"), chart.reachable("10")) == (("C", "M"), ("E", "M"))


@given(st.lists(st.integers(0, 100), min_size=3, max_size=3), st.lists(st.integers(0, 100), min_size=3, max_size=3))
def test_a_grid_without_problems_is_never_milder_in_a_stronger_column_nor_on_a_lower_roll(left, right):
    text = "FF 1 10\n" + "\n".join(f"{row} {a} {b}" for row, a, b in zip("ECM", left, right, strict=True))
    chart, problems = reading(TABLE, grid=text)
    severity = {"E": 3, "C": 2, "M": 1, "": 0}
    marks = {column: [severity[chart.look_up(total, column)] for total in range(1, 101)] for column in chart.columns}
    falls = all(marks[column] == sorted(marks[column], reverse=True) for column in chart.columns)
    assert falls
    if not problems:
        assert all(a <= b for a, b in zip(marks["1"], marks["10"], strict=True))
    else:
        assert left != sorted(left) or right != sorted(right) or any(a > b for a, b in zip(left, right, strict=True))


# Matrices, numbers, choices, maps.


def test_a_matrix_gives_its_words_and_names_a_blank_or_absent_cell():
    chart, problems = reading(MOODS, grid="by good bad\n1-2 calm ?\n3+ angry angry")
    assert problems == []
    assert chart.cell("1-2", "good") == "calm"
    for row, column in (("1-2", "bad"), ("4+", "good")):
        with pytest.raises(MissingChart) as caught:
            chart.cell(row, column)
        assert (caught.value.chart, caught.value.cell) == ("A Chart", f"{row}, {column}")


def test_an_unknown_word_in_a_matrix_is_named_with_its_cell():
    assert problems_of(MOODS, grid="by good bad\n1-2 calm cross\n3+ angry angry") == [
        "moods [1-2, bad]: “cross” is not a result of this chart"
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"radio": 65}, ["limits [phone]: is missing"]),
        ({}, ["limits [phone]: is missing", "limits [radio]: is missing"]),
        ({"radio": 6.5, "phone": 75}, ["limits [radio]: “6.5” is not a whole number"]),
        ({"radio": True, "phone": 75}, ["limits [radio]: “True” is not a whole number"]),
        ({"radio": [], "phone": 75}, ["limits [radio]: “[]” is not a whole number"]),
        ([65, 75], ["limits [values]: should be a table of names and whole numbers"]),
        (None, ["limits [values]: should be a table of names and whole numbers"]),
    ],
)
def test_numbers_must_be_whole_and_complete(values, expected):
    assert problems_of(LIMITS, values=values) == expected


@pytest.mark.parametrize("blank", ["", "?", ".", "  "])
def test_a_blank_number_loads_and_names_itself_when_it_is_needed(blank):
    chart, problems = reading(LIMITS, values={"radio": blank, "phone": "75"})
    assert problems == []
    assert chart.get("phone") == 75
    for key in ("radio", "telegraph"):
        with pytest.raises(MissingChart) as caught:
            chart.get(key)
        assert (caught.value.chart, caught.value.cell) == ("A Chart", key)


@pytest.mark.parametrize(
    ("value", "number"),
    [(5, 5), (-5, -5), ("5", 5), (" -12 ", -12), (0, 0), ("", None), ("?", None), (100_000, 100_000)],
)
def test_a_whole_number_may_stand_as_a_number_or_as_text(value, number):
    assert read_whole_number(value, "cell") == number


@pytest.mark.parametrize("value", [5.0, "5.0", "+5", "1e3", "²", "٣", None, False, 100_001, "123456", "x", b"5"])
def test_what_is_no_whole_number_is_said_to_be_none(value):
    with pytest.raises(ValueError, match="is not a whole number"):
        read_whole_number(value, "cell")


@pytest.mark.parametrize(("size", "row"), [(50, "50"), (69, "50"), (70, "70"), (79, "70"), (80, "80"), (400, "80")])
def test_a_caliber_rounds_down_to_a_row(size, row):
    chart = reading(LIMITS, values={"50": 10, "70": 17, "80": 20, "radio": 65, "phone": 75})[0]
    assert chart.floor_row(size) == row


@pytest.mark.parametrize("size", [-10, 0, 49])
def test_a_caliber_below_the_first_row_is_missing(size):
    with pytest.raises(MissingChart, match=f"for {size}"):
        reading(LIMITS, values={"50": 10, "radio": 65, "phone": 75})[0].floor_row(size)


def test_only_plain_digits_are_a_row_or_a_column():
    assert reading(LIMITS, values={"²": 3, "٣": 4, "50": 10, "radio": 1, "phone": 1})[0].floor_row(60) == "50"
    assert reading(TABLE, grid="FF all ² 10\nE 1 2 3")[0].floor_column(60) == "10"


def test_choices_keep_the_name_the_value_the_rule_and_the_origin_of_each():
    items = [
        {"key": "smoke", "name": "Smoke", "value": 10, "rule": "17.4.7", "provenance": "text"},
        {"key": "woods", "value": "5"},
    ]
    chart, problems = reading(DRM, items=items)
    assert problems == []
    smoke, woods = chart.get("smoke"), chart.get("woods")
    assert (smoke.name, smoke.value, smoke.rule, smoke.provenance) == ("Smoke", 10, "17.4.7", "text")
    assert (woods.name, woods.value, woods.rule, woods.provenance) == ("woods", 5, "1.1", "house")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], ["drm [smoke]: is missing"]),
        ([{"key": "Smoke!", "value": 1}], ["drm [Smoke!]: every item needs a key of its own"]),
        ([{"value": 1}], ["drm [items]: every item needs a key of its own"]),
        (["smoke"], ["drm [items]: every item needs a key of its own"]),
        ([{"key": "smoke", "value": 1}] * 2, ["drm [smoke]: every item needs a key of its own"]),
        ([{"key": "smoke", "value": "much"}], ["drm [smoke]: “much” is not a whole number"]),
        ([{"key": "smoke", "value": 1, "provenance": "me"}], ["drm [smoke]: provenance should be one of"]),
        (None, ["drm [items]: should be a list"]),
        (7, ["drm [items]: should be a list"]),
        ("smoke", ["drm [items]: should be a list"]),
        ({"smoke": 1}, ["drm [items]: should be a list"]),
    ],
)
def test_choices_that_cannot_be_told_apart_or_read_are_named(items, expected):
    problems = problems_of(DRM, items=items)
    assert len(problems) == len(expected)
    assert all(problem.startswith(start) for problem, start in zip(problems, expected, strict=True))


def test_a_blank_choice_loads_and_is_missing_under_its_name_when_it_is_picked():
    chart, problems = reading(DRM, items=[{"key": "smoke", "name": "Smoke", "value": ""}])
    assert problems == []
    for key, cell in (("smoke", "Smoke"), ("fog", "fog")):
        with pytest.raises(MissingChart) as caught:
            chart.get(key)
        assert caught.value.cell == cell


@pytest.mark.parametrize(
    ("changes", "cell"),
    [
        ({"first_column": "Z"}, "columns"),
        ({"first_column": "a"}, "columns"),
        ({"last_column": "AA"}, "columns"),
        ({"last_column": None}, "columns"),
        ({"first_number": 23}, "numbers"),
        ({"first_number": -1}, "numbers"),
        ({"last_number": 1000}, "numbers"),
        ({"last_number": ""}, "numbers"),
        ({"last_number": "many"}, "last_number"),
        ({"low_columns": "B"}, "low_columns"),
        ({"low_columns": None}, "low_columns"),
        ({"low_columns": ["even"]}, "low_columns"),
    ],
)
def test_a_map_that_cannot_be_laid_out_is_refused(changes, cell):
    chart, [problem] = reading(BOARD, **changes)
    assert (chart, problem.cell) == (None, cell)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"first_column": "K", "last_column": "K"}, ["K4", "K22"]),
        ({"first_number": 0, "last_number": 0}, ["A0", "Y0"]),
        ({"first_number": 999, "last_number": 999}, ["A999"]),
    ],
)
def test_a_map_may_be_one_column_or_one_number_wide(changes, names):
    chart, problems = reading(BOARD, **changes)
    assert problems == []
    assert [str(chart.hexes.parse(name)) for name in names] == names


def test_a_map_chart_knows_its_hexes():
    board = reading(BOARD, low_columns="odd")[0].hexes
    assert (str(board.parse("A4")), str(board.parse("Y22")), board.low_columns) == ("A4", "Y22", "odd")


# Garbage.

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**7), 10**7)
    | st.floats()
    | st.text(alphabet="²٣09-1 .?\nEx", max_size=8)
    | st.text(max_size=8)
)
garbage = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(garbage | st.dictionaries(st.sampled_from([spec.name for spec in GOOD]), garbage))
def test_the_reader_never_raises_on_garbage_charts(tables):
    book, problems = read_book({"name": tables, "charts": tables}, GOOD)
    assert len(problems) >= len(GOOD) - len(book.charts)


@given(st.sampled_from(list(GOOD)), st.data())
def test_the_reader_never_raises_on_a_chart_with_a_good_head_and_a_garbage_body(spec, data):
    key = data.draw(st.sampled_from([key for key in GOOD[spec] if key != "kind"]))
    chart, problems = reading(spec, **{key: data.draw(garbage)})
    assert chart is not None or problems


# Provenance by cell, and what an owner has overruled


def test_a_chart_is_called_by_the_origin_that_claims_least():
    chart, problems = reading(TABLE, provenance="text", owner=["E, 10"], house=["C, 1"])
    assert problems == []
    assert chart.provenance == "house"
    assert chart.origins == dict.fromkeys(chart.named_values(), "text") | {"E, 10": "owner", "C, 1": "house"}
    assert reading(TABLE, provenance="owner")[0].provenance == "owner"
    assert reading(LIMITS, provenance="owner", text=["radio"])[0].provenance == "owner"
    assert reading(LIMITS, provenance="owner", text=["radio", "phone"])[0].provenance == "text"


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": ["E, 11"]},
        {"owner": ["E, 10", "E, 10"]},
        {"owner": ["E, 10"], "text": ["E, 10"]},
        {"owner": "E, 10"},
        {"owner": [["E"]]},
        {"owner": ["x" * 201]},
        {"confirmed": {"E": 1}},
    ],
)
def test_names_of_cells_that_make_no_sense_are_a_problem(changes):
    chart, [problem] = reading(TABLE, **changes)
    assert chart is None and problem.chart == "table"


def test_an_odd_value_is_a_problem_until_its_owner_confirms_that_very_value():
    odd = {"grid": "FF 1 10\nE 6 5\nC 10 10\nM 20 40"}
    assert problems_of(TABLE, **odd) == ["table [E, 10]: is milder than column 1"]
    assert problems_of(TABLE, **odd, confirmed=["E, 10 = 5"]) == []
    assert problems_of(TABLE, **odd, confirmed=["E, 10 = 4"]) == ["table [E, 10]: is milder than column 1"]
    upside_down = {"grid": "FF 1 10\nE 6 7\nC 5 10\nM 20 40"}
    assert problems_of(TABLE, **upside_down, confirmed=["C, 1 = 5"]) == ["table [C, 1]: is lower than E above it"]
