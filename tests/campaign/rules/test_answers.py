"""A bout that one side declares and the other answers (19.2.1, A-44)."""

import pytest

from campaign.rules.combat.answers import can_be_answered, complete_bout
from campaign.rules.phase import Gathered
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack
from tests.campaign.plain import GERMAN, RUSSIAN

from .test_battle import bout, hit, sector, squad

# Two German squads against one Russian; a third German stands aside.
BATTLE = sector(squad(GERMAN, 1), squad(GERMAN, 2), squad(GERMAN, 3), squad(RUSSIAN, 1))
BACK = Attack(((RUSSIAN, 1),), ((GERMAN, 2),))


def test_both_sides_attacks_stand_in_what_one_side_plays_for_both():
    whole = bout([1, 2], [1], attacks=(hit([1, 2], [1]), BACK))
    assert complete_bout(whole, None, BATTLE, GERMAN, plays_all=True) is whole


def test_who_declares_first_finds_the_best_answer_filled_in():
    completed = complete_bout(bout([1, 2], [1], attacks=(hit([1, 2], [1]),)), None, BATTLE, GERMAN, plays_all=False)
    assert completed.attacks_of(GERMAN) == (hit([1, 2], [1]),)
    assert [attack.by for attack in completed.attacks_of(RUSSIAN)] == [((RUSSIAN, 1),)]


def test_who_answers_divides_their_own_attacks_alone():
    gathered = Gathered(GERMAN, bout([1, 2], [1], attacks=(hit([1, 2], [1]),)))
    answer = bout([1, 2], [1], attacks=(hit([1], [1]), BACK))
    completed = complete_bout(answer, gathered, BATTLE, RUSSIAN, plays_all=False)
    assert completed.attacks_of(GERMAN) == (hit([1, 2], [1]),)  # as it was declared
    assert completed.attacks_of(RUSSIAN) == (BACK,)


@pytest.mark.parametrize(
    ("ours", "theirs", "attack"),
    [([], [1], hit([1], [1])), ([1], [], hit([1], [1])), ([1], [1], hit([3], [1])), ([9], [1], hit([9], [1]))],
)
def test_a_bout_that_cannot_be_is_left_for_the_rules_to_refuse(ours, theirs, attack):
    wrong = bout(ours, theirs, attacks=(attack,))
    assert complete_bout(wrong, None, BATTLE, GERMAN, plays_all=False) == wrong


def test_an_answer_by_somebody_who_does_not_fight_is_left_for_the_rules_to_refuse():
    gathered = Gathered(GERMAN, bout([1, 2], [1], attacks=(hit([1, 2], [1]),)))
    stranger = Attack(((RUSSIAN, 7),), ((GERMAN, 1),))
    completed = complete_bout(bout([1, 2], [1], attacks=(stranger,)), gathered, BATTLE, RUSSIAN, plays_all=False)
    assert completed.attacks_of(RUSSIAN) == (stranger,)


@pytest.mark.parametrize(
    ("ours", "theirs", "attacks", "is_legal"),
    [
        ([1, 2], [1], (hit([1, 2], [1]),), True),
        ([1, 2], [1], (hit([1, 2], []),), False),
        ([1, 2], [1], (hit([], [1]),), False),
        ([1, 2], [1], (BACK,), False),  # the other side's
        ([1, 9], [1], (hit([1, 9], [1]),), False),  # gone meanwhile
        ([], [1], (), False),
    ],
)
def test_what_waits_for_its_answer_is_legal_as_long_as_all_of_it_stands(ours, theirs, attacks, is_legal):
    assert can_be_answered(Gathered(GERMAN, bout(ours, theirs, attacks=attacks)), BATTLE) is is_legal
