"""Without a connection: what was typed stays, the page says so, and trying again does nothing twice."""

import pytest
from playwright.sync_api import expect

from tests.campaign.acts.game import Game

from . import ledger
from .ledger import in_campaign
from .table import begin, choose, log_with, resolve, result, two_devices, type_dice

pytestmark = pytest.mark.usefixtures("page_errors_allowed")


def bar(page):
    """What the window says could not be sent."""
    return page.locator("#unsent")


def lose_answers(page, address):
    """Let posts to an address reach the server, and their answers get lost."""

    def lose(route):
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route(address, lose)


def fill_in_morale(page):
    choose(page, "Morale Check")
    page.get_by_label("TQ", exact=True).fill("7")


def test_a_roll_that_is_not_sent_is_kept_and_sent_again(new_page):
    german = new_page()
    begin(german)
    fill_in_morale(german)
    german.context.set_offline(True)
    type_dice(german, 5)
    expect(bar(german)).to_contain_text("Not sent: no connection. Your 5 is kept.")
    expect(german.locator("#desk-form .dice input.die")).to_have_value("5")
    german.context.set_offline(False)
    bar(german).get_by_role("button", name="Try again").click()
    expect(result(german)).to_contain_text("passed, 5 against TQ 7")
    expect(bar(german)).to_be_empty()
    expect(log_with(german, "5 against TQ 7")).to_have_count(1)


def test_a_roll_whose_answer_is_lost_is_not_made_twice(new_page):
    german, russian = two_devices(new_page)
    fill_in_morale(german)
    german.route("**/live/**", lambda route: route.fulfill(status=204))
    odds = []

    def hold(route):
        odds.append(route)

    german.route("**/roll/morale/odds/", hold)  # asked for as the field loses the focus to the button
    lose_answers(german, "**/roll/morale/")
    german.get_by_role("button", name="Roll here").click()
    expect(bar(german)).to_contain_text("Not sent: no connection.")
    with german.expect_event("requestfailed", lambda sent: sent.url.endswith("/odds/")):
        odds[0].abort()  # later than the roll, whose place it must not take
    with german.expect_event("requestfailed", lambda sent: sent.url.endswith("/roll/morale/")):
        bar(german).get_by_role("button", name="Try again").click()
    expect(bar(german)).to_contain_text("Not sent: no connection.")
    german.unroute("**/roll/morale/")
    bar(german).get_by_role("button", name="Try again").click()
    expect(result(german)).to_contain_text("against TQ 7")
    expect(log_with(german, "rolled here, no. 1")).to_have_count(1)
    expect(log_with(russian, "rolled here")).to_have_count(1)


def test_what_is_sent_again_is_what_was_pressed(new_page):
    german, russian = two_devices(new_page)
    fill_in_morale(german)
    # The first button of the form rolls on the table.
    german.context.set_offline(True)
    german.get_by_role("button", name="Roll here").click()
    expect(bar(german)).to_contain_text("Not sent: no connection.")
    german.context.set_offline(False)
    bar(german).get_by_role("button", name="Try again").click()
    expect(result(german)).to_contain_text("against TQ 7")
    expect(log_with(german, "rolled here, no. 1")).to_have_count(1)
    # The first button of the question agrees.
    german.get_by_role("button", name="Take back").click()
    russian.get_by_role("button", name="Decline").wait_for()
    russian.context.set_offline(True)
    russian.get_by_role("button", name="Decline").click()
    expect(bar(russian)).to_contain_text("Not sent: no connection.")
    russian.context.set_offline(False)
    bar(russian).get_by_role("button", name="Try again").click()
    expect(log_with(russian, "stand")).to_have_count(1)
    expect(log_with(russian, "Taken back")).to_have_count(0)


def test_a_roll_that_is_not_done_is_kept_and_why_is_told(new_page):
    german = new_page()
    begin(german)
    # Odds that arrive do not hide that a roll was not sent.
    fill_in_morale(german)
    german.route("**/roll/morale/", lambda route: route.abort())
    type_dice(german, 5)
    expect(bar(german)).to_contain_text("Your 5 is kept.")
    with german.expect_response("**/roll/morale/odds/"):
        german.get_by_label("TQ", exact=True).fill("9")
        german.get_by_label("TQ", exact=True).blur()
    expect(german.locator("#opening")).to_contain_text("TQ 9")
    expect(bar(german)).to_contain_text("Your 5 is kept.")
    german.unroute("**/roll/morale/")
    german.get_by_label("TQ", exact=True).fill("7")
    # A server that fails, or does not answer.
    german.route("**/roll/morale/", lambda route: route.fulfill(status=500, body="<h1>Broken</h1>"))
    type_dice(german, 5)
    expect(bar(german)).to_contain_text("Not done: something broke on our side. Your 5 is kept.")
    german.unroute("**/roll/morale/")
    german.evaluate("htmx.config.timeout = 50")
    german.route("**/roll/morale/", lambda route: None)
    resolve(german)
    expect(bar(german)).to_contain_text("No answer came in time. Your 5 is kept.")
    german.unroute("**/roll/morale/")
    german.evaluate("htmx.config.timeout = 0")
    bar(german).get_by_role("button", name="Try again").click()
    expect(result(german)).to_contain_text("passed, 5 against TQ 7")
    # A refusal that is no page of the match leaves what was typed.
    fill_in_morale(german)
    german.locator("#desk-form [name=csrfmiddlewaretoken]").evaluate("token => { token.value = 'x'; }")
    type_dice(german, 5)
    with german.expect_event("requestfinished", lambda sent: "/live/" in sent.url):
        expect(bar(german)).to_contain_text("Not done: the page is too old")
    expect(bar(german)).to_contain_text("Not done: the page is too old")
    expect(german.locator("#desk-form .dice input.die")).to_have_value("5")
    bar(german).get_by_role("button", name="Reload the page").click()
    expect(bar(german)).to_be_empty()
    german.wait_for_load_state()
    # A page that hears nothing says so until it does.
    german.context.set_offline(True)
    expect(bar(german)).to_contain_text("No connection to the match")
    german.context.set_offline(False)
    expect(bar(german)).to_be_empty()


def test_a_note_and_the_odds_without_a_connection(new_page):
    german = new_page(width=1280, height=800)  # on a phone an open form lies over the log
    begin(german)
    choose(german, "Contact")
    german.context.set_offline(True)
    german.get_by_label("Reached by").select_option("Phone")
    expect(bar(german)).to_contain_text("no connection")
    expect(german.get_by_text("Contact needs 65 or less on the die.")).to_be_hidden()  # it would be false of a phone
    expect(german.locator("#odds table")).to_have_count(0)
    german.get_by_label("Note for the log").fill("Into the cellar!")
    german.get_by_role("button", name="Write").click()
    expect(bar(german)).to_contain_text("What you typed is kept.")
    german.context.set_offline(False)
    bar(german).get_by_role("button", name="Try again").click()
    expect(log_with(german, "Into the cellar!")).to_have_count(1)
    german.get_by_label("Reached by").select_option("Radio")
    expect(german.get_by_text("Contact needs 65 or less on the die.")).to_be_visible()


def test_an_act_of_a_campaign_is_kept_and_done_once(new_page):
    (german,) = in_campaign(new_page, german=ledger.PHONE)
    ledger.open_tab(german, "German roster")
    card = ledger.choose_group(german, "V3")
    for die in card.locator("input.die").all():
        die.fill("7")
    german.context.set_offline(True)
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(bar(german)).to_contain_text("Not sent: no connection. Your 7, 7 and 7 are kept.")
    expect(card.locator("input.die").first).to_have_value("7")
    german.context.set_offline(False)
    lose_answers(german, "**/roster/german/**")
    with german.expect_event("requestfailed", lambda sent: sent.method == "POST"):
        bar(german).get_by_role("button", name="Try again").click()
    expect(bar(german)).to_contain_text("Not sent: no connection.")
    german.unroute("**/roster/german/**")
    bar(german).get_by_role("button", name="Try again").click()
    expect(german.locator("#done")).to_contain_text("German buys V3")
    expect(bar(german)).to_be_empty()
    assert sum("buys V3" in line.sentence for line in Game(german.url.split("/")[4]).entries) == 1


@pytest.mark.parametrize("comes", ["before", "after"])
def test_who_has_tapped_on_sees_that_the_act_before_was_refused(new_page, comes):
    (german,) = in_campaign(new_page, german=ledger.PHONE)
    ledger.open_tab(german, "German roster")
    card = ledger.choose_group(german, "V3")
    card.locator("input.die").first.fill("7")  # one of three
    routes = {}

    def hold(route):
        routes[route.request.method] = route

    german.route("**/campaign/*/roster/german/**", hold)
    german.route("**/campaign/*/map/", hold)
    with german.expect_request(lambda sent: sent.method == "POST"):
        card.get_by_role("button", name="Buy", exact=True).click()
    with german.expect_request("**/map/"):
        german.get_by_role("navigation", name="Campaign pages").get_by_role("link", name="Map", exact=True).click()
    while len(routes) < 2:  # a request is told of before it comes to be held
        german.evaluate("0")
    for method in ("POST", "GET") if comes == "before" else ("GET", "POST"):
        with german.expect_event("requestfinished", lambda sent, method=method: sent.method == method):
            routes[method].continue_()
    if comes == "before":
        expect(german.locator("#trouble")).to_contain_text("Still to roll")
        expect(german.locator("#chosen input.die").first).to_have_value("7")
    else:
        with german.expect_response("**/live/**"):  # news does not take it away
            expect(bar(german)).to_contain_text("Not done: Still to roll: Counter 2")
        expect(bar(german)).to_contain_text("Not done: Still to roll: Counter 2")
