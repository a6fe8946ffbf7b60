"""What is known of hexes: the modifiers of attacks, smoke, what 20.7.1 changes, the Random marker."""

import pytest

from firefight.games.combat_stalingrad.rules import ground

KNOWN = ("building_ground", "upper_level", "rooftop", "cellar", "woods", "debris", "rubble", "trench", "crawling",
         "smoke", "airburst", "burning_wreck")  # fmt: skip


def rows(**by_id):
    return {id.replace("_", "/"): {"hex": id.partition("_")[0], **parts} for id, parts in by_id.items()}


def changed(before, change):
    return ground.GROUND_ROWS.change(before, change)


def test_an_attack_teaches_the_place_its_terrain_and_no_movement():
    terrain = changed({}, ground.learn_terrain({}, "K7", "", ["building_ground", "crawling", "smoke"], KNOWN))
    assert terrain == {"K7": {"hex": "K7", "modifiers": ["building_ground"], "building": True}}
    assert ground.modifiers_at(terrain, "K7") == ["building_ground"]
    assert ground.learn_terrain(terrain, "K7", "", ["building_ground", "running"], KNOWN) == {}


def test_levels_of_a_hex_are_known_apart():
    terrain = changed({}, ground.learn_terrain({}, "K7", "1", ["upper_level"], KNOWN))
    terrain = changed(terrain, ground.learn_terrain(terrain, "K7", "", ["debris"], KNOWN))
    assert (ground.modifiers_at(terrain, "K7", "1"), ground.modifiers_at(terrain, "K7")) == (
        ["upper_level"],
        ["debris"],
    )


@pytest.mark.parametrize(
    ("parts", "level", "artillery", "expected"),
    [
        ({"rubble": True}, "", False, ["rubble"]),
        ({"rubble": True}, "1", False, []),
        ({"trench": True}, "", True, ["trench"]),
        ({"wreck": "burning"}, "", False, ["burning_wreck"]),
        ({"wreck": "wreck"}, "", False, []),
        ({"smoke": 2}, "", False, ["smoke"]),
        ({"smoke": 2}, "", True, []),
        ({"modifiers": ["woods", "airburst"]}, "", False, ["woods"]),
        ({"modifiers": ["woods", "airburst"]}, "", True, ["woods", "airburst"]),
        ({"building": True}, "", False, ["building_ground"]),
        ({"building": True}, "2", True, ["upper_level"]),
        ({"building": True}, "roof", False, ["rooftop"]),
        ({"building": True}, "cellar", False, ["cellar"]),
        ({"building": True}, "gully", False, []),
        ({"building": True, "modifiers": ["dug_in"]}, "", False, ["dug_in"]),
        ({"building": True, "rubble": True}, "", False, ["rubble"]),
    ],
)
def test_what_lies_in_a_hex_is_offered_with_an_attack(parts, level, artillery, expected):
    assert ground.modifiers_at(rows(K7=parts), "K7", level, artillery) == expected


def test_who_takes_off_the_tick_of_a_building_is_not_given_it_again():
    """R-157: the hex of a building that was noted without modifiers had no terrain in an attack."""
    noted = rows(K7={"building": True})
    assert ground.learn_terrain(noted, "K7", "", ["building_ground"], KNOWN)
    taken_off = changed(noted, ground.learn_terrain(noted, "K7", "", ["crawling"], KNOWN))
    assert ground.modifiers_at(taken_off, "K7") == [] and not taken_off["K7"].get("building")
    assert ground.learn_terrain(noted, "K7", "1", [], KNOWN) == {}


def test_sm_04_smoke_of_earlier_turns_comes_off():
    before = rows(K7={"smoke": 1}, L8={"smoke": 2}, M9={})
    change, hexes = ground.clear_smoke(before, 2)
    assert hexes == ["K7"] and changed(before, change)["L8"]["smoke"] == 2
    assert changed(before, ground.lay_smoke(before, ["K7", "N5"], 3))["N5"] == {"hex": "N5", "smoke": 3}


def test_a_hex_of_which_nothing_is_left_to_say_is_taken_off():
    before = rows(K7={"smoke": 1}, L8={"smoke": 1, "modifiers": ["woods"]}, K7_1={"smoke": 1, "level": "1"})
    assert changed(before, ground.clear_smoke(before, 2)[0]) == rows(L8={"modifiers": ["woods"]})
    burnt = rows(K7={"fire": True}, L8={"fire": True, "building": True}, M9={"smoke": 3, "note": "door east"})
    assert changed(burnt, ground.reorganize_hexes(burnt)[0]) == rows(
        L8={"building": True, "rubble": True}, M9={"note": "door east"}
    )
    marked = rows(K7={"random": True})
    assert changed(marked, ground.move_random(marked, "L8")) == rows(L8={"random": True})


def test_uc_01_and_uc_02_hex_by_hex_and_cg_15_the_rest_stays():
    before = rows(
        K7={"wreck": "burning", "trench": True},
        L8={"fire": True, "building": True},
        M9={"fire": True},
        N5={"wreck": "wreck", "rubble": True, "mousehole": True, "modifiers": ["woods"]},
    )
    change, sentences = ground.reorganize_hexes(before)
    after = changed(before, change)
    assert after == rows(K7={"wreck": "wreck", "trench": True}, L8={"building": True, "rubble": True}, N5=before["N5"])
    assert sentences == [
        "K7: the burning wreck becomes a plain one (20.7.1 step 1).",
        "L8: the fire becomes Rubble (20.7.1 step 2).",
        "M9: the fire goes (20.7.1 step 2).",
    ]
    assert ground.reorganize_hexes(after) == ({}, [])


def test_the_random_marker_stands_in_one_hex():
    before = rows(K7={"random": True}, L8={"rubble": True})
    after = changed(before, ground.move_random(before, "L8"))
    assert ground.find_random(after) == "L8" and [id for id, row in after.items() if row.get("random")] == ["L8"]
    assert ground.find_random(changed(after, ground.move_random(after, "M9"))) == "M9"


def test_what_one_side_knows_of_a_hex_is_a_row_of_its_own():
    mined = changed({}, ground.change_ground({}, "K7", known_to="russian", mines=3))
    assert mined == {"russian:K7": {"known_to": "russian", "hex": "K7", "mines": 3}}
    assert ground.GROUND_ROWS.hide(mined, ("german",)) == {}
    assert ground.find_ground(mined, "K7") is None


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({}, "K9: open ground"),
        ({"level": "1"}, "K9, level 1: open ground"),
        ({"building": True}, "K9 is a building"),
        ({"building": True, "modifiers": ["building_ground"]}, "K9 is a building, ground level"),
        ({"modifiers": ["rubble"], "rubble": True}, "K9: rubble"),  # said once
        ({"wreck": "burning", "height": 2, "smoke": 3}, "K9: burning wreck, ground at level 2, smoke of turn 3"),
        ({"mines": "6", "note": "door east"}, "K9: mines 6, “door east”"),
    ],
)
def test_a_hex_is_told_as_players_speak_of_it(parts, sentence):
    assert ground.tell_hex(ground.GROUND_ROWS.complete({"hex": "K9", **parts})) == sentence


def test_a_modifier_that_the_book_lacks_is_named_with_those_that_it_has():
    assert ground.find_flaws({"modifiers": ["woods"]}, KNOWN) == []
    flaw = ground.find_flaws({"modifiers": ["woods", "swamp"]}, KNOWN)[0]
    assert flaw.startswith("The chart book has no modifier swamp: choose among building_ground, ")
    assert "crawling" not in flaw  # no terrain


@pytest.mark.parametrize("lying", ground.ON_BOARD)
def test_what_lies_on_the_board_is_no_secret(lying):
    row = {"hex": "K7", lying: "wreck" if lying == "wreck" else 1}
    assert ground.find_flaws(row, KNOWN) == []
    assert "Everybody sees" in ground.find_flaws({**row, "known_to": "german"}, KNOWN)[0]


def test_17_4_4_an_airburst_is_learnt_of_woods_and_debris_alone():
    """It is artillery's, so an attack by fire unlearns it only with the woods or the debris."""
    known = rows(K7={"modifiers": ["woods", "airburst"]})
    assert ground.learn_terrain(known, "K7", "", ["woods"], KNOWN) == {}
    change = ground.learn_terrain(known, "K7", "", ["building_ground"], KNOWN)
    assert changed(known, change)["K7"]["modifiers"] == ["building_ground"]


def test_no_more_hexes_are_learnt_than_a_match_may_have():
    full = {f"K{number}": {"hex": f"K{number}"} for number in range(ground.MOST_LEARNT)}
    assert ground.learn_terrain(full, "A1", "", ["woods"], KNOWN) == {}
    assert ground.learn_terrain(full, "K7", "", ["woods"], KNOWN)


def test_what_is_known_of_a_hex_stands_on_its_card():
    ground_of_hex = ground.find_ground(
        rows(K7={"modifiers": ["upper_level"], "wreck": "burning", "trench": True, "smoke": 3, "note": "door east"}),
        "K7",
    )
    description = ground.describe_ground(ground_of_hex, {"upper_level": "Upper level"})
    assert description == ("Upper level", "burning wreck, trench, smoke of turn 3", "door east")


@pytest.mark.parametrize(("modifiers", "line"), [([], "building"), (["building_ground"], "Ground level")])
def test_a_building_stands_on_the_card_of_its_hex_and_is_all_that_its_levels_have_of_it(modifiers, line):
    noted = ground.find_ground(rows(K7={"building": True, "modifiers": modifiers}), "K7")
    assert ground.describe_ground(noted, {"building_ground": "Ground level"}) == (line,)
    assert ground.describe_around(noted) == ("building",)
