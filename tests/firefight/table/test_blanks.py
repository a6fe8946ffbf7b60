"""A blank cell is asked for where a roll needs it, once, and kept in the match's charts as an owner's."""

import pytest

from firefight.games import chartbooks
from firefight.models import LogEntry
from firefight.table.board import blank_cells
from firefight.table.rolling import replay
from tests import pages
from tests.books import altered_data
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_spent import pinned

MISSION = {"marker": "new_cff", "aim": "K7", "die": "90", "direction_die": "6"}
CELL = "cell:direction:6"


@pytest.fixture
def german(table):
    pinned(table.german, altered_data("direction", bands=[["1-5", "1"], ["6", ""], ["7-10", "2"]]))
    return table.german


def cells_asked(answer):
    return pages.values_of_each(text_of(answer), "input[name^='cell:']", "name")


def direction(player):
    return chartbooks.of_match(player.match)["direction"]


def test_a_roll_asks_for_the_blank_cell_and_keeps_it_for_the_match(german):
    answer = german.roll("accuracy", **MISSION)
    assert answer.status_code == 422 and cells_asked(answer) == [CELL]
    answer = german.roll("accuracy", **MISSION, **{CELL: "3"})
    assert answer.status_code == 302
    book_line, rolled = german.log[-2:]
    assert book_line.kind == LogEntry.Kind.BOOK and book_line.sentence.endswith(f"{direction(german).title}, 6: 3.")
    assert rolled.kind == LogEntry.Kind.ROLL
    assert direction(german).look_up(6) == "3" and direction(german).origins["6"] == "owner"
    assert german.roll("accuracy", **MISSION).status_code == 302
    assert len([line for line in german.log if line.kind == LogEntry.Kind.BOOK]) == 1


def test_the_app_asks_before_it_draws_a_number(german):
    answer = german.roll("accuracy", marker="new_cff", aim="K7", dice="app")
    assert answer.status_code == 422 and cells_asked(answer) == [CELL]
    assert german.match.next_roll == 1
    assert german.roll("accuracy", marker="new_cff", aim="K7", dice="app", **{CELL: "3"}).status_code == 302


def test_taking_back_the_roll_takes_back_what_was_told_with_it(german):
    before = german.match.book_id
    german.roll("accuracy", **MISSION, **{CELL: "3"})
    assert german.match.book_id != before
    german.do("take-back/")
    assert german.match.book_id == before and direction(german).look_up(7) == "2"


@pytest.mark.parametrize(
    ("cell", "text", "why"),
    [(CELL, "nowhere", "direction"), ("cell:direction:7-10", "3", "not blank"), ("cell:nothing:1", "3", "not blank")],
)
def test_a_cell_takes_what_its_chart_takes_and_only_if_it_is_blank(german, cell, text, why):
    lines, before = len(german.log), german.match.book_id
    answer = german.roll("accuracy", **MISSION, **{cell: text})
    assert answer.status_code == 422 and why in words_of(answer).lower()
    assert (len(german.log), german.match.book_id) == (lines, before)


def test_as_many_cells_as_a_form_asks_for_are_filled_in_and_no_more(german, monkeypatch):
    read = []
    monkeypatch.setattr(blank_cells, "check_sheet", lambda *args: read.append(args))
    before = german.match.book_id
    answer = german.roll("accuracy", **MISSION, **{f"cell:direction:{number}": "3" for number in range(2_000)})
    assert answer.status_code == 422 and "6 blank cells can be filled in with a roll; these are 2000" in words_of(
        answer
    )
    assert german.match.book_id == before and not read


def test_two_cells_of_one_chart_are_told_at_once(table, monkeypatch):
    monkeypatch.setattr(blank_cells, "MOST_ASKED", 2)  # as many as there may be
    pinned(table.german, altered_data("direction", bands=[["1-5", ""], ["6", ""], ["7-10", "2"]]))
    table.german.roll("accuracy", **MISSION, **{CELL: "3", "cell:direction:1-5": "4"})
    chart = direction(table.german)
    assert (chart.look_up(6), chart.look_up(5), chart.look_up(7)) == ("3", "4", "2")
    sentence = next(line.sentence for line in table.german.log if line.kind == LogEntry.Kind.BOOK)
    assert sentence.endswith(f"{chart.title}, 6: 3; {chart.title}, 1-5: 4.")


def test_the_dice_and_results_agree_with_the_charts_of_each_roll(german):
    german.roll("accuracy", **MISSION, **{CELL: "3"})
    german.do("end/", sure="on")
    report = replay.examine_log(german.get("log.json").json())
    assert report["problems"] == [] and report["again"].same == 1
