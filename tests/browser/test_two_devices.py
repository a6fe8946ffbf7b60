"""Two players on two devices: news, clashes, second thoughts, secrets, an observer, the end."""

import re

from playwright.sync_api import expect

from .table import (
    POLL,
    begin,
    choose,
    desk_title,
    due,
    entry,
    go_to_page,
    log_with,
    open_dice,
    open_menu,
    press_turn,
    result,
    roll_morale,
    sit_down,
    two_devices,
    type_dice,
    unfold_note,
)

# On a phone an open form lies over the log.
LAPTOP = {"width": 1280, "height": 800}


def roll_fire(page, die="70"):
    """Fire on one squad of TQ 7 on column 20; 70 gives M, so one Morale Check is due."""
    choose(page, "Fire (FFT)")
    page.get_by_label("FF", exact=True).fill("20")
    rows = page.locator("#desk-form .rows")
    rows.get_by_label("Unit", exact=True).select_option("Squad")
    rows.get_by_label("TQ", exact=True).fill("7")
    type_dice(page, die)
    expect(result(page)).to_contain_text("on column 20")


def hold_polls(page):
    """Let this page hear no news from now on."""
    page.route("**/live/**", lambda route: route.fulfill(status=204))


def write_note(page, text, about="", sealed=False):
    page.get_by_label("Note for the log").fill(text)
    if about or sealed:
        unfold_note(page)
        page.get_by_label("On entry №").fill(about)
        page.get_by_role("checkbox", name="Sealed for my side").set_checked(sealed)
    page.get_by_role("button", name="Write").click()
    expect(page.locator("#log-rows")).to_contain_text(text)
    expect(page.get_by_label("Note for the log")).to_have_value("")


def test_when_both_press_resolve_on_the_same_due_roll_only_the_first_rolls(new_page, page_errors_allowed):
    german, russian = two_devices(new_page, LAPTOP)
    roll_fire(german)
    expect(desk_title(russian)).to_have_text("Morale Check: squad")
    hold_polls(russian)
    type_dice(german, 3)
    expect(result(german)).to_contain_text("passed")
    type_dice(russian, 9)
    expect(russian.get_by_text("The match has moved on since this form was drawn. Nothing was done")).to_be_visible()
    expect(log_with(german, "Squad held.")).to_have_count(1)
    russian.unroute("**/live/**")
    expect(log_with(russian, "Squad held.")).to_be_visible()
    expect(due(russian)).to_have_count(0)
    type_dice(russian, 9)
    expect(russian.get_by_text("This roll is no longer due")).to_be_visible()
    expect(log_with(german, "Squad held.")).to_have_count(1)
    # A line that two answers bring stands once.
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("7")
    answers = []
    german.route("**/note/", lambda route: answers.append((route, route.fetch())))
    german.get_by_label("Note for the log").fill("Into the cellar!")
    with german.expect_request("**/note/"):
        german.get_by_role("button", name="Write").click()
    for _ in range(100):  # until the note is in the log, though its answer is held back
        if answers:
            break
        german.wait_for_timeout(50)
    type_dice(german, 3)
    expect(german.get_by_text("The match has moved on")).to_be_visible()
    expect(log_with(german, "Into the cellar!")).to_have_count(1)
    ((route, answer),) = answers
    route.fulfill(response=answer)
    expect(german.get_by_label("Note for the log")).to_have_value("")
    expect(log_with(german, "Into the cellar!")).to_have_count(1)


def test_the_desk_of_the_other_device_follows_but_for_what_is_being_filled_in(new_page):
    german, russian = two_devices(new_page)
    expect(russian.get_by_text("Choose a roll below")).to_be_visible()
    # Due rolls come onto it, a roll made elsewhere leaves it, and the status agrees with it all the while.
    roll_fire(german)
    expect(desk_title(russian)).to_have_text("Morale Check: squad", timeout=POLL)
    expect(russian.get_by_role("heading", name="Due now")).to_be_hidden()  # what is due alone is no list besides
    expect(result(russian)).to_contain_text("on column 20")
    expect(russian.get_by_text("Choose a roll below")).to_have_count(0)
    type_dice(german, 3)
    expect(result(russian)).to_contain_text("passed, 3 against TQ 7", timeout=POLL)
    expect(russian.locator("#desk-form")).to_have_count(0)
    expect(russian.get_by_text("Nothing more is due.")).to_be_visible()
    german.get_by_role("button", name="Take back").click()
    expect(desk_title(russian)).to_have_text("Morale Check: squad", timeout=POLL)
    type_dice(russian, 9)
    expect(result(german)).to_contain_text("9 against TQ 7", timeout=POLL)
    # A form that is half filled stays, and a bar shows the news.
    choose(russian, "Contact")
    russian.locator("summary", has_text="More values").click()
    russian.get_by_label("Other DRM").fill("5")
    roll_fire(german)
    bar = russian.locator("#desk-news")
    expect(bar).to_contain_text("New: 20 FF: M.", timeout=POLL)
    expect(due(russian)).to_have_count(1)
    expect(desk_title(russian)).to_have_text("Contact")
    expect(russian.get_by_label("Other DRM")).to_have_value("5")
    bar.get_by_role("link", name="Show it").click()
    expect(desk_title(russian)).to_have_text("Morale Check: squad")
    expect(bar).to_be_hidden()
    type_dice(russian, 4)
    expect(result(german)).to_contain_text("passed, 4 against TQ 7", timeout=POLL)
    # One that was drawn again as it was typed stays, too.
    choose(russian, "Morale Check")
    russian.get_by_label("TQ", exact=True).fill("7")
    type_dice(russian)
    expect(russian.get_by_text("Type this die.")).to_be_visible()
    roll_fire(german)
    expect(bar).to_be_visible(timeout=POLL)
    expect(russian.get_by_label("TQ", exact=True)).to_have_value("7")
    type_dice(russian, 8)
    expect(result(russian)).to_contain_text("8 against TQ 7")
    expect(bar).to_be_hidden()
    expect(result(german)).to_contain_text("8 against TQ 7", timeout=POLL)
    # A due roll can be dropped.
    german.get_by_role("button", name="Drop all due").click()
    expect(log_with(german, "Not rolled: Morale Check: squad.")).to_be_visible()
    expect(due(russian)).to_have_count(0)
    resolve_is_gone = german.locator("#desk-form").get_by_role("button", name="Resolve")
    expect(resolve_is_gone).to_have_count(0)


def test_a_roll_is_made_once_and_opening_a_form_does_not_swallow_the_others_news(new_page):
    german, russian = two_devices(new_page)
    hold_polls(german)
    roll_morale(russian)
    choose(german, "Morale Check")
    german.unroute("**/live/**")
    expect(log_with(german, "1st Squad: passed")).to_have_count(1)
    german.get_by_label("TQ", exact=True).fill("7")
    type_dice(german, 9)
    expect(result(german)).to_contain_text("Pinned Down, 9 against TQ 7")
    # A double click on Resolve is one roll.
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("6")
    german.locator("#desk-form .dice input.die").fill("3")
    german.locator("#desk-form .dice").get_by_role("button", name="Resolve").dblclick()
    expect(log_with(russian, "against TQ 6")).to_be_visible(timeout=POLL + 1000)
    expect(log_with(german, "against TQ 6")).to_have_count(1)
    expect(log_with(russian, "against TQ 6")).to_have_count(1)


def test_resolve_without_a_die_keeps_the_last_result_and_back_leaves_a_form_and_not_the_match(new_page):
    page = new_page()
    begin(page)
    match = page.url
    roll_morale(page, face=3)
    page.get_by_role("link", name="again, with the same inputs").click()
    roll_morale(page, face=9)
    page.goto(match)
    roll_fire(page)
    assert page.url == match
    type_dice(page)
    expect(page.get_by_text("Type this die.")).to_be_visible()
    expect(result(page)).to_contain_text("on column 20")
    expect(page.locator("#desk-form input.die")).to_be_focused()
    choose(page, "Contact")
    assert page.url.endswith("/roll/contact/")
    page.go_back()
    expect(desk_title(page)).to_have_text("Morale Check: squad")
    assert page.url == match
    type_dice(page, 3)
    expect(result(page)).to_contain_text("passed, 3 against TQ 7")
    page.go_forward()
    expect(desk_title(page)).to_have_text("Contact")
    page.reload()
    expect(desk_title(page)).to_have_text("Contact")
    # The sentence above the die follows the inputs.
    expect(page.get_by_text("Contact needs 65 or less on the die.")).to_be_visible()
    page.get_by_label("Reached by").select_option("Phone")
    expect(page.get_by_text("Contact needs 75 or less on the die.")).to_be_visible()
    expect(page.get_by_text("Contact needs 65 or less on the die.")).to_have_count(0)


def test_a_typed_roll_is_taken_back_freely_and_one_of_the_app_when_the_other_side_agrees(new_page):
    german, russian = two_devices(new_page)
    roll_fire(german)
    expect(due(russian)).to_have_count(1, timeout=POLL)
    german.get_by_role("button", name="Take back").click()
    expect(log_with(german, "Taken back: № 4.")).to_be_visible()
    expect(entry(german, 4)).to_contain_text("Void: see № 5.")
    expect(due(german)).to_have_count(0)
    expect(log_with(russian, "Taken back: № 4.")).to_be_visible(timeout=POLL)
    expect(entry(russian, 4)).to_contain_text("Void: see № 5.")
    expect(due(russian)).to_have_count(0)
    # One of the app.
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("7")
    german.get_by_role("button", name="Roll here").click()
    expect(result(german)).to_contain_text("against TQ 7")
    expect(entry(german, 6)).to_contain_text("rolled here, no. 1")
    german.get_by_role("button", name="Take back").click()
    expect(german.get_by_text("Waiting for the other side to answer")).to_be_visible()
    expect(entry(german, 6)).not_to_contain_text("Void")
    expect(russian.get_by_role("alert").filter(has_text="asks to take back")).to_be_visible(timeout=POLL)
    russian.get_by_role("button", name="Agree").click()
    expect(entry(russian, 6)).to_contain_text("Void: see № 8.")
    expect(entry(german, 6)).to_contain_text("Void: see № 8.", timeout=POLL)
    expect(german.get_by_text("Waiting for the other side to answer")).to_have_count(0)
    # A typed die is corrected.
    roll_morale(german, face=3)
    number = int(german.locator("#log-rows .line:not(.line .line)").first.get_attribute("id").removeprefix("entry-"))
    open_dice(german, number).get_by_role("link", name="Correct the dice").click()
    expect(desk_title(german)).to_have_text(f"Correct № {number}")
    expect(german.get_by_text("The old dice showed 3.")).to_be_visible()
    expect(german.get_by_label("TQ", exact=True)).to_have_value("7")
    type_dice(german, 8)
    expect(result(german)).to_contain_text("Pinned Down, 8 against TQ 7")
    for page in (german, russian):
        expect(page.locator(f"#entry-{number} > .how > summary")).to_contain_text("corrected", timeout=POLL)
        how = open_dice(page, number)
        struck, new = how.locator("li").first, how.locator("li").last
        expect(new).to_contain_text(f"corrects № {number}")
        expect(struck).to_contain_text(f"Void: see № {number + 1}.")
        expect(struck.locator("p").first).to_have_css("text-decoration-line", "line-through")
        expect(struck.get_by_role("link", name="Correct the dice")).to_have_count(0)
    expect(russian.get_by_role("link", name="Correct the dice")).to_have_count(0)


def test_notes_reach_both_disturb_no_form_and_stay_sealed_until_they_are_revealed(new_page):
    german, russian = two_devices(new_page, LAPTOP)
    choose(german, "Morale Check")
    german.get_by_label("TQ", exact=True).fill("9")
    write_note(german, "Wait, I look it up.")
    expect(german.get_by_label("TQ", exact=True)).to_have_value("9")
    expect(entry(russian, 4)).to_be_visible(timeout=POLL)
    write_note(russian, "Was that squad in the cellar?", about="4")
    expect(entry(russian, 5)).to_contain_text("on № 4")
    expect(entry(german, 5)).to_contain_text("Was that squad in the cellar?", timeout=POLL)
    expect(german.get_by_label("TQ", exact=True)).to_have_value("9")
    type_dice(german, 2)
    expect(result(german)).to_contain_text("passed, 2 against TQ 9")
    secret = "Panzers hide in L12"
    write_note(german, secret, sealed=True)
    expect(entry(russian, 7)).to_contain_text("German seals a note.", timeout=POLL)
    assert secret not in russian.content()
    russian.reload()
    assert secret not in russian.content()
    expect(russian.get_by_role("button", name="Reveal")).to_have_count(0)
    entry(german, 7).get_by_role("button", name="Reveal").click()
    expect(entry(german, 8)).to_contain_text("German reveals № 7.")
    expect(entry(russian, 7)).to_contain_text(secret, timeout=POLL)
    expect(entry(german, 7).get_by_role("button", name="Reveal")).to_have_count(0)


def test_an_observer_sees_the_log_and_the_due_rolls_and_has_no_buttons(new_page):
    german, observer = new_page(), new_page()
    sit_down(observer, begin(german).observer)
    expect(observer.get_by_text("You watch")).to_be_visible()
    roll_fire(german)
    expect(log_with(observer, "on column 20")).to_be_visible(timeout=POLL)
    expect(due(observer)).to_have_text(["Morale Check: squad"])
    write_note(german, "Only for us", sealed=True)
    expect(log_with(observer, "German seals a note.")).to_be_visible(timeout=POLL)
    observer.reload()
    assert "Only for us" not in observer.content()
    expect(result(observer)).to_contain_text("on column 20")
    main = observer.get_by_role("main")
    # But for words that explain themselves.
    expect(main.get_by_role("button").and_(main.locator(":not(.word)"))).to_have_count(0)
    expect(main.get_by_role("textbox")).to_have_count(0)
    expect(observer.locator("#status .steps a")).to_have_count(0)


def test_phases_move_on_for_both_and_the_end_opens_the_seed_and_all_rolls_fit(new_page):
    german, russian = two_devices(new_page)
    phase = russian.locator("#turn .panel h2")
    for _ in range(12):
        before = german.locator("#turn .panel h2").text_content()
        if "impulse" in before:
            break
        press_turn(german, "Next phase")
        expect(german.locator("#turn .panel h2")).not_to_have_text(before)
    expect(phase).to_contain_text("impulse: German", timeout=POLL)
    press_turn(german, "Pass impulse")
    expect(phase).to_contain_text("impulse: Russian", timeout=POLL)

    choose(german, "Observer lost")
    german.get_by_role("button", name="Roll here").click()
    expect(log_with(german, "rolled here, no. 1")).to_be_visible()
    go_to_page(german, "Dice")
    expect(german.get_by_text("When the match ends the seed is shown here")).to_be_visible()
    german.get_by_role("link", name="Evening at the Tractor Works").click()
    open_menu(german).get_by_text("End the match").click()
    german.get_by_role("checkbox", name="The match is over").check()
    german.get_by_role("button", name="Propose the end").click()
    russian.get_by_role("button", name="Agree").click()
    expect(log_with(german, "The match ends; the dice can be checked.")).to_be_visible()
    expect(log_with(russian, "The match ends; the dice can be checked.")).to_be_visible(timeout=POLL)
    expect(russian.locator("#status")).to_contain_text("ended")
    expect(russian.locator("#status").get_by_role("button")).to_have_count(0)
    with german.expect_download() as download:
        open_menu(german).get_by_role("link", name="Log as file").click()
    for page in (german, russian):
        go_to_page(page, "Dice")
        expect(page.get_by_text("The match has ended, so here is the seed:")).to_be_visible()
        expect(page.get_by_role("status")).to_contain_text("of the app checked: all of them fit the seed")
    german.goto("/dice/")
    german.get_by_label("Log file").set_input_files(download.value.path())
    german.get_by_role("button", name="Check", exact=True).click()
    expect(german.get_by_role("status")).to_contain_text("1 roll of the app checked: all of them fit the seed")


def make_way_back(page):
    go_to_page(page, "Seats")
    page.get_by_role("button", name="New way back").click()
    return page.get_by_role("textbox", name="Your own link").input_value()


def test_a_seat_that_moves_to_another_device_leaves_the_old_one(new_page, page_errors_allowed):
    german, russian = two_devices(new_page)
    write_note(russian, "Panzers in L12", sealed=True)
    at_match = russian.url
    link = make_way_back(russian)
    russian.goto(at_match)
    phone = new_page()
    phone.goto(link)
    phone.get_by_role("button", name="Sit down here").click()
    expect(phone.get_by_role("textbox", name="Your own link")).to_be_visible()
    expect(russian.get_by_role("heading", name="You hold no seat in this match")).to_be_visible(timeout=POLL)
    assert "Panzers" not in russian.content()
    expect(log_with(german, "Russian comes back to the seat by its own link.")).to_be_visible(timeout=POLL)


def test_who_is_said_to_have_lost_the_seat_says_that_they_are_here(new_page):
    german, russian = two_devices(new_page)
    at_match = german.url
    go_to_page(german, "Seats")
    german.get_by_text("This seat is lost").click()
    german.get_by_role("button", name="Russian has lost the seat").click()
    expect(german.get_by_text("Russian has time to answer until")).to_be_visible()
    german.goto(at_match)
    expect(russian.get_by_text("The other side says that you have lost your seat.")).to_be_visible(timeout=POLL)
    russian.get_by_role("button", name="I am here").click()
    expect(russian.get_by_text("The other side says that you have lost your seat.")).to_be_hidden()
    expect(log_with(german, "Russian is here and keeps the seat.")).to_be_visible(timeout=POLL)


def test_over_to_you_is_told_on_the_other_device_until_that_acts(new_page):
    german, russian = two_devices(new_page)
    german.locator("summary.turn").click()
    german.get_by_label("A line for Russian").fill("Your checks")
    german.get_by_role("button", name="Over to Russian").click()
    expect(russian.locator(".over-to-you")).to_have_text("German: over to you. “Your checks”", timeout=POLL)
    expect(russian).to_have_title(re.compile("^Your turn"), timeout=POLL)
    expect(log_with(german, "Over to you: Your checks")).to_have_count(1)
    write_note(russian, "Done.")
    expect(russian.locator(".over-to-you")).to_have_count(0)
    expect(german.locator("[data-waits=me]")).to_have_count(0)
