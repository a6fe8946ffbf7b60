"""Counters by hand: held with a thumb, set one by one and together; the keys of the table; Back."""

from playwright.sync_api import expect

from tests.firefight import players

from .table import desk_title, log_with, sit_as
from .test_thumb import bar, place

LISTED = "German: 2 Grenadier squads, 1 Officer, 1 Sdkfz 251/1 C\nRussian: 2 Rifle squads"


def set_up(page):
    """A hot-seat match with three Germans in K7 and two Russians in L7; the half-track waits off the map."""
    player, _ = players.begin(hot_seat=True)
    assert player.do("counters/add/", list=LISTED).status_code == 302
    player.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    player.do("counters/", id=["russian-1", "russian-2"], place="L7")
    sit_as(page, player)
    return player


def counter(page, counter_id):
    return page.locator(f"#c-{counter_id}")


def hold(page, counter_id):
    """Hold a counter down until its sheet is there, and let it go."""
    counter(page, counter_id).hover()
    page.mouse.down()
    expect(sheet(page)).to_be_visible()
    page.mouse.up()


def sheet(page):
    return page.locator("#desk .by-hand")


def open_sheet(page, *counter_ids):
    """Select counters and open their sheet from the strip above the bar."""
    for counter_id in counter_ids:
        counter(page, counter_id).click()
    expect(page.locator("#selection output")).to_have_text(f"{len(counter_ids)} selected")
    page.locator("#selection").get_by_role("button", name="By hand").click()
    expect(sheet(page).locator(".chosen-counters li")).to_have_count(len(counter_ids))


def press(page, name):
    """Press a button of the sheet, which closes once that is done."""
    sheet(page).get_by_role("button", name=name, exact=True).click()
    expect(sheet(page)).to_have_count(0)


def unfold(page):
    sheet(page).locator("summary").click()


def test_counters_are_held_and_set_by_hand(new_page):
    page = new_page()
    player = set_up(page)
    hold(page, "german-1")
    expect(sheet(page)).to_contain_text("Grenadier squad #1")
    expect(counter(page, "german-1").locator("input")).to_be_checked()
    # What cannot happen to it is not offered.
    expect(sheet(page).get_by_role("button", name="Pinned Down")).to_be_visible()
    expect(sheet(page).get_by_role("button", name="M-KILLED")).to_have_count(0)
    press(page, "Pinned Down")
    expect(counter(page, "german-1").locator("img")).to_have_attribute("alt", "Grenadier squad #1, Pinned Down")
    # Several at once: the place with its level. Those set before are not dragged along.
    open_sheet(page, "german-2", "german-3")
    sheet(page).get_by_label("Hex, as").fill("m9/1")
    press(page, "Move there")
    expect(place(page, "M9")).to_have_text("M9, level 1")
    expect(page.locator('#table .place[data-place^="M9"] .counter')).to_have_count(2)
    # What is typed takes the place of what stands there.
    open_sheet(page, "german-2")
    sheet(page).get_by_label("Hex, as").click()
    page.keyboard.type("m9/2")
    press(page, "Move there")
    expect(page.locator('#table .place[data-place="M9, level 2"] .counter')).to_have_count(1)
    # One of the two rides along with the other, who has a note.
    open_sheet(page, "german-2")
    unfold(page)
    sheet(page).get_by_label("Rides on").select_option("Officer #3")
    press(page, "Set the company")
    open_sheet(page, "german-2")
    unfold(page)
    sheet(page).get_by_label("Note").fill("Digs in")
    press(page, "Set the note")
    open_sheet(page, "german-2")
    unfold(page)
    sheet(page).get_by_role("checkbox", name="Disrupted").check()
    press(page, "Set the state")
    counters = {counter["id"]: counter for counter in player.get("counters.json").json()}
    fields = [counters["german-2"][name] for name in ("place", "level", "state", "beside", "note")]
    assert fields == ["M9", "2", ["disrupted"], "german-3", "Digs in"]
    assert counters["german-1"]["state"] == ["pinned"] and counters["german-3"]["state"] == []
    # Told wrongly: the eliminated come back.
    open_sheet(page, "german-2")
    press(page, "Eliminated")
    expect(counter(page, "german-2")).to_be_hidden()
    page.locator("#table details.aside summary", has_text="Out of play").click()
    counter(page, "german-2").click()
    page.locator("#selection").get_by_role("button", name="By hand").click()
    press(page, "Back into play")
    expect(page.locator("#table details.aside summary", has_text="Out of play")).to_have_count(0)
    # The line that did it undoes it.
    lines = log_with(page, "Grenadier squad #1: Pinned Down")
    lines.locator("summary").click()
    line = lines.locator(".opened .line").filter(has_text="Grenadier squad #1: Pinned Down")
    line.get_by_role("button", name="Undo").click()
    expect(counter(page, "german-1").locator("img")).to_have_attribute("alt", "Grenadier squad #1")


def test_the_keys_of_the_table_and_the_way_back(new_page):
    page = new_page(width=1280, height=800)
    set_up(page)
    page.keyboard.press("Shift+?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Into the die")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # From counter to counter, on one's own side and across to the other.
    page.keyboard.press("t")
    for key, expected in (
        ("ArrowRight", "german-2"),
        ("ArrowRight", "german-3"),
        ("ArrowLeft", "german-2"),
        ("ArrowDown", "russian-2"),
        ("ArrowUp", "german-2"),
    ):
        page.keyboard.press(key)
        expect(counter(page, expected).locator("input")).to_be_focused()
    page.keyboard.press("Space")
    expect(bar(page, "Fire")).to_contain_text("7 FF")
    # Each step is undone by Back, and by Escape.
    match = page.url
    page.keyboard.press("f")
    expect(page.locator("#aim")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#aim")).to_be_hidden()
    page.keyboard.press("f")
    place(page, "L7").click()
    expect(desk_title(page)).to_have_text("Fire (FFT)")
    page.go_back()
    expect(page.locator("#desk-form")).to_have_count(0)
    assert page.url == match
    page.keyboard.press("o")
    expect(page.locator("#rolls details[open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#rolls details[open]")).to_have_count(0)


def test_a_counter_that_does_not_belong_to_an_attack_is_left_out_by_a_tap(new_page):
    """Whoever takes a whole place with its gun need not begin again."""
    page = new_page()
    player = set_up(page)
    player.do("counters/add/", list="German: 1 le.I.G. 18")
    player.do("counters/", id="german-5", place="K7")
    page.goto(page.url)
    place(page, "K7").click()
    bar(page, "Fire").click()
    place(page, "L7").click()
    expect(page.locator("#desk-form .trouble")).to_contain_text("le.I.G. 18 #5 fires by itself")
    page.locator("#desk-form").get_by_role("button", name="Leave out le.I.G. 18 #5").click()
    expect(page.locator("#desk-form .trouble")).to_have_count(0)
    expect(page.locator("#desk-form .firers li")).to_have_count(3)
    expect(bar(page, "Fire")).to_contain_text("15 FF")


def test_what_is_typed_by_hand_or_on_a_card_stays_when_the_other_side_acts(new_page):
    german = new_page(width=1280, height=800)
    maker, links = players.begin()
    russian = players.sit(links["russian"], maker.match_id)
    maker.do("counters/add/", list="German: 2 Grenadier squads")
    maker.do("rows/", field="missions", **{"part-caliber": "105"})
    sit_as(german, maker)
    open_sheet(german, "german-1")
    unfold(german)
    sheet(german).get_by_label("Note").fill("Under the stairs")
    disrupted = sheet(german).get_by_role("checkbox", name="Disrupted")
    disrupted.check()
    aim = german.locator("#kept-cards input[data-place]").first
    aim.press_sequentially("K")
    # A roll of the other side that makes another one due, and pins the counter of the sheet.
    russian.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    maker.do("counters/", id="german-1", becomes="pinned")
    expect(counter(german, "german-1").locator("img")).to_have_attribute("alt", "Grenadier squad #1, Pinned Down")
    expect(german.locator("#desk-news")).to_be_visible()
    expect(aim).to_be_focused()
    german.keyboard.type("7")
    expect(aim).to_have_value("K7")
    expect(sheet(german).get_by_label("Note")).to_have_value("Under the stairs")
    # What was ticked is set, and what has happened to it since stays.
    press(german, "Set the state")
    expect(counter(german, "german-1").locator("img")).to_have_attribute(
        "alt", "Grenadier squad #1, Disrupted, Pinned Down"
    )


def test_a_fire_marker_comes_off_by_a_press(new_page):
    """Whoever has fired says so on the counter; one's own selected counters lose it in the strip, others' do not."""
    page = new_page(width=360, height=740)
    player = set_up(page)
    shot = {"targets": "russian-1", "range": "1", "die": "99", "dice": "table"}
    for firers in (["german-1", "german-2"], ["german-1"]):
        player.roll("fire", firers=firers, **shot)
    expect(counter(page, "german-1").locator(".pip")).to_have_text("F2")
    expect(counter(page, "german-2").locator(".pip")).to_have_text("F1")
    strip = page.locator("#selection")
    counter(page, "german-3").click()
    expect(strip.get_by_role("button", name="Unmark")).to_be_hidden()
    counter(page, "german-1").click()
    strip.get_by_role("button", name="Unmark").click()
    expect(counter(page, "german-1").locator(".pip")).to_have_count(0)
    expect(counter(page, "german-2").locator(".pip")).to_have_text("F1")
    expect(strip).to_be_hidden()
    # The next press has an act of its own.
    counter(page, "german-2").click()
    expect(strip.get_by_role("button", name="Unmark")).to_be_visible()
    assert strip.evaluate("node => node.scrollWidth <= innerWidth")
    strip.get_by_role("button", name="Unmark").click()
    expect(counter(page, "german-2").locator(".pip")).to_have_count(0)
