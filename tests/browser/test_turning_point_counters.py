"""Turning Point: Stalingrad with counters on a phone: an attack with its payment, a retreat, a Dawn of ten isolated
units, and what a second device sees of it."""

from playwright.sync_api import expect

from tests.firefight import players
from tests.firefight.games.turning_point_stalingrad.units_in_play import put_out, set_out, shown, take_map

from .table import result, sit_as
from .test_axe import assert_good
from .thumb import Thumb

PHONE = {"width": 360, "height": 740}
MOST_OF_ATTACK_AND_PAYMENT, MOST_OF_RETREAT, MOST_OF_DAWN, MOST_OF_IMPULSE = 6, 2, 4, 9


def counter(page, counter_id):
    return page.locator(f"label.counter:has(input[value='{counter_id}'])")


def in_play(player):
    return [counter for counter in player.match.state.counters.values() if not counter.get("fate")]


def test_an_attack_its_payment_and_the_retreat_by_taps_on_two_phones(new_page):
    maker, links = players.begin("german", game="turning-point-stalingrad")
    russian = players.sit(links["russian"], maker.match_id)
    take_map(maker, german="24,6,C")
    ids = set_out(maker, russian, german_24="Pi 295, 2 I/295", russian_25="3 1/10 NKVD")
    page, other = new_page(**PHONE, reduced_motion="reduce"), new_page(**PHONE, reduced_motion="reduce")
    sit_as(page, maker)
    sit_as(other, russian)
    thumb = Thumb(page)
    thumb.tap(counter(page, ids["Pi 295"]))
    thumb.tap(counter(page, ids["I/295 #2"]))
    thumb.tap(page.locator("#rolls [data-roll=attack]"))
    thumb.tap(counter(page, ids["1/10 NKVD #1"]))
    expect(page.locator("#odds")).to_contain_text("won")
    assert_good(page, "an attack filled from counters")
    page.set_viewport_size(PHONE)
    faces = page.locator("#desk input.die")
    thumb.type(faces, "9", "2")
    page.keyboard.press("Enter")
    expect(result(page)).to_contain_text("Casualty Point")
    paying = Thumb(other)
    offer = other.locator("#desk .offers button", has_text="flips and retreats").first
    expect(offer).to_be_visible(timeout=20_000)
    assert_good(other, "a payment by name", part="#desk")
    other.set_viewport_size(PHONE)
    paying.tap(offer)
    assert thumb.effort.taps + paying.effort.taps <= MOST_OF_ATTACK_AND_PAYMENT, (thumb.effort, paying.effort)
    goal = other.locator("#desk .offers button", has_text="Into Area 34")
    expect(goal).to_be_visible()
    assert_good(other, "a retreat", part="#desk")
    other.set_viewport_size(PHONE)
    retreat = Thumb(other)
    retreat.tap(goal)
    expect(result(other)).to_contain_text("into Area 34")
    assert retreat.effort.taps <= MOST_OF_RETREAT, retreat.effort
    expect(page.locator("#log-rows")).to_contain_text("Area 34", timeout=20_000)
    assert "34" in {counter["place"] for counter in in_play(maker)}


def test_a_dawn_of_ten_isolated_units_in_four_taps(new_page):
    maker, _ = players.begin("german", hot_seat=True, game="turning-point-stalingrad")
    take_map(maker, german="24,6,C")
    set_out(maker, german_35="Pi 295, 4 I/295, 4 A/24, Flak 5", german_24="2 I/295")
    for counter_id, (place, _) in shown(maker).items():
        put_out(maker, counter_id, place, *(("d2", "isolated_2") if place == "35" else ("d3",)))
    for field, value in (("date", "1942-09-14"), ("time", "night"), ("box", "12"), ("track", "flips")):
        maker.do("record/", field=field, value=value)
    page = new_page(**PHONE, reduced_motion="reduce")
    sit_as(page, maker)
    thumb = Thumb(page)
    thumb.tap(page.locator("#due").get_by_role("button", name="Dawn: the next day"))
    thumb.tap(page.locator("#due").get_by_text("Units at Dawn"))
    expect(page.locator("#desk-form")).to_contain_text("Pi 295")
    thumb.tap(page.locator("#desk-form").get_by_role("button", name="Resolve", exact=True))
    expect(page.locator("#desk input.die")).to_have_count(10)
    assert_good(page, "ten Attrition rolls at once", part="#desk")
    page.set_viewport_size(PHONE)
    thumb.type(page.locator("#desk input.die"), *"1234561234")
    page.keyboard.press("Enter")
    expect(page.locator("#desk input.die")).to_have_count(1)  # for a new tank: nobody is to be withdrawn on that date
    assert thumb.effort.taps <= MOST_OF_DAWN, thumb.effort
    counters_left = in_play(maker)
    assert len([counter for counter in counters_left if counter["place"] == "35"]) == 6, "four rolls of 1 and 2"
    assert {tuple(counter["state"]) for counter in counters_left if counter["place"] == "24"} == {("d2",)}


def lead(thumb, words):
    """Tap something that the guide says."""
    thumb.tap(thumb.page.locator("#guide").get_by_text(words, exact=True))


def test_an_impulse_is_led_on_a_phone_from_the_choice_of_an_area_to_its_end(new_page):
    maker, _ = players.begin("german", hot_seat=True, game="turning-point-stalingrad")
    take_map(maker, german="24,6,C")
    set_out(maker, german_24="Pi 295, I/295", german_6="I/295", russian_25="2 1/10 NKVD")
    page = new_page(**PHONE, reduced_motion="reduce")
    sit_as(page, maker)
    thumb = Thumb(page)
    lead(thumb, "Lead me through this impulse")
    lead(thumb, "Area 24")
    expect(page.locator("#guide")).to_contain_text("Move units of Area 24")
    expect(page.locator("#guide .question")).to_be_focused()
    assert_good(page, "a guide", part="#due")
    page.set_viewport_size(PHONE)
    lead(thumb, "All 2 in Area 24")
    thumb.tap(page.locator("#offers").get_by_text("Into Area 25, 4 MF"))
    lead(thumb, "The Fresh Group in Area 25")
    thumb.type(page.locator("#desk input.die"), "9", "9")
    page.keyboard.press("Enter")
    expect(page.locator("#guide")).to_contain_text("Due first: The Russian pays")
    thumb.tap(page.locator("#desk .offers button").first)
    expect(page.locator("#guide")).not_to_contain_text("pays")
    maker.do("drop/", step="all")  # where to retreat
    expect(page.locator("#guide")).to_contain_text("Nobody of Area 24 can do more", timeout=20_000)
    thumb.tap(page.locator("#due").get_by_role("button", name="Impulse done"))
    expect(page.locator("#guide")).to_have_text("Lead me through this impulse")  # the Russian, on the same device
    page.wait_for_load_state()
    assert thumb.effort.taps <= MOST_OF_IMPULSE, thumb.effort
