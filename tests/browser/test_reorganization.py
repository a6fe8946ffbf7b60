"""Campaigns through one whole Reorganization Phase: on two devices, and in hot-seat."""

import re

from playwright.sync_api import Page, expect

from campaign.acts import turns
from campaign.ledger.dice import Dice
from tests.campaign.acts.game import Game
from tests.campaign.scripted import play_half

from .ledger import PHONE, hand_over, in_campaign, look_around_in_demo, newest, open_tab, status, step, trouble
from .table import POLL

ALL = "Resolve the rest of the phase"
DONE = "Nothing is left to do in this phase."


def fought(game):
    """A campaign, played on until its first firefight is over."""
    play_half(game.match)
    end_firefight(game)


def end_firefight(game):
    """From turn 3 to the end."""
    for turn in range(3, 8):
        game.do(turns.end_turn, "german", game_dice(turn), leaves=True)


def game_dice(turn):
    """The End of Firefight rolls are made: play goes on to the last turn."""
    return Dice("table", {"die": 1} if turn in (5, 6) else {})


def press(page: Page, name: str):
    """Press a button of the phase, and wait until the page has come back."""
    version = page.locator("#watch").get_attribute("hx-get")
    page.get_by_role("button", name=name, exact=True).first.click()
    expect(page.locator("#watch")).not_to_have_attribute("hx-get", version, timeout=POLL)


def heading(page: Page):
    """The step that the phase stands at."""
    return page.locator("#now")


def test_two_devices_go_through_a_whole_phase(new_page, page_errors_allowed):
    german, russian = in_campaign(new_page, fought)
    for page in (german, russian):
        page.get_by_role("link", name="Go through the phase").click()
        expect(heading(page)).to_contain_text("What became of the units")
    # Three taps: the unit, the fate.
    german.get_by_label(re.compile("Pioneer squad")).first.check()
    press(german, "Reduced")
    expect(german.get_by_text(re.compile(r"Pioneer squad( #\d+)?\s+\(reduced\)"))).to_be_visible()
    russian.get_by_label(re.compile("Rifle squad")).first.check()
    russian.get_by_label("The ticked units").select_option("stand in sector …, hex …")
    russian.get_by_label("Sector", exact=True).fill("16")
    press(russian, "Note it")
    press(german, "Report complete")
    expect(german.get_by_text("Waiting for the Russian.")).to_be_visible()
    press(russian, "Report complete")

    expect(german.get_by_text("Sectors fought over: 7 (now)")).to_be_visible(timeout=POLL)
    expect(heading(german)).to_contain_text("The Attacker stays or re-deploys: sector 7")
    expect(russian.get_by_text("Waiting for the German.")).to_be_visible()
    expect(german.get_by_text("To 6: goes 80 %").first).to_be_visible()
    expect(german.get_by_text("If everybody stays:")).to_be_visible()
    # A typed die is missing: nothing is decided, and what was chosen stays.
    leaver = german.locator(".leaver").first
    leaver.get_by_label("Re-deploys to").select_option("sector 6, German")
    german.get_by_role("button", name="Declare, dice as typed").click()
    expect(trouble(german)).to_contain_text("Still to roll: d10 of Pioneer squad")
    expect(german.locator(".leaver").first.get_by_label("Re-deploys to")).to_have_value("6")
    german.locator(".leaver").first.get_by_label("d10").fill("2")
    press(german, "Declare, dice as typed")

    expect(heading(russian)).to_contain_text("The Defender stays or re-deploys: sector 7", timeout=POLL)
    press(russian, "Declare, dice as typed")
    expect(heading(german)).to_contain_text("Close combat for the sector: sector 7", timeout=POLL)
    expect(german.locator(".bout").first).to_contain_text(" against ")
    # Each side divides its own attacks, at its own device.
    press(german, "Declare")
    expect(russian.get_by_text("The German has gathered these units")).to_be_visible(timeout=POLL)
    bout = russian.locator(".bout").first
    for die in bout.locator("input.die").all():
        die.fill("00")
    bout.get_by_role("button", name="Resolve").click()
    for page in (german, russian):
        region = page.get_by_role("region", name="What happened last")
        expect(region.get_by_text(re.compile("Sector 7, round 1: .* against "))).to_be_visible(timeout=POLL)
    expect(trouble(russian)).to_have_count(0)

    # On two devices both must be in a hurry.
    german.get_by_text("In a hurry").click()
    press(german, ALL)
    expect(heading(german)).to_contain_text("Close combat for the sector: sector 7")
    expect(russian.get_by_text("The German asks")).to_be_visible(timeout=POLL)
    press(russian, ALL)
    for page in (german, russian):
        expect(page.get_by_text(DONE)).to_be_visible(timeout=POLL)
        open_tab(page, "Overview")
        expect(step(page)).to_have_text("Reinforcement rolls")
        expect(status(page)).to_contain_text("firefight 2 of 3: AM")
    german.get_by_label(re.compile("Reinforcements")).fill("4")
    german.get_by_role("button", name="Resolve").click()
    expect(newest(russian, "German receives 10 CP")).to_be_visible(timeout=POLL)
    russian.get_by_role("button", name="Roll here").click()
    expect(step(german)).to_contain_text("Purchases", timeout=POLL)
    open_tab(german, "Map")
    expect(german.locator("#at-7")).to_have_accessible_name(re.compile("Sector 7, (German|Russian)"))


def test_one_device_resolves_the_rest_with_the_apps_dice(new_page):
    page = new_page(**PHONE)
    match_id = look_around_in_demo(page)
    end_firefight(Game(match_id))
    address = f"/campaign/{match_id}/reorganization/"
    page.goto(address)
    press(page, "Report complete")
    hand_over(page, "Russian", address)
    press(page, "Report complete")
    expect(page.get_by_text("Sectors fought over: 11 (now)")).to_be_visible()
    page.get_by_text("In a hurry").click()
    press(page, "Resolve the rest of this sector")
    expect(page.get_by_text("11 ✓")).to_be_visible()
    page.get_by_role("button", name=ALL).click()
    expect(page.get_by_text(DONE)).to_be_visible(timeout=POLL)
    open_tab(page, "Overview")
    expect(step(page)).to_have_text("Reinforcement rolls")
    expect(newest(page, "The campaign goes on to PM.")).to_be_visible()
