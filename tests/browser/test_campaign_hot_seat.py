"""A campaign of two players on one device: with the cover between them nothing sealed gets to the other side."""

from playwright.sync_api import expect

from .ledger import (
    PARTS,
    PHONE,
    begin_hot_seat,
    buy,
    end_turn,
    hand_over,
    newest,
    open_tab,
    place,
    seal_orders,
    second_tab,
    sent,
    status,
    step,
    task,
)
from .table import POLL, open_menu


def assert_unknown(page, *secrets):
    """Nothing that this device is sent now, while it shows one side, holds any of these words of the other."""
    told = sent(page) + page.content()
    assert not [secret for secret in secrets if secret in told]


def test_a_campaign_on_one_device_up_to_the_second_turn(new_page):
    page = new_page(**PHONE)
    address = begin_hot_seat(page)
    open_tab(page, "German roster")
    buy(page, "I1", 3)
    open_tab(page, "Overview")
    seal_orders(page)

    hand_over(page, "Russian", address)
    expect(task(page, "German")).to_contain_text("has sealed its orders")
    assert_unknown(page, "Attack, as the card says")
    open_tab(page, "Russian roster")
    buy(page, "A1")
    open_tab(page, "Sealed")
    page.get_by_label("First hex").fill("F12")
    page.get_by_label("Second hex").fill("G12")
    page.get_by_role("button", name="Seal the plot").click()
    expect(page.get_by_text("A1: F12 or G12, turn 1")).to_be_visible()
    open_tab(page, "Overview")
    seal_orders(page)

    hand_over(page, "German", address)
    assert_unknown(page, "F12", "Hold, as the card says")
    page.get_by_role("button", name="Reveal both").click()
    expect(newest(page, "Russian orders: Hold, as the card says.")).to_be_visible()
    expect(page.get_by_text("Waiting for the Russian to set up.")).to_be_visible()

    hand_over(page, "Russian", address)
    open_tab(page, "Map")
    place(page, "I6 MG section", 13, hidden=True)
    place(page, "I2 Rifle platoon", 7)
    page.get_by_role("button", name="Pay and end your set-up").click()
    expect(task(page, "Russian")).to_contain_text("has set up")

    hand_over(page, "German", address)
    assert_unknown(page, "F12", "Maxim M1910 (hidden)", "2 in sector 13", "set up in sector 13")
    open_tab(page, "Map")
    expect(page.locator("#s13")).to_have_accessible_name("Sector 13, Russian: no units")
    place(page, "I1 Grenadier platoon", 6)
    page.get_by_role("button", name="Pay and end your set-up").click()
    expect(step(page)).to_have_text("Firefight")
    open_tab(page, "Firefight")
    end_turn(page, 1)
    expect(status(page)).to_contain_text("turn 2")

    hand_over(page, "Russian", address)
    expect(status(page)).to_contain_text("turn 2")
    open_tab(page, "Sealed")
    expect(page.get_by_text("A1: F12 or G12, turn 1")).to_be_visible()


def test_the_cover_keeps_what_an_attack_costs_and_back_does_not_lift_it(new_page):
    page = new_page(**PHONE)
    address = begin_hot_seat(page, "CG II")
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
    address = begin_hot_seat(page, "CG II")
    seal_orders(page, "Attack")
    other = second_tab(page)
    expect(newest(other, "German seals its orders.")).to_contain_text("Attack (4 CP).")
    hand_over(page, "Russian", address)
    seal_orders(page, "Hold")
    expect(other.get_by_text("You are Russian")).to_be_visible(timeout=POLL)
    assert "Attack (4 CP)" not in other.content()


def test_both_players_agree_on_the_one_device_to_take_back_app_dice(new_page):
    page = new_page(**PHONE)
    begin_hot_seat(page)
    open_tab(page, "German roster")
    buy(page, "I1", app=True)
    open_tab(page, "Overview")
    page.get_by_role("button", name="Take back the last act").click()
    page.get_by_role("button", name="Both agree").click()
    expect(task(page, "German")).to_contain_text("20 CP")
    expect(newest(page, "Taken back")).to_be_visible()
