"""Dice counted against what fair dice do."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.rolls.tally import tally

SIZES = st.sampled_from((4, 6, 8, 10, 12, 20, 26, 100))


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
@given(SIZES, st.integers(1, 3), st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_every_throw_is_in_one_group_and_ranges_lie_around_what_is_expected(sides, dice, places):
    faces = [dice + round(place * dice * (sides - 1)) for place in places]
    counted = tally(sides, faces, dice)
    assert sum(counted.groups) == counted.number == len(faces)
    assert len(counted.groups) == len(counted.group_names) == len(counted.group_ranges) <= 20
    within = counted.mean_range
    assert within.low <= counted.expected <= within.high
    assert within.low + within.high == pytest.approx(2 * counted.expected)
    assert (counted.group_range is not None) == (len(set(counted.group_ranges)) == 1)
    assert all(0 <= group_range.low <= group_range.high <= len(faces) for group_range in counted.group_ranges)


def test_sums_of_2d6_are_counted_one_by_one_and_each_against_its_own_likelihood():
    counted = tally(6, [7] * 30 + [2, 12], dice=2)
    assert counted.group_names == tuple(map(str, range(2, 13)))
    assert counted.groups == (1, 0, 0, 0, 0, 30, 0, 0, 0, 0, 1)
    assert (counted.expected, counted.mean) == (7, 7)
    assert counted.group_range is None
    ranges = counted.group_ranges
    assert ranges == ranges[::-1]
    shares = [Fraction(comb(32, n) * 6**n * 30 ** (32 - n), 36**32) for n in range(33)]
    low, high = ranges[5].low, ranges[5].high
    assert sum(shares[:low]) <= Fraction(25, 1000) < sum(shares[: low + 1])
    assert sum(shares[high + 1 :]) <= Fraction(25, 1000) < sum(shares[high:])


def test_what_the_dice_cannot_show_is_not_counted():
    with pytest.raises(ValueError, match="2d6 do not show that"):
        tally(6, [13], dice=2)
    with pytest.raises(ValueError, match="1d8 do not show that"):
        tally(8, [9])


@pytest.mark.parametrize(("sides", "names"), [(6, "1 2 3 4 5 6"), (8, "1 2 3 4 5 6 7 8"), (4, "1 2 3 4")])
def test_dice_of_any_size_are_counted_by_face(sides, names):
    assert tally(sides, [1, sides]).group_names == tuple(names.split())


@pytest.mark.parametrize(("number", "sides"), [(1, 10), (2, 10), (3, 10), (4, 10), (1, 6), (3, 8), (4, 6)])
def test_the_mean_of_few_dice_is_judged_by_counting_all_series(number, sides):
    within = tally(sides, [1] * number).mean_range
    means = [sum(faces) / number for faces in product(range(1, sides + 1), repeat=number)]
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
