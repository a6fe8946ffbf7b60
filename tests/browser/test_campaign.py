"""A campaign on two devices: purchases, orders, set-up, a firefight; slips, no JavaScript, the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from campaign.acts import setting_up, turns
from campaign.ledger.dice import Dice
from campaign.rules.stages import Stage
from tests.campaign.acts.game import GERMAN, RUSSIAN

from .ledger import (
    LAPTOP,
    NAME,
    PHONE,
    TABS,
    buy,
    choose_group,
    choose_party,
    end_turn,
    hold_polls,
    in_campaign,
    in_hand,
    newest,
    on_one_device,
    open_tab,
    place,
    seal_orders,
    second_tab,
    sent,
    status,
    step,
    tap,
    task,
    ticked,
    trouble,
    two_devices,
)
from .table import POLL, log_with, open_menu


def ready_for_set_up(game):
    """Both have bought a platoon and revealed their orders; the Russian, who defends, sets up."""
    game.buy(GERMAN, "I1", die=3)
    game.buy(RUSSIAN, "I1")
    game.orders()


def in_turn_one(game):
    """A firefight has begun: grenadiers in sector 6, riflemen in 7, two MGs hidden in 13."""
    game.buy(RUSSIAN, "A1")
    game.orders()
    rifles = [group for group in game.ledger.groups[RUSSIAN].values() if group.rg == "I2"]
    game.place(RUSSIAN, game.ledger.units_of(rifles[0]), 7)
    game.place(RUSSIAN, game.units(RUSSIAN, "I6"), 13, hidden=True)
    game.through_to(Stage.SETUP)
    confirm(game, RUSSIAN)
    game.place(GERMAN, game.units(GERMAN, "I1"), 6)
    confirm(game, GERMAN)


def in_turn_four(game):
    """The same three turns later."""
    in_turn_one(game)
    for _ in range(3):
        game.do(turns.end_turn, GERMAN, Dice("table", {}), leaves=True)


def confirm(game, side):
    """End a side's set-up."""
    game.do(setting_up.confirm, side)


# CG I, from the first purchase to the end of the firefight


def test_two_devices_buy_seal_and_reveal(new_page):
    german, russian = two_devices(new_page)
    expect(newest(german, "Russian takes the seat.")).to_be_visible(timeout=POLL)
    expect(status(german)).to_contain_text("CG I · firefight 1 of 3: Dawn")
    open_tab(german, "German roster")
    open_tab(russian, "German roster")

    buy(german, "I1", 3)
    expect(in_hand(german, "I1").first).to_contain_text(re.compile(r"3 × Grenadier squad\s+1 × NCO"))
    expect(ticked(german, "I1")).to_contain_text("1 of 4")
    expect(task(german, "German")).to_contain_text("16 CP")
    expect(in_hand(russian, "I1").first).to_contain_text("1 × NCO", timeout=POLL)
    expect(ticked(russian, "I1")).to_contain_text("1 of 4")
    expect(task(russian, "German")).to_contain_text("16 CP")

    buy(german, "V3", 2, 8, 5)
    expect(in_hand(german, "V3")).to_contain_text(re.compile(r"2 × Pz IV F1\s+1 × Pz IV F2"))
    expect(in_hand(russian, "V3")).to_contain_text("1 × Pz IV F2", timeout=POLL)
    card = choose_group(german, "V3")
    expect(card.locator(".notice").get_by_role("listitem")).to_have_text(
        [re.compile("V3 has 1 box in this campaign, and this would be number 2."), re.compile("costs 10 CP, .* has 6.")]
    )
    expect(card.get_by_role("button").and_(german.locator(":not(.word)"))).to_have_count(0)

    # Dice were rolled for it: it goes back only if the other side agrees.
    expect(in_hand(german, "V3").get_by_role("button", name="Give back")).to_have_count(0)
    open_tab(german, "Overview")
    german.get_by_role("button", name="Take back the last act").click()
    expect(german.get_by_text("Waiting for the other side to answer")).to_be_visible()
    expect(task(german, "German")).to_contain_text("6 CP")
    expect(russian.get_by_role("alert").filter(has_text="asks to take back")).to_be_visible(timeout=POLL)
    russian.get_by_role("button", name="Agree").click()
    expect(newest(german, "Taken back")).to_be_visible(timeout=POLL)
    expect(german.get_by_text("Waiting for the other side to answer")).to_have_count(0)
    open_tab(german, "German roster")
    expect(in_hand(german, "V3")).to_have_count(0)
    expect(task(german, "German")).to_contain_text("16 CP")
    expect(in_hand(russian, "V3")).to_have_count(0, timeout=POLL)

    open_tab(russian, "Russian roster")
    buy(russian, "I2", app=True)
    expect(in_hand(russian, "I2").first).to_contain_text("3 × Rifle squad")
    expect(in_hand(russian, "I2").first.get_by_role("button", name="Give back")).to_have_count(0)
    expect(task(german, "Russian")).to_contain_text("11 CP", timeout=POLL)

    open_tab(german, "Overview")
    seal_orders(german)
    expect(newest(german, "German seals its orders.")).to_contain_text("Attack, as the card says.")
    open_tab(russian, "Overview")
    expect(task(russian, "German")).to_contain_text("has sealed its orders")
    assert "Attack, as the card says" not in sent(russian)
    seal_orders(russian)
    russian.get_by_role("button", name="Reveal both").click()
    for page in (russian, german):
        expect(step(page)).to_have_text("Set-up", timeout=POLL)
        expect(newest(page, "German orders: Attack, as the card says.")).to_be_visible()
        expect(newest(page, "Russian orders: Hold, as the card says.")).to_be_visible()
    expect(german.get_by_text("Waiting for the Russian to set up.")).to_be_visible()


def test_set_up_goes_in_order_with_its_price_on_the_map_and_with_a_secret(new_page):
    german, russian = in_campaign(new_page, ready_for_set_up, german=PHONE, russian=PHONE)
    open_tab(german, "Map")
    expect(german.locator("#waiting-head")).to_have_count(0)
    open_tab(russian, "Map")

    choose_party(russian, "I1 Militia platoon")
    for sector, mark in ((19, "free"), (14, "+1"), (11, "+2"), (12, "+3"), (1, "–")):
        expect(russian.locator(f"#at-{sector} i")).to_have_text(mark)
    expect(russian.get_by_role("link", name="Sector 1, German")).to_have_accessible_name(
        re.compile("Sector 1 is not under Russian control")
    )
    tap(russian, 12)
    expect(russian.get_by_label("Set up in")).to_have_value("12")
    expect(russian.get_by_role("button", name="Set up", exact=True)).to_be_in_viewport(ratio=1)
    tap(russian, 11)
    expect(russian.get_by_label("Set up in")).to_have_value("11")
    expect(russian.locator(".told")).to_contain_text("Set-up: 2 CP, since it goes in by 19 – 14 – 11 (20.8.3)")
    russian.get_by_role("button", name="Set up", exact=True).click()
    expect(russian.locator(".parties li.chosen")).to_contain_text("3 in sector 11")
    expect(russian.locator(".bill")).to_contain_text("I1 Militia platoon in sector 11: 2 CP")
    expect(russian.locator(".bill")).to_contain_text("Set-up costs 2 CP in all.")
    expect(german.locator("#at-11")).to_have_accessible_name(re.compile("Russian 3"), timeout=POLL)

    place(russian, "I6 MG section", 13, hidden=True)
    expect(russian.locator(".parties li.chosen")).to_contain_text("2 × Maxim M1910 (hidden)")
    expect(russian.locator("#at-13 i")).to_be_visible()
    place(russian, "I2 Rifle platoon", 7)
    expect(german.locator("#at-7")).to_have_accessible_name(re.compile("Russian 3"), timeout=POLL)
    tap(german, 13)
    expect(german.locator("#here")).not_to_contain_text("Maxim")

    russian.get_by_role("button", name="Pay and end your set-up").click()
    expect(task(russian, "Russian")).to_contain_text("10 CP · has set up")
    expect(task(german, "German")).to_contain_text("sets up", timeout=POLL)
    place(german, "I1 Grenadier platoon", 6)
    german.get_by_role("button", name="Pay and end your set-up").click()
    for page in (german, russian):
        expect(step(page)).to_have_text("Firefight", timeout=POLL)
        expect(status(page)).to_contain_text("turn 1")
        open_tab(page, "Overview")
        expect(newest(page, "The firefight at Dawn begins with turn 1. Random marker in hex M14.")).to_be_visible()

    to_russian, to_german = sent(russian), sent(german)
    for secret in (
        "2 × Maxim M1910 (hidden)",
        "2 in sector 13",
        "2 × Maxim M1910 (#10 #11) set up in sector 13, hidden.",
    ):
        assert secret in to_russian
        assert secret not in to_german
    open_tab(german, "Map")
    expect(german.locator("#at-13")).to_have_accessible_name("Sector 13, Russian: no units")
    expect(german.locator("#here")).to_contain_text(re.compile(r"I6 MG section\s+2 × Maxim M1910"))


def test_a_group_chosen_far_down_the_list_is_asked_about_beside_the_map(new_page):
    (russian,) = in_campaign(new_page, ready_for_set_up, russian=LAPTOP)
    open_tab(russian, "Map")
    russian.mouse.wheel(0, 400)
    choose_party(russian, "I1 Militia platoon")
    expect(russian.locator("#placing-head")).to_be_in_viewport(ratio=1)
    expect(russian.locator("#at-7")).to_be_in_viewport(ratio=1)


def test_a_firefight_goes_through_its_turns_and_ends_by_the_roll(new_page):
    german, russian = in_campaign(new_page, in_turn_four)
    open_tab(german, "Firefight")
    open_tab(russian, "Firefight")
    end_turn(russian, 4)
    expect(status(german)).to_contain_text("turn 5", timeout=POLL)
    party = german.get_by_role("group", name="I1 Grenadier platoon").last
    party.get_by_role("checkbox").first.check()
    german.get_by_label("The ticked units").select_option("reduced (Casualties)")
    german.get_by_role("button", name="Note it", exact=True).click()
    expect(party.get_by_role("checkbox", name=re.compile(r"Grenadier squad #\d+ \(reduced\) 6"))).to_be_visible()
    russian.get_by_role("group", name="I6 MG section").get_by_role("checkbox").first.check()
    russian.get_by_label("The ticked units").select_option("hidden no more")
    russian.get_by_role("button", name="Note it", exact=True).click()
    expect(russian.get_by_role("checkbox", name=re.compile(r"Maxim M1910( #\d+)? 13, hidden"))).to_have_count(1)
    battery = russian.get_by_role("listitem").filter(has_text="A1 76 mm battery")
    battery.get_by_role("button", name="Has placed an FFE").click()
    expect(battery).to_contain_text("FFE placed")
    open_tab(german, "Overview")
    expect(newest(german, "German: 1 × Grenadier squad (#4): reduced (Casualties).")).to_be_visible()
    expect(newest(german, "A1 76 mm battery has placed an FFE")).to_be_visible(timeout=POLL)

    german.get_by_role("navigation", name="Campaign pages").get_by_role("link", name="Rolls and log").click()
    expect(log_with(german, "Russian: 1 × Maxim M1910 (#10): shown in sector 13.")).to_be_visible()
    expect(german.get_by_role("navigation", name="Rolls")).to_be_visible()
    open_menu(german).get_by_role("link", name="To the campaign").click()
    open_tab(german, "Firefight")

    end_turn(german, 5, 8)
    expect(german.locator(".turn-track [aria-current=step]")).to_contain_text("6 ends above 6")
    end_turn(russian, 6, 7)
    for page in (russian, german):
        expect(page.get_by_text("No firefight is being played now.")).to_be_visible(timeout=POLL)
        open_tab(page, "Overview")
        expect(newest(page, "7 against 6: the firefight ends now")).to_be_visible()
        expect(newest(page, "Russian: used up by an FFE: A1 76 mm battery.")).to_be_visible()
        expect(page.get_by_text("The firefight is over.")).to_be_visible()


# CG II, where both choose


def test_both_attack_and_a_tie_makes_the_russian_the_defender(new_page, page_errors_allowed):
    german, russian = in_campaign(new_page, card="cg2")
    seal_orders(german, "Attack", bonus=True)
    expect(task(german, "German")).to_contain_text("18 CP")
    expect(task(russian, "German")).to_contain_text("has sealed its orders", timeout=POLL)
    expect(task(russian, "German")).to_contain_text("24 CP")  # what an Attack costs would give it away
    seal_orders(russian, "Attack")
    russian.get_by_role("button", name="Reveal both").click()
    for page in (russian, german):
        expect(step(page)).to_have_text("Who attacks", timeout=POLL)
        expect(newest(page, "German orders: Attack, with the CP Bonus (6 CP).")).to_be_visible()
        expect(task(page, "German")).to_contain_text("18 CP")
    german.get_by_label("German d10").fill("5")
    german.get_by_role("button", name="Resolve").click()
    expect(german.get_by_label("Russian d10")).to_be_focused()
    expect(german.get_by_label("German d10")).to_have_value("5")
    german.get_by_label("Russian d10").fill("7")
    german.get_by_role("button", name="Resolve").click()
    for page in (german, russian):
        expect(page.get_by_text("The German is the Attacker; the other side sets up first.")).to_be_visible(
            timeout=POLL
        )
    expect(russian.get_by_role("link", name="Set up on the map")).to_be_visible()


# Slips


def double_click(page, rg):
    """Press Buy twice in haste: one group is bought."""
    choose_group(page, rg).get_by_role("button", name="Buy", exact=True).dblclick()
    expect(in_hand(page, rg).filter(has_text="bought for")).to_have_count(1)
    page.reload()
    expect(ticked(page, rg)).to_contain_text("1 of 3")


def test_a_double_click_buys_once_and_back_after_an_act_shows_the_campaign_as_it_stands(new_page):
    (german,) = in_campaign(new_page, german=PHONE)
    open_tab(german, "German roster")
    double_click(german, "I4")
    expect(task(german, "German")).to_contain_text("17 CP")
    buy(german, "I1", 3)
    open_tab(german, "Map")
    german.go_back()
    expect(german.locator(".tabs [aria-current]")).to_have_text("German roster")
    expect(ticked(german, "I1")).to_contain_text("1 of 4")
    buy(german, "I4")
    german.goto("/")
    german.go_back()
    expect(ticked(german, "I4")).to_contain_text("2 of 3")
    expect(task(german, "German")).to_contain_text("10 CP")
    buy(german, "I5")
    expect(task(german, "German")).to_contain_text("8 CP")


def test_reload_after_a_refusal_sends_nothing_again_and_shows_the_page(new_page, page_errors_allowed):
    (german,) = in_campaign(new_page, german=PHONE)
    open_tab(german, "German roster")
    card = choose_group(german, "V3")
    expect(card).to_be_in_viewport(ratio=1)
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(trouble(german)).to_contain_text("Type the dice, or let the app roll.")
    expect(german.get_by_label("Counter 1, d10")).to_be_focused()
    for number in (1, 2):
        german.get_by_label(f"Counter {number}, d10").fill("3")
    german.get_by_label("Counter 3, d10").fill("11")
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(trouble(german)).to_contain_text("11")
    expect(german.get_by_label("Counter 1, d10")).to_have_value("3")
    posts = []
    german.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" else None)
    german.reload()
    expect(card).to_contain_text("V3 Medium Panzer platoon")
    expect(trouble(german)).to_have_count(0)
    expect(task(german, "German")).to_contain_text("20 CP")
    assert not posts
    german.reload()
    expect(german.get_by_label("Counter 1, d10")).to_have_value("")
    expect(task(german, "German")).to_contain_text("20 CP")


# Once a frame has been drawn, what has arrived is in the page.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_who_taps_twice_in_haste_gets_what_was_tapped_last(new_page):
    (german,) = in_campaign(new_page, german=PHONE)
    tabs = german.get_by_role("navigation", name="Campaign pages")
    routes = []

    def hold(route):
        routes.append(route)

    for part in ("map", "paper"):
        german.route(f"**/campaign/*/{part}/", hold)
        with german.expect_request(f"**/campaign/*/{part}/"):
            tabs.get_by_role("link", name=part.capitalize()).click()
        german.evaluate(DRAWN)
    assert len(routes) == 2
    for route in routes:
        with german.expect_response(route.request.url) as answer:
            route.continue_()
        answer.value.finished()
        german.evaluate(DRAWN)
    expect(german.locator(".tabs [aria-current]")).to_have_text("Paper")
    expect(german.get_by_role("heading", name="Paper")).to_be_visible()


def test_a_form_drawn_before_the_own_side_acted_in_another_tab_is_refused(new_page, page_errors_allowed):
    (german,) = in_campaign(new_page, german=PHONE)
    open_tab(german, "German roster")
    card = choose_group(german, "I4")
    other = second_tab(german)
    hold_polls(german)
    buy(other, "I4")
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(trouble(german)).to_contain_text("The campaign has moved on since this form was drawn. Nothing was done")
    expect(trouble(german)).to_be_focused()
    expect(ticked(german, "I4")).to_contain_text("1 of 3")
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(ticked(german, "I4")).to_contain_text("2 of 3")


def test_what_somebody_does_is_left_alone_while_the_other_side_acts(new_page):
    german, russian = in_campaign(new_page)
    open_tab(german, "German roster")
    open_tab(russian, "Russian roster")
    card = choose_group(german, "V3")
    waiting = german.locator("#waiting-news")
    german.get_by_label("Counter 1, d10").fill("2")
    buy(russian, "I1")
    expect(waiting).to_be_visible(timeout=POLL)
    expect(waiting).to_be_in_viewport(ratio=1)
    expect(german.get_by_label("Counter 1, d10")).to_have_value("2")
    expect(task(german, "Russian")).to_contain_text("14 CP")
    for number, face in ((2, 8), (3, 5)):
        german.get_by_label(f"Counter {number}, d10").fill(str(face))
    card.get_by_role("button", name="Buy", exact=True).click()
    expect(in_hand(german, "V3")).to_contain_text(re.compile(r"2 × Pz IV F1\s+1 × Pz IV F2"))
    expect(waiting).to_be_hidden()
    expect(task(german, "Russian")).to_contain_text("12 CP")
    choose_group(german, "I3")
    german.get_by_label("Leader d10").fill("4")
    buy(russian, "I6")
    waiting.get_by_role("link", name="Show it").click()
    expect(task(german, "Russian")).to_contain_text("10 CP")
    expect(german.get_by_label("Leader d10")).to_have_value("")
    # News neither takes the focus away nor folds what somebody has unfolded.
    open_tab(german, "Map")
    table = german.get_by_role("region", name="The map as a table")
    german.get_by_text("The map as a table").click()
    expect(table).to_be_visible()
    german.locator("#at-12").focus()
    buy(russian, "I1")
    expect(task(german, "Russian")).to_contain_text("8 CP", timeout=POLL)
    expect(german.locator("#at-12")).to_be_focused()
    expect(table).to_be_visible()


def test_why_something_was_refused_stays_while_the_other_side_acts(new_page, page_errors_allowed):
    german, russian = in_campaign(new_page, ready_for_set_up)
    open_tab(russian, "Map")
    choose_party(russian, "I6 MG section")
    russian.get_by_role("checkbox", name="Hidden").check()
    russian.get_by_role("button", name="Set up", exact=True).click()
    expect(trouble(russian)).to_contain_text("Only units in a sector can be hidden.")
    german.get_by_role("navigation", name="Campaign pages").get_by_role("link", name="Rolls and log").click()
    german.get_by_label("Note for the log").fill("Ready when you are.")
    german.get_by_role("button", name="Write").click()
    expect(russian.locator("#waiting-news")).to_be_visible(timeout=POLL)
    expect(trouble(russian)).to_be_visible()


# Other ways to play


def test_an_observer_sees_the_campaign_and_has_nothing_to_press(new_page):
    german, observer = in_campaign(new_page, card="cg2", german=PHONE, observer=LAPTOP)
    expect(observer.get_by_text("You watch")).to_be_visible()
    seal_orders(german, "Attack", bonus=True)
    expect(newest(observer, "German seals its orders.")).to_be_visible(timeout=POLL)
    assert "with the CP Bonus (6 CP)" in sent(german)
    assert "with the CP Bonus (6 CP)" not in sent(observer)
    for name in TABS:
        open_tab(observer, name)
        buttons = observer.get_by_role("main").get_by_role("button")
        # The map's memory is played, and a word explained, to whoever looks.
        expect(buttons.and_(observer.locator(":not(.word)")).filter(has_not_text="Play")).to_have_count(0)
        expect(observer.get_by_role("main").get_by_role("textbox")).to_have_count(0)


def test_a_campaign_works_without_javascript(new_page):
    page = new_page(java_script_enabled=False)
    on_one_device(page)
    open_tab(page, "German roster")
    buy(page, "I1", 3)
    expect(task(page, "German")).to_contain_text("16 CP")
    double_click(page, "I4")
    expect(task(page, "German")).to_contain_text("13 CP")
    open_tab(page, "Map")
    tap(page, 6)
    open_tab(page, "Overview")
    seal_orders(page)
    open_menu(page).get_by_role("button", name="Hand over").click()
    page.get_by_role("button", name="I am Russian").click()
    expect(page.get_by_text("You are Russian")).to_be_visible()


def tab_to(page, target):
    """Press Tab until the focus is there."""
    for _ in range(120):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {target}")


def test_the_keyboard_alone_opens_a_sector_and_buys_a_group(new_page):
    (german,) = in_campaign(new_page, german=PHONE)
    navigation = german.get_by_role("navigation", name="Campaign pages")
    tab_to(german, navigation.get_by_role("link", name="Map", exact=True))
    german.keyboard.press("Enter")
    expect(german.locator("#here-head")).to_have_text("Off the map")
    tab_to(german, german.locator("#at-6"))
    german.keyboard.press("Enter")
    expect(german.locator("#here-head")).to_have_text("Sector 6: German")
    tab_to(german, navigation.get_by_role("link", name="German roster"))
    german.keyboard.press("Enter")
    tab_to(german, german.locator(".roster-rows").get_by_role("link", name="I1", exact=True))
    german.keyboard.press("Enter")
    expect(german.locator("#chosen-head")).to_contain_text("I1 Grenadier platoon")
    tab_to(german, german.get_by_label("Leader d10"))
    german.keyboard.type("3")
    german.keyboard.press("Enter")
    expect(in_hand(german, "I1").first).to_contain_text("1 × NCO")
    expect(german.locator("#now")).to_be_focused()


def test_the_form_for_a_campaign_says_what_is_wrong(new_page, page_errors_allowed):
    page = new_page(**PHONE)
    page.goto("/campaign/new/")
    page.get_by_label("Name").evaluate("node => node.removeAttribute('maxlength')")
    page.get_by_label("Name").fill("a" * 61)
    page.get_by_role("radio", name="CG II,").check()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text("at most 60 characters")
    expect(page.get_by_role("radio", name="CG II,")).to_be_checked()
    page.get_by_label("Name").fill(NAME)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("link", name="To the campaign")).to_be_visible()
