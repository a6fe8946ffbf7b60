"""What may be used at all: aircraft, Russian artillery that was silenced, room in an Area (7.1, 15.34, 17.2)."""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

from . import dates
from .sides import Time


class RefitOutcome(Outcome):
    """Whether artillery fires again."""

    READY = "ready"
    NOT_YET = "not_yet"


def luftwaffe(*, charts: Book, date: str, time: Time, used_today: bool) -> Result:
    """Whether aircraft may attack now, and how strong they are (17.22, 17.23, 16.2)."""
    reasons = ["17.22: aircraft attack by day alone."] if time is Time.NIGHT else []
    reasons += ["17.22: aircraft attack once a day, and have done so."] if used_today else []
    strength = dates.dated("luftwaffe", date, charts)
    return allow_or_refuse(
        f"Aircraft, strength {strength}",
        reasons,
        ("16.2 Artillery", "17.22", "17.23"),
        {"strength": strength},
        provenance=sources([charts["dated"]]),
    )


def refit(*, charts: Book, area: str = "", die: int | None = None) -> Result:
    """A Russian impulse that is used for nothing else may make silenced artillery ready again (15.34; A29).

    area: where it stands, so that a match knows which it is.
    """
    most, rules = charts["thresholds"].get("refit"), ("15.34",)
    if die is None:
        return waiting(f"Roll a d6: {most} or less.", "die", rules=rules)
    is_ready = check_face(die, 6) <= most
    place = f" in Area {area}" if area else ""
    return Result(
        f"Russian artillery{place}: {'ready again' if is_ready else 'not yet'}, {die} against {most}.",
        RefitOutcome.READY if is_ready else RefitOutcome.NOT_YET,
        dice={"die": die},
        modified=die,
        details={"ready": is_ready},
        effects=("That was the whole Russian impulse." + ("" if is_ready else " It may be tried again."),),
        rules=rules,
        provenance=sources([charts["thresholds"]]),
    )


def stack(*, charts: Book, combat_units: int, zone: bool) -> Result:
    """Whether that many Combat units of a side have room as an attack is made, or an impulse ends (7.1, 7.2)."""
    most = charts["thresholds"].get("occupation")
    is_full = combat_units > most and not zone
    reasons = [f"7.1: an Area holds {most} Combat units of a side; {combat_units - most} too many."] if is_full else []
    return allow_or_refuse(
        f"{combat_units} Combat units in {'a Zone' if zone else 'an Area'}", reasons, ("7.1 Area", "7.2")
    )
