"""Set-up by origin, isolation and price; the examples of the text are typed here once more."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.sectors import Holding, find_lines
from campaign.rules.setup import (
    Arrival,
    Bill,
    Charge,
    Placing,
    SetupUnit,
    against_hiding,
    against_moving,
    against_taking_off,
    list_sector_choices,
    make_bill,
    may_stay_off,
    mover_of,
)
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN
from tests.campaign.rules.test_sectors import CONTROLS, EXAMPLE, MAP, SECTORS, held, only_russian, shortest_by_trying

AREAS = {side: CONTENT.cards["cg2"].forces[side].deployment for side in Side}
AT_START = SetupUnit(Arrival.AT_START)
NEW, NEW_FREE = SetupUnit(Arrival.NEW, pays=True), SetupUnit(Arrival.NEW)
HELD, HELD_FREE = SetupUnit(Arrival.HELD, pays=True), SetupUnit(Arrival.HELD)
FROM_OFF_MAP = [NEW, NEW_FREE, HELD, HELD_FREE]
EAST = (10, 18, 19, 20, 21, 22)
# 20.6.4 step 6: the Russians in sector 11 are cut off.
RING = held(german=(5, 6, 7, 12, 13, 14))


def survivor(home, **kind):
    return SetupUnit(Arrival.SURVIVOR, home=home, **kind)


def tank(home, is_mobile=True):
    return survivor(home, is_vehicle=True, is_mobile=is_mobile)


def sector_choices(mover, side=RUSSIAN, control=EXAMPLE):
    return list_sector_choices(mover, side, MAP, control, AREAS[side])


def open_to(mover, side=RUSSIAN, control=EXAMPLE):
    """The sectors where a unit may set up, with what they cost."""
    return {sector: place.cost for sector, place in sector_choices(mover, side, control).items() if place.is_open}


def refusal(mover, sector, side=RUSSIAN, control=EXAMPLE):
    place = sector_choices(mover, side, control)[sector]
    assert not place.is_open
    return place.objection, place.rule


def group(*sectors, number=1, mover=NEW):
    """One unit of a group in each of the sectors."""
    return [Placing(unit, number, mover, sector) for unit, sector in enumerate(sectors, start=100 * number)]


def billed(*placings, side=RUSSIAN, control=EXAMPLE, cp=99):
    return make_bill(placings, side, MAP, control, AREAS[side], cp)


def objections_of(answer):
    return [(objection.message, objection.rule) for objection in answer.objections]


# 20.8.3, the example: the Russians hold all but 1, 2, 6 and 7.


@pytest.mark.parametrize(
    ("sector", "extra", "total"), [(None, 0, 2), (11, 2, 4), (3, 4, 6), *((edge, 0, 2) for edge in EAST)]
)
def test_the_militia_platoon_of_the_text_costs_what_the_text_says(sector, extra, total):
    militia = CONTENT.rosters[RUSSIAN].groups["I1"]
    answer = billed(*group(*[sector] * 3, mover=SetupUnit(Arrival.NEW, militia.pays_to_go_in)))
    assert (answer.total, militia.cp + answer.total, answer.objections) == (extra, total, ())


def test_a_charge_shows_the_line_that_explains_it():
    [charge] = billed(*group(3, 3, 3, number=7)).charges
    assert charge == Charge(7, 3, 4, find_lines(MAP, EXAMPLE, RUSSIAN)[3])
    assert charge.line.chain == (3, 4, 9, 17, 21)


@pytest.mark.parametrize("side", Side)
def test_only_i_g_and_v_groups_pay_to_go_in(side):
    sector, steps = (11, 2) if side is RUSSIAN else (7, 1)
    for group in CONTENT.rosters[side].groups.values():
        mover = SetupUnit(Arrival.NEW, group.pays_to_go_in)
        assert sector_choices(mover, side)[sector].cost == (steps if group.id[0] in "IGV" else 0)


def test_the_german_pays_from_the_west():
    assert open_to(NEW, GERMAN) == {1: 0, 2: 0, 6: 0, 7: 1}


# Every origin.


def test_every_sector_of_the_map_has_its_place_in_number_order():
    for mover in (AT_START, *FROM_OFF_MAP, survivor(11), tank(11)):
        answer = sector_choices(mover)
        assert list(answer) == [place.sector for place in answer.values()] == list(range(1, 23))
        assert all(bool(place.objection) == bool(place.rule) for place in answer.values())


@pytest.mark.parametrize("mover", FROM_OFF_MAP)
def test_units_from_off_map_set_up_in_own_sectors_with_a_line_to_the_edge(mover):
    control = RING | {1: Holding.NOBODY, 2: Holding.THREATENED}
    assert set(open_to(mover, control=control)) == {3, 4, 8, 9, 10, 15, 16, 17, 18, 19, 20, 21, 22}


@pytest.mark.parametrize("mover", [NEW_FREE, HELD_FREE])
def test_a_group_that_does_not_pay_sets_up_anywhere_in_them_for_nothing(mover):
    assert set(open_to(mover).values()) == {0}


def test_a_group_held_off_map_has_the_edge_for_nothing_and_pays_like_a_new_one_beyond_it():
    assert open_to(HELD) == open_to(NEW)
    assert [sector for sector, cost in open_to(HELD).items() if not cost] == list(EAST)


def test_at_start_units_have_their_deployment_area_for_nothing():
    assert open_to(AT_START) == dict.fromkeys(AREAS[RUSSIAN], 0)
    assert open_to(AT_START, GERMAN) == dict.fromkeys((1, 2, 6, 7), 0)
    assert open_to(SetupUnit(Arrival.AT_START, pays=True), GERMAN) == dict.fromkeys((1, 2, 6, 7), 0)


def test_at_start_units_may_also_take_own_sectors_on_their_edge_but_no_others():
    control = held(german=(1, 2, 3, 5, 6, 7))
    assert open_to(AT_START, GERMAN, control) == dict.fromkeys((1, 2, 3, 6, 7), 0)


def test_at_start_units_do_not_mind_isolation():
    control = held(german=(7,))
    assert find_lines(MAP, control, GERMAN)[7].is_isolated
    assert open_to(AT_START, GERMAN, control) == {7: 0}


@pytest.mark.parametrize("holding", [Holding.GERMAN, Holding.THREATENED])
def test_a_deployment_sector_that_is_not_own_is_closed_to_at_start_units(holding):
    assert open_to(AT_START, control=EXAMPLE | {10: holding}) == dict.fromkeys(set(AREAS[RUSSIAN]) - {10}, 0)


def test_a_sector_of_both_deployment_areas_is_nobodys_and_open_to_at_start_units():
    assert open_to(AT_START, control=EXAMPLE | {10: Holding.NOBODY}) == dict.fromkeys(AREAS[RUSSIAN], 0)


@pytest.mark.parametrize("home", [11, 16, 3])
def test_a_survivor_sets_up_where_it_survived_for_nothing(home):
    assert open_to(survivor(home)) == {home: 0}
    assert open_to(survivor(home, pays=True)) == {home: 0}


def test_a_vehicle_that_can_move_may_also_take_an_own_sector_beside_it():
    assert open_to(tank(11)) == dict.fromkeys((5, 11, 12, 13, 14), 0)
    assert open_to(replace(tank(3), pays=True)) == dict.fromkeys((3, 4, 8), 0)


def test_an_m_killed_vehicle_stays_in_its_sector():
    assert open_to(tank(11, is_mobile=False)) == {11: 0}


@pytest.mark.parametrize("mover", [survivor(11), tank(11), tank(11, is_mobile=False)])
def test_nobody_leaves_an_isolated_sector_at_set_up(mover):
    assert open_to(mover, control=RING) == {11: 0}


def test_a_vehicle_isolated_with_other_sectors_stays_in_its_own():
    control = only_russian(11, 12, 5)
    assert open_to(tank(11), control=control) == {11: 0}


def test_a_vehicle_with_the_long_line_of_the_text_is_free_to_go_beside_it():
    control = only_russian(11, 13, 15, 21, 17, 9, 4)
    assert open_to(tank(11), control=control) == {11: 0, 13: 0}
    assert open_to(NEW, control=control) == {21: 0, 15: 1, 17: 1, 9: 2, 13: 2, 11: 3, 4: 3}


@pytest.mark.parametrize("holding", [Holding.GERMAN, Holding.NOBODY, Holding.THREATENED])
def test_a_survivor_keeps_its_sector_whoever_is_said_to_own_it(holding):
    control = EXAMPLE | {11: holding}
    assert open_to(survivor(11), control=control) == {11: 0}
    assert open_to(tank(11), control=control) == dict.fromkeys((5, 11, 12, 13, 14), 0)
    assert sector_choices(survivor(11), control=control)[11].line is None


def test_a_survivor_without_a_sector_is_a_mistake():
    with pytest.raises(ValueError, match="survived"):
        SetupUnit(Arrival.SURVIVOR)


def test_all_but_survivors_may_stay_off_map():
    assert all(may_stay_off(mover) for mover in (AT_START, *FROM_OFF_MAP))
    assert not any(may_stay_off(mover) for mover in (survivor(11), tank(11), tank(11, is_mobile=False)))


# What a refused sector says.


@pytest.mark.parametrize("mover", [AT_START, *FROM_OFF_MAP, tank(11)])
def test_a_sector_of_the_enemy_says_whose_it_is_not(mover):
    assert refusal(mover, 6) == ("Sector 6 is not under Russian control.", "20.6.3")


@pytest.mark.parametrize("holding", [Holding.NOBODY, Holding.THREATENED])
@pytest.mark.parametrize("mover", [*FROM_OFF_MAP, tank(11)])
def test_so_does_one_of_nobody_and_a_threatened_one(mover, holding):
    reason = refusal(mover, 6, GERMAN, held(german=(1, 2, 3, 4, 5, 7, 11)) | {6: holding})
    assert reason == ("Sector 6 is not under German control.", "20.6.3")


@pytest.mark.parametrize(
    ("mover", "sector", "message", "rule"),
    [
        (
            NEW,
            11,
            "Sector 11 is isolated: units from off map need a line of friendly sectors to the east edge.",
            "20.8.3",
        ),
        (
            HELD_FREE,
            11,
            "Sector 11 is isolated: units from off map need a line of friendly sectors to the east edge.",
            "20.8.3",
        ),
        (survivor(10), 18, "A unit that survived in sector 10 sets up there again, not in sector 18.", "20.6.4"),
        (
            tank(10),
            17,
            "A vehicle that survived in sector 10 sets up there or in a friendly sector beside it, not in sector 17.",
            "20.6.4",
        ),
        (
            tank(10, is_mobile=False),
            18,
            "A vehicle M-KILLED in sector 10 stays there: it cannot set up in sector 18.",
            "20.7.1",
        ),
        *(
            (
                mover,
                10,
                "Sector 11 is isolated: a unit that survived there cannot set up in sector 10.",
                "20.10.1",
            )
            for mover in (survivor(11), tank(11), tank(11, is_mobile=False))
        ),
    ],
)
def test_a_refused_sector_says_what_would_be_right(mover, sector, message, rule):
    assert refusal(mover, sector, control=RING) == (message, rule)


def test_a_sector_outside_the_deployment_area_says_so():
    reason = refusal(AT_START, 5, GERMAN, held(german=(1, 2, 5, 6, 7)))
    assert reason == ("Sector 5 is neither in the deployment area nor on the west edge.", "20.8.3")


# The bill of a whole set-up.


def test_an_empty_set_up_costs_nothing():
    assert billed() == Bill((), 0, ())


def test_a_group_pays_once_however_many_units_it_has():
    answer = billed(*group(11, 11, 11, 11))
    assert [(charge.group, charge.sector, charge.cost) for charge in answer.charges] == [(1, 11, 2)]
    assert answer.total == 2


def test_every_group_pays_for_itself_and_those_that_pay_nothing_are_not_listed():
    answer = billed(
        *group(3, 3, number=4),
        *group(11, number=2),
        *group(11, number=1),
        *group(11, number=3, mover=NEW_FREE),
        *group(19, 19, number=5),
        *group(None, None, number=6),
        *group(4, number=7, mover=AT_START),
        *group(4, number=8, mover=tank(3)),
    )
    assert [(charge.group, charge.sector, charge.cost) for charge in answer.charges] == [
        (1, 11, 2),
        (2, 11, 2),
        (4, 3, 4),
    ]
    assert (answer.total, answer.objections) == (8, ())


def test_a_held_group_may_be_spread_and_pays_for_its_deepest_sector():
    for sectors in ((10, 11, 3, None), (3, 11, None, 10)):
        answer = billed(*group(*sectors, mover=HELD))
        assert [(charge.sector, charge.cost) for charge in answer.charges] == [(3, 4)]
        assert answer.objections == ()


def test_of_sectors_equally_deep_the_lowest_explains_the_charge():
    steps = {sector: line.steps_in for sector, line in find_lines(MAP, EXAMPLE, RUSSIAN).items()}
    assert steps[13] == steps[9] == 2
    for sectors in ((13, 9), (9, 13)):
        [charge] = billed(*group(*sectors, mover=HELD)).charges
        assert charge.sector == 9


def test_what_survived_of_a_group_costs_nothing_while_what_was_held_of_it_pays():
    answer = billed(*group(3, 3, mover=survivor(3)), *group(11, mover=HELD))
    assert [(charge.group, charge.sector, charge.cost) for charge in answer.charges] == [(1, 11, 2)]


TOGETHER = "The units of a new group set up together, in one sector: "


@pytest.mark.parametrize("mover", [NEW, NEW_FREE])
@pytest.mark.parametrize(
    ("sectors", "sentence"),
    [
        ((11, 11), None),
        ((None, None), None),
        ((20, 10), "of one, some stand in 10 and 20."),
        ((11, None), "of one, some stand in 11 and some stay off the map."),
        ((None, 12, 11), "of one, some stand in 11 and 12 and some stay off the map."),
    ],
)
def test_a_new_group_sets_up_whole_in_one_sector_or_not_at_all(mover, sectors, sentence):
    assert objections_of(billed(*group(*sectors, mover=mover))) == (
        [(TOGETHER + sentence, "20.8.2")] if sentence else []
    )


def test_a_split_new_group_still_shows_the_price_of_its_deepest_sector():
    answer = billed(*group(3, 10))
    assert (answer.total, len(answer.objections)) == (4, 1)


@pytest.mark.parametrize("mover", [AT_START, HELD])
def test_other_groups_may_be_parted(mover):
    assert billed(*group(10, 11, None, mover=mover)).objections == ()


def test_two_new_groups_need_not_stand_together():
    assert billed(*group(10, 10, number=1), *group(11, 11, number=2)).objections == ()


@pytest.mark.parametrize("cp", [0, 1, 5, 6, 7])
def test_a_set_up_is_paid_with_the_cp_in_hand(cp):
    answer = billed(*group(3, number=1), *group(11, number=2), cp=cp)
    assert objections_of(answer) == (
        [] if cp >= 6 else [(f"This set-up costs 6 CP in all, and your side has {cp}.", "20.8.3")]
    )


def test_a_set_up_for_nothing_needs_no_cp():
    assert billed(*group(10, 10), cp=0).objections == ()


def test_a_survivor_cannot_stay_off_map():
    answer = billed(*group(None, mover=survivor(11)))
    assert objections_of(answer) == [("A unit that survived in sector 11 cannot stay off the map.", "20.6.4")]


@pytest.mark.parametrize("sector", [0, 23, -1, 10**9])
@pytest.mark.parametrize("mover", [AT_START, NEW, survivor(11)])
def test_a_sector_that_the_map_does_not_have_is_told(sector, mover):
    answer = billed(*group(sector, mover=mover))
    assert (answer.total, objections_of(answer)) == (0, [(f"There is no sector {sector} on the map.", "20.3.4")])


def test_everything_that_is_wrong_is_told_at_once_and_each_thing_once():
    answer = billed(
        *group(11, 11, number=1),
        *group(6, 6, number=2),
        *group(6, 10, number=3),
        *group(None, 12, 12, number=4, mover=survivor(11)),
        *group(99, number=5, mover=HELD),
        *group(3, number=6, mover=HELD),
        *group(4, number=7),
        control=RING,
        cp=6,
    )
    assert objections_of(answer) == [
        ("Sector 11 is isolated: units from off map need a line of friendly sectors to the east edge.", "20.8.3"),
        ("Sector 6 is not under Russian control.", "20.6.3"),
        ("A unit that survived in sector 11 cannot stay off the map.", "20.6.4"),
        ("Sector 11 is isolated: a unit that survived there cannot set up in sector 12.", "20.10.1"),
        ("There is no sector 99 on the map.", "20.3.4"),
        (TOGETHER + "of one, some stand in 6 and 10.", "20.8.2"),
        ("This set-up costs 7 CP in all, and your side has 6.", "20.8.3"),
    ]
    assert [(charge.group, charge.sector, charge.cost) for charge in answer.charges] == [(6, 3, 4), (7, 4, 3)]


# Against a slow reading of the rules.

MOVERS = st.builds(
    SetupUnit,
    st.sampled_from(Arrival),
    st.booleans(),
    st.sampled_from(SECTORS),
    st.booleans(),
    st.booleans(),
)
DEPLOYMENTS = st.sets(st.sampled_from(SECTORS))


def slowly(mover, sector, side, control, deployment):
    """What it costs a unit to set up in a sector, None if it may not; every way to the edge is tried."""
    own = {number for number, holding in control.items() if holding == side.value}
    steps = shortest_by_trying(sector, own, side) if sector in own else None
    match mover.origin:
        case Arrival.NEW | Arrival.HELD:
            return None if steps is None else steps if mover.pays else 0
        case Arrival.AT_START:
            if sector in deployment and control[sector] is Holding.NOBODY:
                return 0
            return 0 if sector in own and (sector in deployment or steps == 0) else None
    if sector == mover.home:
        return 0
    cut_off = mover.home in own and shortest_by_trying(mover.home, own, side) is None
    drives = mover.is_vehicle and mover.is_mobile and not cut_off
    return 0 if drives and sector in own and mover.home in MAP.neighbours[sector] else None


@given(MOVERS, CONTROLS, st.sampled_from(Side), DEPLOYMENTS)
def test_places_agree_with_a_slow_reading_of_the_rules(mover, control, side, deployment):
    ways = find_lines(MAP, control, side)
    for sector, place in list_sector_choices(mover, side, MAP, control, deployment).items():
        cost = slowly(mover, sector, side, control, deployment)
        assert (place.is_open, place.cost) == (cost is not None, cost or 0)
        assert place.line == ways.get(sector)
        assert f"ector {sector}" in place.objection or place.is_open
        assert not (place.objection or place.rule) or (place.objection[-1] == "." and place.rule.startswith("20."))


@given(
    st.lists(
        st.builds(Placing, st.just(1), st.integers(1, 4), MOVERS, st.none() | st.sampled_from([*SECTORS, 23])),
        max_size=12,
    ),
    CONTROLS,
    st.sampled_from(Side),
    DEPLOYMENTS,
    st.integers(0, 20),
)
def test_bills_agree_with_a_slow_reading_of_the_rules(placings, control, side, deployment, cp):
    answer = make_bill(placings, side, MAP, control, deployment, cp)
    due, wrong = {}, False
    for placing in placings:
        if placing.sector is None:
            wrong |= placing.mover.origin is Arrival.SURVIVOR
            continue
        cost = slowly(placing.mover, placing.sector, side, control, deployment) if placing.sector in SECTORS else None
        wrong |= cost is None
        due[placing.group] = max(due.get(placing.group, 0), cost or 0)
    wrong |= any(
        one.group == other.group and one.sector != other.sector
        for one, other in product([placing for placing in placings if placing.mover.origin is Arrival.NEW], repeat=2)
    )
    assert {charge.group: charge.cost for charge in answer.charges} == {key: cost for key, cost in due.items() if cost}
    assert answer.total == sum(due.values())
    assert bool(answer.objections) == (wrong or answer.total > cp)
    assert len(set(answer.objections)) == len(answer.objections)
    assert all(isinstance(objection, Objection) for objection in answer.objections)
    assert all(charge.line.sector == charge.sector and charge.cost > 0 for charge in answer.charges)


@given(st.permutations(range(6)))
def test_the_order_of_the_units_changes_no_charge(order):
    placings = [*group(10, 11, 3, mover=HELD), *group(11, 11, number=2), *group(4, number=3)]
    shuffled = [placings[place] for place in order]
    assert billed(*shuffled).charges == billed(*placings).charges


SQUAD, VEHICLE = CounterKind.SQUAD, CounterKind.VEHICLE


@pytest.mark.parametrize(
    ("marks", "home", "bought_for", "pays", "mover"),
    [
        ((), 7, 3, True, survivor(7, pays=True)),
        ((), None, 3, True, NEW),
        ((), None, 3, False, NEW_FREE),
        ((), None, 2, True, HELD),  # bought for an earlier firefight
        ((), None, 0, False, AT_START),
        (("held",), None, 0, True, HELD),
        (("held",), None, None, False, HELD),  # a single counter that has left pays when it comes back
        ((), None, None, True, AT_START),
    ],
)
def test_20_8_2_a_counter_sets_up_as_it_came(marks, home, bought_for, pays, mover):
    assert mover_of(SQUAD, [Mark(mark) for mark in marks], home, bought_for, 3, pays) == mover


def test_an_m_killed_vehicle_is_not_mobile():
    assert mover_of(VEHICLE, (), 7, 0, 2, False) == tank(7)
    assert mover_of(VEHICLE, [Mark.M_KILLED], 7, 0, 2, False) == tank(7, is_mobile=False)


@pytest.mark.parametrize(
    ("kind", "marks", "lies_in_sight", "rule"),
    [
        (SQUAD, (), True, None),
        (VEHICLE, (), True, None),
        (VEHICLE, (Mark.M_KILLED,), False, "20.7.1 step 4"),
        (CounterKind.MARKER, (), False, "20.9.2"),
        (CounterKind.FORTIFICATION, (), False, None),
        (CounterKind.FORTIFICATION, (), True, "20.7.1 step 3"),
    ],
)
def test_20_7_1_what_all_have_seen_stays_in_sight(kind, marks, lies_in_sight, rule):
    refusal = against_hiding("It", kind, marks, lies_in_sight)
    assert (refusal and refusal.rule) == rule


@pytest.mark.parametrize(
    ("lies_in", "spot", "is_refused"), [("", "K7", False), ("K7", "", False), ("K7", "K7", False), ("K7", "K8", True)]
)
def test_20_7_1_what_lies_on_the_map_begins_where_it_lies(lies_in, spot, is_refused):
    assert bool(against_moving("The nest", lies_in, spot)) is is_refused


@pytest.mark.parametrize(
    ("kind", "home", "sector", "why"),
    [
        (CounterKind.FORTIFICATION, 8, 8, None),
        (CounterKind.MARKER, 8, 8, None),
        (SQUAD, 8, 8, "only mines and nest markers"),
        (CounterKind.FORTIFICATION, None, 8, "not on the map"),
        (CounterKind.FORTIFICATION, 8, None, "not on the map"),
        (CounterKind.FORTIFICATION, 7, 7, "does not control"),
    ],
)
def test_20_6_4_only_mines_and_nests_in_sectors_of_ones_own_are_taken_off(kind, home, sector, why):
    refusal = against_taking_off("It", kind, RUSSIAN, home, sector, EXAMPLE)
    assert refusal is None if why is None else why in refusal.message


def test_a_single_counter_pays_for_itself():
    charge = make_bill([Placing(5, -5, HELD, 8)], RUSSIAN, MAP, EXAMPLE, AREAS[RUSSIAN], cp=20).charges[0]
    assert (charge.unit, replace(charge, group=5).unit) == (5, None)


def test_a_closed_sector_says_why_with_its_rule():
    place = sector_choices(NEW)[1]
    assert place.refusal == str(Objection(*refusal(NEW, 1)))


def test_what_is_new_and_pays_nothing_is_not_told_a_price():
    """A nest, mines: 20.8.3 lets only groups of I, G and V pay."""
    assert "1 CP for each sector" in NEW.allowance
    assert NEW_FREE.allowance == "new: all in one sector, for nothing"
    tank = SetupUnit(Arrival.SURVIVOR, home=5, is_vehicle=True)
    assert tank.allowance.endswith("the sector where they survived, or as a vehicle one beside it")
    assert replace(tank, is_mobile=False).allowance.endswith("the sector where they survived")
