"""A page asks for news while somebody looks at it, and gives up on a server that does not answer."""

from playwright.sync_api import expect

from .table import POLL, begin, log_with, two_devices
from .test_two_devices import write_note

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tab_that_nobody_looks_at_asks_for_nothing(new_page):
    german, russian = two_devices(new_page)
    with german.expect_request("**/live/**", timeout=POLL):
        pass
    german.evaluate(HIDE, True)
    asked = []
    german.on("request", lambda request: asked.append(request.url))
    write_note(russian, "Somebody there?")
    german.wait_for_timeout(4_000)  # two polls and a half
    assert not asked
    german.evaluate(HIDE, False)
    expect(log_with(german, "Somebody there?")).to_be_visible(timeout=POLL)
    with german.expect_request("**/live/**", timeout=POLL):
        pass  # and it goes on


def test_a_page_of_the_app_waits_twenty_seconds_at_most(new_page):
    page = new_page()
    begin(page)
    assert page.evaluate("htmx.config.timeout") == 20_000
