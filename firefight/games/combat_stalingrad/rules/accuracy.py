"""Where a mission comes down: accuracy, and brackets (17.3.4).

Every function takes the faces shown by the dice (d100 "00" is 100), the charts and the players'
inputs by name, and returns a frozen Result. Line of sight is the players' business.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from firefight.engine.board.hexes import DIRECTION_NAMES, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands, Chart, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import count_of

from .artillery import Fire, Marker, check_correction, kind_inputs, landing, place_name, settle_mission

FREE_CORRECTION = 2  # hexes of correction without a DRM (17.3.4.1)
_ACCURACY_RULES = ("17.3.4 Accuracy", "17.3.4.1 Accuracy DRM")


class AccuracyOutcome(Outcome):
    """Results of 17.3.4 Accuracy."""

    ON_TARGET = "on_target"
    STRAYS = "strays"


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
    when the inputs contradict each other.
    """
    marker, kind = settle_mission(marker, kind)
    if marker is Marker.PLOT and (bracketed or registered or aerial_observer or other_drm):
        raise BadInput({"marker": "Plotted fire takes no accuracy DRM and no bracket (17.4.8, 17.3.4.2)."})
    check_correction(marker, correction)
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
    """How a marker falls. ``rolled``: the hexes of the table, ``stray``: those that count; ``used``: charts."""

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
    marker: Marker, kind: Fire, correction: int, stray: int, impact: Mapping[str, str | int]
) -> tuple[FollowUp, ...]:
    carried = {**impact, **kind_inputs(kind)}
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

    Between: no further from either marker than the markers are from each other, in hexes.
    """
    hexes: HexMap = charts["map"].hexes
    target, first_hex, second_hex = (hexes.parse(text) for text in (aim, first, second))
    apart, to_first, to_second = (
        hexes.distance(first_hex, second_hex),
        hexes.distance(target, first_hex),
        hexes.distance(target, second_hex),
    )
    between = max(to_first, to_second) <= apart
    return Result(
        headline=f"{target} is {'' if between else 'not '}between {first_hex} and {second_hex}: "
        f"{to_first} and {to_second} hexes from them, they are {apart} apart.",
        outcome=BracketOutcome.BETWEEN if between else BracketOutcome.NOT_BETWEEN,
        details={"apart": apart, "to_first": to_first, "to_second": to_second},
        effects=("The bracket DRM counts; the DRM for the length of the correction does not.",) if between else (),
        rules=("17.3.4.2 Bracketing",),
        provenance=sources((charts["map"],)),
    )
