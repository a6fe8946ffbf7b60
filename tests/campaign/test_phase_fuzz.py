"""Reorganization Phases at random, some forty of them, in a soak thousands, and some by the forms of their pages;
tests.campaign.phase_fuzz plays as many in memory as one likes.
"""

import pytest

from tests.campaign.form_phase import FormRun
from tests.campaign.phase_fuzz import fuzz, main
from tests.campaign.random_phase import Run
from tests.soak import length, seeds

A_PART = length(20, 100)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("part", seeds(2, 40))
def test_phases_at_random_end_and_agree_with_the_reference_step_by_step(part):
    """Their invariants, and that the log replays them, are checked in tests.campaign.random_phase."""
    tally = fuzz(A_PART, f"part {part}")
    assert tally["phases"] == A_PART
    for event in ("fight", "fight_round", "redeploy", "recover", "report", "hurry", "refused", "dice of the app"):
        assert tally[event]
    assert tally["dice"] > tally["dice of the app"]  # some lay on the table
    assert tally["to over"] + tally["to reinforcements"] == A_PART


@pytest.mark.django_db
@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(1, 60))
def test_phases_at_random_by_the_forms_of_the_pages_agree_with_the_same_reference(seed):
    tally = FormRun(f"form {seed}").play().told
    assert tally["acts"] and tally["to over"] + tally["to reinforcements"] == 1


def test_mines_leave_one_state_of_morale_on_a_unit_that_was_given_two():
    """A WIA squad noted as Pinned, too, suffers Casualties (18.2.5, R-102)."""
    assert Run("map 1-187").play().told["suffer_mines"]


def test_a_failure_names_the_seed_that_brings_it_back(monkeypatch):
    monkeypatch.setattr("tests.campaign.random_phase.MOST_ACTS", 0)
    with pytest.raises(AssertionError, match="the phase does not end") as caught:
        fuzz(3, "short")
    assert caught.value.__notes__ == ["The seed of this phase is short-0."]


def test_the_documented_command_says_how_many_and_how_long(capsys):
    main(["--phases", "2", "--seed", "command"])
    assert capsys.readouterr().out.startswith("2 phases in ")
