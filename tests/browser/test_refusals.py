"""A refusal is seen where the thumb is: what is asked for, or why not, comes into sight and takes the focus."""

import pytest
from playwright.sync_api import expect

from campaign.rules.stages import Stage
from tests.campaign.acts.game import RUSSIAN
from tests.firefight import players
from tests.soak import length

from .ledger import LAPTOP, PHONE, in_campaign, open_tab, trouble
from .table import sit_as

SIZES = [pytest.param(PHONE, id="phone"), pytest.param(LAPTOP, id="laptop")][: length(1, 2)]  # a slice: the narrow one

pytestmark = pytest.mark.usefixtures("page_errors_allowed")  # a browser notes each refusal

# Whether an element lies between what covers the page's edges, and has the focus.
SEEN = """node => {
  const box = node.getBoundingClientRect();
  const at = document.elementFromPoint(box.x + Math.min(box.width / 2, 40), box.y + Math.min(box.height / 2, 20));
  const isCovered = !at || !(node.contains(at) || at.contains(node));
  return [box.top >= 0, Math.min(box.bottom, box.top + 60) <= innerHeight, !isCovered, node === document.activeElement];
}"""


def is_seen(locator):
    """Wait until an element is there, and say whether it is in sight and has the focus."""
    expect(locator).to_be_visible()
    expect(locator).to_be_focused()
    locator.page.wait_for_timeout(50)
    return all(locator.evaluate(SEEN))


def with_a_nest_to_name(game):
    """The Russian sets up; its nest, placed by an older version, has no building yet."""
    game.buy(RUSSIAN, "N1")
    game.orders()
    for rg, sector in (("I2", 11), ("I6", 15)):
        game.place(RUSSIAN, game.units(RUSSIAN, rg)[:3], sector)
    game.place(RUSSIAN, game.units(RUSSIAN, "N1"), 11, building="Hall", hexes=2)
    game.write(game.group(RUSSIAN, "N1"), building="")


def in_firefight(game):
    """The first turn, with units of both sides on the map."""
    game.orders()
    game.place(RUSSIAN, game.units(RUSSIAN, "I2"), 11)
    game.through_to(Stage.FIREFIGHT)


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_set_up_that_is_refused_says_so_in_sight(new_page, size):
    (page,) = in_campaign(new_page, with_a_nest_to_name, russian=size)
    open_tab(page, "Map")
    page.locator(".parties a").last.click()  # the address ends in #map from here on
    expect(page.locator("#placing-head")).to_be_visible()
    page.get_by_role("button", name="Pay and end your set-up").click()
    expect(trouble(page)).to_contain_text("Name the building")
    assert is_seen(trouble(page))


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_report_of_nobody_says_so_in_sight(new_page, size):
    (page,) = in_campaign(new_page, in_firefight, russian=size)
    open_tab(page, "Firefight")
    page.mouse.wheel(0, 20_000)
    page.get_by_role("button", name="Note it", exact=True).click()
    expect(trouble(page)).to_be_visible()
    assert is_seen(trouble(page))


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_die_that_is_missing_is_asked_for_in_sight(new_page, size):
    (page,) = in_campaign(new_page, lambda game: None, german=size)
    page.goto(f"{page.url}roster/german/?group=I1")
    page.locator("#ledger form:has(input[name=die]) button.main").first.click()
    assert is_seen(page.locator("[aria-invalid=true]").first)


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_form_that_lacks_a_number_shows_where(new_page, size):
    german, _ = players.begin()
    for side, listed in {"german": "Panzergrenadier squad", "russian": "Rifle squad"}.items():
        german.do("counters/add/", side=side, list=listed)
    page = new_page(**size)
    sit_as(page, german)
    page.locator("label.counter:has(input[value='german-1'])").click()
    page.locator("#rolls [data-roll=fire]").click()
    page.locator("label.counter:has(input[value='russian-1'])").click()
    expect(page.get_by_label("Range in hexes")).to_be_focused()
    page.locator("#f-die").fill("25")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("#f-die").focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Range in hexes")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert is_seen(field)


@pytest.mark.parametrize("address", ["/campaign/content/", "/match/import/", "/charts/"])
def test_whole_pages_show_what_they_refuse(new_page, address):
    page = new_page(**PHONE)
    page.goto(address)
    nothing = {"name": "nothing.json", "mimeType": "application/json", "buffer": b"{}"}
    page.locator("input[type=file]").first.set_input_files(nothing)
    page.locator("form[enctype] button").last.click()
    assert is_seen(page.locator(".trouble").first)


def test_a_helper_without_a_match_shows_what_it_lacks(new_page):
    page = new_page(**PHONE)
    page.goto("/assist/combat-stalingrad/fire/")
    page.locator("#desk-form button.main").click()
    field = page.locator("[aria-invalid=true]").first
    assert is_seen(field)
