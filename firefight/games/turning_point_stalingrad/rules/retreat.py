"""Where a beaten Group goes, and whether it arrives there (8.355 Retreats, 8.3551 Priority, 8.3552 Contested)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Json, Values

from .areas import is_zone, name_area, read_areas
from .becoming import ELIMINATED
from .sides import Side
from .supply import list_controlled
from .units import NamedUnit

MOST_AREA = 1000


@dataclass(frozen=True, slots=True)
class Candidate:
    """An adjacent Area. ``enemy_neighbours``: how many enemy-controlled Areas it touches."""

    area: str
    friendly: bool = False
    enemy_units: int = 0
    friends: int = 0
    enemy_neighbours: int = 0

    @classmethod
    def read(cls, row: Values) -> "Candidate":
        """From the cleaned values of a row."""
        return cls(**row)

    def plain(self) -> Json:
        """As a row of JSON."""
        return {name: value for name, value in asdict(self).items() if value}

    def __str__(self) -> str:
        words = [f"Area {self.area}", "friendly-controlled" if self.friendly else "enemy-controlled"]
        words += [f"{self.enemy_units} enemy units"] if self.enemy_units else []
        words += [f"{self.friends} friends"] if self.friends else []
        words += [f"{self.enemy_neighbours} enemy neighbours"] if self.enemy_neighbours else []
        return ", ".join(words)


class Goal(Outcome):
    """What a Group retreats into, in the order of the priority."""

    FREE = "free", "Free Area"
    FRIENDLY_CONTESTED = "friendly_contested", "friendly-controlled Contested Area"
    ENEMY_CONTESTED = "enemy_contested", "enemy-controlled Contested Area"
    VACANT = "vacant", "Vacant enemy-controlled Area"
    NOWHERE = "nowhere", "nowhere"


PRIORITY = tuple(goal for goal in Goal if goal is not Goal.NOWHERE)


class Arrival(Outcome):
    """Whether a unit arrives."""

    SAFE = "safe"
    ELIMINATED = "eliminated"


def classify_area(area: Candidate) -> Goal:
    """What an Area is to a Group that retreats (8.3551). With enemies alone in it, it is closed (A40)."""
    if not area.enemy_units:
        return Goal.FREE if area.friendly else Goal.VACANT
    if not area.friends:
        return Goal.NOWHERE
    return Goal.FRIENDLY_CONTESTED if area.friendly else Goal.ENEMY_CONTESTED


def find_goals(areas: Sequence[Candidate]) -> tuple[Goal, list[Candidate]]:
    """The Areas of the best rank; among Free ones those that touch the fewest enemy-controlled Areas (8.3551)."""
    for goal in PRIORITY:
        matching = [area for area in areas if classify_area(area) is goal]
        if matching:
            fewest = min(area.enemy_neighbours for area in matching)
            return goal, [area for area in matching if goal is not Goal.FREE or area.enemy_neighbours == fewest]
    return Goal.NOWHERE, []


def find_candidates(
    charts: Book, areas: Sequence[Candidate], start: str, side: Side, german_areas: Collection[str]
) -> tuple[Candidate, ...]:
    """The Areas that are listed, and the other neighbours of the one that is left, as far as the chart knows them.

    ``side``: the Group's. ``german_areas``: all that the German controls; without any nobody knows who controls what.
    An Area that is not listed is free of Combat units. Zones count as Areas. Raises BadInput for what nobody knows.
    """
    board, listed = read_areas(charts), {area.area: area for area in areas}
    near, controlled = board.neighbours(start), list_controlled(side, german_areas)
    if start and not areas and not (near.are_all and german_areas):
        raise BadInput({"areas": f"List the neighbours of Area {start}: no chart and no record knows all of them."})
    if not (start and near.are_all and german_areas):
        return tuple(areas)

    def look(area: str) -> Candidate:
        enemy = sum(other not in controlled for other in board.neighbours(area).names)
        return Candidate(area, friendly=area in controlled, enemy_neighbours=enemy)

    candidates = tuple(listed.get(area) or look(area) for area in sorted(near.names | listed.keys(), key=rank_area))
    free = [area.area for area in candidates if classify_area(area) is Goal.FREE]
    unknown = [area for area in free if area not in listed and not board.neighbours(area).are_all]
    if unknown and len(free) > 1:
        lacking = f"The chart of Areas lacks neighbours of {join_words(unknown)}"
        raise BadInput(
            {"areas": f"{lacking}: list these here with their enemy-controlled ones, or complete the chart."}
        )
    return candidates


def rank_area(area: str) -> tuple[int, str]:
    """By number, then by letter."""
    return (int(area), "") if area.isdigit() else (MOST_AREA, area)


def retreat(
    *,
    charts: Book,
    areas: Sequence[Candidate],
    start: str = "",
    side: Side = Side.RUSSIAN,
    german_areas: tuple[str, ...] = (),
    units: int | None = None,
    goal: str = "",
    who: Sequence[NamedUnit] = (),
) -> Result:
    """Where a Group has to retreat, binding even if it kills the units (8.355, 8.3551 Retreat Priority).

    start, side, german_areas: see ``find_candidates``. units: how many retreat, together (8.3553 Unison). goal: the
    Area that its owner chooses where several are as good. who: the counters that retreat, which then go there. Raises
    BadInput for a goal that is not one of them.
    """
    subject = f"The {side.word}{f', out of {name_area(start)}' if start else ''}"
    best, goals = find_goals(find_candidates(charts, areas, start, side, german_areas))
    names = [area.area for area in goals]
    if goal and goal not in names:
        allowed = f"They may go into {join_words(map(name_area, names), 'or')}" if names else "They cannot retreat"
        raise BadInput({"goal": f"{allowed} (8.3551)."})
    goals = [area for area in goals if area.area == goal] if goal else goals
    rules: tuple[str, ...] = ("8.355 Retreats", "8.3551 Retreat Priority")
    if best is Goal.NOWHERE:
        return Result(
            f"{subject}: there is nowhere to retreat.",
            best,
            details={"priority": None, "areas": []},
            effects=("Pay by elimination instead.", "Units retreat neither offboard nor across the Volga."),
            rules=rules,
        )
    destination = " or ".join(f"Area {area.area}" for area in goals)
    effects = ["All units of the Group that retreat go to the same Area (8.3553)."]
    effects += ["Its owner chooses among these."] if len(goals) > 1 else []
    room = find_room(charts, goals[0]) if units and len(goals) == 1 else None
    effects += [_say_room(units or 0, room, destination)]
    effects += ["Mechanized units roll for Rubble there, and are lost if they fail (14.5)."]
    is_settled, is_contested = len(goals) == 1, best in (Goal.FRIENDLY_CONTESTED, Goal.ENEMY_CONTESTED)
    follow_ups = tuple(_roll_for_each(goals[0], who, destination)) if is_contested and is_settled else ()
    stay = [] if is_contested or not is_settled else [unit for unit in who if unit.id]
    return Result(
        f"{subject}: into {destination}, {best.word}.",
        best,
        changes=tuple(CounterChange(unit.id, to=goals[0].area) for unit in stay),
        details={"priority": PRIORITY.index(best) + 1, "areas": names}
        | ({} if room is None else {"stay": min(units or 0, room), "go_on": max(0, (units or 0) - room)}),
        effects=tuple(effects),
        follow_ups=follow_ups,
        rules=rules if not follow_ups else (*rules, "8.3552 Contested Retreats"),
    )


def _roll_for_each(area: Candidate, units: Sequence[NamedUnit], destination: str) -> Iterator[FollowUp]:
    """The roll of each unit that retreats into a Contested Area (8.3552)."""
    inputs: Json = {"friendly_controlled": area.friendly, "enemy_units": min(10, area.enemy_units)}
    if not units:
        yield FollowUp("contested-retreat", f"Each unit that retreats into {destination}", inputs)
    for unit in units:
        yield FollowUp(
            "contested-retreat", f"{unit.name} into {destination}", {**inputs, **unit.plain(), "goal": area.area}
        )


def find_room(charts: Book, area: Candidate) -> int | None:
    """How many more units of a side an Area takes (7.1 Area); None for a Zone, which takes all (7.2)."""
    if is_zone(area.area):
        return None
    most: int = charts["thresholds"].get("occupation")
    return max(0, most - area.friends)


def _say_room(units: int, room: int | None, destination: str) -> str:
    """How many of those that retreat stay, and how many have to go on (8.355, 8.3553 Unison)."""
    if room is None:
        return "With ten friends there, those who do not fit go on, never back (8.355)."
    if units <= room:
        return f"All of them fit into {destination} (8.3553)."
    going = count_of(units - room, "unit")
    fitting = (
        f"{room} of {units} fit into {destination}, by their owner's choice"
        if room
        else f"Nobody fits into {destination} any more"
    )
    return f"{fitting}: {going} {'goes' if units - room == 1 else 'go'} on from there, never back (8.355, 8.3553)."


def contested_retreat(
    *,
    charts: Book,
    friendly_controlled: bool,
    enemy_units: int,
    goal: str = "",
    name: str = "",
    id: str = "",
    roll: int | None = None,
) -> Result:
    """Whether a unit survives its retreat into a Contested Area (8.3552 Contested Retreats).

    goal: that Area; name, id: the counter that goes there or is lost. roll: two dice into a friendly-controlled Area,
    one into an enemy-controlled one; it has to be above the number of enemy Combat units there.
    """
    number = 2 if friendly_controlled else 1
    details = {"dice": number}
    rules = ("8.3552 Contested Retreats",)
    if roll is None:
        dice = "two dice" if number == 2 else "one die"
        return waiting(f"Roll {dice}: above {enemy_units} is safe.", "roll", details=details, rules=rules)
    outcome = Arrival.SAFE if roll > enemy_units else Arrival.ELIMINATED
    lost, label = outcome is Arrival.ELIMINATED, name or "the unit"
    change = CounterChange(id, ELIMINATED) if lost else CounterChange(id, to=goal)
    return Result(
        f"{roll} against {enemy_units}: {label} {'is lost' if lost else 'arrives'}.",
        outcome,
        dice={"roll": roll},
        details=details,
        effects=("It counts one Casualty Point, not two (8.3541).",) if lost else (),
        rules=(*rules, "8.3541 Loss Fulfillment") if lost else rules,
        changes=(change,) if id and change.word else (),
    )
