"""Checks the app's dice of an exported log against the match's opened seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .engine.dice import commitment, rolled_face

MOST_SIDES = 1000
MOST_PROBLEMS = 20  # told one by one


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found: how many rolls were compared, and everything that does not fit."""

    checked: int
    problems: tuple[str, ...]


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
    except (LookupError, TypeError, ValueError, AttributeError):
        return Report(0, ("This is no exported log, or its match has not ended.",))
    if not seed:
        return Report(0, ("The match has not ended: its seed is still sealed.",))
    problems = []
    if commitment(seed) != published:
        problems.append("The seed does not fit the commitment that was published at the start.")
    if len(rolls) != made or {number for number, _, _ in rolls} != set(range(1, len(rolls) + 1)):
        problems.append(f"The numbers of the rolls are not 1 to {made}, each once.")
    problems += filter(None, (_flaw(seed, *roll) for roll in rolls))
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"And {len(problems) - MOST_PROBLEMS} more."]
    return Report(len(rolls), tuple(problems))


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _flaw(seed: bytes, number: int, sides: int, face: int) -> str:
    if not 2 <= sides <= MOST_SIDES:
        return f"Roll {number}: there is no die with {sides} sides."
    derived = rolled_face(seed, number, sides)
    return "" if derived == face else f"Roll {number}: the log says {face}, the seed gives {derived}."
