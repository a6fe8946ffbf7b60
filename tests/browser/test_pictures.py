"""Pictures in a browser: they are there, crisp, in both themes and on a phone, and can be taken away."""

import re

import pytest
from playwright.sync_api import expect

from .ledger import look_around_in_demo
from .test_axe import assert_accessible
from .test_pages import assert_fits_a_phone

# Every counter whose picture has not been loaded, or that another shape has squeezed.
BROKEN = """(side) => [...document.querySelectorAll("main img:not(.board-sheet > *)")]
  .filter((image) => !image.complete || image.naturalWidth !== 64 || image.width !== side || image.height !== side)
  .map((image) => image.src)"""


def show_all(page):
    """Load what waits to be scrolled to."""
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    page.wait_for_load_state("networkidle")


@pytest.mark.soak
def test_the_gallery_shows_every_counter(new_page):
    page = new_page()
    page.goto("/campaign/counters/")
    show_all(page)
    assert page.evaluate(BROKEN, 64) == []
    expect(page.get_by_role("img", name="T-34 76-B, Russian vehicle: CCV 8; TQ 7.", exact=True)).to_be_visible()
    assert_fits_a_phone(page)
    assert_accessible(page, "the gallery")
    assert page.evaluate(BROKEN, 64) == []


def test_a_sector_is_opened_by_the_keyboard_and_its_counters_are_drawn(new_page):
    page = new_page(width=360)
    page.goto(f"/campaign/{look_around_in_demo(page)}/map/")
    page.locator("#at-7").focus()
    page.keyboard.press("Enter")
    pioneers = page.get_by_role("listitem").filter(has_text="Pioneer squad (Disrupted)").locator("img")
    expect(pioneers).to_be_visible()
    show_all(page)
    assert page.evaluate(BROKEN, 32) == []
    expect(page.locator("#board-over .chosen")).to_have_count(1)
    expect(page.locator("#at-7")).to_have_attribute("aria-current", "true")
    expect(page.locator("#at-7")).to_be_focused()
    assert_fits_a_phone(page)
    # Every sector is as large as a finger, and the map is seen as a whole, with what stands on it within its frame.
    boxes = [sector.bounding_box() for sector in page.locator("#board-over a").all()]
    assert len(boxes) == 22 and min(min(box["width"], box["height"]) for box in boxes) >= 44
    whole = "(view) => view.scrollWidth <= view.clientWidth && view.scrollHeight <= view.clientHeight"
    assert page.locator(".board-view").evaluate(whole)
    outside = """() => { const frame = document.querySelector(".board-view").getBoundingClientRect();
      return [...document.querySelectorAll("#board-over a > *")].map((part) => part.getBoundingClientRect())
        .filter((box) => box.left < frame.left || box.right > frame.right).length; }"""
    assert page.locator("#board-over a > *").count() and page.evaluate(outside) == 0


def test_the_map_is_followed_without_a_script_and_told_apart_without_colours(new_page):
    page = new_page(width=360, java_script_enabled=False)
    page.goto(f"/campaign/{look_around_in_demo(page)}/map/")
    page.locator("#at-7").click()
    expect(page.locator("#here-head")).to_contain_text("Sector 7:")
    drawn = "all => all.map((each) => getComputedStyle(each).backgroundImage)"
    patterns = {
        re.sub(r"(rgba?|color)\([^)]*\)", "", style) for style in page.locator("#board-over a").evaluate_all(drawn)
    }
    assert len(patterns) == 2 and "none" not in patterns


def test_the_map_can_be_taken_away_as_a_file(new_page):
    page = new_page(width=1280)
    page.goto(f"/campaign/{look_around_in_demo(page)}/map/")
    for name, start in (("PNG", b"\x89PNG"), ("SVG", b"<?xml")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert download.value.suggested_filename == f"sector-map.{name.lower()}"
        assert download.value.path().read_bytes().startswith(start)
    assert page.url.endswith("/map/")
