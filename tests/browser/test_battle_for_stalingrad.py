"""Battle for Stalingrad as two players use it: a phone that attacks, a laptop that sees it happen."""

import pytest
from playwright.sync_api import expect

from tests.firefight import players
from tests.soak import length

from .table import choose, press_turn, result, sit_as
from .test_axe import assert_accessible

GAME = "battle-for-stalingrad"
PHONE, LAPTOP = ("dark", 360), ("light", 1280)


@pytest.mark.soak
def test_an_attack_from_its_intention_to_its_losses(new_page, page_errors_allowed):
    page, other = new_page(), new_page(width=1280, height=800, color_scheme="light")
    maker, links = players.begin(game=GAME, name="September")
    sit_as(other, players.sit(links["soviet"], maker.match_id))
    sit_as(page, maker)
    # Guns into a fortified hex with armor among others.
    choose(page, "Combat")
    page.get_by_label("Kind of fire").select_option("Bombardment")
    page.get_by_label("Terrain").select_option("Fortified structure")
    page.get_by_label("h halves, q quarters").press_sequentially("10h 8q/2-18")
    opening = page.locator("#opening")
    expect(opening).to_contain_text("Fire Strength 10 × ½ × ¼ + 8 × ¼ × ¼ = 1¾. Is that 1 or 2?")
    assert_accessible(page, "an attack that asks", PHONE)
    page.get_by_label("Round a fraction").select_option("Down")
    expect(opening).to_contain_text("rounded down to 1: column 1. Roll a d6.")
    expect(opening).to_contain_text("+3 Fortified structure, Soviet held")
    page.locator("input[name=die]").fill("1")
    page.get_by_role("button", name="Resolve").last.click()
    expect(result(page)).to_have_text("Bombardment, Fire Strength 1: no effect.")
    expect(page.locator("#desk")).to_contain_text("Column 1, row 4. A column higher, 2: nothing.")
    choose(page, "Combat")
    page.get_by_role("button", name="10 × ½ · 8 × ¼ 2-18").click()
    expect(page.locator("ol.listed")).to_contain_text("8 × ¼ 2-18")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(other.locator("#log-rows")).to_contain_text("Bombardment, Fire Strength 1: no effect.", timeout=20_000)
    # A card hands on what it knows, and what is blank is asked for.
    page.goto(f"/match/{maker.match_id}/roll/terrain/?terrain=special")
    page.get_by_role("button", name="Resolve").last.click()
    expect(result(page)).to_have_text("Special structure.")
    page.locator("input[name=strength]").fill("12")
    page.locator("input[name=die]").fill("2")
    page.get_by_role("button", name="Resolve").last.click()
    page.get_by_label("Special structures: firing into one, addition to the die").fill("2")
    assert_accessible(page, "a blank cell that is asked for", PHONE, part="#desk")
    page.get_by_role("button", name="Resolve").last.click()
    expect(result(page)).to_have_text("Ground attack, Fire Strength 12: 2 enemy units eliminated.")
    press_turn(page, "Next turn")
    expect(other.locator("#log-rows")).to_contain_text("Turn 2.", timeout=20_000)
    assert_accessible(other, "what the other side sees", LAPTOP)
    for address in (f"/charts/{GAME}/", f"/match/{maker.match_id}/record/")[length(2, 0) :]:  # as in other games
        other.goto(address)
        assert_accessible(other, address, LAPTOP)
