"""Contact with a battery, and calling plotted fire off (17.3.1, 17.4.8.1.1).

Every function takes the faces shown by the dice (d100 "00" is 100), the charts and the players'
inputs by name, and returns a frozen Result. Line of sight is the players' business.
"""

from collections.abc import Sequence

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting

from .artillery import Device, Fire, Marker, check_correction, check_smoke, kind_inputs, settle_mission

LIFTED_ROLLS = (98, 99)
BATTERY_LOST_ROLL = 100


class ContactOutcome(Outcome):
    """Results of 17.3.1 Contact."""

    CONTACT = "contact"
    NO_CONTACT = "no_contact"
    LIFTED = "lifted"
    BATTERY_LOST = "battery_lost"


def contact(
    *,
    charts: Book,
    device: Device,
    aerial_observer: bool = False,
    danger_close: bool = False,
    supply: str = "normal",
    other_drm: int = 0,
    marker: Marker = Marker.NEW_CFF,
    kind: Fire = Fire.BATTERY,
    correction: int = 0,
    smoke: bool = False,
    die: int | None = None,
) -> Result:
    """Try to reach the battery (17.3.1 Contact, 17.3.1.1 Contact DRM, 17.3.8 Danger Close).

    die: natural d100. supply: normal, high or low, the battery's Ammunition Supply Rate. marker, kind,
    correction (hexes) and smoke prepare the next roll; see ``settle_mission`` for what marker and kind leave open.
    The natural 98, 99 and 00 are read before any DRM. Raises BadInput when an aerial observer has no radio
    (17.2.7), when plotted fire is to be corrected (17.4.8.1) or called in another way (17.3.1), for an
    impossible correction (17.3.5.1, A-51), and for a bombardment with smoke (17.5.1).
    """
    if aerial_observer and device is not Device.RADIO:
        raise BadInput({"device": "An aerial observer uses a radio (17.2.7)."})
    marker, kind = _settle_call(device, marker, kind)
    check_correction(marker, correction)
    check_smoke(smoke, kind)
    limits: Numbers = charts["contact"]
    drm: Numbers = charts["artillery_drm"]
    rates: Numbers = charts["ammunition_supply"]
    limit = limits.get(device.value)
    modifiers = without_zeroes(
        aerial_observer and Modifier("Aerial observer", drm.get("aerial_observer"), "17.2.7 Spotter Planes"),
        danger_close and Modifier("Danger close", drm.get("danger_close"), "17.3.8 Danger Close"),
        Modifier(f"Ammunition supply {supply}", rates.get(supply), "17.3.1.1 Contact DRM"),
        other(other_drm),
    )
    if die is None:
        return waiting(_say_contact_needed(limit - total(modifiers)), "die", modifiers=modifiers)
    outcome, modified = _contact_outcome(check_face(die, 100), modifiers, limit)
    used = (limits, drm) if supply == "normal" else (limits, drm, rates)
    return Result(
        headline=_contact_headline(outcome, die, modified, limit),
        outcome=outcome,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details={"limit": limit},
        effects=_contact_effects(outcome, marker),
        follow_ups=_after_contact(marker, kind, correction, aerial_observer, danger_close, smoke)
        if outcome is ContactOutcome.CONTACT
        else (),
        rules=("17.3.1 Contact", "17.3.1.1 Contact DRM"),
        provenance=sources(used),
    )


def _settle_call(device: Device, marker: Marker, kind: Fire) -> tuple[Marker, Fire]:
    """What is called in: plotted fire is always a Plot, and nothing else is one (17.3.1, 17.4.8.1). Raises BadInput."""
    is_plotted = device is Device.PLOTTED
    if is_plotted and marker.corrected:
        raise BadInput({"marker": "Plotted fire is never corrected (17.4.8.1): choose Plot or Bombardment."})
    if not is_plotted and (marker is Marker.PLOT or kind is Fire.PLOTTED):
        raise BadInput({"device": "A Plot is called as plotted fire, by phone (17.3.1): choose that."})
    marker, kind = settle_mission(marker, kind)
    if not is_plotted:
        return marker, kind
    return Marker.PLOT, Fire.BOMBARDMENT if kind is Fire.BOMBARDMENT else Fire.PLOTTED


def _contact_outcome(die: int, modifiers: Sequence[Modifier], limit: int) -> tuple[ContactOutcome, int]:
    modified = die + total(modifiers)
    if die == BATTERY_LOST_ROLL:
        return ContactOutcome.BATTERY_LOST, modified
    if die in LIFTED_ROLLS:
        return ContactOutcome.LIFTED, modified
    return (ContactOutcome.CONTACT if modified <= limit else ContactOutcome.NO_CONTACT), modified


def _say_contact_needed(face: int) -> str:
    """What is needed, as the face of the die: natural 98, 99 and 00 never reach a battery."""
    if face < 1:
        return "No die is low enough for contact: roll for 98, 99 and 00."
    return f"Contact needs {min(face, min(LIFTED_ROLLS) - 1)} or less on the die."


def _contact_headline(outcome: ContactOutcome, die: int, modified: int, limit: int) -> str:
    return {
        ContactOutcome.CONTACT: f"Contact: {modified} against {limit}.",
        ContactOutcome.NO_CONTACT: f"No contact: {modified} against {limit}.",
        ContactOutcome.LIFTED: f"Natural {die}: the fire is lifted for this phase.",
        ContactOutcome.BATTERY_LOST: "Natural 00: the battery is lost.",
    }[outcome]


def _contact_effects(outcome: ContactOutcome, marker: Marker) -> tuple[str, ...]:
    removal = (f"Remove the {marker.word} from the map.",) if marker.corrected else ()
    match outcome:
        case ContactOutcome.CONTACT if marker is Marker.PLOT:
            return ("Put the Plot in one of its two written hexes.",)
        case ContactOutcome.CONTACT if not marker.corrected:
            placed = "FFE" if marker is Marker.BOMBARDMENT else "CFF"
            return (f"Once the {placed} is placed, put a Fire marker on the observer (Fire 2 on a leader).",)
        case ContactOutcome.CONTACT:
            return ()
        case ContactOutcome.NO_CONTACT if marker is Marker.PLOT:
            return ("Another impulse of this phase may try the plot again.",)
        case ContactOutcome.NO_CONTACT:
            return (*removal, "No other unit may use this radio or phone in this phase.")
        case ContactOutcome.LIFTED:
            return (*removal, "This battery tries no more in this phase; it may try again next turn.")
        case _:
            return (*removal, "The battery is out for the rest of the firefight; in a campaign, for good.")


def _after_contact(
    marker: Marker, kind: Fire, correction: int, aerial_observer: bool, danger_close: bool, smoke: bool
) -> tuple[FollowUp, ...]:
    carried: dict[str, object] = {"marker": marker.value, **kind_inputs(kind), **({"smoke": True} if smoke else {})}
    if marker is Marker.PLOT:
        return (FollowUp("accuracy", "Accuracy of the Plot", carried),)
    carried["danger_close"] = danger_close
    if marker.corrected and correction == 0:
        # Nothing moves, so nothing can stray: straight to the conversion.
        return (FollowUp("conversion", "Conversion in place", {**carried, "correction": 0, "stray": 0}),)
    inputs = {**carried, "aerial_observer": aerial_observer}
    if marker.corrected:
        inputs["correction"] = correction
    return (FollowUp("accuracy", f"Accuracy of the {marker.word}", inputs),)


class CallOffOutcome(Outcome):
    """Results of 17.4.8.1.1 Calling Off Plotted Fire."""

    CALLED_OFF = "called_off"
    CONTINUES = "continues"
    LIFTED = "lifted"
    BATTERY_LOST = "battery_lost"


def call_off(*, charts: Book, other_drm: int = 0, die: int | None = None, second_die: int | None = None) -> Result:
    """Call off plotted fire: a contact roll by phone, then a d10 (17.4.8.1.1).

    die: natural d100; second_die: d10, asked for after contact. 98, 99 and 00 act as on any contact (A-11).
    """
    limits: Numbers = charts["contact"]
    table: Bands = charts["call_off"]
    limit = limits.get("plotted")
    modifiers = without_zeroes(other(other_drm))
    if die is None:
        return waiting(_say_contact_needed(limit - total(modifiers)), "die", modifiers=modifiers)
    reached, modified = _contact_outcome(check_face(die, 100), modifiers, limit)
    rules = ("17.4.8.1.1 Calling Off Plotted Fire",)
    if reached is not ContactOutcome.CONTACT:
        outcome = {
            ContactOutcome.NO_CONTACT: CallOffOutcome.CONTINUES,
            ContactOutcome.LIFTED: CallOffOutcome.LIFTED,
            ContactOutcome.BATTERY_LOST: CallOffOutcome.BATTERY_LOST,
        }[reached]
        return Result(
            headline=_contact_headline(reached, die, modified, limit)
            + (" The plotted fire goes on." if outcome is CallOffOutcome.CONTINUES else ""),
            outcome=outcome,
            dice={"die": die},
            modified=modified,
            modifiers=modifiers,
            details={"limit": limit},
            effects=_contact_effects(reached, Marker.FFE) if outcome is not CallOffOutcome.CONTINUES else (),
            rules=rules,
            provenance=sources((limits,)),
        )
    if second_die is None:
        return waiting(
            f"Contact: {modified} against {limit}. Now the d10.",
            "second_die",
            dice={"die": die},
            modified=modified,
            modifiers=modifiers,
            rules=rules,
        )
    outcome = CallOffOutcome(table.look_up(check_face(second_die, 10, "second_die")))
    off = outcome is CallOffOutcome.CALLED_OFF
    return Result(
        headline=f"Contact, then {second_die}: the plotted fire {'is called off' if off else 'goes on'}.",
        outcome=outcome,
        dice={"die": die, "second_die": second_die},
        modified=modified,
        modifiers=modifiers,
        details={"limit": limit},
        effects=("Remove the FFE for good; the plot counts as used.",) if off else (),
        rules=rules,
        provenance=sources((limits, table)),
    )
