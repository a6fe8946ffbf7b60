"""Sheets of raw texts: typing, pasting, cutting; whatever is thrown at the parser, it answers or says BadSheet."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firefight.engine.charts import tables
from firefight.engine.charts.tables import BadSheet, Sheet, lay_block, parse_block, put_texts

SHEET = Sheet(("name", "one", "two"), (("a", "1", "2"), ("b", "3", "4")), (".hh", ".tt"))


@pytest.mark.parametrize(
    "text",
    [
        "1-5\ta\n6-10\tb",
        "1-5;a\n6-10;b",
        "1-5,a\n6-10,b\n",
        '"1-5","a"\r\n"6-10","b"\r\n\r\n',
        "1-5  a\n6-10  b",
        "| 1-5 | a |\n|-----|---|\n| 6-10 | b |",
        "\n\n1-5;a;;\n;;;\n6-10;b;;\n\n",
        "\ufeff1-5\ta\x00\n6-10\tb",
    ],
)
def test_a_table_is_read_however_its_cells_are_parted(text):
    assert parse_block(text) == (("1-5", "a"), ("6-10", "b"))


def test_a_sign_inside_quotes_or_beside_a_stronger_one_parts_nothing():
    assert parse_block('"Wall, hedge";10') == (("Wall, hedge", "10"),)
    assert parse_block("Wall, hedge\t12,0") == (("Wall, hedge", "12,0"),)
    assert parse_block('"two\nlines";b') == (("two lines", "b"),)


def test_rows_of_different_length_are_filled_up_and_a_blank_corner_is_kept():
    assert parse_block("\t1\t2\nE\t5") == (("", "1", "2"), ("E", "5", ""))
    assert parse_block("  1 2\nE 5 6\nC 7 8") == (("", "1", "2"), ("E", "5", "6"), ("C", "7", "8"))


def test_a_line_of_words_makes_at_most_so_many_cells():
    assert parse_block("1-70 on target\n71-00 scatter 2", 2) == (("1-70", "on target"), ("71-00", "scatter 2"))


@pytest.mark.parametrize("text", ["", "\n \t\n", ";;;", "x" * 40_001, "a\n" * 92, "a;" * 50 + "a"])
def test_nothing_and_too_much_are_refused_in_words(text):
    with pytest.raises(BadSheet) as caught:
        parse_block(text)
    assert str(caught.value).endswith(".")


@given(st.text(max_size=400) | st.text(alphabet=" \t\n\r;,|\"'-–≤+0123a", max_size=400))
@example('"')
@example('a,"b\nc')
@settings(max_examples=150)
def test_garbage_is_parsed_or_refused(text):
    try:
        block = parse_block(text, 3)
    except BadSheet:
        return
    assert len({len(row) for row in block}) == 1 and any(map(any, block))
    assert all(cell == tables.clean_text(cell) for row in block for cell in row)


cells = st.text(alphabet="abc 019-≤+.'é\"", max_size=6).map(tables.clean_text)
blocks = st.integers(1, 5).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=6))


@given(blocks, st.sampled_from("\t;,"))
@settings(max_examples=80)
def test_a_block_that_is_written_out_comes_back(block, sign):
    quoted = (sign.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in block)
    text = "\n".join(quoted)
    rows = [row for row in block if any(row)]
    if not rows or (sign != "\t" and "\t" in text) or len(block[0]) == 1:
        return
    width = max(place for row in rows for place, cell in enumerate(row, 1) if cell)
    assert parse_block(text) == tuple(row[:width] for row in rows)


# Typing


def test_what_changes_is_marked_as_typed_and_nothing_else():
    typed = put_texts(SHEET, {(1, 1): " 9 ", (1, 2): "2", (0, 2): "three"})
    assert typed == Sheet(("name", "one", "three"), (("a", "9", "2"), ("b", "3", "4")), (".oh", ".tt"))
    assert SHEET.at((1, 1)) == "1" and SHEET.at((0, 2)) == "two"


@pytest.mark.parametrize("place", [(3, 0), (0, 3), (1, 9), (-1, 0)])
def test_a_cell_that_is_not_there_is_refused(place):
    with pytest.raises(BadSheet):
        put_texts(SHEET, {place: "x"})


def test_a_block_is_laid_over_the_cells_and_the_sheet_grows_with_it():
    laid = lay_block(SHEET, (("3", "9"), ("8", "7"), ("c", "d")), (2, 1))
    assert laid.rows == (("a", "1", "2"), ("b", "3", "9"), ("", "8", "7"), ("", "c", "d"))
    assert laid.marks == (".hh", ".oo", "ooo", "ooo")  # pasted is typed, even where the same stood before
    wide = lay_block(SHEET, (("four", "five"), ("1", "2")), (0, 2))
    assert wide.head == ("name", "one", "four", "five")
    assert wide.rows == (("a", "1", "1", "2"), ("b", "3", "4", ""))


def test_rows_and_columns_come_and_go():
    more = tables.add_row(SHEET, 1)
    assert more.rows == (("a", "1", "2"), ("", "", ""), ("b", "3", "4"))
    assert tables.remove_row(more, 2) == SHEET
    wider = tables.add_column(SHEET, 1)
    assert wider.head == ("name", "one", "", "two") and wider.rows[0] == ("a", "1", "", "2")
    assert tables.remove_column(wider, 2) == SHEET
    for refused in (lambda: tables.remove_row(SHEET, 3), lambda: tables.remove_column(SHEET, 0)):
        with pytest.raises(BadSheet):
            refused()


def test_a_sheet_has_limits():
    row = ("x",) * 41
    for head, rows, marks in (
        (row, (), ()),
        (("a",), (("b",),) * 91, ("o",) * 91),
        (("a",) * 20, (("b",) * 20,) * 40, ("o" * 20,) * 40),
        (("a" * 81,), (), ()),
        (("a",) * 11, (("b" * 20,) * 11,) * 40, ("o" * 11,) * 40),
        (("a",), (("b", "c"),), ("oo",)),
    ):
        with pytest.raises(BadSheet):
            Sheet(head, rows, marks)


@given(blocks, st.tuples(st.integers(0, 60), st.integers(0, 30)))
@settings(max_examples=60)
def test_any_block_anywhere_is_laid_or_refused(block, at):
    try:
        laid = lay_block(SHEET, tuple(block), at)
    except BadSheet:
        return
    assert all(laid.at((at[0] + y, at[1] + x)) == cell for y, row in enumerate(block) for x, cell in enumerate(row))
    assert tables.from_plain(laid.plain()) == laid
