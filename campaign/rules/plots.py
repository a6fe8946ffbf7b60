"""What is written down before a firefight: plots of batteries, off-map observers (17.2.6, 17.4.8)."""

from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN


def against_plotting(rg: str, is_plotted: bool, is_in_play: bool) -> Objection | None:
    """What speaks against a plot of a group: only batteries that the roster calls plotted have one (17.4.8)."""
    return None if is_plotted and is_in_play else Objection(f"{rg} is not a plotted battery in play.", "17.4.8")


def against_plot(hexes: tuple[str, str], turn: int) -> Objection | None:
    """What speaks against a plot: it has two different hexes, and a turn of the firefight (17.4.8)."""
    if not 1 <= turn <= LAST_TURN:
        return Objection(f"A turn is 1 to {LAST_TURN}, not {turn}.", "17.4.8")
    if hexes[0] == hexes[1]:
        return Objection("A plot has two different hexes.", "17.4.8")
    return None


def find_hexrow(side: Side, first_column: str, last_column: str) -> str:
    """The hexrow of a side's map edge, where its off-map observers are (17.2.6)."""
    return first_column if side is Side.GERMAN else last_column


def against_observer(place: str, hexrow: str) -> Objection | None:
    """What speaks against an off-map observer in a hex (17.2.6)."""
    if place.startswith(hexrow):
        return None
    return Objection(f"{place} is not on your edge: an off-map observer has a hex of hexrow {hexrow}.", "17.2.6")


def against_opening(plotted_for: int, turn: int) -> Objection | None:
    """What speaks against showing a plot now: it is shown in its turn (17.4.8)."""
    if plotted_for == turn:
        return None
    return Objection(f"This plot is for turn {plotted_for}, and it is turn {turn}.", "17.4.8")
