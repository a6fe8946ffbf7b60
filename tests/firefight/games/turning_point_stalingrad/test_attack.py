"""Attacks: the worked examples of the text, every term, every odds, against a second implementation."""

import json
import random

import pytest

from firefight.engine.errors import BadDie, BadInput
from tests.oracles import turning_attack as oracle
from tests.oracles.odds import brute, same_odds

from .asking import BOOK, ask, facts, helper, inputs, problems

DATES = ("1942-09-13", "1942-09-26", "1942-09-27", "1942-10-13", "1942-10-14", "1942-10-31", "1942-11-01", "1942-11-14")
NIGHT = {"time": "night"}


def rows(*listed):
    return json.dumps([dict(row) for row in listed])


def regiment(*factors, parent="71"):
    """Units of one parent."""
    return [{"af": str(factor), "parent": parent} for factor in factors]


def fought(attack_dr, defence_dr, **fields):
    return ask("attack", {"attack_dr": attack_dr, "defence_dr": defence_dr}, **fields)


# The worked examples of the text


def test_22_1_a_pioneer_against_a_fresh_unit_and_infantry_against_a_spent_one():
    assert facts(fought(7, 7, attackers="4", defenders="2", tem=2), "ov", "dv") == ("won", 5, 4)
    assert facts(fought(7, 7, attackers="2", defenders="1", tem=2, group="spent"), "ov", "dv") == ("tied", 3, 3)


def test_22_2_a_ranged_attack_and_a_mixed_one():
    ranged = fought(7, 7, kind="ranged", attackers="4", defenders="1", tem=1)
    assert facts(ranged, "ov", "dv", "ranged") == ("won", 5, 4, 1)
    units = rows({"af": "6", "armour": True}, *regiment(3, 3, 3))
    mixed = fought(7, 7, kind="mixed", attackers=units, defenders="1", tem=1, group="spent")
    # An Overrun: seven points against two.
    assert facts(mixed, "ov", "dv", "cp", "overrun") == ("overrun", 11, 4, 7, True)
    # Any other result disrupts the armour for a day longer than those who only fired.
    won = fought(5, 11, kind="mixed", attackers=units, defenders="1", tem=1, group="spent")
    assert facts(won, "cp", "inside", "ranged") == ("won", 1, 2, 1)


def test_22_3_armour_infantry_and_at_one_after_the_other():
    five = rows(*regiment(3, 3, 3, "*"), {"af": "3", "armour": True})
    first = fought(6, 9, attackers=five, defenders="1", tem=2, group="spent")
    assert facts(first, "ov", "dv", "offence", "defence", "cp") == ("overrun", 9, 3, 15, 12, 3)
    assert first.details["wiped_out"] and first.details["inside"] == 1
    four = rows(*regiment(3, 3, 3), {"af": "3", "armour": True})
    second = fought(7, 7, attackers=four, defenders="2", tem=2)
    assert facts(second, "ov", "dv", "offence", "defence", "overrun") == ("overrun", 8, 4, 15, 11, True)
    third = fought(6, 6, attackers="3", defenders="1", tem=2, group="spent")
    assert facts(third, "ov", "dv", "offence", "defence", "cp", "inside") == ("won", 4, 3, 10, 9, 1, 2)


@pytest.mark.parametrize(
    ("factor", "is_good"), [("-9", True), ("-10", False), ("20", True), ("21", False), ("x", False)]
)
def test_an_attack_factor_is_one_that_a_counter_may_have(factor, is_good):
    assert ("attackers" not in problems("offensive-value", attackers=rows({"af": factor}))) is is_good


@pytest.mark.parametrize(("units", "time", "near"), [(0, "day", 0), (1, "day", 0), (3, "day", 2), (1, "night", 1)])
def test_counter_battery_that_was_not_rolled_yet_counts_the_guns_without_the_aircraft(units, time, near):
    fields = {"attacker": "russian", "ov": 4, "dv": 4, "artillery": 1, "counter_units": units, "time": time}
    (later,) = [step for step in fought(7, 7, **fields).follow_ups if step.helper == "counter-battery"]
    assert later.inputs["artillery_within_two"] == near


@pytest.mark.parametrize(
    ("fields", "gun", "name", "rule"),
    [
        ({"kind": "air"}, {}, "Aircraft", "17.23 Strength"),
        ({"kind": "russian_artillery"}, {}, "Russian artillery", "15.3 Russian Artillery"),
        (
            {"kind": "german_artillery", "attackers": "6"},
            {"day_factor": 6},
            "German artillery",
            "15.23 Attack Resolution",
        ),
        ({"attackers": "4"}, {}, "Leader", "8.35 Attack Resolution"),
    ],
)
def test_an_ov_and_an_attack_name_alike_what_leads(fields, gun, name, rule):
    alone, fight = ask("offensive-value", **fields, **gun), fought(7, 7, dv=4, **fields)
    assert alone.rules[0] == rule
    assert (alone.modifiers[0].name, alone.modifiers[0].rule) == (name, rule)
    assert fight.modifiers[0] == alone.modifiers[0]
    # The owner's own figure has no chart behind it; what a date gives has.
    assert ("15.24 Night Strength" in alone.rules) is bool(gun)
    assert bool(alone.provenance) is (name in ("Aircraft", "Russian artillery"))


def test_22_3_another_parent_brings_as_much_as_it_costs_and_two_of_it_bring_one():
    base = [*regiment(3, 3, 3, "*"), {"af": "3", "parent": "71"}]
    values = [ask("offensive-value", attackers=rows(*base, *regiment(*more, parent="9"))) for more in ((), "*", "**")]
    assert [facts(value, "parents", "total") for value in values] == [
        ("counted", 0, 9),
        ("counted", -1, 9),
        ("counted", -1, 10),
    ]


def test_22_4_anti_aircraft_alone_and_counter_battery():
    pioneers = rows({"af": "5", "parent": "71", "engineer": True}, *regiment(4, 4, 4))
    defenders = rows({"df": 6, "aa": True}, {"df": 3, "aa": True})
    fields = {"attackers": pioneers, "defenders": defenders, "tem": 3, "artillery": 1, "entered": "on", "area": "30"}
    dice = {"attack_dr": 7, "defence_dr": 7, "counter_die": 3}
    result = ask("attack", dice, **fields, counter_units=3)
    assert facts(result, "ov", "dv", "offence", "defence", "cp") == ("won", 10, 7, 17, 14, 3)
    assert facts(result, "inside", "silenced", "overrun", "wiped_out") == ("won", 2, True, False, False)
    # With the 6-6-8 armour it is +2 against +3.
    armour = rows({"af": "6", "parent": "71", "armour": True}, *json.loads(pioneers))
    assert facts(fought(7, 7, **{**fields, "attackers": armour}), "ov", "dv") == ("won", 12, 10)


def test_22_5_at_night_against_both_groups():
    fields = {"attackers": rows(*regiment(4, 3, 3, 3)), "tem": 2, **NIGHT}
    assert facts(fought(6, 6, **fields, defenders="2"), "ov", "dv", "cp", "overrun", "wiped_out") == (
        *("won", 8, 5, 3, False, True),
    )
    assert facts(fought(6, 5, **fields, defenders="2"), "offence", "defence", "overrun") == ("overrun", 14, 10, True)
    assert facts(fought(7, 7, **fields, defenders="1", group="spent"), "ov", "dv") == ("overrun", 8, 4)
    alone = fought(6, 7, attackers="4", tem=2, defenders="1", group="spent", **NIGHT)
    assert facts(alone, "ov", "dv", "inside") == ("lost", 4, 4, 4)


def test_14_7_rubble_never_helps_armour():
    result = ask("defensive-value", defenders=rows({"df": 3, "armour": True}, {"df": 2}), tem=3, rubble=2)
    assert facts(result, "prime", "factor", "rubble", "total") == ("counted", 2, 2, 2, 7)


@pytest.mark.parametrize("kind", ["inside", "ranged", "mixed"])
def test_17_3_on_the_ground_no_attack_is_mistaken(kind):
    fields = {"kind": kind, "defenders": "3,3", "attackers": "4", "tem": 2, "germans_present": "on", "area": "62"}
    result = fought(7, 7, **fields)
    assert result.details["mistaken_cp"] == 0
    assert not any("Mistaken" in words for words in (*result.effects, *(step.title for step in result.follow_ups)))


@pytest.mark.parametrize(("dr", "mistaken", "rubble"), [(7, 1, 0), (9, 3, 1), (2, 6, 0), (12, 6, 1)])
def test_17_3_aircraft_hit_their_own_side_when_both_rolls_are_equal(dr, mistaken, rubble):
    fields = {"kind": "air", "defenders": "3,3", "tem": 4, "group": "spent", "germans_present": "on", "area": "62"}
    result = fought(dr, dr, **fields)
    assert facts(result, "ov", "dv", "cp", "mistaken_cp", "rubble") == ("won", 8, 7, 1, mistaken, rubble)
    titles = [follow.title for follow in result.follow_ups if follow.helper == "payment"]
    assert titles == ["The Russian pays 1", "The German pays for the Mistaken Attack"]
    assert fought(dr, dr, **{**fields, "zone": "on"}).details["mistaken_cp"] == 0
    assert fought(dr, 2 if dr > 2 else 3, **fields).details["mistaken_cp"] == 0


# Every term


@pytest.mark.parametrize(
    ("parents", "integrity", "cost"),
    [
        ("A", 0, 0),
        ("AAA", 1, 0),
        ("AAAAAA", 2, 0),
        ("AAB", 0, -1),
        ("AABBC", 0, -2),
        ("AA-", 1, 0),
        ("A--", 1, 0),
        ("---", 1, 0),
        ("AAB-", 1, -1),
        ("AABB--", 2, -1),
        ("AABB-", 1, -1),
        ("AABBCC---", 3, -2),
        ("AAAA--", 2, 0),
    ],
)
def test_independents_fill_up_trios_and_cost_nothing(parents, integrity, cost):
    units = rows(*({"af": "2", "parent": "Ind" if parent == "-" else parent} for parent in parents))
    assert facts(ask("offensive-value", attackers=units), "integrity", "parents") == ("counted", integrity, cost)
    assert ask("offensive-value", attackers=units, suspend_parents="on").details["parents"] == 0


def test_the_leader_alone_suffers_from_isolation_and_may_be_negative():
    units = rows({"af": "1", "iso": 2}, {"af": "*"})
    assert facts(ask("offensive-value", side="russian", attackers=units), "lead", "extra", "total") == (
        *("counted", -1, 1, 0),
    )


@pytest.mark.parametrize(
    ("fields", "total"),
    [
        ({"kind": "german_artillery", "day_factor": 6}, 6),
        ({"kind": "german_artillery", "night_factor": 4, **NIGHT}, 4),
        ({"kind": "air", "date": "1942-09-26"}, 8),
        ({"kind": "air", "date": "1942-09-27"}, 5),
        ({"kind": "air", "date": "1942-10-13"}, 5),
        ({"kind": "air", "date": "1942-10-14"}, 9),
        ({"kind": "russian_artillery", "side": "russian"}, 1),
        ({"kind": "russian_artillery", "side": "russian", "date": "1942-09-27", **NIGHT}, 2),
        ({"kind": "russian_artillery", "side": "russian", "date": "1942-10-31"}, 2),
        ({"kind": "russian_artillery", "side": "russian", "date": "1942-11-01"}, 3),
        ({"attackers": "3", "side": "russian", "artillery": 2}, 5),
        ({"attackers": "3", "artillery": 2}, 4),  # German daylight; Russian guns do not help Germans
        ({"attackers": "3", **NIGHT}, 3),
    ],
)
def test_guns_aircraft_day_and_night(fields, total):
    assert ask("offensive-value", **fields).details["total"] == total


@pytest.mark.parametrize(
    ("fields", "total"),
    [
        ({"side": "russian"}, 5),
        ({"side": "german"}, 6),
        ({"side": "german", **NIGHT}, 5),
        ({"side": "russian", **NIGHT}, 6),
        ({"kind": "ranged"}, 9),
        ({"kind": "mixed", "rubble": 1}, 10),
        ({"kind": "ranged", "rubble": 1}, 9),
        ({"rubble": 1}, 6),
        ({"kind": "air", "rubble": 2, "artillery": 2}, 5),
        ({"kind": "german_artillery", "rubble": 2, "artillery": 2, **NIGHT}, 5),
        ({"kind": "russian_artillery", "side": "german", "rubble": 2}, 6),
        ({"kind": "russian_artillery", "side": "german", **NIGHT}, 5),
        ({"artillery": 2}, 7),
        ({"date": "1942-09-26"}, 5),
        ({"date": "1942-09-27"}, 6),
        ({"date": "1942-09-27", "reading": "artillery"}, 5),
        ({"date": "1942-10-31"}, 6),
        ({"date": "1942-11-01"}, 7),
        ({"date": "1942-11-01", "kind": "air"}, 5),
        ({"date": "1942-11-01", "side": "german"}, 6),
        ({"engineers": 1}, 5),  # a TEM of 2 is not one that they work against
        ({"engineers": 2, "tem": 3}, 4),
        ({"engineers": 5, "tem": 4}, 3),
    ],
)
def test_what_a_dv_is_made_of(fields, total):
    assert ask("defensive-value", **{"defenders": "3,2", "tem": 2, **fields}).details["total"] == total


@pytest.mark.parametrize(
    ("units", "fields", "factor"),
    [
        ([{"df": 7, "aa": True}], {}, 3),
        ([{"df": 7, "aa": True, "iso": 2}], {}, 2),
        ([{"df": 0, "aa": True, "iso": 1}], {}, -1),
        ([{"df": 7, "aa": True}], {"attackers_afv": "on"}, 7),
        ([{"df": 7, "aa": True}], {"kind": "ranged"}, 7),
        ([{"df": 7, "aa": True}], {"kind": "mixed"}, 3),
        ([{"df": 7, "aa": True}, {"df": 1}], {}, 7),
        ([{"df": 4, "iso": 1}], {}, 3),
    ],
)
def test_anti_aircraft_alone_counts_half_inside(units, fields, factor):
    assert ask("defensive-value", defenders=rows(*units), **fields).details["factor"] == factor


def test_engineers_against_a_tripled_tem_are_left_open():
    result = ask("defensive-value", defenders="2", kind="mixed", tem=3, engineers=1)
    assert facts(result, "total", "readings") == ("undetermined", None, [8, 10])
    with pytest.raises(BadInput, match="agree on a DV of"):
        fought(7, 7, attackers="4", defenders="2", kind="mixed", tem=3, engineers=1)
    assert facts(fought(7, 7, attackers="4", dv=8, kind="mixed", tem=3, engineers=1), "dv") == ("lost", 8)


def test_engineers_in_the_list_work_when_one_leads_and_infantry_goes_along():
    units = [{"af": "4", "engineer": True}, {"af": "3"}]
    fields = {"defenders": "2", "tem": 3}
    assert fought(7, 7, attackers=rows(*units), **fields).details["dv"] == 4
    assert fought(7, 7, attackers=rows(*units), entered="on", **fields).details["dv"] == 5
    assert fought(7, 7, attackers=rows(*units), lead=2, **fields).details["dv"] == 5
    assert fought(7, 7, attackers=rows(units[0], {"af": "*"}), **fields).details["dv"] == 5


# What cannot be


@pytest.mark.parametrize(
    ("slug", "fields", "field"),
    [
        ("offensive-value", {}, "attackers"),
        ("offensive-value", {"attackers": "*,3"}, "lead"),
        ("offensive-value", {"attackers": "3", "lead": 2}, "lead"),
        ("offensive-value", {"kind": "german_artillery"}, "day_factor"),
        ("offensive-value", {"kind": "german_artillery", **NIGHT}, "night_factor"),
        ("offensive-value", {"kind": "ranged", "attackers": "3", **NIGHT}, "time"),
        ("offensive-value", {"kind": "air", **NIGHT}, "time"),
        ("defensive-value", {}, "defenders"),
        ("defensive-value", {"defenders": "3", "kind": "mixed", **NIGHT}, "time"),
        ("attack", {"ov": 5}, "defenders"),
        ("attack", {"dv": 5}, "attackers"),
        ("attack", {"attackers": "*", "dv": 5}, "lead"),
        ("attack", {"kind": "german_artillery", "dv": 5}, "ov"),
        ("attack", {"kind": "ranged", "ov": 5, "dv": 5, "zone": "on"}, "zone"),
        ("attack", {"kind": "russian_artillery", "dv": 5, "zone": "on"}, "zone"),
        ("attack", {"kind": "ranged", "ov": 5, "dv": 5, **NIGHT}, "time"),
        ("payment", {"required": 2}, "factors"),
        ("payment", {"factors": "3,2", "attacker_pick": 2}, "attacker_pick"),
        ("payment", {"factors": "3,2", "attacker_pick": 3}, "attacker_pick"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(slug, fields, field):
    with pytest.raises(BadInput) as error:
        ask(slug, **fields)
    assert list(error.value.problems) == [field]


def test_an_attack_by_guns_asks_for_what_they_print_at_that_time():
    for when, words in (({}, "prints by day"), (NIGHT, "prints at night, in parentheses")):
        with pytest.raises(BadInput, match=words):
            ask("attack", kind="german_artillery", dv=5, **when)


@pytest.mark.parametrize("factor", ["x", "4x", "21", "--1", "²", ""])
def test_an_attack_factor_is_a_number_or_a_star(factor):
    assert "attackers" in problems("attack", attackers=rows({"af": factor}), ov=1, dv=1) or not factor


def test_the_faces_of_an_attack_are_sums_of_two_dice():
    with pytest.raises(BadDie):
        fought(1, 7, ov=5, dv=5)


# Results


@pytest.mark.parametrize(
    ("margin", "fields", "expected"),
    [
        (-10, {"entered": "on"}, ("routed", 0, 4, 3, True)),
        (-9, {"entered": "on"}, ("lost", 0, 4, 3, False)),
        (-10, {}, ("lost", 0, 4, 3, False)),
        (-10, {"entered": "on", "kind": "ranged"}, ("lost", 0, 4, 3, False)),
        (-10, {"entered": "on", "kind": "mixed"}, ("routed", 0, 4, 3, True)),
        (-1, {}, ("lost", 0, 4, 3, False)),
        (0, {}, ("tied", 0, 3, 2, False)),
        (1, {}, ("won", 1, 2, 1, False)),
        (6, {"defending_units": 2}, ("won", 6, 2, 1, False)),
        (7, {"defending_units": 2}, ("overrun", 7, 1, 1, False)),
        (4, {"defending_units": 2, "group": "spent"}, ("won", 4, 2, 1, False)),
        (5, {"defending_units": 2, "group": "spent"}, ("overrun", 5, 1, 1, False)),
        (9, {"kind": "german_artillery"}, ("won", 9, 4, 4, False)),
        (-3, {"kind": "air"}, ("lost", 0, 1, 1, False)),
        (9, {"kind": "russian_artillery", "attacker": "russian"}, ("won", 9, 0, 0, False)),
    ],
)
def test_every_end_of_an_attack_with_its_dots(margin, fields, expected):
    result = fought(7, 7, **{"ov": max(0, margin), "dv": max(0, -margin), **fields})
    assert facts(result, "cp", "inside", "ranged", "rout") == expected
    assert result.details["margin"] == result.modified == margin
    assert sum(modifier.value for modifier in result.modifiers) == margin


@pytest.mark.parametrize(("kind", "makes"), [("ranged", True), ("german_artillery", True), ("inside", False)])
def test_bombardments_make_rubble_from_13_on(kind, makes):
    fields = {"kind": kind, "ov": 1, "dv": 1}
    for tem, dr, level, after in ((3, 9, 0, 0), (3, 10, 0, 1), (4, 9, 1, 2), (4, 12, 2, 2), (2, 12, 0, 0)):
        assert fought(dr, 7, **fields, tem=tem, rubble=level).details["rubble"] == (after if makes else level)
    assert fought(12, 7, **fields, tem=4, area="56").details["rubble"] == 0


def test_a_mixed_attack_asks_whether_it_makes_rubble():
    result = fought(10, 7, kind="mixed", ov=9, dv=5, tem=3)
    assert result.details["rubble"] == 0 and any("is open (14.2)" in line for line in result.effects)


def test_follow_ups_hand_on_what_is_known():
    result = fought(9, 8, attackers="4,4,*", defenders="3,2", tem=2, date="1942-09-20", box=4)
    handed = {follow.helper: dict(follow.inputs) for follow in result.follow_ups}
    assert handed == {
        "payment": {"group": "fresh", "required": result.details["cp"], "factors": [3, 2], "side": "russian"},
        "impulse": {"date": "1942-09-20", "time": "day", "box": 4, "dr": 9, "rolled": 9},
    }
    later = fought(9, 5, ov=5, dv=5, defending_units=2, track="goes_on")
    assert [follow.helper for follow in later.follow_ups] == ["payment"]
    russian = fought(9, 6, ov=5, dv=5, attacker="russian", artillery=1, counter_units=3)
    handed = {follow.helper: dict(follow.inputs) for follow in russian.follow_ups}
    assert list(handed) == ["counter-battery", "payment"]
    assert handed["counter-battery"] == {"artillery_within_two": 2, "time": "day"}
    overrun = fought(12, 2, ov=5, dv=5, attacker="russian")
    assert overrun.follow_ups == ()


def test_a_value_is_handed_on_with_all_its_rows():
    units = rows({"af": "4", "parent": "71", "iso": 1}, {"af": "*", "armour": True})
    (to_attack,) = ask("offensive-value", attackers=units, side="russian", artillery=1, **NIGHT).follow_ups
    assert to_attack.helper == "attack"
    cleaned = inputs("attack", **to_attack.inputs)
    assert (cleaned["ov"], cleaned["attacker"], cleaned["time"], cleaned["artillery"]) == (5, "russian", "night", 1)
    assert cleaned["attackers"] == inputs("attack", attackers=units)["attackers"]
    group = rows({"df": 3, "aa": True}, {"df": 2, "iso": 2})
    (to_attack,) = ask("defensive-value", defenders=group, tem=3, rubble=1, area="30").follow_ups
    cleaned = inputs("attack", **to_attack.inputs)
    assert (cleaned["dv"], cleaned["attacker"], cleaned["tem"], cleaned["area"]) == (7, "german", 3, "30")
    assert cleaned["defenders"] == inputs("attack", defenders=group)["defenders"]


# Against the second implementation


def random_attack(rng):
    kind = rng.choice(("inside", "ranged", "mixed", "air", "russian_artillery", "inside"))
    attacker = {"air": "german", "russian_artillery": "russian"}.get(kind) or rng.choice(("german", "russian"))
    night = kind in ("inside", "russian_artillery") and rng.random() < 0.5
    units = [
        (rng.choice((None, *range(7))), rng.choice(("Ind", "A", "B", "C")), rng.choice((0, 0, 1, 2)))
        for _ in range(rng.randint(1, 7))
    ]
    lead = rng.randint(1, len(units))
    units[lead - 1] = (rng.randint(-1, 6), *units[lead - 1][1:])
    group = [
        (rng.randint(0, 7), rng.random() < 0.3, rng.random() < 0.5, rng.choice((0, 0, 1, 2)))
        for _ in range(rng.randint(1, 4))
    ]
    common = {"date": rng.choice(DATES), "night": night, "guns": rng.choice((0, 0, 1, 2, 3))}
    return kind, attacker, units, lead, group, rng.randint(0, 4), rng.randint(0, 2), common


def test_random_attacks_agree_with_the_second_implementation():
    rng = random.Random("tps attacks")
    for _ in range(400):
        kind, attacker, units, lead, group, tem, rubble, common = random_attack(rng)
        afv, no_parents = rng.random() < 0.3, rng.random() < 0.2
        defender = "russian" if attacker == "german" else "german"
        ov = oracle.offence(attacker, kind, units, lead, **common, no_parents=no_parents)
        dv = oracle.defence(defender, kind, group, tem, rubble, **common, afv=afv)
        mine, theirs = (rng.choice(oracle.DICE) for _ in "12")
        fields = {
            "attacker": attacker,
            "kind": kind,
            "attackers": rows(
                *({"af": "*" if af is None else str(af), "parent": parent, "iso": iso} for af, parent, iso in units)
            ),
            "lead": lead,
            "defenders": rows(*({"df": df, "armour": a, "aa": aa, "iso": iso} for df, a, aa, iso in group)),
            "group": (kind_of := rng.choice(("fresh", "spent"))),
            "tem": tem,
            "rubble": rubble,
            "date": common["date"],
            "time": "night" if common["night"] else "day",
            "artillery": common["guns"],
            "entered": (entered := rng.random() < 0.5),
            "attackers_afv": afv,
            "suspend_parents": no_parents,
        }
        result = fought(sum(mine), sum(theirs), **fields)
        capacity = len(group) * (3 if kind_of == "fresh" else 2)
        margin = ov + sum(mine) - dv - sum(theirs)
        how = oracle.end(kind, margin, capacity, entered)
        expected = (how, ov, dv, margin, max(0, margin), margin >= capacity, *oracle.dots(kind, how))
        assert facts(result, "ov", "dv", "margin", "cp", "wiped_out", "inside", "ranged") == expected, fields


@pytest.mark.parametrize(
    "fields",
    [
        {"ov": 5, "dv": 5, "entered": True, "defending_units": 2},
        {"ov": 12, "dv": 4, "entered": True, "group": "spent"},
        {"ov": 2, "dv": 9, "entered": True},
        {"ov": 8, "dv": 7, "kind": "air"},
        {"ov": 60, "dv": 0},
        {"ov": -5, "dv": 60, "kind": "ranged"},
    ],
)
def test_the_odds_of_an_attack_are_those_of_all_faces(fields):
    plain = {"kind": "inside", "group": "fresh", "defending_units": 1, "entered": False, **fields}
    ends, points = helper("attack").odds(BOOK, inputs("attack", **plain))
    capacity = plain["defending_units"] * (3 if plain["group"] == "fresh" else 2)
    counted = oracle.count_ends(plain["kind"], plain["ov"], plain["dv"], capacity, plain["entered"])
    assert {row.outcome: row.weight for row in ends.rows} == counted and ends.total == points.total == 1296
    swept = helper("attack").table_odds(BOOK, inputs("attack", **plain))
    assert {row.outcome: row.weight for row in swept.rows} == counted
    costs = {}
    for mine in oracle.DICE:
        for theirs in oracle.DICE:
            margin = plain["ov"] + sum(mine) - plain["dv"] - sum(theirs)
            how = oracle.end(plain["kind"], margin, capacity, plain["entered"])
            label = "overrun" if how == "overrun" else str(max(0, margin))
            costs[label] = costs.get(label, 0) + 1
    assert {row.outcome: row.weight for row in points.rows} == costs
    drawn = helper("attack").resolve(BOOK, inputs("attack", **plain), {"attack_dr": 7, "defence_dr": 7})
    assert drawn.outcome.value in counted


ROLLED = (
    ("contested-retreat", {"friendly_controlled": True, "enemy_units": 5}),
    ("contested-retreat", {"enemy_units": 2}),
    ("counter-battery", {"artillery_within_two": 2}),
    ("rubble", {"tem": 4, "level": 1}),
    ("rubble-setup", {"tem": 4}),
    ("rubble-entrance", {"level": 2, "friendly_controlled": True}),
    ("infiltration", {"tem": 3, "rubble": 1}),
)


@pytest.mark.parametrize(("slug", "fields"), ROLLED)
def test_the_odds_of_every_other_roll_are_those_of_all_faces(slug, fields):
    cleaned = inputs(slug, **fields)
    (odds,) = helper(slug).all_odds(BOOK, cleaned)
    roll_helper = helper(slug)
    assert same_odds(odds, *brute(lambda dice: roll_helper.resolve(BOOK, cleaned, dice), roll_helper.specs(cleaned)))
