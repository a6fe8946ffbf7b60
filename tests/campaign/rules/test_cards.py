import re

import pytest

from campaign.rules.cards import Stance, read_card
from campaign.rules.rosters import Time
from tests.campaign.plain import CARD_FILES, CONTENT, GERMAN, RUSSIAN, card_problems, plain

CG1, CG2 = CONTENT.cards["cg1"], CONTENT.cards["cg2"]


@pytest.mark.parametrize("name", CARD_FILES.values())
def test_the_house_cards_have_no_problem(name):
    assert card_problems(plain(name)) == []


def test_into_the_inferno_has_the_times_and_stances_of_the_text():
    assert CG1.times == (Time.DAWN, Time.AM, Time.PM)
    assert [CG1.forces[side].stance for side in (GERMAN, RUSSIAN)] == [Stance.ATTACKER, Stance.DEFENDER]
    assert [CG1.origin.of(name) for name in ("times", "name", "end_numbers")] == ["text", "text", "house"]
    assert [CG1.forces[GERMAN].origin.of(name) for name in ("stance", "cp")] == ["text", "house"]


def test_to_the_volga_has_the_second_third_and_fourth_time_of_the_text():
    assert CG2.times[1:] == (Time.AM, Time.PM, Time.NIGHT)
    assert {forces.stance for forces in CG2.forces.values()} == {Stance.CHOOSES}
    assert CG2.origin.of("times") == "house"


@pytest.mark.parametrize("card", [CG1, CG2], ids=["cg1", "cg2"])
def test_end_numbers_leave_a_real_roll_and_every_sector_has_one_first_owner(card):
    assert list(card.end_numbers) == [5, 6, 7]
    assert all(1 <= number <= 9 for number in card.end_numbers.values())
    areas = [set(card.forces[side].deployment) for side in (GERMAN, RUSSIAN)]
    assert areas[0] | areas[1] == set(CONTENT.sector_map.neighbours)
    assert not areas[0] & areas[1]


def test_the_reinforcement_roll_is_told_as_players_write_it():
    assert CG1.forces[GERMAN].reinforcement == "d10 + 6"
    data = plain("into_the_inferno")
    data["german"]["reinforcement"]["add"] = 0
    card, _ = read_card(data, CONTENT.sector_map, CONTENT.rosters, CONTENT.counters)
    assert card.forces[GERMAN].reinforcement == "d10"


def deep(data, path, value):
    *way, last = path.split(".")
    for part in way:
        data = data[part]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("id", "cg3", r"id\]: should be one of cg1, cg2"),
        ("id", ["cg1"], r"id\]: should be one of"),
        ("times", ["Dawn", "AM"], r"times\]: the text gives CG I the times Dawn, AM, PM"),
        ("times", ["Noon"], r"times\]: should be one of Dawn, AM, PM, Night"),
        ("times", [], r"times\]: there is no firefight"),
        ("times", "Dawn", r"times\]: should be a list"),
        ("end_numbers", {"5": 8, "6": 6}, r"end_numbers.7\]: is missing"),
        ("end_numbers", {"4": 9, "5": 8, "6": 6, "7": 4}, r"end_numbers.4\]: is not known here"),
        ("end_numbers", {"5": 8, "6": 6, "7": 11}, r"end_numbers.7\]: should lie between 1 and 10"),
        ("random_hex", "Z9", r"random_hex\]: should be a hex of the map"),
        ("random_hex", "M3", r"random_hex\]: should be a hex of the map"),
        ("german.stance", "defender", r"german.stance\]: the text makes the German the Attacker"),
        ("russian.stance", "attacker", r"stance\]: one side attacks and the other defends"),
        ("russian.stance", "sleeps", r"russian.stance\]: should be one of"),
        ("german.cp", -1, r"german.cp\]: should lie between 0 and 999"),
        ("german.reinforcement", {"sides": 1, "add": 6}, r"german.reinforcement.sides\]: should lie between 2 and 100"),
        ("german.reinforcement", {"sides": 10, "add": -1}, r"german.reinforcement.add\]: should lie"),
        ("german.reinforcement", {"sides": 10, "add": 1, "times": 2}, r"reinforcement.times\]: is not known here"),
        ("german.deployment", [1, 40], r"german.deployment\]: names an unknown sector: 40"),
        ("german.deployment", [], r"german.deployment\]: there is no sector to set up in"),
        ("german.at_start", [{"group": "I77", "number": 1}], r"at_start\]: names an unknown group or counter: I77"),
        ("german.at_start", [{"counter": "elephant", "number": 1}], r"names an unknown group or counter: elephant"),
        ("german.at_start", [{"group": "I1", "number": 0}], r"at_start.number\]: should lie between 1 and 50"),
        ("german.at_start", [{"number": 1}], r"every entry names either a group or a counter"),
        ("german.at_start", [{"group": "I1", "counter": "nco", "number": 1}], r"names either a group or a counter"),
        ("german.at_start", [{"group": "I1", "number": 13}], r"needs 39 of Grenadier squad, and there are 36"),
        ("german.at_start", "all", r"german.at_start\]: should be a list"),
        ("german.orders", [5], r"german.orders\]: should hold texts"),
        ("german.morale", 9, r"german.morale\]: is not known here"),
        ("text", ["weather"], r"text\]: names a value that is not here: weather"),
        ("provenance", "guess", r"provenance\]: should be one of"),
        ("name", "", r"name\]: should be a text"),
    ],
)
def test_a_spoilt_card_is_told_what_is_wrong(path, value, message):
    data = plain("into_the_inferno")
    deep(data, path, value)
    problems = card_problems(data)
    assert any(re.search(message, problem) for problem in problems), problems


def test_the_second_card_must_keep_the_times_of_the_text():
    data = plain("to_the_volga")
    data["times"] = ["Dawn", "PM", "AM", "Night"]
    assert card_problems(data) == [
        "card_cg2 [times]: the text gives CG II AM, PM and Night as its second to fourth time (20.5.4, 20.8.3)"
    ]


@pytest.mark.parametrize("garbage", [None, 5, [], {}, {"german": [], "russian": 3}])
def test_garbage_is_no_card_and_no_crash(garbage):
    card, problems = read_card(garbage, CONTENT.sector_map, CONTENT.rosters, CONTENT.counters)
    assert card is None
    assert len(problems) > 5


def test_a_reinforcement_roll_adds_what_the_card_says_to_its_die():
    assert [CG1.forces[GERMAN].reinforce(face) for face in (1, 10)] == [7, 16]


def test_the_random_marker_is_where_the_card_has_it_until_a_firefight_has_moved_it():
    assert CG1.find_random_hex("", has_been_fought=False) == CG1.random_hex
    assert CG1.find_random_hex("", has_been_fought=True) == ""
    assert [CG1.find_random_hex("K7", fought) for fought in (False, True)] == ["K7", "K7"]


def test_the_last_firefight_is_that_of_the_last_time_on_the_card():
    assert [CG1.is_last(firefight) for firefight in (1, 2, 3)] == [False, False, True]
