"""Movement Points: what a unit has in a phase, and what minefields do to it (8.0, 17.22)."""

from fractions import Fraction
from math import ceil

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import count_of

from .data import from_text, read_lists
from .terms import CAMPAIGN, Side

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
MINEFIELD_MP = 2  # through a friendly minefield with a friend on it (17.22)


class Pace(Labelled):
    """How a unit moves."""

    NORMAL = "normal", "Movement Phase"
    DEPLOYMENT = "deployment", "deployment movement"
    EXPLOIT = "exploit", "Exploit Movement"
    RESERVES = "reserves", "Reserves Movement"
    RETREAT_BEFORE_COMBAT = "retreat_before_combat", "retreat before combat"

    @property
    def factor(self) -> Fraction:
        """What printed MP are multiplied by (8.01, 8.21, 9.48)."""
        return {
            Pace.NORMAL: Fraction(1),
            Pace.DEPLOYMENT: Fraction(2),
            Pace.RETREAT_BEFORE_COMBAT: QUARTER,
        }.get(self, HALF)


class Minefield(Outcome):
    """Whether a unit that enters a minefield goes on."""

    STOPS = "stops", "stops there"
    GOES_ON = "goes_on", "goes on"


def movement(
    *,
    charts: Book,
    printed: int,
    mode: Pace,
    side: Side,
    date: str,
    isolated: bool,
    hq_absent: bool,
    stacks_before: int,
    scenario: int = CAMPAIGN,
) -> Result:
    """The MP of a unit in a phase, and what crossings cost it (8.03, 8.05, 8.64, 10.7; A38, A39).

    stacks_before: those that have gone into the same West Bank hex by the same arrow in this phase (8.65).
    """
    halvings = list_halvings(side, mode, date, scenario, isolated, hq_absent)
    points = ceil(printed * mode.factor * HALF ** len(halvings))
    cost = ceil(points * HALF)
    return Result(
        f"{mode.word}, {printed} MP printed: {points} MP.",
        IsShown.SHOWN,
        modified=points,
        details={"mp": points, "volga_cost": cost + stacks_before, "breakthru_cost": cost},
        effects=tuple(_tell_movement(side, mode, halvings, cost + stacks_before, cost)),
        rules=("8.01", "8.05", *(rule for _, rule in halvings), "8.64", "10.7"),
        provenance=from_text("calendar"),
    )


def list_halvings(
    side: Side, mode: Pace, date: str, scenario: int, isolated: bool, hq_absent: bool
) -> list[tuple[str, str]]:
    """What halves MP besides the phase, each with its rule: nothing does in a retreat before combat (A38)."""
    if mode is Pace.RETREAT_BEFORE_COMBAT:
        return []
    halved_day, is_soviet = read_lists("calendar")["half_movement"], side is Side.SOVIET
    halvings = []
    if is_soviet and date == halved_day["date"] and scenario <= halved_day["last_scenario"]:
        halvings.append(("13 September", "8.03"))
    if is_soviet and isolated:
        halvings.append(("isolated", "19.5"))
    if hq_absent:
        halvings.append(("the commander is missing", "18.51" if is_soviet else "18.53"))
    return halvings


def _tell_movement(side: Side, mode: Pace, halvings: list[tuple[str, str]], volga: int, marker: int) -> list[str]:
    effects = [f"Halved, {reason} ({rule})." for reason, rule in halvings]
    if mode is Pace.RETREAT_BEFORE_COMBAT:
        return [*effects, "One hex can always be left for, whatever it costs (9.47)."]
    if side is Side.SOVIET and mode is not Pace.RESERVES:
        effects.append(f"The Volga costs it {volga} MP (8.64, 8.65).")
    effects.append(f"A breakthru marker costs it {marker} MP (10.7).")
    return effects


def minefield(*, charts: Book, friendly: bool, friendly_unit_there: bool, infiltrating: bool) -> Result:
    """Whether a unit that enters a minefield stops (17.22 Minefields and Movement, 13.2).

    friendly: the minefield is its own side's. friendly_unit_there: a combat unit of its side stood there as the phase
    began.
    """
    is_free = friendly and friendly_unit_there
    outcome = Minefield.GOES_ON if is_free or infiltrating else Minefield.STOPS
    extra = MINEFIELD_MP if is_free and not infiltrating else 0
    advice = "Who begins a phase on a minefield leaves it at no extra cost (17.22)."
    if infiltrating:
        advice = "Only through city and industrial or fortified hexes (13.2)."
    extra_words = f", {count_of(extra, 'MP', 'MP')} more" if extra else ""
    return Result(
        f"Into the minefield: {outcome.word}{extra_words}.",
        outcome,
        details={"stop": outcome is Minefield.STOPS, "extra_mp": extra},
        effects=(advice,),
        rules=("17.22", *(("13.2",) if infiltrating else ())),
    )
