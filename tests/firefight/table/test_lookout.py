"""The lookout of the random tables sees what must be due after an act, and who must not be asked."""

import pytest

from tests.oracles import lookout
from tests.oracles.tablekeeper import Piece, Wrong

CHARTS = {"artillery_ff": {"values": {"80": 20, "100": 26}}, "ffe_shares": {"values": {"45": 50, "65": 75, "85": 100}}}
FFE = {"caliber": 81, "kind": "battery", "marker": "ffe", "hex": "K7", "called": 1}


def stand(counter, place, level="", hidden=False):
    return Piece(counter=counter, place=place, level=level, hidden=hidden, fate="")


def table(page, missions=(), due=(), ground=(), phase="fire_and_movement"):
    record = {"missions": dict(enumerate(missions)), "ground": dict(ground)}
    return lookout.Moment(page, record, 1, phase, dict(due), CHARTS)


def attack(ff, *ids, known_to=""):
    return {"helper": "fire", "known_to": known_to, "inputs": {"ff": ff, "units": [{"id": id} for id in ids]}}


@pytest.mark.parametrize(
    ("mission", "place", "ff"),
    [
        (FFE, "K7", 20),
        (FFE, "K8", 15),  # 17.4.3: three quarters, fractions up
        ({**FFE, "called": 0}, "K7", 20),  # 17.3.6: not called again, it goes on in its own hex
        ({**FFE, "called": 0}, "K8", None),
        ({**FFE, "marker": "cff"}, "K7", 5),
        ({**FFE, "marker": "cff"}, "K8", None),
        ({**FFE, "marker": "cff", "called": 0}, "K7", None),
        ({**FFE, "smoke": True}, "K7", None),
        ({**FFE, "known_to": "german"}, "K7", None),
        ({**FFE, "called": 0, "plotted": True}, "K8", 15),
        ({**FFE, "kind": "bombardment"}, "K10", 15),
    ],
)
def test_whoever_comes_into_fire_is_attacked(mission, place, ff):
    before = table({"russian-1": stand("rifle_squad", "B20")}, [mission])
    page = {"russian-1": stand("rifle_squad", place)}
    step = {"9-m0": attack(ff or 20, "russian-1")}
    right, wrong = (step, {}) if ff else ({}, step)
    lookout.judge(before, table(page, [mission], right), [])
    with pytest.raises(Wrong, match="17.4.5"):
        lookout.judge(before, table(page, [mission], wrong), [])
    if ff:
        with pytest.raises(Wrong, match="17.4.5"):
            lookout.judge(before, table(page, [mission], {"9-m0": attack(ff + 1, "russian-1")}), [])
    lookout.judge(before, table(page, [mission], phase="melee"), [])


def test_who_is_struck_unseen_is_its_owners_alone_to_know():
    page = {"russian-1": stand("rifle_squad", "K8", hidden=True)}
    inputs = {"impact": "K7", "caliber": 105, "marker": "ffe", "kind": "battery"}
    roll = {"number": 9, "helper": "firepower", "inputs": inputs, "due": "", "voids": [], "result": {"details": {}}}
    lookout.judge(table(page), table(page, due={"9-s0": attack(26, "russian-1", known_to="russian")}), [roll])
    for due in ({}, {"9-s0": attack(26, "russian-1")}, {"9-0": attack(26, "russian-1")}):
        with pytest.raises(Wrong, match="A-57"):
            lookout.judge(table(page), table(page, due=due), [roll])


def test_who_is_asked_for_fire_at_aircraft_and_nobody_else():
    """17.6.7, A-61: no Rifle squad, none inside a building, and none out of reach."""
    page = {
        "russian-1": stand("dshk_38", "K7"),
        "russian-2": stand("rifle_squad", "K7"),
        "russian-3": stand("dshk_38", "K8"),
        "russian-4": stand("dshk_38", "L7", "1"),
        "russian-5": stand("dshk_38", "X40"),
        "german-1": stand("grenadier_squad", "K7"),
    }
    flight = {"flight": "german-flight1", "hex": "K7"}
    attack_due = {"helper": "air-attack", "known_to": "", "inputs": flight}
    roll = {"number": 9, "helper": "air-attack", "inputs": flight, "due": "", "voids": []}
    roll["result"] = {"outcome": "none", "details": {}}

    def ask(*ids):
        offers = {
            f"9-f{at}": {"helper": "anti-aircraft", "known_to": "", "inputs": {"id": id}} for at, id in enumerate(ids)
        }
        ground = {"K8": {"hex": "K8", "building": True}}
        return table(page, due={**offers, "9-0": attack_due}, ground=ground)

    lookout.judge(table(page), ask("russian-1"), [])
    for ids in (("russian-1", "russian-2"), ("russian-1", "russian-3"), ("russian-4",), ("russian-1", "russian-5")):
        with pytest.raises(Wrong, match="17.6.7"):
            lookout.judge(table(page), ask(*ids), [])
    with pytest.raises(Wrong, match="may fire at the aircraft first"):
        lookout.judge(table(page), table(page), [roll])
