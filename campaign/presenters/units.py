"""Units and groups as pages and sheets name them: equal ones together, by the group that they came with."""

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass

from campaign.ledger.ledger import Ledger
from campaign.models import Group, Unit
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side

from .counters import CounterPicture, show_unit

MOST_DRAWN = 100  # units of a list with pictures: if there are more, all are only named, so that a page stays small


@dataclass(frozen=True, slots=True)
class Pile:
    """Equal units together: "3 × Rifle squad, reduced". ``unit``: one of them; ``picture``: their counter."""

    number: int
    name: str
    marks: str
    hidden: bool
    unit: Unit
    picture: CounterPicture

    def __str__(self) -> str:
        state = ", ".join(filter(None, [self.marks, "hidden" if self.hidden else ""]))
        return f"{self.number} × {self.name}{f' ({state})' if state else ''}"


def pile_units(ledger: Ledger, units: Iterable[Unit], is_drawn: bool = True) -> list[Pile]:
    """Units with equal ones together, in the order in which they come; ``is_drawn``: with pictures."""
    alike: dict[tuple[str, str, bool], list[Unit]] = {}
    for unit in units:
        alike.setdefault((ledger.kind_of(unit).name, name_marks(unit), unit.hidden), []).append(unit)
    return [
        Pile(len(members), *kind, members[0], show_unit(ledger, members[0], is_drawn))
        for kind, members in alike.items()
    ]


def name_marks(unit: Unit) -> str:
    """A unit's marks in words."""
    return ", ".join(Mark(mark).word for mark in unit.marks)


@dataclass(frozen=True, slots=True)
class Party:
    """The units of one group, or the single counters of the OB, as a list shows them.

    ``rows``: each unit with its name, its marks and its counter.
    """

    group: Group | None
    title: str
    units: list[Unit]
    piles: list[Pile]
    location: str
    rows: list[tuple[Unit, str, str, CounterPicture]]

    @property
    def key(self) -> int:
        """How an address names it: the group's number, 0 for single counters."""
        return self.group.number if self.group else 0


def group_units(ledger: Ledger, units: Iterable[Unit]) -> list[Party]:
    """Units by the group that they came with."""
    members: dict[int, list[Unit]] = {}
    for unit in units:
        members.setdefault(unit.group.number if unit.group else 0, []).append(unit)
    is_drawn = sum(map(len, members.values())) <= MOST_DRAWN
    return [_gather_party(ledger, members[number], is_drawn) for number in sorted(members)]


def list_alike_groups(ledger: Ledger, units: Iterable[Unit]) -> list[tuple[str, list[Pile]]]:
    """Units by the kind of group that they came with: those of several groups alike stand together."""
    members: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.group.number if unit.group else 0):
        members.setdefault(name_group(ledger, unit.group), []).append(unit)
    return [(title, pile_units(ledger, alike)) for title, alike in members.items()]


def _gather_party(ledger: Ledger, units: list[Unit], is_drawn: bool) -> Party:
    return Party(
        group=units[0].group,
        title=name_group(ledger, units[0].group),
        units=units,
        piles=pile_units(ledger, units, is_drawn),
        location=say_where(ledger, units),
        rows=[(unit, ledger.name_unit(unit), name_marks(unit), show_unit(ledger, unit, is_drawn)) for unit in units],
    )


def name_group(ledger: Ledger, group: Group | None) -> str:
    """A group's ID and unit."""
    return f"{group.rg} {ledger.roster_line(group).unit}" if group else "Single counters"


def say_standing(ledger: Ledger, group: Group) -> str:
    """The standing of a group without units on the map, in words."""
    if group.standing != Group.Standing.IN_PLAY:
        return group.get_standing_display()
    had_units = any(unit.group is group for unit in ledger.units[Side(group.side)].values())
    return "none left" if had_units and not ledger.units_of(group) else group.get_mark_display()


def say_where(ledger: Ledger, units: Iterable[Unit]) -> str:
    """Where units are, in words: "3 in sector 11, 1 off the map"."""
    tally = Tally(unit.sector for unit in units if ledger.sets_up(unit))
    places = [f"{number} in sector {sector}" for sector, number in sorted((s, n) for s, n in tally.items() if s)]
    return ", ".join([*places, *([f"{tally[None]} off the map"] if tally[None] else [])])
