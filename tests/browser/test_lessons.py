"""The lessons on a phone: each hint stands beside what it speaks of, is told, and goes once that was done.

Close Combat is learnt here in a soak; over HTTP it is in tests/firefight/table/test_lessons.py.
"""

import pytest
from playwright.sync_api import expect

from firefight.models import Match
from tests.soak import IS_WHOLE

from .test_axe import assert_accessible

PHONE = ("dark", 360)
COMBAT, IMPULSES, BATTLE = "combat-stalingrad", "turning-point-stalingrad", "battle-for-stalingrad"
STREETS, INFERNO = "streets-of-stalingrad", "inferno-on-the-volga"


def begin_lesson(page, game, slug):
    """Press its button where a match begins."""
    page.goto(f"/match/new/{game}/")
    page.locator(f"button[name=lesson][value={slug}]").click()
    page.locator("#hint").wait_for()


def expect_hint(page, step, beside):
    """The hint of a step is on show, near what it speaks of, which is described by it, and it was told politely."""
    hint = page.locator("#hint")
    expect(hint).to_have_attribute("data-of", step)
    expect(hint).to_be_visible()
    subject = page.locator('[aria-describedby~="hint"]')
    expect(subject).to_have_count(1)
    assert subject.evaluate("(node, css) => node.matches(css) || !!node.closest(css)", beside)
    expect(page.locator("body > [role=status].unseen")).to_have_text(hint.locator("p").inner_text())


def throw(page, *faces):
    """Type dice, and press Resolve; what came of it is on the desk then."""
    boxes = page.locator("#desk input.die")
    expect(boxes).to_have_count(len(faces))
    for box, face in zip(boxes.all(), faces, strict=True):
        box.fill(face)
    page.locator("#desk").get_by_role("button", name="Resolve", exact=True).last.click()


def read_odds(page):
    """Unfold the odds and fold them again."""
    expect_hint(page, "odds", "#odds summary")
    page.locator("#odds summary").click()
    expect(page.locator("#hint")).not_to_have_attribute("data-of", "odds")
    page.locator("#odds summary").click()


def ask_why(page):
    expect_hint(page, "why", "details.why > summary")
    with page.expect_response("**/lesson/"):  # otherwise a page that is loaded again shows it once more
        page.locator("#desk details.why > summary").first.click()
    expect(page.locator("#hint[data-of=why]")).to_have_count(0)


def expect_end(page, words):
    expect(page.locator("#hint")).to_have_count(0)
    expect(page.locator("#lesson")).to_contain_text(words)


def place(page, name):
    return page.locator(f"#table .place[data-place={name}] legend")


@pytest.mark.soak
def test_the_whole_taught_firefight_and_axe_finds_nothing_with_a_hint_in_view(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, COMBAT, "fire")
    expect_hint(page, "choose", "#table .place[data-place=K7]")
    assert_accessible(page, "a hint at the table")
    page.set_viewport_size({"width": 360, "height": 740})
    place(page, "K7").click()
    expect_hint(page, "press", "#rolls [data-roll=fire]")
    page.locator("#rolls [data-roll=fire]").click()
    expect_hint(page, "aim", "#table .place[data-place=K9]")
    page.reload()  # what was only chosen is to be chosen again
    expect_hint(page, "choose", "#table .place[data-place=K7]")
    place(page, "K7").click()
    page.locator("#rolls [data-roll=fire]").click()
    place(page, "K9").click()
    read_odds(page)
    expect_hint(page, "die", "#desk-form input.die")
    assert_accessible(page, "a hint on a sheet")
    page.set_viewport_size({"width": 360, "height": 740})
    throw(page, "25")
    expect_hint(page, "checks", "#desk-form input.die")
    throw(page, "3", "9")
    ask_why(page)
    page.reload()
    expect_hint(page, "back", "#do-take-back")
    page.locator("#do-take-back").click()
    expect_end(page, "That was a fire attack")
    assert_accessible(page, "the end of a lesson", PHONE)
    page.get_by_role("button", name="Next: Artillery").click()

    expect_hint(page, "aim", "#table .place[data-place=P12]")
    place(page, "P12").click()
    expect_hint(page, "contact", "#kept-cards form[action*=contact] button")
    page.locator("#kept-cards form[action*=contact] button").click()
    expect_hint(page, "reach", "#desk-form input.die")
    throw(page, "30")
    expect_hint(page, "land", "#desk-form input.die")
    page.locator("#desk input.die").first.fill("30")
    page.keyboard.press("Enter")
    expect_hint(page, "resolve", "#desk-form input.die")
    throw(page, "25")
    expect(page.locator("#desk input.die")).to_have_count(2)
    expect_hint(page, "resolve", "#desk-form input.die")
    throw(page, "3", "9")
    expect_hint(page, "card", "#kept-cards article details > summary")
    page.locator("#kept-cards article details > summary").click()
    expect_end(page, "That was a Contact")
    expect(page.get_by_role("button", name="Next: Close Combat")).to_be_in_viewport()  # from far down the page
    if IS_WHOLE:
        learn_close_combat(page)


def learn_close_combat(page):
    page.get_by_role("button", name="Next: Close Combat").click()
    expect_hint(page, "open", "#due a[href*=melee]")
    page.locator("#due a[href*=melee]").click()
    expect_hint(page, "declare", "#desk button[value=declare]")
    page.locator("#desk button[value=declare]").click()
    expect_hint(page, "dice", "#desk-form input.die")
    throw(page, "20", "99")
    expect_end(page, "That was Close Combat")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#lesson")).to_have_count(0)


def test_an_impulse_of_turning_point_is_taught(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, IMPULSES, "impulse")
    expect_hint(page, "open", "#rolls [data-roll=attack]")
    assert_accessible(page, "a hint above the bar", PHONE)
    page.locator("#rolls [data-roll=attack]").click()
    expect_hint(page, "attackers", "[name=attackers-short]")
    page.locator("[name=attackers-short]").press_sequentially("4/71 3/71")
    expect_hint(page, "defenders", "[name=defenders-short]")
    page.locator("[name=defenders-short]").press_sequentially("3 2")
    read_odds(page)
    expect_hint(page, "dice", "#desk-form input.die")
    throw(page, "8", "9")
    expect_hint(page, "pay", "#desk .offers button")
    page.locator("#desk .offers button").first.click()
    ask_why(page)
    expect_hint(page, "done", "#due button[value=impulse]")
    page.locator("#due button[value=impulse]").click()
    expect_end(page, "That was an impulse")


def test_a_combat_of_battle_for_stalingrad_is_taught(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, BATTLE, "combat")
    expect_hint(page, "open", "#rolls [data-roll=combat]")
    page.locator("#rolls [data-roll=combat]").click()
    expect_hint(page, "firers", "[name=firers-short]")
    page.locator("[name=firers-short]").press_sequentially("6 4 8h")
    expect_hint(page, "terrain", "[name=terrain]")
    page.locator("[name=terrain]").select_option("heavy")
    read_odds(page)
    expect_hint(page, "die", "#desk-form input.die")
    throw(page, "2")
    ask_why(page)
    expect_hint(page, "back", "#do-take-back")
    page.locator("#do-take-back").click()
    expect_end(page, "That was a combat")


def choose_fire(page, step, roll):
    """Follow a hint at the bar to one of its fires."""
    expect_hint(page, step, "#rolls summary[data-key=a]")
    page.locator("#rolls summary[data-key=a]").click()
    page.locator(f"#rolls [data-roll={roll}]").click()


def type_points(page, step, points):
    """Type what fires, where a hint says so."""
    expect_hint(page, step, "[name=points]")
    page.locator("#desk-form [name=points]").press_sequentially(points)


def test_an_attack_and_a_bombardment_of_streets_are_taught(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, STREETS, "attack")
    choose_fire(page, "open", "battle")
    type_points(page, "points", "24")
    expect_hint(page, "terrain", "[name=terrain_drm]")
    page.locator("[name=terrain_drm]").press_sequentially("0")
    expect_hint(page, "declare", "#desk-form button")
    page.get_by_role("button", name="Declare", exact=True).last.click()
    expect_hint(page, "reply", "#desk .offers button")
    page.locator("#desk .offers").get_by_role("button", name="Defensive fire").click()
    type_points(page, "defence", "8")
    expect_hint(page, "defence-die", "#desk-form input.die")
    throw(page, "9")
    read_odds(page)
    expect_hint(page, "die", "#desk-form input.die")
    throw(page, "2")
    expect_hint(page, "rest", "#desk-form button")  # its losses settle themselves, who advances is asked
    page.locator("#desk .offers").get_by_role("button", name="Somebody is left").click()
    ask_why(page)
    expect_hint(page, "back", "#do-take-back")
    page.locator("#do-take-back").click()
    expect_end(page, "That was an attack")
    page.get_by_role("button", name="Next: A bombardment").click()
    choose_fire(page, "spot", "spotting")
    expect_hint(page, "table", "[name=table]")
    page.locator("[name=table]").select_option("wbbt")
    expect_hint(page, "look", "#desk-form button")
    page.get_by_role("button", name="Look up", exact=True).last.click()
    type_points(page, "points", "14")
    expect_hint(page, "die", "#desk-form input.die")
    throw(page, "3")
    ask_why(page)
    expect_end(page, "That was a bombardment")


def test_the_first_turn_of_inferno_is_taught(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, INFERNO, "turn")
    steps = {"begin": ".actions .main", "deliberate": "[value=deliberate]", "target": "[value=hex-37]"}
    steps |= {"card": "[value=attack]", "roll": "[value=app]"}
    for step, control in steps.items():
        if step == "deliberate":
            expect_hint(page, "look", ".board-view")
            assert_accessible(page, "a hint at the map", PHONE)
            with page.expect_response("**/lesson/"):
                page.locator("#board-over [name=at][value='37']").click()
        expect_hint(page, step, "#step-form")
        page.locator(f"#step-form {control}").first.click()
    # A block with many dots may hold the hex.
    page.locator("#step-form :is([value=go], [name=way])").first.wait_for()
    if page.locator("#step-form [value=go]").count():
        expect_hint(page, "advance", "#step-form")
        page.locator("#step-form [value=go]").click()
    expect_hint(page, "soviets", "#step-form")
    page.locator("#step-form [name=way]").click()
    expect_end(page, "That was a whole turn")


def press_by_keyboard(page, target, key="Enter"):
    """Press Tab until a control has the focus, then a key."""
    for _ in range(90):
        if target.evaluate("node => node === document.activeElement"):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {target}")


def test_the_taught_firefight_needs_the_keyboard_alone(new_page):
    page = new_page(width=1280, height=800)
    page.goto(f"/match/new/{COMBAT}/")
    press_by_keyboard(page, page.locator("button[name=lesson][value=fire]"))
    expect_hint(page, "choose", "#table .place[data-place=K7]")
    page.keyboard.press("t")
    for _ in range(3):
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
    expect_hint(page, "press", "#rolls [data-roll=fire]")
    page.keyboard.press("f")
    expect_hint(page, "aim", "#table .place[data-place=K9]")
    press_by_keyboard(page, page.locator("#table input[value=russian-1]"), "Space")
    expect_hint(page, "odds", "#odds summary")
    press_by_keyboard(page, page.locator("#odds summary"))
    expect_hint(page, "die", "#desk-form input.die")
    press_by_keyboard(page, page.locator("#desk-form input.die"), "2")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect_hint(page, "checks", "#desk-form input.die")
    press_by_keyboard(page, page.locator("#desk-form input.die").first, "9")
    page.keyboard.press("Enter")
    press_by_keyboard(page, page.locator("#desk details.why > summary"))
    expect_hint(page, "back", "#do-take-back")
    press_by_keyboard(page, page.locator("#do-take-back"))
    expect_end(page, "That was a fire attack")


def test_a_hint_is_sent_away_for_good(new_page):
    page = new_page(width=360, height=740)
    begin_lesson(page, COMBAT, "fire")
    page.get_by_role("button", name="No more hints").click()
    expect(page.locator("#hint, #lesson")).to_have_count(0)
    expect(page.locator('[aria-describedby~="hint"]')).to_have_count(0)
    page.reload()
    place(page, "K7").click()
    expect(page.locator("#selection")).to_be_visible()
    expect(page.locator("#hint, #lesson")).to_have_count(0)
    assert Match.objects.get().lesson.is_over
