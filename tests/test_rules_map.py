"""docs/rules-map.md is complete, and what it names exists."""

import ast
import importlib
import re
import tomllib
from functools import cache

import pytest

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
EXPECTED = {f"{group}-{n:02}" for group, rows in GROUPS.items() for n in range(1, rows + 1)}

TEXT = (ROOT / "docs/rules-map.md").read_text(encoding="utf-8")
LEGEND = dict(re.findall(r"^- `(\w+)`: (\S+\.py)$", TEXT, re.MULTILINE))
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| [A-Z]{2}-\d\d \|", line)
]
REFERENCE_TEST = "tests/firefight/assistant/test_reminders.py::test_every_reference_row_is_shown"


def entries(cell):
    return [entry.strip() for entry in cell.split(",")]


@cache
def functions_in(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@cache
def reference_rows():
    path = ROOT / "fixtures/reference/combat_stalingrad.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {entry["row"] for name, entries_ in tables.items() if name != "section" for entry in entries_}


def test_every_expected_row_stands_in_the_map_once():
    assert [row for row, *_ in ROWS if row not in EXPECTED] == []
    assert sorted(row for row, *_ in ROWS) == sorted(EXPECTED)


def test_every_row_has_a_rule_a_description_a_module_and_a_test():
    for cells in ROWS:
        assert len(cells) == 5, cells[0]
        assert all(cells), cells[0]


@pytest.mark.parametrize("name", sorted({entry for cells in ROWS for entry in entries(cells[3])} - {"reference"}))
def test_every_module_named_has_what_the_map_says(name):
    module, _, attribute = name.partition(".")
    path = LEGEND[module]
    assert (ROOT / path).is_file()
    room = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    found = getattr(room, attribute)
    assert callable(found)
    assert found.__module__ == room.__name__, "it is decided elsewhere, and only imported there"


@pytest.mark.parametrize("name", ["redeployment.no_such_function", "mines.DIE", "reorganization.find_contested"])
def test_a_name_that_the_map_could_not_use_is_found_out(name):
    with pytest.raises((AssertionError, AttributeError)):
        test_every_module_named_has_what_the_map_says(name)


def test_the_legend_names_no_module_that_no_row_uses():
    used = {entry.partition(".")[0] for cells in ROWS for entry in entries(cells[3])}
    assert set(LEGEND) == used - {"reference"}


@pytest.mark.parametrize("name", sorted({entry for cells in ROWS for entry in entries(cells[4])}))
def test_every_test_named_exists(name):
    path, _, function = name.partition("::")
    assert function.startswith("test_")
    assert function in functions_in(path)


def test_a_row_is_marked_reference_exactly_when_it_is_shown_as_a_reminder_or_a_fact():
    marked = {cells[0] for cells in ROWS if "reference" in entries(cells[3])}
    assert marked == reference_rows() & EXPECTED


def test_a_row_marked_reference_names_the_test_that_every_such_row_is_shown():
    for row, _, _, module, test in ROWS:
        assert ("reference" in entries(module)) == (REFERENCE_TEST in entries(test)), row


def test_a_row_with_a_module_names_a_test_of_the_rule_itself():
    for row, _, _, module, test in ROWS:
        if entries(module) != ["reference"]:
            assert set(entries(test)) - {REFERENCE_TEST}, row
