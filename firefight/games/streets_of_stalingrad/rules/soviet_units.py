"""Soviet tanks that break down or fight on where they stand, and NKVD units that melt away (16.3, 16.8)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands, Numbers
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

from .dates import BREAKDOWN_FROM
from .terms import Terrain

TANK_RULES = ("16.31", "16.32", "16.33")
NKVD_RULES = ("16.83 Militia Reliability", "16.85")


class TankEvent(Labelled):
    """Why a tank rolls."""

    ELIMINATED = "eliminated", "It was eliminated"
    PHASE_10 = "phase_10", "Phase 10, from 11 October"


class Tank(Outcome):
    """What happens to a Soviet tank."""

    IMMOBILIZED = "immobilized", "an immobilized tank stands there"
    NOTHING = "nothing", "nothing remains"
    RUNS = "runs", "it runs"
    NO_ROLL = "no_roll", "no roll"


def find_no_tank_roll(*, event: TankEvent, terrain: Terrain, date: str, in_box: bool, breakdown_boxes: str) -> str:
    """Why a tank does not roll; "" if it does (16.31, 16.33; ruling S53)."""
    if event is TankEvent.ELIMINATED:
        return "" if terrain.is_built_up else "only in city, industrial or fortified hexes (16.31)"
    if date < BREAKDOWN_FROM:
        return "not before 11 October (16.33)"
    return "not in an East Bank box, as agreed (ruling S53)" if in_box and breakdown_boxes == "map" else ""


def tank(
    *,
    charts: Book,
    event: TankEvent,
    terrain: Terrain,
    date: str,
    in_box: bool = False,
    breakdown_boxes: str = "map",
    die: int | None = None,
) -> Result:
    """Whether a Soviet tank becomes an immobilized tank (16.32, 16.33). Only tanks: no cars, trains or leaders."""
    reason = find_no_tank_roll(event=event, terrain=terrain, date=date, in_box=in_box, breakdown_boxes=breakdown_boxes)
    if reason:
        return Result(f"No roll for a tank: {reason}.", Tank.NO_ROLL, details={"immobilized": False}, rules=TANK_RULES)
    if die is None:
        return waiting("Roll a d10 for the tank.", "die", rules=TANK_RULES)
    table = charts["immobilized_tank"]
    assert isinstance(table, Bands)
    is_immobilized = table.look_up(check_face(die, 10)) == "immobilized"
    spared = Tank.NOTHING if event is TankEvent.ELIMINATED else Tank.RUNS
    outcome = Tank.IMMOBILIZED if is_immobilized else spared
    rule = "It is put in the same hex (16.32)." if event is TankEvent.ELIMINATED else "It never moves again (16.33)."
    return Result(
        f"Soviet tank: {outcome.word}.",
        outcome,
        dice={"die": die},
        details={"immobilized": is_immobilized},
        effects=(rule,) if is_immobilized else (),
        rules=TANK_RULES,
        provenance=sources([table]),
    )


class NkvdEvent(Labelled):
    """Why NKVD units roll."""

    RELIABILITY = "reliability", "Fired at, or a German comes next to them"
    ISOLATED = "isolated", "Isolated, in phase 1"


class Nkvd(Outcome):
    """What happens to an NKVD unit."""

    NO_ROLL = "no_roll", "no roll"
    STAYS = "stays"
    REMOVED = "removed", "is removed"


def find_no_nkvd_roll(*, event: NkvdEvent, with_leader: bool, is_leader: bool, regiment_already_tested: bool) -> str:
    """Why an NKVD unit does not roll; "" if it does (16.83, 16.85)."""
    if is_leader:
        return "leaders never do (16.83, 16.85)"
    if with_leader:
        return "a leader is with the unit (16.83, 16.85)"
    if event is NkvdEvent.RELIABILITY and regiment_already_tested:
        return "its regiment was tested before: once a game (16.83)"
    return ""


def nkvd(
    *,
    charts: Book,
    event: NkvdEvent,
    with_leader: bool,
    is_leader: bool,
    regiment_already_tested: bool,
    die: int | None = None,
) -> Result:
    """Whether an NKVD unit stays: reliable, or isolated under a marker (16.83 to 16.85). One roll for each unit."""
    reason = find_no_nkvd_roll(
        event=event,
        with_leader=with_leader,
        is_leader=is_leader,
        regiment_already_tested=regiment_already_tested,
    )
    if reason:
        return Result(f"No NKVD roll: {reason}.", Nkvd.NO_ROLL, rules=NKVD_RULES)
    if die is None:
        return waiting("Roll a d10 for the NKVD unit.", "die", rules=NKVD_RULES)
    chart = charts["nkvd"]
    assert isinstance(chart, Numbers)
    outcome = Nkvd.STAYS if check_face(die, 10) <= chart.get(event.value) else Nkvd.REMOVED
    before = "A unit that is removed before the fire is no target (ruling S50)."
    return Result(
        f"NKVD unit: {outcome.word.lower()}.",
        outcome,
        dice={"die": die},
        effects=(before,) if event is NkvdEvent.RELIABILITY and outcome is Nkvd.REMOVED else (),
        rules=NKVD_RULES,
        provenance=sources([chart]),
    )
