"""Close Combat at the table: where it is, who may attack whom, and what the app proposes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.assistant.registry import helpers
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules.marks import is_unit, may_carry
from firefight.games.combat_stalingrad.rules.melee import (
    Assault,
    Melee,
    assault_inputs,
    divide_attacks,
    find_escorts,
    find_melees,
    find_objections,
    name_assault,
    order_of_declaration,
)
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.books import HOUSE

from .gallery import COUNTERS
from .pieces import piece

AT = {"place": "K7"}
UNITS = {side: sorted(key for key, kind in COUNTERS[side].items() if is_unit(kind.kind)) for side in COUNTERS}


def melee(german, russian):
    """A melee in K7 of counters by key: "nco" or ("nco", "wounded")."""
    found = []
    for side, keys in (("german", german), ("russian", russian)):
        for number, each in enumerate(keys, 1):
            key, *state = (each,) if isinstance(each, str) else each
            found.append(piece(side, key, *state, number=number, **AT))
    return Melee("K7", "", tuple(found))


def test_units_of_both_sides_in_one_location_are_in_close_combat():
    there = [piece("german", "nco", place="K7"), piece("russian", "rifle_squad", place="K7")]
    upstairs = piece("russian", "nco", number=2, place="K7", level="1")
    alone = piece("german", "pz_iv_f1", number=3, place="K8")
    gone = piece("russian", "nco", number=4, place="K8", fate="eliminated")
    mines = piece("russian", "mine_factor", number=5, place="K8")
    nowhere = [piece("german", "nco", number=6), piece("russian", "nco", number=7)]
    [found] = find_melees([*there, upstairs, alone, gone, mines, *nowhere])
    assert (found.place, found.level, list(found.pieces)) == ("K7", "", there)


def test_the_initiative_side_may_declare_second():
    assert order_of_declaration(Side.GERMAN, is_second=False) == (Side.GERMAN, Side.RUSSIAN)
    assert order_of_declaration(Side.GERMAN, is_second=True) == (Side.RUSSIAN, Side.GERMAN)


def test_a_leader_defends_with_whom_he_is_with_or_as_chosen_or_with_the_strongest():
    fight = melee(["nco"], ["rifle_squad", "guards_squad", "nco", "maxim_m1910"])
    assert find_escorts(fight, "russian") == {"russian-3": "russian-2"}
    assert find_escorts(fight, "russian", {"russian-3": "russian-1"}) == {"russian-3": "russian-1"}
    *others, leader, team = fight.pieces
    beside = leader._replace(counter=replace(leader.counter, beside="russian-4"))
    with_team = replace(fight, pieces=(*others, beside, team))
    assert find_escorts(with_team, "russian") == {"russian-3": "russian-4"}
    with pytest.raises(BadInput, match="defends with infantry of their side here"):
        find_escorts(fight, "russian", {"russian-3": "german-1"})


def test_leaders_among_themselves_defend_alone():
    assert find_escorts(melee(["nco", "officer", "pz_iv_f1"], ["nco"]), "german") == {}


@pytest.mark.parametrize(
    ("assaults", "message"),
    [
        ([(["german-1"], ["russian-1"]), (["german-1"], ["russian-2"])], "Grenadier squad #1 attacks more than once."),
        ([(["german-1"], ["russian-1"]), (["german-2"], ["russian-1"])], "Rifle squad #1 is attacked more than once."),
        ([(["german-1"], ["russian-3"])], "NCO #3 defends with Rifle squad #2: attack both, or neither (19.3.6)."),
        ([(["german-1"], ["russian-2"])], "NCO #3 defends with Rifle squad #2: attack both, or neither (19.3.6)."),
        ([(["russian-1"], ["russian-2", "russian-3"])], "No unit of this side here: Rifle squad #1."),
        ([(["german-1"], ["german-2"])], "No enemy here: Grenadier squad #2."),
        ([([], ["russian-1"])], "An attack has attackers and defenders."),
        ([(["german-1"], ["russian-9"])], "No enemy here: russian-9."),
    ],
)
def test_a_division_that_the_rule_bars_is_told_why(assaults, message):
    fight = melee(["grenadier_squad", "grenadier_squad"], ["rifle_squad", "rifle_squad", "nco"])
    escorts = {"russian-3": "russian-2"}
    wanted = [Assault(tuple(attackers), tuple(defenders)) for attackers, defenders in assaults]
    assert message in find_objections(fight, "german", wanted, escorts)


def test_a_single_enemy_is_attacked_by_all_at_once():
    fight = melee(["grenadier_squad", "grenadier_squad", "nco"], ["rifle_squad"])
    [objection] = find_objections(fight, "german", [Assault(("german-1",), ("russian-1",))], {})
    assert objection == "Rifle squad #1 is the only enemy here: all units attack it, with one attack (19.2.1)."
    [proposed] = divide_attacks(HOUSE, fight, "german", {})
    assert set(proposed.attackers) == {"german-1", "german-2", "german-3"}
    assert find_objections(fight, "german", [proposed], {}) == []


def test_the_proposal_prefers_what_is_certain_and_then_fewer_attacks():
    fight = melee(["pioneer_squad", "pioneer_squad"], [("militia_squad", "disrupted"), ("militia_squad", "wia")])
    [together] = divide_attacks(HOUSE, fight, "german", {})  # 18 against 2 + 2
    assert helpers(GAME)["close-combat"].resolve(HOUSE, _inputs(fight, together), {}).outcome == "defenders_eliminated"


def test_the_proposal_attacks_twice_where_the_odds_are_the_same():
    fight = melee(["pioneer_squad", "pioneer_squad"], [("militia_squad", "reduced"), ("militia_squad", "reduced")])
    proposed = divide_attacks(HOUSE, fight, "german", {})  # 9 against 3 each, rather than 18 against 6
    assert [(len(each.attackers), len(each.defenders)) for each in proposed] == [(1, 1), (1, 1)]


def _inputs(fight, assault):
    form = helpers(GAME)["close-combat"].form.from_plain(
        assault_inputs(HOUSE, fight, assault), book=HOUSE, chained=True
    )
    assert form.is_valid(), form.errors
    return form.inputs()


def test_a_leader_lends_minus_5_or_fights_with_his_own_value():
    fight = melee(["grenadier_squad", "nco"], ["rifle_squad"])
    both = Assault(("german-1", "german-2"), ("russian-1",))
    lent, own = (_inputs(fight, each) for each in (both, replace(both, by_value=True)))
    assert (lent["leader"], own["leader"]) == (True, False)
    close_combat = helpers(GAME)["close-combat"]
    assert [close_combat.resolve(HOUSE, each, {}).details["attack"] for each in (lent, own)] == [8, 9]
    assert name_assault(fight, both) == "Grenadier squad #1 and NCO #2 attack Rifle squad #1"
    assert name_assault(fight, Assault(("german-1",), ("russian-1",))) == "Grenadier squad #1 attacks Rifle squad #1"


def test_whether_better_odds_are_open_is_known_from_the_place():
    fight = melee(["nco"], ["guards_squad", "militia_squad"])
    assert assault_inputs(HOUSE, fight, Assault(("german-1",), ("russian-1",)))["better_odds"] == "no"
    stronger = melee(["grenadier_squad", "nco"], ["guards_squad", "militia_squad"])
    assert assault_inputs(HOUSE, stronger, Assault(("german-2",), ("russian-1",)))["better_odds"] == "yes"


STACKS = {
    side: st.lists(
        st.sampled_from(UNITS[side]).flatmap(
            lambda key, side=side: st.tuples(
                st.just(key),
                st.sampled_from(
                    [
                        "",
                        *sorted(
                            may_carry(COUNTERS[side][key].kind) & {"reduced", "wounded", "wia", "disrupted", "m_killed"}
                        ),
                    ]
                ),
            )
        ),
        min_size=1,
        max_size=8,
    )
    for side in UNITS
}


@settings(max_examples=60, deadline=None)
@given(german=STACKS["german"], russian=STACKS["russian"])
def test_whatever_meets_the_proposal_is_legal_uses_everybody_and_can_be_rolled(german, russian):
    fight = melee(*([tuple(filter(None, each)) for each in stack] for stack in (german, russian)))
    for side, enemy in (("german", "russian"), ("russian", "german")):
        escorts = find_escorts(fight, enemy)
        proposed = divide_attacks(HOUSE, fight, side, escorts)
        assert find_objections(fight, side, proposed, escorts) == []
        attacking = [each for assault in proposed for each in assault.attackers]
        assert sorted(attacking) == sorted(each.counter.id for each in fight.of_side(side))
        assert divide_attacks(HOUSE, fight, side, escorts) == proposed
        for assault in proposed:
            result = helpers(GAME)["close-combat"].resolve(HOUSE, _inputs(fight, assault), {})
            assert result.needs == ("die",) or result.outcome
