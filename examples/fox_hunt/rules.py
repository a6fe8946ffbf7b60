"""The rules of Fox Hunt: where hounds and animals stand, and what a hound may smell."""

from firefight.engine.charts.book import Book
from firefight.engine.course.alternating import Alternating
from firefight.engine.course.beginning import Mode
from firefight.engine.record import KeptNumber, KeptStanding, Record
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Outcome, Result, waiting
from firefight.engine.values import Values

from .board import BOARD

SIDES = {"hounds": "The Hounds", "fox": "The Fox"}
COURSE = Alternating(sides=SIDES, last_turn=12)
MODES = (Mode("alone", "Alone against the fox", ("hounds",), app_sides=("fox",)),)
WHERE = ("hide", "hound", "to", "run")  # where the hunt may stand
NOSE = DieSpec("nose", 6, "d6")


def find_flaw(standing: Values) -> str:
    """What is wrong with a hunt from outside; "" for nothing."""
    names = {place.name for place in BOARD.places}
    hounds, animals = standing.get("hounds"), standing.get("animals")
    is_whole = isinstance(hounds, list) and isinstance(animals, dict) and {*hounds, *animals} <= names
    return "" if is_whole and standing.get("at") in WHERE else "this is not a hunt."


RECORD = Record(
    fields=(
        KeptNumber(name="caught", title="Foxes caught", high=1),
        KeptStanding(name="hunt", title="The hunt", known_to="fox", find_flaw=find_flaw),
    )
)


class NoseOutcome(Outcome):
    """What a hound smells."""

    FOX = "fox"
    NOTHING = "nothing"


def smell(charts: Book, hexes: int, nose: int | None = None) -> Result:
    """A hound smells a fox that many hexes away on a d6 above that (3.1)."""
    if nose is None:
        return waiting("Roll a d6.", "nose")
    outcome = NoseOutcome.FOX if nose > hexes else NoseOutcome.NOTHING
    return Result(f"The hound smells: {outcome.word.lower()}.", outcome, dice={"nose": nose}, rules=("3.1",))
