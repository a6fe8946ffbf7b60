"""The Volga: Interdiction, the Crossing Table, ferries and breakthroughs (18.3 to 18.7)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Counted, allow_or_refuse
from firefight.engine.rolls.dice import check_sum
from firefight.engine.rolls.modifiers import Modifier, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Json

from .areas import AREAS, LANDINGS, name_area, read_areas
from .becoming import ACTING, ELIMINATED, REMOVED, word_dots
from .sides import Time
from .units import NamedUnit

MOST_UNITS = 3  # that are ferried in an impulse
BREAKTHROUGHS = ("A", "B", "G", "H")


class Hold(Labelled):
    """How Germans stand in an Area."""

    NONE = "none", "no Germans"
    CONTEST = "contest", "contested"
    CONTROL = "control", "German"


class CrossingOutcome(Outcome):
    """What becomes of a unit on the river."""

    LANDED = "landed"
    LANDED_DISRUPTED = "landed_disrupted"
    RETURNED = "returned"
    ELIMINATED = "eliminated"


def interdiction(
    *,
    charts: Book,
    mamayev: Hold,
    artillery_there: bool,
    bank: Hold,
    adjacent_one: Hold,
    adjacent_two: Hold,
    isolated_points: int,
    units: int = 1,
    area: str = "",
    who: Sequence[NamedUnit] = (),
) -> Result:
    """The German Interdiction Points against a landing: the best line of each of three categories (18.4; A22).

    adjacent_one, adjacent_two: the River Bank Areas beside the landing. isolated_points: earned by isolated units
    alone. units: that are to cross; who: their counters, which do so one by one; area: where they land.
    """
    chart = charts["interdiction"]
    a = _worth(charts, "mamayev", mamayev, "_artillery" if artillery_there else "")
    b = _worth(charts, "bank", bank)
    c = _near(charts, adjacent_one, adjacent_two)
    if isolated_points > a + b + c:
        raise BadInput({"isolated_points": f"There are {a + b + c} points in all."})
    less = chart.get("isolated") if isolated_points else 0
    lines = without_zeroes(
        Modifier("Mamayev Kurgan", a, "18.4 A"),
        Modifier("River Bank", b, "18.4 B"),
        Modifier("Next to the landing", c, "18.4 C"),
        Modifier("Isolated units alone", less, "18.4"),
    )
    total = a + b + c + less
    titles = [f"Crossing, unit {number}" if units > 1 else "Crossing" for number in range(1, units + 1)]
    crossing_inputs: Json = {"ip": total, **({"area": area} if area else {})}
    by_name = [FollowUp("crossing", f"{unit.name} crosses", {**crossing_inputs, **unit.plain()}) for unit in who]
    return Result(
        f"Interdiction: {count_of(total, 'point')}.",
        Counted.COUNTED,
        modified=total,
        modifiers=lines,
        details={"a": a, "b": b, "c": c, "total": total},
        effects=("Each unit that crosses adds them to its roll.", *tell_bank(charts, area)),
        follow_ups=tuple(by_name or (FollowUp("crossing", title, crossing_inputs) for title in titles)),
        rules=("18.4 Interdiction",),
        provenance=sources([chart]),
    )


def tell_bank(charts: Book, landing: str) -> Iterator[str]:
    """What a count of Interdiction Points knows of the River Bank, and what its players have to look at (18.4; A23)."""
    areas = read_areas(charts)
    if areas.banks:
        names = join_words(sorted(areas.banks, key=AREAS.names.index))
        yield f"By the chart the River Bank is {names}: Germans elsewhere on it are not counted by themselves."
    else:
        yield "The chart marks no River Bank Areas: look at the map for Germans there."
    if landing and not areas.neighbours(landing).are_all:
        yield f"The chart does not know all that touches {name_area(landing)}: look at the Areas beside it, too."


def _worth(charts: Book, of: str, hold: Hold, suffix: str = "") -> int:
    points: int = 0 if hold is Hold.NONE else charts["interdiction"].get(f"{of}_{hold.value}{suffix}")
    return points


def _near(charts: Book, adjacent_one: Hold, adjacent_two: Hold) -> int:
    """The best line of category C: two contested neighbours are worth no more than one (A22)."""
    if (adjacent_one, adjacent_two) == (Hold.CONTROL, Hold.CONTROL):
        return _worth(charts, "near_control", Hold.CONTROL)
    if {adjacent_one, adjacent_two} == {Hold.CONTEST, Hold.CONTROL}:
        return _worth(charts, "near_contest", Hold.CONTROL)
    return max(_worth(charts, "near", adjacent_one), _worth(charts, "near", adjacent_two))


def crossing(
    *,
    charts: Book,
    ip: int,
    contested: bool,
    full: bool,
    recross: bool,
    area: str = "",
    name: str = "",
    id: str = "",
    dr: int | None = None,
) -> Result:
    """Whether a unit gets over the Volga (18.5 Crossing, 18.51, 18.52, 18.7 Recrossing; A08).

    contested, full: the landing Area, ``area``. recross: from West to East, with banks swapped; then every unit is D1
    at least. name, id: the counter that crosses.
    """
    rules = ("18.5 Crossing", *(("18.7 Recrossing",) if recross else ("18.51", "18.52")))
    lines = without_zeroes(Modifier("Interdiction Points", ip, "18.4 Interdiction"))
    if dr is None:
        return waiting("Roll 2d6 on the Crossing Table.", "dr", modifiers=lines, rules=rules)
    total = check_sum(dr, 2, 6, "dr") + ip
    word, _, dots = charts["crossing"].look_up(total).partition("_d")
    outcome, duration = CrossingOutcome(word), int(dots or 0)
    if outcome is CrossingOutcome.LANDED and duration:
        is_back = (contested or full) and not recross
        outcome = CrossingOutcome.RETURNED if is_back else CrossingOutcome.LANDED_DISRUPTED
    may_continue = outcome is CrossingOutcome.LANDED and not recross
    if recross and outcome is CrossingOutcome.LANDED:
        duration = 1
    return Result(
        f"{name or 'Crossing'}, {total}: {_say_crossing(outcome, duration, recross)}.",
        outcome,
        dice={"dr": dr},
        modified=total,
        modifiers=lines,
        details={
            "duration": duration or None,
            "bank": _bank(outcome, recross),
            "may_continue": may_continue,
        },
        effects=(_tell_crossing(outcome, recross),),
        rules=rules,
        provenance=sources([charts["crossing"]]),
        changes=(_change_counter(id, outcome, duration, area, recross),) if id else (),
    )


def _change_counter(id: str, outcome: CrossingOutcome, duration: int, area: str, recross: bool) -> CounterChange:
    """What becomes of a counter on the river: whoever lands safely acts in this impulse, and is Spent then (18.5).

    On the East bank it is off the map (18.7).
    """
    if outcome is CrossingOutcome.ELIMINATED:
        return CounterChange(id, ELIMINATED)
    word = word_dots(duration) if duration else ACTING
    if outcome is CrossingOutcome.RETURNED:
        return CounterChange(id, word)
    return CounterChange(id, f"{word} {REMOVED}") if recross else CounterChange(id, word, to=area)


def _bank(outcome: CrossingOutcome, recross: bool) -> str | None:
    """Where the unit is afterwards."""
    if outcome is CrossingOutcome.ELIMINATED:
        return None
    return "west" if (outcome is CrossingOutcome.RETURNED) is recross else "east"


def _say_crossing(outcome: CrossingOutcome, duration: int, recross: bool) -> str:
    if outcome is CrossingOutcome.ELIMINATED:
        return "eliminated"
    bank = (_bank(outcome, recross) or "").capitalize()
    phrase = "back on the" if outcome is CrossingOutcome.RETURNED else "landed on the"
    return f"{phrase} {bank} bank{f' with D{duration}' if duration else ''}"


def _tell_crossing(outcome: CrossingOutcome, recross: bool) -> str:
    if outcome is CrossingOutcome.ELIMINATED:
        return "Remove the unit."
    if outcome is CrossingOutcome.RETURNED:
        return "Its impulse is over."
    if recross:
        return "It stays on the East bank until it is Fresh."
    if outcome is CrossingOutcome.LANDED_DISRUPTED:
        return "It ends its move in the landing Area and does not attack."
    return "It may go on moving and attacking with units of the landing Area; it is Spent at the end in any case."


def ferry(
    *,
    charts: Book,
    time: Time,
    crossing_units: int,
    landing: str,
    landing_lost: bool,
    who: Sequence[NamedUnit] = (),
    goals: str = "",
) -> Result:
    """Whether Russian reinforcements may be ferried to a landing (18.3 Ferry Landings; 16.0).

    who: their counters; goals: the landings that they are offered. Raises OpenQuestion as long as nobody has said
    where these land.
    """
    if who and not landing:
        raise OpenQuestion({"landing": f"At which landing: {join_words(LANDINGS, 'or')}?"})
    crossing_units = len(who) or crossing_units
    reasons = ["18.3: ferries go at night."] if time is Time.DAY else []
    reasons += _too_many(crossing_units, "18.3")
    if landing and landing not in LANDINGS:
        reasons.append(f"18.3: {landing} has no Ferry Landing; there are {', '.join(LANDINGS)}.")
    reasons += ["18.3: the landing has to be Russian."] if landing_lost else []
    rules = ("18.3 Ferry Landings", "18.5 Crossing")
    # Each of them rolls then, against the Germans on the river (18.4, 18.5).
    inputs: Json = {"units": crossing_units, **({"area": landing} if landing else {})}
    inputs |= {"who": [unit.plain() for unit in who]} if who else {}
    step = FollowUp("interdiction", f"Interdiction Points{f' at {landing}' if landing else ''}", inputs)
    title, follow_ups = f"Ferry of {count_of(crossing_units, 'unit')}", () if reasons else (step,)
    verdict = allow_or_refuse(title, reasons, rules, {"landing": landing or None}, follow_ups=follow_ups)
    return verdict if reasons else replace(verdict, effects=tuple(tell_bank(charts, landing)))


def breakthrough(
    *, charts: Book, time: Time, crossing_units: int, zone_letter: str, lost_now: bool, lost_by_day: bool
) -> Result:
    """Whether Russian reinforcements may come by a Zone instead of the river (18.6 Breakthrough)."""
    reasons = ["18.6: only in night impulses."] if time is Time.DAY else []
    reasons += _too_many(crossing_units, "18.6")
    if zone_letter and zone_letter not in BREAKTHROUGHS:
        reasons.append(f"18.6: through Zone {', '.join(BREAKTHROUGHS[:-1])} or {BREAKTHROUGHS[-1]} alone.")
    reasons += ["18.6: the Zone has to be Russian."] if lost_now else []
    reasons += ["18.6: it was not Russian in the last daylight impulse of this date."] if lost_by_day else []
    return allow_or_refuse(f"Breakthrough of {count_of(crossing_units, 'unit')}", reasons, ("18.6 Breakthrough",))


def _too_many(number: int, rule: str) -> list[str]:
    return [f"{rule}: at most {MOST_UNITS} units in an impulse."] if number > MOST_UNITS else []
