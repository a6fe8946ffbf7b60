import pytest

from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules import turn
from firefight.games.combat_stalingrad.rules.observers import Item, fo_loss
from tests.books import HOUSE
from tests.oracles.odds import brute, same_odds

D10 = DieSpec("die", 10, "d10")


@pytest.mark.parametrize("item", Item)
@pytest.mark.parametrize("die", range(1, 11))
def test_1_to_6_leaves_the_set_in_the_hex_and_7_to_10_loses_it(item, die):
    result = fo_loss(charts=HOUSE, item=item, die=die)
    assert result.outcome == ("left" if die <= 6 else "destroyed")
    assert (result.dice, result.modified) == ({"die": die}, die)
    fate = "left in the hex" if die <= 6 else "destroyed with the observer"
    assert result.headline == f"The {item.value} is {fate}."
    assert [(source.chart, source.provenance) for source in result.provenance] == [("fo_loss", "text")]


def test_a_set_that_stays_may_be_destroyed_by_enemy_infantry_and_a_lost_one_is_never_replaced():
    [stays] = fo_loss(charts=HOUSE, item=Item.PHONE, die=6).effects
    [lost] = fo_loss(charts=HOUSE, item=Item.PHONE, die=7).effects
    assert stays == "The phone stays where its last carrier was; enemy infantry there may destroy it for 1 MP."
    assert lost == "Remove the phone; it is never replaced."


def test_the_roll_waits_for_its_die_and_has_plain_odds():
    assert fo_loss(charts=HOUSE).needs == ("die",)

    def rule(dice):
        return fo_loss(charts=HOUSE, **dice)

    counted, every = brute(rule, [D10])
    assert same_odds(sweep(rule, [D10]), counted, every)
    assert counted == {("left", "Left"): 6, ("destroyed", "Destroyed"): 4}


@pytest.mark.parametrize("face", [0, 11])
def test_a_die_off_the_d10_is_refused(face):
    with pytest.raises(BadDie):
        fo_loss(charts=HOUSE, die=face)


def test_a_turn_has_four_phases_in_the_order_of_play_and_a_firefight_seven_turns():
    assert [phase.value for phase in turn.TurnPhase] == ["command", "fire_and_movement", "melee", "conclusion"]
    assert turn.LAST_TURN == 7
