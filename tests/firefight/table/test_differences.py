"""Differences between plain values: what was before comes back exactly, and little is kept."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.table.act.differences import BadDifference, apply_difference, find_difference

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-1, 1) | st.sampled_from("abc")
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
)


def same(one, other):
    """Equal as JSON has it: 1, 1.0 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(VALUES, VALUES)
def test_what_was_before_comes_back_exactly(before, after):
    copies = deepcopy((before, after))
    difference = json.loads(json.dumps(find_difference(before, after)))
    assert same(apply_difference(after, difference), before)
    assert same([before, after], list(copies))


@given(VALUES)
def test_of_what_has_not_changed_nothing_is_kept(value):
    assert find_difference(value, deepcopy(value)) == {}


@pytest.mark.parametrize(("before", "after"), [(1, True), (1, 1.0), ([0], [False]), ({"a": 1}, {"a": True})])
def test_values_that_python_takes_for_equal_are_told_apart(before, after):
    assert find_difference(before, after)
    assert same(apply_difference(after, find_difference(before, after)), before)


def test_a_change_of_a_long_list_keeps_what_is_gone_from_it_alone():
    long = [{"id": str(number), "text": "x" * 1_000} for number in range(60)]
    difference = find_difference({"queue": long}, {"queue": [{"id": "new"}, *long[:30], *long[31:]]})
    assert len(json.dumps(difference)) < 1_300
    added = find_difference({"queue": long}, {"queue": [{"id": "new"}, *long][:60]})
    assert len(json.dumps(added)) < 1_300
    assert len(json.dumps(find_difference({"queue": long, "turn": 1}, {"queue": long, "turn": 2}))) < 60


@pytest.mark.parametrize("after", [[1, 2], {"a": 1}, None, "list"])
def test_a_list_that_it_was_not_made_for_is_refused(after):
    with pytest.raises(BadDifference):
        apply_difference(after, find_difference([1, 2, 3, 4], [1, 2, 3]))


def test_fields_that_others_have_added_since_stay():
    difference = find_difference({"turn": 1}, {"turn": 2, "new": 0})
    assert apply_difference({"turn": 2, "new": 0, "later": 5}, difference) == {"turn": 1, "later": 5}
