"""Sessions in signed cookies, each of which is verified once an hour."""

import pytest

from config import sessions
from config.sessions import SessionStore


@pytest.fixture
def cookie():
    store = SessionStore()
    store["device"] = "a key"
    return store._get_session_key()


def test_what_is_remembered_of_a_cookie_cannot_be_changed(cookie):
    SessionStore(cookie)["device"] = "another key"
    assert SessionStore(cookie)["device"] == "a key"


def test_a_forged_cookie_holds_nothing_though_the_good_one_is_known(cookie):
    assert SessionStore(cookie).get("device") == "a key"
    for forged in (cookie[:-1] + ("A" if cookie[-1] != "A" else "B"), "x" + cookie, cookie + ":x", ""):
        assert SessionStore(forged).get("device") is None


def test_a_cookie_of_another_key_holds_nothing(cookie, settings):
    assert SessionStore(cookie).get("device") == "a key"
    settings.SECRET_KEY = "another" * 10
    assert SessionStore(cookie).get("device") is None


def test_a_cookie_ends_though_it_was_read_before(cookie, settings, monkeypatch):
    assert SessionStore(cookie).get("device") == "a key"
    now = sessions.time.time()
    monkeypatch.setattr(sessions.time, "time", lambda: now + settings.SESSION_COOKIE_AGE + 2 * sessions.HOUR)
    assert SessionStore(cookie).get("device") is None
