"""The course of a campaign between its firefights (20.5.8, 20.5.8.1): which step comes when, and what it asks for."""

from enum import StrEnum


class Stage(StrEnum):
    """Where a campaign stands. The Reorganization Phase before the first firefight begins with the purchases."""

    REORGANIZATION = "reorganization"
    REINFORCEMENTS = "reinforcements"
    PURCHASES = "purchases"
    PRIORITY = "priority"
    SETUP = "setup"
    FIREFIGHT = "firefight"
    OVER = "over"

    @property
    def word(self) -> str:
        """The step as the ladder shows it."""
        return _WORDS[self]

    @property
    def rule(self) -> str:
        """The rule of the step."""
        return _RULES[self]


_WORDS = {
    Stage.REORGANIZATION: "Reorganization",
    Stage.REINFORCEMENTS: "Reinforcement rolls",
    Stage.PURCHASES: "Purchases and sealed orders",
    Stage.PRIORITY: "Who attacks",
    Stage.SETUP: "Set-up",
    Stage.FIREFIGHT: "Firefight",
    Stage.OVER: "The end",
}
_RULES = {
    Stage.REORGANIZATION: "20.5.8.1 steps 1 and 2",
    Stage.REINFORCEMENTS: "20.5.8.1 step 3",
    Stage.PURCHASES: "20.5.8 step 2, 20.5.8.1 step 4",
    Stage.PRIORITY: "20.5.4",
    Stage.SETUP: "20.5.8 step 3, 20.5.8.1 step 5",
    Stage.FIREFIGHT: "20.5.8 step 4, 20.5.8.1 step 6",
    Stage.OVER: "20.5.5",
}


def ladder(firefight: int) -> tuple[Stage, ...]:
    """The steps of one firefight in order; the first needs no reorganization and no reinforcement roll (20.5.8)."""
    steps = tuple(stage for stage in Stage if stage is not Stage.OVER)
    return steps[2:] if firefight == 1 else steps
