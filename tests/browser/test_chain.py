"""A fire mission from contact to the last morale check, on two devices."""

import pytest
from playwright.sync_api import expect

from .table import (
    POLL,
    call_fire_mission,
    choose,
    desk_title,
    due,
    entry,
    log_with,
    resolve,
    result,
    two_devices,
    type_dice,
)

PHONE = {"width": 360, "height": 740, "color_scheme": "dark"}
LAPTOP = {"width": 1280, "height": 800, "color_scheme": "light"}

# The title on the desk, the dice typed there, what the result then says, and what the log says of it.
IN_PLACE = [
    ("Contact", ["40"], "Contact: 40 against 65."),
    ("Conversion in place", [], "It becomes an FFE."),
    ("Firepower of the FFE", [], "20 FF: an FFE in its own hex."),
]
CORRECTED = [
    ("Contact", ["65"], "Contact: 65 against 65."),
    ("Accuracy of the CFF", ["31", "2"], "It strays 1 hex to the north-east"),
    ("Conversion of the CFF", [], "It becomes an FFE."),
    ("Firepower of the FFE", [], "20 FF: an FFE in its own hex."),
]
HIT_AND_CHECK = [
    ("Fire on K7 (20 FF)", ["34"], "C/M: 34 on column 20."),
    ("Who is hit", ["4", "9", "2"], "C/M hits B."),
    ("Casualties: B", [], "B: now a half-squad, Good Order."),
    ("Morale Check: B (half)", ["7"], "B (half): passed, 7 against TQ 7."),
    ("Morale Check: A", ["8"], "A: Pinned Down, 8 against TQ 7."),
    ("Morale Check: C", ["0"], "C: Disrupted, 10 against TQ 7."),
]
CHECK_ALL = [
    ("Fire on K7 (15 FF)", ["68"], "M: 68 on column 15."),
    ("Morale Check: A", ["1"], "A: passed, 1 against TQ 7."),
    ("Morale Check: B", ["9"], "B: Pinned Down, 9 against TQ 7."),
    ("Morale Check: C", ["7"], "C: passed, 7 against TQ 7."),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "correction", "steps"),
    [
        pytest.param(PHONE, LAPTOP, 0, IN_PLACE + HIT_AND_CHECK, id="phone at 360", marks=pytest.mark.quick),
        pytest.param(LAPTOP, PHONE, 2, CORRECTED + CHECK_ALL, id="laptop at 1280"),
    ],
)
def test_a_fire_mission_runs_to_its_last_morale_check_with_dice_alone(new_page, ours, theirs, correction, steps):
    german, russian = two_devices(new_page, ours, theirs)
    choose(german, "Contact")
    call_fire_mission(german, correction)
    number = 3  # the match begins, and two sit down
    for place, (title, faces, headline) in enumerate(steps):
        expect(desk_title(german)).to_have_text(title)
        if faces:
            type_dice(german, *faces)
        else:
            resolve(german)
        expect(result(german)).to_contain_text(headline)
        expect(result(german)).to_be_focused()
        number += 1
        expect(entry(german, number)).to_contain_text(headline)
        expect(entry(russian, number)).to_contain_text(headline, timeout=POLL)
        if place + 1 < len(steps):
            following = steps[place + 1][0]
            expect(russian.get_by_role("heading", name="Due now")).to_be_visible()
            expect(due(russian).first).to_have_text(following)
    expect(due(german)).to_have_count(0)
    expect(due(russian)).to_have_count(0)
    expect(german.locator("#desk-form")).to_have_count(0)
    expect(german.get_by_text("Nothing more is due.")).to_be_visible()
    expect(log_with(russian, "Morale Check")).to_have_count(sum("Morale" in title for title, _, _ in steps))


def test_the_other_player_may_roll_the_morale_checks_of_his_own_units(new_page):
    german, russian = two_devices(new_page)
    choose(german, "Fire (FFT)")
    german.get_by_label("FF", exact=True).fill("20")
    german.locator("#desk-form .rows").get_by_label("Unit", exact=True).select_option("Squad")
    german.locator("#desk-form .rows").get_by_label("TQ", exact=True).fill("6")
    type_dice(german, 70)
    expect(result(german)).to_contain_text("M: 70")
    due(russian).get_by_role("link", name="Morale Check: squad").click()
    type_dice(russian, 7)
    expect(result(russian)).to_contain_text("Squad: Pinned Down, 7 against TQ 6.")
    expect(log_with(german, "Pinned Down, 7 against TQ 6.")).to_be_visible(timeout=POLL)
    expect(due(german)).to_have_count(0)


def test_after_the_chain_the_same_roll_is_offered_again_with_its_inputs(new_page):
    german, _ = two_devices(new_page)
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("8")
    german.get_by_role("textbox", name="Name").fill("1st Squad")
    type_dice(german, 3)
    german.get_by_role("link", name="again, with the same inputs").click()
    expect(german.get_by_label("TQ", exact=True)).to_have_value("8")
    expect(german.get_by_role("textbox", name="Name")).to_have_value("1st Squad")
