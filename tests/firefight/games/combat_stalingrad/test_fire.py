from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.helpers.fire import fire_odds
from firefight.games.combat_stalingrad.helpers.fire import hit_odds as who_is_hit_odds
from firefight.games.combat_stalingrad.rules.fire import (
    FireOutcome,
    Weapon,
    aftermath,
    check_called,
    fire,
    fire_chain,
    hit_dice,
    hit_odds,
    struck_places,
    who_is_hit,
)
from firefight.games.combat_stalingrad.rules.morale import Cause, casualties, morale
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit, name_units
from tests.books import HOUSE, altered, grid, grid_result, house_data
from tests.oracles.odds import brute, same_odds

D100 = DieSpec("die", 100, "d100")
COLUMNS = [int(column) for column in grid("fft")]
DRM = {item["key"]: item["value"] for item in house_data()["charts"]["fft_modifiers"]["items"]}
SEVERITY = ["none", "m", "m+1", "m+2", "m+3", "m+4", "m+5", "m+6", "c", "c/m", "e", "2e"]
SQUAD = Unit(Kind.SQUAD, "A", 7)


def drm(result):
    return {modifier.name: modifier.value for modifier in result.modifiers}


def sum_of(result):
    return sum(modifier.value for modifier in result.modifiers)


# 18.1 The table


@pytest.mark.parametrize("column", COLUMNS)
def test_every_face_scores_what_the_column_says(column):
    for die in range(1, 101):
        result = fire(charts=HOUSE, ff=column, die=die)
        assert result.outcome == (grid_result("fft", str(column), die).lower() or "none")
        assert (result.modified, result.details["column"], result.details["ff"]) == (die, column, column)
        assert result.headline == f"{result.outcome.word}: {die} on column {column}."


@pytest.mark.parametrize("total", [-60, 0, 1, 100, 101, 160])
def test_totals_off_the_table_read_its_ends_but_show_the_true_sum(total):
    result = fire(charts=HOUSE, ff=10, other_drm=total - 50, die=50)
    assert result.modified == total
    assert result.outcome == (grid_result("fft", "10", total).lower() or "none")
    assert result.headline == f"{result.outcome.word}: {total} on column 10."


@pytest.mark.parametrize("ff", range(1, 131))
def test_firepower_between_two_columns_uses_the_lower_one(ff):
    result = fire(charts=HOUSE, ff=ff, die=50)
    assert result.details["column"] == max(column for column in COLUMNS if column <= ff)
    assert result.details["ff"] == ff


@pytest.mark.parametrize("ff", range(1, 41))
def test_a_pinned_firer_has_half_his_factors_fractions_down(ff):
    result = fire(charts=HOUSE, ff=ff, state=State.PINNED, die=1)
    assert result.details["ff"] == ff // 2


@pytest.mark.parametrize("inputs", [{"ff": 1, "state": State.PINNED}, {"ff": 0}])
def test_without_a_factor_left_there_is_no_attack_and_no_die(inputs):
    result = fire(charts=HOUSE, units=[SQUAD], **inputs)
    assert (result.outcome, result.needs, result.follow_ups) == (FireOutcome.NONE, (), ())
    assert result.details == {"ff": 0, "column": None}
    assert "no attack" in result.headline


@pytest.mark.parametrize("state", [State.DISRUPTED, State.WIA])
def test_a_disrupted_or_wia_unit_does_not_fire(state):
    with pytest.raises(BadInput) as caught:
        fire(charts=HOUSE, ff=10, state=state, die=1)
    assert list(caught.value.problems) == ["state"]


@pytest.mark.parametrize(
    ("inputs", "name"),
    [({}, "ff"), ({"weapon": Weapon.CALIBER}, "caliber"), ({"weapon": Weapon.CALIBER, "ff": 10}, "caliber")],
)
def test_firepower_that_is_not_given_is_asked_for(inputs, name):
    with pytest.raises(BadInput) as caught:
        fire(charts=HOUSE, die=1, **inputs)
    assert list(caught.value.problems) == [name]


@pytest.mark.parametrize(("caliber", "ff"), [(50, 10), (57, 10), (75, 17), (76, 17), (82, 20), (105, 26)])
def test_a_gun_fires_on_the_column_of_its_caliber_rounded_down(caliber, ff):
    result = fire(charts=HOUSE, weapon=Weapon.CALIBER, caliber=caliber, ff=3, die=50)
    assert result.details["ff"] == ff


def test_a_weapon_with_a_column_of_its_own_has_it_whatever_caliber_stands_beside_it():
    result = fire(charts=HOUSE, weapon=Weapon.FLAMETHROWER, caliber=50)
    assert result.details == {"ff": 100, "column": 100}


def test_a_caliber_without_factors_means_a_gun_and_factors_go_before_it():
    gun = fire(charts=HOUSE, caliber=75, die=50)
    assert gun.details["ff"] == 17
    assert [source.chart for source in gun.provenance] == ["fft", "artillery_ff"]
    assert fire(charts=HOUSE, ff=3, caliber=75, die=50).details["ff"] == 3


@pytest.mark.parametrize("weapon", [Weapon.FLAMETHROWER, Weapon.DEMO_CHARGE])
def test_flamethrowers_and_demo_charges_fire_on_column_100(weapon):
    result = fire(charts=HOUSE, weapon=weapon, die=50)
    assert result.details["column"] == 100


def test_a_flamethrower_always_has_its_drm_and_a_demo_charge_has_none():
    burning = fire(charts=HOUSE, weapon=Weapon.FLAMETHROWER, die=50)
    assert drm(burning) == {"Flamethrower": -10}
    assert drm(fire(charts=HOUSE, weapon=Weapon.FLAMETHROWER, modifiers=["flamethrower"], die=50)) == drm(burning)
    assert drm(fire(charts=HOUSE, weapon=Weapon.DEMO_CHARGE, die=50)) == {}


@pytest.mark.parametrize("weapon", [Weapon.MINES, Weapon.MOLOTOV])
def test_mines_and_molotovs_have_columns_of_their_own_and_ask_for_them_while_they_are_blank(weapon):
    with pytest.raises(MissingChart, match=f"needs cell {weapon.value} of the chart") as caught:
        fire(charts=HOUSE, weapon=weapon, units=[SQUAD])
    assert caught.value.cell == weapon.value
    own = altered("fft_weapons", values={"flamethrower": 100, "demo_charge": 100, weapon.value: 30}, house=[])
    for die in range(1, 101):
        result = fire(charts=own, weapon=weapon, units=[SQUAD], die=die)
        assert result.outcome == (grid_result("fft", "30", die).lower() or "none")
        assert (result.details["column"], result.modifiers) == (30, ())
    assert [source.chart for source in result.provenance] == ["fft", "fft_weapons"]


@pytest.mark.parametrize("state", [State.PINNED, State.DISRUPTED])
def test_mines_have_no_firer_who_could_be_pinned(state):
    own = altered("fft_weapons", values={"flamethrower": 100, "demo_charge": 100, "mines": 30}, house=[])
    with pytest.raises(BadInput) as caught:
        fire(charts=own, weapon=Weapon.MINES, state=state, die=1)
    assert list(caught.value.problems) == ["state"]
    assert fire(charts=own, weapon=Weapon.MINES, die=1).details["ff"] == 30


@pytest.mark.parametrize("key", DRM)
def test_each_modifier_of_the_book_counts_with_its_value_and_its_own_origin(key):
    result = fire(charts=HOUSE, ff=10, modifiers=[key], die=50)
    assert sum_of(result) == DRM[key]
    assert result.modified == 50 + DRM[key]
    choice = HOUSE["fft_modifiers"].items[key]
    assert [(source.chart, source.title, source.provenance) for source in result.provenance] == [
        ("fft", "Firepower Factors Table", "house"),
        ("fft_modifiers", choice.name, choice.provenance),
    ]


def test_modifiers_add_up_in_the_books_order_and_count_once():
    result = fire(charts=HOUSE, ff=10, modifiers=["running", "building_ground", "running"], other_drm=3, die=50)
    assert [(modifier.name, modifier.value) for modifier in result.modifiers] == [
        ("Building, ground level", 25),
        ("Running", -20),
        ("Other DRM", 3),
    ]
    assert result.modified == 58


def test_smoke_does_not_count_against_artillery():
    assert drm(fire(charts=HOUSE, ff=10, modifiers=["smoke"], die=50)) == {"Smoke (not against artillery)": 10}
    assert drm(fire(charts=HOUSE, ff=10, modifiers=["smoke"], artillery=True, die=50)) == {}


@pytest.mark.parametrize("cover", ["woods", "debris"])
def test_artillery_bursts_in_the_air_over_woods_and_debris(cover):
    shelled = fire(charts=HOUSE, ff=10, modifiers=[cover], artillery=True, die=50)
    shot = fire(charts=HOUSE, ff=10, modifiers=[cover], die=50)
    assert sum_of(shelled) == DRM[cover] - 10
    assert sum_of(shot) == DRM[cover]
    assert "Airburst in woods or debris" in drm(shelled)


@pytest.mark.parametrize("key", sorted(set(DRM) - {"woods", "debris", "airburst", "smoke"}))
def test_artillery_has_no_airburst_elsewhere(key):
    assert sum_of(fire(charts=HOUSE, ff=10, modifiers=[key], artillery=True, die=50)) == DRM[key]


def test_an_airburst_counts_once_over_woods_with_debris():
    result = fire(charts=HOUSE, ff=10, modifiers=["woods", "debris", "airburst"], artillery=True, die=50)
    assert sum_of(result) == DRM["woods"] + DRM["debris"] - 10


def test_a_modifier_that_the_book_lacks_is_refused_by_name():
    with pytest.raises(BadInput, match="no modifier named fog, mud"):
        fire(charts=HOUSE, ff=10, modifiers=["mud", "fog", "woods"], die=50)


def test_a_blank_modifier_and_a_blank_cell_are_asked_for_by_name():
    items = house_data()["charts"]["fft_modifiers"]["items"]
    items[0]["value"] = "?"
    with pytest.raises(MissingChart) as caught:
        fire(charts=altered("fft_modifiers", items=items), ff=10, modifiers=["building_ground"], die=50)
    assert caught.value.cell == "Building, ground level"
    book = altered("fft", grid="FF 10 100\nE 5 50\nM ? 90")
    assert fire(charts=book, ff=100, die=60).outcome == "m"
    with pytest.raises(MissingChart) as caught:
        fire(charts=book, ff=10, die=6)
    assert caught.value.cell == "M, column 10"


@pytest.mark.parametrize(
    ("inputs", "charts"),
    [
        ({"ff": 10}, ["fft"]),
        ({"weapon": Weapon.CALIBER, "caliber": 75}, ["fft", "artillery_ff"]),
        ({"weapon": Weapon.DEMO_CHARGE}, ["fft", "fft_weapons"]),
        ({"weapon": Weapon.FLAMETHROWER}, ["fft", "fft_weapons", "fft_modifiers"]),
    ],
)
def test_fire_names_every_chart_that_decided_it(inputs, charts):
    result = fire(charts=HOUSE, die=50, **inputs)
    assert [source.chart for source in result.provenance] == charts


def test_fire_without_a_die_tells_the_column():
    result = fire(charts=HOUSE, ff=17, modifiers=["woods"])
    assert (result.outcome, result.needs, result.details) == (None, ("die",), {"ff": 17, "column": 15})
    assert result.headline == "17 FF on column 15: a low roll is good."
    assert drm(result) == {"Woods": 10}


@pytest.mark.parametrize("face", [0, 101])
def test_a_fire_die_off_the_d100_is_refused(face):
    with pytest.raises(BadDie):
        fire(charts=HOUSE, ff=10, die=face)


@given(st.integers(1, 120), st.integers(0, 60), st.integers(1, 100), st.integers(-40, 40))
def test_more_firepower_is_never_milder_at_the_same_roll(ff, more, die, other_drm):
    less_result = fire(charts=HOUSE, ff=ff, other_drm=other_drm, die=die)
    more_result = fire(charts=HOUSE, ff=ff + more, other_drm=other_drm, die=die)
    assert SEVERITY.index(less_result.outcome) <= SEVERITY.index(more_result.outcome)


@given(st.integers(1, 120), st.integers(1, 100), st.integers(-80, 80), st.integers(0, 80))
def test_a_higher_drm_never_hurts_the_target(ff, die, lower, more):
    with_lower = fire(charts=HOUSE, ff=ff, other_drm=lower, die=die)
    with_higher = fire(charts=HOUSE, ff=ff, other_drm=lower + more, die=die)
    assert SEVERITY.index(with_higher.outcome) <= SEVERITY.index(with_lower.outcome)


@pytest.mark.parametrize("ff", [1, 10, 60, 100])
@pytest.mark.parametrize("other_drm", [-30, 0, 45])
def test_fire_odds_are_a_plain_count_of_all_faces(ff, other_drm):
    def rule(dice):
        return fire(charts=HOUSE, ff=ff, other_drm=other_drm, **dice)

    assert same_odds(sweep(rule, [D100]), *brute(rule, [D100]))


# 18.1.2 What a result calls for


@pytest.mark.parametrize(
    ("outcome", "word", "check"),
    [
        (FireOutcome.NONE, "No effect", None),
        (FireOutcome.M, "M", 0),
        (FireOutcome.M_1, "M+1", 1),
        (FireOutcome.M_6, "M+6", 6),
        (FireOutcome.C, "C", None),
        (FireOutcome.C_M, "C/M", None),
        (FireOutcome.E, "E", None),
        (FireOutcome.E_2, "2E", None),
    ],
)
def test_a_result_is_called_as_the_table_prints_it(outcome, word, check):
    assert (outcome.word, outcome.check) == (word, check)


@pytest.mark.parametrize("column", [str(column) for column in COLUMNS])
def test_after_e_the_units_left_take_the_highest_check_that_the_column_can_score(column):
    scored = {grid_result("fft", column, total) for total in range(1, 101)}
    highest = max(int(row[2:] or 0) for row in scored if row.startswith("M"))
    table = HOUSE["fft"]
    assert check_called(table, column, FireOutcome.E) == highest
    assert check_called(table, column, FireOutcome.E_2) == highest
    assert check_called(table, column, FireOutcome.C) is None
    assert check_called(table, column, FireOutcome.NONE) is None
    assert check_called(table, column, FireOutcome.C_M) == 0
    assert check_called(table, column, FireOutcome.M_2) == 2


def test_a_column_without_any_check_asks_for_none_after_e():
    book = altered("fft", grid="FF 10 100\nE 5 50\nC 20 60\nM 20 90")
    assert fire(charts=book, ff=10, die=1).details["check"] is None
    assert fire(charts=book, ff=100, die=1).details["check"] == 0


def die_for(column, result):
    """A roll that scores this result in a column of the house book."""
    return next(die for die in range(1, 101) if grid_result("fft", str(column), die) == result)


STACK = (
    Unit(Kind.SQUAD, "A", 7),
    Unit(Kind.LEADER, "B", 8, State.PINNED),
    Unit(Kind.CREW, "C"),
)


def test_m_plus_x_calls_for_a_check_of_every_unit_with_its_x():
    result = fire(charts=HOUSE, ff=20, units=STACK, die=die_for(20, "M+2"))
    assert [(step.helper, step.title, dict(step.inputs)) for step in result.follow_ups] == [
        (
            "morale",
            "Morale Check: A",
            {"unit": "squad", "state": "good_order", "name": "A", "tq": 7, "modifier": 2},
        ),
        (
            "morale",
            "Morale Check: B",
            {"unit": "leader", "state": "pinned", "name": "B", "tq": 8, "modifier": 2},
        ),
        ("morale", "Morale Check: C", {"unit": "crew", "state": "good_order", "name": "C", "modifier": 2}),
    ]
    assert result.details["check"] == 2


def test_no_effect_and_an_empty_hex_call_for_nothing():
    assert fire(charts=HOUSE, ff=10, units=STACK, die=100).follow_ups == ()
    for result in ("M+2", "C"):
        attack = fire(charts=HOUSE, ff=20, die=die_for(20, result))
        assert (attack.follow_ups, attack.effects) == ((), ())


@pytest.mark.parametrize("result", ["C", "C/M", "E", "2E"])
def test_a_hit_on_several_units_asks_who_is_hit(result):
    attack = fire(charts=HOUSE, ff=20, units=STACK, die=die_for(20, result))
    [step] = attack.follow_ups
    assert step.helper == "who-is-hit"
    assert step.inputs["result"] == result.lower()
    assert step.inputs["check"] == attack.details["check"] == {"C": None, "C/M": 0, "E": 3, "2E": 3}[result]
    assert tuple(Unit.read(plain) for plain in step.inputs["units"]) == STACK
    assert attack.effects == ()


def test_a_hit_on_a_lone_unit_goes_straight_to_its_casualties():
    attack = fire(charts=HOUSE, ff=20, units=STACK[:1], die=die_for(20, "C"))
    [step] = attack.follow_ups
    assert (step.helper, dict(step.inputs)) == (
        "casualties",
        {"unit": "squad", "state": "good_order", "name": "A", "tq": 7, "source": "fft"},
    )
    both = fire(charts=HOUSE, ff=20, units=STACK[:1], die=die_for(20, "C/M"))
    assert both.follow_ups[0].inputs["then_check"] == 0


@pytest.mark.parametrize(("result", "units"), [("E", 1), ("2E", 1), ("2E", 2)])
def test_an_e_without_a_choice_eliminates_at_once(result, units):
    attack = fire(charts=HOUSE, ff=20, units=STACK[:units], die=die_for(20, result))
    assert attack.effects == tuple(f"{unit.name} is eliminated." for unit in STACK[:units])
    assert attack.follow_ups == ()


# 18.1.3 Who is hit


def slow_struck(faces, result):
    """The units hit, by the words of the rule and ruling A-15."""
    highest = [place for place in range(len(faces)) if all(faces[place] >= face for face in faces)]
    if result is not FireOutcome.E_2 or len(highest) > 1:
        return set(highest)
    rest = [place for place in range(len(faces)) if place not in highest]
    return set(highest) | {place for place in rest if all(faces[place] >= faces[other] for other in rest)}


def stack_of(count):
    return tuple(Unit(Kind.SQUAD, name, 6) for name in "ABCDEF"[:count])


@pytest.mark.parametrize(("count", "result"), [(2, FireOutcome.C), (3, FireOutcome.E), (3, FireOutcome.E_2)])
def test_every_roll_of_the_stack_hits_the_highest_with_all_ties(count, result):
    units = stack_of(count)
    specs = hit_dice(units, result)
    for faces in product(range(1, 11), repeat=count):
        dice = {spec.name: face for spec, face in zip(specs, faces, strict=True)}
        result_of_dice = who_is_hit(charts=HOUSE, result=result, units=units, **dice)
        struck = slow_struck(faces, result)
        assert result_of_dice.details["hit"] == [units[place].name for place in sorted(struck)]
        assert result_of_dice.details["spared"] == [
            unit.name for place, unit in enumerate(units) if place not in struck
        ]
        assert result_of_dice.dice == dice


@given(st.lists(st.integers(1, 10), min_size=3, max_size=9), st.sampled_from([FireOutcome.E, FireOutcome.E_2]))
def test_larger_stacks_follow_the_same_words(faces, result):
    assert struck_places(faces, result) == slow_struck(faces, result)


def test_who_is_hit_shows_odds_as_soon_as_somebody_stands_there():
    inputs = {"result": FireOutcome.E, "check": None, "source": Cause.FFT}
    assert tuple(who_is_hit_odds(HOUSE, {**inputs, "units": ()})) == ()
    odds_of_stack = tuple(who_is_hit_odds(HOUSE, {**inputs, "units": stack_of(3)}))
    assert [odds.rows for odds in odds_of_stack] == [
        odds.rows for odds in hit_odds(charts=HOUSE, units=stack_of(3), **inputs)
    ]


@pytest.mark.parametrize("result", [FireOutcome.C, FireOutcome.C_M, FireOutcome.E, FireOutcome.E_2])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_hit_odds_are_a_plain_count_of_all_rolls(count, result):
    units = stack_of(count)
    number, one_unit = hit_odds(charts=HOUSE, result=result, units=units)
    if count <= (2 if result is FireOutcome.E_2 else 1):
        assert [(row.label, row.weight, number.total) for row in number.rows] == [
            ("1 unit" if count == 1 else f"{count} units", 1, 1)
        ]
        assert [(row.outcome, row.weight, one_unit.total) for row in one_unit.rows] == [("hit", 1, 1)]
        return
    sizes, first = Counter(), 0
    for faces in product(range(1, 11), repeat=count):
        struck = slow_struck(faces, result)
        sizes[len(struck)] += 1
        first += 0 in struck
    assert number.total == one_unit.total == 10**count
    assert {row.label: row.weight for row in number.rows} == {
        "1 unit" if size == 1 else f"{size} units": rolls for size, rolls in sizes.items()
    }
    assert {row.outcome: row.weight for row in one_unit.rows} == {"hit": first, "spared": 10**count - first}
    assert one_unit.subject == "any one unit"


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize("result", [FireOutcome.E, FireOutcome.E_2])
def test_hit_odds_agree_with_each_other_for_any_stack(count, result):
    number, one_unit = hit_odds(charts=HOUSE, result=result, units=(Unit(),) * count)
    assert sum(row.weight for row in number.rows) == number.total
    hits = sum(int(row.label.split()[0]) * row.weight for row in number.rows)
    [hit] = [row.weight for row in one_unit.rows if row.outcome == "hit"]
    assert hits * one_unit.total == hit * count * number.total


@pytest.mark.parametrize(
    ("count", "result", "dice"),
    [
        (1, FireOutcome.C, 0),
        (2, FireOutcome.C, 2),
        (2, FireOutcome.E, 2),
        (1, FireOutcome.E_2, 0),
        (2, FireOutcome.E_2, 0),
        (3, FireOutcome.E_2, 3),
    ],
)
def test_dice_are_rolled_only_when_there_is_a_choice(count, result, dice):
    units = stack_of(count)
    specs = hit_dice(units, result)
    assert [(spec.name, spec.sides, spec.label) for spec in specs] == [
        (f"die_{n}", 10, unit.name) for n, unit in enumerate(units[:dice], 1)
    ]
    hit_result = who_is_hit(charts=HOUSE, result=result, units=units)
    assert hit_result.needs == tuple(spec.name for spec in specs)
    if not dice:
        assert hit_result.details == {"hit": [unit.name for unit in units], "spared": []}


def test_the_boxes_of_units_with_one_name_say_which_is_which():
    twins = (
        Unit(name="A", state=State.PINNED, hex="K7", where="level 1"),
        Unit(name="A"),
        Unit(name="B", state=State.PINNED, hex="K7"),
    )
    boxes = {die.label: die.about for die in hit_dice(twins)}
    assert boxes == {"A (1)": "Pinned Down, K7 level 1", "A (2)": "", "B": ""}


def test_the_dice_that_are_still_missing_are_named():
    hit_result = who_is_hit(charts=HOUSE, result=FireOutcome.C, units=stack_of(3), die_2=4)
    assert hit_result.needs == ("die_1", "die_3")


def test_a_bad_hit_die_is_named():
    with pytest.raises(BadDie) as caught:
        who_is_hit(charts=HOUSE, result=FireOutcome.C, units=stack_of(2), die_1=4, die_2=11)
    assert caught.value.die == "die_2"


def test_nobody_in_the_hex_is_nobody_to_hit():
    with pytest.raises(BadInput) as caught:
        who_is_hit(charts=HOUSE, result=FireOutcome.C, units=())
    assert list(caught.value.problems) == ["units"]


def test_those_hit_by_c_m_suffer_first_and_those_left_check():
    hit_result = who_is_hit(charts=HOUSE, result=FireOutcome.C_M, units=STACK, check=0, die_1=9, die_2=9, die_3=2)
    assert [(step.helper, step.title) for step in hit_result.follow_ups] == [
        ("casualties", "Casualties: A"),
        ("casualties", "Casualties: B"),
        ("morale", "Morale Check: C"),
    ]
    assert [step.inputs.get("then_check") for step in hit_result.follow_ups] == [0, 0, None]
    assert hit_result.headline == "C/M hits A and B."
    assert hit_result.word == "2 units"


def test_a_c_of_the_fft_sends_a_vehicle_to_its_casualties_and_one_of_close_combat_kills_it_at_once():
    tank = ("tank", Unit(Kind.VEHICLE, "tank", 7))
    shot, fought = (aftermath(FireOutcome.C, [tank], [], None, cause) for cause in (Cause.FFT, Cause.CLOSE_COMBAT))
    assert ([step.helper for step in shot.follow_ups], shot.effects) == (["casualties"], ())
    assert (fought.follow_ups, fought.effects) == ((), ("tank is M-KILLED.",))


def test_casualties_of_a_close_combat_wait_for_both_sides_where_any_of_them_is_a_counter():
    pairs = [("A", replace(SQUAD, id="german-1")), ("B", replace(SQUAD, name="B"))]
    for hit, cause in ((pairs, Cause.CLOSE_COMBAT), (pairs[1:], Cause.FFT)):
        steps = aftermath(FireOutcome.C, hit, [], None, Cause.CLOSE_COMBAT)
        assert {step.inputs["source"] for step in steps.follow_ups} == {cause.value}
    waits = {
        cause: who_is_hit(charts=HOUSE, result=FireOutcome.E, units=(SQUAD,), source=cause).waits for cause in Cause
    }
    assert waits == {cause: cause is Cause.CLOSE_COMBAT for cause in Cause}


def test_those_spared_by_a_plain_c_take_no_check():
    hit_result = who_is_hit(charts=HOUSE, result=FireOutcome.C, units=STACK, check=None, die_1=9, die_2=3, die_3=2)
    assert [step.title for step in hit_result.follow_ups] == ["Casualties: A"]
    assert "then_check" not in hit_result.follow_ups[0].inputs


def test_e_removes_the_highest_and_the_rest_check_at_the_columns_worst():
    hit_result = who_is_hit(charts=HOUSE, result=FireOutcome.E, units=STACK, check=3, die_1=1, die_2=9, die_3=2)
    assert hit_result.effects == ("B is eliminated.",)
    assert [(step.title, step.inputs["modifier"]) for step in hit_result.follow_ups] == [
        ("Morale Check: A", 3),
        ("Morale Check: C", 3),
    ]


@pytest.mark.parametrize(
    ("faces", "hit"),
    [
        ((9, 5, 3), "AB"),
        ((9, 9, 3), "AB"),
        ((9, 5, 5), "ABC"),
        ((5, 5, 5), "ABC"),
        ((1, 2, 3), "BC"),
        ((7, 7, 10), "ABC"),
    ],
)
def test_2e_takes_the_next_highest_with_all_ties_when_one_stands_alone(faces, hit):
    dice = {f"die_{n}": face for n, face in enumerate(faces, 1)}
    hit_result = who_is_hit(charts=HOUSE, result=FireOutcome.E_2, units=stack_of(3), check=2, **dice)
    assert "".join(hit_result.details["hit"]) == hit


# The chain to the end


@cache
def check_end(kind, state, tq, modifier, die):
    details = morale(charts=HOUSE, tq=tq, state=state, unit=kind, modifier=modifier, die=die).details
    return details["unit"] and (Kind(details["unit"]), State(details["state"]))


def ends_of_step(step):
    """How the unit of a follow-up ends, over the ten faces of the check that may come."""
    inputs = dict(step.inputs)
    kind, state, tq = Kind(inputs["unit"]), State(inputs["state"]), inputs["tq"]
    if step.helper == "casualties":
        loss = casualties(
            charts=HOUSE,
            unit=kind,
            state=state,
            source=Cause(inputs["source"]),
            name=inputs["name"],
            tq=tq,
            then_check=inputs.get("then_check"),
        )
        if loss.follow_ups:
            return ends_of_step(loss.follow_ups[0])
        end = loss.details["unit"] and (Kind(loss.details["unit"]), State(loss.details["state"]))
        return Counter({end: 10})
    return Counter(check_end(kind, state, tq, inputs["modifier"], die) for die in range(1, 11))


def ends_after(steps, effects, units):
    """{unit's name: Counter of ends in tenths} after these follow-ups and effects."""
    ends = {name: Counter({(unit.kind, unit.state): 10}) for name, unit in name_units(units)}
    for name in ends:
        if f"{name} is eliminated." in effects:
            ends[name] = Counter({None: 10})
    for step in steps:
        ends[step.title.partition(": ")[2]] = ends_of_step(step)
    return ends


def slow_chain(inputs, units):
    """Every table die, every roll of the hit dice, every face of each check, through the rules' own follow-ups."""
    counted = {name: Counter() for name, _ in name_units(units)}
    rolls = 10 ** len(units)
    by_outcome = {}
    for die in range(1, 101):
        attack = fire(charts=HOUSE, units=units, die=die, **inputs)
        if attack.outcome not in by_outcome:
            steps = attack.follow_ups
            total = {name: Counter() for name in counted}
            if steps and steps[0].helper == "who-is-hit":
                hit_inputs = dict(steps[0].inputs)
                stack = [Unit.read(plain) for plain in hit_inputs.pop("units")]
                hit_inputs["result"] = FireOutcome(hit_inputs["result"])
                for faces in product(range(1, 11), repeat=len(stack)):
                    dice = {f"die_{n}": face for n, face in enumerate(faces, 1)}
                    hit = who_is_hit(charts=HOUSE, units=stack, **hit_inputs, **dice)
                    for name, ends in ends_after(hit.follow_ups, hit.effects, units).items():
                        total[name].update(ends)
            else:
                for name, ends in ends_after(steps, attack.effects, units).items():
                    total[name].update({end: tenths * rolls for end, tenths in ends.items()})
            by_outcome[attack.outcome] = total
        for name, ends in by_outcome[attack.outcome].items():
            counted[name].update(ends)
    return counted, 100 * rolls * 10


def label_of(unit, end):
    if end is None:
        return ("eliminated", "Eliminated")
    kind, state = end
    word = {"good_order": "Good Order", "pinned": "Pinned Down", "disrupted": "Disrupted", "wia": "WIA"}[state]
    if kind is not unit.kind:
        smaller = {"half_squad": "Half-squad", "wounded_leader": "Wounded leader"}[kind]
        return ("reduced", f"{smaller}, {word}")
    return ("untouched", "Untouched") if state is unit.state else (state.value, word)


CHAINS = [
    ({"ff": 10}, (Unit(Kind.SQUAD, "A", 7),)),
    ({"ff": 10, "other_drm": -40}, (Unit(Kind.LEADER, "A", 8, State.WIA),)),
    ({"ff": 30, "modifiers": ("woods",), "artillery": True}, (Unit(Kind.CREW, "A", 6), Unit(Kind.SQUAD, "B", 5))),
    ({"ff": 70}, (Unit(Kind.WOUNDED_LEADER, "A", 8), Unit(Kind.HALF_SQUAD, "B", 6, State.DISRUPTED))),
    ({"ff": 20}, (Unit(Kind.SQUAD, "A", 7), Unit(Kind.LEADER, "B", 9), Unit(Kind.SW_TEAM, "C", 5, State.PINNED))),
    (
        {"weapon": Weapon.DEMO_CHARGE},
        (Unit(Kind.SQUAD, "", 6, State.WIA), Unit(Kind.SQUAD, "", 6), Unit(Kind.LEADER, "", 7, State.DISRUPTED)),
    ),
    ({"weapon": Weapon.CALIBER, "caliber": 50, "other_drm": 60}, (Unit(Kind.SQUAD, "A", 10),)),
]


@pytest.mark.parametrize(("inputs", "units"), CHAINS)
def test_the_chain_to_the_end_is_a_plain_count_of_every_roll_of_every_die(inputs, units):
    def rule(dice):
        return fire(charts=HOUSE, units=units, **inputs, **dice)

    column = str(rule({}).details["column"])
    chain = fire_chain(table=sweep(rule, [D100]), charts=HOUSE, column=column, units=units)
    counted, every = slow_chain(inputs, units)
    assert [odds.subject for odds in chain] == list(counted)
    for odds, (name, unit) in zip(chain, name_units(units), strict=True):
        expected = Counter()
        for end, weight in counted[name].items():
            expected[label_of(unit, end)] += weight
        assert odds.total == sum(expected.values()) == every
        assert {(row.outcome, row.label): row.weight for row in odds.rows} == dict(expected)


@settings(max_examples=25)
@given(
    st.integers(1, 100),
    st.lists(
        st.builds(
            Unit,
            st.sampled_from([kind for kind in Kind if kind is not Kind.VEHICLE]),
            st.just(""),
            st.integers(1, 10),
            st.sampled_from(State),
        ),
        min_size=1,
        max_size=7,
    ),
    st.integers(-40, 40),
)
def test_the_odds_of_a_chain_always_sum_to_their_total_and_run_from_bad_to_good(ff, units, other_drm):
    def rule(dice):
        return fire(charts=HOUSE, ff=ff, units=units, other_drm=other_drm, **dice)

    column = str(rule({}).details["column"])
    ranks = ["eliminated", "reduced", "wia", "disrupted", "pinned", "good_order", "untouched"]
    chain = fire_chain(table=sweep(rule, [D100]), charts=HOUSE, column=column, units=units)
    assert len(chain) == len(units)
    for odds in chain:
        assert sum(row.weight for row in odds.rows) == odds.total
        assert all(row.weight > 0 for row in odds.rows)
        places = [ranks.index(row.outcome) for row in odds.rows]
        assert places == sorted(places)


def test_a_unit_without_a_tq_is_left_out_of_the_chain_but_counts_in_the_stack():
    units = (Unit(Kind.SQUAD, "A", 7), Unit(Kind.SQUAD, "B"))

    def rule(dice):
        return fire(charts=HOUSE, ff=20, units=units, **dice)

    chain = fire_chain(table=sweep(rule, [D100]), charts=HOUSE, column="20", units=units)
    assert [odds.subject for odds in chain] == ["A"]
    alone = fire_chain(table=sweep(rule, [D100]), charts=HOUSE, column="20", units=units[:1])

    def lost(odds):
        return sum(row.weight for row in odds.rows if row.outcome == "eliminated") / odds.total

    assert lost(chain[0]) < lost(alone[0])


# Units of one location under different DRM (A-50, R-50)

MIXED = [
    (Unit(Kind.SQUAD, "A", 7, modifiers=("running",)), Unit(Kind.SQUAD, "B", 6, modifiers=("dug_in",))),
    (
        Unit(Kind.SQUAD, "A", 7, modifiers=("woods", "running")),
        Unit(Kind.LEADER, "B", 8, modifiers=("woods",)),
        Unit(Kind.CREW, "C", 6, modifiers=("woods",)),
    ),
    (Unit(tq=7), Unit(tq=6, modifiers=("smoke",)), Unit(tq=5, modifiers=("dug_in",))),
]


def own_sum(unit, die, artillery, common=()):
    keys = {*unit.modifiers, *common} - ({"smoke"} if artillery else set())
    keys |= {"airburst"} if artillery and keys & {"woods", "debris"} else set()
    return die + sum(DRM[key] for key in keys)


@pytest.mark.parametrize("units", MIXED)
@pytest.mark.parametrize("artillery", [False, True])
@pytest.mark.parametrize("column", [10, 30])
def test_units_with_drm_of_their_own_read_the_same_die_each_with_its_own_sum(units, artillery, column):
    for die in range(1, 101):
        result = fire(charts=HOUSE, ff=column, artillery=artillery, modifiers=("crawling",), units=units, die=die)
        expected = {
            name: (total, grid_result("fft", str(column), total).lower() or "none")
            for name, unit in name_units(units)
            for total in [own_sum(unit, die, artillery, ("crawling",))]
        }
        readings = {
            name: (reading["modified"], reading["outcome"])
            for reading in result.details["readings"]
            for name in reading["units"]
        }
        assert readings == expected
        for reading in result.details["readings"]:
            assert die + sum(modifier["value"] for modifier in reading["modifiers"]) == reading["modified"]
        worst = min(expected.values())
        assert (result.modified, result.outcome) == worst
        assert sum_of(result) == result.modified - die


def test_a_mixed_attack_says_who_has_which_sum_and_asks_for_each_his_own():
    result = fire(charts=HOUSE, ff=20, units=MIXED[0], die=50)
    assert (grid_result("fft", "20", 30), grid_result("fft", "20", 75)) == ("C/M", "M")
    assert result.headline == "50 on column 20: A C/M (30), B M (75)."
    assert result.effects == ("A: 50 -20 Running is 30.", "B: 50 +25 Dug-In is 75.")
    assert [(step.helper, step.inputs["name"]) for step in result.follow_ups] == [("casualties", "A"), ("morale", "B")]
    assert {source.title for source in result.provenance} >= {"Running", "Dug-In"}
    running, dug_in = result.details["readings"]
    rule = HOUSE["fft_modifiers"].get("running").rule
    assert rule and running["modifiers"] == [{"name": "Running", "value": -20, "rule": rule}]
    assert (running["check"], dug_in["check"]) == (0, 0)
    assert fire(charts=HOUSE, ff=20, units=MIXED[0], die=36).details["readings"][1]["check"] == 1


def test_a_mixed_attack_that_waits_for_its_die_shows_what_counts_for_all():
    result = fire(charts=HOUSE, ff=20, modifiers=("woods",), units=MIXED[0])
    assert drm(result) == {"Woods": 10}
    assert result.headline == "20 FF on column 20: a low roll is good. A: -20 Running; B: +25 Dug-In."


def test_units_without_names_are_told_apart_by_their_place_in_the_whole_stack():
    units = (Unit(tq=7, modifiers=("running",)), Unit(tq=6, modifiers=("dug_in",)))
    result = fire(charts=HOUSE, ff=20, units=units, die=50)
    assert [step.inputs["name"] for step in result.follow_ups] == ["squad 1", "squad 2"]
    twins = [replace(unit, name="A") for unit in (*units, units[0])]
    hit, check = fire(charts=HOUSE, ff=20, units=twins, die=50).follow_ups
    assert [plain["name"] for plain in hit.inputs["units"]] == ["A", "A"]
    assert check.inputs["name"] == "A"
    alike = fire(charts=HOUSE, ff=20, units=(Unit(tq=7), Unit(tq=6)), die=30).follow_ups[0]
    assert not any(plain.get("name") for plain in alike.inputs["units"])


def test_units_with_the_same_result_share_it_as_one_stack_whatever_their_sums():
    units = (Unit(tq=7, modifiers=("crawling",)), Unit(tq=6), Unit(tq=5, modifiers=("dug_in",)))
    result = fire(charts=HOUSE, ff=20, units=units, die=36)
    assert [reading["outcome"] for reading in result.details["readings"]] == ["c", "c", "m+1"]
    hit, check = result.follow_ups
    assert (hit.helper, [plain["name"] for plain in hit.inputs["units"]]) == ("who-is-hit", ["squad 1", "squad 2"])
    assert (check.helper, check.inputs["name"]) == ("morale", "squad 3")


def test_a_modifier_that_all_have_is_read_as_one_attack():
    units = (Unit(name="A", tq=7, modifiers=("woods",)), Unit(name="B", tq=6, modifiers=("woods",)))
    own = fire(charts=HOUSE, ff=20, units=units, die=40)
    attack = fire(charts=HOUSE, ff=20, modifiers=("woods",), units=units, die=40)
    assert own == attack
    assert "readings" not in own.details
    assert drm(own) == {"Woods": 10}


@cache
def ends_of_hits(stack, result, check):
    """{unit's name: Counter of ends in tenths} over every roll of the hit dice."""
    ends_by_name = {name: Counter() for name, _ in name_units(stack)}
    for faces in product(range(1, 11), repeat=len(stack)):
        dice = {f"die_{n}": face for n, face in enumerate(faces, 1)}
        hit = who_is_hit(charts=HOUSE, units=stack, result=result, check=check, **dice)
        for name, ends in ends_after(hit.follow_ups, hit.effects, stack).items():
            ends_by_name[name].update(ends)
    return ends_by_name


def slow_mixed_chain(inputs, units):
    """As slow_chain, where a roll may ask for several steps side by side."""
    counted = {name: Counter() for name, _ in name_units(units)}
    rolls = 10 ** len(units)
    for die in range(1, 101):
        attack = fire(charts=HOUSE, units=units, die=die, **inputs)
        after = {name: Counter({(unit.kind, unit.state): 10 * rolls}) for name, unit in name_units(units)}
        for name in after:
            if f"{name} is eliminated." in attack.effects:
                after[name] = Counter({None: 10 * rolls})
        for step in attack.follow_ups:
            if step.helper != "who-is-hit":
                ends = ends_of_step(step)
                after[step.title.partition(": ")[2]] = Counter({end: n * rolls for end, n in ends.items()})
                continue
            stack = tuple(Unit.read(plain) for plain in step.inputs["units"])
            for name, ends in ends_of_hits(stack, FireOutcome(step.inputs["result"]), step.inputs["check"]).items():
                after[name] = Counter({end: n * 10 ** (len(units) - len(stack)) for end, n in ends.items()})
        for name, ends in after.items():
            counted[name].update(ends)
    return counted, 100 * rolls * 10


@pytest.mark.parametrize("units", MIXED)
@pytest.mark.parametrize("inputs", [{"ff": 20}, {"ff": 70, "artillery": True}, {"ff": 30, "modifiers": ("crawling",)}])
def test_the_chain_of_units_with_drm_of_their_own_is_a_plain_count(inputs, units):
    fields = {
        "weapon": Weapon.FIREPOWER,
        "caliber": None,
        "artillery": False,
        "modifiers": (),
        "other_drm": 0,
        **inputs,
        "units": units,
    }
    table, *chain = fire_odds(HOUSE, fields)
    worst = Counter(fire(charts=HOUSE, units=units, die=die, **inputs).outcome.value for die in range(1, 101))
    assert {row.outcome: row.weight for row in table.rows} == worst
    counted, every = slow_mixed_chain(inputs, units)
    assert [odds.subject for odds in chain] == list(counted)
    for odds, (name, unit) in zip(chain, name_units(units), strict=True):
        expected = Counter()
        for end, weight in counted[name].items():
            expected[label_of(unit, end)] += weight
        assert odds.total == sum(expected.values()) == every
        assert {(row.outcome, row.label): row.weight for row in odds.rows} == dict(expected)


def test_a_vehicle_is_left_out_of_the_chain_since_the_text_does_not_say_how_it_ends():
    units = (Unit(Kind.VEHICLE, "Tank", 8), Unit(Kind.SQUAD, "A", 7))

    def rule(dice):
        return fire(charts=HOUSE, ff=20, units=units, **dice)

    chain = fire_chain(table=sweep(rule, [D100]), charts=HOUSE, column="20", units=units)
    assert [odds.subject for odds in chain] == ["A"]


# What is attacked (18.1.1, A-56)

TANK = Unit(Kind.VEHICLE, "T-34", 7)
OWN = altered(
    "fft_weapons", values={weapon: 100 for weapon in ("flamethrower", "demo_charge", "mines", "molotov")}, house=[]
)
SMALL, HEAVY = Weapon.FIREPOWER, [weapon for weapon in Weapon if weapon is not Weapon.FIREPOWER]


def attack_on(*units, weapon=SMALL, die=None, **more):
    inputs = {"ff": 40} if weapon in (Weapon.FIREPOWER, Weapon.AIR) else {}
    inputs |= {"caliber": 122} if weapon is Weapon.CALIBER else {}
    return fire(charts=OWN, weapon=weapon, units=units, die=die, **inputs, **more)


def ids_reached(result):
    return {unit["name"] for step in result.follow_ups for unit in step.inputs.get("units", [step.inputs])}


@pytest.mark.parametrize("die", range(1, 101))
def test_small_arms_attack_who_stands_beside_a_vehicle_as_if_it_were_not_there(die):
    beside, alone = attack_on(SQUAD, TANK, die=die), attack_on(SQUAD, die=die)
    assert (beside.outcome, beside.follow_ups, beside.changes) == (alone.outcome, alone.follow_ups, alone.changes)
    assert beside.effects == ("T-34 is left out: small arms attack infantry only (18.1.1).", *alone.effects)
    assert beside.details["left_out"] == ["T-34"] and "T-34" not in ids_reached(beside)


def test_before_the_die_falls_a_sheet_says_who_is_left_out_and_its_odds_leave_them_out():
    assert attack_on(SQUAD, TANK, TANK).headline.endswith("T-34 (2) and T-34 (3) are left out: " + INFANTRY)
    inputs = {"weapon": SMALL, "ff": 20, "caliber": None, "artillery": False, "modifiers": (), "other_drm": 0}
    both, alone = (list(fire_odds(HOUSE, {**inputs, "units": units})) for units in ((SQUAD, TANK), (SQUAD,)))
    assert both == alone


INFANTRY = "small arms attack infantry only (18.1.1)."


@pytest.mark.parametrize("die", [None, 1, 100])
def test_small_arms_cannot_be_aimed_at_vehicles_alone(die):
    with pytest.raises(BadInput, match="T-34: small arms attack infantry only"):
        attack_on(TANK, die=die)


@pytest.mark.parametrize("weapon", HEAVY)
def test_whatever_is_no_small_arms_attacks_vehicles_too(weapon):
    result = attack_on(TANK, weapon=weapon, die=1)
    assert "left_out" not in result.details and result.changes == () and result.outcome != "none"
    assert ids_reached(result) | {effect.split()[0] for effect in result.effects} >= {"T-34"}


def test_artillery_attacks_vehicles_whatever_its_factors_are_called():
    assert "left_out" not in attack_on(SQUAD, TANK, artillery=True, die=1).details


def test_a_caliber_alone_is_a_gun_and_attacks_vehicles():
    assert "left_out" not in fire(charts=HOUSE, caliber=76, units=(SQUAD, TANK), die=1).details
