from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.redeployment import Goal, MoverColumn, RedeploymentOutcome, meets_enemy, redeployment
from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from tests.books import HOUSE, altered
from tests.oracles.odds import brute, same_odds

D10 = DieSpec("die", 10, "d10")
INFANTRY = 7 * ["redeploys"] + ["redeploys_casualties", "remains_casualties", "eliminated"]
VEHICLE = 7 * ["redeploys"] + ["remains", "wreck", "wreck"]
INTO = {Goal.THREATENED: 2, Goal.FRIENDLY: -1, Goal.NEUTRAL: 0}
# From the best for the unit to the worst.
FATES = ["redeploys", "redeploys_casualties", "remains", "remains_casualties", "wreck", "eliminated"]


@pytest.mark.parametrize("into", Goal)
@pytest.mark.parametrize("impaired", [False, True])
@pytest.mark.parametrize(
    ("unit", "in_sewer"), [(MoverColumn.INFANTRY, False), (MoverColumn.INFANTRY, True), (MoverColumn.VEHICLE, False)]
)
def test_every_face_with_every_drm_reads_the_printed_table(unit, in_sewer, impaired, into):
    table = INFANTRY if unit is MoverColumn.INFANTRY else VEHICLE
    expected_drm = {
        "Disrupted, WIA, Suppressed or Enfilade": 1 if impaired else 0,
        "In a sewer": 2 if in_sewer else 0,
        f"Into a {into.value} sector": INTO[into],
    }
    expected_drm = {name: value for name, value in expected_drm.items() if value}
    for die in range(1, 11):
        result = redeployment(charts=HOUSE, unit=unit, impaired=impaired, into=into, in_sewer=in_sewer, die=die)
        modified = die + sum(expected_drm.values())
        assert result.outcome == table[min(max(modified, 1), 10) - 1]
        assert (result.modified, result.dice) == (modified, {"die": die})
        assert {modifier.name: modifier.value for modifier in result.modifiers} == expected_drm
        assert all(modifier.rule == "20.12.1" for modifier in result.modifiers)


def test_totals_below_1_and_above_10_read_the_ends_of_the_table():
    low = redeployment(charts=HOUSE, into=Goal.FRIENDLY, die=1)
    high = redeployment(charts=HOUSE, into=Goal.THREATENED, in_sewer=True, impaired=True, die=10)
    assert (low.modified, low.outcome) == (0, "redeploys")
    assert (high.modified, high.outcome) == (15, "eliminated")


def test_vehicles_are_never_in_a_sewer():
    with pytest.raises(BadInput) as caught:
        redeployment(charts=HOUSE, unit=MoverColumn.VEHICLE, in_sewer=True, die=1)
    assert list(caught.value.problems) == ["in_sewer"]


@pytest.mark.parametrize(
    ("outcome", "word", "effect"),
    [
        ("redeploys", "Re-deploys", "Place it in the new sector."),
        (
            "redeploys_casualties",
            "Re-deploys with Casualties",
            "Apply Casualties, then place what is left in the new sector.",
        ),
        ("remains", "Remains", "It stays and fights."),
        ("remains_casualties", "Remains with Casualties", "Apply Casualties; what is left stays and fights."),
        ("eliminated", "Eliminated", "Remove it."),
        ("wreck", "Wreck", "Replace it with a wreck."),
    ],
)
def test_each_result_is_told_with_what_to_do(outcome, word, effect):
    results = {}
    for unit, die in product(MoverColumn, range(1, 11)):
        result = redeployment(charts=HOUSE, unit=unit, into=Goal.NEUTRAL, die=die)
        results[result.outcome] = result
    assert (RedeploymentOutcome(outcome).word, results[outcome].effects) == (word, (effect,))


@given(
    st.sampled_from(MoverColumn),
    st.integers(1, 10),
    st.booleans(),
    st.sampled_from([Goal.FRIENDLY, Goal.NEUTRAL, Goal.THREATENED]),
)
def test_a_unit_in_worse_shape_or_on_a_riskier_way_never_fares_better(unit, die, impaired, into):
    def fate(**changed):
        inputs = {"unit": unit, "impaired": impaired, "into": into, **changed}
        return FATES.index(redeployment(charts=HOUSE, die=die, **inputs).outcome)

    assert fate(impaired=False) <= fate() <= fate(impaired=True)
    assert fate(into=Goal.FRIENDLY) <= fate(into=Goal.NEUTRAL) <= fate(into=Goal.THREATENED)
    if unit is MoverColumn.INFANTRY:
        assert fate() <= fate(in_sewer=True)


def test_a_redeployment_waits_for_its_die_and_shows_its_drm():
    result = redeployment(charts=HOUSE, impaired=True, into=Goal.THREATENED)
    assert (result.outcome, result.needs) == (None, ("die",))
    assert [modifier.value for modifier in result.modifiers] == [1, 2]


@pytest.mark.parametrize("face", [0, 11])
def test_a_die_off_the_d10_is_refused(face):
    with pytest.raises(BadDie):
        redeployment(charts=HOUSE, die=face)


@pytest.mark.parametrize("unit", MoverColumn)
@pytest.mark.parametrize("into", Goal)
def test_odds_are_a_plain_count_of_all_faces(unit, into):
    def rule(dice):
        return redeployment(charts=HOUSE, unit=unit, into=into, impaired=True, **dice)

    assert same_odds(sweep(rule, [D10]), *brute(rule, [D10]))


@pytest.mark.parametrize("unit", MoverColumn)
def test_the_table_and_the_drm_are_named_as_sources(unit):
    result = redeployment(charts=HOUSE, unit=unit, die=1)
    assert [(source.chart, source.provenance) for source in result.provenance] == [
        (f"redeployment_{unit.value}", "text"),
        ("redeployment_drm", "text"),
    ]


def test_a_blank_drm_is_asked_for_only_when_it_counts():
    book = altered(
        "redeployment_drm", values={"impaired": "?", "threatened": 2, "in_sewer": 2, "friendly": -1, "neutral": 0}
    )
    assert redeployment(charts=book, die=1).outcome == "redeploys"
    with pytest.raises(MissingChart) as caught:
        redeployment(charts=book, impaired=True, die=1)
    assert caught.value.cell == "impaired"


def test_an_enemy_is_met_in_the_hex_of_arrival_if_anybody_noted_it():
    assert [meets_enemy(*hexes) for hexes in (("K7", "K7"), ("K7", "K8"), ("", ""), ("K7", ""))] == [
        True,
        False,
        False,
        False,
    ]
