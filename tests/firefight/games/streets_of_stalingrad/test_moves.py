"""Movement, stacking, what is seen, what a unit may do: each bound, and the examples that the text gives."""

import re
from copy import deepcopy
from itertools import product
from math import ceil

import pytest

from firefight.engine.charts.book import read_book
from firefight.engine.errors import BadInput
from firefight.games import chartbooks, registry

from . import SLUG, ask, problems

MODES = ("normal", "deployment", "exploit", "reserves", "retreat_before_combat")
NORMAL, DEPLOYMENT, EXPLOIT, RESERVES, RETREAT = MODES


def ticks(*names):
    return dict.fromkeys(names, "on")


def answer(slug, *keys, **fields):
    """The outcome, and some details."""
    result = ask(slug, **fields)
    return (result.outcome.value, *(result.details[key] for key in keys))


# Movement Points


@pytest.mark.parametrize(
    ("side", "date", "isolated", "hq_absent", "scenario"),
    list(product(("german", "soviet"), ("1942-09-13", "1942-09-14"), ("", "on"), ("", "on"), (1, 3, 4))),
)
def test_8_03_8_05_every_halving_of_every_allowance_rounds_up(side, date, isolated, hq_absent, scenario):
    soviet = side == "soviet"
    halved = bool(soviet and isolated) + bool(hq_absent) + (soviet and date == "1942-09-13" and scenario <= 3)
    for mode, printed in product(MODES, (1, 7, 8, 15, 24, 26)):
        mp = {NORMAL: printed, DEPLOYMENT: 2 * printed, RETREAT: ceil(printed / 4)}.get(mode, ceil(printed / 2))
        for _ in range(halved if mode != RETREAT else 0):
            mp = ceil(mp / 2)
        fields = {"side": side, "date": date, "isolated": isolated, "hq_absent": hq_absent, "scenario": scenario}
        details = ask("movement", printed=printed, mode=mode, stacks_before=2, **fields).details
        assert details == {"mp": mp, "volga_cost": ceil(mp / 2) + 2, "breakthru_cost": ceil(mp / 2)}, (mode, printed)


def test_8_05_8_44_8_65_10_7_the_examples():
    def detail(key, **fields):
        return ask("movement", date="1942-09-20", **fields).details[key]

    assert (detail("mp", printed=15, mode=EXPLOIT), detail("mp", printed=15, mode=RETREAT)) == (8, 4)
    assert [detail("volga_cost", side="soviet", mode=mode) for mode in (NORMAL, EXPLOIT)] == [4, 2]
    later = [detail("volga_cost", side="soviet", mode=EXPLOIT, stacks_before=number) for number in range(3)]
    assert later == [2, 3, 4]
    assert [detail("breakthru_cost", printed=24, mode=mode) for mode in (NORMAL, EXPLOIT)] == [12, 6]


def test_8_03_on_13_september_soviets_have_a_quarter_in_reserve_and_exploit():
    assert [ask("movement", side="soviet", mode=mode).details["mp"] for mode in MODES] == [4, 8, 2, 2, 2]
    assert [ask("movement", side="german", mode=mode).details["mp"] for mode in MODES] == [8, 16, 4, 4, 2]


@pytest.mark.parametrize(("friendly", "friend_there", "infiltrating"), list(product(("", "on"), repeat=3)))
def test_17_22_a_minefield_stops_unless_a_friend_stood_there(friendly, friend_there, infiltrating):
    free = bool(friendly and friend_there)
    goes_on = free or bool(infiltrating)
    answers = answer(
        "minefield",
        *("stop", "extra_mp"),
        friendly=friendly,
        friendly_unit_there=friend_there,
        infiltrating=infiltrating,
    )
    assert answers == ("goes_on" if goes_on else "stops", not goes_on, 2 if free and not infiltrating else 0)


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"combat_this_phase": 9, "combat_this_turn": 18, "leaders_this_phase": 10}, True),
        ({"combat_this_phase": 10}, False),
        ({"combat_this_phase": 9, "combat_this_turn": 19}, False),
        ({"combat_this_turn": 19}, False),
        ({"no_arrow": "on", "combat_this_phase": 1, "leaders_this_phase": 1}, True),
        ({"no_arrow": "on", "combat_this_phase": 2}, False),
        ({"no_arrow": "on", "leaders_this_phase": 2}, False),
        ({}, True),
    ],
)
def test_8_66_how_many_cross_at_one_place(fields, allowed):
    assert answer("volga", "allowed", **fields) == ("allowed" if allowed else "refused", allowed)


def test_8_66_both_limits_are_told_and_the_arrow_is_handed_on():
    result = ask("volga", combat_this_phase=10, combat_this_turn=19, arrow=8)
    assert len(result.effects) == 2 and result.details["arrow"] == 8
    assert ask("volga", no_arrow="on", arrow=8).details["arrow"] is None
    assert "arrow" in problems("volga", arrow=20)


GERMAN_BARS = ("pinned", "attacked_by_direct_fire", "opportunity_fired")
SOVIET_TICKS = ("with_house_leader", "with_or_adjacent_leader", "starts_in_zoc", "stacked_with_leader")


@pytest.mark.parametrize("number", range(16))
def test_8_31_german_reserves(number):
    on = [name for bit, name in enumerate(("within_3", *GERMAN_BARS)) if number >> bit & 1]
    allowed = on == ["within_3"]
    result = ask("reserves", **ticks(*on))
    assert result.details["allowed"] is allowed
    assert len(result.effects) == len({*on} & {*GERMAN_BARS}) + ("within_3" not in on)


@pytest.mark.parametrize("number", range(16))
def test_8_32_soviet_reserves_need_a_leader_in_a_zoc_in_their_own_hex(number):
    on = {name for bit, name in enumerate(SOVIET_TICKS) if number >> bit & 1}
    own_hex = bool(on & {"with_house_leader", "stacked_with_leader"})
    led = own_hex or "with_or_adjacent_leader" in on
    allowed = led and (own_hex or "starts_in_zoc" not in on)
    assert answer("reserves", "allowed", side="soviet", **ticks("within_3", *on))[1] is allowed
    assert ask("reserves", **ticks("within_3", *on)).details["allowed"] is True, "Germans need no leader."
    for bar in GERMAN_BARS:
        assert ask("reserves", side="soviet", **ticks("within_3", bar, *on)).details["allowed"] is False


@pytest.mark.parametrize("bar", ["starts_in_zoc", "enters_zoc", "clear_hex_in_range", "passes_nearest_friend"])
def test_8_24_who_may_not_deploy(bar):
    assert answer("deployment", "allowed") == ("allowed", True)
    result = ask("deployment", **ticks(bar))
    assert result.outcome == "refused" and len(result.effects) == 1 and result.effects[0].startswith("8.24")


@pytest.mark.parametrize("distance", [0, 1, 2, 3, 40])
def test_8_24_deployment_ends_three_hexes_from_the_enemy(distance):
    assert ask("deployment", ends_at_distance=distance).details["allowed"] is (distance >= 3)


# Stacking

LIMITS = {
    "german": {"leader": 1, "op": 1, "fortification": 1, "bridge": 1, "minefield": 1},
    "soviet": {
        **{"leader": 1, "op": 1, "fortification": 1, "bridge": 1, "minefield": 1},
        **{"sniper": 1, "mine_dog": 1, "transport": 3, "tank_repair": 1, "river_flotilla": 2},
    },
}
EXTRAS = sorted(LIMITS["soviet"])


@pytest.mark.parametrize(
    ("side", "armour", "most"),
    [("german", "", 3), ("german", "on", 4), ("soviet", "", 3), ("soviet", "on", 3)],
)
def test_5_3_5_4_combat_units_in_a_hex(side, armour, most):
    for number in range(21):
        broken = [] if number <= most else ["combat"]
        fields = {"side": side, "tank_stug_or_armored_car": armour, "combat": number}
        assert answer("stacking", "allowed", "broken", **fields)[1:] == (not broken, broken)


@pytest.mark.parametrize(("side", "name"), list(product(LIMITS, EXTRAS)))
def test_5_5_besides_them_so_many_of_each(side, name):
    most = LIMITS[side].get(name, 0)
    for number in range(6):
        broken = ask("stacking", side=side, volga_hex="on", combat=1, **{name: number}).details["broken"]
        assert broken == ([] if number <= most else [name])


def test_5_5_flotilla_units_stand_in_volga_hexes_only():
    assert ask("stacking", side="soviet", river_flotilla=1).details["broken"] == ["river_flotilla"]
    assert ask("stacking", side="soviet", river_flotilla=2, volga_hex="on").details["broken"] == []


@pytest.mark.parametrize(
    ("fields", "broken"),
    [
        ({"combat": 1, "leader": 1}, []),
        ({"combat": 1, "sniper": 1}, []),
        ({"combat": 1, "mine_dog": 1}, []),
        ({"combat": 1, "op": 1}, []),
        ({"combat": 1, "leader": 1, "bridge": 1, "fortification": 1}, []),
        ({"combat": 2}, ["combat"]),
        ({"combat": 1, "leader": 1, "op": 1}, ["minefield_companions"]),
        ({"combat": 1, "sniper": 1, "mine_dog": 1}, ["minefield_companions"]),
        ({"combat": 1, "transport": 1}, ["minefield_companions"]),
        ({"combat": 1, "transport": 1, "transport_mines": "yes"}, []),
        ({"combat": 4, "leader": 2}, ["combat", "leader", "minefield_companions"]),
    ],
)
def test_5_6_17_21_on_a_minefield(fields, broken):
    assert ask("stacking", side="soviet", minefield=1, **fields).details["broken"] == broken
    assert "5.6" in " ".join(ask("stacking", side="soviet", minefield=2).effects)


# Hidden units

FOOT = {"balka", "cliff"}
EVERYBODY = {"city", "industrial", "fortified", "strong_point", "forest", "suburb", "village", "volga"}
OPEN = {"clear", "tartar_wall", "railroad", "road", "hill_top", "slope", "cemetery"}


@pytest.mark.parametrize(("terrain", "vehicle"), list(product(sorted(FOOT | EVERYBODY | OPEN), ("", "on"))))
def test_7_2_6_2_what_a_terrain_hides_and_where_a_zoc_reaches(terrain, vehicle):
    answers = answer("hidden", "hidden", "zoc", terrain=terrain, vehicle=vehicle)
    is_hidden = terrain in EVERYBODY or (terrain in FOOT and not vehicle)
    assert answers == ("shown", is_hidden, terrain not in ("city", "industrial", "fortified"))


@pytest.mark.parametrize(
    ("side", "weather", "needs_los", "within"),
    [
        ("soviet", "none", False, None),
        ("soviet", "fair", False, None),
        ("soviet", "bad", True, 4),
        ("german", "none", True, None),
        ("german", "bad", True, None),
    ],
)
def test_7_4_who_sees_units_in_the_open(side, weather, needs_los, within):
    assert answer("hidden", "needs_los", "seen_within", side=side, weather=weather)[1:] == (needs_los, within)


# One step


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ("allowed", False, 0)),
        ({"to_zoc": "on"}, ("allowed", True, 0)),
        ({"from_zoc": "on"}, ("allowed", False, 0)),
        ({"from_zoc": "on", "to_zoc": "on"}, ("refused", True, 0)),
        ({"from_zoc": "on", "to_zoc": "on", "to_breakthru": "on"}, ("allowed", False, 0)),
        ({"from_zoc": "on", "to_zoc": "on", "advance": "on"}, ("allowed", False, 0)),
        ({"to_zoc": "on", "infiltrating": "on", "enemy": "combat"}, ("allowed", False, 0)),
        ({"enemy": "combat"}, ("refused", False, 0)),
        ({"enemy": "combat", "advance": "on"}, ("refused", False, 0)),
        ({"enemy": "support"}, ("allowed", False, 0)),
        ({"unit": "armored", "to_zoc": "on"}, ("allowed", False, 0)),
        ({"unit": "armored", "from_zoc": "on", "to_zoc": "on"}, ("allowed", False, 2)),
        ({"unit": "armored", "from_zoc": "on"}, ("allowed", False, 0)),
        ({"unit": "armored", "from_zoc": "on", "came_this_phase": "on"}, ("allowed", False, 2)),
        ({"unit": "armored", "from_zoc": "on", "to_zoc": "on", "to_breakthru": "on"}, ("allowed", False, 0)),
        ({"unit": "armored", "from_zoc": "on", "to_zoc": "on", "advance": "on"}, ("allowed", False, 0)),
        ({"unit": "transport", "from_zoc": "on", "to_zoc": "on"}, ("allowed", False, 0)),
        ({"unit": "train", "to_zoc": "on"}, ("allowed", True, 0)),
        ({"unit": "op", "to_zoc": "on"}, ("allowed", True, 0)),
    ],
)
def test_6_5_to_6_7_a_step_among_zones_of_control(fields, expected):
    assert answer("step", "stops", "extra_mp", **fields) == expected


@pytest.mark.parametrize(
    ("fields", "blocked"),
    [
        ({"unit": "armored"}, ["balka"]),
        ({"unit": "armored", "road": "on"}, []),
        ({"unit": "armored", "bridge": "on"}, []),
        ({"unit": "armored", "bridge": "on", "to_zoc": "on"}, ["balka"]),
        ({"unit": "at_gun", "bridge": "on", "to_zoc": "on"}, []),
        ({"unit": "at_gun", "arrow": "on"}, []),
        ({"unit": "infantry"}, []),
        ({"unit": "infantry", "mp": 11}, []),
        ({"unit": "infantry", "mp": 12}, ["balka"]),
        ({"unit": "at_gun", "mp": 8}, []),
        ({"unit": "op"}, []),
        ({"unit": "armored", "number": "0869"}, []),
        ({"unit": "armored", "number": "3342"}, ["railroad"]),
        ({"unit": "armored", "number": ""}, []),
    ],
)
def test_8_12_8_55_8_67_what_a_vehicle_may_not_cross(fields, blocked):
    assert ask("step", **{"number": "0547", **fields}).details["blocked"] == blocked


def test_17_12_8_55_a_bridge_has_a_price_and_no_use_for_armour_that_breaks_through():
    assert any("1 MP" in effect for effect in ask("step", bridge="on").effects)
    effects = ask("step", bridge="on", unit="armored", to_zoc="on").effects
    assert any("8.55" in effect for effect in effects) and not any("1 MP" in effect for effect in effects)


@pytest.mark.parametrize("unit", ["immobilized", "tank_repair", "flotilla"])
def test_2_25_what_is_placed_does_not_step(unit):
    with pytest.raises(BadInput):
        ask("step", unit=unit)


# What a unit may do

UNITS = (
    *("infantry", "engineer", "armored", "at_gun", "if_gun", "mortar", "88mm", "leader", "op", "lw_op", "sniper"),
    *("mine_dog", "immobilized", "transport", "train", "flotilla", "tank_repair"),
)
SOVIET_UNITS = {"sniper", "mine_dog", "immobilized", "transport", "train", "flotilla", "tank_repair"}
GERMAN_UNITS = {"88mm", "lw_op"}


def may(unit, phase, side="german", **fields):
    """What it may do, as a set of words."""
    deeds = ask("permissions", unit=unit, phase=phase, side=side, **fields).details["may"]
    return {deed for deed, is_so in deeds.items() if is_so}


def ever(unit, side, **fields):
    """What it may do in some phase."""
    return set().union(*(may(unit, phase, side, **fields) for phase in range(1, 16)))


ALL_FIGHT = {"move", "attack", "spot", "defend", "opportunity"}
EVER = {
    "infantry": ALL_FIGHT | {"counter_attack"},
    "armored": ALL_FIGHT | {"counter_attack"},
    "at_gun": ALL_FIGHT,
    "mortar": ALL_FIGHT | {"bombard"},
    "leader": {"move", "spot"},
    "op": {"move", "spot"},
    "sniper": {"move", "defend", "opportunity"},
    "mine_dog": {"move"},
    "immobilized": {"defend", "opportunity"},
    "transport": {"move"},
    "train": ALL_FIGHT,
    "flotilla": {"attack", "defend"},
    "tank_repair": set(),
}


@pytest.mark.parametrize("unit", EVER)
def test_what_each_kind_of_unit_ever_does(unit):
    assert ever(unit, "soviet") == EVER[unit]
    if unit not in SOVIET_UNITS:
        assert ever(unit, "german") == EVER[unit]


def test_guns_and_engineers_differ_by_side():
    assert ever("if_gun", "soviet") == {"move", "attack", "bombard", "spot", "defend"}
    assert ever("if_gun", "german") == {"move", "attack", "bombard", "spot", "defend", "opportunity"}
    assert [n for n in range(1, 16) if "opportunity" in may("if_gun", n)] == [10, 14]  # at the Volga (14.02)
    assert ever("engineer", "german") - ever("engineer", "soviet") == {"counter_attack"}  # S43
    assert "engineer" in ever("engineer", "soviet") and ever("lw_op", "german") == {"move", "spot"}


@pytest.mark.parametrize(
    ("unit", "side"), [*product(sorted(SOVIET_UNITS), ["german"]), *product(sorted(GERMAN_UNITS), ["soviet"])]
)
def test_a_side_has_no_units_of_the_other(unit, side):
    with pytest.raises(BadInput):
        ask("permissions", unit=unit, side=side)


@pytest.mark.parametrize(("side", "shift"), [("german", 0), ("soviet", 1)])
def test_what_infantry_does_phase_by_phase(side, shift):
    own = {3: "move", 7: "move", 11: "move", 5: "attack", 8: "attack"}
    soviet = {4: "move", 10: "move", 14: "move", 12: "attack", 15: "attack"}
    mine, enemy = (soviet, own) if shift else (own, soviet)
    for phase in range(1, 16):
        deeds = may("infantry", phase, side)
        assert ("move" in deeds) is (mine.get(phase) == "move")
        moves_twice = [number for number, deed in mine.items() if deed == "move" and number not in (4, 11)]
        assert ("attack" in deeds) is (mine.get(phase) == "attack" or phase in moves_twice)
        breaks = [number for number, deed in enemy.items() if deed == "move" and number not in (4, 11)]
        assert ("defend" in deeds) is (enemy.get(phase) == "attack" or phase in breaks)


@pytest.mark.parametrize("unit", ["infantry", "engineer", "armored", "at_gun", "if_gun", "mortar", "88mm"])
def test_9_112_pinned_units_only_defend_and_spent_ones_move_and_spot(unit):
    assert ever(unit, "german", marker="pinned") == {"defend"}
    spent = ever(unit, "german", marker="spent")
    assert {"move", "spot", "defend"} <= spent <= {"move", "spot", "defend", "opportunity"}
    assert ("opportunity" in spent) is (unit not in ("if_gun", "mortar"))


def test_9_113_leaders_are_never_pinned_or_spent():
    for marker in ("pinned", "spent"):
        assert ever("leader", "german", marker=marker) == {"move", "spot"}


def test_14_94_a_pinned_observer_waits_for_the_next_bombardment_phase():
    assert "spot" not in may("op", 7, marker="pinned") and "spot" in may("op", 7, marker="spent")
    effects = ask("permissions", unit="op", phase=6, marker="pinned").effects
    assert any("14.94" in effect for effect in effects)


@pytest.mark.parametrize(
    ("unit", "mp", "deed", "phase", "allowed"),
    [
        ("at_gun", "", "attack", 5, False),
        ("at_gun", 15, "attack", 5, False),
        ("at_gun", 12, "attack", 5, False),
        ("at_gun", 18, "attack", 5, True),  # self-propelled
        ("infantry", "", "attack", 5, True),
        ("armored", "", "attack", 5, True),
        ("mortar", 8, "attack", 5, False),
        ("mortar", 8, "bombard", 5, False),
        ("mortar", 8, "bombard", 6, True),  # 14.13
        ("if_gun", 18, "attack", 5, True),  # red MP
        ("if_gun", 15, "attack", 5, False),
        ("op", "", "spot", 5, False),  # 14.96
        ("leader", "", "spot", 5, True),
    ],
)
def test_9_101_14_11_14_96_after_a_move(unit, mp, deed, phase, allowed):
    assert (deed in may(unit, phase, mp=mp, moved_last_phase="on")) is allowed
    assert deed in may(unit, phase, mp=mp)


def test_14_02_used_up_af_and_fire_at_movers():
    for unit in ("if_gun", "mortar"):
        assert not {"attack", "bombard", "opportunity"} & ever(unit, "german", used_if="on")
    assert "attack" in ever("88mm", "german", used_if="on")  # fires directly as often as it may (14.03)
    assert "bombard" not in ever("88mm", "german", used_if="on")
    assert "move" not in ever("mortar", "soviet", fired_opportunity="on")  # 14.12
    assert "move" in ever("infantry", "soviet", fired_opportunity="on")
    assert "opportunity" not in ever("infantry", "soviet", attacked_by_adjacent="on")


@pytest.mark.parametrize(
    ("mp", "name"),
    [
        (0, "never moves"),
        (8, "foot"),
        (12, "towed by horses"),
        (15, "towed by vehicles"),
        (18, "self-propelled"),
        (21, "self-propelled"),
        (24, "motorized"),
        (26, "armoured car or motorcycle"),
        (28, "motorized"),
    ],
)
def test_2_25_printed_mp_name_the_class(mp, name):
    assert ask("permissions", mp=mp).details["class"] == name


def test_6_1_2_25_who_has_a_zoc_and_what_reaches_how_far():
    zoc = {
        unit
        for unit in UNITS
        if ask("permissions", unit=unit, side="german" if unit in GERMAN_UNITS else "soviet").details["zoc"]
    }
    without = {"leader", "op", "lw_op", "mine_dog", "transport", "tank_repair", "flotilla"}
    assert zoc == set(UNITS) - without
    ranges = {unit: ask("permissions", unit=unit).details["range"] for unit in ("88mm", "infantry", "op")}
    assert ranges == {"88mm": "4 directly, 16 indirectly", "infantry": "as printed", "op": "none"}
    assert [ask("permissions", unit=unit, side="soviet").details["range"] for unit in ("sniper", "train")] == ["1", "1"]


# 8.5 Breakthrough Movement


@pytest.mark.parametrize(
    "fields, cost, allowed",
    [
        ({"road": "on"}, 1, True),  # out of ZOC the road rate
        ({"road": "on", "to_zoc": "on"}, 3, True),  # 8.54: the terrain's
        ({"road": "on", "to_zoc": "on", "from_zoc": "on"}, 5, True),  # and 2 MP more (8.56)
        ({"road": "on", "to_zoc": "on", "in_reserve": "on"}, 1, True),  # no breakthrough: it stops there (8.51)
        ({"road": "on", "to_zoc": "on", "from_zoc": "on", "in_reserve": "on"}, 1, False),
    ],
)
def test_armour_pays_for_the_terrain_where_it_breaks_through(fields, cost, allowed):
    data = deepcopy(chartbooks.shipped_data(SLUG))
    chart = data["charts"]["move_costs"]
    for row, mp in (("forest", "3"), ("along_road", "1")):
        chart["grid"] = re.sub(rf"^{row}( +)\? +\?", rf"{row}\g<1>{mp} {mp}", chart["grid"], flags=re.M)
    book = read_book(data, registry.games()[SLUG].chart_specs)[0]
    result = ask("step", book, unit="armored", terrain="forest", mp=12, **fields)
    assert (result.details["cost"], result.outcome == "allowed") == (cost, allowed)
    assert result.details["stops"] is bool(fields.get("in_reserve"))


def test_16_34_no_immobilized_tank_is_put_into_a_german_zoc():
    assert ask("stacking", side="soviet", combat=1).outcome == "allowed"
    refused = ask("stacking", side="soviet", combat=1, immobilized_in_zoc="on")
    assert refused.outcome == "refused" and "16.34" in refused.effects[0]


def test_14_46_nobody_bombards_what_nobody_sees():
    fields = {"firer": "german", "points": 20, "table": "wbbt", "die": 5}
    assert ask("bombardment", **fields).outcome
    with pytest.raises(BadInput, match=r"14\.46"):
        ask("bombardment", **fields, unseen="on")
