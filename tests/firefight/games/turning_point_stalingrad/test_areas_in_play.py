"""The Areas in play of Turning Point, drawn and tapped on a page of their own."""

import re

import pytest

from firefight.drawing.board import outline_board
from firefight.games.turning_point_stalingrad.board import BOARD
from firefight.table.board.record_rules import situation_of
from tests.filling import Reader
from tests.firefight.players import text_of

from .units_in_play import begin, put_out, set_out, take_map

pytestmark = pytest.mark.django_db


@pytest.fixture
def german():
    """Units on an owner's map of some Areas, 24, 6 and C German."""
    player = begin()
    take_map(player, german="24,6,C")
    ids = set_out(player, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    put_out(player, ids["Pi 295"], "24", "d2")
    return player


def board_of(player):
    return Reader(player.client).open(f"/match/{player.match_id}/board/")


def drawn(reader):
    [picture] = reader.find(".board-sheet img")
    return text_of(reader.client.get(picture.attributes["src"]))


def labels(reader):
    return [button.attributes["aria-label"] for button in reader.find("#board-over button")]


def laid(player):
    return BOARD.lay_board(situation_of(player.match))


def test_the_table_leads_to_the_areas_and_they_say_who_stands_there(german):
    reader = Reader(german.client).open(f"/match/{german.match_id}/").press("Map", within=".table-column")
    by_area = {label.split(",")[0]: label for label in labels(reader)}
    assert by_area["24"] == "24, TEM 2, held by German, Pi 295 (D2), I/295 #2 (Fresh)"
    assert by_area["25"] == "25, TEM 2, 1/10 NKVD #1 (Fresh)"
    assert "3 Areas under German control" in reader.words()
    names = re.findall(r">([0-9]+|[A-H])<", drawn(reader))
    assert {"6", "7", "24", "25", "36", "C"} <= {*names} and len(names) == len({*names})


def test_a_tap_on_an_area_leads_to_its_counters_selected(german):
    reader = board_of(german)
    reader.press_node(
        next(button for button in reader.find("#board-over button") if button.attributes["aria-label"].startswith("24"))
    )
    reader.press("Select them on the table")
    chosen = [box.attributes["value"] for box in reader.find("#table [name=chosen][checked]")]
    assert len(chosen) == 2 and all(id.startswith("german-") for id in chosen)


def test_only_what_touches_is_drawn_side_by_side(german):
    board = laid(german)
    assert ("24", "35") not in board.links and ("6", "24") in board.links and ("25", "34") in board.links
    lies = outline_board(board)
    assert lies.cells.keys() == {place.name for place in board.places}


def test_nothing_is_drawn_where_nothing_is_and_no_neighbour_is_made_up():
    player = begin()
    before = {place.name for place in laid(player).places}
    assert before == {
        "32",
        "65",
        "67",
        "70",
    }  # the Russian artillery at set-up (5.3); nobody has said what touches them
    assert not laid(player).links
    player.do("record/", field="russian_artillery", value="[]")
    assert laid(player) is None and "board/" not in text_of(player.get())


def test_a_report_draws_them_once_there_is_something_to_tell():
    player = begin()
    reports = []
    for _ in range(2):
        reports.append(Reader(player.client).open(f"/match/{player.match_id}/report/"))
        player.note("Something happened.")
    assert [len(reader.find(".map-of-story svg")) for reader in reports] == [0, 1]
