"""Close Combat on a phone: two against one, declared and rolled by both sides on one device."""

from playwright.sync_api import expect

from tests.firefight import players

from .table import press_turn, sit_as
from .thumb import Thumb

LISTED = "German: 2 Panzergrenadier squads\nRussian: 1 Rifle squad"
UNITS = ["german-1", "german-2", "russian-1"]


def test_two_against_one_and_both_attacks_within_the_budget(new_page):
    player, _ = players.begin(hot_seat=True)
    player.do("counters/add/", list=LISTED)
    player.do("counters/", id=UNITS, place="K7")
    player.do("advance/", button="phase")
    player.do("advance/", button="phase")
    page = new_page()
    sit_as(page, player)
    thumb = Thumb(page)
    thumb.tap(page.locator("#due").get_by_role("link", name="Close Combat in K7"))
    expect(page.locator(".melee .attacks li")).to_have_count(2)
    expect(page.locator(".melee")).to_contain_text("18 against 6: 3-1; C")
    thumb.tap(page.get_by_role("button", name="Declare both"))
    boxes = page.locator("form.due input.die")
    expect(boxes).to_have_count(2)
    thumb.type(boxes, "20", "99")
    thumb.tap(page.locator("form.due").get_by_role("button", name="Resolve"))
    expect(page.locator("#desk")).to_contain_text("Nothing more is due")
    assert thumb.effort.is_within(taps=4, keys=4, screens=0.5), thumb.effort
    assert "close_combat" in player.match.state.counters["russian-1"]["state"]


def test_on_two_devices_one_declares_and_the_other_answers_and_rolls(new_page):
    german, links = players.begin()
    russian = players.sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LISTED)
    german.do("counters/", id=UNITS[:2], place="K7")
    russian.do("counters/", id=UNITS[2:], place="K7")
    german.do("advance/", button="phase")
    german.do("advance/", button="phase")
    ours, theirs = new_page(), new_page()
    sit_as(ours, german)
    sit_as(theirs, russian)
    ours.locator("#due").get_by_role("link", name="Close Combat in K7").click()
    ours.get_by_role("button", name="Declare", exact=True).click()
    expect(theirs.locator("#due")).to_contain_text("The German has declared")
    theirs.locator("#due").get_by_role("link", name="Close Combat in K7").click()
    theirs.get_by_role("button", name="Declare", exact=True).click()
    for page, other in ((theirs, ours), (ours, theirs)):  # the news brings each side its own roll
        expect(page.locator("#desk-form h2")).to_contain_text("Close Combat:")
        page.get_by_role("button", name="Roll here").click()
        expect(other.locator("#desk")).to_contain_text("on 1-2" if page is theirs else "on 3-1")
    expect(ours.locator("#desk")).not_to_contain_text("rolls this")


def test_the_next_phase_asks_in_sight_whether_an_open_close_combat_is_left(new_page, page_errors_allowed):
    player, _ = players.begin(hot_seat=True)
    player.do("counters/add/", list=LISTED)
    player.do("counters/", id=UNITS, place="K7")
    player.do("advance/", button="phase")
    player.do("advance/", button="phase")
    page = new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    sit_as(page, player)
    press_turn(page, "Next phase")
    button = page.get_by_role("button", name="Go on all the same")
    expect(button).to_be_in_viewport()
    expect(page.locator("#now")).to_contain_text("Still open: Close Combat in K7.")
    button.click()
    expect(page.locator("#going-on")).to_have_count(0)
    assert player.match.state.phase == "conclusion"
