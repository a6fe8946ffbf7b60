from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import Odds, OddsRow, distribution, sweep
from firefight.engine.rolls.result import Outcome, Result, waiting
from tests.oracles.odds import brute, same_odds


class Luck(Outcome):
    """An outcome for these tests."""

    GOOD = "good"
    FAIR = "fair"
    BAD = "bad"


D4, D6, D10 = DieSpec("one", 4, ""), DieSpec("two", 6, ""), DieSpec("three", 10, "")


def made_up_rule(cuts):
    """A rule that asks for a second and a third die on some faces only."""

    def rule(dice):
        if "one" not in dice:
            return waiting("", "one")
        if dice["one"] in cuts:
            if "two" not in dice:
                return waiting("", "two", "three")
            if dice["two"] % 2 and "three" not in dice:
                return waiting("", "three")
            if dice["two"] % 2:
                return Result("", Luck.BAD, label=f"by {dice['three'] % 3}")
            return Result("", Luck.FAIR)
        return Result("", Luck.GOOD, needs=("three",))

    return rule


@settings(max_examples=20)
@given(st.sets(st.integers(1, 4)))
def test_the_sweep_counts_what_a_plain_loop_over_all_faces_counts(cuts):
    rule = made_up_rule(cuts)
    odds = sweep(rule, (D4, D6, D10))
    counted, every = brute(rule, (D4, D6, D10))
    assert same_odds(odds, counted, every)
    assert sum(row.weight for row in odds.rows) == odds.total


def test_outcomes_with_different_labels_are_told_apart_and_stand_in_the_order_they_come_up():
    odds = sweep(made_up_rule({1}), (D4, D6, D10))
    assert [(row.outcome, row.label) for row in odds.rows] == [
        ("bad", "by 1"),
        ("bad", "by 2"),
        ("bad", "by 0"),
        ("fair", "Fair"),
        ("good", "Good"),
    ]
    assert Counter({row.label: row.weight for row in odds.rows}) == {
        "by 1": 12,
        "by 2": 9,
        "by 0": 9,
        "Fair": 30,
        "Good": 180,
    }
    assert odds.total == 240


def test_a_settled_outcome_is_counted_without_the_die_that_only_places_a_marker():
    odds = sweep(made_up_rule(set()), (D4,))
    assert [(row.outcome, row.weight) for row in odds.rows] == [("good", odds.total)]


def test_a_die_that_stands_apart_is_swept_once_and_counts_the_same():
    dice_tried = []

    def rule(dice):
        dice_tried.append(dict(dice))
        if "one" not in dice:
            return waiting("", "one")
        if dice["one"] == 4:
            return Result("", Luck.GOOD)
        if "three" not in dice:
            return waiting("", "three")
        return Result("", Luck.FAIR if dice["three"] < 4 else Luck.BAD)

    counted, every = brute(rule, (D4, D10))
    dice_tried.clear()
    assert same_odds(sweep(rule, (D4, DieSpec("three", 10, "", apart=True))), counted, every)
    assert sum("three" in dice for dice in dice_tried) == 10
    dice_tried.clear()
    assert same_odds(sweep(rule, (D4, D10)), counted, every)
    assert sum("three" in dice for dice in dice_tried) == 30


def test_a_die_that_goes_by_a_detail_is_swept_once_for_each_of_its_values_and_counts_the_same():
    dice_tried = []

    def rule(dice):
        dice_tried.append(dict(dice))
        if "one" not in dice:
            return waiting("", "one")
        limit = 4 if dice["one"] < 3 else 7
        if "three" not in dice:
            return waiting("", "three", details={"limit": limit})
        return Result("", Luck.FAIR if dice["three"] < limit else Luck.BAD)

    counted, every = brute(rule, (D4, D10))
    dice_tried.clear()
    assert same_odds(sweep(rule, (D4, DieSpec("three", 10, "", by="limit"))), counted, every)
    assert sum("three" in dice for dice in dice_tried) == 20


def test_a_rule_without_a_die_is_certain():
    assert sweep(lambda dice: Result("", Luck.GOOD), ()) == Odds(1, (OddsRow("good", "Good", 1),))


def test_the_sweep_asks_for_the_die_by_the_sides_it_is_declared_with():
    def rule(dice):
        if "one" not in dice:
            return waiting("", "one")
        return Result("", Luck.GOOD if dice["one"] > 90 else Luck.BAD)

    odds = sweep(rule, (DieSpec("one", 100, ""),))
    assert {row.outcome: row.weight for row in odds.rows} == {"good": 10, "bad": 90}
    with pytest.raises(KeyError):
        sweep(rule, (DieSpec("another", 100, ""),))


def test_a_distribution_keeps_its_total_and_drops_what_cannot_happen():
    odds = distribution({("good", "Good"): 3, ("bad", "Bad"): 0, ("fair", "Fair"): 5}, "K7")
    assert odds == Odds(8, (OddsRow("good", "Good", 3), OddsRow("fair", "Fair", 5)), "K7")


def test_json_of_odds_is_integers_over_a_total_and_names_the_subject_if_there_is_one():
    odds = Odds(4, (OddsRow("good", "Good", 3), OddsRow("bad", "Bad", 1)))
    rows = [
        {"outcome": "good", "label": "Good", "weight": 3},
        {"outcome": "bad", "label": "Bad", "weight": 1},
    ]
    assert odds.as_json() == {"total": 4, "outcomes": rows}
    assert Odds(4, odds.rows, "Squad").as_json() == {"subject": "Squad", "total": 4, "outcomes": rows}
