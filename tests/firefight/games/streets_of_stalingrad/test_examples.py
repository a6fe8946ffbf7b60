"""Worked examples of the text that no other test of this folder is about, by their rules.

Those of 9.33 to 9.38 and 14.26 are about slopes and buildings of the map, which players judge by eye.
"""

import pytest

from firefight.games.streets_of_stalingrad.rules.hexes import HEXES

from . import ask

MAMAYEV = "1039"


def count_hexes(one, other):
    return HEXES.distance(HEXES.parse(one), HEXES.parse(other))


@pytest.mark.parametrize(("distance", "reached"), [(1, True), (2, True), (3, True), (4, False)])
def test_9_21_an_anti_tank_gun_of_range_3(distance, reached):
    assert ask("opportunity", distance=distance, unit_range=3).details["allowed"] is reached


@pytest.mark.parametrize("target", ["1030", "1048", "0433", "1935"])
def test_14_25_what_an_observer_on_mamayev_kurgan_reaches(target):
    details = ask("spotting", spotter="op", position="mamayev").details
    assert count_hexes(MAMAYEV, target) == details["range"] == 9


@pytest.mark.parametrize("landing", ["0331", "0448"])
def test_14_27_he_reaches_the_landings_of_arrows_12_and_15(landing):
    details = ask("spotting", spotter="op", position="mamayev", over="volga").details
    assert count_hexes(MAMAYEV, landing) <= details["range"] == 12
    assert count_hexes(MAMAYEV, landing) > ask("spotting", spotter="op", position="mamayev").details["range"]


def test_9_58_engineers_go_first_only_if_their_modifier_was_declared():
    first = ask("losses", result="D1", combat_units=3, fire="defensive", engineers="on").effects
    assert any("Engineers" in effect for effect in first)
    free = ask("losses", result="D1", combat_units=3, fire="defensive").effects
    assert not any("Engineers" in effect for effect in free)
    assert "The attacker says which of those that take part (9.58)." in free


def test_14_94_the_observer_pinned_in_phase_6_spots_in_neither_phase_7_nor_8():
    """Its marker of phase 6 is still there; the next Bombardment Phase takes it off (9.114)."""
    for phase in (7, 8):
        result = ask("permissions", unit="op", side="soviet", phase=phase, marker="pinned")
        assert result.details["may"]["spot"] is False
        assert ask("permissions", unit="op", side="soviet", phase=phase).details["may"]["spot"] is True


@pytest.mark.parametrize("hexes", [("1824", "1925")])
def test_17_15_bridge_site_1825_touches_the_hexes_of_the_example(hexes):
    """All of them balka: no bridge, unless a unit of 12 MP comes to another hex beside the site."""
    around = {str(neighbour) for neighbour in HEXES.neighbours(HEXES.parse("1825"))}
    assert {*hexes} <= around
    refused = ask("site", work="bridge", side="german", no_vehicle_access="on")
    assert (refused.outcome.value, len(refused.effects)) == ("refused", 1) and "17.15" in refused.effects[0]


def test_17_14_a_d1_takes_the_bridge_first_and_a_vehicle_with_it():
    result = ask("bombardment-losses", number="1", bridge=1, combat=3)
    assert result.details["lost"] == {"bridge": 1} and "vehicle" in " ".join(result.effects)
    assert ask("bombardment-losses", number="2", minefield=1, bridge=1).details["lost"] == {"minefield": 1, "bridge": 1}


def test_19_4_the_unit_of_the_first_example_has_a_marker_1_on_the_16th_and_is_gone_on_the_17th():
    first = ask("isolation", side="soviet", date="1942-09-16", marker=0)
    assert (first.outcome.value, first.details["marker"]) == ("marked", 1)
    assert ask("isolation", side="soviet", date="1942-09-17", marker=1).outcome == "eliminated"
