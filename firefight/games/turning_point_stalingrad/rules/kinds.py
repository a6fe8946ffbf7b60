"""Kinds of counters: what each is, and what is printed on it (2.0 Glossary, 4.1, 4.2).

The text names a few; all others owners type off theirs, once for a match.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from firefight.engine.charts.records import Column, make_own_key, number_reader, require, text_reader, word_reader
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled, words_of
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .sides import SIDES, Side
from .units import INDEPENDENT

MOST_AF, MOST_DF, MOST_MF, MOST_ALIKE = 20, 12, 12, 24
LONGEST_PARENT = 12


class CounterClass(Labelled):
    """What a counter is (2.0, 4.21, 4.25, 4.26)."""

    INFANTRY = "infantry"
    ENGINEER = "engineer"
    ARMOUR = "armour"
    AT = "at", "AT"
    AA = "aa", "AA"
    ARTILLERY = "artillery"
    AIRCRAFT = "aircraft"

    @property
    def is_combat_unit(self) -> bool:
        """All but artillery and aircraft (2.0 Combat Units)."""
        return self not in (CounterClass.ARTILLERY, CounterClass.AIRCRAFT)

    @property
    def is_foot(self) -> bool:
        """Infantry, Engineers among it (2.0 Infantry)."""
        return self in (CounterClass.INFANTRY, CounterClass.ENGINEER)

    @property
    def leads_none(self) -> bool:
        """Whether it prints a * in place of an Attack Factor (8.35)."""
        return self in (CounterClass.AT, CounterClass.AA)

    @property
    def guards(self) -> bool:
        """Whether armour does not step past it from one Zone of Control into another (8.22, first)."""
        return self.leads_none or self is CounterClass.ARMOUR


class Transport(Labelled):
    """How its Movement Factor is printed (2.0, 8.26 Mechanized Units, 8.27 Motorized Units)."""

    FOOT = "foot", "Plain MF"
    MECHANIZED = "mechanized", "Mechanized: underlined MF"
    MOTORIZED = "motorized", "Motorized: MF on white"


PRINTED = {
    "af": "Attack Factor",
    "df": "Defense Factor",
    "back": "Defense Factor when Spent",
    "mf": "Movement Factor",
    "night": "Attack Factor at night",
}
_BOUNDS = {"af": MOST_AF, "df": MOST_DF, "back": MOST_DF, "mf": MOST_MF, "night": MOST_AF}


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of counter. None stands for a value that nobody has given yet.

    ``back``: the Defense Factor of its Spent side. ``night``: of artillery. ``leaves``: when it is withdrawn, as it is
    annotated: S27 (21.1); ``arrives``: when it comes as a reinforcement, in the same way (6.2). ``origin``: who gave
    these values.
    """

    key: str
    name: str
    sort: CounterClass
    count: int = 1
    parent: str = INDEPENDENT
    af: int | None = None
    df: int | None = None
    back: int | None = None
    mf: int | None = None
    night: int | None = None
    transport: Transport = Transport.FOOT
    leaves: str = ""
    arrives: str = ""
    origin: str = "text"

    @property
    def values(self) -> frozenset[str]:
        """What such a counter prints."""
        if self.sort is CounterClass.AIRCRAFT:
            return frozenset()
        if self.sort is CounterClass.ARTILLERY:
            return frozenset({"af", "night", "mf"})
        return frozenset({"df", "back", "mf"} if self.sort.leads_none else {"af", "df", "back", "mf"})

    def find(self, name: str) -> int | None:
        """A value that is printed, 0 for one that such a counter does not have; None where nobody has given it."""
        value: int | None = getattr(self, name) if name in self.values else 0
        return value


def read_box(plain: Values) -> Mapping[str, Mapping[str, Unit]]:
    """The counters of the text, by side and key."""
    return {side: {key: _read_unit(key, row) for key, row in plain[side].items()} for side in SIDES}


def _read_unit(key: str, row: Values) -> Unit:
    sort = CounterClass(row["class"])
    values = {name: value for name, value in row.items() if name != "class"}
    return Unit(key, **values, sort=sort, transport=_transport_of(sort))


def _transport_of(sort: CounterClass) -> Transport:
    """How most of a class move: armour is Mechanized, artillery moves as Motorized (4.21, 4.25)."""
    usual = {CounterClass.ARMOUR: Transport.MECHANIZED, CounterClass.ARTILLERY: Transport.MOTORIZED}
    return usual.get(sort, Transport.FOOT)


def tell_value(kind: Unit, name: str, value: int) -> Unit:
    """A kind with a value that its owner gave when it was asked for. Raises BadInput."""
    if name not in kind.values:
        raise BadInput({"value": f"{kind.name} has no {PRINTED.get(name, name[:20])}."})
    if not 0 <= value <= _BOUNDS[name]:
        raise BadInput({"value": f"{kind.name}: {PRINTED[name]} from 0 to {_BOUNDS[name]}."})
    values: Json = {name: value, "origin": "owner"}
    return replace(kind, **values)


# The owner's sheet


def _factor(text: str) -> int | None:
    """An Attack Factor; None for the * of AT and AA."""
    return None if text.strip() == "*" else number_reader(MOST_AF)(text)


def _annotation(text: str) -> str:
    if not re.fullmatch(r"[SON][0-3]?[0-9]", text.upper(), re.ASCII):
        raise ValueError("should be as annotated, S27 for 27 September")
    return text.upper()


def read_annotation(annotation: str) -> str:
    """The date on which a unit leaves or arrives, as it is annotated.

    >>> read_annotation("S27"), read_annotation("O4")
    ('1942-09-27', '1942-10-04')
    """
    month = {"S": "09", "O": "10", "N": "11"}[annotation[0]]
    return f"1942-{month}-{int(annotation[1:]):02}"


CLASSES = {sort.value: word for sort, word in words_of(CounterClass).items()}
TRANSPORTS = {way.value: way.value.capitalize() for way in Transport}
COLUMNS = (
    Column("name", "name", text_reader(40), also=("unit",)),
    Column("side", "side", word_reader(SIDES), SIDES.__getitem__),
    Column("class", "sort", word_reader(CLASSES), CLASSES.__getitem__, also=("type",)),
    Column("parent", "parent", text_reader(LONGEST_PARENT), also=("division", "brigade")),
    Column("af", "af", _factor, also=("attack",), is_digits=True),
    Column("df", "df", number_reader(MOST_DF), also=("defense", "defence"), is_digits=True),
    Column("mf", "mf", number_reader(MOST_MF), also=("movement",), is_digits=True),
    Column("spent df", "back", number_reader(MOST_DF), also=("back", "spent"), is_digits=True),
    Column("mf style", "transport", word_reader(TRANSPORTS), TRANSPORTS.__getitem__, also=("style",)),
    Column("night af", "night", number_reader(MOST_AF), also=("night",), is_digits=True),
    Column("leaves", "leaves", _annotation, also=("withdrawal",)),
    Column("arrives", "arrives", _annotation, also=("reinforcement",)),
    Column("count", "count", number_reader(MOST_ALIKE, 1), also=("how many",), is_digits=True),
)


HINT = (
    "A row is, for instance: 1/999, German, Infantry, 999, 3, 2, 5, 1. What comes after that may be left out. "
    f"A class is {join_words([word for sort, word in CLASSES.items() if sort != CounterClass.AIRCRAFT], 'or')}; "
    f"an MF style {join_words([*TRANSPORTS.values()], 'or')}; S27 leaves, or arrives, on 27 September; "
    "AT and AA have * for an Attack Factor."
)


def build_unit(row: Values) -> tuple[str, Unit]:
    """The side and the kind of counter that a row of a sheet describes. Raises BadInput by the column."""
    require(row, "name", "side", "sort")
    sort = CounterClass(row["sort"])
    if sort is CounterClass.AIRCRAFT:
        raise BadInput({"sort": "the text has all aircraft."})
    if sort is CounterClass.ARTILLERY and row["side"] == Side.RUSSIAN:
        raise BadInput({"sort": "the record keeps Russian artillery, by its Area."})
    values = {name: value for name, value in row.items() if name not in ("side", "sort") and value is not None}
    parent = values.get("parent") or INDEPENDENT
    parent_name = INDEPENDENT if parent.casefold() == INDEPENDENT.casefold() else parent
    transport = Transport(values["transport"]) if values.get("transport") else _transport_of(sort)
    unit = Unit(
        make_own_key(row["name"]),
        **{**values, "sort": sort, "parent": parent_name, "transport": transport},
        origin="owner",
    )
    if odd := sorted(name for name in values.keys() & PRINTED.keys() if name not in unit.values):
        raise BadInput({odd[0]: f"{sort.word} has no {PRINTED[odd[0]]}."})
    return row["side"], unit
