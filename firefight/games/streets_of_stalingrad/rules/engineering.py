"""What engineers build: where they may begin, how long it takes (17.0 Engineering)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown, allow_or_refuse
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.text import count_of, join_numbers

from .data import from_text, read_lists
from .dates import say_turn
from .phases import list_movement_phases
from .terms import Marker, Side

MOST_ENGINEERS = 4


class Work(Labelled):
    """What is built, or removed in the same time. ``rule``: how long it takes."""

    BRIDGE = "bridge", "Bridge", "17.16"
    MINEFIELD = "minefield", "Minefield", "17.25"
    FORTIFICATION = "fortification", "Fortification", "17.35"


class When(NamedTuple):
    """A phase of a turn."""

    turn: int
    phase: int

    def plain(self) -> dict[str, int]:
        """As plain values."""
        return {"turn": self.turn, "phase": self.phase}

    def __str__(self) -> str:
        return f"phase {self.phase}, {say_turn(self.turn)}"


def engineering(
    *, charts: Book, work: Work, side: Side, engineers: int, turn: int, phase: int, hindered: int
) -> Result:
    """When a work is placed, and when its engineers move again (17.16 to 17.18, 17.26, 17.36; A36).

    hindered: phases in which they were pinned, spent or fighting; each costs a movement phase of their side.
    """
    phases = list_movement_phases(side)
    if phase not in phases:
        raise BadInput({"phase": f"The {side.word} side begins works in phases {join_numbers(phases)} (17.15)."})
    turns = count_turns(work, side, engineers)
    began = turn * len(phases) + phases.index(phase)
    placed, free = (
        When(number // len(phases), phases[number % len(phases)])
        for number in (began + turns * len(phases) + hindered, began + turns * len(phases) + hindered + 1)
    )
    delay_words = f", {count_of(hindered, 'movement phase')} later than planned" if hindered else ""
    return Result(
        f"{work.word}: placed in {placed}{delay_words}.",
        IsShown.SHOWN,
        details={"turns": turns, "placed": placed.plain(), "may_move": free.plain()},
        effects=(
            f"Its engineers move again in {free}.",
            "If the site comes into an enemy ZOC the work is over (17.0).",
        ),
        rules=(work.rule, "17.18" if work is Work.BRIDGE else "17.27" if work is Work.MINEFIELD else "17.37"),
        provenance=from_text("limits"),
    )


class Delay(Outcome):
    """What happens to a work that is under way."""

    DELAYED = "delayed"
    OVER = "over", "is over"


def delay(*, charts: Book, stopped: bool, **fields: Any) -> Result:
    """A work whose engineers were hindered, or whose site came into an enemy ZOC (17.0, 17.16, 17.26, 17.36).

    stopped: the work is over. fields: as engineering takes them, with all phases hindered so far.
    """
    planned = engineering(charts=charts, **fields)
    if not stopped:
        return replace(planned, outcome=Delay.DELAYED)
    words = f"{fields['work'].word}: the work is over, its site is in an enemy ZOC."
    return replace(planned, headline=words, outcome=Delay.OVER, details={}, effects=(), rules=("17.0",))


def count_turns(work: Work, side: Side, engineers: int) -> int:
    """How many turns of 15 phases a work takes (17.16, 17.25, 17.35)."""
    listed: Mapping[str, int] = read_lists("limits")["turns"][work.value]
    by_one = listed[side.value]
    return listed.get(f"{side.value}_two_engineers", by_one) if engineers > 1 else by_one


def site(
    *,
    charts: Book,
    work: Work,
    side: Side,
    marker: Marker,
    enemy_zoc: bool,
    in_range_and_los: bool,
    fighting: bool,
    no_vehicle_access: bool,
    moved: bool,
    at_start: bool,
) -> Result:
    """Whether a work may begin or go on at a site (17.0, 17.15, 17.19, 17.24, 17.28, 17.34, 17.38; A37).

    fighting: it attacks, is attacked or bombarded in this phase. at_start: the piece is there as the scenario begins.
    """
    build = {Work.BRIDGE: "17.15", Work.MINEFIELD: "17.24", Work.FORTIFICATION: "17.34"}[work]
    ready = {Work.BRIDGE: "17.19", Work.MINEFIELD: "17.28", Work.FORTIFICATION: "17.38"}[work]
    rule, reasons = ready if at_start else build, []
    if enemy_zoc:
        reasons.append(f"{rule}: the site is in an enemy ZOC.")
    if in_range_and_los and not (at_start and work is Work.MINEFIELD):
        reasons.append(f"{rule}: an enemy direct-fire unit has range and line of sight to the site.")
    if not at_start:
        reasons += _find_hindrances(work, marker, fighting, no_vehicle_access, moved, rule)
    position = "beside the site" if work is Work.MINEFIELD else "on the site"
    follow_up = FollowUp("engineering", f"{work.word}: when it is done", {"work": work.value, "side": side.value})
    may_go_on = not reasons and not at_start
    result = allow_or_refuse(
        f"{work.word}{' at the start' if at_start else ''}",
        reasons,
        ("17.0", rule),
        {"may_start": not reasons, "stopped": enemy_zoc and not at_start},
        follow_ups=(follow_up,) if may_go_on else (),
    )
    effects = (f"The engineer starts the movement phase {position} ({rule}).",)
    return replace(result, effects=effects) if may_go_on else result


def _find_hindrances(
    work: Work, marker: Marker, fighting: bool, no_vehicle_access: bool, moved: bool, rule: str
) -> list[str]:
    """What keeps engineers from working in this phase."""
    hindrances = []
    if marker is not Marker.NONE:
        hindrances.append(f"{rule}: {marker.word.lower()} engineers do not work.")
    if fighting:
        hindrances.append(f"{rule}: not in a phase in which they attack, are attacked or bombarded.")
    if no_vehicle_access and work is Work.BRIDGE:
        hindrances.append(f"{rule}: no unit of MP 12 or more can come to a hex beside it.")
    if moved:
        hindrances.append(f"{rule}: not in a phase in which they move.")
    return hindrances
