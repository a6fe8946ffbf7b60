"""Radios and phones: one unit a phase uses a set (17.2.2), and a phone stays near its first Contact (17.2.5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeVar

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
    place = f"in {row['hex']}" if row["hex"] else ""
    return ", ".join(filter(None, (row["name"] or DEVICES.get(row["device"], ""), SIDES.get(row["side"], ""), place)))


Row = TypeVar("Row")


def read_kept_row(
    build: Callable[..., Row], field: KeptRows, id: str, row: Mapping[str, object], **defaults: str
) -> Row:
    """A row of the record as the rules take it: its parts by their names, lists as tuples, no hex as "".

    ``defaults``: what takes the place of a blank part, such as the name of a row that has none of its own.
    """
    complete = field.complete(row)
    plain = {part.name: _settle(part, complete[part.name]) for part in field.parts}
    return build(id=id, **plain | {name: plain[name] or words for name, words in defaults.items()})


def _settle(part: KeptField, value: object) -> object:
    if isinstance(part, KeptPlace):
        return value or ""
    return tuple(value) if isinstance(value, list) else value


class Note(NamedTuple):
    """What is written down of a row: its parts that change, and the same in words."""

    parts: Values
    words: str


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


def against_use(of_set: Set, user: str, turn: int) -> list[str]:
    """The objections to a Contact roll with a set: one unit a phase uses it (17.2.2), nobody a lost one (17.2.4)."""
    if of_set.lost:
        return [f"{of_set.name} is lost, and is not replaced (17.2.4)."]
    if of_set.used == turn and of_set.user != user:
        return [f"{of_set.name} was used in this phase already: one unit a phase (17.2.2)."]
    return []


def warn_of_phone(of_set: Set, hexes: HexMap) -> str:
    """What is wrong with where a phone is: at most 3 hexes from its first Contact (17.2.5); "" if nothing."""
    if of_set.device != "phone" or not of_set.first or not of_set.hex:
        return ""
    away = hexes.distance(hexes.parse(of_set.first), hexes.parse(of_set.hex))
    if away <= PHONE_REACH:
        return ""
    return f"{of_set.hex} is {away} hexes from {of_set.first}, where it first made Contact: at most 3 (17.2.5)."


def parts_of_use(of_set: Set, user: str, turn: int, is_contact: bool, at: str = "") -> dict[str, object]:
    """What becomes of a set by a Contact roll. ``at``: where its carrier stands and so does it, if known (17.2.2)."""
    hex_used = at or of_set.hex
    is_first = is_contact and of_set.device == "phone" and not of_set.first and hex_used
    moved = {"hex": at} if at and at != of_set.hex else {}
    return {"used": turn, "user": user, **moved, **({"first": hex_used} if is_first else {})}


def find_named_set(rows: Mapping[str, Mapping[str, object]], id_or_name: str, side: str) -> Set | None:
    """A set by its id, or by what its side calls it."""
    all_sets = [Set.read(id, row) for id, row in rows.items()]
    name = id_or_name.strip().casefold()
    by_name = (of_set for of_set in all_sets if of_set.side == side and of_set.name.casefold() == name)
    return next((of_set for of_set in all_sets if of_set.id == id_or_name), None) or next(by_name, None)


def offer_sets(rows: Mapping[str, Values], side: str) -> dict[str, str]:
    """The sets that a side has left, each with its place: by name, or by id where several are called alike."""
    own_sets = [of_set for id, row in rows.items() if (of_set := Set.read(id, row)).side == side and not of_set.lost]
    names = [of_set.name.casefold() for of_set in own_sets]
    return {
        of_set.id if names.count(of_set.name.casefold()) > 1 else of_set.name: ", ".join(
            filter(None, (of_set.name, of_set.hex))
        )
        for of_set in own_sets
    }


def against_loss(of_set: Set) -> list[str]:
    """The objections to the roll for the set of an observer who has fallen."""
    return [f"{of_set.name} is lost already (17.2.4)."] if of_set.lost else []


def note_loss(result: Result, place: str) -> Note:
    """What becomes of a set whose observer has fallen: it is lost, or lies where they fell (17.2.4)."""
    if result.outcome is LossOutcome.DESTROYED:
        return Note({"lost": True}, "lost with its observer")
    return Note({"hex": place} if place else {}, f"left in {place or 'the hex'}")
