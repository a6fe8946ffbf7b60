"""The sheet of a roll: the odds in a line, what it lacks, fields that do not matter now, a headline that counts."""

import pytest

from firefight.assistant.desk import Desk, prepare_desk
from firefight.assistant.shown_odds import LINE_ROOM, PART_ROOM, count_outcomes, sum_up_odds
from firefight.columns import LoggedResult
from firefight.engine.rolls.odds import distribution
from firefight.games import chartbooks, registry
from tests import pages
from tests.filling import Reader

GAME = "combat-stalingrad"
FIRE, MORALE = (registry.helpers(GAME)[slug] for slug in ("fire", "morale"))
pytestmark = pytest.mark.django_db


def line_of(helper, **weights):
    """A distribution in a line: "22 % hard"."""
    odds = distribution({(name, name): weight for name, weight in weights.items()})
    return [f"{part.percent} % {part.word}" for part in sum_up_odds(helper, (odds,))]


def desk_of(helper, **values):
    book = chartbooks.shipped(helper.game)
    return prepare_desk(Desk(helper, helper.form.from_plain(values, book=book)), book)


def test_outcomes_with_the_same_brief_word_are_added_up():
    assert line_of(FIRE, e=10, c=12, m=40, none=38) == ["22 % losses", "40 % check", "38 % nothing"]


def test_casualties_are_named_beside_an_elimination():
    helper = registry.helpers(GAME)["close-combat"]
    assert line_of(helper, e=38, c=30, none=32) == ["38 % Elimination", "30 % Casualties", "32 % nothing"]


def test_other_is_as_small_as_there_is_room_for():
    odds_line = line_of(MORALE, **{"a rather long outcome with a tail": 40}, hit=25, miss=20, draw=15)
    assert odds_line == ["25 % hit", "20 % miss", "15 % draw", "40 % other"]


def test_what_has_no_room_in_the_line_is_added_up_as_other_and_nothing_is_lost():
    parts = sum_up_odds(MORALE, (distribution({("x", f"A rather long outcome {n}"): n for n in range(1, 9)}),))
    assert parts[-1].word == "other"
    assert sum(len(part.word) + PART_ROOM for part in parts) <= LINE_ROOM + PART_ROOM
    assert sum(int(part.percent) for part in parts) == 100


@pytest.mark.parametrize("game", list(registry.games()))
def test_every_brief_word_stands_for_an_outcome_or_a_label_and_fits(game):
    for helper in registry.helpers(game).values():
        assert all(len(word) <= LINE_ROOM - PART_ROOM for word in helper.brief.values())
        known = {*helper.outcomes}
        assert not helper.brief or known & set(helper.brief), helper.slug


def test_a_roll_names_what_it_lacks_first_and_where_that_is_told():
    assert desk_of(FIRE).first_lack.field == "f-ff"
    assert desk_of(MORALE).first_lack.words.startswith("TQ")
    bracket = desk_of(registry.helpers(GAME)["bracket"]).first_lack
    assert (bracket.field, bracket.words) == ("f-aim", "Hex aimed at: fill this in.")
    assert desk_of(FIRE, ff=14).first_lack is None


def test_the_page_offers_what_matters_beside_the_weapon(client):
    reader = Reader(client).open(f"/assist/{GAME}/fire/")
    assert not reader.find(".field[hidden] #f-ff")
    assert reader.find(".field[hidden] #f-caliber")
    sheet = Reader(client).open(f"/assist/{GAME}/fire/?weapon=caliber&caliber=76")
    assert not sheet.find(".field[hidden] #f-caliber")


def test_a_refusal_stands_at_the_field_and_at_the_button(client):
    reader = Reader(client).open(f"/assist/{GAME}/fire/").form("#desk-form").press("Resolve")
    assert "Give the firepower factors" in reader.words("#f-ff_error")
    (alert,) = reader.find(".pinned [role=alert]")
    assert "Give the firepower factors" in pages.words(alert)
    assert alert.css("a")[0].attributes["href"] == "#f-ff"


def test_a_headline_counts_what_came_of_several_checks():
    results = [
        LoggedResult("morale", "", outcome=outcome) for outcome in ("pinned", "no_effect", "disrupted", "no_effect")
    ]
    assert count_outcomes(MORALE, results) == "1 Disrupted, 1 Pinned Down, 2 passed"
    assert count_outcomes(MORALE, results[:1]) == ""
    assert count_outcomes(MORALE, [LoggedResult("morale", "", outcome="unheard_of"), *results]) == ""
