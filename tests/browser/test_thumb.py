"""What the usual jobs of a turn cost with a thumb on a phone of 360 x 740, and with the keyboard of a laptop.

Nothing is typed but dice: what the app knows already, it fills in.
"""

import json
from collections import Counter as Tally

from django.urls import reverse
from playwright.sync_api import expect

from firefight.games.registry import games
from firefight.table.seats import sitting_down
from tests.firefight.players import Player

from .table import open_menu, result
from .thumb import Thumb, Typist

PHONE = {"width": 360, "height": 740}
FIRST_COUNTER, BEFORE_RESULT = 160, 60  # px from the page's top
MOST_STROKES = 12  # from the table to an attack resolved, besides the dice


class Told(Player):
    """Whoever sets the table before the job begins, in the browser's own seat."""

    def __init__(self, page, match_id):
        super().__init__(match_id)
        for cookie in page.context.cookies():
            self.client.cookies[cookie["name"]] = cookie["value"]


def begin_alone(page):
    """A German seat at a match that has no counters yet."""
    match, tokens = sitting_down.new_match(games()["combat-stalingrad"], "Jobs", hot_seat=False)
    take_seat(page, tokens["german"])
    return Told(page, match.pk)


def take_seat(page, token):
    """Sit down by a link, and go on without the way back."""
    page.goto(reverse("firefight:open-link", args=[token]))
    page.locator("main form button.main").click()
    page.get_by_role("link", name="Later").click()
    expect(page.locator("#desk")).to_be_visible()


def sit_down(page, enemies="L7"):
    """A German seat at a match with three Russian counters in L7 and two squads in K7."""
    player = begin_alone(page)
    player.do("counters/add/", list="German: 2 Grenadier squads\nRussian: 2 Rifle squads, Maxim M1910")
    player.do("counters/", id=["german-1", "german-2"], place="K7")
    russian = {"id": ["russian-1", "russian-2", "russian-3"], "place": enemies}
    answer = player.do("counters/", **russian)
    if player.match.proposal:
        raise AssertionError(answer)
    player.do("record/", field="phase", value="fire_and_movement")
    return player


def test_a_link_on_a_phone_says_who_invites_and_leads_to_the_table_in_two_taps(new_page):
    """Whoever comes by a link sees at once what it is, then once the way back, with the way on in view."""
    page = new_page(**PHONE, has_touch=True, is_mobile=True)
    _, tokens = sitting_down.new_match(games()["combat-stalingrad"], "Jobs", hot_seat=False)
    take_seat(new_page(**PHONE), tokens["german"])
    page.goto(reverse("firefight:open-link", args=[tokens["russian"]]))
    expect(page.get_by_text("German invites you to Combat! Stalingrad.")).to_be_in_viewport(ratio=1)
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("button", name="Sit down"))
    for way in ("Save", "Later", "To the match"):
        expect(page.get_by_role("link", name=way)).to_be_in_viewport(ratio=1)
    thumb.tap(page.get_by_role("link", name="To the match"))
    expect(page.locator("#desk")).to_be_visible()
    assert thumb.effort.is_within(taps=2, keys=0, screens=0), thumb.effort
    page.goto(f"{page.url}seats/")
    expect(page.locator(".way-back")).to_have_count(0)


def open_table(page, player):
    page.goto(f"/match/{player.match_id}/")
    expect(page.locator("#table .counter").first).to_be_visible()


def place(page, name):
    return page.locator(f'#table .place[data-place*="{name}"] legend')


def bar(page, name):
    return page.locator("#rolls").get_by_role("button", name=name)


def throw(thumb, *faces):
    thumb.type(thumb.page.locator("#desk input.die"), *faces)
    thumb.tap(thumb.page.locator("#desk").get_by_role("button", name="Resolve", exact=True))


def idle(page):
    return page.get_by_text("Nothing more is due")


def missions(page, name):
    return page.locator("#kept-cards").get_by_role("button", name=name, exact=True)


def add_battery(player, **parts):
    """A battery of the German, with what it is doing."""
    player.do("rows/", field="missions", **{"part-caliber": "105"})
    if parts:
        player.do("rows/", change=json.dumps({"missions": {"change": {"german-1": parts}}}))


def fire_at_three(thumb):
    """Two squads fire at a stack of three: C/M, who is hit, all three checks."""
    page = thumb.page
    thumb.tap(place(page, "K7"))
    thumb.tap(bar(page, "Fire"))
    thumb.tap(place(page, "L7"))
    throw(thumb, "25")
    expect(result(page)).to_contain_text("C/M: 25")
    throw(thumb, "9", "3", "2")
    expect(page.locator("#desk form.due h2")).to_contain_text("3 due")
    throw(thumb, "9", "5", "3")
    expect(idle(page)).to_be_visible()


def test_a_set_up_with_a_thumb(new_page):
    """Eleven counters into three hexes: the first is typed, the others are neighbours, a tap each."""
    page = new_page(**PHONE)
    player = begin_alone(page)
    player.do("counters/add/", list="German: 8 Grenadier squads, 2 Heavy MG 34, 1 Officer")
    open_table(page, player)
    thumb = Thumb(page)
    squads = [page.locator(f"#c-german-{number}") for number in range(1, 12)]
    for counters, hex_name in ((squads[:3], "K7"), (squads[3:7], "K8"), ([page.get_by_text("All: off map")], "L7")):
        for counter in counters:
            thumb.tap(counter)
        thumb.tap(page.locator("#selection").get_by_role("button", name="Move"))
        chip = page.locator("#desk .places").get_by_role("button", name=hex_name, exact=True)
        if hex_name == "K7":
            expect(page.locator("#desk").get_by_label("Hex, as")).to_be_focused()
            thumb.type(page.locator("#desk").get_by_label("Hex, as"), "K7")
            chip = page.locator("#desk").get_by_role("button", name="Move there")
        thumb.tap(chip)
        expect(page.locator("#desk .by-hand")).to_have_count(0)
        expect(page.locator("#selection")).to_be_hidden()
    assert Tally(counter["place"] for counter in player.get("counters.json").json()) == {"K7": 3, "K8": 4, "L7": 4}
    effort = thumb.effort
    assert (effort.taps <= 14, effort.keys <= 2, effort.screens <= 0.5) == (True, True, True), effort
    player.roll("free-roll", label="Initiative", roll="each", german_die="4", russian_die="2", dice="table")
    open_table(page, player)
    # Whoever stands somewhere is offered the hexes around it first.
    page.locator("#c-german-1").click()
    page.locator("#selection").get_by_role("button", name="Move").click()
    expect(page.locator("#desk .places button").first).to_be_visible()
    first = [chip.inner_text() for chip in page.locator("#desk .places button").all()[:6]]
    assert first == ["K6", "L6", "L7", "K8", "J7", "J6"]
    page.evaluate("scrollTo(0, 400)")
    page.locator("#desk .places").get_by_role("button", name="K8", exact=True).click()
    expect(page.locator('#table .place[data-place="K8"] .counter')).to_have_count(5)
    assert page.evaluate("scrollY") > 300  # the next ones are taken where the thumb was


def test_a_fire_attack_with_a_thumb(new_page):
    page = new_page(**PHONE)
    player = sit_down(page)
    open_table(page, player)
    first = page.locator("#table .counter").first.bounding_box()["y"]
    assert first <= FIRST_COUNTER
    thumb = Thumb(page)
    fire_at_three(thumb)
    assert thumb.effort.is_within(taps=8, keys=8, screens=0.5), thumb.effort
    assert page.locator("#desk article.result").bounding_box()["y"] <= BEFORE_RESULT
    states = {counter["id"]: counter["state"] for counter in player.get("counters.json").json()}
    assert states["russian-1"] == ["reduced", "disrupted"]


def test_a_correction_and_a_conversion_with_a_thumb(new_page):
    """The CFF goes two hexes on and becomes an FFE, which falls on two hexes with units."""
    page = new_page(**PHONE)
    player = sit_down(page, enemies="R30")
    player.do("counters/", id=["russian-3"], place="R31")
    add_battery(player, marker="cff", hex="R32")
    open_table(page, player)
    thumb = Thumb(page)
    thumb.tap(place(page, "R30"))
    thumb.tap(place(page, "R31"))
    thumb.tap(missions(page, "Correct fire"))  # to R30, which was tapped first
    throw(thumb, "30")
    expect(result(page)).to_contain_text("Contact")
    throw(thumb, "30")
    expect(page.locator("#desk")).to_contain_text("It becomes an FFE")
    throw(thumb, "50")
    expect(page.locator("#desk form.due h2")).to_contain_text("2 due")
    throw(thumb, "3", "3")
    expect(page.locator("#desk .form-head h2")).to_contain_text("R31")
    throw(thumb, "99")
    expect(idle(page)).to_be_visible()
    assert thumb.effort.is_within(taps=12, keys=10, screens=1), thumb.effort


def test_a_fire_attack_with_the_keyboard(new_page):
    """Strokes from the table to an attack resolved, besides the dice."""
    page = new_page(width=1280, height=800)
    player = sit_down(page)
    open_table(page, player)
    typist = Typist(page)
    typist.press("t", "p", "f", "ArrowDown", "p")
    for digits, words in (("25", "C/M: 25"), ("932", "C/M hits"), ("953", "Disrupted")):
        expect(page.locator("#desk input.die")).to_have_count(1 if digits == "25" else 3)
        typist.roll(digits)
        expect(result(page)).to_contain_text(words)
    expect(idle(page)).to_be_visible()
    assert typist.strokes <= MOST_STROKES


def test_what_falls_down_from_the_head_goes_when_the_bar_is_pressed(new_page):
    page = new_page()
    sit_down(page)
    place(page, "K7").click()
    page.locator("#turn > summary").click()
    expect(page.locator("#turn .panel")).to_be_visible()
    bar(page, "Fire").click()
    expect(page.locator("#turn .panel")).to_be_hidden()


def test_the_end_of_a_match_unfolds_with_its_button_in_sight(new_page):
    page = new_page()
    sit_down(page)
    open_menu(page).get_by_text("End the match").click()
    expect(page.get_by_role("button", name="Propose the end")).to_be_in_viewport()


def test_counters_stay_in_place_while_a_sheet_lies_over_them(new_page):
    """The result on top was folded away, and the page slid by its height: who was to be moved was out of sight."""
    page = new_page(**PHONE)
    player = sit_down(page)
    player.roll("morale", tq=6, name="Old", die=3, dice="table")
    open_table(page, player)
    counter = page.locator("#c-german-1")
    counter.click()
    before = counter.bounding_box()["y"]
    page.locator("#selection").get_by_role("button", name="Move").click()
    sheet = page.locator("#desk .by-hand")
    expect(sheet).to_be_visible()
    expect(page.locator("#desk > .result.stays")).to_have_count(1)
    scrolled = page.evaluate("scrollY")
    assert abs(counter.bounding_box()["y"] + scrolled - before) <= 12  # a selected counter rises a little
    assert counter.bounding_box()["y"] + counter.bounding_box()["height"] <= sheet.bounding_box()["y"]
    sheet.get_by_role("link", name="Close").click()
    expect(sheet).to_have_count(0)
    expect(page.locator("#desk > .result")).to_have_count(1)
