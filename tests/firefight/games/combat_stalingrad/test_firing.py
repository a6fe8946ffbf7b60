"""Firepower of counters: each at every range, sums of stacks, guns and columns, and every reason why not."""

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.board.counters import LackingValues
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules.counters import CounterKind, read_counters, tell_value
from firefight.games.combat_stalingrad.rules.firing import (
    Arms,
    choose_attack,
    counter_firepower,
    find_attacks,
    mg_firepower,
    shown_firepower,
    without_doubles,
)
from firefight.games.combat_stalingrad.rules.marks import Mark, is_unit, may_carry
from firefight.games.combat_stalingrad.rules.units import State
from tests.books import HOUSE
from tests.oracles import gunfire
from tests.soak import length

from .gallery import COUNTERS, plain_counters
from .pieces import piece

EVERY = [(side, key) for side in COUNTERS for key in COUNTERS[side]]
UNITS = [(side, key) for side, key in EVERY if is_unit(COUNTERS[side][key].kind)]
RANGES = range(1, gunfire.FURTHEST + 1)


def states_of(kind):
    """Every set of marks that matter to fire and that such a counter may carry."""
    matter = [mark.value for mark in (Mark.REDUCED, Mark.PINNED, Mark.MOVE_SIDE) if mark in may_carry(kind)]
    return chain.from_iterable(combinations(matter, number) for number in range(len(matter) + 1))


def attacks_at(firers, hexes):
    """Every way in which these counters can fire at one range."""
    return find_attacks(firers, [hexes] * len(firers))


def reasons(firers, hexes):
    """Why these counters cannot fire."""
    with pytest.raises(BadInput) as refused:
        attacks_at(firers, hexes)
    return str(refused.value)


def best(attacks, arms):
    """The attack with these arms among those that there are."""
    return next((attack for attack in attacks if attack.arms is arms), None)


@pytest.mark.parametrize(("side", "key"), UNITS)
def test_every_counter_at_every_range_has_the_ff_of_its_line(side, key):
    kind = COUNTERS[side][key]
    for state in states_of(kind.kind):
        for hexes in RANGES:
            factors = counter_firepower(kind, state, hexes)
            if factors is not None:
                assert factors == gunfire.own_ff(side, key, state, hexes)
            else:
                assert kind.caliber or kind.mgs or kind.weapon
            assert mg_firepower(kind, state, hexes) == gunfire.mg_ff(side, key, state, hexes)


def test_the_dshk_38_fires_as_errata_2_says():
    dshk = COUNTERS["russian"]["dshk_38"]
    assert tuple(counter_firepower(dshk, (), hexes) for hexes in range(1, 17)) == gunfire.DSHK
    assert counter_firepower(dshk, (), 17) == 0
    assert dshk.find_origin("fire@3") == "text"


@pytest.mark.parametrize(("side", "key"), UNITS)
def test_the_ccv_of_every_counter_is_its_ff_at_one_hex(side, key):
    """19.3.1: teams and crews with their 1-2 side, AFV with all their MGs."""
    kind = COUNTERS[side][key]
    if kind.kind in (CounterKind.SW_TEAM, CounterKind.GUN):
        at_one_hex = counter_firepower(kind, (Mark.MOVE_SIDE,), 1)
    elif kind.kind is CounterKind.VEHICLE and not kind.fire:
        at_one_hex = mg_firepower(kind, (), 1)
    else:
        at_one_hex = counter_firepower(kind, (), 1)
    assert at_one_hex == kind.ccv
    if kind.kind is CounterKind.SQUAD:
        assert counter_firepower(kind, (Mark.REDUCED,), 1) == kind.half_ccv


@pytest.mark.parametrize(("side", "key"), UNITS)
def test_more_hexes_are_never_more_firepower_and_ff_is_that_of_the_normal_range(side, key):
    kind = COUNTERS[side][key]
    for bands in filter(None, (kind.fire, kind.half_fire)):
        factors = [band.ff for band in bands]
        assert factors == sorted(factors, reverse=True)
    if kind.fire:
        assert kind.ff == kind.find_ff(False, 2)
    if kind.half_fire:
        assert kind.half_ff == kind.find_ff(True, 2)


@pytest.mark.parametrize("key", ["militia_squad", "rifle_squad", "guards_squad", "marine_squad", "smg_squad"])
def test_a_pinned_squad_fires_with_half_rounded_down(key):
    kind = COUNTERS["russian"][key]
    assert counter_firepower(kind, ("pinned",), 2) == kind.ff // 2
    assert counter_firepower(kind, ("pinned", "reduced"), 2) == kind.half_ff // 2


def test_each_of_a_stack_halves_for_itself():
    stack = [piece("russian", "guards_squad", "pinned", number=n) for n in (1, 2, 3)]
    [attack] = without_doubles(attacks_at(stack, 3))
    assert attack.ff == 9  # three times 7 // 2, not 21 // 2
    assert attack.words == (
        "Guards squad #1: 3 FF (Pinned Down); Guards squad #2: 3 FF (Pinned Down); "
        "Guards squad #3: 3 FF (Pinned Down), at 3 hexes"
    )
    assert attack.inputs == {"weapon": "firepower", "ff": 9, "state": "good_order"}


STACKS = st.lists(
    st.sampled_from(EVERY).flatmap(
        lambda unit: st.tuples(
            st.just(unit[0]),
            st.just(unit[1]),
            st.sets(st.sampled_from(sorted(may_carry(COUNTERS[unit[0]][unit[1]].kind) or {"none"})), max_size=3).map(
                lambda marks: tuple(sorted(marks - {"none"}))
            ),
        )
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=length(100, 5_000), deadline=None)
@given(stack=STACKS, hexes=st.integers(1, 20))
def test_the_sum_of_any_stack_is_that_of_a_slow_addition(stack, hexes):
    pieces = [piece(side, key, *state, number=n) for n, (side, key, state) in enumerate(stack, 1)]
    total = gunfire.sum_of(stack, hexes)
    try:
        attack = best(attacks_at(pieces, hexes), Arms.FF)
    except BadInput as refused:
        assert total is None
        assert str(refused)
        return
    assert (attack.ff if attack else None) == total


def test_a_squad_and_its_light_mg_fire_apart_or_together():
    attacks = attacks_at([piece("german", "grenadier_squad")], 2)
    assert [(attack.arms, attack.ff) for attack in attacks] == [(Arms.FF, 7), (Arms.ALL, 11), (Arms.MGS, 4)]
    [alone] = without_doubles(attacks_at([piece("german", "panzergrenadier_squad")], 6))
    assert (alone.ff, alone.words) == (4, "Panzergrenadier squad #1: 4 FF (MG alone) at 6 hexes")
    assert [source.provenance for source in alone.sources] == ["text"]


def test_a_tank_offers_its_gun_by_caliber_and_its_mgs_apart():
    gun, mgs = without_doubles(attacks_at([piece("german", "pz_iii_j")], 4))
    assert gun.inputs == {"weapon": "caliber", "caliber": 50, "state": "good_order"}
    assert mgs.inputs == {"weapon": "firepower", "ff": 8, "state": "good_order"}
    assert attacks_at([piece("german", "pz_iii_j")], None) == [gun]
    assert choose_attack([gun, mgs], {}) is gun
    assert choose_attack([gun, mgs], {"weapon": "firepower"}) is mgs
    assert choose_attack([gun, mgs], {"way": "ff", "weapon": "caliber"}) is mgs
    with pytest.raises(BadInput, match="Choose one of: gun, by caliber, firepower"):
        choose_attack([gun, mgs], {"weapon": "flamethrower"})


def test_a_pinned_crew_leaves_the_halving_to_the_roll():
    [attack] = attacks_at([piece("german", "pak_38", "pinned")], 4)
    assert attack.inputs == {"weapon": "caliber", "caliber": 50, "state": State.PINNED.value}


@pytest.mark.parametrize("key", ["flamethrower", "demo_charge"])
def test_a_weapon_with_a_column_of_its_own_needs_no_range(key):
    [attack] = attacks_at([piece("german", key)], None)
    assert attack.inputs == {"weapon": key, "state": "good_order"}


def test_a_flamethrowing_tank_has_three_ways_to_fire():
    attacks = without_doubles(attacks_at([piece("russian", "ot_34")], 1))
    assert [attack.arms for attack in attacks] == [Arms.GUN, Arms.FLAMETHROWER, Arms.FF]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("wia", "Rifle squad #1 is WIA and does not fire (18.2.5)."),
        ("disrupted", "Rifle squad #1 is Disrupted and does not fire (18.2.4)."),
        ("close_combat", "Rifle squad #1 is in Close Combat and does not fire (19.1.3)."),
        ("exited", "Rifle squad #1 has left the map in this firefight (20.11.1)."),
    ],
)
def test_who_cannot_fire_says_why(state, message):
    assert reasons([piece("russian", "rifle_squad", state)], 2) == message


def test_all_reasons_are_said_at_once():
    stack = [
        piece("russian", "rifle_squad", "wia"),
        piece("russian", "nco", "disrupted", number=2),
        piece("russian", "nest", number=3),
        piece("russian", "t_70", "f_killed", number=4),
        piece("russian", "nco", number=5, fate="eliminated"),
        piece("russian", "guards_squad", number=6),
    ]
    sentence = reasons(stack, 2)
    assert sentence.count("#") == 5
    assert "Guards" not in sentence
    assert "is not a unit that fires" in sentence and "F-KILLED" in sentence and "is not in play" in sentence


def test_what_fires_by_itself_cannot_join_a_sum():
    sentence = reasons([piece("german", "grenadier_squad"), piece("german", "pak_38", number=2)], 2)
    assert sentence == "Pak 38 #2 fires by itself (50 mm): what has a column of its own is an attack of its own (18.1)."
    two = reasons([piece("german", "pak_38"), piece("german", "leig_18", number=2)], 2)
    assert "Pak 38 #1 fires by itself (50 mm)" in two and "le.I.G. 18 #2 fires by itself (75 mm)" in two
    stack = [piece("german", "pz_iv_f1"), piece("german", "grenadier_squad", number=2)]
    assert [attack.ff for attack in attacks_at(stack, 2)] == [15, 19, 12]


def test_beyond_its_last_band_a_counter_does_not_reach():
    assert reasons([piece("russian", "rifle_squad")], 9) == "Rifle squad #1 does not reach 9 hexes."
    stack = [piece("russian", "maxim_m1910"), piece("russian", "commissar", number=2)]
    assert reasons(stack, 5) == "Commissar #2 does not reach 5 hexes: leave it out, by a tap on its picture."


def test_without_firers_there_is_no_attack():
    assert reasons([], 3) == "Choose who fires."


# What is asked


def old_kind(side, key):
    """A counter of content that knows nothing of ranges, as version 0.1.0 kept it."""
    data = plain_counters()
    for values in data[side].values():
        for name in ("fire", "half_fire", "caliber", "mgs", "weapon"):
            values.pop(name, None)
        values["text"] = [name for name in values.get("text", []) if name in values]
    kinds, problems = read_counters(data)
    assert problems == []
    return kinds[side][key]


def asked_for(firers, hexes):
    """What has to be asked before these counters fire."""
    with pytest.raises(LackingValues) as refused:
        attacks_at(firers, hexes)
    return refused.value.asked


def test_the_range_is_asked_for_where_no_hexes_give_it():
    [question] = asked_for([piece("russian", "rifle_squad")], None)
    assert (question.field, question.label, question.low, question.high) == ("range", "Range in hexes", 1, 40)


def test_a_value_that_is_missing_is_asked_for_by_counter_and_range_and_once():
    kind = old_kind("russian", "rifle_squad")
    stack = [piece("russian", "rifle_squad", number=n, kind=kind) for n in (1, 2)]
    [question] = asked_for(stack, 3)
    assert (question.field, question.label) == ("value:russian:rifle_squad:fire@3", "Rifle squad: FF at 3 hexes")
    kind_with_value = tell_value(kind, question.value, 5)
    [attack] = without_doubles(
        attacks_at([piece("russian", "rifle_squad", number=n, kind=kind_with_value) for n in (1, 2)], 3)
    )
    assert attack.ff == 10
    assert [source.provenance for source in attack.sources] == ["owner"]
    [again] = asked_for([piece("russian", "rifle_squad", kind=kind_with_value)], 4)
    assert again.value == "fire@4"


def test_a_reduced_squad_is_asked_for_its_smaller_side():
    [question] = asked_for([piece("russian", "rifle_squad", "reduced", kind=old_kind("russian", "rifle_squad"))], 1)
    assert (question.value, question.label) == ("half_fire@1", "Rifle squad: FF of the half-squad at 1 hex")


@pytest.mark.parametrize(
    ("side", "key", "values"),
    [
        ("german", "pak_38", ["caliber"]),
        ("german", "pz_iv_f1", ["caliber", "mgs"]),
        ("german", "heavy_mg_34", ["caliber", "fire@2"]),
        ("german", "flamethrower", []),
        ("german", "demo_charge", []),
    ],
)
def test_older_content_asks_for_what_it_lacks(side, key, values):
    kind = old_kind(side, key)
    if not values:
        assert len(attacks_at([piece(side, key, kind=kind)], 2)) == 1
        return
    assert [question.value for question in asked_for([piece(side, key, kind=kind)], 2)] == values
    for name in values:
        kind = tell_value(kind, name, 0 if (key, name) == ("heavy_mg_34", "caliber") else 7)
    assert attacks_at([piece(side, key, kind=kind)], 2)


@pytest.mark.parametrize("state", ["disrupted", "wia"])
def test_nothing_is_asked_of_who_cannot_fire_anyway(state):
    kind = old_kind("russian", "rifle_squad")
    assert "does not fire" in reasons([piece("russian", "rifle_squad", state, kind=kind)], None)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("fire@0", 3, "has no value fire@0"),
        ("fire@41", 3, "has no value fire@41"),
        ("fire@x", 3, "has no value"),
        ("armour", 3, "has no value armour"),
        ("fire@3", 201, "FF at 3 hexes lies between 0 and 200"),
        ("tq", 11, "TQ lies between 0 and 10"),
    ],
)
def test_a_value_that_cannot_be_is_refused(name, value, message):
    with pytest.raises(BadInput, match=message):
        tell_value(COUNTERS["russian"]["rifle_squad"], name, value)


def test_an_owners_value_takes_the_place_of_ours():
    kind = tell_value(COUNTERS["russian"]["rifle_squad"], "fire@2", 6)
    assert (counter_firepower(kind, (), 2), counter_firepower(kind, (), 3)) == (6, 5)
    assert (kind.find_origin("fire@2"), kind.find_origin("fire@3")) == ("owner", "house")


@pytest.mark.parametrize(("side", "key"), UNITS)
def test_every_firepower_has_a_column_of_the_fft(side, key):
    fft = HOUSE["fft"]
    factors = {gunfire.own_ff(side, key, (), hexes) for hexes in RANGES} | {gunfire.mg_ff(side, key, (), 1)}
    for ff in factors - {0}:
        assert int(fft.floor_column(ff)) <= ff
    kind = COUNTERS[side][key]
    if kind.caliber and kind.caliber >= 40:
        assert HOUSE["artillery_ff"].floor_row(kind.caliber)
    if kind.weapon:
        assert HOUSE["fft_weapons"].get(kind.weapon.value)


def test_a_counter_shows_what_it_adds_before_a_range_is_known():
    squad = COUNTERS["russian"]["rifle_squad"]
    shown_by_state = {
        (): squad.ff,
        ("pinned",): squad.ff // 2,
        ("reduced",): squad.half_ff,
        ("reduced", "pinned"): squad.half_ff // 2,
        ("disrupted",): None,
    }
    assert {
        state: shown_firepower(piece("russian", "rifle_squad", *state)) for state in shown_by_state
    } == shown_by_state
    assert shown_firepower(piece("russian", "maxim_m1910")) == COUNTERS["russian"]["maxim_m1910"].ff
    assert shown_firepower(piece("russian", "maxim_m1910", "move_side")) is None
    assert shown_firepower(piece("german", "pz_iv_f1")) is None


def test_words_say_that_machine_guns_fire_alone_where_there_is_something_else():
    def words(side, key, arms, *state):
        return best(attacks_at([piece(side, key, *state)], 2), arms).shares[0].words

    assert words("german", "pz_iv_f1", Arms.MGS) == "8 FF"
    assert words("german", "grenadier_squad", Arms.MGS) == "4 FF (MG alone)"
    assert words("german", "grenadier_squad", Arms.ALL, "pinned").startswith("5 FF (Pinned Down, MG 2)")


def test_a_team_on_its_1_2_side_is_asked_for_nothing_that_the_other_side_lacks():
    team = piece("russian", "maxim_m1910", "move_side", kind=old_kind("russian", "maxim_m1910"))
    assert {attack.ff for attack in attacks_at([team], 1)} == {2}


def test_a_mortar_whose_owner_gave_it_factors_at_one_range_is_asked_for_them_at_another():
    key = next(key for key, kind in COUNTERS["german"].items() if kind.kind is CounterKind.SW_TEAM and kind.caliber)
    assert [attack.arms for attack in attacks_at([piece("german", key)], 3)] == [Arms.GUN]
    kind = tell_value(COUNTERS["german"][key], "fire@2", 3)
    assert best(attacks_at([piece("german", key, kind=kind)], 2), Arms.FF).ff == 3
    assert [question.value for question in asked_for([piece("german", key, kind=kind)], 3)] == ["fire@3"]


def test_a_way_that_there_is_not_is_refused():
    attacks = attacks_at([piece("russian", "rifle_squad")], 2)
    for sent in ({"way": "mgs"}, {"weapon": "caliber"}):
        with pytest.raises(BadInput, match="do not fire that way together. Choose one of: firepower"):
            choose_attack(attacks, sent)
    assert choose_attack(attacks, {}) == attacks[0]
