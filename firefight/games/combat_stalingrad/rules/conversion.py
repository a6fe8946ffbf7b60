"""Whether a CFF becomes an FFE (17.3.5, 17.5.2).

Every function takes the faces shown by the dice (d100 "00" is 100), the charts and the players'
inputs by name, and returns a frozen Result. Line of sight is the players' business.
"""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.result import FollowUp, Outcome, Result

from .artillery import MAX_FFE_CORRECTION, Fire, Marker, kind_inputs, settle_mission

MAX_CONVERSION_STRAY = 1  # hexes of stray that still convert (17.3.5)


class ConversionOutcome(Outcome):
    """Results of 17.3.5 Converting a CFF to an FFE."""

    FFE = "ffe", "FFE"
    STAYS_CFF = "stays_cff", "Stays a CFF"
    REMOVED = "removed"
    NOT_ELIGIBLE = "not_eligible"


def conversion(
    *,
    charts: Book,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    new_this_phase: bool = False,
    correction: int = 0,
    stray: int = 0,
    danger_close: bool = False,
) -> Result:
    """Say what a CFF or FFE becomes after contact and accuracy (17.3.5, 17.3.5.1, 17.3.6).

    correction and stray: hexes; a stray never counts for more than the correction (17.3.4 Accuracy). A plot and a
    bombardment need no conversion. An FFE that strays more than one hex stays an FFE, but acts in its own hex only
    (A-51, R-01). Raises BadInput for a marker and a kind that do not go together.
    """
    marker, kind = settle_mission(marker, kind)
    stray = min(stray, correction)
    outcome, headline, effects = _convert(marker, new_this_phase, correction, stray)
    becomes = {ConversionOutcome.FFE: "ffe", ConversionOutcome.STAYS_CFF: "cff"}.get(outcome)
    if outcome is ConversionOutcome.NOT_ELIGIBLE:
        becomes = "cff"
    own_hex = {"fire_2": True} if marker is Marker.FFE and stray > MAX_CONVERSION_STRAY else {}
    return Result(
        headline=headline,
        outcome=outcome,
        details={"marker": becomes, "stray": stray},
        effects=effects,
        follow_ups=(
            FollowUp(
                "firepower",
                f"Firepower of the {becomes.upper()}",
                {"marker": becomes, **kind_inputs(kind), "danger_close": danger_close, **own_hex},
            ),
        )
        if becomes
        else (),
        rules=("17.3.4 Accuracy", "17.3.5 Converting a CFF to an FFE", "17.3.5.1 Correction Limitations"),
    )


def _convert(
    marker: Marker, new_this_phase: bool, correction: int, stray: int
) -> tuple[ConversionOutcome, str, tuple[str, ...]]:
    if marker in (Marker.PLOT, Marker.BOMBARDMENT):
        return ConversionOutcome.FFE, f"A {marker.word} is an FFE at once.", ("Turn the marker to FFE.",)
    if marker is Marker.NEW_CFF or (marker is Marker.CFF and new_this_phase):
        return (
            ConversionOutcome.NOT_ELIGIBLE,
            "A CFF placed in this phase cannot convert yet.",
            ("It stays a CFF.",),
        )
    if marker is Marker.FFE and correction > MAX_FFE_CORRECTION:
        return (
            ConversionOutcome.REMOVED,
            f"An FFE corrected more than {MAX_FFE_CORRECTION} hexes is lifted.",
            ("Remove the FFE; a new CFF may be called.",),
        )
    if stray <= MAX_CONVERSION_STRAY:
        verb = "remains" if marker is Marker.FFE else "becomes"
        return (
            ConversionOutcome.FFE,
            f"It {verb} an FFE.",
            ("Turn the marker to FFE; at the end of the phase it gets Fire 2.",),
        )
    if marker is Marker.FFE:
        return (
            ConversionOutcome.FFE,
            f"It strays {stray} hexes: it remains an FFE, with firepower in its own hex only.",
            ("At the end of the phase it gets Fire 2.",),
        )
    return (
        ConversionOutcome.STAYS_CFF,
        f"It strays {stray} hexes: it stays a CFF.",
        ("Put a bracket marker in its new hex.",),
    )
