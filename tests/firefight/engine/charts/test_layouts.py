"""Charts as sheets: notations, every kind of problem marked in its cell, whose values they are, and the way back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.charts import tables
from firefight.engine.charts.book import read_book
from firefight.engine.charts.checks import check_sheet, fixed_values, overrule_flaw
from firefight.engine.charts.layouts import LAYOUTS, sheet_of
from firefight.engine.charts.notation import read_faces, read_number
from firefight.engine.charts.tables import BadSheet, Sheet, parse_block, put_texts
from firefight.games.combat_stalingrad.rules.charts import FFT_RESULTS, SPECS
from tests.books import HOUSE, house_data

BY_NAME = {spec.name: spec for spec in SPECS}
FIXED = {name: fixed_values(chart) for name, chart in HOUSE.charts.items()}


def checked(name, sheet=None, confirmed=()):
    chart = HOUSE[name]
    return check_sheet(sheet or sheet_of(chart), BY_NAME[name], chart.title, chart.rule, confirmed, FIXED[name])


def typed(name, texts, **more):
    """The house chart with texts typed into it, checked."""
    return checked(name, put_texts(sheet_of(HOUSE[name]), texts), **more)


def pasted(name, text, at=None):
    layout = LAYOUTS[BY_NAME[name].shape]
    block = parse_block(text, len(layout.head or ()) or 40)
    return checked(name, layout.paste(sheet_of(HOUSE[name]), BY_NAME[name], block, at))


def flaws_of(result):
    return {(flaw.place, flaw.message) for flaw in result.flaws}


def book_with(charts):
    """The shipped book's plain values with these charts in it, read."""
    data = house_data()
    data["charts"] |= charts
    return read_book(data, SPECS)


# Notations


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("01-05", (1, 5)),
        ("1–5", (1, 5)),
        ("1 — 5", (1, 5)),
        ("1 to 5", (1, 5)),
        ("1..5", (1, 5)),
        ("≤5", (1, 5)),
        ("<= 5", (1, 5)),
        ("96+", (96, 100)),
        ("≥96", (96, 100)),
        ("96 or more", (96, 100)),
        ("91-00", (91, 100)),
        ("00", (None, 100)),
        ("07", (None, 7)),
        ("12,0", (None, 12)),
    ],
)
def test_faces_are_read_as_tables_print_them(text, faces):
    assert read_faces(text, 100) == faces


def test_zero_is_ten_on_a_ten_sided_die():
    assert read_faces("8-0", 10) == (8, 10) and read_faces("0", 10) == (None, 10)


@pytest.mark.parametrize("text", ["", "x", "5-1", "1-2-3", "-5", "5.5", "1234", "²", "1-", "+", "٣"])
def test_other_faces_are_refused(text):
    with pytest.raises(ValueError):
        read_faces(text, 100)


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), ("+10", 10), ("−5", -5), ("–5", -5), ("12,0", 12), ("12.", 12), ("", None), ("?", None), (" 1 0", 10)],
)
def test_numbers_are_read_as_people_write_them(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["12,5", "x", "1e3", "--5", "123456", "٣"])
def test_other_numbers_are_refused(text):
    with pytest.raises(ValueError):
        read_number(text)


# There and back


@pytest.mark.parametrize("name", BY_NAME)
def test_every_shipped_chart_comes_back_from_its_sheet_as_it_was(name):
    outcome, chart = checked(name), HOUSE[name]
    assert not outcome.flaws
    book, problems = book_with({name: outcome.raw})
    assert not problems
    assert book[name].named_values() == chart.named_values()
    assert book[name].origins == chart.origins
    assert book[name].provenance == chart.provenance
    assert sheet_of(book[name]) == sheet_of(chart)


CARD = """
,10,20,100
2E,–,01-05,1-10
E,01-05,06-12,11-30
M+1,6-20,13-40,31-60
M,21-50,41-70,61-90
No effect,51-00,71+,91+
"""


def test_a_printed_card_in_bands_becomes_highest_rolls():
    outcome = pasted("fft", CARD)
    assert not outcome.flaws
    assert outcome.chart.columns == ("10", "20", "100") and outcome.chart.rows == ("2E", "E", "M+1", "M")
    assert list(outcome.chart.cells.values()) == [0, 5, 10, 5, 12, 30, 20, 40, 60, 50, 70, 90]
    assert outcome.chart.look_up(1, "10") == "E"  # – is never
    assert set("".join(outcome.marks)) == {"o", "."}


def test_a_card_whose_results_stand_across_is_turned():
    rows = parse_block(CARD)
    across = "\n".join(",".join(row) for row in tables.turn_block(rows))
    assert pasted("fft", across).chart.cells == pasted("fft", CARD).chart.cells


def test_bands_with_a_head_and_words_as_printed():
    text = "Roll;Result\n01-70;On Target\n71–85;Scatter 1\n86-95;Defender Choice 2\n96+;defender choice 4\n\n"
    outcome = pasted("air_support", text)
    assert not outcome.flaws
    assert [band.value for band in outcome.chart.bands] == [
        "on_target",
        "scatter 1",
        "defender_choice 2",
        "defender_choice 4",
    ]


def test_modifiers_may_be_pasted_as_names_and_values():
    text = "Modifier\tDRM\nSmoke\t+10\nAirburst\t−10\nWoods\t15\nDebris\t15\nFlamethrower\t-10\nBarbed wire\t5\n"
    text += "Building ground\t25\nRooftop\t0\nRunning\t-20\nBurning wreck\t10\n"
    outcome = pasted("fft_modifiers", text)
    assert not outcome.flaws
    assert outcome.chart.get("barbed_wire").value == 5 and outcome.chart.get("barbed_wire").provenance == "owner"
    assert outcome.chart.get("smoke").provenance == "text"  # what the text gives stays the text's


@pytest.mark.parametrize(
    "text",
    [
        "Die roll;Stray\n01-05;0\n06-00;1",
        "d100;hexes\n01-05;0,0\n06-00;1,0",
        "01-05\t06-50\t51-00\n0\t1\t1",
        "Roll\t01-05\t06-00\t\nHexes\t0\t1\t",
        "\u200e01-05\t0\n06-00\t\u200b1",
    ],
)
def test_bands_come_with_any_head_or_across(text):
    outcome = pasted("accuracy", text)
    assert [outcome.chart.look_up(face) for face in (5, 6, 100)] == ["0", "1", "1"] and not outcome.flaws


def test_numbers_come_with_any_head():
    outcome = pasted("artillery_ff", "mm\tFF\n40 mm\t8\n50 mm\t10")
    assert outcome.chart.named_values() == {"40": 8, "50": 10}


def test_a_grid_without_its_corner_keeps_its_columns():
    assert pasted("fft", "1;2;5\nE;1;2;5\nM;15;22;39").chart.column("5") == {"E": 5, "M": 39}


def test_one_line_is_no_whole_table():
    with pytest.raises(BadSheet):
        pasted("fft", '"1\t2\n3\t4')


@pytest.mark.parametrize(
    "text",
    [
        "Building, ground level\t+25\nMud\t10",
        "Modifier\tDRM\nBuilding, ground level\t25\nMud\t10",
        "Rule\tName\tValue\n17\tBuilding, ground level\t25\n17\tMud\t10",
        "Building, ground level\t25\t17\nMud\t10\t17",
        "building_ground\tBuilding\t25\nmud\tMud\t10",
    ],
)
def test_modifiers_are_known_by_their_names_in_any_columns(text):
    assert pasted("fft_modifiers", text).chart.named_values() == {"building_ground": 25, "mud": 10}


def test_a_block_over_the_values_keeps_the_names():
    outcome = pasted("cct", "6\t11\t21\t39\t56\n16\t29\t46\t69\t86", (1, 1))
    assert not outcome.flaws and outcome.chart.columns == HOUSE["cct"].columns
    assert outcome.chart.cell("C", "3-1") == 86


def test_the_map_is_not_pasted_over():
    with pytest.raises(BadSheet):
        pasted("map", "a\tb\nc\td")


# Every problem in its cell


@pytest.mark.parametrize(
    ("name", "texts", "place", "message"),
    [
        ("accuracy", {(2, 0): "32-50"}, (2, 0), "leaves a gap after 1-30"),
        ("accuracy", {(2, 0): "30-50"}, (2, 0), "overlaps 1-30"),
        ("accuracy", {(7, 0): "96-99"}, (7, 0), "the last band should end at 100"),
        ("accuracy", {(1, 0): "2-30"}, (1, 0), "the first band should begin at 1"),
        ("accuracy", {(2, 0): "fifty"}, (2, 0), "“fifty” should look like 7, 1-5, ≤5 or 96+"),
        ("accuracy", {(2, 0): ""}, (2, 0), "which faces? Write 7, 1-5, ≤5 or 96+"),
        ("accuracy", {(3, 1): "far"}, (3, 1), "should be a number of hexes, 0 to 20"),
        ("accuracy", {(3, 1): "0"}, (3, 1), "strays less than a lower roll"),
        ("fo_loss", {(2, 1): "stolen"}, (2, 1), "“stolen” is not a result of this chart"),
        ("direction", {(1, 1): "north"}, (1, 1), "should be a direction 1 to 6, or again"),
        ("contact", {(1, 1): "often"}, (1, 1), "“often” is not a whole number"),
        ("contact", {(1, 1): "60"}, (1, 1), "the rulebook's text gives 65"),
        ("contact", {(1, 0): "wireless"}, None, "is missing"),
        ("contact", {(2, 0): "radio"}, (2, 0), "stands here twice"),
        ("artillery_ff", {(5, 1): "18"}, (5, 1), "the rulebook's text asks for 19 or 20"),
        ("artillery_ff", {(2, 1): "11"}, (2, 1), "the rulebook's text asks for 10"),
        ("artillery_ff", {(6, 1): "12"}, (6, 1), "has less firepower than 80 mm"),
        ("fft", {(0, 8): "9,5"}, (0, 8), "columns should be firepower factors in whole numbers"),
        ("fft", {(0, 5): "3"}, (0, 5), "stands here twice"),
        ("fft", {(0, 5): "2.5"}, (0, 5), "columns should be firepower factors in whole numbers"),
        ("fft", {(0, 5): "90"}, (0, 6), "columns should rise from left to right: 6 follows 90"),
        ("fft", {(0, 5): ""}, (0, 5), "a name is missing"),
        ("fft", {(2, 0): "X"}, (2, 0), "is not a result of this chart"),
        ("fft", {(4, 0): "C/M", (3, 0): "C"}, (4, 0), f"rows should stand in this order: {', '.join(FFT_RESULTS)}"),
        ("fft", {(3, 9): "1"}, (3, 9), "is lower than E above it"),
        ("fft", {(3, 9): "14-24"}, (3, 9), "overlaps the cell above it, which ends at 14"),
        ("fft", {(3, 9): "16-24"}, (3, 9), "leaves 15 to no result"),
        ("fft", {(3, 9): "150"}, (3, 9), "should lie between 0 and 100"),
        ("fft", {(3, 9): "lots"}, (3, 9), "“lots” should look like 7, 1-5, ≤5 or 96+"),
        ("fft", {(1, 17): "30"}, (1, 17), "is milder than column 70"),
        ("morale", {(1, 1): "fled"}, (1, 1), "“fled” is not a result of this chart"),
        ("cct", {(0, 1): "1-4"}, None, "columns should be 1-3, 1-2, 1-1, 2-1, 3-1"),
        ("fft_modifiers", {(3, 2): "much"}, (3, 2), "“much” is not a whole number"),
        ("fft_modifiers", {(1, 2): "20"}, (1, 2), "the rulebook's text gives 25"),
        ("map", {(1, 1): "7"}, (1, 1), "should be letters from A to Z, the first not after the last"),
        ("map", {(5, 1): "all"}, (5, 1), "should be even (B, D, F …) or odd (A, C, E …)"),
    ],
)  # fmt: skip
def test_a_problem_is_marked_in_its_cell(name, texts, place, message):
    outcome = typed(name, texts)
    assert (place, message) in flaws_of(outcome)


def test_everything_is_listed_at_once():
    outcome = typed("fft", {(1, 1): "x", (2, 2): "y", (0, 3): "", (8, 17): "3", (5, 0): "NO"})
    assert {(1, 1), (2, 2), (0, 3), (8, 17), (5, 0)} <= {flaw.place for flaw in outcome.flaws}


def test_blank_cells_are_no_problem_and_a_row_left_empty_is_none():
    outcome = typed("fft", {(3, 9): "", (3, 10): "?"})
    assert not outcome.flaws and outcome.chart.cells["C/M", "12"] is None
    sheet = tables.add_row(sheet_of(HOUSE["accuracy"]), 3)
    assert not checked("accuracy", sheet).flaws


def test_a_row_of_the_text_cannot_be_left_out():
    sheet = tables.remove_row(sheet_of(HOUSE["fft_modifiers"]), 2)
    assert (None, "the rulebook's text gives 0 for rooftop") in flaws_of(checked("fft_modifiers", sheet))
    sheet = tables.remove_row(sheet_of(HOUSE["dshk"]), 6)
    assert (None, "the rulebook's text gives 3 for 15") in flaws_of(checked("dshk", sheet))


# Whose values they are


def test_what_is_typed_is_the_owners_and_the_rest_stays_ours():
    outcome = typed("fft", {(1, 8): "2"})
    assert outcome.raw["provenance"] == "house" and outcome.raw["owner"] == ["2E, 10"]
    chart = book_with({"fft": outcome.raw})[0]["fft"]
    assert chart.provenance == "house"  # as long as one value is ours
    assert (chart.origins["2E, 10"], chart.origins["2E, 12"]) == ("owner", "house")


def test_a_chart_is_the_owners_only_once_every_value_is():
    outcome = checked("fft", tables.own_all(sheet_of(HOUSE["fft"])))
    assert outcome.raw["provenance"] == "owner" and "house" not in outcome.raw
    assert book_with({"fft": outcome.raw})[0]["fft"].provenance == "owner"


def test_a_value_of_the_text_stays_the_texts_however_it_came_there():
    assert checked("contact", tables.own_all(sheet_of(HOUSE["contact"]))).raw["provenance"] == "text"
    back = put_texts(put_texts(sheet_of(HOUSE["contact"]), {(1, 1): "5"}), {(1, 1): "65"})
    assert checked("contact", back).raw["provenance"] == "text"


def test_bands_of_the_text_may_be_written_otherwise_but_not_changed():
    split = tables.add_row(sheet_of(HOUSE["fo_loss"]), 1)
    same = checked("fo_loss", put_texts(split, {(1, 0): "1-3", (2, 0): "4-6", (2, 1): "left"}))
    assert not same.flaws and same.raw["provenance"] == "text"
    other = checked("fo_loss", put_texts(split, {(1, 0): "1-3", (2, 0): "4-6", (2, 1): "destroyed"}))
    assert flaws_of(other) == {((2, 1), "the rulebook's text gives left for 4")}
    shifted = typed("fo_loss", {(1, 0): "1-7", (2, 0): "8-10"})
    assert flaws_of(shifted) == {((1, 1), "the rulebook's text gives destroyed for 7")}


def test_a_value_of_the_text_is_changed_only_as_a_house_rule():
    outcome = typed("contact", {(1, 1): "60"})
    [flaw] = outcome.flaws
    sheet, confirmed = overrule_flaw(outcome, flaw.key)
    answered = checked("contact", sheet)
    assert (confirmed, answered.flaws) == ("", ())
    assert answered.raw["house"] == ["radio"] and answered.raw["provenance"] == "text"
    assert book_with({"contact": answered.raw})[0]["contact"].provenance == "house"
    again = checked("contact", put_texts(sheet, {(1, 1): "50"}))  # another value is another rule
    assert len(again.flaws) == 1


# Overruling


def test_the_games_sense_is_overruled_by_the_printed_card_for_this_value_alone():
    outcome = typed("fft", {(1, 17): "30"})
    [flaw] = outcome.flaws
    assert flaw.overrule == "card"
    sheet, confirmed = overrule_flaw(outcome, flaw.key)
    answered = checked("fft", sheet, [confirmed])
    assert not answered.flaws and [flaw.cell for flaw in answered.overruled] == ["2E, 100"]
    assert answered.raw["confirmed"] == ["2E, 100 = 30"]
    assert book_with({"fft": answered.raw})[1] == []
    assert checked("fft", put_texts(sheet, {(1, 17): "31"}), [confirmed]).flaws


def test_without_the_answer_the_book_is_refused():
    raw = typed("fft", {(1, 17): "30"}).raw
    assert [str(problem) for problem in book_with({"fft": raw})[1]] == ["fft [2E, 100]: is milder than column 70"]


def test_what_no_card_can_mean_cannot_be_overruled():
    outcome = typed("accuracy", {(2, 0): "32-50"})
    assert not any(flaw.overrule for flaw in outcome.flaws)
    assert overrule_flaw(outcome, outcome.flaws[0].key) is None


def test_a_modifier_without_a_rule_is_of_the_charts(name="fft_modifiers"):
    sheet = put_texts(sheet_of(HOUSE[name]), {(1, 3): ""})
    outcome = checked(name, sheet)
    assert outcome.raw["items"][0]["rule"] == HOUSE[name].rule
    assert checked(name, sheet_of(outcome.chart), outcome.chart.confirmed).raw == outcome.raw


# Garbage

names = st.sampled_from(sorted(BY_NAME))
garbage = st.text(alphabet="0123456789-–+≤≥., aEMC/?_()\"'²٣", max_size=8) | st.text(max_size=6)


@given(names, st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), garbage), max_size=8), st.booleans())
@settings(max_examples=150)
def test_whatever_is_typed_is_told_or_makes_a_sound_chart(name, texts, own):
    sheet = sheet_of(HOUSE[name])
    layout = LAYOUTS[BY_NAME[name].shape]
    for row, column, text in texts:
        place = (row % (len(sheet.rows) + 1), column % len(sheet.head))
        if not layout.is_locked(place):
            sheet = put_texts(sheet, {place: text})
    outcome = checked(name, tables.own_all(sheet) if own else sheet)
    if outcome.flaws:
        return
    book, problems = book_with({name: outcome.raw})
    assert problems == []
    again = checked(name, sheet_of(book[name]), book[name].confirmed)
    assert again.raw == outcome.raw  # the plain values settle at once


@given(
    names,
    st.text(alphabet='0123456789-–+≤≥., \t\n;aEMC/?_"|', max_size=200),
    st.none() | st.tuples(st.integers(0, 9), st.integers(0, 5)),
)
@settings(max_examples=120)  # fmt: skip
def test_whatever_is_pasted_is_refused_told_or_makes_a_sound_chart(name, text, at):
    try:
        outcome = pasted(name, text, at)
    except BadSheet:
        return
    assert isinstance(outcome.sheet, Sheet)
    if not outcome.flaws:
        assert book_with({name: outcome.raw})[1] == []
