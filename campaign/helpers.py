"""Helpers for the small rolls of chapter 20, contributed to the assistant's registry."""

from functools import partial
from typing import Any

from campaign.ledger.content import shipped
from campaign.rules import leaders, orders, redeployment, upkeep
from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import TurnPhase
from firefight.kit import Helper, HelperForm, NumberField, Pick, TickField

GAME = "combat-stalingrad"
D10 = DieSpec("die", 10, "d10")


def list_end_numbers() -> list[upkeep.EndNumbers]:
    """The End of Firefight numbers of the shipped cards."""
    cards = shipped().cards.values()
    return [upkeep.EndNumbers(card.name, card.end_numbers, card.origin.of("end_numbers")) for card in cards]


def find_end_number(turn: Any) -> int | None:
    """The number that the shipped cards have in the box of a turn; None before turn 5."""
    numbers = (card.by_turn.get(turn) for card in list_end_numbers())
    return next((number for number in numbers if number), None) if isinstance(turn, int) else None


class EndForm(HelperForm):
    """Inputs of the End of Firefight roll. The number is the shipped cards' until somebody gives another."""

    turn = NumberField("Turn just ended", 1, 7, initial=5)
    number = NumberField("End of Firefight number", 1, 10, initial=None)

    @classmethod
    def from_plain(cls, values: Values, **options: Any) -> HelperForm:
        begun = {"number": find_end_number(values.get("turn", 5))}
        return super().from_plain({**begun, **values}, **options)

    def clean(self) -> Json:
        values: Json = self.cleaned_data
        if "turn" in values and values.get("number") is None and "number" not in self.errors:
            values["number"] = find_end_number(values["turn"]) or 10
        return values


def roll_for_end(*, charts: Book, turn: int, number: int = 10, die: int | None = None) -> Result:
    """See whether the firefight goes on, and whose number decides it."""
    return upkeep.end_of_firefight(charts=charts, turn=turn, number=number, die=die, cards=list_end_numbers())


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
_declare = partial(Helper, GAME, group="Small rolls")

HELPERS = (
    _declare(
        "end-of-firefight",
        title="End of firefight",
        purpose="Whether another turn is played.",
        rules=("20.2.4 Game Turns and End of Firefight DR",),
        form=EndForm,
        rule=roll_for_end,
        outcomes=upkeep.EndOutcome,
        dice=(D10,),
        steps=(TurnPhase.CONCLUSION,),
    ),
    _declare(
        "redeployment",
        title="Re-deployment",
        purpose="Leave for another sector.",
        rules=("20.12.1 Re-Deployment Table",),
        form=RedeploymentForm,
        rule=redeployment.redeployment,
        outcomes=redeployment.RedeploymentOutcome,
        dice=(D10,),
    ),
    _declare(
        "recovery",
        title="Recovery",
        purpose="Damaged vehicles and wounded leaders between firefights.",
        rules=("20.7.1 (no heading)",),
        form=RecoveryForm,
        rule=upkeep.recovery,
        outcomes=upkeep.RecoveryOutcome,
        dice=(D10,),
    ),
    _declare(
        "leader",
        title="Leader roll",
        purpose="The leader that comes with a group.",
        rules=("20.9.1 Leader Rolls",),
        form=LeaderForm,
        rule=leaders.leader,
        outcomes=leaders.LeaderOutcome,
        dice=(D10, DieSpec("second_die", 10, "Second d10, on a Russian 6")),
    ),
    _declare(
        "attack-or-hold",
        title="Attack or Hold",
        purpose="Who attacks, and who sets up first.",
        rules=("20.5.4 CG Firefight Setup",),
        form=OrdersForm,
        rule=orders.attack_or_hold,
        outcomes=orders.OrdersOutcome,
        dice=(DieSpec("german_die", 10, "German d10"), DieSpec("russian_die", 10, "Russian d10")),
    ),
)
