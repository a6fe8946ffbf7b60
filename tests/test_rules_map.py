"""docs/rules-map.md and the maps of the other games are complete, and what they name exists."""

import ast
import importlib
import re
import tomllib
from functools import cache

import pytest

from firefight.games import registry
from tests.books import ROOT

GROUPS = {
    "EQ": 15,
    "AC": 9,
    "AP": 16,
    "CV": 7,
    "FA": 10,
    "SM": 6,
    "DC": 2,
    "PL": 7,
    "BB": 4,
    "AS": 15,
    "FT": 10,
    "MC": 13,
    "CC": 21,
    "UF": 19,
    "OP": 4,
    "ER": 15,
    "NM": 4,
    "CQ": 8,
    "CG": 15,
    "RO": 5,
    "SE": 5,
    "RP": 5,
    "TS": 19,
    "RD": 5,
    "UC": 7,
    "CP": 8,
    "LD": 2,
    "NE": 3,
    "IS": 3,
    "MX": 1,
}
EXPECTED = {
    "combat-stalingrad": {f"{group}-{n:02}" for group, rows in GROUPS.items() for n in range(1, rows + 1)},
    "battle-for-stalingrad": {f"B{n:03}" for n in range(1, 44)},
    "turning-point-stalingrad": {f"TP-{n:03}" for n in range(1, 204)},
    "streets-of-stalingrad": {f"S{n:03}" for n in range(1, 264)},
    "inferno-on-the-volga": {f"IN-{n:03}" for n in range(1, 120)},
}
FIRST = "combat-stalingrad"
REFERENCE_TESTS = {
    FIRST: "tests/firefight/assistant/test_reminders.py::test_every_reference_row_is_shown",
    "": "tests/games/test_every_game.py::test_every_reminder_and_fact_is_shown",
}


class RulesMap:
    """A game's map: its legend, its rows, and what else says which rows are reminders."""

    def __init__(self, game):
        self.game = game
        path = "docs/rules-map.md" if game == FIRST else f"docs/games/{game}/rules-map.md"
        text = (ROOT / path).read_text(encoding="utf-8")
        self.legend = dict(re.findall(r"^- `(\w+)`: (\S+\.py)$", text, re.MULTILINE))
        lines = [line for line in text.splitlines() if re.match(r"\| [A-Z]{1,2}-?\d{2,3} \|", line)]
        self.rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        self.reference_test = REFERENCE_TESTS.get(game, REFERENCE_TESTS[""])

    def __repr__(self):
        return self.game

    def names(self, place):
        return sorted({entry for cells in self.rows for entry in entries(cells[place])} - {"reference"})

    @property
    def reference_rows(self):
        path = ROOT / "firefight/games" / self.game.replace("-", "_") / "data/reference.toml"
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return {entry["row"] for name, listed in tables.items() if name != "section" for entry in listed}


def entries(cell):
    return [entry.strip() for entry in cell.split(",")]


MAPS = [RulesMap(game) for game in EXPECTED]
each_map = pytest.mark.parametrize("rules_map", MAPS, ids=repr)
FIRST_MAP = MAPS[0]


@cache
def functions_in(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_shipped_game_has_a_map():
    assert set(EXPECTED) == set(registry.games())


@each_map
def test_every_expected_row_stands_in_the_map_once(rules_map):
    assert sorted(row for row, *_ in rules_map.rows) == sorted(EXPECTED[rules_map.game])


@each_map
def test_every_row_has_a_rule_a_description_a_module_and_a_test(rules_map):
    for cells in rules_map.rows:
        assert len(cells) == 5, cells[0]
        assert all(cells), cells[0]


def look_at(rules_map, name):
    module, _, attribute = name.partition(".")
    path = rules_map.legend[module]
    assert (ROOT / path).is_file()
    room = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    rule = getattr(room, attribute)
    assert callable(rule)
    assert rule.__module__ == room.__name__, "it is decided elsewhere, and only imported there"


@each_map
def test_every_module_named_has_what_the_map_says(rules_map):
    for name in rules_map.names(3):
        look_at(rules_map, name)


@pytest.mark.parametrize("name", ["redeployment.no_such_function", "mines.DIE", "reorganization.find_contested"])
def test_a_name_that_the_map_could_not_use_is_found_out(name):
    with pytest.raises((AssertionError, AttributeError)):
        look_at(FIRST_MAP, name)


@each_map
def test_the_legend_names_no_module_that_no_row_uses(rules_map):
    assert set(rules_map.legend) == {name.partition(".")[0] for name in rules_map.names(3)}


@each_map
def test_every_test_named_exists(rules_map):
    for name in rules_map.names(4):
        path, _, function = name.partition("::")
        assert function.startswith("test_")
        assert function in functions_in(path), name


@each_map
def test_a_row_is_marked_reference_exactly_when_it_is_shown_as_a_reminder_or_a_fact(rules_map):
    marked = {cells[0] for cells in rules_map.rows if "reference" in entries(cells[3])}
    assert marked == rules_map.reference_rows & EXPECTED[rules_map.game]


@each_map
def test_a_row_marked_reference_names_the_test_that_every_such_row_is_shown(rules_map):
    for row, _, _, module, test in rules_map.rows:
        assert ("reference" in entries(module)) == (rules_map.reference_test in entries(test)), row


@each_map
def test_a_row_with_a_module_names_a_test_of_the_rule_itself(rules_map):
    for row, _, _, module, test in rules_map.rows:
        if entries(module) != ["reference"]:
            assert set(entries(test)) - {rules_map.reference_test}, row
