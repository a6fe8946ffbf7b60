"""Streets of Stalingrad on a phone and a laptop: a day begun, a hex looked up, a bombardment, an attack; what it costs
a thumb; what is due on later days, and what nobody else is told."""

import pytest
from playwright.sync_api import expect

from tests.firefight import players
from tests.soak import IS_WHOLE, length

from .table import log_with, result, sit_as
from .test_axe import assert_good
from .thumb import Thumb

GAME = "streets-of-stalingrad"
PHONE = {"width": 360, "height": 740}
MOST_TAPS_OF_ATTACK, MOST_TAPS_OF_LONG_ATTACK = 6, 20
MOST_TAPS_OF_BOMBARDMENT, MOST_TAPS_OF_PHASE, MOST_TAPS_OF_FIRST_PHASE = 6, 1, 3


def put(player, **values):
    for field, value in values.items():
        answer = player.do("record/", field=field, value=str(value), house="on" if field in ("turn", "phase") else None)
        assert answer.status_code == 302, players.words_of(answer)


def counted(page):
    """A thumb that begins to count."""
    page.set_viewport_size(PHONE)
    return Thumb(page)


def press_in_bar(thumb, item, roll=""):
    """Press an item of the bar, and a roll of its menu."""
    bar = thumb.page.locator("#rolls")
    thumb.tap(bar.locator("summary" if roll else "button").filter(has_text=item).first)
    if roll:
        thumb.tap(bar.locator(f"[data-roll={roll}]"))
    expect(thumb.page.locator("#desk-form input:focus")).to_have_count(1)  # what is asked for has the focus


def test_days_on_a_phone_with_a_laptop_beside_it(new_page):
    maker, links = players.begin("german", game=GAME)
    page, other = new_page(**PHONE, reduced_motion="reduce"), new_page(width=1280, height=800)
    sit_as(other, players.sit(links["soviet"], maker.match_id))
    sit_as(page, maker)
    # The next phase, with its house-keeping: one tap.
    thumb = counted(page)
    thumb.tap(page.locator("#due").get_by_role("button", name="Next phase"))
    expect(page.locator("#turn > summary")).to_contain_text("Simultaneous Bombardment")
    assert thumb.effort.taps <= MOST_TAPS_OF_PHASE, thumb.effort
    # How many Stukas the card gives is asked once in a campaign, before anybody can bombard.
    thumb = counted(page)
    thumb.type(page.locator("#desk-form [name='cell:stukas:3']"), "12")
    thumb.tap(page.locator("#desk").get_by_role("button", name="Resolve", exact=True))
    expect(result(page)).to_contain_text("12 Stukas, by the German card")
    assert thumb.effort.taps <= 2, thumb.effort
    # A hex: a tap for the sheet, four digits, and it stands there.
    thumb = counted(page)
    press_in_bar(thumb, "Hex")
    taps = thumb.effort.taps
    page.keyboard.type("1039")
    expect(page.locator("#desk-form")).to_contain_text("2 victory points")
    assert thumb.effort.taps == taps == 1
    assert_good(page, "a hex", part="#desk")
    page.get_by_role("link", name="Close").first.click()
    # A bombardment on the West Bank, with what its spotter gives.
    thumb = counted(page)
    press_in_bar(thumb, "Fire", "bombardment")
    thumb.page.keyboard.type("14")
    thumb.tap(page.locator("#f-spotting"))
    page.keyboard.press("Control+A")
    page.keyboard.type("1")
    expect(page.locator("#odds summary")).to_be_visible()
    thumb.type(page.locator("#desk input.die"), "3")
    thumb.tap(page.locator("#desk").get_by_role("button", name="Resolve", exact=True))
    expect(result(page)).to_contain_text("14 points")
    assert thumb.effort.taps <= MOST_TAPS_OF_BOMBARDMENT, thumb.effort
    expect(log_with(other, "14 points")).to_be_visible(timeout=20_000)
    assert_good(page, "a bombardment's result")
    # 21 October: weather and Stukas at one press, each with the dice in the log.
    put(maker, turn=38, phase=LAST_PHASE)
    page.reload()
    thumb = counted(page)
    thumb.tap(page.locator("#due").get_by_role("button", name="Next phase"))
    thumb.tap(page.locator("#do-throw-all"))
    expect(page.locator("#do-throw-all")).to_have_count(0)
    assert thumb.effort.taps <= MOST_TAPS_OF_FIRST_PHASE, thumb.effort
    assert_good(page, "what is due on a morning")
    assert {line.helper for line in maker.log if line.kind == "roll"} == {"bombardment", "weather", "stukas"}


CITY = "cell:terrain:city"
SOVIET_ATTACK, LAST_PHASE = 12, 15
DUE_ON = {  # what the first phase of a day asks for (14.71, 15.52, 15.53)
    14: ("26 Sep", ["Ammunition shortage", "Stukas available"]),
    29: ("11 Oct", ["Ammunition shortage", "Ammunition shortage", "Stukas available"]),
    67: ("18 Nov", ["Ammunition shortage", "Ammunition shortage", "Weather", "Stukas available"]),
}


def clear_due(one, other):
    """Both do without what is due."""
    while one.match.state.queue:
        one.do("drop/", step="all")
        if one.match.proposal:
            other.do("answer/", agrees="yes")


def press_next(page, words):
    """A device that looks again presses *Next phase*, until the bar says what is wanted."""
    page.reload()
    page.locator("#due, #status").get_by_role("button", name="Next phase").first.click()
    expect(page.locator("#turn > summary")).to_contain_text(words)


def attack(mine, theirs, points, defender):
    """One attack on a city, declared here and answered there, thrown here."""
    press_in_bar(counted(mine) if mine.viewport_size == PHONE else Thumb(mine), "Fire", "battle")
    mine.get_by_label("AF that attack", exact=True).fill(points)
    mine.locator("#desk input[name=terrain][value=city]").locator("xpath=ancestor::label").click()
    mine.locator("#desk").get_by_role("button", name="Declare", exact=True).click()
    expect(mine.locator("#desk")).to_contain_text(f"The {defender} decides.")
    theirs.locator("#desk").get_by_role("button", name="All stay, no fire").click(timeout=20_000)
    expect(mine.locator("#desk-form h2")).to_contain_text("attack", timeout=20_000)
    mine.locator("#desk").get_by_role("button", name="Roll here").click()
    expect(result(mine)).to_contain_text(f"attack on City, {points} points")
    expect(log_with(theirs, f"attack on City, {points} points").first).to_be_visible(timeout=20_000)


@pytest.mark.soak
def test_two_devices_play_an_attack_and_begin_days(new_page):
    """The defender attacks, and what a day begins with; whole days go by in the test_whole_campaign.py of the game."""
    maker, links = players.begin("german", game=GAME)
    soviet = players.sit(links["soviet"], maker.match_id)
    put(maker, phase=5)
    maker.roll("attack", points="8", terrain="city", die="5", **{CITY: "-1"})  # what a chart lacks is asked once
    clear_due(maker, soviet)
    page, other = new_page(**PHONE, reduced_motion="reduce"), new_page(width=1280, height=800)
    sit_as(other, soviet)
    sit_as(page, maker)
    # 13 September: the attacker's device waits while the defender's decides, and goes on by itself; the other way round
    # in what an attack costs a thumb.
    put(maker, phase=SOVIET_ATTACK - 1)
    press_next(page, "13 Sep · Soviet Attack")
    other.reload()
    attack(other, page, "9", "German")
    assert [line.helper for line in maker.log].count("battle") == 1
    # 14 September begins on either device.
    clear_due(maker, soviet)
    put(maker, phase=LAST_PHASE)
    press_next(other, "14 Sep")
    expect(other.locator("#due li")).to_have_text(["Stukas available"])
    for turn, (day, due) in [*DUE_ON.items()][-length(1, len(DUE_ON)) :]:
        clear_due(maker, soviet)
        put(maker, turn=turn - 1, phase=LAST_PHASE)
        clear_due(maker, soviet)
        press_next(page, f"{day} · Administrative")
        expect(page.locator("#due li")).to_have_count(len(due))
        for name in {*due}:
            expect(page.locator("#due li").filter(has_text=name)).to_have_count(due.count(name))
        expect(page.locator("body")).to_contain_text("First: Ammunition shortage (14.71)")
    # 18 November is the last day: what ends it is the count of the victory points.
    clear_due(maker, soviet)
    put(maker, phase=LAST_PHASE)
    page.reload()
    page.locator("#due, #status").get_by_role("button", name="End the game").first.click()
    expect(page.locator("#due, #desk")).to_contain_text(["Victory points"])
    expect(other.locator("#due")).to_contain_text("Victory points", timeout=20_000)


LEAST = ("Roll here", "Somebody is left, or nobody advances")  # what a step costs at least
RUNS_ON = "10"  # on the die of a tank that was lost
TICKS = ("adjacent_infantry", "leader_in_target", "fortification", "target_armored", "if_with_direct")


def decide(thumb, button):
    """One decision on a desk, whoever's it is."""
    thumb.tap(thumb.page.locator("#desk").get_by_role("button", name=button, exact=True).first)


@pytest.mark.soak
def test_what_an_attack_costs_a_thumb(new_page):
    maker, links = players.begin("german", game=GAME)
    soviet = players.sit(links["soviet"], maker.match_id)
    put(maker, phase=5)
    maker.roll("attack", points="8", terrain="city", die="5", **{CITY: "-1"})  # what a chart lacks is asked once
    clear_due(maker, soviet)
    page, other = (new_page(**PHONE, reduced_motion="reduce") for _ in range(2))
    sit_as(other, soviet)
    sit_as(page, maker)
    # Totals typed, no ticks.
    mine, theirs = counted(page), counted(other)
    press_in_bar(mine, "Fire", "battle")
    page.keyboard.type("12")
    mine.tap(page.locator("#desk input[name=terrain][value=city]").locator("xpath=ancestor::label"))
    decide(mine, "Declare")
    decide(theirs, "All stay, no fire")
    expect(page.locator("#desk-form h2")).to_contain_text("German attack", timeout=20_000)
    decide(mine, "Roll here")
    expect(result(page)).to_contain_text("German attack on City, 12 points")
    assert mine.effort.taps + theirs.effort.taps <= MOST_TAPS_OF_ATTACK
    if IS_WHOLE:  # on one device it is in test_attack_steps.py
        attack_at_length(maker, soviet, page, other)


def attack_at_length(maker, soviet, page, other):
    """Five ticks, fire in defence, a P, a leader."""
    clear_due(maker, soviet)
    page.reload()
    other.reload()
    mine, theirs = counted(page), counted(other)
    press_in_bar(mine, "Fire", "battle")
    page.keyboard.type("12")
    mine.tap(page.locator("#desk input[name=terrain][value=city]").locator("xpath=ancestor::label"))
    for tick in TICKS:
        mine.tap(page.locator(f"#desk input[name={tick}]"))
    decide(mine, "Declare")
    decide(theirs, "Defensive fire")
    theirs.type(other.locator("#desk-form input[name=points]"), "12")
    theirs.type(other.locator("#desk input.die"), "10")
    decide(theirs, "Resolve")
    expect(page.locator("#desk-form h2")).to_contain_text("German attack", timeout=20_000)
    mine.type(page.locator("#desk input.die"), "2")
    decide(mine, "Resolve")
    expect(result(page)).to_contain_text("D1P")
    steps = []
    while step := next(iter(maker.match.state.queue), None):
        steps.append(step.helper)
        thumb = mine if step.inputs.get("side") == "german" else theirs
        expect(thumb.page.locator("#desk-form h2")).to_contain_text(step.title, timeout=20_000)
        if step.helper == "tank":  # none stays in the hex, so somebody may advance
            thumb.type(thumb.page.locator("#desk input.die"), RUNS_ON)
            decide(thumb, "Resolve")
        else:
            offered = thumb.page.locator("#desk").get_by_role("button").all_inner_texts()
            decide(thumb, next(name for name in (*LEAST, "Resolve") if name in offered))
        expect(thumb.page.locator(f"#desk-form [name=step][value='{step.id}']")).to_have_count(0)
    assert steps == ["leader-survival", "tank", "decide"], steps
    assert mine.effort.taps + theirs.effort.taps <= MOST_TAPS_OF_LONG_ATTACK, (steps, mine.effort, theirs.effort)
