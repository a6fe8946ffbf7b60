"""Every page on a small phone, without JavaScript, in both themes; live odds, lists of units, reload and Back."""

import pytest
from playwright.sync_api import expect

from tests.firefight import players
from tests.soak import length

from .table import (
    GAME,
    add_unit,
    begin,
    choose,
    desk_title,
    due,
    go_to_page,
    log_with,
    press_turn,
    resolve,
    result,
    roll_button,
    roll_morale,
    sit_as,
    toggle_theme,
    type_dice,
)

# Other pages are held to a phone's width where they are open anyway: in test_axe.py, each sheet in test_sheets.py.
OTHERS = ["/shelf/", "/charts/compare/", "/campaign/counters/"]

FINGER = 44  # px
# What can be pressed or typed into, with its height. A label counts together with its tick box, since both
# can be pressed, a card with the link that lies over it; links inside a sentence are exempt, as in WCAG 2.5.8.
TARGETS = """() => {
  const shown = (node) => node.checkVisibility() && node.getBoundingClientRect().right > 0;
  const inSentence = (node) => node.matches("a") && getComputedStyle(node).display === "inline"
    && node.parentElement.matches("p, li, small") && node.parentElement.textContent.trim() !== node.textContent.trim();
  return [...document.querySelectorAll("a, button, input, select, textarea, summary")]
    .filter((node) => shown(node) && !inSentence(node))
    .map((node) => [node.closest("label.tick") || node, node])
    .map(([box, node]) => [getComputedStyle(box, "::after").position === "absolute" ? box.closest("li") : box, node])
    .map(([box, node]) => ({ what: node.outerHTML.slice(0, 120), height: box.getBoundingClientRect().height }));
}"""


def assert_fits_a_phone(page):
    """Nothing to scroll sideways, and everything large enough for a finger."""
    page.wait_for_load_state()  # without its style sheet it is wider
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{page.url} is {over} px too wide"
    small = [target for target in page.evaluate(TARGETS) if target["height"] < FINGER - 0.5]
    assert not small, f"Too small for a finger on {page.url}: {small}"


def unfold(page):
    """Open everything that can be opened, but for what then lies over the page."""
    page.locator("details:not(.drop)").evaluate_all("all => all.forEach((one) => { one.open = true; })")


def test_pages_fit_a_phone_of_360_px(new_page):
    page = new_page(width=360)
    for address in OTHERS:
        page.goto(address)
        assert_fits_a_phone(page)
        unfold(page)
        assert_fits_a_phone(page)


def test_the_head_and_the_rolls_of_a_match_fit_a_phone_of_320_px(new_page):
    page = new_page(width=320)
    begin(page)
    assert_fits_a_phone(page)
    page.get_by_role("navigation", name="Rolls").get_by_text("More", exact=True).click()
    for button in page.get_by_role("navigation", name="Rolls").get_by_role("button").all():
        assert button.bounding_box()["height"] >= 43.5, button.inner_text()


def test_after_a_roll_the_result_is_on_the_screen_of_a_phone(new_page):
    page = new_page(width=360)
    begin(page)
    roll_morale(page)
    expect(result(page)).to_be_in_viewport(ratio=1)


@pytest.mark.soak
def test_a_chain_without_a_match_works_without_javascript(new_page):
    page = new_page(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="Combat! Stalingrad").click()
    page.get_by_role("link", name="Contact", exact=True).first.click()
    page.get_by_label("Marker").select_option("CFF")
    page.get_by_text("The mission: filled once").click()
    page.get_by_label("Caliber").fill("82")
    rows = page.locator("#desk-form .rows")
    for name in "AB":
        rows.get_by_label("Unit", exact=True).select_option("Squad")
        rows.get_by_label("Name").fill(name)
        rows.get_by_label("TQ", exact=True).fill("7")
        rows.get_by_role("button", name="Add").click()
    expect(rows.locator(".listed li")).to_have_count(2)
    steps = [
        ("Contact", ["40"], "Contact: 40 against 65."),
        ("Conversion in place", [], "It becomes an FFE."),
        ("Firepower of the FFE", [], "20 FF"),
        ("Fire on A, B (20 FF)", ["34"], "C/M: 34 on column 20."),
        ("Who is hit", ["4", "9"], "C/M hits B."),
        ("Casualties: B", [], "B: now a half-squad, Good Order."),
        ("Morale Check: B (half)", ["7"], "B (half): passed"),
        ("Morale Check: A", ["0"], "A: Disrupted"),
    ]
    for title, faces, headline in steps[: length(4, len(steps))]:
        expect(desk_title(page)).to_have_text(title)
        type_dice(page, *faces)
        expect(result(page)).to_contain_text(headline)


def test_a_match_works_without_javascript(new_page):
    page = new_page(java_script_enabled=False)
    begin(page)
    roll_button(page, "Morale Check").click()
    page.get_by_label("TQ", exact=True).fill("7")
    type_dice(page, 8)
    expect(result(page)).to_contain_text("Pinned Down, 8 against TQ 7")
    expect(log_with(page, "Pinned Down, 8 against TQ 7")).to_be_visible()
    page.get_by_role("link", name="again, with the same inputs").click()
    page.get_by_role("button", name="Roll here").click()
    expect(log_with(page, "rolled here, no. 1")).to_be_visible()
    page.get_by_label("Note for the log").fill("Well rolled.")
    page.get_by_role("button", name="Write").click()
    expect(log_with(page, "Well rolled.")).to_be_visible()
    press_turn(page, "Next phase")
    expect(log_with(page, "Turn 1, ")).to_be_visible()


PAPER = "getComputedStyle(document.documentElement).backgroundColor"
DARK, LIGHT = "rgb(19, 22, 25)", "rgb(239, 233, 220)"


@pytest.mark.parametrize(("device", "colour"), [("dark", DARK), ("light", LIGHT)])
def test_the_device_decides_on_dark_or_light_until_somebody_chooses(new_page, device, colour):
    page = new_page(color_scheme=device)
    page.goto(GAME)
    assert page.evaluate(PAPER) == colour
    assert page.locator(".theme button:visible").inner_text() == ("Dark" if colour == LIGHT else "Light")


def test_the_theme_that_was_chosen_stays_whatever_the_device_prefers(new_page):
    page = new_page(color_scheme="light")
    page.goto(GAME)
    toggle_theme(page, "dark")
    assert page.url.endswith(GAME)
    assert page.evaluate(PAPER) == DARK
    page.goto("/dice/")
    assert page.evaluate(PAPER) == DARK
    toggle_theme(page, "light")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(PAPER) == LIGHT


def test_the_odds_follow_the_inputs_and_say_what_is_missing(new_page):
    page = new_page()
    page.goto(f"{GAME}contact/")
    resolve(page)  # without a die
    expect(page.get_by_role("status")).to_contain_text("Contact needs 65 or less on the die.")
    expect(page.get_by_label("d100")).to_be_focused()
    odds = page.locator("#odds")
    expect(odds.locator("summary")).to_contain_text("32 % no contact")
    odds.locator("summary").click()
    expect(odds.get_by_role("row", name="No contact")).to_contain_text("32.0 %")
    page.get_by_label("Reached by").select_option("Phone")
    expect(odds.get_by_role("row", name="No contact")).to_contain_text("22.0 %")
    page.get_by_role("checkbox", name="Danger close").check()
    expect(odds.get_by_role("row", name="No contact")).to_contain_text("32.0 %")
    expect(page.locator("#opening")).to_contain_text("+10 Danger close")
    page.locator("summary", has_text="More values").click()
    page.get_by_label("Other DRM").select_text()
    page.keyboard.type("5")
    expect(odds.get_by_role("row", name="No contact")).to_contain_text("37.0 %")
    expect(page.get_by_label("Other DRM")).to_be_focused()


def test_adding_a_unit_keeps_place_and_quality_for_the_next_one(new_page):
    page = new_page()
    page.goto(f"{GAME}contact/")
    page.get_by_text("The mission: filled once").click()
    page.get_by_label("Caliber").fill("122")
    add_unit(page, "A", TQ="6", Hex="K7", Level_or_place="cellar")
    row = page.locator("#desk-form .row")
    expect(row.get_by_label("Unit", exact=True)).to_have_value("")
    expect(row.get_by_label("Name")).to_have_value("")
    expect(row.get_by_label("TQ", exact=True)).to_have_value("6")
    expect(row.get_by_label("Hex", exact=True)).to_have_value("K7")
    expect(row.get_by_label("Level or place")).to_have_value("cellar")
    expect(page.get_by_label("Caliber")).to_have_value("122")
    add_unit(page, "B", kind="Leader")
    page.get_by_role("button", name="Remove A").click()
    expect(page.locator("#desk-form .listed li")).to_have_text(["B: leader, TQ 6, K7 cellar Remove"])


def test_a_typed_die_survives_the_adding_of_a_unit(new_page):
    page = new_page()
    page.goto(f"{GAME}fire/")
    page.get_by_label("FF", exact=True).fill("20")
    page.get_by_label("d100").fill("42")
    add_unit(page, "A", TQ="6")
    expect(page.get_by_label("d100")).to_have_value("42")


def test_reload_and_back_keep_the_match_usable(new_page):
    page = new_page()
    begin(page)
    choose(page, "Fire (FFT)")
    page.get_by_label("FF", exact=True).fill("20")
    add_unit(page, "A", TQ="7")
    type_dice(page, 70)
    expect(result(page)).to_contain_text("M: 70")
    page.reload()
    expect(result(page)).to_contain_text("M: 70")
    expect(desk_title(page)).to_have_text("Morale Check: A")
    go_to_page(page, "Charts")
    expect(page.get_by_role("heading", name="House values")).to_be_visible()
    page.go_back()
    expect(due(page)).to_have_text(["Morale Check: A"])
    type_dice(page, 7)
    expect(result(page)).to_contain_text("A: passed, 7 against TQ 7.")
    page.goto("/")
    page.go_back()
    expect(log_with(page, "A held.")).to_have_count(1)
    page.goto("/")
    page.get_by_role("link", name="Evening at the Tractor Works").click()
    expect(log_with(page, "A held.")).to_have_count(1)
    roll_morale(page, name="1st Squad")


def test_older_entries_are_fetched_on_demand(new_page):
    page, (maker, _) = new_page(), players.begin()
    for number in range(42):
        maker.note(f"Note {number}.")
    sit_as(page, maker)
    expect(page.get_by_text("The match begins.")).to_have_count(0)
    page.get_by_role("link", name="Older entries").click()
    expect(page.get_by_text("The match begins.")).to_be_visible()
    expect(page.locator(".line")).to_have_count(44)
