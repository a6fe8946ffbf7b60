"""An owner puts content in by pasting and tapping, plays with it, and another browser opens the link; counted.

In `make test` half as many counters are pasted, two borders are tapped, and the campaign is begun; in a soak it is
played up to set-up.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.soak import IS_WHOLE, length

from .ledger import PHONE, hand_over, open_tab, place, seal_orders, step
from .test_axe import LOOKS, assert_accessible
from .test_chart_room import Hand, cell

MOST = 60  # interactions besides typing and pasting values
BORDERS = [(8, 9), (18, 19), (1, 2), (12, 16)][: length(2, 4)]
COUNTERS = length(15, 30)
KINDS = {"squad": "7\t8\t1: 8, 2-6: 7", "SW team": "3\t2\t1-8: 3", "gun": "\t2\t"}


def counters():
    """Made-up counters as a spreadsheet gives them, without titles, in the order of the sheet."""
    lines = []
    for number in range(COUNTERS):
        arm, side = [*KINDS][number % 3], ("German", "Russian")[number % 2]
        ff, ccv, fire = KINDS[arm].split("\t")
        name = f"{side} {arm} {'ABCDEFGHIJKLMNO'[number // 2]}"
        lines.append([name, side, arm, "20", ff, "", ccv, "7", fire, "", "76" if arm == "gun" else "", "", ""])
    return lines


def roster():
    """Twenty made-up German groups, lying across: titles on the left."""
    german = [line[0] for line in counters() if line[1] == "German" and line[2] != "gun"]
    guns = [line[0] for line in counters() if line[1] == "German" and line[2] == "gun"]
    rows = [["ID", "group", "contents", "CP", "CG I", "CG II", "leader"]]
    for number in range(1, 18):
        contents = f"3 {german[number % len(german)]}, 1 Officer"
        rows.append([f"I{number}", f"Platoon {number}", contents, str(number % 5 + 2), "2", "3", "L"])
    rows += [[f"G{n}", f"Battery {n}", f"2 {guns[n - 1]}", "4", "1", "1", ""] for n in (1, 2, 3)]
    return "\n".join("\t".join(row) for row in zip(*rows, strict=True))


def card():
    """The fields of a card that are pasted: the others are tapped."""
    fields = {"German at start": "2 I2, 1 G1, 1 NCO", "German CP at start": "31", "German CP later": "d10 + 4"}
    return "\n".join(f"{name}\t{value}" for name, value in {"field": "value", **fields}.items())


def saved(page):
    return page.locator("#check").get_by_text("Saved. No mistakes found in this part.")


@pytest.mark.soak
def test_own_content_is_pasted_tapped_shared_and_played_to_set_up(new_page):
    page = new_page(width=1280, height=900, color_scheme="light")
    page.goto("/campaign/")
    hand = Hand(page)
    hand.link("Content room", exact=True)
    hand.button("Copy to my shelf")

    hand.link("Counters", exact=True)
    hand.click(page.get_by_role("button", name="Add a row", exact=True))
    added = page.locator("#grid tr").count() - 1
    expect(cell(page, added, 0)).to_be_focused()
    hand.paste(cell(page, added, 0), "\n".join("\t".join(line) for line in counters()))
    expect(saved(page)).to_be_visible()
    expect(cell(page, added + COUNTERS - 1, 0)).to_have_value(counters()[-1][0])
    picture = page.locator(f"img[data-row='{added}']")
    expect(picture).to_have_js_property("naturalWidth", 64)
    before = picture.get_attribute("src")
    cell(page, added, 4).fill("9")
    expect(picture).not_to_have_attribute("src", before)
    assert_accessible(page, "counters", LOOKS[1], but=["#grid tr:nth-child(n + 10):nth-last-child(n + 10)"])

    hand.link("Next: German roster")
    hand.click(cell(page, 1, 0))
    hand.paste(cell(page, 1, 0), roster())
    expect(cell(page, 20, 0)).to_have_value("G3")
    expect(saved(page)).to_be_visible()
    # A counter is chosen by three letters.
    contents = cell(page, 1, 3)
    contents.click()
    page.keyboard.press("End")
    hand.type(", 1 fla")
    hand.click(page.locator(".suggested").get_by_role("button", name="Flamethrower"))
    expect(contents).to_have_value(re.compile(", 1 Flamethrower$"))
    expect(saved(page)).to_be_visible()

    hand.link("To the content")
    hand.link("Card CG I", exact=True)
    hand.click(page.get_by_text("Paste a table"))
    page.locator("#pasted").fill(card())
    hand.button("Paste")
    expect(page.get_by_label("German deployment", exact=True)).to_have_value("1-3, 6")
    hand.click(page.get_by_role("button", name="German deployment: sector 7"))
    expect(page.get_by_label("German deployment", exact=True)).to_have_value("1, 2, 3, 6, 7")
    hand.click(page.get_by_role("button", name="Russian deployment: sector 7"))
    expect(saved(page)).to_be_visible()
    assert_accessible(page, "a card", LOOKS[0])
    page.set_viewport_size({"width": 1280, "height": 900})

    hand.link("Next: Card CG II")
    hand.click(page.get_by_label("in play", exact=True))
    page.get_by_label("in play", exact=True).select_option("no")
    expect(saved(page)).to_be_visible()

    hand.link("Next: Sector map")
    for one, other in BORDERS:
        hand.click(page.locator(".taps").get_by_role("button", name=str(one), exact=True))
        hand.click(page.locator(".taps").get_by_role("button", name=str(other), exact=True))
        page.wait_for_load_state("load")
        expect(page.locator(".taps [aria-pressed=true]")).to_have_count(0)
    expect(page.get_by_text("22 sectors, 41 borders")).to_be_visible()
    expect(saved(page)).to_be_visible()

    hand.link("To the content")
    hand.button("Make it usable")
    link = page.get_by_label(re.compile("Link to version 1")).input_value()
    hand.link("Begin a campaign with it")
    hand.click(page.get_by_role("radio", name="Hot-seat"))
    hand.button("Begin")
    expect(page.get_by_text("You are German")).to_be_visible()
    assert hand.count <= length(30, 34) < MOST, hand.count

    address = page.url
    open_tab(page, "German roster")
    expect(page.get_by_text("Platoon 17")).to_be_visible()
    if IS_WHOLE:
        play_to_set_up(page, address)

    other = new_page(**PHONE)
    other.goto(link)
    expect(other.get_by_text("A stored version, never changed")).to_be_visible()
    other.get_by_role("link", name="German roster", exact=True).click()
    expect(other.get_by_role("row", name=re.compile("I17 Infantry Platoon 17"))).to_be_visible()
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other.goto(link)
    other.get_by_role("button", name="Copy to my shelf").click()
    expect(other.get_by_role("button", name="Make it usable")).to_be_visible()


def play_to_set_up(page, address):
    """Both sides seal, and place a group of their own."""
    open_tab(page, "Overview")
    seal_orders(page)
    hand_over(page, "Russian", address)
    seal_orders(page)
    page.get_by_role("button", name="Reveal both").click()
    expect(step(page)).to_have_text("Set-up")
    open_tab(page, "Map")
    place(page, "I6 MG section", 13)
    page.get_by_role("button", name="Pay and end your set-up").click()
    hand_over(page, "German", address)
    open_tab(page, "Map")
    place(page, "I2 Platoon 2", 7)
