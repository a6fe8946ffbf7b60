"""Replays worked_examples.toml through the rules."""

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import get_type_hints

import pytest

from campaign.rules import leaders, orders, redeployment, upkeep
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules import (
    accuracy,
    air,
    barrage,
    close_combat,
    contact,
    conversion,
    fire,
    morale,
    observers,
)
from firefight.games.combat_stalingrad.rules.units import Unit
from tests.books import HOUSE

MODULES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(contact, accuracy, conversion, barrage, air, close_combat, fire, morale, observers),
        *(leaders, orders, redeployment, upkeep),
    )
}
EXAMPLES = tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text(encoding="utf-8"))["example"]
CAMPAIGN_DICE = [DieSpec("die", 10, "d10"), DieSpec("second_die", 10, "d10")]
KEYS = {"outcome", "modified", "details", "modifiers", "drm", "effects", "follow_ups", "then_fire", "needs"}


def function_of(example):
    module, name = example["call"].split(".")
    return getattr(MODULES[module], name)


def values_of(function, plain):
    """Plain values as the rule takes them: words become members of its enums, tables become units."""
    hints = get_type_hints(function)
    values = {}
    for name, value in plain.items():
        hint = hints.get(name, int)
        if name in ("units", "attack", "defense"):
            values[name] = [Unit.read(unit) for unit in value]
        elif isinstance(hint, type) and issubclass(hint, StrEnum):
            values[name] = hint(value)
        else:
            values[name] = value
    return values


def fired(step):
    """The DRM of a follow-up to the FFT, when it is fired."""
    inputs = values_of(fire.fire, step.inputs)
    return sum(modifier.value for modifier in fire.fire(charts=HOUSE, die=50, **inputs).modifiers)


def check(result, expect):
    assert set(expect) <= KEYS
    if "outcome" in expect:
        assert result.outcome == expect["outcome"]
    if "modified" in expect:
        assert result.modified == expect["modified"]
    for name, value in expect.get("details", {}).items():
        assert result.details[name] == value, name
    if "modifiers" in expect:
        assert {modifier.name: modifier.value for modifier in result.modifiers} == expect["modifiers"]
    if "drm" in expect:
        assert sum(modifier.value for modifier in result.modifiers) == expect["drm"]
    for words in expect.get("effects", []):
        assert any(words in effect for effect in result.effects)
    if "follow_ups" in expect:
        assert len(result.follow_ups) == len(expect["follow_ups"])
        for step, expected in zip(result.follow_ups, expect["follow_ups"], strict=True):
            assert {"helper": step.helper, **step.inputs}.items() >= expected.items()
    if "then_fire" in expect:
        assert [fired(step) for step in result.follow_ups] == expect["then_fire"]
    if "needs" in expect:
        assert list(result.needs) == expect["needs"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example['rule']}: {example['case']}")
def test_a_worked_example_comes_out_as_the_text_says(example):
    function = function_of(example)
    inputs = values_of(function, example["inputs"])
    if "refused" in example:
        with pytest.raises(BadInput) as caught:
            function(charts=HOUSE, **inputs)
        assert list(caught.value.problems) == [example["refused"]]
    elif "odds" in example:
        weights = dict(example["odds"])
        total = weights.pop("total")
        odds = sweep(lambda dice: function(charts=HOUSE, **inputs, **dice), CAMPAIGN_DICE)
        assert {row.outcome: row.weight * total for row in odds.rows} == {
            outcome: weight * odds.total for outcome, weight in weights.items()
        }
    else:
        assert example["expect"]
        check(function(charts=HOUSE, **inputs), example["expect"])


def test_every_example_cites_a_rule_and_no_case_stands_twice():
    assert all(example["rule"][0].isdigit() or example["rule"].startswith("Errata") for example in EXAMPLES)
    cases = [(example["rule"], example["case"]) for example in EXAMPLES]
    assert len(set(cases)) == len(cases)
