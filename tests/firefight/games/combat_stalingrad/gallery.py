"""The shipped counters for tests: as plain values free to be changed, and read."""

import copy
import tomllib
from pathlib import Path

from firefight.games.combat_stalingrad.rules.counters import read_counters

FILE = Path(__file__).resolve().parents[4] / "firefight/games/combat_stalingrad/data/counters.toml"
_PLAIN = tomllib.loads(FILE.read_text(encoding="utf-8"))
COUNTERS, PROBLEMS = read_counters(_PLAIN)


def plain_counters():
    """A copy of the file's plain values."""
    return copy.deepcopy(_PLAIN)


def counter_problems(data):
    """What the reader says about counters."""
    return [str(problem) for problem in read_counters(data)[1]]
