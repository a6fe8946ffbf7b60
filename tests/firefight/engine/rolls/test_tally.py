"""Dice counted against what fair dice do."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.rolls.tally import tally

SIZES = st.sampled_from((10, 100))


def test_no_dice_are_no_series():
    with pytest.raises(ValueError, match="no dice"):
        tally(10, [])


def test_each_face_of_a_d10_is_counted():
    counted = tally(10, [*range(1, 11), 10, 10, 1])
    assert counted.groups == (2, 1, 1, 1, 1, 1, 1, 1, 1, 3)
    assert counted.group_names == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    assert (counted.number, counted.mean, counted.expected) == (13, 76 / 13, 5.5)


def test_the_faces_of_a_d100_are_counted_by_tens():
    counted = tally(100, [1, 10, 11, 20, 91, 100])
    assert counted.groups == (2, 2, 0, 0, 0, 0, 0, 0, 0, 2)
    assert counted.group_names[:2] == ("1-10", "11-20")
    assert counted.group_names[-1] == "91-100"


@settings(max_examples=60, deadline=None)
@given(SIZES, st.lists(st.integers(1, 10), min_size=1, max_size=300))
def test_every_die_is_in_one_group_and_ranges_lie_around_what_is_expected(sides, faces):
    counted = tally(sides, faces)
    assert sum(counted.groups) == counted.number == len(faces)
    within = counted.mean_range
    assert 1 <= within.low <= counted.expected <= within.high <= sides
    assert within.low + within.high == pytest.approx(2 * counted.expected)
    assert counted.group_range.low <= len(faces) / 10 <= counted.group_range.high or len(faces) < 10


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_mean_of_few_dice_is_judged_by_counting_all_series(number):
    within = tally(10, [1] * number).mean_range
    means = [sum(faces) / number for faces in product(range(1, 11), repeat=number)]
    inside = sum(within.holds(mean) for mean in means)
    assert inside / len(means) >= 0.95
    tighter = sum(within.low < mean < within.high for mean in means)
    assert tighter / len(means) < 0.95


@pytest.mark.parametrize("number", [5, 20])
def test_the_normal_range_of_more_dice_holds_95_in_100_counted_series(number):
    sums = {0: 1}
    for _ in range(number):
        following = {}
        for sum_, ways in sums.items():
            for face in range(1, 11):
                following[sum_ + face] = following.get(sum_ + face, 0) + ways
        sums = following
    within = tally(10, [1] * number).mean_range
    share = Fraction(sum(ways for sum_, ways in sums.items() if within.holds(sum_ / number)), 10**number)
    assert 0.93 < share < 0.97


@pytest.mark.parametrize("number", [1, 7, 40, 400])
def test_the_range_of_one_face_is_the_binomial_one(number):
    within = tally(10, [1] * number).group_range
    shares = [Fraction(comb(number, n) * 9 ** (number - n), 10**number) for n in range(number + 1)]
    assert sum(shares[: within.low]) <= Fraction(25, 1000) < sum(shares[: within.low + 1])
    assert sum(shares[within.high + 1 :]) <= Fraction(25, 1000) < sum(shares[within.high :])
