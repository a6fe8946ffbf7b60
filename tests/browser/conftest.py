"""A real Chromium against the live server. A page that complains, or asks another host, fails its test."""

import os
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import expect, sync_playwright

from tests.chromium import FLAGS, find_chromium
from tests.conftest import WAITING


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
    """Request this where the page should complain, such as about a refused form."""


class Device:
    """A browser context with a page, which one test after another takes as if it were new.

    Opening them costs more than most tests do with them: Chromium starts a process and draws a window.
    """

    def __init__(self, chromium, options):
        self.options = options
        self.context = chromium.new_context(**options)
        self.page = self.context.new_page()
        self.devtools = self.context.new_cdp_session(self.page)
        self.complaints, self.asked = [], []
        self.context.on("console", self.note_error)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("request", lambda sent: self.asked.append(sent.url))

    def note_error(self, message):
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def strays(self, home):
        """What was asked of other hosts than this one."""
        parts = [(url, urlsplit(url)) for url in self.asked]
        return [
            url
            for url, split_url in parts
            if split_url.scheme not in ("data", "blob") and split_url.netloc != urlsplit(home).netloc
        ]

    def forget(self):
        """Be as new: no other tabs, cookies, stored data, routes; connected; window size and theme as they
        were."""
        for tab in self.context.pages:
            if tab is not self.page:
                tab.close()
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(False)
        if self.page.url.startswith("http"):
            self.page.evaluate(
                "try { sessionStorage.clear(); localStorage.clear() } catch { /* an error page has none */ }"
            )
        self.page.goto(f"{settings.STATIC_URL}{WAITING}")
        self.devtools.send("Page.resetNavigationHistory")
        self.context.clear_cookies()
        self.page.set_viewport_size(self.options["viewport"])
        self.page.emulate_media(color_scheme=self.options["color_scheme"])

    def begin(self):
        """Forget what was before, also what came while no test had this device."""
        self.page.evaluate("0")  # what Chromium has to say arrives meanwhile
        self.complaints.clear()
        self.asked.clear()


@pytest.fixture(scope="session")
def idle_devices(chromium):
    """Devices that no test uses at present."""
    return []


@pytest.fixture
def new_page(chromium, live_server, idle_devices, request):
    """new_page(width=360, color_scheme="dark") opens a page as one more player: in a browser context of its own.

    Addresses may be relative to the live server. Further options go to Playwright's new_context.
    """
    used = []

    def open_page(width=360, height=740, color_scheme="dark", **options):
        size = {"width": width, "height": height}
        options |= {"base_url": live_server.url, "viewport": size, "color_scheme": color_scheme}
        device = next((device for device in idle_devices if device.options == options), None)
        if device:
            idle_devices.remove(device)
            device.begin()
        used.append(device or Device(chromium, options))
        return used[-1].page

    yield open_page

    strays = [url for device in used for url in device.strays(live_server.url)]
    complaints = [complaint for device in used for complaint in device.complaints]
    if complaints:  # what a page refused says more than its status
        complaints += [words for device in used for words in device.page.locator(".trouble").all_inner_texts()]
    for device in used:
        device.forget()
        idle_devices.append(device)
    assert not strays, "requests to other hosts"
    if "page_errors_allowed" not in request.fixturenames:
        assert not complaints, "errors in the page"
