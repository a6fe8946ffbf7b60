"""The Unit Capabilities Summary (3.23): each entry as it stands on the sheet, and militia."""

import pytest

from firefight.engine.charts.book import read_book
from firefight.games import chartbooks, registry

from . import GAME, ask, details

OVERRUN = {
    "mechanized_infantry", "motorized_infantry", "armored_engineer", "armor", "reconnaissance",
    "self_propelled_artillery",
}  # fmt: skip
UNITS = [choice for choice, _ in registry.helpers(GAME)["unit"].form.base_fields["unit"].choices]


def test_who_may_overrun():
    assert {unit for unit in UNITS if details("unit", unit=unit)["may_overrun"]} == OVERRUN
    assert not any(details("unit", side="soviet", unit=unit)["may_overrun"] for unit in UNITS)


def test_who_may_start_an_instant_counterattack():
    german = {unit: details("unit", unit=unit)["may_start_counterattack"] for unit in UNITS}
    assert {unit for unit, may in german.items() if may is False} == {"anti_tank", "artillery", "militia"}
    assert {unit for unit, may in german.items() if may is True} == {"self_propelled_artillery"}
    soviet = {unit: details("unit", side="soviet", unit=unit)["may_start_counterattack"] for unit in UNITS}
    assert {unit for unit, may in soviet.items() if may is not None} == {"anti_tank", "militia"}


def test_soviet_infantry_of_printed_strength_2_has_no_zone_of_control_unless_it_is_guards():
    weak = {"side": "soviet", "unit": "infantry", "printed_strength": 2}
    assert not details("unit", **weak)["has_zoc"]
    assert details("unit", **weak, guards=True)["has_zoc"]
    assert details("unit", **{**weak, "printed_strength": 3})["has_zoc"]
    assert details("unit", **{**weak, "side": "german"})["has_zoc"]
    assert not details("unit", side="soviet", unit="militia", printed_strength=3)["has_zoc"]


@pytest.mark.parametrize(
    ("fields", "which"),
    [
        ({"unit": "infantry", "terrain": "heavy"}, "second"),
        ({"unit": "motorized_infantry", "terrain": "fortified"}, "second"),
        ({"unit": "infantry", "terrain": "light"}, "first"),
        ({"unit": "infantry", "terrain": "heavy", "side": "soviet"}, "first"),
        ({"unit": "engineer", "terrain": "heavy"}, "first"),
        ({"unit": "armor", "terrain": "clear"}, "first"),
        ({"unit": "armor", "terrain": "woods"}, "second"),
        ({"unit": "armor", "terrain": "woods", "foot_in_stack": True}, "first"),
        ({"unit": "armor", "terrain": "woods", "action": "instant_counterattack"}, "first"),
        ({"unit": "anti_tank", "terrain": "clear", "side": "soviet"}, "first"),
        ({"unit": "anti_tank", "terrain": "hill", "side": "soviet"}, "second"),
        ({"unit": "anti_tank", "terrain": "hill", "foot_in_stack": True}, "first"),
    ],
)
def test_which_fire_strength_it_uses(fields, which):
    assert details("unit", **fields)["fire_strength"] == which


def test_soviets_overrun_by_germans_multiply_their_first_fire_strength():
    factors = {unit: details("unit", side="soviet", unit=unit)["overrun_defence_factor"] for unit in UNITS}
    assert {unit: factor for unit, factor in factors.items() if factor > 1} == {"armor": 2, "anti_tank": 3, "flak": 2}
    assert {details("unit", unit=unit)["overrun_defence_factor"] for unit in UNITS} == {1}


def test_soviet_flak_fires_at_air_points_in_one_hex():
    assert details("unit", side="soviet", unit="flak")["anti_air_hexes"] == 1
    assert details("unit", unit="flak")["anti_air_hexes"] is None


BOTH, GERMANS, SOVIETS = ("german", "soviet"), ("german",), ("soviet",)
FOOT = ("infantry", "mechanized_infantry", "motorized_infantry", "engineer", "armored_engineer")
GUNS, TANKS = ("artillery", "self_propelled_artillery"), ("armor", "anti_tank")


@pytest.mark.parametrize(
    ("words", "sides", "units"),
    [
        ("Dive Bombers", BOTH, FOOT),
        ("takes terrain's addition off", BOTH, FOOT[3:]),
        ("counts into clear terrain", BOTH, TANKS),
        ("chance of its replacement", GERMANS, TANKS),
        ("is the first loss", BOTH, GUNS),
        ("may deploy after its move", GERMANS, GUNS),
        ("is not replaced", GERMANS, GUNS),
        ("surprise attack", BOTH, GUNS),
        ("no part in a breakthrough", BOTH, GUNS),
        ("it alone may start an overrun", GERMANS, GUNS[1:]),
        ("Case 6.2 allows", SOVIETS, GUNS),
        ("half its strength", SOVIETS, GUNS),
        ("under fire of adjacent Soviets", SOVIETS, GUNS),
        ("in one hex only, and not while it is face down", SOVIETS, ("flak",)),
        ("as often as you like", GERMANS, ("flak",)),
        ("doubled where the Air Points attack its own hex", BOTH, ("flak",)),
        ("bombards if it has a printed range", BOTH, ("flak",)),
        ("Case 6.21", BOTH, ("militia",)),
        ("strategic withdrawal", BOTH, ("militia",)),
        ("Case 12.2", BOTH, ("worker",)),
    ],
)
def test_what_else_its_entry_says(words, sides, units):
    pairs = [(side, unit) for side in BOTH for unit in UNITS]
    matching = {pair for pair in pairs if words in " ".join(ask("unit", side=pair[0], unit=pair[1]).effects)}
    assert matching == {(side, unit) for side in sides for unit in units}


@pytest.mark.parametrize(
    ("fields", "outcome", "drm"),
    [
        ({"event": "overrun", "sole": True}, "eliminated", 0),
        ({"event": "overrun"}, "not_automatic", 0),
        ({"event": "out_of_supply"}, "eliminated", 0),
        ({"event": "out_of_supply", "with_non_militia": True}, "stays", 0),
        ({"event": "collapse", "with_non_militia": True}, "eliminated", 0),
        ({"event": "ground_attack", "sole": True}, "modifier", -1),
        ({"event": "ground_attack"}, "modifier", 0),
    ],
)
def test_what_becomes_of_militia(fields, outcome, drm):
    result = ask("militia", **fields)
    assert (result.outcome.value, result.details["attack_type_drm"]) == (outcome, drm)


@pytest.mark.parametrize(("sole", "words"), [(True, "-1 on the attack-type die"), (False, "nothing changes")])
def test_what_militia_does_to_the_attack_type_is_said_first(sole, words):
    assert words in ask("militia", event="ground_attack", sole=sole).headline


def test_the_attack_types_of_an_owner_are_told_one_lower():
    data = chartbooks.shipped_data(GAME)
    types = {**data["charts"]["attack_types"], "bands": [["0-1", "assault"], ["2-5", "probe"], ["6", ""]]}
    book, problems = read_book(
        {**data, "charts": {**data["charts"], "attack_types": types}}, registry.games()[GAME].chart_specs
    )
    assert problems == []
    effects = ask("militia", book=book, event="ground_attack", sole=True).effects
    assert effects == ("On a 1: assault.", "On a 2: assault.", *(f"On a {face}: probe." for face in (3, 4, 5, 6)))
    assert ask("militia", event="ground_attack", sole=True).effects == ()
