"""Every sheet of every game as it opens: the odds in a line, the die and the button in view, what is asked in focus.

On a phone of 360 x 740 and on a laptop of 1280 x 800, in a match and in the loose assistant.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from firefight.games.registry import games
from tests.firefight import players
from tests.soak import length, some

from .table import result, take_cookies
from .test_axe import helpers_of_every_kind
from .test_pages import assert_fits_a_phone, unfold
from .test_thumb import PHONE, add_battery, bar, missions, open_table, place, sit_down
from .thumb import Thumb

LAPTOP = {"width": 1280, "height": 800}
SIZES = [pytest.param(PHONE, id="phone"), pytest.param(LAPTOP, id="laptop")][: length(1, 2)]  # a slice: the narrow one

# What of the sheet's foot is not in view, above the bar of a match, and where the focus is.
HIDDEN = """() => {
  const sheet = document.getElementById("desk-form");
  const bar = document.getElementById("rolls");
  const floor = bar ? bar.getBoundingClientRect().top : innerHeight;
  const strip = document.querySelector("header.strip");
  const roof = strip ? strip.getBoundingClientRect().bottom : 0;
  const isSeen = (node) => {
    const box = node.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.width > 0 && box.top >= roof && box.bottom <= floor + 1 && box.left >= 0 && box.right <= innerWidth
      && (node.contains(at) || at?.contains(node));
  };
  const wanted = {
    odds: sheet.querySelector("#odds summary, #odds .wanted"),
    die: sheet.querySelector("input.die"),
    button: sheet.querySelector(".pinned button"),
    focus: sheet.contains(document.activeElement) ? document.activeElement : sheet,
  };
  const line = sheet.querySelector("#odds .line-of");
  const lies = Object.entries(wanted).filter(([name, node]) => node && !isSeen(node)).map(([name]) => name);
  if (line?.getBoundingClientRect().height > 30) lies.push("more than one line of odds");
  if (line && line.parentElement.scrollWidth > line.parentElement.clientWidth) lies.push("odds that are cut off");
  return [...lies, ...(wanted.focus === sheet ? ["no focus"] : [])];
}"""
# Sheets rise from below: where they come to lie.
SETTLED = "Promise.all(document.getAnimations().map((each) => each.finished))"


def find_hidden(page):
    page.evaluate(SETTLED)
    return page.evaluate(HIDDEN)


@pytest.mark.soak
@pytest.mark.parametrize("game", list(games()))
def test_every_sheet_opens_with_odds_die_and_button_in_view(new_page, client, game):
    """In a match, whose bar and strip leave less room, and on a phone; a few on a laptop and in the loose assistant.

    On the phone each fits, and is large enough for a finger, folded and with everything open. A slice opens what the
    bar names first, and as many more as all kinds of fields stand in; a soak all.
    """
    page = new_page(**PHONE)
    maker, _ = players.begin(side=next(iter(games()[game].sides)), hot_seat=True, game=game)
    take_cookies(page, maker)
    slugs = dict.fromkeys([*(item.helpers[0] for item in games()[game].bar), *helpers_of_every_kind(client, game)])
    every = [reverse("firefight:roll", args=[maker.match_id, slug]) for slug in slugs]
    loose = [reverse("firefight:helper", args=[game, slug]) for slug in slugs]
    hidden = find_hidden_on(page, every + some(loose, 8), fits=True)
    page.set_viewport_size(LAPTOP)
    assert not hidden | find_hidden_on(page, some(every + loose, 16))


def find_hidden_on(page, addresses, fits=False):
    """What of each sheet is not in view as it opens. ``fits``: a phone is wide enough for it, however much is open."""
    hidden = {}
    for address in addresses:
        page.goto(address)
        if lies := find_hidden(page):
            hidden[address] = lies
        if fits:
            assert_fits_a_phone(page)
            unfold(page)
            assert_fits_a_phone(page)
    return hidden


def test_odds_and_button_stay_in_view_with_everything_open(new_page):
    """All folds of the largest form, and the bars."""
    page = new_page(**PHONE)
    page.goto(reverse("firefight:helper", args=["turning-point-stalingrad", "attack"]))
    page.locator("#desk-form details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    page.get_by_label("TEM", exact=True).press_sequentially("2")
    page.get_by_label("OV, if it is known").press_sequentially("9")
    page.get_by_label("DV, if it is known").press_sequentially("7")
    page.locator("#odds summary").click()
    expect(page.locator("#odds .bars")).to_be_visible()
    assert not page.evaluate(HIDDEN)
    expect(page.locator("#odds summary")).to_be_focused()
    page.get_by_label("DV, if it is known").press("Backspace")
    page.keyboard.type("8")
    expect(page.locator("#odds summary")).not_to_contain_text("34 % overrun")
    expect(page.locator("#odds .bars")).to_be_visible()  # what was opened stays so


@pytest.mark.usefixtures("page_errors_allowed")  # a refusal is an error to the browser's console
def test_what_is_lacking_is_named_at_the_button_and_filled_in_where_it_is_asked(new_page):
    page = new_page(**PHONE)
    page.goto(reverse("firefight:helper", args=["combat-stalingrad", "fire"]))
    expect(page.get_by_label("FF", exact=True)).to_be_focused()
    hint = page.locator("#odds .wanted")
    expect(hint).to_contain_text("Give the firepower factors")
    page.locator("#desk-form").get_by_role("button", name="Resolve").click()
    expect(page.locator("#odds [role=alert]")).to_contain_text("Give the firepower factors")  # at the button
    expect(page.locator("#f-ff_error")).to_be_visible()  # and at the field
    expect(page.get_by_label("FF", exact=True)).to_be_focused()
    page.locator("#f-die").focus()
    page.locator("#odds .wanted a").click()
    expect(page.get_by_label("FF", exact=True)).to_be_focused()
    page.keyboard.type("14")
    expect(page.locator("#odds summary")).to_contain_text("check")
    assert not page.evaluate(HIDDEN)


def test_fields_that_a_weapon_does_not_need_are_out_of_the_way(new_page):
    page = new_page(**PHONE)
    page.goto(reverse("firefight:helper", args=["combat-stalingrad", "fire"]))
    ff, caliber = page.get_by_label("FF", exact=True), page.get_by_label("Caliber (mm)")
    expect(ff).to_be_visible()
    expect(caliber).to_be_hidden()
    page.get_by_label("Weapon").select_option("caliber")
    expect(caliber).to_be_visible()
    expect(ff).to_be_hidden()
    caliber.fill("76")
    page.get_by_label("Weapon").select_option("firepower")
    expect(caliber).to_be_visible()  # what says something is seen


def throw_all(thumb, *faces):
    thumb.type(thumb.page.locator("#desk-form input.die"), *faces)
    thumb.tap(thumb.page.locator("#desk-form").get_by_role("button", name="Resolve", exact=True))


def assert_next_in_view(page, words):
    """What follows from a roll stands with its die and button in view, below the result."""
    expect(result(page)).to_contain_text(words)
    lies = [element for element in find_hidden(page) if "focus" not in element]
    assert not lies


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_fire_attack_without_noted_hexes_asks_for_the_range_alone(new_page, size):
    """Counters are chosen by a tap on each side's; nobody has noted where they are: one number more than with hexes."""
    page = new_page(**size)
    player = sit_down(page)
    for ids in (["german-1", "german-2"], ["russian-1", "russian-2", "russian-3"]):
        player.do("counters/", id=ids, place="")
    open_table(page, player)
    thumb = Thumb(page)
    legends = page.locator("#table .place legend")
    thumb.tap(legends.first)
    thumb.tap(bar(page, "Fire"))
    thumb.tap(legends.last)
    field = page.get_by_label("Range in hexes")
    expect(field).to_be_focused()
    expect(page.locator("#odds .wanted")).to_have_text("Range in hexes: fill this in first.")
    assert not find_hidden(page)
    thumb.type(field, "1")
    expect(page.locator("#odds summary")).to_contain_text("check")
    assert not find_hidden(page)
    throw_all(thumb, "25")
    assert_next_in_view(page, "C/M: 25")
    throw_all(thumb, "9", "3", "2")
    expect(page.locator("#desk form.due h2")).to_contain_text("3 due")
    assert_next_in_view(page, "C/M hits")
    throw_all(thumb, "9", "5", "3")
    expect(result(page)).to_have_text("1 Disrupted, 2 passed")
    assert thumb.effort.taps <= 10 and thumb.effort.keys <= 9 and thumb.effort.screens <= 0.5, thumb.effort


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_a_mission_stands_with_odds_die_and_button_in_view_from_roll_to_roll(new_page, size):
    page = new_page(**size)
    player = sit_down(page, enemies="R30")
    add_battery(player)
    open_table(page, player)
    thumb = Thumb(page)
    thumb.tap(place(page, "R30"))
    thumb.tap(missions(page, "Contact"))
    expect(page.locator("#desk-form")).to_be_visible()
    assert not find_hidden(page)
    for face, words in (("30", "Contact"), ("30", "On target")):
        throw_all(thumb, face)
        assert_next_in_view(page, words)
    throw_all(thumb, "40")
    expect(result(page)).to_contain_text("on column")
    assert thumb.effort.is_within(taps=8, keys=6, screens=0.5), thumb.effort


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_the_sheet_of_a_melee_keeps_its_button_in_view(new_page, size):
    page = new_page(**size)
    player = sit_down(page, enemies="K7")
    player.do("record/", field="phase", value="melee")
    open_table(page, player)
    page.locator("#due").get_by_role("link").first.click()
    expect(page.locator(".melee")).to_be_visible()
    page.locator(".melee summary").evaluate_all("all => all.forEach((one) => one.click())")
    page.evaluate(SETTLED)
    expect(page.locator(".melee .pinned button").first).to_be_visible()
    assert not [element for element in page.evaluate(HIDDEN) if element == "button"]
    foot = page.locator(".melee .pinned").bounding_box()
    floor = page.locator("#rolls").bounding_box()["y"]
    assert abs(foot["y"] + foot["height"] - floor) <= 2  # nothing shows below it
