"""Rules are decided in campaign/rules alone: whatever else refuses something by a rule's number has asked there."""

import ast
import re

import pytest

from tests.books import ROOT

RULE = re.compile(r"\b(?:1[0-9]|2[0-9])\.\d+(?:\.\d+)*\b")
# Refusals outside the rules that cite one, and what has decided it.
ASKED = {
    "An Attack goes with your orders, under seal (20.5.3).": "which form a purchase belongs to",
    "Your roster has no Attack to buy (20.5.3).": "the roster has no such line",
    "Still to roll in turn {}, to stay over the map: {} (17.6.2).": "flights.owes_roll of the game's rules",
    "First the mine attack, whether they stay or leave: {} (20.6.4 step 2).": "rules.mines.is_mined",
    "Only AA that may fire brings aircraft down (17.6.7).": "flak of the game",
    "{} Nothing was changed (20.5.4).": "rules.orders.set_up_order",
}


def words_of(node):
    """A string with its gaps as {}."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def refusals_in(source):
    """The sentences with a rule's number that a module raises."""
    for raised in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Raise)):
        inside = {id(part) for node in ast.walk(raised) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(raised):
            if id(node) not in inside and RULE.search(words_of(node)):
                yield words_of(node)


def test_only_the_rules_refuse_by_a_rule():
    paths = [path for path in (ROOT / "campaign").rglob("*.py") if "rules" not in path.relative_to(ROOT).parts]
    assert len(paths) > 40
    sentences = {words for path in paths for words in refusals_in(path.read_text(encoding="utf-8"))}
    assert sentences == set(ASKED)


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ('raise Unfit(f"{name} is M-KILLED (20.7.1).")', ["{} is M-KILLED (20.7.1)."]),
        ('raise Refused("Too late (20.12.1).")', ["Too late (20.12.1)."]),
        ('"""See 20.12.1."""\nraise Refused("Too late.")', []),
    ],
)
def test_a_refusal_by_a_rule_is_seen(source, sentences):
    assert list(refusals_in(source)) == sentences
