"""Close Combat on a phone: two against one, declared and rolled by both sides on one device."""

from playwright.sync_api import expect

from tests.firefight import players

from .table import sit_as

LISTED = "German: 2 Panzergrenadier squads\nRussian: 1 Rifle squad"
UNITS = ["german-1", "german-2", "russian-1"]
MOST_TAPS, MOST_KEYS, MOST_SCREENS = 8, 5, 0.5

# Scrolling is counted as it happens, in px.
COUNT_SCROLLING = """() => {
  window.scrolled = 0;
  let last = window.scrollY;
  addEventListener("scroll", () => {
    window.scrolled += Math.abs(window.scrollY - last);
    last = window.scrollY;
  }, true);
}"""


class Thumb:
    """Taps what lies in view, or what is scrolled to first, and types; all of it is counted."""

    def __init__(self, page):
        self.page, self.taps, self.keys = page, 0, 0

    def tap(self, locator):
        self.taps += 1
        locator.tap()

    def type(self, locator, digits):
        self.tap(locator)
        self.keys += len(digits)
        self.page.keyboard.type(digits)


def test_two_against_one_and_both_attacks_within_the_budget(new_page):
    player, _ = players.begin(hot_seat=True)
    player.do("counters/add/", list=LISTED)
    player.do("counters/", id=UNITS, place="K7")
    player.do("advance/", button="phase")
    player.do("advance/", button="phase")
    page = new_page(has_touch=True)
    sit_as(page, player)
    page.evaluate(COUNT_SCROLLING)
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("link", name="Close Combat in K7"))
    expect(page.locator(".melee .attacks li")).to_have_count(2)
    expect(page.locator(".melee")).to_contain_text("18 against 6: 3-1; C")
    thumb.tap(page.get_by_role("button", name="Declare both"))
    boxes = page.locator("form.due input.die")
    expect(boxes).to_have_count(2)
    thumb.type(boxes.nth(0), "20")
    thumb.type(boxes.nth(1), "99")
    thumb.tap(page.locator("form.due").get_by_role("button", name="Resolve"))
    expect(page.locator("#desk")).to_contain_text("Close Combat")
    expect(page.locator("#desk")).to_contain_text("Nothing more is due")
    screens = page.evaluate("window.scrolled") / 740
    assert (thumb.taps <= MOST_TAPS, thumb.keys <= MOST_KEYS) == (True, True), (thumb.taps, thumb.keys)
    assert screens <= MOST_SCREENS
    print(f"Close Combat: {thumb.taps} taps, {thumb.keys} keys, {screens:.2f} screens")
