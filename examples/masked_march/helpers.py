"""What the assistant offers for Masked March."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CountersField, Helper, HelperForm

from . import rules
from .counters import COUNTERS

march_helper = partial(Helper, "masked-march", outcomes=rules.MarchOutcome, is_read=False)


class FireForm(HelperForm):
    """Inputs of fire."""

    by = CountersField("Who fires", COUNTERS, role="firers")
    at = CountersField("At whom", COUNTERS, role="targets")


class FillUpForm(HelperForm):
    """Inputs of replacements."""

    who = CountersField("Who is filled up", COUNTERS, role="firers", required=True)


HELPERS = (
    march_helper(
        "fire",
        title="Fire",
        group="Fight",
        purpose="Who loses a dot.",
        rules=("1.1 Fire",),
        form=FireForm,
        rule=rules.fire,
        dice=(DieSpec("die", 6, "d6"),),
    ),
    march_helper(
        "fill-up",
        title="Fill up",
        group="Fight",
        purpose="Two dots again.",
        rules=("1.2 Replacements",),
        form=FillUpForm,
        rule=rules.fill_up,
    ),
)
