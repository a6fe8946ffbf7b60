"""Two players on one device, with a cover between them."""

import pytest
from playwright.sync_api import expect

from tests.firefight import players
from tests.soak import length

from .table import (
    POLL,
    choose,
    go_to_page,
    log_with,
    open_menu,
    result,
    sit_as,
    type_dice,
)

SECRET = "Panzers hide in L12"


@pytest.fixture
def page(new_page):
    """A device on which the German has sealed a note and rolled."""
    player, _ = players.begin(hot_seat=True)
    player.note(SECRET, sealed="on")
    page = new_page()
    sit_as(page, player)
    choose(page, "Morale Check")
    page.get_by_label("TQ", exact=True).fill("7")
    type_dice(page, 8)
    expect(result(page)).to_contain_text("Pinned Down")
    return page


def hand_over(page):
    open_menu(page).get_by_role("button", name="Hand over").click()
    expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()


def lift(page, side):
    page.get_by_role("button", name=f"I am {side}").click()
    expect(page.get_by_text(f"You are {side}")).to_be_visible()


def set_pin(page, digits):
    go_to_page(page, "Seats")
    page.get_by_label("PIN of").fill(digits)
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_label("PIN of")).to_have_value("")
    page.get_by_role("link", name="To the match").click()


def assert_covered(page):
    expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()
    text = page.content()
    assert SECRET not in text
    assert "Pinned Down" not in text
    assert "seals a note" not in text
    expect(page.locator("#log-rows, #result, #desk, #status")).to_have_count(0)


def test_nothing_leads_past_the_cover(page):
    address = page.url.split("#")[0]
    hand_over(page)
    assert_covered(page)
    page.reload()
    assert_covered(page)
    page.go_back()
    assert_covered(page)
    page.go_back()
    assert SECRET not in page.content()
    for part in ("", "log/", "log.json", "live/?version=0&after=0", "roll/morale/?again=3", "seats/", "dice/"):
        page.goto(address + part)
        assert_covered(page)


def test_both_sides_play_on_the_one_device_and_neither_sees_what_the_other_has_sealed(page):
    hand_over(page)
    lift(page, "Russian")
    expect(log_with(page, "German seals a note.")).to_be_visible()
    assert SECRET not in page.content()
    expect(page.get_by_role("button", name="Reveal")).to_have_count(0)
    choose(page, "Morale Check")
    page.get_by_label("TQ", exact=True).fill("6")
    type_dice(page, 6)
    expect(result(page)).to_contain_text("passed, 6 against TQ 6")
    expect(log_with(page, "passed, 6 against TQ 6").locator(".who")).to_have_text("Russian")
    # Both agree on the one device to take back a roll of the app.
    page.get_by_role("link", name="again, with the same inputs").click()
    page.get_by_role("button", name="Roll here").click()
    rolled_here = log_with(page, "rolled here, no. 1")
    expect(rolled_here).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Both agree").click()
    expect(rolled_here).to_contain_text("Void")
    hand_over(page)
    lift(page, "German")
    expect(log_with(page, SECRET)).to_be_visible()
    # Back shows no secret once the other side has lifted the cover.
    hand_over(page)
    lift(page, "Russian")
    while page.go_back() and page.url.startswith("http"):
        assert SECRET not in page.content()


def test_a_pin_guards_the_side_that_set_it_and_no_other(page, page_errors_allowed):
    set_pin(page, "4711")
    hand_over(page)
    lift(page, "Russian")
    hand_over(page)
    page.get_by_role("button", name="I am German").click()
    expect(page.get_by_text("That is not this side's PIN.")).to_be_visible()
    assert_covered(page)
    page.get_by_label("PIN").fill("1234")
    page.get_by_role("button", name="I am German").click()
    expect(page.get_by_text("That is not this side's PIN.")).to_be_visible()
    page.get_by_label("PIN").fill("4711")
    lift(page, "German")
    expect(log_with(page, SECRET)).to_be_visible()


@pytest.mark.soak
def test_a_second_tab_makes_way_when_the_cover_is_put_on(page):
    address = page.url.split("#")[0]
    places = ("", "seats/", "log/", "file/")[: length(2, 4)]
    tabs = {place: page.context.new_page() for place in places}
    for place, tab in tabs.items():
        tab.goto(address + place)
    expect(log_with(tabs[""], SECRET)).to_be_visible()
    hand_over(page)
    for tab in tabs.values():
        expect(tab.get_by_text("The cover is on. Who holds the device?")).to_be_visible(timeout=POLL)
        assert_covered(tab)


def test_pins_can_be_chosen_where_a_hot_seat_match_begins(new_page):
    page = new_page()
    page.goto("/match/new/combat-stalingrad/")
    expect(page.get_by_label("PIN of German")).to_be_hidden()
    page.get_by_role("radio", name="Hot-seat").check()
    page.get_by_label("PIN of German").fill("4711")
    page.get_by_role("button", name="Begin").click()
    hand_over(page)
    expect(page.get_by_label("PIN")).to_have_count(1)
    page.get_by_label("PIN").fill("4711")
    lift(page, "German")
