"""Worked examples of the text that no other test of this folder is about, by their rules.

Those of 9.33 to 9.38 and 14.26 are about slopes and buildings of the map, which the players look at.
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


@pytest.mark.parametrize("seen", ["1030", "1048"])
def test_14_25_what_an_observer_on_mamayev_kurgan_reaches(seen):
    told = ask("spotting", spotter="op", position="mamayev").details
    assert count_hexes(MAMAYEV, seen) == told["range"] == 9


@pytest.mark.parametrize("landing", ["0331", "0448"])
def test_14_27_he_reaches_the_landings_of_arrows_12_and_15(landing):
    told = ask("spotting", spotter="op", position="mamayev", over="volga").details
    assert count_hexes(MAMAYEV, landing) <= told["range"] == 12
    assert count_hexes(MAMAYEV, landing) > ask("spotting", spotter="op", position="mamayev").details["range"]


def test_17_14_a_d1_takes_the_bridge_first_and_a_vehicle_with_it():
    found = ask("bombardment-losses", number="1", bridge=1, combat=3)
    assert found.details["lost"] == {"bridge": 1} and "vehicle" in " ".join(found.effects)
    assert ask("bombardment-losses", number="2", minefield=1, bridge=1).details["lost"] == {"minefield": 1, "bridge": 1}


def test_19_4_the_unit_of_the_first_example_has_a_marker_1_on_the_16th_and_is_gone_on_the_17th():
    first = ask("isolation", side="soviet", date="1942-09-16", marker=0)
    assert (first.outcome.value, first.details["marker"]) == ("marked", 1)
    assert ask("isolation", side="soviet", date="1942-09-17", marker=1).outcome == "eliminated"
