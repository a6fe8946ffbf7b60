"""Checks the app's dice of an exported log against the match's opened seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .engine.dice import commitment, rolled_face


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found: how many rolls were compared, and everything that does not fit."""

    checked: int
    problems: tuple[str, ...]


def check(exported: Mapping[str, Any]) -> Report:
    """Compare every numbered roll of an exported log with its derivation. Never raises on odd files."""
    try:
        seed = bytes.fromhex(exported["seed"] or "")
        rolls = [
            (int(roll["number"]), int(roll["sides"]), int(roll["face"]))
            for entry in exported["entries"]
            for roll in entry["rolls"]
            if roll.get("source") == "app"
        ]
        published, made = str(exported["commitment"]), int(exported["rolls_made"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return Report(0, ("This is no exported log, or its match has not ended.",))
    if not seed:
        return Report(0, ("The match has not ended: its seed is still sealed.",))
    problems = []
    if commitment(seed) != published:
        problems.append("The seed does not fit the commitment that was published at the start.")
    if sorted(number for number, _, _ in rolls) != list(range(1, made + 1)):
        problems.append(f"The numbers of the rolls are not 1 to {made}, each once.")
    problems += [
        f"Roll {number}: the log says {face}, the seed gives {rolled_face(seed, number, sides)}."
        for number, sides, face in rolls
        if sides not in (10, 100) or rolled_face(seed, number, sides) != face
    ]
    return Report(len(rolls), tuple(problems))
