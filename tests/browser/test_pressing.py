"""A press counts even if an answer moves the page under the pointer before it is let go."""

import pytest
from playwright.sync_api import expect

from .table import begin, choose, result


@pytest.fixture
def pressed(new_page):
    """A page whose button "Roll here" is held down, while the odds that came just then have pushed it away."""
    page = new_page(width=1280)
    begin(page)
    choose(page, "Morale Check")
    page.get_by_label("TQ", exact=True).fill("7")
    button = page.get_by_role("button", name="Roll here")
    before = button.bounding_box()
    button.hover()
    page.mouse.down()  # the field loses the focus, and the odds are asked for
    expect(page.locator("#odds summary")).to_be_visible()
    expect(page.locator("#opening")).to_be_visible()
    moved = button.bounding_box()["y"] - before["y"]
    assert moved > before["height"] / 2, "the pointer is still on the button, so that this shows nothing"
    return page


def test_a_button_that_is_pushed_away_while_it_is_pressed_is_pressed(pressed):
    pressed.mouse.up()
    expect(result(pressed)).to_contain_text("against TQ 7")
    expect(pressed.locator("#log-rows .line", has_text="rolled here, no. 1")).to_have_count(1)


def test_a_pointer_that_is_moved_away_before_it_is_let_go_presses_nothing(pressed):
    sent = []
    pressed.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    pressed.mouse.move(5, 400)
    pressed.mouse.up()  # what a click sends, it sends at once
    pressed.reload()
    assert not sent
    expect(pressed.locator("#log-rows .line", has_text="Morale Check")).to_have_count(0)
