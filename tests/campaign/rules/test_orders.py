from itertools import product

import pytest

from campaign.rules.cards import Stance
from campaign.rules.orders import Order, against_bonus, attack_or_hold, is_paid_for, order_of_card, set_up_order
from firefight.engine.errors import BadDie, BadInput
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.books import HOUSE, altered
from tests.oracles.odds import brute, same_odds

ATTACK, HOLD = Order.ATTACK, Order.HOLD
DICE = [DieSpec("german_die", 10, "d10"), DieSpec("russian_die", 10, "d10")]


def compare(german, russian, **inputs):
    return attack_or_hold(charts=HOUSE, german=german, russian=russian, **inputs)


@pytest.mark.parametrize(
    ("german", "russian", "outcome", "first"),
    [(ATTACK, HOLD, "german_attacker", "russian"), (HOLD, ATTACK, "russian_attacker", "german")],
)
def test_with_one_attack_the_holding_side_sets_up_first_and_no_die_is_rolled(german, russian, outcome, first):
    result = compare(german, russian)
    assert (result.outcome, result.needs, result.dice) == (outcome, (), {})
    assert result.details["sets_up_first"] == result.details["defender"] == first
    assert result.details["attacker"] != first
    assert result.effects == (f"The {first.capitalize()} sets up first.",)


def test_if_both_hold_there_is_no_firefight_at_this_time():
    result = compare(HOLD, HOLD)
    assert (result.outcome, result.needs, result.details) == ("no_firefight", (), {})
    assert result.effects == ("Go to the Reorganization Phase of the next firefight.",)


@pytest.mark.parametrize("german_bonus", [False, True])
@pytest.mark.parametrize("russian_bonus", [False, True])
def test_if_both_attack_the_higher_total_attacks_and_a_tie_makes_the_russian_the_defender(german_bonus, russian_bonus):
    for german_die, russian_die in product(range(1, 11), repeat=2):
        result = compare(
            ATTACK,
            ATTACK,
            german_bonus=german_bonus,
            russian_bonus=russian_bonus,
            german_die=german_die,
            russian_die=russian_die,
        )
        german, russian = german_die + 2 * german_bonus, russian_die + 2 * russian_bonus
        attacker = "russian" if russian > german else "german"
        assert result.outcome == f"{attacker}_attacker"
        assert result.details["sets_up_first"] == ("german" if attacker == "russian" else "russian")
        assert result.dice == {"german_die": german_die, "russian_die": russian_die}
        assert {modifier.name: modifier.value for modifier in result.modifiers} == {
            **({"German CP Bonus": 2} if german_bonus else {}),
            **({"Russian CP Bonus": 2} if russian_bonus else {}),
        }
        assert ("a tie" in result.headline) == (german == russian)
        assert f"German {german}, Russian {russian}" in result.headline


@pytest.mark.parametrize(
    ("given_dice", "needs"),
    [({}, ("german_die", "russian_die")), ({"german_die": 3}, ("russian_die",)), ({"russian_die": 3}, ("german_die",))],
)
def test_the_dice_that_are_still_missing_are_named(given_dice, needs):
    result = compare(ATTACK, ATTACK, **given_dice)
    assert (result.outcome, result.needs) == (None, needs)


@pytest.mark.parametrize(
    ("german", "russian", "bonuses"),
    [
        (HOLD, ATTACK, ["german_bonus"]),
        (ATTACK, HOLD, ["russian_bonus"]),
        (HOLD, HOLD, ["german_bonus", "russian_bonus"]),
    ],
)
def test_the_bonus_goes_with_an_attack(german, russian, bonuses):
    with pytest.raises(BadInput) as caught:
        compare(german, russian, **dict.fromkeys(bonuses, True))
    assert list(caught.value.problems) == bonuses


@pytest.mark.parametrize(
    ("dice", "name"),
    [({"german_die": 0, "russian_die": 5}, "german_die"), ({"german_die": 5, "russian_die": 11}, "russian_die")],
)
def test_a_bad_die_is_named(dice, name):
    with pytest.raises(BadDie) as caught:
        compare(ATTACK, ATTACK, **dice)
    assert caught.value.die == name


def test_the_bonus_is_worth_what_the_book_says_and_is_named_as_a_source_when_used():
    book = altered("attack_bonus", provenance="owner", values={"bonus": 5})
    result = attack_or_hold(charts=book, german=ATTACK, russian=ATTACK, russian_bonus=True, german_die=8, russian_die=4)
    assert result.outcome == "russian_attacker"
    assert [(source.chart, source.provenance) for source in result.provenance] == [("attack_bonus", "owner")]
    assert compare(ATTACK, ATTACK, german_die=8, russian_die=4).provenance == ()


@pytest.mark.parametrize(
    ("german_bonus", "russian_bonus", "german_wins"),
    [(False, False, 55), (True, True, 55), (True, False, 72), (False, True, 36)],
)
def test_odds_are_a_plain_count_of_both_dice(german_bonus, russian_bonus, german_wins):
    def rule(dice):
        return compare(ATTACK, ATTACK, german_bonus=german_bonus, russian_bonus=russian_bonus, **dice)

    counted, every = brute(rule, DICE)
    assert same_odds(sweep(rule, DICE), counted, every)
    assert {key[0]: weight for key, weight in counted.items()} == {
        "german_attacker": german_wins,
        "russian_attacker": 100 - german_wins,
    }


def test_an_attack_has_its_price_unless_the_card_gives_it():
    cases = product((ATTACK, HOLD), (False, True))
    assert [is_paid_for(order, of_card) for order, of_card in cases] == [True, False, False, False]


@pytest.mark.parametrize(
    ("stance", "firefight", "order"),
    [
        (Stance.ATTACKER, 1, ATTACK),
        (Stance.DEFENDER, 1, HOLD),
        (Stance.CHOOSES, 1, None),
        (Stance.ATTACKER, 2, None),
        (Stance.DEFENDER, 2, None),
    ],
)
def test_20_5_3_the_card_gives_orders_for_the_first_firefight_alone(stance, firefight, order):
    assert order_of_card(stance, firefight) is order


@pytest.mark.parametrize(
    ("order", "is_of_card", "is_refused"), [(ATTACK, False, False), (ATTACK, True, True), (HOLD, False, True)]
)
def test_20_5_4_the_bonus_goes_with_an_attack_that_is_paid_for(order, is_of_card, is_refused):
    refusal = against_bonus(order, is_of_card)
    assert bool(refusal) is is_refused
    assert refusal is None or refusal.rule == "20.5.4"


def test_20_5_4_the_defender_sets_up_first():
    assert [set_up_order(side) for side in Side] == [(Side.RUSSIAN, Side.GERMAN), (Side.GERMAN, Side.RUSSIAN)]
