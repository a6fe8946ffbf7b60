"""How a campaign ends at the table: who stands in which victory hex, the points, the end of the match (3.1, 3.2)."""

import pytest

from tests.filling import Reader

from .test_around import bring
from .test_filling import german  # noqa: F401 (a fixture)

pytestmark = pytest.mark.django_db


def open_points(player):
    """The form of the victory points, from the bar."""
    return Reader(player.client).open(f"/match/{player.match_id}/").press("Victory points", "#rolls")


def held(reader):
    """The victory hexes that the form is filled with."""
    return reader.form("#desk-form").value("hexes")


def test_3_2_the_hexes_in_which_germans_stand_are_filled_in(german):  # noqa: F811
    german.do("counters/", id="german-1", place="0418")
    bring(german, "german", "Bridge", "0310")  # no unit
    bring(german, "german", "1/I/274", "0420")
    german.do("counters/", id="german-4", hidden="on")  # nothing is said of whoever is hidden
    german.do("record/", field="points_hexes", value="1039, 0419")
    german.do("counters/", id="soviet-1", place="0419")  # who was there has been driven out
    assert held(open_points(german)) == "0418, 1039"


def test_3_1_the_count_that_ends_the_game_offers_to_end_the_match(german):  # noqa: F811
    german.do("record/", field="turn", value="67")
    german.do("record/", field="phase", value="15")
    german.do("counters/", id="german-1", place="0418")
    reader = Reader(german.client).open(f"/match/{german.match_id}/").press("End the game")
    assert reader.find("#desk-form input[name=hexes][value='0418']") and not reader.find("details input[name=hexes]")
    reader.form("#desk-form").fill(hexes="1039").press("Resolve")
    assert "victory points" in reader.words("#result") and "The game is over" in reader.words("#desk")
    reader.press("End the match", "#desk")
    assert german.match.ended or german.match.proposal


def test_points_that_are_counted_on_the_way_end_nothing(german):  # noqa: F811
    reader = open_points(german)
    reader.form("#desk-form").fill(hexes="1039").press("Resolve")
    assert "victory points" in reader.words("#result") and "End the match" not in reader.words("#desk")
