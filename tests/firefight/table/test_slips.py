"""A slip in a typed die is put right from the result's own card."""

import pytest

from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, sit, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    german, links = begin()
    german.roll("morale", tq=6, name="Vogt", die=3, dice="table")
    return german, sit(links["russian"], german.match_id)


def links(player):
    return [link.attributes["href"] for link in pages.find(text_of(player.get()), "#desk .result a.correct")]


def test_the_card_leads_to_the_form_with_the_old_inputs_and_the_roll_is_corrected(table):
    german, _ = table
    [link] = links(german)
    Reader(german.client).open(link).form("#desk-form").fill(die="9").press("Resolve")
    assert [line.voided_by is None for line in german.log if line.helper == "morale"] == [False, True]
    assert "9 against TQ 6" in pages.words_of_each(text_of(german.get()), "#result")[0]


def test_only_own_dice_from_the_table_lead_there_while_the_match_goes_on(table):
    german, russian = table
    assert not links(russian)
    german.roll("morale", tq=6, name="Vogt", dice="app")
    assert not links(german)
    german.roll("morale", tq=6, name="Vogt", die=3, dice="table")
    assert links(german)
    german.do("end/", sure="on")
    russian.do("answer/", agrees="yes")
    assert german.match.ended and not links(german)


def test_each_of_several_results_of_a_card_can_be_corrected():
    german, _ = begin(hot_seat=True)
    german.do("counters/add/", list="German: 2 Panzergrenadier squads\nRussian: 1 Rifle squad")
    german.do("counters/", id=["german-1", "german-2", "russian-1"], place="K7")
    german.do("advance/", button="phase")
    german.do("advance/", button="phase")
    german.do("melee/", place="K7")
    first, second = german.match.state.queue
    boxes = {f"due-{first.id}-die": 100, f"due-{second.id}-die": 100}
    german.do("due/", step=[first.id, second.id], dice="table", **boxes)
    rolled = [line.number for line in german.log if line.helper == "close-combat"]
    assert [link.partition("corrects=")[2] for link in links(german)] == [str(number) for number in rolled]
