"""A campaign of two players on one device: with the cover between them nothing sealed gets to the other side.

How far they get on it is tried over HTTP: `test_one_device_plays_both_sides_up_to_the_second_turn`.
"""

from playwright.sync_api import expect

from .ledger import (
    PARTS,
    PHONE,
    buy,
    hand_over,
    newest,
    on_one_device,
    open_tab,
    seal_orders,
    second_tab,
    sent,
    task,
)
from .table import POLL, open_menu


def assert_unknown(page, *secrets):
    """Nothing that this device is sent now, while it shows one side, holds any of these words of the other."""
    text = sent(page) + page.content()
    assert not [secret for secret in secrets if secret in text]


def test_the_cover_keeps_what_an_attack_costs_and_back_does_not_lift_it(new_page):
    page = new_page(**PHONE)
    address = on_one_device(page, "cg2")
    seal_orders(page, "Attack", bonus=True)
    expect(task(page, "German")).to_contain_text("18 CP")
    open_tab(page, "Sealed")
    expect(page.get_by_text("Orders: Attack, with the CP Bonus (6 CP).")).to_be_visible()
    open_menu(page).get_by_role("button", name="Hand over").click()
    expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()
    for part in PARTS:
        page.goto(address + part)
        expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()
        assert "CP Bonus" not in page.content()
    page.get_by_role("button", name="I am Russian").click()
    expect(page.get_by_text("You are Russian")).to_be_visible()
    page.goto(address)
    expect(task(page, "German")).to_contain_text("24 CP")
    assert_unknown(page, "with the CP Bonus (6 CP)", "18 CP")


def test_a_page_left_open_in_another_tab_turns_to_the_side_that_plays_on(new_page):
    page = new_page(**PHONE)
    address = on_one_device(page, "cg2")
    seal_orders(page, "Attack")
    other = second_tab(page)
    expect(newest(other, "German seals its orders.")).to_contain_text("Attack (4 CP).")
    hand_over(page, "Russian", address)
    seal_orders(page, "Hold")
    expect(other.get_by_text("You are Russian")).to_be_visible(timeout=POLL)
    assert "Attack (4 CP)" not in other.content()


def test_both_players_agree_on_the_one_device_to_take_back_app_dice(new_page):
    page = new_page(**PHONE)
    on_one_device(page)
    open_tab(page, "German roster")
    buy(page, "I1", app=True)
    open_tab(page, "Overview")
    page.get_by_role("button", name="Take back the last act").click()
    page.get_by_role("button", name="Both agree").click()
    expect(task(page, "German")).to_contain_text("20 CP")
    expect(newest(page, "Taken back")).to_be_visible()
