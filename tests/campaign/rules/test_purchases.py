from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.purchases import (
    HeldGroup,
    Situation,
    against_balance,
    against_nest_without_commissar,
    against_refund,
    count_left,
    count_ticked,
    find_free_box,
    make_offer,
    take_from_box,
)
from campaign.rules.rosters import CAMPAIGNS, GroupType, Time
from firefight.games.combat_stalingrad.rules.objections import Objection
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN


def box(side):
    return {key: counter.count for key, counter in CONTENT.counters[side].items()}


RUSSIANS = Situation("cg2", Time.NIGHT, cp=30, counters_left=box(RUSSIAN))
GERMANS = Situation("cg2", Time.AM, cp=99, counters_left=box(GERMAN))
GROUPS = [(side, group) for side in (GERMAN, RUSSIAN) for group in CONTENT.rosters[side].groups.values()]


def offer_of(identity, side=RUSSIAN, dice=(), bonus=False, **changed):
    """The offer of a shipped group in a plain situation with some changes."""
    situation = replace(RUSSIANS if side is RUSSIAN else GERMANS, **changed)
    return make_offer(CONTENT.rosters[side].groups[identity], CONTENT.counters[side], situation, dice, bonus)


def messages(offer):
    return [objection.message for objection in offer.objections]


def test_an_offer_tells_price_box_and_counters():
    offer = offer_of("I1", bought={"I1": 2, "I2": 5})
    assert offer.group is CONTENT.rosters[RUSSIAN].groups["I1"]
    assert (offer.price, offer.box, offer.boxes) == (2, 3, 8)
    assert (offer.receives, offer.short, offer.dice_due, offer.objections) == ({"militia_squad": 3}, {}, 0, ())


def test_a_group_of_several_counters_brings_them_all():
    assert offer_of("I2", GERMAN).receives == {"panzergrenadier_squad": 3, "sdkfz_251_1_c": 2}


@pytest.mark.parametrize("identity", ["A1", "A2", "B1", "X1"])
def test_groups_without_counters_bring_none_and_need_none(identity):
    offer = offer_of(identity, counters_left={})
    assert (offer.receives, offer.short, offer.dice_due, offer.objections) == ({}, {}, 0, ())


# 20.3.2: boxes and the roster.


@pytest.mark.parametrize(
    ("bought", "objections"),
    [
        ({}, []),
        ({"V1": 1}, []),
        ({"V1": 2}, ["V1 has 2 boxes in this campaign, and this would be number 3."]),
        ({"V2": 9}, []),
    ],
)
def test_boxes_cap_what_is_bought_in_a_campaign(bought, objections):
    offer = offer_of("V1", bought=bought)
    assert (offer.box, offer.boxes) == (bought.get("V1", 0) + 1, 2)
    assert messages(offer) == objections


@pytest.mark.parametrize(("identity", "first", "second"), [("V1", 1, 2), ("I1", 4, 8), ("B1", 0, 1)])
def test_the_campaigns_have_boxes_of_their_own(identity, first, second):
    for campaign, boxes in zip(CAMPAIGNS, (first, second), strict=True):
        if boxes:
            assert offer_of(identity, GERMAN, campaign=campaign, bought={identity: boxes - 1}).objections == ()
            [objection] = offer_of(identity, GERMAN, campaign=campaign, bought={identity: boxes}).objections
            count = "1 box" if boxes == 1 else f"{boxes} boxes"
            message = f"{identity} has {count} in this campaign, and this would be number {boxes + 1}."
            assert objection == Objection(message, "20.3.2")


@pytest.mark.parametrize("bought", [{}, {"B1": 1}])
def test_a_group_without_boxes_is_not_in_the_campaign(bought):
    offer = offer_of("B1", GERMAN, campaign="cg1", bought=bought)
    assert (offer.boxes, offer.objections) == (0, (Objection("B1 is not in this campaign.", "20.3.2"),))


@pytest.mark.parametrize("time", Time)
def test_po_2_fly_at_night_and_dawn_only(time):
    refused = [] if time in (Time.NIGHT, Time.DAWN) else [f"S1 can be bought for Night or Dawn only, not for {time}."]
    offer = offer_of("S1", time=time)
    assert messages(offer) == refused
    assert [objection.rule for objection in offer.objections] == ["20.3.3"] * len(refused)


# 20.8.1: CP and counters.


@pytest.mark.parametrize(("cp", "objections"), [(11, []), (10, []), (9, ["This costs 10 CP, and your side has 9."])])
def test_a_group_is_bought_with_the_cp_in_hand(cp, objections):
    offer = offer_of("V1", cp=cp)
    assert (offer.price, messages(offer)) == (10, objections)


def test_a_group_without_any_counter_left_cannot_be_bought():
    offer = offer_of("V1", counters_left=box(RUSSIAN) | {"t_34_76_b": 0})
    assert offer.objections == (Objection("No counter is left: T-34 76-B.", "20.8.1"),)
    assert (offer.receives, offer.short) == ({}, {"t_34_76_b": 3})


@pytest.mark.parametrize(
    ("left", "receives", "short"),
    [
        (1, {"t_34_76_b": 1}, {"t_34_76_b": 2}),
        (2, {"t_34_76_b": 2}, {"t_34_76_b": 1}),
        (3, {"t_34_76_b": 3}, {}),
        (4, {"t_34_76_b": 3}, {}),
    ],
)
def test_a_group_with_some_counters_left_comes_in_part_at_full_price(left, receives, short):
    offer = offer_of("V1", counters_left=box(RUSSIAN) | {"t_34_76_b": left})
    assert (offer.price, offer.receives, offer.short, offer.objections) == (10, receives, short, ())


def test_one_kind_of_counter_is_enough_for_a_group_of_two():
    offer = offer_of("V5", counters_left={"ba_20": 1})
    assert (offer.receives, offer.short, offer.objections) == ({"ba_20": 1}, {"ba_10m": 1}, ())
    assert messages(offer_of("V5", counters_left={"ba_20": 0})) == ["No counter is left: BA-10M, BA-20."]


# 20.3.3: V3 and its dice.


def test_v3_waits_for_three_dice_and_costs_the_same_before_and_after():
    before, after = offer_of("V3", GERMAN), offer_of("V3", GERMAN, dice=(1, 7, 6))
    assert (before.dice_due, before.receives, before.short, before.price) == (3, {}, {}, 10)
    assert (after.dice_due, after.receives, after.short, after.price) == (0, {"pz_iv_f1": 2, "pz_iv_f2": 1}, {}, 10)
    assert before.objections == after.objections == ()


@pytest.mark.parametrize("face", range(1, 11))
def test_each_face_of_v3_brings_the_tank_of_the_roster(face):
    assert offer_of("V3", GERMAN, dice=(face,) * 3).receives == {"pz_iv_f1" if face < 7 else "pz_iv_f2": 3}


@pytest.mark.parametrize(
    ("dice", "receives", "short"),
    [
        ((8, 9, 10), {"pz_iv_f2": 1}, {"pz_iv_f2": 2}),
        ((8, 9, 1), {"pz_iv_f2": 1, "pz_iv_f1": 1}, {"pz_iv_f2": 1}),
        ((8, 1, 2), {"pz_iv_f2": 1, "pz_iv_f1": 2}, {}),
    ],
)
def test_a_tank_that_the_dice_ask_for_and_the_box_lacks_is_missing(dice, receives, short):
    offer = offer_of("V3", GERMAN, dice=dice, counters_left=box(GERMAN) | {"pz_iv_f2": 1})
    assert (offer.receives, offer.short, offer.price, offer.objections) == (receives, short, 10, ())


def test_v3_cannot_be_bought_when_both_kinds_of_tank_are_gone():
    left = box(GERMAN) | {"pz_iv_f1": 0, "pz_iv_f2": 0}
    assert messages(offer_of("V3", GERMAN, counters_left=left)) == ["No counter is left: Pz IV F1, Pz IV F2."]


def test_dice_never_undo_the_purchase_of_a_v3_that_could_be_bought_before_them():
    one_kind = box(GERMAN) | {"pz_iv_f2": 0}
    assert offer_of("V3", GERMAN, counters_left=one_kind).objections == ()
    offer = offer_of("V3", GERMAN, counters_left=one_kind, dice=(7, 8, 9))
    assert (offer.receives, offer.short, offer.objections) == ({}, {"pz_iv_f2": 3}, ())


@pytest.mark.parametrize(
    ("identity", "dice", "message", "due"),
    [
        ("V3", (1, 2), "This group needs 3 dice, one for each counter, not 2.", 3),
        ("V3", (1, 2, 3, 4), "This group needs 3 dice, one for each counter, not 4.", 3),
        ("V3", (1, 2, 11), "A d10 shows 1 to 10; 11 is not on it.", 3),
        ("V3", (0, 2, 10), "A d10 shows 1 to 10; 0 is not on it.", 3),
        ("I1", (4,), "I1 needs no dice.", 0),
    ],
)
def test_wrong_dice_are_told(identity, dice, message, due):
    offer = offer_of(identity, GERMAN, dice=dice)
    assert (offer.dice_due, offer.objections) == (due, (Objection(message, "20.3.3"),))


# 20.5.3, 20.5.4: Attack. 20.9.2: the nest.


@pytest.mark.parametrize("side", [GERMAN, RUSSIAN])
def test_an_attack_and_its_bonus_have_their_prices(side):
    assert offer_of("X1", side).price == 4
    assert offer_of("X1", side, bonus=True).price == 6
    assert offer_of("X1", side, bonus=True).objections == ()


@pytest.mark.parametrize(
    ("cp", "bonus", "allowed"), [(3, False, False), (4, False, True), (5, True, False), (6, True, True)]
)
def test_the_bonus_is_paid_with_the_attack(cp, bonus, allowed):
    assert (offer_of("X1", bonus=bonus, cp=cp).objections == ()) is allowed


def test_attacks_have_boxes_too():
    assert offer_of("X1", bought={"X1": 3}).objections == ()
    assert messages(offer_of("X1", bought={"X1": 4})) == [
        "X1 has 4 boxes in this campaign, and this would be number 5."
    ]


def test_no_attack_is_bought_when_the_card_names_the_attacker():
    message = "The card names Attacker and Defender of this firefight: an Attack cannot be bought."
    assert offer_of("X1", stance_fixed=True).objections == (Objection(message, "20.5.3"),)
    assert offer_of("I1", stance_fixed=True).objections == ()


def test_a_bonus_without_an_attack_is_refused_and_costs_nothing():
    offer = offer_of("I1", bonus=True)
    assert (offer.price, offer.objections) == (2, (Objection("I1 has no bonus: it comes with an Attack.", "20.5.4"),))


@pytest.mark.parametrize(("commissars", "allowed"), [(0, False), (1, True), (3, True)])
def test_a_nest_needs_a_commissar_in_play(commissars, allowed):
    offer = offer_of("N1", commissars=commissars)
    refused = (Objection("A Fanatic Resistance Nest needs a Commissar in play.", "20.9.2"),)
    assert offer.objections == (() if allowed else refused)


# All of it together.


def test_every_objection_comes_at_once():
    nothing = {"cp": 1, "counters_left": {}, "time": Time.PM, "campaign": "cg1"}
    rules = {
        identity: [objection.rule for objection in offer.objections]
        for identity, offer in {
            "S1": offer_of("S1", bought={"S1": 1}, dice=(1,), bonus=True, **nothing),
            "N1": offer_of("N1", bought={"N1": 1}, **nothing),
            "X1": offer_of("X1", bought={"X1": 2}, stance_fixed=True, bonus=True, **nothing),
            "V3": offer_of("V3", GERMAN, dice=(1,), **nothing),
        }.items()
    }
    assert rules == {
        "S1": ["20.3.2", "20.3.3", "20.8.1", "20.8.1", "20.5.4", "20.3.3"],
        "N1": ["20.3.2", "20.8.1", "20.8.1", "20.9.2"],
        "X1": ["20.3.2", "20.8.1", "20.5.3"],
        "V3": ["20.8.1", "20.8.1", "20.3.3"],
    }


def drawn(group, dice):
    """What a group brings from a full box: its contents, and a counter for each die."""
    counters = dict(group.contents)
    for die in dice:
        [key] = [band.value for band in group.mix.bands.bands if band.low <= die <= band.high]
        counters[key] = counters.get(key, 0) + 1
    return counters


@st.composite
def mixes(draw, group):
    return tuple(draw(st.integers(1, group.mix.bands.sides)) for _ in range(group.mix.number)) if group.mix else ()


@pytest.mark.parametrize("campaign", CAMPAIGNS)
@pytest.mark.parametrize(("side", "group"), GROUPS, ids=lambda part: getattr(part, "id", part))
@settings(max_examples=20)
@given(data=st.data())
def test_with_all_one_could_wish_for_every_group_is_bought_and_comes_whole(side, group, campaign, data):
    situation = Situation(
        campaign,
        data.draw(st.sampled_from(group.times or tuple(Time))),
        cp=10**6,
        counters_left=dict.fromkeys(CONTENT.counters[side], 10**6),
        bought={group.id: data.draw(st.integers(0, 10**6 - 1))},
        commissars=1,
    )
    endless = replace(group, boxes=dict.fromkeys(CAMPAIGNS, 10**6))
    dice, bonus = data.draw(mixes(group)), group.type is GroupType.ATTACK and data.draw(st.booleans())
    offer = make_offer(endless, CONTENT.counters[side], situation, dice, bonus)
    assert (offer.objections, offer.short, offer.dice_due) == ((), {}, 0)
    assert offer.receives == drawn(group, dice)
    assert offer.price == group.cp + (group.bonus_cp if bonus else 0)


@given(st.data())
def test_the_box_is_never_overdrawn_and_whatever_speaks_against_a_group_is_named(data):
    side, group = data.draw(st.sampled_from(GROUPS))
    situation = Situation(
        data.draw(st.sampled_from(CAMPAIGNS)),
        data.draw(st.sampled_from(Time)),
        cp=data.draw(st.integers(0, 12)),
        counters_left={
            key: data.draw(st.integers(-1, 3)) for key in (*group.contents, *(group.mix.kinds if group.mix else ()))
        },
        bought={group.id: data.draw(st.integers(0, 9))},
        commissars=data.draw(st.integers(0, 1)),
        stance_fixed=data.draw(st.booleans()),
    )
    dice, bonus = data.draw(st.sampled_from(((), data.draw(mixes(group))))), data.draw(st.booleans())
    offer = make_offer(group, CONTENT.counters[side], situation, dice, bonus)
    asked_for = drawn(group, dice)
    assert {key: offer.receives.get(key, 0) + offer.short.get(key, 0) for key in asked_for} == asked_for
    assert all(0 < number <= situation.counters_left[key] for key, number in offer.receives.items())
    assert all(number > 0 for number in offer.short.values())
    is_attack = group.id == "X1"
    assert offer.price == group.cp + (2 if is_attack and bonus else 0)
    wrong = [
        ("20.3.2", situation.bought[group.id] >= group.boxes[situation.campaign]),
        ("20.3.3", group.id == "S1" and side is RUSSIAN and situation.time in (Time.AM, Time.PM)),
        ("20.8.1", offer.price > situation.cp),
        ("20.8.1", bool(situation.counters_left) and max(situation.counters_left.values()) < 1),
        ("20.9.2", group.id == "N1" and not situation.commissars),
        ("20.5.4", bonus and not is_attack),
        ("20.5.3", is_attack and situation.stance_fixed),
    ]
    assert [objection.rule for objection in offer.objections] == [rule for rule, is_wrong in wrong if is_wrong]


def test_the_box_gives_what_it_holds_and_lacks_the_rest():
    """A count below nothing, of a box that was changed under a game, is nothing."""
    contents, left = {"nco": 2, "commissar": 1, "officer": 1}, {"nco": 1, "commissar": 3, "officer": -1}
    assert take_from_box(contents, left) == ({"nco": 1, "commissar": 1}, {"nco": 1, "officer": 1})
    assert take_from_box({}, left) == ({}, {})


HELD = [HeldGroup("I1", 1, False), HeldGroup("I1", 2, True), HeldGroup("I1", 3, False), HeldGroup("G4", None, False)]


def test_20_5_2_groups_at_start_tick_no_box_and_what_was_given_back_is_free_again():
    assert count_ticked(HELD) == {"I1": 2}
    assert count_ticked(HELD, sealed_attacks=["I1", "A1"]) == {"I1": 3, "A1": 1}


@pytest.mark.parametrize(("groups", "box"), [(HELD, 2), (HELD[:1], 2), ([], 1), ([HeldGroup("I2", 1, False)], 1)])
def test_the_next_group_takes_the_first_box_that_is_free(groups, box):
    assert find_free_box(groups, "I1") == box


def test_20_8_1_the_box_holds_what_is_not_in_play():
    counters = CONTENT.counters[RUSSIAN]
    left = count_left(counters, ["militia_squad", "militia_squad"])
    assert left == box(RUSSIAN) | {"militia_squad": counters["militia_squad"].count - 2}


@pytest.mark.parametrize(("balance", "is_refused"), [(1, False), (0, False), (-1, True)])
def test_20_8_1_cp_never_fall_below_zero(balance, is_refused):
    refusal = against_balance(balance)
    assert (refusal == Objection("That would leave -1 CP.", "20.8.1")) is is_refused


@pytest.mark.parametrize(
    ("is_of_this_phase", "has_dice", "why"),
    [(True, False, None), (False, False, "Only what was bought"), (True, True, "Dice were"), (False, True, "Only")],
)
def test_20_5_8_only_what_was_bought_now_and_without_dice_is_given_back(is_of_this_phase, has_dice, why):
    refusal = against_refund(is_of_this_phase, has_dice)
    assert refusal is None if why is None else refusal.message.startswith(why)


@pytest.mark.parametrize(("nests", "commissars", "is_refused"), [(0, 0, False), (2, 1, False), (1, 0, True)])
def test_20_9_2_a_nest_needs_a_commissar(nests, commissars, is_refused):
    assert bool(against_nest_without_commissar(nests, commissars)) is is_refused
