"""A board in a real browser: tapped on a phone, by keys, in view where something is to be pressed."""

import pytest
from playwright.sync_api import expect

from tests.firefight import players
from tests.games.conftest import CACHES
from tests.soak import length

from .table import sit_as
from .test_axe import find_violations
from .test_pages import assert_fits_a_phone

LIT = "#board-over .lit button"


@pytest.fixture(autouse=True)
def fox(settings):
    """Play the toy, too."""
    settings.ASSIST_GAMES = [*settings.ASSIST_GAMES, "examples.fox_hunt"]
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


def begin_hunt(page):
    """A hunt in which the fox has hidden."""
    hounds, _ = players.begin("hounds", game="fox-hunt")
    hounds.do("step/")
    sit_as(page, hounds)
    expect(page.locator(LIT)).to_have_count(2)


def top_of(page):
    return page.locator(".board-view").bounding_box()["y"]


@pytest.mark.soak
@pytest.mark.parametrize(("scheme", "width"), [("dark", 360), ("light", 1280)][: length(1, 2)])
def test_a_board_and_its_words_can_be_read_by_everybody(new_page, scheme, width):
    page = new_page(width=width, color_scheme=scheme)
    begin_hunt(page)
    page.locator(LIT).first.click()
    expect(page.locator(".question")).to_contain_text("Where does the hound")
    assert not find_violations(page).violations_count
    page.locator(".board-tools a").click()
    expect(page.locator(".board-words li")).to_have_count(14)
    assert not find_violations(page).violations_count


@pytest.mark.soak
@pytest.mark.parametrize("width", [320, 360][: length(1, 2)])
def test_a_board_fits_a_phone_and_its_lit_places_a_finger(new_page, width):
    page = new_page(width=width)
    begin_hunt(page)
    assert_fits_a_phone(page)
    page.locator(LIT).first.click()
    expect(page.locator(".question")).to_contain_text("Where does the hound")
    assert_fits_a_phone(page)


def test_the_room_of_a_drawing_is_kept_until_it_is_there(new_page, page_errors_allowed):
    page, sheet = new_page(width=360), ".board-sheet"
    begin_hunt(page)
    tall = page.locator(sheet).bounding_box()["height"]
    page.route("**/*.svg", lambda route: route.abort())
    page.reload()
    expect(page.locator(LIT)).to_have_count(2)
    assert page.locator(sheet).bounding_box()["height"] == pytest.approx(tall, abs=1)
    assert_fits_a_phone(page)


def test_a_hound_runs_by_two_taps_and_the_map_stays_in_view(new_page):
    page = new_page(width=360, height=600)
    begin_hunt(page)
    page.evaluate("scrollTo(0, 500)")
    page.locator("#step-form .choices button").first.click()
    expect(page.locator(".question")).to_contain_text("Where does")
    assert top_of(page) >= 0
    page.locator(LIT).first.click()
    expect(page.locator("#board-over")).to_have_attribute(
        "data-happened", page.locator("[data-place]").last.get_attribute("data-place")
    )
    expect(page.locator("#board-over .happened")).to_have_count(1)
    expect(page.locator("#board-over > :first-child.happened")).to_have_count(1)  # below what lies there


def test_a_board_is_played_by_keys(new_page):
    page = new_page(width=1280)
    begin_hunt(page)
    page.locator(LIT).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_be_focused()
    page.get_by_role("button", name="A3, wood, lair, an animal").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board-place")).to_have_text("A3, wood, lair, an animal")


def test_where_one_looked_stays_so(new_page):
    page = new_page(width=360, height=320)
    begin_hunt(page)
    page.locator(".board-view").evaluate("(view) => view.scrollTo(0, 40)")
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem(boardKey()) || '{}').scrollTop === 40")
    page.reload()
    page.wait_for_function("() => document.querySelector('.board-view').scrollTop === 40")
