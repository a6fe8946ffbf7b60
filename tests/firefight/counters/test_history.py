"""Histories: what the log tells of each counter, and nothing of it to who may not know."""

import pytest

from firefight.games import registry
from firefight.models import LogEntry, Match
from firefight.table.log import reading
from firefight.table.story import history
from tests.firefight.players import GAME, text_of, words_of

pytestmark = pytest.mark.django_db

LIST = "German: 2 Panzergrenadier squads\nRussian: 2 Rifle squads"


def summary(counter, sees=("german", "russian")):
    histories = history.read_histories(Match.objects.get(), sees)
    return histories.of[counter].summarize(histories.words) if counter in histories.of else ""


def write(number, kind="ledger", side="german", **more):
    return LogEntry(number=number, kind=kind, side=side, sentence="", **more)


def tell(*entries, sees=(), game=GAME):
    return history.tell_histories(reading.visible(entries, sees), registry.games()[game])


@pytest.fixture
def stacked(table):
    table.german.do("counters/add/", list=LIST)
    return table


def test_a_counter_that_is_added_hurt_and_falls_has_its_history(stacked):
    assert summary("german-1") == "came into play"
    stacked.german.do("counters/", id="german-1", becomes="reduced")
    assert summary("german-1") == "came into play, reduced"
    stacked.german.do("counters/", id="german-1", becomes="eliminated")
    assert summary("german-1") == "came into play, reduced, fell"
    histories = history.read_histories(Match.objects.get(), ())
    assert [(fell, moment.cause) for fell, moment in histories.falls] == [("german-1", history.BY_HAND)]


def test_what_was_undone_is_no_part_of_a_history(stacked):
    stacked.german.do("counters/", id="german-1", becomes="reduced")
    number = Match.objects.get().last_number
    stacked.german.do("counters/undo/", number=number)
    assert summary("german-1") == "came into play"


def test_a_fall_counts_for_those_whose_attack_began_the_chain():
    fire = write(1, "roll", helper="fire", inputs={"firers": ["german-1", "german-2"], "targets": ["russian-1"]})
    check = write(2, "roll", "russian", helper="morale", due="1-0", inputs={"id": "russian-1"})
    fell = write(3, "counter", "russian", about=2, inputs={"counters": {"russian-1": {"fate": ["", "eliminated"]}}})
    histories = tell(fire, check, fell)
    assert [(id, moment.cause, moment.by) for id, moment in histories.falls] == [
        ("russian-1", "Fire and morale", ("german-1", "german-2"))
    ]
    assert (histories.credits("german-1"), histories.credits("russian-1")) == (1, 0)
    assert histories.of["russian-1"].summarize(histories.words) == "under attack, fell"
    assert histories.of["german-1"].summarize(histories.words) == "attacked"


@pytest.mark.parametrize(
    "game,fields,says,is_harm",
    [
        ("streets-of-stalingrad", {"fate": ["", "left"]}, "wounded", True),
        ("streets-of-stalingrad", {"state": [[], ["immobilized"]]}, "immobilized", True),
        ("streets-of-stalingrad", {"state": [[], ["pinned"]]}, "", False),
        ("turning-point-stalingrad", {"state": [[], ["d1"]]}, "", False),
        (GAME, {"state": [[], ["pinned"]]}, "", False),
        (GAME, {"fate": ["", "left"]}, "taken off", False),
        ("streets-of-stalingrad", {"state": [[], ["m_killed"]]}, "", False),
    ],
)
def test_each_game_says_by_what_a_counter_is_hurt(game, fields, says, is_harm):
    histories = tell(write(1, "counter", inputs={"counters": {"german-1": fields}}), game=game)
    summaries = [of_one.summarize(histories.words) for of_one in histories.of.values()]
    assert summaries == ([says] if says else [])
    assert len(histories.harms) == is_harm


def test_who_is_put_back_has_not_fallen():
    fell = write(1, "counter", inputs={"counters": {"german-1": {"fate": ["", "eliminated"]}}})
    back = write(2, "counter", inputs={"counters": {"german-1": {"fate": ["eliminated", ""]}}})
    assert not tell(fell, back).falls


def test_what_a_ledger_tells_of_units_is_read_with_its_cause():
    histories = tell(write(1, inputs={"befell": {"german-1": ["redeployed", "reduced"]}, "cause": "re-deployment"}))
    assert histories.of["german-1"].summarize(histories.words) == "re-deployed, reduced"
    assert [(moment.word, moment.cause) for _, moment in histories.harms] == [("reduced", "re-deployment")]


def test_a_sealed_line_tells_its_own_side_alone():
    sealed = write(1, secret="hidden", inputs={"befell": {"german-1": ["set_up"]}, "cause": "set-up"})
    histories = tell(sealed, sees=("german",))
    assert histories.of["german-1"].summarize(histories.words) == "set up"
    assert not tell(sealed).of


def test_the_roll_of_honour_shows_each_counter_with_its_story(stacked):
    stacked.german.do("counters/", id="german-1", becomes="eliminated")
    for player in (stacked.german, stacked.russian, stacked.observer):
        page = player.client.get(f"/match/{player.match_id}/honours/")
        assert "1 of 2 counters stand" in words_of(page)
        assert "† told by hand" in words_of(page)
        assert f"/match/{player.match_id}/log/?about=german-1" in text_of(page)
