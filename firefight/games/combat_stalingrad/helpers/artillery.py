"""Helpers of chapter 17 for artillery: from contact to the fire of every location."""

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, HexField, NumberField, Pick, TickField

from ..rules import accuracy, artillery, barrage, contact, conversion
from . import shared
from .shared import D100, DIRECTION, OtherDrmForm, PlacedRow, game_helper, over_the_rim

# Markers that lie on the map, so that they can be moved.
CORRECTED = tuple(marker.value for marker in artillery.Marker if marker.corrected)


class MissionForm(HelperForm):
    """What a battery is to do, given once and carried to the last roll of the chain."""

    caliber = shared.caliber()
    kind = shared.kind_of_fire()
    smoke = TickField("Smoke shells")
    units = shared.units(PlacedRow)


class ContactForm(MissionForm):
    """Inputs of the contact roll; the target is given here once, for all that follows."""

    field_order = ("device", "kind", "marker", "correction", "smoke")
    ahead = ("caliber", "units", "aim", "bracketed", "registered", "new_this_phase")
    seldom = ("supply", "other_drm", "smoke", "aerial_observer")
    only_with = {"correction": ("marker", CORRECTED)}

    device = Pick.among("Reached by", artillery.Device)
    aerial_observer = TickField("Aerial observer")
    danger_close = TickField("Danger close: friends within 6 hexes")
    supply = Pick("Ammunition supply", {"normal": "Normal", "high": "High", "low": "Low"})
    other_drm = shared.other_drm()
    marker = shared.marker()
    correction = shared.correction()
    aim = HexField("Hex aimed at")
    bracketed = TickField("With or between two brackets")
    registered = TickField("Registered hex")
    new_this_phase = TickField("The CFF was placed in this phase")


class AccuracyForm(MissionForm):
    """Inputs of the accuracy roll."""

    field_order = ("marker", "kind", "correction", "aim")
    ahead = ("caliber", "smoke", "units", "danger_close", "new_this_phase")
    seldom = ("registered", "aerial_observer", "other_drm")
    only_with = {"correction": ("marker", CORRECTED)}
    if_offered = ("takes_up",)

    marker = shared.marker()
    correction = shared.correction()
    bracketed = TickField("With or between two brackets")
    registered = TickField("Registered hex")
    aerial_observer = TickField("Aerial observer")
    other_drm = shared.other_drm()
    aim = HexField("Hex aimed at")
    takes_up = HexField("Bracket to take up if another is set (17.3.4.2)")
    danger_close = TickField("Danger close")
    new_this_phase = TickField("The CFF was placed in this phase")


class BracketForm(HelperForm):
    """Inputs of the bracket question."""

    aim = HexField("Hex aimed at", required=True)
    first = HexField("First bracket", required=True)
    second = HexField("Second bracket", required=True)


class ConversionForm(MissionForm):
    """Inputs of a conversion."""

    field_order = ("marker", "kind", "new_this_phase", "correction", "stray", "danger_close")
    ahead = ("caliber", "smoke", "units", "impact", "rim_hexes", "rim_direction")

    marker = shared.marker(
        artillery.Marker.CFF,
        artillery.Marker.FFE,
        artillery.Marker.NEW_CFF,
        artillery.Marker.PLOT,
        artillery.Marker.BOMBARDMENT,
    )
    new_this_phase = TickField("The CFF was placed in this phase")
    correction = shared.correction()
    stray = NumberField("Stray (hexes)", 0, 40)
    danger_close = TickField("Danger close")
    impact = HexField("Hex of the marker")
    rim_hexes, rim_direction = over_the_rim()


class FirepowerForm(HelperForm):
    """Inputs of artillery firepower."""

    caliber = shared.caliber(required=True)
    marker = shared.marker(artillery.Marker.FFE, artillery.Marker.CFF, artillery.Marker.PLOT)
    kind = shared.kind_of_fire()
    distance = NumberField("Distance from the marker (hexes)", 0, 40)
    smoke = TickField("Smoke shells")
    danger_close = TickField("Danger close")
    fire_2 = TickField("FFE in its own hex only: Fire 2, not called again")
    impact = HexField("Hex of the marker")
    rim_hexes, rim_direction = over_the_rim()
    units = shared.units(PlacedRow, most=shared.MOST_STRUCK)


HELPERS = (
    game_helper(
        "contact",
        title="Contact",
        group="Artillery",
        purpose="Reach the battery by radio, phone or plot; the whole fire mission starts here.",
        rules=("17.3.1 Contact", "17.3.1.1 Contact DRM", "17.3.8 Danger Close"),
        form=ContactForm,
        rule=contact.contact,
        outcomes=contact.ContactOutcome,
        dice=(D100,),
    ),
    game_helper(
        "accuracy",
        title="Accuracy",
        group="Artillery",
        purpose="Where a new or corrected marker really falls.",
        rules=("17.3.4 Accuracy", "17.3.4.1 Accuracy DRM", "17.3.4.2 Bracketing"),
        form=AccuracyForm,
        rule=accuracy.accuracy,
        outcomes=accuracy.AccuracyOutcome,
        dice=(D100, DIRECTION),
        brief={"strays": "strays"},
    ),
    game_helper(
        "bracket",
        title="Bracket",
        group="Artillery",
        purpose="Whether a hex lies with or between two bracket markers.",
        rules=("17.3.4.2 Bracketing",),
        form=BracketForm,
        rule=accuracy.bracket,
        outcomes=accuracy.BracketOutcome,
    ),
    game_helper(
        "conversion",
        title="Conversion",
        group="Artillery",
        purpose="What a CFF or FFE becomes after contact and accuracy.",
        rules=("17.3.5 Converting a CFF to an FFE", "17.3.5.1 Correction Limitations"),
        form=ConversionForm,
        rule=conversion.conversion,
        outcomes=conversion.ConversionOutcome,
    ),
    game_helper(
        "firepower",
        title="Artillery firepower",
        group="Artillery",
        purpose="FF in the marker's hex and around it, and one fire roll for each location.",
        rules=("17.4.1 Area", "17.4.2 CFF FP", "17.4.3 FFE FP", "17.5.2 Area of Effect"),
        form=FirepowerForm,
        rule=barrage.firepower,
        outcomes=barrage.FirepowerOutcome,
    ),
    game_helper(
        "call-off",
        title="Call off plotted fire",
        group="Artillery",
        purpose="Contact by phone, then a d10.",
        rules=("17.4.8.1.1 Calling Off Plotted Fire",),
        form=OtherDrmForm,
        rule=contact.call_off,
        outcomes=contact.CallOffOutcome,
        dice=(D100, DieSpec("second_die", 10, "Second d10, after contact", apart=True)),
    ),
)
