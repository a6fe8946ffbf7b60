"""Sheets to print. Each draws what its Printing holds, which is no more than its reader may know."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from firefight.drawing.paper import Paper
from firefight.games.combat_stalingrad.rules.sides import Side

from . import map as sector_map
from . import record, roster
from .printing import Printing


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet. ``summary``: what is on it; ``blank``: its use with nothing filled in."""

    title: str
    summary: str
    blank: str
    draw: Callable[[Printing], Paper]


SHEETS = {
    **{
        f"roster-{side}": SheetKind(
            f"{side.capitalize()} roster",
            "Each group in its box with its counters, the boxes ticked as bought; CP, groups in hand, counters left.",
            "check boxes for both campaigns, room for CP and purchases.",
            partial(roster.draw_roster_sheet, side=side),
        )
        for side in Side
    },
    "map": SheetKind(
        "Sector map",
        "Who controls what, which sectors are isolated, and the units in each.",
        "the sectors with room to write, and a box to tick for who holds each.",
        sector_map.draw_map_sheet,
    ),
    "record": SheetKind(
        "Firefight record",
        "Turns and End of Firefight rolls, batteries, your plots, aircraft, who left and who is hurt; reminders.",
        "the turn track, and lines for batteries, plots, aircraft and losses; reminders.",
        record.draw_record_sheet,
    ),
}
