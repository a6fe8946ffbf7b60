"""docs/rulings.md and the rulings of the other games: each question has an answer and a reason, and every cited ruling
exists."""

import re

import pytest

from firefight.games import registry
from tests.books import ROOT

FIRST = "combat-stalingrad"
ROOMS = {game: f"firefight/games/{game.replace('-', '_')}" for game in registry.games()}


def read(game):
    path = ROOT / ("docs/rulings.md" if game == FIRST else f"docs/games/{game}/rulings.md")
    return path.read_text(encoding="utf-8")


def sections(game):
    """The text of each ruling by its number."""
    parts = re.split(r"^## ", read(game), flags=re.MULTILINE)[1:]
    return {part.split(maxsplit=1)[0]: part for part in parts}


LETTERS = {FIRST: "AR", "inferno-on-the-volga": "B"}  # by which a game cites its rulings; Inferno also has a T-34


each_game = pytest.mark.parametrize("game", ROOMS)


@each_game
def test_every_ruling_has_a_question_a_decision_and_a_reason(game):
    rulings = sections(game)
    assert rulings
    for number, part in rulings.items():
        assert re.fullmatch(r"[A-Z]{1,2}-?[A-Z]?\d{1,3}", number), number
        assert [part.count(f"**{word}.**") for word in ("Question", "Decided", "Why")] == [1, 1, 1], number


@each_game
def test_no_ruling_stands_twice(game):
    numbers = re.findall(r"^## (\S+)", read(game), re.MULTILINE)
    assert len(set(numbers)) == len(numbers)


def files_that_cite(game):
    rules_map = ROOT / ("docs/rules-map.md" if game == FIRST else f"docs/games/{game}/rules-map.md")
    rooms = [ROOMS[game], "campaign"] if game == FIRST else [ROOMS[game]]
    return [rules_map, *(path for room in rooms for path in sorted((ROOT / room).rglob("*.py")))]


@each_game
def test_every_ruling_that_a_game_cites_stands_there(game):
    letters = LETTERS.get(game, "AT")
    cited = {
        f"{letter}{int(number):02}"
        for path in files_that_cite(game)
        for letter, number in re.findall(rf"\b([{letters}])-?(\d\d)\b", path.read_text(encoding="utf-8"))
    }
    listed = {re.sub(r"^[A-Z]-(?=[A-Z])|-", "", number) for number in sections(game)}
    assert cited and cited <= listed
