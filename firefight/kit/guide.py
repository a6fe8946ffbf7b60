"""What leads a side through its part of a turn, while its player asks for that."""

from typing import Protocol

from firefight.engine.course.guiding import GuideStep
from firefight.engine.course.keeping import TableState


class Guide(Protocol):
    """It points at the step at hand and opens the form for it; it does nothing by itself, bars nothing, keeps nothing.

    All of it is pure: it sees what is done by hand or taken back like everything else. While a roll is due, that is
    the step; the course's ways on stand below. ``title``: what players press to be led.
    """

    @property
    def title(self) -> str: ...

    def find_step(self, situation: TableState, chosen: str) -> GuideStep:
        """The step at hand. ``chosen``: what was chosen on the way (``GuideStep.choices``), "" for nothing yet."""
