"""Infiltration of Russian infantry at night (8.29 Infiltration, 11.5); with counters, where it may lead (T-18)."""

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.record import RecordChange, push
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.values import Json, Values

from .areas import AREAS, is_zone, name_area, say_area, settle_tem
from .becoming import ACTING, word_dots
from .course import COURSE
from .deployment import Deployment
from .marching import Marcher, find_apart, find_closed, find_exit_bars, find_marcher, find_pieces, find_price, pay_step
from .sides import Side, Time


class Infiltration(Outcome):
    """How an attempt ends."""

    INFILTRATES = "infiltrates"
    ATTACKS = "attacks", "has to attack"
    REFUSED = "refused"


def infiltration(
    *,
    charts: Book,
    tem: int,
    rubble: int,
    by_day: bool,
    not_fresh: bool,
    not_infantry: bool,
    from_german_area: bool,
    into_zone: bool,
    german_fresh: bool,
    area: str = "",
    start: str = "",
    name: str = "",
    id: str = "",
    goals: str = "",
    die: int | None = None,
) -> Result:
    """Whether a unit slips in: its die below TEM and Rubble level together (8.29 Infiltration).

    Those that fail attack the Area together at the end of the impulse. start: where it stands; name, id: its counter,
    which goes into the ``area`` either way; goals: the Areas that it is offered. Raises OpenQuestion until one is
    named.
    """
    if id and not area:
        raise OpenQuestion({"area": f"From {name_area(start)} into which Area?" if start else "Into which Area?"})
    tem = settle_tem(charts, area, tem)
    reasons = (
        (by_day, "Only at night."),
        (not_fresh, "Only Fresh units."),
        (not_infantry, "Only infantry."),
        (from_german_area, "Only from a Russian-controlled Area."),
        (into_zone, "Not into or out of a Zone (11.5)."),
        (german_fresh, "Not where Fresh German Combat units are."),
    )
    against = tuple(words for is_so, words in reasons if is_so)
    rules = ("8.29 Infiltration", *(("11.5 Infiltration",) if into_zone else ()))
    if against:
        details = {"allowed": False, "success": None}
        headline = "No Infiltration here."
        return Result(headline, Infiltration.REFUSED, details=details, effects=against, rules=rules)
    limit = tem + rubble
    if die is None:
        details = {"allowed": True, "success": None}
        return waiting(f"Roll a die: below {limit} slips in.", "die", details=details, rules=rules)
    success = die < limit
    return Result(
        say_area(area, f"{die} against {limit}, {name or 'the unit'} {'slips in' if success else 'has to attack'}."),
        Infiltration.INFILTRATES if success else Infiltration.ATTACKS,
        dice={"die": die},
        details={"allowed": True, "success": success},
        effects=("It is D1 and does not attack.",)
        if success
        else ("All that fail make one attack together at the end of the impulse.",),
        follow_ups=() if success or id else (_ask_attack(area, tem, rubble),),
        rules=rules,
        changes=(CounterChange(id, word_dots(1) if success else ACTING, to=area),) if id else (),
    )


def _ask_attack(area: str, tem: int, rubble: int) -> FollowUp:
    """The attack of all that failed, which the app does not know by their counters."""
    inputs: Json = {"area": area} if area else {}
    inputs |= {"attacker": "russian", "time": "night", "kind": "inside", "entered": True, "tem": tem, "rubble": rubble}
    return FollowUp("attack", "At the end of the impulse: all that failed attack together", inputs)


# At the table


def list_infiltration_goals(marcher: Marcher, deployed: Deployment) -> list[str]:
    """The Areas with Spent Germans alone into which a unit may slip now, as far as the chart knows (8.29): into others
    it moves. Whoever has just landed may do so where it stands, too."""
    near = [marcher.area, *sorted(deployed.areas.neighbours(marcher.area).names, key=AREAS.names.index)]
    occupied = [goal for goal in near if deployed.find_units(Side.GERMAN, goal) and not is_zone(goal)]
    open_goals = [goal for goal in occupied if not any(_fill_ticks(marcher, goal, deployed).values())]
    return [goal for goal in open_goals if not _find_bars(marcher, goal, deployed)]


def _fill_ticks(marcher: Marcher, goal: str, deployed: Deployment) -> dict[str, bool]:
    """What the form has a tick for, each against it."""
    return {
        "by_day": COURSE.day_of(deployed.situation.position)[1] is Time.DAY,
        "not_fresh": not marcher.is_fresh,
        "not_infantry": marcher.side is not Side.RUSSIAN or not marcher.piece.kind.sort.is_foot,
        "from_german_area": deployed.is_controlled(Side.GERMAN, marcher.area) and bool(deployed.german_areas),
        "into_zone": is_zone(goal) or is_zone(marcher.area),
        "german_fresh": deployed.count(Side.GERMAN, goal)[0] > 0,
    }


def _find_infiltrator(inputs: Values, deployed: Deployment) -> Marcher | None:
    pieces = find_pieces([{"id": inputs.get("id")}], deployed.situation)
    return find_marcher(pieces[0], deployed) if pieces else None


def fill_infiltration(about: Values, area: str, situation: TableState) -> Json:
    """What the counters say about an Infiltration, and into which Areas it may be tried."""
    deployed = Deployment.of(situation)
    marcher = _find_infiltrator(about, deployed)
    if marcher is None:
        return {}
    if not area:
        return {"start": marcher.area, "goals": " ".join(list_infiltration_goals(marcher, deployed))}
    return {"start": marcher.area, **_fill_ticks(marcher, area, deployed)}


def _find_bars(marcher: Marcher, goal: str, deployed: Deployment) -> list[str]:
    """Every reason against it that the form has no tick for, in sentences (8.29, 8.22, 8.1)."""
    near = deployed.areas.neighbours(marcher.area)
    if goal != marcher.area and near.are_all and goal not in near.names:
        return [f"{name_area(marcher.area)} does not touch {name_area(goal)} (8.2)."]
    has_moved = marcher.area != marcher.origin
    has_landed = bool(marcher.paid) and not has_moved
    bars = [*find_apart([marcher], deployed.situation), *find_closed(goal, deployed.situation)]
    if has_moved or (goal == marcher.area and not has_landed):
        bars.append(f"{marcher.name} infiltrates only if it begins its impulse beside the Area (8.29).")
    return [*bars, *(find_exit_bars(marcher, goal, deployed) if goal != marcher.area else ())]


def check_infiltration(inputs: Values, situation: TableState) -> None:
    """Raise BadInput with every reason why a counter does not infiltrate an Area now."""
    deployed, goal = Deployment.of(situation), str(inputs.get("area") or "")
    marcher = _find_infiltrator(inputs, deployed)
    if marcher and goal and (bars := _find_bars(marcher, goal, deployed)):
        raise BadInput({"area": " ".join(bars)})


def note_infiltration(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """Where a unit began the impulse, and that it has paid for its entry; if it failed, for the attack, too."""
    deployed = Deployment.of(situation)
    marcher, goal = _find_infiltrator(inputs, deployed), str(inputs.get("area") or "")
    if marcher is None or not result.details["allowed"]:
        return ()
    return (RecordChange({"steps": push(pay_step(marcher, goal, find_price(marcher, goal, deployed), situation))}, ()),)
