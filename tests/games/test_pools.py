"""Pieces that are drawn blind out of a pool and spun, by the example of Masked March."""

import pytest

from firefight.models import LogEntry
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_archive import save, send
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too
from tests.games.test_closed_pieces import assert_nothing_told, listed

pytestmark = pytest.mark.django_db


def fill_reserve():
    north, links = players.begin("north", game="masked-march")
    south = players.sit(links["south"], north.match_id)
    south.do("counters/add/", list="South: 2 guards, 3 levies", closed="on")
    south.do("counters/", id=[piece["id"] for piece in listed(south)], place="Reserve")
    return north, south


@pytest.fixture
def sides(frozen):
    """South has two guards and three levies in its reserve, closed."""
    return frozen("reserve", fill_reserve)


def in_reserve(player):
    return [piece for piece in listed(player) if piece["place"] == "pool:reserve"]


def muster(player, place="ford"):
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/muster/")
    reader.form("#desk-form").fill(place=place).press()
    return reader


def roll_of(player):
    return next(line for line in reversed(player.log) if line.kind == LogEntry.Kind.ROLL)


def test_all_see_how_many_are_in_a_pool_and_who_may_not_know_no_more(sides):
    north, south = sides
    for player in sides:
        assert len(in_reserve(player)) == 5
        assert "the reserve" in words_of(player.get()).lower()
        assert "pool:" not in words_of(player.get())
    assert_nothing_told(south, north)


def test_a_piece_is_drawn_blind_spun_and_placed(sides):
    north, south = sides
    reader = muster(south)
    assert "A block comes to the ford." in reader.words("#desk")
    [placed] = [piece for piece in listed(south) if piece["place"] == "ford"]
    roll = roll_of(south)
    dots = {"guard": 4, "levy": 2}[placed["counter"]]
    assert placed["levels"]["dots"] == min(roll.result.dice["spin"], dots)
    assert len(in_reserve(north)) == 4
    assert "South, Block: in ford; was in the reserve." in north.see("log/")
    assert_nothing_told(south, north)
    [line] = [line for line in north.get("log.json").json()["entries"] if line.get("helper") == "muster"]
    assert {die["face"] for die in line["rolls"]} == {0} and "result" not in line  # how it was spun is its side's


def test_neither_page_nor_log_says_which_piece_a_face_is(sides):
    north, south = sides
    page = text_of(south.get("roll/muster/"))
    form = page[page.index("desk-form") : page.index("</form>", page.index("desk-form"))]
    aliases = [piece["id"] for piece in in_reserve(north)]
    assert not any(alias in form for alias in aliases)
    muster(south)
    roll = roll_of(south)
    [drawn] = roll.result.details["changes"]["counters"]
    assert drawn in aliases and roll.result.details["changes"]["counters"][drawn].endswith("to:ford")
    assert roll.inputs["pool"] == aliases  # by the ids that all know
    assert [die.label for die in roll.rolls] == ["Block", "Spin"]
    assert all(die.source == "app" for die in roll.rolls)


def test_nobody_chooses_among_which_is_drawn_or_what_falls(sides):
    _, south = sides
    chosen = south.roll("muster", place="ford", pool="south-1,south-1", piece="1", spin="4", dice="table")
    assert chosen.status_code == 302
    roll = roll_of(south)
    assert len(roll.inputs["pool"]) == 5
    assert all(die.source == "app" for die in roll.rolls)


def test_every_piece_comes_once_until_the_reserve_is_empty(sides):
    _, south = sides
    for _ in range(5):
        muster(south)
    assert in_reserve(south) == []
    assert "The reserve is empty." in muster(south).words("#desk")
    assert roll_of(south).rolls == ()


def test_a_draw_is_taken_back_as_a_whole(sides):
    north, south = sides
    before = listed(south)
    muster(south)
    south.do("take-back/")
    if south.match.proposal:
        north.do("answer/", agrees="yes")
    assert listed(south) == before


def test_another_side_draws_from_its_own_pool_alone(sides):
    north, _ = sides
    assert "The reserve is empty." in muster(north).words("#desk")


def test_pools_come_back_from_a_file(sides):
    _, south = sides
    muster(south)
    again, _ = send(save(south), side="south")
    assert len(in_reserve(again)) == 4
    muster(again, "mill")
    assert len(in_reserve(again)) == 3


def test_what_waits_to_be_written_down_says_where_it_goes(sides):
    north, south = sides
    south.do("option/", option="apply", choice="ask")
    muster(south)
    assert len(in_reserve(south)) == 5
    assert "to ford" in south.see() and "spun" in south.see().lower()
    south.do("proposed/", apply=["all"])
    assert len(in_reserve(north)) == 4
