"""Observers and their sets (17.2)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting


class Item(Labelled):
    """What an observer carries."""

    RADIO = "radio"
    PHONE = "phone"


class LossOutcome(Outcome):
    """Results of 17.2.4 FO/Radio/Phone Loss."""

    LEFT = "left"
    DESTROYED = "destroyed"


def fo_loss(*, charts: Book, item: Item = Item.RADIO, die: int | None = None) -> Result:
    """What becomes of the set of an eliminated observer (17.2.4 FO/Radio/Phone Loss). die: d10, 0 as 10."""
    if die is None:
        return waiting("Roll for the set of the eliminated observer.", "die")
    table: Bands = charts["fo_loss"]
    outcome = LossOutcome(table.look_up(check_face(die, table.sides)))
    is_left = outcome is LossOutcome.LEFT
    return Result(
        headline=f"The {item.value} is {'left in the hex' if is_left else 'destroyed with the observer'}.",
        outcome=outcome,
        dice={"die": die},
        modified=die,
        effects=(
            f"The {item.value} stays where its last carrier was; enemy infantry there may destroy it for 1 MP."
            if is_left
            else f"Remove the {item.value}; it is never replaced.",
        ),
        rules=("17.2.4 FO/Radio/Phone Loss",),
        provenance=sources((table,)),
    )
