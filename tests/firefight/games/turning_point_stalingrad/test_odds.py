"""The odds of every helper with dice: those of every face, and nothing asked for twice."""

from dataclasses import replace
from math import prod
from unittest.mock import patch

import pytest

from firefight.engine.rolls.odds import weigh
from firefight.games import chartbooks, registry
from firefight.games.turning_point_stalingrad.rules.attack_values import Attack
from tests.games.samples.turning_point_stalingrad import SAMPLES
from tests.oracles.odds import brute, same_odds

SLUG = "turning-point-stalingrad"
BOOK = chartbooks.shipped(SLUG)
MARGINS = 21  # of two dice against two, from -10 to 10


def inputs_of(helper):
    """A sample's inputs without its dice, cleaned."""
    plain = {name: value for name, value in SAMPLES.get(helper.slug, {}).items() if name in helper.form.base_fields}
    form = helper.form.from_plain(plain, book=BOOK)
    assert form.is_valid(), form.errors
    return form.inputs()


WITH_DICE = [helper for helper in registry.helpers(SLUG).values() if helper.specs(inputs_of(helper))]


@pytest.mark.parametrize("helper", WITH_DICE, ids=lambda helper: helper.slug)
def test_odds_are_those_of_every_face_and_ask_for_each_total_once(helper):
    inputs, calls = inputs_of(helper), []
    specs = helper.specs(inputs)
    noting = replace(helper, rule=lambda **values: calls.append(values) or helper.rule(**values))
    (odds, *_) = noting.all_odds(BOOK, inputs)
    assert same_odds(odds, *brute(lambda dice: helper.resolve(BOOK, inputs, dice), specs))
    # Before any die, and then each total; a helper that counts by itself asks its rule for nothing.
    assert len(calls) == (0 if helper.odds else 1 + prod(len(weigh(spec)) for spec in specs))


def test_the_odds_of_an_attack_judge_each_margin_once():
    helper, judged, judge = registry.helpers(SLUG)["attack"], [], Attack.judge
    with patch.object(Attack, "judge", lambda attack, margin: judged.append(margin) or judge(attack, margin)):
        list(helper.odds(BOOK, inputs_of(helper)))
    assert sorted(judged) == list(range(min(judged), min(judged) + MARGINS))
