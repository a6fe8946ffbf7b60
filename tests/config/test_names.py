"""What a value is called says what it is: a name that would fit any value leaves its reader to guess."""

import ast
from collections import Counter

from .test_imports import ROOT, house_files

# A loop over units is over a unit, and what a search has found is a path, a line, a chart.
EMPTY = frozenset(
    [
        "each",
        "found",
        "told",
        "held",
        "here",
        "there",
        "kept",
        "wanted",
        "asked",
        "given",
        "said",
        "made",
        "named",
        "shown",
        "meant",
        "it",
        "thing",
        "things",
        "so",
        "such",
        "gone",
        "put",
        "was",
        "heard",
        "taken",
        "seen",
    ]
)
MOST = 0  # it falls, and never rises


def empty_names(source):
    """The names of variables and arguments that say nothing, each with its line. Fields of a class are what files,
    forms and programs call them."""
    tree = ast.parse(source)
    fields = {id(target) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for target in targets_in(node)}
    for node in ast.walk(tree):
        name = node.arg if isinstance(node, ast.arg) else node.id if is_bound(node) and id(node) not in fields else ""
        if name in EMPTY:
            yield name, node.lineno


def targets_in(class_node):
    """What the statements of a class itself bind."""
    for statement in class_node.body:
        if isinstance(statement, ast.Assign):
            yield from statement.targets
        elif isinstance(statement, ast.AnnAssign):
            yield statement.target


def is_bound(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def test_names_say_what_they_name():
    offences = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in house_files()
        for name, line in empty_names(path.read_text(encoding="utf-8"))
    ]
    assert len(offences) <= MOST, "\n".join(offences)


def test_only_what_a_reader_must_guess_is_counted():
    source = """
class Form:
    made = 1

def read(found, units, *, kept=()):
    each = [each for each in units if each.gone]
    self.told = {said: found for said in kept}
"""
    assert Counter(name for name, _ in empty_names(source)) == {"found": 1, "kept": 1, "each": 2, "said": 1}
