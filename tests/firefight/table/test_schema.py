"""Declared shapes: what fits says nothing, what does not is told by its place."""

import pytest

from firefight.web.schema import (
    any_value,
    by_name,
    flag,
    list_of,
    maybe,
    one_of,
    point_in_time,
    table,
    text,
    tuple_of,
    whole_number,
)

SHAPE = table(
    {"turn": whole_number(1, 7), "name": text(5, 1)}, {"sides": list_of(one_of(("german", "russian")), 2, True)}
)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (whole_number(1, 7), [1, 7], [0, 8, 1.0, "1", True, None, 10**30]),
        (text(3, 1), ["a", "abc"], ["", "abcd", 5, None, ["a"]]),
        (text(3, 0, "[a-c]*"), ["", "abc"], ["d", "ab\n", "\n"]),
        (one_of(("a", "")), ["a", ""], ["b", 1, None, [], {}]),
        (flag, [True, False], [0, 1, "true", None]),
        (
            point_in_time,
            ["2026-10-14T19:30:00+02:00"],
            ["2026-10-14T19:30:00", "2026-10-14", "0001-01-01T00:00:00+14:00", 5, {}],
        ),
        (maybe(flag), [None, True], [0]),
        (list_of(flag, 2), [[], [True, True]], [[1], [True] * 3, {}, "ab", None]),
        (list_of(whole_number(1, 9), 9, different=True), [[1, 2]], [[1, 1]]),
        (tuple_of(flag, whole_number(1, 2)), [[True, 1]], [[True], [1, True], [True, 1, 1], {}]),
        (by_name(flag, 1), [{}, {"a": True}], [{"a": 1}, {"a": True, "b": True}, []]),
        (any_value, [None, {"a": [1, 2.5, "x", True]}], [10**16, {"a": [10**16]}, "x" * 20_001, -1e300]),
        (SHAPE, [{"turn": 1, "name": "x"}, {"turn": 1, "name": "x", "sides": ["german"]}], [{}, [], {"turn": 1}, None]),
    ],
)
def test_what_fits_has_no_flaw_and_what_does_not_has_one(check, good, bad):
    assert [list(check(value, "here")) for value in good] == [[] for _ in good]
    assert all(list(check(value, "here")) for value in bad)


def test_every_flaw_is_told_by_its_place():
    flaws = list(SHAPE({"turn": 9, "sides": ["german", "both"], "colour": 5}, "match"))
    assert flaws == [
        "match, name: is missing.",
        "match, colour: is not known here.",
        "match, turn: should be a whole number from 1 to 7.",
        "match, sides 2: should be one of: german, russian.",
    ]


def test_flaws_are_looked_for_only_as_long_as_somebody_reads_them():
    """Of a file with hundreds of thousands of flaws, the first thousand are enough to say so."""
    looked_at = []

    def check(value, place):
        looked_at.append(value)
        yield f"{place}: is wrong."

    flaws = list_of(list_of(check))([[1, 2, 3], [4, 5, 6]], "here")
    assert [next(flaws), next(flaws)] == ["here 1 1: is wrong.", "here 1 2: is wrong."]
    assert looked_at == [1, 2]
