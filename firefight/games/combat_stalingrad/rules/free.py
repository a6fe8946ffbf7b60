"""Rolls for which the text that we have gives no rule: a die with the players' own label, and a d10 beside a TQ.

What they mean is the players' business (R-95): nothing follows from them.
"""

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import DieSpec, check_face, face_text
from firefight.engine.rolls.result import Outcome, Result, waiting
from firefight.engine.text import capitalize

from .sides import Side

_RULES = ("Your rules: the text that we have does not cover this roll.",)


class FreeDice(Labelled):
    """What is rolled."""

    D10 = "d10", "a d10"
    D100 = "d100", "a d100"
    EACH = "each", "a d10 for each side"


class FreeOutcome(Outcome):
    """A free roll is rolled, and no more."""

    ROLLED = "rolled"


class ActionOutcome(Outcome):
    """How a d10 compares with a TQ; what that means is not said."""

    AT_MOST = "at_most", "At most TQ"
    ABOVE = "above", "Above TQ"


def free_dice(dice: FreeDice) -> tuple[DieSpec, ...]:
    """The dice of a free roll."""
    if dice is FreeDice.EACH:
        return tuple(DieSpec(f"{side.value}_die", 10, f"{side.word}'s d10") for side in Side)
    sides = 100 if dice is FreeDice.D100 else 10
    return (DieSpec("die", sides, f"d{sides}"),)


def free_roll(*, charts: Book, label: str = "", roll: FreeDice = FreeDice.D10, **faces: int | None) -> Result:
    """Roll what the players want, and say what fell (R-95).

    label: what it is for, in the players' words. faces: die, or for each side its own: german_die, russian_die.
    """
    specs, called = free_dice(roll), capitalize(label) or "Rolled"
    missing = tuple(spec.name for spec in specs if faces.get(spec.name) is None)
    if missing:
        return waiting(f"{called}: roll {roll.word}.", *missing)
    faces_rolled = {spec.name: check_face(faces[spec.name] or 0, spec.sides, spec.name) for spec in specs}
    owners = [f"{side.word} " for side in Side] if roll is FreeDice.EACH else [""]
    rolls = (
        f"{owner}{face_text(faces_rolled[spec.name], spec.sides)}" for owner, spec in zip(owners, specs, strict=True)
    )
    return Result(
        headline=f"{called}: {', '.join(rolls)}.",
        outcome=FreeOutcome.ROLLED,
        dice=faces_rolled,
        details={"label": label},
        rules=_RULES,
    )


def action_check(
    *, charts: Book, tq: int, name: str = "", label: str = "", id: str = "", die: int | None = None
) -> Result:
    """Compare a d10 with a unit's TQ, and say no more (R-95: the rule of the Action Check is not in our text).

    tq: Troop Quality, 1 to 10. label: what it is for. id: which counter in play it is, "" for none. die: natural d10.
    """
    called = ", ".join(filter(None, (capitalize(name) or "The unit", label)))
    if die is None:
        return waiting(f"{called}: a d10 beside TQ {tq}.", "die")
    outcome = ActionOutcome.AT_MOST if check_face(die, 10) <= tq else ActionOutcome.ABOVE
    return Result(
        headline=f"{called}: {die} is {outcome.word[0].lower()}{outcome.word[1:]} {tq}.",
        outcome=outcome,
        dice={"die": die},
        modified=die,
        details={"tq": tq, "label": label},
        rules=_RULES,
    )
