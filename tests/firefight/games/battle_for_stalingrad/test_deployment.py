"""The German Deployment Display: 116 counters, and which of them are ticked off."""

import pytest

from firefight.engine.errors import BadInput
from tests.oracles import battle_for_stalingrad as oracle

from . import ask, details

TOTALS = {
    "29_mot": 17, "14_pz": 7, "94_inf": 14, "24_pz": 17, "71_inf": 15, "295_inf": 14, "389_inf": 14, "60_mot": 7,
    "16_pz": 7, "independent": 4,
}  # fmt: skip


def test_the_display_has_116_counters_in_ten_groups():
    told = details("deployment")
    assert told["counters"] == 116
    assert {slug: sum(found.values()) for slug, found in told["groups"].items()} == TOTALS


@pytest.mark.parametrize("formation", TOTALS)
def test_each_formation_has_the_counters_of_the_display(formation):
    told = details("deployment", formation=formation)
    assert told == {**oracle.deployment({"formation": formation}), "deployed": 0}


def test_a_value_is_found_however_it_is_typed():
    for typed in ("8 10 12", "8_10_12", " 8  10 12 "):
        told = details("deployment", values=typed)
        assert told["counters"] == 7 and told["groups"]["29_mot"] == {"8 10 12": 2}
    assert details("deployment", values="6–2–24")["counters"] == 16
    assert details("deployment", formation="94_inf", values="6-2-24") == {"counters": 0, "groups": {}, "deployed": 0}
    with pytest.raises(BadInput, match="No German counter has 7-7-7"):
        ask("deployment", values="7-7-7")


def test_counters_are_ticked_off_while_there_are_any():
    given = {"formation": "29_mot", "values": "6-2-24"}
    found = ask("deployment", **given, deploy=3, deployed={"29_mot": ["6-2-24"], "14_pz": []})
    assert found.headline == "29 Mot, 6-2-24: 4 counters, 4 deployed."
    assert found.all_details["changes"] == {"deployed": {"29_mot": {"add": ["6-2-24"] * 3}}}
    with pytest.raises(BadInput, match="has 4 counters 6-2-24, and 3 left"):
        ask("deployment", **given, deploy=4, deployed="29_mot:6-2-24:1")
    with pytest.raises(BadInput, match="Say of which"):
        ask("deployment", formation="29_mot", deploy=1)


def test_all_that_are_left_are_ticked_off_at_once():
    before = {"29_mot": ["6-2-24"] * 4 + ["2-18"]}
    found = ask("deployment", formation="29_mot", deploy_all=True, deployed=before)
    added = found.all_details["changes"]["deployed"]["29_mot"]["add"]
    assert sorted(added) == sorted(["4-3-18"] * 7 + ["8 10 12"] * 2 + ["2-18"] * 2 + ["2-24"])
    assert found.details["deployed"] == 17
    whole = ask("deployment", deploy_all=True)
    assert sum(len(each["add"]) for each in whole.all_details["changes"]["deployed"].values()) == 116
    full = {name: [value for value, number in group.items() for _ in range(number)] for name, group in
            details("deployment")["groups"].items()}  # fmt: skip
    assert ask("deployment", deploy_all=True, deployed=full).changes == ()


def test_a_count_changes_nothing():
    assert ask("deployment", formation="29_mot").changes == ()
