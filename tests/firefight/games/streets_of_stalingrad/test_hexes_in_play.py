"""The hexes in play of Streets, drawn and tapped on a page of their own."""

import json
import re

import pytest

from firefight.engine.board.board import Board
from firefight.games.streets_of_stalingrad.board import _lay_hex
from firefight.games.streets_of_stalingrad.rules.hexes import HEXES
from tests.filling import Reader
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
    mark(table, markers=[{"hex": HERE, "marker": marker} for marker in ("attack", "breakthru", "spent")])
    reader = table.open("observer").press("Map", within=".table-column")
    assert labels(reader) == [
        f"{HERE}, attack, breakthru, spent, 1/39 #1, 1/39 #2",
        f"{NEXT}, 1/I/274 #1, 1/I/274 #2 (Pinned)",
    ]
    assert [badge.text() for badge in reader.find("#board-over i")] == ["A", "B", "S", "P"]
    picture, sheet = drawn(reader)
    assert (picture.status_code, sheet.status_code) == (200, 200)
    names = re.findall(r">(\d{4})<", text_of(picture))
    assert {HERE, NEXT, "0508", "0511"} <= {*names} and len(names) == len({*names}) == 10


def test_what_a_side_hides_is_on_its_own_board_alone(table):
    assert any(UNSEEN in label and "Minefield" in label for label in labels(board_of(table, "german")))
    reader = board_of(table, "observer")
    texts = [reader.words("html"), *map(text_of, drawn(reader))]
    assert not any(UNSEEN in text or SECRETS["german"] in text for text in texts)


def test_terrain_is_drawn_where_it_was_told_and_points_where_the_text_has_them(table):
    assert "city" not in " ".join(labels(board_of(table, "german")))
    mark(table, points_hexes=["0418"], markers=[{"hex": "0418", "marker": "spent"}])
    table.players["german"].roll("breakthrough", hex=HERE, terrain="city")
    hex_labels = labels(board_of(table, "observer"))
    assert "0418, 1 victory point, spent, held by German" in hex_labels
    assert f"{HERE}, city, 1/39 #1, 1/39 #2" in hex_labels


def test_north_is_on_top_and_the_volga_on_the_right():
    hexes = [HEXES.parse(name) for name in ("0509", "0510", "0610", "0409")]
    board = Board(tuple(_lay_hex(place, "") for place in hexes))
    spots = {place.name: place.at for place in board.places}
    assert spots["0510"][1] < spots["0509"][1] and spots["0610"][0] < spots["0510"][0] < spots["0409"][0]
    for place in hexes:
        touching = {str(other) for other in HEXES.neighbours(place)}
        assert {*board.list_neighbours(str(place))} == touching & spots.keys()


def test_a_hex_is_tapped_and_who_stands_there_is_selected(table):
    reader = board_of(table, "german").press(f"{NEXT}, 1/I/274 #1, 1/I/274 #2", within="#board-over")
    reader.press("Select them on the table", within="#board-place")
    assert {box.attributes["value"] for box in reader.find("#table input[name=chosen][checked]")} == {
        "german-1",
        "german-2",
    }


# Aiming


def select(table, side, *places):
    """The board of a side with all of its counters in some hexes selected there."""
    reader = board_of(table, side)
    for place in places:
        [label] = [label for label in labels(reader) if label.startswith(place)]
        reader.press(label, within="#board-over")
        reader.form(".select-there").press("Select here")
    return reader


def test_counters_are_selected_on_the_board_and_what_they_may_attack_is_lit(table):
    table.put("german", "phase", 5)
    reader = select(table, "german", NEXT)
    assert "Selected: 1/I/274 #1, 1/I/274 #2. At whom?" in reader.words("#aiming")
    assert f"{HERE}, 1/39 #1, 1/39 #2, in reach" in labels(reader)
    assert f"{HERE}, 1/39 #1, 1/39 #2, in reach" in reader.words(".board-words")
    assert len(reader.find("#board-over .many")) == len(reader.find("#board-over .ring")) == 1
    reader.press("Clear", within="#aiming")
    assert not reader.find("#aiming") and not reader.find("#board-over .many")


@pytest.mark.parametrize(
    "phase, field, value",
    [(2, "", None), (5, "attacked", [HERE]), (5, "pinned", None), (5, "far", None)],
    ids=["in no attack phase", "attacked already", "pinned", "out of range"],
)
def test_what_may_not_be_attacked_is_not_lit_and_may_be_aimed_at_all_the_same(table, phase, field, value):
    german = table.players["german"]
    table.put("german", "phase", phase)
    if value:
        mark(table, **{field: value})
    if field == "pinned":
        german.do("counters/", id="german-1", becomes="pinned")
    if field == "far":
        german.do("counters/", id=["german-1", "german-2"], place="0512")
    reader = select(table, "german", "0512" if field == "far" else NEXT)
    assert not reader.find("#board-over .many")
    reader.press(next(label for label in labels(reader) if label.startswith(HERE)), within="#board-over")
    assert "Attack, step by step" in reader.words("#board-place")


def test_an_attack_is_declared_by_taps_on_the_board_alone(table):
    table.put("german", "phase", 5)
    reader = select(table, "german", NEXT)
    reader.press(f"{HERE}, 1/39 #1, 1/39 #2, in reach", within="#board-over")
    reader.press("Attack, step by step", within="#board-place")
    form = reader.form("#desk-form")
    assert (form.value("points"), form.value("hex")) == ("8", HERE)
    form.fill(terrain="city").press("Declare")
    assert table.due == [("decide", "soviet")]
    table.resolve("soviet", "Defensive fire")
    reader = select(table, "soviet", HERE)
    reader.press(next(label for label in labels(reader) if label.startswith(NEXT)), within="#board-over")
    reader.press("Defensive and opportunity fire", within="#board-place")
    assert reader.form("#desk-form").value("points") == "8"
    reader.form("#desk-form").fill(die=10).press("Resolve")
    assert table.due == [("attack", "german")]
    assert [line.helper for line in table.players["soviet"].log if line.helper][-1] == "defensive-fire"


def test_part_of_a_hex_is_selected_and_another_hex_besides(table):
    german = table.players["german"]
    table.put("german", "phase", 5)
    german.do("counters/", id="german-2", place="0410")
    reader = board_of(table, "german", "0410")
    reader.form(".select-there").press("Select here")
    reader.press(f"{NEXT}, 1/I/274 #1", within="#board-over")
    reader.form(".select-there").press("Select here")
    assert "Selected: 1/I/274 #1, 1/I/274 #2." in reader.words("#aiming")
    reader.press("0410, 1/I/274 #2", within="#board-over")
    reader.form(".select-there").fill(chosen=[]).press("Select here")
    assert "Selected: 1/I/274 #1." in reader.words("#aiming")


def test_an_observer_selects_nobody_and_nobody_selects_what_is_not_theirs(table):
    assert not board_of(table, "observer", HERE).find(".select-there")
    assert not board_of(table, "german", HERE).find(".select-there")
    reader = table.open("german", "board/?chosen=soviet-1&chosen=soviet-3&chosen=x&chosen=german-9")
    assert not reader.find("#aiming") and "Minefield" not in reader.words("#board-place")


def test_aiming_works_without_a_script(table):
    table.put("german", "phase", 5)
    at = f"/match/{table.match.pk}/board/?at={HERE}&chosen=german-1&chosen=german-2"
    reader = Reader(table.players["german"].client, script=False).open(at)
    reader.press("Attack, step by step", within="#board-place")
    assert reader.form("#desk-form").value("points") == "8"


def test_a_hidden_unit_that_fires_is_shown_once_its_owner_says_so(table):
    table.put("german", "phase", 5)
    table.players["german"].do("counters/", id="german-1", hidden="on")
    assert not any("1/I/274 #1" in label for label in labels(board_of(table, "observer")))
    reader = table.open("german", "roll/attack/?firers=german-1&targets=soviet-1")
    fields = {"terrain": "forest", "terrain_drm": 0, "die": 10}
    reader.form("#desk-form").fill(fields).press("Resolve")
    assert "1/I/274 #1 is hidden: this roll shows it" in reader.words("#desk")
    assert not any("1/I/274 #1" in label for label in labels(board_of(table, "observer")))
    reader.form("#desk-form").fill(shows=True).press("Resolve")
    assert any("1/I/274 #1" in label for label in labels(board_of(table, "observer")))
