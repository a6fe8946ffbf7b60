"""A procedure of a game that the app carries on by itself."""

from typing import Protocol

from firefight.engine.course.conducting import Answer, Standing, StepTaken, Wanted
from firefight.engine.course.keeping import TableState


class Conductor(Protocol):
    """A procedure that goes on by itself, throws, tells, and stops where a side must decide; all of it is pure.

    It lives in the record, so that taking back, files, branches and two devices need no work. ``field``: the part
    of the record that holds where it stands, a KeptStanding. ``title``: what players call it.
    """

    @property
    def field(self) -> str: ...

    @property
    def title(self) -> str: ...

    def begin(self, situation: TableState) -> Standing | None:
        """Where it begins, while none is under way; None where there is nothing to begin."""

    def tell_idle(self, situation: TableState) -> str:
        """What players do themselves until it begins, in a sentence; "" where it never does, or says nothing."""

    def find_side(self, standing: Standing) -> str:
        """The side whose decision it waits for there; "" where it is nobody's or anybody's."""

    def find_wanted(self, standing: Standing, situation: TableState) -> Wanted:
        """What it waits for there: a decision with every choice that is legal, or dice; None where it goes on."""

    def explain(self, standing: Standing, situation: TableState, choice: str) -> str:
        """Why what somebody wants to choose is not among the choices; "" where nothing more can be said."""

    def go_on(self, standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
        """One step, with what it waited for. ``situation`` holds what earlier steps of the same act have changed."""
