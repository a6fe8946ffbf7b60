"""Re-deployment between sectors (20.12)."""

from enum import StrEnum

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting


class Mover(StrEnum):
    """Which column of the table a unit reads."""

    INFANTRY = "infantry"
    VEHICLE = "vehicle"


class Goal(StrEnum):
    """The sector to be reached: threatened, un-threatened and own, or nobody's."""

    THREATENED = "threatened"
    FRIENDLY = "friendly"
    NEUTRAL = "neutral"


class RedeploymentOutcome(Outcome):
    """Results of the Re-Deployment Table."""

    REDEPLOYS = "redeploys"
    REDEPLOYS_CASUALTIES = "redeploys_casualties"
    REMAINS = "remains"
    REMAINS_CASUALTIES = "remains_casualties"
    ELIMINATED = "eliminated"
    WRECK = "wreck"

    @property
    def word(self) -> str:
        """The outcome in plain words."""
        return {
            "redeploys": "Re-deploys",
            "redeploys_casualties": "Re-deploys with Casualties",
            "remains_casualties": "Remains with Casualties",
        }.get(self.value, self.value.capitalize())


def redeployment(
    *,
    charts: Book,
    unit: Mover = Mover.INFANTRY,
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
    if in_sewer and unit is Mover.VEHICLE:
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
