"""Mine dogs against German armour (printed as 16.11 to 16.16 a second time; ruling A16)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

RULES = ("16.23 Mine Dogs",)


class MineDog(Outcome):
    """What a mine dog does."""

    BOTH_LOST = "both_lost", "the armoured unit and the dog are lost"
    DOG_LOST = "dog_lost", "the dog alone is lost"


def mine_dog(*, charts: Book, die: int | None = None) -> Result:
    """One mine dog attacks one adjacent German armoured unit; nothing modifies the die."""
    if die is None:
        return waiting("Roll a d10 for the mine dog.", "die", rules=RULES)
    table = charts["mine_dog"]
    assert isinstance(table, Bands)
    outcome = MineDog(table.look_up(check_face(die, 10)))
    return Result(
        f"Mine dog: {outcome.word}.",
        outcome,
        dice={"die": die},
        details={"armored_unit_lost": outcome is MineDog.BOTH_LOST, "mine_dog_lost": True},
        rules=RULES,
        provenance=sources([table]),
    )
