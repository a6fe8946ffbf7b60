"""Infiltration of Russian infantry at night (8.29 Infiltration, 11.5)."""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting

from .areas import say_area


class Infiltration(Outcome):
    """How an attempt ends."""

    INFILTRATES = "infiltrates"
    ATTACKS = "attacks", "has to attack"
    REFUSED = "refused"


def infiltration(
    *,
    charts: Book,
    tem: int,
    rubble: int,
    by_day: bool,
    not_fresh: bool,
    not_infantry: bool,
    from_german_area: bool,
    into_zone: bool,
    german_fresh: bool,
    area: str = "",
    die: int | None = None,
) -> Result:
    """Whether a unit slips in: its die below TEM and Rubble level together (8.29 Infiltration).

    Those that fail attack the Area together at the end of the impulse.
    """
    reasons = (
        (by_day, "Only at night."),
        (not_fresh, "Only Fresh units."),
        (not_infantry, "Only infantry."),
        (from_german_area, "Only from a Russian-controlled Area."),
        (into_zone, "Not into or out of a Zone (11.5)."),
        (german_fresh, "Not where Fresh German Combat units are."),
    )
    against = tuple(words for is_so, words in reasons if is_so)
    rules = ("8.29 Infiltration", *(("11.5 Infiltration",) if into_zone else ()))
    if against:
        details = {"allowed": False, "success": None}
        headline = "No Infiltration here."
        return Result(headline, Infiltration.REFUSED, details=details, effects=against, rules=rules)
    limit = tem + rubble
    if die is None:
        details = {"allowed": True, "success": None}
        return waiting(f"Roll a die: below {limit} slips in.", "die", details=details, rules=rules)
    success = die < limit
    inputs: dict[str, object] = {"area": area} if area else {}
    inputs |= {"attacker": "russian", "time": "night", "kind": "inside", "entered": True, "tem": tem, "rubble": rubble}
    later = FollowUp("attack", "At the end of the impulse: all that failed attack together", inputs)
    return Result(
        say_area(area, f"{die} against {limit}, the unit {'slips in' if success else 'has to attack'}."),
        Infiltration.INFILTRATES if success else Infiltration.ATTACKS,
        dice={"die": die},
        details={"allowed": True, "success": success},
        effects=("It is D1 and does not attack.",)
        if success
        else ("All that fail make one attack together at the end of the impulse.",),
        follow_ups=() if success else (later,),
        rules=rules,
    )
