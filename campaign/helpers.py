"""Helpers for the small rolls of chapter 20, contributed to the assistant's registry."""

from functools import partial

from firefight.assistant.fields import HelperForm, NumberField, Pick, TickField
from firefight.assistant.registry import Helper
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import TurnPhase

from .rules import leaders, orders, redeployment, upkeep

GAME = "combat-stalingrad"
GROUP = "Small rolls"
D10 = DieSpec("die", 10, "d10")


class EndForm(HelperForm):
    """Inputs of the End of Firefight roll."""

    turn = NumberField("Turn just ended", 1, 7, initial=5)
    number = NumberField("End of Firefight number", 1, 10, initial=8)


class RedeploymentForm(HelperForm):
    """Inputs of a re-deployment."""

    unit = Pick.among("Unit", redeployment.MoverColumn)
    impaired = TickField("Disrupted, WIA, Suppressed or Enfilade")
    into = Pick.among("Into a sector that is", redeployment.Goal, initial=redeployment.Goal.FRIENDLY.value)
    in_sewer = TickField("In a sewer")


class RecoveryForm(HelperForm):
    """Inputs of a recovery."""

    what = Pick.among("What", upkeep.Damage)


class LeaderForm(HelperForm):
    """Inputs of a leader roll."""

    side = Pick("Side", {"german": "German", "russian": "Russian"}, Side)


class OrdersForm(HelperForm):
    """Inputs of the comparison of orders."""

    german = Pick.among("German", orders.Order)
    russian = Pick.among("Russian", orders.Order)
    german_bonus = TickField("German CP Bonus bought")
    russian_bonus = TickField("Russian CP Bonus bought")


# A small roll of chapter 20, as the game's own helpers are declared.
_declare = partial(Helper, GAME)

HELPERS = (
    _declare(
        "end-of-firefight",
        "End of firefight",
        GROUP,
        "Whether another turn is played.",
        ("20.2.4 Game Turns and End of Firefight DR",),
        EndForm,
        upkeep.end_of_firefight,
        upkeep.EndOutcome,
        (D10,),
        steps=(TurnPhase.CONCLUSION,),
    ),
    _declare(
        "redeployment",
        "Re-deployment",
        GROUP,
        "Leave for another sector.",
        ("20.12.1 Re-Deployment Table",),
        RedeploymentForm,
        redeployment.redeployment,
        redeployment.RedeploymentOutcome,
        (D10,),
    ),
    _declare(
        "recovery",
        "Recovery",
        GROUP,
        "Damaged vehicles and wounded leaders between firefights.",
        ("20.7.1 (no heading)",),
        RecoveryForm,
        upkeep.recovery,
        upkeep.RecoveryOutcome,
        (D10,),
    ),
    _declare(
        "leader",
        "Leader roll",
        GROUP,
        "The leader that comes with a group.",
        ("20.9.1 Leader Rolls",),
        LeaderForm,
        leaders.leader,
        leaders.LeaderOutcome,
        (D10, DieSpec("second_die", 10, "Second d10, on a Russian 6")),
    ),
    _declare(
        "attack-or-hold",
        "Attack or Hold",
        GROUP,
        "Who attacks, and who sets up first.",
        ("20.5.4 CG Firefight Setup",),
        OrdersForm,
        orders.attack_or_hold,
        orders.OrdersOutcome,
        (DieSpec("german_die", 10, "German d10"), DieSpec("russian_die", 10, "Russian d10")),
    ),
)
