"""A solo game as somebody begins it and reads it: what its pages offer, and what they leave out."""

import pytest

from tests.filling import Reader

from . import by_page

pytestmark = pytest.mark.django_db
STEP = "form#step-form"


def shown_sides(reader):
    labels = [node for node in reader.find(".choice-of label.choice") if node.css("[name=side]")]
    return [node.css_first("[name=side]").attributes["value"] for node in labels if "hidden" not in node.attributes]


def test_the_page_that_begins_a_game_offers_the_sides_of_its_mode(client):
    reader = Reader(client).open("/match/new/inferno-on-the-volga/")
    assert shown_sides(reader) == ["german"]
    assert reader.find("[data-with]:has([name=hot_seat])")[0].attributes["hidden"] is None
    reader.form("form.card:not(.lessons)").fill(**{"option-mode": "co_op"}).press("Begin")
    assert reader.status == 422 and shown_sides(reader) == ["yellow", "blue"]


def test_a_game_begins_with_one_button_and_shows_what_was_drawn(client):
    reader = by_page.begin(client, begins=False)
    assert [node.text().strip() for node in reader.find(f"{STEP} button")] == ["Begin"]
    reader.press("Begin", STEP)
    assert "You draw" in reader.words(f"{STEP} .told") and "under seal" not in reader.words(f"{STEP} .told")
    assert "German cards: " in reader.words("#board-status")
    assert not reader.has("#rolls") and not reader.has("#turn button[name=button]")
