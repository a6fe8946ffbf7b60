"""What an attack of Streets of Stalingrad costs with a thumb on a phone, step by step, and whether all can read it.

What the commonest one costs: test_streets.py, on two phones.
"""

import re

from playwright.sync_api import expect

from firefight.games.registry import games
from firefight.table.seats import sitting_down

from .test_axe import assert_accessible
from .test_thumb import PHONE, Told, take_seat
from .thumb import Thumb

LOOK = ("dark", 360)
SLUG = "streets-of-stalingrad"
CITY = {"terrain": "city", "points": 9, "die": "10", "dice": "table", "cell:terrain:city": "1"}


def begin_attack_phase(new_page):
    """A phone at a table that both share, in the Germans' first attack phase; what the chart lacks is told already."""
    page = new_page(**PHONE, has_touch=True, is_mobile=True)
    match, tokens = sitting_down.new_match(games()[SLUG], "Attacks", hot_seat=False)
    take_seat(page, tokens["german"])
    player = Told(page, match.pk)
    player.do("record/", field="phase", value="5")
    player.roll("attack", **CITY)
    page.goto(f"/match/{match.pk}/")
    return page, Thumb(page), player


def fill_in(page, thumb, points, terrain, ticks=(), leaders=""):
    """Fill an attack in: from the bar, with the cursor in the points already."""
    thumb.tap(page.locator("#rolls summary", has_text="Fire"))
    thumb.tap(page.locator("#rolls").get_by_role("button", name="Attack, step by step"))
    points_box = page.get_by_label("AF that attack", exact=True)
    expect(points_box).to_be_focused()
    page.keyboard.type(points)
    choose_terrain(page, thumb, terrain)
    for tick in ticks:
        thumb.tap(page.locator("#desk label.tick", has_text=re.compile(rf"^\s*{tick}\s*$")))
    if leaders:
        thumb.tap(page.get_by_label("Leaders who attack", exact=True))
        page.keyboard.press("Control+A")
        page.keyboard.type(leaders)


def choose_terrain(page, thumb, value):
    """A tap on one of the six that stand open, where it is not chosen yet."""
    button = page.locator(f"#desk [name=terrain][value={value}]")
    if not button.is_checked():
        thumb.tap(page.locator(f"#desk label.tick:has([name=terrain][value={value}])"))
    expect(button).to_be_checked()


def press(page, thumb, name):
    thumb.tap(page.locator("#desk").get_by_role("button", name=name, exact=True))


def resolve(page, thumb, die, points=""):
    """Type what is asked, and the die."""
    if points:
        thumb.type(page.locator("#desk input[name=points]"), points)
    thumb.type(page.locator("#desk input.die"), die)
    press(page, thumb, "Resolve")


TICKS = (
    *("Fortification", "Leader in the target hex", "Unpinned infantry type attacks from the next hex"),
    *("Assault advantage", "Combat engineers or flame-throwers"),
)


def test_five_ticks_fire_in_defence_a_leader_and_a_p_cost_twenty(new_page):
    """The leader falls with a unit, so that the points are added up again; the P lets its owner choose.

    On the way axe looks at each step.
    """
    page, thumb, player = begin_attack_phase(new_page)
    answer = player.roll("attack", terrain="clear", points=9, die="10", dice="table", **{"cell:terrain:clear": "0"})
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    page.goto(f"/match/{player.match_id}/")
    fill_in(page, thumb, "20", "clear", TICKS, leaders="1")
    assert_accessible(page, "an attack to be declared", LOOK, part="#desk")
    press(page, thumb, "Declare")
    expect(page.locator("#desk").get_by_role("button", name="Defensive fire")).to_be_visible()
    assert_accessible(page, "a decision of the defender", LOOK, part="#desk")
    press(page, thumb, "Defensive fire")
    expect(page.locator("#desk-form h2")).to_contain_text("Soviet defensive fire")
    assert_accessible(page, "fire in defence", LOOK, part="#desk")
    page.set_viewport_size({name: PHONE[name] for name in ("width", "height")})
    resolve(page, thumb, "1", points="20")
    expect(page.locator("#desk-form h2")).to_contain_text("German leader in the hex")
    resolve(page, thumb, "10")
    resolve(page, thumb, "6", points="14")
    expect(page.locator("#desk-form h2")).to_contain_text("Soviet units under the P")
    press(page, thumb, "One unit is lost, the rest stay")
    expect(page.locator("#desk-form")).to_have_count(0)
    assert [line.helper for line in player.log if line.helper][-1] == "p-result"
    assert thumb.effort.taps <= 20, thumb.effort


def test_a_tap_on_the_phase_tells_its_day_and_days_of_a_card_are_asked_beside_it(new_page):
    page, thumb, _ = begin_attack_phase(new_page)
    thumb.tap(page.locator("#turn > summary"))
    expect(page.locator("#turn .turn-told")).to_contain_text("Soviet movement is halved")
    assert_accessible(page, "the panel of a phase", part="#turn")
    page.goto(f"/match/new/{SLUG}/")
    days = page.get_by_label("First day, by the card")
    expect(days).to_be_hidden()
    page.get_by_label("Scenario").select_option("6")
    expect(days).to_be_visible()
    page.get_by_label("Scenario").select_option("3")
    expect(days).to_be_hidden()
