"""The shipped campaign content for tests: as plain values that may be changed, and read."""

import copy
import tomllib
from pathlib import Path

from campaign.rules.cards import read_card
from campaign.rules.content import read_content
from campaign.rules.maps import read_map
from campaign.rules.rosters import read_roster
from firefight.games.combat_stalingrad.rules.sides import Side

ROOT = Path(__file__).resolve().parents[2]
FOLDER, COUNTERS_FILE = ROOT / "campaign/data", ROOT / "firefight/games/combat_stalingrad/data/counters.toml"
CARD_FILES = {"cg1": "into_the_inferno", "cg2": "to_the_volga"}
_FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml")}
_FILES["counters"] = tomllib.loads(COUNTERS_FILE.read_text(encoding="utf-8"))

CONTENT, PROBLEMS = read_content(
    _FILES["counters"],
    {side: _FILES[f"roster_{side}"] for side in Side},
    _FILES["map"],
    {identity: _FILES[name] for identity, name in CARD_FILES.items()},
)
GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN


def plain(name):
    """A copy of one file's plain values."""
    return copy.deepcopy(_FILES[name])


def told(problems):
    """Problems as sentences."""
    return [str(problem) for problem in problems]


def map_problems(data):
    """What the reader says about a map."""
    sector_map, problems = read_map(data)
    assert (sector_map is None) == bool(problems)
    return told(problems)


def roster_problems(data):
    """What the reader says about a roster."""
    roster, problems = read_roster(data, CONTENT.counters)
    assert (roster is None) == bool(problems)
    return told(problems)


def card_problems(data):
    """What the reader says about a card."""
    card, problems = read_card(data, CONTENT.sector_map, CONTENT.rosters, CONTENT.counters)
    assert (card is None) == bool(problems)
    return told(problems)


def group_of(data, identity):
    """One group of a roster's plain values."""
    return next(group for group in data["groups"] if group["id"] == identity)


def cut(data, one, other):
    """Take a border out of a map's plain values, on both sides of it."""
    neighbours = data["adjacency"]["neighbours"]
    neighbours[str(one)].remove(other)
    neighbours[str(other)].remove(one)


def join(data, one, other):
    """Put a border into a map's plain values, on both sides of it."""
    neighbours = data["adjacency"]["neighbours"]
    neighbours[str(one)].append(other)
    neighbours[str(other)].append(one)


def tags(*units):
    """How a sentence tells units apart, given as rows or as numbers: " (#1 #2 #3)"."""
    listed = " ".join(f"#{getattr(unit, 'number', unit)}" for unit in units)
    return f" ({listed})"
