"""The map's chapters under the thumb and the keyboard, and a map changed by tapping and dragging it."""

import re

from playwright.sync_api import expect

from .ledger import PHONE, in_campaign, second_tab
from .test_campaign import in_turn_one

REEL = "#reel-at"


def place_of(page):
    return int(page.locator(REEL).input_value())


def test_the_map_is_scrubbed_played_and_changed(new_page):
    (german,) = in_campaign(new_page, in_turn_one, german=PHONE)
    german.goto(re.sub(r"(/campaign/\w+/).*", r"\1map/", german.url))
    last = place_of(german)
    assert last > 2
    expect(german.locator("#reel-show")).to_be_hidden()
    # Arrow keys, wherever the focus is, and the slider itself.
    german.keyboard.press("ArrowLeft")
    expect(german.locator("#changes-head")).to_be_visible()
    assert place_of(german) == last - 1
    expect(german).to_have_url(re.compile(rf"chapter={last - 1}$"))
    german.locator(REEL).focus()
    german.keyboard.press("Home")
    expect(german.locator("#reel-title")).to_contain_text("The beginning")
    expect(german.locator("#reel-back")).to_have_attribute("aria-disabled", "true")
    german.locator("#reel-on").click()
    expect(german.locator("#reel-title")).to_contain_text(f"2 of {last}")
    expect(german.locator("#reel-on")).to_be_focused()
    german.keyboard.press("ArrowLeft")
    expect(german.locator("#reel-title")).to_contain_text(f"1 of {last}")
    # It plays to the end by itself, and stops there.
    german.get_by_role("button", name="Play").click()
    expect(german.locator("#reel-title")).to_contain_text("Now", timeout=20_000)
    expect(german.get_by_role("button", name="Play")).to_be_visible()
    expect(german.locator("#here-head")).to_be_visible()
    # Who wants no motion is not offered any.
    german.emulate_media(reduced_motion="reduce")
    german.reload()
    expect(german.locator("#reel-play")).to_be_hidden()
    german.emulate_media(reduced_motion="no-preference")

    draft = second_tab(german)
    draft.goto("/campaign/map/change/")
    draft.locator("#s12").click()
    draft.locator("#s17").click()
    expect(draft.locator("#draft-told")).to_contain_text("12 and 17 share a border now.")
    draft.locator("#s7").click()
    draft.locator("#edge-w").click()
    expect(draft.locator("#draft-told")).to_contain_text("7 touches the west edge now.")
    # By keyboard.
    draft.locator("#s13").focus()
    draft.keyboard.press("Enter")
    draft.locator("#s15").focus()
    draft.keyboard.press("Enter")
    expect(draft.locator("#doubts")).to_contain_text("G-6")
    draft.locator("#draft-undo").click()
    expect(draft.locator("#doubts")).to_contain_text("All of them hold")
    # Dragged by a little.
    box = draft.locator("#s11 .number").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    draft.mouse.move(x, y)
    draft.mouse.down()
    draft.mouse.move(x + 9, y + 9, steps=3)
    draft.mouse.up()
    expect(draft.locator("#draft-told")).to_contain_text("Sector 11 has moved.")
    assert draft.evaluate("document.documentElement.scrollWidth") <= 360
