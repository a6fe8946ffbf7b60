"""One word, one meaning: a public function or class has a name of its own in both apps (docs/words.md)."""

import ast
import re
from collections import defaultdict
from functools import cache

import pytest

from tests.config.test_imports import ROOT, game_of, house_files, module_of

# Names that mean the same wherever they are defined, or that somebody else has given.
ALLOWED = {
    "Command": "Django's name for what manage.py runs",
    "Unit": "a unit in a rule's hands, and the row of such a unit; the database knows its table by that",
    "Group": "a line of a roster, and the row of such a group that was bought",
    "Device": "the game's word for radio and phone; a browser, whose table the database knows by that name",
    "store": "keep a version of chart books, or of a campaign's content, under its digest",
    "shipped": "what came with the app: charts, or a campaign's content",
    "shipped_data": "the same as plain values",
    "shipped_row": "the same as a row",
    "perform": "do one act: in a match, and in a campaign by way of that",
    "load": "the ledger's rows: from the database, and from a file",
    "Ledger": "what leads a match: as the frame asks it, and as the campaign keeps its rows",
    "find_standings": "where matches stand, or those that a ledger leads",
    "air_attack": "the rule of 17.6, and the campaign's act that asks it",
    "hit_dice": "a helper's dice, handed on by the module that lists the helpers",
    "hit_odds": "a helper's odds, handed on by the module that lists the helpers",
}


def namespace_of(module):
    """Where a name stands for one thing: a page and a form are called like the act or the thing that they are of."""
    parts = module.split(".")
    kind = next((kind for kind in ("views", "forms", "urls") if kind in parts), "")
    return (parts[0], kind) if kind else ()


def definitions(modules):
    """The modules that define each public name, by namespace."""
    defined = defaultdict(list)
    for module, source in modules:
        for node in ast.parse(source).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                defined[namespace_of(module), node.name].append(module)
    return defined


def whose_words(module):
    """Whose words a module uses besides the frame's; the campaign is the first game's."""
    return "combat_stalingrad" if module.startswith("campaign.") else game_of(module) or ""


def doubles(modules):
    """The names that are defined more than once, with their modules. What two games call alike are two things."""
    repeated = defaultdict(list)
    for (_, name), places in definitions(modules).items():
        for game in sorted({whose_words(module) for module in places}):
            together = [module for module in places if whose_words(module) in ("", game)]
            if len(together) > 1:
                repeated[name] += together
    return dict(repeated)


@cache
def find_doubles():
    """The names of the house that are defined more than once."""
    return doubles(house())


def house():
    return [
        (module_of(path), path.read_text(encoding="utf-8"))
        for path in house_files()
        if not {"migrations", "config"} & set(path.parts)
    ]


def test_no_name_is_defined_twice():
    repeated = {name: places for name, places in find_doubles().items() if name not in ALLOWED}
    assert repeated == {}, "Give each a name that says what it does, or say in ALLOWED why both mean the same."


def test_no_name_is_allowed_that_nobody_defines_twice():
    assert set(ALLOWED) - set(find_doubles()) == set()


def test_few_names_are_allowed():
    assert len(ALLOWED) <= 20


@pytest.mark.parametrize(
    ("modules", "names"),
    [
        ([("firefight.a", "def told(): ..."), ("campaign.b", "class told: ...")], ["told"]),
        ([("firefight.a", "def told(): ..."), ("firefight.b", "def _told(): ...")], []),
        ([("firefight.a", "def told(): ..."), ("firefight.b", "class A:\n    def told(self): ...")], []),
        ([("firefight.table.rolling.rolls", "def note(): ..."), ("firefight.table.views.acts", "def note(): ...")], []),
        ([("firefight.table.views.a", "def page(): ..."), ("firefight.chartroom.views", "def page(): ...")], ["page"]),
        ([("firefight.table.views.a", "def page(): ..."), ("campaign.views.b", "def page(): ...")], []),
        ([("firefight.games.one.a", "def told(): ..."), ("firefight.games.two.a", "def told(): ...")], []),
        ([("firefight.games.one.a", "def told(): ..."), ("firefight.games.one.b", "def told(): ...")], ["told"]),
        ([("firefight.games.one.a", "def told(): ..."), ("firefight.a", "def told(): ...")], ["told"]),
        ([("firefight.games.combat_stalingrad.a", "def told(): ..."), ("campaign.a", "def told(): ...")], ["told"]),
    ],
)
def test_a_double_is_found_wherever_it_stands(modules, names):
    assert list(doubles(modules)) == names


# docs/words.md

ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+) \| (.+) \|$", re.MULTILINE)


def words():
    return ROW.findall((ROOT / "docs" / "words.md").read_text(encoding="utf-8"))


def test_each_word_has_one_meaning_and_a_room_that_there_is():
    rows = words()
    assert 30 < len(rows) <= 50, "Only what a newcomer would take for something else."
    assert len({word for word, _, _ in rows}) == len(rows)
    for word, meaning, rooms in rows:
        assert meaning.endswith(".") and meaning[:-1].count(". ") == 0, f"{word}: one sentence"
        for room in re.findall(r"`(.+?)`", rooms):
            assert (ROOT / room).exists(), f"{word}: there is no {room}"


def test_the_words_stand_in_order():
    names = [word.lower() for word, _, _ in words()]
    assert names == sorted(names)
