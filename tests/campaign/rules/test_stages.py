import pytest

from campaign.rules.stages import Stage, ladder


def test_the_first_firefight_needs_no_reorganization_and_no_reinforcements():
    assert ladder(1) == (Stage.PURCHASES, Stage.PRIORITY, Stage.SETUP, Stage.FIREFIGHT)


@pytest.mark.parametrize("firefight", [2, 3, 4])
def test_later_firefights_have_all_steps_in_the_order_of_the_rules(firefight):
    assert ladder(firefight) == (
        Stage.REORGANIZATION,
        Stage.REINFORCEMENTS,
        Stage.PURCHASES,
        Stage.PRIORITY,
        Stage.SETUP,
        Stage.FIREFIGHT,
    )


@pytest.mark.parametrize("stage", Stage)
def test_every_step_has_a_word_and_a_rule(stage):
    assert stage.word[0].isupper()
    assert stage.rule.startswith("20.5.")


def test_the_steps_cite_their_rules_in_order():
    cited = [stage.rule.split(", ")[-1] for stage in ladder(2) if stage is not Stage.PRIORITY]
    assert cited == [
        "20.5.8.1 steps 1 and 2",
        "20.5.8.1 step 3",
        "20.5.8.1 step 4",
        "20.5.8.1 step 5",
        "20.5.8.1 step 6",
    ]


def test_a_campaign_row_can_hold_any_step():
    assert max(map(len, Stage)) <= 16
