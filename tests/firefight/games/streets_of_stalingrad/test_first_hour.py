"""What the first hour with the game needs: a day begun in two presses, forms that know what was said, look-ups."""

import pytest

from tests.filling import Reader

from .test_table import begin, due, kept, reach

pytestmark = pytest.mark.django_db


@pytest.fixture
def german():
    return begin()[0]


def open_match(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def press_all(player, number):
    """Press the button that has the app throw for so many rolls."""
    reader = open_match(player)
    reader.form("#due form:has(#do-throw-all)").press(f"Roll all {number} here")
    return reader


def test_all_that_a_day_begins_with_is_thrown_for_at_once_as_far_as_dice_alone_are_lacking(german):
    reach(german, 39, 1)
    assert due(german) == ["ammunition", "ammunition", "weather", "stukas"]
    reader = press_all(german, 2)
    assert due(german) == ["ammunition", "ammunition"]  # nobody has said by what their die is multiplied
    rolls = {line.helper: line for line in german.log if line.kind == "roll"}
    assert rolls.keys() == {"weather", "stukas"}
    is_bad = rolls["weather"].result.outcome == "bad"
    assert kept(german)["weather"] == ("bad" if is_bad else "fair")
    assert len(rolls["stukas"].rolls) == (0 if is_bad else 1)  # fair weather is not thrown for again
    assert reader.find("#do-throw-all") == []


def test_one_press_is_one_act(german):
    reach(german, 39, 1)
    press_all(german, 2)
    assert len({line.act for line in german.log if line.kind == "roll"}) == 1


def test_nothing_is_offered_where_one_kind_is_due_or_somebody_has_to_say_more(german):
    reach(german, 2, 1)
    assert due(german) == ["stukas"]
    assert open_match(german).find("#do-throw-all") == []
    answer = german.do("due/", step="all")
    assert answer.status_code == 302 and due(german) == []
    answer = german.do("due/", step="all")
    assert answer.status_code == 403 and "Nothing was rolled" in answer.content.decode()
