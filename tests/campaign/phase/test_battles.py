"""The close combat of a sector as rows have it."""

import pytest

from campaign.acts import reorganizing
from campaign.phase import battles
from campaign.phase.battles import battle_of
from campaign.rules.phase import Gathered, read_phase
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout
from firefight.games.combat_stalingrad.rules.melee.bouts import fight_bout
from firefight.games.combat_stalingrad.rules.melee.fighters import Role, TeamWeapon
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.units import Kind
from tests.books import HOUSE
from tests.campaign.memory import Memory

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN


@pytest.fixture
def scene():
    with Memory.begin().open() as memory:
        yield memory


def meet(memory, *units):
    """Units of (side, counter, marks …) in sector 14, which the phase has come to."""
    added = [memory.add(side, counter, 14, marks=marks) for side, counter, *marks in units]
    for side in Side:
        memory.do(reorganizing.confirm_report, side)
    return added


# Rows become fighters


@pytest.mark.parametrize(
    ("side", "counter", "marks", "values"),
    [
        (GERMAN, "grenadier_squad", [], {"kind": Kind.SQUAD, "ccv": 8, "half_ccv": 4}),
        (GERMAN, "grenadier_squad", ["reduced"], {"kind": Kind.HALF_SQUAD, "ccv": 4, "half_ccv": None}),
        (RUSSIAN, "militia_squad", [], {"kind": Kind.SQUAD, "ccv": 5, "half_ccv": 3}),
        (GERMAN, "nco", [], {"kind": Kind.LEADER, "ccv": 1, "role": Role.NCO}),
        (RUSSIAN, "commissar", ["wounded"], {"kind": Kind.WOUNDED_LEADER, "ccv": 1, "role": Role.COMMISSAR}),
        (GERMAN, "flamethrower", [], {"kind": Kind.SW_TEAM, "ccv": 2, "weapon": TeamWeapon.FLAMETHROWER}),
        (GERMAN, "demo_charge", [], {"kind": Kind.SW_TEAM, "weapon": TeamWeapon.DEMO_CHARGE}),
        (RUSSIAN, "ptp_42", [], {"kind": Kind.CREW, "ccv": 2, "weapon": TeamWeapon.NONE}),
        (RUSSIAN, "t_70", [], {"kind": Kind.VEHICLE, "ccv": 4, "m_killed": False}),
        (RUSSIAN, "t_70", ["m_killed", "f_killed"], {"kind": Kind.VEHICLE, "ccv": 4, "m_killed": True}),
        (GERMAN, "officer", ["disrupted"], {"disrupted": True}),
        (GERMAN, "grenadier_squad", ["wia"], {"disrupted": True}),
        (GERMAN, "grenadier_squad", ["pinned", "enfiladed"], {"disrupted": False}),
    ],
)
def test_a_counter_with_its_marks_is_a_fighter(scene, side, counter, marks, values):
    unit, _ = meet(scene, (side, counter, *marks), (RUSSIAN if side == GERMAN else GERMAN, "officer"))
    (fighter,) = battle_of(scene.ledger).of([(side, unit.number)])
    assert {name: getattr(fighter, name) for name in values} == values
    assert (fighter.side, fighter.name) == (side, f"{scene.ledger.kind_of(unit).name} #{unit.number}")


def test_a_tank_with_a_flamethrower_fights_with_it(scene):
    """19.3.3, R-97."""
    unit, _ = meet(scene, (RUSSIAN, "ot_34"), (GERMAN, "officer"))
    (fighter,) = battle_of(scene.ledger).of([(RUSSIAN, unit.number)])
    assert (fighter.ccv, fighter.weapon) == (8, TeamWeapon.FLAMETHROWER)


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
    text = battles.describe_bout(fight_bout(bout, battle, HOUSE, {"attack": 1, "defense": 100}), battle)
    assert text.startswith("Grenadier squad #1 against Rifle squad #1. ")
    assert text.endswith(" After the round: Rifle squad #1 eliminated.")
    assert battles.describe_bout(fight_bout(bout, battle, HOUSE, {"attack": 100, "defense": 100}), battle).endswith(
        "Nothing happens."
    )


def test_divided_attacks_are_told_each_with_who_attacks_whom(scene):
    units = meet(scene, *[(GERMAN, "grenadier_squad")] * 2, *[(RUSSIAN, "rifle_squad")] * 2)
    keys = [(unit.side, unit.number) for unit in units]
    ours, theirs = [(Side(side), n) for side, n in keys[:2]], [(Side(side), n) for side, n in keys[2:]]
    attacks = (Attack((ours[0],), (theirs[1],)), Attack((ours[1],), (theirs[0],)), Attack(tuple(theirs), (ours[0],)))
    battle = battle_of(scene.ledger)
    fought = fight_bout(Bout(tuple(ours), tuple(theirs), attacks), battle, HOUSE, {})
    text = battles.describe_bout(fought, battle)
    assert "Grenadier squad #1 on Rifle squad #2: 8 against 6" in text
    assert "Grenadier squad #2 on Rifle squad #1: 8 against 6" in text
    assert "In return: Rifle squad #1, Rifle squad #2 on Grenadier squad #1: 12 against 8" in text


def test_a_gathered_bout_is_kept_as_it_is(scene):
    units = meet(scene, (GERMAN, "grenadier_squad"), (GERMAN, "nco"), (RUSSIAN, "rifle_squad"), (RUSSIAN, "t_70"))
    (one, two, three, four) = ((Side(unit.side), unit.number) for unit in units)
    bout = Bout(
        (one, two),
        (three, four),
        (Attack((one, two), (three,)),),
        hand_to_hand=True,
        from_cover=frozenset({GERMAN}),
        by_value=frozenset({two}),
        escorts=((two, one),),
    )
    scene.ledger.phase = scene.ledger.phase.with_gathered(GERMAN, bout)
    assert read_phase(scene.phase).gathered == Gathered(GERMAN, bout)
