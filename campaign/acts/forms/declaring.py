"""Forms of a campaign, declared in one call where they have nothing of their own; and their dice.

Dice are typed under their names, or left to the app.
"""

from collections.abc import Callable
from typing import ClassVar, cast

from django.forms import Field

from campaign.ledger.dice import Dice
from firefight.engine.errors import BadDie
from firefight.engine.values import Json
from firefight.table.act.act import Done
from firefight.table.act.refusals import BadField
from firefight.table.act.table import Table
from firefight.table.forms import ActForm

HEX_LENGTH = 8
LONGEST_FACE = 8


class DiceForm(ActForm):
    """An act with dice. ``dice_called``: their names; "die" also stands for die_3 and the like.

    What was typed stays text: the act knows how many sides a die has.
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
        """Do the act. Raises BadField also for a face that its die does not have."""
        try:
            return super().perform(table)
        except BadDie as error:
            raise BadField(str(error)) from None


def declare_form(
    do: str,
    act: Callable[..., Done],
    *,
    dice: tuple[str, ...] = (),
    called: dict[str, str] | None = None,
    **fields: Field,
) -> type[ActForm]:
    """The form of an act whose arguments are its fields and its ``dice``, by name.

    ``called``: what the act calls a field that has another name in the page.
    """
    values = {"do": do, "act": staticmethod(act), "called": called or {}, "dice_called": dice, **fields}
    return cast(type[ActForm], type(do.title().replace("-", ""), (DiceForm if dice else ActForm,), values))
