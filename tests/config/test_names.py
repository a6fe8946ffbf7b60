"""What a value is called says what it is: a name that would fit any value leaves its reader to guess."""

import ast
from collections import Counter

from .test_imports import ROOT, house_files

# A loop over units is over a unit, and what a search has found is a path, a line, a chart.
EMPTY = {"each", "it", "thing", "things", "here", "there", "so", "such", "was"}
EMPTY |= {"asked", "found", "given", "gone", "heard", "held", "kept", "made", "meant", "named", "put", "said"}
EMPTY |= {"seen", "shown", "taken", "told", "wanted"}
BINDING = (ast.arg, ast.Name, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def empty_names(source):
    """The names of variables and arguments that say nothing, each with its line.

    Fields of a class are left out: files, forms and programs call them so.
    """
    nodes = [*ast.walk(ast.parse(source))]
    fields = {id(target) for node in nodes if isinstance(node, ast.ClassDef) for target in targets_in(node)}
    for node in nodes:
        if isinstance(node, BINDING) and (name := bound_name(node)) in EMPTY and id(node) not in fields:
            yield name, node.lineno


def targets_in(class_node):
    """What the statements of a class itself bind."""
    for statement in class_node.body:
        if isinstance(statement, ast.Assign):
            yield from statement.targets
        elif isinstance(statement, ast.AnnAssign):
            yield statement.target


def bound_name(node):
    """The name that a node binds: of an argument, of what is assigned or looped over, caught or matched."""
    match node:
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
    return None


def test_names_say_what_they_name():
    offences = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in [*house_files(), *sorted((ROOT / "tests").rglob("*.py"))]
        for name, line in empty_names(path.read_text(encoding="utf-8"))
    ]
    assert not offences, "\n".join(offences)


def test_every_way_to_bind_a_name_is_seen_and_fields_are_not():
    source = """
class Form:
    made = 1

def read(found, units, *, kept=()):
    each = [each for each in units if each.gone]
    self.told = {said: found for said in kept}
    if there := lambda here: here:
        pass
    try:
        pass
    except OSError as given:
        match units:
            case [shown, *held]:
                pass
            case {"a": 1} as taken:
                pass
"""
    names = Counter(name for name, _ in empty_names(source))
    assert names.pop("each") == 2 and set(names.values()) == {1}
    assert set(names) == {"found", "kept", "said", "there", "here", "given", "shown", "held", "taken"}
