"""What players of Turning Point: Stalingrad keep beside the map, in a strip: the Advantage, aircraft, guns, points."""

from collections.abc import Iterable, Iterator, Mapping

from firefight.engine.course.keeping import BoardItem, TableState
from firefight.engine.dates import day_words
from firefight.engine.text import join_words
from firefight.engine.values import Values

from .course import COURSE
from .dates import dated, week_of
from .record import STATES
from .sides import Side


def show_board(situation: TableState) -> tuple[BoardItem, ...]:
    """How they all stand (9.1, 15.2, 15.3, 17.23, 19.2)."""
    record, book, (date, _) = situation.record, situation.book, COURSE.day_of(situation.position)
    week = week_of(date, book)
    spread = f"{week.low} to {week.high}" if week.low < week.high else str(week.low)
    points = "not counted yet" if record["points"] is None else f"{record['points']}"
    strength = dated("luftwaffe", date, book)
    flown = "have attacked today" if record["luftwaffe_used"] else f"strength {strength}, by day"
    counts = dated("russian_artillery", date, book)
    return (
        BoardItem("Advantage", say_advantage(record["advantage"]), "advantage.holder", "advantage"),
        BoardItem("Aircraft", flown, "luftwaffe_used"),
        BoardItem(
            "Russian guns", f"{'; '.join(say_guns(record['russian_artillery']))} (+{counts})", "russian_artillery"
        ),
        BoardItem("German guns", "; ".join(say_resting(record["german_artillery"], date)), "german_artillery"),
        BoardItem("Rubble", say_rubble(record["rubble_levels"]), "rubble_levels"),
        BoardItem("German points", f"{points}; week {week.number}: {spread}", "points"),
    )


def say_advantage(advantage: Values) -> str:
    """Whose it is, and whether it may be used (9.5)."""
    holder = Side(advantage["holder"]).word
    if advantage["used_today"]:
        return f"{holder}, from the next date on"
    return holder if advantage["holder"] == advantage["holder_at_dawn"] else f"{holder}, not on this date"


def say_guns(guns: list[Mapping[str, str]]) -> Iterator[str]:
    """The Areas of Russian artillery by its state: "32 and 65 ready"."""
    for state, word in STATES.items():
        areas = [gun["area"] for gun in guns if gun["state"] == state]
        if areas:
            yield f"{join_words(areas)} {word}"
    if not guns:
        yield "none"


def say_rubble(rows: Iterable[Values]) -> str:
    """The Areas with Rubble, each with its level (14.1)."""
    return join_words([f"{row['area']} ({row['level']})" for row in rows if row["level"]]) or "none"


def say_resting(guns: list[Mapping[str, str]], date: str) -> Iterator[str]:
    """German artillery that has fired, and until when it rests (15.2)."""
    resting = [gun for gun in guns if date < gun["fresh_on"]]
    for gun in resting:
        yield f"{gun['unit']} rests until {day_words(gun['fresh_on']).rpartition(' ')[0]}"
    if not resting:
        yield "none rests"
