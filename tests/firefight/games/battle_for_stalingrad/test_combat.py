"""The Combat Results Table (3.22): every cell, every column's ends, how a total comes about, and its odds."""

import pytest

from firefight.engine.errors import BadInput, MissingChart
from firefight.games import chartbooks, registry
from tests.oracles import battle_for_stalingrad as oracle
from tests.oracles.odds import brute, same_odds

from . import GAME, ask, helper_of, read

ENDS = [*oracle.STARTS, *(start - 1 for start in oracle.STARTS[1:]), 999]
ARTILLERY = {"strength": 10, "factor": "0.5"}


def refused(**fields):
    with pytest.raises(BadInput) as caught:
        ask("combat", **fields)
    return caught.value.problems


def test_every_column_at_both_ends_in_every_row():
    for strength in ENDS:
        for row in range(10):
            details = ask("combat", strength=strength, drm=row - 1, dice={"die": 1}).details
            assert (details["column"], details["row"]) == (oracle.column_of(strength), row)
            assert details["losses"] == oracle.losses_at(strength, row)


def test_the_table_has_eighteen_columns_without_a_gap_and_ten_rows():
    crt = chartbooks.shipped(GAME)["crt"]
    assert list(crt.columns) == [oracle.column_of(start) for start in oracle.STARTS]
    assert list(crt.rows) == [str(row) for row in range(10)]


@pytest.mark.parametrize(("drm", "row"), [(-20, 0), (-1, 0), (-2, 0), (8, 9), (20, 9)])
def test_a_die_beyond_the_table_reads_its_last_row(drm, row):
    assert ask("combat", strength=12, drm=drm, dice={"die": 1}).details["row"] == row


def test_a_dash_is_no_effect_and_an_anti_air_attack_takes_air_points():
    assert ask("combat", strength=1, dice={"die": 6}).outcome.value == "no_effect"
    result = ask("combat", kind="anti_air", strength=30, dice={"die": 1})
    assert result.details["lost"] == "Air Points" and result.headline.endswith("6 Air Points lost.")
    assert ask("combat", strength=2, dice={"die": 1}).headline.endswith("1 enemy unit eliminated.")


def test_each_kind_of_fire_goes_by_the_one_table():
    for kind in ("ground_attack", "overrun", "instant_counterattack", "bombardment", "air_attack", "anti_air"):
        assert ask("combat", kind=kind, strength=20, dice={"die": 3}).details["losses"] == 3


def test_a_bombardment_into_a_fortified_hex_with_armor_among_others_asks_how_to_round():
    fields = {"kind": "bombardment", "terrain": "fortified", "occupant": "soviet", "firers": [ARTILLERY]}
    problems = refused(**fields)
    assert problems == {"rounding": "Fire Strength 10 × ½ × ¼ = 1¼. Is that 1 or 2? The charts have no rule for it."}
    for rounding, total in (("down", 1), ("up", 2), ("nearest", 1)):
        result = ask("combat", **fields, rounding=rounding, dice={"die": 1})
        assert (result.details["exact"], result.details["total"]) == (1.25, total)
        assert result.modified == 4 and result.effects[0].startswith("Fire Strength 10 × ½ × ¼ = 1¼, rounded ")


def test_what_is_whole_is_not_rounded_and_what_is_below_one_has_no_column():
    assert ask("combat", strength=12, rounding="ask", dice={"die": 1}).details["total"] == 12
    assert set(refused(firers=[{"strength": 1, "factor": "0.25"}])) == {"rounding"}
    assert "below 1" in refused(firers=[{"strength": 1, "factor": "0.25"}], rounding="down")["firers"]
    assert (
        ask("combat", firers=[{"strength": 1, "factor": "0.25"}], rounding="up", dice={"die": 1}).details["total"] == 1
    )
    assert set(refused()) == {"strength"}


def test_every_term_of_a_sum_is_told():
    rows = [{"strength": 6, "factor": "1"}, {"strength": 3, "factor": "2"}, {"strength": 5, "factor": "3"}]
    result = ask("combat", firers=rows, strength=4, dice={"die": 1})
    assert result.effects[0] == "Fire Strength 4 + 6 + 3 × 2 + 5 × 3 = 31."


@pytest.mark.parametrize("terrain", sorted(oracle.TERRAIN.keys() - {"special"}))
@pytest.mark.parametrize("occupant", ["soviet", "german"])
def test_terrain_adds_to_the_die_of_ground_attacks_bombardments_and_air_attacks_alone(terrain, occupant):
    fields = {"terrain": terrain, "occupant": occupant, "strength": 16}
    addition = oracle.TERRAIN[terrain][3][occupant == "german"]
    for kind in ("ground_attack", "bombardment", "air_attack"):
        result = ask("combat", kind=kind, **fields, dice={"die": 1})
        assert sum(modifier.value for modifier in result.modifiers) == addition
        assert result.details["total"] == 16 * (1 if kind == "ground_attack" else _factor(terrain, occupant))
    for kind in ("overrun", "instant_counterattack", "anti_air"):
        result = ask("combat", kind=kind, **fields, dice={"die": 1})
        assert not result.modifiers and result.details["total"] == 16
    engineers = ask("combat", **fields, engineer=True, dice={"die": 1})
    assert not engineers.modifiers
    assert not ask("combat", kind="bombardment", **fields, adjacent=True, dice={"die": 1}).modifiers
    bombed = ask("combat", kind="bombardment", **fields, engineer=True, dice={"die": 1})
    assert sum(modifier.value for modifier in bombed.modifiers) == addition  # note 2 is about offensive fire


def _factor(terrain, occupant):
    return oracle.TERRAIN[terrain][2][occupant == "german"] / 4


@pytest.mark.parametrize("terrain", oracle.TERRAIN)
@pytest.mark.parametrize("side", ["soviet", "german"])
def test_defensive_fire_goes_by_what_the_soviets_stand_in(terrain, side):
    factor, change = oracle.defence(terrain, side)
    rows = [{"strength": 5}, {"strength": 8, "indirect": True}]
    result = ask("combat", defence=side, terrain=terrain, firers=rows, rounding="up", dice={"die": 3})
    assert sum(modifier.value for modifier in result.modifiers) == change
    guns = 8 if side == "soviet" else 8 * factor * _factor(terrain, "soviet")  # note 3; column 4
    assert result.details["total"] == 5 * factor + guns


def test_soviet_guns_that_defend_by_indirect_fire_alone_leave_the_die_as_it_is():
    guns = [{"strength": 8, "indirect": True}]
    assert not ask("combat", defence="soviet", terrain="light", firers=guns, dice={"die": 3}).modifiers  # note 3
    for fields in ({"strength": 4, "firers": guns}, {"firers": [*guns, {"strength": 4}]}, {"strength": 4}):
        assert ask("combat", defence="soviet", terrain="light", **fields, dice={"die": 3}).modified == 2
    assert ask("combat", defence="german", terrain="light", firers=guns, dice={"die": 3}).modified == 2


def test_germans_defend_against_soviets_whoever_was_said_to_hold_the_hex():
    guns = [{"strength": 8, "indirect": True}]
    for occupant in ("soviet", "german"):
        fields = {"defence": "german", "terrain": "fortified", "occupant": occupant, "firers": guns}
        assert ask("combat", **fields, dice={"die": 3}).details["total"] == 2


def test_guns_of_a_ground_attack_are_halved_by_whoever_holds_the_hex():
    for occupant in ("soviet", "german"):
        fields = {"terrain": "fortified", "occupant": occupant, "firers": [{"strength": 8, "indirect": True}]}
        assert ask("combat", **fields, dice={"die": 3}).details["total"] == 8 * _factor("fortified", occupant)
    assert _factor("fortified", "soviet") != _factor("fortified", "german")


def test_artillery_of_a_ground_attack_is_halved_by_terrain_and_the_others_are_not():
    rows = [{"strength": 6}, {"strength": 8, "indirect": True}]
    heavy = ask("combat", terrain="heavy", firers=rows, dice={"die": 1})
    assert heavy.details["total"] == 6 + 4 and heavy.modified == 3
    near = ask("combat", terrain="heavy", firers=rows, adjacent=True, dice={"die": 1})
    assert near.details["total"] == 6 + 8 and near.modified == 3
    alone = ask("combat", terrain="heavy", firers=rows[1:], adjacent=True, dice={"die": 1})
    assert alone.details["total"] == 8 and not alone.modifiers


def test_artillery_next_to_the_hex_takes_no_terrain_off_a_ground_attack_that_is_given_as_a_total():
    guns = [{"strength": 8, "indirect": True}]
    for fields in ({"strength": 12}, {"strength": 12, "firers": guns}):
        near = ask("combat", terrain="heavy", adjacent=True, **fields, dice={"die": 1})
        assert near.modified == 3, "a total says nothing of guns: column 5 counts (BR-03)"
    assert not ask("combat", terrain="heavy", adjacent=True, firers=guns, dice={"die": 1}).modifiers


def test_a_special_structure_adds_what_only_its_owner_knows():
    with pytest.raises(MissingChart) as caught:
        ask("combat", strength=12, terrain="special", dice={"die": 1})
    assert caught.value.blanks == (("special_structures", "die_addition"),)
    assert ask("combat", strength=12, terrain="special", engineer=True, dice={"die": 1}).details["row"] == 1


@pytest.mark.parametrize("strength", [1, 2, 12, 71, 72, 400])
@pytest.mark.parametrize("drm", [-6, 0, 3])
def test_the_odds_are_those_of_all_faces_and_of_the_columns_on_either_side(strength, drm):
    helper = helper_of("combat")
    book, inputs = read("combat", {"strength": strength, "drm": drm})
    own, *others = helper.odds(book, inputs)
    assert same_odds(own, *brute(lambda dice: helper.resolve(book, inputs, dice), helper.specs(inputs)))
    place = oracle.STARTS.index(max(start for start in oracle.STARTS if start <= strength))
    around = [oracle.STARTS[at] for at in (place - 1, place + 1) if 0 <= at < len(oracle.STARTS)]
    assert [odds.subject.split(", ")[1] for odds in others] == [oracle.column_of(start) for start in around]
    for odds, start in zip(others, around, strict=True):
        book, start_inputs = read("combat", {"strength": start, "drm": drm})
        assert odds.rows == helper.all_odds(book, start_inputs)[0].rows


def test_a_result_tells_what_a_column_more_or_less_would_have_done():
    result = ask("combat", strength=12, dice={"die": 1})
    assert result.details["neighbours"] == {
        "lower": {"column": "10-11", "losses": 3},
        "higher": {"column": "15-17", "losses": 4},
    }
    assert "Column 12-14, row 1. A column lower, 10-11: 3. A column higher, 15-17: 4." in result.effects


def test_no_helper_but_combat_rolls_dice():
    rolling = [slug for slug, helper in registry.helpers(GAME).items() if helper.dice]
    assert rolling == ["combat"]
