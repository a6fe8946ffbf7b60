"""The odds of every helper with dice: those of every face, and quick."""

import time

import pytest

from firefight.assistant import chartbooks, registry
from tests.games.samples.turning_point_stalingrad import SAMPLES
from tests.oracles.odds import brute, same_odds

SLUG = "turning-point-stalingrad"
BOOK = chartbooks.shipped(SLUG)
MOST = 0.010  # seconds
TRIES = 5


def inputs_of(helper):
    """A sample's inputs without its dice, cleaned."""
    plain = {name: value for name, value in SAMPLES.get(helper.slug, {}).items() if name in helper.form.base_fields}
    form = helper.form.from_plain(plain, book=BOOK)
    assert form.is_valid(), form.errors
    return form.inputs()


WITH_DICE = [helper for helper in registry.helpers(SLUG).values() if helper.specs(inputs_of(helper))]


@pytest.mark.parametrize("helper", WITH_DICE, ids=lambda helper: helper.slug)
def test_odds_are_those_of_every_face_and_take_ten_milliseconds(helper):
    inputs, took = inputs_of(helper), []
    (odds, *_) = helper.all_odds(BOOK, inputs)
    assert same_odds(odds, *brute(lambda dice: helper.resolve(BOOK, inputs, dice), helper.specs(inputs)))
    for _ in range(TRIES):
        began = time.process_time()
        if helper.odds:
            list(helper.odds(BOOK, inputs))
        else:
            helper.table_odds(BOOK, inputs)
        took.append(time.process_time() - began)
    assert min(took) < MOST
