"""What players do in a campaign, as the browser tests do it."""

import re

from playwright.sync_api import Locator, Page, expect

from campaign.acts.beginning import begin
from tests.campaign import players
from tests.campaign.acts.game import Game
from tests.firefight.players import sit

from .table import POLL, open_menu, take_cookies

PHONE = {"width": 360, "height": 740, "color_scheme": "dark"}
LAPTOP = {"width": 1280, "height": 800, "color_scheme": "light"}
NAME = "October at the Tractor Works"
PARTS = ["", "map/", "roster/german/", "roster/russian/", "firefight/", "sealed/", "paper/"]
TOKEN = re.compile('name="csrfmiddlewaretoken" value="[^"]*"')
TABS = ["Overview", "Map", "German roster", "Russian roster", "Firefight", "Sealed", "Paper"]


# Sitting down


def fill_in_campaign(page: Page, card="CG I", side="German", hot_seat=False):
    """Fill in the form for a new campaign and send it."""
    page.goto("/campaign/new/")
    page.get_by_role("radio", name=f"{card},").check()
    page.get_by_label("Name").fill(NAME)
    page.get_by_role("radio", name=side).check()
    page.get_by_role("radio", name="Hot-seat" if hot_seat else "Two devices").check()
    page.get_by_role("button", name="Begin").click()


def begin_hot_seat(page: Page, card="CG I", side="German") -> str:
    """Begin a campaign of two players on one device; returns its address."""
    fill_in_campaign(page, card, side, hot_seat=True)
    expect(page.get_by_text(f"You are {side}")).to_be_visible()
    return page.url


def take_seat(page: Page, link: str, address: str):
    """Take a seat by its link and open the campaign."""
    page.goto(link)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(lambda url: not url.endswith("/claim/"))
    page.goto(address)
    expect(status(page)).to_be_visible()


def two_devices(new_page, card="CG I") -> tuple[Page, Page]:
    """A German phone on which the campaign begins, and a Russian laptop that comes by the link."""
    german, russian = new_page(**PHONE), new_page(**LAPTOP)
    fill_in_campaign(german, card)
    link = german.get_by_role("textbox", name="works once").input_value()
    german.get_by_role("link", name="To the campaign").click()
    expect(german.get_by_text("You are German")).to_be_visible()
    take_seat(russian, link, german.url)
    return german, russian


def in_campaign(new_page, prepare=None, card="cg1", **devices: dict) -> list[Page]:
    """The same without the form: a campaign that ``prepare(game)`` has played on, and its devices by seat."""
    match, tokens = begin(card, NAME, hot_seat=False)
    if prepare:
        prepare(Game(match.pk))
    pages = []
    for side, options in (devices or {"german": PHONE, "russian": LAPTOP}).items():
        pages.append(new_page(**options))
        take_cookies(pages[-1], sit(f"/seat/{tokens[side]}/", match.pk))
        pages[-1].goto(f"/campaign/{match.pk}/")
        expect(status(pages[-1])).to_be_visible()
    return pages


def on_one_device(page: Page, card="cg1") -> str:
    """A campaign of two players on one device that acts as German, without the form for it; returns its address."""
    maker, _ = players.begin(card, hot_seat=True)
    take_cookies(page, maker)
    page.goto(maker.address())
    expect(status(page)).to_be_visible()
    return page.url


def second_tab(page: Page) -> Page:
    """The same page in another tab of the same browser."""
    tab = page.context.new_page()
    tab.goto(page.url)
    return tab


def hand_over(page: Page, side: str, address: str):
    """Hot-seat: put the cover on, lift it for a side, and go on in the campaign."""
    open_menu(page).get_by_role("button", name="Hand over").click()
    expect(page.get_by_text("The cover is on. Who holds the device?")).to_be_visible()
    page.get_by_role("button", name=f"I am {side}").click()
    expect(page.get_by_text(f"You are {side}")).to_be_visible()
    page.goto(address)


# What a page shows


def status(page: Page) -> Locator:
    """Where the campaign stands, and the CP."""
    return page.get_by_role("region", name="Campaign", exact=True)


def step(page: Page) -> Locator:
    """The step of the ladder that is due now, in what drops down from the line on top."""
    return status(page).locator(".ladder [aria-current=step]")


def task(page: Page, side: str) -> Locator:
    """What the status says about a side."""
    return status(page).locator(".tasks li", has_text=side)


def sent(page: Page) -> str:
    """All that this browser is sent about its campaign: every page, the assistant, the log as a file.

    Without the token against forged forms, which may hold the letters of any hex by chance.
    """
    campaign = re.match(r".*/campaign/\w+/", page.url).group()
    match = campaign.replace("/campaign/", "/match/")
    addresses = [f"{campaign}{part}" for part in PARTS] + [match, f"{match}log.json"]
    return TOKEN.sub("", "\n".join(page.request.get(address).text() for address in addresses))


def newest(page: Page, words: str) -> Locator:
    """The newest lines of the log that hold these words."""
    return page.locator("ol.lines .line", has_text=words)


def trouble(page: Page) -> Locator:
    """Why an act was refused, or what is still missing."""
    return page.locator("#trouble")


def hold_polls(page: Page):
    """Keep news from this page from now on."""
    page.route("**/live/**", lambda route: route.fulfill(status=204))


# What a player does


def open_tab(page: Page, name: str):
    """Go to one of the campaign's pages."""
    page.get_by_role("navigation", name="Campaign pages").get_by_role("link", name=name, exact=True).click()
    expect(page.locator(".tabs [aria-current]")).to_have_text(name)


def choose_group(page: Page, rg: str) -> Locator:
    """Open a group of the roster on show; returns its card."""
    page.locator(".roster-rows").get_by_role("link", name=rg, exact=True).click()
    card = page.locator("#chosen")
    expect(card.get_by_role("heading", level=2)).to_contain_text(f"{rg} ")
    return card


def buy(page: Page, rg: str, *faces: int, app=False):
    """Buy a group with these dice, or the app's."""
    card = choose_group(page, rg)
    for place, face in enumerate(faces):
        card.locator("input.die").nth(place).fill(str(face))
    bought = in_hand(page, rg).filter(has_text="bought for")
    before = bought.count()
    card.get_by_role("button", name="Roll here" if app else "Buy", exact=True).click()
    expect(bought).to_have_count(before + 1)


def in_hand(page: Page, rg: str) -> Locator:
    """Groups in hand on the roster on show, by their ID."""
    return page.locator(".groups li", has=page.get_by_role("heading", level=3, name=re.compile(f"^{rg} ")))


def ticked(page: Page, rg: str) -> Locator:
    """The boxes of a group on the roster on show."""
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=rg, exact=True)).locator(".boxes-cell")


def seal_orders(page: Page, order: str = "", bonus=False):
    """Seal the orders on the overview."""
    if order:
        page.get_by_role("radio", name=order).check()
    if bonus:
        page.get_by_role("checkbox", name="CP Bonus").check()
    page.get_by_role("button", name="Seal the orders").click()
    expect(page.get_by_text("Your orders are sealed")).to_be_visible()


def choose_party(page: Page, title: str, place: int = 0):
    """In set-up, on the map: choose the units to place."""
    page.locator(".parties").get_by_role("link", name=title).nth(place).click()
    expect(page.locator("#placing-head")).to_have_text(title)


def tap(page: Page, sector: int):
    """Tap a sector on the map."""
    page.locator(f"#at-{sector}").click()
    expect(page.locator("#here-head")).to_contain_text(f"Sector {sector}:")


def place(page: Page, title: str, sector: int, nth: int = 0, hidden=False):
    """Choose a group, tap a sector, set up; with ``hidden``, for the own side's eyes only."""
    choose_party(page, title, nth)
    tap(page, sector)
    expect(page.get_by_label("Set up in")).to_have_value(str(sector))
    page.get_by_role("checkbox", name="Hidden").set_checked(hidden)
    page.get_by_role("button", name="Set up", exact=True).click()
    placed = page.locator(".parties li.chosen")
    expect(placed).to_contain_text(f"in sector {sector}")


def end_turn(page: Page, turn: int, face: int | None = None):
    """End a turn on the firefight page, with the die of the End of Firefight roll where it is due."""
    expect(page.get_by_text(f"End of turn {turn}:")).to_be_visible(timeout=POLL)
    if face is not None:
        page.get_by_label("d10").fill(str(face))
    page.get_by_role("button", name="End the turn").click()
    expect(page.get_by_text(f"End of turn {turn}:")).to_have_count(0)


def look_around_in_demo(page: Page) -> str:
    """Open a copy of the demo by the front page's button; gives the match's id."""
    page.goto("/")
    page.locator("form[action='/campaign/demo/'] button").click()
    expect(page.locator("#trying")).to_be_visible()
    return page.url.split("/match/")[1].split("/")[0]
