"""Re-deployment between sectors (20.12)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

from .sectors import Control, Holding
from .units import IMPAIRING


class MoverColumn(Labelled):
    """Which column of the table a unit reads."""

    INFANTRY = "infantry"
    VEHICLE = "vehicle", "mobile vehicle"


class Goal(Labelled):
    """The sector to be reached: threatened, un-threatened and own, or nobody's."""

    THREATENED = "threatened"
    FRIENDLY = "friendly", "own and un-threatened"
    NEUTRAL = "neutral", "nobody's"


class RedeploymentOutcome(Outcome):
    """Results of the Re-Deployment Table."""

    REDEPLOYS = "redeploys", "Re-deploys"
    REDEPLOYS_CASUALTIES = "redeploys_casualties", "Re-deploys with Casualties"
    REMAINS = "remains"
    REMAINS_CASUALTIES = "remains_casualties", "Remains with Casualties"
    ELIMINATED = "eliminated"
    WRECK = "wreck"


def redeployment(
    *,
    charts: Book,
    unit: MoverColumn = MoverColumn.INFANTRY,
    impaired: bool = False,
    into: Goal = Goal.FRIENDLY,
    in_sewer: bool = False,
    die: int | None = None,
) -> Result:
    """Roll to leave for a connected sector that the enemy does not control (20.12.1).

    unit: infantry, or a vehicle that can move. impaired: Disrupted, WIA, Suppressed or under
    Enfilade, +1 once (A-32). The last DRM of the list is read as -1, for own ground only (A-31).
    die: natural d10; totals clamp to 1-10 for look-up. Raises BadInput for a vehicle in a sewer.
    """
    if in_sewer and unit is MoverColumn.VEHICLE:
        raise BadInput({"in_sewer": "Vehicles are never in a sewer."})
    drm = charts["redeployment_drm"]
    modifiers = without_zeroes(
        Modifier("Disrupted, WIA, Suppressed or Enfilade", drm.get("impaired"), "20.12.1") if impaired else None,
        Modifier("In a sewer", drm.get("in_sewer"), "20.12.1") if in_sewer else None,
        Modifier(f"Into a {into.value} sector", drm.get(into.value), "20.12.1"),
    )
    if die is None:
        return waiting("A low roll is good.", "die", modifiers=modifiers)
    table = charts[f"redeployment_{unit.value}"]
    modified = check_face(die, 10) + total(modifiers)
    outcome = RedeploymentOutcome(table.look_up(modified))
    return Result(
        headline=f"{outcome.word}: {modified} on the Re-Deployment Table.",
        outcome=outcome,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        effects=_EFFECTS[outcome],
        rules=("20.12.1 Re-Deployment Table",),
        provenance=sources((table, drm)),
    )


_EFFECTS = {
    RedeploymentOutcome.REDEPLOYS: ("Place it in the new sector.",),
    RedeploymentOutcome.REDEPLOYS_CASUALTIES: ("Apply Casualties, then place what is left in the new sector.",),
    RedeploymentOutcome.REMAINS: ("It stays and fights.",),
    RedeploymentOutcome.REMAINS_CASUALTIES: ("Apply Casualties; what is left stays and fights.",),
    RedeploymentOutcome.ELIMINATED: ("Remove it.",),
    RedeploymentOutcome.WRECK: ("Replace it with a wreck.",),
}


# Who may leave, and for where


@dataclass(frozen=True, slots=True)
class Leaver:
    """A unit as the Re-Deployment Table sees it."""

    unit: MoverColumn
    impaired: bool
    in_sewer: bool

    @classmethod
    def of(cls, kind: CounterKind, marks: Collection[str]) -> "Leaver":
        """The same for a counter and its marks."""
        mover = MoverColumn.VEHICLE if kind is CounterKind.VEHICLE else MoverColumn.INFANTRY
        return cls(mover, not IMPAIRING.isdisjoint(marks), Mark.IN_SEWER in marks)

    def roll(self, charts: Book, into: Goal, die: int | None = None) -> Result:
        """Roll for it, see ``redeployment``."""
        return redeployment(
            charts=charts, unit=self.unit, impaired=self.impaired, into=into, in_sewer=self.in_sewer, die=die
        )

    def inputs(self, into: Goal) -> dict[str, object]:
        """What ``redeployment`` is given for it, by name."""
        return {"unit": self.unit, "impaired": self.impaired, "in_sewer": self.in_sewer, "into": into}


def goal_of(holding: Holding) -> Goal:
    """What kind of sector is to be reached (20.12.1)."""
    if holding is Holding.THREATENED:
        return Goal.THREATENED
    return Goal.FRIENDLY if holding.side else Goal.NEUTRAL


def find_goals(
    side: Side, sector: int, neighbours: Mapping[int, Collection[int]], control: Control, is_final: bool = False
) -> dict[int, Holding]:
    """Where a side's units may re-deploy to: connected sectors that the enemy does not control (20.12.1).

    ``is_final``: at the end of the phase, only to own ones (20.6.4 step 5).
    """
    open_to = (side,) if is_final else (side, None)
    return {other: control[other] for other in neighbours[sector] if control[other].side in open_to}


def may_try_to_leave(marks: Collection[str], has_tried: bool) -> bool:
    """Whether a unit may try to leave: not M-KILLED, and no try yet in this step (20.12.1, A-47)."""
    return not has_tried and Mark.M_KILLED not in marks


def against_leaving(name: str, open_to: Collection[int] | None, goal: int) -> Objection | None:
    """What speaks against a unit's try to reach a sector. ``open_to``: those it may try; None: it may not leave."""
    if open_to is None:
        return Objection(f"{name} cannot leave in this step.", "20.12.1")
    if goal not in open_to:
        reachable = ", ".join(map(str, open_to))
        return Objection(f"{name} cannot re-deploy to sector {goal}; it can reach {reachable}.", "20.12.1")
    return None


def takes_casualties(outcome: RedeploymentOutcome) -> bool:
    """Whether the unit takes Casualties."""
    return outcome in (RedeploymentOutcome.REDEPLOYS_CASUALTIES, RedeploymentOutcome.REMAINS_CASUALTIES)


def is_lost(outcome: RedeploymentOutcome) -> bool:
    """Whether the unit is gone."""
    return outcome in (RedeploymentOutcome.ELIMINATED, RedeploymentOutcome.WRECK)


def arrives(outcome: RedeploymentOutcome) -> bool:
    """Whether the unit comes to the other sector, if Casualties leave anything of it."""
    return outcome in (RedeploymentOutcome.REDEPLOYS, RedeploymentOutcome.REDEPLOYS_CASUALTIES)


def meets_enemy(place: str, enemy_place: str) -> bool:
    """Whether a unit meets an enemy where it arrives: in the same hex both are in close combat (20.6.4 step 2).

    Where nobody noted the hex, no enemy is met.
    """
    return bool(place) and place == enemy_place


def marks_on_arrival(marks: Collection[str]) -> list[str]:
    """What a unit is marked with in the new sector, at ground level and out of Close Combat (20.6.4 step 2)."""
    return [mark for mark in marks if mark not in (Mark.IN_SEWER, Mark.CLOSE_COMBAT)]
