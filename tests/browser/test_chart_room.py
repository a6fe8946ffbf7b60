"""The owner of a game puts his own charts in: by keyboard, by pasting, into a match; counted, and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from .table import log_with, result
from .test_axe import LOOKS, assert_accessible, assert_fits_unfolded

MOST = 30  # interactions besides typing and pasting values
ROLLS = ["1", "2", "3", "4", "5", "6", "8", "10", "12", "15", "20", "25", "30", "40", "50", "70", "100"]
ROWS = ["2E", "E", "C/M", "C", "M+3", "M+2", "M+1", "M"]


def card():
    """A fire table of 17 x 8 as a spreadsheet gives it, with two slips: a cell too low, and one not a number."""
    cells = [[min(99, 3 + 10 * row + column) for column in range(17)] for row in range(8)]
    lines = [["", *ROLLS], *([name, *map(str, line)] for name, line in zip(ROWS, cells, strict=True))]
    lines[3][5], lines[6][9] = "2", "6o"
    return "\n".join("\t".join(line) for line in lines)


class Hand:
    """Somebody at the page, whose every press and click is counted; typing and pasting values is not."""

    def __init__(self, page: Page):
        self.page, self.count = page, 0

    def click(self, target):
        self.count += 1
        target.click()

    def press(self, key):
        self.count += 1
        self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    def paste(self, target, text):
        """Paste a text into a field as the clipboard would."""
        target.evaluate(
            """(cell, text) => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                const how = { clipboardData: data, bubbles: true, cancelable: true };
                cell.dispatchEvent(new ClipboardEvent("paste", how));
            }""",
            text,
        )

    def leave_by(self, target):
        """Press what leads to another page, which may first save this one, and be there."""
        with self.page.expect_navigation():
            self.click(target)

    def link(self, name, exact=False):
        self.leave_by(self.page.get_by_role("link", name=name, exact=exact).first)

    def button(self, name):
        self.leave_by(self.page.get_by_role("button", name=name).first)


def cell(page, row, column):
    return page.locator(f"#c-{row}-{column}")


def saved(page):
    return page.locator("#check").get_by_text("Saved. No mistakes found in this chart.")


def copy_book(page):
    """A copy of the house book on the browser's shelf."""
    page.goto("/charts/")
    page.get_by_role("button", name="Copy to my shelf").first.click()
    expect(page.get_by_role("heading", name="Copy of House values")).to_be_visible()


def open_chart(page, title):
    # Once it has loaded, the script is at work: before that, arrows do not go from cell to cell.
    with page.expect_navigation():
        page.get_by_role("link", name=f"Edit {title}", exact=True).click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_an_owners_fire_table_is_pasted_mended_and_played_with(new_page):
    page = new_page(width=1280, height=900)
    page.goto("/")
    hand = Hand(page)
    hand.link("Shelf", exact=True)
    hand.button("Copy to my shelf")
    hand.link("Edit Firepower Factors Table")
    hand.click(cell(page, 0, 0))
    hand.paste(cell(page, 0, 0), card())
    expect(page.get_by_text("2 cells to mend")).to_be_visible()
    expect(page.locator("#grid [aria-invalid=true]")).to_have_count(2)
    hand.click(page.get_by_role("link", name="C/M, 5").first)
    hand.type("26")
    hand.click(page.get_by_role("link", name="M+2, 12").first)
    hand.type("61")
    expect(saved(page)).to_be_visible()
    expect(page.locator("#grid [aria-invalid=true]")).to_have_count(0)
    hand.link("To the book")
    hand.button("Make it usable")
    hand.link("Begin a match with it")
    hand.click(page.get_by_role("radio", name="Hot-seat"))
    hand.button("Begin")
    hand.click(page.locator('#rolls button[title="Fire (FFT)"]'))
    page.get_by_label("FF", exact=True).fill("12")
    page.locator("#desk-form .dice input.die").first.fill("61")
    hand.press("Enter")
    expect(result(page)).to_contain_text("M+2: 61 on column 12.")
    expect(log_with(page, "M+2: 61 on column 12.")).to_be_visible()
    hand.click(page.locator("#desk .result .why > summary"))
    expect(page.get_by_text("Firepower Factors Table: owner").first).to_be_visible()
    assert hand.count <= 15 < MOST, hand.count


def test_a_small_chart_is_typed_with_the_keyboard_alone(new_page):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Close Combat Table")
    cell(page, 1, 1).focus()
    for row in ((4, 9, 19, 37, 54), (14, 27, 44, 67, 84)):
        for value in row:
            page.keyboard.type(str(value))
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        for _ in range(4):
            page.keyboard.press("ArrowLeft")
    expect(saved(page)).to_be_visible()
    expect(page.locator(".before")).to_contain_text("42.0 %")
    expect(cell(page, 2, 5)).to_have_value("84")
    page.reload()
    expect(cell(page, 1, 1)).to_have_value("4")
    expect(cell(page, 2, 5)).to_have_value("84")
    cell(page, 1, 5).focus()
    page.keyboard.press("Enter")
    expect(cell(page, 2, 5)).to_be_focused()
    page.keyboard.press("Shift+Enter")
    expect(cell(page, 1, 5)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(cell(page, 1, 4)).to_be_focused()


def stored(page, row, column):
    """A cell as a fresh page shows it."""
    other = page.context.new_page()
    other.goto(page.url)
    try:
        return cell(other, row, column).input_value()
    finally:
        other.close()


def test_tab_goes_through_the_cells_and_deletes_nothing(new_page):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Artillery Accuracy: hexes of stray, 0 is on target")
    last = page.locator("#grid tr").nth(1).locator("input").count() - 1
    cell(page, 1, last).focus()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.type("0")
        page.keyboard.press("Tab")
        expect(cell(page, 2, 0)).to_be_focused()
        page.keyboard.press("Tab")
        expect(cell(page, 2, 1)).to_be_focused()
    rows = page.locator("#grid tr").count()
    # A button that only has the focus sends nothing but what is typed.
    cell(page, 1, last).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Add a row below row 1", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Remove row 1", exact=True)).to_be_focused()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        cell(page, 2, 1).evaluate("cell => cell.dispatchEvent(new Event('input', { bubbles: true }))")
    page.reload()
    assert page.locator("#grid tr").count() == rows
    page.get_by_role("button", name="Remove row 1", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 1, last)).to_be_focused()


def test_what_was_typed_before_the_script_was_there_is_saved(new_page):
    page = new_page(width=1280, height=900)
    copy_book(page)
    page.get_by_role("link", name="Edit Close Combat Table", exact=True).click()
    address = page.url
    page.goto("/charts/")
    routes = []
    page.route("**/grid*.js", lambda route: routes.append(route))  # noqa: PLW0108 - it wants a function of its own
    page.goto(address, wait_until="commit")
    cell(page, 1, 1).fill("4")
    expect(cell(page, 1, 1)).to_have_value("4")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        routes[0].continue_()
    expect(saved(page)).to_be_visible()
    assert stored(page, 1, 1) == "4"


def test_without_a_connection_what_is_typed_stays_and_is_sent_again(new_page, page_errors_allowed):
    page = new_page(width=360, height=740)
    copy_book(page)
    open_chart(page, "Close Combat Table")
    before = cell(page, 1, 2).input_value()
    page.context.set_offline(True)
    cell(page, 1, 2).fill("9")
    bar = page.locator("#unsent")
    expect(bar).to_contain_text("Not sent: no connection. What you typed stays here and is sent again.")
    expect(saved(page)).to_have_count(0)
    page.get_by_role("link", name="To the book").click()  # it waits for the save
    page.get_by_role("button", name="Every value here is from my copy").click()
    expect(cell(page, 1, 2)).to_have_value("9")
    with page.expect_event("dialog") as dialog:
        page.evaluate("setTimeout(() => location.assign('/'))")
    assert dialog.value.type == "beforeunload"
    dialog.value.dismiss()
    page.context.set_offline(False)
    expect(saved(page)).to_be_visible()
    expect(bar).to_be_empty()
    assert before != "9" == stored(page, 1, 2)


def test_a_save_whose_answer_was_lost_is_no_others_work(new_page, page_errors_allowed):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Close Combat Table")

    def lose_answer(route):
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/cct/", lose_answer)
    cell(page, 1, 1).fill("4")
    expect(page.locator("#unsent")).to_contain_text("Not sent")
    page.unroute("**/cct/")
    cell(page, 1, 2).fill("9")
    expect(saved(page)).to_be_visible()
    assert (stored(page, 1, 1), stored(page, 1, 2)) == ("4", "9")


def test_a_slip_is_marked_in_its_cell_and_seen_in_the_odds(new_page):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Contact: highest successful total")
    cell(page, 1, 1).fill("56")
    expect(cell(page, 1, 1)).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#p-1-1")).to_contain_text("the rulebook's text gives 65")
    expect(page.locator(".before .differs").first).to_contain_text("36.0 %")
    page.get_by_role("button", name="This is a house rule of mine").click()
    expect(saved(page)).to_be_visible()
    expect(page.locator(".sheet td.h")).to_have_count(1)


def test_bands_come_and_go_and_nothing_typed_is_lost(new_page):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Direction: 1 is north, then clockwise")
    cell(page, 7, 0).fill("7-9")
    page.get_by_role("button", name="Add a row", exact=True).click()
    expect(cell(page, 8, 0)).to_be_focused()
    expect(cell(page, 7, 0)).to_have_value("7-9")
    page.keyboard.type("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("1")
    expect(saved(page)).to_be_visible()
    page.get_by_role("button", name="Remove row 8").click()
    expect(page.locator("#check")).to_contain_text("the last band should end at 10")
    cell(page, 7, 0).fill("7+")
    page.get_by_role("link", name="To the book").click()  # at once: what was typed is saved first
    expect(page.get_by_role("button", name="Make it usable")).to_be_visible()


def test_two_pages_of_one_chart_do_not_overwrite_each_other(new_page, page_errors_allowed):
    page = new_page(width=1280, height=900)
    copy_book(page)
    open_chart(page, "Close Combat Table")
    other = page.context.new_page()
    other.goto(page.url)
    cell(page, 1, 1).fill("4")
    expect(page.locator(".sheet td.o")).to_have_count(1)
    cell(other, 1, 2).fill("9")
    expect(other.get_by_role("alert")).to_contain_text("Nothing was saved")
    other.get_by_role("link", name="Reload it").click()
    expect(cell(other, 1, 1)).to_have_value("4")
    expect(cell(other, 1, 2)).to_have_value("10")


def test_without_javascript_a_chart_is_typed_and_pasted_too(new_page):
    page = new_page(java_script_enabled=False)
    copy_book(page)
    open_chart(page, "Artillery Accuracy: hexes of stray, 0 is on target")
    cell(page, 1, 0).fill("1-29")
    page.get_by_role("button", name="Save").click()
    expect(cell(page, 2, 0)).to_have_attribute("aria-invalid", "true")
    page.get_by_text("Paste a table").click()
    page.get_by_label("From a spreadsheet or a text").fill("01-50;0\n51-80;1\n81+;3\n")
    page.get_by_role("button", name="Paste", exact=True).click()
    expect(saved(page)).to_be_visible()
    expect(page.locator(".sheet th input")).to_have_count(3)


# Charts of every layout, each with a column of it that takes a number.
CHARTS = {"fft": 1, "accuracy": 1, "fft_modifiers": 2, "morale": 1, "map": 1}


@pytest.mark.soak
def test_axe_finds_nothing_on_any_chart(new_page):
    page = new_page(reduced_motion="reduce")
    copy_book(page)
    ref = page.url.rstrip("/").rsplit("/", 1)[1]
    for number, (name, column) in enumerate(CHARTS.items()):
        page.goto(f"/charts/{ref}/{name}/")
        cell(page, 1, column).fill("?!")
        expect(page.locator("#grid [aria-invalid=true]").first).to_be_visible()
        assert_accessible(page, f"{name} with a slip", LOOKS[number % 2])  # all that stood there still does
        assert_fits_unfolded(page)
    page.goto("/shelf/")
    page.get_by_role("button", name="Type in units").first.click()
    page.get_by_label("A row each").fill("name\tside\tkind\n1\tpurple")
    page.get_by_role("button", name="Keep what is pasted").click()
    sheet = page.url
    for address in ("/shelf/", sheet, f"{sheet}rows/1/", f"/charts/{ref}/", f"/charts/compare/?b={ref}"):
        page.goto(address)
        assert_accessible(page, address)
        assert_fits_unfolded(page)
    page.goto("/match/new/combat-stalingrad/")  # test_axe.py has looked at it: here a book of one's own is offered
    assert_fits_unfolded(page)
