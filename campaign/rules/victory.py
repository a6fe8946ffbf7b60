"""Campaign orders as data, and who has fulfilled them (20.5.5)."""

from dataclasses import dataclass
from typing import Any

from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.reading import FileReading, within
from firefight.games.combat_stalingrad.rules.sides import Side

from .evidence import count_steps
from .maps import EDGE_NAMES, SectorMap
from .reading import read_sectors
from .sectors import Control, Holding


@dataclass(frozen=True, slots=True)
class Demand:
    """What one verdict asks of the map: everything that it gives must hold.

    ``side`` controls all of ``sectors``; or ``any_of`` them; at least ``at_least`` and fewer than ``below`` in
    all; ``crosses``: a line of its adjacent sectors from its own edge to the enemy's.
    """

    side: Side
    sectors: tuple[int, ...] = ()
    any_of: tuple[int, ...] = ()
    at_least: int = 0
    below: int | None = None
    crosses: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of a card: ``winner`` (None for a draw) if its demand is met. The first line that is met counts.

    ``at_once``: it ends the campaign after the firefight in which it is met, not only after the last one (20.5.5).
    """

    winner: Side | None
    demand: Demand | None
    at_once: bool = False


_DEMANDS = ("side", "sectors", "any_of", "at_least", "below", "crosses")


def read_verdicts(reading: FileReading, raw: Any, sector_map: SectorMap) -> tuple[Verdict, ...]:
    """Read a card's list of verdicts. The last one has no demand: it applies otherwise."""
    verdicts = []
    rows = reading.rows(raw, "verdicts", 10)
    for place, entry in enumerate(rows, start=1):
        cell = f"verdicts {place}"
        table = reading.table(entry, cell)
        reading.only(table, cell, ("winner", "at_once", *_DEMANDS))
        winner = table.get("winner")
        if winner != "draw":
            winner = reading.word(winner, within(cell, "winner"), Side)
        demand = None
        if set(table) & set(_DEMANDS):
            demand = Demand(
                side=reading.word(table.get("side"), within(cell, "side"), Side) or Side.GERMAN,
                sectors=read_sectors(reading, table.get("sectors", []), within(cell, "sectors"), sector_map.neighbours),
                any_of=read_sectors(reading, table.get("any_of", []), within(cell, "any_of"), sector_map.neighbours),
                at_least=reading.maybe_number(table.get("at_least"), within(cell, "at_least"), 0, 22) or 0,
                below=reading.maybe_number(table.get("below"), within(cell, "below"), 1, 23),
                crosses=reading.flag(table, "crosses", cell),
            )
        if (demand is None) != (place == len(rows)):
            reading.flaw(cell, "every verdict but the last has a demand, and the last has none")
        at_once = reading.flag(table, "at_once", cell)
        if at_once and demand is None:
            reading.flaw(within(cell, "at_once"), "a verdict without a demand cannot end a campaign at once")
        verdicts.append(Verdict(None if winner == "draw" else winner, demand, at_once))
    if not rows:
        reading.flaw("verdicts", "there is none")
    return tuple(verdicts)


def is_met(demand: Demand, sector_map: SectorMap, control: Control) -> bool:
    """Whether a side's control of the map meets a demand."""
    sectors_held = {sector for sector, holding in control.items() if holding is Holding(demand.side)}
    return (
        sectors_held >= set(demand.sectors)
        and (not demand.any_of or bool(sectors_held & set(demand.any_of)))
        and len(sectors_held) >= demand.at_least
        and (demand.below is None or len(sectors_held) < demand.below)
        and (not demand.crosses or _crosses(demand.side, sector_map, sectors_held))
    )


def _crosses(side: Side, sector_map: SectorMap, sectors_held: set[int]) -> bool:
    reached = count_steps(sector_map.neighbours, sector_map.edges[side], sectors_held)
    return not reached.keys().isdisjoint(sector_map.edges[side.other])


def describe_demand(demand: Demand) -> str:
    """A demand in words."""
    clauses = [f"controls {join_numbers(demand.sectors)}"] if demand.sectors else []
    clauses += [f"controls one of {join_numbers(demand.any_of)}"] if demand.any_of else []
    clauses += [f"controls at least {demand.at_least} sectors"] if demand.at_least else []
    clauses += [f"controls fewer than {demand.below} sectors"] if demand.below is not None else []
    if demand.crosses:
        own, enemy = EDGE_NAMES[demand.side], EDGE_NAMES[demand.side.other]
        clauses.append(f"has a line of sectors from the {own} to the {enemy} edge")
    return f"the {demand.side.word} {' and '.join(clauses)}"


def find_verdict(verdicts: tuple[Verdict, ...], sector_map: SectorMap, control: Control) -> Verdict:
    """The first line that is met, as the map stands."""
    return next(line for line in verdicts if line.demand is None or is_met(line.demand, sector_map, control))


def find_verdict_at_once(verdicts: tuple[Verdict, ...], sector_map: SectorMap, control: Control) -> Verdict | None:
    """The first line that ends the campaign now, wherever it stands on the card; None if none does (20.5.5).

    A line before it that waits for the last firefight cannot hold it up.
    """
    lines = (line for line in verdicts if line.at_once and line.demand)
    return next((line for line in lines if line.demand and is_met(line.demand, sector_map, control)), None)


@dataclass(frozen=True, slots=True)
class Check:
    """A verdict as a page shows it: who wins, what it asks in words, and whether it is the one that counts now."""

    winner: str
    demand: str
    is_current: bool


def list_verdict_checks(verdicts: tuple[Verdict, ...], sector_map: SectorMap, control: Control) -> list[Check]:
    """Each line of a card, as the map stands."""
    standing = find_verdict(verdicts, sector_map, control)
    return [
        Check(
            winner=line.winner.word if line.winner else "Draw",
            demand=describe_demand(line.demand) if line.demand else "otherwise",
            is_current=line is standing,
        )
        for line in verdicts
    ]
