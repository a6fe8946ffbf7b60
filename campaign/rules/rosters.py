"""Rosters of Reinforcement Groups (20.3.2, 20.3.3)."""

import re
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from firefight.engine.charts.cells import Unreadable
from firefight.engine.charts.kinds import Bands, Problem
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.reading import FileProvenance, FileReading, within
from firefight.games.combat_stalingrad.rules.sides import Side

CAMPAIGNS = ("cg1", "cg2")


class Time(StrEnum):
    """When a campaign firefight takes place (20.2.5)."""

    DAWN = "Dawn"
    AM = "AM"
    PM = "PM"
    NIGHT = "Night"


class GroupType(Labelled):
    """What a Reinforcement Group is."""

    INFANTRY = "infantry"
    GUNS = "guns"
    VEHICLES = "vehicles"
    ARTILLERY = "artillery"
    BOMBARDMENT = "bombardment"
    AIRCRAFT = "aircraft"
    FORTIFICATION = "fortification"
    NEST = "nest"
    ATTACK = "attack"


BATTERIES = (GroupType.ARTILLERY, GroupType.BOMBARDMENT)


# 20.8.3 names the letters of these three; the others are up to the roster.
PAYING_LETTERS = {"I": GroupType.INFANTRY, "G": GroupType.GUNS, "V": GroupType.VEHICLES}
# Groups of these types are put on the map; the rest work from off the map.
ON_MAP = {*PAYING_LETTERS.values(), GroupType.FORTIFICATION, GroupType.NEST}


@dataclass(frozen=True, slots=True)
class Mix:
    """Counters that dice decide: ``number`` of them, each by a roll on ``bands`` (20.3.3)."""

    number: int
    bands: Bands

    @property
    def kinds(self) -> tuple[str, ...]:
        """The counters that may come."""
        return tuple(dict.fromkeys(band.value for band in self.bands.bands if band.value))

    def drawn(self, dice: Sequence[int]) -> Tally[str]:
        """The counters for these dice, one die each. Raises BadInput for a wrong number of dice, BadDie."""
        if len(dice) != self.number:
            raise BadInput({"dice": f"This group needs {self.number} dice, one for each counter, not {len(dice)}."})
        return Tally(self.bands.look_up(check_face(die, self.bands.sides)) for die in dice)


@dataclass(frozen=True, slots=True)
class Group:
    """One Reinforcement Group: a line of the roster.

    ``boxes``: how many may be bought, by campaign. ``arrival``: the number of an aircraft group.
    ``times``: when it can be bought, all times if empty. ``bonus_cp``: what the +2 of an Attack costs.
    """

    id: str
    type: GroupType
    unit: str
    contents: Mapping[str, int]
    mix: Mix | None
    cp: int
    boxes: Mapping[str, int]
    leader: bool
    plotted: bool
    caliber: int | None
    arrival: int | None
    bonus_cp: int | None
    times: tuple[Time, ...]
    notes: tuple[str, ...]
    origin: FileProvenance

    @property
    def pays_to_go_in(self) -> bool:
        """Whether set-up beyond the edge sectors costs extra: IDs that start with I, G or V (20.8.3)."""
        return self.id[0] in PAYING_LETTERS

    @property
    def has_dice(self) -> bool:
        """Whether it is bought with dice: those of its mix (20.3.3), or a leader roll (20.9.1)."""
        return self.mix is not None or self.leader

    @property
    def sets_up(self) -> bool:
        """Whether it is placed on the map at all."""
        return self.type in ON_MAP


@dataclass(frozen=True, slots=True)
class Roster:
    """All groups of a side by ID."""

    name: str
    side: Side
    groups: Mapping[str, Group]


_PARTS = ("id", "type", "unit", "contents", "mix", "cp", "boxes", "leader", "plotted", "caliber", "arrival")
_KNOWN = (*_PARTS, "bonus_cp", "times", "notes", "provenance", "text", "house", "owner")


def read_roster(data: object, counters: Mapping[Side, Mapping[str, Counter]]) -> tuple[Roster | None, list[Problem]]:
    """Read a side's roster and list every problem; with any problem there is no roster."""
    roster, problems = parse_roster(data, counters)
    return (None if problems else roster), problems


def parse_roster(data: object, counters: Mapping[Side, Mapping[str, Counter]]) -> tuple[Roster | None, list[Problem]]:
    """A side's roster as far as it can be read, None without a side, and every problem."""
    word = data.get("side") if isinstance(data, Mapping) else None
    reading = FileReading(f"roster_{word}" if word in tuple(Side) else "roster")
    raw = reading.head(data, "side", "provenance", "groups")
    side = reading.word(raw.get("side"), "side", Side)
    default = reading.origin(raw, "").provenance or "house"
    name = reading.text(raw, "name", "", 80)
    # In a roster without a side, a counter of either side will do.
    side_counters = counters.get(side) if side else None
    known_counters = side_counters or {**counters.get(Side.GERMAN, {}), **counters.get(Side.RUSSIAN, {})}
    groups: dict[str, Group] = {}
    for place, entry in enumerate(reading.rows(raw.get("groups"), "groups"), start=1):
        group = _read_group(reading, place, entry, known_counters, default)
        if group and group.id in groups:
            reading.flaw(group.id, "this ID stands twice")
        elif group:
            groups[group.id] = group
    if not groups:
        reading.flaw("groups", "there is no Reinforcement Group")
    return (Roster(name, side, groups) if side else None), reading.problems


def _read_group(
    reading: FileReading, place: int, entry: object, counters: Mapping[str, Counter], default: str
) -> Group | None:
    """A group of a roster's file; its flaws are noted with the reading. None for one of an unknown type.

    ``place``: which of the list it is, from 1, for one without an ID. ``default``: whose its values are.
    """
    raw = reading.table(entry, f"group {place}")
    identity = raw.get("id")
    if not isinstance(identity, str) or not re.fullmatch(r"[A-Z]{1,3}[0-9]{0,2}", identity):
        reading.flaw(f"group {place}", "needs an ID such as I1: capital letters, then a number")
        identity = f"group {place}"
    reading.only(raw, identity, _KNOWN)
    kind = reading.word(raw.get("type"), within(identity, "type"), GroupType)
    if kind and PAYING_LETTERS.get(identity[0], kind) is not kind:
        reading.flaw(identity, f"an ID with {identity[0]} is for {PAYING_LETTERS[identity[0]]} (20.8.3)")
    if kind in PAYING_LETTERS.values() and PAYING_LETTERS.get(identity[0]) is not kind:
        letter = next(letter for letter, paying in PAYING_LETTERS.items() if paying is kind)
        reading.flaw(identity, f"the ID of {kind} starts with {letter} (20.8.3)")
    boxes = reading.table(raw.get("boxes"), within(identity, "boxes"))
    reading.only(boxes, within(identity, "boxes"), CAMPAIGNS)
    times = reading.rows(raw.get("times", []), within(identity, "times"), len(Time))
    # Without a type it is read all the same, so that all its flaws are said at once.
    group = Group(
        id=identity,
        type=kind or GroupType.INFANTRY,
        unit=reading.text(raw, "unit", identity, 60),
        contents=_read_contents(reading, raw.get("contents", {}), within(identity, "contents"), counters),
        mix=_read_mix(reading, raw["mix"], within(identity, "mix"), counters) if "mix" in raw else None,
        cp=reading.number(raw.get("cp"), within(identity, "cp"), 0, 99),
        boxes={
            campaign: reading.number(boxes.get(campaign), within(identity, f"boxes.{campaign}"), 0, 20)
            for campaign in CAMPAIGNS
        },
        leader=reading.flag(raw, "leader", identity),
        plotted=reading.flag(raw, "plotted", identity),
        caliber=reading.maybe_number(raw.get("caliber"), within(identity, "caliber"), 45, 400),
        arrival=reading.maybe_number(raw.get("arrival"), within(identity, "arrival"), 1, 10),
        bonus_cp=reading.maybe_number(raw.get("bonus_cp"), within(identity, "bonus_cp"), 0, 99),
        times=tuple(filter(None, (reading.word(time, within(identity, "times"), Time) for time in times))),
        notes=reading.texts(raw, "notes", identity),
        origin=reading.origin(raw, identity, default, set(raw)),
    )
    if kind is None:
        return None
    _check_shape(reading, group)
    return group


def _check_shape(reading: FileReading, group: Group) -> None:
    """What a group of its type must have, and what it cannot have."""
    identity, kind = group.id, group.type
    values = {"caliber": group.caliber, "arrival": group.arrival, "bonus_cp": group.bonus_cp}
    needed = {
        GroupType.ARTILLERY: "caliber",
        GroupType.BOMBARDMENT: "caliber",
        GroupType.AIRCRAFT: "arrival",
        GroupType.ATTACK: "bonus_cp",
    }
    for name, value in values.items():
        if needed.get(kind) == name and value is None:
            reading.flaw(within(identity, name), f"is missing: the type is {kind}")
        elif needed.get(kind) != name and value is not None:
            reading.flaw(within(identity, name), f"has no meaning for {kind}")
    has_counters = bool(group.contents or group.mix)
    wants_counters = kind in ON_MAP or kind is GroupType.AIRCRAFT
    if wants_counters != has_counters:
        reading.flaw(within(identity, "contents"), f"{kind} {'needs' if wants_counters else 'has no'} counters")
    if group.plotted and kind not in (GroupType.ARTILLERY, GroupType.BOMBARDMENT):
        reading.flaw(within(identity, "plotted"), f"has no meaning for {kind}")


def _read_contents(reading: FileReading, raw: object, cell: str, counters: Mapping[str, Counter]) -> dict[str, int]:
    contents = {}
    for key, number in reading.table(raw, cell).items():
        if key not in counters:
            reading.flaw(cell, f"names an unknown counter: {key[:40]}")
        contents[key] = reading.number(number, within(cell, key), 1, 20)
    return contents


def _read_mix(reading: FileReading, raw: object, cell: str, counters: Mapping[str, Counter]) -> Mix | None:
    table = reading.table(raw, cell)
    reading.only(table, cell, ("number", "sides", "bands"))
    number = reading.number(table.get("number"), within(cell, "number"), 1, 20)
    head = {"name": cell, "title": cell, "rule": "20.3.3 Notes and Unit Totals", "provenance": ""}
    try:
        bands = Bands.read(head, table)
    except Unreadable as flaw:
        reading.flaw(within(cell, flaw.cell), str(flaw))
        return None
    for problem in bands.problems():
        reading.flaw(within(cell, problem.cell), problem.message)
    if bands.sides not in (10, 100):
        reading.flaw(within(cell, "sides"), "should be 10 or 100")
    for band in bands.bands:
        if band.value not in counters:
            reading.flaw(within(cell, band), f"names an unknown counter: {str(band.value)[:40]}")
    return Mix(number, bands)
