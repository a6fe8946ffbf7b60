"""docs/a-game.md quotes the example as it is, and shows what an author needs."""

import ast
import re
from dataclasses import fields

import pytest

from firefight.kit.game import Game
from firefight.kit.helper import Helper
from tests.config.test_imports import ROOT

PAGE = (ROOT / "docs" / "a-game.md").read_text(encoding="utf-8")
QUOTES = re.findall(r"<!-- (\S+): (\w+) -->\n```python\n(.*?)```", PAGE, re.DOTALL)


def find_definition(path, name):
    """The source of a function, a class or an assignment at the top of a module."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        targets = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
        if name in (getattr(node, "name", ""), *targets):
            return ast.get_source_segment(text, node) + "\n"
    raise LookupError(f"{path} has no {name}.")


@pytest.mark.parametrize(("path", "name", "quote"), QUOTES, ids=lambda text: text if len(text) < 40 else "")
def test_a_quote_is_what_stands_in_its_file(path, name, quote):
    assert quote == find_definition(path, name)


def test_every_piece_of_code_on_the_page_says_where_it_stands():
    assert len(QUOTES) == PAGE.count("```python") >= 5


def test_a_quote_of_nothing_is_found_out():
    with pytest.raises(LookupError):
        find_definition("examples/two_bridges/rules.py", "no_such_rule")


@pytest.mark.parametrize("declared", [Game, Helper])
def test_every_argument_has_its_line(declared):
    table = PAGE.partition(f"| of a `{declared.__name__}` |")[2].partition("\n\n")[0]
    arguments = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.+?) \|", table, re.MULTILINE)))
    assert sorted(arguments) == sorted(field.name for field in fields(declared))
