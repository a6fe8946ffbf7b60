"""The steps inside a Reorganization Phase after a firefight (20.5.8.1 steps 1 and 2, 20.6.4, 20.7.1)."""

from firefight.engine.labels import Labelled


class Step(Labelled):
    """Where the phase stands. Steps of a sector are repeated for each threatened one."""

    AFTER_ACTION = "after_action", "What became of the units", "20.5.8.1 step 1"
    EXISTING = "existing", "Close combat that is under way", "20.6.4 step 1"
    ATTACKER_LEAVES = "attacker_leaves", "The Attacker stays or re-deploys", "20.6.4 step 2"
    DEFENDER_LEAVES = "defender_leaves", "The Defender stays or re-deploys", "20.6.4 step 2"
    BATTLE = "battle", "Close combat for the sector", "20.6.4 step 3"
    FINAL_ATTACKER = "final_attacker", "Final re-deployment, Attacker", "20.6.4 step 5"
    FINAL_DEFENDER = "final_defender", "Final re-deployment, Defender", "20.6.4 step 5"
    UPKEEP = "upkeep", "Changes to units on the map", "20.7.1"

    @property
    def is_of_sector(self) -> bool:
        """Whether the step is about one sector."""
        return self in FIGHTING or self in LEAVING


# The survivors of one sector after the other re-deploy once more (20.6.4 step 5).
FINAL_STEPS = (Step.FINAL_ATTACKER, Step.FINAL_DEFENDER)
LEAVING = (Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES)
FIGHTING = (Step.EXISTING, Step.BATTLE)
