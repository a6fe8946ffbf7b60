"""What is shown beside the board: the weather, the Stukas, what is barred, markers on hexes, what comes back when."""

from collections.abc import Iterator

from firefight.engine.course.keeping import BoardItem, TableState
from firefight.engine.values import Values

from .dates import TURNS, date_of, say_date
from .phases import Action, phases_of
from .spending import count_stukas_left
from .terms import SIDES, Side


def show_board(situation: TableState) -> tuple[BoardItem, ...]:
    """The strip beside the desk: only what is out of the ordinary."""
    record = situation.record
    return (*_show_day(record, int(situation.position.phase)), *_show_lists(record))


def _show_day(record: Values, phase: int) -> Iterator[BoardItem]:
    if record["weather"] != "none":
        yield BoardItem("Weather", record["weather"], "weather")
    if record["stukas"] is not None and phase <= max(phases_of(Action.STUKA, Side.GERMAN)):
        yield BoardItem("Stukas", f"{count_stukas_left(record)} left", "stukas")
    barred = [f"{name} {record['barred'][side]}" for side, name in SIDES.items() if record["barred"][side]]
    if barred:
        yield BoardItem("AF barred", ", ".join(barred), "barred", "silent-guns")


def _show_lists(record: Values) -> Iterator[BoardItem]:
    if record["isolated"]:
        units = ", ".join(f"{row['name']} {row['marker']}" for row in record["isolated"])
        yield BoardItem("Out of supply", units, "isolated")
    if record["markers"]:
        words = dict.fromkeys(row["marker"] for row in record["markers"])
        hexes = "; ".join(
            f"{word} {', '.join(row['hex'] for row in record['markers'] if row['marker'] == word)}" for word in words
        )
        yield BoardItem("Markers", hexes, "markers")
    if record["due"]:
        rows = sorted(record["due"], key=lambda row: (row["turn"], row["phase"]))
        yield BoardItem("Coming", "; ".join(map(_say_due, rows)), "due")


def _say_due(row: Values) -> str:
    when = say_date(date_of(row["turn"])) if row["turn"] <= TURNS else "after the campaign"
    return f"{row['what']}, {when}, phase {row['phase']}"
