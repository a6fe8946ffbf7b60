"""What Long Siege makes of its record at the table."""

from collections.abc import Mapping, Sequence

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import DueAtStep, Housekeeping, PlainKeeping, RowCard, TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values

from .rules import TOLD


class Keeping(PlainKeeping):
    """The rules of the record: see firefight/kit/record.py, RecordRules."""

    cards = ()
    lines = ()
    about = ("wall",)
    checked: frozenset[str] = frozenset()
    filled = writers = frozenset({"storm"})
    hinges = {"storm": ("wall", ("height",))}
    additions: Mapping[str, tuple[str, tuple[str, ...]]] = {}

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """How high a wall is, once somebody has said so."""
        return TOLD.fill(about, situation.record, situation.book)

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """Nothing is barred."""

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
        """What is said about a wall is kept."""
        return TOLD.note(inputs, situation.record, situation.book)

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """Supply is compulsory (1.2)."""
        if situation.position.phase != "supply":
            return Housekeeping(notes=("Guns fire by day alone.",) if situation.position.phase == "guns" else ())
        return Housekeeping(due=(DueAtStep(FollowUp("supply", "Supply of the Town", {}), compulsory="1.2"),))

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """There are no cards."""
        return []

    def make_row(self, field: str, side: str, parts: Values, ids: Sequence[str]) -> tuple[str, Mapping[str, object]]:
        """Rows come from rolls alone."""
        raise BadInput({field: "What is said about a wall is noted with a roll."})
