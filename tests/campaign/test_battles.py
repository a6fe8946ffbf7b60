"""The close combat of a sector as rows have it, and what may be expected of it."""

import time
from collections import Counter
from functools import cache
from itertools import product
from random import Random
from unittest import mock

import pytest

from campaign import battles
from campaign.acts import reorganizing
from campaign.battles import battle_of, outlook
from campaign.rules.bouts import resolve
from campaign.rules.fighters import Bout, Role, Weapon
from campaign.rules.leaders import Side
from firefight import chartbooks
from firefight.games.combat_stalingrad.units import Kind
from tests.books import HOUSE, altered, grid
from tests.campaign.memory import Memory
from tests.campaign.rules.battle_reference import column_of

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
CCT = grid("cct")


@pytest.fixture
def scene():
    with Memory.begin().open() as memory:
        yield memory


def meet(memory, *units):
    """Units of (side, counter, marks …) in sector 14, which the phase has come to."""
    found = [memory.add(side, counter, 14, marks=marks) for side, counter, *marks in units]
    for side in Side:
        memory.do(reorganizing.confirm_report, side)
    return found


# Rows become fighters


@pytest.mark.parametrize(
    ("side", "counter", "marks", "wanted"),
    [
        (GERMAN, "grenadier_squad", [], {"kind": Kind.SQUAD, "ccv": 8, "half_ccv": 4}),
        (GERMAN, "grenadier_squad", ["reduced"], {"kind": Kind.HALF_SQUAD, "ccv": 4, "half_ccv": None}),
        (RUSSIAN, "militia_squad", [], {"kind": Kind.SQUAD, "ccv": 5, "half_ccv": 3}),
        (GERMAN, "nco", [], {"kind": Kind.LEADER, "ccv": 1, "role": Role.NCO}),
        (RUSSIAN, "commissar", ["wounded"], {"kind": Kind.WOUNDED_LEADER, "ccv": 1, "role": Role.COMMISSAR}),
        (GERMAN, "flamethrower", [], {"kind": Kind.SW_TEAM, "ccv": 2, "weapon": Weapon.FLAMETHROWER}),
        (GERMAN, "demo_charge", [], {"kind": Kind.SW_TEAM, "weapon": Weapon.DEMO_CHARGE}),
        (RUSSIAN, "ptp_42", [], {"kind": Kind.CREW, "ccv": 2, "weapon": Weapon.NONE}),
        (RUSSIAN, "t_70", [], {"kind": Kind.VEHICLE, "ccv": 4, "m_killed": False}),
        (RUSSIAN, "t_70", ["m_killed", "f_killed"], {"kind": Kind.VEHICLE, "ccv": 4, "m_killed": True}),
        (GERMAN, "officer", ["disrupted"], {"disrupted": True}),
        (GERMAN, "grenadier_squad", ["wia"], {"disrupted": True}),
        (GERMAN, "grenadier_squad", ["pinned", "enfiladed"], {"disrupted": False}),
    ],
)
def test_a_counter_with_its_marks_is_a_fighter(scene, side, counter, marks, wanted):
    unit, _ = meet(scene, (side, counter, *marks), (RUSSIAN if side == GERMAN else GERMAN, "officer"))
    (fighter,) = battle_of(scene.ledger).of([(side, unit.number)])
    assert {name: getattr(fighter, name) for name in wanted} == wanted
    assert (fighter.side, fighter.name) == (side, f"{scene.ledger.counter(unit).name} #{unit.number}")


def test_step_1_is_about_the_marked_units(scene):
    units = [(side, "officer", "close_combat") for side in Side]
    meet(scene, *units, (GERMAN, "grenadier_squad"))
    battle = battle_of(scene.ledger)
    assert battle.existing
    assert [unit.in_cc for unit in battle.fighters] == [True, False, True]


def test_a_battle_leaves_out_markers_mines_and_whoever_is_elsewhere(scene):
    scene.add(GERMAN, "mine_factor", 14)
    scene.add_nest(14)
    scene.add(GERMAN, "grenadier_squad", 7)
    units = meet(scene, (GERMAN, "officer"), (RUSSIAN, "officer"))
    assert [fighter.key for fighter in battle_of(scene.ledger).fighters] == [(u.side, u.number) for u in units]


def test_the_dice_of_a_bout_are_those_of_both_attacks_and_of_the_hits_that_they_bring(scene):
    units = meet(scene, (GERMAN, "grenadier_squad"), (GERMAN, "flamethrower"), (RUSSIAN, "smg_squad"))
    bout = Bout(tuple((GERMAN, unit.number) for unit in units[:2]), ((RUSSIAN, 1),))
    battle = battle_of(scene.ledger)

    def names(**faces):
        return [spec.name for spec in battles.specs_of(bout, battle, HOUSE, faces)]

    assert names() == ["attack", "defense"]
    assert names(attack=1) == ["attack", "defense"]
    assert names(attack=1, defense=1) == ["attack", "defense", "defense_hit_1", "defense_hit_2"]


def test_a_bout_is_told_with_both_attacks_and_what_comes_of_them(scene):
    units = meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    bout = Bout(((GERMAN, units[0].number),), ((RUSSIAN, units[1].number),))
    battle = battle_of(scene.ledger)
    told = battles.told(resolve(bout, battle, HOUSE, {"attack": 1, "defense": 100}), battle)
    assert told.startswith("Grenadier squad #1 against Rifle squad #1. ")
    assert told.endswith(" After the round: Rifle squad #1 eliminated.")
    assert battles.told(resolve(bout, battle, HOUSE, {"attack": 100, "defense": 100}), battle).endswith(
        "Nothing happens."
    )


# What to expect: one against one, worked out by hand


@cache
def strikes(value, resistance, drm=0):
    """The chances of an attack to eliminate its one enemy, and to do him a C."""
    column = column_of(value, resistance, False)
    if column in ("won", "lost"):
        return (1, 0) if column == "won" else (0, 0)
    faces = [min(max(face + drm, 1), 100) for face in range(1, 101)]
    dead = sum(face <= CCT[column]["E"] for face in faces) / 100
    return dead, sum(face <= CCT[column]["C"] for face in faces) / 100 - dead


def chain(german, russian, rounds=400):
    """{(how the German is, how the Russian is): share} in the end: 0 is dead, 1 on the last side, 2 unhurt.

    ``german`` and ``russian``: {state: value in close combat}, and a DRM for its enemy in the same state.
    """
    shares = {(max(german), max(russian)): 1.0}
    for _ in range(rounds):
        fresh = {}
        for (one, two), share in shares.items():
            if not one or not two:
                fresh[one, two] = fresh.get((one, two), 0) + share
                continue
            for (left_two, p), (left_one, q) in product(
                after(two, german[one], russian[two]), after(one, russian[two], german[one])
            ):
                fresh[left_one, left_two] = fresh.get((left_one, left_two), 0) + share * p * q
        shares = fresh
    return shares


@cache
def after(state, attack, defense):
    """What is left of a unit after an attack on it, with the chances; an attack of 1-4 or less is its own end."""
    (value, _), (resistance, drm) = attack, defense
    own_end = column_of(resistance, value, False) == "lost"
    if own_end:
        return [(0, 1)]
    dead, hurt = strikes(value, resistance, drm)
    return [(0, dead), (state - 1, hurt), (state, 1 - dead - hurt)]


ONE_AGAINST_ONE = {
    "squads": (("grenadier_squad",), {2: (8, 0), 1: (4, 0)}, ("rifle_squad",), {2: (6, 0), 1: (4, 0)}),
    "half-squads": (("grenadier_squad", "reduced"), {1: (4, 0)}, ("rifle_squad", "reduced"), {1: (4, 0)}),
    "a team and a crew": (("heavy_mg_34",), {1: (2, 0)}, ("ptp_42",), {1: (2, 0)}),
    "leaders": (("officer",), {2: (1, 0), 1: (1, 0)}, ("commissar",), {2: (1, 0), 1: (1, 0)}),
    "a team and a leader": (("heavy_mg_34",), {1: (2, 0)}, ("officer",), {2: (1, 0), 1: (1, 0)}),
    "too weak": (("officer",), {2: (1, 0), 1: (1, 0)}, ("rifle_squad",), {2: (6, 0), 1: (4, 0)}),
}


@pytest.mark.parametrize("name", ONE_AGAINST_ONE)
def test_one_against_one_is_exact(scene, name):
    german, german_values, russian, russian_values = ONE_AGAINST_ONE[name]
    one, two = meet(scene, (GERMAN, *german), (RUSSIAN, *russian))
    wanted = chain(german_values, russian_values)
    found = outlook(scene.ledger)
    assert (found.games, found.margin) == (0, 0)
    for side, unit, place in ((GERMAN, one, 0), (RUSSIAN, two, 1)):
        share = sum(share for state, share in wanted.items() if state[place])
        assert found.survives[side, unit.number] == found.holds[side] == pytest.approx(share, abs=1e-9)
    assert found.told == "Staying is exact."


def test_a_disrupted_squad_fights_with_half_until_a_flip_rids_it_of_that(scene):
    """18.1.4: the half-squad of a Disrupted squad is not Disrupted."""
    meet(scene, (GERMAN, "grenadier_squad", "disrupted"), (RUSSIAN, "rifle_squad", "reduced"))
    wanted = chain({2: (4, 0), 1: (4, 0)}, {1: (4, 0)})
    share = sum(share for state, share in wanted.items() if state[0])
    assert outlook(scene.ledger).holds[GERMAN] == pytest.approx(share, abs=1e-9)


def test_two_vehicles_fight_on_after_an_m_kill(scene):
    """An M-KILL is no end, and makes the next attack easier; the chances add up to one."""
    meet(scene, (GERMAN, "pz_iii_h"), (RUSSIAN, "t_34_76_b"))
    found = outlook(scene.ledger)
    assert found.games == 0
    assert found.holds[GERMAN] == pytest.approx(found.holds[RUSSIAN])
    assert 0.3 < found.holds[GERMAN] < 0.5  # both may go in one round


def test_it_is_fought_from_where_the_sector_stands(scene):
    """A round that has begun, and the markers of step 1, do not count."""
    with mock.patch.object(chartbooks, "_parsed", lambda *_: HOUSE):
        meet(scene, (GERMAN, "grenadier_squad", "close_combat"), (RUSSIAN, "rifle_squad", "close_combat"))
        first = outlook(scene.ledger)
        scene.phase["fought"] = [["german", 1], ["russian", 1]]
        assert outlook(scene.ledger) == first


# … and of more than that, simulated


def test_a_simulation_of_one_against_one_agrees_with_the_exact_answer(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    exact = outlook(scene.ledger)
    random, held = Random("one against one"), Counter()
    for _ in range(400):
        left = battles._fight_to_the_end(battle_of(scene.ledger), HOUSE, random)
        held.update({unit.side for unit in left})
    for side in Side:
        assert abs(held[side] / 400 - exact.holds[side]) < 0.08


def test_a_simulation_is_seeded_and_says_how_sure_it_is(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (GERMAN, "officer"), (RUSSIAN, "rifle_squad"), (RUSSIAN, "t_70"))
    found = outlook(scene.ledger, seconds=60, most_games=100)
    assert found == outlook(scene.ledger, seconds=60, most_games=100)
    assert found.margin == pytest.approx(0.098)
    assert found.told == ("Staying is simulated, 100 battles with the app's pairings; a share may be off by 10 points.")
    assert set(found.survives) == {(GERMAN, 1), (GERMAN, 2), (RUSSIAN, 1), (RUSSIAN, 2)}
    assert all(0 <= share <= 1 for share in (*found.survives.values(), *found.holds.values()))
    assert sum(found.holds.values()) <= 1
    for side in Side:  # who survives holds the sector
        assert max(found.survives[side, number] for number in (1, 2)) <= found.holds[side]


def test_the_stronger_side_is_likelier_to_hold(scene):
    meet(scene, *[(GERMAN, "pioneer_squad")] * 4, (RUSSIAN, "militia_squad"))
    found = outlook(scene.ledger, seconds=60, most_games=60)
    assert found.holds[GERMAN] > 0.9 > 0.1 > found.holds[RUSSIAN]


def test_a_simulation_keeps_to_its_time(scene):
    """One battle is fought in any case."""
    meet(scene, *[(side, counter) for side, counter in CROWD for _ in range(10)])
    begun = time.process_time()
    found = outlook(scene.ledger, seconds=0.05)
    assert found.games >= 1
    assert time.process_time() - begun < 1


CROWD = [(GERMAN, "grenadier_squad"), (GERMAN, "pz_iii_h"), (RUSSIAN, "rifle_squad"), (RUSSIAN, "maxim_m1910")]


def test_nothing_is_expected_of_a_sector_that_is_settled(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    scene.ledger.units[RUSSIAN][1].sector = 20
    assert outlook(scene.ledger) is None


BLANK = altered("cct", grid="odds 1-3 1-2 1-1 2-1 3-1\nE 0 0 0 0 0\nC 0 0 0 0 0")


@pytest.mark.parametrize("units", [1, 2])
def test_a_table_that_never_decides_ends_in_no_chance_for_either_and_not_in_a_loop(scene, units):
    """CQ-08: of the owner's values nobody knows that they ever do anything."""
    meet(scene, *[(GERMAN, "grenadier_squad")] * units, (RUSSIAN, "rifle_squad"))
    with mock.patch.object(chartbooks, "_parsed", lambda *_: BLANK), mock.patch.object(battles, "MOST_ROUNDS", 20):
        found = outlook(scene.ledger, most_games=2)
    assert set(found.holds.values()) == {0}
