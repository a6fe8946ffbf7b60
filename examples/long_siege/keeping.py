"""What Long Siege makes of its record at the table."""

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import DueAtStep, Housekeeping, RecordRules, TableState
from firefight.engine.record import RecordChange
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values

from .rules import TOLD


class Keeping(RecordRules):
    """The rules of the record: see RecordRules."""

    about = ("wall",)
    filled = writers = frozenset({"storm"})
    hinges = {"storm": ("wall", ("height",))}

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """How high a wall is, once somebody has said so."""
        return TOLD.fill(about, situation.record, situation.book)

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
        """What is said about a wall is kept."""
        return TOLD.note(inputs, situation.record, situation.book)

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """Supply is compulsory (1.2)."""
        if situation.position.phase != "supply":
            return Housekeeping(notes=("Guns fire by day alone.",) if situation.position.phase == "guns" else ())
        return Housekeeping(due=(DueAtStep(FollowUp("supply", "Supply of the Town", {}), compulsory="1.2"),))
