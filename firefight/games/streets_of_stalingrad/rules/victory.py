"""Victory points of the German, and what they are worth (3.0 Victory Conditions)."""

from collections.abc import Collection

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.errors import MissingChart
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources
from firefight.engine.text import count_of

from .data import from_text, read_lists
from .hexes import list_victory_hexes
from .terms import LEVELS

OVER = "The game is over."
DIVISIONS = {"100": 1, "305": 1, "79": 1, "14Pz": 2}  # points of those that never came (3.6)


class Division(Labelled):
    """Reinforcement divisions of the campaign (3.6)."""

    JAEGER_100 = "100", "100th Jäger"
    INFANTRY_305 = "305", "305th Infantry"
    INFANTRY_79 = "79", "79th Infantry"
    PANZER_14 = "14Pz", "14th Panzer"


class Occupied(Outcome):
    """When a victory hex counts as occupied (A41)."""

    STANDING = "standing", "where a German unit stands at the end"
    PASSED = "passed", "where a German unit was last"


def victory(
    *,
    charts: Book,
    hexes: Collection[str],
    campaign: bool,
    divisions_unused: Collection[str],
    div29_out: str | None,
    div29_artillery_out: str | None,
    final_date: str,
    scenario: int,
    with_level: bool = False,
    occupied: Occupied = Occupied.STANDING,
    is_last: bool = False,
) -> Result:
    """The German's points, and their level where the scenario's bounds are known (3.2 to 3.7; A26, A41, S52).

    hexes: victory hexes that the Germans hold. div29_out, div29_artillery_out: when the last unit of the 29th
    Motorized and of its artillery regiment left, None while any is there. with_level: ask for
    bounds that nobody has given yet. is_last: the game ends with this count (3.1).
    """
    lines = [Modifier(f"{hex_number}", points, "3.4") for hex_number, points in list_held(hexes)]
    if campaign:
        lines += [
            Modifier(division.word, DIVISIONS[division], "3.6") for division in Division if division in divisions_unused
        ]
        lines.append(
            Modifier("29th Motorized", find_div29_points(div29_out, div29_artillery_out, final_date), "3.5, 3.7")
        )
    modifiers = without_zeroes(*lines)
    points = total(modifiers)
    level = find_level(charts, scenario, points, with_level)
    effects = _tell(campaign, div29_out, div29_artillery_out, divisions_unused, level, occupied)
    return Result(
        f"{count_of(points, 'victory point')}{f': {level}' if level else ''}.",
        Counted.COUNTED,
        modified=points,
        modifiers=modifiers,
        details={"points": points, "level": level},
        effects=(*effects, *((OVER,) if is_last else ())),
        rules=("3.2", "3.3", "3.4", *(("3.5", "3.6", "3.7") if campaign else ())),
        provenance=(*from_text("hexes"), *sources([charts["levels"]] if level else [])),
        ends=is_last,
    )


def list_held(hexes: Collection[str]) -> list[tuple[str, int]]:
    """The victory hexes among these, each once, with their points (3.4)."""
    return [(number, points) for number, points in list_victory_hexes().items() if number in hexes]


def find_div29_points(left_on: str | None, artillery_left_on: str | None, final_date: str) -> int:
    """+1 if the whole 29th Motorized left in time, -1 if any of it stayed too long (3.5, 3.7)."""
    days = read_lists("calendar")["div29"]
    if left_on and artillery_left_on and max(left_on, artillery_left_on) <= days["bonus"]:
        return 1
    is_late = _was_there_after(left_on, days["due"], final_date) or _was_there_after(
        artillery_left_on, days["artillery_due"], final_date
    )
    return -1 if is_late else 0


def _was_there_after(left_on: str | None, day: str, final_date: str) -> bool:
    """Whether somebody was still in play after a day: a unit that leaves in phase 1 of that day was not."""
    return final_date > day and (left_on is None or left_on > day)


def find_level(charts: Book, scenario: int, points: int, ask: bool) -> str | None:
    """The level of a scenario's card; None where the owner has not given its bounds.

    Raises MissingChart if they are to be asked for (3.3).
    """
    chart, row = charts["levels"], str(scenario)
    assert isinstance(chart, Matrix)
    blanks = tuple((chart.name, cell) for level in LEVELS if chart.is_blank(cell := f"{row}, {level}"))
    if blanks and ask:
        missing = MissingChart(chart.title, f"scenario {row}")
        missing.blanks = blanks
        raise missing
    if blanks:
        return None
    reached = [level for level in LEVELS if points >= int(chart.cell(row, level))]
    return (reached[-1] if reached else "soviet_decisive").replace("_", " ").capitalize()


def _tell(
    campaign: bool,
    left_on: str | None,
    artillery_left_on: str | None,
    unused: Collection[str],
    level: str | None,
    occupied: Occupied,
) -> list[str]:
    effects = [f"A hex counts {occupied.word} (A41)."]
    last_day = read_lists("calendar")["div29"]["last"]
    if campaign and any(
        leaving_date is None or leaving_date > last_day for leaving_date in (left_on, artillery_left_on)
    ):
        effects.append("The 29th Motorized has to be gone by 10 October (21.54).")
    if not campaign and (unused or left_on or artillery_left_on):
        effects.append("Divisions that stay away and the 29th Motorized count in the campaign only (3.5; A26).")
    if not level:
        effects.append("The level stands on the scenario card: tick it, and tell its bounds once.")
    return effects
