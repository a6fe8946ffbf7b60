"""Checks the app's dice of an exported log against the match's opened seed, and those before it against theirs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .engine.dice import commitment, rolled_face
from .models import Match

MOST_SIDES = 1000
MOST_PROBLEMS = 20  # told one by one


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found: how many rolls were compared, and everything that does not fit.

    ``sealed``: rolls of an earlier match, from which this one goes on and whose seed is not open, so that nobody can
    compare them yet.
    """

    checked: int
    problems: tuple[str, ...]
    sealed: int = 0


def earlier_dice(match: Match) -> list[dict[str, Any]]:
    """The seals of the rolls before a match's own, with the seeds of those matches here that have ended. One query."""
    unknown = [seal["match"] for seal in match.earlier_dice if not seal["seed"]]
    ended = Match.objects.filter(pk__in=unknown, ended__isnull=False) if unknown else ()
    opened = {each.commitment: each.seed for each in ended}
    return [{**seal, "seed": seal["seed"] or opened.get(seal["commitment"])} for seal in match.earlier_dice]


def check(exported: Mapping[str, Any]) -> Report:
    """Compare every numbered roll of an exported log with its derivation. Never raises on odd files.

    scripts/check_dice.py does the same on its own, with the same words.
    """
    try:
        seed = bytes.fromhex(exported["seed"] or "")
        rolls = [
            (_whole(roll["number"]), _whole(roll["sides"]), _whole(roll["face"]))
            for entry in exported["entries"]
            for roll in entry["rolls"]
            if roll.get("source") == "app"
        ]
        published, made = exported["commitment"], _whole(exported["rolls_made"])
        earlier = [
            (_whole(seal["to"]), bytes.fromhex(seal["seed"] or ""), seal["commitment"])
            for seal in exported.get("earlier_dice", ())
        ]
    except (LookupError, TypeError, ValueError, AttributeError):
        return Report(0, ("This is no exported log, or its match has not ended.",))
    if not seed:
        return Report(0, ("The match has not ended: its seed is still sealed.",))
    problems = []
    if commitment(seed) != published:
        problems.append("The seed does not fit the commitment that was published at the start.")
    for last, opened, sealed_as in earlier:
        if opened and commitment(opened) != sealed_as:
            problems.append(f"The seed of the rolls up to {last}, of an earlier match, does not fit its commitment.")
    if len(rolls) != made or {number for number, _, _ in rolls} != set(range(1, len(rolls) + 1)):
        problems.append(f"The numbers of the rolls are not 1 to {made}, each once.")
    # Up to the last roll of an earlier match its seed counts; a seed that is not open says nothing yet.
    seeds = {roll[0]: next((opened for last, opened, _ in earlier if roll[0] <= last), seed) for roll in rolls}
    compared = [(seeds[roll[0]], roll) for roll in rolls if seeds[roll[0]]]
    problems += filter(None, (_flaw(found, *roll) for found, roll in compared))
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"And {len(problems) - MOST_PROBLEMS} more."]
    return Report(len(compared), tuple(problems), len(rolls) - len(compared))


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _flaw(seed: bytes, number: int, sides: int, face: int) -> str:
    if not 2 <= sides <= MOST_SIDES:
        return f"Roll {number}: there is no die with {sides} sides."
    derived = rolled_face(seed, number, sides)
    return "" if derived == face else f"Roll {number}: the log says {face}, the seed gives {derived}."
