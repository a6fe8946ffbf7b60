"""A page asks for news while somebody looks at it, and gives up on a server that does not answer."""

from playwright.sync_api import expect

from .table import begin, log_with, two_devices
from .test_two_devices import write_note

A_POLL = 2_000  # milliseconds by which a page has asked once more
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tab_that_nobody_looks_at_asks_for_nothing(new_page):
    german, russian = two_devices(new_page)
    german.clock.install()
    german.reload()
    with german.expect_request("**/live/**"):
        german.clock.run_for(A_POLL)
    german.evaluate(HIDE, True)
    asked = []
    german.on("request", lambda request: asked.append(request.url))
    write_note(russian, "Somebody there?")
    german.clock.run_for(3 * A_POLL)
    assert not asked
    german.evaluate(HIDE, False)
    expect(log_with(german, "Somebody there?")).to_be_visible()
    with german.expect_request("**/live/**"):
        german.clock.run_for(A_POLL)  # and it goes on


def test_a_page_of_the_app_waits_twenty_seconds_at_most(new_page):
    page = new_page()
    begin(page)
    assert page.evaluate("htmx.config.timeout") == 20_000
