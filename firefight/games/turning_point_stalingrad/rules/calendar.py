"""What the calendar says about a date: its week, its boxes, what has changed by then (6.5, 10.2, 19.2, 21.2)."""

from firefight.engine.charts.book import Book
from firefight.engine.dates import add_days, day_words
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result, sources

from . import dates
from .sides import Time


def calendar(*, charts: Book, date: str, box: int | None, duration: int) -> Result:
    """What holds on a date (2.0 Week, 6.5 End of Week, 10.2, 15.3, 17.23, 19.2, 21.2).

    box: of the track, to count how likely a flip is. duration: dots put on a unit that day.
    """
    week = dates.week_of(date, charts)
    fresh_on = add_days(date, duration) if duration else None
    details = {
        "week": week.number,
        "first": week.first,
        "last": week.last,
        "low": week.low,
        "high": week.high,
        "last_day": dates.is_week_end(date),
        "next_date": dates.next_date(date),
        "day_box": dates.first_box(date, Time.DAY, charts),
        "night_box": dates.first_box(date, Time.NIGHT, charts),
        "luftwaffe": dates.dated("luftwaffe", date, charts),
        "russian_artillery": dates.dated("russian_artillery", date, charts),
        "flip_ways": dates.flip_ways(box) if box else None,
        "fresh_on": fresh_on,
    }
    effects = [
        f"Days begin in box {details['day_box']}, nights in box {details['night_box']}.",
        f"Aircraft attack with {details['luftwaffe']}; Russian artillery counts {details['russian_artillery']}.",
    ]
    effects += [f"From box {box} the marker flips in {details['flip_ways']} of 36 rolls."] if box else []
    effects += [f"D{duration} put on now is gone at Dawn of {day_words(fresh_on)}."] if fresh_on else []
    return Result(
        f"{day_words(date)}: week {week.number}, {week.low} to {week.high} points"
        f"{'; the week ends with this night' if details['last_day'] else ''}.",
        IsShown.SHOWN,
        details=details,
        effects=tuple(effects),
        rules=("2.0 Week", "6.5 End of Week", "10.2", "19.2 Resolution", "21.2 Diminishing Daylight"),
        provenance=sources([charts["weeks"], charts["boxes"], charts["dated"]]),
    )
