"""Close Combat at the table: where it is, what a side may declare, and which rolls come of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules.close_combat import BetterOdds
from firefight.games.combat_stalingrad.rules.marks import is_unit, may_carry
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack
from firefight.games.combat_stalingrad.rules.melee.declarations import object_to_division
from firefight.games.combat_stalingrad.rules.melee.sheet import clear_marks
from firefight.games.combat_stalingrad.rules.melee.table import (
    MELEE_ROWS,
    Declaration,
    Melee,
    check_declaration,
    find_locations,
    key_of,
    list_rolls,
    name_location,
    put_together,
    tell_odds,
)
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.registry import helpers
from tests.books import HOUSE

from .gallery import COUNTERS
from .pieces import piece

GERMAN, RUSSIAN = Side
UNITS = {
    side: sorted(key for key, kind in COUNTERS[side].items() if is_unit(kind.kind) and kind.ccv is not None)
    for side in COUNTERS
}


def melee(german, russian):
    """A Close Combat in K7 of counters by key: "nco" or ("nco", "wounded")."""
    units = []
    for side, keys in (("german", german), ("russian", russian)):
        for number, unit in enumerate(keys, 1):
            key, *state = (unit,) if isinstance(unit, str) else unit
            units.append(piece(side, key, *state, number=number, place="K7"))
    return Melee.of(HOUSE, units)


def attack(by, on):
    return Attack(tuple(map(key_of, by.split())), tuple(map(key_of, on.split())))


def ready(roll):
    """A roll's inputs as its helper takes them."""
    form = helpers(GAME)["close-combat"].form.from_plain(roll.inputs, book=HOUSE, chained=True)
    assert form.is_valid(), form.errors
    return form.inputs()


def open_roll(roll):
    return helpers(GAME)["close-combat"].resolve(HOUSE, ready(roll), {})


def test_units_of_both_sides_in_one_location_are_in_close_combat():
    fighting = [piece("german", "nco", place="K7"), piece("russian", "rifle_squad", place="K7")]
    upstairs = piece("russian", "nco", number=2, place="K7", level="1")
    alone = piece("german", "pz_iv_f1", number=3, place="K8")
    fallen = piece("russian", "nco", number=4, place="K8", fate="eliminated")
    mines = piece("russian", "mine_factor", number=5, place="K8")
    hidden = piece("russian", "nco", number=6, place="K8", hidden=True)
    nowhere = [piece("german", "nco", number=6), piece("russian", "nco", number=7)]
    assert find_locations([*fighting, upstairs, alone, fallen, mines, hidden, *nowhere]) == {"K7": tuple(fighting)}


LEVELS = [("", "K7"), ("1", "K7/1"), ("cellar", "K7/cellar"), ("2nd floor", "K7/2nd-floor")]


@pytest.mark.parametrize(("level", "id"), LEVELS)
def test_a_location_has_an_id_that_the_record_takes(level, id):
    assert name_location("K7", level) == id
    assert MELEE_ROWS.read({id: {"turn": 1}}) == {id: {"turn": 1}}


def test_marks_come_off_where_one_side_is_left_and_stay_where_both_are():
    both = [piece("german", "nco", "close_combat", place="K7"), piece("russian", "nco", "close_combat", place="K7")]
    left = piece("german", "nco", "close_combat", number=2, place="K8")
    unseen = piece("russian", "nco", "close_combat", number=2, place="K9", hidden=True)
    nowhere = piece("german", "nco", "close_combat", number=3)  # who knows what stands beside it
    assert [(change.id, change.becomes) for change in clear_marks([*both, left, unseen, nowhere])] == [
        ("german-2", "no_close_combat")
    ]


def test_a_declaration_is_read_as_it_was_written_without_those_that_are_gone():
    declaration = Declaration(
        attacks=(attack("german-1 german-2", "russian-1"),),
        by_value=frozenset({key_of("german-2")}),
        escorts=((key_of("german-2"), key_of("german-1")),),
        from_cover=True,
    )
    everybody = {key_of(unit) for unit in ("german-1", "german-2", "russian-1")}
    assert Declaration.read(declaration.write(), everybody) == declaration
    assert Declaration.read(declaration.write(), everybody - {key_of("russian-1")}).attacks == ()
    for lost in ("german-1", "german-2"):
        assert Declaration.read(declaration.write(), everybody - {key_of(lost)}).escorts == ()
    assert Declaration.read(Declaration(()).write(), everybody) == Declaration(())


@pytest.mark.parametrize(
    ("attacks", "message"),
    [
        ([("german-1", "russian-1"), ("german-1", "russian-2")], "Grenadier squad #1 attacks more than once"),
        ([("german-1", "russian-1"), ("german-2", "russian-1")], "Rifle squad #1 is attacked more than once"),
        ([("german-1", "russian-3")], "NCO #3 defends with other infantry"),
    ],
)
def test_a_division_that_the_rule_bars_is_told_why(attacks, message):
    fight = melee(["grenadier_squad", "grenadier_squad"], ["rifle_squad", "rifle_squad", "nco"])
    declared = {GERMAN: Declaration(tuple(attack(*pair) for pair in attacks))}
    with pytest.raises(BadInput, match=message):
        check_declaration(fight, declared)


def test_a_leader_may_be_named_with_the_unit_that_he_defends_with():
    fight = melee(["grenadier_squad", "grenadier_squad"], ["rifle_squad", "rifle_squad", "nco"])
    for mates, is_barred in (("russian-1 russian-3", False), ("russian-2 russian-3", True)):
        bout = put_together(fight, {GERMAN: Declaration((attack("german-1", mates),))})
        barred = [objection for objection in object_to_division(bout, fight.battle) if objection.rule == "19.3.6"]
        assert bool(barred) is is_barred, mates


def test_an_attack_that_can_do_nothing_is_not_proposed_beside_one_that_can():
    fight = melee(["grenadier_squad", "pioneer_squad"], ["dshk_38", "smg_squad"])
    assert Declaration.propose(fight, RUSSIAN).attacks == (attack("russian-2", "german-2"),)


def test_a_leader_defends_with_whom_he_is_with_or_as_chosen():
    pieces = [piece("german", "grenadier_squad", number=1, place="K7")]
    pieces += [piece("russian", key, number=number, place="K7") for number, key in enumerate(["rifle_squad"] * 2, 1)]
    for leader, team in (("russian-1", ""), ("", "russian-3")):
        led = [pieces[0], pieces[1]._replace(counter=pieces[1].counter), pieces[2]]
        led.append(piece("russian", "nco", number=3, place="K7", beside=leader))
        if team:
            led[2] = piece("russian", "rifle_squad", number=2, place="K7", beside=team)
        fight, mate = Melee.of(HOUSE, led), "russian-1" if leader else "russian-2"
        [roll] = list_rolls(fight, put_together(fight, {GERMAN: Declaration((attack("german-1", mate),))}), [GERMAN])
        assert [row["id"] for row in roll.inputs["defense"]] == [mate, "russian-3"]
        assert not any(row.get("rider") for row in roll.inputs["defense"])
    chosen = Declaration((), escorts=((key_of("russian-3"), key_of("russian-1")),))
    declared = {GERMAN: Declaration((attack("german-1", "russian-1"),)), RUSSIAN: chosen}
    [roll] = list_rolls(fight, put_together(fight, declared), [GERMAN])
    assert [row["id"] for row in roll.inputs["defense"]] == ["russian-1", "russian-3"]


def test_a_leader_lends_minus_5_or_fights_with_his_own_value():
    fight = melee(["grenadier_squad", "nco"], ["rifle_squad"])
    whole = (attack("german-1 german-2", "russian-1"),)
    rolls = [
        list_rolls(fight, put_together(fight, {GERMAN: Declaration(whole, values)}), [GERMAN])[0]
        for values in (frozenset(), frozenset({key_of("german-2")}))
    ]
    assert [roll.inputs["leader"] for roll in rolls] == [True, False]
    assert [open_roll(roll).details["attack"] for roll in rolls] == [8, 9]


def test_a_rider_counts_half_and_his_vehicle_in_full():
    tank = piece("german", "pz_iv_f1", number=1, place="K7")
    rider = piece("german", "grenadier_squad", number=2, place="K7", beside="german-1")
    fight = Melee.of(HOUSE, [tank, rider, piece("russian", "rifle_squad", place="K7")])
    [roll] = list_rolls(fight, put_together(fight, {}), [GERMAN])
    assert [row.get("rider", False) for row in roll.inputs["attack"]] == [False, True]


def test_a_side_without_better_odds_is_lost_by_one_roll_and_not_attacked():
    fight = melee(["nco"], ["guards_squad", "guards_squad"])
    bout = put_together(fight, {})
    [lost] = list_rolls(fight, bout, Side)
    result = open_roll(lost)
    assert result.outcome == "attackers_eliminated"
    assert [change.id for change in result.changes] == ["german-1"]


def test_an_attack_with_bad_odds_costs_nobody_his_life_while_better_ones_are_open():
    fight = melee(["grenadier_squad", "nco"], ["guards_squad", "rifle_squad"])
    bad = {GERMAN: Declaration((attack("german-2", "russian-1"),))}
    [roll] = list_rolls(fight, put_together(fight, bad), [GERMAN])
    assert (open_roll(roll).outcome, open_roll(roll).changes) == ("none", ())


def test_the_odds_are_told_before_the_dice():
    fight = melee(["pioneer_squad", "nco"], ["rifle_squad"])
    [roll] = list_rolls(fight, put_together(fight, {}), [GERMAN])
    assert tell_odds(HOUSE, roll).startswith("9 against 6: 1-1 (−5 NCO or Officer); C ")


def test_a_side_that_is_lost_is_told_so_and_what_is_told_is_what_comes_of_the_roll():
    """19.3.7, A-44: no effect is only for those who had better odds."""
    fight = melee(["nco"], ["guards_squad", "nco"])
    [lost] = list_rolls(fight, put_together(fight, {}), Side)
    assert tell_odds(HOUSE, lost) == open_roll(lost).headline
    assert "the attackers are eliminated without a roll" in tell_odds(HOUSE, lost)


def test_a_leader_beside_one_squad_opens_no_better_odds_to_those_who_attack_it():
    """19.3.6: the leader defends with it, so that 2 against 7 is 1-4 and nobody meets the 6 alone."""
    fight = melee([("heavy_mg_34",)], ["rifle_squad", "nco"])
    [lost] = list_rolls(fight, put_together(fight, {}), Side)
    assert open_roll(lost).outcome == "attackers_eliminated"
    rows = {**ready(lost), "better_odds": BetterOdds.UNKNOWN}
    with pytest.raises(BadInput, match="19.3.7"):
        helpers(GAME)["close-combat"].resolve(HOUSE, rows, {})


STACKS = {
    side: st.lists(
        st.sampled_from(UNITS[side]).flatmap(
            lambda key, side=side: st.tuples(
                st.just(key),
                st.sampled_from(
                    ["", *sorted(may_carry(COUNTERS[side][key].kind) & {"reduced", "wounded", "wia", "m_killed"})]
                ),
            )
        ),
        min_size=1,
        max_size=6,
    )
    for side in UNITS
}


@settings(max_examples=60, deadline=None)
@given(german=STACKS["german"], russian=STACKS["russian"])
def test_whatever_meets_the_proposal_is_legal_and_can_be_rolled(german, russian):
    fight = melee(*([tuple(filter(None, unit)) for unit in stack] for stack in (german, russian)))
    declared = {side: Declaration.propose(fight, side) for side in Side}
    assert declared == {side: Declaration.propose(fight, side) for side in Side}
    check_declaration(fight, declared)
    for side in Side:
        assert Declaration.read(declared[side].write(), fight.pieces) == declared[side]
    rolls = list_rolls(fight, put_together(fight, declared), Side)
    assert rolls
    for roll in rolls:
        result = open_roll(roll)
        assert result.needs == ("die",) or result.outcome
        odds = "{attack} against {defense}: {column}".format(**result.details)
        assert tell_odds(HOUSE, roll).startswith(odds if result.needs else result.headline)
        assert (result.outcome == "attackers_eliminated") is ("no better odds" in roll.title)
