"""axe finds nothing to object to, on any page, dark and light, on a phone and on a laptop; and each fits a phone.

A slice looks at each page once, dark on a phone or light on a laptop, and a soak both ways: what a page is made of
stands on others, too, and test_colours.py holds every colour against every ground in both themes.
"""

import json
from functools import partial
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import expect

from firefight.games import registry
from tests.firefight import players
from tests.pages import find
from tests.soak import IS_WHOLE, length

from . import ledger
from .table import (
    GAME,
    POLL,
    begin_hot_seat,
    call_fire_mission,
    choose,
    deal,
    due,
    go_to_page,
    log_with,
    open_menu,
    resolve,
    result,
    sit_as,
    sit_down,
    type_dice,
    unfold_note,
)
from .test_pages import assert_fits_a_phone, unfold

# What axe finds, and not the thousand things that are as they should be: telling those costs as much as the search.
# Where much is drawn before or after a text, axe would leave its contrast open: it is to judge that, too.
FIND = """where => {
    const {options} = axe._audit.defaultConfig.checks.find(({id}) => id === 'color-contrast');
    const checks = {'color-contrast': {options: {...options, ignorePseudo: true}}};
    return axe.run(where, {resultTypes: ['violations'], checks}).then(({violations}) => ({violations}));
}"""


def find_violations(page, part="html", but=()):
    """Look at a page with axe, which is sent to each page once and not for every look."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return AxeResults(page.evaluate(FIND, {"include": [part], "exclude": [*but]}))


pytestmark = pytest.mark.soak

# Two looks see everything: what there is depends on the width, its colours on the theme alone (test_templates.py).
PHONE = 360
LOOKS = (("dark", PHONE), ("light", 1280))


def choose_looks(what):
    """How a page is looked at: in a soak in both looks, else in the one that follows from its name."""
    return LOOKS if IS_WHOLE else LOOKS[crc32(what.encode()) % 2 :][:1]


@pytest.fixture
def new_page(new_page):
    """new_page, without colours on their way to others."""
    return partial(new_page, reduced_motion="reduce")


def assert_accessible(page, what, *looks, **where):
    """What stands on the page now passes, in these looks or as `choose_looks` has it; and it fits a phone.

    ``part``: what alone is new, where the rest has been looked at before; ``but``: what is like its neighbours.
    """
    page.locator("main").wait_for()  # a page that has just been asked for may not be there yet
    page.wait_for_load_state()  # nor its style sheet
    page.set_viewport_size({"width": PHONE, "height": 800})
    assert_fits_a_phone(page)
    for theme, width in looks or choose_looks(what):
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 800})
        results = find_violations(page, **where)
        assert not results.violations_count, f"{what}, {theme} at {width} px: {results.generate_report()}"
    if not looks:
        page.set_viewport_size({"width": LOOKS[-1][1], "height": 800})  # the walk goes on where there is room


def assert_fits_unfolded(page):
    """It fits a phone with everything open that can be opened, too."""
    page.set_viewport_size({"width": PHONE, "height": 800})
    unfold(page)
    assert_fits_a_phone(page)


PLAIN = ["/", "/match/new/", "/match/new/combat-stalingrad/", "/match/import/"]
PLAIN += ["/assist/", GAME, f"{GAME}charts/", f"{GAME}reference/", f"{GAME}words/", "/dice/"]
STREETS, INFERNO = "streets-of-stalingrad", "inferno-on-the-volga"
# Those of another game are of the same kind, but for this sheet.
PLAIN += [f"/assist/{STREETS}/battle/"]
PLAIN += [f"/match/new/{STREETS}/", f"/assist/{STREETS}/", f"/assist/{STREETS}/words/"][: length(0, 3)]


def test_axe_finds_nothing_on_the_plain_pages(new_page):
    page, grounds = new_page(), set()
    for address in PLAIN:
        page.goto(address)
        assert_accessible(page, address)
        assert_fits_unfolded(page)
    for theme, _ in LOOKS:
        page.emulate_media(color_scheme=theme)
        grounds.add(page.locator("html").evaluate("html => getComputedStyle(html).backgroundColor"))
    assert len(grounds) == len(LOOKS)


def test_axe_finds_nothing_on_pages_that_refuse(new_page, live_server, page_errors_allowed):
    page = new_page()
    page.goto("/nothing/here/")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert_accessible(page, "404")
    page.goto("/match/new/combat-stalingrad/")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="Refused")).to_be_visible()
    assert_accessible(page, "403")
    page.goto("/seat/no-such-token/")
    expect(page.get_by_role("heading", name="This link opens nothing")).to_be_visible()
    assert_accessible(page, "bad link")
    page.goto("/dice/")
    page.get_by_label("or its text").fill("no log")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page, "dice with a problem")
    page.goto("/match/new/combat-stalingrad/")
    page.get_by_label("Name").evaluate("node => node.removeAttribute('maxlength')")
    page.get_by_label("Name").fill("a" * 61)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page, "new match with a problem")


def make_a_slip(page):
    """Fill the helper's form in so that it must complain: a number out of bounds, or else a die."""
    page.locator("#desk-form details.ahead > summary").evaluate_all("all => all.forEach(one => one.click())")
    for field in page.locator("#desk-form .inputs input[type=number]:visible").all()[:1]:
        field.fill("9999")
    for die in page.locator("#desk-form .dice input.die").all():
        die.fill("999")
    resolve(page)
    expect(page.locator("#desk-form .error, #desk-form .trouble").first).to_be_visible()


def kind_of(node):
    """What an element is, whatever it says."""
    return (node.tag, *(node.attributes.get(name) for name in ("class", "type", "role")))


def helpers_of_every_kind(client, game="combat-stalingrad"):
    """A few helpers whose pages are built of all that the pages of all are built of; in a soak, all."""
    every = list(registry.helpers(game))
    pages = {slug: client.get(f"/assist/{game}/{slug}/").content.decode() for slug in every}
    kinds = {slug: {(kind_of(node.parent), kind_of(node)) for node in find(pages[slug], "body *")} for slug in every}
    few, missing = [], set().union(*kinds.values())
    while missing:
        few.append(max(every, key=lambda slug: len(kinds[slug] & missing)))
        missing -= kinds[few[-1]]
    return length(few, every)


def test_axe_finds_nothing_on_a_helper_with_an_error(new_page, client, page_errors_allowed):
    page = new_page()
    for number, slug in enumerate(helpers_of_every_kind(client)):
        page.goto(f"{GAME}{slug}/")
        make_a_slip(page)  # all that stood there still does
        assert_accessible(page, f"{slug} with an error", LOOKS[number % 2])


def test_axe_finds_nothing_on_a_match(new_page):
    german, russian, observer = new_page(), new_page(), new_page()
    links = deal(german)
    assert_accessible(german, "seats with links")
    russian.goto(links.other)
    assert_accessible(russian, "claim")
    german.get_by_role("link", name="To the match").click()
    choose(german, "Contact")
    call_fire_mission(german)
    type_dice(german, 40)
    expect(result(german)).to_be_focused()
    assert_accessible(german, "match with a result and a form")
    german.get_by_label("Note for the log").fill("Panzerkampfwagen" * 8)
    unfold_note(german)
    german.get_by_role("checkbox", name="Sealed for my side").check()
    german.get_by_role("button", name="Write").click()
    expect(log_with(german, "Panzerkampfwagen")).to_be_visible()
    sit_down(russian, links.other)
    expect(log_with(german, "Russian takes the seat.")).to_be_visible(timeout=POLL)
    choose(german, "Fire (FFT)")
    german.get_by_label("FF", exact=True).fill("20")
    german.locator("#desk-form .rows").get_by_label("Unit", exact=True).select_option("Squad")
    german.get_by_role("button", name="Roll here").click()
    expect(result(german)).to_be_focused()
    german.get_by_role("button", name="Take back").click()
    expect(russian.get_by_role("button", name="Agree")).to_be_visible()
    assert_accessible(german, "waiting for an answer, with a sealed entry")
    assert_accessible(russian, "asked for an answer")
    russian.get_by_role("button", name="Agree").click()
    expect(log_with(german, "Taken back")).to_be_visible()
    sit_down(observer, links.observer)
    assert_accessible(observer, "as observer, with void and sealed entries")
    for page in ("Seats", "Charts", "Dice")[: length(1, 3)]:  # charts and dice are looked at elsewhere, too
        go_to_page(russian, page)
        assert_accessible(russian, page)
        russian.go_back()
    open_menu(german).get_by_text("End the match").click()
    assert_accessible(german, "about to end")
    german.get_by_role("checkbox", name="The match is over").check()
    german.get_by_role("button", name="Propose the end").click()
    russian.get_by_role("button", name="Agree").click()
    expect(german.locator("#status")).to_contain_text("ended")
    expect(due(german).get_by_role("link")).to_have_count(0)
    assert_accessible(german, "ended")
    go_to_page(german, "Dice")
    assert_accessible(german, "dice of an ended match")


def test_axe_finds_nothing_on_the_cover_and_for_who_holds_no_seat(new_page, page_errors_allowed):
    page, stranger = new_page(), new_page()
    begin_hot_seat(page)
    stranger.goto(page.url)
    expect(stranger.get_by_role("heading", name="You hold no seat")).to_be_visible()
    assert_accessible(stranger, "no seat")
    go_to_page(page, "Seats")
    page.get_by_label("PIN of").fill("4711")
    page.get_by_role("button", name="Set").click()
    page.get_by_role("link", name="To the match").click()
    open_menu(page).get_by_role("button", name="Hand over").click()
    page.get_by_role("button", name="I am German").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page, "cover with a wrong PIN")


def test_axe_finds_nothing_on_the_pages_of_a_campaign(new_page):
    page = new_page()
    match_id = ledger.look_around_in_demo(page)
    if IS_WHOLE:  # else tables and dice of other matches do
        assert_accessible(page, "demo, the table")
        page.goto(f"/match/{match_id}/dice/")
        assert_accessible(page, "demo, the dice")
    page.goto(f"/campaign/{match_id}/")
    expect(page.get_by_role("heading", name="Demo: Into the Inferno")).to_be_visible()
    for name in ledger.TABS:
        if name == "Russian roster" and not IS_WHOLE:
            continue  # built as the German one is
        ledger.open_tab(page, name)
        assert_accessible(page, f"demo, {name}")
        assert_fits_unfolded(page)
    for name, unfolded in (("Report", "How often each face came up"), ("Save and branch", "")):
        ledger.open_tab(page, "Paper")
        page.locator("#also ~ ul").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name="The dice" if unfolded else name)).to_be_visible()
        if unfolded:
            page.get_by_text(unfolded).click()
        assert_accessible(page, f"demo, {name}")
        assert_fits_unfolded(page)
        page.go_back()


def test_axe_finds_nothing_while_a_campaign_goes_on(new_page, page_errors_allowed):
    page = new_page()
    page.goto("/campaign/new/")
    assert_accessible(page, "new campaign")
    address = ledger.begin_hot_seat(page, "CG II")
    assert_accessible(page, "purchases")
    ledger.open_tab(page, "German roster")
    card = ledger.choose_group(page, "V3")
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(ledger.trouble(page)).to_be_visible()
    assert_accessible(page, "roster with dice missing")
    page.get_by_role("button", name="Roll here").click()
    expect(ledger.in_hand(page, "V3")).to_be_visible()
    ledger.open_tab(page, "Overview")
    page.get_by_role("button", name="Take back the last act").click()
    expect(page.get_by_role("button", name="Both agree")).to_be_visible()
    assert_accessible(page, "take-back asked for")
    ledger.seal_orders(page, "Attack", bonus=True)
    ledger.hand_over(page, "Russian", address)
    ledger.open_tab(page, "Sealed")
    page.get_by_label("First hex").fill("F12")
    page.get_by_label("Second hex").fill("G12")
    page.get_by_role("button", name="Seal the plot").click()
    expect(page.get_by_text("A1: F12 or G12, turn 1")).to_be_visible()
    assert_accessible(page, "a plot")
    ledger.open_tab(page, "Overview")
    ledger.seal_orders(page, "Attack")
    page.get_by_role("button", name="Reveal both").click()
    page.get_by_label("German d10").fill("9")
    page.get_by_label("Russian d10").fill("2")
    assert_accessible(page, "who attacks")
    page.get_by_role("button", name="Resolve").click()
    expect(page.get_by_role("link", name="Set up on the map")).to_be_visible()
    ledger.open_tab(page, "Map")
    ledger.choose_party(page, "I2 Rifle platoon")
    ledger.tap(page, 14)
    assert_accessible(page, "set-up")
    assert_fits_unfolded(page)


def test_axe_finds_nothing_on_the_way_back_to_a_seat(new_page):
    german, phone = new_page(), new_page()
    deal(german)
    link = german.get_by_role("textbox", name="Your own link").input_value()
    german.get_by_text("Leave", exact=True).click()
    assert_accessible(german, "seats with a way back")
    phone.goto(link)
    assert_accessible(phone, "claim of a way back")


# What a match shows where counters stand on its table, in every state, each in both looks and as narrow as it gets.

NARROW = ({"width": 320, "height": 640}, {"width": 640, "height": 400})  # the second: a laptop at 200 %


def assert_fits(page, what):
    """Nothing to scroll sideways on the narrowest phone, and at 200 %."""
    for size in NARROW:
        page.set_viewport_size(size)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{what} is {over} px too wide at {size['width']} px"


def assert_good(page, what, **where):
    """Accessible in both looks, and narrow enough."""
    assert_accessible(page, what, **where)
    assert_fits(page, what)


def set_table(page):
    """A match on one device with counters, a hidden one, batteries, aircraft, ground; both sides stand in L7."""
    player, _ = players.begin(hot_seat=True)
    player.do("counters/add/", list="German: 3 Grenadier squads, 1 Officer\nRussian: 3 Rifle squads, 1 Commissar")
    player.do("counters/", id=["german-1", "german-2"], place="K7")
    player.do("counters/", id=["german-3", "russian-1", "russian-2", "russian-3"], place="L7")
    player.do("counters/", id="german-4", place="M9/1", hidden="on")
    player.do("counters/", id="russian-4", becomes="eliminated")
    for field, parts in (
        ("missions", {"part-caliber": "105"}),
        ("missions", {"part-caliber": "150"}),
        ("aircraft", {"part-aircraft": "ju87", "part-planes": "2"}),
        ("ground", {"part-hex": "K7", "part-trench": "yes"}),
    ):
        player.do("rows/", field=field, **parts)
    cff = {"marker": "cff", "hex": "N9", "placed": 1, "brackets": ["N8", "N10"]}
    player.do("rows/", change=json.dumps({"missions": {"change": {"german-1": cff}}}))
    player.do("record/", field="phase", value="fire_and_movement")
    sit_as(page, player)
    return player


def test_axe_finds_nothing_on_a_table_with_counters(new_page):
    page = new_page()
    player = set_table(page)
    desk = page.locator("#desk")
    page.locator("#kept-cards details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    page.locator('#table .place[data-place="K7"] legend').click()
    assert_good(page, "table with a selection, missions, ground")
    page.locator("#selection").get_by_role("button", name="By hand").click()
    expect(desk.locator(".by-hand")).to_be_visible()
    desk.locator(".by-hand summary").click()
    assert_good(page, "by hand", part="#desk")
    page.keyboard.press("f")
    assert_good(page, "at whom", part="#table")
    page.locator('#table .place[data-place="L7"][data-side=russian] legend').click()
    expect(page.locator("#desk-form .named li")).to_have_count(5)
    assert_good(page, "firing sheet", part="#desk")
    type_dice(page, "25")
    expect(result(page)).to_contain_text("C/M")
    assert_good(page, "who is hit", part="#desk")
    for face in ("9", "3", "2"):
        page.keyboard.type(face)
    page.keyboard.press("Enter")
    expect(desk.locator("form.due h2")).to_contain_text("3 due")
    assert_good(page, "checks that are due", part="#desk")
    desk.get_by_role("button", name="Roll all").click()
    expect(desk.locator(".also li")).to_have_count(3)
    page.locator("#log-rows details.how summary").first.click()
    assert_good(page, "result with counters, log with dice")
    player.do("record/", field="phase", value="melee")
    page.goto(page.url)
    page.locator("#due a").first.click()
    expect(desk.locator(".melee .attacks li").first).to_be_visible()
    assert_good(page, "melee sheet", part="#desk")
    for name, address in (
        ("gallery", "counters/"),
        ("pack", "pack/"),
        ("hexes", "board/"),
        ("history", "log/?about=german-1"),
    ):
        page.goto(f"/match/{player.match_id}/{address}")
        assert_good(page, name)


def test_axe_finds_nothing_on_a_map_of_ones_own_and_on_its_sheets(new_page, page_errors_allowed):
    """What the app asks beside the players' own map, and where owners paste what their box shows."""
    page = new_page()
    player, _ = players.begin("german", game=INFERNO, **{"option-mode": "solo", "option-board": "table"})
    sit_as(page, player)
    desk = page.locator("#desk")
    assert_good(page, "own table, one's own turn")
    desk.get_by_role("button", name="Turn done").click()
    expect(desk.locator(".question")).to_contain_text("tallest Soviet Stack")
    assert_good(page, "own table, a question", part="#desk")
    desk.get_by_role("button", name="1", exact=True).click()
    assert_good(page, "own table, dice", part="#desk")
    desk.get_by_role("button", name="Roll").click()
    expect(desk.locator(".question")).to_contain_text("what lies in direction")
    assert_good(page, "own table, a die", part="#desk")
    desk.get_by_role("button", name="Four Soviets").click()
    expect(desk.locator(".told")).to_contain_text("a card")
    assert_good(page, "own table, the next turn", part="#desk")

    led, _ = players.begin("german", game=INFERNO, **{"option-mode": "solo"})
    sheets = new_page()
    sit_as(sheets, led)
    sheets.get_by_role("link", name="Map, blocks and cards").click()
    expect(sheets.locator("#content-hexes")).to_be_visible()
    assert_good(sheets, "sheets of a map")
    sheets.get_by_role("link", name="The house's sheets").click()
    sheets.get_by_role("button", name="Check", exact=True).click()
    expect(sheets.locator("#sound")).to_be_visible()
    assert_good(sheets, "sheets that are sound")
    sheets.locator("#content-hexes").fill("name\n1")
    sheets.get_by_role("button", name="Check", exact=True).click()
    expect(sheets.get_by_role("alert")).to_be_visible()
    assert_good(sheets, "sheets with a mistake")


def outline_of(target):
    """What is drawn around it, and how wide."""
    return target.evaluate(
        "node => { const style = getComputedStyle(node); return [style.outlineStyle, parseFloat(style.outlineWidth)]; }"
    )


def test_a_table_can_be_played_in_forced_colours(new_page):
    """Where the device paints everything in its own colours, a selection, the focus and a card still stand out."""
    page = new_page(forced_colors="active")
    set_table(page)
    counter = page.locator("#table .counter").first
    counter.click()
    assert outline_of(counter.locator("img")) == ["solid", 3]
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    assert outline_of(page.locator("#table .counter:has(:focus-visible) img")) == ["dashed", 3]
    for what in (".kept", ".token", "#rolls", "#selection"):
        assert page.locator(what).first.evaluate("node => getComputedStyle(node).borderTopStyle") == "solid", what
    assert_accessible(page, "forced colours", ("dark", 360))
