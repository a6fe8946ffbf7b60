"""Counters on the ferries, both ways: who may cross now, what fills their forms, what the record keeps of it.

18.3 Ferry Landings, 18.4 Interdiction, 18.5 Crossing, 18.7 Recrossing. A counter off the map is on the East bank.
"""

from collections.abc import Iterator, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, push
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .areas import LANDINGS, MAMAYEV_KURGAN, is_zone, name_area
from .becoming import count_dots, find_marker
from .course import COURSE
from .deployment import Deployment
from .kinds import CounterClass
from .marching import (
    Marcher,
    find_allowance,
    find_apart,
    find_marcher,
    find_pieces,
    list_steps,
    pay_step,
    price_landing,
)
from .record import FerryWay
from .sides import Side
from .volga import MOST_UNITS, CrossingOutcome, Hold

RECROSSING_MF = 1  # 18.7


def fill_interdiction(deployed: Deployment, landing: str) -> Json:
    """What Germans on Mamayev Kurgan and, as far as the chart knows it, on the bank make of crossings (18.4)."""
    pieces = deployed.pieces.get((Side.GERMAN.value, MAMAYEV_KURGAN), ())
    guns = any(piece.kind.sort is CounterClass.ARTILLERY for piece in pieces)
    filled: Json = {"mamayev": _find_hold(deployed, MAMAYEV_KURGAN).value, "artillery_there": guns}
    banks = deployed.areas.banks
    if banks:
        filled["bank"] = _list_holds(deployed, banks)[0].value
    near = deployed.areas.neighbours(landing)
    if banks and near.are_all:
        beside = [*_list_holds(deployed, near.names & banks), Hold.NONE, Hold.NONE]
        filled |= {"adjacent_one": beside[0].value, "adjacent_two": beside[1].value}
    return filled


def fill_ferry(about: Values, situation: TableState) -> Json:
    """The landings that are not German, for units on the East bank (18.3)."""
    pieces = find_pieces(about.get("who"), situation)
    is_open = not about.get("landing") and not any(piece.counter.place for piece in pieces)
    goals = [area for area in LANDINGS if area not in situation.record["german_areas"]]
    return {"goals": " ".join(goals)} if is_open else {}


def _find_hold(deployed: Deployment, area: str) -> Hold:
    """How Germans stand in an Area."""
    if deployed.is_controlled(Side.GERMAN, area):
        return Hold.CONTROL
    return Hold.CONTEST if deployed.find_units(Side.GERMAN, area) else Hold.NONE


def _list_holds(deployed: Deployment, areas: frozenset[str]) -> list[Hold]:
    """The same for several Areas, the strongest first; Zones do not count."""
    ranks = [*Hold]
    holds = [_find_hold(deployed, area) for area in areas if not is_zone(area)]
    return sorted(holds, key=ranks.index, reverse=True)


def fill_crossing(deployed: Deployment, landing: str, unit: object) -> Json:
    """Whether a landing Area is Contested, or full (18.52); and whether the counter stands there and goes back East."""
    is_full = len(deployed.find_units(Side.RUSSIAN, landing)) >= deployed.limit and not is_zone(landing)
    pieces = find_pieces([{"id": unit}], deployed.situation)
    is_back = any(piece.counter.place for piece in pieces)
    contested = bool(deployed.find_units(Side.GERMAN, landing))
    return {"contested": contested, "full": is_full, **({"recross": is_back} if pieces else {})}


# What bars the way


def check_ferry(inputs: Values, situation: TableState) -> None:
    """Raise BadInput with every reason why counters do not cross at a landing now."""
    pieces, landing = find_pieces(inputs.get("who"), situation), str(inputs.get("landing") or "")
    _check("landing", pieces, landing, situation)


def check_crossing(inputs: Values, situation: TableState) -> None:
    """The same for one of them, as it rolls."""
    _check("area", find_pieces([{"id": inputs.get("id")}], situation), str(inputs.get("area") or ""), situation)


def _check(field: str, pieces: Sequence[Piece], landing: str, situation: TableState) -> None:
    if landing and (reasons := [*dict.fromkeys(find_ferry_bars(pieces, landing, situation))]):
        raise BadInput({field: " ".join(reasons)})


def find_ferry_bars(pieces: Sequence[Piece], landing: str, situation: TableState) -> Iterator[str]:
    """Every reason against a crossing, either way, that the record and these counters know, in sentences."""
    if landing in situation.record["german_areas"]:
        yield f"By the record {name_area(landing)} is German (18.3)."
    if not pieces:
        return
    marchers = [find_marcher(piece, Deployment.of(situation)) for piece in pieces]
    if any(marcher.side is not Side.RUSSIAN for marcher in marchers):
        yield "Only Russians cross the Volga (18.3)."
        return
    if len({bool(marcher.area) for marcher in marchers}) > 1:
        yield f"{join_words(marcher.name for marcher in marchers)} stand on both banks: one way at a time."
        return
    is_back = bool(marchers[0].area)
    yield from _bar_back(marchers, landing, situation) if is_back else _bar_there(marchers, landing, situation)
    word, rule = (FerryWay.BACK, "18.7") if is_back else (FerryWay.OVER, "18.3")
    earlier = {step["unit"] for step in list_steps(situation) if step.get("by") == word}
    number = len(earlier | {marcher.piece.counter.id for marcher in marchers})
    if number > MOST_UNITS:
        yield f"At most {MOST_UNITS} units cross in an impulse; with these it is {number} ({rule})."


def _bar_there(marchers: Sequence[Marcher], landing: str, situation: TableState) -> Iterator[str]:
    """From the East bank: Fresh units, and in this impulse nobody from elsewhere acts (18.3, 18.7)."""
    if situation.position.side != Side.RUSSIAN:
        yield "It is the German's impulse (8.1)."
    if spent := [marcher.name for marcher in marchers if not marcher.is_fresh]:
        yield f"{join_words(spent)}: on the East bank until Fresh (18.7)."
    origins = {step["origin"] for step in list_steps(situation)}
    if origins - {landing}:
        yield f"In this impulse units of {join_words(map(name_area, sorted(origins)))} have acted already (18.3)."


def _bar_back(marchers: Sequence[Marcher], landing: str, situation: TableState) -> Iterator[str]:
    """Back East: for an MF, or for Spent units as a form of Regrouping (18.7, 8.28)."""
    yield from find_apart(marchers, situation)
    deployed = Deployment.of(situation)
    landed = {step["unit"] for step in list_steps(situation) if step.get("by") == FerryWay.OVER}
    if landing not in LANDINGS:
        yield f"{name_area(landing)} has no Ferry Landing (18.7)."
    for marcher in marchers:
        mf = find_allowance(marcher, marcher.area, deployed)
        if marcher.piece.counter.id in landed:
            yield f"{marcher.name} has crossed in this impulse."
        elif marcher.area != landing:
            yield f"{marcher.name} stands in {name_area(marcher.area)} (18.7)."
        elif marcher.is_fresh and mf is not None and marcher.paid + RECROSSING_MF > mf:
            yield f"{marcher.name}: it takes {RECROSSING_MF} MF (18.7), and none is left."
        elif not marcher.is_fresh and marcher.origin != landing:
            yield f"{marcher.name} is Spent, and has not begun the impulse there (18.7)."
        elif not marcher.is_fresh and find_marker(marcher.piece.counter):
            yield f"{marcher.name} is Spent and isolated: it does not regroup (12.21)."


def list_waiting(deployed: Deployment) -> list[Piece]:
    """The Fresh Russian units on the East bank (18.2)."""
    pieces = [piece for piece in deployed.situation.pieces if piece.counter.in_play and not piece.counter.place]
    russians = [piece for piece in pieces if piece.counter.side == Side.RUSSIAN and piece.kind.sort.is_combat_unit]
    return [piece for piece in russians if not count_dots(piece.counter)]


# What is kept


def note_crossing(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """Who has crossed, either way and however it ended; who has landed safely goes on (18.3, 18.5, 18.7)."""
    landing, pieces = inputs.get("area"), find_pieces([{"id": inputs.get("id")}], situation)
    if not (landing and pieces):
        return ()
    deployed = Deployment.of(situation)
    marcher = find_marcher(pieces[0], deployed)
    if inputs.get("recross"):
        mf = RECROSSING_MF if marcher.is_fresh else 0
        row = {**pay_step(marcher, landing, mf, situation), "by": FerryWay.BACK.value}
    else:
        mf = price_landing(deployed, landing) if result.outcome is CrossingOutcome.LANDED else 0
        row = {"impulse": COURSE.name_impulse(situation.position), "unit": marcher.piece.counter.id, "step": 1}
        row |= {"origin": landing, "area": landing, "mf": mf, "by": FerryWay.OVER.value}
    return (RecordChange({"steps": push(row)}, ()),)
