"""The shipped chart book of Combat! Stalingrad for tests: as plain data, as a Book, and with charts changed."""

import copy
import tomllib
from pathlib import Path

from firefight.engine.charts.book import read_book
from firefight.games.combat_stalingrad.rules.charts import SPECS

ROOT = Path(__file__).resolve().parents[1]
_TEXT = (ROOT / "firefight/games/combat_stalingrad/data/chartbook.toml").read_text(encoding="utf-8")
_DATA = tomllib.loads(_TEXT)


def house_data():
    """A copy of the book's plain values, free to be changed."""
    return copy.deepcopy(_DATA)


def altered_data(chart, **changes):
    """The book's plain values with some keys of one chart replaced."""
    data = house_data()
    data["charts"][chart] |= changes
    return data


def altered(chart, **changes):
    """The house book with some keys of one chart replaced."""
    return read_book(altered_data(chart, **changes), SPECS)[0]


def problems_of(data):
    """What the reader says about a book, as sentences."""
    return [str(problem) for problem in read_book(data, SPECS)[1]]


def grid(chart):
    """A grid's cells as {column: {row: number}}, read here without the engine's help."""
    head, *lines = [line.split() for line in _DATA["charts"][chart]["grid"].strip().splitlines()]
    return {column: {line[0]: int(line[place]) for line in lines} for place, column in enumerate(head[1:], start=1)}


def grid_result(chart, column, total):
    """The row that a total scores: the first from the top whose cell it does not exceed."""
    face = min(max(total, 1), 100)
    return next((row for row, highest in grid(chart)[column].items() if face <= highest), "")


def banded(chart):
    """A band chart as {face: meaning}, read here without the engine's help."""
    faces = {}
    for text, meaning in _DATA["charts"][chart]["bands"]:
        low, _, high = text.partition("-")
        faces |= dict.fromkeys(range(int(low), int(high or low) + 1), meaning)
    return faces


HOUSE = read_book(_DATA, SPECS)[0]
