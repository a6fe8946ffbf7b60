"""What every answer has in common: HEAD, encodings, compression, headers, and a database that cannot be used."""

import encodings.aliases
import gzip
import logging
import re

import pytest
from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import DatabaseError, OperationalError
from django.db.models.sql.compiler import SQLCompiler
from django.http import HttpResponse
from django.test import Client, RequestFactory

from config.middleware import PolicyMiddleware, describe_trouble
from firefight.models import Seat
from firefight.table.act.composed import Composed
from tests.config.test_settings import values_of
from tests.firefight.players import GAME, begin, page_of, words_of
from tests.routes import list_routes

PARTS = {
    "match_id": "0" * 12,
    "slug": "fire",
    "game": GAME,
    "token": "x",
    "book": "x",
    "draft": "1",
}
PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")


# HEAD


def addresses():
    """Every address of the app, with something in place of each part."""
    for route in list_routes():
        yield "/" + PART.sub(lambda part: "1" if part["kind"] == "int" else PARTS.get(part["name"], "x"), route)


def test_addresses_are_those_of_the_app():
    paths = set(addresses())
    assert {"/", "/dice/", "/match/new/", f"/match/{'0' * 12}/"} <= paths
    assert len(paths) > 50


@pytest.mark.django_db
def test_head_is_answered_wherever_get_is(client):
    for address in sorted(addresses()):
        response, head = client.get(address), client.head(address)
        assert head.status_code == response.status_code, address
        assert head.content == b""
        assert head.headers["Content-Type"] == response.headers["Content-Type"]


@pytest.mark.django_db
def test_head_of_a_match_is_answered_to_who_sits_there(table):
    for place in ("", "log/", "log.json", "dice/", "seats/", "live/", "report/", "report.pdf"):
        address = f"/match/{table.german.match_id}/{place}"
        response, head = table.german.client.get(address), table.german.client.head(address)
        assert (head.status_code, head.content) == (response.status_code, b""), place


def test_head_says_how_long_the_page_is(client):
    assert int(client.head("/assist/").headers["Content-Length"]) == len(client.get("/assist/").content)


# Compression


def unmasked(page):
    """A page without the mask of its token, which differs in every answer."""
    return re.sub(rb'value="\w{64}"', b"", page)


def test_pages_are_compressed_with_a_padding_that_differs(client):
    """Whoever watches lengths cannot tell from them what is on the page (BREACH)."""
    answers = [client.get("/assist/", headers={"Accept-Encoding": "gzip"}) for _ in range(20)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    page = client.get("/assist/").content
    assert {unmasked(gzip.decompress(answer.content)) for answer in answers} == {unmasked(page)}
    assert len({len(answer.content) for answer in answers}) > 3
    assert len(answers[0].content) < len(page) * 0.6


# Headers


def test_no_page_may_use_the_device_s_senses(client):
    policy = client.get("/assist/").headers["Permissions-Policy"]
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(policy.split(", "))


@pytest.mark.django_db
def test_a_poll_without_news_composes_no_policy(table, monkeypatch):
    match = table.german.match
    address = f"/match/{match.pk}/live/?version={match.version}&after={match.last_number}&as=german"
    monkeypatch.setattr("csp.middleware.build_policy", lambda **_: pytest.fail("The policy was composed."))
    response = table.german.client.get(address)
    assert response.status_code == 204
    assert "Content-Security-Policy" not in response.headers


def test_the_policy_is_left_out_of_nothing_that_has_content(rf):
    for status in (200, 302, 400, 404, 500, 503):
        policed = PolicyMiddleware(lambda _, status=status: HttpResponse(status=status))
        assert "Content-Security-Policy" in policed(rf.get("/")).headers


def test_cookies_over_https_belong_to_this_host_alone(tmp_path):
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE")
    values = values_of(*names, VOLGA_DATA=str(tmp_path), HTTPS="1")
    assert values == ["__Host-sessionid", "__Host-csrftoken", True, True]
    # Browsers take such a cookie only with Path=/ and without a Domain.
    assert (settings.SESSION_COOKIE_PATH, settings.CSRF_COOKIE_PATH) == ("/", "/")
    assert settings.SESSION_COOKIE_DOMAIN is settings.CSRF_COOKIE_DOMAIN is None


@pytest.mark.django_db
def test_seats_of_a_cookie_from_before_come_over_and_nothing_else_does(settings):
    maker, _ = begin()
    before = SessionStore()
    before["seats"] = {maker.match_id: {"german": 1}}
    old = before._get_session_key()
    settings.SESSION_COOKIE_NAME = "__Host-sessionid"
    settings.MIDDLEWARE = ["config.middleware.OldCookieMiddleware", *settings.MIDDLEWARE]
    browser = Client()
    browser.cookies["sessionid"] = old
    assert browser.get(f"/match/{maker.match_id}/").status_code == 200
    planted = SessionStore()
    planted["device"] = "of somebody else"
    for value in (planted._get_session_key(), "forged", old + "x"):
        stranger = Client()
        stranger.cookies["sessionid"] = value
        assert stranger.get(f"/match/{maker.match_id}/").status_code == 403


# Polls


@pytest.mark.django_db
def test_the_query_of_the_poll_is_composed_once(table, monkeypatch):
    match = table.german.match
    address = f"/match/{match.pk}/live/?version={match.version}&after={match.last_number}&as=german"
    assert table.german.client.get(address).status_code == 204
    monkeypatch.setattr(SQLCompiler, "as_sql", lambda *_, **__: pytest.fail("A query was composed."))
    assert table.german.client.get(address).status_code == 204
    assert table.russian.client.get(address.replace("german", "russian")).status_code == 204


@pytest.mark.django_db
def test_a_composed_query_takes_its_values_in_order(table):
    pk = table.german.match_id
    seats = Composed(lambda match, side: Seat.objects.filter(match=match, side=side).values_list("side"), "m", "s")
    assert seats.rows(pk, "german") == [("german",)]
    assert seats.rows(pk, "russian") == [("russian",)]
    assert seats.rows("none", "german") == []
    backwards = Seat.objects.values_list("side")
    swapped = Composed(lambda match, side: backwards.filter(side=side).filter(match=match), "m", "s")
    with pytest.raises(ValueError, match="compares"):
        swapped.rows(pk, "german")


def test_pages_poll_only_while_somebody_looks_and_give_up_in_the_end():
    """tests/browser/test_polls.py sees it happen."""
    templates = settings.BASE_DIR / "templates"
    pages = [path.read_text(encoding="utf-8") for path in templates.rglob("*.html")]
    polls = [re.findall(r'hx-trigger="(every[^"]*)"', page) for page in pages]
    assert {trigger for triggers in polls for trigger in triggers} == {"every 1500ms, visibilitychange from:document"}
    assert '"timeout":20000' in (templates / "_base.html").read_text(encoding="utf-8")


# Encodings


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_a_form_in_any_encoding_is_answered_by_a_page(kind):
    """An encoding that Python knows and forms do not have was an error outside of the app."""
    client = Client(raise_request_exception=True)
    names = sorted(set(encodings.aliases.aliases.values()) | {"utf-7", "idna", "undefined", "x" * 999, "ü", "'"})
    for name in names:
        content_type = f"{kind}; charset={name}"
        for address in ("/dice/", "/theme/", f"{page_of('fire')}odds/"):
            body = RequestFactory().generic("POST", address, b"a=1", content_type)
            response = client.generic("POST", address, b"a=1", content_type=body.META["CONTENT_TYPE"])
            assert response.status_code < 500, (name, address)
        assert client.generic("GET", "/assist/?a=%C3%BC", content_type=content_type).status_code < 500, name


@pytest.mark.parametrize("name", ["utf-7", "latin-1", "base64", "undefined"])
def test_forms_are_utf_8_alone(client, name):
    content_type = f"application/x-www-form-urlencoded; charset={name}"
    response = client.generic("POST", "/theme/", b"theme=light", content_type=content_type)
    assert response.status_code == 400
    assert "Forms are read as UTF-8 alone." in words_of(response)
    assert "theme" not in response.cookies


@pytest.mark.parametrize("name", ["utf-8", "UTF8", "utf_8", "U8"])
def test_utf_8_by_any_of_its_names_is_read(client, name):
    content_type = f"application/x-www-form-urlencoded; charset={name}"
    response = client.generic("POST", "/theme/", b"theme=light", content_type=content_type)
    assert response.cookies["theme"].value == "light"


# A database that cannot be used

WORDS = [
    ("database is locked", "The database is busy"),
    ("database table is locked", "The database is busy"),
    ("database or disk is full", "The host's disk is full."),
    ("attempt to write a readonly database", "The database cannot be written to."),
    ("database disk image is malformed", "The database cannot be read."),
    ("file is not a database", "The database cannot be read."),
    ("disk I/O error", "The database cannot be read."),
    ("unable to open database file", "The database cannot be read."),
    ('connection to server at "127.0.0.1", port 5432 failed: Connection refused', "The database does not answer."),
]


@pytest.mark.parametrize(("message", "words"), WORDS)
def test_a_database_that_cannot_be_used_is_a_503_in_words(client, monkeypatch, caplog, message, words):
    def broken():
        raise OperationalError(message)

    monkeypatch.setattr("firefight.assistant.views.registry.games", broken)
    with caplog.at_level(logging.ERROR):
        response = client.get("/assist/")
    assert response.status_code == 503
    assert words in words_of(response)
    assert "Nothing was done." in words_of(response)
    assert response.headers["Retry-After"]
    assert "Content-Security-Policy" in response.headers
    assert f"GET /assist/: {message}" in caplog.text


def test_a_mistake_of_ours_is_not_laid_on_the_database():
    assert describe_trouble(OperationalError("no such column: firefight_seat.sidde")) == ""
    assert describe_trouble(DatabaseError("UNIQUE constraint failed")) == ""
