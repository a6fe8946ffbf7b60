import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firefight.engine.board.hexes import BadHex, HexMap
from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.helpers import HELPERS
from firefight.games.combat_stalingrad.rules.air import (
    Aircraft,
    AirWeapon,
    AntiAircraftOutcome,
    AntiAircraftWeapon,
    air_arrival,
    air_attack,
    anti_aircraft,
)
from firefight.games.combat_stalingrad.rules.fire import fire
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE, altered, banded, grid, grid_result, house_data
from tests.oracles.odds import brute, same_odds

BOARD: HexMap = HOUSE["map"].hexes
PLANES = house_data()["charts"]["aircraft"]["values"]
D100, D10 = DieSpec("die", 100, "d100"), DieSpec("die", 10, "d10")
CHECK, DIRECTION = DieSpec("check_die", 10, "d10"), DieSpec("direction_die", 10, "d10")


# 17.6.2 Arrival


@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.parametrize(("already", "success", "missed"), [(False, "arrives", "not_yet"), (True, "stays", "leaves")])
def test_the_arrival_number_or_less_brings_or_keeps_the_whole_group(number, already, success, missed):
    for die in range(1, 11):
        result = air_arrival(charts=HOUSE, number=number, already_in_play=already, die=die)
        assert result.outcome == (success if die <= number else missed)
        assert (result.modified, result.details, result.follow_ups) == (die, {"number": number}, ())


def test_aircraft_that_leave_leave_for_good_and_others_come_from_the_next_turn():
    [effect] = air_arrival(charts=HOUSE, number=5, already_in_play=True, die=6).effects
    assert effect == "The whole group leaves for good; another group may roll from next turn on."


def test_arrival_waits_for_its_die_and_has_plain_odds():
    assert air_arrival(charts=HOUSE, number=4).needs == ("die",)

    def rule(dice):
        return air_arrival(charts=HOUSE, number=4, **dice)

    counted, every = brute(rule, [D10])
    assert same_odds(sweep(rule, [D10]), counted, every)
    assert (counted[("arrives", "Arrives")], every) == (4, 10)


@pytest.mark.parametrize("face", [0, 11])
def test_an_arrival_die_off_the_d10_is_refused(face):
    with pytest.raises(BadDie):
        air_arrival(charts=HOUSE, number=4, die=face)


# 17.6.5 Air attack


def test_every_face_of_the_air_attack_reads_the_table_without_modifiers():
    for die in range(1, 101):
        word, _, hexes = banded("air_support")[die].partition(" ")
        result = air_attack(charts=HOUSE, hex="K12", die=die, direction_die=1)
        assert (result.outcome, result.modified, result.modifiers) == (word, die, ())
        assert result.details["range"] == int(hexes or 0)


@pytest.mark.parametrize("direction_die", range(1, 11))
def test_a_scattered_attack_falls_where_the_direction_die_says_or_rolls_again(direction_die):
    word = banded("direction")[direction_die]
    result = air_attack(charts=HOUSE, hex="K12", die=80, direction_die=direction_die)
    if word == "again":
        assert result.needs == ("direction_die",)
        assert f"{direction_die} gives no direction: roll again." in result.headline
        return
    lands = BOARD.step(BOARD.parse("K12"), int(word), 1)
    assert result.details == {"range": 1, "direction": int(word), "hex": str(lands), "on_map": True}
    assert result.headline == f"Scatters 1: the attack falls on {lands}."


def test_a_scatter_waits_for_its_direction():
    result = air_attack(charts=HOUSE, hex="K12", die=80)
    assert (result.outcome, result.word, result.needs) == ("scatter", "Scatters 1", ("direction_die",))


@pytest.mark.parametrize("face", [0, 11])
def test_a_bad_direction_die_is_named(face):
    with pytest.raises(BadDie) as caught:
        air_attack(charts=HOUSE, hex="K12", die=80, direction_die=face)
    assert caught.value.die == "direction_die"


@pytest.mark.parametrize(("hex", "place"), [("k12", "K12"), ("", "the hex aimed at")])
def test_an_attack_on_target_falls_where_it_was_aimed_and_needs_no_warning(hex, place):
    result = air_attack(charts=HOUSE, hex=hex, die=1)
    assert (result.headline, result.effects) == (f"On target: the attack falls on {place}.", ())


def test_without_a_hex_the_scatter_is_told_by_direction():
    result = air_attack(charts=HOUSE, die=80, direction_die=4)
    assert result.headline == "Scatters 1: the attack falls on 1 away to the south."
    assert result.details == {"range": 1, "direction": 4}


@pytest.mark.parametrize(("hex", "direction_die"), [("A12", 6), ("Y12", 2), ("K4", 1)])
def test_an_attack_that_scatters_off_the_map_hits_nothing_and_is_given_no_hex(hex, direction_die):
    result = air_attack(charts=HOUSE, hex=hex, die=80, direction_die=direction_die)
    assert result.headline == "Scatters 1: the attack falls on a place off the map."
    assert result.details["on_map"] is False
    assert "hex" not in result.details
    assert result.follow_ups == ()


def test_defender_choice_lets_the_other_side_pick_within_the_range_but_not_a_flagged_afv():
    result = air_attack(charts=HOUSE, hex="K12", units=[Unit(name="A")], die=90)
    assert (
        result.headline
        == "Defender Choice within 2: the attack falls on a hex within 2 that the side under attack picks."
    )
    assert any("AFV that shows recognition flags" in effect for effect in result.effects)
    assert any("scatter places the bombs, for rubble only" in effect for effect in result.effects)
    assert [step.inputs["units"] for step in result.follow_ups] == [[]]


@pytest.mark.parametrize(("aircraft", "bans"), [(Aircraft.JU87, 1), (Aircraft.PO2, 0)])
def test_the_ban_of_recognition_flags_is_the_russians_who_picks_when_the_ju_87_errs(aircraft, bans):
    result = air_attack(charts=HOUSE, aircraft=aircraft, hex="K12", die=90)
    assert sum("The Russian may not pick" in effect for effect in result.effects) == bans
    assert not any("flags" in effect for effect in air_attack(charts=HOUSE, aircraft=aircraft, die=1).effects)


@pytest.mark.parametrize("direction_die", range(1, 7))
@pytest.mark.parametrize("die", [1, 80])
def test_the_units_in_the_bombed_hex_are_attacked_and_no_others(die, direction_die):
    around = BOARD.within(BOARD.parse("K12"), 2)
    units = tuple(Unit(name=str(place), hex=str(place).lower()) for place in around)
    result = air_attack(
        charts=HOUSE, weapon=AirWeapon.BOTH, hex="K12", units=units, die=die, direction_die=direction_die
    )
    for step in result.follow_ups:
        assert [plain["name"] for plain in step.inputs["units"]] == [result.details["hex"]]
    assert len(result.follow_ups) == 2
    spared = () if result.details["hex"] == "K12" else ("Not attacked: K12.",)
    assert result.effects == spared


def test_a_unit_that_names_no_hex_stands_in_the_hex_aimed_at():
    units = (Unit(name="A"), Unit(name="B", hex="K13"))
    on_target = air_attack(charts=HOUSE, hex="K12", units=units, die=1)
    unfollowed = air_attack(charts=HOUSE, units=units, die=1)
    astray = air_attack(charts=HOUSE, hex="K12", units=units, die=80, direction_die=4)
    names = [
        [plain["name"] for plain in result.follow_ups[0].inputs["units"]] for result in (on_target, unfollowed, astray)
    ]
    assert names == [["A"], ["A", "B"], ["B"]]


@pytest.mark.parametrize("die", [80, 90])
def test_the_units_aimed_at_are_not_attacked_when_the_attack_goes_elsewhere(die):
    result = air_attack(charts=HOUSE, hex="K12", units=[Unit(name="A")], die=die, direction_die=1)
    assert all(step.inputs["units"] == [] for step in result.follow_ups)


@pytest.mark.parametrize("aircraft", Aircraft)
@pytest.mark.parametrize(
    ("weapon", "parts"), [(AirWeapon.HE, ["he"]), (AirWeapon.MG, ["mg"]), (AirWeapon.BOTH, ["he", "mg"])]
)
def test_an_attack_on_target_fires_bombs_mg_or_both(aircraft, weapon, parts):
    result = air_attack(charts=HOUSE, aircraft=aircraft, weapon=weapon, hex="K12", die=1)
    assert result.details == {"range": 0, "hex": "K12"}
    assert [step.inputs["ff"] for step in result.follow_ups] == [PLANES[f"{aircraft.value}_{part}"] for part in parts]
    assert [step.title.split()[0].lower() for step in result.follow_ups] == parts


@pytest.mark.parametrize("where", ["cellar", "Cellar", "deep cellar"])
def test_17_6_4_nobody_in_a_cellar_is_attacked_from_the_air(where):
    """Every cellar is an interior location (17.2.8)."""
    below = Unit(name="A", hex="K12", where=where)
    result = air_attack(charts=HOUSE, weapon=AirWeapon.BOTH, hex="K12", units=[below, Unit(name="B")], die=1)
    assert [[plain["name"] for plain in step.inputs["units"]] for step in result.follow_ups] == [["B"], ["B"]]
    assert result.effects == ("Not attacked: A (in a cellar, 17.6.4).",)


def test_bombs_and_mg_attack_every_location_and_smoke_counts_as_usual():
    units = (
        Unit(Kind.SQUAD, "A", where="upstairs", modifiers=("upper_level",)),
        Unit(Kind.SQUAD, "B", where="upstairs", modifiers=("running", "upper_level")),
        Unit(Kind.CREW, "C", where="rooftop", modifiers=("smoke",)),
    )
    result = air_attack(charts=HOUSE, weapon=AirWeapon.BOTH, hex="K12", units=units, die=1)
    assert [(step.title.partition(" of ")[0], len(step.inputs["units"])) for step in result.follow_ups] == [
        ("HE", 2),
        ("HE", 1),
        ("MG", 2),
        ("MG", 1),
    ]
    assert result.follow_ups[0].title == "HE of the Ju 87 on upstairs (70 FF)"
    above = air_attack(charts=HOUSE, hex="K12", units=(Unit(where="1"),), die=1)
    assert above.follow_ups[0].title == "HE of the Ju 87 on level 1 (70 FF)"
    assert air_attack(charts=HOUSE, hex="K12", die=1).follow_ups[0].title == "HE of the Ju 87 (70 FF)"
    assert all("artillery" not in step.inputs for step in result.follow_ups)
    smoke = fire(charts=HOUSE, ff=70, modifiers=result.follow_ups[1].inputs["modifiers"], die=50)
    assert [modifier.value for modifier in smoke.modifiers] == [10]


def test_an_air_attack_names_every_chart_that_decided_it():
    on_target = air_attack(charts=HOUSE, hex="K12", die=1)
    scattered = air_attack(charts=HOUSE, hex="K12", die=80, direction_die=1)
    unfollowed = air_attack(charts=HOUSE, die=80, direction_die=1)
    assert [source.chart for source in on_target.provenance] == ["air_support", "aircraft"]
    assert [source.chart for source in scattered.provenance] == ["air_support", "aircraft", "direction", "map"]
    assert [source.chart for source in unfollowed.provenance] == ["air_support", "aircraft", "direction"]


def test_an_air_attack_waits_for_its_die_and_refuses_a_hex_off_the_map():
    assert air_attack(charts=HOUSE).needs == ("die",)
    with pytest.raises(BadHex):
        air_attack(charts=HOUSE, hex="Z12", die=1)


def test_air_attack_odds_are_a_plain_count_of_all_faces():
    def rule(dice):
        return air_attack(charts=HOUSE, hex="K12", **dice)

    counted, every = brute(rule, [D100])
    assert same_odds(sweep(rule, [D100, DIRECTION]), counted, every)
    assert counted == {
        ("on_target", "On target"): 70,
        ("scatter", "Scatters 1"): 15,
        ("defender_choice", "Defender Choice within 2"): 10,
        ("defender_choice", "Defender Choice within 4"): 5,
    }


# 17.6.7 Anti-aircraft fire

RESULTS = {grid_result("fft", column, die) for column in grid("fft") for die in range(1, 101)}
EXPECTED = {"E": "destroyed_before", "2E": "destroyed_before", "C": "destroyed_after", "C/M": "destroyed_after"}


@pytest.mark.parametrize("ff", [int(column) for column in grid("fft")])
@pytest.mark.parametrize("aircraft", Aircraft)
def test_e_kills_before_the_attack_c_after_it_and_a_failed_check_sends_home(ff, aircraft):
    tq = PLANES[f"{aircraft.value}_tq"]
    for die in range(1, 101):
        row = grid_result("fft", str(ff), die)
        for check in range(1, 11):
            result = anti_aircraft(charts=HOUSE, ff=ff, aircraft=aircraft, die=die, check_die=check)
            if row.startswith("M") or row == "C/M":
                assert result.outcome == (EXPECTED.get(row, "no_effect") if check <= tq else "aborts")
                assert result.dice == {"die": die, "check_die": check}
                assert result.details["tq"] == tq
            else:
                assert result.outcome == EXPECTED.get(row, "no_effect")
                assert result.dice == {"die": die}
        assert result.details["result"] == (row.lower() or "none")


@pytest.mark.parametrize("ff", [int(column) for column in grid("fft")])
@pytest.mark.parametrize("aircraft", Aircraft)
def test_anti_aircraft_odds_are_a_plain_count_of_all_faces_and_ask_few_of_them(ff, aircraft):
    dice_thrown = []

    def rule(dice):
        dice_thrown.append(dice)
        return anti_aircraft(charts=HOUSE, ff=ff, aircraft=aircraft, **dice)

    dice = next(helper for helper in HELPERS if helper.slug == "anti-aircraft").specs({})
    counted, every = brute(rule, dice)
    dice_thrown.clear()
    assert same_odds(sweep(rule, dice), counted, every)
    assert len(dice_thrown) <= 1 + 100 + 10 * len(
        {result for result in RESULTS if result.startswith("M") or result == "C/M"}
    )


def test_the_x_of_m_plus_x_is_dropped_for_an_aircraft():
    die = next(die for die in range(1, 101) if grid_result("fft", "10", die) == "M+3")
    passed = anti_aircraft(charts=HOUSE, ff=10, die=die, check_die=8)
    failed = anti_aircraft(charts=HOUSE, ff=10, die=die, check_die=9)
    assert (passed.outcome, failed.outcome) == ("no_effect", "aborts")
    assert passed.modified == die


@pytest.mark.parametrize(
    ("outcome", "word", "effect"),
    [
        ("no_effect", "No effect", "Go on with the air attack."),
        ("aborts", "Aborts before attacking", "It leaves play before its attack; no Victory Points."),
        ("destroyed_before", "Destroyed before attacking", "Remove it; it makes no attack."),
        ("destroyed_after", "Destroyed after attacking", "It makes its attack in this phase, then remove it."),
    ],
)
def test_the_fate_of_the_aircraft_is_told_with_what_to_do(outcome, word, effect):
    results = {}
    for die in range(1, 101):
        for check in (1, 10):
            result = anti_aircraft(charts=HOUSE, ff=20, die=die, check_die=check)
            results[result.outcome] = result
    result = results[outcome]
    assert (AntiAircraftOutcome(outcome).word, result.effects) == (word, (effect,))


@pytest.mark.parametrize("weapon", [AntiAircraftWeapon.DSHK, AntiAircraftWeapon.MG34, AntiAircraftWeapon.GAZ_AA])
def test_a_named_weapon_has_its_firepower_by_range_and_no_reach_beyond(weapon):
    table = banded(weapon.value)
    for distance, ff in table.items():
        result = anti_aircraft(charts=HOUSE, weapon=weapon, range=distance, die=100)
        assert result.details["ff"] == int(ff)
        assert weapon.value in [source.chart for source in result.provenance]
    with pytest.raises(BadInput) as caught:
        anti_aircraft(charts=HOUSE, weapon=weapon, range=max(table) + 1, die=50)
    assert list(caught.value.problems) == ["range"]
    assert f"reaches {max(table)} hexes" in str(caught.value)


def test_unless_told_otherwise_an_aircraft_is_one_hex_away():
    assert anti_aircraft(charts=HOUSE, weapon=AntiAircraftWeapon.DSHK, die=100).details["ff"] == 8


def test_firepower_that_is_not_given_is_asked_for():
    with pytest.raises(BadInput) as caught:
        anti_aircraft(charts=HOUSE, die=50)
    assert list(caught.value.problems) == ["ff"]


def test_without_a_factor_there_is_no_anti_aircraft_attack():
    book = altered("mg34", bands=[["1-4", "4"], ["5-8", "0"]])
    result = anti_aircraft(charts=book, weapon=AntiAircraftWeapon.MG34, range=5)
    assert (result.outcome, result.needs, result.details) == ("no_effect", (), {"ff": 0, "column": None})
    assert result.effects == ("Go on with the air attack.",)


def test_anti_aircraft_fire_asks_for_the_second_die_only_on_a_check():
    assert anti_aircraft(charts=HOUSE, ff=10).needs == ("die",)
    check = next(die for die in range(1, 101) if grid_result("fft", "10", die) == "M")
    assert anti_aircraft(charts=HOUSE, ff=10, die=check).needs == ("check_die",)
    assert anti_aircraft(charts=HOUSE, ff=10, die=100).needs == ()


@pytest.mark.parametrize(("die", "check_die", "name"), [(101, None, "die"), (50, 11, "check_die")])
def test_a_bad_anti_aircraft_die_is_named(die, check_die, name):
    with pytest.raises(BadDie) as caught:
        anti_aircraft(charts=HOUSE, ff=20, die=die, check_die=check_die)
    assert caught.value.die == name


def test_a_blank_tq_is_asked_for_only_when_the_aircraft_checks():
    book = altered("aircraft", values={**PLANES, "po2_tq": "?"})
    assert anti_aircraft(charts=book, ff=10, aircraft=Aircraft.PO2, die=100).outcome == "no_effect"
    with pytest.raises(MissingChart) as caught:
        anti_aircraft(charts=book, ff=10, aircraft=Aircraft.PO2, die=50, check_die=1)
    assert caught.value.cell == "Po-2: TQ"


def test_the_aircrafts_values_are_named_as_a_source_when_it_checks():
    checked = anti_aircraft(charts=HOUSE, weapon=AntiAircraftWeapon.DSHK, range=2, die=30, check_die=1)
    missed = anti_aircraft(charts=HOUSE, weapon=AntiAircraftWeapon.DSHK, range=2, die=100)
    assert [(s.chart, s.provenance) for s in checked.provenance] == [
        ("fft", "house"),
        ("aircraft", "house"),
        ("dshk", "text"),
    ]
    assert [s.chart for s in missed.provenance] == ["fft", "dshk"]


@pytest.mark.parametrize("other_drm", [-20, 0, 30])
def test_anti_aircraft_odds_are_a_plain_count_of_all_faces(other_drm):
    def rule(dice):
        return anti_aircraft(charts=HOUSE, ff=10, other_drm=other_drm, **dice)

    counted, every = brute(rule, [D100, CHECK])
    assert same_odds(sweep(rule, [D100, CHECK]), counted, every)
    offered = next(helper for helper in HELPERS if helper.slug == "anti-aircraft")
    assert same_odds(sweep(rule, offered.dice), counted, every)


@pytest.mark.parametrize(
    ("check", "outcome"), [(1, "destroyed_after"), (8, "destroyed_after"), (9, "aborts"), (10, "aborts")]
)
def test_c_m_on_an_aircraft_is_both_and_its_check_comes_first(check, outcome):
    faces = [die for die in range(1, 101) if grid_result("fft", "20", die) == "C/M"]
    assert faces
    for die in faces:
        assert anti_aircraft(charts=HOUSE, ff=20, die=die).needs == ("check_die",)
        result = anti_aircraft(charts=HOUSE, ff=20, die=die, check_die=check)
        assert (result.outcome, result.details["tq"]) == (outcome, 8)


@pytest.mark.parametrize("weapon", AntiAircraftWeapon)
def test_a_pinned_weapon_fires_with_half_its_factors_and_a_disrupted_one_not_at_all(weapon):
    full = anti_aircraft(charts=HOUSE, weapon=weapon, ff=7, range=2, die=100).details["ff"]
    assert anti_aircraft(charts=HOUSE, weapon=weapon, ff=7, range=2, state=State.PINNED, die=100).details == {
        "ff": full // 2,
        "column": full // 2,
        "result": "none",
    }
    for state in (State.DISRUPTED, State.WIA):
        with pytest.raises(BadInput) as caught:
            anti_aircraft(charts=HOUSE, weapon=weapon, ff=7, range=2, state=state, die=100)
        assert list(caught.value.problems) == ["state"]


def test_a_single_factor_that_is_halved_is_no_attack():
    result = anti_aircraft(charts=HOUSE, ff=1, state=State.PINNED)
    assert (result.outcome, result.needs, result.details["ff"]) == ("no_effect", (), 0)


@given(st.integers(1, 100), st.integers(1, 10), st.integers(-40, 40), st.integers(0, 40))
def test_a_higher_drm_never_hurts_the_aircraft(die, check, lower, more):
    order = ["no_effect", "aborts", "destroyed_after", "destroyed_before"]
    with_lower = anti_aircraft(charts=HOUSE, ff=10, other_drm=lower, die=die, check_die=check)
    with_higher = anti_aircraft(charts=HOUSE, ff=10, other_drm=lower + more, die=die, check_die=check)
    assert with_higher.modified - with_lower.modified == more
    # C/M can send it home where C alone destroys it, after its attack (17.6.7, A-14).
    assume(with_lower.details["result"] != "c/m")
    assert order.index(with_higher.outcome) <= order.index(with_lower.outcome)
