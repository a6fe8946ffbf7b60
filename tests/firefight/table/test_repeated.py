"""A form that is sent again gets the first answer, whatever has changed since, and changes nothing itself.

Whoever heard no answer sends the form once more. By then a poll may have brought it up to the match's present
version, the other side may have acted, and what the form asked for may be possible no more.
"""

import uuid

import pytest

from firefight.table.views import acts as views
from firefight.urls import _match as MATCH
from tests.firefight.players import rows

pytestmark = pytest.mark.django_db

FIRE = {"ff": "20", "units": '[{"kind":"squad","name":"1st squad","tq":7}]', "die": "70", "dice": "table"}


def walk(table):
    """Every act of a match as its player, its address and its fields, made when the match stands where it belongs."""
    german, russian = table.german, table.russian
    yield german, "roll/fo-loss/", {"die": "4", "dice": "table"}
    yield german, "roll/fo-loss/", {"die": "8", "dice": "table", "corrects": german.last.number}
    yield russian, "roll/fo-loss/", {"dice": "app"}
    yield german, "roll/fire/", FIRE
    yield russian, "roll/morale/", {"tq": "7", "die": "3", "dice": "table", "step": first_due(russian)}
    yield german, "roll/fire/", FIRE
    yield german, "drop/", {"step": first_due(german)}
    yield german, "roll/fire/", FIRE
    yield russian, "drop/", {"step": "all"}
    yield german, "answer/", {"agrees": "yes"}
    yield german, "note/", {"text": "Into the cellar!"}
    yield german, "take-back/", {}
    yield german, "note/", {"text": "Mines in L9.", "sealed": "on"}
    yield german, "reveal/", {"number": german.last.number}
    yield russian, "roll/fo-loss/", {"dice": "app"}
    yield russian, "take-back/", {}
    yield german, "answer/", {"agrees": "no"}
    yield russian, "take-back/", {}
    yield russian, "answer/", {"agrees": "no"}
    yield russian, "take-back/", {}
    yield german, "answer/", {"agrees": "yes"}
    while german.match.state.phase != "fire_and_movement":
        yield german, "advance/", {}
    yield german, "advance/", {"button": "impulse"}
    yield german, "end/", {"sure": "on"}
    yield russian, "answer/", {"agrees": "yes"}


def first_due(player):
    return player.match.state.queue[0].id


def answer_of(response):
    return response.status_code, response.headers.get("Location")


def test_every_act_is_done_once_however_often_and_however_late_its_form_comes(table):
    sent = []
    for player, place, values in walk(table):
        fields = {**values, "act": str(uuid.uuid4()), "version": str(player.match.version)}
        first = player.send(place, fields)
        assert first.status_code == 302, (place, fields)
        sent.append((player, place, fields, answer_of(first)))
        before = rows()
        for version in (fields["version"], str(player.match.version)):
            assert answer_of(player.send(place, {**fields, "version": version})) == answer_of(first), (place, version)
            assert rows() == before, place
    assert table.german.match.ended
    assert names_of_acts() < {place.split("/")[0] for _, place, _, _ in sent}
    before = rows()
    for player, place, fields, first in sent:
        for version in (fields["version"], str(player.match.version)):
            assert answer_of(player.send(place, {**fields, "version": version})) == first, place
    assert rows() == before


def names_of_acts():
    """What the addresses of acts without a form of their own end in."""
    return {pattern.name for pattern in MATCH if pattern.callback.__module__ == views.__name__}


def test_a_roll_that_is_sent_again_gets_its_first_answer_even_where_it_cannot_be_read_any_more(table):
    german = table.german
    fields = {"die": "4", "dice": "table", "act": str(uuid.uuid4()), "version": german.match.version}
    first = german.send("roll/fo-loss/", fields)
    assert first.status_code == 302
    before = rows()
    again = german.send("roll/fo-loss/", {**fields, "die": "x"})
    assert (answer_of(again), rows()) == (answer_of(first), before)
    refused = german.send("roll/fo-loss/", {**fields, "die": "x", "act": "no id"})
    assert refused.status_code == 422
