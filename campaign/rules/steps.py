"""The steps inside a Reorganization Phase after a firefight (20.5.8.1 steps 1 and 2, 20.6.4, 20.7.1)."""

from enum import StrEnum


class Step(StrEnum):
    """Where the phase stands. Steps of a sector are repeated for each threatened one."""

    AFTER_ACTION = "after_action"
    EXISTING = "existing"
    ATTACKER_LEAVES = "attacker_leaves"
    DEFENDER_LEAVES = "defender_leaves"
    BATTLE = "battle"
    FINAL_ATTACKER = "final_attacker"
    FINAL_DEFENDER = "final_defender"
    UPKEEP = "upkeep"

    @property
    def word(self) -> str:
        """The step as the page names it."""
        return _WORDS[self][0]

    @property
    def rule(self) -> str:
        """The rule of the step."""
        return _WORDS[self][1]

    @property
    def is_of_sector(self) -> bool:
        """Whether the step is about one sector."""
        return self in FIGHTING or self in LEAVING


# The survivors of one sector after the other re-deploy once more (20.6.4 step 5).
FINAL_STEPS = (Step.FINAL_ATTACKER, Step.FINAL_DEFENDER)
LEAVING = (Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES)
FIGHTING = (Step.EXISTING, Step.BATTLE)
_WORDS = {
    Step.AFTER_ACTION: ("What became of the units", "20.5.8.1 step 1"),
    Step.EXISTING: ("Close combat that is under way", "20.6.4 step 1"),
    Step.ATTACKER_LEAVES: ("The Attacker stays or re-deploys", "20.6.4 step 2"),
    Step.DEFENDER_LEAVES: ("The Defender stays or re-deploys", "20.6.4 step 2"),
    Step.BATTLE: ("Close combat for the sector", "20.6.4 step 3"),
    Step.FINAL_ATTACKER: ("Final re-deployment, Attacker", "20.6.4 step 5"),
    Step.FINAL_DEFENDER: ("Final re-deployment, Defender", "20.6.4 step 5"),
    Step.UPKEEP: ("Changes to units on the map", "20.7.1"),
}
