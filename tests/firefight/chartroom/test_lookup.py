"""A look-up table as the chart room shows it: card, colours, differences, paper, and the page to type it in."""

from datetime import datetime

from pypdfium2 import PdfDocument

from firefight.chartroom import cards, paper
from firefight.drawing.paper import Format
from firefight.engine.charts.book import read_book
from firefight.engine.charts.checks import check_sheet, fixed_values
from firefight.engine.charts.heat import strips_of
from firefight.engine.charts.kinds import Lookup
from firefight.engine.charts.layouts import sheet_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import put_texts

# As wide as the widest of the companion games, and with rows below zero.
HEAD = "dr 1 2 3 4-5 6-7 8-9 10-11 12-14 15-17 18-21 22-25 26-29 30-35 36-41 42-49 50-59 60-71 72+"
COLUMNS = HEAD.split()[1:]
ROWS = ["≤-4", "-3..-1", "0", "1", "2", "3", "4", "5", "6", "7+"]
GRID = "\n".join(
    [HEAD] + [f"{row} " + " ".join(str(max(0, a + b - 6)) for b in range(len(COLUMNS))) for a, row in enumerate(ROWS)]
)
SPEC = ChartSpec("crt", Lookup)
RAW = {"kind": "lookup", "title": "Combat Results", "rule": "9.1", "provenance": "text", "grid": GRID}


def checked(texts=None):
    book, problems = read_book({"name": "", "charts": {"crt": RAW}}, [SPEC])
    assert not problems
    chart = book["crt"]
    sheet = put_texts(sheet_of(chart), texts or {})
    return check_sheet(sheet, SPEC, chart.title, chart.rule, (), fixed_values(chart))


def test_a_card_has_every_band_above_and_beside_its_words():
    card = cards.card(SPEC, checked(), typed=False)
    assert card["head"][1:] == COLUMNS
    assert [row[0]["text"] for row in card["rows"]] == ROWS
    assert {cell["origin"] for row in card["rows"] for cell in row[1:]} == {"text"}
    assert (card["provenance"], card["flaws"]) == ("text", 0)


def test_its_colours_fill_the_drawing_from_the_lowest_total_to_the_highest():
    drawn = cards.draw_heat(strips_of(checked().chart))
    assert (drawn["lowest"], drawn["sides"]) == (-4, 7)
    assert [name for _, name in drawn["names"]] == COLUMNS
    assert len(drawn["paths"]) > 3


def test_what_the_owner_changes_is_told_cell_by_cell():
    changed = checked({(1, 1): "5"})
    assert [(flaw.place, flaw.message) for flaw in changed.flaws] == [((1, 1), "the rulebook's text gives 0")]
    differences = cards.compare_sheets(checked(), changed)
    assert differences["rows"] == [{"cell": "≤-4, 1", "first": "0", "second": "5"}]


def test_every_band_and_word_is_on_paper_in_one_piece():
    card = cards.card(SPEC, checked(), typed=False)
    for size in Format:
        sent = paper.draw_book([card], "Book", "Battle", size, datetime(2026, 11, 22))
        words = " ".join(page.get_textpage().get_text_range() for page in PdfDocument(sent)).split()
        assert set(COLUMNS) | set(ROWS) <= set(words)
