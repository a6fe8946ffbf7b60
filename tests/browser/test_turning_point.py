"""Turning Point: Stalingrad on a phone: an attack from intention to paid casualties, the same stack once more, and the
end of an impulse."""

from playwright.sync_api import expect

from tests.firefight import players

from . import test_axe
from .table import result, sit_as
from .thumb import Thumb

PHONE = {"width": 360, "height": 740}
MOST_TAPS, MOST_TAPS_AGAIN, MOST_TAPS_OF_IMPULSE = 20, 8, 2


def line_of(page, name):
    """The box in which units are typed in one line."""
    return page.locator(f"#f-{name}-short")


def recalled(page, name):
    """The buttons that fill a list in as it was."""
    return page.locator(f'#desk button[value^="{name}-recall-"]')


def type_into(thumb, box, text):
    """Tap a box, and type."""
    thumb.tap(box)
    thumb.page.keyboard.type(text)
    thumb.effort.keys += len(text)


def open_attack(thumb):
    thumb.tap(thumb.page.locator("#rolls").get_by_role("button", name="Attack", exact=True))
    expect(thumb.page.locator("#f-tem")).to_be_visible()


def resolve(thumb, *faces):
    thumb.type(thumb.page.locator("#desk input.die"), *faces)
    thumb.tap(thumb.page.locator("#desk").get_by_role("button", name="Resolve", exact=True))
    expect(result(thumb.page)).to_contain_text("Casualty Point")


def pay(thumb):
    """Press the first way to pay."""
    thumb.tap(thumb.page.locator("#desk .offers button").first)
    expect(result(thumb.page)).to_contain_text("paid")


def assert_good(page, what, **where):
    """Accessible dark and light, and narrow enough; then a phone again."""
    test_axe.assert_good(page, what, **where)
    page.evaluate("delete document.documentElement.dataset.theme")
    page.set_viewport_size(PHONE)


def test_an_attack_of_five_on_four_with_a_thumb_and_once_more(new_page):
    maker, _ = players.begin("german", game="turning-point-stalingrad")
    page = new_page(**PHONE, reduced_motion="reduce")
    sit_as(page, maker)
    first = Thumb(page)
    open_attack(first)
    type_into(first, line_of(page, "attackers"), "6a44*/295 5e")
    type_into(first, line_of(page, "defenders"), "3a222")
    type_into(first, page.locator("#f-tem"), "2")
    expect(page.locator("#odds")).to_contain_text("Overrun")
    expect(page.locator("#opening")).to_contain_text("Leader")
    assert_good(page, "an attack")
    resolve(first, "7", "9")
    assert_good(page, "a payment", part="#desk")
    pay(first)
    assert first.effort.taps <= MOST_TAPS, first.effort
    (roll,) = [line for line in maker.log if line.helper == "attack"]
    assert len(roll.inputs["attackers"]) == 5 and len(roll.inputs["defenders"]) == 4
    maker.do("drop/", step="all")
    page.reload()

    again = Thumb(page)
    open_attack(again)
    again.tap(recalled(page, "attackers").first)
    listed = page.locator("#desk .rows .listed")  # what the buttons offer stands below it, in the same words
    expect(listed.first).to_contain_text("295")
    again.tap(recalled(page, "defenders").first)
    expect(listed.nth(1)).to_contain_text("3, armour")
    assert_good(page, "a list that was used before", part="#desk")
    resolve(again, "7", "6")
    pay(again)
    assert again.effort.taps <= MOST_TAPS_AGAIN, again.effort
    maker.do("drop/", step="all")
    for field, value in (("time", "night"), ("box", "4")):
        maker.do("record/", field=field, value=value)
    page.reload()

    page.goto(f"/match/{maker.match_id}/record/")
    assert_good(page, "the record")
    page.goto(f"/match/{maker.match_id}/")

    impulse = Thumb(page)
    impulse.tap(page.locator("#due").get_by_role("button", name="Impulse done"))
    expect(page.locator("#desk input.die")).to_be_focused()
    impulse.type(page.locator("#desk input.die"), "9")
    impulse.tap(page.locator("#desk").get_by_role("button", name="Resolve", exact=True))
    expect(result(page)).to_contain_text("the marker moves to box 5")
    assert impulse.effort.taps <= MOST_TAPS_OF_IMPULSE, impulse.effort
