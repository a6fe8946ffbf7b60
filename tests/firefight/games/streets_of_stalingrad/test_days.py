"""Days and phases: what they say, what is rolled in phase 1, isolation, victory. Each date at its bounds."""

from dataclasses import replace
from itertools import product

import pytest

from firefight.engine.dates import add_days
from firefight.engine.errors import MissingChart
from firefight.games.streets_of_stalingrad.rules.dates import date_of, turn_of
from firefight.games.streets_of_stalingrad.rules.hexes import list_victory_hexes
from firefight.games.streets_of_stalingrad.rules.phases import Action, find_phase

from . import BOOK, ask, faces, problems

ALL_HEXES = list(list_victory_hexes())
DAYS = [date_of(turn) for turn in range(1, 68)]

# Phases

PHASES = [
    ("Administrative", "both", "admin"),
    ("Simultaneous Bombardment", "both", "bombard"),
    ("German Movement", "german", "movement"),
    ("Soviet Reserves Movement", "soviet", "reserves"),
    ("German Attack", "german", "attack"),
    ("Simultaneous Bombardment", "both", "bombard"),
    ("German Exploit Movement", "german", "exploit_movement"),
    ("German Exploit Attack", "german", "exploit_attack"),
    ("Simultaneous Bombardment", "both", "bombard"),
    ("Soviet Movement", "soviet", "movement"),
    ("German Reserves Movement", "german", "reserves"),
    ("Soviet Attack", "soviet", "attack"),
    ("Simultaneous Bombardment", "both", "bombard"),
    ("Soviet Exploit Movement", "soviet", "exploit_movement"),
    ("Soviet Exploit Attack", "soviet", "exploit_attack"),
]


@pytest.mark.parametrize("number", range(1, 16))
def test_4_3_a_phase_has_its_name_side_markers_and_who_places_first(number):
    result = ask("phase", phase=number)
    details = result.details
    assert result.outcome == "shown" and details["allowed"] is None
    assert (details["name"], details["side"], details["kind"]) == PHASES[number - 1]
    assert details["removed_at_start"] == (["pinned"] if number in (6, 9, 13) else [])
    assert details["removed_at_end"] == (["pinned", "spent", "attack"] if number in (8, 15) else [])
    assert details["first_placer"] == {2: "german", 6: "german", 9: "soviet", 13: "soviet"}.get(number)
    assert details["turns_at_end"] == ({"breakthru": "spent"} if number in (3, 7, 10, 14) else {})
    interdiction = ["interdiction"] if number in (5, 8, 12, 15) else []
    assert details["off_map_at_end"] == (["explosion", *interdiction] if number > 1 else [])


# In which phases the German and the Soviet do what; by hand from the text.
ACTIONS = {
    "normal_movement": ([3], [10]),
    "deployment_movement": ([3], [10]),
    "reserves_movement": ([11], [4]),
    "exploit_movement": ([7], [14]),
    "breakthrough_attack": ([3, 7], [10, 14]),
    "attack": ([5, 8], [12, 15]),
    "retreat_before_combat": ([12, 15], [5, 8]),
    "opportunity_fire": ([4, 10, 14], [3, 7, 11]),
    "opportunity_fire_at_retreat": ([5, 8], [12, 15]),
    "instant_counter_attack": ([10, 12, 14, 15], [3, 5, 7, 8]),
    "simultaneous_bombardment": ([2, 6, 9, 13], [2, 6, 9, 13]),
    "bombard": ([2, 5, 6, 8, 9, 12, 13, 15], [2, 5, 6, 8, 9, 12, 13, 15]),
    "stuka": ([2, 3, 5, 6, 7, 8], []),
    "off_map_box_move": ([3], []),
    "east_bank_box_to_box": ([], [10]),
    "volga_crossing": ([], [10, 14]),
    "river_flotilla": ([], [5, 8, 10, 12, 14, 15]),
    "river_flotilla_fire": ([], [5, 8, 12, 15]),
    "mine_dog": ([], [3, 5, 7, 8]),
    "transport": ([], [4, 5, 8, 10, 14]),
    "infiltration": ([], [15]),
    "armored_train_move": ([], [10]),
    "tank_repair": ([], [10]),
    "leader_or_op_move": ([3, 7, 11], [4, 10, 14]),
    "reinforcements": ([3], [10]),
}


def test_every_action_is_known():
    assert {action.value for action in Action} == {"", *ACTIONS}


@pytest.mark.parametrize("action", ACTIONS)
def test_each_side_does_a_thing_in_its_phases_alone(action):
    for side, phases in zip(("german", "soviet"), ACTIONS[action], strict=True):
        for number in range(1, 16):
            result = ask("phase", phase=number, side=side, action=action)
            allowed = number in phases
            assert (result.outcome.value, result.details["allowed"]) == ("allowed" if allowed else "refused", allowed)
            assert allowed or result.effects, "A refusal says when it is allowed."


def test_own_and_enemy_phases_are_those_of_the_sequence():
    """The table of actions against the kinds of phases: two lists that were written independently."""
    own = {"attack": ("attack", "exploit_attack"), "leader_or_op_move": ("movement", "reserves", "exploit_movement")}
    for action, kinds in own.items():
        for side, phases in zip(("german", "soviet"), ACTIONS[action], strict=True):
            matching = [n for n in range(1, 16) if find_phase(n).side == side and find_phase(n).kind in kinds]
            assert phases == matching


# The calendar


@pytest.mark.parametrize("date", DAYS)
def test_what_a_date_brings(date):
    details = ask("calendar", date=date).details
    turn = turn_of(date)
    assert (details["turn"], details["date"]) == (turn, date)
    assert details["extra_snipers"] == max(0, min(5, turn - 13))
    assert details["tank_repair"] is (turn >= 4 and turn % 2 == 0)
    assert details["armored_train"] == (6 if date >= "1942-10-07" else None)
    assert details["ebbt_drm"] == (date >= "1942-09-26") + (date >= "1942-10-10") + (date >= "1942-10-30")
    assert details["isolation_limit"] == (4 if date >= "1942-09-26" else 2) and details["isolation_limit_elite"] == 4
    assert details["ammunition"] == {"german": date >= "1942-09-20", "soviet": date >= "1942-10-01"}
    assert details["weather"] is (date >= "1942-10-21") and details["breakdown"] is (date >= "1942-10-11")
    assert details["molotov"] is details["infiltration"] is (date >= "1942-09-26")
    assert details["half_movement"] is (date == "1942-09-13")


@pytest.mark.parametrize(
    ("date", "entries", "withdrawals", "div29"),
    [
        ("1942-09-19", [], ["29th Motorized, for a point of the campaign"], "bonus"),
        ("1942-09-20", [], [], "due"),
        ("1942-09-25", ["100th Jäger"], [], "due"),
        ("1942-09-27", [], ["670 PAK Battalion"], "due"),
        ("1942-09-29", [], ["29th Motorized, but its artillery regiment"], "due"),
        ("1942-09-30", ["100th Jäger"], [], "late"),
        ("1942-10-04", ["273rd NKVD Regiment (scenario 4)"], [], "late"),
        ("1942-10-05", [], ["29th Motorized: its artillery regiment"], "late"),
        ("1942-10-10", [], ["29th Motorized, whatever is left of it"], "late"),
        ("1942-10-11", ["305th Infantry", "14th Panzer"], [], "gone"),
        ("1942-10-20", ["79th Infantry (scenario 6)"], [], "gone"),
        ("1942-10-28", ["79th Infantry (scenario 6)"], [], "gone"),
    ],
)
def test_who_comes_and_goes_on_a_date(date, entries, withdrawals, div29):
    details = ask("calendar", date=date).details
    assert (details["entries"], details["withdrawals"], details["div29"]) == (entries, withdrawals, div29)


def test_a_turn_says_its_date():
    assert ask("calendar", date="1942-09-13", turn=67).details["date"] == "1942-11-18"
    assert ask("calendar", turn=39).details["date"] == "1942-10-21"
    assert "date" in problems("calendar", date="1942-11-19") and "turn" in problems("calendar", turn=68)


# Phase 1


@pytest.mark.parametrize(
    ("side", "first", "before"), [("german", "1942-09-20", "1942-09-19"), ("soviet", "1942-10-01", "1942-09-30")]
)
def test_14_71_ammunition_is_rolled_from_a_date_on(side, first, before):
    result = ask("ammunition", side=side, date=before, saved=30)
    assert result.outcome == "no_roll" and result.needs == ()
    assert result.details == {"roll": False, "shortage": 0, "saved_used": 0, "barred": 0, "saved_left": 30}
    assert ask("ammunition", side=side, date=first, multiplier=10).needs == ("die",)


@pytest.mark.parametrize(("multiplier", "saved"), list(product((10, 25, 50), (0, 10, 27, 500, 9999))))
def test_14_72_14_75_savings_are_taken_off_the_shortage(multiplier, saved):
    for die in range(1, 11):
        result = ask("ammunition", date="1942-09-23", multiplier=multiplier, saved=saved, die=die)
        shortage = die * multiplier
        barred = max(0, shortage - saved)
        used = shortage - barred
        expected = {
            "roll": True,
            "shortage": shortage,
            "saved_used": used,
            "barred": barred,
            "saved_left": saved - used,
        }
        assert (result.details, result.outcome.value) == (expected, "shortage" if barred else "none")


def test_14_72_14_75_the_two_examples_give_their_own_multipliers():
    assert ask("ammunition", date="1942-09-23", die=3).details["barred"] == 30
    details = ask("ammunition", date="1942-09-20", saved=27, die=5).details
    assert (details["shortage"], details["barred"], details["saved_left"]) == (50, 23, 0)


@pytest.mark.parametrize(("side", "date"), [("german", "1942-09-21"), ("soviet", "1942-10-01")])
def test_a_multiplier_that_nobody_has_told_is_asked_for(side, date):
    with pytest.raises(MissingChart) as caught:
        ask("ammunition", side=side, date=date)
    assert caught.value.blanks == (("ammunition", f"{date}, {side}"),)
    assert ask("ammunition", side=side, date=date, multiplier=20, die=2).details["barred"] == 40


def test_15_53_weather_is_rolled_from_21_october_on():
    for date in DAYS:
        if date < "1942-10-21":
            assert ask("weather", date=date).outcome == "no_roll"
            assert ask("weather", date=date, die=1).outcome == "no_roll"
        else:
            assert faces("weather", date=date) == ["bad"] * 2 + ["fair"] * 8


def test_15_52_stukas_are_22_less_the_die():
    for die in range(1, 11):
        result = ask("stukas", turn=2, stuka_die=die)
        assert (result.outcome.value, result.details["stukas"]) == ("available", 22 - die)
    assert ask("stukas", stuka_die=5).details["stukas"] == 17  # the example


@pytest.mark.parametrize(("turn", "weather_die"), list(product((39, 67), range(1, 11))))
def test_15_53_bad_weather_grounds_them(turn, weather_die):
    result = ask("stukas", turn=turn, weather_die=weather_die, stuka_die=1)
    expected = ("grounded", 0) if weather_die <= 2 else ("available", 21)
    assert (result.outcome.value, result.details["stukas"]) == expected
    assert ask("stukas", turn=turn, bad_weather="on").outcome == "grounded"


def test_before_21_october_no_weather_die_is_asked_for_and_other_scenarios_have_cards():
    with pytest.raises(AssertionError):
        ask("stukas", turn=38, weather_die=1)
    assert ask("stukas", turn=38, stuka_die=1).outcome == "available"
    assert ask("stukas", turn=2).needs == ("stuka_die",)
    result = ask("stukas", turn=5, scenario=4)
    assert (result.outcome.value, result.details["stukas"], result.needs) == ("undetermined", None, ())
    assert ask("stukas", turn=1).outcome == "undetermined"  # the card of the campaign has its first turn
    assert "turn" in problems("stukas", turn=0)


@pytest.mark.parametrize("turn", [1, 5, 62, 63, 67])
def test_16_57_a_lost_flotilla_unit_is_back_after_half_the_die(turn):
    for die in range(1, 11):
        result = ask("flotilla-return", turn=turn, die=die)
        turns = (die + 1) // 2
        assert result.outcome == "returns"
        assert (result.details["turns"], result.details["turn"]) == (turns, turn + turns)
        assert ("ends before" in result.effects[0]) is (turn + turns > 67)


# Isolation


def count_days(cut_off_on, elite):
    """By hand: which marker a Soviet unit has in phase 1 of each day, until it goes (19.1)."""
    date, marker = add_days(cut_off_on, 1), 1
    while date <= "1942-11-18" and marker < (4 if elite or date >= "1942-09-26" else 2):
        date, marker = add_days(date, 1), marker + 1
    return date if date <= "1942-11-18" else None


@pytest.mark.parametrize(("cut_off_on", "elite"), list(product(DAYS, (False, True))))
def test_19_1_when_a_unit_that_stays_isolated_goes(cut_off_on, elite):
    result = ask("isolation", side="soviet", cut_off_on=cut_off_on, elite_or_led="on" if elite else "")
    assert result.details["removed_on"] == count_days(cut_off_on, elite)


@pytest.mark.parametrize(
    ("cut_off_on", "removed_on"),
    [("1942-09-15", "1942-09-17"), ("1942-09-26", "1942-09-30"), ("1942-09-29", "1942-10-03"), ("1942-11-15", None)],
)
def test_19_1_19_3_the_examples(cut_off_on, removed_on):
    assert ask("isolation", side="soviet", cut_off_on=cut_off_on).details["removed_on"] == removed_on


@pytest.mark.parametrize(
    ("date", "elite", "limit"),
    [("1942-09-25", False, 2), ("1942-09-25", True, 4), ("1942-09-26", False, 4), ("1942-09-26", True, 4)],
)
def test_19_1_19_4_a_marker_rises_until_its_limit(date, elite, limit):
    for marker in range(10):
        result = ask(
            "isolation", side="soviet", date=date, marker=marker, elite_or_led="on" if elite else "", supplied=""
        )
        lost = marker + 1 >= limit
        assert result.outcome.value == ("eliminated" if lost else "marked")
        details = result.details
        assert (details["marker"], details["limit"], details["eliminated"]) == (marker + 1, limit, lost)
        assert details["lost_on"] == (date if lost else count_from(date, marker + 1, elite))


def count_from(date, marker, elite):
    while True:
        date, marker = add_days(date, 1), marker + 1
        if marker >= (4 if elite or date >= "1942-09-26" else 2):
            return date


def test_a_marker_of_one_on_25_september_is_no_end_on_the_26th():
    result = ask("isolation", side="soviet", date="1942-09-26", marker=1)
    assert (result.outcome.value, result.details["marker"]) == ("marked", 2)


@pytest.mark.parametrize(("side", "marker"), list(product(("german", "soviet"), (0, 1, 3))))
def test_19_4_supply_takes_the_marker_off(side, marker):
    result = ask("isolation", side=side, marker=marker, supplied="on")
    assert (result.outcome.value, result.details["marker"], result.details["eliminated"]) == ("supplied", 0, False)


def test_19_6_germans_have_a_one_and_never_go():
    for marker in range(10):
        result = ask("isolation", side="german", marker=marker, date="1942-11-18", cut_off_on="1942-09-13")
        assert (result.outcome.value, result.details["marker"]) == ("marked", 1)
        assert (result.details["limit"], result.details["removed_on"]) == (None, None)


# Victory


def points(**fields):
    return ask("victory", **fields).details["points"]


HELD = "0310,0311,0418,0419,0420,0421,0423,0426,0427,0428,0429,0430,0547"


def test_3_8_the_historical_result_is_15():
    assert points(hexes=f"{HELD},1039") == 15
    assert points(hexes=f"{HELD},1039,1039,0310") == 15
    assert "hexes" in problems("victory", hexes="0101")


def test_3_6_divisions_that_never_came_count_in_the_campaign():
    away = {"final_date": "1942-09-29", "campaign": "on"}
    for unused, worth in (("100", 1), ("305", 1), ("79", 1), ("14Pz", 2), ("100,305,79,14Pz", 5), ("", 0)):
        assert points(divisions_unused=unused, **away) == worth
        assert points(divisions_unused=unused, final_date="1942-09-29") == 0


@pytest.mark.parametrize(
    ("out", "artillery", "final", "worth"),
    [
        ("1942-09-19", "1942-09-19", "1942-11-18", 1),
        ("1942-09-19", "1942-09-20", "1942-11-18", 0),
        ("1942-09-20", "1942-09-19", "1942-11-18", 0),
        ("1942-09-29", "1942-10-05", "1942-11-18", 0),
        ("1942-09-30", "1942-10-05", "1942-11-18", -1),
        ("1942-09-29", "1942-10-06", "1942-11-18", -1),
        ("1942-10-10", "1942-10-10", "1942-11-18", -1),
        ("", "", "1942-09-29", 0),
        ("", "", "1942-09-30", -1),
        ("1942-09-29", "", "1942-10-05", 0),
        ("1942-09-29", "", "1942-10-06", -1),
        ("", "", "1942-11-18", -1),
    ],
)
def test_3_5_3_7_the_29th_motorized_leaves_early_in_time_or_late(out, artillery, final, worth):
    fields = {"div29_out": out, "div29_artillery_out": artillery, "final_date": final}
    assert points(campaign="on", hexes="1039", **fields) == 2 + worth
    assert points(hexes="1039", **fields) == 2


def test_3_3_the_level_is_the_owners():
    assert ask("victory", hexes="1039").details["level"] is None
    with pytest.raises(MissingChart) as caught:
        ask("victory", hexes="1039", with_level="on", scenario=2)
    levels = ("soviet_marginal", "german_marginal", "german_decisive")
    assert caught.value.blanks == tuple(("levels", f"2, {level}") for level in levels)


def test_3_3_with_the_bounds_of_the_card_every_number_of_points_has_a_level():
    chart = BOOK["levels"]
    bounds = {("3", level): str(least) for level, least in zip(chart.columns, (1, 2, 20), strict=True)}
    book = replace(BOOK, charts={**BOOK.charts, "levels": replace(chart, cells={**chart.cells, **bounds})})
    levels = [
        ask("victory", book, hexes=hexes).details["level"]
        for hexes in ("", "0310", "1039", "0310,1039", ",".join(ALL_HEXES[:19]), ",".join(ALL_HEXES[1:]))
    ]
    assert levels == [
        *("Soviet decisive", "Soviet marginal", "German marginal", "German marginal"),
        *("German decisive", "German marginal"),
    ]
