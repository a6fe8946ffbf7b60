"""Seats: links that are capabilities, what a browser keeps of them, and how they end."""

import re

import pytest
from django.conf import settings

from firefight.games import registry
from firefight.models import LogEntry, Match, Seat
from firefight.table.views.home import MATCHES
from firefight.web.tokens import hash_token
from tests import filling
from tests.firefight.players import GAME, NAME, Player, begin, links_in, rows, sit, text_of, way_back_in, words_of

pytestmark = pytest.mark.django_db


def seat_of(player, side):
    return Seat.objects.get(match=player.match_id, side=side)


def token_in(link):
    return link.split("/")[2]


# Beginning a match


def test_the_maker_of_a_match_sits_at_his_side_and_gets_a_link_and_a_code_for_every_other_seat():
    maker = Player()
    response = maker.client.post("/match/new/", {"game": GAME, "name": NAME, "side": "german"}, follow=True)
    maker.match_id = Match.objects.get().pk
    assert set(links_in(response)) == {"russian", "observer"}
    assert way_back_in(response) not in (None, *links_in(response).values())
    assert text_of(response).count("<svg") == 3
    assert response.redirect_chain == [(f"/match/{maker.match_id}/seats/", 302)]
    assert response["Cache-Control"] == "no-store"
    assert "You are German" in maker.see()


def test_links_are_shown_once_and_neither_reloading_nor_back_begins_a_second_match():
    maker, links = begin()
    assert len(links) == 2
    assert Match.objects.count() == 1
    assert "links" not in maker.client.session
    assert "shown only now" not in maker.see("seats/")
    assert links_in(maker.get("seats/")) == {}


def test_links_begin_with_the_address_that_other_devices_can_open(settings):
    settings.PUBLIC_ADDRESS = "http://192.168.1.5:8000"
    settings.ALLOWED_HOSTS = ["localhost"]
    maker = Player()
    response = maker.client.post("/match/new/", {"game": GAME, "side": "german"}, SERVER_NAME="localhost", follow=True)
    assert 'value="http://192.168.1.5:8000/seat/' in text_of(response)


def test_a_match_without_a_name_is_named_for_its_game():
    maker, _ = begin(name="")
    assert maker.match.name == f"{registry.games()[GAME].title} firefight"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, "Choose the game."),
        ({"game": ""}, "Choose the game."),
        ({"side": "roman"}, "Choose your side."),
        ({"side": "observer"}, "Choose your side."),
        ({"name": "x" * 61}, "A name has at most 60 characters."),
        ({"name": "a\0b"}, "A name holds no control characters."),
    ],
)
def test_a_match_with_a_bad_field_is_not_begun(fields, message):
    player = Player()
    response = player.client.post("/match/new/", {"game": GAME, "name": NAME, "side": "german", **fields})
    assert response.status_code == 422
    assert message in words_of(response)
    assert not Match.objects.exists()


# Opening a link


def test_a_link_leaves_the_address_bar_before_it_is_used():
    maker, links = begin()
    player = Player(maker.match_id)
    response = player.client.get(links["russian"])
    assert response.status_code == 302
    assert response["Location"] == "/claim/"
    page = player.client.get("/claim/")
    assert "This link opens the seat: Russian" in words_of(page)
    assert token_in(links["russian"]) not in text_of(page)
    assert "German invites you to Combat! Stalingrad" in words_of(page)
    response = player.client.post("/claim/")
    assert response["Location"] == f"/match/{maker.match_id}/seats/"


def test_whoever_sits_down_is_shown_the_way_back_once_and_led_on():
    maker, links = begin()
    reader = filling.Reader(Player(maker.match_id).client).open(links["russian"])
    reader.press("Sit down")
    assert "You sit down as Russian" in reader.words(".lead")
    assert len(reader.find("[download='way-back.txt']")) == 1
    reader.press("Later")
    assert reader.address == f"/match/{maker.match_id}/"
    assert "way-back.txt" not in reader.open(f"/match/{maker.match_id}/seats/").response.text


@pytest.mark.parametrize(
    ("game", "comes_first"), [("inferno-on-the-volga", "way back"), ("combat-stalingrad", "others")]
)
def test_who_plays_alone_is_shown_the_own_way_back_first(client, game, comes_first):
    reader = filling.Reader(client).open(f"/match/new/{game}/")
    reader.press("Begin")
    places = {"way back": reader.words("main").index("the way back to your seat")}
    places["others"] = reader.words("main").index("For observers" if comes_first == "way back" else "For the others")
    assert min(places, key=places.get) == comes_first
    assert len(reader.find("details.link[open]")) == (comes_first == "others")


def test_a_preview_of_a_link_uses_nothing_up():
    maker, links = begin()
    before = rows()
    for _ in range(3):
        preview = Player(maker.match_id)
        preview.client.get(links["russian"], follow=True)
    assert rows() == before
    assert "You are Russian" in sit(links["russian"], maker.match_id).see()


def test_taking_a_seat_is_logged_and_shown_to_the_other_side():
    maker, links = begin()
    version = maker.match.version
    sit(links["russian"], maker.match_id)
    assert (maker.last.kind, maker.last.sentence) == (LogEntry.Kind.SEAT, "Russian takes the seat.")
    assert maker.match.version == version + 1
    assert "Russian takes the seat." in maker.see()


def test_a_sides_link_works_once():
    maker, links = begin()
    sit(links["russian"], maker.match_id)
    before = rows()
    late = Player(maker.match_id)
    late.client.get(links["russian"])
    for response in (late.client.get("/claim/"), late.client.post("/claim/")):
        assert response.status_code == 403
        assert "This link opens nothing" in words_of(response)
    assert late.get().status_code == 403
    assert rows() == before


def test_the_observers_link_works_for_everybody():
    maker, links = begin()
    version, lines = maker.match.version, len(maker.log)
    for _ in range(3):
        watcher = sit(links["observer"], maker.match_id)
        assert "You watch" in watcher.see()
    assert (maker.match.version, len(maker.log)) == (version, lines)


@pytest.mark.parametrize("token", ["x", "x" * 43, "x" * 5000, "%00", "²", "..", "%F0%9F%8E%B2"])
def test_a_forged_link_opens_nothing(token):
    maker, _ = begin()
    before = rows()
    stranger = Player(maker.match_id)
    stranger.client.get(f"/seat/{token}/")
    response = stranger.client.post("/claim/")
    assert response.status_code == 403
    assert "This link opens nothing" in words_of(response)
    assert rows() == before


def test_claiming_without_a_link_opens_nothing():
    response = Player().client.post("/claim/")
    assert response.status_code == 403


def test_a_used_up_link_is_no_key_to_other_used_up_seats():
    # A used-up seat stores "" for its token; so no token must ever hash to that.
    begin(hot_seat=True)
    player = Player()
    player.client.get("/seat/%20/")
    assert player.client.post("/claim/").status_code == 403


# What is stored


def test_tokens_are_stored_hashed_only():
    maker, links = begin()
    everything = str(rows())
    for link in links.values():
        assert token_in(link) not in everything
        assert hash_token(token_in(link)) in everything


def test_a_token_is_long_and_no_two_are_alike():
    _, links = begin()
    _, others = begin()
    tokens = [token_in(link) for link in [*links.values(), *others.values()]]
    assert len(set(tokens)) == 4
    assert all(re.fullmatch(r"[\w-]{43}", token) for token in tokens)


def test_the_token_is_gone_from_the_browser_once_the_seat_is_taken():
    maker, links = begin()
    player = sit(links["russian"], maker.match_id)
    assert "claiming" not in player.client.session


def test_no_match_of_a_browser_makes_it_forget_another():
    maker = Player()
    played = []
    numbers = range(MATCHES + 5)
    for number in numbers:
        options = {"hot_seat": "on"} if number % 2 else {}
        maker.client.post("/match/new/", {"game": GAME, "side": "german", "name": f"Match {number}.", **options})
        played.append(Match.objects.latest("created").pk)
    assert len(maker.client.cookies[settings.SESSION_COOKIE_NAME].value) < 1_600
    for maker.match_id in (played[0], played[-2]):
        assert "You are German" in maker.see()
    newest, older = words_of(maker.client.get("/")), words_of(maker.client.get("/?page=2"))
    assert [f"Match {number}." in newest for number in numbers] == [number > 4 for number in range(MATCHES + 5)]
    assert [f"Match {number}." in older for number in numbers] == [number < 5 for number in range(MATCHES + 5)]


@pytest.mark.parametrize("page", ["0", "x", "-1", "9" * 9, "%00"])
def test_a_page_of_matches_that_is_not_there_is_no_fault(page):
    assert begin()[0].client.get(f"/?page={page}").status_code == 200


# Seats in use


def test_a_browser_without_a_seat_is_turned_away_from_every_page():
    maker, _ = begin()
    stranger = Player(maker.match_id)
    for place in ("", "log/", "log.json", "charts/", "dice/", "seats/", "cover/", "live/", "roll/contact/"):
        response = stranger.get(place)
        assert response.status_code == 403, place
        assert "You hold no seat in this match" in words_of(response)
        assert NAME not in words_of(response)


@pytest.mark.parametrize("match_id", ["000000000000", "nothing", "x" * 300])
def test_an_unknown_match_is_one_without_a_seat(match_id):
    maker, _ = begin()
    maker.match_id = match_id
    for place in ("", "log/", "live/", "cover/", "seats/"):
        assert maker.get(place).status_code == 403, place
    for place in ("advance/", "roll/contact/", "lift/", "pin/", "seats/issue/"):
        assert maker.send(place, {}).status_code == 403, place


def test_a_forged_cookie_holds_no_seat():
    maker, _ = begin()
    stranger = Player(maker.match_id)
    good = maker.client.cookies[settings.SESSION_COOKIE_NAME].value
    for forged in (good[:-1] + ("A" if good[-1] != "A" else "B"), "eyJ9", "x:y:z", ""):
        stranger.client.cookies[settings.SESSION_COOKIE_NAME] = forged
        assert stranger.get().status_code == 403


def test_matches_of_this_browser_are_listed_at_the_start():
    maker, links = begin(name="Tractor Works")
    assert "Tractor Works" in words_of(maker.client.get("/"))
    assert "Tractor Works" not in words_of(Player().client.get("/"))


# New links


def test_a_new_link_for_a_free_seat_replaces_the_old_one():
    maker, links = begin()
    response = maker.issue("russian")
    fresh = links_in(response)["russian"]
    assert fresh != links["russian"]
    assert "no-store" in response["Cache-Control"]
    late = Player(maker.match_id)
    late.client.get(links["russian"])
    assert late.client.post("/claim/").status_code == 403
    assert "You are Russian" in sit(fresh, maker.match_id).see()


def test_a_new_link_for_the_observers_ends_the_old_bench():
    maker, links = begin()
    watcher = sit(links["observer"], maker.match_id)
    fresh = links_in(maker.issue("observer"))["observer"]
    assert watcher.get().status_code == 403
    assert "You watch" in sit(fresh, maker.match_id).see()


def test_the_other_players_seat_cannot_be_taken_over():
    maker, links = begin()
    russian = sit(links["russian"], maker.match_id)
    before = rows()
    response = maker.issue("russian")
    assert response.status_code == 403
    assert "That seat is another player's." in words_of(response)
    assert links_in(response) == {}
    assert rows() == before
    assert "You are Russian" in russian.see()


def test_observers_issue_no_links():
    maker, links = begin()
    watcher = sit(links["observer"], maker.match_id)
    before = rows()
    for side in ("german", "russian", "observer"):
        assert watcher.issue(side).status_code == 403
    assert rows() == before


def test_a_link_for_a_seat_that_does_not_exist_is_not_found():
    maker, _ = begin()
    before = rows()
    for side in ("", "roman", "\0"):
        assert maker.issue(side).status_code == 404
    assert rows() == before
