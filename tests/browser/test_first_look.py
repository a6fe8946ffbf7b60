"""Where the eye lands: how far down what came of the last roll stands, and the first drawn counter.

A result lies below the one line on top, and whoever it is about is drawn there; what is to be tried in the demo, what
else is due and what was missed come after it.
"""

import pytest

from tests.firefight import players

from .ledger import look_around_in_demo
from .table import sit_as

SIZES = {"phone": (360, 740), "laptop": (1280, 800)}
RESULT, COUNTER = 60, 200  # px from the page's top
ROLLS = {
    "turning-point-stalingrad": ("calendar", {"date": "1942-10-08"}),
    "battle-for-stalingrad": ("combat", {"strength": "12", "die": "3", "hex": "1726"}),
}


def top_of(page, selector):
    """Where the first of these that is shown begins, in px from the page's top."""
    return (
        page.locator(selector)
        .locator("visible=true")
        .first.evaluate("each => each.getBoundingClientRect().top + scrollY")
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_demo_begins_with_what_was_rolled_and_its_counters(new_page, transactional_db, size):
    width, height = SIZES[size]
    page = new_page(width=width, height=height)
    look_around_in_demo(page)
    assert top_of(page, "#desk article.result") <= RESULT
    assert top_of(page, "#desk article.result img, #table .counter img") <= COUNTER
    button = page.locator("#desk-form button.main").bounding_box()
    assert button["y"] + button["height"] <= height  # the checks are answered without scrolling
    assert page.locator("#trying li").count() == 3
    assert top_of(page, "#trying") > top_of(page, "#desk-form")


@pytest.mark.parametrize("game", ROLLS)
def test_a_result_of_a_companion_stands_at_the_top(new_page, game):
    maker, _ = players.begin("german", game=game, hot_seat=True)
    helper, fields = ROLLS[game]
    assert maker.roll(helper, **fields).status_code == 302
    for width, height in SIZES.values():
        page = new_page(width=width, height=height)
        sit_as(page, maker)
        assert top_of(page, "#desk article.result") <= RESULT + 8
