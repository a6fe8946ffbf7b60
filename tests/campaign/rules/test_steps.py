from campaign.rules.steps import Step


def test_rp_02_the_steps_come_in_the_order_of_the_rules():
    """20.5.8.1 step 1 with 20.6.4 steps 1, 2, 3 and 5; then 20.5.8.1 step 2, which is 20.7.1."""
    assert [step.rule for step in Step] == [
        "20.5.8.1 step 1",
        "20.6.4 step 1",
        "20.6.4 step 2",
        "20.6.4 step 2",
        "20.6.4 step 3",
        "20.6.4 step 5",
        "20.6.4 step 5",
        "20.7.1",
    ]


def test_every_step_has_a_name_of_its_own():
    assert len({step.word for step in Step}) == len(Step)
    assert all(step.word and step.word == step.word.strip() for step in Step)


def test_steps_1_to_3_are_a_sectors_own():
    assert [step.value for step in Step if step.is_of_sector] == [
        "existing",
        "attacker_leaves",
        "defender_leaves",
        "battle",
    ]
