"""Matches of Inferno on the Volga over HTTP: seats, hands that nobody else sees, rolls that fill others."""

import pytest

from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of

pytestmark = pytest.mark.django_db
SLUG = "inferno-on-the-volga"


def begin(side, mode):
    return players.begin(side, game=SLUG, **{"option-mode": mode})


def stand(player):
    return player.get("record.json").json()


def put(player, path, value):
    assert player.do("record/", field=path, value=value).status_code in (200, 302)


def ticked(player, helper, field):
    return bool(pages.find(text_of(player.get(f"roll/{helper}/")), f"[name={field}][checked]"))


def test_a_hand_is_a_number_for_everybody_else():
    german, links = begin("german", "one_v_one")
    soviet = players.sit(links["soviet"], german.match_id)
    put(german, "german_hand", "stuka, pak")
    assert stand(german)["record"]["german_hand"] == ["stuka", "pak"]
    assert stand(soviet)["record"]["german_hand"] == 2
    for place in ("", "record.json", "log/", "report/"):
        assert "stuka" not in text_of(soviet.get(place)).lower(), place
    log = {name: part for name, part in soviet.get("log.json").json().items() if name != "books"}  # every card's name
    assert "stuka" not in str(log).lower(), [name for name, part in log.items() if "stuka" in str(part).lower()]


def test_co_op_goes_from_yellow_by_the_soviets_to_blue():
    yellow, links = begin("yellow", "co_op")
    assert set(links) == {"blue", "observer"}
    blue = players.sit(links["blue"], yellow.match_id)
    sides = []
    for player in (yellow, yellow, blue, blue):
        sides.append(stand(yellow)["place"]["side"])
        player.do("advance/", button="turn")
    assert sides == ["yellow", "soviet", "blue", "soviet"]
    assert stand(blue)["place"] == {"turn": 3, "side": "yellow"}


def test_two_germans_against_the_app_call_each_other_partners():
    yellow, links = begin("yellow", "co_op")
    blue = players.sit(links["blue"], yellow.match_id)
    yellow.do("end/", sure="on")
    assert "Yellow (6th Army) asks to end the match. Waiting for your partner to answer." in yellow.see()
    assert "When both players ask for it, the match and everything in it is gone" in blue.see("file/")
    assert not any("other side" in player.see(place) for player in (yellow, blue) for place in ("", "file/", "seats/"))


def test_solo_has_one_seat_and_takes_back_a_call():
    german, links = begin("german", "solo")
    assert set(links) == {"observer"}
    german.roll("call", rows="5,5,5,5,5,5", faces="2 3 4 5 5 5", dice="table")
    assert stand(german)["record"]["rows"] == [5, 4, 4, 4, 2, 5]
    page = text_of(german.get("roll/call/"))
    assert pages.values_of_each(page, "[name=rows]", "value") == ["5, 4, 4, 4, 2, 5"]
    german.do("take-back/")
    assert stand(german)["record"]["rows"] == [5] * 6


def test_leaders_in_play_are_ticked_from_then_on():
    german, _ = begin("german", "solo")
    assert not ticked(german, "combat", "hoth")
    put(german, "leaders.german", "hoth, paulus")
    assert ticked(german, "combat", "hoth") and ticked(german, "call", "paulus")
    assert not ticked(german, "combat", "chuikov")


def test_the_672nd_pioneer_is_asked_once():
    german, _ = begin("german", "solo")
    put(german, "leaders.german", "linden")
    german.roll(
        "german-card", cards="672nd_pioneer", linden="on", own_dice="6", own_rubble="2", faces="123456", dice="table"
    )
    assert stand(german)["record"]["own_card"] == {"dice": 6, "rubble": 2}
    page = text_of(german.get("roll/rubble/"))
    assert pages.values_of_each(page, "[name=own_rubble]", "value") == ["2"]


def test_a_card_that_comes_is_counted_and_rubble_of_aa_is_laid():
    german, _ = begin("german", "solo")
    german.roll("spawn", controlled="3,19", tanks="0", dice="table")
    record = stand(german)["record"]
    assert (record["soviet_hand"], record["decks"]["soviet"], record["pools"]["infantry"]) == (2, 26, 20)
    german.roll("soviet-card", card="aa", aa_hex="7", dice="table")
    record = stand(german)["record"]
    assert (record["soviet_hand"], record["rubble"], record["discards"]) == (1, ["7"], ["aa"])
