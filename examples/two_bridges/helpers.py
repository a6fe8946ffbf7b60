"""What the assistant offers for Two Bridges."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CountersField, Helper, HelperForm

from . import rules
from .counters import COUNTERS

D6 = DieSpec("die", 6, "d6")
roll = partial(Helper, "two-bridges", group="Fight", outcomes=rules.FightOutcome, dice=(D6,), is_read=False)


class FireForm(HelperForm):
    by = CountersField("Who fires", COUNTERS, role="firers")
    at = CountersField("At whom", COUNTERS, role="targets")


class RallyForm(HelperForm):
    who = CountersField("Who rallies", COUNTERS, role="targets", required=True)


HELPERS = (
    roll("fire", title="Fire", purpose="Who is hit.", rules=("1.1",), form=FireForm, rule=rules.fire),
    roll("rally", title="Rally", purpose="Who holds.", rules=("1.2",), form=RallyForm, rule=rules.rally, read_by="who"),
)
