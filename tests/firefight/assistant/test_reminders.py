"""Reminders and facts: every row of the file is shown where it belongs."""

import re
import tomllib

import pytest
from django.conf import settings

from firefight.assistant import reminders
from firefight.columns import MatchState
from firefight.games import registry
from firefight.models import Match
from tests import pages
from tests.firefight.players import GAME, page_of, text_of, words_of

GAMES = registry.games()[GAME]
FILE = settings.BASE_DIR / "firefight/games/combat_stalingrad/data/reference.toml"
TABLES = tomllib.loads(FILE.read_text(encoding="utf-8"))
REMINDERS = TABLES["reminder"]


def plain(text):
    return " ".join(text.split())


def ids():
    return [entry["row"] for entries in rows() for entry in entries]


def rows():
    return [entries for name, entries in TABLES.items() if name != "section"]


def test_every_reference_row_is_shown(client):
    page = words_of(client.get(f"/assist/{GAME}/reference/"))
    missing = [row for row in ids() if not re.search(rf"\b{re.escape(row)}\b", page)]
    assert not missing
    for entries in rows():
        for entry in entries:
            for part in ("text", "subject", "name", "note"):
                assert plain(str(entry.get(part, ""))) in page, entry["row"]


def test_every_row_counted_in_the_file_is_read():
    # The file holds a row for each line "row = …", however it is laid out.
    written = re.findall(r'^\s*(?:\{\s*)?row = "([^"]+)"', FILE.read_text(encoding="utf-8"), re.M)
    assert len(written) >= 170
    assert set(written) <= set(ids())


def test_every_table_of_the_file_stands_in_a_section(client):
    names = [name for section in TABLES["section"] for name in section["tables"]]
    assert sorted(names) == sorted(TABLES.keys() - {"section"})
    titles = pages.words_of_each(text_of(client.get(f"/assist/{GAME}/reference/")), "h2")
    assert titles == [section["title"] for section in TABLES["section"]]


def test_the_reference_has_anchors_of_its_own(client):
    anchors = pages.values_of_each(text_of(client.get(f"/assist/{GAME}/reference/")), "li[id]", "id")
    assert len(anchors) == len(set(anchors)) > 100


def test_reminders_name_phases_and_helpers_that_exist():
    for entry in REMINDERS:
        # A campaign's own phase between two firefights is not a phase of a match.
        assert set(entry["steps"]) <= {*GAMES.course.steps, "reorganization"}, entry["row"]
        assert set(entry["helpers"]) <= set(registry.helpers(GAME)), entry["row"]
        assert entry["text"] and entry["rule"]


@pytest.mark.parametrize("phase", GAMES.course.steps)
def test_reminders_stand_on_the_match_page_in_their_phase_and_in_no_other(table, phase):
    state = MatchState(2, phase, "german")
    Match.objects.filter(pk=table.german.match_id).update(state=state)
    due = [plain(entry["text"]) for entry in REMINDERS if phase in entry["steps"]]
    others = [plain(entry["text"]) for entry in REMINDERS if phase not in entry["steps"]]
    for player in (table.german, table.russian, table.observer):
        page = player.see()
        assert not [text for text in due if text not in page]
        assert not [text for text in others if text not in due and text in page]


def test_every_phase_has_something_to_remember():
    assert all(reminders.for_step(GAME, phase) for phase in GAMES.course.steps)


@pytest.mark.parametrize("slug", registry.helpers(GAME))
def test_reminders_stand_on_the_page_of_their_helper(client, slug):
    page = words_of(client.get(page_of(slug)))
    for entry in REMINDERS:
        assert (plain(entry["text"]) in page) is (slug in entry["helpers"]), entry["row"]


def test_reminders_stand_beside_their_helper_in_a_match(table):
    page = words_of(table.german.get("roll/contact/", htmx=True))
    for entry in REMINDERS:
        if "contact" in entry["helpers"]:
            assert plain(entry["text"]) in page


def test_the_file_is_read_once():
    assert reminders.read_reference(GAME) is reminders.read_reference(GAME)
