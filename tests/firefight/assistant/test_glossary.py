"""Words of the games: each in a sentence, with a rule that exists, on a page of their own and in a small file."""

import re
from urllib.parse import urlsplit

import pytest

from firefight.assistant import glossary
from firefight.assistant.glossary import LONGEST, find_words_file, list_words
from firefight.games import registry
from tests import pages
from tests.books import ROOT

GAMES = list(registry.games())
MAPS = {"combat-stalingrad": ROOT / "docs" / "rules-map.md"}
SMALL = 8_000  # bytes of the file that a page fetches once


def rules_of(game):
    """The numbers of rules that a game's map has: "18.1", "2.0 Glossary", "3.23 Artillery"."""
    path = MAPS.get(game, ROOT / "docs" / "games" / game / "rules-map.md")
    cells = re.findall(r"^\| [A-Z]+-?\d+ \| ([^|]+) \|", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {part.strip() for cell in cells for part in (cell, *cell.split(","))}


def text_of(response):
    return response.content.decode()


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_a_word_stands_in_the_games_rules_map(game):
    known = rules_of(game)
    assert len(known) > 5
    for word in list_words(game):
        assert word.rule in known or all(part.strip() in known for part in word.rule.split(",")), word


@pytest.mark.parametrize("game", GAMES)
def test_a_word_is_explained_in_one_short_sentence(game):
    for word in list_words(game):
        assert len(word.text) <= LONGEST and word.text.endswith(".") and ". " not in word.text, word


@pytest.mark.parametrize("game", GAMES)
def test_every_word_stands_on_the_page_of_all_and_in_the_file(client, game):
    page = text_of(client.get(f"/assist/{game}/words/"))
    response = client.get(find_words_file(game))
    assert "immutable" in response["Cache-Control"]
    glossary = response.json()
    assert [word.word for word in list_words(game)] == [row[0] for row in glossary["words"]]
    for word, _, text, rule, anchor in glossary["words"]:
        (entry,) = pages.find(page, f"#{anchor}")
        assert all(part in pages.words(entry) for part in (word, text, rule))
    assert len(response.content) <= SMALL


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_a_game_name_the_file_and_link_the_page(client, game):
    slug = next(iter(registry.helpers(game)))
    assert pages.values_of_each(text_of(client.get(f"/assist/{game}/{slug}/")), "[data-words]", "data-words") == [
        find_words_file(game)
    ]
    for place in ("", "charts/", "reference/"):
        links = pages.values_of_each(text_of(client.get(f"/assist/{game}/{place}", follow=True)), "a", "href")
        assert f"/assist/{game}/words/" in links, place


def test_the_words_that_players_ask_for_are_there():
    words_of_games = {
        "combat-stalingrad": "CFF,TQ,DRM,CCV,FF,FFE,C/M,Disrupted,Bracket,Fire 2,Pinned Down",
        "turning-point-stalingrad": "DR,TEM,Advantage,Sunset",
        "battle-for-stalingrad": "DRM,Fire Strength",
    }
    for game, words in words_of_games.items():
        assert {*words.split(",")} <= {spelling for word in list_words(game) for spelling in (word.word, *word.also)}


def test_the_address_of_the_file_changes_with_what_stands_in_it(monkeypatch):
    before = find_words_file(GAMES[0])
    find_words_file.cache_clear()
    monkeypatch.setattr(glossary, "write_words", lambda game: "something else")
    after = find_words_file(GAMES[0])
    find_words_file.cache_clear()
    assert urlsplit(after).path == urlsplit(before).path and after != before
