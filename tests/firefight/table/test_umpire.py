"""The umpire of the random tables sees what a roll may not strike, and what it must."""

import pytest

from tests.oracles.tablekeeper import Piece, Wrong
from tests.oracles.umpire import Umpire, _hexes_within


@pytest.fixture
def page():
    """A tank and a squad in K7, another in K8, who fires from L9; a DShK inside a building."""

    def stand(counter, place, level="", *state):
        return Piece(counter=counter, place=place, level=level, state=set(state), fate="")

    return {
        "german-1": stand("grenadier_squad", "L9"),
        "russian-1": stand("rifle_squad", "K7"),
        "russian-2": stand("t_70", "K7"),
        "russian-3": stand("rifle_squad", "K8"),
        "russian-4": stand("dshk_38", "K8", "1"),
    }


def unit(counter_id, kind="squad"):
    return {"id": counter_id, "kind": kind, "name": counter_id}


def judge(page, helper, inputs, steps=(), changes=(), declared=()):
    umpire = Umpire()
    umpire.hear({"inputs": {"changes": {"melees": {"add": {"K7": {"german": list(declared)}}}}}})
    result = {"follow_ups": list(steps), "details": {"changes": {"counters": dict.fromkeys(changes, "eliminated")}}}
    umpire.judge({"number": 1, "helper": helper, "inputs": inputs, "result": result}, page)


FIRE = {"weapon": "firepower", "firers": ["german-1"], "targets": ["russian-1"]}


def test_small_arms_and_a_tank(page):
    both = [unit("russian-1"), unit("russian-2", "vehicle")]
    judge(page, "fire", {**FIRE, "units": both}, changes=["russian-1"])
    judge(page, "fire", {**FIRE, "weapon": "caliber", "units": both}, changes=["russian-2"])
    with pytest.raises(Wrong, match="18.1.1"):
        judge(page, "fire", {**FIRE, "units": both}, changes=["russian-2"])
    with pytest.raises(Wrong, match="nobody but vehicles"):
        judge(page, "fire", {**FIRE, "units": both[1:]})


def test_fire_into_a_close_combat(page):
    page["german-2"] = Piece(counter="grenadier_squad", place="K7", state={"close_combat"}, fate="")
    seen = [unit(each) for each in ("russian-1", "russian-2")]
    with pytest.raises(Wrong, match="german-2.*19.1.4"):
        judge(page, "fire", {**FIRE, "units": seen})
    judge(page, "fire", {**FIRE, "units": [*seen, unit("german-2")]})
    page["german-2"].place = "K8"
    with pytest.raises(Wrong, match="in no Close Combat"):
        judge(page, "fire", {**FIRE, "units": [*seen, unit("german-2")]})


def test_an_impact_strikes_all_of_its_zone(page):
    shot = {"impact": "K7", "caliber": 105, "marker": "ffe", "kind": "battery"}
    steps = [{"helper": "fire", "inputs": {"units": [unit("russian-1"), unit("russian-2", "vehicle")]}}]
    with pytest.raises(Wrong, match="A-57"):
        judge(page, "firepower", shot, steps)
    judge(page, "firepower", {**shot, "marker": "cff"}, steps)
    more = [{"helper": "fire", "inputs": {"units": [unit(each)]}} for each in ("russian-3", "russian-4")]
    judge(page, "firepower", shot, [*steps, *more])
    assert len(_hexes_within("K7", 3)) == 37


def test_who_is_no_anti_aircraft_weapon_and_who_stands_inside(page):
    judge(page, "anti-aircraft", {"firers": ["german-1"]})
    for each, why in (("russian-1", "is no AA"), ("russian-4", "inside a building")):
        with pytest.raises(Wrong, match=why):
            judge(page, "anti-aircraft", {"firers": [each]})


def test_what_was_never_declared(page):
    rows = {"attack": [unit("german-1")], "defense": [unit("russian-1")]}
    page["german-1"].place = "K7"
    judge(page, "close-combat", rows, declared=["attack german-1 on russian-1"])
    with pytest.raises(Wrong, match="never declared"):
        judge(page, "close-combat", rows, declared=["attack german-1 on russian-2"])
