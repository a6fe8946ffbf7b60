"""What a week ends with, and what dates bring: points, withdrawals, reinforcements, new tanks (6.2, 13.2, 19, 21.1)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Allowed, allow_or_refuse
from firefight.engine.rolls.dice import check_sum
from firefight.engine.rolls.modifiers import Modifier, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.engine.text import count_of, join_words, without_capital

from .areas import GERMAN_SUPPLY, find_way, name_area, read_areas
from .becoming import WITHDRAWN
from .dates import LAST, is_week_end, week_of
from .record import RECORD
from .units import NamedUnit

ARMY64 = ("A", "B", "C", "30")
ON_END = "The total stands on an end of the spread, which the text can be read both ways."
REVIVED = 2


class VictoryOutcome(Outcome):
    """How a week ends."""

    CONTINUE = "continue", "The game goes on"
    GERMAN_WINS = "german_wins", "The German wins"
    GERMAN_LOSES = "german_loses", "The German loses"
    UNDETERMINED = "undetermined"
    NOT_WEEK_END = "not_week_end", "Not the end of a week"
    COUNTED = "counted"


class SpreadReading(Outcome):
    """What the ends of a spread mean (A09)."""

    STRICT = "strict", "Below the low end and above the high one"
    INCLUSIVE = "inclusive", "The ends decide, too"


class ArmourOutcome(Outcome):
    """Whether a new tank comes."""

    ARRIVES = "arrives"
    NONE = "none"


class Withdrawing(Labelled):
    """What is asked about a withdrawal."""

    COMPENSATION = "compensation", "units that the Russian revives"
    SUBSTITUTE = "substitute", "another unit instead"


class Force(Labelled):
    """Whose reinforcements enter."""

    GERMAN = "german", "German reinforcements"
    ARMY64 = "army64", "64th Army"
    GUNS = "guns", "German guns that return"


RULES_OF_ENTRY = {
    Force.GERMAN: ("6.2 Reinforcement Phase", "18.2 Point of Entry"),
    Force.ARMY64: ("21.1 Withdrawals",),
    Force.GUNS: ("15.22 Non-Combat Units",),
}


@dataclass(frozen=True, slots=True)
class VictoryArea:
    """An Area or Zone of Victory Points."""

    vp: int
    german_controlled: bool = False
    supply: bool = False

    @property
    def points(self) -> int:
        """What it brings the German (19.1)."""
        return self.vp if self.german_controlled and self.supply else 0

    def __str__(self) -> str:
        control = "German" if self.german_controlled else "not German"
        return f"{self.vp}, {control}, {'supplied' if self.supply else 'not supplied'}"


def victory(
    *,
    charts: Book,
    date: str | None,
    points: int | None,
    areas: Sequence[VictoryArea] = (),
    reading: SpreadReading = SpreadReading.STRICT,
    german_areas: Collection[str] = (),
) -> Result:
    """Count the German Victory Points, and compare them with the week's spread (6.5, 19.1, 19.2; A09, A10).

    points: the sum; areas: each Area that has any, instead; german_areas: what is German, to count by the owner's map.
    """
    unknown: tuple[str, ...] = ()
    if points is None and not areas:
        areas, unknown = list_areas(charts, german_areas), tuple(_tell_blank(charts, german_areas))
    counted = sum(area.points for area in areas) if areas else points or 0
    total = count_of(counted, "Victory Point")
    rules = ("6.5 End of Week", "19.1 Victory Points", "19.2 Resolution")
    changes = (RECORD.change({"points": min(counted, 60)}),)
    if date is None:
        details = {"points": counted, "low": None, "high": None}
        outcome = VictoryOutcome.COUNTED
        return Result(f"{total}.", outcome, details=details, effects=unknown, rules=rules, changes=changes)
    week = week_of(date, charts)
    ends = is_week_end(date)
    outcome = _compare(counted, week.low, week.high, reading) if ends else VictoryOutcome.NOT_WEEK_END
    spread = f"{week.low} to {week.high}" if week.low < week.high else str(week.low)
    on_end = ends and counted in (week.low, week.high)
    return Result(
        f"{total} against {spread} in week {week.number}: {without_capital(outcome.word)}.",
        outcome,
        modified=counted,
        details={"points": counted, "low": week.low, "high": week.high}
        | ({"readings": ["german_loses", "continue", "german_wins"]} if outcome is VictoryOutcome.UNDETERMINED else {}),
        effects=(*((ON_END,) if on_end else ()), *unknown, *((OVER,) if ends_game(date, outcome) else ())),
        rules=rules,
        provenance=sources([charts["weeks"]]),
        changes=changes,
        ends=ends_game(date, outcome),
    )


OVER = "The game is over."


def ends_game(date: str, outcome: VictoryOutcome) -> bool:
    """Whether a week's count ends the game: somebody has won, or it was the last week (19.2, 6.5)."""
    return date == LAST or outcome in (VictoryOutcome.GERMAN_WINS, VictoryOutcome.GERMAN_LOSES)


def list_areas(charts: Book, german_areas: Collection[str]) -> tuple[VictoryArea, ...]:
    """The German Areas of Victory Points, as the owner's map has them, and whether each is supplied (19.1).

    Raises BadInput where the map does not say it.
    """
    areas = read_areas(charts)
    if not german_areas or not areas.vp:
        raise BadInput({"points": "Give the German Victory Points, or each Area of theirs with what it brings."})
    victory_areas = []
    for name in german_areas:
        if areas.vp.get(name):
            way, is_sure = find_way(name, german_areas, GERMAN_SUPPLY, areas)
            if not way and not is_sure:
                lacking = f"The chart of Areas does not say whether {name} is supplied: give the points."
                raise BadInput({"points": lacking})
            victory_areas.append(VictoryArea(areas.vp[name], german_controlled=True, supply=bool(way)))
    return tuple(victory_areas)


def _tell_blank(charts: Book, german_areas: Collection[str]) -> Iterator[str]:
    """Which Areas count nothing because the owner's map is blank there."""
    if blank := [name for name in german_areas if name not in read_areas(charts).vp]:
        yield f"Blank in the chart of Areas, and so counted as nothing: {join_words(blank)}."


def _compare(points: int, low: int, high: int, reading: SpreadReading) -> VictoryOutcome:
    if low == high == points:
        return VictoryOutcome.UNDETERMINED
    at_ends = reading is SpreadReading.INCLUSIVE
    if points < low or at_ends and points == low:
        return VictoryOutcome.GERMAN_LOSES
    if points > high or at_ends and points == high:
        return VictoryOutcome.GERMAN_WINS
    return VictoryOutcome.CONTINUE


def armour_replacement(*, charts: Book, rubble: int, area70_lost: bool, dr: int | None = None) -> Result:
    """Whether the Tractor Works bring a 2-2-6 tank at Dawn (13.2 Rate; A24).

    rubble: the level in Area 70. area70_lost: it has been German, which ends this for good.
    """
    most, rules = charts["thresholds"].get("armour_replacement"), ("13.2 Rate",)
    lines = without_zeroes(Modifier("Rubble", rubble, "13.2"))
    if area70_lost:
        details = {"arrives": False}
        return Result("No tanks: Area 70 has been German.", ArmourOutcome.NONE, details=details, rules=rules)
    if dr is None:
        return waiting(f"Roll 2d6: {most} or less brings a tank.", "dr", modifiers=lines, rules=rules)
    total = check_sum(dr, 2, 6, "dr") + rubble
    arrives = total <= most
    return Result(
        f"Armour replacement, {total} against {most}: {'a tank arrives' if arrives else 'none'}.",
        ArmourOutcome.ARRIVES if arrives else ArmourOutcome.NONE,
        dice={"dr": dr},
        modified=total,
        modifiers=lines,
        details={"arrives": arrives},
        effects=("Place a 2-2-6 tank of the pool with two dots.",) if arrives else (),
        rules=rules,
        provenance=sources([charts["thresholds"]]),
    )


def withdrawal(
    *,
    charts: Book,
    what: Withdrawing,
    german_af: int,
    russian_afs: Sequence[int],
    scheduled_type: str,
    other_type: str,
    other_af: int,
    who: Sequence[NamedUnit] = (),
) -> Result:
    """Who leaves; whether units may be revived for one that does not, or another may go instead (21.1; A21).

    german_af: of the unit that should go. russian_afs: of the units that come back. who: the units that leave.
    """
    rules = ("21.1 Withdrawals",)
    if who and what is Withdrawing.COMPENSATION and not russian_afs:
        names, verb = join_words(unit.name for unit in who), "leaves" if len(who) == 1 else "leave"
        changes = tuple(CounterChange(unit.id, WITHDRAWN) for unit in who if unit.id)
        return Result(f"{names} {verb} the game.", Allowed.ALLOWED, rules=rules, changes=changes)
    if what is Withdrawing.SUBSTITUTE:
        if not scheduled_type or not other_type:
            raise BadInput({"other_type": "Name both types: of the unit that should go, and of the other."})
        is_same = scheduled_type.casefold() == other_type.casefold()
        reasons = [] if is_same else [f"21.1: {other_type} is not of the same type as {scheduled_type}."]
        reasons += [f"21.1: {other_af} is weaker than {german_af}."] if other_af < german_af else []
        return allow_or_refuse("Another unit instead", reasons, rules)
    if not russian_afs:
        raise BadInput({"russian_afs": "Name who leaves, or give the Attack Factors of the units that come back."})
    total, most = sum(russian_afs), 2 * german_af
    reasons = [f"21.1: {REVIVED} units come back, not {len(russian_afs)}."] if len(russian_afs) > REVIVED else []
    reasons += [f"21.1: together {total}, more than {most}, twice the German's {german_af}."] if total > most else []
    return allow_or_refuse("Units of 64th Army", reasons, rules, {"total": total, "most": most})


def entry(
    *,
    charts: Book,
    force: Force,
    controlled: Sequence[str],
    place: str,
    who: Sequence[NamedUnit] = (),
    goals: str = "",
) -> Result:
    """Where units may enter, and those of the list do (6.2, 15.22 Non-Combat Units, 18.2 Point of Entry, 21.1
    Withdrawals; A41).

    controlled: what their side controls. place: where they want to enter. who: their counters. goals: the Areas where
    guns may return, "" where nobody knows. Raises OpenQuestion as long as nobody has said where these enter.
    """
    result = _judge_entry(force, controlled, place, goals.split())
    if not who or result.outcome is not Allowed.ALLOWED:
        return result
    names, verb = join_words(unit.name for unit in who), "enters" if len(who) == 1 else "enter"
    if not place:
        raise OpenQuestion({"place": f"Where {'does' if len(who) == 1 else 'do'} {names} enter?"})
    changes = tuple(CounterChange(unit.id, to=place) for unit in who if unit.id)
    return replace(result, headline=f"{names} {verb} {name_area(place)}.", changes=changes)


def list_entries(force: Force, controlled: Sequence[str], goals: Sequence[str]) -> list[str]:
    """The Areas and Zones that such units may enter; ``goals``: those of guns."""
    if force is Force.GERMAN:
        return [zone for zone in GERMAN_SUPPLY if zone in controlled]
    return [*(ARMY64 if force is Force.ARMY64 else goals)]


def _judge_entry(force: Force, controlled: Sequence[str], place: str, goals: Sequence[str]) -> Result:
    """Whether such units may enter there, and where else."""
    if force is Force.GERMAN and not controlled and not place:
        raise BadInput({"controlled": "Say which of Zones C, D, E and F are German."})
    zones = list_entries(force, controlled, goals)
    names = ", ".join(zones)
    refusals = {
        Force.GERMAN: f"18.2: they enter in {names}.",
        Force.ARMY64: f"21.1: 64th Army enters at {names} alone.",
        Force.GUNS: f"15.22: they return in {names}.",
    }
    reasons = [refusals[force]] if zones and place and place not in zones else []
    if force is Force.GERMAN and not zones:
        reasons = ["18.2: no Zone of C, D, E, F is German; they wait offboard and enter by paying MF."]
    return allow_or_refuse(force.word, reasons, RULES_OF_ENTRY[force], {"zones": zones})
