"""The helper of chapter 19: one attack of Close Combat."""

from django import forms

from firefight.kit import CounterField, HelperForm, NumberField, Pick, RowForm, RowsField, TickField

from ..rules import close_combat
from ..rules.turn import TurnPhase
from ..rules.units import Kind, State, Unit
from . import shared
from .shared import D100, game_helper


class FighterRow(RowForm):
    """A unit in Close Combat."""

    asks = "ccv"

    ccv = NumberField("CCV", 0, 200, initial=None, required=True)
    name = forms.CharField(label="Name", max_length=shared.LONGEST_NAME, required=False)
    kind = Pick.among("Unit", Kind)
    state = Pick.among("State", State)
    rider = TickField("Rider")
    id = CounterField()


class CloseCombatForm(HelperForm):
    """Inputs of a Close Combat attack."""

    seldom = ("overrun", "in_sector", "better_odds", "other_drm")
    only_with = dict.fromkeys(("demo_charge", "m_killed", "afv_in_open"), ("target", (close_combat.Target.AFV.value,)))

    attack = RowsField(
        "Attackers: a total, or unit by unit",
        FighterRow,
        Unit.read,
        required=True,
        error_messages={"required": "Give the attackers' CCV."},
    )
    defense = RowsField(
        "Defenders: a total, or unit by unit",
        FighterRow,
        Unit.read,
        required=True,
        error_messages={"required": "Give the defenders' CCV."},
    )
    hand_to_hand = TickField("Hand-to-hand")
    target = Pick.among("Target", close_combat.Target)
    leader = TickField("NCO or Officer gives -5 instead of their CCV")
    demo_charge = TickField("Demo charge against AFV (its CCV is 1)")
    flamethrower = TickField("Flamethrower")
    m_killed = TickField("AFV is M-KILLED")
    from_cover = TickField("From building, woods or grain")
    afv_in_open = TickField("AFV in the open")
    overrun = TickField("AFV overrun outside buildings")
    in_sector = TickField("Sector combat (20.6.4)")
    better_odds = Pick.among("At 1-4: better odds open?", close_combat.BetterOdds)
    other_drm = shared.other_drm()


HELPERS = (
    game_helper(
        "close-combat",
        title="Close Combat",
        group="Close Combat",
        purpose="One attack on the Close Combat Table: odds, column, result.",
        rules=("19.2.1 Melee Sequence", "19.3 Close Combat Resolution"),
        form=CloseCombatForm,
        rule=close_combat.resolve_attack,
        outcomes=close_combat.CloseCombatOutcome,
        dice=(D100,),
        steps=(TurnPhase.MELEE,),
        together=True,
        simultaneous=True,
        until_all=close_combat.BOTH,
        read_by="attack",
        brief={"c": "Casualties", "e": "Elimination", "none": "nothing"},
    ),
)
