"""What is for hosts, programs and browsers themselves: figures, the word, robots, icons, whom to tell of a hole."""

import io
import json
import os
import re
import urllib.parse

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from PIL import Image

from firefight.hosting import host_word
from firefight.models import Match
from tests import filling, server
from tests.firefight.players import GAME, begin

pytestmark = pytest.mark.django_db

NOW = timezone.now
TOKEN = "a-token-of-the-host"


# The host's word


@pytest.fixture
def guarded(settings, client):
    """A browser at a host who has set a word."""
    settings.BEGIN_WORD = "Red October"
    return client


@pytest.mark.parametrize("place", ["/match/new/", f"/match/new/{GAME}/", "/campaign/new/", "/match/import/"])
def test_whoever_begins_something_is_asked_for_the_word_once_and_led_on(guarded, place):
    answer = guarded.get(place)
    assert answer.status_code == 302
    reader = filling.Reader(guarded).open(answer["Location"])
    reader.form("main form").fill(word="red  october").press("Go on")
    assert (reader.status, reader.address) == (200, place)
    assert guarded.get(place).status_code == 200


def test_a_wrong_word_is_told_and_changes_nothing(guarded):
    answer = guarded.post("/word/", {"word": "October", "next": "/match/new/"})
    assert answer.status_code == 422
    assert "That is not the word" in answer.text
    assert guarded.get("/match/new/").status_code == 302


def test_nobody_begins_without_the_word_by_sending_the_form_alone(guarded):
    guarded.post(f"/match/new/{GAME}/", {"side": "german", "name": "Mine"})
    guarded.post("/campaign/demo/")
    assert not Match.objects.exists()


def test_a_changed_word_is_asked_for_again(guarded, settings):
    guarded.post("/word/", {"word": "red october"})
    assert guarded.get("/match/new/").status_code == 200
    settings.BEGIN_WORD = "Barrikady"
    assert guarded.get("/match/new/").status_code == 302


def test_words_cannot_be_guessed_for_long(guarded):
    for number in range(host_word.TRIES):
        assert guarded.post("/word/", {"word": f"word {number}"}).status_code == 422
    late = guarded.post("/word/", {"word": "red october"})
    assert late.status_code == 429
    assert "Try again in an hour" in late.text


def test_only_wrong_words_of_one_s_own_address_in_the_last_hour_count(guarded, monkeypatch):
    for number in range(host_word.TRIES - 1):
        guarded.post("/word/", {"word": f"word {number}"})
    for _ in range(3):  # neither looking at the page nor saying the word is a guess
        assert guarded.get("/word/?next=/match/new/").status_code == 200
        assert Client().post("/word/", {"word": "red october"}).status_code == 302
    assert guarded.post("/word/", {"word": "wrong"}).status_code == 422
    assert guarded.post("/word/", {"word": "wrong"}).status_code == 429
    assert Client().post("/word/", {"word": "red october"}, REMOTE_ADDR="203.0.113.7").status_code == 302
    monkeypatch.setattr(host_word.timezone, "now", lambda: NOW() + host_word.HOUR)
    assert guarded.post("/word/", {"word": "red october"}).status_code == 302


def test_who_has_sent_a_form_begins_again_where_it_stands(guarded):
    assert guarded.get("/match/new/?x=1")["Location"] == "/word/?next=%2Fmatch%2Fnew%2F%3Fx%3D1"
    assert guarded.post("/campaign/demo/")["Location"] == "/word/?next=%2F"


def test_the_word_leads_to_no_other_site(guarded):
    answer = guarded.post("/word/", {"word": "red october", "next": "https://elsewhere.example/"})
    assert answer["Location"] == "/"


def test_who_sits_already_and_who_rolls_alone_need_no_word(settings):
    player, _ = begin("german")
    settings.BEGIN_WORD = "Red October"
    assert player.get().status_code == 200
    assert player.client.get("/assist/").status_code == 200


def test_without_a_word_nobody_is_asked(client):
    assert client.get("/match/new/").status_code == 200
    assert client.get("/word/?next=/match/new/")["Location"] == "/match/new/"


# Programs and browsers


def test_search_engines_are_asked_to_leave_matches_alone(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    rules = re.findall(r"^(Allow|Disallow): (\S+)$", answer.text, re.M)

    def may_read(place):
        """The longest rule that fits decides (RFC 9309, 2.2.2)."""
        fitting = [(len(rule), kind) for kind, rule in rules if re.match(re.escape(rule).replace("\\$", "$"), place)]
        return max(fitting)[1] == "Allow"

    page = client.get("/").text
    (style,) = re.findall(r'href="(/style/[^"]+)"', page)[:1]
    public = ("/", "/assist/", f"/assist/{GAME}/fire/", style, "/static/icon-192.png")
    assert {place for place in public if not may_read(place)} == set()
    private = (
        "/match/0123456789ab/",
        "/match/new/",
        "/seat/x/",
        "/story/x/",
        "/campaign/new/",
        "/feed/x/",
        "/metrics/",
    )
    assert {place for place in private if may_read(place)} == set()


def test_an_icon_is_where_browsers_look_for_one_and_in_the_manifest(client):
    icon = client.get("/favicon.ico", follow=True)
    assert icon["Content-Type"] == "image/png" and icon.getvalue().startswith(b"\x89PNG")
    page = client.get("/").text
    (place,) = re.findall(r'<link rel="manifest" href="([^"]+)">', page)
    manifest = json.loads(client.get(place).content)
    assert [icon["sizes"] for icon in manifest["icons"]] == ["192x192", "512x512"]
    for icon in manifest["icons"]:
        with Image.open(io.BytesIO(client.get(icon["src"]).getvalue())) as picture:
            assert (f"{picture.width}x{picture.height}", picture.get_format_mimetype()) == (icon["sizes"], icon["type"])
    assert client.get(manifest["start_url"]).status_code == 200


def test_a_host_says_whom_to_tell_of_a_hole(client, settings):
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:host@ledger.example"
    text = client.get("/.well-known/security.txt").text
    assert "Contact: mailto:host@ledger.example\n" in text
    (until,) = re.findall(r"^Expires: (20\d\d-\d\d-\d\dT00:00:00Z)$", text, re.M)
    assert parse_datetime(until) > timezone.now()


# Figures


def test_nobody_sees_figures_that_the_host_has_not_asked_for(client, settings):
    assert client.get("/metrics/").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN[:-1]}):
        assert client.get("/metrics/", headers=sent).status_code == 404


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no second worker on this system")
def test_figures_of_all_workers_are_told_with_what_the_database_holds(tmp_path, monkeypatch):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_1.db").write_bytes(b"of a start before")
    monkeypatch.setenv("METRICS_TOKEN", TOKEN)
    served = server.start(tmp_path)
    try:
        for _ in range(12):
            assert served.ask("/robots.txt")[0] == 200
        server.sit_down_at(served)
        status, _, body = served.ask("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    finally:
        server.end(served.process)
    assert status == 200
    figures = body.decode()
    counted = 'django_http_responses_total_by_status_view_method_total{method="GET",status="200",view="robots"} 12.0'
    assert counted in figures
    assert "django_http_requests_latency_seconds_by_view_method_bucket" in figures
    assert 'volga_matches{ended="no",game="combat-stalingrad"} 1.0' in figures
    assert re.search(r"volga_acts\{game=\"combat-stalingrad\"\} [1-9]", figures)
    assert float(re.search(r"^volga_database_bytes (\S+)$", figures, re.M)[1]) > 100_000
    assert urllib.parse.quote(TOKEN) not in figures
