"""Rooms for all games speak of each game in its own words, and of as many players as it has."""

import re

import pytest

from firefight.games import registry
from firefight.table.log.counter_words import describe_counter_change
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import words_of
from tests.games.test_every_game import bring_counters

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "log/",
    "report/",
    "file/",
    "files/",
    "charts/",
    "dice/",
    "record/",
    "seats/",
    "calls/",
    "pack/",
    "photos/",
)
ANOTHER_PLAYER = re.compile(r"\b(?:both|two|all) (?:sides|players)\b|\b(?:other|another) (?:side|player)|\beach side")
OF_TWO = re.compile(r"\b(?:both|two) (?:sides|players)\b|\bthe other (?:side|player)\b|Both agree", re.IGNORECASE)


def sit_down(slug, mode=""):
    """A match; its players, and somebody who looks on."""
    game = registry.games()[slug]
    side = next(iter(game.find_seats({"mode": mode} if mode else {})))
    maker, links = players.begin(side, game=slug, **({"option-mode": mode} if mode else {}))
    if game.has_counters:
        bring_counters(game, maker)
    others = [players.sit(link, maker.match_id) for link in links.values()]
    maker.note("A note.", sealed="on")
    return maker, others


def list_sentences(pattern, everybody):
    """What matches on any page of the match that any of these opens."""
    return {
        (place, match[0]) for player in everybody for place in PAGES for match in pattern.finditer(player.see(place))
    }


@pytest.mark.parametrize("slug,mode", [("inferno-on-the-volga", "solo"), ("lone-watch", "alone"), ("fox-hunt", "")])
def test_no_page_of_a_game_for_one_speaks_of_another_player(slug, mode):
    maker, others = sit_down(slug, mode)
    assert list_sentences(ANOTHER_PLAYER, [maker, *others]) == set()
    players.end(maker)
    assert maker.match.ended
    assert list_sentences(ANOTHER_PLAYER, [maker, *others]) == set()


@pytest.mark.parametrize("slug,mode", [("three-banners", ""), ("inferno-on-the-volga", "two_v_one")])
def test_no_page_of_a_game_for_three_speaks_of_two(slug, mode):
    maker, others = sit_down(slug, mode)
    side, lost, *_ = registry.games()[slug].find_seats({"mode": mode})
    maker.do("end/", sure="on")
    assert list_sentences(OF_TWO, [maker, *others]) == set()
    maker.do("answer/", agrees="no")
    maker.send("seats/lost/", {"side": lost, "do": "ask"})
    maker.send("delete/", {"as": side, "sure": "on", "wants": "yes"})
    assert list_sentences(OF_TWO, [maker, *others]) == set()


def test_a_side_is_called_with_one_article():
    game = registry.games()["inferno-on-the-volga"]
    assert (game.call_side("app"), game.call_side("german")) == ("the app", "the German")
    maker, _ = sit_down("inferno-on-the-volga", "solo")
    assert "known to the app alone" in maker.see("record/")
    watch, _ = sit_down("lone-watch", "alone")
    assert "For the Watch side." in watch.see("calls/")


@pytest.mark.parametrize(
    "slug,says",
    [
        ("combat-stalingrad", "in Good Order again"),
        ("battle-for-stalingrad", "face up again"),
        ("turning-point-stalingrad", "Fresh again"),
        ("two-bridges", "in Good Order again"),
    ],
)
def test_each_game_says_what_a_counter_without_a_state_is(slug, says):
    game = registry.games()[slug]
    state = next(iter(game.counters.states))
    assert describe_counter_change(game, {"state": [[state], []]}) == [says]


@pytest.mark.parametrize("slug,fate", [("streets-of-stalingrad", "wounded"), ("turning-point-stalingrad", "withdrawn")])
def test_each_game_says_why_a_counter_has_left(slug, fate):
    assert describe_counter_change(registry.games()[slug], {"fate": ["", "left"]}) == [fate]


@pytest.mark.parametrize(
    "slug,label",
    [
        ("combat-stalingrad", "Hex, as K7 or K7/1; blank: off the map"),
        ("streets-of-stalingrad", "Hex, as 1842; blank: off the map"),
        ("turning-point-stalingrad", "Area, as 25 or C; blank: off the map"),
        ("battle-for-stalingrad", "Hex, as 1726; blank: off the map"),
        ("two-bridges", "Place; blank: off the map"),
    ],
)
def test_the_sheet_of_hands_names_a_place_of_its_game(slug, label):
    maker, _ = sit_down(slug)
    ids = [id for id in maker.match.state.counters if id.startswith(next(iter(registry.games()[slug].sides)))][:1]
    page = Reader(maker.client).open(f"/match/{maker.match_id}/hand/?chosen={ids[0]}")
    assert page.words("label[for=hand-place]") == label
    example = label.partition(";")[0].partition(" as ")[2].partition(" or ")[0] or "Nowhere"
    answer = maker.do("counters/", id=ids, place=example)
    assert answer.status_code == 302, words_of(answer)
