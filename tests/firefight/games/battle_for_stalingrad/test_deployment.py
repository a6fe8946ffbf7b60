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
    display = details("deployment")
    assert display["counters"] == 116
    assert {slug: sum(numbers.values()) for slug, numbers in display["groups"].items()} == TOTALS


@pytest.mark.parametrize("formation", TOTALS)
def test_each_formation_has_the_counters_of_the_display(formation):
    display = details("deployment", formation=formation)
    assert display == {**oracle.deployment({"formation": formation}), "deployed": 0}


def test_a_value_is_found_however_it_is_typed():
    for typed in ("8 10 12", "8_10_12", " 8  10 12 "):
        display = details("deployment", values=typed)
        assert display["counters"] == 7 and display["groups"]["29_mot"] == {"8 10 12": 2}
    assert details("deployment", values="6–2–24")["counters"] == 16
    assert details("deployment", formation="94_inf", values="6-2-24") == {"counters": 0, "groups": {}, "deployed": 0}
    with pytest.raises(BadInput, match="No German counter has 7-7-7"):
        ask("deployment", values="7-7-7")


def test_counters_are_ticked_off_while_there_are_any():
    fields = {"formation": "29_mot", "values": "6-2-24"}
    result = ask("deployment", **fields, deploy=3, deployed={"29_mot": ["6-2-24"], "14_pz": []})
    assert result.headline == "29 Mot, 6-2-24: 4 counters, 4 deployed."
    assert result.all_details["changes"] == {"deployed": {"29_mot": {"add": ["6-2-24"] * 3}}}
    with pytest.raises(BadInput, match="has 4 counters 6-2-24, and 3 left"):
        ask("deployment", **fields, deploy=4, deployed="29_mot:6-2-24:1")
    with pytest.raises(BadInput, match="Say of which"):
        ask("deployment", formation="29_mot", deploy=1)


def test_all_that_are_left_are_ticked_off_at_once():
    before = {"29_mot": ["6-2-24"] * 4 + ["2-18"]}
    result = ask("deployment", formation="29_mot", deploy_all=True, deployed=before)
    added = result.all_details["changes"]["deployed"]["29_mot"]["add"]
    assert sorted(added) == sorted(["4-3-18"] * 7 + ["8 10 12"] * 2 + ["2-18"] * 2 + ["2-24"])
    assert result.details["deployed"] == 17
    whole = ask("deployment", deploy_all=True)
    assert sum(len(change["add"]) for change in whole.all_details["changes"]["deployed"].values()) == 116
    full = {name: [value for value, number in group.items() for _ in range(number)] for name, group in
            details("deployment")["groups"].items()}  # fmt: skip
    assert ask("deployment", deploy_all=True, deployed=full).changes == ()


def test_a_count_changes_nothing():
    assert ask("deployment", formation="29_mot").changes == ()
