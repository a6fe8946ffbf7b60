"""What Long Siege makes of its record at the table."""

from firefight.engine.course.keeping import DueAtStep, Housekeeping, PlainKeeping
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp

from .rules import TOLD


class Keeping(PlainKeeping):
    """The rules of the record: see firefight/kit/record.py, RecordRules."""

    cards = ()
    lines = ()
    about = ("wall",)
    checked = frozenset()
    filled = writers = frozenset({"storm"})
    hinges = {"storm": ("wall", ("height",))}
    additions = {}

    def fill(self, slug, about, situation):
        """How high a wall is, once somebody has said so."""
        return TOLD.fill(about, situation.record, situation.book)

    def check(self, slug, inputs, situation):
        """Nothing is barred."""

    def note(self, slug, inputs, result, situation):
        """What is said of a wall is kept."""
        return TOLD.note(inputs, situation.record, situation.book)

    def keep_house(self, before, situation):
        """Supply is compulsory (1.2)."""
        if situation.position.phase != "supply":
            return Housekeeping(notes=("Guns fire by day alone.",) if situation.position.phase == "guns" else ())
        return Housekeeping(due=(DueAtStep(FollowUp("supply", "Supply of the Town", {}), compulsory="1.2"),))

    def present(self, field, situation):
        """There are no cards."""
        return []

    def make_row(self, field, side, parts, ids):
        """Rows come from rolls alone."""
        raise BadInput({field: "What is said of a wall is noted with a roll."})
