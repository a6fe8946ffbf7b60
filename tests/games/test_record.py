"""The record in a match: what rolls, corrections and hands make of it, and what each side may know."""

import json

import pytest
from django.http import QueryDict

from firefight.assistant.desk import with_known
from firefight.games import registry
from firefight.models import Match
from firefight.table.rolling import replay
from tests.firefight import players
from tests.firefight.players import text_of
from tests.firefight.table.test_archive import save, send

pytestmark = pytest.mark.django_db

BANNERS = "three-banners"


@pytest.fixture
def banners(frozen):
    return frozen("three banners, nothing done", seat_banners)


def seat_banners():
    """A match with a browser for each of three sides and an observer."""
    red, links = players.begin("red", game=BANNERS)
    return {"red": red, **{side: players.sit(link, red.match_id) for side, link in links.items() if side != "red"}}


def record_of(player):
    return player.get("record.json").json()["record"]


def kept(player):
    return player.match.state.record


def hand_set(player, field, value, **more):
    return player.do("record/", field=field, value=value, **more)


def assault(player, attack="7", defence="7", **more):
    return player.roll("assault", strength="0", attack_dr=attack, defence_dr=defence, **more)


def test_a_match_begins_with_the_records_defaults(banners):
    answer = banners["blue"].get("record.json").json()
    assert answer["place"] == {}
    assert answer["record"]["supply"] == 6 and answer["record"]["lead"] == {"holder": "", "used": False}
    assert list(answer) == ["place", "record"]


def test_a_roll_changes_the_record_in_the_same_act_and_says_so(banners):
    red = banners["red"]
    assault(red, "12", "2")
    assert red.last.result.outcome == "broken_through"
    assert record_of(red)["supply"] == 5 and record_of(red)["lead"]["holder"] == "red"
    assert record_of(red)["due"] == [{"what": "pursuit", "turn": 2}]
    assert "Supply: 1 fewer." in red.last.result.effects
    assert "Due: what pursuit, turn 2 added." in text_of(red.get())
    assert red.last.result.details["changes"] == {
        "counted": {"clamp": 1},
        "supply": {"add": -1},
        "lead": {"holder": "red"},
        "due": {"add": [{"what": "pursuit", "turn": 2}]},
    }


def test_the_pure_query_tells_the_same_changes_and_applies_nothing(banners):
    query = "/assist/three-banners/assault.json?strength=0&supply=6&attack_dr=12&defence_dr=2"
    result = banners["red"].client.get(query).json()
    assert result["details"]["changes"]["supply"] == {"add": -1}
    assert kept(banners["red"])["supply"] == 6


def test_taking_back_restores_the_record_exactly(banners):
    red = banners["red"]
    before = kept(red)
    assault(red, "12", "2")
    assert kept(red) != before
    red.do("take-back/")
    assert kept(red) == before


def test_a_change_out_of_bounds_is_refused_in_words_and_nothing_is_half_changed(banners):
    red = banners["red"]
    for number in range(5):
        hand_set(red, "due", json.dumps([{"what": "x", "turn": n + 1} for n in range(number + 1)]))
    before, lines = kept(red), len(red.log)
    answer = assault(red, "12", "2")
    assert answer.status_code == 422 and "Due: 6 do not fit: at most 5." in text_of(answer)
    assert kept(red) == before and len(red.log) == lines


def test_forms_are_filled_from_the_record_and_what_is_typed_wins(banners):
    red = banners["red"]
    hand_set(red, "supply", "2")
    assert 'name="supply" value="2"' in text_of(red.get("roll/assault/"))
    assault(red, supply="9")
    assert red.last.inputs["supply"] == 9
    assert kept(red)["supply"] == 1


# Corrections


def test_a_correction_undoes_the_old_changes_and_makes_the_new_ones(banners):
    red = banners["red"]
    assault(red, "12", "2")
    number = red.last.number
    assault(red, "2", "12", corrects=str(number))
    assert kept(red)["lead"]["holder"] == "" and kept(red)["due"] == []
    assert kept(red)["supply"] == 5 and kept(red)["counted"] == 1


def test_a_correction_keeps_what_a_hand_has_set_since_and_says_so(banners):
    red = banners["red"]
    assault(red, "12", "2")
    number = red.last.number
    hand_set(red, "lead.holder", "green")
    by_hand = red.last.number
    assault(red, "11", "2", corrects=str(number))
    assert kept(red)["lead"]["holder"] == "green"
    assert f"holder stays as № {by_hand} has set it by hand: Green Banner." in red.last.sentence
    red.do("take-back/")
    assert kept(red)["lead"]["holder"] == "green" and kept(red)["supply"] == 5


def test_corrections_of_corrections_count_where_the_first_roll_stood(banners):
    red = banners["red"]
    assault(red, "12", "2")
    first = red.last.number
    hand_set(red, "supply", "3")
    assault(red, "2", "12")
    assert kept(red)["supply"] == 2
    for attack in ("10", "2", "12"):
        corrected = [line.number for line in red.log if line.kind == "roll" and line.voided_by is None]
        assault(red, attack, "2", corrects=str(first))
        standing = {line.number for line in red.log if line.kind == "roll" and line.voided_by is None}
        (first,) = standing - set(corrected)
        assert kept(red)["supply"] == 2 and kept(red)["counted"] == 2
    assert kept(red)["due"] == [{"what": "pursuit", "turn": 2}]


def test_a_correction_that_no_longer_fits_what_came_later_is_refused(banners):
    red = banners["red"]
    red.roll("scout", die="8")
    first = red.last.number
    hand_set(red, "due", json.dumps([{"what": "x", "turn": 1}] * 4))
    assault(red, "12", "2")
    second = red.last.number
    hand_set(red, "bridge_lost", "yes")
    before = kept(red)
    assert before["due"][-1]["what"] == "pursuit"
    assault(red, "2", "12", corrects=str(second))
    assert len(kept(red)["due"]) == 4
    assert first < second


# By hand


def test_a_value_set_by_hand_is_logged_with_old_and_new_and_taken_back(banners):
    blue = banners["blue"]
    assert hand_set(blue, "lead.holder", "blue").status_code == 302
    assert blue.last.sentence == "By hand, Lead, holder set to Blue Banner; it was Nobody."
    assert blue.last.kind == "record" and record_of(blue)["lead"]["holder"] == "blue"
    blue.do("take-back/")
    assert record_of(blue)["lead"]["holder"] == ""


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("supply", "13", "Supply: 13 is out of its bounds, 0 to 12."),
        ("moon", "1", "There is no such value in your record."),
        ("supply.moon", "1", "There is no such value in your record."),
        ("held", "[", "That is not a list or table in JSON."),
        ("held", "Moon", "There is no box “Moon” here"),
        ("counted", "3", "Counted by the app is kept by the app alone."),
        ("supply", "6", "Supply is that already."),
        ("hand", "charge", "There is no such value in your record."),
    ],
)
def test_what_cannot_be_set_is_refused(banners, field, value, message):
    blue = banners["blue"]
    before, lines = kept(blue), len(blue.log)
    answer = hand_set(blue, field, value)
    assert answer.status_code in (403, 422) and message in players.words_of(answer)
    assert kept(blue) == before and len(blue.log) == lines


def test_setting_has_the_seat_and_version_checks_of_all_acts(banners):
    red = banners["red"]
    assert hand_set(banners["observer"], "supply", "3").status_code == 403
    stale = str(red.match.version)
    hand_set(red, "supply", "3")
    assert hand_set(red, "supply", "4", version=stale).status_code == 409
    act = "6f1c3a52-7d54-4c8e-9d0c-0f1a8d2f7a11"
    hand_set(red, "supply", "5", act=act)
    lines = len(red.log)
    hand_set(red, "supply", "5", act=act)
    assert len(red.log) == lines and kept(red)["supply"] == 5


# Hidden


def test_a_hidden_roll_is_withheld_with_its_dice_and_inputs(banners):
    red, blue = banners["red"], banners["blue"]
    red.roll("draw", dice="app")
    line = red.last
    card = line.result.details["card"]
    assert kept(red)["hand"] == [card]
    assert line.sentence == "Red Banner: Red draws a card, under seal."
    assert line.secret == f"Red draws a card. Red draws: {card}." or line.secret == f"Red draws: {card}."
    assert record_of(red)["hand"] == [card] and record_of(blue)["hand"] == 1
    assert record_of(blue)["deck"] == 5 and record_of(banners["observer"])["hand"] == 1
    exported = {seat: banners[seat].get("log.json").json()["entries"][-1] for seat in ("red", "blue")}
    assert exported["red"]["result"]["details"]["card"] == card
    assert {"result", "inputs", "secret", "salt"}.isdisjoint(exported["blue"])
    assert exported["blue"]["rolls"][0]["face"] == 0 and exported["blue"]["rolls"][0]["number"] == 1


PLACES = ("", "log/", "log.json", "report/", "report.md", "archive.json", "record/", "record.json", "dice/", "file/")


def test_no_answer_to_another_side_tells_a_card(banners):
    red = banners["red"]
    red.roll("draw", dice="app")
    card = red.last.result.details["card"]
    hand_set(red, "hand", f"{card},feint" if card != "feint" else "feint,charge")
    for seat in ("blue", "green", "observer"):
        for place in PLACES:
            for htmx in (False, True):
                answer = banners[seat].get(place, htmx=htmx)
                assert answer.status_code == 200, place
                text = text_of(answer)
                assert f"draws: {card}" not in text and '"hand": ["' not in text, (seat, place)
        lines = banners[seat].get("log.json").json()["entries"]
        assert all("inputs" not in line and "result" not in line for line in lines[1:])
    assert f"draws: {card}" in text_of(red.get("report.md"))


def test_a_card_that_is_played_is_shown_to_all(banners):
    red, blue = banners["red"], banners["blue"]
    hand_set(red, "deck", json.dumps({"left": ["charge", "charge", "feint"], "discard": []}))
    hand_set(red, "hand", "rain,feint")
    red.roll("play-card", card="rain")
    assert "Red plays: rain." in blue.see()
    assert record_of(blue)["hand"] == 1 and record_of(blue)["weather"] == "wet"
    assert kept(red)["deck"]["discard"] == ["rain"]
    answer = red.roll("play-card", card="rain")
    assert answer.status_code == 422 and "Red hand: rain is not in it." in players.words_of(answer)


def test_another_side_does_not_roll_what_a_side_hides(banners):
    answer = banners["blue"].roll("draw", left="charge,feint", card="1")
    assert answer.status_code == 403 and "Red Banner rolls that itself" in players.words_of(answer)
    assert kept(banners["red"])["hand"] == []


def test_the_log_of_each_side_fits_its_digests_and_its_dice(banners):
    red = banners["red"]
    red.roll("draw", dice="app")
    assault(red)
    red.do("end/", sure="on")
    for seat in ("blue", "green"):
        banners[seat].do("answer/", agrees="yes")
    assert red.match.ended
    for seat in ("red", "blue", "observer"):
        result = replay.examine_log(banners[seat].get("log.json").json())
        assert result["problems"] == [], seat
    assert replay.examine_log(red.get("log.json").json())["again"].same == 2
    forged = red.get("log.json").json()
    die = next(die for line in forged["entries"] for die in line["rolls"])
    die["face"] = die["face"] % 6 + 1
    assert replay.examine_log(forged)["problems"]


def test_what_a_hidden_roll_asks_for_is_due_for_its_side_alone(banners):
    red, blue = banners["red"], banners["blue"]
    red.roll("draw", left="charge,feint", card="charge")
    (due,) = red.match.state.queue
    assert due.known_to == "red"
    assert "Scout before the charge" in red.see() and "Scout before" not in blue.see()
    assert blue.get("archive.json").json()["match"]["state"]["queue"] == []
    assert red.get("archive.json").json()["match"]["state"]["queue"][0]["known_to"] == "red"
    assert blue.do("drop/", step=due.id).status_code == 403
    assert blue.roll("scout", step=due.id, die="3").status_code == 403
    assert blue.do("drop/", step="all").status_code == 403
    red.do("drop/", step="all")
    assert (red.last.sentence, red.last.secret) == ("Red Banner seals a note.", f"Not rolled: {due.title}.")


def test_a_hidden_roll_is_corrected_by_its_side_and_stays_hidden(banners):
    red, blue = banners["red"], banners["blue"]
    red.roll("draw", left="charge,feint", card="charge")
    number = red.last.number
    assert kept(red)["hand"] == ["charge"] and len(red.match.state.queue) == 1
    red.roll("draw", card="feint", corrects=str(number))
    assert kept(red)["hand"] == ["feint"] and red.match.state.queue == ()
    assert kept(red)["deck"]["left"] == ["charge", "charge", "rain", "feint", "feint"]
    assert red.last.secret and "draws: feint" not in blue.see()
    answer = blue.roll("draw", card="feint", left="feint", corrects=str(red.last.number))
    assert answer.status_code == 403


# Files and branches


def test_a_file_and_a_branch_hold_the_record_as_the_side_knows_it(banners):
    red = banners["red"]
    red.roll("draw", dice="app")
    hand_set(red, "supply", "3")
    files = {seat: banners[seat].get("archive.json").json() for seat in ("red", "blue")}
    assert files["red"]["match"]["state"]["record"] == kept(red)
    withheld = files["blue"]["match"]["state"]["record"]
    assert withheld["supply"] == 3 and withheld["hand"] == [] and len(withheld["deck"]["left"]) == 6
    for seat in ("red", "blue"):
        before = set(Match.objects.values_list("pk", flat=True))
        answer = banners[seat].do("branch/", hot_seat="on")
        assert answer.status_code == 302, text_of(answer)
        (branch,) = Match.objects.exclude(pk__in=before)
        assert branch.state.record == files[seat]["match"]["state"]["record"]


# One player


@pytest.fixture
def watch():
    """A match for one player."""
    return players.begin("watch", game="lone-watch", mode="alone")[0]


def test_the_app_draws_for_a_side_that_nobody_plays_and_does_not_show_it(watch):
    page = text_of(watch.get("roll/night/"))
    assert "the app rolls" in page and "owl" not in page and "wolf" not in page
    watch.roll("night", dice="app")
    assert len(kept(watch)["hand"]) == 1 and len(kept(watch)["deck"]["left"]) == 2
    line = watch.last
    assert line.side == "night" and line.sentence == "The Night: The night draws, under seal."
    for place in PLACES[:4] + PLACES[6:]:
        text = text_of(watch.get(place))
        assert "owl" not in text and "wolf" not in text, place
    for _ in range(2):
        watch.roll("night", dice="app")
    answer = watch.roll("night", dice="app")
    assert answer.status_code == 422 and "The night has no card left." in players.words_of(answer)


def test_the_place_can_be_set_by_hand(watch):
    assert watch.get("record.json").json()["place"] == {"turn": 1, "side": "watch"}
    hand_set(watch, "turn", "4")
    assert watch.get("record.json").json()["place"] == {"turn": 4, "side": "watch"}
    assert watch.last.sentence == "By hand, Turn set to 4; it was 1."
    watch.do("take-back/")
    assert watch.get("record.json").json()["place"]["turn"] == 1


def place_of(player):
    return player.get("record.json").json()["place"]


def test_a_roll_leads_the_match_to_another_place_and_taking_it_back_leads_back(watch):
    hand_set(watch, "turn", "4")
    watch.roll("dawn", die="12")
    assert watch.last.inputs["turn"] == 4 and place_of(watch) == {"turn": 5, "side": "watch"}
    assert "Turn: 5." in watch.last.result.effects
    watch.do("take-back/")
    assert place_of(watch) == {"turn": 4, "side": "watch"}


def test_a_correction_leads_back_unless_the_course_has_gone_on(watch):
    watch.roll("dawn", die="12")
    watch.roll("dawn", die="3", corrects=str(watch.last.number))
    assert place_of(watch) == {"turn": 1, "side": "watch"}
    watch.roll("dawn", die="12")
    number = watch.last.number
    watch.do("advance/")
    place = place_of(watch)
    watch.roll("dawn", die="3", corrects=str(number))
    assert place_of(watch) == place == {"turn": 2, "side": "night"}
    assert "The course has gone on since" in watch.last.sentence


def test_a_place_out_of_the_course_is_refused(watch):
    for typed in ("0", "13", "x"):
        answer = hand_set(watch, "turn", typed)
        assert answer.status_code == 422 and "Turn: " in players.words_of(answer)
    assert hand_set(watch, "side", "owl").status_code == 422


def test_what_came_with_a_file_is_not_corrected_unseen(banners):
    red = banners["red"]
    assault(red, "12", "2")
    number = red.last.number
    player, _ = send(save(red), side="red")
    before = kept(player)
    answer = assault(player, "2", "12", corrects=str(number))
    assert answer.status_code == 422 and "came with a file" in players.words_of(answer)
    assert kept(player) == before == kept(red)
    hand_set(player, "supply", "9")
    assert kept(player)["supply"] == 9


def test_a_spoilt_record_in_a_file_is_told_with_its_place(banners):
    saved = save(banners["red"])
    saved["match"]["state"]["record"] |= {"supply": 99, "weather": "hail"}
    _, answer = send(saved, side="red")
    words = players.words_of(answer)
    assert "match, state, record, Supply: 99 is out of its bounds, 0 to 12." in words
    assert "match, state, record, Weather: choose one of: dry, wet." in words


def test_a_tick_that_is_not_sent_says_no_whatever_is_known():
    """A browser sends no boxes that nobody has ticked."""
    fire = registry.helpers("combat-stalingrad")["fire"]
    known = {"ff": 8, "modifiers": ["woods"], "observed": True, "name": None}
    filled = with_known(QueryDict("ff=4"), fire, known, False, ())
    assert dict(filled.lists()) == {"ff": ["4"]}
    assert with_known(QueryDict(""), fire, known, False, ())["ff"] == 8


# Rows


def post(player, change, **more):
    return hand_set(player, "posts", json.dumps(change), **more)


def test_a_roll_adds_a_row_and_hands_change_it(banners):
    red, blue = banners["red"], banners["blue"]
    red.roll("move", box="Mill")
    assert record_of(blue)["posts"] == {"Mill": {"men": 2}}
    hand_set(blue, "posts.Mill.men", "5")
    assert blue.last.sentence == "By hand, Mill: men set to 5; it was 2."
    assert record_of(red)["posts"]["Mill"] == {"men": 5}
    blue.do("take-back/")
    assert record_of(red)["posts"]["Mill"] == {"men": 2}


def test_a_sealed_row_is_known_to_its_side_alone_in_every_answer(banners):
    red, blue = banners["red"], banners["blue"]
    post(red, {"add": {"red-1": {"known_to": "red", "name": "Zaytsev", "box": "Ford", "men": 7}}})
    assert record_of(red)["posts"]["red-1"]["name"] == "Zaytsev"
    hand_set(red, "posts.red-1.men", "8")
    assert kept(red)["posts"]["red-1"]["men"] == 8
    assert "sets something in its hidden record" in text_of(blue.get())
    for page in ("", "record/", "record.json", "log/", "log.json", "archive.json", "report/"):
        assert "Zaytsev" not in text_of(blue.get(page)) and "red-1" not in text_of(blue.get(page)), page
        assert page in ("report/",) or "Zaytsev" in text_of(red.get(page)), page


def test_nobody_finds_a_sealed_row_by_trying(banners):
    red, blue = banners["red"], banners["blue"]
    post(red, {"add": {"red-1": {"known_to": "red", "men": 7}}})
    before = kept(red)
    tries = [
        ("posts", json.dumps(change))
        for id in ("red-1", "red-2")
        for change in ({"add": {id: {}}}, {"change": {id: {"men": 1}}}, {"strike": [id]})
    ]
    tries += [(f"posts.{id}.men", "3") for id in ("red-1", "red-2")]
    counts = {
        text_of(hand_set(blue, field, value)).count("There is no such value in your record.") for field, value in tries
    }
    assert counts == {1} and kept(red) == before
