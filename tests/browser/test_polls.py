"""A page asks for news while somebody looks at it, and gives up on a server that does not answer."""

import re

from playwright.sync_api import expect

from .table import POLL, begin, log_with, open_menu, two_devices
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
    requests = []
    german.on("request", lambda request: requests.append(request.url))
    write_note(russian, "Somebody there?")
    german.clock.run_for(3 * A_POLL)
    assert not requests
    german.evaluate(HIDE, False)
    expect(log_with(german, "Somebody there?")).to_be_visible()
    with german.expect_request("**/live/**"):
        german.clock.run_for(A_POLL)  # and it goes on


def test_a_page_of_the_app_waits_twenty_seconds_at_most(new_page):
    page = new_page()
    begin(page)
    assert page.evaluate("htmx.config.timeout") == 20_000


NOTIFIER = """() => {
    window.calls = [];
    window.Notification = class {
        constructor(title, { body }) { window.calls.push(`${title}: ${body}`); }
        addEventListener() {}
        static permission = localStorage.getItem("allowed") || "default";
        static async requestPermission() {
            localStorage.setItem("allowed", "granted");
            return this.permission = "granted";
        }
    };
    document.querySelectorAll("[data-notify]").forEach(tellCalls);
}"""


def test_who_has_asked_for_it_is_called_when_it_becomes_their_turn(new_page):
    german, russian = two_devices(new_page)
    match = german.url
    german.goto(f"{match}calls/")
    german.evaluate(NOTIFIER)
    german.get_by_role("button", name="Tell me here").click()
    expect(german.get_by_role("button", name="Do not tell me here")).to_be_visible()
    german.goto(match)
    german.evaluate(NOTIFIER)
    assert not german.title().startswith("Your turn")
    german.evaluate(HIDE, True)
    open_menu(russian)
    russian.get_by_text("End the match").click()
    russian.get_by_label("The match is over").check()
    with german.expect_response("**/live/**unseen=1**", timeout=POLL):
        russian.get_by_role("button", name="Propose the end").click()
        expect(russian.get_by_text("Waiting for the other side to answer")).to_be_visible()
        german.evaluate("askedUnseen = 0")  # half a minute is over
    expect(german).to_have_title(re.compile("^Your turn · "))
    [call] = german.evaluate("window.calls")
    assert call.startswith("Your turn: ")
    assert "icon-turn" in german.locator("link[rel=icon]").get_attribute("href")
    german.evaluate(HIDE, False)
    german.get_by_role("button", name="Decline").click()
    expect(german).not_to_have_title(re.compile("^Your turn"))
