"""The map's chapters under the thumb and the keyboard, and a map changed by tapping and dragging it."""

import re
from copy import deepcopy

from playwright.sync_api import expect

from campaign.ledger import content
from campaign.models import Campaign

from .ledger import PHONE, in_campaign, open_tab, second_tab, tap
from .test_campaign import in_turn_one

REEL = "#reel-at"
GROUND = "(swatch) => getComputedStyle(swatch).backgroundColor"
LEFT = "document.querySelector('.board-view').scrollLeft"


def place_of(page):
    return int(page.locator(REEL).input_value())


def test_the_map_is_scrubbed_played_and_changed(new_page):
    (german,) = in_campaign(new_page, in_turn_one, german=PHONE)
    german.goto(re.sub(r"(/campaign/\w+/).*", r"\1map/", german.url))
    last = place_of(german)
    assert last > 2
    expect(german.locator("#reel-show")).to_be_hidden()
    # In the key a side's pattern lies on the map's ground, like what is nobody's.
    swatches = [".h1", ".h2", "li:has-text('Nobody') i"]
    grounds = [german.locator(f".board-key {swatch}").evaluate(GROUND) for swatch in swatches]
    assert len(set(grounds)) == 1 and grounds[0].startswith("rgb(")
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
    # Whoever wants no motion is not offered any.
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


def on_a_wide_map(game):
    """An owner's map is five times as wide as the house's."""
    data = deepcopy(content.shipped_data())
    drawing = data["map"]["drawing"]
    drawing["width"] *= 5
    for points in (drawing["points"], drawing["labels"]):
        for point in points.values():
            point[0] *= 5
    Campaign.objects.filter(pk=game.match_id).update(content=content.store(data, "Wide"))
    game.through_to("firefight")


def test_the_sectors_of_a_wide_map_can_be_tapped_and_one_stays_where_one_looked(new_page):
    (page,) = in_campaign(new_page, on_a_wide_map, german=PHONE)
    open_tab(page, "Map")
    view = page.locator(".board-view")
    boxes = [area.bounding_box() for area in page.locator("#board-over a").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    tap(page, 21)
    page.wait_for_function(f"{LEFT} > 300")
    at = page.evaluate(LEFT)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    tap(page, 20)
    expect(page.locator("#at-20")).to_be_focused()
    page.wait_for_function(f"{LEFT} === {at}")
    # So it does where the map of the chapter before is shown in its place.
    page.locator("#reel-back").click()
    expect(page.locator("#changes-head")).to_be_visible()
    page.wait_for_function(f"{LEFT} === {at}")
    page.locator("#reel-on").click()
    expect(page.locator("#here-head")).to_be_visible()
    page.get_by_label("Whole map").check()
    assert view.evaluate("(view) => view.scrollWidth <= view.clientWidth")
    tap(page, 1)
    expect(page.get_by_label("Whole map")).to_be_checked()


def test_a_tap_turns_a_sector_over_where_one_tries_out_who_could_hold_what(new_page):
    page = new_page(**PHONE)
    page.goto("/campaign/map/")
    expect(page.locator("#at-6")).to_have_accessible_name(re.compile("^Sector 6: German"))
    page.evaluate("window.same = true")
    for holder in ("Russian", "nobody's", "threatened", "German"):
        page.locator("#at-6").click()
        expect(page.locator("#at-6")).to_have_accessible_name(re.compile(f"^Sector 6: {holder}"))
        expect(page.get_by_role("combobox", name="Sector 6", exact=True).locator(":checked")).to_have_count(1)
    assert page.evaluate("window.same") and "held=" in page.url
    page.get_by_role("combobox", name="Sector 7", exact=True).select_option("Russian")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#at-7")).to_have_accessible_name(re.compile("^Sector 7: Russian"))
    expect(page.locator("#sectors")).to_have_count(1)
