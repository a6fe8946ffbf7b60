"""Guns and aircraft: bombardments on three tables, spotting, command, Stukas and what is fired at them."""

from dataclasses import replace

import pytest

from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules.terms import Terrain

from . import BOOK, ask

# Bombardment


def bombard(die=5, **fields):
    return ask("bombardment", **{"points": 20, "die": die, **fields})


WBBT_LINES = [
    ({"spotting": -2}, -2),
    ({"firer": "soviet", "out_of_supply": 3}, 3),
    ({"firer": "soviet", "nkvd": "on"}, 1),
    ({"fortification": "on"}, 1),
    ({"fortification": "on", "target_all_armored": "on"}, 0),
    ({"target_on_enemy_minefield": "on"}, -1),
    ({"other_drm": 4}, 4),
    # None of these counts on this table.
    ({"target_armored": "on"}, 0),
    ({"leader_in_target": "on"}, 0),
    ({"pavlov_house_target": "on"}, 0),
    ({"adjacent_leader": "on"}, 0),
    ({"terrain_drm": 3}, 0),
    ({"op_on_1039": "on"}, 0),
]
CRT_LINES = [
    *WBBT_LINES[:7],
    ({"target_armored": "on"}, 1),
    ({"target_armored": "on", "underlined_af": "on"}, 0),
    ({"leader_in_target": "on"}, 1),
    ({"pavlov_house_target": "on"}, 2),
    ({"adjacent_leader": "on"}, 1),
    ({"terrain_drm": 3}, 3),
]


@pytest.mark.parametrize(("table", "lines"), [("wbbt", WBBT_LINES), ("crt", CRT_LINES)])
def test_each_line_of_a_bombardment_counts_alone(table, lines):
    for fields, drm in lines:
        result = bombard(table=table, **fields)
        assert result.modified == 5 + drm, fields
        assert result.details["pinned"] is None


def test_the_west_bank_table_is_read_by_its_own_columns():
    bounds = {4: "1-4", 5: "5-6", 9: "7-9", 10: "10-19", 29: "20-29", 30: "30+", 400: "30+"}
    assert {points: bombard(points=points).details["column"] for points in bounds} == bounds
    assert bombard(8, points=400).outcome == "no_effect"
    assert bombard(7, points=400).outcome == "p"
    low = bombard(1, points=30, spotting=-2)
    assert (low.details["result"], low.details["eliminated"]) == ("D2", 2)


def test_a_p_marks_by_terrain_and_nobody_retreats():
    for terrain in Terrain:
        result = bombard(4, terrain=terrain)
        assert result.details["marker"] == ("spent" if terrain.is_built_up else "pinned")
        assert result.follow_ups == () and "Nobody retreats after a bombardment (9.883)." in result.effects
        assert ask("p-result", terrain=terrain.value, fire="bombard", adjacent_infantry="on").outcome == "stays"


def test_a_blank_terrain_counts_nothing_on_the_combat_results_table_and_is_told():
    result = bombard(table="crt", terrain="forest")
    assert result.modified == 5 and "Terrain Effects Chart is blank" in " ".join(result.effects)
    terrain = replace(BOOK["terrain"], values={**BOOK["terrain"].values, "forest": 2})
    book = replace(BOOK, charts={**BOOK.charts, "terrain": terrain})
    assert ask("bombardment", book=book, points=20, die=5, table="crt", terrain="forest").modified == 7


def test_ones_own_hex_is_interdicted_on_the_combat_results_table_at_minus_2_alone():
    own = bombard(5, own_hex="on", leader_in_target="on", terrain_drm=3, fortification="on", spotting=4, table="crt")
    assert own.modified == 3 and own.details["column"] == "20-29" and own.details["result"] == "D1"
    assert bombard(5, own_hex="on", table="wbbt").details == {**own.details}
    assert own.follow_ups[0].title == "German losses"


def test_boxes_are_bombarded_with_spotting_and_the_date_alone():
    for date, drm in (
        ("1942-09-25", 0),
        ("1942-09-26", 1),
        ("1942-10-09", 1),
        ("1942-10-10", 2),
        ("1942-10-29", 2),
        ("1942-10-30", 3),
        ("1942-11-18", 3),
    ):
        assert bombard(table="ebbt", date=date).modified == 5 + drm, date
        assert bombard(table="ebbt", date=date, op_on_1039="on", fortification="on").modified == 4 + drm
        assert bombard(table="ebbt", date=date, op_on_1039="on", spotting=-1).modified == 4 + drm
    result = bombard(1, table="ebbt", points=50, op_on_1039="on")
    assert (result.outcome, result.details) == (
        "east_bank",
        {"column": "50+", "result": None, "eliminated": 2, "pinned": 6, "marker": None},
    )
    assert "14.29" in " ".join(bombard(table="ebbt").effects) and "14.29" not in " ".join(result.effects)
    with pytest.raises(BadInput) as refused:
        bombard(table="ebbt", firer="soviet")
    assert list(refused.value.problems) == ["firer"]


def test_losses_of_a_bombardment_ask_for_their_order_the_leader_and_the_tank():
    hit = bombard(1, table="crt", terrain="city", terrain_drm=0, target_armored="on", leader_in_target="on")
    assert [step.helper for step in hit.follow_ups] == ["bombardment-losses", "leader-survival", "tank"]
    assert hit.follow_ups[0].inputs == {"number": "1", "table": "crt", "side": "soviet"}
    assert [step.helper for step in bombard(1).follow_ups] == ["bombardment-losses"]


def lose_in_order(number, table, **counts):
    """One after the other, in the order of 14.81."""
    order = [
        kind for kind in ("minefield", "bridge", "combat", "armored", "sniper") for _ in range(counts.get(kind, 0))
    ]
    order = [kind for kind in order if (kind, table) != ("bridge", "wbbt")]
    losses = order if number == "all" else order[: int(number)]
    last = ("op", "fortification") if len(losses) == len(order) and number != "0" else ()
    counted = {kind: losses.count(kind) for kind in dict.fromkeys(losses)}
    return counted | {kind: counts[kind] for kind in last if counts.get(kind)}


def test_who_is_lost_first_by_a_bombardment():
    kinds = ("minefield", "bridge", "combat", "armored", "sniper", "op", "fortification")
    for number in ("0", "1", "2", "3", "all"):
        for table in ("crt", "wbbt"):
            for flags in range(128):
                counts = {kind: 1 + (kind == "combat") for place, kind in enumerate(kinds) if flags & 1 << place}
                lost = ask("bombardment-losses", number=number, table=table, **counts).details["lost"]
                assert lost == lose_in_order(number, table, **counts), (number, table, counts)


def test_a_bridge_takes_one_vehicle_with_it():
    result = ask("bombardment-losses", number="2", minefield=1, bridge=1, combat=3)
    assert result.details["lost"] == {"minefield": 1, "bridge": 1}
    assert "MP 24 or more" in " ".join(result.effects)
    for bad in ("x", "-1", "21", ""):
        with pytest.raises(BadInput):
            ask("bombardment-losses", number=bad)


# Spotting and command

SPOTTED = {
    ("self", "", ""): 0,
    ("self", "on", "on"): 0,
    ("op", "", ""): -1,
    ("op", "", "on"): -1,
    ("op", "on", ""): 1,
    ("nonop", "", ""): 0,
    ("nonop", "", "on"): 2,
    ("nonop", "on", ""): 3,
    ("nonop", "on", "on"): 4,
}


def test_one_line_of_the_spotting_table_applies():
    for (spotter, out, far), drm in SPOTTED.items():
        fields = {"spotter": spotter, "out_of_command": out, "not_adjacent": far}
        assert ask("spotting", **fields).details["drm"] == drm, fields
        for table in ("crt", "wbbt", "ebbt"):
            with_leader = ask("spotting", **fields, table=table, named_leader="on").details["drm"]
            assert with_leader == drm - (table == "wbbt" and spotter == "nonop" and not far)
    assert [step.helper for step in ask("spotting").follow_ups] == ["attack", "defensive-fire", "bombardment"]


def test_how_far_and_for_how_much():
    far = {
        ("op", "other", "land"): 4,
        ("op", "other", "volga"): 9,
        ("op", "hill_top", "land"): 9,
        ("op", "hill_top", "volga"): 9,
        ("op", "mamayev", "land"): 9,
        ("op", "mamayev", "volga"): 12,
        ("nonop", "mamayev", "volga"): 9,
        ("nonop", "other", "land"): 4,
    }
    for (spotter, position, over), hexes in far.items():
        assert ask("spotting", spotter=spotter, position=position, over=over).details["range"] == hexes
    for whose, capacity in (
        ("soviet_62_op", {"af": 90}),
        ("german_li_op", {"af": 90}),
        ("german_division_op", {"af": 60}),
        ("leader", {"units": 2}),
        ("other", {"units": 1}),
    ):
        assert ask("spotting", capacity_of=whose).details["capacity"] == capacity


def commands(spotter_type, spotter_path, artillery_path="94/276/II", **more):
    fields = {"spotter_type": spotter_type, "spotter_path": spotter_path, "artillery_path": artillery_path, **more}
    return ask("command", **fields).details["in_command"]


def test_the_five_examples_of_the_chain_of_command():
    assert commands("unit", "94/276/II") and commands("leader", "94/276/II")  # 1: II/276's mortar
    for who in (("unit", "94/276/I"), ("leader", "94/276/II"), ("leader", "94/276"), ("unit", "94/276")):
        assert commands(*who, "94/276")  # 2: the regiment's infantry gun
    assert commands("unit", "94/267/III", "94") and commands("op", "94", "94")  # 3: the division's guns
    assert commands("unit", "94/276/I", "94", artillery="formation")  # 4: attached by stacking
    assert commands("leader", "94/276/II", artillery="88mm")  # 5
    assert not commands("unit", "94/276/I") and not commands("unit", "94/276") and not commands("unit", "71/191", "94")


def test_who_commands_what_else():
    assert commands("leader", "94/276") and commands("op", "94") and not commands("op", "71")
    for top in ("LI", "51", "6"):
        assert commands("op", top) and commands("leader", top, artillery="independent")
    assert commands("leader", "LI/94/276") and not commands("leader", "62")
    assert commands("op", "62", "13gd/42", side="soviet") and commands(
        "op", "62", side="soviet", artillery="independent"
    )
    assert not commands("op", "94", artillery="independent") and not commands("unit", "LI", artillery="independent")
    assert commands("unit", "", side="soviet", artillery="free_mortar")
    assert not commands("unit", "94", artillery="88mm") and commands("op", "", artillery="88mm")
    assert not commands("op", "")
    for side, guns in (("german", "free_mortar"), ("soviet", "88mm")):
        with pytest.raises(BadInput) as refused:
            ask("command", side=side, artillery=guns)
        assert list(refused.value.problems) == ["artillery"]


# Aircraft

HARMLESS = "bridge,minefield,fortification"


def test_anti_aircraft_fire_sends_as_many_home_as_a_d_says():
    two = ask("anti-aircraft", points=30, die=2)
    assert (two.details, two.modified) == ({"points": 30, "result": "D2", "aborted": 2}, 2)
    assert ask("anti-aircraft", points=30, die=6).details["aborted"] == 0  # a P does nothing
    assert ask("anti-aircraft", points=30, die=5).details["aborted"] == 1  # of a D1P the D
    box = ask("anti-aircraft", points=0, east_bank_box="on", die=2)
    assert box.details == {"points": 10, "result": "D1", "aborted": 1}
    nobody = ask("anti-aircraft", points=0)
    assert nobody.outcome == "no_effect" and not nobody.needs
    counts = [ask("anti-aircraft", points=200, die=die).details["aborted"] for die in range(1, 11)]
    assert counts == [2, 2, 2, 1, 1, 1, 0, 0, 0, 0]


def test_what_is_left_of_the_stukas_bombards():
    def left(die, **fields):
        steps = ask("anti-aircraft", points=30, flying=3, stuka_af=7, die=die, **fields).follow_ups
        return [(step.inputs["points"], step.inputs["table"]) for step in steps]

    assert left(2) == [(7, "wbbt")] and left(10) == [(21, "wbbt")]
    assert left(2, if_points=12) == [(19, "wbbt")]
    assert left(10, if_points=12, east_bank_box="on") == [(21, "ebbt")]
    assert ask("anti-aircraft", points=30, flying=2, stuka_af=7, die=2).follow_ups == ()


def test_where_stukas_may_go():
    phases = {
        "bombard": (2, 5, 6, 8),
        "attack": (5, 8),
        "breakthrough": (3, 7),
        "interdict": (2, 6),
        "east_bank": (2, 6),
    }
    for use, allowed in phases.items():
        for phase in range(1, 16):
            result = ask("stuka-target", use=use, phase=phase, lw_op_sees="on")
            assert (result.outcome == "allowed") == (phase in allowed), (use, phase)
            assert result.details["drm"] == (0 if use == "interdict" else -1)
            blind = ask("stuka-target", use=use, phase=phase)
            needs = use in ("attack", "breakthrough")
            assert (blind.outcome == "allowed") == (phase in allowed and not needs)
            assert blind.details["drm"] == 0
    for terrain in Terrain:
        near = ask("stuka-target", terrain=terrain, adjacent_kinds="bridge,infantry")
        assert (near.outcome == "refused") == terrain.is_built_up
        assert (
            ask("stuka-target", terrain=terrain, adjacent_kinds="bridge,minefield,fortification").outcome == "allowed"
        )


def test_katyushas_keep_off_friends():
    assert (
        ask("katyusha").outcome == ask("katyusha", adjacent_kinds="bridge,minefield,fortification").outcome == "allowed"
    )
    for kind in ("combat", "leader", "op", "katyusha"):
        assert ask("katyusha", adjacent_kinds=f"bridge,{kind}").outcome == "refused"


def test_interdiction_costs_one_mp_for_each_full_5_points():
    for points in range(0, 401):
        for unit in ("foot", "armored", "motorized", "towed"):
            details = ask("interdiction", points=points, unit=unit).details
            bound = points >= 5 and unit in ("motorized", "towed")
            extra = points // 5
            assert details == {"extra_mp": extra, "may_leave": not bound, "leave_mp": None if bound else extra}
    assert ask("interdiction", points=9).details["extra_mp"] == 1  # the example of 14.84
