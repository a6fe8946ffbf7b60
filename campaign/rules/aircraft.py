"""Groups of aircraft in a firefight: when they roll and what they may attack with (17.6.2, 17.6.3)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.games.combat_stalingrad.rules.marks import Mark

from .objections import Objection
from .rosters import Time


@dataclass(frozen=True, slots=True)
class Flight:
    """A group of aircraft. ``since``: the turn of its last roll, 0 before any; ``is_here``: it is over the map.

    ``has_left``: it left for good in the turn ``since``.
    """

    name: str
    since: int
    is_here: bool
    has_left: bool = False


_USED_BY = {
    AirWeapon.HE: frozenset({Mark.HE_USED}),
    AirWeapon.MG: frozenset({Mark.MG_USED}),
    AirWeapon.BOTH: frozenset({Mark.HE_USED, Mark.MG_USED}),
}


def owes_roll(flight: Flight, turn: int) -> bool:
    """Whether a group over the map has still to roll to stay: in every later turn (17.6.2)."""
    return flight.is_here and flight.since < turn


def against_roll(
    flight: Flight, others: Iterable[Flight], turn: int, times: Collection[Time], time: Time
) -> Objection | None:
    """What speaks against a roll to arrive or to stay (17.6.2). ``times``: at which the group flies, all if empty."""
    if times and time not in times:
        return Objection(f"{flight.name} flies at {' and '.join(times)} only.", "20.3.3")
    if flight.since == turn:
        return Objection(f"{flight.name} has rolled in turn {turn} already.", "17.6.2")
    if any(other.is_here or (other.has_left and other.since == turn) for other in others):
        return Objection("One group of aircraft a turn: the next rolls from the turn after the first left.", "17.6.2")
    return None


def can_attack(marks: Collection[str], weapon: AirWeapon) -> bool:
    """Whether an aircraft may attack so: with its HE once a firefight, with its MG once a turn (17.6.3)."""
    return _USED_BY[weapon].isdisjoint(marks)


def against_attack(flight: Flight, turn: int, is_any_ready: bool) -> Objection | None:
    """What speaks against an attack by a group over the map (17.6.2, 17.6.3)."""
    if owes_roll(flight, turn):
        return Objection(f"{flight.name} rolls first whether it stays in this turn.", "17.6.2")
    if not is_any_ready:
        return Objection(f"No aircraft of {flight.name} can attack so: HE once a firefight, MG once a turn.", "17.6.3")
    return None


def marks_of_attack(weapon: AirWeapon) -> tuple[Mark, ...]:
    """What an aircraft is marked with after an attack (17.6.3)."""
    return tuple(sorted(_USED_BY[weapon]))


def marks_in_next_turn(marks: Collection[str]) -> list[str]:
    """What an aircraft is marked with in the next turn: its MG may fire again (17.6.3)."""
    return [mark for mark in marks if mark != Mark.MG_USED]
