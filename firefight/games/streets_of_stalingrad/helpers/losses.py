"""Helpers of what comes after a fire: counter-attacks, mine dogs."""

from firefight.kit import HelperForm, NumberField

from ..rules import counter_attack, mine_dogs
from .shared import DIE, game_helper

GROUP = "After combat"
MOST_POINTS = 200


class CounterAttackForm(HelperForm):
    """Inputs of an instant counter-attack."""

    af = NumberField("AF of the counter-attackers", 0, MOST_POINTS)
    df = NumberField("DF in the hex", 0, MOST_POINTS)
    defenders = NumberField("Combat units in the hex", 0, 20, initial=None)


class MineDogForm(HelperForm):
    """A mine dog asks for nothing."""


HELPERS = (
    game_helper(
        "counter-attack",
        title="Instant counter-attack",
        group=GROUP,
        purpose="Against a hex that the enemy has just taken.",
        rules=("12.6", "ICA Table"),
        form=CounterAttackForm,
        rule=counter_attack.counter_attack,
        outcomes=counter_attack.CounterAttack,
        dice=(DIE,),
    ),
    game_helper(
        "mine-dog",
        title="Mine dog",
        group=GROUP,
        purpose="One dog at one German armoured unit beside it.",
        rules=("16.23 Mine Dogs",),
        form=MineDogForm,
        rule=mine_dogs.mine_dog,
        outcomes=mine_dogs.MineDog,
        dice=(DIE,),
    ),
)
