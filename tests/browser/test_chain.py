"""A fire mission from contact to the last morale check, on two devices."""

import pytest
from playwright.sync_api import expect

from .table import (
    POLL,
    begin,
    call_fire_mission,
    choose,
    desk_title,
    due,
    log_up_to,
    log_with,
    result,
    two_devices,
    type_dice,
)

PHONE = {"width": 360, "height": 740, "color_scheme": "dark"}
LAPTOP = {"width": 1280, "height": 800, "color_scheme": "light"}

# The title on the desk, the dice typed there, and what the log then says: the roll's own line first,
# then a line for each that follows from it without a die.
STRAYED = [
    ("Contact", ["65"], ["Contact: 65 against 65."]),
    (
        "Accuracy of the CFF",
        ["31", "2"],
        ["It strays 1 hex to the north-east", "It becomes an FFE.", "20 FF: an FFE in its own hex."],
    ),
]
HIT = [
    ("Fire on K7 (15 FF)", ["24"], ["C/M: 24 on column 15."]),
    ("Who is hit", ["4", "9", "2"], ["C/M hits B.", "B: now a half-squad, Good Order."]),
]
CHECK_AFTER_HIT = {
    "B (half)": ("7", "B (half): passed, 7 against TQ 7."),
    "A": ("8", "A: Pinned Down, 8 against TQ 7."),
    "C": ("0", "C: Disrupted, 10 against TQ 7."),
}


@pytest.mark.quick
def test_a_fire_mission_runs_to_its_last_morale_check_with_dice_alone(new_page):
    steps, checks = STRAYED + HIT, CHECK_AFTER_HIT
    german, russian = two_devices(new_page, PHONE, LAPTOP)
    choose(german, "Contact")
    call_fire_mission(german, correction=2)
    number = 3  # the match begins, and two sit down
    for place, (title, faces, lines) in enumerate(steps):
        expect(desk_title(german)).to_have_text(title)
        type_dice(german, *faces)
        number = expect_lines(german, russian, number, lines)
        following = steps[place + 1][0] if place + 1 < len(steps) else f"Morale Check: {next(iter(checks))}"
        expect(due(russian).first).to_have_text(following)
    card = german.locator("form.due")
    expect(card.get_by_role("heading", name="Morale Check: 3 due")).to_be_visible()
    expect(due(russian)).to_have_count(len(checks))
    for row, (unit, (face, _)) in enumerate(checks.items()):
        expect(card.locator(".due-row .who b").nth(row)).to_have_text(unit)
        card.locator(".due-row").nth(row).locator("input.die").fill(face)
    card.locator("button.main").click()
    expect_lines(german, russian, number, [headline for _, headline in checks.values()])
    expect(due(german)).to_have_count(0)
    expect(due(russian)).to_have_count(0)
    expect(german.locator("#desk-form")).to_have_count(0)
    expect(german.get_by_text("Nothing more is due.")).to_be_visible()
    result = "C/M. B halved and held, A Pinned Down, C Disrupted."
    expect(log_with(russian, result)).to_have_count(1)
    expect(log_with(german, result)).to_have_count(1)


def expect_lines(ours, theirs, number, lines):
    """What an act did stands on the desk, and both pages have heard of it; the number of the last line."""
    expect(result(ours)).to_be_focused()
    for line in lines:
        number += 1
        expect(ours.locator("#desk .result")).to_contain_text(line)
    expect(log_up_to(ours, number)).to_be_attached()
    expect(log_up_to(theirs, number)).to_be_attached(timeout=POLL)
    return number


def test_after_the_chain_the_same_roll_is_offered_again_with_its_inputs(new_page):
    german = new_page()
    begin(german)
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("8")
    german.get_by_role("textbox", name="Name").fill("1st Squad")
    type_dice(german, 3)
    german.get_by_role("link", name="again, with the same inputs").click()
    expect(german.get_by_label("TQ", exact=True)).to_have_value("8")
    expect(german.get_by_role("textbox", name="Name")).to_have_value("1st Squad")
