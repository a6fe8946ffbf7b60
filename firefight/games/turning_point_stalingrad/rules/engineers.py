"""Engineers and Pioneers against the TEM (14.8 Engineers)."""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result

from .areas import say_area

STRONG = 3  # the least TEM that they work against


def reduce_tem(tem: int, engineers: int) -> int:
    """The basic TEM less one for each Engineer in the attack, never below 0; a TEM below 3 stays (14.8, A14)."""
    return max(0, tem - engineers) if tem >= STRONG else tem


def engineers(
    *,
    charts: Book,
    tem: int,
    engineers: int,
    engineer_leads: bool,
    other_infantry: int,
    already_in_area: bool,
    zone: bool,
    area: str = "",
) -> Result:
    """What Engineers leave of an Area's TEM (14.8 Engineers).

    A second Engineer is infantry, and so the company that the first one needs (A14).
    """
    reasons = [
        (tem < STRONG, "Engineers work only in Areas of TEM 3 or more."),
        (not engineers, "No Fresh Engineer takes part."),
        (not engineer_leads, "An Engineer has to lead the attack."),
        (not already_in_area, "Engineers work only in the Area that they are in already."),
        (zone, "Engineers do nothing in a Zone."),
        (other_infantry + engineers < 2, "At least one infantry unit has to attack with the leading Engineer."),
    ]
    against = tuple(words for is_so, words in reasons if is_so)
    tem_left = tem if against else reduce_tem(tem, engineers)
    notes = ("Rubble stays as it is.", "The leading Engineer takes any Casualty Point received in the attack.")
    return Result(
        say_area(area, f"TEM {tem}, Engineers change nothing." if against else f"TEM {tem_left}."),
        IsShown.SHOWN,
        details={"tem": tem_left},
        effects=against or notes,
        rules=("14.8 Engineers",),
    )
