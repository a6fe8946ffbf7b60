"""What fires use up and leave behind at the table: Stukas, guns, hexes, markers, observers, commanders."""

import json

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay

from .test_table import ATTACK, answer_due, begin, due, put, reach, record_of

pytestmark = pytest.mark.django_db
BOMB = {"points": "20", "terrain": "clear", "spotting": "0"}


@pytest.fixture
def german(frozen):
    return frozen("streets on two devices", begin)[0]


def fill(player, slug, query="", **values):
    """Fill in a roll's form on its page, with dice thrown at the table, and press."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/{query}")
    reader.form("#desk-form").fill(values).press("Resolve")
    return reader


def markers(player, place):
    return sorted(row["marker"] for row in record_of(player)["markers"] if row["hex"] == place)


def test_stukas_fly_once_a_turn(german):
    put(german, "stukas", "6")
    reach(german, 1, 5)
    fill(german, "attack", hex="0509", points=20, terrain="city", terrain_drm=0, flying=4, die=9)
    assert record_of(german)["stukas_used"] == 4 and "2 left" in german.see()
    reader = fill(german, "bombardment", points=9, flying=3, die=9)
    assert "2 Stukas left this turn, not 3 (15.21)" in reader.words() and record_of(german)["stukas_used"] == 4
    fill(german, "anti-aircraft", points=12, flying=2, stuka_af=3).form("#desk-form").fill(die=10).press("Resolve")
    assert record_of(german)["stukas_used"] == 6
    # Those at which guns have fired are counted already, and the bombardment that follows does not count them again.
    answer_due(german, die="5", terrain="clear")
    assert record_of(german)["stukas_used"] == 6
    german.do("take-back/")
    german.do("take-back/")
    assert record_of(german)["stukas_used"] == 4


def test_only_germans_send_stukas_and_not_in_every_phase(german):
    assert "Only Germans have Stukas" in fill(german, "bombardment", points=9, flying=1, firer="soviet", die=9).words()
    put(german, "phase", "13")
    assert "in phase 13: 2, 5, 6 and 8 (15.11)" in fill(german, "bombardment", points=9, flying=1, die=9).words()


def test_a_gun_fires_its_af_once_a_turn(german):
    reach(german, 1, 2)
    fill(german, "bombardment", points=9, gun_names="94/I 7/NbR", die=9)
    assert [(row["unit"], row["phase"]) for row in record_of(german)["fired"]] == [("94/I", 2), ("7/NbR", 2)]
    reader = fill(german, "attack", hex="0509", points=20, terrain="city", terrain_drm=0, gun_names="94/I", die=9)
    assert "94/I has fired (14.02" in reader.words() and "attack" not in [line.helper for line in german.log]
    reach(german, 2, 1)
    assert record_of(german)["fired"] == []


def test_guns_that_are_pinned_in_their_box_fire_again_in_phase_9(german):
    reach(german, 1, 6)
    fill(german, "bombardment", table="ebbt", points=30, op_on_1039=True, die=1)
    assert due(german) == ["box-guns"]
    answer_due(german, units="1093")
    assert record_of(german)["fired"] == [{"unit": "1093", "phase": 6, "in_box": True}]
    words = fill(german, "bombardment", firer="soviet", points=9, gun_names="1093", die=9).words()
    assert "1093 is pinned in its box" in words
    reach(german, 1, 9)
    assert record_of(german)["fired"] == []


def test_a_breakthrough_is_made_in_a_movement_phase_once_a_hex(german):
    reach(german, 1, 3)
    fields = {"points": 20, "terrain": "clear", "terrain_drm": 0, "combat_units": 1, "adjacent_infantry": True}
    fill(german, "attack", hex="0509", **fields, die=1)
    assert record_of(german)["breakthroughs"] == ["0509"] and record_of(german)["attacked"] == []
    assert markers(german, "0509") == ["breakthru"]
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/breakthrough/?hex=0509")
    assert page.find("input[name=already_this_phase][checked]")
    answer = german.roll("attack", hex="0509", **fields, die="1")
    assert answer.status_code == 422 and "10.4" in players.words_of(answer)
    german.do("drop/", step="all")
    german.do("advance/")
    assert markers(german, "0509") == ["spent"] and record_of(german)["breakthroughs"] == []


def test_what_is_pinned_under_an_attack_marker_stays_so_through_phase_6(german):
    reach(german, 1, 2)
    for place in ("0509", "0611"):
        fill(german, "bombardment", hex=place, points=30, terrain="clear", die=7)
    assert markers(german, "0509") == markers(german, "0611") == ["pinned"]
    reach(german, 1, 5)
    fill(german, "attack", hex="0509", points=9, terrain_drm=0, adjacent_infantry=True, die=10)
    assert markers(german, "0509") == ["attack", "pinned"]
    german.do("drop/", step="all")
    german.do("advance/")
    assert markers(german, "0509") == ["attack", "pinned"] and markers(german, "0611") == []
    reach(german, 1, 9)
    assert markers(german, "0509") == []


def test_a_hex_is_interdicted_until_the_next_attack_phase_ends(german):
    put(german, "stukas", "6")
    reach(german, 1, 2)
    fill(german, "interdiction", hex="0509", points=9, gun_names="94/I", flying=2)
    fill(german, "interdiction", hex="0611", points=4)
    assert markers(german, "0509") == ["interdicted"] and markers(german, "0611") == []
    assert record_of(german)["stukas_used"] == 2 and record_of(german)["fired"][0]["unit"] == "94/I"
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/breakthrough/?hex=0509")
    assert page.find("input[name=interdicted][checked]")
    reach(german, 1, 5)
    assert markers(german, "0509") == ["interdicted"]
    german.do("advance/")
    assert markers(german, "0509") == []


def test_a_p_on_the_volga_leaves_nobody_there_to_be_pinned(german):
    german.roll("defensive-fire", points="20", kind="opportunity", firer="german", hex="0331", terrain="volga", die="4")
    fire = next(line for line in german.log if line.helper == "defensive-fire")
    assert fire.result.details["marker"] == "pinned" and record_of(german)["markers"] == []


def test_an_observer_is_back_as_the_next_bombardment_phase_ends(german):
    reach(german, 1, 5)
    fields = {"number": "all", "combat": "1", "op": "1", "sniper": "1"}
    put(german, "snipers", "3")
    german.roll("bombardment-losses", **fields)
    row = {"what": "observer, as this phase ends", "side": "", "turn": 1, "phase": 6, "about": ""}
    assert record_of(german)["due"] == [row] and record_of(german)["snipers"] == 2
    german.do("advance/")
    assert record_of(german)["due"] == []
    reach(german, 1, 13)
    german.roll("losses", result="D1", combat_units="1", observers="1")
    assert [(row["turn"], row["phase"]) for row in record_of(german)["due"]] == [(2, 2)]


def set_out(player):
    """A tank of an owner's sheet, Zaitsev and a sniper of the text, all in one hex; their rows by name."""
    head = "name\tside\tback\tregiment\tbattalion\tarm\taf\tdf\trange\tmp"
    assert lay(player, f"{head}\n6 Tank\tSoviet\t\t6\t\tTank\t6\t5\t1\t21", "6").status == 200
    answer = player.do("counters/add/", list="Soviet: 6 Tank, Sniper, Zaitsev")
    assert answer.status_code == 302, players.words_of(answer)
    rows = {}
    for row in player.get("counters.json").json():
        player.do("counters/", id=row["id"], place="0509")
        name, sort = row["name"].partition(" #")[0], "tank" if "Tank" in row["name"] else "sniper"
        rows[name] = {"id": row["id"], "name": row["name"], "kind": row["counter"], "sort": sort}
    return rows


@pytest.mark.parametrize(
    ("name", "counted"), [("6 Tank", {"tanks": 1, "snipers": 3}), ("Sniper", {"tanks": 2, "snipers": 2})]
)
def test_a_tank_in_the_open_and_a_sniper_that_an_attack_takes_are_counted_no_more(name, counted):
    german = players.begin("german", hot_seat=True, game="streets-of-stalingrad")[0]
    units = set_out(german)
    reach(german, 1, 5)
    for field, value in (("tanks", "2"), ("snipers", "3")):
        put(german, field, value)
    who = json.dumps([units[name]])
    german.roll("losses", result="D1", combat_units="1", who=who, dice="table")
    assert {field: record_of(german)[field] for field in counted} == counted
    german.roll("losses", result="D1", combat_units="1", who=json.dumps([units["Zaitsev"]]), dice="table")
    assert record_of(german)["snipers"] == counted["snipers"]  # he is none of those
    german.do("take-back/")
    german.do("take-back/")
    assert (record_of(german)["tanks"], record_of(german)["snipers"]) == (2, 3)


def test_a_hex_that_fire_in_defence_has_emptied_has_no_pin(german):
    reach(german, 1, 5)
    fields = {"points": "9", "kind": "defensive", "firer": "soviet", "die": "1", "dice": "table"}
    for place, units in (("0611", "1"), ("0612", "2")):
        german.roll("defensive-fire", **fields, hex=place, combat_units=units)
        fire = [line for line in german.log if line.helper == "defensive-fire"][-1]
        assert fire.result.details["result"] == "D1P"
    assert (markers(german, "0611"), markers(german, "0612")) == ([], ["pinned"])


@pytest.mark.parametrize(("die", "fate"), [("6", "present"), ("1", "hq")])
def test_a_commander_who_is_back_lets_his_army_attack_from_the_next_turn_on(german, die, fate):
    reach(german, 3, 12)
    german.roll(
        "leader-survival", side="soviet", leader="chuikov", units_eliminated="2", die=die, turns_die="1", turn="3"
    )
    (row,) = record_of(german)["due"]
    reach(german, row["turn"], row["phase"])
    assert record_of(german)["commanders"]["chuikov"] == fate and record_of(german)["due"] == []
    assert record_of(german)["commanders_since"]["chuikov"] == row["turn"]
    reach(german, row["turn"], 12)
    answer = german.roll("attack", **ATTACK, firer="soviet", die="9")
    assert answer.status_code == 422 and "18.52" in players.words_of(answer)
    reach(german, row["turn"] + 1, 12)
    assert german.roll("attack", **ATTACK, firer="soviet", die="9").status_code == 302


def chosen(player, slug, name):
    page = Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/")
    field = page.find(f"[name={name}]")[0]
    picked = page.find(f"select[name={name}] option[selected]")
    return (picked[0] if picked else field).attributes.get("value")


def test_whose_phase_it_is_says_who_attacks_and_who_fires_at_him():
    german, _ = begin(scenario="1")
    for phase, mover, other in ((5, "german", "soviet"), (12, "soviet", "german")):
        reach(german, 2, phase)
        assert chosen(german, "attack", "firer") == mover
        assert chosen(german, "defensive-fire", "firer") == other
        assert chosen(german, "retreat", "side") == other
    assert chosen(german, "movement", "scenario") == "1" and chosen(german, "victory", "scenario") == "1"
