"""Ammunition: AF of indirect fire that is barred for a turn (14.7 Ammunition Shortages)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

from .data import from_text, read_lists
from .dates import has_begun, say_date
from .terms import Side

RULES = ("14.71", "14.72", "14.75")


class Ammunition(Outcome):
    """Whether AF is barred this turn."""

    NO_ROLL = "no_roll", "no roll yet"
    SHORTAGE = "shortage"
    NONE = "none", "none is barred"


def ammunition(
    *, charts: Book, side: Side, date: str, multiplier: int | None = None, saved: int = 0, die: int | None = None
) -> Result:
    """How much AF may not fire this turn: die times a number of the date, less what was saved (14.72, 14.75; A31).

    multiplier: 10 to 50, None for that of the Ammunition Status Table. saved: AF that did not fire in earlier turns.
    """
    begins = f"{side.value}_ammunition"
    if not has_begun(begins, date):
        first_day = say_date(read_lists("calendar")["begins"][begins])
        return Result(
            f"{side.word} ammunition: no roll before {first_day}.",
            Ammunition.NO_ROLL,
            details=_count(False, 0, 0, saved),
            effects=("14.75: AF of guns on the map that does not fire in a turn may be saved.",),
            rules=RULES,
            provenance=from_text("calendar"),
        )
    times = find_multiplier(charts, side, date) if multiplier is None else multiplier
    if die is None:
        return waiting(f"{side.word} ammunition: roll a d10, times {times}.", "die", rules=RULES)
    shortage = check_face(die, 10) * times
    used = min(saved, shortage)
    details = _count(True, shortage, used, saved)
    spared = f", {used} of it saved" if used else ""
    return Result(
        f"{side.word} ammunition: {details['barred']} AF barred ({die} × {times}{spared}).",
        Ammunition.SHORTAGE if details["barred"] else Ammunition.NONE,
        dice={"die": die},
        modified=die,
        details=details,
        effects=_tell_exempt(side) if details["barred"] else (),
        rules=(*RULES, "14.73" if side is Side.SOVIET else "14.74"),
        provenance=from_text("calendar") if multiplier is not None else sources([charts["ammunition"]]),
    )


def find_multiplier(charts: Book, side: Side, date: str) -> int:
    """What the die is multiplied by (14.72). Raises MissingChart where the owner has not given it yet."""
    chart = charts["ammunition"]
    assert isinstance(chart, Matrix)
    return int(chart.cell(date, side.value))


def _count(rolled: bool, shortage: int, used: int, saved: int) -> dict[str, int | bool]:
    return {
        "roll": rolled,
        "shortage": shortage,
        "saved_used": used,
        "barred": shortage - used,
        "saved_left": saved - used,
    }


def _tell_exempt(side: Side) -> tuple[str, ...]:
    if side is Side.SOVIET:
        return ("14.73: the Soviet picks guns on either bank; Katyushas are exempt.",)
    return ("14.74: the German picks guns, or takes the list of his card; 88s are exempt.",)
