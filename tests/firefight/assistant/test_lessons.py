"""Lessons as they stand in the games' files: whole, and refused with everything that is wrong with them."""

import tomllib

import pytest
from django.conf import settings

from firefight.assistant.lessons import BadLesson, find_next_lesson, list_lessons, read_lessons
from firefight.games import registry
from tests.firefight.players import GAME

FILES = {
    path.parts[-3].replace("_", "-"): path
    for path in sorted((settings.BASE_DIR / "firefight" / "games").glob("*/data/lessons.toml"))
}


def plain_file(slug=GAME):
    return tomllib.loads(FILES[slug].read_text(encoding="utf-8"))


@pytest.mark.parametrize("slug", FILES)
def test_a_games_lessons_are_sound_and_say_where_they_come_from(slug):
    assert list_lessons(slug)
    assert plain_file(slug)["provenance"] == "house"


def test_each_file_is_a_games():
    assert set(FILES) == {slug for slug in registry.games() if list_lessons(slug)}


def test_fire_comes_first_then_artillery_then_close_combat():
    assert list(list_lessons(GAME)) == ["fire", "artillery", "melee"]
    assert find_next_lesson(GAME, "fire").slug == "artillery"
    assert find_next_lesson(GAME, "melee") is None


@pytest.mark.parametrize(
    ("of", "name", "value", "problem"),
    [
        ("lesson", "side", "blue", "fire: there is no side blue."),
        ("step", "by", "blue", "fire, choose: there is no side blue."),
        ("step", "rolled", ["fira"], "fire, choose: there is no roll fira."),
        ("step", "says", "Tap", "fire, choose: a hint is one sentence of at most 160 characters."),
        ("step", "says", "x" * 160 + ".", "fire, choose: a hint is one sentence of at most 160 characters."),
        ("step", "stands", "under", "fire, choose: it stands before, after, inside."),
        ("step", "until", "", "fire, choose: nothing says when it is done."),
    ],
)
def test_what_is_wrong_with_a_lesson_is_said(of, name, value, problem):
    plain = plain_file()
    first = plain["lesson"][0]
    (first if of == "lesson" else first["step"][0])[name] = value
    with pytest.raises(BadLesson) as refused:
        read_lessons(GAME, plain)
    assert str(refused.value) == problem


def test_the_last_hint_must_be_one_that_the_match_knows_to_be_done():
    plain = plain_file()
    plain["lesson"][0]["step"] = plain["lesson"][0]["step"][:1]
    with pytest.raises(BadLesson, match="fire: nothing says when the last hint is done"):
        read_lessons(GAME, plain)
