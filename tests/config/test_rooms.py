"""The rooms of each app: few arrows between them, and none in a circle."""

import ast
from graphlib import TopologicalSorter

import pytest

from .test_imports import ROOT, house_files, imports, module_of

MOST = {"firefight": 30, "campaign": 39}


def room_of(module):
    """A folder of an app, or a module that stands beside the folders; "" for what is in neither."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in ("migrations", "management") else ""


def arrows_of(app, files):
    """Which room of an app imports which: {room: rooms}."""
    arrows = {}
    for module, source, is_package in files:
        here = room_of(module)
        for target in imports(ast.parse(source), module, is_package):
            there = room_of(target)
            if here and there and here != there and target.split(".")[0] == app:
                arrows.setdefault(here, set()).add(there)
    return arrows


def files_of(app):
    return [
        (module_of(path), path.read_text(encoding="utf-8"), path.name == "__init__.py")
        for path in house_files()
        if path.is_relative_to(ROOT / app)
    ]


@pytest.mark.parametrize("app", MOST)
def test_few_arrows_run_between_rooms_and_none_in_a_circle(app):
    arrows = arrows_of(app, files_of(app))
    drawn = sorted(f"{here} -> {there}" for here, targets in arrows.items() for there in targets)
    assert 10 < len(drawn) <= MOST[app], "\n".join(drawn)
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the circle


def test_a_circle_is_seen():
    files = [("firefight.table.rolling.rolls", "from firefight.chartroom import drafts", False)]
    files += [("firefight.chartroom.drafts", "from firefight.table.rolling.rolls import perform", False)]
    with pytest.raises(ValueError, match="cycle"):
        TopologicalSorter(arrows_of("firefight", files)).prepare()
