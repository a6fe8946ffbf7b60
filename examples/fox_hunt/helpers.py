"""What the assistant offers for Fox Hunt."""

from firefight.kit import Helper, HelperForm, NumberField

from . import rules


class SmellForm(HelperForm):
    """How far the fox is."""

    hexes = NumberField("Hexes away", 1, 5, initial=1)


HELPERS = (
    Helper(
        "fox-hunt",
        "smell",
        title="Smell",
        group="Hounds",
        purpose="Whether a hound smells the fox.",
        rules=("3.1",),
        form=SmellForm,
        rule=rules.smell,
        outcomes=("fox", "nothing"),
        dice=(rules.NOSE,),
        is_read=False,
    ),
)
