"""What players do at the table, as the browser tests do it."""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.firefight import players

NAME = "Evening at the Tractor Works"
GAME = "/assist/combat-stalingrad/"
# Milliseconds within which the other device must have the news. Two seconds are promised, and
# test_match_views.py checks how often it asks; a machine that runs tests on every core gets more.
POLL = 6000


@dataclass(frozen=True)
class Links:
    """The links of the seats that the maker of a match did not take."""

    other: str
    observer: str


def fill_in_match(page: Page, name: str, side: str, hot_seat: bool = False):
    page.goto("/match/new/combat-stalingrad/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("radio", name=side).check()
    page.get_by_role("radio", name="Hot-seat" if hot_seat else "Two devices").check()
    page.get_by_role("button", name="Begin").click()


def deal(page: Page) -> Links:
    """Begin a match for two devices, by its form, and return the links for the others."""
    fill_in_match(page, NAME, "German")
    other = page.get_by_role("textbox", name="works once").input_value()
    return Links(other, page.locator("#link-observer").input_value())


def begin(page: Page) -> Links:
    """The same without the form; the match's page is open."""
    maker, links = players.begin(name=NAME)
    sit_as(page, maker)
    return Links(links["russian"], links["observer"])


def sit_as(page: Page, player: players.Player):
    """Make a browser the one that a player's requests came from, and open its match."""
    take_cookies(page, player)
    page.goto(f"/match/{player.match_id}/")
    expect(page.get_by_role("region", name="Log")).to_be_visible()


def take_cookies(page: Page, player: players.Player):
    """Give a browser the cookies of a player's client."""
    cookies = [{"name": cookie.key, "value": cookie.value} for cookie in player.client.cookies.values()]
    page.context.add_cookies([{**cookie, "domain": "localhost", "path": "/"} for cookie in cookies])


def begin_hot_seat(page: Page):
    """Begin a match of two players on one device, by its form."""
    fill_in_match(page, "Both at one table", "German", hot_seat=True)
    expect(page.get_by_text("You are German")).to_be_visible()


def sit_down(page: Page, link: str):
    """Take a seat by its link."""
    page.goto(link)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(lambda url: not url.endswith("/claim/"))
    if page.url.endswith("/seats/"):  # observers need no way back
        page.get_by_role("link", name="Later").click()
    expect(page.get_by_role("region", name="Log")).to_be_visible()


def two_devices(new_page, first=None, second=None) -> tuple[Page, Page]:
    """A German phone and a Russian laptop in one match; dictionaries of options replace those devices."""
    german, russian = new_page(**(first or {})), new_page(**(second or {"width": 1280, "height": 800}))
    maker, links = players.begin(name=NAME)
    sit_as(russian, players.sit(links["russian"], maker.match_id))
    sit_as(german, maker)
    return german, russian


def roll_button(page: Page, helper: str):
    """The button of a roll in the bar; its menu is opened, if it stands in one."""
    button = page.locator(f'button:text-is("{helper}"), button[title="{helper}"]')
    button_of_roll = page.locator("#rolls").locator(button)
    if not button_of_roll.is_visible():
        page.locator("#rolls details").filter(has=button).locator("summary").click()
    return button_of_roll


def choose(page: Page, helper: str):
    """Open a roll from the bar."""
    roll_button(page, helper).click()
    expect(desk_title(page)).to_have_text(helper)
    expect(page.locator("#desk :focus")).to_have_count(1)  # what is typed earlier would go astray


def desk_title(page: Page):
    """The title of the roll on the desk."""
    return page.locator("#desk-form .form-head h2")


def result(page: Page):
    """The headline of the last result."""
    return page.locator("#result")


def entry(page: Page, number: int):
    """A line of the log."""
    return page.locator(f"#entry-{number}")


def log_up_to(page: Page, number: int):
    """The sign that a page shows the log up to this line, which may be part of another one's sentence."""
    return page.locator(f"#live[data-after='{number}']")


def log_with(page: Page, words: str):
    """The lines of the log that hold these words: an act with all that followed from it is one."""
    own = page.locator(":scope > p, :scope > .who, :scope > .how p").filter(has_text=words)
    return page.locator("#log-rows .line").filter(has=own)


def due(page: Page):
    """What the page says is due."""
    return page.locator("#due li")


def open_menu(page: Page):
    """What the page of a match offers besides the game: its other pages, its end."""
    menu = page.locator("#menu")
    if menu.get_attribute("open") is None:
        menu.locator("summary").first.click()
    return menu


def go_to_page(page: Page, name: str):
    """Follow a link of that menu."""
    open_menu(page).get_by_role("link", name=name, exact=True).click()


def unfold_note(page: Page):
    """Unfold what is rarely entered for a note; once it is written it is folded again."""
    if page.locator("#note details").get_attribute("open") is None:
        page.locator("#note summary").click()


def press_turn(page: Page, button: str):
    """Press a button below the line that says where the match stands."""
    if page.locator("#turn").get_attribute("open") is None:
        page.locator("#turn > summary").click()
    page.locator("#turn").get_by_role("button", name=button, exact=True).click()


def open_dice(page: Page, number: int):
    """Open the dice of a line of the log."""
    how = entry(page, number).locator(":scope > .how")
    if how.get_attribute("open") is None:
        how.locator("summary").click()
    return how


def resolve(page: Page):
    """Press Resolve."""
    page.locator("#desk-form .dice").get_by_role("button", name="Resolve").click()


def type_dice(page: Page, *faces: int | str):
    """Type faces into the dice of the desk, in their order, and resolve."""
    dice = page.locator("#desk-form .dice input.die")
    for place, face in enumerate(faces):
        dice.nth(place).fill(str(face))
    resolve(page)


def roll_morale(page: Page, face: int | str = 3, tq: int = 7, name: str = "1st Squad"):
    """A Morale Check from the list, typed whole."""
    choose(page, "Morale Check")
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_label("TQ", exact=True).fill(str(tq))
    type_dice(page, face)
    expect(result(page)).to_contain_text(name)
    expect(result(page)).to_contain_text(f"{face} against TQ")  # this roll's, not the one before


def add_unit(page: Page, name: str, kind="Squad", **more: str):
    """Add a unit to the open row; TQ and Hex by label."""
    row = page.locator("#desk-form .rows")
    row.get_by_label("Unit", exact=True).select_option(kind)
    row.get_by_label("Name").fill(name)
    for label, value in more.items():
        row.get_by_label(label.replace("_", " "), exact=True).fill(value)
    row.get_by_role("button", name="Add").click()
    expect(row.locator(".listed li", has_text=name)).to_be_visible()
    expect(row.get_by_label("Unit", exact=True)).to_be_focused()


def call_fire_mission(page: Page, correction: int = 0, caliber: int = 82):
    """Fill in the Contact form: a CFF in place, aimed at K7 where three squads of TQ 7 are."""
    page.get_by_label("Marker").select_option("CFF")
    page.get_by_label("Correction").fill(str(correction))
    page.get_by_text("The mission: filled once").click()
    page.get_by_label("Caliber").fill(str(caliber))
    page.get_by_label("Hex aimed at").fill("K7")
    add_unit(page, "A", TQ="7", Hex="K7")
    add_unit(page, "B")
    add_unit(page, "C")


def toggle_theme(page: Page, theme: str):
    """Press the theme button, if the page is not in that theme already: only the other theme is offered."""
    button = page.get_by_role("button", name=theme.capitalize(), exact=True)
    if button.is_visible():
        button.click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    expect(button).to_be_hidden()
