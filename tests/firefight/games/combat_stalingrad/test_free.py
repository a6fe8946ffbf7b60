"""Rolls that no rule of ours covers: they say what fell, and whether it is at most a TQ."""

import pytest

from firefight.engine.errors import BadDie
from firefight.games.combat_stalingrad.rules.free import ActionOutcome, FreeDice, action_check, free_dice, free_roll
from tests.books import HOUSE
from tests.firefight.players import begin, text_of, words_of


def test_a_free_roll_says_what_fell_under_the_players_own_label():
    assert free_roll(charts=HOUSE, label="weather", die=10).headline == "Weather: 10."
    assert free_roll(charts=HOUSE, roll=FreeDice.D100, die=100).headline == "Rolled: 00."
    both_sides = free_roll(charts=HOUSE, label="Initiative", roll=FreeDice.EACH, german_die=4, russian_die=7)
    assert both_sides.headline == "Initiative: German 4, Russian 7."
    assert (both_sides.effects, both_sides.follow_ups, both_sides.changes) == ((), (), ())


@pytest.mark.parametrize("dice", FreeDice)
def test_a_free_roll_asks_for_its_dice_and_takes_no_others(dice):
    names = tuple(spec.name for spec in free_dice(dice))
    assert free_roll(charts=HOUSE, roll=dice).needs == names
    with pytest.raises(BadDie):
        free_roll(charts=HOUSE, roll=dice, **dict.fromkeys(names, 101))


@pytest.mark.parametrize("tq", range(1, 11))
def test_an_action_check_says_whether_the_die_is_at_most_tq_and_no_more(tq):
    for die in range(1, 11):
        result = action_check(charts=HOUSE, tq=tq, die=die, name="Vogt", label="to advance", id="german-3")
        assert result.outcome is (ActionOutcome.AT_MOST if die <= tq else ActionOutcome.ABOVE)
        assert result.headline.startswith(f"Vogt, to advance: {die} is ")
        assert (result.effects, result.follow_ups, result.changes) == ((), (), ())


@pytest.mark.django_db
def test_they_are_logged_like_every_other_roll_and_filled_from_a_counter():
    player, _ = begin(hot_seat=True)
    player.do("counters/add/", list="German: NCO")
    page = player.get("roll/action-check/", targets=["german-1"])
    assert 'value="NCO' in text_of(page)
    player.roll("action-check", targets=["german-1"], label="to rally", die="3", dice="table")
    assert player.last.kind == "roll" and player.last.touches == " german-1 "
    assert player.last.sentence.startswith("Action Check. NCO")
    player.roll("free-roll", label="Initiative", roll="each", german_die="4", russian_die="7")
    assert player.last.sentence == "Free roll. Initiative: German 4, Russian 7."
    assert "Initiative: German 4, Russian 7." in words_of(player.get())
