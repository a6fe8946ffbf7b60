"""Calling artillery: contact, accuracy, brackets, conversion, firepower (17.3 to 17.5).

Every function takes the faces shown by the dice (d100 "00" is 100), the charts and the players'
inputs by name, and returns a frozen Result. Line of sight is the players' business.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.board.hexes import DIRECTION_NAMES, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.kinds import Bands, Chart, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import count_of

from .units import Unit, common_modifiers

LIFTED_ROLLS = (98, 99)
BATTERY_LOST_ROLL = 100
FREE_CORRECTION = 2  # hexes of correction without a DRM (17.3.4.1)
MAX_FFE_CORRECTION = 4  # hexes an FFE may be corrected and stay one (17.3.5.1)
MAX_CONVERSION_STRAY = 1  # hexes of stray that still convert (17.3.5)
CFF_SHARE = 4  # a CFF brings one quarter (17.4.2)


class Device(Labelled):
    """How the battery is reached (17.3.1)."""

    RADIO = "radio"
    PHONE = "phone"
    PLOTTED = "plotted", "Plotted fire"


class Marker(Labelled):
    """The artillery marker that a roll is about."""

    NEW_CFF = "new_cff", "new CFF"
    CFF = "cff", "CFF"
    FFE = "ffe", "FFE"
    PLOT = "plot"
    BOMBARDMENT = "bombardment"

    @property
    def corrected(self) -> bool:
        """Already on the map, so that it can be corrected or converted."""
        return self in (Marker.CFF, Marker.FFE)


class Fire(Labelled):
    """Whose firepower falls: one battery's, a plotted battery's, or a bombardment's."""

    BATTERY = "battery", "One battery"
    PLOTTED = "plotted", "Plotted battery"
    BOMBARDMENT = "bombardment"

    @property
    def radius(self) -> int:
        """Hexes around an FFE that it affects: 6 neighbours, or 36 hexes (17.5.2 Area of Effect)."""
        return 3 if self is Fire.BOMBARDMENT else 1


def settle_mission(marker: Marker, kind: Fire) -> tuple[Marker, Fire]:
    """The marker and the kind of fire that are meant, where one of them was left as it is in a fresh form.

    A new CFF is what nobody has chosen yet: a bombardment is an FFE at once (17.5.2 Converting Bombardments), a
    plotted battery a Plot (17.4.8). Raises BadInput for pairs that there cannot be.
    """
    if marker is Marker.BOMBARDMENT and kind is Fire.PLOTTED:
        raise BadInput({"kind": "For a plotted bombardment choose the marker Plot and the kind Bombardment (17.5.2)."})
    if marker.corrected and kind is not Fire.BATTERY:
        raise BadInput({"marker": _NEVER_CORRECTED[kind]})
    if marker is Marker.BOMBARDMENT or kind is Fire.BOMBARDMENT:
        return (Marker.PLOT if marker is Marker.PLOT else Marker.BOMBARDMENT), Fire.BOMBARDMENT
    if marker is Marker.PLOT or kind is Fire.PLOTTED:
        return Marker.PLOT, Fire.PLOTTED
    return marker, kind


_NEVER_CORRECTED = {
    Fire.PLOTTED: "Plotted fire is never a CFF and never corrected (17.4.8.1): choose Plot.",
    Fire.BOMBARDMENT: "A bombardment is an FFE at once and goes when the turn ends, so it is never a CFF and never "
    "corrected (17.5.2, 17.5.3): choose Bombardment.",
}


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
    (17.2.7), when plotted fire is to be corrected (17.4.8.1) or called in another way (17.3.1), for a correction
    that there cannot be (17.3.5.1, A-51), and for a bombardment with smoke (17.5.1).
    """
    if aerial_observer and device is not Device.RADIO:
        raise BadInput({"device": "An aerial observer uses a radio (17.2.7)."})
    marker, kind = _settle_call(device, marker, kind)
    _check_correction(marker, correction)
    _check_smoke(smoke, kind)
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
    """What is asked for, as what the die shows: natural 98, 99 and 00 never reach a battery."""
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
    gone = (f"Remove the {marker.word} from the map.",) if marker.corrected else ()
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
            return (*gone, "No other unit may use this radio or phone in this phase.")
        case ContactOutcome.LIFTED:
            return (*gone, "This battery tries no more in this phase; it may try again next turn.")
        case _:
            return (*gone, "The battery is out for the rest of the firefight; in a campaign, for good.")


def _after_contact(
    marker: Marker, kind: Fire, correction: int, aerial_observer: bool, danger_close: bool, smoke: bool
) -> tuple[FollowUp, ...]:
    carried: dict[str, object] = {"marker": marker.value, **_kind_inputs(kind), **({"smoke": True} if smoke else {})}
    if marker is Marker.PLOT:
        return (FollowUp("accuracy", "Accuracy of the Plot", carried),)
    carried["danger_close"] = danger_close
    if marker.corrected and correction == 0:
        # Nothing moves, so nothing can stray: straight to the conversion (A-06).
        return (FollowUp("conversion", "Conversion in place", {**carried, "correction": 0, "stray": 0}),)
    inputs = {**carried, "aerial_observer": aerial_observer}
    if marker.corrected:
        inputs["correction"] = correction
    return (FollowUp("accuracy", f"Accuracy of the {marker.word}", inputs),)


def _kind_inputs(kind: Fire) -> dict[str, str]:
    return {} if kind is Fire.BATTERY else {"kind": kind.value}


def _check_correction(marker: Marker, correction: int) -> None:
    if not marker.corrected and correction:
        word = f"A {marker.word} has just been called: it is not corrected, so 0 belongs here."
        raise BadInput({"correction": word})
    if marker is Marker.FFE and correction > MAX_FFE_CORRECTION:
        word = f"An FFE is corrected {MAX_FFE_CORRECTION} hexes at most; to go further lift it and call a new CFF"
        raise BadInput({"correction": f"{word} (17.3.5.1)."})


def _check_smoke(smoke: bool, kind: Fire) -> None:
    if smoke and kind is Fire.BOMBARDMENT:
        raise BadInput({"smoke": "Bombardments never fire smoke (17.5.1)."})


class AccuracyOutcome(Outcome):
    """Results of 17.3.4 Accuracy."""

    ON_TARGET = "on_target"
    STRAYS = "strays"


_ACCURACY_RULES = ("17.3.4 Accuracy", "17.3.4.1 Accuracy DRM")


def accuracy(
    *,
    charts: Book,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    correction: int = 0,
    bracketed: bool = False,
    registered: bool = False,
    aerial_observer: bool = False,
    other_drm: int = 0,
    aim: str = "",
    takes_up: str = "",
    die: int | None = None,
    direction_die: int | None = None,
) -> Result:
    """Find the hex where a marker really falls (17.3.4 Accuracy and its DRM, 17.3.4.2 Bracketing).

    die: natural d100; direction_die: d10, asked for when the marker strays and again when the
    face gives no direction. correction: hexes from the present to the announced hex. aim: the
    announced hex; with it the final hex is named, or how far over the rim it lies (A-48). A corrected marker never
    strays further than its correction; a new one has no such cap (A-06). kind: see ``settle_mission``.
    takes_up: of two brackets the one that players take up for a new one (17.3.4.2), "" for the due one. Raises BadInput
    when the inputs contradict.
    """
    marker, kind = settle_mission(marker, kind)
    _check_accuracy(marker, correction, bracketed, registered, aerial_observer, other_drm)
    modifiers = _accuracy_modifiers(charts, correction, bracketed, registered, aerial_observer, other_drm)
    if die is None:
        return waiting("Accuracy: a low roll is good.", "die", modifiers=modifiers)
    modified = check_face(die, 100) + total(modifiers)
    table: Bands = charts["accuracy"]
    rolled = int(table.look_up(modified))
    fall = _Fall(
        marker=marker,
        kind=kind,
        correction=correction,
        target=charts["map"].hexes.parse(aim) if aim else None,
        modifiers=modifiers,
        die=die,
        modified=modified,
        rolled=rolled,
        stray=min(rolled, correction) if marker.corrected else rolled,
        used=(table, charts["artillery_drm"]) if modifiers else (table,),
    )
    if fall.stray == 0:
        return _tell_on_target(fall)
    compass: Bands = charts["direction"]
    word = "again" if direction_die is None else compass.look_up(check_face(direction_die, 10, "direction_die"))
    if direction_die is None or word == "again":
        return _ask_direction(fall, direction_die)
    return _tell_stray(charts, fall, direction_die, int(word), takes_up)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fall:
    """How a marker falls. ``rolled``: the hexes that the table says, ``stray``: those that count; ``used``: charts."""

    marker: Marker
    kind: Fire
    correction: int
    target: Hex | None
    modifiers: tuple[Modifier, ...]
    die: int
    modified: int
    rolled: int
    stray: int
    used: tuple[Chart, ...]

    @property
    def label(self) -> str:
        """How far it strays, in words."""
        return f"strays {count_of(self.stray, 'hex', 'hexes')}"

    @property
    def words(self) -> str:
        """The same, and why it is less than the table says."""
        capped = f" (the table says {self.rolled}, cut to the correction)" if self.stray < self.rolled else ""
        return f"{self.label}{capped}"


def _tell_on_target(fall: _Fall) -> Result:
    return Result(
        headline="On target." if fall.rolled == 0 else "On target: without a correction nothing strays.",
        outcome=AccuracyOutcome.ON_TARGET,
        dice={"die": fall.die},
        modified=fall.modified,
        modifiers=fall.modifiers,
        details={"distance": 0, **({"hex": str(fall.target)} if fall.target else {})},
        effects=(f"The marker stays in {fall.target or 'the hex aimed at'}.",),
        follow_ups=_after_accuracy(
            fall.marker, fall.kind, fall.correction, 0, {"impact": str(fall.target)} if fall.target else {}
        ),
        rules=_ACCURACY_RULES,
        provenance=sources(fall.used),
    )


def _ask_direction(fall: _Fall, direction_die: int | None) -> Result:
    """Ask for the die of the direction, again where its face gives none."""
    again = "" if direction_die is None else f" The direction die {direction_die} gives none: roll it again."
    return waiting(
        f"It {fall.words}.{again}",
        "direction_die",
        outcome=AccuracyOutcome.STRAYS,
        label=fall.label,
        dice={"die": fall.die},
        modified=fall.modified,
        modifiers=fall.modifiers,
        details={"distance": fall.stray, "table_distance": fall.rolled},
        rules=_ACCURACY_RULES,
    )


def _tell_stray(charts: Book, fall: _Fall, direction_die: int, direction: int, takes_up: str) -> Result:
    hexes: HexMap = charts["map"].hexes
    final = hexes.step(fall.target, direction, fall.stray) if fall.target else None
    acts = final is None or any(place in hexes for place in hexes.within(final, _reach(fall.marker, fall.kind)))
    impact = _impact(fall.target, final, direction, fall.stray, hexes)
    return Result(
        headline=f"It {fall.words} to the {DIRECTION_NAMES[direction]}"
        + (f", to {place_name(final, hexes)}." if final else "."),
        outcome=AccuracyOutcome.STRAYS,
        label=fall.label,
        dice={"die": fall.die, "direction_die": direction_die},
        modified=fall.modified,
        modifiers=fall.modifiers,
        details={
            "distance": fall.stray,
            "table_distance": fall.rolled,
            "direction": direction,
            **landing(final, hexes),
        },
        effects=_stray_effects(fall.marker, fall.stray, final, hexes, acts, takes_up),
        follow_ups=_after_accuracy(fall.marker, fall.kind, fall.correction, fall.stray, impact) if acts else (),
        rules=_ACCURACY_RULES,
        provenance=sources((*fall.used, charts["direction"]) + ((charts["map"],) if final else ())),
    )


def _reach(marker: Marker, kind: Fire) -> int:
    """How far from its hex a marker may act once it has fallen: a new CFF stays a CFF for this phase (17.4.2)."""
    return 0 if marker is Marker.NEW_CFF else kind.radius


def _impact(target: Hex | None, final: Hex | None, direction: int, stray: int, hexes: HexMap) -> dict[str, str | int]:
    """Where a marker fell, as the inputs of its firepower: over the rim no hex has a name (A-48)."""
    if final is None:
        return {}
    if final in hexes:
        return {"impact": str(final)}
    return {"impact": str(target), "rim_hexes": stray, "rim_direction": direction}


def _check_accuracy(
    marker: Marker, correction: int, bracketed: bool, registered: bool, aerial_observer: bool, other_drm: int
) -> None:
    if marker is Marker.PLOT and (bracketed or registered or aerial_observer or other_drm):
        raise BadInput({"marker": "Plotted fire takes no accuracy DRM and no bracket (17.4.8, 17.3.4.2)."})
    _check_correction(marker, correction)


def _accuracy_modifiers(
    charts: Book, correction: int, bracketed: bool, registered: bool, aerial_observer: bool, other_drm: int
) -> tuple[Modifier, ...]:
    drm: Numbers = charts["artillery_drm"]
    steps = 0 if bracketed else max(0, correction - FREE_CORRECTION)
    return without_zeroes(
        Modifier(f"Correction of {correction} hexes", steps * drm.get("range_step"), "17.3.4.1 Accuracy DRM"),
        bracketed and Modifier("Bracketed", drm.get("bracketed"), "17.3.4.2 Bracketing"),
        registered and Modifier("Registered hex", drm.get("registered"), "17.3.4.1 Accuracy DRM"),
        aerial_observer and Modifier("Aerial observer", drm.get("aerial_observer"), "17.2.7 Spotter Planes"),
        other(other_drm),
    )


def _stray_effects(
    marker: Marker, stray: int, final: Hex | None, hexes: HexMap, acts: bool, takes_up: str
) -> tuple[str, ...]:
    if final is not None and final not in hexes:
        if not acts:
            return ("The marker leaves the map: it has no effect there.",)
        return ("The marker lies off the map: only its hexes on the map suffer, and it cannot be corrected (A-48).",)
    moved = f"Move the marker {count_of(stray, 'hex', 'hexes')}{f' to {final}' if final else ''}."
    if marker in (Marker.PLOT, Marker.BOMBARDMENT):
        return (moved,)
    instead = f", and take up the one in {takes_up}" if takes_up else "; two at most for one CFF or FFE"
    return (moved, f"Put a bracket marker where it lands{instead}.")


def _after_accuracy(
    marker: Marker, kind: Fire, correction: int, stray: int, where: Mapping[str, str | int]
) -> tuple[FollowUp, ...]:
    carried = {**where, **_kind_inputs(kind)}
    if marker.corrected:
        inputs = {**carried, "marker": marker.value, "correction": correction, "stray": stray}
        return (FollowUp("conversion", f"Conversion of the {marker.word}", inputs),)
    if marker is Marker.NEW_CFF:
        return (FollowUp("firepower", "Firepower of the CFF", {**carried, "marker": "cff"}),)
    # A plot and a bombardment act at once (17.4.8, 17.5.2).
    return (FollowUp("firepower", "Firepower of the FFE", {**carried, "marker": "ffe"}),)


class BracketOutcome(Outcome):
    """Results of 17.3.4.2 Bracketing."""

    BETWEEN = "between"
    NOT_BETWEEN = "not_between"


def bracket(*, charts: Book, aim: str, first: str, second: str) -> Result:
    """Say whether a hex lies with or between two bracket markers (17.3.4.2 Bracketing).

    Between: from neither marker further than the markers are from each other, in hexes.
    """
    hexes: HexMap = charts["map"].hexes
    target, one, two = (hexes.parse(text) for text in (aim, first, second))
    apart, to_one, to_two = hexes.distance(one, two), hexes.distance(target, one), hexes.distance(target, two)
    between = max(to_one, to_two) <= apart
    return Result(
        headline=f"{target} is {'' if between else 'not '}between {one} and {two}: "
        f"{to_one} and {to_two} hexes from them, they are {apart} apart.",
        outcome=BracketOutcome.BETWEEN if between else BracketOutcome.NOT_BETWEEN,
        details={"apart": apart, "to_first": to_one, "to_second": to_two},
        effects=("The bracket DRM counts; the DRM for the length of the correction does not.",) if between else (),
        rules=("17.3.4.2 Bracketing",),
        provenance=sources((charts["map"],)),
    )


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
    (A-51, R-01). Raises BadInput for pairs of marker and kind that there cannot be.
    """
    marker, kind = settle_mission(marker, kind)
    stray = min(stray, correction)
    outcome, headline, effects = _converted(marker, new_this_phase, correction, stray)
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
                {"marker": becomes, **_kind_inputs(kind), "danger_close": danger_close, **own_hex},
            ),
        )
        if becomes
        else (),
        rules=("17.3.4 Accuracy", "17.3.5 Converting a CFF to an FFE", "17.3.5.1 Correction Limitations"),
    )


def _converted(
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


class FirepowerOutcome(Outcome):
    """Whether artillery has firepower in a hex."""

    FF = "ff", "Firepower"
    NO_FF = "no_ff", "No firepower"


def firepower(
    *,
    charts: Book,
    caliber: int,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    distance: int = 0,
    smoke: bool = False,
    danger_close: bool = False,
    fire_2: bool = False,
    impact: str = "",
    rim_hexes: int = 0,
    rim_direction: int = 1,
    units: Sequence[Unit] = (),
) -> Result:
    """Firepower factors (FF) of artillery in a hex and the fire rolls that follow (17.4.1 to 17.5.3).

    caliber: millimetres, rounded down to a row. distance: hexes from the marker for targets whose
    hex is not given. impact: the marker's hex; units that name their hex are measured from it. A marker over the
    rim of the map lies rim_hexes from impact in rim_direction, 1 to 6 clockwise from north (A-48).
    fire_2: an FFE that acts in its own hex only, since it was not called again (17.3.6). A Bombardment marker is
    an FFE at once (17.5.2). A CFF's quarter rounds down, an FFE's shares round up; below 45 mm there is no share
    (R-02). Units of one location share a roll (A-50). Raises BadInput for inputs that contradict.
    """
    marker, kind = _settle_fire(marker, kind, fire_2)
    _check_smoke(smoke, kind)
    hexes: HexMap = charts["map"].hexes
    centre = _marker_place(impact, rim_hexes, rim_direction, hexes)
    table: Numbers = charts["artillery_ff"]
    shares: Numbers = charts["ffe_shares"]
    row = table.floor_row(caliber)
    full = table.get(row)

    def at(hexes_away: int) -> tuple[int, str]:
        return _ff_at(full, shares, caliber, marker, kind, hexes_away, smoke, danger_close, fire_2)

    spreads = marker is Marker.FFE and not fire_2 and (smoke or _has_share(shares, caliber))
    area = _area(centre, hexes, kind.radius if spreads else 0) if centre and (smoke or at(0)[0]) else []
    reach = _find_reach(centre, area, hexes, distance)
    ff, reason = (0, "none of its hexes lies on the map") if reach is None else at(reach)
    falls = (f"It falls on {', '.join(map(str, area))}.",) if ff and area else ()
    follow_ups, missed = _fire_rolls(units, centre, hexes, reach or 0, at)
    if not units and ff:
        follow_ups = (FollowUp("fire", f"Fire with {ff} FF", {"ff": ff, "artillery": True}),)
    return Result(
        headline=f"{ff} FF: {reason}." if ff else f"No firepower: {reason}.",
        outcome=FirepowerOutcome.FF if ff else FirepowerOutcome.NO_FF,
        details={
            "ff": ff,
            "column": int(charts["fft"].floor_column(ff)) if ff else None,
            "row": int(row),
            "full": full,
            **({"hexes": [str(place) for place in area]} if area else {}),
        },
        effects=(*missed, *falls, *_smoke_effects(smoke, marker is Marker.FFE and not fire_2)),
        follow_ups=follow_ups,
        rules=("17.4.1 Area", "17.4.2 CFF FP", "17.4.3 FFE FP", "17.4.5 Attack Resolution"),
        provenance=sources((table, shares) + ((charts["map"],) if centre else ())),
    )


def _settle_fire(marker: Marker, kind: Fire, fire_2: bool) -> tuple[Marker, Fire]:
    """What acts: a Bombardment marker is the FFE of a bombardment. Raises BadInput for what there cannot be."""
    if marker is not Marker.FFE:
        marker, kind = settle_mission(marker, kind)
    if marker is Marker.BOMBARDMENT:
        marker = Marker.FFE
    if fire_2 and kind is not Fire.BATTERY:
        raise BadInput({"fire_2": "Plotted fire and bombardments last one phase: no Fire 2 (17.4.8.1, 17.5.3)."})
    return marker, kind


def find_zone(
    *,
    charts: Book,
    caliber: int | None,
    marker: Marker,
    kind: Fire = Fire.BATTERY,
    smoke: bool = False,
    danger_close: bool = False,
    fire_2: bool = False,
    impact: str = "",
    rim_hexes: int = 0,
    rim_direction: int = 1,
) -> tuple[Hex, ...]:
    """The hexes of the map that an impact attacks, the nearest first (17.4.2, 17.4.3, 17.5.2); see ``firepower``.

    None where the marker's hex is not known, and for what has no firepower. How much there is in each is not asked:
    a caliber or a cell of the chart may still be missing. Raises BadInput for inputs that contradict.
    """
    marker, kind = _settle_fire(marker, kind, fire_2)
    hexes: HexMap = charts["map"].hexes
    centre = _marker_place(impact, rim_hexes, rim_direction, hexes)
    if centre is None or smoke or marker is Marker.PLOT or (danger_close and marker is not Marker.FFE):
        return ()
    spreads = marker is Marker.FFE and not fire_2 and (caliber is None or _has_share(charts["ffe_shares"], caliber))
    return tuple(_area(centre, hexes, kind.radius if spreads else 0))


def _marker_place(impact: str, rim_hexes: int, rim_direction: int, hexes: HexMap) -> Hex | None:
    if rim_hexes and not impact:
        raise BadInput({"impact": "Give the hex that the marker left on its way over the rim."})
    if not impact:
        return None
    return hexes.step(hexes.parse(impact), rim_direction, rim_hexes)


def _find_reach(centre: Hex | None, area: Sequence[Hex], hexes: HexMap, distance: int) -> int | None:
    """How far from the marker the fire is asked for: from one over the rim the nearest hex of the map that it acts on,
    None where that is none (A-48)."""
    if centre is None or centre in hexes or distance:
        return distance
    return min((hexes.distance(centre, place) for place in area), default=None)


def _area(centre: Hex, hexes: HexMap, radius: int) -> list[Hex]:
    """The map's hexes that a marker acts on: its own, and an FFE's neighbours or 36 around (17.4.2, 17.4.3, 17.5.2)."""
    return [place for place in hexes.within(centre, radius) if place in hexes]


def _ff_at(
    full: int,
    shares: Numbers,
    caliber: int,
    marker: Marker,
    kind: Fire,
    distance: int,
    smoke: bool,
    danger_close: bool,
    fire_2: bool,
) -> tuple[int, str]:
    """FF at a distance from the marker, and why."""
    if smoke:
        return 0, "smoke has none"
    if marker is Marker.PLOT:
        return 0, "a Plot has none until it is an FFE"
    if marker is not Marker.FFE:
        if danger_close:
            return 0, "a danger-close CFF has none"
        if distance:
            return 0, "a CFF acts in its own hex only"
        return full // CFF_SHARE, f"a quarter of {full}, fractions down"
    if distance == 0:
        return full, "an FFE in its own hex"
    if fire_2:
        return 0, "a Fire 2 FFE that was not called again acts in its own hex only"
    if distance > kind.radius:
        return 0, f"{distance} hexes away is outside its area"
    if not _has_share(shares, caliber):
        return 0, f"{caliber} mm has no share outside the own hex (17.4.3)"
    share = shares.get(shares.floor_row(caliber))
    return -(-full * share // 100), f"{share} % of {full} next to an FFE, fractions up"


def _has_share(shares: Numbers, caliber: int) -> bool:
    return any(is_digits(lowest) and int(lowest) <= caliber for lowest in shares.values)


def _fire_rolls(
    units: Sequence[Unit], centre: Hex | None, hexes: HexMap, distance: int, at: Callable[[int], tuple[int, str]]
) -> tuple[tuple[FollowUp, ...], tuple[str, ...]]:
    """One fire roll for each location, at its own distance (17.4.5); its units may differ in their DRM (A-50)."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        groups.setdefault((unit.hex.upper(), unit.where), []).append(unit)
    rolls, missed = [], []
    for (place, where), group in groups.items():
        away = hexes.distance(centre, hexes.parse(place)) if centre and place else distance
        ff, reason = at(away)
        target = " ".join(filter(None, (place, where))) or ", ".join(unit.called() for unit in group)
        if ff:
            inputs = {
                "ff": ff,
                "artillery": True,
                "modifiers": common_modifiers(group),
                "units": [unit.plain() for unit in group],
            }
            rolls.append(FollowUp("fire", f"Fire on {target} ({ff} FF)", inputs))
        else:
            missed.append(f"{target}: not attacked ({reason}).")
    return tuple(rolls), tuple(missed)


def _smoke_effects(smoke: bool, spreads: bool) -> tuple[str, ...]:
    if not smoke:
        return ()
    area = "its hex and the six around it" if spreads else "its hex"
    return (f"Smoke stands in {area}, three levels high: +10 to fire into or through it.",)


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


def place_name(final: Hex, hexes: HexMap) -> str:
    """What to call the hex where something falls; only the map's own hexes have a name."""
    return str(final) if final in hexes else "a place off the map"


def landing(final: Hex | None, hexes: HexMap) -> dict[str, str | bool]:
    """The details of the hex where something falls, none when it is not followed."""
    if final is None:
        return {}
    return {"hex": str(final), "on_map": True} if final in hexes else {"on_map": False}
