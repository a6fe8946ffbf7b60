"""The hexes in play of Streets, drawn and tapped on a page of their own."""

import json
import re

import pytest

from firefight.engine.board.board import Board
from firefight.games.streets_of_stalingrad.board import _lay_hex
from firefight.games.streets_of_stalingrad.rules.hexes import HEXES
from tests.firefight.games.combat_stalingrad.test_hexes_in_play import drawn, labels
from tests.firefight.players import text_of

from .two_devices import HERE, NEXT, SECRETS, UNSEEN, Table, lay_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(frozen):
    """Two German units in 0510, two Soviet ones in 0509, and a hidden piece of both in 0311."""
    lay_out(laid := Table())
    return frozen("streets on a board", lambda: laid)


def board_of(table, side, at=""):
    return table.open(side, f"board/?at={at}" if at else "board/")


def mark(table, **values):
    for field, value in values.items():
        table.players["german"].do("record/", field=field, value=json.dumps(value))


def test_counters_stand_in_their_hexes_with_what_lies_on_them(table):
    table.players["german"].do("counters/", id="german-2", becomes="pinned")
    mark(table, markers=[{"hex": HERE, "marker": each} for each in ("attack", "breakthru", "spent")])
    reader = table.open("observer").press("Map", within=".table-column")
    assert labels(reader) == [
        f"{HERE}, attack, breakthru, spent, 1/39 #1, 1/39 #2",
        f"{NEXT}, 1/I/274 #1, 1/I/274 #2 (Pinned)",
    ]
    assert [each.text() for each in reader.find("#board-over i")] == ["A", "B", "S", "P"]
    picture, sheet = drawn(reader)
    assert (picture.status_code, sheet.status_code) == (200, 200)
    names = re.findall(r">(\d{4})<", text_of(picture))
    assert {HERE, NEXT, "0508", "0511"} <= {*names} and len(names) == len({*names}) == 10


def test_what_a_side_hides_is_on_its_own_board_alone(table):
    assert any(UNSEEN in each and "Minefield" in each for each in labels(board_of(table, "german")))
    reader = board_of(table, "observer")
    told = [reader.words("html"), *map(text_of, drawn(reader))]
    assert not any(UNSEEN in each or SECRETS["german"] in each for each in told)


def test_terrain_is_drawn_where_it_was_told_and_points_where_the_text_has_them(table):
    assert "city" not in " ".join(labels(board_of(table, "german")))
    mark(table, points_hexes=["0418"], markers=[{"hex": "0418", "marker": "spent"}])
    table.players["german"].roll("breakthrough", hex=HERE, terrain="city")
    told = labels(board_of(table, "observer"))
    assert "0418, 1 victory point, spent, held by German" in told
    assert f"{HERE}, city, 1/39 #1, 1/39 #2" in told


def test_north_is_on_top_and_the_volga_on_the_right():
    shown = [HEXES.parse(name) for name in ("0509", "0510", "0610", "0409")]
    board = Board(tuple(_lay_hex(each, "") for each in shown))
    spots = {place.name: place.at for place in board.places}
    assert spots["0510"][1] < spots["0509"][1] and spots["0610"][0] < spots["0510"][0] < spots["0409"][0]
    for place in shown:
        touching = {str(other) for other in HEXES.neighbours(place)}
        assert {*board.list_neighbours(str(place))} == touching & spots.keys()


def test_a_hex_is_tapped_and_who_stands_there_is_selected(table):
    reader = board_of(table, "german").press(f"{NEXT}, 1/I/274 #1, 1/I/274 #2", within="#board-over")
    reader.press("Select them on the table", within="#board-place")
    assert {each.attributes["value"] for each in reader.find("#table input[name=chosen][checked]")} == {
        "german-1",
        "german-2",
    }
