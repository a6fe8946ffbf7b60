"""Pages for what went wrong: each says what it was, and leads on."""

import pytest
from django.test import Client

from config import front
from config.front import Front
from tests.firefight.players import begin, words_of
from tests.threads import run_coroutine

from .test_front import App, send_to

ACCEPTS_PAGES = [(b"accept", b"text/html,application/xhtml+xml,*/*;q=0.8")]


def test_a_host_name_that_is_not_the_apps_is_named_as_the_reason(client, settings):
    settings.ALLOWED_HOSTS, settings.PUBLIC_ADDRESS = ["ledger.example"], "https://ledger.example"
    page = client.get("/", HTTP_HOST="127.0.0.1:8000")
    assert page.status_code == 400
    assert "does not answer to the name 127.0.0.1:8000" in words_of(page)
    assert 'href="https://ledger.example/"' in page.text


def test_a_hostile_host_name_stays_words(client, settings):
    settings.ALLOWED_HOSTS = ["ledger.example"]
    page = client.get("/", HTTP_HOST="<script>alert(1)</script>")
    assert page.status_code == 400 and "<script>alert" not in page.text


@pytest.mark.django_db
def test_what_is_missing_is_said_on_its_page(client):
    page = client.get("/story/no-such-token/")
    assert page.status_code == 404 and "That link opens no story: it was withdrawn, or never was." in words_of(page)
    page = client.get("/nothing/at-all/")
    assert "This address leads to no page, roll or match." in words_of(page) and "Resolver404" not in words_of(page)


@pytest.mark.django_db
def test_an_address_that_only_takes_forms_says_so_and_leads_on():
    player, _ = begin()
    page = player.get("note/")
    assert page.status_code == 405 and page["Allow"] == "POST"
    assert "only takes what a form sends" in words_of(page) and 'href="/"' in page.text
    assert player.client.get(f"/match/{player.match_id}/note/", headers={"Accept": "application/json"}).json()["error"]


@pytest.mark.django_db
def test_a_form_without_its_token_is_told_how_to_go_on():
    player, _ = begin()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = player.client.cookies
    page = strict.post(f"/match/{player.match_id}/seats/issue/", {"side": "russian"})
    assert page.status_code == 403
    assert "Go back, reload that page and send the form again." in words_of(page)


def test_what_the_front_refuses_is_a_page_for_browsers_and_words_for_programs():
    announced = [(b"content-length", str(front.LARGEST + 1).encode())]
    status, headers, body = run_coroutine(send_to(Front(App()), headers=[*announced, *ACCEPTS_PAGES]))
    assert status == 413 and headers[b"content-type"] == b"text/html; charset=utf-8"
    assert b"That is too large: at most 8 MB." in body and b'href="/"' in body and b"color-scheme" in body
    status, headers, body = run_coroutine(send_to(Front(App()), headers=announced))
    assert headers[b"content-type"] == b"text/plain; charset=utf-8" and body.startswith(b"That is too large")
