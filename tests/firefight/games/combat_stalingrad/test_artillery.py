from itertools import product
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.board.hexes import BadHex, HexMap
from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.accuracy import accuracy, bracket
from firefight.games.combat_stalingrad.rules.artillery import Device, Fire, Marker
from firefight.games.combat_stalingrad.rules.barrage import firepower
from firefight.games.combat_stalingrad.rules.contact import ContactOutcome, call_off, contact
from firefight.games.combat_stalingrad.rules.conversion import conversion
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE, altered, banded, house_data
from tests.oracles.odds import brute, same_odds

D100 = DieSpec("die", 100, "d100")
DIRECTION = DieSpec("direction_die", 10, "d10")
BOARD: HexMap = HOUSE["map"].hexes
SUPPLY = house_data()["charts"]["ammunition_supply"]["values"]
CORRECTED = (Marker.CFF, Marker.FFE)
NEW = (Marker.NEW_CFF, Marker.PLOT, Marker.BOMBARDMENT)


def drm(result):
    return {modifier.name: modifier.value for modifier in result.modifiers}


def follow_ups(result):
    return [(step.helper, dict(step.inputs)) for step in result.follow_ups]


def charts_named(result):
    return [source.chart for source in result.provenance]


# 17.3.1 Contact


@pytest.mark.parametrize(("device", "aerial_observer"), [*((device, False) for device in Device), (Device.RADIO, True)])
@pytest.mark.parametrize("danger_close", [False, True])
@pytest.mark.parametrize("supply", ["normal", "high", "low"])
def test_every_face_of_the_contact_roll_reads_as_the_rule_says(device, aerial_observer, danger_close, supply):
    counted = {
        "Aerial observer": -5 if aerial_observer else 0,
        "Danger close": 10 if danger_close else 0,
        f"Ammunition supply {supply}": SUPPLY[supply],
        "Other DRM": 3,
    }
    counted = {name: value for name, value in counted.items() if value}
    limit = 65 if device is Device.RADIO else 75
    marker = Marker.PLOT if device is Device.PLOTTED else Marker.NEW_CFF
    for die in range(1, 101):
        result = contact(
            charts=HOUSE,
            device=device,
            marker=marker,
            danger_close=danger_close,
            supply=supply,
            aerial_observer=aerial_observer,
            other_drm=3,
            die=die,
        )
        modified = die + sum(counted.values())
        expected = "contact" if modified <= limit else "no_contact"
        expected = {98: "lifted", 99: "lifted", 100: "battery_lost"}.get(die, expected)
        assert (result.outcome, result.modified, result.dice) == (expected, modified, {"die": die})
        assert drm(result) == counted
        assert result.details == {"limit": limit}


def test_each_contact_modifier_cites_the_rule_that_grants_it():
    result = contact(
        charts=HOUSE, device=Device.RADIO, aerial_observer=True, danger_close=True, supply="low", other_drm=1, die=5
    )
    assert [modifier.rule.split()[0] for modifier in result.modifiers] == ["17.2.7", "17.3.8", "17.3.1.1", "as"]


@pytest.mark.parametrize(
    ("device", "marker", "highest"),
    [(Device.RADIO, Marker.NEW_CFF, 65), (Device.PHONE, Marker.NEW_CFF, 75), (Device.PLOTTED, Marker.PLOT, 75)],
)
def test_the_limit_itself_is_contact_and_one_more_is_not(device, marker, highest):
    at_limit = contact(charts=HOUSE, device=device, marker=marker, die=highest)
    missed = contact(charts=HOUSE, device=device, marker=marker, die=highest + 1)
    assert (at_limit.outcome, missed.outcome) == (ContactOutcome.CONTACT, ContactOutcome.NO_CONTACT)


@pytest.mark.parametrize("natural", [98, 99])
def test_a_natural_98_or_99_lifts_even_when_the_total_would_reach(natural):
    result = contact(charts=HOUSE, device=Device.PHONE, other_drm=-50, die=natural)
    assert result.modified == natural - 50 <= 75
    assert result.outcome is ContactOutcome.LIFTED
    assert result.follow_ups == ()


def test_a_natural_00_loses_the_battery_even_when_the_total_would_reach():
    result = contact(charts=HOUSE, device=Device.PHONE, other_drm=-100, die=100)
    assert (result.outcome, result.modified) == (ContactOutcome.BATTERY_LOST, 0)
    assert result.effects == ("The battery is out for the rest of the firefight; in a campaign, for good.",)


@pytest.mark.parametrize("natural", range(70, 98))
def test_a_modified_98_or_more_is_only_a_plain_failure(natural):
    result = contact(charts=HOUSE, device=Device.RADIO, other_drm=30, die=natural)
    assert result.modified >= 98
    assert result.outcome is ContactOutcome.NO_CONTACT


@pytest.mark.parametrize(
    ("drm", "headline"),
    [
        (0, "Contact needs 65 or less on the die."),
        (10, "Contact needs 55 or less on the die."),
        (-40, "Contact needs 97 or less on the die."),
        (65, "No die is low enough for contact: roll for 98, 99 and 00."),
    ],
)
def test_what_contact_asks_for_is_what_the_die_shows(drm, headline):
    """The modifiers are in it, so that it says what the odds below it say."""
    assert contact(charts=HOUSE, device=Device.RADIO, other_drm=drm).headline == headline


def test_contact_totals_may_leave_the_die_at_both_ends():
    low = contact(charts=HOUSE, device=Device.RADIO, other_drm=-40, die=3)
    high = contact(charts=HOUSE, device=Device.RADIO, other_drm=40, die=97)
    assert (low.modified, low.outcome) == (-37, ContactOutcome.CONTACT)
    assert (high.modified, high.outcome) == (137, ContactOutcome.NO_CONTACT)


@pytest.mark.parametrize("marker", CORRECTED)
@pytest.mark.parametrize("die", [97, 98, 99, 100])
def test_a_marker_on_the_map_goes_whenever_contact_fails(marker, die):
    result = contact(charts=HOUSE, device=Device.RADIO, marker=marker, die=die)
    assert result.effects[0] == f"Remove the {marker.value.upper()} from the map."
    assert result.follow_ups == ()


def test_a_new_cff_that_fails_has_nothing_to_remove_and_bars_others_from_the_set():
    result = contact(charts=HOUSE, device=Device.RADIO, die=97)
    assert result.effects == ("No other unit may use this radio or phone in this phase.",)


def test_after_98_the_battery_waits_for_the_next_turn():
    [effect] = contact(charts=HOUSE, device=Device.RADIO, die=98).effects
    assert "tries no more in this phase" in effect
    assert "next turn" in effect


def test_a_plot_that_fails_may_be_tried_again_by_another_impulse_but_not_after_98():
    plain = contact(charts=HOUSE, device=Device.PLOTTED, marker=Marker.PLOT, die=97)
    lifted = contact(charts=HOUSE, device=Device.PLOTTED, marker=Marker.PLOT, die=98)
    assert plain.effects == ("Another impulse of this phase may try the plot again.",)
    assert "tries no more in this phase" in lifted.effects[0]


def test_contact_for_a_new_cff_reminds_of_the_fire_marker_on_the_observer():
    [effect] = contact(charts=HOUSE, device=Device.RADIO, die=1).effects
    assert "Fire marker on the observer (Fire 2 on a leader)" in effect
    assert contact(charts=HOUSE, device=Device.RADIO, marker=Marker.CFF, die=1).effects == ()


@pytest.mark.parametrize("device", [Device.PHONE, Device.PLOTTED])
def test_an_aerial_observer_without_a_radio_is_refused(device):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=device, aerial_observer=True, die=1)
    assert list(caught.value.problems) == ["device"]


@pytest.mark.parametrize("marker", CORRECTED)
def test_plotted_fire_is_never_corrected(marker):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=Device.PLOTTED, marker=marker, die=1)
    assert list(caught.value.problems) == ["marker"]


@pytest.mark.parametrize("device", [Device.RADIO, Device.PHONE])
def test_a_plot_is_only_called_as_plotted_fire(device):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=device, marker=Marker.PLOT, die=70)
    assert list(caught.value.problems) == ["device"]


def test_contact_for_a_new_cff_leads_to_its_accuracy_and_carries_what_is_known():
    result = contact(charts=HOUSE, device=Device.RADIO, aerial_observer=True, danger_close=True, die=1)
    assert follow_ups(result) == [("accuracy", {"marker": "new_cff", "danger_close": True, "aerial_observer": True})]


@pytest.mark.parametrize("marker", CORRECTED)
@pytest.mark.parametrize("correction", [1, 4])
def test_contact_for_a_moved_marker_leads_to_its_accuracy_with_the_correction(marker, correction):
    result = contact(charts=HOUSE, device=Device.RADIO, marker=marker, correction=correction, die=1)
    [(helper, inputs)] = follow_ups(result)
    assert (helper, inputs["marker"], inputs["correction"]) == ("accuracy", marker.value, correction)


@pytest.mark.parametrize("marker", CORRECTED)
def test_contact_for_a_marker_that_stays_in_its_hex_leads_straight_to_the_conversion(marker):
    result = contact(charts=HOUSE, device=Device.RADIO, marker=marker, danger_close=True, die=1)
    assert follow_ups(result) == [
        ("conversion", {"marker": marker.value, "danger_close": True, "correction": 0, "stray": 0})
    ]


@pytest.mark.parametrize(
    ("marker", "kind"), [(Marker.PLOT, "plotted"), (Marker.NEW_CFF, "plotted"), (Marker.BOMBARDMENT, "bombardment")]
)
def test_plotted_contact_leads_to_the_accuracy_of_the_plot_without_any_drm(marker, kind):
    result = contact(charts=HOUSE, device=Device.PLOTTED, marker=marker, danger_close=True, die=1)
    assert follow_ups(result) == [("accuracy", {"marker": "plot", "kind": kind})]


def test_contact_without_a_die_shows_what_is_needed_and_the_modifiers():
    result = contact(charts=HOUSE, device=Device.PHONE, danger_close=True)
    assert (result.outcome, result.needs) == (None, ("die",))
    assert "65 or less" in result.headline
    assert drm(result) == {"Danger close": 10}


def test_contact_names_the_origin_of_the_supply_rate_only_when_it_is_used():
    normal = contact(charts=HOUSE, device=Device.RADIO, die=1)
    low = contact(charts=HOUSE, device=Device.RADIO, supply="low", die=1)
    assert charts_named(normal) == ["contact", "artillery_drm"]
    assert [(source.chart, source.provenance) for source in low.provenance] == [
        ("contact", "text"),
        ("artillery_drm", "text"),
        ("ammunition_supply", "house"),
    ]


@pytest.mark.parametrize("face", [0, 101])
def test_a_contact_die_off_the_d100_is_refused(face):
    with pytest.raises(BadDie):
        contact(charts=HOUSE, device=Device.RADIO, die=face)


def test_contact_needs_its_limit_and_says_so_when_it_is_blank():
    book = altered("contact", values={"radio": "", "phone": 75, "plotted": 75})
    with pytest.raises(MissingChart) as caught:
        contact(charts=book, device=Device.RADIO, die=1)
    assert caught.value.cell == "radio"
    assert contact(charts=book, device=Device.PHONE, die=1).outcome is ContactOutcome.CONTACT


@given(st.integers(1, 97), st.integers(-60, 60), st.integers(0, 60))
def test_a_higher_drm_never_helps_contact(die, lower, more):
    with_lower = contact(charts=HOUSE, device=Device.RADIO, other_drm=lower, die=die)
    with_higher = contact(charts=HOUSE, device=Device.RADIO, other_drm=lower + more, die=die)
    assert with_higher.modified - with_lower.modified == more
    assert with_lower.outcome is ContactOutcome.CONTACT or with_higher.outcome is ContactOutcome.NO_CONTACT


@pytest.mark.parametrize("other_drm", [-40, 0, 40])
def test_contact_odds_are_a_plain_count_of_all_faces(other_drm):
    def rule(dice):
        return contact(charts=HOUSE, device=Device.RADIO, other_drm=other_drm, **dice)

    assert same_odds(sweep(rule, [D100]), *brute(rule, [D100]))


# Marker and kind of fire (17.4.8, 17.5.2)


def chain_of(device, marker, kind, **more):
    """The rolls of a mission by the app's own follow-ups, aimed at K20, each die 1: the last result."""
    step = contact(charts=HOUSE, device=device, marker=marker, kind=kind, die=1, **more).follow_ups[0]
    values = read_inputs(step.inputs)
    if step.helper == "accuracy":
        values.pop("danger_close", None)
        step = accuracy(charts=HOUSE, aim="K20", die=1, **values).follow_ups[0]
        values = read_inputs(step.inputs)
    if step.helper == "conversion":
        impact = values.pop("impact", "K20")
        step = conversion(charts=HOUSE, **values).follow_ups[0]
        values = {"impact": impact, **read_inputs(step.inputs)}
    return firepower(charts=HOUSE, caliber=122, **values)


def read_inputs(inputs):
    return {
        name: {"marker": Marker, "kind": Fire}.get(name, lambda same: same)(value) for name, value in inputs.items()
    }


@pytest.mark.parametrize(
    ("device", "marker", "kind", "hexes", "ff"),
    [
        (Device.RADIO, Marker.NEW_CFF, Fire.BATTERY, 1, 8),
        (Device.RADIO, Marker.NEW_CFF, Fire.BOMBARDMENT, 37, 32),
        (Device.PHONE, Marker.BOMBARDMENT, Fire.BATTERY, 37, 32),
        (Device.PHONE, Marker.BOMBARDMENT, Fire.BOMBARDMENT, 37, 32),
        (Device.PLOTTED, Marker.NEW_CFF, Fire.BATTERY, 7, 32),
        (Device.PLOTTED, Marker.NEW_CFF, Fire.PLOTTED, 7, 32),
        (Device.PLOTTED, Marker.PLOT, Fire.BATTERY, 7, 32),
        (Device.PLOTTED, Marker.NEW_CFF, Fire.BOMBARDMENT, 37, 32),
        (Device.PLOTTED, Marker.BOMBARDMENT, Fire.BATTERY, 37, 32),
        (Device.PLOTTED, Marker.PLOT, Fire.BOMBARDMENT, 37, 32),
        (Device.RADIO, Marker.CFF, Fire.BATTERY, 7, 32),
        (Device.RADIO, Marker.FFE, Fire.BATTERY, 7, 32),
    ],
)
def test_a_mission_ends_as_its_kind_of_fire_whatever_the_marker_was_left_at(device, marker, kind, hexes, ff):
    fell = chain_of(device, marker, kind)
    assert (len(fell.details["hexes"]), fell.details["ff"]) == (hexes, ff)


@pytest.mark.parametrize("marker", Marker)
@pytest.mark.parametrize("kind", Fire)
def test_pairs_of_marker_and_kind_that_there_cannot_be_are_refused_by_every_helper(marker, kind):
    impossible = (marker.corrected and kind is not Fire.BATTERY) or (marker, kind) == (
        Marker.BOMBARDMENT,
        Fire.PLOTTED,
    )
    device = Device.PLOTTED if marker is Marker.PLOT or kind is Fire.PLOTTED else Device.RADIO
    rolls = {
        "contact": lambda: contact(charts=HOUSE, device=device, marker=marker, kind=kind),
        "accuracy": lambda: accuracy(charts=HOUSE, marker=marker, kind=kind),
        "conversion": lambda: conversion(charts=HOUSE, marker=marker, kind=kind),
        "firepower": lambda: firepower(charts=HOUSE, caliber=122, marker=marker, kind=kind),
    }
    for name, ask in rolls.items():
        if impossible and (name, marker) != ("firepower", Marker.FFE):
            with pytest.raises(BadInput) as caught:
                ask()
            assert list(caught.value.problems) in (["marker"], ["kind"]), name
        else:
            ask()


@pytest.mark.parametrize("device", [Device.RADIO, Device.PHONE])
@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.PLOT, Marker.BOMBARDMENT])
def test_a_plotted_battery_is_only_reached_as_plotted_fire(device, marker):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=device, marker=marker, kind=Fire.PLOTTED)
    assert list(caught.value.problems) == ["device"]


@pytest.mark.parametrize("kind", [Fire.PLOTTED, Fire.BOMBARDMENT])
def test_what_lasts_one_phase_has_no_fire_2(kind):
    with pytest.raises(BadInput) as caught:
        firepower(charts=HOUSE, caliber=122, marker=Marker.FFE, kind=kind, fire_2=True)
    assert list(caught.value.problems) == ["fire_2"]


@pytest.mark.parametrize("inputs", [{"kind": Fire.BOMBARDMENT}, {"marker": Marker.BOMBARDMENT}])
def test_a_bombardment_with_smoke_is_refused_before_any_die(inputs):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=Device.RADIO, smoke=True, **inputs)
    assert list(caught.value.problems) == ["smoke"]
    [step] = contact(charts=HOUSE, device=Device.RADIO, smoke=True, die=1).follow_ups
    assert step.inputs["smoke"] is True


@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.BOMBARDMENT])
@pytest.mark.parametrize("kind", [Fire.BATTERY, Fire.BOMBARDMENT])
def test_a_mission_by_radio_marks_its_observer_a_bombardment_too(marker, kind):
    [effect] = contact(charts=HOUSE, device=Device.RADIO, marker=marker, kind=kind, die=1).effects
    placed = "CFF" if (marker, kind) == (Marker.NEW_CFF, Fire.BATTERY) else "FFE"
    assert effect == f"Once the {placed} is placed, put a Fire marker on the observer (Fire 2 on a leader)."


@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.PLOT, Marker.BOMBARDMENT])
@pytest.mark.parametrize("kind", [Fire.BATTERY, Fire.BOMBARDMENT])
def test_plotted_fire_tells_its_own_rules_on_every_face_whatever_the_marker_was_left_at(marker, kind):
    for die in range(1, 101):
        result = contact(charts=HOUSE, device=Device.PLOTTED, marker=marker, kind=kind, die=die)
        effects = " ".join(result.effects)
        assert "observer" not in effects
        assert "radio or phone" not in effects
        assert ("one of its two written hexes" in effects) == (die <= 75)
        assert ("Another impulse of this phase may try the plot again" in effects) == (75 < die < 98)
        assert [step.title for step in result.follow_ups] == (["Accuracy of the Plot"] if die <= 75 else [])


@pytest.mark.parametrize("correction", range(8))
def test_an_ffe_moved_more_than_4_hexes_is_refused_before_contact(correction):
    if correction <= 4:
        assert contact(charts=HOUSE, device=Device.RADIO, marker=Marker.FFE, correction=correction).needs == ("die",)
        return
    with pytest.raises(BadInput, match="lift it and call a new CFF") as caught:
        contact(charts=HOUSE, device=Device.RADIO, marker=Marker.FFE, correction=correction)
    assert list(caught.value.problems) == ["correction"]
    assert contact(charts=HOUSE, device=Device.RADIO, marker=Marker.CFF, correction=correction).needs == ("die",)


@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.BOMBARDMENT])
def test_what_has_just_been_called_is_not_corrected(marker):
    with pytest.raises(BadInput) as caught:
        contact(charts=HOUSE, device=Device.RADIO, marker=marker, correction=1)
    assert list(caught.value.problems) == ["correction"]


# 17.3.4 Accuracy


def test_a_new_cff_strays_as_far_as_the_table_says():
    for die in range(1, 101):
        expected = int(banded("accuracy")[die])
        result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, die=die)
        assert result.details["distance"] == expected
        assert result.outcome == ("strays" if expected else "on_target")


@pytest.mark.parametrize("marker", [Marker.CFF, Marker.FFE])
@pytest.mark.parametrize("correction", range(5))
def test_a_corrected_marker_never_strays_further_than_its_correction(marker, correction):
    for die in range(1, 101):
        result = accuracy(charts=HOUSE, marker=marker, correction=correction, die=die)
        rolled = int(banded("accuracy")[min(die + max(0, correction - 2) * 5, 100)])
        assert result.details["distance"] == min(rolled, correction)
        assert (result.outcome == "on_target") == (min(rolled, correction) == 0)
        if 0 < correction < rolled:
            assert result.details["table_distance"] == rolled
            assert f"the table says {rolled}, cut to the correction" in result.headline


def test_without_a_correction_nothing_strays_however_bad_the_roll():
    result = accuracy(charts=HOUSE, marker=Marker.CFF, correction=0, die=100)
    assert (result.outcome, result.details["distance"], result.needs) == ("on_target", 0, ())


@pytest.mark.parametrize("marker", NEW)
def test_a_new_marker_has_no_cap(marker):
    furthest = max(int(stray) for stray in banded("accuracy").values())
    assert accuracy(charts=HOUSE, marker=marker, die=100).details["distance"] == furthest


@pytest.mark.parametrize("correction", range(10))
@pytest.mark.parametrize("bracketed", [False, True])
@pytest.mark.parametrize("registered", [False, True])
@pytest.mark.parametrize("aerial_observer", [False, True])
def test_accuracy_modifiers_add_up(correction, bracketed, registered, aerial_observer):
    steps = max(0, correction - 2)
    counted = {
        f"Correction of {correction} hexes": 0 if bracketed else 5 * steps,
        "Bracketed": -20 if bracketed else 0,
        "Registered hex": -20 if registered else 0,
        "Aerial observer": -5 if aerial_observer else 0,
        "Other DRM": -7,
    }
    result = accuracy(
        charts=HOUSE,
        marker=Marker.CFF,
        correction=correction,
        bracketed=bracketed,
        registered=registered,
        aerial_observer=aerial_observer,
        other_drm=-7,
        die=50,
    )
    assert drm(result) == {name: value for name, value in counted.items() if value}
    assert result.modified == 50 + sum(counted.values())


def test_each_accuracy_modifier_cites_its_rule():
    result = accuracy(charts=HOUSE, marker=Marker.CFF, correction=3, registered=True, aerial_observer=True, die=1)
    assert [modifier.rule.split()[0] for modifier in result.modifiers] == ["17.3.4.1", "17.3.4.1", "17.2.7"]
    [bracketing] = accuracy(charts=HOUSE, marker=Marker.CFF, bracketed=True, die=1).modifiers
    assert bracketing.rule == "17.3.4.2 Bracketing"


@given(st.integers(1, 100), st.integers(-80, 80), st.integers(0, 80), st.sampled_from(NEW + CORRECTED))
def test_a_higher_drm_never_brings_a_marker_nearer(die, lower, more, marker):
    drm_of = {"other_drm": lower} if marker is not Marker.PLOT else {}
    more_of = {"other_drm": lower + more} if marker is not Marker.PLOT else {}
    correction = 4 if marker.corrected else 0
    with_lower = accuracy(charts=HOUSE, marker=marker, correction=correction, die=die, **drm_of)
    with_higher = accuracy(charts=HOUSE, marker=marker, correction=correction, die=die, **more_of)
    assert with_lower.details["distance"] <= with_higher.details["distance"]


def test_accuracy_totals_off_the_table_read_its_ends_but_show_the_true_sum():
    low = accuracy(charts=HOUSE, marker=Marker.CFF, correction=9, bracketed=True, registered=True, die=1)
    assert (low.modified, low.outcome) == (-39, "on_target")
    high = accuracy(charts=HOUSE, marker=Marker.CFF, correction=9, die=100)
    assert (high.modified, high.details["distance"]) == (135, 6)


@pytest.mark.parametrize("direction_die", range(1, 11))
def test_the_direction_die_moves_the_marker_or_is_rolled_again(direction_die):
    word = banded("direction")[direction_die]
    result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, aim="K12", die=60, direction_die=direction_die)
    stray = int(banded("accuracy")[60])
    assert result.outcome == "strays"
    if word == "again":
        assert result.needs == ("direction_die",)
        assert f"The direction die {direction_die} gives none: roll it again." in result.headline
        assert "direction_die" not in result.dice
        return
    lands = BOARD.step(BOARD.parse("K12"), int(word), stray)
    assert result.needs == ()
    assert result.details == {
        "distance": stray,
        "table_distance": stray,
        "direction": int(word),
        "hex": str(lands),
        "on_map": True,
    }
    assert BOARD.distance(BOARD.parse("K12"), lands) == stray
    assert result.effects[0] == f"Move the marker {stray} hexes to {lands}."
    assert result.dice == {"die": 60, "direction_die": direction_die}


def test_a_stray_of_one_is_one_hex_and_waits_for_its_direction():
    result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, die=40)
    assert (result.word, result.needs, result.dice) == ("strays 1 hex", ("direction_die",), {"die": 40})
    assert result.details == {"distance": 1, "table_distance": 1}


def test_without_an_aim_the_direction_is_told_and_no_hex():
    result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, die=60, direction_die=4)
    assert result.headline.endswith("to the south.")
    assert result.details == {"distance": 2, "table_distance": 2, "direction": 4}


@pytest.mark.parametrize(("aim", "direction_die"), [("A10", 5), ("A10", 6), ("Y10", 2), ("Y10", 3), ("K4", 1)])
def test_a_marker_that_leaves_the_map_acts_nowhere_and_is_given_no_hex(aim, direction_die):
    result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, aim=aim, die=60, direction_die=direction_die)
    assert result.details["on_map"] is False
    assert "hex" not in result.details
    assert result.headline.endswith("to a place off the map.")
    assert result.effects == ("The marker leaves the map: it has no effect there.",)
    assert result.follow_ups == ()


@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.CFF, Marker.FFE, Marker.PLOT, Marker.BOMBARDMENT])
def test_a_stray_leaves_a_bracket_but_plots_and_bombardments_never_bracket(marker):
    correction = 2 if marker.corrected else 0
    result = accuracy(charts=HOUSE, marker=marker, correction=correction, die=60, direction_die=1)
    brackets = any("bracket marker" in effect for effect in result.effects)
    assert brackets == (marker not in (Marker.PLOT, Marker.BOMBARDMENT))


def test_on_target_stays_in_the_announced_hex():
    result = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, aim="k7", die=1)
    assert result.details == {"distance": 0, "hex": "K7"}
    assert result.effects == ("The marker stays in K7.",)
    assert follow_ups(result) == [("firepower", {"impact": "K7", "marker": "cff"})]


@pytest.mark.parametrize("marker", CORRECTED)
def test_a_corrected_marker_goes_on_to_its_conversion(marker):
    result = accuracy(charts=HOUSE, marker=marker, correction=3, aim="K12", die=60, direction_die=1)
    assert follow_ups(result) == [
        ("conversion", {"impact": "K10", "marker": marker.value, "correction": 3, "stray": 2})
    ]


def test_a_plot_is_an_ffe_as_soon_as_its_hex_is_known_and_a_bombardment_keeps_its_kind():
    plot = accuracy(charts=HOUSE, marker=Marker.PLOT, aim="K12", die=60, direction_die=1)
    bombardment = accuracy(charts=HOUSE, marker=Marker.BOMBARDMENT, aim="K12", die=1)
    assert follow_ups(plot) == [("firepower", {"impact": "K10", "kind": "plotted", "marker": "ffe"})]
    assert follow_ups(bombardment) == [("firepower", {"impact": "K12", "kind": "bombardment", "marker": "ffe"})]


@pytest.mark.parametrize(
    "drm_of", [{"bracketed": True}, {"registered": True}, {"aerial_observer": True}, {"other_drm": -1}]
)
def test_a_plot_takes_no_accuracy_drm(drm_of):
    with pytest.raises(BadInput) as caught:
        accuracy(charts=HOUSE, marker=Marker.PLOT, die=1, **drm_of)
    assert list(caught.value.problems) == ["marker"]


@pytest.mark.parametrize("marker", NEW)
def test_a_new_marker_is_not_corrected(marker):
    with pytest.raises(BadInput) as caught:
        accuracy(charts=HOUSE, marker=marker, correction=1, die=1)
    assert list(caught.value.problems) == ["correction"]


def test_an_ffe_is_corrected_4_hexes_at_most_and_a_cff_any_distance():
    assert accuracy(charts=HOUSE, marker=Marker.FFE, correction=4, die=1).outcome == "on_target"
    with pytest.raises(BadInput, match="lift it and call a new CFF"):
        accuracy(charts=HOUSE, marker=Marker.FFE, correction=5, die=1)
    assert accuracy(charts=HOUSE, marker=Marker.CFF, correction=40, die=1).modified == 1 + 38 * 5


@pytest.mark.parametrize(
    ("dice", "name"),
    [({"die": 0}, "die"), ({"die": 101}, "die"), ({"die": 60, "direction_die": 11}, "direction_die")],
)
def test_a_bad_accuracy_die_is_named(dice, name):
    with pytest.raises(BadDie) as caught:
        accuracy(charts=HOUSE, marker=Marker.NEW_CFF, **dice)
    assert caught.value.die == name


@pytest.mark.parametrize(
    ("inputs", "headline"),
    [
        ({"marker": Marker.CFF, "correction": 0, "die": 1}, "On target."),
        ({"marker": Marker.CFF, "correction": 0, "die": 90}, "On target: without a correction nothing strays."),
        (
            {"marker": Marker.CFF, "correction": 1, "die": 90, "direction_die": 1},
            "It strays 1 hex (the table says 5, cut to the correction) to the north.",
        ),
        ({"marker": Marker.CFF, "correction": 2, "die": 60, "direction_die": 1}, "It strays 2 hexes to the north."),
        (
            {"marker": Marker.NEW_CFF, "die": 60, "direction_die": 4, "aim": "K12"},
            "It strays 2 hexes to the south, to K14.",
        ),
    ],
)
def test_the_headline_tells_the_stray_and_its_cap(inputs, headline):
    assert accuracy(charts=HOUSE, **inputs).headline == headline


def test_a_corrected_marker_on_target_goes_on_to_its_conversion_without_a_stray():
    result = accuracy(charts=HOUSE, marker=Marker.CFF, correction=3, aim="K12", die=1)
    assert follow_ups(result) == [("conversion", {"impact": "K12", "marker": "cff", "correction": 3, "stray": 0})]


def test_an_aim_off_the_map_is_refused():
    with pytest.raises(BadHex):
        accuracy(charts=HOUSE, marker=Marker.NEW_CFF, aim="Z99", die=1)


def test_accuracy_names_every_chart_that_decided_it():
    plain = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, die=1)
    bracketed = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, bracketed=True, die=1)
    strayed = accuracy(charts=HOUSE, marker=Marker.NEW_CFF, aim="K12", bracketed=True, die=80, direction_die=1)
    assert charts_named(plain) == ["accuracy"]
    assert charts_named(bracketed) == ["accuracy", "artillery_drm"]
    assert charts_named(strayed) == ["accuracy", "artillery_drm", "direction", "map"]
    assert {source.provenance for source in plain.provenance} == {"house"}


@pytest.mark.parametrize(("marker", "correction"), [(Marker.NEW_CFF, 0), (Marker.CFF, 3), (Marker.FFE, 1)])
def test_accuracy_odds_are_a_plain_count_of_all_faces(marker, correction):
    def rule(dice):
        return accuracy(charts=HOUSE, marker=marker, correction=correction, **dice)

    assert same_odds(sweep(rule, [D100, DIRECTION]), *brute(rule, [D100]))


def test_a_blank_accuracy_band_is_asked_for_by_name():
    book = altered("accuracy", bands=[["1-50", "0"], ["51-100", "?"]])
    assert accuracy(charts=book, marker=Marker.NEW_CFF, die=50).outcome == "on_target"
    with pytest.raises(MissingChart, match="51-100"):
        accuracy(charts=book, marker=Marker.NEW_CFF, die=51)


# Over the rim of the map (A-48)


def fallen(marker, kind, aim, die, direction_die, **more):
    """Where a marker fell, by the follow-ups of its accuracy; None when nothing follows."""
    result = accuracy(charts=HOUSE, marker=marker, kind=kind, aim=aim, die=die, direction_die=direction_die, **more)
    if not result.follow_ups:
        return result, None
    [step] = result.follow_ups
    values = read_inputs(step.inputs)
    if step.helper == "conversion":
        impact = {name: values.pop(name) for name in ("impact", "rim_hexes", "rim_direction") if name in values}
        [step] = conversion(charts=HOUSE, **values).follow_ups
        values = {**impact, **read_inputs(step.inputs)}
    return result, firepower(charts=HOUSE, caliber=122, **values)


@pytest.mark.parametrize("aim", ["A10", "A4", "K4", "Y10", "B5", "X98", "M99"])
@pytest.mark.parametrize("die", [40, 60, 75, 100])
@pytest.mark.parametrize("direction_die", range(1, 7))
@pytest.mark.parametrize(
    ("marker", "kind"),
    [(Marker.PLOT, Fire.PLOTTED), (Marker.PLOT, Fire.BOMBARDMENT), (Marker.BOMBARDMENT, Fire.BOMBARDMENT)],
)
def test_only_the_hexes_of_a_pattern_that_lie_on_the_map_suffer(marker, kind, aim, die, direction_die):
    lands = BOARD.step(BOARD.parse(aim), direction_die, int(banded("accuracy")[die]))
    suffer = [place for place in BOARD.within(lands, kind.radius) if place in BOARD]
    result, fell = fallen(marker, kind, aim, die, direction_die)
    assert (fell is None) == (not suffer)
    if fell is None:
        assert result.effects == ("The marker leaves the map: it has no effect there.",)
        return
    assert fell.details["hexes"] == [str(place) for place in suffer]
    assert fell.details["ff"] == 32
    assert any("off the map" in effect for effect in result.effects) == (lands not in BOARD)


def test_a_marker_off_the_map_is_told_to_be_out_of_reach_and_hits_next_door():
    units = (Unit(name="A", hex="A10"), Unit(name="B", hex="A12"))
    result, fell = fallen(Marker.PLOT, Fire.PLOTTED, "A10", 40, 6)
    assert result.effects == (
        "The marker lies off the map: only its hexes on the map suffer, and it cannot be corrected (A-48).",
    )
    assert follow_ups(result) == [
        ("firepower", {"impact": "A10", "rim_hexes": 1, "rim_direction": 6, "kind": "plotted", "marker": "ffe"})
    ]
    assert (fell.headline, fell.details["hexes"]) == (
        "32 FF: 100 % of 32 next to an FFE, fractions up.",
        ["A9", "A10"],
    )
    at = {"impact": "A10", "rim_hexes": 1, "rim_direction": 6}
    chosen = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, units=units, **at)
    assert [(step.title, step.inputs["ff"]) for step in chosen.follow_ups] == [("Fire on A10 (15 FF)", 15)]


@pytest.mark.parametrize(("marker", "correction", "acts"), [(Marker.CFF, 1, True), (Marker.CFF, 2, False)])
def test_a_corrected_marker_over_the_rim_still_converts(marker, correction, acts):
    _, fell = fallen(marker, Fire.BATTERY, "A10", 60, 6, correction=correction)
    assert (fell is not None and fell.outcome == "ff") == acts


def test_a_cff_over_the_rim_has_nothing_to_hit():
    fell = firepower(charts=HOUSE, caliber=122, marker=Marker.CFF, impact="A10", rim_hexes=1, rim_direction=6)
    assert (fell.outcome, fell.headline) == ("no_ff", "No firepower: none of its hexes lies on the map.")
    assert (fell.follow_ups, fell.details.get("hexes")) == ((), None)


def test_how_far_over_the_rim_needs_the_hex_that_it_left():
    with pytest.raises(BadInput) as caught:
        firepower(charts=HOUSE, caliber=122, marker=Marker.FFE, rim_hexes=1)
    assert list(caught.value.problems) == ["impact"]


# 17.3.4.2 Bracketing

hexes = st.builds(
    lambda letter, number: f"{letter}{number}", st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXY"), st.integers(4, 40)
)


@given(hexes, hexes, hexes)
def test_between_is_from_neither_bracket_further_than_they_are_apart(aim, first, second):
    target, bracket_1, bracket_2 = (BOARD.parse(text) for text in (aim, first, second))
    apart = BOARD.distance(bracket_1, bracket_2)
    near = BOARD.distance(target, bracket_1) <= apart and BOARD.distance(target, bracket_2) <= apart
    result = bracket(charts=HOUSE, aim=aim, first=first, second=second)
    assert result.outcome == ("between" if near else "not_between")
    assert result.details == {
        "apart": apart,
        "to_first": BOARD.distance(target, bracket_1),
        "to_second": BOARD.distance(target, bracket_2),
    }
    assert bool(result.effects) == near


@given(hexes, hexes)
def test_the_hexes_of_the_brackets_themselves_count_as_between(first, second):
    for aim in (first, second):
        assert bracket(charts=HOUSE, aim=aim, first=first, second=second).outcome == "between"


def test_the_bracket_question_has_no_dice_and_names_the_map():
    result = bracket(charts=HOUSE, aim="K8", first="K7", second="K10")
    assert (result.needs, result.dice, charts_named(result)) == ((), {}, ["map"])
    assert result.headline == "K8 is between K7 and K10: 1 and 2 hexes from them, they are 3 apart."
    beside = bracket(charts=HOUSE, aim="K6", first="K7", second="K10")
    assert beside.headline == "K6 is not between K7 and K10: 1 and 4 hexes from them, they are 3 apart."


# 17.3.5 Conversion


@pytest.mark.parametrize("new_this_phase", [False, True])
@pytest.mark.parametrize("marker", Marker)
def test_conversion_follows_the_ladder_of_the_rule(marker, new_this_phase):
    for correction, stray in product(range(7), repeat=2):
        if marker in (Marker.PLOT, Marker.BOMBARDMENT):
            expected = ("ffe", "ffe")
        elif marker is Marker.NEW_CFF or (marker is Marker.CFF and new_this_phase):
            expected = ("not_eligible", "cff")
        elif marker is Marker.FFE and correction >= 5:
            expected = ("removed", None)
        elif marker is Marker.FFE or min(stray, correction) <= 1:
            expected = ("ffe", "ffe")
        else:
            expected = ("stays_cff", "cff")
        result = conversion(
            charts=HOUSE, marker=marker, new_this_phase=new_this_phase, correction=correction, stray=stray
        )
        assert (result.outcome, result.details["marker"]) == expected
        assert bool(result.follow_ups) == (expected[1] is not None)


@pytest.mark.parametrize(("correction", "outcomes"), [(0, {"ffe"}), (1, {"ffe"}), (2, {"ffe", "stays_cff"})])
def test_after_contact_a_conversion_in_place_or_next_door_cannot_fail(correction, outcomes):
    seen_outcomes = set()
    for die in range(1, 101):
        fell = accuracy(charts=HOUSE, marker=Marker.CFF, correction=correction, die=die, direction_die=1)
        [(helper, inputs)] = follow_ups(fell)
        assert helper == "conversion"
        inputs["marker"] = Marker(inputs["marker"])
        seen_outcomes.add(conversion(charts=HOUSE, **inputs).outcome.value)
    assert seen_outcomes == outcomes


def test_unless_told_otherwise_a_conversion_is_in_place_and_not_danger_close():
    result = conversion(charts=HOUSE, marker=Marker.CFF)
    assert result.outcome == "ffe"
    assert follow_ups(result) == [("firepower", {"marker": "ffe", "danger_close": False})]


def test_a_stray_of_two_leaves_a_bracket_in_the_new_hex():
    [effect] = conversion(charts=HOUSE, marker=Marker.CFF, correction=4, stray=2).effects
    assert effect == "Put a bracket marker in its new hex."


@pytest.mark.parametrize("correction", range(5))
@pytest.mark.parametrize("stray", range(7))
def test_an_ffe_corrected_by_up_to_4_stays_one_but_a_stray_of_two_keeps_it_to_its_own_hex(correction, stray):
    result = conversion(charts=HOUSE, marker=Marker.FFE, correction=correction, stray=stray)
    wide = min(stray, correction) <= 1
    assert (result.outcome, result.details) == ("ffe", {"marker": "ffe", "stray": min(stray, correction)})
    [(_, inputs)] = follow_ups(result)
    assert inputs == {"marker": "ffe", "danger_close": False, **({} if wide else {"fire_2": True})}
    beside = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, fire_2=inputs.get("fire_2", False), distance=1)
    assert beside.details["ff"] == (15 if wide else 0)


@pytest.mark.parametrize(
    ("marker", "headline"),
    [
        (Marker.CFF, "It strays 2 hexes: it stays a CFF."),
        (Marker.FFE, "It strays 2 hexes: it remains an FFE, with firepower in its own hex only."),
    ],
)
def test_the_headline_of_a_conversion_tells_the_stray(marker, headline):
    assert conversion(charts=HOUSE, marker=marker, correction=4, stray=2).headline == headline


@pytest.mark.parametrize("marker", CORRECTED)
@pytest.mark.parametrize("stray", range(8))
def test_a_conversion_in_place_or_next_door_always_works_whatever_stray_is_typed(marker, stray):
    for correction in (0, 1):
        result = conversion(charts=HOUSE, marker=marker, correction=correction, stray=stray)
        assert (result.outcome, result.details["stray"]) == ("ffe", min(stray, correction))


def test_a_cff_becomes_an_ffe_and_an_ffe_remains_one():
    assert conversion(charts=HOUSE, marker=Marker.CFF).headline == "It becomes an FFE."
    assert conversion(charts=HOUSE, marker=Marker.FFE).headline == "It remains an FFE."


@pytest.mark.parametrize("danger_close", [False, True])
def test_conversion_hands_the_marker_and_danger_close_on_to_the_firepower(danger_close):
    becomes = conversion(charts=HOUSE, marker=Marker.CFF, stray=1, danger_close=danger_close)
    stays = conversion(charts=HOUSE, marker=Marker.CFF, stray=2, correction=3, danger_close=danger_close)
    assert follow_ups(becomes) == [("firepower", {"marker": "ffe", "danger_close": danger_close})]
    assert follow_ups(stays) == [("firepower", {"marker": "cff", "danger_close": danger_close})]


def test_a_bombardment_keeps_its_kind_through_the_conversion():
    [(helper, inputs)] = follow_ups(conversion(charts=HOUSE, marker=Marker.BOMBARDMENT))
    assert (helper, inputs["marker"], inputs["kind"]) == ("firepower", "ffe", "bombardment")


# 17.4 Firepower


def with_rows(**rows):
    """A book whose artillery table has these rows beside the ones that the text names."""
    return altered("artillery_ff", values={"50": 10, "70": 17, "80": 20, **rows})


@pytest.mark.parametrize(
    ("caliber", "share"),
    [
        *((caliber, 50) for caliber in (45, 50, 60, 61, 64)),
        *((caliber, 75) for caliber in (65, 75, 82, 83, 84)),
        *((caliber, 100) for caliber in (85, 105, 150, 300)),
    ],
)
def test_next_to_an_ffe_the_share_of_the_caliber_counts_fractions_up(caliber, share):
    for full in (*range(1, 24), 35, 99, 150):
        book = altered("artillery_ff", values={"40": full, "300": full})
        inside = firepower(charts=book, caliber=caliber, marker=Marker.FFE)
        beside = firepower(charts=book, caliber=caliber, marker=Marker.FFE, distance=1)
        assert inside.details["ff"] == full
        assert beside.details["ff"] == ceil(full * share / 100)


def test_a_cff_brings_a_quarter_fractions_down_in_its_own_hex_only():
    for full in range(1, 60):
        book = altered("artillery_ff", values={"80": full})
        result = firepower(charts=book, caliber=82, marker=Marker.CFF)
        assert result.details["ff"] == floor(full / 4)
        assert result.outcome == ("ff" if full >= 4 else "no_ff")
        assert result.details["full"] == full
        assert firepower(charts=book, caliber=82, marker=Marker.CFF, distance=1).details["ff"] == 0


@pytest.mark.parametrize(
    ("caliber", "row"), [(50, 50), (59, 50), (60, 60), (75, 70), (76, 70), (79, 70), (80, 80), (82, 80), (81, 80)]
)
def test_a_caliber_is_rounded_down_to_its_row(caliber, row):
    result = firepower(charts=HOUSE, caliber=caliber, marker=Marker.FFE)
    assert result.details["row"] == row
    assert result.details["full"] == HOUSE["artillery_ff"].get(str(row))


@pytest.mark.parametrize("distance", range(6))
@pytest.mark.parametrize(("kind", "radius"), [(Fire.BATTERY, 1), (Fire.PLOTTED, 1), (Fire.BOMBARDMENT, 3)])
def test_an_ffe_reaches_the_hexes_next_to_it_and_a_bombardment_three(kind, radius, distance):
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, kind=kind, distance=distance)
    expected = 20 if distance == 0 else 15 if distance <= radius else 0
    assert result.details["ff"] == expected
    assert result.outcome == ("ff" if expected else "no_ff")


def test_a_bombardment_covers_37_hexes_full_from_85_mm_up():
    around = BOARD.within(BOARD.parse("K12"), 5)
    units = tuple(Unit(hex=str(place)) for place in around)
    result = firepower(charts=HOUSE, caliber=122, marker=Marker.FFE, kind=Fire.BOMBARDMENT, impact="K12", units=units)
    assert len(result.follow_ups) == 37
    assert {step.inputs["ff"] for step in result.follow_ups} == {32}
    assert result.details["hexes"] == [str(place) for place in around[:37]]
    assert sum("not attacked" in effect for effect in result.effects) == len(around) - 37


@pytest.mark.parametrize("distance", [0, 2])
def test_the_bombardment_marker_is_an_ffe_at_once_with_the_bombardments_area(distance):
    result = firepower(charts=HOUSE, caliber=122, marker=Marker.BOMBARDMENT, distance=distance)
    assert result.details["ff"] == 32


def test_a_plot_has_no_firepower():
    result = firepower(charts=HOUSE, caliber=122, marker=Marker.PLOT)
    assert (result.outcome, result.details["ff"], result.details["column"]) == ("no_ff", 0, None)
    assert result.follow_ups == ()


@pytest.mark.parametrize("marker", [Marker.NEW_CFF, Marker.CFF])
def test_a_danger_close_cff_has_no_firepower(marker):
    close = firepower(charts=HOUSE, caliber=122, marker=marker, danger_close=True)
    clear = firepower(charts=HOUSE, caliber=122, marker=marker)
    assert (close.outcome, close.details["ff"]) == ("no_ff", 0)
    assert (clear.outcome, clear.details["ff"]) == ("ff", 8)


def test_danger_close_takes_nothing_from_an_ffe():
    assert firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, danger_close=True).details["ff"] == 20


def test_a_fire_2_ffe_acts_in_its_own_hex_only_and_there_in_full():
    assert firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, fire_2=True).details["ff"] == 20
    beside = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, fire_2=True, distance=1)
    assert (beside.outcome, beside.details["ff"]) == ("no_ff", 0)


@pytest.mark.parametrize(("marker", "area"), [(Marker.CFF, "its hex"), (Marker.FFE, "its hex and the six around it")])
def test_smoke_has_no_firepower_and_stands_in_one_hex_or_seven(marker, area):
    result = firepower(charts=HOUSE, caliber=82, marker=marker, smoke=True)
    assert (result.outcome, result.details["ff"], result.follow_ups) == ("no_ff", 0, ())
    assert result.effects == (f"Smoke stands in {area}, three levels high: +10 to fire into or through it.",)


def test_a_smoke_ffe_that_acts_in_its_own_hex_only_smokes_there_only():
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, smoke=True, fire_2=True, impact="K7")
    assert (result.details["hexes"], result.effects[0][:23]) == (["K7"], "Smoke stands in its hex")
    assert "six around" not in result.effects[0]


@pytest.mark.parametrize("inputs", [{"marker": Marker.FFE, "kind": Fire.BOMBARDMENT}, {"marker": Marker.BOMBARDMENT}])
def test_bombardments_never_fire_smoke(inputs):
    with pytest.raises(BadInput) as caught:
        firepower(charts=HOUSE, caliber=122, smoke=True, **inputs)
    assert list(caught.value.problems) == ["smoke"]


@pytest.mark.parametrize("caliber", [40, 44])
def test_below_45_mm_only_the_own_hex_is_attacked_and_the_others_are_told_why(caliber):
    units = (Unit(name="A", hex="K7"), Unit(name="B", hex="K8"))
    result = firepower(charts=HOUSE, caliber=caliber, marker=Marker.FFE, impact="K7", units=units)
    assert [(step.title, step.inputs["ff"]) for step in result.follow_ups] == [("Fire on K7 (8 FF)", 8)]
    assert result.effects == (
        f"K8: not attacked ({caliber} mm has no share outside the own hex (17.4.3)).",
        "It falls on K7.",
    )
    beside = firepower(charts=HOUSE, caliber=caliber, marker=Marker.FFE, distance=1)
    assert (beside.outcome, beside.details["ff"]) == ("no_ff", 0)
    assert beside.headline == f"No firepower: {caliber} mm has no share outside the own hex (17.4.3)."


def test_a_blank_share_is_a_blank_cell_and_not_a_rule():
    book = altered("ffe_shares", values={"45": 50, "65": "", "85": 100})
    with pytest.raises(MissingChart) as caught:
        firepower(charts=book, caliber=82, marker=Marker.FFE, distance=1)
    assert caught.value.cell == "65"
    assert firepower(charts=book, caliber=60, marker=Marker.FFE, distance=1).details["ff"] == 7


def test_a_blank_row_of_the_artillery_table_is_asked_for_by_name():
    with pytest.raises(MissingChart) as caught:
        firepower(charts=with_rows(**{"80": "?"}), caliber=82, marker=Marker.FFE)
    assert caught.value.cell == "80"


def test_firepower_says_which_fft_column_it_uses():
    assert firepower(charts=with_rows(**{"80": 19}), caliber=82, marker=Marker.FFE).details["column"] == 15
    assert firepower(charts=HOUSE, caliber=82, marker=Marker.FFE).details["column"] == 20


def test_firepower_without_units_offers_one_plain_fire_roll():
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, distance=1)
    assert follow_ups(result) == [("fire", {"ff": 15, "artillery": True})]
    assert (result.effects, result.word) == ((), "Firepower")
    assert result.headline == "15 FF: 75 % of 20 next to an FFE, fractions up."


def test_no_firepower_is_told_with_its_reason():
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.CFF, distance=1)
    assert (result.headline, result.word) == (
        "No firepower: a CFF acts in its own hex only.",
        "No firepower",
    )


def test_every_location_is_attacked_once_with_all_its_units_and_what_they_have_in_common():
    units = (
        Unit(Kind.SQUAD, "A", 7, hex="K8", where="ground", modifiers=("running", "building_ground")),
        Unit(Kind.LEADER, "B", 8, State.PINNED, hex="k8", where="ground", modifiers=("building_ground",)),
        Unit(Kind.SQUAD, "C", 7, hex="K8", where="rooftop"),
        Unit(Kind.SQUAD, "D", 7, hex="K7"),
        Unit(Kind.SQUAD, "E", 7, hex="K9", where="cellar"),
        Unit(Kind.SQUAD, "F", 7, hex="K7", where="2"),
    )
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, impact="K7", units=units)
    assert [(step.title, step.inputs["ff"], step.inputs["modifiers"]) for step in result.follow_ups] == [
        ("Fire on K8 ground (15 FF)", 15, ["building_ground"]),
        ("Fire on K8 rooftop (15 FF)", 15, []),
        ("Fire on K7 (20 FF)", 20, []),
        ("Fire on K7 level 2 (20 FF)", 20, []),
    ]
    attacked = [[Unit.read(plain) for plain in step.inputs["units"]] for step in result.follow_ups]
    assert attacked == [list(units[:2]), [units[2]], [units[3]], [units[5]]]
    assert all(step.inputs["artillery"] is True for step in result.follow_ups)
    assert result.effects[0] == "K9 cellar: not attacked (2 hexes away is outside its area)."


@pytest.mark.parametrize("impact", ["K12", "A12", "K4", "Y4"])
@pytest.mark.parametrize("caliber", [40, 82, 122])
@pytest.mark.parametrize(
    "inputs",
    [
        {"marker": Marker.FFE},
        {"marker": Marker.FFE, "fire_2": True},
        {"marker": Marker.FFE, "kind": Fire.BOMBARDMENT},
        {"marker": Marker.BOMBARDMENT},
        {"marker": Marker.CFF},
        {"marker": Marker.CFF, "danger_close": True},
        {"marker": Marker.PLOT},
    ],
)
def test_the_hexes_listed_are_those_of_the_map_where_a_unit_would_be_attacked(inputs, caliber, impact):
    expected = []
    for place in BOARD.within(BOARD.parse(impact), 4):
        distance = BOARD.distance(BOARD.parse(impact), place)
        ff = firepower(charts=HOUSE, caliber=caliber, distance=distance, **inputs).details["ff"]
        if ff and place in BOARD:
            expected.append(str(place))
    result = firepower(charts=HOUSE, caliber=caliber, impact=impact, **inputs)
    assert result.details.get("hexes", []) == expected
    assert result.effects == ((f"It falls on {', '.join(expected)}.",) if expected else ())


@pytest.mark.parametrize("caliber", [40, 82])
@pytest.mark.parametrize(("marker", "hexes"), [(Marker.CFF, 1), (Marker.FFE, 7)])
def test_the_hexes_listed_for_smoke_are_those_where_it_stands(marker, hexes, caliber):
    result = firepower(charts=HOUSE, caliber=caliber, marker=marker, smoke=True, impact="K12")
    assert len(result.details["hexes"]) == hexes
    assert not any("falls on" in effect for effect in result.effects)


def test_units_that_name_no_hex_stand_at_the_distance_given():
    units = (Unit(name="A"), Unit(name="B", hex="K7"))
    result = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, distance=1, impact="K7", units=units)
    assert [(step.title, step.inputs["ff"]) for step in result.follow_ups] == [
        ("Fire on A (15 FF)", 15),
        ("Fire on K7 (20 FF)", 20),
    ]


def test_firepower_names_its_charts_and_the_map_only_when_it_measures():
    assert charts_named(firepower(charts=HOUSE, caliber=82, marker=Marker.FFE)) == ["artillery_ff", "ffe_shares"]
    measured = firepower(charts=HOUSE, caliber=82, marker=Marker.FFE, impact="K7")
    assert charts_named(measured) == ["artillery_ff", "ffe_shares", "map"]


@given(st.sampled_from(sorted(int(row) for row in HOUSE["artillery_ff"].values)), st.integers(0, 60), st.integers(0, 4))
def test_a_bigger_caliber_never_brings_less(caliber, more, distance):
    caliber = max(caliber, 45)
    ff = [
        firepower(charts=HOUSE, caliber=size, marker=Marker.FFE, distance=distance).details["ff"]
        for size in (caliber, caliber + more)
    ]
    assert ff == sorted(ff)


# 17.4.8.1.1 Calling off


@pytest.mark.parametrize("other_drm", [0, 15, -40])
def test_calling_off_takes_contact_by_phone_and_then_1_to_3(other_drm):
    for die, second in product(range(1, 101), range(1, 11)):
        result = call_off(charts=HOUSE, other_drm=other_drm, die=die, second_die=second)
        reached = "contact" if die + other_drm <= 75 else "continues"
        reached = {98: "lifted", 99: "lifted", 100: "battery_lost"}.get(die, reached)
        expected = reached if reached != "contact" else "called_off" if second <= 3 else "continues"
        assert result.outcome == expected
        assert result.modified == die + other_drm
        assert ("second_die" in result.dice) == (reached == "contact")


def test_the_second_die_is_asked_for_only_after_contact():
    assert call_off(charts=HOUSE).needs == ("die",)
    reached = call_off(charts=HOUSE, die=75)
    assert (reached.outcome, reached.needs, reached.dice) == (None, ("second_die",), {"die": 75})
    assert call_off(charts=HOUSE, die=76).needs == ()


@pytest.mark.parametrize(
    ("dice", "headline"),
    [
        ({"die": 75, "second_die": 3}, "Contact, then 3: the plotted fire is called off."),
        ({"die": 75, "second_die": 4}, "Contact, then 4: the plotted fire goes on."),
        ({"die": 76}, "No contact: 76 against 75. The plotted fire goes on."),
        ({"die": 98}, "Natural 98: the fire is lifted for this phase."),
        ({"die": 100}, "Natural 00: the battery is lost."),
    ],
)
def test_the_headline_tells_how_calling_off_went(dice, headline):
    assert call_off(charts=HOUSE, **dice).headline == headline


def test_a_plot_called_off_is_gone_for_good_and_counts_as_used():
    [effect] = call_off(charts=HOUSE, die=1, second_die=3).effects
    assert effect == "Remove the FFE for good; the plot counts as used."
    assert call_off(charts=HOUSE, die=1, second_die=4).effects == ()
    assert call_off(charts=HOUSE, die=76).effects == ()


def test_98_to_00_while_calling_off_take_the_ffe_away_as_on_any_contact():
    lifted, lost = call_off(charts=HOUSE, die=99), call_off(charts=HOUSE, die=100)
    assert lifted.effects[0] == lost.effects[0] == "Remove the FFE from the map."
    assert (lifted.outcome, lost.outcome) == ("lifted", "battery_lost")


def test_calling_off_odds_are_a_plain_count_of_all_faces():
    specs = [D100, DieSpec("second_die", 10, "d10")]

    def rule(dice):
        return call_off(charts=HOUSE, **dice)

    counted, every = brute(rule, specs)
    assert same_odds(sweep(rule, specs), counted, every)
    assert same_odds(sweep(rule, [D100, DieSpec("second_die", 10, "d10", apart=True)]), counted, every)
    assert counted[("called_off", "Called off")] == 75 * 3


@pytest.mark.parametrize(
    ("dice", "name"), [({"die": 0}, "die"), ({"die": 1, "second_die": 11}, "second_die"), ({"die": 101}, "die")]
)
def test_a_bad_die_while_calling_off_is_named(dice, name):
    with pytest.raises(BadDie) as caught:
        call_off(charts=HOUSE, **dice)
    assert caught.value.die == name
