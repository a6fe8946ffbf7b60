import pytest

from campaign.rules.leaders import LeaderOutcome, leader
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.books import HOUSE
from tests.oracles.odds import brute, same_odds

DICE = [DieSpec("die", 10, "d10"), DieSpec("second_die", 10, "d10")]
TABLE = 5 * ["nco"] + ["nco_officer"] + 2 * ["officer"] + 2 * ["none"]


@pytest.mark.parametrize("die", range(1, 11))
def test_a_german_reads_one_die_and_never_a_commissar(die):
    result = leader(charts=HOUSE, side=Side.GERMAN, die=die, second_die=10)
    assert (result.outcome, result.dice, result.modified) == (TABLE[die - 1], {"die": die}, die)
    assert [source.chart for source in result.provenance] == ["leaders"]


@pytest.mark.parametrize("die", range(1, 11))
def test_a_russian_6_reads_a_second_die_and_no_other_face_does(die):
    waits = leader(charts=HOUSE, side=Side.RUSSIAN, die=die)
    assert waits.needs == (("second_die",) if die == 6 else ())
    for second in range(1, 11):
        result = leader(charts=HOUSE, side=Side.RUSSIAN, die=die, second_die=second)
        six = "nco_officer" if second <= 6 else "nco_commissar"
        assert result.outcome == (six if die == 6 else TABLE[die - 1])
        assert result.dice == ({"die": 6, "second_die": second} if die == 6 else {"die": die})


def test_after_a_russian_6_the_nco_is_known_while_the_second_die_is_out():
    result = leader(charts=HOUSE, side=Side.RUSSIAN, die=6)
    assert (result.outcome, result.dice) == (None, {"die": 6})
    assert "An NCO" in result.headline


def test_both_tables_are_named_when_both_were_read():
    result = leader(charts=HOUSE, side=Side.RUSSIAN, die=6, second_die=7)
    assert [(source.chart, source.provenance) for source in result.provenance] == [
        ("leaders", "text"),
        ("leaders_russian_six", "text"),
    ]


@pytest.mark.parametrize(
    ("outcome", "word", "effects"),
    [
        (LeaderOutcome.NONE, "No leader", ()),
        (LeaderOutcome.NCO, "An NCO", ("The group receives an NCO.",)),
        (LeaderOutcome.OFFICER, "An Officer", ("The group receives an Officer.",)),
        (LeaderOutcome.NCO_OFFICER, "An NCO and an Officer", ("The group receives an NCO and an Officer.",)),
        (LeaderOutcome.NCO_COMMISSAR, "An NCO and a Commissar", ("The group receives an NCO and a Commissar.",)),
    ],
)
def test_each_result_says_who_comes(outcome, word, effects):
    rolls = [leader(charts=HOUSE, side=Side.RUSSIAN, die=die, second_die=10) for die in range(1, 11)]
    rolls += [leader(charts=HOUSE, side=Side.GERMAN, die=6)]
    [result, *_] = [roll for roll in rolls if roll.outcome is outcome]
    assert (result.headline, result.word, result.effects) == (f"{word}.", word, effects)


@pytest.mark.parametrize("side", Side)
def test_odds_are_a_plain_count_of_both_dice(side):
    def rule(dice):
        return leader(charts=HOUSE, side=side, **dice)

    assert same_odds(sweep(rule, DICE), *brute(rule, DICE))


@pytest.mark.parametrize(
    ("dice", "name"), [({"die": 0}, "die"), ({"die": 11}, "die"), ({"die": 6, "second_die": 11}, "second_die")]
)
def test_a_bad_die_is_named(dice, name):
    with pytest.raises(BadDie) as caught:
        leader(charts=HOUSE, side=Side.RUSSIAN, **dice)
    assert caught.value.die == name
