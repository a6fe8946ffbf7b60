"""The tests' own tables of players: what is put back is all that was there, and play goes on with it."""

import ast

import pytest
from django.conf import settings
from django.db import connection

from tests.firefight.players import seated
from tests.frozen import TABLES, every_row, frozen, read_tables
from tests.reading import trial

pytestmark = pytest.mark.django_db


def test_every_table_of_ours_is_read():
    """Whoever compares every row to see that nothing has changed is blind to a table that is left out."""
    tables = {name for name in connection.introspection.table_names() if name.startswith(("firefight_", "campaign_"))}
    assert tables == set(TABLES) == set(read_tables()) == set(every_row())


def test_of_a_browser_only_how_far_it_has_read_is_left_out():
    table = seated()
    (whole, *_), (compared, *_) = read_tables()["firefight_device"], every_row()["firefight_device"]
    assert len(compared) == len(whole) - 3
    before = every_row()
    table.german.get()
    assert every_row() == before
    table.german.note("Hello")
    changed = {name for name, rows in every_row().items() if rows != before[name]}
    assert changed >= {"firefight_match", "firefight_logentry", "firefight_act"}


def test_what_is_put_back_is_what_was_built_and_is_played_on(tmp_path):
    with trial():
        built, rows = frozen(tmp_path, "table", seated), read_tables()
    assert not any(read_tables().values())
    table = frozen(tmp_path, "table", None)
    assert read_tables() == rows and table.german.match_id == built.german.match_id
    assert table.russian.note("Hello").status_code == 302
    assert [line.sentence for line in table.german.log][-1] == "Hello"
    # Among what is there already nothing is put back: it is built.
    other = frozen(tmp_path, "table", seated)
    assert other.german.match_id != table.german.match_id and "Hello" in str(read_tables())


def test_a_name_of_a_kept_table_is_of_one_table():
    """Whoever asks first builds it for all."""
    builders = {}
    for path in sorted((settings.BASE_DIR / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "frozen" and len(node.args) == 2:
                name, build = map(ast.unparse, node.args)
                builders.setdefault(name, set()).add(build.removeprefix("lambda: ").rpartition(".")[2])
    assert len(builders) > 40
    assert {name: built for name, built in builders.items() if len(built) > 1} == {}
