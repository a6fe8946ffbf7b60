"""A real Chromium against the live server. A page that complains, or asks another host, fails its test."""

import os
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.chromium import find_chromium

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium() or pytest.fail("No Chromium or Chrome found; set CHROMIUM to its path.")
    # Playwright's sync interface keeps an event loop in this thread, and Django then refuses its ORM here.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=10_000)  # a slow machine is not a defect
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page_errors_allowed():
    """Request this where the page is meant to complain, such as on a refused form."""


@pytest.fixture
def new_page(chromium, live_server, request):
    """new_page(width=360, color_scheme="dark") opens a page as one more player: in a fresh browser context.

    Addresses may be relative to the live server. Further options go to Playwright's new_context.
    """
    contexts, complaints, strays = [], [], []

    def open_page(width=360, height=740, color_scheme="dark", **options):
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": height},
            color_scheme=color_scheme,
            **options,
        )
        contexts.append(context)
        context.on("console", note_error)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("request", note_stray)
        return context.new_page()

    def note_error(message):
        if message.type == "error":
            complaints.append(f"{message.text} ({message.location['url']})")

    def note_stray(sent):
        parts = urlsplit(sent.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(live_server.url).netloc:
            strays.append(sent.url)

    yield open_page

    for context in contexts:
        context.close()
    assert not strays, "requests to other hosts"
    if "page_errors_allowed" not in request.fixturenames:
        assert not complaints, "errors in the page"
