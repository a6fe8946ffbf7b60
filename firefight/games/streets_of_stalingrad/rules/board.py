"""What stands beside the board: the weather, the Stukas, what is barred, markers on hexes, what comes back when."""

from collections.abc import Iterator

from firefight.engine.course.keeping import BoardItem, TableState
from firefight.engine.values import Values

from .dates import TURNS, date_of, say_date
from .spending import count_left
from .terms import SIDES


def show_board(situation: TableState) -> tuple[BoardItem, ...]:
    """The strip beside the desk: nothing in it that is as usual."""
    kept = situation.record
    return (*_show_day(kept), *_show_lists(kept))


def _show_day(kept: Values) -> Iterator[BoardItem]:
    if kept["weather"] != "none":
        yield BoardItem("Weather", kept["weather"], "weather", "weather")
    if kept["stukas"] is not None:
        yield BoardItem("Stukas", f"{count_left(kept)} left", "stukas", "stukas")
    barred = [f"{name} {kept['barred'][side]}" for side, name in SIDES.items() if kept["barred"][side]]
    if barred:
        yield BoardItem("AF barred", ", ".join(barred), "barred", "ammunition")


def _show_lists(kept: Values) -> Iterator[BoardItem]:
    if kept["isolated"]:
        units = ", ".join(f"{row['name']} {row['marker']}" for row in kept["isolated"])
        yield BoardItem("Out of supply", units, "isolated", "isolation")
    if kept["markers"]:
        words = dict.fromkeys(each["marker"] for each in kept["markers"])
        told = "; ".join(
            f"{word} {', '.join(each['hex'] for each in kept['markers'] if each['marker'] == word)}" for word in words
        )
        yield BoardItem("Markers", told, "markers")
    if kept["due"]:
        rows = sorted(kept["due"], key=lambda row: (row["turn"], row["phase"]))
        yield BoardItem("Coming", "; ".join(map(_say_due, rows)), "due")


def _say_due(row: Values) -> str:
    when = say_date(date_of(row["turn"])) if row["turn"] <= TURNS else "after the campaign"
    return f"{row['what']}, {when}, phase {row['phase']}"
