"""What the assistant offers for Long Siege."""

from functools import partial

from firefight.kit import Helper, HelperForm, NumberField, PlaceField, TokensField

from . import rules

roll = partial(Helper, "long-siege", group="Siege", dice=(rules.DIE,), is_read=False)


class SupplyForm(HelperForm):
    """Nothing is asked."""


class StormForm(HelperForm):
    """Inputs of a storm: the phase, the wall, how high it is."""

    phase = NumberField("Phase", 1, 3, initial=3)
    wall = PlaceField("Wall", rules.WALLS)
    height = NumberField("Height", 1, 9, required=False)


class EscaladeForm(HelperForm):
    """Inputs of an escalade: its walls in their order."""

    walls = TokensField("Walls", {wall: wall for wall in rules.WALLS.names}, most=3)


HELPERS = (
    roll(
        "supply",
        title="Supply",
        purpose="Who eats.",
        rules=("1.2",),
        form=SupplyForm,
        rule=rules.supply,
        outcomes=("fed", "hungry"),
    ),
    roll(
        "storm",
        title="Storm",
        purpose="Who takes a wall.",
        rules=("3.1",),
        form=StormForm,
        rule=rules.storm,
        outcomes=("stormed", "held"),
        leads=rules.lead_stormers,
    ),
    Helper(
        "long-siege",
        "escalade",
        title="Escalade",
        group="Siege",
        purpose="Wall after wall.",
        rules=("3.2",),
        form=EscaladeForm,
        rule=rules.escalade,
        outcomes=("begun",),
        is_read=False,
        leads=rules.begin_escalade,
    ),
)
