"""Trying out who could hold what: one row for each sector, with its words and what a tap turns it into."""

from dataclasses import dataclass

from campaign.pictures.board import view_sectors
from campaign.rules.maps import EDGE_NAMES, SectorMap
from campaign.rules.sectors import Control, Holding, LineToEdge, find_lines, write_control
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.views.shown_board import ShownBoard

from .board import show_sectors


@dataclass(frozen=True, slots=True)
class SectorRow:
    """One sector. ``turned``: the letters of the whole map once this sector has gone to ``next_holding``."""

    number: int
    holding: Holding
    line: LineToEdge | None
    next_holding: Holding
    turned: str
    chosen: bool = False
    changed: bool = False

    @property
    def href(self) -> str:
        """The address of the map once this sector is turned over."""
        return f"?held={self.turned}#sectors"

    @property
    def mark(self) -> str:
        """What stands under the number: whose it is, and how far in or cut off."""
        if self.line is None:
            return "both" if self.holding is Holding.THREATENED else "nobody"
        initial = self.holding.value[0].upper()
        if self.line.is_isolated:
            return f"{initial} cut off"
        return f"{initial} +{self.line.steps_in}" if self.line.steps_in else initial

    @property
    def surcharge(self) -> str:
        """The extra CP for setting up a new group of its owner here."""
        if self.line is None:
            return "–"
        return "isolated" if self.line.is_isolated else f"+{self.line.steps_in} CP" if self.line.steps_in else "free"

    @property
    def way(self) -> str:
        """The line to the edge or the reason that there is none, in words."""
        if self.line is None:
            return "To be fought out." if self.holding is Holding.THREATENED else "–"
        if self.line.is_isolated:
            return self.line.reason
        return " – ".join([*map(str, self.line.chain), f"{EDGE_NAMES[self.line.side]} edge"])

    @property
    def sentence(self) -> str:
        """The sector in a sentence, for whoever cannot see the drawing."""
        cost = "" if self.line is None or self.line.is_isolated else f", set-up {self.surcharge}"
        isolated = ", isolated" if self.line and self.line.is_isolated else ""
        return f"Sector {self.number}: {self.holding.word}{isolated}{cost}. Make it {self.next_holding.word}"


def list_sector_rows(sector_map: SectorMap, control: Control) -> list[SectorRow]:
    """All sectors in number order."""
    ways = {number: line for side in Side for number, line in find_lines(sector_map, control, side).items()}
    cycle = list(Holding)
    rows = []
    for number in sorted(control):
        following = cycle[(cycle.index(control[number]) + 1) % len(cycle)]
        rows.append(
            SectorRow(
                number=number,
                holding=control[number],
                line=ways.get(number),
                next_holding=following,
                turned=write_control({**control, number: following}),
            )
        )
    return rows


def show_rows(sector_map: SectorMap, rows: list[SectorRow]) -> ShownBoard:
    """The map on which a tap turns a sector over."""
    view = view_sectors((row, row.sentence, ()) for row in rows)
    return show_sectors(sector_map, view, {row.number: row.href for row in rows})
