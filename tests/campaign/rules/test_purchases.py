from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.purchases import Situation, Wish, check
from campaign.rules.rosters import Time
from campaign.rules.sectors import Holding, lines
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN
from tests.campaign.rules.test_sectors import EXAMPLE, MAP, held


def box(side):
    return {key: counter.count for key, counter in CONTENT.counters[side].items()}


RUSSIANS = Situation("cg2", Time.NIGHT, cp=30, left=box(RUSSIAN))
GERMANS = Situation("cg2", Time.AM, cp=99, left=box(GERMAN))


def bill(*wishes, side=RUSSIAN, situation=None, control=EXAMPLE):
    situation = situation or (RUSSIANS if side is RUSSIAN else GERMANS)
    return check(wishes, CONTENT.rosters[side], CONTENT.counters[side], MAP, control, situation)


def said(found):
    return [(objection.place, objection.message) for objection in found.objections]


# 20.8.3, the example: a militia platoon of 2 CP.


@pytest.mark.parametrize(
    ("sector", "total"), [(None, 2), (11, 4), (3, 6), *((edge, 2) for edge in (10, 18, 19, 20, 21, 22))]
)
def test_the_militia_platoon_of_the_text_costs_what_the_text_says(sector, total):
    found = bill(Wish("I1", sector))
    assert (found.total, found.items[0].total, found.objections) == (total, total, ())


def test_a_bill_shows_price_surcharge_and_the_line_that_explains_it():
    [item] = bill(Wish("I1", 3)).items
    assert (item.unit, item.price, item.surcharge, item.bonus) == ("Militia platoon", 2, 4, 0)
    assert item.line.chain == (3, 4, 9, 17, 21)
    assert item.receives == {"militia_squad": 3}


@pytest.mark.parametrize("group", CONTENT.rosters[RUSSIAN].groups.values(), ids=lambda group: group.id)
def test_only_i_g_and_v_groups_pay_to_go_in(group):
    situation = replace(RUSSIANS, commissars=1)
    [item] = bill(Wish(group.id, 11), situation=situation).items
    assert item.surcharge == (2 if group.id[0] in "IGV" else 0)


def test_every_group_pays_its_own_surcharge():
    assert bill(Wish("I1", 11), Wish("I1", 11), Wish("I1", 14), Wish("F1", 11)).total == 4 + 4 + 3 + 2


def test_the_german_pays_from_the_west():
    assert bill(Wish("I1", 7), Wish("I1", 6), side=GERMAN).total == 5 + 4


def test_new_units_set_up_in_own_sectors_with_a_line_to_the_edge_only():
    control = held(german=(5, 6, 7, 12, 13, 14), nobody=(1,), threatened=(2,))
    found = bill(Wish("I1", 11), Wish("I1", 7), Wish("I1", 1), Wish("I1", 2), Wish("I1", 99), control=control)
    assert said(found) == [
        (1, "Sector 11 is isolated: no new units can set up there."),
        (2, "Sector 7 is not under Russian control."),
        (3, "Sector 1 is not under Russian control."),
        (4, "Sector 2 is not under Russian control."),
        (5, "Sector 99 is not under Russian control."),
    ]
    assert found.total == 10


@pytest.mark.parametrize("group", ["A1", "B1", "S1", "X1"])
def test_groups_that_work_from_off_map_take_no_sector(group):
    assert (1, f"{group} is not set up in a sector.") in said(bill(Wish(group, 10)))
    assert bill(Wish(group)).objections == ()


# 20.3.2: boxes and the roster.


def test_boxes_cap_what_is_bought_now_and_before():
    found = bill(*[Wish("V1")] * 2, situation=replace(RUSSIANS, bought={"V1": 1}))
    assert said(found) == [(2, "V1 has 2 boxes in this campaign, and this would be number 3.")]


def test_the_campaigns_have_boxes_of_their_own():
    first = replace(GERMANS, campaign="cg1")
    assert bill(Wish("V1"), side=GERMAN, situation=first).objections == ()
    assert said(bill(Wish("V1"), Wish("V1"), side=GERMAN, situation=first)) == [
        (2, "V1 has 1 boxes in this campaign, and this would be number 2.")
    ]
    assert said(bill(Wish("B1"), side=GERMAN, situation=first)) == [(1, "B1 is not in this campaign.")]


def test_a_group_of_the_other_side_is_unknown_and_costs_nothing():
    found = bill(Wish("N1"), side=GERMAN)
    assert (found.total, found.items) == (0, ())
    assert said(found) == [(1, "There is no group N1 on this roster.")]


def test_po_2_fly_at_night_and_dawn_only():
    for time in Time:
        found = bill(Wish("S1"), situation=replace(RUSSIANS, time=time))
        if time in (Time.NIGHT, Time.DAWN):
            assert found.objections == ()
        else:
            assert said(found) == [(1, f"S1 can be bought for Night or Dawn only, not for {time}.")]


# 20.8.1: CP and counters.


def test_a_list_that_costs_more_than_there_is_is_refused_as_a_whole():
    wishes = [Wish("V1", 10), Wish("I1", 11), Wish("I1")]
    assert bill(*wishes, situation=replace(RUSSIANS, cp=16)).objections == ()
    assert said(bill(*wishes, situation=replace(RUSSIANS, cp=15))) == [(None, "This costs 16 CP, and there are 15.")]


def test_a_group_without_any_counter_left_cannot_be_bought():
    found = bill(Wish("V1"), situation=replace(RUSSIANS, left=box(RUSSIAN) | {"t_34_76_b": 0}))
    assert said(found) == [(1, "No counter is left: T-34 76-B.")]


def test_a_group_with_some_counters_left_comes_in_part_at_full_price():
    found = bill(Wish("V1"), situation=replace(RUSSIANS, left=box(RUSSIAN) | {"t_34_76_b": 2}))
    assert found.objections == ()
    assert (found.total, found.items[0].receives, found.items[0].short) == (10, {"t_34_76_b": 2}, {"t_34_76_b": 1})


def test_groups_of_one_list_draw_from_the_same_box():
    found = bill(*[Wish("V4")] * 2, situation=replace(RUSSIANS, left=box(RUSSIAN) | {"t_70": 3}))
    assert [item.receives for item in found.items] == [{"t_70": 3}, {}]
    assert said(found) == [(2, "No counter is left: T-70.")]


# 20.3.3: V3 and its dice.


def test_v3_waits_for_three_dice_and_costs_the_same_before_and_after():
    [before] = bill(Wish("V3", 6), side=GERMAN).items
    [after] = bill(Wish("V3", 6, dice=(1, 7, 6)), side=GERMAN).items
    assert (before.dice_due, before.receives, before.total) == (3, {}, 10)
    assert (after.dice_due, after.receives, after.total) == (0, {"pz_iv_f1": 2, "pz_iv_f2": 1}, 10)


def test_a_tank_that_the_dice_ask_for_and_the_box_lacks_is_missing():
    short = replace(GERMANS, left=box(GERMAN) | {"pz_iv_f2": 1})
    [item] = bill(Wish("V3", dice=(8, 9, 10)), side=GERMAN, situation=short).items
    assert (item.receives, item.short) == ({"pz_iv_f2": 1}, {"pz_iv_f2": 2})


def test_v3_cannot_be_bought_when_both_kinds_of_tank_are_gone():
    gone = replace(GERMANS, left=box(GERMAN) | {"pz_iv_f1": 3, "pz_iv_f2": 0})
    found = bill(Wish("V3"), Wish("V3"), side=GERMAN, situation=gone)
    assert said(found) == [(2, "No counter is left: Pz IV F1, Pz IV F2.")]


def test_wrong_dice_are_told():
    found = bill(Wish("V3", dice=(1, 2)), Wish("V3", dice=(1, 2, 11)), Wish("I1", dice=(4,)), side=GERMAN)
    assert said(found) == [
        (1, "This group needs 3 dice, one for each counter, not 2."),
        (2, "A d10 shows 1 to 10; 11 is not on it."),
        (3, "I1 needs no dice."),
    ]


# 20.5.3, 20.5.4: Attack. 20.9.2: the nest.


def test_an_attack_and_its_bonus_have_their_prices():
    assert bill(Wish("X1")).total == 4
    assert bill(Wish("X1", bonus=True)).total == 6
    assert bill(Wish("X1", bonus=True)).objections == ()


def test_one_attack_is_enough_for_a_firefight_but_earlier_ones_do_not_count():
    assert said(bill(Wish("X1"), Wish("X1"))) == [(2, "One Attack is enough for a firefight.")]
    assert bill(Wish("X1"), situation=replace(RUSSIANS, bought={"X1": 3})).objections == ()


def test_no_attack_is_bought_when_the_card_names_the_attacker():
    [objection] = bill(Wish("X1"), situation=replace(RUSSIANS, stance_fixed=True)).objections
    assert (objection.place, objection.rule) == (1, "20.5.3")


def test_a_bonus_without_an_attack_is_refused():
    assert said(bill(Wish("I1", bonus=True))) == [(1, "I1 has no bonus: it comes with an Attack.")]


@pytest.mark.parametrize(("commissars", "allowed"), [(0, False), (1, True), (3, True)])
def test_a_nest_needs_a_commissar_in_play(commissars, allowed):
    found = bill(Wish("N1", 11), situation=replace(RUSSIANS, commissars=commissars))
    assert (found.objections == ()) is allowed
    assert allowed or [objection.rule for objection in found.objections] == ["20.9.2"]


def test_every_objection_comes_at_once():
    situation = Situation("cg1", Time.PM, cp=5, left=box(RUSSIAN) | {"kv_1a": 0}, stance_fixed=True)
    wishes = [Wish("V3", 7), Wish("N1"), Wish("S1", 10), Wish("X1"), Wish("Z9"), Wish("V2", 10), Wish("V2", 10)]
    found = bill(*wishes, situation=situation)
    assert [(objection.place, objection.rule) for objection in found.objections] == [
        (1, "20.6.3"),
        (1, "20.8.1"),
        (2, "20.9.2"),
        (3, "20.3.3"),
        (3, "20.8.3"),
        (4, "20.5.3"),
        (5, "20.3.2"),
        (7, "20.3.2"),
        (7, "20.8.1"),
        (None, "20.8.1"),
    ]


WISHES = st.lists(
    st.builds(
        Wish,
        st.sampled_from([*CONTENT.rosters[GERMAN].groups, "N1", "??"]),
        st.none() | st.integers(0, 24),
        st.booleans(),
        st.lists(st.integers(0, 11), max_size=4).map(tuple),
    ),
    max_size=12,
)
CONTROLS = st.fixed_dictionaries({sector: st.sampled_from(Holding) for sector in MAP.neighbours})


@given(WISHES, CONTROLS, st.integers(0, 60), st.integers(0, 3))
def test_a_bill_is_the_sum_of_its_lines_and_never_draws_more_than_the_box_holds(wishes, control, cp, each):
    left = dict.fromkeys(CONTENT.counters[GERMAN], each)
    found = bill(*wishes, side=GERMAN, control=control, situation=replace(GERMANS, cp=cp, left=left))
    ways = lines(MAP, control, GERMAN)
    expected, drawn = 0, dict.fromkeys(left, 0)
    for item in found.items:
        group = CONTENT.rosters[GERMAN].groups[item.wish.group]
        expected += group.cp + (group.bonus_cp or 0) * item.wish.bonus
        if group.id[0] in "IGV" and item.wish.sector in ways and not ways[item.wish.sector].is_isolated:
            expected += ways[item.wish.sector].steps_in
        for key, number in item.receives.items():
            drawn[key] += number
    assert found.total == expected
    assert all(number <= left[key] for key, number in drawn.items())
    assert (found.total > cp) == any(objection.place is None for objection in found.objections)
