"""The rules of Long Siege."""

from collections.abc import Sequence
from typing import Any

from firefight.engine.board.places import Boxes
from firefight.engine.charts.book import Book
from firefight.engine.course.beginning import Option
from firefight.engine.course.course import Turn
from firefight.engine.course.phases import Phase, Phases
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptNumber, KeptTimetable, KeptTold, Record, put_in
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.values import Values

SIDES = {"camp": "Camp", "town": "Town"}
DAYS = tuple(Turn(f"{day} May", {"date": f"1500-05-{day:02}"}) for day in range(1, 7))
PHASES = (
    Phase("supply", "Supply Phase"),
    Phase("guns", "Gunfire Phase", first="camp"),
    Phase("storm", "Storm Phase", "camp"),
)
OWN = "own"
OPTIONS = (
    Option("scenario", "Scenario", {"siege": "The siege", "relief": "The relief", OWN: "One of your own"}),
    Option("first_day", "First day", {str(day): f"{day} May" for day in range(1, 7)}, only_with=("scenario", (OWN,))),
    Option("days", "Days", {str(days): f"{days} days" for days in range(1, 7)}, only_with=("scenario", (OWN,))),
)


def course_of(first: int, last: int) -> Phases:
    """The days from the first to the last."""
    return Phases(sides=SIDES, phases=PHASES, turns=DAYS[:last], first_turn=first, numbered=True)


WHOLE = course_of(1, len(DAYS))


def choose_course(options: Any) -> Phases:
    """The course of a scenario."""
    if options.get("scenario") == "relief":
        return course_of(5, 6)
    if options.get("scenario") != OWN:
        return WHOLE
    first = int(options["first_day"])
    return course_of(first, min(len(DAYS), first + int(options["days"]) - 1))


WALLS = Boxes(("Gate", "Tower", "Moat"))
TOLD = KeptTold(
    name="walls",
    title="What the owner said of walls",
    places=WALLS,
    by="wall",
    parts=(KeptNumber(name="height", title="height", low=1, high=9, optional=True),),
    of_chart=lambda wall, book: {"height": 2} if wall == "Moat" else {},
)
RECORD = Record(
    fields=(
        KeptNumber(name="bread", title="Bread", high=9, start=3),
        KeptTimetable(
            name="due",
            title="Coming back",
            now="Back now",
            sides=SIDES,
            phases=range(1, len(PHASES) + 1),
            asks=lambda row: ("supply", {}) if row["what"] == "bread" else None,
        ),
        TOLD,
    )
)
DIE = DieSpec("die", 6, "d6")


class SiegeOutcome(Outcome):
    """How a day of the siege goes."""

    FED = "fed"
    HUNGRY = "hungry"
    STORMED = "stormed"
    HELD = "held"
    BEGUN = "begun"


def supply(charts: Book, die: int | None = None) -> Result:
    """On a 3 or less a loaf is gone (1.2)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    outcome = SiegeOutcome.FED if die > 3 else SiegeOutcome.HUNGRY
    return Result(f"Supply: {outcome.word.lower()}.", outcome, dice={"die": die}, rules=("1.2",))


def storm(charts: Book, phase: int, wall: str, height: int | None, die: int | None = None) -> Result:
    """More than the wall's height takes it; those who fall back return in two days (3.1)."""
    if not wall or height is None:
        raise BadInput({"wall": "Name a wall, and how high it is."})
    if die is None:
        return waiting("Roll a d6.", "die")
    is_taken = die > height
    back = {"what": "stormers", "side": "camp", "turn": 3, "phase": phase, "about": str(wall)}
    changes = () if is_taken else (RECORD.change({"due": put_in(back)}),)
    outcome = SiegeOutcome.STORMED if is_taken else SiegeOutcome.HELD
    return Result(f"The {wall}: {outcome.word.lower()}.", outcome, dice={"die": die}, rules=("3.1",), changes=changes)


def escalade(charts: Book, walls: tuple[str, ...]) -> Result:
    """Wall after wall, until one holds (3.2)."""
    if not walls:
        raise BadInput({"walls": "Name the walls, the first one first."})
    return Result(f"Escalade: {', '.join(walls)}.", SiegeOutcome.BEGUN, rules=("3.2",))


def begin_escalade(inputs: Values, result: Result) -> Sequence[FollowUp]:
    """The first wall is due, and the rest after it."""
    first, *rest = inputs["walls"]
    return (FollowUp("storm", f"Storm the {first}", {"wall": first, "then": rest}),)


def lead_stormers(inputs: Values, result: Result) -> Sequence[FollowUp]:
    """The next wall of an escalade, once one is taken."""
    rest = inputs.get("then")
    goes_on = isinstance(rest, list) and rest and result.outcome is SiegeOutcome.STORMED
    return begin_escalade({"walls": rest}, result) if goes_on else result.follow_ups
