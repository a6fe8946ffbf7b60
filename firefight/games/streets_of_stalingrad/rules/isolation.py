"""Isolation: the marker of a unit without supply in phase 1, and when the unit is lost (19.0 Isolation)."""

from firefight.engine.charts.book import Book
from firefight.engine.dates import add_days
from firefight.engine.rolls.result import Outcome, Result

from .calendar import find_isolation_limit
from .data import from_text
from .dates import LAST, say_date
from .terms import Side

GERMAN_MARKER = 1  # 19.6


class Isolation(Outcome):
    """What phase 1 does to a unit."""

    SUPPLIED = "supplied"
    MARKED = "marked", "out of supply"
    ELIMINATED = "eliminated"


def isolation(
    *,
    charts: Book,
    side: Side,
    marker: int,
    supplied: bool,
    elite_or_led: bool,
    date: str,
    cut_off_on: str | None = None,
) -> Result:
    """The out-of-supply marker of a unit in phase 1 of a date (19.1, 19.3, 19.4, 19.6; A09, A30).

    marker: its number before. elite_or_led: Guards, Marines, or with a leader or commissar. cut_off_on: the day on
    which a unit was isolated, to see when it is lost.
    """
    is_soviet = side is Side.SOVIET
    limit = find_isolation_limit(date, elite_or_led) if is_soviet else None
    new_marker = 0 if supplied else marker + 1 if is_soviet else GERMAN_MARKER
    is_lost = limit is not None and new_marker >= limit
    outcome = Isolation.SUPPLIED if supplied else Isolation.ELIMINATED if is_lost else Isolation.MARKED
    lost_on = None
    if is_soviet and not supplied:
        lost_on = find_removal(add_days(date, 1), new_marker, elite_or_led) if not is_lost else date
    removed_on = find_removal(add_days(cut_off_on, 1), 0, elite_or_led) if cut_off_on and is_soviet else None
    return Result(
        _say_isolation(outcome, new_marker),
        outcome,
        details={
            "marker": new_marker,
            "limit": limit,
            "eliminated": is_lost,
            "removed_on": removed_on,
            "lost_on": lost_on,
        },
        effects=tuple(_tell(side, outcome, new_marker, lost_on, cut_off_on, removed_on)),
        rules=("19.1", "19.3", "19.4", *(() if is_soviet else ("19.6",)), "19.5"),
        provenance=from_text("calendar"),
    )


def find_removal(date: str, marker: int, elite_or_led: bool) -> str | None:
    """The date on which a unit that stays isolated is lost; None if the campaign ends before.

    date: the first whose phase 1 finds it isolated with that marker.
    """
    while date <= LAST:
        marker += 1
        if marker >= find_isolation_limit(date, elite_or_led):
            return date
        date = add_days(date, 1)
    return None


def _say_isolation(outcome: Isolation, marker: int) -> str:
    if outcome is Isolation.SUPPLIED:
        return "In supply: its marker goes at once."
    if outcome is Isolation.ELIMINATED:
        return f"Isolated in {marker} phases 1 in a row: eliminated."
    return f"Out of supply {marker}."


def _tell(
    side: Side, outcome: Isolation, marker: int, lost_on: str | None, cut_off_on: str | None, removed_on: str | None
) -> list[str]:
    effects = []
    if outcome is Isolation.MARKED:
        effects.append(f"+{marker} to its attack, defensive, opportunity and bombardment rolls (19.5).")
        if side is Side.GERMAN:
            effects.append("Its movement is not halved, and it is never removed (19.6; A30).")
        else:
            effects.append("Its MP are halved in every phase (19.5).")
            when = say_date(lost_on) if lost_on else "not before the campaign ends"
            effects.append(f"If it stays isolated it goes in phase 1: {when} (19.1).")
    if cut_off_on and side is Side.SOVIET:
        when = f"in phase 1 of {say_date(removed_on)}" if removed_on else "not before the campaign ends"
        effects.append(f"Cut off on {say_date(cut_off_on)} and isolated ever since it goes {when} (19.1, 19.3).")
    return effects
