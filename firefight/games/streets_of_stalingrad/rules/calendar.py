"""What the date says: rules that begin, units that come and go, limits that change (3.5, 9.93, 14.71, 19.1)."""

from firefight.engine.charts.book import Book
from firefight.engine.dates import days_between
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result, sources

from .bombardment import find_box_drm
from .data import from_text, read_lists
from .dates import date_of, has_begun, say_date, turn_of
from .terms import Side


def calendar(*, charts: Book, date: str, turn: int | None = None) -> Result:
    """All that the rules tie to a date (2.31, 3.6, 14.71, 15.53, 16.11, 16.33, 16.61, 16.72, 19.1; A09, A27).

    turn: instead of the date, if it is given.
    """
    date = date_of(turn) if turn else date
    listed = read_lists("calendar")
    details = {
        "turn": turn_of(date),
        "date": date,
        "extra_snipers": count_extra_snipers(date),
        "tank_repair": repairs_tank(turn_of(date)),
        "armored_train": listed["numbers"]["train_hexes"] if has_begun("trains", date) else None,
        "ebbt_drm": find_box_drm(charts, date),
        "isolation_limit": find_isolation_limit(date, False),
        "isolation_limit_elite": find_isolation_limit(date, True),
        "ammunition": {side.value: has_begun(f"{side.value}_ammunition", date) for side in Side},
        "weather": has_begun("weather", date),
        "breakdown": has_begun("breakdown", date),
        "molotov": has_begun("molotov", date),
        "infiltration": has_begun("infiltration", date),
        "half_movement": _is_halved(date),
        "entries": list_units("entry", date),
        "withdrawals": list_units("withdrawal", date),
        "div29": find_div29(date),
    }
    return Result(
        f"{say_date(date)}, turn {turn_of(date)}.",
        IsShown.SHOWN,
        details=details,
        effects=tuple(tell_date(date)),
        rules=("2.31", "3.6", "14.71", "15.53", "16.11", "16.33", "16.61", "16.72", "19.1"),
        provenance=(*from_text("calendar"), *sources([charts["ebbt_dates"]])),
    )


def count_extra_snipers(date: str) -> int:
    """How many snipers beyond the first four have come by a date: one in each phase 10, five in all (16.11)."""
    if not has_begun("snipers", date):
        return 0
    listed = read_lists("calendar")
    most: int = listed["numbers"]["extra_snipers"]
    return min(most, days_between(listed["begins"]["snipers"], date) + 1)


def repairs_tank(turn: int) -> bool:
    """Whether the repair unit may give a tank back in this turn: the fourth, then every even one (16.72; A27)."""
    return turn % 2 == 0 and turn >= int(read_lists("calendar")["numbers"]["tank_repair_turn"])


def find_isolation_limit(date: str, elite_or_led: bool) -> int:
    """The isolation marker at which Soviets are lost in phase 1 of a date (19.1; A09).

    elite_or_led: Guards, Marines, and units with a leader or commissar.
    """
    numbers = read_lists("calendar")["numbers"]
    is_long = elite_or_led or has_begun("isolation", date)
    limit: int = numbers["isolation_limit" if is_long else "isolation_limit_before"]
    return limit


def list_units(list_name: str, date: str) -> list[str]:
    """What enters on a date (``entry``), or leaves (``withdrawal``), as far as the text says it."""
    return [row["unit"] for row in read_lists("calendar")[list_name] if row["date"] == date]


def find_div29(date: str) -> str:
    """What the 29th Motorized counts as while in play on a date: bonus, due, late or gone (3.5, 3.7, 21.54)."""
    days = read_lists("calendar")["div29"]
    if date <= days["bonus"]:
        return "bonus"
    if date <= days["due"]:
        return "due"
    return "late" if date <= days["last"] else "gone"


def _is_halved(date: str) -> bool:
    return bool(date == read_lists("calendar")["half_movement"]["date"])


def tell_date(date: str) -> list[str]:
    """What is to be done on this date alone, then what applies from it on."""
    listed, sentences = read_lists("calendar"), []
    sentences += [f"Enters: {row['unit']} ({row['rule']})." for row in listed["entry"] if row["date"] == date]
    sentences += [f"Last day: {row['unit']} ({row['rule']})." for row in listed["withdrawal"] if row["date"] == date]
    if _is_halved(date):
        sentences.append("Soviet movement is halved in scenarios 1 to 3 (8.03).")
    sentences += [f"From today: {words}." for name, words in _BEGINNINGS.items() if listed["begins"][name] == date]
    if has_begun("snipers", date) and count_extra_snipers(date) > count_extra_snipers(date_of(turn_of(date) - 1)):
        sentences.append("A further sniper comes in phase 10 (16.11).")
    if repairs_tank(turn_of(date)):
        sentences.append("The repair unit may give a tank back in phase 10 (16.72).")
    return sentences


_BEGINNINGS = {
    "german_ammunition": "German ammunition rolls (14.71)",
    "soviet_ammunition": "Soviet ammunition rolls (14.71)",
    "molotov": "no +1 for German armour beside Soviets in built-up hexes (9.93)",
    "infiltration": "Herman may infiltrate in phase 15 (13.1)",
    "isolation": "all isolated Soviets last until marker 4 (19.1)",
    "trains": "armoured trains go 6 hexes at most (16.61)",
    "breakdown": "each Soviet tank rolls as phase 10 begins (16.33)",
    "weather": "a weather roll in phase 1 (15.53)",
}
