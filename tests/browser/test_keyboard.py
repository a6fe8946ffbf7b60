"""A whole chain with the keyboard alone, and where its keys go."""

from playwright.sync_api import Page, expect

from .table import GAME, begin, choose, desk_title, due, log_with, result, roll_button


def go_to(page: Page, target, key="Tab"):
    """Press Tab (or Shift+Tab) until the target has the focus."""
    for _ in range(90):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches {target}")


def pick(page: Page, target, letters: str, key="Tab"):
    """Choose an option of a select by its first letters."""
    go_to(page, target, key)
    page.keyboard.type(letters)
    expect(target.locator("option:checked")).to_contain_text(letters)


def write(page: Page, target, text: str, key="Tab"):
    """Replace a field's text; arriving by Tab selects what stands in it."""
    go_to(page, target, key)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def throw(page: Page, digits: str, headline: str):
    """Type digits with the focus wherever it is, press Enter, and find the focus on the result."""
    page.keyboard.type(digits)
    page.keyboard.press("Enter")
    expect(result(page)).to_contain_text(headline)
    expect(result(page)).to_be_focused()


def test_a_fire_mission_needs_the_keyboard_alone(new_page):
    page = new_page(width=1280, height=800)
    begin(page)
    page.keyboard.press("a")
    expect(roll_button(page, "Contact")).to_be_focused()
    page.keyboard.press("Enter")
    expect(desk_title(page)).to_have_text("Contact")
    expect(page.get_by_label("d100")).to_be_focused()
    pick(page, page.get_by_label("Marker"), "CFF", "Shift+Tab")
    write(page, page.get_by_label("Correction"), "2")
    go_to(page, page.get_by_role("checkbox", name="Danger close"))
    page.keyboard.press("Space")
    go_to(page, page.locator("summary", has_text="The mission"))
    page.keyboard.press("Enter")
    write(page, page.get_by_label("Caliber"), "82")
    write(page, page.get_by_label("Hex aimed at"), "K7")
    row = page.locator("#desk-form .rows")
    unit, name, tq, place = (row.get_by_label(label, exact=True) for label in ("Unit", "Name", "TQ", "Hex"))
    pick(page, unit, "Squad")
    write(page, name, "A")
    write(page, tq, "7")
    write(page, place, "K7")
    for letter in "BC":
        go_to(page, row.get_by_role("button", name="Add"))
        page.keyboard.press("Enter")
        expect(unit).to_be_focused()
        pick(page, unit, "Squad")
        write(page, name, letter)
    go_to(page, page.get_by_label("d100"))
    throw(page, "41", "Contact: 51 against 65.")
    throw(page, "30", "On target.")
    throw(page, "32", "C/M: 32 on column 20.")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.keyboard.type("9")
    page.keyboard.press("Tab")
    throw(page, "2", "C/M hits B.")
    for digit in "87":
        page.keyboard.type(digit)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")  # past the link that changes the next one
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(log_with(page, "Disrupted")).to_have_count(1)
    expect(due(page)).to_have_count(0)


def test_digits_go_to_the_die_from_wherever_the_focus_is_but_for_a_field(new_page):
    page = new_page()
    page.goto(f"{GAME}contact/")
    die = page.get_by_label("d100")
    places = (
        page.locator("body"),
        page.get_by_role("link", name="Combat! Stalingrad"),
        page.get_by_role("button", name="Roll here"),
        page.get_by_role("checkbox", name="Danger close"),
        page.locator("summary", has_text="The mission"),
    )
    for place in places:
        die.fill("")
        die.blur()
        place.focus()
        page.keyboard.type("37")
        expect(die).to_have_value("37")
    # Those that are typed into a field stay there.
    die.fill("")
    page.get_by_label("Marker").select_option("cff")
    page.get_by_label("Correction").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("12")
    expect(page.get_by_label("Correction")).to_have_value("12")
    expect(page.get_by_label("d100")).to_have_value("")


def test_enter_in_a_field_of_the_mission_resolves_and_neither_adds_nor_removes(new_page):
    german = new_page()
    begin(german)
    choose(german, "Artillery firepower")
    german.get_by_label("Caliber").fill("82")
    rows = german.locator("#desk-form .rows")
    rows.get_by_label("Unit", exact=True).select_option("Squad")
    rows.get_by_role("button", name="Add").click()
    expect(rows.locator(".listed li")).to_have_count(1)
    expect(rows.get_by_label("Unit", exact=True)).to_be_focused()
    german.get_by_label("Hex of the marker").focus()
    german.keyboard.type("K7")
    german.keyboard.press("Enter")
    expect(result(german)).to_contain_text("20 FF: an FFE in its own hex.")
    expect(due(german)).to_have_text(["Fire on squad (20 FF)"])


def test_enter_in_the_open_row_resolves_with_that_unit(new_page):
    page = new_page()
    page.goto(f"{GAME}firepower/")
    page.get_by_label("Caliber").fill("82")
    rows = page.locator("#desk-form .rows")
    rows.get_by_label("Unit", exact=True).select_option("Leader")
    rows.get_by_label("Name").focus()
    page.keyboard.type("Chuikov")
    page.keyboard.press("Enter")
    expect(result(page)).to_contain_text("20 FF")
    expect(desk_title(page)).to_have_text("Fire on Chuikov (20 FF)")


def test_when_a_second_die_is_wanted_the_focus_goes_to_it(new_page):
    page = new_page()
    page.goto(f"{GAME}accuracy/")
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It strays 2 hexes.")).to_be_visible()
    direction = page.get_by_label("Direction d10")
    expect(direction).to_be_focused()
    expect(page.get_by_label("d100")).to_have_value("60")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The direction die 9 gives none: roll it again.")).to_be_visible()
    expect(direction).to_be_focused()
    expect(direction).to_have_value("")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(result(page)).to_contain_text("It strays 2 hexes to the south-east")


def test_after_a_slip_the_focus_is_where_it_was_made_and_what_was_typed_stays(new_page, page_errors_allowed):
    page = new_page()
    page.goto(f"{GAME}morale/")
    page.get_by_label("TQ", exact=True).fill("7")
    page.get_by_label("d10").fill("11")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A d10 shows 1 to 10; 11 is not on it.")).to_be_visible()
    expect(page.get_by_label("d10")).to_be_focused()
    expect(page.get_by_label("d10")).to_have_value("11")
    expect(page.get_by_label("TQ", exact=True)).to_have_value("7")
    page.get_by_label("TQ", exact=True).fill("70")
    page.get_by_label("d10").fill("4")
    page.keyboard.press("Enter")
    expect(page.locator("#f-tq_error")).to_have_text("Give a whole number from 1 to 10.")
    expect(page.get_by_label("TQ", exact=True)).to_be_focused()
    expect(page.get_by_label("d10")).to_have_value("4")


def test_the_first_tab_skips_to_the_content(new_page):
    page = new_page()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
