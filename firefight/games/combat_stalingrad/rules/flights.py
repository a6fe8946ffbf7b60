"""Groups of aircraft over the map: when they roll, what they have attacked with, how many are left (17.6)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from firefight.engine.record import KeptChoice, KeptFlag, KeptNumber, KeptRows, KeptText
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.values import Json, Values

from .air import Aircraft, AirWeapon, AntiAircraftOutcome, ArrivalOutcome
from .marks import Mark
from .sets import Note, read_kept_row, side_part, turn_part
from .turn import SIDES

MOST_PLANES = 9

FLIGHT_ROWS = KeptRows(
    name="aircraft",
    title="Aircraft",
    rule="17.6",
    label="name",
    most=20,
    tells=lambda id, row: tell_flight(row),
    parts=(
        side_part("side", "side"),
        KeptText(name="name", title="name", longest=40),
        KeptChoice(name="aircraft", title="aircraft", choices={plane.value: plane.word for plane in Aircraft}),
        KeptNumber(name="planes", title="aircraft left", high=MOST_PLANES, start=1),
        KeptNumber(name="number", title="arrival number", low=1, high=10, start=5),
        KeptFlag(name="here", title="over the map"),
        turn_part("since", "rolled in turn"),
        KeptFlag(name="left", title="left for good"),
        KeptNumber(name="he", title="have used HE", high=MOST_PLANES),
        KeptNumber(name="doomed", title="go after their attack", high=MOST_PLANES),
        KeptNumber(name="mg", title="have used MG in this turn", high=MOST_PLANES),
        KeptNumber(name="group", title="group of the campaign", high=10_000, by_hand=False),
    ),
)


def tell_flight(row: Values) -> str:
    """New aircraft as players speak of them: "2 × Ju 87, German"."""
    called = row["name"] or Aircraft(row["aircraft"]).word
    return ", ".join(filter(None, (f"{row['planes']} × {called}", SIDES.get(row["side"], ""))))


@dataclass(frozen=True, slots=True)
class Flight:
    """A group of aircraft. ``since``: the turn of its last roll. ``he``, ``mg``: how many have used it.

    ``doomed``: how many were shot down and still make their attack (17.6.7).
    """

    id: str
    side: str
    name: str
    aircraft: str
    planes: int
    number: int
    here: bool
    since: int
    left: bool
    he: int
    mg: int
    doomed: int
    group: int

    @classmethod
    def read(cls, id: str, row: Values) -> Self:
        """From a row of the record."""
        complete = FLIGHT_ROWS.complete(row)
        return read_kept_row(
            cls, FLIGHT_ROWS, id, row, name=f"{complete['planes']} × {Aircraft(complete['aircraft']).word}"
        )


def read_flights(record: Values) -> list[Flight]:
    """All that a match's record has, including those that have left."""
    return [Flight.read(id, row) for id, row in record["aircraft"].items()]


_USED_BY = {
    AirWeapon.HE: frozenset({Mark.HE_USED}),
    AirWeapon.MG: frozenset({Mark.MG_USED}),
    AirWeapon.BOTH: frozenset({Mark.HE_USED, Mark.MG_USED}),
}


def can_attack(marks: Collection[str], weapon: AirWeapon) -> bool:
    """Whether an aircraft may attack with this: with its HE once a firefight, with its MG once a turn (17.6.3)."""
    return _USED_BY[weapon].isdisjoint(marks)


def marks_of_attack(weapon: AirWeapon) -> tuple[Mark, ...]:
    """What an aircraft is marked with after an attack (17.6.3)."""
    return tuple(sorted(_USED_BY[weapon]))


def count_used(marks: Iterable[Collection[str]], mark: Mark) -> int:
    """How many aircraft have used a weapon, by their marks."""
    return sum(mark in carried for carried in marks)


def share_marks(marks: Sequence[Collection[str]], flight: Flight) -> list[list[str]]:
    """The marks of a group's aircraft so that as many have used HE and MG as its row says (17.6.3)."""
    shared = [[mark for mark in carried if mark not in _USED_BY[AirWeapon.BOTH]] for carried in marks]
    for mark, number in ((Mark.HE_USED, flight.he), (Mark.MG_USED, flight.mg)):
        used_first = sorted(range(len(marks)), key=lambda place: mark not in marks[place])
        for place in used_first[:number]:
            shared[place].append(mark.value)
    return shared


def owes_roll(flight: Flight, turn: int) -> bool:
    """Whether a group over the map has still to roll to stay: in every later turn (17.6.2, A-14)."""
    return flight.here and flight.since < turn


def list_roll_objections(flight: Flight, all_flights: Iterable[Flight], turn: int) -> list[str]:
    """The objections to a roll to arrive or to stay (17.6.2)."""
    if flight.left or not flight.planes:
        return [f"{flight.name} has left for good (17.6.2)."]
    if flight.since == turn:
        return [f"{flight.name} has rolled in turn {turn} already (17.6.2)."]
    other_flights = [other for other in all_flights if other.side == flight.side and other.id != flight.id]
    if any(other.here or (other.left and other.since == turn) for other in other_flights):
        return ["One group of aircraft a turn: the next rolls from the turn after the first has left (17.6.2)."]
    return []


def list_attack_objections(flight: Flight, weapon: AirWeapon, turn: int, is_one_ready: bool = True) -> list[str]:
    """The objections to an attack: over the map, rolled for, HE once a firefight, MG once a turn (17.6.2, 17.6.3).

    ``is_one_ready``: whether one aircraft has all that it attacks with, where they are told apart.
    """
    if not flight.here:
        return [f"{flight.name} is not over the map (17.6.2)."]
    objections = (
        [f"{flight.name} rolls first whether it stays in this turn (17.6.2)."] if owes_roll(flight, turn) else []
    )
    if weapon is not AirWeapon.MG and flight.he >= flight.planes:
        objections.append(f"{flight.name} has no HE left: each aircraft drops it once a firefight (17.6.3).")
    if weapon is not AirWeapon.HE and flight.mg >= flight.planes:
        objections.append(f"The MGs of {flight.name} have fired: each aircraft once a turn (17.6.3).")
    if not objections and not is_one_ready:
        objections.append(f"No aircraft of {flight.name} has both left: attack with one weapon (17.6.3).")
    return objections


def note_arrival(result: Result, turn: int) -> Note | None:
    """What a roll to arrive or to stay does to a group (17.6.2)."""
    notes: dict[Outcome | None, Note] = {
        ArrivalOutcome.ARRIVES: Note({"here": True, "since": turn}, "over the map"),
        ArrivalOutcome.STAYS: Note({"since": turn}, "stays over the map"),
        ArrivalOutcome.LEAVES: Note({"here": False, "since": turn, "left": True}, "leaves for good"),
        ArrivalOutcome.NOT_YET: Note({"since": turn}, "does not come in this turn"),
    }
    return notes.get(result.outcome)


def note_air_attack(flight: Flight, weapon: AirWeapon, turn: int) -> Note:
    """What an attack uses (17.6.3); an aircraft that was shot down by a C goes after it (17.6.7)."""
    parts: Json = {}
    words = []
    if weapon is not AirWeapon.MG:
        parts["he"] = min(MOST_PLANES, flight.he + 1)
        words.append("HE used")
    if weapon is not AirWeapon.HE:
        parts["mg"] = min(MOST_PLANES, flight.mg + 1)
        words.append("MG used in this turn")
    if flight.doomed:
        parts |= lose_planes(flight, 1, turn)
        words.append(f"shot down after its attack, {parts['planes']} left")
    return Note(parts, ", ".join(words))


def lose_planes(flight: Flight, number: int, turn: int) -> dict[str, object]:
    """That many aircraft fewer. Those that used their HE or MG are counted out first, since nobody tells them apart."""
    planes_left = max(0, flight.planes - number)
    parts: Json = {
        "planes": planes_left,
        "doomed": 0,
        "he": min(flight.he, planes_left),
        "mg": min(flight.mg, planes_left),
    }
    return parts | ({} if planes_left else {"here": False, "left": True, "since": turn})


def note_fire_at(flight: Flight, result: Result, turn: int) -> Note | None:
    """What anti-aircraft fire does to a group: an aircraft goes at once, or after its attack (17.6.7)."""
    if result.outcome is AntiAircraftOutcome.DESTROYED_AFTER:
        return Note({"doomed": min(flight.planes, flight.doomed + 1)}, "one goes down after its attack")
    lost = {AntiAircraftOutcome.ABORTS: "goes home", AntiAircraftOutcome.DESTROYED_BEFORE: "is shot down"}
    if result.outcome not in lost or not flight.planes:
        return None
    parts = lose_planes(flight, 1, turn)
    return Note(parts, f"one {lost[AntiAircraftOutcome(result.outcome)]}, {parts['planes']} left")


def drop_doomed(flight: Flight, turn: int) -> Note | None:
    """Aircraft that were shot down by a C and made no attack in this phase go all the same (17.6.7)."""
    if not flight.doomed:
        return None
    parts = lose_planes(flight, flight.doomed, turn)
    return Note(parts, f"what was shot down goes, {parts['planes']} left")


def begin_turn(flight: Flight) -> dict[str, object]:
    """What a new turn gives back: the MGs (17.6.3)."""
    return {"mg": 0} if flight.mg else {}


def describe_flight(flight: Flight, turn: int) -> tuple[str, ...]:
    """What is known of a group, in words."""
    place = "over the map" if flight.here else "gone" if flight.left else "not here yet"
    lines = (
        f"{flight.planes} × {Aircraft(flight.aircraft).word}, {place}",
        f"arrival {flight.number}",
        f"HE used by {flight.he}" if flight.he else "",
        f"MG used by {flight.mg} in this turn" if flight.mg else "",
        "rolls whether it stays" if owes_roll(flight, turn) else "",
    )
    return tuple(filter(None, lines))
