"""Counters as the rules tell them apart: the German ones of the display, and those that owners type in (3.23)."""

import re
from dataclasses import dataclass, replace

from firefight.engine.charts.records import (
    Column,
    make_own_key,
    number_reader,
    read_flag,
    require,
    text_reader,
    word_reader,
    write_flag,
)
from firefight.engine.errors import BadInput
from firefight.engine.labels import words_of
from firefight.engine.text import join_words
from firefight.engine.values import Values

from .deployment import FORMATIONS
from .terrain import GERMAN, SIDES
from .units import GUNS, Unit

MOST_ALIKE, LONGEST_NAME = 30, 40
KIND = "kind_of_unit"  # what a roll needs to know about a counter, and the display does not say
NUMBERED = dict(enumerate(Unit, 1))  # as a match keeps what an owner says about a counter
_FOUGHT = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?-(\d{1,2})")
_GUN = re.compile(r"(\d{1,2}) (\d{1,2}) (\d{1,2})")


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed on a counter: Fire Strength, the second of those that have two, the range of guns, Movement
    Points."""

    first: int
    movement: int
    second: int | None = None
    range: int | None = None

    def __str__(self) -> str:
        if self.range is not None:
            return f"{self.first} {self.range} {self.movement}"
        return "-".join(str(value) for value in (self.first, self.second, self.movement) if value is not None)


def read_printed(text: str) -> Printed:
    """The values of a counter as the display writes them (BR-10). Raises ValueError.

    >>> read_printed("6-2-24"), read_printed("8 10 12").range, read_printed("2-18").second
    (Printed(first=6, movement=24, second=2, range=None), 10, None)
    """
    plain = " ".join(text.replace("–", "-").replace("_", " ").split())
    if match := _GUN.fullmatch(plain):
        return Printed(int(match[1]), int(match[3]), range=int(match[2]))
    if match := _FOUGHT.fullmatch(plain):
        return Printed(int(match[1]), int(match[3]), second=int(match[2]) if match[2] else None)
    raise ValueError("should be as printed, such as 6-2-24, 2-18 or, for guns, 8 10 12")


@dataclass(frozen=True, slots=True)
class UnitCounter:
    """A kind of counter. ``unit``: None as long as nobody has said what it is. ``origin``: whose values these are."""

    key: str
    name: str
    printed: Printed
    count: int = 1
    formation: str = ""
    unit: Unit | None = None
    guards: bool = False
    origin: str = "text"

    @property
    def is_gun(self) -> bool:
        """Whether it fires at a range (3.23 Artillery, Flak)."""
        return self.printed.range is not None or self.unit in GUNS

    @property
    def is_artillery(self) -> bool:
        """Guns other than flak."""
        return self.is_gun and self.unit is not Unit.FLAK

    @property
    def sort(self) -> str:
        """What it is, as far as anybody has said: guns of the display are certainly artillery."""
        unit = self.unit or (Unit.ARTILLERY if self.is_gun else None)
        return unit.value if unit else ""

    @property
    def is_armor(self) -> bool:
        """What artillery hardly hurts (3.23 Armor)."""
        return self.unit is Unit.ARMOR


def list_display(grid: str) -> dict[str, UnitCounter]:
    """The German counters of the display's chart, by key."""
    (_, *columns), *rows = (line.split() for line in grid.strip().splitlines())
    columns_to_formations = {name.replace(" ", "_"): (slug, name) for slug, name in FORMATIONS.items()}
    display = {}
    for values, *cells in rows:
        printed = read_printed(values)
        for column, cell in zip(columns, cells, strict=True):
            if cell.isdigit():
                slug, name = columns_to_formations[column]
                key = re.sub(r"\W", "_", f"{slug}_{values}")
                display[key] = UnitCounter(key, f"{name} {printed}", printed, int(cell), name)
    return display


def tell_unit(kind: UnitCounter, name: str, value: int) -> UnitCounter:
    """A counter whose owner has said what it is. Raises BadInput."""
    if name != KIND:
        raise BadInput({"value": f"A counter has no {name[:20]}."})
    if value not in NUMBERED:
        raise BadInput({"value": f"{kind.name}: choose one of the kinds of units."})
    return replace(kind, unit=NUMBERED[value], origin="owner")


def find_unit(kind: UnitCounter, name: str) -> int | None:
    """The kind of unit that it is, by its number; None where nobody knows."""
    return next((number for number, unit in NUMBERED.items() if unit is kind.unit), None) if name == KIND else 0


# The owner's sheet


UNITS = {unit.value: word for unit, word in words_of(Unit).items()}
COLUMNS = (
    Column("name", "name", text_reader(LONGEST_NAME), also=("counter",)),
    Column("side", "side", word_reader(SIDES), SIDES.__getitem__),
    Column("kind", "unit", word_reader(UNITS), UNITS.__getitem__, also=("kind of unit", "unit", "type")),
    Column("values", "printed", read_printed, str, also=("printed",)),
    Column("formation", "formation", text_reader(LONGEST_NAME)),
    Column("guards", "guards", read_flag, write_flag),
    Column("count", "count", number_reader(MOST_ALIKE, 1), is_digits=True),
)


HINT = (
    "A row is, for instance: 1/999, Soviet, infantry, 6 8 10. What comes after that may be left out. "
    f"A kind is {join_words([*UNITS.values()], 'or')}."
)


def build_counter(row: Values) -> tuple[str, UnitCounter]:
    """The side and the kind of counter that a row of a sheet gives. Raises BadInput by the column."""
    require(row, "name", "side", "unit", "printed")
    unit = Unit(row["unit"])
    if row.get("guards") and row["side"] == GERMAN:
        raise BadInput({"guards": "only the Soviets have Guards."})
    fields = {name: value for name, value in row.items() if name != "side"}
    return row["side"], UnitCounter(make_own_key(row["name"]), **{**fields, "unit": unit}, origin="owner")
