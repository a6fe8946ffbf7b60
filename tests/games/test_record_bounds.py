"""The records of the games against whatever is sent for a value: refused in a sentence, or kept as a game keeps it."""

import json
import random

import pytest

from firefight.engine.record import BadValue, KeptParts
from firefight.games import registry
from tests import soak

RECORDS = {slug: game.record for slug, game in registry.games().items()}
GARBAGE = [
    None, True, False, -1, 0, 1, 10**30, 1.5, "", " ", "-", "9" * 5_000, "٣", "½", "null", "\x00", "<b>", "x" * 401,
    [], {}, [None], [[]], [{}], [[[]]], ["1"] * 200, {"": 0}, {"add": None}, {"add": []}, {"add": [None]},
    {"add": {"zzz": {}}}, {"add": {"1": {"tem": 9}}}, {"change": {"1": {}}}, {"strike": [{}]}, {"push": {}},
    {"clamp": "x"}, {"take": -1}, {"__class__": 1}, {"holder": ["german"]}, [{"area": "75", "state": "ready"}],
]  # fmt: skip


def paths_of(record):
    """Where a value may be set, as keys one below the other."""
    for field in record.fields:
        yield (field.name,)
        if isinstance(field, KeptParts):
            yield from ((field.name, part.name) for part in field.fields)


@pytest.mark.soak
@pytest.mark.parametrize("slug", RECORDS)
def test_whatever_is_sent_for_a_value_is_refused_or_kept_as_one_that_it_may_have(slug):
    record, rng = RECORDS[slug], random.Random(f"bounds {slug}")
    accepted = 0
    for path in [*paths_of(record), ("nothing",), ("",)]:
        for value in rng.sample(GARBAGE, len(GARBAGE) if soak.IS_WHOLE else 30):
            change = value
            for name in reversed(path):
                change = {name: change}
            try:
                after = record.apply(record.defaults, change)
            except BadValue as error:
                assert str(error) and len(str(error)) < 2_000
                continue
            accepted += 1
            assert json.loads(json.dumps(after)) == after
            again = {field.name: field.read_or_blank(after[field.name]) for field in record.fields}
            assert again == after, (path, value)
    assert accepted


def refused(slug, **change):
    with pytest.raises(BadValue) as caught:
        RECORDS[slug].apply(RECORDS[slug].defaults, change)
    return str(caught.value)


def test_russian_artillery_stands_in_an_area_and_what_was_said_is_said_of_one():
    slug = "turning-point-stalingrad"
    assert "Russian artillery" in refused(slug, russian_artillery=[{}])
    assert "Russian artillery" in refused(slug, russian_artillery={"add": [{"state": "ready"}]})
    assert "“zzz” is not a place" in refused(slug, area_values={"add": {"zzz": {"tem": 4}}})
    assert "“a” is not a place" in refused(slug, area_values={"add": {"a": {"tem": 4}}})
    assert RECORDS[slug].apply(RECORDS[slug].defaults, {"area_values": {"add": {"66": {"tem": 4}}}})


def test_the_deployed_counters_of_a_formation_are_the_displays_and_no_more_than_it_may_have():
    slug = "battle-for-stalingrad"
    assert refused(slug, deployed={"29_mot": ["7-7-7"]})
    assert refused(slug, deployed={"nobody": []})
    assert "31 do not fit: at most 30" in refused(slug, deployed={"29_mot": ["6-2-24"] * 31})
