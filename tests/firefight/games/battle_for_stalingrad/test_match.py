"""A match of Battle for Stalingrad: its record, its due rolls, its turn, and what a blank cell asks for."""

import pytest

from firefight.models import LogEntry
from tests import pages
from tests.firefight.players import begin, headline_of, sit, text_of, words_of

from . import GAME

pytestmark = pytest.mark.django_db

CELL = "cell:special_structures:die_addition"
GUNS = '[{"strength":10,"factor":"0.5","name":"8 10 12"}]'
BOMBARDMENT = {"kind": "bombardment", "terrain": "fortified", "firers": GUNS, "die": "1"}


@pytest.fixture
def both(frozen):
    return frozen("battle on two devices", sit_down)


def sit_down():
    german, links = begin(game=GAME, name="September")
    return german, sit(links["soviet"], german.match_id)


def record_of(player):
    return player.get("record.json").json()


def test_turns_are_a_number_and_no_course_is_made_up(both):
    german, _ = both
    assert record_of(german)["place"] == {"turn": 1}
    german.do("advance/", button="turn")
    assert record_of(german)["place"] == {"turn": 2}
    assert pages.values_of_each(text_of(german.get()), "[name=button]", "value").count("turn") >= 1


def test_the_record_is_that_of_the_contract(both):
    german, _ = both
    formations = [
        *("29_mot", "14_pz", "94_inf", "24_pz", "71_inf", "295_inf", "389_inf", "60_mot", "16_pz", "independent")
    ]
    assert record_of(german)["record"] == {"deployed": {name: [] for name in formations}, "depot_lost": False}


def test_counters_are_ticked_off_and_the_form_knows_what_is_left(both):
    german, soviet = both
    fields = {"formation": "29_mot", "values": "6-2-24"}
    assert german.roll("deployment", **fields, deploy="3").status_code == 302
    assert record_of(soviet)["record"]["deployed"]["29_mot"] == ["6-2-24"] * 3
    answer = german.roll("deployment", **fields, deploy="2")
    assert answer.status_code == 422 and "has 4 counters 6-2-24, and 1 left to deploy" in words_of(answer)
    german.roll("deployment", **fields, deploy="1")
    assert german.last.sentence == "German deployment. 29 Mot, 6-2-24: 4 counters, 4 deployed."
    german.do("take-back/")
    assert len(record_of(german)["record"]["deployed"]["29_mot"]) == 3
    german.do("record/", field="deployed.29_mot", value="2-18, 6-2-24")
    assert record_of(german)["record"]["deployed"]["29_mot"] == ["2-18", "6-2-24"]


def test_the_lost_depot_fills_the_form_of_a_fire_strength(both):
    _, soviet = both
    soviet.do("record/", field="depot_lost", value="yes")
    page = soviet.get("roll/fire-strength/")
    assert pages.find(text_of(page), "input[name=depot_lost][checked]")
    soviet.roll("fire-strength", side="soviet", arm="artillery", strength="12", depot_lost="on")
    assert soviet.last.result.details["strength"] == 6
    assert pages.values_of_each(text_of(soviet.get()), "#desk-form input[name=strength]", "value") == ["6"]


def test_a_bombardment_asks_how_to_round_before_a_die_falls(both):
    german, _ = both
    odds = german.client.post(f"/match/{german.match_id}/roll/combat/odds/", BOMBARDMENT)
    assert "10 × ½ × ¼ = 1¼. Is that 1 or 2?" in words_of(odds)
    lines = len(german.log)
    for dice in ("table", "app"):
        answer = german.roll("combat", **BOMBARDMENT, dice=dice)
        assert answer.status_code == 422 and "Is that 1 or 2?" in words_of(answer)
    assert len(german.log) == lines and german.match.next_roll == 1
    assert german.roll("combat", **BOMBARDMENT, rounding="up").status_code == 302
    assert german.last.result.details["exact"] == 1.25
    assert german.last.inputs["firers"] == [{"strength": 10, "factor": "0.5", "name": "8 10 12"}]
    again = german.get(f"roll/combat/?again={german.last.number}")
    assert "10 × ½ 8 10 12" in words_of(again)


def test_all_that_fire_are_typed_in_one_line_and_offered_again(both):
    german, _ = both
    line = {"firers-short": "6 4 8hi/103 5d 3t 2q", "rounding": "up", "die": "1"}
    assert german.roll("combat", terrain="heavy", **line).status_code == 302
    result = german.last.result
    assert result.details["exact"] == 6 + 4 + 8 / 2 / 2 + 5 * 2 + 3 * 3 + 2 / 4
    assert german.last.inputs["firers"][2] == {"strength": 8, "factor": "0.5", "name": "103", "indirect": True}
    page = words_of(german.get("roll/combat/"))
    assert "6 · 4 · 8 × ½ 103, indirect · 5 × 2 · 3 × 3 · 2 × ¼" in page


def test_a_card_that_is_looked_up_offers_its_combat_and_leaves_nothing_due(both):
    german, soviet = both
    for terrain in ("fortified", "heavy"):
        german.roll("terrain", terrain=terrain, occupant="soviet")
    assert german.match.state.queue == ()
    for page in map(text_of, (german.get(), soviet.get())):
        assert pages.words_of_each(page, "#desk-form h2") == ["Combat: heavy structure"]
        assert pages.values_of_each(page, "#desk-form select[name=terrain] [selected]", "value") == ["heavy"]
        assert not pages.find(page, "#desk-form details.filled") and not pages.find(page, "#desk.over")
    german.roll("combat", chained="1", terrain="heavy", occupant="soviet", strength="12", die="1")
    assert german.last.result.modified == 3
    assert "Nothing more is due" in text_of(german.get())


def test_what_is_agreed_of_fractions_is_asked_once(db):
    german, _ = begin(game=GAME, **{"option-fractions": "down"})
    assert "A fraction of Fire Strength: is rounded down." in text_of(german.get())
    chosen = "#desk-form select[name=rounding] [selected]"
    assert pages.values_of_each(text_of(german.get("roll/combat/")), chosen, "value") == ["down"]


def test_what_a_special_structure_adds_is_asked_once(both):
    german, soviet = both
    fields = {"strength": "12", "terrain": "special", "die": "1"}
    assert pages.find(text_of(german.get("roll/combat/", strength="12", terrain="special")), f"input[name='{CELL}']")
    assert german.roll("combat", **fields).status_code == 422
    german.roll("combat", **fields, **{CELL: "2"})
    assert german.last.result.modified == 3
    lines = [line for line in german.log if line.kind == LogEntry.Kind.BOOK]
    assert len(lines) == 1 and "addition to the die: 2" in lines[0].sentence
    soviet.roll("combat", **fields)
    sources = {source.chart: source.provenance for source in soviet.last.result.provenance}
    assert sources["special_structures"] == "owner" and sources["crt"] == "text"
    outside = soviet.client.get(f"/assist/{GAME}/combat.json", fields)
    assert outside.status_code == 400  # another match's owner is nobody here


def test_without_a_match_the_next_form_is_there(client):
    answer = client.post(f"/assist/{GAME}/fire-strength/", {"arm": "artillery", "terrain": "heavy", "strength": "24"})
    assert headline_of(answer) == "Artillery, bombarding or indirect: Fire Strength 12."
    assert pages.values_of_each(text_of(answer), "input[name=strength]", "value") == ["12"]
    assert pages.values_of_each(text_of(answer), "input[name=drm]", "value") == ["2"]


def test_a_strip_tells_turn_depot_and_counters_and_the_log_names_hex_and_defence(both):
    german, soviet = both
    german.roll("deployment", formation="29_mot", values="6-2-24", deploy="3")
    soviet.do("record/", field="depot_lost", value="yes")
    page = text_of(german.get())
    assert pages.words_of_each(page, "#board-strip h2") == ["Turn 1"]
    assert [*pages.words_of_each(page, "#board-strip dd")] == ["out of play", "3 of 116 on the map Use"]
    german.roll("combat", strength="12", terrain="heavy", hex="1726", defence="soviet", die="3")
    assert german.last.sentence.startswith("Combat. Soviet defence in a ground attack, hex 1726, Fire Strength 24: ")
    assert "3 of 116 on the map" in words_of(soviet.get("pack/"))
