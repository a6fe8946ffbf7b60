"""Odds of combat: those of every face, in no time."""

from time import perf_counter

import pytest

from tests.games.samples.streets_of_stalingrad import SAMPLES
from tests.oracles.odds import brute, same_odds

from . import BOOK, find_helper, inputs

WITH_DICE = (
    *("attack", "defensive-fire", "bombardment", "counter-attack", "leader-survival", "infiltration", "mine-dog"),
    *("tank", "nkvd", "anti-aircraft"),
)


def cleaned(slug):
    fields = find_helper(slug).form.base_fields
    return inputs(slug, **{name: value for name, value in SAMPLES[slug].items() if name in fields})


@pytest.mark.parametrize("slug", WITH_DICE)
def test_odds_are_those_of_every_face(slug):
    helper, inputs = find_helper(slug), cleaned(slug)
    (odds, *_) = helper.all_odds(BOOK, inputs)
    assert same_odds(odds, *brute(lambda dice: helper.resolve(BOOK, inputs, dice), helper.specs(inputs)))


def test_odds_of_an_attack_take_less_than_a_hundredth_of_a_second():
    helper = find_helper("attack")
    takes = []
    for leaders in range(5):
        inputs = {**cleaned("attack"), "leaders": leaders}
        begun = perf_counter()
        helper.all_odds(BOOK, inputs)
        takes.append(perf_counter() - begun)
    assert min(takes) < 0.01
