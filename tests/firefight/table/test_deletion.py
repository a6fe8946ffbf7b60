"""Deleting a match: both sides, or who is alone, or both at one device; and nobody else."""

from datetime import timedelta
from uuid import uuid4

import pytest

from firefight.models import Match
from firefight.table.files import removal
from firefight.table.seats import seating
from tests.firefight.players import begin, end, links_in, rows, sit

pytestmark = pytest.mark.django_db

SURE = {"wants": "yes", "sure": "on"}


@pytest.fixture
def pair(frozen):
    return frozen("two sides and an observer", sit_down)


def sit_down():
    german, links = begin()
    return german, sit(links["russian"], german.match_id), sit(links["observer"], german.match_id)


def is_there(player):
    return Match.objects.filter(pk=player.match_id).exists()


def test_a_match_goes_once_both_sides_have_asked(pair):
    german, russian, _ = pair
    assert german.send("delete/", SURE).status_code == 302
    assert is_there(german)
    assert "The other side has asked to delete this match." in russian.see()
    assert "German asks to delete the match for good." in russian.see()
    assert "It goes once the other side asks for it too." in german.see("file/")
    assert russian.send("delete/", SURE)["Location"] == "/"
    assert not is_there(german)
    assert german.get().status_code == 403  # as for any match in which one holds no seat
    assert german.client.get("/").status_code == 200


def test_the_wish_can_be_taken_back(pair):
    german, russian, _ = pair
    german.send("delete/", SURE)
    german.send("delete/", {"wants": "no"})
    russian.send("delete/", SURE)
    assert is_there(german)


def test_whoever_takes_a_freed_seat_has_asked_for_nothing(pair, settings):
    german, russian, _ = pair
    russian.send("delete/", SURE)
    settings.SEAT_WAIT = timedelta(0)
    german.client.post(f"/match/{german.match_id}/seats/lost/", {"side": "russian", "do": "ask"})
    freed = {"side": "russian", "do": "free"}
    page = german.client.post(f"/match/{german.match_id}/seats/lost/", freed, follow=True)
    successor = sit(links_in(page)["russian"], german.match_id)
    german.send("delete/", SURE)
    assert is_there(german)
    assert successor.send("delete/", SURE)["Location"] == "/"
    assert not is_there(german)


ACTS = ("note", "roll/contact", "take-back", "end", "advance", "delete", "branch", "seats/lost", "seats/issue")


@pytest.mark.parametrize("place", ACTS)
def test_an_act_on_a_match_that_goes_meanwhile_is_told_so(pair, place, monkeypatch):
    german, _, _ = pair
    read = seating.at_table

    def read_and_lose(request, match_id, *args, **options):
        table = read(request, match_id, *args, **options)
        removal.delete_match(german.match)
        return table

    fields = {"act": str(uuid4()), "version": german.match.version, "sure": "on", "text": "hello", "wants": "yes"}
    fields |= {"device": "radio", "dice": "app", "side": "russian", "do": "ask"}
    monkeypatch.setattr(seating, "at_table", read_and_lose)
    assert german.send(f"{place}/", fields).status_code == 404
    assert not is_there(german)


def test_an_ended_match_can_be_deleted_and_its_log_stays_shut_until_then(pair):
    german, russian, _ = pair
    end(german, russian)
    lines = len(german.log)
    german.send("delete/", SURE)
    assert len(german.log) == lines
    assert "The other side has asked to delete this match." in russian.see()
    russian.send("delete/", SURE)
    assert not is_there(german)


def test_who_is_alone_or_holds_both_sides_deletes_at_once():
    for player in (begin()[0], begin(hot_seat=True)[0]):
        player.send("delete/", SURE)
        assert not is_there(player)


def test_on_one_device_with_pins_each_side_asks_for_itself():
    player, _ = begin(hot_seat=True, **{"pin-russian": "1234"})
    player.send("delete/", SURE)
    assert is_there(player)
    player.send("cover/", {})
    player.send("lift/", {"side": "russian", "pin": "1234"})
    player.send("delete/", SURE)
    assert not is_there(player)


@pytest.mark.parametrize("fields", [{}, {"wants": "yes"}, {"wants": "maybe", "sure": "on"}])
def test_nothing_goes_without_a_clear_word(pair, fields):
    german, russian, _ = pair
    russian.send("delete/", SURE)
    german.send("delete/", fields)
    assert is_there(german)


def test_observers_and_strangers_delete_nothing(pair):
    german, russian, observer = pair
    german.send("delete/", SURE)
    before = rows()
    assert observer.send("delete/", SURE).status_code == 403
    other, _ = begin()
    other.match_id = german.match_id
    assert other.send("delete/", SURE).status_code == 403
    assert [row for row in rows()[0] if row["id"] == german.match_id] == [
        row for row in before[0] if row["id"] == german.match_id
    ]
