"""The helper of chapter 17 for observers: what becomes of a set whose observer is lost."""

from firefight.kit import HelperForm, Pick

from ..rules import observers
from .shared import D10, FIRE_AND_MELEE, game_helper


class FoLossForm(HelperForm):
    """Inputs of an observer's loss."""

    item = Pick.among("Set", observers.Item)


HELPERS = (
    game_helper(
        "fo-loss",
        title="Observer lost",
        group="Small rolls",
        purpose="Whether the observer's radio or phone stays in the hex.",
        rules=("17.2.4 FO/Radio/Phone Loss",),
        form=FoLossForm,
        rule=observers.fo_loss,
        outcomes=observers.LossOutcome,
        dice=(D10,),
        steps=FIRE_AND_MELEE,
    ),
)
