"""Dice in forms of a campaign: typed under their names, or left to the app."""

from typing import ClassVar

from campaign.ledger.dice import Dice
from firefight.engine.errors import BadDie
from firefight.engine.values import Json
from firefight.table.act.act import Done
from firefight.table.act.refusals import BadField
from firefight.table.act.table import Table
from firefight.table.forms import ActForm

LONGEST_FACE = 8


class DiceForm(ActForm):
    """An act with dice. ``dice_called``: their names; "die" stands for die_3 and the like as well.

    What was typed stays text: how many sides a die has, the act knows.
    """

    dice_called: ClassVar[tuple[str, ...]] = ("die",)

    def clean(self) -> Json:
        """The values of the fields and the dice."""
        return {**(super().clean() or {}), "dice": self.read_dice()}

    def read_dice(self) -> Dice:
        """The typed dice, or the app's."""
        if self.data.get("dice") == "app":
            return Dice("app")
        typed = {name: self.data.get(name, "").strip()[:LONGEST_FACE] for name in self.data if self._is_die(name)}
        return Dice("table", {name: text for name, text in typed.items() if text})

    def _is_die(self, name: str) -> bool:
        return any(name == called or name.startswith(f"{called}_") for called in self.dice_called)

    def perform(self, table: Table) -> Done:
        """Do the act. Raises BadField for a face that its die does not have, too."""
        try:
            return super().perform(table)
        except BadDie as error:
            raise BadField(str(error)) from None
