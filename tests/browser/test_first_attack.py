"""The first attack of everybody on a phone: counters that stand in no hex yet."""

from playwright.sync_api import expect

from tests.firefight import players

from .table import sit_as


def test_range_odds_and_die_are_all_that_the_first_attack_asks(new_page):
    german, _ = players.begin()
    for side, listed in {"german": "Panzergrenadier squad", "russian": "Rifle squad"}.items():
        german.do("counters/add/", side=side, list=listed)
    page = new_page(width=360, height=740)
    sit_as(page, german)
    page.locator("label.counter:has(input[value='german-1'])").click()
    page.locator("#rolls [data-roll=fire]").click()
    page.locator("label.counter:has(input[value='russian-1'])").click()
    range_field = page.get_by_label("Range in hexes")
    expect(range_field).to_be_focused()
    expect(page.get_by_label("FF", exact=True)).to_be_hidden()
    range_field.press_sequentially("2")
    expect(page.locator("#odds")).to_contain_text("For Rifle squad #1")
    expect(range_field).to_be_focused()
    page.get_by_role("button", name="firepower and machine-guns, 12 FF").click()
    expect(page.locator("#account b")).to_have_text("firepower and machine-guns, 12 FF")
    page.locator("#f-die").fill("01")
    page.keyboard.press("Enter")
    expect(page.locator("#desk .result")).to_contain_text("12 FF (MG 4)")
    expect(page.locator("#log-rows")).to_contain_text("Rifle squad #1")
