"""Attacks and fire in defence: each line of 9.71 and 9.72 alone, many at once, and what comes after."""

import random
from dataclasses import replace

import pytest

from firefight.engine.errors import BadInput, MissingChart
from firefight.games.streets_of_stalingrad.rules.losses import Cause, Retreat, Struck, find_retreat
from firefight.games.streets_of_stalingrad.rules.terms import Terrain

from . import BOOK, ask, problems

# Lines of 9.71 about one attack, each by itself: its inputs, and what it adds.
ATTACK_LINES = [
    ({"spotting": -1}, -1),
    ({"spotting": 3}, 3),
    ({"integrity": 2}, 2),
    ({"firer": "soviet", "out_of_supply": 3}, 3),
    ({"firer": "soviet", "from_volga": "on"}, 1),
    ({"firer": "soviet", "nkvd": "on"}, 1),
    ({"target_armored": "on"}, 1),
    ({"target_armored": "on", "underlined_af": "on"}, 0),
    ({"on_enemy_minefield": "on"}, 1),
    ({"fortification": "on"}, 1),
    ({"fortification": "on", "target_all_armored": "on"}, 0),
    ({"leader_in_target": "on"}, 1),
    ({"pavlov_house_target": "on"}, 2),
    ({"leader_in_target": "on", "pavlov_house_target": "on"}, 2),
    ({"adjacent_leader": "on"}, 1),
    ({"leader_in_target": "on", "adjacent_leader": "on"}, 2),
    ({"terrain_drm": 4}, 4),
    ({"terrain_drm": -2}, -2),
    ({"assault_advantage": "on"}, -1),
    ({"engineers": "on"}, 0),
    ({"engineers": "on", "fortification": "on"}, 0),
    ({"armor_with_infantry": "on"}, -1),
    ({"leaders": 2}, -2),
    ({"firer": "soviet", "pavlov_house_attacker": "on"}, -2),
    ({"if_with_direct": "on"}, -1),
    ({"only_indirect_left": "on", "if_with_direct": "on", "spotting": -1}, 0),
    ({"only_indirect_left": "on", "spotting": 3}, 3),
    ({"other_drm": -7}, -7),
]


def attack(die=5, **fields):
    return ask("attack", **{"points": 20, "terrain_drm": 0, "die": die, **fields})


def test_each_line_of_an_attack_counts_alone():
    for fields, drm in ATTACK_LINES:
        result = attack(**fields)
        assert result.modified == 5 + drm, fields
        assert sum(line.value for line in result.modifiers) == drm and all(line.rule for line in result.modifiers)


def test_engineers_count_where_there_is_something_to_blow_up():
    counts = {terrain.value: attack(terrain=terrain, engineers="on").modified == 4 for terrain in Terrain}
    assert {name for name, holds in counts.items() if holds} == {
        *("suburb", "city", "industrial", "fortified", "strong_point")
    }


def test_from_26_september_soviets_need_no_underlined_af_next_to_armour_in_built_up_hexes():
    common = {"firer": "soviet", "target_armored": "on", "terrain": "city"}
    for date, more, drm in (
        ("1942-09-25", {}, 1),
        ("1942-09-26", {}, 0),
        ("1942-09-26", {"not_adjacent": "on"}, 1),
        ("1942-09-26", {"terrain": "suburb"}, 1),
        ("1942-09-26", {"terrain": "industrial"}, 0),
        ("1942-11-18", {"terrain": "fortified"}, 0),
        ("1942-11-18", {"firer": "german"}, 1),
    ):
        assert attack(date=date, **{**common, **more}).modified == 5 + drm, (date, more)
        fields = {"points": 20, "die": 5, "date": date, **common, **more}
        assert ask("defensive-fire", **fields).modified == 5 + drm, (date, more)
    fire = {"points": 20, "die": 5, "date": "1942-09-26", "kind": "opportunity", **common}
    assert (ask("defensive-fire", **fire).modified, ask("defensive-fire", **fire, waiver="opportunity").modified) == (
        6,
        5,
    )


# What each input adds by itself, and on what terms; counted apart from the rules' own code.
def count_by_hand(fields):
    on = {name for name, value in fields.items() if value == "on"}
    built_up = fields["terrain"] in ("city", "industrial", "fortified")
    total = max(0, fields["spotting"]) if "only_indirect_left" in on else fields["spotting"]
    total += (
        fields["integrity"] + fields["out_of_supply"] + fields["terrain_drm"] + fields["other_drm"] - fields["leaders"]
    )
    total += len(on & {"from_volga", "nkvd", "on_enemy_minefield", "adjacent_leader"})
    total -= len(on & {"assault_advantage", "armor_with_infantry"}) + 2 * len(on & {"pavlov_house_attacker"})
    total += 2 if "pavlov_house_target" in on else len(on & {"leader_in_target"})
    total += "fortification" in on and "target_all_armored" not in on
    waived = fields["firer"] == "soviet" and fields["date"] > "1942-09-25" and built_up and "not_adjacent" not in on
    total += "target_armored" in on and "underlined_af" not in on and not waived
    helped = built_up or fields["terrain"] in ("suburb", "strong_point") or "fortification" in on
    total -= "engineers" in on and helped
    total -= "if_with_direct" in on and "only_indirect_left" not in on
    return total


TICKS = (
    *("from_volga", "nkvd", "target_armored", "underlined_af", "not_adjacent", "on_enemy_minefield", "fortification"),
    *("target_all_armored", "leader_in_target", "pavlov_house_target", "adjacent_leader", "assault_advantage"),
    *("engineers", "armor_with_infantry", "pavlov_house_attacker", "if_with_direct", "only_indirect_left"),
)


def test_many_lines_at_once_add_up_as_by_hand():
    rng = random.Random("attacks")
    for _ in range(400):
        fields = {name: rng.choice(["on", ""]) for name in TICKS}
        fields |= {
            "firer": rng.choice(["german", "soviet"]),
            "terrain": rng.choice([*Terrain]).value,
            "date": rng.choice(["1942-09-13", "1942-09-25", "1942-09-26", "1942-11-18"]),
            "spotting": rng.randint(-2, 4),
            "integrity": rng.randint(-5, 5),
            "out_of_supply": rng.randint(0, 9),
            "terrain_drm": rng.randint(-9, 9),
            "leaders": rng.randint(0, 6),
            "other_drm": rng.randint(-9, 9),
        }
        die = rng.randint(1, 10)
        assert attack(die, **fields).modified == die + count_by_hand(fields), fields


def test_close_assault_shifts_one_column_and_the_last_one_stays():
    shifted = {15: "20-29", 3: "4", 2: "3", 49: "50+", 50: "50+", 400: "50+"}
    assert {points: attack(points=points, close_assault="on").details["column"] for points in shifted} == shifted
    assert attack(points=49).details["column"] == "30-49"
    left = attack(points=15, close_assault="on", only_indirect_left="on")
    assert left.details["column"] == "10-19"
    defence = ask("defensive-fire", points=3, close_assault="on", die=5)
    assert defence.details["column"] == "4"


def test_the_bonus_of_9_67_is_asked_for_twice():
    def columns(**fields):
        result = ask("close-assault", **{"attack_points": 15, "defence_points": 3, **fields})
        return result.outcome.value, result.details["defence_column"], result.details["attack_column"]

    assert columns(eligible_before="on", eligible_after="on") == ("allowed", "4", "20-29")
    assert columns(eligible_before="on") == ("allowed", "4", "10-19")
    assert columns(eligible_after="on") == ("refused", None, None)
    assert columns(eligible_before="on", eligible_after="on", defence_points=0) == ("allowed", None, "20-29")
    assert columns(eligible_before="on", eligible_after="on", attack_points=50) == ("allowed", "4", "50+")
    steps = ask("close-assault", attack_points=15, defence_points=3, eligible_before="on").follow_ups
    assert [(step.helper, step.inputs["points"], step.inputs["close_assault"]) for step in steps] == [
        ("defensive-fire", 3, True),
        ("attack", 15, False),
    ]


def test_a_terrain_that_nobody_told_is_asked_of_the_chart():
    with pytest.raises(MissingChart) as lacking:
        ask("attack", points=20, terrain="forest", die=5)
    assert lacking.value.blanks == (("terrain", "forest"),)
    terrain = replace(BOOK["terrain"], values={**BOOK["terrain"].values, "forest": 2})
    book = replace(BOOK, charts={**BOOK.charts, "terrain": terrain})
    assert ask("attack", book=book, points=20, terrain="forest", die=5).modified == 7
    assert ask("attack", book=book, points=20, terrain="forest", terrain_drm=1, die=5).modified == 6


def test_points_have_to_be_there():
    for slug in ("attack", "defensive-fire", "bombardment"):
        with pytest.raises(BadInput) as refused:
            ask(slug)
        assert list(refused.value.problems) == ["points"]
        assert "points" in problems(slug, points=0) and "points" in problems(slug, points=401)


def test_the_sum_and_the_column_are_told_before_the_die():
    preview = ask("attack", points=20, terrain_drm=2, spotting=-1)
    assert preview.needs == ("die",) and preview.details == {"column": "20-29"}
    assert [line.value for line in preview.modifiers] == [-1, 2]
    assert "column 20-29, die +1 (Spotting -1, Terrain: Clear +2)" in preview.headline
    assert "die as it falls" in ask("attack", points=20, terrain_drm=0).headline


def test_a_d_and_a_p_ask_for_what_follows():
    hit = attack(die=3, terrain="city", leader_in_target="on", target_armored="on", other_drm=-1)
    assert hit.details["result"] == "D1P" and hit.details["marker"] == "spent" and hit.details["retreat"] == "no"
    assert [step.helper for step in hit.follow_ups] == ["losses", "leader-survival", "tank"]
    leader, tank = hit.follow_ups[1:3]
    assert leader.inputs == {"side": "soviet", "units_eliminated": 1, "turn": 1}
    assert tank.inputs == {"event": "eliminated", "terrain": "city", "date": "1942-09-13"}
    assert attack(die=10).follow_ups == ()


def test_an_empty_hex_may_be_taken_and_taken_back():
    emptied = attack(die=1, points=50, other_drm=-5, leader_in_target="on", combat_units=3)
    assert emptied.details | {} == {**emptied.details, "result": "DE", "eliminated": "all", "lost": 3}
    assert [step.helper for step in emptied.follow_ups] == [
        *("losses", "leader-survival", "advance", "may-counter-attack")
    ]
    assert emptied.follow_ups[1].inputs["units_eliminated"] == 3  # as many as were lost (ruling A40)
    assert emptied.follow_ups[-1].inputs == {"side": "soviet"}
    last = attack(die=2, combat_units=1)  # D1 of one
    assert last.details["lost"] == 1 and last.follow_ups[-1].helper == "may-counter-attack"
    assert attack(die=2, combat_units=2).follow_ups[-1].helper == "losses"


def test_tanks_that_fire_alone_only_mark_where_the_note_is_kept():
    deleted = attack(die=2, tanks_alone="on", combat_units=2)
    noted = attack(die=2, tanks_alone="on", tank_note="kept", combat_units=2)
    assert (deleted.details["eliminated"], deleted.details["marker"], deleted.details["lost"]) == (1, None, 1)
    assert (noted.details["eliminated"], noted.details["marker"], noted.details["lost"]) == (0, "pinned", 0)
    assert attack(die=2, tank_note="kept").details["eliminated"] == 1
    assert [step.helper for step in noted.follow_ups] == []


# Fire in defence

FIRE_LINES = [
    ({"spotting": 4}, 4),
    ({"integrity": -1}, -1),
    ({"out_of_supply": 2}, 2),
    ({"nkvd": "on"}, 1),
    ({"target_armored": "on"}, 1),
    ({"target_armored": "on", "underlined_af": "on"}, 0),
    ({"spent": "on"}, 1),
    ({"pinned": "on"}, 1),
    ({"spent": "on", "pinned": "on"}, 1),
    ({"leader_in_target": "on"}, 1),
    ({"pavlov_house_target": "on"}, 2),
    ({"pavlov_house_target": "on", "pavlov": "attacks"}, 1),
    ({"soviet_target_on_volga": "on"}, -1),
    ({"soviet_target_on_volga": "on", "target_only_river_flotilla": "on"}, 0),
    ({"leader_with_firers": "on"}, -1),
    ({"pavlov_house_firers": "on"}, -2),
    ({"pavlov_house_firers": "on", "pavlov": "attacks"}, -1),
    ({"sniper": 1}, -1),
    ({"sniper": 2}, -2),
    ({"target_on_minefield": "on"}, -1),
    ({"other_drm": 5}, 5),
]


def test_each_line_of_fire_in_defence_counts_alone():
    for fields, drm in FIRE_LINES:
        for kind in ("defensive", "opportunity"):
            if kind == "opportunity" and "pinned" in fields:
                continue
            result = ask("defensive-fire", points=12, die=5, kind=kind, **fields)
            assert result.modified == 5 + drm, fields
            assert "retreat" not in result.details


def test_terrain_counts_for_nothing_in_defence_but_the_marker():
    for terrain in Terrain:
        result = ask("defensive-fire", points=12, die=4, terrain=terrain)
        assert (result.modified, result.details["marker"]) == (4, "spent" if terrain.is_built_up else "pinned")


def test_pinned_and_spent_units_fire_at_the_next_hex_alone_and_pinned_ones_never_at_movers():
    def refused(**fields):
        with pytest.raises(BadInput) as error:
            ask("defensive-fire", points=9, die=5, **fields)
        return list(error.value.problems)

    assert refused(kind="opportunity", pinned="on") == ["pinned"]
    assert refused(spent="on", not_adjacent="on") == refused(pinned="on", not_adjacent="on") == ["not_adjacent"]
    assert ask("defensive-fire", points=9, die=5, kind="opportunity", spent="on", not_adjacent="on").modified == 6
    assert ask("defensive-fire", points=9, die=5, not_adjacent="on").modified == 5


def test_losses_by_fire_in_defence_ask_for_the_leader_with_the_sniper():
    hit = ask("defensive-fire", points=30, die=1, firer="soviet", sniper=2, leader_in_target="on", combat_units=2)
    assert hit.details["result"] == "D2" and hit.details["lost"] == 2
    losses, leader = hit.follow_ups
    assert losses.inputs["fire"] == "defensive"
    assert leader.inputs == {"side": "german", "units_eliminated": 2, "turn": 1, "sniper": 2}
    shot = ask("defensive-fire", points=30, die=8, kind="opportunity", terrain="volga")
    assert shot.details["result"] == "P" and shot.follow_ups == ()
    box = next(effect for effect in shot.effects if "East Bank box" in effect)
    p_result = ask("p-result", terrain="volga", fire="opportunity")
    assert p_result.details["to_box"] is True and box in p_result.effects


# Who is lost, who retreats


def lose_by_hand(result, combat_units, immobilized):
    """One after the other: tanks under a P, then that many of the rest."""
    units = ["unit"] * combat_units + ["tank"] * immobilized
    if result.endswith("P"):
        units = [unit for unit in units if unit != "tank"]
    takes = len(units) if result == "DE" else int(result[1]) if result.startswith("D") else 0
    return combat_units + immobilized - len(units[takes:])


ELIMINATED = {"-": 0, "P": 0, "D1P": 1, "D1": 1, "D2": 2, "D3": 3, "DE": "all"}


def test_losses_are_as_counted_one_by_one():
    for result, eliminated in ELIMINATED.items():
        for combat_units in range(6):
            for immobilized in range(4):
                details = ask("losses", result=result, combat_units=combat_units, immobilized=immobilized).details
                assert details["lost"] == lose_by_hand(result, combat_units, immobilized), (result, combat_units)
                assert details["eliminated"] == eliminated
                assert details["p"] is result.endswith("P")
    assert ask("losses", result="D1P", combat_units=2, immobilized=1).details["lost"] == 2  # 16.37
    assert ask("losses", result="D1P", immobilized=1).details["lost"] == 1
    assert ask("losses", result="D3", combat_units=3).details["lost"] == 3  # one Guards, two flotilla (16.54)


def test_who_goes_first_is_told():
    def effects(**fields):
        return " ".join(ask("losses", result="D1", combat_units=3, **fields).effects)

    assert "snipers last" in effects()
    assert "Engineers or flame-throwers" in effects(fire="defensive", engineers="on")
    assert "Armour goes first" in effects(fire="defensive", armor="on")
    assert "the attacker says which" in effects(fire="defensive", engineers="on", armor="on")
    assert "Who moves" in effects(fire="opportunity")
    assert "Minefields first" in effects(fire="bombard")
    assert "Observers" in " ".join(ask("losses", result="DE", combat_units=2).effects)


CLEAR = ("clear", "tartar_wall", "railroad", "road", "hill_top", "slope", "cemetery")
COVER = ("balka", "cliff", "forest", "suburb", "village")
BUILT_UP = ("city", "industrial", "fortified")


def retreat_by_hand(terrain, adjacent, fortification, nkvd, leader):
    if not adjacent or terrain == "volga":
        return "no"
    if nkvd:
        return "choice" if leader and terrain not in CLEAR else "must"
    if terrain in CLEAR:
        return "choice" if fortification else "must"
    return "choice" if terrain in COVER else "no"


def test_who_retreats_under_a_p_in_every_case():
    for terrain in Terrain:
        for flags in range(16):
            adjacent, fortification, nkvd, leader = (bool(flags & bit) for bit in (1, 2, 4, 8))
            expected = retreat_by_hand(terrain.value, adjacent, fortification, nkvd, leader)
            struck = Struck(terrain, Cause.ATTACK, adjacent, fortification, nkvd, leader)
            assert find_retreat(struck).value == expected, (terrain, flags)
            for cause in (Cause.DEFENSIVE, Cause.OPPORTUNITY, Cause.BOMBARD):
                assert find_retreat(replace(struck, cause=cause)) is Retreat.NO
            outcome = ask("p-result", **struck.plain())
            assert outcome.details == {
                "marker": "spent" if terrain.value in BUILT_UP else "pinned",
                "retreat": expected,
                "to_box": terrain is Terrain.VOLGA,
            }
    forest = {"terrain": "forest", "adjacent_infantry": "on"}
    effects = {choice: ask("p-result", **forest, choice=choice).effects for choice in ("", "retreat", "stay")}
    assert [["(9.87)" in words[0], "(9.88, " in words[0]] for words in effects.values()] == [[0, 1], [1, 0], [0, 0]]
    strong = {"terrain": "strong_point", "adjacent_infantry": "on"}
    assert ask("p-result", **strong).outcome == "stays"
    assert ask("p-result", **strong, strong_point="choice").outcome == "may_retreat"


def test_an_attack_says_who_retreats_as_a_p_does():
    for fields, retreat in (
        ({}, "no"),
        ({"adjacent_infantry": "on"}, "must"),
        ({"adjacent_infantry": "on", "only_indirect_left": "on"}, "no"),
        ({"adjacent_infantry": "on", "terrain": "forest"}, "choice"),
        ({"adjacent_infantry": "on", "terrain": "city", "target_nkvd": "on"}, "must"),
        ({"adjacent_infantry": "on", "terrain": "city", "target_nkvd": "on", "pavlov_house_target": "on"}, "choice"),
    ):
        result = attack(die=5, other_drm=-2 * ("pavlov_house_target" in fields), **fields)
        assert result.details["result"] == "P" and result.details["retreat"] == retreat
    assert attack(die=2).details["retreat"] is None


# Integrity and advantage


def test_integrity_adds_up_for_attack_and_for_fire():
    lines = {
        "same_battalion": (-1, -1),
        "mixed_battalions": (1, 0),
        "same_regiment": (-1, 0),
        "mixed_regiments": (1, 0),
        "defenders_mixed": (-1, 0),
        "mixed_divisions": (1, 0),
        "armor_pair": (0, -1),
        "armor_battalion": (0, 0),
        "defenders_clear": (0, 0),
    }
    for name, sums in lines.items():
        details = ask("integrity", **{name: "on"}).details
        assert (details["attack"], details["fire"]) == sums, name
    assert ask("integrity", armor_battalion="on", defenders_clear="on").details == {"attack": -1, "fire": 0}
    everything = ask("integrity", **dict.fromkeys(lines, "on")).details
    assert everything == {"attack": -1, "fire": -2}


def test_mues_wipes_out_the_plus_numbers():
    mixed = {"mixed_battalions": "on", "mixed_regiments": "on", "mixed_divisions": "on"}
    alone = ask("integrity", **mixed)
    assert alone.details["attack"] == 3 and "ruling A19" in " ".join(alone.effects)
    led = ask("integrity", **mixed, leader_of_formation="on")
    assert led.details["attack"] == 0
    assert attack(**{"integrity": 0, "leaders": 1}).modified == 4
    both = ask("integrity", **mixed, same_battalion="on", leader_of_formation="on")
    assert both.details["attack"] == -1
    assert [(step.helper, step.inputs) for step in alone.follow_ups] == [
        ("attack", {"integrity": 3}),
        ("defensive-fire", {"integrity": 0}),
    ]


def test_assault_advantage_needs_three_sides_two_of_them_opposite_and_no_way_out():
    for number in range(64):
        sides = [side for side in range(6) if number & 1 << side]
        has = len(sides) > 2 and any({side, side + 3} <= set(sides) for side in range(3))
        fields = {"attack_sides": ",".join(map(str, sides))}
        assert ask("assault-advantage", **fields, surrounded="on").details["advantage"] is has, sides
        assert ask("assault-advantage", **fields).outcome == "no"
    assert ask("assault-advantage", attack_sides="0,0,3", surrounded="on").outcome == "no"
