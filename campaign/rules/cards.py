"""Campaign cards (20.2): the firefights by time, what both sides start with, and what they must achieve."""

import re
from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firefight.engine.charts.kinds import Problem
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.reading import FileProvenance, FileReading, within
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN

from .maps import SectorMap
from .reading import read_sectors
from .rosters import CAMPAIGNS, Roster, Time
from .upkeep import FIRST_CHECKED_TURN
from .victory import Verdict, read_verdicts

CHECKED_TURNS = range(FIRST_CHECKED_TURN, LAST_TURN + 1)


class Stance(Labelled):
    """What a side is in the first firefight: named on the card, or free to choose (20.5.3)."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    CHOOSES = "chooses", "chooses Attack or Hold"


@dataclass(frozen=True, slots=True)
class Forces:
    """A side's half of a card. Later CP are one die of ``die_sides`` plus ``die_add`` (20.2.2)."""

    stance: Stance
    cp: int
    die_sides: int
    die_add: int
    deployment: tuple[int, ...]
    groups: Mapping[str, int]
    counters: Mapping[str, int]
    orders: tuple[str, ...]
    origin: FileProvenance

    @property
    def reinforcement(self) -> str:
        """The reinforcement roll as players write it."""
        return f"d{self.die_sides} + {self.die_add}" if self.die_add else f"d{self.die_sides}"

    @property
    def die(self) -> DieSpec:
        """The die of the reinforcement roll."""
        return DieSpec("die", self.die_sides, f"Reinforcements d{self.die_sides}")

    def reinforce(self, face: int) -> int:
        """The CP that a reinforcement roll brings (20.2.2)."""
        return face + self.die_add


@dataclass(frozen=True, slots=True)
class Card:
    """One campaign. ``end_numbers``: the End of Firefight number by turn (20.2.4).

    ``verdicts``: the orders of both sides as the app can check them, first line first (20.5.5).
    """

    id: str
    label: str
    name: str
    times: tuple[Time, ...]
    end_numbers: Mapping[int, int]
    random_hex: str
    forces: Mapping[Side, Forces]
    draw: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    origin: FileProvenance

    def is_last(self, firefight: int) -> bool:
        """Whether no firefight follows this one (20.5.5)."""
        return firefight == len(self.times)

    def find_random_hex(self, noted: str, has_been_fought: bool) -> str:
        """Where the Random marker is: where it was noted, before the first firefight in the card's hex (20.5.8 step 4).

        After a firefight in which nobody noted it, nobody knows: "".
        """
        return noted or ("" if has_been_fought else self.random_hex)


_MARKS = ("provenance", "text", "house", "owner")
_VALUES = ("label", "times", "end_numbers", "random_hex", "draw", "verdicts")
_FORCES = ("stance", "cp", "reinforcement", "deployment", "at_start", "orders")


def read_card(
    data: object,
    sector_map: SectorMap,
    rosters: Mapping[Side, Roster],
    counters: Mapping[Side, Mapping[str, Counter]],
) -> tuple[Card | None, list[Problem]]:
    """Read a card against its map, rosters and counters, and list every problem; with any problem there is no card."""
    word = data.get("id") if isinstance(data, Mapping) else None
    identity = word if word in CAMPAIGNS else ""
    reading = FileReading(f"card_{identity}" if identity else "card")
    raw = reading.head(data, "id", *_VALUES, *_MARKS, *Side)
    if not identity:
        reading.flaw("id", f"should be one of {', '.join(CAMPAIGNS)}")
    origin = reading.origin(raw, "", names={*_VALUES, "name"})
    times = [reading.word(time, "times", Time) for time in reading.rows(raw.get("times"), "times", 12)]
    if not times:
        reading.flaw("times", "there is no firefight")
    numbers = reading.table(raw.get("end_numbers"), "end_numbers")
    reading.only(numbers, "end_numbers", map(str, CHECKED_TURNS))
    hex_name = reading.text(raw, "random_hex", "", 4)
    if hex_name and not re.fullmatch(r"[A-Y](?:[4-9]|[1-9][0-9]{1,2})", hex_name):
        reading.flaw("random_hex", "should be a hex of the map: A to Y, then a number from 4")
    card = Card(
        id=identity,
        label=reading.text(raw, "label", "", 20),
        name=reading.text(raw, "name", "", 80),
        times=tuple(filter(None, times)),
        end_numbers={
            turn: reading.number(numbers.get(str(turn)), f"end_numbers.{turn}", 1, 10) for turn in CHECKED_TURNS
        },
        random_hex=hex_name,
        draw=reading.texts(raw, "draw", ""),
        verdicts=read_verdicts(reading, raw.get("verdicts"), sector_map),
        forces={
            side: _read_forces(
                reading, side, raw.get(side), origin.provenance, sector_map, rosters[side], counters[side]
            )
            for side in Side
        },
        origin=origin,
    )
    stances = {forces.stance for forces in card.forces.values()}
    if stances not in ({Stance.ATTACKER, Stance.DEFENDER}, {Stance.CHOOSES}):
        reading.flaw("stance", "one side attacks and the other defends, or both choose (20.5.3)")
    for cell, message in _against_text(card):
        reading.flaw(cell, message)
    return (None if reading.problems else card), reading.problems


def _read_forces(
    reading: FileReading,
    side: Side,
    entry: object,
    default: str,
    sector_map: SectorMap,
    roster: Roster,
    counters: Mapping[str, Counter],
) -> Forces:
    """What a card gives a side; more at the start than the box holds is a flaw like any other."""
    raw = reading.table(entry, side)
    reading.only(raw, side, (*_FORCES, *_MARKS))
    roll = reading.table(raw.get("reinforcement"), within(side, "reinforcement"))
    reading.only(roll, within(side, "reinforcement"), ("sides", "add"))
    deployment = read_sectors(reading, raw.get("deployment"), within(side, "deployment"), sector_map.neighbours)
    if not deployment:
        reading.flaw(within(side, "deployment"), "there is no sector to set up in")
    groups, singles = _read_at_start(reading, within(side, "at_start"), raw.get("at_start"), roster, counters)
    needed = Tally(singles)
    for identity, number in groups.items():
        if roster.groups[identity].mix:
            reading.flaw(within(side, "at_start"), f"dice decide the counters of {identity}: list the counters instead")
        for key, per_group in roster.groups[identity].contents.items():
            needed[key] += per_group * number
    for key, number in needed.items():
        if number > counters[key].count:
            supply = f"{counters[key].name}, and there are {counters[key].count} in the box"
            reading.flaw(within(side, "at_start"), f"needs {number} of {supply}")
    return Forces(
        stance=reading.word(raw.get("stance"), within(side, "stance"), Stance) or Stance.CHOOSES,
        cp=reading.number(raw.get("cp"), within(side, "cp"), 0, 999),
        die_sides=reading.number(roll.get("sides"), within(side, "reinforcement.sides"), 2, 100),
        die_add=reading.number(roll.get("add"), within(side, "reinforcement.add"), 0, 99),
        deployment=deployment,
        groups=groups,
        counters=singles,
        orders=reading.texts(raw, "orders", side),
        origin=reading.origin(raw, side, default, set(raw)),
    )


def _read_at_start(
    reading: FileReading, cell: str, entries: object, roster: Roster, counters: Mapping[str, Counter]
) -> tuple[dict[str, int], dict[str, int]]:
    """Groups by ID and single counters by key, with their quantities (20.2.3)."""
    groups: Tally[str] = Tally()
    singles: Tally[str] = Tally()
    for entry in reading.rows(entries, cell):
        raw = reading.table(entry, cell)
        reading.only(raw, cell, ("group", "counter", "number"))
        number = reading.number(raw.get("number"), within(cell, "number"), 1, 50)
        if ("group" in raw) == ("counter" in raw):
            reading.flaw(cell, "every entry names either a group or a counter")
        elif "group" in raw and str(raw["group"]) in roster.groups:
            groups[str(raw["group"])] += number
        elif "counter" in raw and str(raw["counter"]) in counters:
            singles[str(raw["counter"])] += number
        else:
            reading.flaw(cell, f"names an unknown group or counter: {str(raw.get('group', raw.get('counter')))[:40]}")
    return dict(groups), dict(singles)


def _against_text(card: Card) -> Iterator[tuple[str, str]]:
    """What the rulebook's text says about its two cards (20.2.5, 20.5.3, 20.5.4, 20.8.3)."""
    if card.id == "cg1":
        if card.times != (Time.DAWN, Time.AM, Time.PM):
            yield "times", "the text gives CG I the times Dawn, AM, PM (20.2.5)"
        if card.forces[Side.GERMAN].stance is not Stance.ATTACKER:
            yield "german.stance", "the text makes the German the Attacker of CG I (20.5.3)"
    if card.id == "cg2" and card.times[1:4] != (Time.AM, Time.PM, Time.NIGHT):
        yield "times", "the text gives CG II AM, PM and Night as its second to fourth time (20.5.4, 20.8.3)"
