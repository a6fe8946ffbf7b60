"""The reader of pages sends what a browser would, and nothing that a person could not."""

import pytest

from tests.filling import NotOffered, Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[True, False], ids=["htmx", "no script"])
def reader(request, frozen):
    """The German at a table of two, in front of the form of a Morale Check."""
    table = frozen("table", players.seated)
    address = f"/match/{table.german.match_id}/roll/morale/"
    return Reader(table.german.client, script=request.param).open(address)


def test_all_that_the_page_drew_is_sent(reader):
    sent = reader.form("#desk-form").fill(tq=6).sent()
    assert sent["tq"] == ["6"] and sent["version"] == ["3"] and len(sent["act"][0]) == 36
    assert "dice" not in sent  # only the button that is pressed


def test_live_odds_come_with_htmx_alone(reader):
    form = reader.form("#desk-form").fill(tq=6)
    assert ("Pinned Down" in reader.words("#odds")) is reader.script
    assert form.value("tq") == "6"


def test_what_comes_back_is_followed(reader):
    reader.form("#desk-form").fill(tq=6, die=8).press("Resolve")
    assert reader.status == 200
    assert "8" in reader.words("#log-rows li:first-child")
    assert reader.page.css_first("#live").attributes["data-version"] == "4"


def test_a_page_is_brought_up_to_date_by_news(reader, frozen):
    table = players.Player(reader.address.split("/")[2])
    table.client = reader.client
    table.note("Rain.")
    assert reader.form("#desk-form").fill(tq=6).value("version") == "3"
    reader.look()
    assert reader.form("#desk-form").value("version") == "4"


@pytest.mark.parametrize("field", [{"version": 9}, {"nothing": 1}, {"state": "asleep"}, {"firers": "german-1"}])
def test_nobody_fills_in_what_is_not_offered(reader, field):
    with pytest.raises(NotOffered):
        reader.form("#desk-form").fill(field)


def test_nobody_presses_what_is_not_there(reader):
    with pytest.raises(NotOffered):
        reader.form("#desk-form").press("Surrender")
    with pytest.raises(NotOffered):
        reader.press("Surrender")
