import pytest

from campaign.rules.upkeep import Damage, EndNumbers, EndOutcome, RecoveryOutcome, end_of_firefight, recovery
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from tests.books import HOUSE
from tests.oracles.odds import brute, same_odds

D10 = DieSpec("die", 10, "d10")

# 20.7.1 steps 4, 5 and 7, typed from the text.
RECOVERY = {
    Damage.M_KILLED: 3 * ["repaired"] + 2 * ["wrecked"] + 5 * ["unchanged"],
    Damage.F_KILLED: 3 * ["repaired"] + 7 * ["unchanged"],
    Damage.WOUNDED_LEADER: 3 * ["eliminated"] + 2 * ["healed"] + 5 * ["unchanged"],
}


@pytest.mark.parametrize("what", Damage)
def test_every_face_reads_the_printed_result(what):
    for die, outcome in enumerate(RECOVERY[what], start=1):
        result = recovery(charts=HOUSE, what=what, die=die)
        assert (result.outcome, result.modified, result.dice) == (outcome, die, {"die": die})
        assert [(source.chart, source.provenance) for source in result.provenance] == [
            (f"recovery_{what.value}", "text")
        ]


@pytest.mark.parametrize(
    ("what", "die", "effect"),
    [
        (Damage.M_KILLED, 3, "Take the M-KILL marker off."),
        (Damage.M_KILLED, 4, "Replace the vehicle with a wreck that does not burn."),
        (Damage.M_KILLED, 6, "It stays M-KILLED in its hex; turn its turret at set-up if wanted."),
        (Damage.F_KILLED, 3, "Take the F-KILL marker off."),
        (Damage.F_KILLED, 4, "It starts the next firefight F-KILLED."),
        (Damage.WOUNDED_LEADER, 3, "Remove the leader."),
        (Damage.WOUNDED_LEADER, 4, "Turn the leader to the unwounded side."),
        (Damage.WOUNDED_LEADER, 6, "The leader starts the next firefight wounded."),
    ],
)
def test_each_recovery_says_what_to_do_with_the_counter(what, die, effect):
    assert recovery(charts=HOUSE, what=what, die=die).effects == (effect,)


@pytest.mark.parametrize("what", Damage)
def test_recovery_waits_for_its_die_and_has_plain_odds(what):
    assert recovery(charts=HOUSE, what=what).needs == ("die",)

    def rule(dice):
        return recovery(charts=HOUSE, what=what, **dice)

    assert same_odds(sweep(rule, [D10]), *brute(rule, [D10]))


@pytest.mark.parametrize("face", [0, 11])
def test_a_die_off_the_d10_is_refused(face):
    with pytest.raises(BadDie):
        recovery(charts=HOUSE, what=Damage.M_KILLED, die=face)
    with pytest.raises(BadDie):
        end_of_firefight(charts=HOUSE, turn=5, number=5, die=face)


def test_all_recovery_results_occur():
    assert {outcome for outcomes in RECOVERY.values() for outcome in outcomes} == {o.value for o in RecoveryOutcome}


@pytest.mark.parametrize("turn", range(1, 8))
@pytest.mark.parametrize("number", range(1, 11))
def test_the_number_or_less_plays_on_after_turns_5_and_6_only(turn, number):
    waiting = end_of_firefight(charts=HOUSE, turn=turn, number=number)
    assert waiting.needs == (("die",) if turn in (5, 6) else ())
    for die in range(1, 11):
        result = end_of_firefight(charts=HOUSE, turn=turn, number=number, die=die)
        if turn < 5:
            expected = EndOutcome.CONTINUES
        elif turn == 7:
            expected = EndOutcome.ENDS
        else:
            expected = EndOutcome.CONTINUES if die <= number else EndOutcome.ENDS
        assert result.outcome is expected
        assert result.details == {"turn": turn, "number": number}
        assert result.dice == ({"die": die} if turn in (5, 6) else {})


def test_the_end_of_a_turn_says_which_turn_is_played_next():
    goes_on = end_of_firefight(charts=HOUSE, turn=5, number=8, die=8)
    ends = end_of_firefight(charts=HOUSE, turn=6, number=6, die=7)
    assert goes_on.headline == "8 against 8: turn 6 is played."
    assert ends.headline == "7 against 6: the firefight ends now."
    assert end_of_firefight(charts=HOUSE, turn=7).headline == "Turn 7 is the last: the firefight ends."
    assert end_of_firefight(charts=HOUSE, turn=4).headline == "No roll before turn 5: play goes on."


def test_without_a_number_every_face_plays_on():
    assert end_of_firefight(charts=HOUSE, turn=5, die=10).outcome is EndOutcome.CONTINUES


@pytest.mark.parametrize("number", range(1, 11))
def test_a_number_of_n_is_n_chances_in_ten(number):
    def rule(dice):
        return end_of_firefight(charts=HOUSE, turn=5, number=number, **dice)

    odds = sweep(rule, [D10])
    assert same_odds(odds, *brute(rule, [D10]))
    assert {row.outcome: row.weight for row in odds.rows}["continues"] * 10 == number * odds.total


def test_where_an_end_number_comes_from_is_said_before_its_roll():
    cards = [
        EndNumbers("Inferno", {5: 8}, "house"),
        EndNumbers("Dawn", {5: 8}, "text"),
        EndNumbers("Dusk", {5: 3}, "text"),
    ]
    both = end_of_firefight(charts=HOUSE, turn=5, number=8, cards=cards)
    assert both.headline.endswith("The house value of “Inferno” and “Dawn”: give your own card's where it differs.")
    one = end_of_firefight(charts=HOUSE, turn=5, number=3, cards=cards)
    assert one.headline.endswith("The text value of “Dusk”: give your own card's where it differs.")
    none = end_of_firefight(charts=HOUSE, turn=5, number=9, cards=cards)
    assert none.headline == "9 or less: play goes on."
    rolled = [end_of_firefight(charts=HOUSE, turn=5, number=n, die=4, cards=cards).provenance for n in (8, 3, 9)]
    assert [source.provenance for (source,) in rolled] == ["house", "text", "owner"]
