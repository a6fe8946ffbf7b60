"""Helpers for what the text does not contain: dice with the players' own label."""

from django import forms

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CounterField, HelperForm, Inputs, NumberField, Pick

from ..rules import free
from ..rules.turn import TurnPhase
from .shared import D10, game_helper


class FreeRollForm(HelperForm):
    """Inputs of a free roll."""

    label = forms.CharField(label="What for (Initiative, Recovery ...)", max_length=60, required=False)
    roll = Pick.among("Dice", free.FreeDice)


class ActionCheckForm(HelperForm):
    """Inputs of a d10 beside a TQ."""

    name = forms.CharField(label="Name", max_length=32, required=False)
    tq = NumberField("TQ", 1, 10, initial=None, required=True)
    label = forms.CharField(label="What for", max_length=60, required=False)
    id = CounterField()


def chosen_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """The dice that were chosen."""
    return free.free_dice(inputs["roll"])


HELPERS = (
    game_helper(
        "action-check",
        title="Action Check",
        group="Small rolls",
        purpose="A d10 beside a unit's TQ. Our text lacks the rule, so the app says only whether it is at most that.",
        rules=("19.3.4 (no heading)",),
        form=ActionCheckForm,
        rule=free.action_check,
        outcomes=free.ActionOutcome,
        dice=(D10,),
        steps=tuple(TurnPhase),
        is_read=False,
    ),
    game_helper(
        "free-roll",
        title="Free roll",
        group="Small rolls",
        purpose="A d10, a d100 or a d10 for each side, with your own label, for what the text does not contain.",
        rules=("20.5.4 (no heading)",),
        form=FreeRollForm,
        rule=free.free_roll,
        outcomes=free.FreeOutcome,
        dice=chosen_dice,
        steps=tuple(TurnPhase),
        is_read=False,
        dice_words="die; or german_die and russian_die, a d10 for each side",
    ),
)
