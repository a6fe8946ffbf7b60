"""Charts of other games: words by two totals, tables of 2d6, bands that begin anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.charts.book import read_book
from firefight.engine.charts.cells import Totals, read_totals
from firefight.engine.charts.checks import check_sheet, fixed_values
from firefight.engine.charts.heat import strips_of
from firefight.engine.charts.kinds import Bands, Grid, Lookup
from firefight.engine.charts.layouts import LAYOUTS, sheet_of
from firefight.engine.charts.notation import read_faces, totals_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import parse_block, put_texts
from firefight.engine.errors import MissingChart

CODES = ("DE", "D2", "D1P", "P", "-")
CRT = ChartSpec("crt", Lookup, codes=frozenset(CODES), ranks=CODES)
CRT_TEXT = """
dr     1-4  5-6  7-9  10+
≤-4      -    -    -    P
-3..-1   -    -    P  D1P
0-4      -    P  D1P   D2
5        P  D1P   D2   DE
6+     D1P   D2   DE    ?
"""
SHIFT = ChartSpec("shift", Bands, codes=frozenset({"up", "down"}), sides=4, lowest=-3)
WEATHER = ChartSpec("weather", Bands, codes=frozenset({"fair", "storm"}), sides=12, lowest=2)
MELEE = ChartSpec("melee", Grid, codes=frozenset({"DE", "P"}), sides=12, lowest=2)
RAW = {
    CRT: {"kind": "lookup", "grid": CRT_TEXT},
    SHIFT: {"kind": "bands", "sides": 4, "lowest": -3, "bands": [["-3..-1", "down"], ["0", "up"], ["1-4", "up"]]},
    WEATHER: {"kind": "bands", "sides": 12, "lowest": 2, "bands": [["2-3", "storm"], ["4-12", "fair"]]},
    MELEE: {"kind": "grid", "sides": 12, "lowest": 2, "grid": "by 1-1 2-1\nDE 1 3\nP 5 8"},
}


def read(spec, **changes):
    raw = {"title": "A chart", "rule": "1.1", "provenance": "text", **RAW[spec], **changes}
    book, problems = read_book({"name": "Book", "charts": {spec.name: raw}}, [spec])
    return book.charts.get(spec.name), [str(problem) for problem in problems]


def checked(spec, sheet=None):
    chart, problems = read(spec)
    assert problems == []
    return check_sheet(sheet or sheet_of(chart), spec, chart.title, chart.rule, (), fixed_values(chart))


@pytest.mark.parametrize("spec", RAW, ids=lambda spec: spec.name)
def test_a_good_chart_goes_to_a_sheet_and_back_as_it_was(spec):
    chart, problems = read(spec)
    assert problems == [] and chart.provenance == "text"
    outcome = checked(spec)
    assert not outcome.flaws
    book, problems = read_book({"name": "", "charts": {spec.name: outcome.raw}}, [spec])
    assert problems == []
    again = book[spec.name]
    assert again.named_values() == chart.named_values()
    filled = [cell for cell, value in chart.named_values().items() if value is not None]
    assert all(again.origins[cell] == chart.origins[cell] == "text" for cell in filled)
    assert sheet_of(again).rows == sheet_of(chart).rows
    assert set(outcome.raw) <= {"title", "rule", "kind", "provenance", "confirmed", *LAYOUTS[spec.shape].keys}


# Words by two totals


def test_a_lookup_is_asked_by_two_totals_and_clamps_at_both_ends():
    chart, _ = read(CRT)
    assert chart.look_up(-9, 7) == "-" and chart.look_up(-4, 10) == "P"
    assert chart.look_up(-1, 9) == "P" and chart.look_up(0, 9) == "D1P"
    assert chart.look_up(5, -7) == "P" and chart.look_up(40, 4) == "D1P"
    assert (chart.row_of(-99), chart.row_of(3), chart.row_of(99)) == ("≤-4", "0-4", "6+")
    assert (chart.column_of(-99), chart.column_of(6), chart.column_of(99)) == ("1-4", "5-6", "10+")
    with pytest.raises(MissingChart, match=r"cell 6\+, 10\+ of the chart “A chart”"):
        chart.look_up(6, 12)


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_every_total_is_in_the_band_that_holds_it_or_beyond_an_end(row, column):
    chart, _ = read(CRT)
    for name, names, total in ((chart.row_of(row), chart.rows, row), (chart.column_of(column), chart.columns, column)):
        if not read_totals(name).holds(total):
            assert name in (names[0], names[-1])
            assert not any(read_totals(other_name).holds(total) for other_name in names)


@pytest.mark.parametrize(
    ("grid", "problem"),
    [
        ("dr 1-4 6-9\n1 - -", "crt [column 6-9]: leaves a gap after 1-4"),
        ("dr 1-4 4-9\n1 - -", "crt [column 4-9]: overlaps 1-4, or does not follow it upwards"),
        ("dr 5-6 1-4\n1 - -", "crt [column 1-4]: overlaps 5-6, or does not follow it upwards"),
        (
            "dr 1+ 2-9\n1 - -",
            "crt [column 2-9]: only the last column has no upper end, and only the first no lower one",
        ),
        ("dr 1-4\n1 -\n≤2 P", "crt [row ≤2]: only the last row has no upper end, and only the first no lower one"),
        ("dr 1-4\n1 -\n3+ P", "crt [row 3+]: leaves a gap after 1"),
        ("dr heavy\n1 -", "crt [column heavy]: “heavy” should be a band of totals such as ≤-4, 4-5 or 10+"),
        ("dr 4-1\n1 -", "crt [column 4-1]: 4-1 runs backwards"),
        ("dr 1-4\n1 D9", "crt [1, 1-4]: “D9” is not a result of this chart"),
        ("dr 1-4\n1 - -", "crt [1]: has 2 cells for 1 columns"),
    ],
)
def test_what_is_wrong_with_a_lookup_is_said_with_its_place(grid, problem):
    assert read(CRT, grid=grid)[1] == [problem]


def test_a_flaw_of_a_row_is_marked_at_the_row_even_if_a_column_has_the_same_name():
    chart, _ = read(CRT, grid="dr 1 2\n1 - -\n2 P P")
    sheet = put_texts(sheet_of(chart), {(2, 0): "3"})
    outcome = check_sheet(sheet, CRT, "A chart", "1.1", (), {})
    assert [(flaw.place, flaw.message) for flaw in outcome.flaws] == [((2, 0), "leaves a gap after 1")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("≤-4", "≤-4"),
        ("<= −4", "≤-4"),
        ("up to 3", "≤3"),
        ("-4 or less", "≤-4"),
        ("10+", "10+"),
        ("≥ 10", "10+"),
        ("10 or more", "10+"),
        ("4–5", "4-5"),
        ("-3 to -1", "-3..-1"),
        ("−3–−1", "-3..-1"),
        ("-2", "-2"),
        ("7-7", "7"),
    ],
)
def test_bands_of_totals_are_read_as_tables_print_them(text, name):
    assert totals_of(text) == name
    assert str(read_totals(name)) == name


@given(st.none() | st.integers(-99, 99), st.none() | st.integers(0, 99))
def test_every_band_reads_back_as_it_is_written(low, width):
    span = Totals(None, width or 0) if low is None else Totals(low, None if width is None else low + width)
    assert read_totals(str(span)) == span == read_totals(totals_of(str(span)))


def test_a_pasted_card_takes_the_place_of_a_lookup():
    text = "\t1–4\t5 to 6\t7 or more\n−1 or less\t–\tp\td1p\n0\tP\tD1P\td2\n1+\tD1P\tD2\tDE\n"
    chart, _ = read(CRT)
    layout = LAYOUTS[Lookup]
    outcome = check_sheet(layout.paste(sheet_of(chart), CRT, parse_block(text), None), CRT, "A chart", "1.1", (), {})
    assert not outcome.flaws
    assert outcome.chart.look_up(-5, 1) == "-" and outcome.chart.look_up(0, 9) == "D2"
    assert set(outcome.chart.origins.values()) == {"owner"}


def test_the_heat_of_a_lookup_has_a_strip_for_each_column_ranked_as_the_game_ranks_it():
    chart, _ = read(CRT)
    strips = strips_of(chart, CRT.ranks)
    assert [(strip.name, strip.lowest, strip.sides) for strip in strips] == [
        (name, -4, 6) for name in ("1-4", "5-6", "7-9", "10+")
    ]
    levels = {stretch.label: stretch.level for strip in strips for stretch in strip.stretches}
    assert levels["DE"] == 0 and levels["-"] == 8
    assert sorted(levels, key=levels.get) == list(CODES)
    assert len(strips[-1].stretches) == 4  # the blank cell leaves a hole


# Bands and grids of other throws


def test_bands_may_begin_anywhere():
    shift, _ = read(SHIFT)
    assert [shift.look_up(total) for total in (-9, -3, -1, 0, 4, 9)] == ["down", "down", "down", "up", "up", "up"]
    weather, _ = read(WEATHER)
    assert [weather.look_up(total) for total in (1, 2, 3, 4, 12, 15)] == ["storm"] * 3 + ["fair"] * 3


@pytest.mark.parametrize(
    ("spec", "changes", "problem"),
    [
        (WEATHER, {"bands": [["1-3", "storm"], ["4-12", "fair"]]}, "weather [1-3]: the first band should begin at 2"),
        (WEATHER, {"lowest": 1}, "weather [lowest]: should be 2"),
        (WEATHER, {"lowest": "two"}, "weather [lowest]: “two” is not a whole number"),
        (WEATHER, {"bands": []}, "weather [bands]: no band covers 2 to 12"),
        (SHIFT, {"bands": [["-3..-1", "down"], ["1-4", "up"]]}, "shift [1-4]: leaves a gap after -3..-1"),
        (MELEE, {"sides": 100}, "melee [sides]: should be 12"),
        (MELEE, {"grid": "by 1-1\nDE 0\nP 5"}, "melee [DE, 1-1]: should lie between 1 and 12"),
    ],
)
def test_what_is_wrong_is_measured_by_the_throw(spec, changes, problem):
    assert problem in read(spec, **changes)[1]


def test_a_grid_of_2d6_has_cells_that_no_roll_reaches():
    chart, _ = read(MELEE)
    assert [chart.look_up(total, "1-1") for total in (2, 5, 6, 12)] == ["P", "P", "", ""]
    assert [chart.look_up(total, "2-1") for total in (1, 3, 4, 9)] == ["DE", "DE", "P", ""]
    assert chart.reachable("1-1") == ("P",)
    assert [(strip.lowest, strip.sides, len(strip.stretches)) for strip in strips_of(chart)] == [(2, 12, 2), (2, 12, 3)]


def test_bands_below_zero_are_typed_and_marked_like_others():
    outcome = checked(
        SHIFT, put_texts(sheet_of(read(SHIFT)[0]), {(1, 0): "≤-1", (2, 0): "0 – 4", (3, 0): "", (3, 1): ""})
    )
    assert not outcome.flaws
    assert outcome.chart.look_up(-2) == "down" and outcome.chart.bands[0].low == -3
    assert read_faces("-3 to -1", 4, -3) == (-3, -1) and read_faces("−2", 4, -3) == (None, -2)
    with pytest.raises(ValueError):
        read_faces("-3 to -1", 4, 0)
