"""The umpire and the adjutant of the random tables see what a roll may not strike, and what it must ask for."""

import pytest

from tests.oracles.adjutant import Adjutant
from tests.oracles.tablekeeper import Piece, Wrong
from tests.oracles.umpire import Umpire, hexes_within


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
    umpire.hear({"inputs": {"changes": {"melees": {"add": {"K7": {"german": list(declared)}}}}}}, page)
    result = {"follow_ups": list(steps), "details": {"changes": {"counters": dict.fromkeys(changes, "eliminated")}}}
    umpire.judge({"number": 1, "helper": helper, "inputs": inputs, "result": result}, page, {})


FIRE = {"weapon": "firepower", "firers": ["german-1"], "targets": ["russian-1"]}


def test_small_arms_and_a_tank(page):
    both = [unit("russian-1"), unit("russian-2", "vehicle")]
    fire = {**FIRE, "targets": ["russian-1", "russian-2"], "units": both}
    judge(page, "fire", fire, changes=["russian-1"])
    judge(page, "fire", {**fire, "weapon": "caliber"}, changes=["russian-2"])
    with pytest.raises(Wrong, match="18.1.1"):
        judge(page, "fire", fire, changes=["russian-2"])
    with pytest.raises(Wrong, match="nobody but vehicles"):
        judge(page, "fire", {**FIRE, "units": both[1:]})


def test_those_fired_at_are_attacked_and_nobody_else(page):
    judge(page, "fire", {**FIRE, "units": [unit("russian-1")]})
    with pytest.raises(Wrong, match="fired at and not attacked"):
        judge(page, "fire", {**FIRE, "units": []})
    with pytest.raises(Wrong, match="whom nobody fires at"):
        judge(page, "fire", {**FIRE, "units": [unit("russian-1"), unit("russian-3")]})


def test_bombs_strike_all_of_the_hex_that_they_hit(page):
    def bomb(*ids):
        steps = [{"helper": "fire", "inputs": {"units": [unit(id)]}} for id in ids]
        result = {"outcome": "on_target", "follow_ups": steps, "details": {"hex": "K8"}}
        entry = {"number": 1, "helper": "air-attack", "inputs": {"hex": "K8"}, "result": result}
        Umpire().judge(entry, page, {})

    bomb("russian-3", "russian-4")
    for ids in ((), ("russian-3",), ("russian-3", "russian-4", "russian-1")):
        with pytest.raises(Wrong, match="are attacked in"):
            bomb(*ids)


def test_fire_into_a_close_combat(page):
    page["german-2"] = Piece(counter="grenadier_squad", place="K7", state={"close_combat"}, fate="")
    attacked = [unit(id) for id in ("russian-1", "russian-2")]
    with pytest.raises(Wrong, match="german-2.*19.1.4"):
        judge(page, "fire", {**FIRE, "units": attacked})
    judge(page, "fire", {**FIRE, "units": [*attacked, unit("german-2")]})
    page["german-2"].place = "K8"
    with pytest.raises(Wrong, match="in no Close Combat"):
        judge(page, "fire", {**FIRE, "units": [*attacked, unit("german-2")]})


def test_an_impact_strikes_all_of_its_zone(page):
    shot = {"impact": "K7", "caliber": 105, "marker": "ffe", "kind": "battery"}
    steps = [{"helper": "fire", "inputs": {"units": [unit("russian-1"), unit("russian-2", "vehicle")]}}]
    with pytest.raises(Wrong, match="A-57"):
        judge(page, "firepower", shot, steps)
    judge(page, "firepower", {**shot, "marker": "cff"}, steps)
    with pytest.raises(Wrong, match="A-57"):
        judge(page, "firepower", {**shot, "impact": "K9"}, ())
    judge(page, "firepower", {**shot, "impact": "K9", "smoke": True}, ())
    more = [{"helper": "fire", "inputs": {"units": [unit(id)]}} for id in ("russian-3", "russian-4")]
    judge(page, "firepower", shot, [*steps, *more])
    assert len(hexes_within("K7", 3)) == 37


def test_who_is_no_anti_aircraft_weapon_and_who_stands_inside(page):
    judge(page, "anti-aircraft", {"firers": ["german-1"]})
    for id, why in (("russian-1", "is no AA"), ("russian-4", "inside a building")):
        with pytest.raises(Wrong, match=why):
            judge(page, "anti-aircraft", {"firers": [id]})


def test_what_was_never_declared(page):
    rows = {"attack": [unit("german-1")], "defense": [unit("russian-1")]}
    page["german-1"].place = "K7"
    judge(page, "close-combat", rows, declared=["attack german-1 on russian-1"])
    with pytest.raises(Wrong, match="never declared"):
        judge(page, "close-combat", rows, declared=["attack german-1 on russian-2"])


def test_a_side_that_is_lost_by_its_best_attack_on_one_enemy(page):
    """19.3.7, A-44: all who are left in the location; who declared and has gone elsewhere since is not among them."""
    lost = {"attack": [{**unit("german-1"), "ccv": 1}], "defense": [{**unit("russian-1"), "ccv": 4}]}
    lost |= {"better_odds": "no", "asked": {"step": "7-0"}}
    page["german-1"].place = "K7"
    page["german-2"] = Piece(counter="grenadier_squad", place="B20", fate="")
    declared = ["attack german-1 german-2 on russian-2"]
    judge(page, "close-combat", lost, declared=declared)
    page["german-2"].place = "K7"
    with pytest.raises(Wrong, match="never declared"):
        judge(page, "close-combat", lost, declared=declared)


# The adjutant

CHARTS = {
    "fft": {"grid": "FF 8\n2E 0\nE 8\nC/M 17\nC 23\nM+3 28\nM 51"},
    "morale": {"grid": "over good_order\n1-2 pinned\n3+ disrupted"},
}


def advise(page, helper, inputs, steps=(), outcome="", modified=50, faces=()):
    result = {"outcome": outcome, "modified": modified, "follow_ups": list(steps), "details": {"column": 8}}
    rolls = [{"die": f"die_{at}", "face": face} for at, face in enumerate(faces, 1)]
    entry = {
        "number": 7,
        "kind": "roll",
        "helper": helper,
        "inputs": inputs,
        "result": result,
        "rolls": rolls,
        "voided_by": None,
    }
    adjutant = Adjutant()
    adjutant.judge(entry, page, CHARTS)
    return adjutant


def check(counter_id, modifier):
    return {"helper": "morale", "inputs": {"id": counter_id, "modifier": modifier}}


def test_what_an_attack_asks_for(page):
    infantry = {**FIRE, "units": [unit("russian-1"), unit("russian-2", "vehicle")]}
    advise(page, "fire", infantry, [check("russian-1", 0)], "m")
    with pytest.raises(Wrong, match="is due"):
        advise(page, "fire", infantry, [check("russian-1", 1)], "m")
    with pytest.raises(Wrong, match="is due"):
        advise(page, "fire", {**infantry, "weapon": "caliber"}, [check("russian-1", 0)], "m")
    with pytest.raises(Wrong, match="50 on 8 is m"):
        advise(page, "fire", infantry, [], "c")
    both = {**FIRE, "units": [unit("russian-1"), unit("russian-3")]}
    dice = {"helper": "who-is-hit", "inputs": {"units": both["units"], "result": "e", "check": 3}}
    advise(page, "fire", both, [dice], "e", 8)
    with pytest.raises(Wrong, match="is due"):
        advise(page, "fire", both, [{**dice, "inputs": {**dice["inputs"], "check": 0}}], "e", 8)


def test_what_dice_and_casualties_ask_for(page):
    stack = {"units": [unit("russian-1"), unit("russian-3")], "result": "c/m", "check": 0}
    fallen = {"helper": "casualties", "inputs": {"id": "russian-3", "then_check": 0}}
    advise(page, "who-is-hit", stack, [fallen, check("russian-1", 0)], faces=(2, 9))
    with pytest.raises(Wrong, match="is due"):
        advise(page, "who-is-hit", stack, [fallen], faces=(2, 9))
    squad = {"id": "russian-1", "unit": "squad", "then_check": 0}
    advise(page, "casualties", squad, [check("russian-1", 0)])
    page["russian-1"].state = {"reduced"}
    with pytest.raises(Wrong, match="is due"):
        advise(page, "casualties", {**squad, "unit": "half_squad"}, [check("russian-1", 0)])


def test_a_roll_is_made_with_units_as_they_are_and_as_it_was_called(page):
    page["russian-1"].state = {"pinned"}
    roll = {"id": "russian-1", "unit": "squad", "state": "pinned", "modifier": 0, "asked": {"step": "7-0"}}
    pinned = {**unit("russian-1"), "state": "pinned"}
    adjutant = advise(page, "fire", {**FIRE, "units": [pinned]}, [check("russian-1", 0)], "m")

    def answer(**other):
        result = {"outcome": "", "follow_ups": [], "details": {}}
        entry = {"number": 8, "helper": "morale", "inputs": {**roll, **other}, "result": result, "voided_by": None}
        adjutant.judge(entry, page, CHARTS)

    answer()
    for wrong in ({"state": "good_order"}, {"unit": "half_squad"}, {"modifier": 1}):
        with pytest.raises(Wrong):
            answer(**wrong)


def test_what_is_due_is_what_was_asked_for_and_is_still_to_be_rolled(page):
    asks = {**check("russian-1", 0), "title": "Morale Check: Rifle squad"}
    adjutant = advise(page, "fire", {**FIRE, "units": [unit("russian-1")]}, [asks], "m")
    adjutant.check_due(["7-0"], page)
    with pytest.raises(Wrong, match="nobody says why"):
        adjutant.check_due([], page)
    with pytest.raises(Wrong, match="no roll that stands asks"):
        adjutant.check_due(["7-0", "7-1"], page)
    page["russian-1"].leave("eliminated")
    adjutant.check_due([], page)
    with pytest.raises(Wrong, match="out of play"):
        adjutant.check_due(["7-0"], page)
    page["russian-1"].fate = ""
    adjutant.hear({"number": 9, "kind": "drop", "sentence": "Not rolled: Morale Check: Rifle squad."}, page)
    adjutant.check_due([], page)


def test_who_falls_between_declaration_and_dice_fights_as_declared(page):
    """19.2.1 steps 1 and 3, R-96: nothing comes between them in the text."""
    rows = {"attack": [unit("german-1")], "defense": [unit("russian-1")], "asked": {"step": "5-0"}}
    result = {"outcome": "none", "follow_ups": [], "details": {}}
    entry = {"number": 8, "helper": "close-combat", "inputs": rows, "result": result, "voided_by": None}

    def fight(falls_first):
        adjutant = Adjutant()
        page["german-1"].fate = "eliminated" if falls_first else ""
        adjutant.hear({"number": 5, "kind": "record", "inputs": {"changes": {"melees": {}}}}, page)
        page["german-1"].fate = "eliminated"
        adjutant.judge(entry, page, CHARTS)

    fight(falls_first=False)
    with pytest.raises(Wrong, match="out of play"):
        fight(falls_first=True)
