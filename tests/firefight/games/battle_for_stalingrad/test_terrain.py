"""The Terrain Effects Chart (3.21) and what it makes of one Fire Strength (3.23)."""

import pytest

from tests.oracles import battle_for_stalingrad as oracle

from . import ask, details


@pytest.mark.parametrize("terrain", oracle.TERRAIN)
@pytest.mark.parametrize("occupant", ["soviet", "german"])
def test_every_row_of_the_chart(terrain, occupant):
    row = details("terrain", terrain=terrain, occupant=occupant)
    assert row == oracle.terrain({"terrain": terrain, "occupant": occupant})


def test_what_it_costs_a_german_unit_to_enter():
    costs = {terrain: details("terrain", terrain=terrain)["german_cost"] for terrain in oracle.TERRAIN}
    assert costs == {
        "clear": 0.5, "light": 1, "heavy": 2, "fortified": 4, "special": 2, "hill": 1, "woods": 2, "park": 1
    }  # fmt: skip
    for terrain in oracle.TERRAIN:
        assert details("terrain", terrain=terrain, road=True)["german_cost"] == 0.5
        assert details("terrain", terrain=terrain, across_river=True)["german_cost"] == costs[terrain] + 1
        assert details("terrain", terrain=terrain, road=True, across_river=True)["german_cost"] == costs[terrain] + 1
        assert details("terrain", terrain=terrain)["soviet_cost"] == 1


@pytest.mark.parametrize(
    ("road", "across_river", "why"),
    [
        (False, False, "unit, 1"),
        (True, False, "unit along a road, 1"),
        (False, True, "unit across a river, 1"),
        (True, True, "unit across a river, which no road crosses, 1"),
    ],
)
def test_why_it_costs_so_much_to_enter_is_said(road, across_river, why):
    effects = ask("terrain", terrain="heavy", road=road, across_river=across_river).effects
    assert any(f"MP for a German {why}" in words for words in effects)


def test_zones_of_control_reach_into_clear_hill_and_park():
    reached = {terrain for terrain in oracle.TERRAIN if details("terrain", terrain=terrain)["zoc"]}
    assert reached == {"clear", "hill", "park"}


def test_the_bank_of_the_volga_and_mamayev_kurgan_are_fortified():
    bank = details("terrain", terrain="clear", volga_bank=True)
    assert (bank["terrain"], bank["stacking_limit"], bank["german_cost"]) == ("fortified", 2, 4)
    hill = details("terrain", terrain="hill", hex="1726")
    assert (hill["terrain"], hill["stacking_limit"], hill["soviet_defence"]["factor"]) == ("fortified", None, 3)
    assert details("terrain", terrain="hill", hex="1725")["terrain"] == "hill"


def test_an_engineer_takes_the_addition_off_offensive_fire_alone():
    for fire, addition in (("offensive", 0), ("bombardment", 2), ("air", 2)):
        assert details("terrain", terrain="heavy", fire=fire, engineer=True)["die_addition"] == addition
    assert details("terrain", terrain="special", engineer=True)["die_addition"] == 0
    assert details("terrain", terrain="special")["die_addition"] is None


def test_artillery_next_to_the_hex_is_spared_both_columns():
    near = details("terrain", terrain="fortified", fire="bombardment", adjacent=True)
    assert (near["bombard_factor"], near["die_addition"]) == (1, 0)
    assert details("terrain", terrain="fortified", fire="air", adjacent=True)["bombard_factor"] == 0.25
    attacked = ask("terrain", terrain="heavy", adjacent=True)
    assert attacked.details["die_addition"] == 2, "others fire in a ground attack, too (BR-03)"
    assert any("if nobody but guns next to it fires" in effect for effect in attacked.effects)


def test_soviet_artillery_that_fires_indirectly_gains_nothing_from_its_hex():
    assert details("terrain", terrain="fortified", indirect_artillery=True)["soviet_defence"] == {"factor": 1, "die": 0}


def test_a_terrain_card_hands_its_terrain_to_the_combat_which_comes_to_the_same():
    for fire in ("offensive", "bombardment", "air"):
        card = ask("terrain", terrain="clear", hex="1726", occupant="german", fire=fire, adjacent=True)
        (step,) = card.follow_ups
        assert step.helper == "combat"
        assert (step.inputs["terrain"], step.inputs["occupant"], step.inputs["drm"]) == ("fortified", "german", 0)
        result = ask("combat", **step.inputs, strength=20, dice={"die": 1})
        assert sum(modifier.value for modifier in result.modifiers) == card.details["die_addition"]
        if fire != "offensive":
            assert result.details["total"] == 20 * card.details["bombard_factor"]


@pytest.mark.parametrize(
    ("fields", "factors"),
    [
        (
            {"arm": "direct", "terrain": "fortified", "target": "only", "depot_lost": True, "side": "soviet"},
            (1, 1, 1, 1),
        ),
        ({"arm": "artillery", "terrain": "heavy"}, (0.5, 1, 1, 1)),
        ({"arm": "artillery", "terrain": "fortified", "occupant": "german"}, (0.5, 1, 1, 1)),
        ({"arm": "artillery", "terrain": "fortified", "target": "mixed"}, (0.25, 0.5, 1, 1)),
        ({"arm": "artillery", "terrain": "fortified", "target": "only", "adjacent": True}, (1, 0.25, 1, 1)),
        ({"arm": "artillery", "side": "soviet", "depot_lost": True}, (1, 1, 0.5, 1)),
        ({"arm": "artillery", "side": "german", "depot_lost": True}, (1, 1, 1, 1)),
        ({"arm": "air", "terrain": "fortified", "target": "only", "adjacent": True}, (0.25, 1, 1, 1)),
        ({"arm": "flak", "terrain": "heavy", "air_on_own_hex": True}, (1, 1, 1, 2)),
    ],
)
def test_the_factors_of_a_fire_strength(fields, factors):
    card = details("fire-strength", strength=16, **fields)
    assert tuple(card[f"{name}_factor"] for name in ("terrain", "armor", "depot", "flak")) == factors
    product = factors[0] * factors[1] * factors[2] * factors[3]
    assert (card["factor"], card["strength"]) == (product, 16 * product)


def test_a_fire_strength_is_whole_or_a_fraction_and_without_one_its_factors_are_told():
    guns = {"arm": "artillery", "terrain": "fortified", "target": "mixed"}
    assert ask("fire-strength", **guns).outcome.value == "factors"
    assert details("fire-strength", **guns)["strength"] is None
    broken = ask("fire-strength", **guns, strength=10)
    assert (broken.outcome.value, broken.details["strength"], broken.follow_ups) == ("fraction", 1.25, ())
    assert broken.details["readings"] == [{"only": "terrain", "strength": 2.5}, {"only": "armor", "strength": 5}]
    assert any("2½ by terrain alone or 5 by armor alone" in effect for effect in broken.effects)
    whole = ask("fire-strength", **guns, strength=16)
    assert whole.outcome.value == "whole" and whole.follow_ups[0].inputs["strength"] == 2


@pytest.mark.parametrize("arm", ["direct", "artillery", "air", "flak"])
@pytest.mark.parametrize("terrain", ["clear", "woods", "heavy", "fortified"])
def test_a_whole_strength_goes_on_to_combat_with_nothing_counted_twice(arm, terrain):
    card = ask("fire-strength", arm=arm, terrain=terrain, strength=16)
    (step,) = card.follow_ups
    fought = ask("combat", **step.inputs, dice={"die": 1})
    assert fought.details["total"] == card.details["strength"]
    addition = 0 if arm == "flak" else oracle.TERRAIN[terrain][3][0]
    assert sum(modifier.value for modifier in fought.modifiers) == addition


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("second Fire Strength", {"arm": "direct", "side": "german", "terrain": "heavy"}),
        ("changes no strength of direct fire", {"arm": "direct"}),
        ("of mortars see Case 6.5", {"arm": "artillery", "adjacent": True}),
        ("Case 6.2 allows", {"arm": "artillery", "side": "soviet"}),
        ("under fire of adjacent Soviets", {"arm": "artillery", "side": "soviet"}),
        ("others see Case 5.43", {"arm": "air", "terrain": "heavy"}),
        ("Soviet flak fires at Air Points in one hex only", {"arm": "flak", "side": "soviet"}),
        ("German flak fires at Air Points as often as you like", {"arm": "flak", "side": "german"}),
    ],
)
def test_what_the_sheet_says_of_such_fire_and_of_no_other(words, fields):
    for arm in ("direct", "artillery", "air", "flak"):
        for side in ("german", "soviet"):
            for terrain in ("clear", "heavy"):
                for adjacent in (False, True):
                    inputs = {"arm": arm, "side": side, "terrain": terrain, "adjacent": adjacent}
                    effects = " ".join(ask("fire-strength", **inputs).effects)
                    assert (words in effects) is (fields.items() <= inputs.items()), inputs


def test_what_a_special_structure_adds_is_said_to_be_given_in_combat_to_who_is_not_spared_it():
    def is_said(**fields):
        return any("14.41" in words for words in ask("fire-strength", terrain="special", **fields).effects)

    assert is_said(arm="artillery") and is_said(arm="air") and is_said(arm="air", adjacent=True)
    assert not is_said(arm="artillery", adjacent=True) and not is_said(arm="flak") and not is_said(arm="direct")


def test_an_engineer_is_told_of_in_offensive_fire_alone():
    for fire in ("offensive", "bombardment", "air"):
        for engineer in (False, True):
            fields = {"terrain": "heavy", "fire": fire, **({"engineer": True} if engineer else {})}
            effects = " ".join(ask("terrain", **fields).effects)
            assert ("An engineer takes part." in effects) is (engineer and fire == "offensive")
