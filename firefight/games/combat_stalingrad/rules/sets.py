"""Radios and phones: one unit a phase uses a set (17.2.2), and a phone stays near its first Contact (17.2.5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self, TypeVar

from firefight.engine.board.hexes import HexMap
from firefight.engine.record import (
    KeptChoice,
    KeptField,
    KeptFlag,
    KeptNumber,
    KeptPlace,
    KeptRows,
    KeptText,
)
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .observers import LossOutcome
from .turn import LAST_TURN, SIDES

PHONE_REACH = 3  # hexes from its first Contact (17.2.5)
DEVICES = {"radio": "radio", "phone": "phone"}


def turn_part(name: str, title: str) -> KeptNumber:
    """A turn that something happened in; 0 for none."""
    return KeptNumber(name=name, title=title, high=LAST_TURN, zero="none")


def hex_part(name: str, title: str) -> KeptPlace:
    """A hex, or none."""
    return KeptPlace(name=name, title=title, places=HexMap(), optional=True)


def side_part(name: str, title: str) -> KeptChoice:
    """A side, or none."""
    return KeptChoice(name=name, title=title, choices={"": "all", **SIDES})


def tell_set(row: Values) -> str:
    """A new radio or phone as players speak of it: "radio, German, in K7"."""
    where = f"in {row['hex']}" if row["hex"] else ""
    return ", ".join(filter(None, (row["name"] or DEVICES.get(row["device"], ""), SIDES.get(row["side"], ""), where)))


Row = TypeVar("Row")


def read_kept_row(build: Callable[..., Row], field: KeptRows, id: str, row: Mapping[str, object], **called: str) -> Row:
    """A row of the record as the rules take it: its parts by their names, lists as tuples, no hex as "".

    ``called``: how a row is called that has no name of its own.
    """
    found = field.complete(row)
    plain = {part.name: _settle(part, found[part.name]) for part in field.parts}
    return build(id=id, **plain | {name: plain[name] or words for name, words in called.items()})


def _settle(part: KeptField, value: object) -> object:
    if isinstance(part, KeptPlace):
        return value or ""
    return tuple(value) if isinstance(value, list) else value


SET_ROWS = KeptRows(
    name="sets",
    title="Set",
    rule="17.2.2",
    label="name",
    most=20,
    tells=lambda id, row: tell_set(row),
    parts=(
        side_part("side", "side"),
        KeptText(name="name", title="name", longest=32),
        KeptChoice(name="device", title="kind", choices=DEVICES),
        hex_part("hex", "hex"),
        turn_part("used", "used in turn"),
        KeptText(name="user", title="used by", longest=40),
        hex_part("first", "first Contact in"),
        KeptFlag(name="lost", title="lost"),
    ),
)


@dataclass(frozen=True, slots=True)
class Set:
    """A radio or a phone. ``used``: the turn of its last Contact roll, by ``user``. ``first``: see 17.2.5."""

    id: str
    side: str
    name: str
    device: str
    hex: str
    used: int
    user: str
    first: str
    lost: bool

    @classmethod
    def read(cls, id: str, row: Values) -> Self:
        """From a row of the record."""
        return read_kept_row(cls, SET_ROWS, id, row, name=SET_ROWS.complete(row)["device"].capitalize())


def against_use(found: Set, user: str, turn: int) -> list[str]:
    """What speaks against a Contact roll with a set: one unit a phase (17.2.2), a lost one nobody (17.2.4)."""
    if found.lost:
        return [f"{found.name} is lost, and is not replaced (17.2.4)."]
    if found.used == turn and found.user != user:
        return [f"{found.name} was used in this phase already: one unit a phase (17.2.2)."]
    return []


def warn_of_phone(found: Set, hexes: HexMap) -> str:
    """What is wrong with where a phone is: at most 3 hexes from its first Contact (17.2.5); "" if nothing."""
    if found.device != "phone" or not found.first or not found.hex:
        return ""
    away = hexes.distance(hexes.parse(found.first), hexes.parse(found.hex))
    if away <= PHONE_REACH:
        return ""
    return f"{found.hex} is {away} hexes from {found.first}, where it first made Contact: at most 3 (17.2.5)."


def parts_of_use(found: Set, user: str, turn: int, is_contact: bool, at: str = "") -> dict[str, object]:
    """What becomes of a set by a Contact roll. ``at``: where it is, if its row does not say."""
    first = found.hex or at
    is_first = is_contact and found.device == "phone" and not found.first and first
    return {"used": turn, "user": user, **({"first": first} if is_first else {})}


def find_called(rows: Mapping[str, Mapping[str, object]], called: str, side: str) -> Set | None:
    """A set by its id, or by what its side calls it."""
    found = [Set.read(id, row) for id, row in rows.items()]
    wanted = called.strip().casefold()
    own = (each for each in found if each.side == side and each.name.casefold() == wanted)
    return next((each for each in found if each.id == called), None) or next(own, None)


def against_loss(found: Set) -> list[str]:
    """What speaks against the roll for the set of an observer who has fallen."""
    return [f"{found.name} is lost already (17.2.4)."] if found.lost else []


def note_loss(found: Set, result: Result, place: str) -> tuple[dict[str, object], str]:
    """What becomes of a set whose observer has fallen: it is lost, or lies where they fell (17.2.4)."""
    if result.outcome is LossOutcome.DESTROYED:
        return {"lost": True}, "lost with its observer"
    return ({"hex": place} if place else {}), f"left in {place or 'the hex'}"
