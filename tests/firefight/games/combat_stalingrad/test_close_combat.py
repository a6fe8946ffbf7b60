from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.close_combat import (
    BetterOdds,
    CloseCombatOutcome,
    Target,
    close_combat,
    combat_value,
    odds_name,
    odds_step,
    resolve_attack,
)
from firefight.games.combat_stalingrad.rules.fire import FireOutcome, who_is_hit
from firefight.games.combat_stalingrad.rules.morale import Cause
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE, altered, grid_result, house_data
from tests.oracles.odds import brute, same_odds

D100 = DieSpec("die", 100, "d100")
IN_OPEN = house_data()["charts"]["cct_afv_in_open"]["values"]["afv_in_open"]
LOST, WON = CloseCombatOutcome.ATTACKERS_ELIMINATED, CloseCombatOutcome.DEFENDERS_ELIMINATED
BOTH = "Apply it when both sides have rolled."
# From the worst for the attacker to the best.
SEVERITY = [LOST, CloseCombatOutcome.NONE, CloseCombatOutcome.C, CloseCombatOutcome.E, WON]

ccvs = st.integers(1, 60)


def fight(attack, defense, **inputs):
    """An attack by totals."""
    return close_combat(charts=HOUSE, attack=[Unit(ccv=attack)], defense=[Unit(ccv=defense)], **inputs)


def drm(result):
    return {modifier.name: modifier.value for modifier in result.modifiers}


# 19.3.1 Odds


def slow_odds(attack, defense):
    """The best whole-number ratio that the attackers reach, by trying them from 60-1 down to 1-60."""
    ladder = [(n, 1) for n in range(60, 0, -1)] + [(1, n) for n in range(2, 61)]
    return next(f"{a}-{d}" for a, d in ladder if Fraction(attack, defense) >= Fraction(a, d))


@pytest.mark.parametrize("attack", range(1, 31))
def test_odds_round_down_to_a_ratio_in_favor_of_the_defender(attack):
    for defense in range(1, 31):
        assert odds_name(odds_step(attack, defense)) == slow_odds(attack, defense)


@pytest.mark.parametrize(
    ("attack", "defense", "column"),
    [
        (1, 3, "1-3"),
        (3, 10, "1-4"),
        (1, 2, "1-2"),
        (49, 99, "1-3"),
        (5, 5, "1-1"),
        (4, 5, "1-2"),
        (9, 5, "1-1"),
        (10, 5, "2-1"),
        (14, 5, "2-1"),
        (15, 5, "3-1"),
        (19, 5, "3-1"),
        (20, 5, "4-1"),
    ],
)
def test_the_edges_of_the_columns(attack, defense, column):
    assert fight(attack, defense).details["column"] == column


@pytest.mark.parametrize("attack", range(1, 26))
@pytest.mark.parametrize("hand_to_hand", [False, True])
def test_only_1_3_to_3_1_are_ever_rolled_and_hand_to_hand_shifts_after_rounding(attack, hand_to_hand):
    ladder = [f"1-{n}" for n in range(60, 1, -1)] + [f"{n}-1" for n in range(1, 61)]
    for defense in range(1, 26):
        plain = slow_odds(attack, defense)
        column = ladder[ladder.index(plain) + hand_to_hand]
        result = fight(attack, defense, hand_to_hand=hand_to_hand)
        assert (result.details["odds"], result.details["column"]) == (plain, column)
        if column in ("1-3", "1-2", "1-1", "2-1", "3-1"):
            assert (result.outcome, result.needs) == (None, ("die",))
        else:
            assert (result.outcome, result.needs) == (LOST if column.startswith("1-") else WON, ())
            assert result.follow_ups == ()


@pytest.mark.parametrize(
    ("attack", "defense", "outcome"), [(0, 5, LOST), (5, 0, WON), (0, 0, LOST), (1, 0, WON), (0, 1, LOST)]
)
def test_a_side_without_any_value_loses_and_the_attackers_zero_is_read_first(attack, defense, outcome):
    for hand_to_hand in (False, True):
        result = fight(attack, defense, hand_to_hand=hand_to_hand)
        assert (result.outcome, result.details["column"], result.needs) == (outcome, None, ())


@pytest.mark.parametrize(
    ("attack", "defense", "words"),
    [
        (1, 4, "the attackers are eliminated without a roll."),
        (4, 1, "the defenders are eliminated without a roll."),
        (0, 4, "the attackers are eliminated without a roll."),
        (4, 0, "the defenders are eliminated without a roll."),
    ],
)
def test_an_automatic_result_says_so_and_cites_the_rule(attack, defense, words):
    result = fight(attack, defense)
    assert result.headline.lower().endswith(words)
    assert result.headline[0] != words[0]
    assert any(rule.startswith("19.3.7") for rule in result.rules)
    assert result.effects[-1] == BOTH


@pytest.mark.parametrize("attack", range(7))
def test_with_better_odds_open_nobody_is_lost_without_a_roll(attack):
    for defense in range(0, 25):
        plain, better = fight(attack, defense), fight(attack, defense, better_odds=True)
        if plain.outcome is LOST:
            assert (better.outcome, better.needs, better.effects) == (CloseCombatOutcome.NONE, (), ())
            assert better.details == plain.details
        else:
            assert better == plain


def test_a_rolled_result_does_not_cite_the_automatic_rule():
    assert not any(rule.startswith("19.3.7") for rule in fight(5, 5, die=50).rules)


# 19.2.1 CCV

fighters = st.lists(
    st.builds(Unit, state=st.sampled_from(State), ccv=st.integers(0, 15), rider=st.booleans()), max_size=5
)


@given(fighters, st.booleans())
def test_disrupted_units_and_riders_count_half_each_fractions_down_and_never_a_quarter(units, in_sector):
    expected = 0
    for unit in units:
        half = unit.state in (State.DISRUPTED, State.WIA) or (unit.rider and not in_sector)
        expected += unit.ccv // 2 if half else unit.ccv
    assert combat_value(units, in_sector) == expected


def test_each_unit_is_halved_by_itself():
    assert combat_value([Unit(ccv=3, state=State.DISRUPTED), Unit(ccv=3, state=State.WIA)]) == 2


def test_a_disrupted_rider_is_halved_once():
    assert combat_value([Unit(ccv=8, rider=True)]) == 4
    assert combat_value([Unit(ccv=8, state=State.DISRUPTED, rider=True)]) == 4


def test_in_sector_combat_riders_fight_in_full_but_disrupted_units_do_not():
    assert combat_value([Unit(ccv=8, rider=True)], in_sector=True) == 8
    assert combat_value([Unit(ccv=8, rider=True, state=State.DISRUPTED)], in_sector=True) == 4


def test_pinned_units_fight_in_full():
    assert combat_value([Unit(ccv=9, state=State.PINNED)]) == 9


def test_an_overrun_doubles_the_attack_after_any_halving():
    units = [Unit(Kind.VEHICLE, ccv=7, state=State.DISRUPTED), Unit(Kind.VEHICLE, ccv=8)]
    result = close_combat(charts=HOUSE, attack=units, defense=[Unit(ccv=11)], overrun=True)
    assert result.details == {"attack": 22, "defense": 11, "odds": "2-1", "column": "2-1"}


def test_both_sides_are_added_up():
    result = close_combat(
        charts=HOUSE, attack=[Unit(ccv=9), Unit(ccv=2)], defense=[Unit(ccv=5), Unit(ccv=5, state=State.WIA)]
    )
    assert (result.details["attack"], result.details["defense"]) == (11, 7)


# 19.3.2 The roll


@pytest.mark.parametrize(
    ("attack", "defense", "column"), [(1, 3, "1-3"), (1, 2, "1-2"), (1, 1, "1-1"), (2, 1, "2-1"), (3, 1, "3-1")]
)
def test_every_face_scores_what_the_column_says(attack, defense, column):
    for die in range(1, 101):
        result = fight(attack, defense, die=die)
        assert result.outcome == (grid_result("cct", column, die).lower() or "none")
        assert (result.modified, result.dice) == (die, {"die": die})


ALL_DRM = {
    "leader": ("NCO or Officer", -5),
    "demo_charge": ("Demo charge against AFV", -10),
    "flamethrower": ("Flamethrower", -10),
    "m_killed": ("M-KILLED AFV", -10),
    "from_cover": ("From building, woods or grain", -10),
    "afv_in_open": ("AFV in the open", IN_OPEN),
}


@given(st.sets(st.sampled_from(list(ALL_DRM))), st.integers(-20, 20), st.integers(1, 100))
def test_close_combat_drm_are_cumulative(flags, other_drm, die):
    result = fight(5, 5, target=Target.AFV, other_drm=other_drm, die=die, **dict.fromkeys(flags, True))
    expected = dict(ALL_DRM[flag] for flag in ALL_DRM if flag in flags)
    if other_drm:
        expected["Other DRM"] = other_drm
    assert drm(result) == expected
    assert result.modified == die + sum(expected.values())
    assert result.outcome == (grid_result("cct", "1-1", result.modified).lower() or "none")


@pytest.mark.parametrize("flag", ["demo_charge", "m_killed", "from_cover", "afv_in_open"])
def test_what_counts_against_an_afv_is_refused_against_infantry(flag):
    with pytest.raises(BadInput) as caught:
        fight(5, 5, die=50, **{flag: True})
    assert list(caught.value.problems) == [flag]


def test_leaders_and_flamethrowers_count_against_any_target():
    assert drm(fight(5, 5, leader=True, flamethrower=True, die=50)) == {"NCO or Officer": -5, "Flamethrower": -10}


@pytest.mark.parametrize("flag", ["afv_in_open", "overrun"])
def test_sector_combat_knows_no_afv_in_the_open_and_no_overrun(flag):
    with pytest.raises(BadInput) as caught:
        fight(5, 5, target=Target.AFV, in_sector=True, die=50, **{flag: True})
    assert list(caught.value.problems) == [flag]


@pytest.mark.parametrize(
    ("attack", "defense", "names"), [([], [Unit(ccv=1)], ["attack"]), ([], [], ["attack", "defense"])]
)
def test_a_side_without_units_is_asked_for(attack, defense, names):
    with pytest.raises(BadInput) as caught:
        close_combat(charts=HOUSE, attack=attack, defense=defense)
    assert list(caught.value.problems) == names


def test_close_combat_without_a_die_tells_the_column_and_the_drm():
    result = fight(9, 5, leader=True)
    assert (result.outcome, result.needs) == (None, ("die",))
    assert result.details == {"attack": 9, "defense": 5, "odds": "1-1", "column": "1-1"}
    assert drm(result) == {"NCO or Officer": -5}


@pytest.mark.parametrize("face", [0, 101])
def test_a_close_combat_die_off_the_d100_is_refused(face):
    with pytest.raises(BadDie):
        fight(5, 5, die=face)


def test_close_combat_names_its_charts_and_the_house_drm_only_when_used():
    assert [(s.chart, s.provenance) for s in fight(5, 5, die=50).provenance] == [("cct", "house"), ("cct_drm", "text")]
    opened = fight(5, 5, target=Target.AFV, afv_in_open=True, die=50)
    assert [(s.chart, s.provenance) for s in opened.provenance] == [
        ("cct", "house"),
        ("cct_drm", "text"),
        ("cct_afv_in_open", "house"),
    ]


def test_a_blank_cell_of_the_cct_is_asked_for_by_name():
    book = altered("cct", grid="odds 1-3 1-2 1-1 2-1 3-1\nE 5 10 ? 38 55\nC 15 28 45 68 85")
    with pytest.raises(MissingChart) as caught:
        close_combat(charts=book, attack=[Unit(ccv=1)], defense=[Unit(ccv=1)], die=50)
    assert caught.value.cell == "E, column 1-1"


@given(ccvs, ccvs, ccvs, st.integers(1, 100), st.booleans())
def test_better_odds_are_never_worse_for_the_attacker(attack, defense, more, die, hand_to_hand):
    less = fight(attack, defense, hand_to_hand=hand_to_hand, die=die)
    better = fight(attack + more, defense, hand_to_hand=hand_to_hand, die=die)
    weaker = fight(attack, defense + more, hand_to_hand=hand_to_hand, die=die)
    assert SEVERITY.index(weaker.outcome) <= SEVERITY.index(less.outcome) <= SEVERITY.index(better.outcome)


@given(ccvs, ccvs, st.integers(1, 100))
def test_hand_to_hand_is_never_worse_for_the_attacker(attack, defense, die):
    plain, close = fight(attack, defense, die=die), fight(attack, defense, hand_to_hand=True, die=die)
    assert SEVERITY.index(plain.outcome) <= SEVERITY.index(close.outcome)


@given(ccvs, ccvs, st.integers(1, 100), st.integers(-60, 60), st.integers(0, 60))
def test_a_higher_drm_never_helps_the_attacker(attack, defense, die, lower, more):
    with_lower = fight(attack, defense, other_drm=lower, die=die)
    with_higher = fight(attack, defense, other_drm=lower + more, die=die)
    assert SEVERITY.index(with_higher.outcome) <= SEVERITY.index(with_lower.outcome)


@pytest.mark.parametrize(("attack", "defense"), [(1, 4), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1)])
@pytest.mark.parametrize("leader", [False, True])
def test_close_combat_odds_are_a_plain_count_of_all_faces(attack, defense, leader):
    def rule(dice):
        return fight(attack, defense, leader=leader, **dice)

    specs = [D100] if not rule({}).outcome else []
    assert same_odds(sweep(rule, specs), *brute(rule, specs))


# 19.3.3 Results

E_ROLL, C_ROLL, NO_ROLL = 1, 45, 100


@pytest.mark.parametrize(
    ("die", "effects"),
    [(C_ROLL, ("The AFV is M-KILLED.", BOTH)), (E_ROLL, ("The AFV is eliminated.", BOTH)), (NO_ROLL, ())],
)
def test_c_on_an_afv_is_an_m_kill(die, effects):
    result = fight(5, 5, target=Target.AFV, die=die)
    assert (result.effects, result.follow_ups) == (effects, ())


@pytest.mark.parametrize(
    ("die", "words"), [(C_ROLL, "One defender suffers Casualties."), (E_ROLL, "One defender is eliminated.")]
)
def test_against_a_bare_total_the_result_is_told_in_words(die, words):
    result = fight(5, 5, die=die)
    assert (result.effects, result.follow_ups) == ((words, BOTH), ())


@pytest.mark.parametrize("names", ["AB", ("", "")])
def test_against_several_units_the_dice_find_who_is_hit(names):
    defense = [Unit(Kind.SQUAD, names[0], 7, ccv=3), Unit(Kind.CREW, names[1], 6, ccv=2)]
    result = close_combat(charts=HOUSE, attack=[Unit(ccv=5)], defense=defense, die=C_ROLL)
    [step] = result.follow_ups
    assert (step.helper, step.inputs["result"]) == ("who-is-hit", "c")
    assert [Unit.read(plain) for plain in step.inputs["units"]] == defense
    assert result.effects == (BOTH,)


def test_against_one_named_unit_casualties_follow_at_once():
    defense = [Unit(Kind.SQUAD, "A", 7, ccv=5)]
    hurt = close_combat(charts=HOUSE, attack=[Unit(ccv=5)], defense=defense, die=C_ROLL)
    eliminated = close_combat(charts=HOUSE, attack=[Unit(ccv=5)], defense=defense, die=E_ROLL)
    [step] = hurt.follow_ups
    assert (step.helper, step.inputs["name"], step.inputs["source"]) == ("casualties", "A", "fft")
    assert "then_check" not in step.inputs
    assert (eliminated.effects, eliminated.follow_ups) == (("A is eliminated.", BOTH), ())


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (CloseCombatOutcome.NONE, "No effect"),
        (CloseCombatOutcome.C, "C"),
        (CloseCombatOutcome.E, "E"),
        (LOST, "Attackers eliminated"),
        (WON, "Defenders eliminated"),
    ],
)
def test_a_result_is_called_as_the_table_prints_it_or_in_words(outcome, word):
    assert outcome.word == word


# Rows (18.1.3, 19.2.1, 19.3.3, 19.3.5, A-20, A-44)

FIVE = Unit(ccv=5)
TANK, TRUCK = Unit(Kind.VEHICLE, "Tank", ccv=4), Unit(Kind.VEHICLE, "Truck", ccv=1)
SQUAD, CHIEF = Unit(Kind.SQUAD, "1st", 7, ccv=5), Unit(Kind.LEADER, "Klug", 8, ccv=1)


def attack_by(*units, against=(FIVE,), **inputs):
    """An attack by rows."""
    return resolve_attack(charts=HOUSE, attack=list(units), defense=list(against), **inputs)


@pytest.mark.parametrize("dice", [(9, 2), (2, 9), (5, 5)])
@pytest.mark.parametrize("die", [C_ROLL, E_ROLL])
def test_a_c_on_a_vehicle_of_a_mixed_defense_is_an_m_kill(dice, die):
    result = attack_by(Unit(ccv=9), against=(TANK, SQUAD), die=die)
    [step] = result.follow_ups
    inputs = dict(step.inputs)
    units = [Unit.read(plain) for plain in inputs.pop("units")]
    assert (step.helper, inputs.pop("source"), units) == ("who-is-hit", "close_combat", [TANK, SQUAD])
    hit_result = who_is_hit(
        charts=HOUSE,
        result=FireOutcome(inputs["result"]),
        units=units,
        source=Cause.CLOSE_COMBAT,
        die_1=dice[0],
        die_2=dice[1],
    )
    hit = {name for name, face in zip(("Tank", "1st"), dice, strict=True) if face == max(dice)}
    assert set(hit_result.details["hit"]) == hit
    word = "is M-KILLED." if die == C_ROLL else "is eliminated."
    assert (f"Tank {word}" in hit_result.effects) == ("Tank" in hit)
    assert [follow.inputs["name"] for follow in hit_result.follow_ups] == (
        ["1st"] if "1st" in hit and die == C_ROLL else []
    )


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize("defense", [(TANK, TRUCK), (TANK, CHIEF), (TANK, TANK, TRUCK)])
def test_which_of_several_afv_is_hit_is_rolled(target, defense):
    for die in range(1, 101):
        result = attack_by(Unit(ccv=sum(unit.ccv for unit in defense)), against=defense, target=target, die=die)
        if result.outcome is CloseCombatOutcome.NONE:
            assert result.follow_ups == ()
            continue
        [step] = result.follow_ups
        assert (step.helper, len(step.inputs["units"])) == ("who-is-hit", len(defense))


def test_vehicles_that_defend_alone_are_an_afv_target_by_their_rows():
    flags = dict.fromkeys(("demo_charge", "m_killed", "from_cover", "afv_in_open"), True)
    assert drm(attack_by(SQUAD, against=(TANK,), die=50, **flags)) == drm(
        fight(5, 4, target=Target.AFV, die=50, **flags)
    )
    assert attack_by(SQUAD, against=(TANK,), die=C_ROLL).effects == ("Tank is M-KILLED.", BOTH)


@pytest.mark.parametrize("flag", ["demo_charge", "m_killed", "from_cover", "afv_in_open"])
def test_nothing_that_counts_against_an_afv_counts_against_a_mixed_defense(flag):
    with pytest.raises(BadInput) as caught:
        attack_by(SQUAD, against=(TANK, SQUAD), die=50, **{flag: True})
    assert list(caught.value.problems) == [flag]
    with pytest.raises(BadInput) as caught:
        attack_by(SQUAD, against=(TANK, SQUAD), target=Target.AFV, die=50, **{flag: True})
    assert list(caught.value.problems) == ["target"]


def test_rows_that_name_no_vehicle_are_the_afv_that_the_target_says_they_are():
    rows = (Unit(name="A", ccv=2), Unit(name="B", ccv=3))
    [step] = attack_by(SQUAD, against=rows, target=Target.AFV, die=C_ROLL).follow_ups
    assert {plain["kind"] for plain in step.inputs["units"]} == {"vehicle"}


@pytest.mark.parametrize("leader", [False, True])
@pytest.mark.parametrize("kind", [Kind.LEADER, Kind.WOUNDED_LEADER])
@pytest.mark.parametrize("state", State)
def test_an_attack_takes_a_leaders_5_or_his_ccv_and_never_both(leader, kind, state):
    chief = Unit(kind, "Klug", 8, state, ccv=1)
    if leader and state in (State.DISRUPTED, State.WIA):
        with pytest.raises(BadInput, match="Disrupted or WIA") as caught:
            attack_by(SQUAD, chief, leader=True, die=50)
        assert list(caught.value.problems) == ["leader"]
        return
    result = attack_by(SQUAD, chief, leader=leader, die=50)
    own = 0 if leader or state in (State.DISRUPTED, State.WIA) else 1
    assert result.details["attack"] == 5 + own
    assert drm(result) == ({"NCO or Officer": -5} if leader else {})
    assert result.details.get("lender") == ("Klug" if leader else None)


def test_a_leader_alone_gives_nothing():
    for units in ((CHIEF,), (CHIEF, Unit(Kind.WOUNDED_LEADER, "Orlov", ccv=1))):
        with pytest.raises(BadInput, match="alone") as caught:
            attack_by(*units, against=(Unit(ccv=1),), leader=True, die=50)
        assert list(caught.value.problems) == ["leader"]
        assert attack_by(*units, against=(Unit(ccv=1),), die=50).details["attack"] == len(units)


def test_of_several_leaders_one_gives_his_5_and_the_others_fight():
    shaken = Unit(Kind.LEADER, "Orlov", 8, State.DISRUPTED, ccv=2)
    result = attack_by(SQUAD, CHIEF, Unit(Kind.LEADER, "Rauss", ccv=2), shaken, leader=True, die=50)
    assert (result.details["attack"], result.details["lender"]) == (5 + 2 + 1, "Klug")
    assert drm(result) == {"NCO or Officer": -5}


def test_a_leader_in_no_row_may_give_his_5_to_a_total():
    assert drm(attack_by(Unit(ccv=5), leader=True, die=50)) == {"NCO or Officer": -5}


def test_the_choice_between_the_5_and_the_ccv_is_offered_before_the_die():
    assert attack_by(SQUAD, CHIEF).headline.endswith(
        "Klug may give -5 instead of their CCV, if they are an NCO or Officer."
    )
    for quiet in (attack_by(SQUAD), attack_by(SQUAD, CHIEF, leader=True), attack_by(CHIEF, against=(Unit(ccv=1),))):
        assert "instead of their CCV" not in quiet.headline


@pytest.mark.parametrize(
    ("units", "strength"),
    [
        ([Unit(ccv=6)], 12),
        ([TANK, Unit(ccv=5, rider=True)], 8 + 2),
        ([TANK, TRUCK, Unit(ccv=8, rider=True, state=State.DISRUPTED)], 10 + 4),
        ([Unit(Kind.VEHICLE, ccv=7, state=State.DISRUPTED), SQUAD], 6 + 5),
        ([Unit(ccv=6), Unit(ccv=5, rider=True)], 12 + 2),
    ],
)
def test_an_overrun_doubles_the_afv_alone_and_no_rider(units, strength):
    result = attack_by(*units, against=(Unit(ccv=strength),), overrun=True)
    assert (result.details["attack"], result.details["column"]) == (strength, "1-1")


@pytest.mark.parametrize("kind", [Kind.LEADER, Kind.WOUNDED_LEADER])
def test_the_leader_who_lends_his_5_is_lost_with_the_attackers(kind):
    """19.3.7 eliminates any unit without better odds; he had outlived them."""
    attack = [Unit(ccv=3, id="german-1"), Unit(kind, ccv=1, id="german-2")]
    lost = resolve_attack(
        charts=HOUSE, attack=attack, defense=[Unit(ccv=20, id="russian-1")], leader=True, better_odds=BetterOdds.NO
    )
    assert lost.outcome == "attackers_eliminated"
    assert [(change.id, change.becomes) for change in lost.changes] == [
        ("german-1", "eliminated"),
        ("german-2", "eliminated"),
    ]


@pytest.mark.parametrize(("attack", "defense"), [(1, 4), (2, 7), (0, 3), (3, 30)])
def test_before_1_4_costs_anybody_his_life_the_helper_asks_for_better_odds(attack, defense):
    with pytest.raises(BadInput, match="better odds") as caught:
        attack_by(Unit(ccv=attack), against=(Unit(ccv=defense),))
    assert list(caught.value.problems) == ["better_odds"]
    lost = attack_by(Unit(ccv=attack), against=(Unit(ccv=defense),), better_odds=BetterOdds.NO)
    taken_odds = attack_by(Unit(ccv=attack), against=(Unit(ccv=defense),), better_odds=BetterOdds.YES)
    assert (lost.outcome, taken_odds.outcome) == (LOST, CloseCombatOutcome.NONE)
    assert lost.effects[-1] == BOTH


@pytest.mark.parametrize("answer", BetterOdds)
def test_other_odds_are_not_asked_about_and_the_answer_changes_nothing(answer):
    for attack, defense in ((1, 3), (1, 1), (4, 1), (1, 0)):
        assert attack_by(Unit(ccv=attack), against=(Unit(ccv=defense),), better_odds=answer, die=50) == fight(
            attack, defense, die=50
        )


@pytest.mark.parametrize("weakest", range(0, 9))
@pytest.mark.parametrize("hand_to_hand", [False, True])
def test_rows_that_show_better_odds_need_no_answer(weakest, hand_to_hand):
    rows = (Unit(name="A", ccv=20), Unit(name="B", ccv=weakest), Unit(Kind.LEADER, "C", ccv=1))
    reach = 4 if hand_to_hand else 3
    if weakest <= 2 * reach:
        result = attack_by(Unit(ccv=2), against=rows, hand_to_hand=hand_to_hand)
        assert result.outcome is CloseCombatOutcome.NONE
    else:
        with pytest.raises(BadInput):
            attack_by(Unit(ccv=2), against=rows, hand_to_hand=hand_to_hand)


def test_a_leader_is_no_weaker_enemy_while_infantry_stands_by_him():
    with pytest.raises(BadInput):
        attack_by(Unit(ccv=2), against=(Unit(ccv=20), Unit(Kind.LEADER, ccv=1)))


rows = st.builds(Unit, st.sampled_from(Kind), ccv=st.integers(0, 12), state=st.sampled_from(State), rider=st.booleans())


@given(
    st.lists(rows, min_size=1, max_size=4),
    st.lists(rows, min_size=1, max_size=4),
    st.sampled_from(Target),
    st.booleans(),
    st.booleans(),
    st.sampled_from(BetterOdds),
    st.integers(1, 100),
)
def test_any_rows_are_resolved_or_refused_by_a_field(attack, defense, target, leader, overrun, better, die):
    try:
        result = resolve_attack(
            charts=HOUSE,
            attack=attack,
            defense=defense,
            target=target,
            leader=leader,
            overrun=overrun,
            better_odds=better,
            die=die,
        )
    except BadInput as refusal:
        assert set(refusal.problems) <= {"leader", "target", "better_odds"}
        return
    assert result.outcome is not None
    assert ("Apply it when both" in " ".join(result.effects)) == (result.outcome is not CloseCombatOutcome.NONE)
