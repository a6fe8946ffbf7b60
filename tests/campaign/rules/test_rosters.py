import re

import pytest

from campaign.rules.rosters import CAMPAIGNS, PAYING_LETTERS, GroupType, read_roster
from firefight.engine.errors import BadDie, BadInput
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN, group_of, plain, roster_problems

V3 = CONTENT.rosters[GERMAN].groups["V3"]


@pytest.mark.parametrize("side", ["german", "russian"])
def test_the_house_rosters_have_no_problem(side):
    assert roster_problems(plain(f"roster_{side}")) == []


def test_the_militia_platoon_is_the_one_of_the_text():
    militia = CONTENT.rosters[RUSSIAN].groups["I1"]
    assert (militia.unit, militia.cp, militia.contents) == ("Militia platoon", 2, {"militia_squad": 3})
    assert [militia.origin.of(name) for name in ("id", "unit", "cp", "contents", "boxes")] == [
        *3 * ["text"],
        *2 * ["house"],
    ]


def test_all_russian_artillery_is_plotted_and_no_german():
    for side, plotted in ((GERMAN, False), (RUSSIAN, True)):
        guns = [g for g in CONTENT.rosters[side].groups.values() if g.caliber]
        assert guns
        assert all(group.plotted is plotted for group in guns)


def test_every_side_can_buy_an_attack_with_a_bonus_and_only_the_russian_a_nest():
    for side, nests in ((GERMAN, 0), (RUSSIAN, 1)):
        kinds = [group.type for group in CONTENT.rosters[side].groups.values()]
        assert (kinds.count(GroupType.ATTACK), kinds.count(GroupType.NEST)) == (1, nests)
        assert CONTENT.rosters[side].groups["X1"].bonus_cp == 2


def test_only_groups_with_i_g_and_v_pay_to_go_in():
    for roster in CONTENT.rosters.values():
        for group in roster.groups.values():
            assert group.pays_to_go_in is (group.id[0] in "IGV") is (group.type in PAYING_LETTERS.values())
            assert set(group.boxes) == set(CAMPAIGNS)


@pytest.mark.parametrize("die", range(1, 11))
def test_each_tank_of_v3_is_an_f1_on_1_to_6_and_an_f2_on_7_to_10(die):
    kind = "pz_iv_f1" if die <= 6 else "pz_iv_f2"
    assert V3.mix.drawn((die, die, die)) == {kind: 3}
    assert V3.mix.kinds == ("pz_iv_f1", "pz_iv_f2")


def test_a_mix_takes_one_die_for_each_counter():
    assert V3.mix.drawn((6, 7, 1)) == {"pz_iv_f1": 2, "pz_iv_f2": 1}
    with pytest.raises(BadInput):
        V3.mix.drawn((6, 7))
    with pytest.raises(BadDie):
        V3.mix.drawn((6, 7, 11))


@pytest.mark.parametrize(
    ("identity", "changes", "message"),
    [
        ("I1", {"cp": -2}, r"I1.cp\]: should lie between 0 and 99, not be -2"),
        ("I1", {"cp": None}, r"I1.cp\]: is missing"),
        ("I1", {"cp": "two"}, r"I1.cp\]: “two” is not a whole number"),
        ("I2", {"id": "I1"}, r"I1\]: this ID stands twice"),
        ("I1", {"id": "first"}, r"group 1\]: needs an ID such as I1"),
        ("I1", {"id": 7}, r"group 1\]: needs an ID such as I1"),
        ("I1", {"id": "A9"}, r"A9\]: the ID of infantry starts with I"),
        ("I1", {"type": "vehicles"}, r"I1\]: an ID with I is for infantry"),
        ("I1", {"type": "cavalry"}, r"I1.type\]: should be one of"),
        ("I1", {"contents": {"elephant": 3}}, r"I1.contents\]: names an unknown counter: elephant"),
        ("I1", {"contents": {"grenadier_squad": 0}}, r"I1.contents.grenadier_squad\]: should lie between 1 and 20"),
        ("I1", {"contents": {}}, r"I1.contents\]: infantry needs counters"),
        ("I1", {"contents": 3}, r"I1.contents\]: should be a table"),
        ("I1", {"boxes": {"cg1": 21, "cg2": 8}}, r"I1.boxes.cg1\]: should lie between 0 and 20"),
        ("I1", {"boxes": {"cg1": 4}}, r"I1.boxes.cg2\]: is missing"),
        ("I1", {"boxes": {"cg1": 4, "cg2": 8, "cg3": 1}}, r"I1.boxes.cg3\]: is not known here"),
        ("I1", {"leader": "yes"}, r"I1.leader\]: should be true or false"),
        ("I1", {"caliber": 81}, r"I1.caliber\]: has no meaning for infantry"),
        ("I1", {"plotted": True}, r"I1.plotted\]: has no meaning for infantry"),
        ("I1", {"bonus_cp": 2}, r"I1.bonus_cp\]: has no meaning for infantry"),
        ("I1", {"times": ["Noon"]}, r"I1.times\]: should be one of Dawn, AM, PM, Night"),
        ("I1", {"notes": [7]}, r"I1.notes\]: should hold texts"),
        ("I1", {"unit": None}, r"I1.unit\]: should be a text"),
        ("I1", {"price": 4}, r"I1.price\]: is not known here"),
        ("I1", {"text": ["price"]}, r"I1.text\]: names a value that is not here: price"),
        ("A1", {"caliber": None}, r"A1.caliber\]: is missing: the type is artillery"),
        ("A1", {"caliber": 20}, r"A1.caliber\]: should lie between 45 and 400"),
        ("A1", {"contents": {"pak_38": 1}}, r"A1.contents\]: artillery has no counters"),
        ("S1", {"arrival": 11}, r"S1.arrival\]: should lie between 1 and 10"),
        ("S1", {"arrival": None}, r"S1.arrival\]: is missing: the type is aircraft"),
        ("X1", {"bonus_cp": None}, r"X1.bonus_cp\]: is missing: the type is attack"),
        ("V3", {"mix": {"number": 3, "sides": 10, "bands": [["1-6", "pz_iv_f1"]]}}, r"V3.mix.1-6\]: .* end at 10"),
        ("V3", {"mix": {"number": 3, "sides": 10, "bands": [["1-10", "elephant"]]}}, r"V3.mix.1-10\]: names an"),
        ("V3", {"mix": {"number": 3, "sides": 6, "bands": [["1-6", "pz_iv_f1"]]}}, r"V3.mix.sides\]: should be 10"),
        ("V3", {"mix": {"number": 0, "sides": 10, "bands": [["1-10", "pz_iv_f1"]]}}, r"V3.mix.number\]: should lie"),
        ("V3", {"mix": {"number": 3, "sides": 10, "bands": "1-10"}}, r"V3.mix.bands\]: should be a list of pairs"),
        ("V3", {"mix": 5}, r"V3.mix\]: should be a table"),
    ],
)
def test_a_spoilt_group_is_told_what_is_wrong(identity, changes, message):
    data = plain("roster_german")
    group_of(data, identity).update(changes)
    problems = roster_problems(data)
    assert any(re.search(message, problem) for problem in problems), problems


def test_all_problems_of_a_roster_are_told_at_once():
    data = plain("roster_german")
    group_of(data, "I1")["cp"] = -1
    group_of(data, "V1")["contents"] = {"elephant": 1}
    group_of(data, "X1")["id"] = "I2"
    data["side"] = "german"
    problems = " | ".join(roster_problems(data))
    for part in ("roster_german [I1.cp]", "unknown counter: elephant", "an ID with I is for infantry", "[I2]: this ID"):
        assert part in problems


@pytest.mark.parametrize("garbage", [None, [], 4, {}, {"groups": [None, 7, {}]}, {"side": ["german"], "groups": {}}])
def test_garbage_is_no_roster_and_no_crash(garbage):
    roster, problems = read_roster(garbage, CONTENT.counters)
    assert roster is None
    assert len(problems) > 2
