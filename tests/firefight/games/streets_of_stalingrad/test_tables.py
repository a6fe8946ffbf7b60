"""The tables of the shipped book: cell by cell as the text has them, column by column, and rising with the points."""

from itertools import pairwise

from firefight.games.streets_of_stalingrad.rules.terms import RESULTS

from . import BOOK

# As the last page prints them: each column from the lowest modified roll down; the rest are dashes or 0.
CRT = {
    "1-2": "D1 D1P P P P",
    "3": "D1 D1 D1P P P P",
    "4": "D1 D1 D1 D1P P P P",
    "5-6": "D1 D1 D1 D1 D1P P P P",
    "7-9": "D2 D1 D1 D1 D1 D1P P P P",
    "10-19": "D2 D2 D2 D1 D1 D1 D1 D1P P P P",
    "20-29": "D3 D3 D2 D2 D2 D1 D1 D1 D1P P P P",
    "30-49": "DE D3 D3 D3 D2 D2 D2 D1 D1 D1P P P P",
    "50+": "DE DE DE D3 D3 D2 D2 D2 D1P D1P D1P P P P",
}
WBBT = {
    "1-4": "P P P",
    "5-6": "D1P P P P P",
    "7-9": "D1 D1 P P P P",
    "10-19": "D1 D1 D1 D1P P P P",
    "20-29": "D2 D1 D1 D1 D1P P P P",
    "30+": "D2 D2 D1 D1 D1 D1 D1P P P",
}
PINNED = {
    "1-9": "2 1 1 1 1 1",
    "10-19": "3 2 2 2 2 1 1 1",
    "20-29": "4 3 3 3 2 2 2 2 1 1",
    "30-49": "5 4 4 4 3 3 3 2 2 2 1",
    "50+": "6 5 5 5 4 4 4 3 3 3 2",
}
ELIMINATED = {"1-9": "", "10-19": "1", "20-29": "1 1", "30-49": "1 1 1", "50+": "2 1 1 1"}


def columns_of(name, lowest, highest):
    """A table's columns, from its lowest row to its highest, asked by total."""
    table = BOOK[name]
    return {
        column: [table.cell(table.row_of(total), column) for total in range(lowest, highest + 1)]
        for column in table.columns
    }


def fill(printed, lowest, highest, nothing):
    cells = {column: text.split() for column, text in printed.items()}
    return {column: texts + [nothing] * (highest - lowest + 1 - len(texts)) for column, texts in cells.items()}


def test_every_cell_is_as_the_text_has_it():
    assert columns_of("crt", -4, 10) == fill(CRT, -4, 10, "-")
    assert columns_of("wbbt", -1, 8) == fill(WBBT, -1, 8, "-")
    assert columns_of("ebbt_pinned", 0, 10) == fill(PINNED, 0, 10, "0")
    assert columns_of("ebbt_eliminated", 0, 10) == fill(ELIMINATED, 0, 10, "0")


def test_totals_beyond_a_table_count_as_its_last_row():
    for name, low, high in (("crt", -4, 10), ("wbbt", -1, 8), ("ebbt_pinned", 0, 10)):
        table = BOOK[name]
        assert table.row_of(low - 50) == table.row_of(low) and table.row_of(high + 50) == table.row_of(high)


def test_every_column_begins_where_the_last_one_ends():
    for name in ("crt", "wbbt", "ebbt_pinned"):
        table, by_column = BOOK[name], {}
        for points in range(1, 401):
            by_column.setdefault(table.column_of(points), []).append(points)
        assert tuple(by_column) == table.columns
        assert all(low[-1] + 1 == high[0] for low, high in pairwise(by_column.values()))
    bounds = {1: "1-2", 2: "1-2", 3: "3", 4: "4", 5: "5-6", 7: "7-9", 9: "7-9", 10: "10-19", 49: "30-49", 50: "50+"}
    assert {points: BOOK["crt"].column_of(points) for points in bounds} == bounds


def test_a_table_is_milder_for_higher_rolls_and_harder_for_more_points():
    rank = {result: place for place, result in enumerate(RESULTS)}
    for name, low, high in (("crt", -4, 10), ("wbbt", -1, 8)):
        columns = [[rank[cell] for cell in column] for column in columns_of(name, low, high).values()]
        for column in columns:
            assert column == sorted(column)
        for left, right in pairwise(columns):
            # 50 points at 4: D1P, where 49 have D1, as printed (ruling A02).
            worse = [place + low for place, (one, other) in enumerate(zip(left, right, strict=True)) if other > one]
            assert worse in ([], [4])
    for name in ("ebbt_pinned", "ebbt_eliminated"):
        columns = [[int(cell) for cell in column] for column in columns_of(name, 0, 10).values()]
        assert all(column == sorted(column, reverse=True) for column in columns)
        assert all(one <= other for pair in pairwise(columns) for one, other in zip(*pair, strict=True))


BLANK = {"ammunition", "levels", "terrain", "move_costs", "arrows", "stukas"}


def test_what_the_text_gives_says_text_and_what_it_lacks_is_blank_and_the_owners():
    blank = {
        (name, cell): chart.origins[cell]
        for name, chart in BOOK.charts.items()
        for cell, value in chart.named_values().items()
        if value is None
    }
    assert {name for name, _ in blank} == BLANK and set(blank.values()) == {"owner"}
    assert all(
        origin == "text" for name in set(BOOK.charts) - BLANK | {"ammunition", "arrows"} for origin in sources(name)
    )
    assert all(value is None for value in BOOK["terrain"].named_values().values())
    landings = {cell: value for cell, value in BOOK["arrows"].named_values().items() if value is not None}
    assert landings == {"8": 426, "12": 331, "15": 448}  # 8.66, 3.4
    known = {cell for cell, value in BOOK["ammunition"].named_values().items() if value not in (None, "-")}
    assert known == {"1942-09-20, german", "1942-09-23, german"}


def sources(name):
    """Where the values of a chart come from."""
    chart = BOOK[name]
    return [chart.origins[cell] for cell, value in chart.named_values().items() if value is not None]
