"""What is this? Words of the game explain themselves on a tap and by the keyboard, and are never in the way."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from . import ledger
from .table import begin, choose, result, type_dice
from .test_axe import assert_accessible

FIRE = reverse("firefight:helper", args=["combat-stalingrad", "fire"])
PHONE = {"width": 360, "height": 740}


def word(page, name):
    return page.locator(f'.word[data-word="{name}"]')


def card(page):
    return page.get_by_role("dialog", name="What is this?")


@pytest.mark.soak
def test_a_word_is_explained_where_it_stands_and_goes_by_a_tap_elsewhere(new_page):
    page = new_page(**PHONE)
    page.goto(FIRE)
    word(page, "FF").click()
    expect(card(page)).to_contain_text("Firepower factors")
    expect(card(page)).to_contain_text("Rule 18.1")
    assert_accessible(page, "a word that is explained")
    box = card(page).bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]
    page.mouse.click(20, 60)  # the head of the page
    expect(card(page)).to_be_hidden()
    assert page.url.endswith(FIRE)
    expect(page.get_by_label("FF", exact=True)).to_have_value("")


def test_a_sheet_explains_its_words_by_the_keyboard(new_page):
    page = new_page(width=1280, height=800)
    begin(page)
    choose(page, "Contact")
    button = page.get_by_role("button", name="What do these words mean?")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.focus()
    page.keyboard.press("Enter")
    expect(card(page)).to_be_focused()
    expect(card(page)).to_contain_text("Danger close")
    page.keyboard.press("f")  # no key of the table meanwhile
    expect(page.locator("#desk-form h2").first).to_contain_text("Contact")
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    expect(page.locator("#desk-form")).to_be_visible()  # one step back, and not two
    expect(button).to_be_focused()


def test_words_of_a_result_are_reached_by_the_keyboard_and_marked_anew(new_page):
    page = new_page(width=1280, height=800)
    begin(page)
    choose(page, "Morale Check")
    page.get_by_label("TQ", exact=True).press_sequentially("5")
    expect(page.locator("#odds summary")).to_be_visible()
    type_dice(page, "7")
    expect(result(page)).to_contain_text("against TQ 5")
    marked = page.locator("article.result .word").first
    marked.focus()
    page.keyboard.press("Space")
    expect(card(page)).to_contain_text("Rule 18.2")
    card(page).get_by_role("button", name="Close").click()
    expect(marked).to_be_focused()


def test_marks_are_few_and_take_nothing_from_what_is_pressed_or_typed(new_page):
    """Each word once in a form, none in a tick or a button, and taps on fields reach the fields."""
    page = new_page(**PHONE)
    page.goto(reverse("firefight:helper", args=["combat-stalingrad", "close-combat"]))
    expect(word(page, "CCV").first).to_be_visible()
    marks = page.locator("#desk-form .word")
    names = marks.evaluate_all("all => all.map((each) => each.dataset.word)")
    assert len(names) == len(set(names))
    assert not page.locator(":is(.tick, button, a, summary) .word").count()
    field = page.locator("#f-attack-new-ccv")
    box = field.bounding_box()
    page.mouse.click(box["x"] + 10, box["y"] + 2)  # its very edge, below the word
    expect(field).to_be_focused()
    expect(page.locator("#word")).to_have_count(0)
    page.get_by_role("checkbox", name="Hand-to-hand").check()


@pytest.mark.soak
def test_a_code_is_explained_where_the_headline_begins_with_it(new_page):
    page = new_page(**PHONE)
    page.goto(FIRE)
    page.get_by_label("FF", exact=True).press_sequentially("14")
    type_dice(page, "3")
    expect(result(page)).to_contain_text("E: 3")
    assert_accessible(page, "a result with words")
    result(page).locator(".word").focus()
    page.keyboard.press("Enter")
    expect(card(page)).to_contain_text("One unit of the hex is taken off")


@pytest.mark.soak
def test_pages_of_a_campaign_explain_its_words(new_page):
    """By a tap and by the keyboard, each once in a part, also after the page was changed by an act."""
    (page,) = ledger.in_campaign(new_page, german=PHONE)
    for name, rule in (("CP", "20.8.1"), ("The Attacker", "20.5.4"), ("Campaign orders", "20.5.5")):
        word(page, name).first.focus()
        page.keyboard.press("Enter")
        expect(card(page)).to_contain_text(f"Rule {rule}")
        page.keyboard.press("Escape")
        expect(word(page, name).first).to_be_focused()
    assert_accessible(page, "words of a campaign")
    page.set_viewport_size(PHONE)
    ledger.open_tab(page, "Map")
    word(page, "Isolated").first.click()
    expect(card(page)).to_contain_text("No chain of own sectors")
    assert_accessible(page, "a word of the map")
    for tab in ledger.TABS:
        page.locator(".tabs").get_by_role("link", name=tab, exact=True).click()
        expect(page.locator(".tabs [aria-current]")).to_have_text(tab)
        parts = page.locator("#ledger").evaluate("""ledger => [...ledger.querySelectorAll(".word")].map((each) =>
          [each.closest("form, article, section, #ledger").id, each.dataset.word].join())""")
        assert len(parts) <= 20, (tab, parts)
        torn = page.locator("#ledger").evaluate("""ledger => [...ledger.querySelectorAll(".word")].map((mark) =>
          mark.parentElement).filter((part) => /flex|grid/.test(getComputedStyle(part).display)).map((part) =>
          part.textContent)""")
        assert torn == [], tab  # a gap stood before the comma of "No sector, no way across"
        assert not page.locator(":is(.tick, button, a, summary, select, .log) .word").count()


@pytest.mark.usefixtures("page_errors_allowed")  # the refused file is the point
def test_without_the_words_every_page_works(new_page):
    page = new_page(**PHONE)
    page.route("**/words.json*", lambda route: route.abort())
    page.goto(FIRE)
    page.get_by_label("FF", exact=True).press_sequentially("14")
    expect(page.locator("#odds summary")).to_be_visible()
    assert not page.locator(".word, .what").count()
