"""Reminders and facts of a game that software does not compute, read from the shipped file."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from . import registry
from .chartbooks import FIXTURES


@cache
def of_game(game: str) -> Mapping[str, list[dict[str, Any]]]:
    """All tables of a game's reference file."""
    path = FIXTURES / registry.games()[game].reference
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def for_phase(game: str, phase: str) -> tuple[dict[str, Any], ...]:
    """What to remember when the turn enters a phase."""
    return tuple(entry for entry in of_game(game)["reminder"] if phase in entry["phases"])


@cache
def for_helper(game: str, helper: str) -> tuple[dict[str, Any], ...]:
    """What to remember beside a helper."""
    return tuple(entry for entry in of_game(game)["reminder"] if helper in entry["helpers"])
