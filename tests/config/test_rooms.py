"""The rooms of each app: few arrows between them, and none in a circle."""

import ast
from functools import cache
from graphlib import TopologicalSorter

import pytest

from .test_imports import ROOT, house_files, imports, module_of

read_imports = cache(lambda source, module, is_package: [*imports(ast.parse(source), module, is_package)])

# Where rooms meet by design: what the app says as it starts, what the frame is given of it, its commands.
BESIDE = ("migrations", "management", "apps", "ledger_port", "helpers", "rehearsal")
MOST = {"firefight": 38, "campaign": 34}


def room_of(module):
    """A folder of an app, or a module that stands beside the folders; "" for what is in neither."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in BESIDE else ""


def arrows_of(app, files):
    """Which room of an app imports which: {room: rooms}."""
    arrows = {}
    for module, source, is_package in files:
        room = room_of(module)
        for target in read_imports(source, module, is_package):
            target_room = room_of(target)
            if room and target_room and room != target_room and target.split(".")[0] == app:
                arrows.setdefault(room, set()).add(target_room)
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
    drawn = sorted(f"{room} -> {target}" for room, targets in arrows.items() for target in targets)
    assert 10 < len(drawn) <= MOST[app], "\n".join(drawn)
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the circle


def test_a_circle_is_seen():
    files = [("firefight.table.rolling.rolls", "from firefight.chartroom import drafts", False)]
    files += [("firefight.chartroom.drafts", "from firefight.table.rolling.rolls import perform", False)]
    with pytest.raises(ValueError, match="cycle"):
        TopologicalSorter(arrows_of("firefight", files)).prepare()


# The rooms of a match, from the ground up; what lies beside them (views, forms, presenters, lessons) may use all.
TABLE = ("act", "log", "seats", "board", "rolling", "story", "files", "consent")


def table_arrows(files):
    """Which room of the table imports which other one: {(room, other): modules}."""
    arrows = {}
    for module, source, is_package in files:
        room = module.split(".")[2:3]
        for target in read_imports(source, module, is_package):
            target_room = target.split(".")[2:3] if target.startswith("firefight.table.") else []
            if room and target_room and room != target_room and target_room[0] in TABLE:
                arrows.setdefault((room[0], target_room[0]), set()).add(module)
    return arrows


def rising(arrows):
    """Those that go up from one of these rooms, or out of them."""
    above = len(TABLE)
    height = {room: TABLE.index(room) for room in TABLE}
    return {arrow: modules for arrow, modules in arrows.items() if height.get(arrow[0], above) < height[arrow[1]]}


def test_the_rooms_of_a_match_keep_their_floors():
    files = [(module, *more) for module, *more in files_of("firefight") if module.startswith("firefight.table.")]
    arrows = table_arrows(files)
    assert {room for arrow in arrows for room in arrow} >= set(TABLE)
    assert not rising(arrows)
    outside = [
        target
        for module, source, is_package in files
        for target in read_imports(source, module, is_package)
        if module.split(".")[2] in TABLE and target.startswith(("firefight.table.views", "firefight.table.forms"))
    ]
    assert outside == []


def test_an_act_that_knows_the_board_is_seen():
    files = [("firefight.table.act.performing", "from firefight.table.board import counters", False)]
    assert rising(table_arrows(files)) == {("act", "board"): {"firefight.table.act.performing"}}


def circles(arrows):
    """Circles of modules: {module: modules} to lists of those that reach each other."""
    loops, index, low, stack = [], {}, {}, []

    def visit(module):
        index[module] = low[module] = len(index)
        stack.append(module)
        for target in arrows.get(module, ()):
            if target not in index:
                visit(target)
            if target in stack:
                low[module] = min(low[module], low[target])
        if low[module] == index[module]:
            circle = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(circle) > 1:
                loops.append(sorted(circle))

    for module in arrows:
        if module not in index:
            visit(module)
    return loops


def module_arrows(files):
    """Which module imports which, for types and inside functions too; a name that is imported counts for its module."""
    known = {module for module, _, _ in files}
    arrows = {}
    for module, source, is_package in files:
        for target in read_imports(source, module, is_package):
            imported = target if target in known else target.rpartition(".")[0]
            if imported in known and imported != module:
                arrows.setdefault(module, set()).add(imported)
    return arrows


def test_no_modules_import_each_other_in_a_circle():
    files = [file for app in ("firefight", "campaign", "config") for file in files_of(app)]
    arrows = module_arrows(files)
    assert len(arrows) > 300
    assert circles(arrows) == []


@pytest.mark.parametrize(
    "source",
    [
        "from . import two",
        "from firefight.two import name",
        "def f():\n    from .two import name",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .two import name",
    ],
)
def test_a_circle_of_modules_is_seen(source):
    files = [("firefight.one", source, False), ("firefight.two", "from firefight.three import name", False)]
    files += [("firefight.three", "import firefight.one", False), ("firefight.four", "from . import one", False)]
    assert circles(module_arrows(files)) == [["firefight.one", "firefight.three", "firefight.two"]]
