"""The course of a campaign between its firefights (20.5.8, 20.5.8.1): which step comes when, and what it asks for."""

from firefight.engine.labels import Labelled


class Stage(Labelled):
    """Where a campaign stands. The Reorganization Phase before the first firefight begins with the purchases."""

    REORGANIZATION = "reorganization", "Reorganization", "20.5.8.1 steps 1 and 2"
    REINFORCEMENTS = "reinforcements", "Reinforcement rolls", "20.5.8.1 step 3"
    PURCHASES = "purchases", "Purchases and sealed orders", "20.5.8 step 2, 20.5.8.1 step 4"
    PRIORITY = "priority", "Who attacks", "20.5.4"
    SETUP = "setup", "Set-up", "20.5.8 step 3, 20.5.8.1 step 5"
    FIREFIGHT = "firefight", "Firefight", "20.5.8 step 4, 20.5.8.1 step 6"
    OVER = "over", "The end", "20.5.5"


def ladder(firefight: int) -> tuple[Stage, ...]:
    """The steps of one firefight in order; the first needs no reorganization and no reinforcement roll (20.5.8)."""
    steps = tuple(stage for stage in Stage if stage is not Stage.OVER)
    return steps[2:] if firefight == 1 else steps
