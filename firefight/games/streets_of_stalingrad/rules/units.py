"""Counters as the rules tell them apart: the few in the text, and the units that owners type in from theirs (2.25)."""

from collections.abc import Mapping
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
from firefight.engine.labels import Labelled, words_of
from firefight.engine.text import join_words, without_capital
from firefight.engine.values import Json, Values

from .kinds import UnitKind
from .terms import SIDES

MOST_POINTS, MOST_MP, LONGEST_RANGE, MOST_ALIKE = 60, 30, 60, 24
FOOT_MP, MOST_TOWED_MP = 8, 15  # of units on foot; the most of a unit that is not motorized (2.25)
DISMOUNTED = "dismounted"  # the state of units that have got down from vehicles
GET_DOWN = (UnitKind.INFANTRY, UnitKind.ENGINEER, UnitKind.MORTAR, UnitKind.ARMORED)
PRINTED = {"af": "AF", "df": "DF"}  # what a roll needs and a sheet may leave blank


class Arm(Labelled):
    """What a counter is, in more detail than the rules of movement need."""

    INFANTRY = "infantry"
    GUARDS = "guards", "Guards infantry"
    MARINE = "marine", "Marine infantry"
    NKVD = "nkvd", "NKVD"
    ENGINEER = "engineer"
    TANK = "tank"
    STUG = "stug", "StuG"
    ARMORED = "armored", "Other armour"
    AT_GUN = "at_gun", "AT or AA gun"
    IF_GUN = "if_gun", "IF gun"
    ROCKET = "rocket", "Rockets"
    MORTAR = "mortar"
    FLAK_88 = "88mm", "88 mm gun"
    LEADER = "leader"
    HOUSE_LEADER = "house_leader", "Pavlov or Herman"
    COMMISSAR = "commissar"
    OP = "op", "Observer"
    LW_OP = "lw_op", "Luftwaffe observer"
    SNIPER = "sniper"
    MINE_DOG = "mine_dog"
    IMMOBILIZED = "immobilized", "Immobilized tank"
    TRANSPORT = "transport"
    TRAIN = "train", "Armoured train"
    FLOTILLA = "flotilla", "River flotilla"
    TANK_REPAIR = "tank_repair", "Tank repair unit"
    STUKA = "stuka"
    BRIDGE = "bridge"
    MINEFIELD = "minefield"
    FORTIFICATION = "fortification"
    HQ = "hq", "HQ"

    @property
    def unit(self) -> UnitKind | None:
        """As the rules of movement have it; None for what is not a unit there."""
        return _UNITS.get(self) or (UnitKind(self.value) if self.value in set(UnitKind) else None)

    @property
    def is_leader(self) -> bool:
        """Leaders and HQs, which are never pinned or spent (18.14)."""
        return self in (Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR, Arm.HQ)

    @property
    def is_infantry(self) -> bool:
        """Infantry without engineers."""
        return self in (Arm.INFANTRY, Arm.GUARDS, Arm.MARINE, Arm.NKVD)

    @property
    def is_foot(self) -> bool:
        """Infantry type: infantry and engineers."""
        return self.is_infantry or self is Arm.ENGINEER

    @property
    def is_armored(self) -> bool:
        """What counts as armour in a target (9.91, 16.35, 16.51, 16.63)."""
        return self in (Arm.TANK, Arm.STUG, Arm.ARMORED, Arm.IMMOBILIZED, Arm.TRAIN, Arm.FLOTILLA)

    @property
    def is_indirect(self) -> bool:
        """Guns that bombard, and Stukas."""
        return self in (Arm.IF_GUN, Arm.ROCKET, Arm.MORTAR, Arm.STUKA)

    @property
    def is_combat_unit(self) -> bool:
        """What a D eliminates, immobilized tanks among them (9.81, 9.82)."""
        unit = self.unit
        return unit is not None and (unit.attacks or unit.defends)

    @property
    def is_piece(self) -> bool:
        """What lies on a hex and is not a unit: bridges, minefields, fortifications."""
        return self in (Arm.BRIDGE, Arm.MINEFIELD, Arm.FORTIFICATION)


_UNITS = {
    **dict.fromkeys((Arm.GUARDS, Arm.MARINE, Arm.NKVD), UnitKind.INFANTRY),
    **dict.fromkeys((Arm.TANK, Arm.STUG), UnitKind.ARMORED),
    Arm.ROCKET: UnitKind.IF_GUN,
    **dict.fromkeys((Arm.HOUSE_LEADER, Arm.COMMISSAR, Arm.HQ), UnitKind.LEADER),
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of counter. ``formation``: what its back says, "" for an independent unit and for what has none.

    None is a value that nobody has given. ``red``: its AF is printed in red; ``yellow``: in yellow. ``worth``: a
    sniper's modifier. ``origin``: whose values these are.
    """

    key: str
    name: str
    arm: Arm
    count: int = 1
    formation: str = ""
    regiment: str = ""
    battalion: str = ""
    af: int | None = None
    df: int | None = None
    range: int | None = None
    indirect_range: int | None = None
    mp: int | None = None
    underlined: bool = False
    red: bool = False
    yellow: bool = False
    worth: int = 0
    origin: str = "text"

    @property
    def may_dismount(self) -> bool:
        """Whether it may go on foot: motorized and armoured infantry, engineers and mortars (8.71; ruling S-86)."""
        is_driven = self.mp is not None and self.mp > MOST_TOWED_MP
        return is_driven and self.arm.unit in GET_DOWN and self.arm not in (Arm.TANK, Arm.STUG)

    def find(self, name: str) -> int | None:
        """AF or DF, 0 for what never has any; None where nobody has given it."""
        has_none = not self.arm.is_combat_unit and self.arm is not Arm.STUKA
        return 0 if has_none else {"af": self.af, "df": self.df}.get(name, 0)


def read_box(plain: Values) -> Mapping[str, Mapping[str, Unit]]:
    """The counters of the text, by side and key."""
    return {
        side: {key: Unit(key, **{**row, "arm": Arm(row["arm"])}) for key, row in plain[side].items()} for side in SIDES
    }


# The owner's sheet: a formation each


ARMS = {arm.value: word for arm, word in words_of(Arm).items()}
COLUMNS = (
    Column("name", "name", text_reader(40), also=("unit",)),
    Column("side", "side", word_reader(SIDES), SIDES.__getitem__),
    Column("back", "formation", text_reader(40), also=("formation", "back (formation)")),
    Column("regiment", "regiment", text_reader(20)),
    Column("battalion", "battalion", text_reader(20)),
    Column("arm", "arm", word_reader(ARMS), ARMS.__getitem__),
    Column("af", "af", number_reader(MOST_POINTS), is_digits=True),
    Column("df", "df", number_reader(MOST_POINTS), is_digits=True),
    Column("range", "range", number_reader(LONGEST_RANGE), is_digits=True),
    Column("mp", "mp", number_reader(MOST_MP), is_digits=True),
    Column("underlined", "underlined", read_flag, write_flag),
    Column("red", "red", read_flag, write_flag),
    Column("yellow", "yellow", read_flag, write_flag),
    Column("count", "count", number_reader(MOST_ALIKE, 1), is_digits=True),
)


HINT = (
    "A row is, for instance: I/999, German, 99 ID, 999, I, Infantry, 5, 5, 1, 6. What comes after that may be left "
    f"out. An arm is {join_words([*ARMS.values()], 'or')}."
)


def build_unit(row: Values) -> tuple[str, Unit]:
    """The side and the kind of counter that a row of a sheet gives. Raises BadInput by the column."""
    require(row, "name", "side", "arm")
    values = {name: value for name, value in row.items() if name != "side"}
    unit = Unit(make_own_key(row["name"]), **{**values, "arm": Arm(row["arm"])}, origin="owner")
    if unit.arm.unit is not None and unit.arm.unit.is_soviet_alone and row["side"] != "soviet":
        raise BadInput({"arm": f"only the Soviets have a {without_capital(unit.arm.word)}."})
    return row["side"], unit


def tell_value(kind: Unit, name: str, value: int) -> Unit:
    """A kind with an AF or DF that its owner gave when it was asked for. Raises BadInput."""
    if name not in PRINTED:
        raise BadInput({"value": f"A counter has no {name[:20]}."})
    if not 0 <= value <= MOST_POINTS:
        raise BadInput({"value": f"{kind.name}: {PRINTED[name]} lies between 0 and {MOST_POINTS}."})
    values: Json = {name: value, "origin": "owner"}
    return replace(kind, **values)
