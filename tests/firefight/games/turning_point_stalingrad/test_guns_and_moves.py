"""Guns, Rubble, Engineers and movement: each rule at its bounds, and the examples that the text gives."""

from itertools import product

import pytest

from .asking import ask, facts, inputs, problems


def ticks(**flags):
    return {name: "on" for name, is_so in flags.items() if is_so}


# Rubble


@pytest.mark.parametrize("tem", range(1, 5))
def test_5_5_printed_rubble_stays_from_seven_on(tem):
    for die in range(1, 7):
        result = ask("rubble-setup", {"die": die}, tem=tem)
        stays = die + tem >= 7
        assert facts(result, "stays") == ("stays" if stays else "removed", stays) and result.modified == die + tem


@pytest.mark.parametrize(
    ("tem", "level", "source"), list(product(range(5), range(3), ("air", "ranged", "german_artillery")))
)
def test_14_2_tem_and_attack_roll_of_13_make_rubble(tem, level, source):
    for dr in range(2, 13):
        makes = tem >= 3 and level < 2 and tem + dr >= 13
        word = ("raised" if level else "created") if makes else "unchanged"
        result = ask("rubble", {"attack_dr": dr}, tem=tem, level=level, source=source)
        needed = 13 - tem if tem >= 3 and level < 2 else None
        assert facts(result, "level", "needed") == (word, level + makes, needed)


@pytest.mark.parametrize("fields", [{"source": "russian_artillery"}, {"source": "inside"}, {"area": "56"}])
def test_14_2_some_bombardments_never_make_rubble(fields):
    result = ask("rubble", {"attack_dr": 12}, tem=4, **fields)
    assert facts(result, "level", "needed") == ("unchanged", 0, None)
    assert ask("rubble", tem=4, **fields).needs == ()


@pytest.mark.parametrize(
    ("level", "friendly", "fresh", "enemy"), list(product((1, 2), (False, True), (False, True), (False, True)))
)
def test_14_3_what_it_takes_to_enter_rubble(level, friendly, fresh, enemy):
    drm = friendly + (not fresh) + (not (enemy or fresh))
    need = 7 if level == 1 else 9
    fields = {"level": level, **ticks(friendly_controlled=friendly, fresh_enemy=fresh, any_enemy=enemy)}
    for dr in range(2, 13):
        enters = dr + drm >= need
        result = ask("rubble-entrance", {"dr": dr}, **fields)
        assert facts(result, "drm", "need", "enters") == ("enters" if enters else "fails", drm, need, enters)
        assert result.modified == dr + sum(modifier.value for modifier in result.modifiers)


@pytest.mark.parametrize(
    ("situation", "word", "rule"),
    [
        ("move", "d1_in_the_area_it_came_from", "14.41"),
        ("regroup", "stays_this_impulse", "14.41"),
        ("retreat", "eliminated", "14.5"),
        ("landing", "east_bank", "18.5"),
    ],
)
def test_14_41_14_5_18_5_what_a_failure_means(situation, word, rule):
    result = ask("rubble-entrance", {"dr": 2}, situation=situation)
    assert result.details["on_failure"] == word
    assert result.rules[1].startswith(f"{rule} ") and result.effects[0].endswith(f"({rule}).")


# Engineers


WORKING = {"tem": 3, "engineers": 1, "engineer_leads": "on", "other_infantry": 1, "already_in_area": "on"}


@pytest.mark.parametrize(
    ("fields", "tem"),
    [
        ({}, 2),
        ({"tem": 4, "engineers": 2}, 2),
        ({"engineers": 10}, 0),
        ({"engineers": 2, "other_infantry": 0}, 1),
        ({"other_infantry": 0}, 3),
        ({"engineer_leads": ""}, 3),
        ({"already_in_area": ""}, 3),
        ({"zone": "on"}, 3),
        ({"engineers": 0}, 3),
        ({"tem": 2}, 2),
    ],
)
def test_14_8_engineers_lower_a_tem_of_three_or_more(fields, tem):
    assert facts(ask("engineers", **{**WORKING, **fields}), "tem") == ("shown", tem)


# Guns


@pytest.mark.parametrize(("units", "time"), list(product(range(7), ("day", "night"))))
def test_15_32_counter_battery_has_to_roll_no_more_than_its_units(units, time):
    number = units + (time == "day")
    for die in range(1, 7):
        result = ask("counter-battery", {"die": die}, artillery_within_two=units, time=time)
        silenced = die <= number
        assert facts(result, "units", "silenced") == ("silenced" if silenced else "keeps_firing", number, silenced)
    assert bool(ask("counter-battery", artillery_within_two=units, time=time).needs) == (number > 0)


@pytest.mark.parametrize(
    ("fields", "allowed", "reach"),
    [
        ({"area": "40"}, True, 1),
        ({"area": "40", "distance": 2}, False, 1),
        ({"area": "40", "distance": 0}, False, 1),
        ({"area": "23", "distance": 2}, True, 2),
        ({"area": "23", "distance": 3}, False, 2),
        ({"area": "56", "distance": 3}, True, 3),  # as to 42, 53 and 68
        ({"area": "56", "distance": 4}, False, 3),  # as to 43 and 52
        ({"area": "40", "friends_in_target": "on"}, False, 1),
        ({"area": "40", "spent": "on"}, False, 1),
        ({"area": "40", "target_zone": "on"}, False, 1),
        ({"area": "C"}, False, 1),
        ({"area": "C", "same_zone": "on", "target_zone": "on", "friends_in_target": "on", "distance": 0}, True, 1),
        ({"side": "russian", "area": "67", "distance": 2}, True, 2),
        ({"side": "russian", "area": "67", "distance": 3}, False, 2),
        ({"side": "russian", "area": "67", "distance": 0}, True, 2),
        ({"side": "russian", "area": "67", "alone": "on"}, False, 2),
        ({"side": "russian", "area": "67", "alone": "on", "friends_in_target": "on"}, True, 2),
        ({"side": "russian", "area": "67", "target_zone": "on"}, False, 2),
        ({"side": "russian", "area": "67", "spent": "on"}, False, 2),
    ],
)
def test_15_21_how_far_guns_reach_and_what_they_may_fire_at(fields, allowed, reach):
    result = ask("artillery-range", **fields)
    assert facts(result, "allowed", "reach") == ("allowed" if allowed else "refused", allowed, reach)
    assert bool(result.effects) == (not allowed)


def test_a_gun_that_is_silenced_needs_refit_and_one_that_is_not_needs_nothing():
    assert "Refit" in " ".join(ask("counter-battery", {"die": 1}, artillery_within_two=1).effects)
    assert not ask("counter-battery", {"die": 6}, artillery_within_two=1).effects


def test_a_bombardment_adds_the_tem_to_its_roll():
    assert ask("rubble", {"attack_dr": 9}, tem=4).modified == 13
    assert ask("rubble", {"attack_dr": 9}, tem=2).modified == 9  # no roll makes Rubble there


def test_a_shot_cites_the_rule_of_its_side_and_that_of_zones_where_one_is_involved():
    def cited(**fields):
        return [rule.split()[0] for rule in ask("artillery-range", area="40", **fields).rules]

    assert cited() == ["15.21"] and cited(side="russian") == ["15.21", "15.3"]
    assert cited(same_zone="on") == cited(target_zone="on") == cited(side="russian", target_zone="on")
    assert cited(target_zone="on") == ["15.21", "15.25"]


def test_20_4_no_area_is_bombarded_twice():
    assert facts(ask("opening-bombardment", targets="24,25,C"), "allowed", "twice") == ("allowed", True, [])
    assert facts(ask("opening-bombardment", targets="24,c,25,C,24"), "twice") == ("refused", ["24", "C"])
    assert "targets" in problems("opening-bombardment", targets="75")


# Infiltration


@pytest.mark.parametrize(("tem", "rubble"), list(product(range(5), range(3))))
def test_8_29_infiltration_has_to_roll_below_tem_and_rubble(tem, rubble):
    for die in range(1, 7):
        result = ask("infiltration", {"die": die}, tem=tem, rubble=rubble)
        slips = die < tem + rubble
        assert facts(result, "allowed", "success") == ("infiltrates" if slips else "attacks", True, slips)
        handed = [(follow.helper, follow.inputs["tem"], follow.inputs["rubble"]) for follow in result.follow_ups]
        assert handed == ([] if slips else [("attack", tem, rubble)])


@pytest.mark.parametrize(
    "bar", ["by_day", "not_fresh", "not_infantry", "from_german_area", "into_zone", "german_fresh"]
)
def test_8_29_who_may_not_infiltrate(bar):
    result = ask("infiltration", tem=4, **{bar: "on"})
    assert facts(result, "allowed", "success") == ("refused", False, None) and len(result.effects) == 1


def test_a_failed_infiltration_hands_on_inputs_that_an_attack_takes():
    (follow,) = ask("infiltration", {"die": 6}, tem=3, rubble=1).follow_ups
    cleaned = inputs("attack", **follow.inputs)
    assert (cleaned["attacker"], cleaned["time"], cleaned["tem"], cleaned["rubble"]) == ("russian", "night", 3, 1)


# Movement


@pytest.mark.parametrize(
    ("fields", "enter", "attack"),
    [
        ({}, 1, 0),
        ({"enemy_zoc": "on"}, 2, 0),
        ({"enemy_zoc": "on", "time": "night"}, 1, 0),
        ({"time": "night"}, 1, 0),
        ({"fresh_enemy": 1}, 2, 2),
        ({"fresh_enemy": 1, "enemy_zoc": "on", "time": "night"}, 2, 2),
        ({"spent_enemy": 1}, 2, 1),
        ({"spent_enemy": 1, "enemy_zoc": "on"}, 2, 1),  # three, not five
        ({"fresh_enemy": 1, "spent_enemy": 2}, 2, 2),
        ({"rubble": 1}, 2, 0),
        ({"rubble": 2}, 2, 0),
        ({"fresh_enemy": 1, "rubble": 1}, 3, 2),
    ],
)
def test_8_24_what_an_area_costs(fields, enter, attack):
    for group, alone in (("fresh", 2), ("spent", 1)):
        result = ask("entry-cost", **fields, group=group)
        assert facts(result, "enter", "attack", "total", "attack_only") == (
            *("shown", enter, attack, enter + attack, alone),
        )


@pytest.mark.parametrize(
    ("fields", "mf"),
    [
        ({}, 4),
        ({"level": 1}, 3),
        ({"printed": 1, "level": 2}, 0),
        ({"russian_fresh_night": "on"}, 5),
        ({"kind": "mechanized", "printed": 6}, 12),
        ({"kind": "mechanized", "printed": 6, "level": 1}, 10),
        ({"kind": "mechanized", "printed": 6, "attacks": "on"}, 6),
        ({"kind": "mechanized", "printed": 6, "leaves_enemy_area": "on"}, 6),
        ({"kind": "mechanized", "printed": 6, "enters_enemy_control_or_rubble": "on"}, 12),
        ({"kind": "motorized", "printed": 6}, 12),
        ({"kind": "motorized", "printed": 6, "enters_enemy_control_or_rubble": "on"}, 6),
        ({"kind": "motorized", "printed": 6, "attacks": "on", "russian_fresh_night": "on"}, 7),
    ],
)
def test_8_26_8_27_how_far_units_go(fields, mf):
    assert facts(ask("movement", **fields), "mf", "readings") == ("shown", mf, [])


def test_16_3_whether_the_mf_of_the_night_is_doubled_is_open():
    result = ask("movement", kind="mechanized", printed=6, russian_fresh_night="on")
    assert facts(result, "mf", "readings") == ("undetermined", None, [13, 14])


@pytest.mark.parametrize(
    ("unit", "fields", "enters", "leaves"),
    [
        ("infantry", {"fresh_enemy": 1, "spent_enemy": 1}, True, True),
        ("armour", {"fresh_enemy": 1}, True, True),
        ("at", {}, True, True),
        ("at", {"fresh_enemy": 1, "entering_leader": "on"}, False, False),
        ("at", {"spent_enemy": 1}, False, True),
        ("at", {"spent_enemy": 1, "entering_leader": "on"}, True, True),
        ("at", {"fresh_enemy": 1, "group_cleared_it": "on"}, False, True),
        ("aa", {}, True, True),
        ("aa", {"spent_enemy": 1, "entering_leader": "on"}, False, False),
        ("aa", {"fresh_enemy": 1, "group_cleared_it": "on"}, False, True),
    ],
)
def test_8_22_who_enters_and_leaves_enemy_areas(unit, fields, enters, leaves):
    assert facts(ask("enemy-area", unit=unit, **fields), "may_enter", "may_leave") == ("shown", enters, leaves)


@pytest.mark.parametrize(("out", "into", "guarded_from", "guarded_to"), list(product((False, True), repeat=4)))
def test_8_22_armour_steps_from_zoc_to_zoc_past_no_guns(out, into, guarded_from, guarded_to):
    fields = ticks(from_zoc=out, to_zoc=into, from_guarded=guarded_from, to_guarded=guarded_to)
    allowed = not (out and into and (guarded_from or guarded_to))
    assert facts(ask("zoc-step", **fields), "allowed") == ("allowed" if allowed else "refused", allowed)


@pytest.mark.parametrize("bar", ["by_day", "isolated", "into_enemy_control", "enemy_in_target"])
def test_8_28_who_may_not_regroup(bar):
    assert facts(ask("regroup"), "allowed") == ("allowed", True)
    assert facts(ask("regroup", **{bar: "on"}), "allowed") == ("refused", False)


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({}, True),
        ({"mf_left": 1}, False),
        ({"mf_left": 1, "group": "spent"}, True),
        ({"mf_left": 0, "group": "spent"}, False),
        ({"time": "night"}, False),
        ({"zone_involved": "on"}, False),
    ],
)
def test_8_31_when_a_ranged_attack_may_be_made(fields, allowed):
    assert facts(ask("ranged-attack", **fields), "allowed") == ("allowed" if allowed else "refused", allowed)
