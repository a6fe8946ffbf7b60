"""The floors of the house: nothing imports upwards, and the pure rooms touch nothing but their arguments."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ("firefight", "campaign", "config")

IMPURE_MODULES = {
    *("time", "datetime", "calendar", "zoneinfo", "random", "secrets", "uuid"),
    *("os", "sys", "pathlib", "io", "shutil", "tempfile", "glob", "fileinput", "sqlite3", "shelve", "dbm"),
    *("socket", "ssl", "http", "urllib", "subprocess", "multiprocessing", "threading", "asyncio"),
    *("importlib", "runpy", "builtins", "logging"),
}
PURE_NAMES = {"datetime.date", "datetime.timedelta"}  # days of a campaign; whoever calls today() is told below
CLOCKS = {"today", "now"}
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}
# What the frame knows of all games lies beside their folders.
ABOUT_GAMES = ("chartbooks", "gallery", "golden", "registry", "tallying")
PURE = ("firefight.engine", "firefight.drawing.layout", "firefight.games", "campaign.rules")
# Which modules of the pure rooms may use which library.
LIBRARIES = {
    "icepool": ("firefight.engine.rolls.odds", "firefight.engine.rolls.tally"),
    "networkx": ("firefight.drawing.layout.planarity",),
}


def is_in(module, room):
    return module == room or module.startswith(room + ".")


def floor(module):
    """The height of a module in the house, or None if it is not ours."""
    parts = module.split(".")
    match parts[0]:
        case "config":
            return 7
        case "campaign":
            return 6
        case "firefight":
            pass
        case _:
            return None
    match parts[1:]:
        case ["engine", *_]:
            return 0
        case ["games", name, *_] if name in ABOUT_GAMES:
            return 3
        case ["games", _, "game" | "counters" | "sheets" | "helpers" | "rehearsal", *_]:
            return 4
        case ["games" | "drawing", *_]:
            return 1
        case ["kit", *_]:
            return 2
        case ["urls" | "management", *_] | ["assistant", "desk" | "views", *_] | ["table" | "chartroom", "views", *_]:
            return 5
        case _:
            return 3


def game_of(module):
    parts = module.split(".")
    is_in_one = parts[:2] == ["firefight", "games"] and len(parts) > 2 and parts[2] not in ABOUT_GAMES
    return parts[2] if is_in_one else None


def is_pure(module):
    return any(is_in(module, room) for room in PURE) and floor(module) not in (3, 4)


def imports(tree, module, is_package):
    """Every name that is imported, written out in full: `from a import b` is a.b."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def called_names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def called_methods(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def is_for_authors(target):
    """Whether a game may import this of the app."""
    room = target.split(".")[1]
    return room in ("engine", "kit", "drawing") or game_of(target) is not None


def why_not(module, target):
    """Why this module may not import that one, or None if it may."""
    own_floor, target_floor = floor(module), floor(target)
    top = target.split(".")[0]
    if target_floor is None:
        if not is_pure(module):
            return None
        if top in LIBRARIES:
            return None if module in LIBRARIES[top] else f"only {' and '.join(LIBRARIES[top])} may use {top}"
        if top not in sys.stdlib_module_names:
            return "a pure room uses the standard library alone"
        is_impure = top in IMPURE_MODULES and target not in PURE_NAMES
        return "a pure room has no clock, file, chance or system" if is_impure else None
    if target_floor > own_floor:
        return "it lies on a higher floor"
    if game_of(module) and game_of(target) and game_of(module) != game_of(target):
        return "one game never imports another"
    if game_of(module) and not is_for_authors(target):
        return "an author needs engine and kit alone, and drawing for pictures"
    if is_in(module, "campaign.rules") and not (is_in(target, "campaign.rules") or target_floor <= 1):
        return "campaign.rules knows only itself, the engine and the rules of the games"
    return None


def offences(module, source, is_package=False):
    tree = ast.parse(source)
    problems = [
        f"{module} imports {target}: {reason}"
        for target in imports(tree, module, is_package)
        if (reason := why_not(module, target))
    ]
    if is_pure(module):
        problems += [f"{module} calls {name}()" for name in called_names(tree) if name in IMPURE_CALLS]
        problems += [f"{module} asks a clock: .{name}()" for name in called_methods(tree) if name in CLOCKS]
    return problems


def house_files():
    return [path for room in HOUSE for path in sorted((ROOT / room).rglob("*.py"))]


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_house_keeps_its_floors():
    paths = house_files()
    assert ROOT / "config" / "settings.py" in paths
    problems = [
        offence
        for path in paths
        for offence in offences(module_of(path), path.read_text(encoding="utf-8"), path.name == "__init__.py")
    ]
    assert not problems, "\n".join(problems)


def test_the_examples_keep_the_floors_of_a_game():
    """They are read as if they lay among the games: that is where their likes will lie."""
    paths = sorted((ROOT / "examples").glob("*/*.py"))
    assert len(paths) > 10
    problems = []
    for path in paths:
        module = module_of(path).replace("examples.", "firefight.games.", 1)
        problems += offences(module, path.read_text(encoding="utf-8"), path.name == "__init__.py")
        names = imports(ast.parse(path.read_text(encoding="utf-8")), module, path.name == "__init__.py")
        problems += [
            f"{module} imports {name}: an author needs engine and kit alone, and drawing for pictures"
            for name in names
            if name.startswith("firefight.") and not is_for_authors(name)
        ]
    assert problems == []


CGS = "firefight.games.combat_stalingrad"


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("firefight.engine.rolls.dice", "import firefight.games.registry", "higher floor"),
        ("firefight.engine.rolls.dice", f"from {CGS}.rules import fire", "higher floor"),
        ("firefight.engine.rolls.dice", "from firefight import models", "higher floor"),
        ("firefight.engine.rolls.dice", "from ... import models", "higher floor"),
        (
            "firefight.engine.rolls.dice",
            "def late():\n    from firefight.table.log.reading import record",
            "higher floor",
        ),
        ("firefight.engine.rolls.dice", "import django", "standard library alone"),
        ("firefight.engine.rolls.dice", "from PIL import Image", "standard library alone"),
        ("firefight.engine.rolls.dice", "import icepool", "only firefight.engine.rolls.odds"),
        ("firefight.engine.rolls.dice", "from random import randint", "no clock"),
        ("firefight.engine.rolls.dice", "import os.path", "no clock"),
        ("firefight.engine.dates", "from datetime import datetime", "no clock"),
        ("firefight.engine.dates", "import datetime", "no clock"),
        ("firefight.engine.charts.book", "cells = open('cells.tsv').read()", "calls open()"),
        (f"{CGS}.rules.fire", "from django.utils import timezone", "standard library alone"),
        (f"{CGS}.rules.fire", "from datetime import datetime", "no clock"),
        (f"{CGS}.rules.fire", "from datetime import date\nday = date.today()", "asks a clock"),
        (f"{CGS}.rules.fire", "import icepool", "only firefight.engine.rolls.odds"),
        (f"{CGS}.rules.fire", "from .. import helpers", "higher floor"),
        (f"{CGS}.rules.fire", "from firefight.kit import Helper", "higher floor"),
        (f"{CGS}.rules.fire", "from firefight.games.inferno.rules import fire", "one game"),
        (f"{CGS}.helpers", "from firefight.games.inferno.helpers import HELPERS", "one game"),
        (f"{CGS}.helpers.fire", "from firefight.assistant.desk import Desk", "higher floor"),
        (f"{CGS}.rules.fire", "from ..game import GAME", "higher floor"),
        (f"{CGS}.counters", "from firefight.games import gallery", "engine and kit alone"),
        ("firefight.games.registry", f"from {CGS}.helpers import HELPERS", "higher floor"),
        ("firefight.kit.game", "from firefight.games import registry", "higher floor"),
        ("firefight.kit.helper", "from firefight.table.act.act import MatchAct", "higher floor"),
        ("firefight.models", "from firefight.table.views import match", "higher floor"),
        ("firefight.table.log.reading", "import campaign.models", "higher floor"),
        ("firefight.table.views.match", "from campaign import services", "higher floor"),
        ("firefight.management.commands.play", "from config import settings", "higher floor"),
        ("campaign.views", "from config.settings import DEBUG", "higher floor"),
        ("campaign.rules.orders", "from campaign.models import Campaign", "campaign.rules knows only"),
        ("campaign.rules.orders", "from ..models import Campaign", "campaign.rules knows only"),
        ("campaign.rules.orders", f"from {CGS}.helpers import GAME", "campaign.rules knows only"),
        ("campaign.rules.orders", "from django.db import models", "standard library alone"),
        ("campaign.rules.orders", "import secrets", "no clock"),
    ],
)
def test_offence_is_seen(module, source, reason):
    [offence] = offences(module, source)
    assert reason in offence


def test_relative_import_in_a_package_starts_at_the_package():
    assert offences("firefight.engine", "from . import models", is_package=True) == []
    [offence] = offences(CGS, "from . import helpers", is_package=True)
    assert "higher floor" in offence


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("firefight.engine.rolls.odds", "import icepool\nfrom collections import Counter\nfrom . import dice"),
        (f"{CGS}.rules.fire", "from firefight.engine.rolls.dice import Die\nfrom . import morale"),
        (f"{CGS}.helpers", "from django import forms\nfrom firefight import kit\nfrom .rules import fire"),
        ("firefight.kit.fields.numbers", "from django import forms\nfrom firefight.engine import dates"),
        (f"{CGS}.helpers.fire", "from firefight.kit import Helper"),
        ("firefight.games.registry", "from firefight.kit.game import Game"),
        ("firefight.games.registry", "from django.conf import settings\nfrom firefight.engine import results"),
        ("firefight.urls", "from firefight.table import views"),
        ("campaign.rules.upkeep", f"from firefight.engine import dice\nfrom {CGS}.rules import morale"),
        ("campaign.rules.upkeep", "from . import leaders"),
        ("campaign.helpers", f"from {CGS}.helpers import GAME\nfrom campaign.rules import orders"),
        ("config.urls", "import campaign.urls\nimport firefight.urls"),
    ],
)
def test_proper_import_is_let_through(module, source):
    assert offences(module, source) == []
