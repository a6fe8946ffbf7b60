"""How many may cross the Volga at a place, and when a lost flotilla unit is back (8.66, 16.57)."""

from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, waiting
from firefight.engine.text import count_of

from .data import from_text, read_lists
from .dates import TURNS, say_turn

ARROWS = 19  # landings (3.4)
FLOTILLA_PHASE = 10


class FlotillaReturn(Outcome):
    """It always comes back."""

    RETURNS = "returns"


def flotilla_return(*, charts: Book, turn: int, die: int | None = None) -> Result:
    """When a flotilla unit that was lost in a turn is back: half the die later, rounded up (16.57)."""
    if die is None:
        return waiting("Flotilla unit lost: roll a d10, half of it in turns.", "die", rules=("16.57",))
    turns = -(-check_face(die, 10) // 2)
    back = turn + turns
    landing = f"Put it in any East Bank box as phase 10 of turn {back} begins ({say_turn(back)})."
    return Result(
        f"The flotilla unit is back in {count_of(turns, 'turn')}: {say_turn(back)}.",
        FlotillaReturn.RETURNS,
        dice={"die": die},
        modified=die,
        details={"turns": turns, "turn": back, "phase": FLOTILLA_PHASE},
        effects=(landing if back <= TURNS else "The campaign ends before it is back.",),
        rules=("16.57",),
    )


def volga_limits(
    *,
    charts: Book,
    no_arrow: bool,
    combat_this_phase: int,
    combat_this_turn: int,
    leaders_this_phase: int,
    arrow: int | None = None,
    with_hex: bool = False,
) -> Result:
    """Whether that many Soviets may cross at one place (8.66).

    no_arrow: by a hex without a landing arrow. The numbers include those that are about to cross; arrow: which of the
    nineteen it is, so that a match can count. with_hex: ask for its hex where nobody has given it yet (MissingChart).
    """
    limits = read_lists("limits")["crossing"]
    if no_arrow:
        counted = (
            ("combat unit", combat_this_phase, limits["elsewhere_combat"], "into a hex without an arrow"),
            ("leader", leaders_this_phase, limits["elsewhere_leaders"], "into a hex without an arrow"),
        )
    else:
        in_turn = max(combat_this_turn, combat_this_phase)
        counted = (
            ("combat unit", combat_this_phase, limits["arrow_phase"], "by an arrow in a phase"),
            ("combat unit", in_turn, limits["arrow_turn"], "by an arrow in a turn"),
        )
    reasons = [
        f"8.66: at most {count_of(most, kind)} {place}, not {number}."
        for kind, number, most, place in counted
        if number > most
    ]
    title = (
        "Crossing without an arrow" if no_arrow else f"Crossing by arrow {arrow}" if arrow else "Crossing by an arrow"
    )
    landing = _find_landing(charts, arrow, with_hex) if arrow and not no_arrow else ""
    result = allow_or_refuse(
        title, reasons, ("8.65", "8.66"), {"arrow": None if no_arrow else arrow}, provenance=from_text("limits")
    )
    shows_landing = landing and not reasons
    return replace(result, effects=(f"It lands in {landing}.",)) if shows_landing else result


def _find_landing(charts: Book, arrow: int, ask: bool) -> str:
    chart = charts["arrows"]
    assert isinstance(chart, Numbers)
    return "" if chart.is_blank(str(arrow)) and not ask else f"{chart.get(str(arrow)):04d}"
