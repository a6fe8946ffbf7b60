"""Who fires at aircraft, from where, and who is offered it (17.6.7, A-61)."""

import pytest

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules import flak
from firefight.games.combat_stalingrad.rules.flights import Flight
from firefight.games.combat_stalingrad.rules.keeping import Keeping
from firefight.games.combat_stalingrad.rules.record import RECORD
from tests.books import HOUSE

from .gallery import COUNTERS
from .pieces import piece

ALL = [(side, key) for side in COUNTERS for key in COUNTERS[side]]
MG_34 = {"panzergrenadier_squad", "grenadier_squad", "pioneer_squad", "heavy_mg_34"}
AA = {("german", key) for key in MG_34} | {("russian", "dshk_38"), ("russian", "gaz_aa")}


def situation(*pieces, ground=None, **flights):
    rows = {f"{name}-flight1": row | {"side": name, "here": row.get("here", True)} for name, row in flights.items()}
    record = RECORD.complete({"aircraft": rows, "ground": ground or {}})
    return TableState(Position(1), record, HOUSE, tuple(unit.counter for unit in pieces), pieces=pieces)


@pytest.mark.parametrize(("side", "key"), ALL)
def test_aa_is_what_the_rule_names_and_nothing_else(side, key):
    weapon = piece(side, key, place="K7")
    assert (flak.why_no_flak(weapon) == "") is ((side, key) in AA)
    if (side, key) not in AA:
        with pytest.raises(BadInput, match="does not fire at aircraft"):
            flak.arm_flak(weapon, 3)


@pytest.mark.parametrize("state", ["disrupted", "wia", "close_combat"])
def test_who_cannot_fire_fires_at_no_aircraft(state):
    with pytest.raises(BadInput, match="does not fire"):
        flak.arm_flak(piece("russian", "dshk_38", state), 3)


def test_a_reduced_squad_has_no_light_mg():
    assert flak.arm_flak(piece("german", "grenadier_squad", "pinned"), 3) == {"weapon": "mg34", "state": "pinned"}
    assert flak.why_no_flak(piece("german", "grenadier_squad", "reduced"))


def test_the_heavy_mg_34_and_a_team_on_its_1_2_side_fire_with_factors():
    assert flak.arm_flak(piece("german", "heavy_mg_34", "pinned"), 3)["ff"] == 3
    armed = flak.arm_flak(piece("russian", "dshk_38", "move_side"), 1)
    assert (armed["weapon"], armed["ff"]) == ("firepower", 2)


HOUSES = [{"K7": {"hex": "K7", "building": True}}, {"K7": {"hex": "K7", "modifiers": ["building_ground"]}}]


@pytest.mark.parametrize("ground", HOUSES)
@pytest.mark.parametrize(
    ("level", "is_inside"), [("", True), ("1", True), ("cellar", True), ("Rooftop", False), ("roof", False)]
)
def test_a_building_is_no_place_for_aa_but_its_rooftop_is(ground, level, is_inside):
    assert bool(flak.say_indoors(ground, "DShK 38 #1", "K7", level)) is is_inside
    assert not flak.say_indoors(ground, "DShK 38 #1", "K8", "")
    gun = piece("russian", "dshk_38", place="K7", level=level)
    table_state = situation(gun, ground=ground, german={"aircraft": "ju87"})
    assert bool(offered(table_state)) is not is_inside
    about = {"firers": ["russian-1"]}
    if is_inside:
        with pytest.raises(BadInput, match="inside a building"):
            Keeping().fill("anti-aircraft", about, table_state)
    else:
        assert Keeping().fill("anti-aircraft", about, table_state)["flight"] == "german-flight1"


def offered(table_state, aimed="K9"):
    flight = Flight.read("german-flight1", table_state.record["aircraft"]["german-flight1"])
    return [(step.roll.inputs["id"], step.roll.inputs["range"]) for step in flak.offer_fire(flight, aimed, table_state)]


def test_all_enemy_aa_in_reach_is_offered_before_an_attack_and_nobody_else():
    near = piece("russian", "dshk_38", number=1, place="K7")
    far = piece("russian", "gaz_aa", number=2, place="K90")
    hidden = piece("russian", "dshk_38", number=3, place="K8", hidden=True)
    broken = piece("russian", "dshk_38", "wia", number=4, place="K8")
    nowhere = piece("russian", "gaz_aa", number=5)
    squad = piece("russian", "rifle_squad", number=6, place="K8")
    own = piece("german", "heavy_mg_34", number=7, place="K8")
    table_state = situation(near, far, hidden, broken, nowhere, squad, own, german={"aircraft": "ju87"})
    assert offered(table_state) == [("russian-1", 2)]
    assert offered(table_state, "nowhere") == []


def test_fire_from_the_bar_is_at_the_enemy_aircraft_over_the_map():
    gun = piece("russian", "dshk_38", place="K7")
    both = {"german": {"aircraft": "ju87"}, "russian": {"aircraft": "po2"}}
    filled = Keeping().fill("anti-aircraft", {"firers": ["russian-1"]}, situation(gun, **both))
    assert (filled["flight"], filled["aircraft"]) == ("german-flight1", "ju87")
    assert Keeping().fill("anti-aircraft", {}, situation(gun, **both)) == {}
    away = {"german": {"aircraft": "ju87", "here": False}}
    assert Keeping().fill("anti-aircraft", {"firers": ["russian-1"]}, situation(gun, **away)) == {}
