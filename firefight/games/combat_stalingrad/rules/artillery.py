"""What artillery is called with and what falls: devices, markers, kinds of fire (17.3 to 17.5).

The rolls are in contact.py, accuracy.py, conversion.py and barrage.py.
"""

from firefight.engine.board.hexes import Hex, HexMap
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled

MAX_FFE_CORRECTION = 4  # hexes an FFE may be corrected and stay one (17.3.5.1)


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


_NEVER_CORRECTED = {
    Fire.PLOTTED: "Plotted fire is never a CFF and never corrected (17.4.8.1): choose Plot.",
    Fire.BOMBARDMENT: "A bombardment is an FFE at once and goes when the turn ends, so it is never a CFF and never "
    "corrected (17.5.2, 17.5.3): choose Bombardment.",
}


def settle_mission(marker: Marker, kind: Fire) -> tuple[Marker, Fire]:
    """The marker and the kind of fire that are meant, where one of them was left as it is in a fresh form.

    "New CFF" stands in a form where nobody has chosen yet: a bombardment is an FFE at once (17.5.2 Converting
    Bombardments), a plotted battery a Plot (17.4.8). Raises BadInput for pairs that do not go together.
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


def kind_inputs(kind: Fire) -> dict[str, str]:
    """What a follow-up is told about the kind of fire: nothing for one battery, which is usual."""
    return {} if kind is Fire.BATTERY else {"kind": kind.value}


def check_correction(marker: Marker, correction: int) -> None:
    """Raise BadInput for a correction of what has just been called, or one too far for an FFE (17.3.5.1).

    correction: hexes.
    """
    if not marker.corrected and correction:
        sentence = f"A {marker.word} has just been called: it is not corrected, so 0 belongs here."
        raise BadInput({"correction": sentence})
    if marker is Marker.FFE and correction > MAX_FFE_CORRECTION:
        sentence = f"An FFE is corrected {MAX_FFE_CORRECTION} hexes at most; to go further lift it and call a new CFF"
        raise BadInput({"correction": f"{sentence} (17.3.5.1)."})


def check_smoke(smoke: bool, kind: Fire) -> None:
    """Raise BadInput for a bombardment with smoke (17.5.1)."""
    if smoke and kind is Fire.BOMBARDMENT:
        raise BadInput({"smoke": "Bombardments never fire smoke (17.5.1)."})


def place_name(final: Hex, hexes: HexMap) -> str:
    """What to call the hex where something falls; only the map's own hexes have a name."""
    return str(final) if final in hexes else "a place off the map"


def landing(final: Hex | None, hexes: HexMap) -> dict[str, str | bool]:
    """The details of the hex where something falls, none when it is not followed."""
    if final is None:
        return {}
    return {"hex": str(final), "on_map": True} if final in hexes else {"on_map": False}
