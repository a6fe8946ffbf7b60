"""Random inputs, against a second Battle for Stalingrad that knows nothing of the first (tests/oracles)."""

import json
import random

import pytest

from firefight.columns import LoggedResult
from firefight.engine.errors import BadInput, MissingChart
from tests.oracles import battle_for_stalingrad as oracle
from tests.soak import length, seeds

from . import ask, details

pytestmark = pytest.mark.soak

TERRAINS, SIDES = list(oracle.TERRAIN), ["german", "soviet"]
KINDS = ["ground_attack", "overrun", "instant_counterattack", "bombardment", "air_attack", "anti_air"]
UNITS = [
    *("infantry", "mechanized_infantry", "motorized_infantry", "engineer", "armored_engineer", "armor", "anti_tank"),
    *("reconnaissance", "artillery", "self_propelled_artillery", "flak", "militia", "worker"),
]


def some(rng, **choices):
    """Some of these values; a tick is there or not."""
    ticks = {name for name, values in choices.items() if values is bool}
    fields = {name: rng.choice(values) for name, values in choices.items() if name not in ticks and rng.random() < 0.8}
    return fields | {name: True for name in ticks if rng.random() < 0.3}


def random_firer(rng):
    factors = some(rng, factor=["1", "2", "3", "0.5", "0.25"], indirect=bool)
    return {"strength": rng.choice([1, 1, 2, 3, 6, 8, 14]), **factors}


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_combats(seed):
    rng = random.Random(f"combats {seed}")
    results = set()
    for _ in range(length(800, 3_000)):
        fields = some(
            rng, kind=KINDS, terrain=["", *TERRAINS], occupant=SIDES, engineer=bool, adjacent=bool, drm=[-3, 0, 2],
            rounding=["ask", "down", "up", "nearest"], defence=["", *SIDES],
            strength=[None, None, None, 1, 2, 11, 72, 300],
        )  # fmt: skip
        fields["firers"] = [random_firer(rng) for _ in range(rng.choice([0, 1, 2, 5]))]
        die = rng.randint(1, 6)
        expected = oracle.combat(fields, die)
        try:
            result = ask("combat", dice={"die": die}, **fields)
            actual = {name: result.details[name] for name in ("total", "exact", "column", "row", "losses")}
            actual["outcome"] = result.outcome.value
            modified = die if result.modified is None else result.modified
            assert modified - sum(modifier.value for modifier in result.modifiers) == die
            json.dumps(LoggedResult.of("combat", result, {}).to_json())
        except MissingChart:
            actual = None
        except BadInput as error:
            (actual,) = error.problems
        assert actual == expected, (fields, die)
        results.add(actual if isinstance(actual, str | None) else actual["losses"])
    assert results == {None, "strength", "firers", "rounding", *range(10)}


def cases(slug):
    rng = random.Random(f"{slug} {seeds(1, 1)[0]}")
    choices = {
        "terrain": {
            "terrain": TERRAINS, "hex": ["1726", "1727", ""], "volga_bank": bool, "occupant": SIDES, "road": bool,
            "across_river": bool, "fire": ["offensive", "bombardment", "air"], "engineer": bool, "adjacent": bool,
            "indirect_artillery": bool,
        },
        "unit": {
            "side": SIDES, "unit": UNITS, "guards": bool, "printed_strength": [1, 2, 3], "terrain": TERRAINS,
            "action": ["ground_attack", "instant_counterattack"], "foot_in_stack": bool,
        },
        "fire-strength": {
            "side": SIDES, "arm": ["direct", "artillery", "air", "flak"], "strength": [1, 2, 3, 8, 12, 99],
            "terrain": TERRAINS, "occupant": SIDES, "adjacent": bool, "target": ["none", "mixed", "only"],
            "depot_lost": bool, "air_on_own_hex": bool,
        },
        "militia": {
            "event": ["overrun", "out_of_supply", "collapse", "ground_attack"], "with_non_militia": bool, "sole": bool
        },
        "deployment": {"formation": list(oracle.DISPLAY), "values": ["6-2-24", "8 10 12", "1-12", "12 12 6"]},
    }  # fmt: skip
    return [some(rng, **choices[slug]) for _ in range(length(300, 2_000))]


@pytest.mark.parametrize("slug", ["terrain", "unit", "fire-strength", "militia", "deployment"])
def test_cards(slug):
    expect = getattr(oracle, slug.replace("-", "_"))
    for fields in cases(slug):
        expected, actual = expect(fields), details(slug, **fields)
        if "outcome" in expected:
            assert ask(slug, **fields).outcome.value == expected.pop("outcome"), fields
        assert {name: actual[name] for name in expected} == expected, fields
