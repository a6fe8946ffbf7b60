import gc
import random
from dataclasses import replace
from itertools import permutations, product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.combat.battle import (
    find_openings,
    find_picker,
    find_targets,
    is_over,
    met_in_hex,
    object_to_bout,
    round_is_over,
)
from campaign.rules.combat.pairing import propose_bouts
from firefight.engine.board.hexes import HexMap
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.close_combat import close_combat
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Effect, Fate
from firefight.games.combat_stalingrad.rules.melee.bouts import (
    apply_effects,
    attack_inputs,
    combine_effects,
    end_round,
    fight_bout,
)
from firefight.games.combat_stalingrad.rules.melee.dividing import divide_attacks
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter, Role, TeamWeapon
from firefight.games.combat_stalingrad.rules.melee.taking_part import list_present
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.stacking import Stacking
from firefight.games.combat_stalingrad.rules.units import Kind
from tests.books import HOUSE, altered

from .battle_reference import Page, slow_effects, slow_odds, subsets

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
MAP = HexMap()
LIMIT = Stacking(3, 1, "house")
NOTHING, CASUALTIES, DEAD = 100, 40, 1  # d100 on column 1-1 of the house table without DRM


def unit(side, number, kind, ccv, at=None, name="", **more):
    fighter = {"half_ccv": 4 if kind is Kind.SQUAD else None, "hex": MAP.parse(at) if at else None, **more}
    return Fighter((side, number), name or f"{side.value} {number}", kind, ccv, **fighter)


def squad(side, number, at=None, ccv=8, **more):
    return unit(side, number, Kind.SQUAD, ccv, at, **more)


def team(side, number, at=None, ccv=2, **more):
    return unit(side, number, Kind.SW_TEAM, ccv, at, **more)


def tank(side, number, at=None, ccv=8, **more):
    return unit(side, number, Kind.VEHICLE, ccv, at, **more)


def wreckage(side, number, at=None, ccv=8, **more):
    """A vehicle that cannot move any more."""
    return tank(side, number, at, ccv, m_killed=True, **more)


def nco(side, number, at=None, ccv=1, role=Role.NCO, **more):
    return unit(side, number, more.pop("kind", Kind.LEADER), ccv, at, role=role, **more)


def sector(*fighters, **more):
    return Battle(**{"attacker": GERMAN, "hex_map": MAP, "stacking": LIMIT, **more}, fighters=fighters)


def melee(*fighters, **more):
    """Step 1: everybody has the marker."""
    return sector(*(replace(fighter, in_cc=True) for fighter in fighters), existing=True, **more)


def bout(ours, theirs, **more):
    """Germans, by number, against Russians."""
    return Bout(tuple((GERMAN, n) for n in ours), tuple((RUSSIAN, n) for n in theirs), **more)


def against(battle, ours, theirs, **more):
    """The rules that forbid a bout."""
    return [objection.rule for objection in object_to_bout(bout(ours, theirs, **more), battle)]


def sentences(battle, ours, theirs):
    return [objection.message for objection in object_to_bout(bout(ours, theirs), battle)]


def fight(battle, ours, theirs, dice=None, **more):
    """A bout, with the first attack of each side by itself."""
    fought = fight_bout(bout(ours, theirs, **more), battle, HOUSE, dice or {})
    rolls = {strike.name: strike.roll for strike in fought.strikes}
    fields = {name: getattr(fought, name) for name in ("hits", "effects", "needs", "provenance", "strikes")}
    return SimpleNamespace(attack=rolls.get("attack"), defense=rolls.get("defense"), **fields)


def hit(by, on):
    """An attack by Germans, by number, on Russians."""
    return Attack(tuple((GERMAN, n) for n in by), tuple((RUSSIAN, n) for n in on))


def answer(by, on):
    """An attack by Russians on Germans."""
    return Attack(tuple((RUSSIAN, n) for n in by), tuple((GERMAN, n) for n in on))


def drm(result):
    return {modifier.name: modifier.value for modifier in result.modifiers}


def fates(fought):
    return {f"{key[0].value} {key[1]}": effect.value for key, effect in combine_effects(fought.effects).items()}


# What a fighter is


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (Kind.SQUAD, {"half_ccv": None}),
        (Kind.SQUAD, {"half_ccv": 4, "role": Role.NCO}),
        (Kind.LEADER, {}),
        (Kind.WOUNDED_LEADER, {}),
        (Kind.CREW, {"m_killed": True}),
    ],
)
def test_no_fighter_is_what_its_kind_cannot_be(kind, more):
    with pytest.raises(ValueError, match="X"):
        Fighter((GERMAN, 1), "X", kind, 8, **more)


# TS-08 Priority


def first_of(fighter, *enemies):
    return {key[1] for key in find_targets(fighter, enemies, MAP)}


def test_the_same_hex_goes_first_then_adjacent_ones_then_the_nearest():
    one = squad(GERMAN, 1, "K7")
    in_hex, beside, far, farther = (squad(RUSSIAN, n, at) for n, at in enumerate(("K7", "K8", "K10", "K11"), 1))
    assert first_of(one, farther, far, beside, in_hex) == {1}
    assert first_of(one, farther, far, beside) == {2}
    assert first_of(one, farther, far) == {3}
    assert first_of(one, farther) == {4}
    assert first_of(one) == set()


def test_ties_are_all_open():
    one = squad(GERMAN, 1, "K7")
    assert first_of(one, *(squad(RUSSIAN, n, at) for n, at in enumerate(("K6", "K8", "K9"), 1))) == {1, 2}
    assert first_of(one, *(squad(RUSSIAN, n, at) for n, at in enumerate(("K10", "K4", "K12"), 1))) == {1, 2}


def test_where_a_hex_was_not_noted_it_is_a_tie_with_all():
    near, far, unknown = squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "K12"), squad(RUSSIAN, 3)
    assert first_of(squad(GERMAN, 1, "K7"), near, far, unknown) == {1, 3}
    assert first_of(squad(GERMAN, 1), near, far, unknown) == {1, 2, 3}


def test_a_bout_with_a_nearer_enemy_left_out_is_refused():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "P20"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "K9"))
    assert against(battle, [1], [1]) == []
    assert sentences(battle, [1], [2]) == ["german 1 first fights russian 1."]
    assert against(battle, [1], [2]) == ["20.6.4 step 3"]
    alone = replace(battle, fought=frozenset({(GERMAN, 2)}))
    assert against(alone, [1], [1, 2]) == [], "2 has nobody nearer than 1, and 1 has its first enemy in the bout"


def test_the_defenders_own_priority_counts_too():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "K4"), squad(RUSSIAN, 1, "K8"))
    assert sentences(battle, [2], [1]) == ["russian 1 first fights german 1."]
    assert against(battle, [1, 2], [1]) == [], "the far one may join in: 1 is the nearest enemy that it has"


def test_two_that_both_have_nearer_enemies_do_not_meet():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "P7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "P8"))
    assert against(battle, [1], [1]) == against(battle, [2], [2]) == []
    assert sentences(battle, [1, 2], [1, 2]) == [
        "german 1 and russian 2 both have nearer enemies.",
        "german 2 and russian 1 both have nearer enemies.",
    ]


def test_once_the_near_ones_have_fought_the_next_nearest_are_open():
    battle = sector(squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "K12"))
    assert find_openings(battle)[GERMAN, 1] == {(RUSSIAN, 1)}
    battle = replace(battle, fought=frozenset({(RUSSIAN, 1)}))
    assert find_openings(battle)[GERMAN, 1] == {(RUSSIAN, 2)}
    assert against(battle, [1], [2]) == []


# TS-09 Stacking


def crowd(kind, number, side=GERMAN, at="K7"):
    return [unit(side, n, kind, 5, at) for n in range(1, number + 1)]


@pytest.mark.parametrize(
    ("kind", "most"), [(Kind.SQUAD, 3), (Kind.HALF_SQUAD, 6), (Kind.SW_TEAM, 6), (Kind.CREW, 6), (Kind.VEHICLE, 1)]
)
def test_neither_attack_nor_defense_exceeds_what_one_hex_holds(kind, most):
    many = crowd(kind, most + 1)
    ours = sector(*many, squad(RUSSIAN, 1, "K8"))
    assert against(ours, range(1, most + 1), [1]) == []
    assert against(ours, range(1, most + 2), [1]) == ["20.6.4 step 3"]
    theirs = sector(squad(GERMAN, 1, "K8"), *crowd(kind, most + 1, RUSSIAN))
    assert against(theirs, [1], range(1, most + 1)) == []
    assert against(theirs, [1], range(1, most + 2)) == ["20.6.4 step 3"]


def test_halves_add_up_and_leaders_weigh_nothing():
    mixed = [*crowd(Kind.SQUAD, 2), team(GERMAN, 3, "K7"), unit(GERMAN, 4, Kind.CREW, 2, "K7"), tank(GERMAN, 5, "K7")]
    mixed += [nco(GERMAN, n, "K7") for n in range(6, 11)]
    battle = sector(*mixed, unit(GERMAN, 11, Kind.HALF_SQUAD, 3, "K7"), squad(RUSSIAN, 1, "K8"))
    assert against(battle, range(1, 11), [1]) == []
    assert sentences(battle, range(1, 12), [1]) == [
        "German: 3½ squads or equivalents are too many: one hex holds 3 (house value)."
    ]


def test_the_limit_is_an_argument_and_says_whose_value_it_is():
    battle = sector(*crowd(Kind.SQUAD, 4), squad(RUSSIAN, 1, "K8"), stacking=Stacking(4, 2, "owner"))
    assert against(battle, [1, 2, 3, 4], [1]) == []
    settled = fight_bout(bout([1, 2, 3, 4], [1]), battle, HOUSE, {"attack": 50, "defense": 50})
    assert ("stacking", "owner") in [(source.chart, source.provenance) for source in settled.provenance]
    assert "(owner value)" in Stacking(1, 1, "owner").excess([Kind.SQUAD] * 2)[0]


@pytest.mark.parametrize(("squads", "vehicles"), [(0, 1), (1, 0)])
def test_one_unit_of_each_kind_always_fits(squads, vehicles):
    with pytest.raises(ValueError, match="at least one"):
        Stacking(squads, vehicles, "owner")


# TS-10 M-KILLED vehicles


def test_an_m_killed_vehicle_attacks_nobody_who_does_not_attack_it():
    battle = sector(wreckage(GERMAN, 1, "K7"), squad(GERMAN, 2, "K9"), squad(RUSSIAN, 1, "K10"))
    assert find_openings(battle)[GERMAN, 1] == frozenset()
    assert against(battle, [2], [1]) == []
    assert sentences(battle, [1, 2], [1]) == [
        "german 1 is M-KILLED and only fights back: russian 1 has others to attack first."
    ]
    assert set(against(battle, [1], [1])) == {"20.6.4 step 3"}


def test_it_fights_back_at_those_that_have_it_to_attack_first():
    tie = sector(wreckage(GERMAN, 1, "K7"), squad(GERMAN, 2, "K9"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "P8"))
    assert against(tie, [1], [1]) == against(tie, [2], [1]) == against(tie, [1, 2], [1]) == []
    nearer = sector(wreckage(GERMAN, 1, "K7"), squad(GERMAN, 2, "K10"), squad(RUSSIAN, 1, "K8"))
    assert sentences(nearer, [2], [1]) == ["russian 1 first fights german 1."]
    assert against(nearer, [1, 2], [1]) == []


def test_it_attacks_like_others_if_an_enemy_ended_the_firefight_in_its_hex():
    battle = sector(wreckage(GERMAN, 1, "K7", enemy_in_hex=True), squad(GERMAN, 2, "K9"), squad(RUSSIAN, 1, "K10"))
    assert find_openings(battle)[GERMAN, 1] == {(RUSSIAN, 1)}
    assert against(battle, [1, 2], [1]) == []


def test_who_had_an_enemy_in_the_hex_is_known_as_far_as_hexes_were_noted():
    def met(*fighters):
        return {key[1] for key in met_in_hex(fighters) if key[0] is GERMAN}

    assert met(tank(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K7")) == {1}
    assert met(tank(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K8")) == set()
    assert met(tank(GERMAN, 1), squad(RUSSIAN, 1, "K8")) == {1}
    assert met(tank(GERMAN, 1, "K7"), squad(RUSSIAN, 1)) == {1}
    assert met(tank(GERMAN, 1, "K7"), tank(GERMAN, 2)) == set()


def test_with_nothing_else_left_it_is_for_the_enemy_to_pick_who_attacks_it():
    battle = sector(wreckage(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "K9"))
    assert find_picker(battle) is RUSSIAN
    assert against(battle, [1], [1]) == ["20.6.4 step 3"]
    attack = Bout(((RUSSIAN, 1), (RUSSIAN, 2)), ((GERMAN, 1),))
    assert object_to_bout(attack, battle) == ()
    assert keys_of(*propose_bouts(battle)) == keys_of(attack)


def test_the_rest_of_the_enemy_attacks_it_when_all_others_have_fought():
    battle = sector(squad(GERMAN, 1, "K7"), wreckage(GERMAN, 2, "M7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "M9"))
    assert find_picker(battle) is GERMAN
    battle = replace(battle, fought=frozenset({(GERMAN, 1), (RUSSIAN, 1)}))
    assert find_picker(battle) is RUSSIAN
    assert object_to_bout(Bout(((RUSSIAN, 2),), ((GERMAN, 2),)), battle) == ()


def test_two_that_may_only_fight_back_do_not_meet_while_others_fight():
    fighters = (squad(GERMAN, 1, "K7"), wreckage(GERMAN, 2, "M7"), squad(RUSSIAN, 1, "K8"), wreckage(RUSSIAN, 2, "M9"))
    battle = sector(*fighters, fought=frozenset({(GERMAN, 1), (RUSSIAN, 1)}))
    assert round_is_over(battle)
    assert keys_of(*propose_bouts(battle)) == keys_of()


def test_where_both_sides_have_nothing_else_they_all_attack():
    battle = sector(wreckage(GERMAN, 1, "K7"), wreckage(RUSSIAN, 1, "M9"))
    assert find_picker(battle) is GERMAN
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [1]))
    assert against(battle, [1], [1]) == []


def test_the_enemys_m_killed_vehicle_is_attacked_like_any_unit():
    battle = sector(squad(GERMAN, 1, "K7"), wreckage(RUSSIAN, 1, "M7"), squad(RUSSIAN, 2, "K12"))
    assert find_openings(battle)[GERMAN, 1] == {(RUSSIAN, 1)}
    assert against(battle, [1], [1, 2]) == []


# CC-19 Leaders


@pytest.mark.parametrize("kind", [Kind.SQUAD, Kind.HALF_SQUAD, Kind.SW_TEAM, Kind.CREW])
def test_leaders_are_no_target_of_their_own_while_other_infantry_is_there(kind):
    battle = sector(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K7"), unit(RUSSIAN, 2, kind, 5, "K12"))
    assert find_openings(battle)[GERMAN, 1] == {(RUSSIAN, 2)}
    assert against(battle, [1], [1]) == ["19.3.6"]
    assert against(battle, [1], [2]) == against(battle, [1], [1, 2]) == []


def test_infantry_that_has_fought_still_covers_a_leader():
    battle = sector(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K7"), squad(RUSSIAN, 2, "K8"))
    battle = replace(battle, fought=frozenset({(RUSSIAN, 2)}))
    assert "19.3.6" in against(battle, [1], [1])
    assert round_is_over(battle)


def test_leaders_alone_or_with_vehicles_are_a_target():
    alone = sector(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K8"), nco(RUSSIAN, 2, "K8", kind=Kind.WOUNDED_LEADER))
    assert against(alone, [1], [1, 2]) == []
    driven = sector(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K8"), tank(RUSSIAN, 2, "K8"))
    assert against(driven, [1], [1, 2]) == []


def test_a_leader_does_not_ride_alone_with_a_vehicle_while_infantry_is_there():
    battle = sector(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K7"), tank(RUSSIAN, 2, "K8"), squad(RUSSIAN, 3, "K8"))
    assert against(battle, [1], [1, 2]) == ["19.3.6"]
    assert against(battle, [1], [1, 2, 3]) == []


def test_the_pickers_own_leaders_go_with_infantry_as_well():
    battle = sector(nco(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K8"))
    assert against(battle, [1], [1]) == ["19.3.6"]
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([2, 1], [1]))


# TS-12 and TS-13 Who picks, and rounds


@pytest.mark.parametrize("attacker", Side)
def test_the_attacker_of_the_firefight_picks(attacker):
    battle = sector(squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"), attacker=attacker)
    assert find_picker(battle) is attacker
    assert against(battle, [1], [1]) == ([] if attacker is GERMAN else ["20.6.4 step 3"])
    assert [chosen.attackers[0][0] for chosen in propose_bouts(battle)] == [attacker]


def test_nobody_fights_twice_in_a_round():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "K8"))
    battle = replace(battle, fought=frozenset({(GERMAN, 1), (RUSSIAN, 1)}))
    assert against(battle, [1], [2]) == against(battle, [2], [1]) == ["20.6.4 step 3"]
    assert against(battle, [2], [2]) == []


def test_a_round_goes_on_while_anybody_can_fight_and_the_next_starts_afresh():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K8"))
    assert not round_is_over(battle)
    battle = replace(battle, fought=frozenset({(GERMAN, 1), (RUSSIAN, 1)}))
    assert round_is_over(battle), "2 has no enemy left in this round"
    assert not is_over(battle)
    following = end_round(battle, [])
    assert (following.fought, round_is_over(following)) == (frozenset(), False)


def test_the_sector_is_settled_when_one_side_is_left_or_none():
    one, other = squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8")
    assert [is_over(sector(*fighters)) for fighters in ((one, other), (one,), (other,), ())] == [
        False,
        True,
        True,
        True,
    ]


# A-45 The Attacker gathers as he likes


@pytest.mark.parametrize("chosen", [([1], [1]), ([1, 2], [1]), ([1, 2, 3], [1]), ([1], [1, 2, 3]), ([1, 2], [2, 3])])
def test_the_attacker_gathers_as_he_likes_within_priority_and_stacking(chosen):
    battle = sector(*crowd(Kind.SQUAD, 5), *crowd(Kind.SQUAD, 5, RUSSIAN, "K8"))
    assert against(battle, *chosen) == []


def test_who_had_no_enemy_in_a_round_waits_and_is_matched_before_anybody_fights_again():
    battle = sector(*crowd(Kind.SQUAD, 2), *crowd(Kind.SQUAD, 3, RUSSIAN, "K8"))
    battle = replace(battle, fought=frozenset({(GERMAN, 1), (GERMAN, 2), (RUSSIAN, 1)}))
    assert round_is_over(battle)
    battle = end_round(battle, [])
    assert battle.waited == {(RUSSIAN, 2), (RUSSIAN, 3)}
    assert sentences(battle, [1], [1]) == [
        "Some had no enemy in the last round and go first: match russian 2 or russian 3."
    ]
    assert against(battle, [1, 2], [1]) == ["20.6.4 step 3"]
    assert against(battle, [1], [1, 2]) == against(battle, [1, 2], [3]) == []
    (first, *_) = propose_bouts(battle)
    assert not battle.waited.isdisjoint(first.keys)
    battle = replace(battle, fought=frozenset({(GERMAN, 1), (RUSSIAN, 2), (RUSSIAN, 3)}))
    assert against(battle, [2], [1]) == [], "all who waited have fought"


def test_who_waited_and_has_no_match_keeps_nobody_from_fighting():
    battle = sector(
        squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"), squad(RUSSIAN, 2, "P20"), waited=frozenset({(RUSSIAN, 2)})
    )
    assert against(battle, [1], [1]) == [], "German 1 has a nearer enemy than the one who waited"


def test_whom_priority_keeps_out_may_be_left_without_an_enemy():
    battle = sector(
        squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "P7"), wreckage(RUSSIAN, 1, "K8"), wreckage(RUSSIAN, 2, "P12")
    )
    battle = replace(battle, fought=frozenset({(GERMAN, 2)}))
    assert against(battle, [1], [1]) == [], "German 1 has the nearer one to attack first"


# CC-08, A-44 Each side divides its attacks


THREE = [squad(side, n, "K7") for side in Side for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "attacks",
    [
        (hit([1, 2, 3], [1, 2, 3]), answer([1, 2, 3], [1, 2, 3])),
        (hit([1], [3]), hit([2], [2]), hit([3], [1]), answer([1, 2, 3], [2])),
        (hit([1, 2], [1]),),
        (answer([3], [1, 2]),),
    ],
)
@pytest.mark.parametrize("place", [sector, melee])
def test_a_side_divides_its_attacks_as_it_likes(place, attacks):
    assert against(place(*THREE), [1, 2, 3], [1, 2, 3], attacks=attacks) == []


@pytest.mark.parametrize(
    ("attacks", "message"),
    [
        ((hit([1], [1]), hit([1, 2], [2])), "german 1 attacks more than once."),
        ((hit([1], [1]), hit([2], [1, 2])), "russian 1 is attacked more than once."),
        ((), "Choose at least one attacker."),
        ((hit([1], []),), "Each attack is by units of one side here, on enemies here."),
        ((hit([1], [9]),), "Each attack is by units of one side here, on enemies here."),
        ((Attack(((GERMAN, 1),), ((GERMAN, 2),)),), "Each attack is by units of one side here, on enemies here."),
    ],
)
def test_nobody_attacks_or_is_attacked_twice_and_only_enemies_are(attacks, message):
    objections = object_to_bout(bout([1, 2, 3], [1, 2, 3], attacks=attacks), sector(*THREE))
    assert [(objection.message, objection.rule) for objection in objections] == [(message, "19.2.1")]


def test_an_enemy_who_is_alone_is_attacked_by_all_as_one():
    battle = sector(squad(GERMAN, 1), squad(GERMAN, 2), squad(RUSSIAN, 1))
    some = bout([1, 2], [1], attacks=(hit([1], [1]), answer([1], [2])))
    assert [objection.message for objection in object_to_bout(some, battle)] == [
        "German: there is only one enemy unit, so all attack it together."
    ]
    assert against(battle, [1, 2], [1], attacks=(hit([1, 2], [1]), answer([1], [2]))) == []


def test_a_leader_is_attacked_with_the_infantry_that_he_defends_with():
    battle = sector(squad(GERMAN, 1, ccv=9), *(squad(RUSSIAN, n, ccv=5) for n in (1, 2)), nco(RUSSIAN, 3))
    alone = bout([1], [1, 2, 3], attacks=(hit([1], [3]), answer([1, 2, 3], [1])))
    assert [objection.rule for objection in object_to_bout(alone, battle)] == ["19.3.6"]
    for escort, resistance in ((1, 5), (2, 6)):
        attacks = (hit([1], [2]), answer([1, 2, 3], [1]))
        chosen = bout([1], [1, 2, 3], attacks=attacks, escorts=(((RUSSIAN, 3), (RUSSIAN, escort)),))
        assert object_to_bout(chosen, battle) == ()
        strike, _ = fight_bout(chosen, battle, HOUSE, {}).strikes
        assert strike.roll.details["defense"] == resistance


def test_an_m_killed_vehicle_is_attacked_before_it_attacks():
    battle = sector(squad(GERMAN, 1), squad(GERMAN, 2), wreckage(RUSSIAN, 1), squad(RUSSIAN, 2))
    back = (hit([1], [1]), hit([2], [2]), answer([1], [1]), answer([2], [2]))
    assert against(battle, [1, 2], [1, 2], attacks=back) == []
    wrong = (hit([1], [1]), hit([2], [2]), answer([1], [2]), answer([2], [1]))
    assert [objection.message for objection in object_to_bout(bout([1, 2], [1, 2], attacks=wrong), battle)] == [
        "russian 1 is M-KILLED and only attacks units that attack it."
    ]


def test_who_may_attack_nobody_need_not_join_the_attack_on_an_only_enemy():
    battle = sector(wreckage(GERMAN, 1), squad(GERMAN, 2), squad(RUSSIAN, 1))
    spared = bout([1, 2], [1], attacks=(hit([2], [1]), answer([1], [2])))
    assert object_to_bout(spared, battle) == ()
    idle = bout([1, 2], [1], attacks=(answer([1], [2]),))
    assert [objection.message for objection in object_to_bout(idle, battle)] == [
        "German: there is only one enemy unit, so all attack it together."
    ]
    alone = sector(squad(GERMAN, 1), wreckage(RUSSIAN, 1))
    assert object_to_bout(bout([1], [1], attacks=(hit([1], [1]),)), alone) == ()


def test_the_dice_of_divided_attacks_have_names_of_their_own():
    chosen = bout([1, 2, 3], [1, 2, 3], attacks=(hit([1], [1]), hit([2], [2]), answer([1, 2, 3], [1])))
    dice = {"attack": DEAD, "attack_2": CASUALTIES, "defense": DEAD}
    fought = fight_bout(chosen, sector(*THREE), HOUSE, dice)
    assert [strike.name for strike in fought.strikes] == ["attack", "attack_2", "defense"]
    assert fates(fought) == {"russian 1": "eliminated", "russian 2": "reduced", "german 1": "eliminated"}


def test_dividing_attacks_leaves_nothing_that_only_looking_for_garbage_finds():
    """A hurried phase divides hundreds of bouts, and would be half as long again by that alone."""
    even = sector(*(squad(side, n) for side in (GERMAN, RUSSIAN) for n in (1, 2, 3)))
    gc.collect()
    gc.disable()
    try:
        divide_attacks(bout([1, 2, 3], [1, 2, 3]), even)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_app_divides_as_costs_the_enemy_most():
    """Three on the one that is hurt most easily, or each on one, as the odds are."""
    even = sector(*(squad(GERMAN, n, ccv=8) for n in (1, 2)), *(squad(RUSSIAN, n, ccv=8) for n in (1, 2)))
    chosen = divide_attacks(bout([1, 2], [1, 2]), even)
    assert [len(attack.by) for attack in chosen.attacks_of(GERMAN)] == [1, 1]
    weak = sector(*(squad(GERMAN, n, ccv=2) for n in (1, 2)), *(squad(RUSSIAN, n, ccv=8) for n in (1, 2)))
    chosen = divide_attacks(bout([1, 2], [1, 2]), weak)
    assert [len(attack.by) for attack in chosen.attacks_of(GERMAN)] == [2]
    strong = sector(tank(GERMAN, 1, ccv=20), *(team(RUSSIAN, n) for n in (1, 2)))
    (both,) = divide_attacks(bout([1], [1, 2]), strong).attacks_of(GERMAN)
    assert len(both.on) == 2, "a sure win takes in whom it can"


@pytest.mark.parametrize(("ccv", "uses_his_own"), [(1, False), (16, True)])
def test_a_leader_uses_his_own_value_where_that_is_better_than_the_5_he_lends(ccv, uses_his_own):
    battle = sector(squad(GERMAN, 1, "K7", ccv=4), nco(GERMAN, 2, "K7", ccv=ccv), squad(RUSSIAN, 1, "K7", ccv=4))
    chosen = divide_attacks(bout([1, 2], [1]), battle)
    assert (GERMAN, 2) in chosen.attacks_of(GERMAN)[0].by
    assert ((GERMAN, 2) in chosen.by_value) == uses_his_own


# CC-20, A-44 Automatic results by the best odds available


def test_one_against_three_is_not_lost_while_it_may_attack_one_of_them():
    """5 against 24 is 1-5, but 5 against 8 is 1-2."""
    battle = sector(*(squad(GERMAN, n) for n in (1, 2, 3)), squad(RUSSIAN, 1, ccv=5))
    together = fight(battle, [1, 2, 3], [1])
    assert together.defense.outcome == "none"
    assert together.defense.headline == "No effect: 5 against 24 is 1-5, with better odds to be had."
    assert fates(together) == {"russian 1": "eliminated"}
    one = bout([1, 2, 3], [1], attacks=(hit([1, 2, 3], [1]), answer([1], [2])))
    fought = fight_bout(one, battle, HOUSE, {"defense": DEAD})
    assert fates(fought) == {"russian 1": "eliminated", "german 2": "eliminated"}, "all of it counts at once"


def test_a_side_is_lost_if_even_its_best_odds_are_1_to_4():
    battle = sector(*(squad(GERMAN, n) for n in (1, 2)), *(team(RUSSIAN, n, ccv=1) for n in (1, 2)))
    chosen = bout([1, 2], [1, 2], attacks=(hit([1], [1]), answer([1], [1]), answer([2], [2])))
    fought = fight_bout(chosen, battle, HOUSE, {})
    assert (fought.needs, fates(fought)) == ((), {"russian 1": "eliminated", "russian 2": "eliminated"})
    third = replace(battle, fighters=(*battle.fighters, team(RUSSIAN, 3, ccv=1)))
    some = bout([1, 2], [1, 2, 3], attacks=(hit([1], [1]), answer([1, 2, 3], [1])))
    assert fight_bout(some, third, HOUSE, {}).strikes[-1].roll.needs, "3 against 8 is 1-3"


def test_hand_to_hand_saves_who_would_be_lost():
    battle = sector(squad(GERMAN, 1, ccv=20), squad(RUSSIAN, 1, ccv=5))
    assert fates(fight(battle, [1], [1]))["russian 1"] == "eliminated"
    assert fight(battle, [1], [1], hand_to_hand=True).defense.needs


@pytest.mark.parametrize(
    ("ours", "theirs", "rule"),
    [
        ([], [1], "19.2.1"),
        ([1], [], "19.2.1"),
        ([], [], "19.2.1"),
        ([1, 1], [1], "19.2.1"),
        ([1, 9], [1], "20.6.4"),
    ],
)
def test_a_bout_names_units_of_both_sides_that_are_there_once_each(ours, theirs, rule):
    battle = sector(squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"))
    assert against(battle, ours, theirs) == [rule]


def test_nobody_fights_his_own_side():
    battle = sector(squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1, "K8"))
    mixed = Bout(((GERMAN, 1),), ((GERMAN, 2), (RUSSIAN, 1)))
    assert object_to_bout(mixed, battle) == (
        Objection("The German picks the pairings: their units attack, and enemies defend.", "20.6.4 step 3"),
    )


def test_every_rule_that_a_bout_breaks_is_named():
    battle = sector(*crowd(Kind.SQUAD, 4), nco(RUSSIAN, 1, "K7"), squad(RUSSIAN, 2, "K8"), fought={(GERMAN, 4)})
    rules = against(battle, [1, 2, 3, 4], [1], in_open=frozenset({RUSSIAN}))
    assert sorted(rules) == ["19.3.6", "20.6.4 step 3", "20.6.4 step 3", "20.6.4 step 3"]


# TS-02 Existing close combat


def keys_of(*bouts):
    """Who meets whom in each bout."""
    return [(set(bout.attackers), set(bout.defenders)) for bout in bouts]


def test_step_1_takes_in_everybody_of_the_place_marked_or_not():
    battle = melee(squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K7"))
    late, elsewhere, above = squad(GERMAN, 2, "K7"), squad(GERMAN, 3, "K8"), squad(GERMAN, 4, "K7", level=1)
    battle = replace(battle, fighters=(*battle.fighters, late, elsewhere, above))
    assert sentences(battle, [1], [1]) == ["german 2 is in the same place and takes part."]
    assert against(battle, [1, 2], [1]) == []
    for number in (3, 4):
        assert sentences(battle, [1, 2, number], [1])[0] == (
            f"german {number} is in no location with a Close Combat marker."
        )
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1, 2], [1]))


def test_each_level_of_a_hex_has_its_own_close_combat():
    ground_floor = [squad(side, 1, "K7") for side in Side]
    upstairs = [squad(side, 2, "K7", level=1) for side in Side]
    battle = melee(*ground_floor, *upstairs)
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [1]), bout([2], [2]))
    assert [objection.message for objection in object_to_bout(bout([1, 2], [1, 2]), battle)] == [
        "Close Combat under way is fought place by place: these are in K7 and K7 level 1."
    ]


def test_an_unmarked_unit_whose_hex_nobody_noted_is_not_drawn_in():
    battle = melee(squad(GERMAN, 1), squad(RUSSIAN, 1))
    battle = replace(battle, fighters=(*battle.fighters, squad(GERMAN, 2)))
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [1]))


def test_step_1_goes_hex_by_hex_and_knows_no_stacking_limit():
    battle = melee(*crowd(Kind.SQUAD, 4), squad(GERMAN, 5, "M7"), squad(RUSSIAN, 1, "K7"), squad(RUSSIAN, 2, "M7"))
    assert against(battle, [1, 2, 3, 4], [1]) == against(battle, [5], [2]) == []
    crossed = object_to_bout(bout([1, 2, 3, 4, 5], [1, 2]), battle)
    assert [objection.rule for objection in crossed] == ["20.6.4 step 1"]
    assert {frozenset(chosen.keys) for chosen in propose_bouts(battle)} == {
        frozenset({*((GERMAN, n) for n in range(1, 5)), (RUSSIAN, 1)}),
        frozenset({(GERMAN, 5), (RUSSIAN, 2)}),
    }


def test_step_1_is_over_when_each_hex_is_in_one_hand():
    german, russian = squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8")
    assert is_over(melee(german, russian))
    assert not is_over(melee(german, russian, squad(RUSSIAN, 2, "K7")))
    assert is_over(sector(german, squad(RUSSIAN, 2, "K7"), existing=True)), "without markers nothing is under way"


def test_marked_units_whose_hex_nobody_noted_fight_each_other():
    battle = melee(squad(GERMAN, 1), squad(GERMAN, 2, "K7"), squad(RUSSIAN, 1))
    assert against(battle, [1], [1]) == []
    assert "20.6.4 step 1" in against(battle, [2], [1])


def test_in_step_1_a_leader_is_covered_by_infantry_of_his_own_hex():
    battle = melee(squad(GERMAN, 1, "K7"), nco(RUSSIAN, 1, "K7"), squad(RUSSIAN, 2, "M7"), squad(GERMAN, 2, "M7"))
    assert against(battle, [1], [1]) == []


def test_an_m_killed_vehicle_does_not_fight_back_at_a_leader_whom_others_shield():
    battle = sector(
        squad(GERMAN, 1, ccv=5), wreckage(GERMAN, 2, ccv=4), squad(RUSSIAN, 1, ccv=5), nco(RUSSIAN, 2, ccv=2)
    )
    (chosen,) = propose_bouts(battle)
    assert Attack(((RUSSIAN, 2),), ((GERMAN, 2),)) in chosen.attacks
    assert not any((GERMAN, 2) in attack.by for attack in chosen.attacks)
    assert object_to_bout(chosen, battle) == ()
    assert fight_bout(chosen, battle, HOUSE, {"attack": NOTHING, "defense": NOTHING, "defense_2": NOTHING}).needs == ()


def test_in_step_1_m_killed_vehicles_fight_like_others():
    battle = melee(wreckage(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K7"))
    assert find_picker(battle) is GERMAN
    assert against(battle, [1], [1]) == []


# Proposals


def test_a_proposal_gathers_up_to_4_to_1_against_one_enemy():
    battle = sector(
        *(squad(GERMAN, n, "K7") for n in range(1, 6)), team(RUSSIAN, 1, "K8", ccv=4), squad(RUSSIAN, 2, "K8")
    )
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1, 2], [1]), bout([3, 4, 5], [2])), "16 against 4 is 4-1"


def test_a_proposal_gathers_no_more_than_one_hex_holds():
    battle = sector(*(squad(GERMAN, n, "K7") for n in range(1, 6)), squad(RUSSIAN, 1, "K8", ccv=9))
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1, 2, 3], [1]))


def test_a_proposal_gathers_the_strongest_first_and_no_more_than_it_needs():
    ours = squad(GERMAN, 1, "K7", ccv=3), squad(GERMAN, 2, "K7", ccv=9), squad(GERMAN, 3, "K7", ccv=5)
    assert keys_of(propose_bouts(sector(*ours, team(RUSSIAN, 1, "K8")))[0]) == keys_of(bout([2], [1]))
    demo = unit(GERMAN, 1, Kind.SW_TEAM, 9, "K7", weapon=TeamWeapon.DEMO_CHARGE)  # which is worth 1 against AFV
    battle = sector(demo, squad(GERMAN, 2, "K7", ccv=4), tank(RUSSIAN, 1, "K8", ccv=1))
    assert keys_of(propose_bouts(battle)[0]) == keys_of(bout([2], [1]))


def test_the_same_battle_has_the_same_proposal_in_whatever_order_its_units_stand():
    fighters = [*(squad(GERMAN, n, "K7") for n in range(1, 6)), team(RUSSIAN, 1, "K8", ccv=4)]
    assert propose_bouts(sector(*fighters)) == propose_bouts(sector(*reversed(fighters)))


def test_a_proposal_begins_with_an_own_unit_that_waited():
    ours = squad(GERMAN, 1, "K7", ccv=9), squad(GERMAN, 2, "K7", ccv=3)
    battle = sector(*ours, team(RUSSIAN, 1, "K8"), waited=frozenset({(GERMAN, 2)}))
    first = propose_bouts(battle)[0]
    assert first.attackers[0] == (GERMAN, 2) and not object_to_bout(first, battle)


def test_a_proposal_counts_riders_on_foot():
    fighters = [squad(GERMAN, n, "K7", rider=True) for n in range(1, 6)]
    fighters += [team(RUSSIAN, 1, "K7", ccv=4), squad(RUSSIAN, 2, "K7")]
    assert keys_of(propose_bouts(sector(*fighters))[0]) == keys_of(bout([1, 2], [1]))


@pytest.mark.parametrize(("better", "worse"), [(2, 9), (2, 3), (0, 3)])
def test_a_proposal_takes_the_best_odds_first_and_goes_on(better, worse):
    ours = squad(GERMAN, 1, "K7", ccv=9), squad(GERMAN, 2, "K7", ccv=9)
    battle = sector(*ours, team(RUSSIAN, 1, "K8", ccv=better), team(RUSSIAN, 2, "K8", ccv=worse))
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [1]), bout([2], [2]))
    battle = sector(*ours, team(RUSSIAN, 1, "K8", ccv=worse), team(RUSSIAN, 2, "K8", ccv=better))
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [2]), bout([2], [1]))


def test_good_odds_go_before_a_weak_enemy():
    battle = sector(
        *(squad(GERMAN, n, at, ccv=ccv) for n, at, ccv in ((1, "K7", 3), (2, "P7", 16))),
        *(team(RUSSIAN, n, at, ccv=ccv) for n, at, ccv in ((1, "K8", 3), (2, "P8", 4))),
    )
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([2], [2]), bout([1], [1]))


def test_of_two_sure_wins_a_proposal_takes_the_one_with_fewer_units():
    ours = squad(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), squad(GERMAN, 3, "K7")
    battle = sector(*ours, team(RUSSIAN, 1, "K8", ccv=2), team(RUSSIAN, 2, "K8", ccv=4))
    assert keys_of(*propose_bouts(battle)) == keys_of(bout([1], [1]), bout([2, 3], [2]))


def test_leaders_are_proposed_with_infantry_near_them():
    battle = sector(
        *(squad(GERMAN, n, at) for n, at in ((1, "K7"), (2, "P7"))),
        *(squad(RUSSIAN, n, at) for n, at in ((1, "K8"), (2, "P8"))),
        nco(GERMAN, 3, "P7"),
        nco(RUSSIAN, 3, "K8"),
        nco(RUSSIAN, 4),
    )
    assert {frozenset(chosen.keys) for chosen in propose_bouts(battle)} == {
        frozenset({(GERMAN, 1), (RUSSIAN, 1), (RUSSIAN, 3)}),
        frozenset({(GERMAN, 2), (GERMAN, 3), (RUSSIAN, 2), (RUSSIAN, 4)}),
    }


# CC-09 to CC-12, CC-20, CQ-03 Odds


@pytest.mark.parametrize(
    ("ours", "theirs", "columns"),
    [
        (9, 5, ("1-1", "1-2")),
        (8, 8, ("1-1", "1-1")),
        (8, 4, ("2-1", "1-2")),
        (15, 5, ("3-1", "1-3")),
        (16, 5, ("3-1", "1-4")),
        (19, 5, ("3-1", "1-4")),
        (20, 5, ("4-1", "1-4")),
        (4, 9, ("1-3", "2-1")),
        (5, 15, ("1-3", "3-1")),
        (5, 16, ("1-4", "3-1")),
    ],
)
def test_both_attacks_have_their_own_odds(ours, theirs, columns):
    fought = fight(sector(squad(GERMAN, 1, ccv=ours), squad(RUSSIAN, 1, ccv=theirs)), [1], [1])
    assert (fought.attack.details["column"], fought.defense.details["column"]) == columns


@pytest.mark.parametrize("hand_to_hand", [False, True])
@pytest.mark.parametrize("ours", range(1, 26))
def test_only_1_3_to_3_1_are_ever_rolled(ours, hand_to_hand):
    for theirs in range(1, 26):
        battle = sector(squad(GERMAN, 1, ccv=ours), squad(RUSSIAN, 1, ccv=theirs))
        fought = fight(battle, [1], [1], hand_to_hand=hand_to_hand)
        for roll in (fought.attack, fought.defense):
            assert bool(roll.needs) == (roll.details["column"] in ("1-3", "1-2", "1-1", "2-1", "3-1"))


def test_hand_to_hand_turns_3_1_into_a_sure_win_and_1_4_into_a_roll():
    battle = sector(squad(GERMAN, 1, ccv=15), squad(RUSSIAN, 1, ccv=5))
    assert fight(battle, [1], [1]).attack.needs
    sure = fight(battle, [1], [1], hand_to_hand=True)
    assert (sure.attack.outcome, sure.defense.details["column"]) == ("defenders_eliminated", "1-2")
    battle = sector(squad(GERMAN, 1, ccv=5), squad(RUSSIAN, 1, ccv=20))
    assert fight(battle, [1], [1]).attack.outcome == "attackers_eliminated"
    assert fight(battle, [1], [1], hand_to_hand=True).attack.details["column"] == "1-3"


def test_automatic_results_need_no_dice_and_take_all():
    battle = sector(*(squad(GERMAN, n, ccv=9) for n in (1, 2, 3)), nco(RUSSIAN, 1, role=Role.OFFICER), team(RUSSIAN, 2))
    fought = fight(battle, [1, 2, 3], [1, 2])
    assert (fought.needs, fought.hits) == ((), ())
    assert fates(fought) == {"russian 1": "eliminated", "russian 2": "eliminated"}


def test_who_has_no_value_left_is_lost_and_two_of_them_are_both():
    battle = sector(nco(GERMAN, 1, disrupted=True), nco(RUSSIAN, 1, disrupted=True))
    assert fates(fight(battle, [1], [1])) == {"german 1": "eliminated", "russian 1": "eliminated"}
    battle = sector(nco(GERMAN, 1, disrupted=True), squad(RUSSIAN, 1))
    assert fates(fight(battle, [1], [1])) == {"german 1": "eliminated"}


def test_disrupted_units_count_half_each_fractions_down():
    battle = sector(squad(GERMAN, 1, ccv=9, disrupted=True), squad(GERMAN, 2, ccv=9, disrupted=True), squad(RUSSIAN, 1))
    fought = fight(battle, [1, 2], [1])
    assert (fought.attack.details["attack"], fought.defense.details["defense"]) == (8, 8)


def test_riders_are_halved_in_step_1_and_fight_on_foot_in_step_3():
    fighters = (squad(GERMAN, 1, "K7", ccv=9, rider=True), squad(RUSSIAN, 1, "K7"))
    assert fight(melee(*fighters), [1], [1]).attack.details["attack"] == 4
    assert fight(sector(*fighters), [1], [1]).attack.details["attack"] == 9
    assert against(sector(*fighters), [1], [1], riders=frozenset({(GERMAN, 1)})) == ["20.6.4 step 3"]


# CC-15, CC-16, CC-18, TS-11 DRM


@pytest.mark.parametrize(("role", "lends"), [(Role.NCO, True), (Role.OFFICER, True), (Role.COMMISSAR, False)])
@pytest.mark.parametrize("kind", [Kind.LEADER, Kind.WOUNDED_LEADER])
def test_an_nco_or_officer_lends_5_instead_of_his_ccv_and_a_commissar_fights(role, lends, kind):
    battle = sector(squad(GERMAN, 1), nco(GERMAN, 2, role=role, kind=kind), squad(RUSSIAN, 1))
    fought = fight(battle, [1, 2], [1])
    assert drm(fought.attack) == ({"NCO or Officer": -5} if lends else {})
    assert fought.attack.details["attack"] == (8 if lends else 9)
    assert fought.defense.details["defense"] == 9, "in defense it is always his CCV"
    assert drm(fought.defense) == {}


def test_a_leaders_owner_may_use_his_ccv():
    battle = sector(squad(GERMAN, 1), nco(GERMAN, 2), squad(RUSSIAN, 1), nco(RUSSIAN, 2))
    fought = fight(battle, [1, 2], [1, 2], by_value=frozenset({(GERMAN, 2)}))
    assert (fought.attack.details["attack"], drm(fought.attack)) == (9, {})
    assert (fought.defense.details["attack"], drm(fought.defense)) == (8, {"NCO or Officer": -5})


def test_a_disrupted_leader_and_one_who_is_alone_lend_nothing():
    shaken = sector(squad(GERMAN, 1), nco(GERMAN, 2, ccv=2, disrupted=True), squad(RUSSIAN, 1))
    fought = fight(shaken, [1, 2], [1])
    assert (fought.attack.details["attack"], drm(fought.attack)) == (9, {})
    alone = sector(nco(GERMAN, 1), nco(GERMAN, 2, role=Role.OFFICER), nco(RUSSIAN, 1))
    fought = fight(alone, [1, 2], [1])
    assert (fought.attack.details["attack"], drm(fought.attack)) == (2, {})


def test_several_leaders_bring_one_5_and_the_others_their_ccv():
    battle = sector(squad(GERMAN, 1), *(nco(GERMAN, n) for n in (2, 3, 4)), squad(RUSSIAN, 1))
    fought = fight(battle, [1, 2, 3, 4], [1])
    assert (fought.attack.details["attack"], drm(fought.attack)) == (10, {"NCO or Officer": -5})
    unlike = sector(squad(GERMAN, 1), nco(GERMAN, 2, ccv=2), nco(GERMAN, 3, ccv=1), squad(RUSSIAN, 1))
    assert fight(unlike, [1, 2, 3], [1]).attack.details["attack"] == 10, "the one who is worth less himself lends"


def test_a_leader_with_a_vehicle_is_not_alone():
    battle = sector(tank(GERMAN, 1), nco(GERMAN, 2), squad(RUSSIAN, 1))
    assert drm(fight(battle, [1, 2], [1]).attack) == {"NCO or Officer": -5}


def test_a_demo_charge_is_worth_1_and_minus_10_against_an_afv_only():
    charge = team(GERMAN, 2, weapon=TeamWeapon.DEMO_CHARGE)
    at_tank = fight(sector(squad(GERMAN, 1), charge, tank(RUSSIAN, 1)), [1, 2], [1])
    assert (at_tank.attack.details["attack"], drm(at_tank.attack)) == (9, {"Demo charge against AFV": -10})
    assert at_tank.defense.details["defense"] == 10
    at_squad = fight(sector(squad(GERMAN, 1), charge, squad(RUSSIAN, 1)), [1, 2], [1])
    assert (at_squad.attack.details["attack"], drm(at_squad.attack)) == (10, {})
    shaken = sector(squad(GERMAN, 1), replace(charge, disrupted=True), tank(RUSSIAN, 1))
    assert fight(shaken, [1, 2], [1]).attack.details["attack"] == 8


def test_a_flamethrower_is_minus_10_against_anything():
    flames = team(GERMAN, 1, ccv=3, weapon=TeamWeapon.FLAMETHROWER)
    for target in (squad(RUSSIAN, 1, ccv=5), tank(RUSSIAN, 1, ccv=4), nco(RUSSIAN, 1)):
        fought = fight(sector(flames, target), [1], [1])
        assert dict(fought.attack.details)["attack"] == 3
        assert drm(fought.attack) == ({"Flamethrower": -10} if fought.attack.needs else {})
        assert drm(fought.defense) == {}


def test_an_m_killed_afv_is_minus_10():
    fought = fight(sector(squad(GERMAN, 1), wreckage(RUSSIAN, 1)), [1], [1])
    assert (drm(fought.attack), drm(fought.defense)) == ({"M-KILLED AFV": -10}, {})


def test_an_attack_on_an_afv_out_of_cover_is_minus_10():
    fighters, cover = (squad(GERMAN, 1), tank(RUSSIAN, 1)), frozenset({GERMAN, RUSSIAN})
    fought = fight(sector(*fighters), [1], [1], from_cover=cover)
    assert (drm(fought.attack), drm(fought.defense)) == ({"From building, woods or grain": -10}, {})
    assert drm(fight(sector(*fighters), [1], [1], from_cover=cover - {GERMAN}).attack) == {}


def test_close_combat_drm_add_up():
    battle = sector(
        squad(GERMAN, 1),
        nco(GERMAN, 2),
        team(GERMAN, 3, weapon=TeamWeapon.DEMO_CHARGE),
        team(GERMAN, 4, weapon=TeamWeapon.FLAMETHROWER),
        wreckage(RUSSIAN, 1),
    )
    fought = fight(battle, [1, 2, 3, 4], [1], {"attack": 80}, from_cover=frozenset({GERMAN}))
    assert sum(drm(fought.attack).values()) == -45
    assert (fought.attack.modified, fought.attack.details["attack"]) == (35, 11)


def test_there_is_no_drm_for_afv_in_the_open_in_step_3():
    fighters, in_open = (squad(GERMAN, 1, "K7"), tank(RUSSIAN, 1, "K7")), frozenset({RUSSIAN})
    assert against(sector(*fighters), [1], [1], in_open=in_open) == ["20.6.4 step 3"]
    assert against(melee(*fighters), [1], [1], in_open=in_open) == []
    assert drm(fight(melee(*fighters), [1], [1], in_open=in_open).attack) == {"AFV in the open": 10}
    by_tank = melee(tank(GERMAN, 1, "K7"), tank(RUSSIAN, 1, "K7"))
    assert drm(fight(by_tank, [1], [1], in_open=in_open).attack) == {}, "it counts for attacks by infantry"
    by_both = melee(tank(GERMAN, 1, "K7"), squad(GERMAN, 2, "K7"), tank(RUSSIAN, 1, "K7", ccv=16))
    assert drm(fight(by_both, [1, 2], [1], in_open=in_open).attack) == {"AFV in the open": 10}


def test_infantry_beside_a_vehicle_shields_it_from_what_counts_against_afv():
    battle = sector(
        squad(GERMAN, 1), team(GERMAN, 2, weapon=TeamWeapon.DEMO_CHARGE), wreckage(RUSSIAN, 1), squad(RUSSIAN, 2)
    )
    fought = fight(battle, [1, 2], [1, 2], from_cover=frozenset({GERMAN}))
    assert (fought.attack.details["attack"], drm(fought.attack)) == (10, {})
    led = sector(squad(GERMAN, 1), wreckage(RUSSIAN, 1), nco(RUSSIAN, 2))
    assert drm(fight(led, [1], [1, 2]).attack) == {"M-KILLED AFV": -10}, "leaders do not"


def test_several_afv_are_m_killed_if_all_are():
    fighters = squad(GERMAN, 1, "K7"), wreckage(RUSSIAN, 1, "K7"), tank(RUSSIAN, 2, "K7")
    assert drm(fight(melee(*fighters), [1], [1, 2]).attack) == {}
    both = (fighters[0], fighters[1], replace(fighters[2], m_killed=True))
    assert drm(fight(melee(*both), [1], [1, 2]).attack) == {"M-KILLED AFV": -10}


# CC-10, CC-13, CC-14 Dice and results


def test_dice_are_asked_for_one_step_at_a_time():
    battle = sector(*(squad(GERMAN, n) for n in (1, 2)), *(squad(RUSSIAN, n) for n in (1, 2)))
    dice = {}
    requests = []
    while (fought := fight(battle, [1, 2], [1, 2], dice)).needs:
        requests.append([(spec.name, spec.sides) for spec in fought.needs])
        assert fought.effects == ()
        dice |= {spec.name: {"attack": DEAD, "defense": CASUALTIES}.get(spec.name, 3) for spec in fought.needs}
    assert requests == [
        [("attack", 100), ("defense", 100)],
        [("attack_hit_1", 10), ("attack_hit_2", 10), ("defense_hit_1", 10), ("defense_hit_2", 10)],
    ]
    assert [spec.label for spec in fight(battle, [1, 2], [1, 2]).needs] == [
        "Attack by german 1 and german 2, d100",
        "Attack by russian 1 and russian 2, d100",
    ]
    assert len(fought.hits) == 2


def test_the_odds_of_both_attacks_are_known_before_a_die_falls():
    fought = fight(sector(squad(GERMAN, 1, ccv=9), squad(RUSSIAN, 1, ccv=5)), [1], [1])
    assert (fought.attack.details["column"], fought.defense.details["column"]) == ("1-1", "1-2")
    assert (fought.attack.outcome, fought.defense.outcome) == (None, None)


@pytest.mark.parametrize(
    ("die", "fate"), [(1, "eliminated"), (20, "eliminated"), (21, "reduced"), (45, "reduced"), (46, None), (100, None)]
)
def test_e_eliminates_c_reduces_and_a_blank_does_nothing(die, fate):
    fought = fight(sector(squad(GERMAN, 1), squad(RUSSIAN, 1)), [1], [1], {"attack": die, "defense": 100})
    assert fates(fought) == ({"russian 1": fate} if fate else {})


@pytest.mark.parametrize(
    ("enemy", "fate"),
    [
        (squad(RUSSIAN, 1), "reduced"),
        (squad(RUSSIAN, 1, ccv=16, disrupted=True), "reduced"),
        (unit(RUSSIAN, 1, Kind.HALF_SQUAD, 8), "eliminated"),
        (team(RUSSIAN, 1, ccv=8), "eliminated"),
        (unit(RUSSIAN, 1, Kind.CREW, 8), "eliminated"),
        (nco(RUSSIAN, 1, ccv=8), "wounded"),
        (nco(RUSSIAN, 1, ccv=8, kind=Kind.WOUNDED_LEADER), "eliminated"),
        (tank(RUSSIAN, 1), "m_killed"),
        (wreckage(RUSSIAN, 1), "m_killed"),
    ],
)
def test_casualties_by_kind(enemy, fate):
    fought = fight(sector(squad(GERMAN, 1), enemy), [1], [1], {"attack": CASUALTIES, "defense": NOTHING})
    assert fates(fought) == {"russian 1": fate}
    assert fates(fight(sector(squad(GERMAN, 1), enemy), [1], [1], {"attack": DEAD, "defense": NOTHING})) == {
        "russian 1": "eliminated"
    }


def test_the_highest_die_is_hit_ties_included():
    battle = sector(squad(GERMAN, 1, ccv=16), *(squad(RUSSIAN, n, ccv=4, name="Rifles") for n in (1, 2, 3, 4)))
    dice = {"attack": CASUALTIES, "defense": NOTHING}
    faces = {f"attack_hit_{n}": face for n, face in enumerate((7, 2, 7, 1), 1)}
    fought = fight(battle, [1], [1, 2, 3, 4], dice | faces)
    assert fates(fought) == {"russian 1": "reduced", "russian 3": "reduced"}
    assert [spec.label for spec in fight(battle, [1], [1, 2, 3, 4], dice).needs] == [
        f"Rifles ({n})" for n in range(1, 5)
    ]


def test_in_a_mixed_defense_the_dice_decide_between_vehicle_and_infantry():
    battle = sector(squad(GERMAN, 1, ccv=16), tank(RUSSIAN, 1), squad(RUSSIAN, 2))
    dice = {"attack": CASUALTIES, "defense": NOTHING}
    assert fates(fight(battle, [1], [1, 2], {**dice, "attack_hit_1": 9, "attack_hit_2": 1})) == {
        "russian 1": "m_killed"
    }
    assert fates(fight(battle, [1], [1, 2], {**dice, "attack_hit_1": 1, "attack_hit_2": 9})) == {"russian 2": "reduced"}
    both = {**dice, "attack_hit_1": 5, "attack_hit_2": 5}
    assert fates(fight(battle, [1], [1, 2], both)) == {"russian 1": "m_killed", "russian 2": "reduced"}


def test_both_attacks_count_even_if_both_sides_die():
    fought = fight(sector(squad(GERMAN, 1), squad(RUSSIAN, 1)), [1], [1], {"attack": DEAD, "defense": DEAD})
    assert fates(fought) == {"german 1": "eliminated", "russian 1": "eliminated"}


@pytest.mark.parametrize("name", ["attack", "defense", "attack_hit_2", "defense_hit_1"])
def test_a_bad_die_is_named(name):
    battle = sector(*(squad(side, n) for side in Side for n in (1, 2)))
    names = ("attack_hit_1", "attack_hit_2", "defense_hit_1", "defense_hit_2")
    dice = {"attack": DEAD, "defense": DEAD, **dict.fromkeys(names, 3), name: 0}
    with pytest.raises(BadDie) as caught:
        fight(battle, [1, 2], [1, 2], dice)
    assert caught.value.die == name


def test_dice_that_are_not_asked_for_are_ignored():
    battle = sector(*(squad(GERMAN, n) for n in (1, 2, 3)), team(RUSSIAN, 1))
    assert fates(fight(battle, [1, 2, 3], [1], {"attack": 0, "defense": 101, "attack_hit_1": 7})) == {
        "russian 1": "eliminated"
    }


def test_the_charts_and_the_limit_are_named_as_sources():
    fighters, dice = (squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K7")), {"attack": 50, "defense": 50}
    sources = [(source.chart, source.provenance) for source in fight(sector(*fighters), [1], [1], dice).provenance]
    assert sources == [("cct", "house"), ("cct_drm", "text"), ("stacking", "house")]
    assert [source.chart for source in fight(melee(*fighters), [1], [1], dice).provenance] == ["cct", "cct_drm"]


def test_the_charts_are_arguments():
    book = altered("cct", grid="odds 1-3 1-2 1-1 2-1 3-1\nE 0 0 0 0 0\nC 100 100 100 100 100")
    battle = sector(squad(GERMAN, 1), squad(RUSSIAN, 1))
    fought = fight_bout(bout([1], [1]), battle, book, {"attack": 1, "defense": 100})
    assert fates(fought) == {"german 1": "reduced", "russian 1": "reduced"}


def test_the_exact_odds_of_an_attack_come_from_the_same_inputs():
    battle = sector(squad(GERMAN, 1), nco(GERMAN, 2), tank(RUSSIAN, 1, ccv=5), nco(RUSSIAN, 2))
    chosen = bout([1, 2], [1, 2], from_cover=frozenset({GERMAN}))
    for attack in (hit([1, 2], [1, 2]), answer([1, 2], [1, 2])):
        inputs = attack_inputs(attack, chosen, battle)
        odds = sweep(
            lambda dice, inputs=inputs: close_combat(charts=HOUSE, **inputs, **dice), [DieSpec("die", 100, "")]
        )
        shares = {
            "" if row.outcome == "none" else row.outcome.upper(): row.weight * 100 // odds.total for row in odds.rows
        }
        assert shares == slow_odds(battle, chosen, attack)


# CC-10 Effects at the end of a round


def test_effects_change_the_fighters():
    before = (
        squad(GERMAN, 1, "K7", disrupted=True, in_cc=True),
        nco(GERMAN, 2, disrupted=True),
        tank(GERMAN, 3),
        team(GERMAN, 4),
        squad(GERMAN, 5),
    )
    fates = [Fate.REDUCED, Fate.WOUNDED, Fate.M_KILLED, Fate.ELIMINATED]
    after = apply_effects(before, [Effect((GERMAN, n), fate) for n, fate in enumerate(fates, 1)])
    assert after == (
        replace(before[0], kind=Kind.HALF_SQUAD, ccv=4, half_ccv=None, disrupted=False),
        replace(before[1], kind=Kind.WOUNDED_LEADER, disrupted=False),
        replace(before[2], m_killed=True),
        before[4],
    )


@pytest.mark.parametrize(
    ("met", "end"),
    [
        ([Fate.REDUCED], Fate.REDUCED),
        ([Fate.REDUCED, Fate.REDUCED], Fate.ELIMINATED),
        ([Fate.WOUNDED, Fate.WOUNDED], Fate.ELIMINATED),
        ([Fate.M_KILLED, Fate.M_KILLED], Fate.M_KILLED),
        ([Fate.M_KILLED, Fate.ELIMINATED], Fate.ELIMINATED),
        ([Fate.REDUCED, Fate.ELIMINATED], Fate.ELIMINATED),
    ],
)
def test_effects_that_meet_on_one_unit_are_combined_in_any_order(met, end):
    for order in permutations(met):
        assert combine_effects(Effect((GERMAN, 1), fate) for fate in order) == {(GERMAN, 1): end}


@pytest.mark.parametrize("fate", [Fate.REDUCED, Fate.WOUNDED])
def test_who_has_no_smaller_side_left_dies_of_a_late_effect(fate):
    assert apply_effects([unit(GERMAN, 1, Kind.HALF_SQUAD, 4)], [Effect((GERMAN, 1), fate)]) == ()
    assert apply_effects([nco(GERMAN, 1, kind=Kind.WOUNDED_LEADER)], [Effect((GERMAN, 1), fate)]) == ()


def test_every_fate_has_a_word():
    assert [fate.word for fate in Fate] == ["M-KILLED", "reduced to its half-squad", "wounded", "eliminated"]


# CQ-08, and all of it at random

PLACES = ("K7", "K7", "K8", "L7", "M9", "P12", None)
CCVS = {
    Kind.SQUAD: (5, 9),
    Kind.HALF_SQUAD: (3, 5),
    Kind.LEADER: (1, 2),
    Kind.WOUNDED_LEADER: (1, 2),
    Kind.SW_TEAM: (2, 2),
    Kind.CREW: (1, 2),
    Kind.VEHICLE: (4, 8),
}
RANKS = (Role.NCO, Role.OFFICER, Role.COMMISSAR)
faces_of_bouts = st.integers(0, 2**32).map(random.Random)


@st.composite
def some_fighter(draw, side, number):
    kind = draw(st.sampled_from(Kind))
    return unit(
        side,
        number,
        kind,
        draw(st.integers(*CCVS[kind])),
        draw(st.sampled_from(PLACES)),
        role=draw(st.sampled_from(RANKS)) if kind in (Kind.LEADER, Kind.WOUNDED_LEADER) else Role.NONE,
        weapon=draw(st.sampled_from(TeamWeapon)) if kind is Kind.SW_TEAM else TeamWeapon.NONE,
        disrupted=kind is not Kind.VEHICLE and draw(st.booleans()),
        m_killed=kind is Kind.VEHICLE and draw(st.booleans()),
        enemy_in_hex=kind is Kind.VEHICLE and draw(st.booleans()),
        in_cc=draw(st.booleans()),
        rider=draw(st.booleans()),
        level=draw(st.sampled_from((0, 0, 1))),
    )


@st.composite
def some_battle(draw, most=4, part_of_round=True):
    fighters = [
        draw(some_fighter(side, number))
        for side in Side
        for number in range(1, draw(st.integers(part_of_round ^ 1, most)) + 1)
    ]
    keys = [fighter.key for fighter in fighters]
    fought = draw(st.sets(st.sampled_from(keys))) if keys and part_of_round else ()
    existing = draw(st.booleans())
    if existing:  # all in one place fight in the same bout
        places = {fighter.location for fighter in fighters if fighter.key in fought}
        fought = {fighter.key for fighter in fighters if fighter.location in places}
    return sector(
        *fighters,
        attacker=draw(st.sampled_from(Side)),
        existing=existing,
        stacking=Stacking(draw(st.integers(1, 3)), draw(st.integers(1, 2)), "house"),
        fought=frozenset(fought),
        waited=frozenset(draw(st.sets(st.sampled_from(keys)))) if keys else frozenset(),
    )


def faces(rng, chosen):
    """A die for everything that a bout might ask for."""
    dice = {}
    for name, keys in (("attack", chosen.defenders), ("defense", chosen.attackers)):
        for number in range(1, 10):
            way = name if number == 1 else f"{name}_{number}"
            dice[way] = rng.randint(1, 100)
            dice |= {f"{way}_hit_{place}": rng.randint(1, 10) for place in range(1, len(keys) + 1)}
    return dice


def divided(chosen, battle):
    """As the app divides it, if it can be."""
    sides = {key[0] for key in chosen.attackers}, {key[0] for key in chosen.defenders}
    return (
        divide_attacks(chosen, battle) if all(len(group) == 1 for group in sides) and sides[0] != sides[1] else chosen
    )


def some_division(chosen, rng):
    """Attacks at random, most of them legal."""
    attacks = []
    for own, enemies in ((chosen.attackers, chosen.defenders), (chosen.defenders, chosen.attackers)):
        size = rng.randint(1, min(len(own), len(enemies)))
        by, on = [[] for _ in range(size)], [[] for _ in range(size)]
        for keys, groups in ((own, by), (enemies, on)):
            for key in keys:
                rng.choice(groups).append(key)
        attacks += [Attack(tuple(b), tuple(o)) for b, o in zip(by, on, strict=True) if b and o]
    return tuple(attacks)


@settings(deadline=None)
@given(some_battle(most=4), faces_of_bouts)
def test_divisions_are_legal_where_a_reader_of_the_rule_says_so(battle, rng):
    for bout in propose_bouts(battle):
        assert Page(battle).may_attack(bout)
        for _ in range(5):
            chosen = replace(bout, attacks=some_division(bout, rng))
            if chosen.attacks:
                assert (object_to_bout(chosen, battle) == ()) == Page(battle).may_attack(chosen)
        battle = replace(battle, fought=battle.fought | set(bout.keys))


@settings(deadline=None)
@given(some_battle(most=4))
def test_what_a_battle_knows_of_its_fighters_stays_true_as_the_round_goes_on(battle):
    """What was worked out for the bouts before does not change those that follow."""
    for bout in propose_bouts(battle):
        battle = battle.with_fought(bout.keys)
        fresh = replace(battle)
        assert battle == fresh and battle.answers and not fresh.answers
        assert propose_bouts(battle) == propose_bouts(fresh)
        assert find_openings(battle) == find_openings(fresh)


@settings(deadline=None)
@given(some_battle(most=3))
def test_legality_agrees_with_trying_every_bout_by_hand(battle):
    page, sides = Page(battle), {side: [unit.key for unit in battle.fighters if unit.side is side] for side in Side}
    mine, other = find_picker(battle), next(side for side in Side if side is not find_picker(battle))
    assert mine == page.picks()
    legal = 0
    for ours, theirs in product(subsets(sides[mine]), subsets(sides[other])):
        allowed = page.allows(ours, theirs)
        legal += allowed
        assert (object_to_bout(divided(Bout(ours, theirs), battle), battle) == ()) == allowed
        assert object_to_bout(Bout(theirs, ours), battle)
    assert round_is_over(battle) == (legal == 0)


@settings(deadline=None)
@given(some_battle(most=9))
def test_proposals_are_legal_one_after_the_other_and_leave_nobody_who_could_fight(battle):
    page, fought = Page(battle), set(battle.fought)
    chosen = propose_bouts(battle)
    assert bool(chosen) == (not round_is_over(battle))
    assert chosen == propose_bouts(battle)
    for bout in chosen:
        assert object_to_bout(bout, battle) == ()
        assert Page(battle).allows(bout.attackers, bout.defenders)
        assert fought.isdisjoint(bout.keys), "nobody fights twice"
        fought |= set(bout.keys)
        battle = replace(battle, fought=frozenset(fought))
    assert round_is_over(battle)
    waiting = [unit for unit in page.waiting if unit.key not in fought]
    assert not any(Page(battle).goes_for(one, two) for one in waiting for two in waiting if one.side != two.side)


@settings(deadline=None)
@given(some_battle(most=6, part_of_round=False))
def test_while_both_sides_are_there_a_new_round_has_something_to_fight(battle):
    battle = replace(battle, existing=False)
    assert propose_bouts(battle)
    assert not is_over(battle)


@settings(deadline=None)
@given(some_battle(most=4), faces_of_bouts, st.booleans(), st.sets(st.sampled_from(Side)), st.booleans())
def test_dice_do_what_a_reader_of_the_table_says(battle, rng, hand_to_hand, from_cover, by_value):
    terms = {
        "hand_to_hand": hand_to_hand,
        "from_cover": frozenset(from_cover),
        "by_value": frozenset(unit.key for unit in battle.fighters if by_value and rng.random() < 0.5),
        "in_open": frozenset(from_cover if battle.existing else ()),
        "riders": frozenset(unit.key for unit in battle.fighters if battle.existing and rng.random() < 0.3),
    }
    for bout in (replace(plain, **terms) for plain in propose_bouts(battle)):
        otherwise = replace(bout, attacks=some_division(bout, rng))
        chosen = otherwise if rng.random() < 0.5 and object_to_bout(otherwise, battle) == () else bout
        dice = faces(rng, chosen)
        fought = fight_bout(chosen, battle, HOUSE, dice)
        assert fought.needs == ()
        assert combine_effects(fought.effects) == slow_effects(battle, chosen, dice)
        assert len({effect.key for effect in fought.effects}) == len(fought.effects)


@settings(deadline=None)
@given(some_battle(most=8), faces_of_bouts)
def test_only_the_dice_asked_for_are_needed(battle, rng):
    for bout in propose_bouts(battle):
        known, dice = faces(rng, bout), {}
        while needs := fight_bout(bout, battle, HOUSE, dice).needs:
            assert not any(spec.name in dice for spec in needs)
            assert all(known[spec.name] <= spec.sides for spec in needs)
            dice |= {spec.name: known[spec.name] for spec in needs}
        assert fight_bout(bout, battle, HOUSE, dice) == fight_bout(bout, battle, HOUSE, known)


@settings(deadline=None)
@given(some_battle(most=6), faces_of_bouts)
def test_the_order_of_the_bouts_of_a_round_changes_nothing(battle, rng):
    chosen = propose_bouts(battle)
    dice = [faces(rng, bout) for bout in chosen]
    effects = [fight_bout(*pair[:1], battle, HOUSE, pair[1]).effects for pair in zip(chosen, dice, strict=True)]
    after = {end_round(battle, [e for part in order for e in part]) for order in (effects, effects[::-1])}
    rng.shuffle(effects)
    after.add(end_round(battle, [effect for part in effects for effect in part]))
    assert len(after) == 1


def play(battle, rng, most=400):
    """Fight it out by the proposals; the rounds that it took."""
    for number in range(most):
        if is_over(battle):
            return battle, number
        effects, fought = [], set()
        for bout in propose_bouts(battle):
            effects += fight_bout(bout, battle, HOUSE, faces(rng, bout)).effects
            fought |= set(bout.keys)
        battle = end_round(replace(battle, fought=frozenset(fought)), effects)
    raise AssertionError("It never ends.")


@settings(deadline=None)
@given(some_battle(most=7, part_of_round=False), faces_of_bouts)
def test_rounds_go_on_until_one_side_is_left(battle, rng):
    battle = replace(battle, existing=True)
    melee_done, _ = play(battle, rng)
    for place in {fighter.location for fighter in battle.fighters}:
        marked = {unit.side for unit in melee_done.fighters if unit.in_cc and unit.location == place}
        assert len(marked) < 2
    assert {unit for unit in battle.fighters if unit not in list_present(battle)} <= set(melee_done.fighters)
    settled, _ = play(replace(melee_done, existing=False), rng)
    assert len({unit.side for unit in settled.fighters}) < 2
    assert {unit.key for unit in settled.fighters} <= {unit.key for unit in melee_done.fighters}


def test_blank_results_go_on_without_limit():
    battle = sector(squad(GERMAN, 1, "K7"), squad(RUSSIAN, 1, "K8"))
    for _ in range(1_000):
        (bout,) = propose_bouts(battle)
        fought = fight_bout(bout, battle, HOUSE, {"attack": NOTHING, "defense": NOTHING})
        assert fought.effects == ()
        battle = end_round(battle, fought.effects)
    assert not is_over(battle)


def test_two_m_killed_vehicles_fight_until_one_is_left():
    battle = sector(wreckage(GERMAN, 1, "K7"), wreckage(RUSSIAN, 1, "M9"))
    settled, rounds = play(battle, random.Random(1942))
    assert (len(settled.fighters) < 2, rounds > 0) == (True, True)
