"""The titles of rolls that housekeeping and declarations ask for, to be checked against their inputs in a log."""

import re
from collections.abc import Iterable, Mapping

from firefight.engine.course.keeping import TableState
from firefight.engine.text import join_words
from firefight.engine.values import Values

from .about import find_set, read_flight, read_mission
from .artillery import Marker
from .close_combat import BetterOdds

Inputs = Values


def is_close_combat(title: str, inputs: Inputs, situation: TableState | None) -> bool:
    """Whether an attack of Close Combat names those who attack and those who defend (19.2.1, A-44)."""
    attackers, defenders = (_name_rows(inputs[name]) for name in ("attack", "defense"))
    if title == f"Close Combat: {attackers}: no better odds than 1-4":
        return bool(inputs.get("better_odds") == BetterOdds.NO)
    return title == f"Close Combat: {attackers} against {defenders}"


def _name_rows(rows: Iterable[Mapping[str, object]]) -> str:
    return join_words(str(row.get("name", "")) for row in rows)


def is_plot(title: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    """Whether the Contact of a plot names its mission and the turn that it was written for (17.4.8)."""
    if inputs.get("marker") != Marker.PLOT or not re.fullmatch(r"Plot of turn \d+: .+", title):
        return False
    mission = read_mission(inputs, situation) if situation else None
    return None if mission is None else title == f"Plot of turn {mission.plot_turn}: {mission.name}"


def is_stay(title: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    """Whether the roll of aircraft over the map names their group (17.6.2)."""
    if not inputs.get("already_in_play") or not title.endswith(": stay over the map?"):
        return False
    flight = read_flight(inputs, situation) if situation else None
    return None if flight is None else title == f"{flight.name}: stay over the map?"


def is_end(title: str, inputs: Inputs, situation: TableState | None) -> bool:
    """Whether the End of Firefight roll names its turn (20.2.4)."""
    return title == f"End of Firefight, turn {inputs.get('turn')}"


def is_area_attack(title: str, inputs: Inputs, situation: TableState | None) -> bool:
    """Whether artillery's attack on somebody in its zone names its own FF (17.4.3, A-57); that of an aircraft, whose
    hex a side may pick, names the hex of those it attacks as well (17.6.5, R-135)."""
    if re.fullmatch(rf"Fire on .+ \({inputs.get('ff')} FF\)", title):
        return inputs.get("artillery") is True
    # A form keeps the place of its rows apart from them.
    hexes = {row.get("hex") for row in inputs.get("units") or () if row.get("hex")}
    place = str(inputs.get("place") or next(iter(hexes), "")).partition("/")[0]
    is_air = inputs.get("weapon") == "air" and bool(place) and hexes <= {place}
    return is_air and bool(re.fullmatch(rf"{place}: (HE|MG) of .+ \({inputs.get('ff')} FF\)", title))


def is_loss(title: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    """Whether the roll for an observer's set names it (17.2.4)."""
    if not re.fullmatch(r".+: left or lost with .+\?", title):
        return False
    of_set = find_set(inputs, situation) if situation else None
    return None if of_set is None else title.startswith(f"{of_set.name}: left or lost with ")


def is_air_attack(title: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    """Whether an attack that anti-aircraft fire preceded names its hex and its aircraft (17.6.7)."""
    return _is_about_flight(title, f"Air attack on {inputs.get('hex')} by ", inputs, situation)


def is_flak(title: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    """Whether anti-aircraft fire names the aircraft that it is aimed at (17.6.7)."""
    head, at, _ = title.rpartition(" at ")
    return head.startswith("AA fire of ") and _is_about_flight(title, head + at, inputs, situation)


def _is_about_flight(title: str, head: str, inputs: Inputs, situation: TableState | None) -> bool | None:
    if not title.startswith(head):
        return False
    flight = read_flight(inputs, situation) if situation else None
    return None if flight is None else title == f"{head}{flight.name}"


TITLES = {
    "air-attack": is_air_attack,
    "anti-aircraft": is_flak,
    "fire": is_area_attack,
    "fo-loss": is_loss,
    "close-combat": is_close_combat,
    "contact": is_plot,
    "air-arrival": is_stay,
    "end-of-firefight": is_end,
}
