"""What Dawn and the Volga ask for at the table, by the counters in play."""

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import words_of
from tests.games.test_sheets import lay

from .units_in_play import GAME, add, begin, begin_on_map, put_out, set_out, shown

pytestmark = pytest.mark.django_db


def end_night(player, date):
    """The night before a date ends."""
    for field, value in (("date", date), ("time", "night"), ("box", "12"), ("track", "flips")):
        player.do("record/", field=field, value=value)
    player.do("advance/", button="turn")
    return [step.helper for step in player.match.state.queue]


@pytest.mark.parametrize(
    ("units", "date", "is_due"),
    [
        ("", "1942-09-20", True),  # nobody knows of any counter
        ("Pi 295", "1942-09-20", False),
        ("Pi 295", "1942-09-26", True),  # the sheet has one that leaves
        ("Pi 295, I/295", "1942-09-20", False),
        ("Pi 295, I/295", "1942-09-26", True),
    ],
)
def test_withdrawals_are_due_on_the_dates_on_which_counters_leave(units, date, is_due):
    german = begin()
    if units:
        set_out(german, german_25=units)
    assert ("withdrawal" in end_night(german, date)) is is_due


@pytest.mark.parametrize(
    ("units", "date", "is_due"),
    [("", "1942-09-20", True), ("II/94", "1942-09-20", False), ("II/94", "1942-10-03", True)],
)
def test_reinforcements_are_due_on_the_dates_on_which_counters_come(units, date, is_due):
    german = begin()
    set_out(german, german_25="Pi 295")
    if units:
        sheet = "name\tside\tclass\taf\tdf\tmf\tarrives\nII/94\tGerman\tInfantry\t4\t3\t5\to4"
        assert lay(german, sheet, "94").status == 200
        add(german, f"German: {units}")
    assert ("entry" in end_night(german, date)) is is_due


SHEET_OF_94 = """name\tside\tclass\taf\tdf\tmf\tleaves\tarrives
II/94\tGerman\tInfantry\t4\t3\t5\t\to4
III/94\tGerman\tInfantry\t4\t3\t5\to4"""


def test_6_2_21_1_dawn_names_who_comes_and_who_goes():
    german = begin()
    set_out(german, german_25="Pi 295")
    assert lay(german, SHEET_OF_94, "94").status == 200
    assert "entry" in end_night(german, "1942-10-03"), "nobody has brought them into play"
    assert "Arriving, but not in play yet (6.2): II/94." in german.see()
    german.do("take-back/")
    _, go, lost = add(german, "German: II/94", "German: 2 III/94")
    put_out(german, go, "25")
    put_out(german, lost, "25", "eliminated")
    german.do("advance/", button="turn")
    page = german.see()
    assert "Arriving in German Zones C, D, E or F (6.2, 18.2): II/94." in page
    assert "Leaving now unless isolated (21.1): III/94" in page
    assert "Should leave now and cannot, so the Russian is compensated (21.1): III/94" in page


def test_21_1_those_who_leave_are_named_in_the_form_and_taken_off_by_it():
    german = begin()
    assert lay(german, SHEET_OF_94.replace("o4", "s16"), "94").status == 200
    stays, goes, cut_off = add(german, "German: II/94", "German: 2 III/94")
    for unit, *words in ((stays,), (goes,), (cut_off, "isolated_1")):
        put_out(german, unit, "25", *words)
    end_night(german, "1942-09-15")
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "III/94" in page.words("#desk .listed") and not page.find("#desk .listed[hidden], #desk details .listed")
    page.form("#desk-form").press("Resolve")
    assert page.words("#result") == "III/94 leaves the game."
    assert shown(german) == {stays: ("25", []), cut_off: ("25", ["isolated_1"])}


def open_due(player, title):
    """The page of a due roll, by its title."""
    step = next(step for step in player.match.state.queue if step.title == title)
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{step.helper}/?step={step.id}")


def test_6_2_those_who_arrive_stand_in_the_zone_that_is_pressed():
    german = begin()
    assert lay(german, SHEET_OF_94.replace("5\to4", "5\t\to4"), "94").status == 200
    first, second = add(german, "German: II/94, III/94")
    german.roll("supply", start="C", german_areas="C D 6", dice="table")
    end_night(german, "1942-10-03")
    page = open_due(german, "Entry of reinforcements")
    assert [button.text() for button in page.find("#offers button")] == ["Into Zone C", "Into Zone D"]
    page.press("Into Zone D")
    assert page.words("#result") == "II/94 and III/94 enter Zone D."
    assert shown(german) == {first: ("D", []), second: ("D", [])}


def test_6_2_21_1_who_leaves_and_where_reinforcements_enter_is_the_germans_to_press():
    german, links = players.begin("german", game=GAME)
    russian = players.sit(links["russian"], german.match_id)
    end_night(german, "1942-10-03")
    for title in ("Withdrawals", "Entry of reinforcements"):
        assert "The German decides." in open_due(russian, title).words("#desk")
        assert open_due(german, title).has("#desk-form button")


@pytest.mark.parametrize(
    ("flak_is_there", "goals"),
    [(True, ["Into Area 6"]), (False, ["Into Area 6", "Into Area 24", "Into Zone C"])],
)
def test_15_22_guns_return_beside_their_parent_or_else_where_supply_reaches(flak_is_there, goals):
    german = begin_on_map()
    gun, flak = add_guns(german)
    if not flak_is_there:
        german.do("counters/", id=flak, becomes="eliminated")
    end_night(german, "1942-09-15")
    page = open_due(german, "I/AR 40 returns")
    assert [button.text() for button in page.find("#offers button")] == goals
    page.press(goals[0])
    assert shown(german)[gun] == ("6", ["d4"]), "on the side on which it was taken off"


def add_guns(german):
    """Guns off the map, and Flak of their parent on it."""
    flak = set_out(german, german_6="Flak 5")["Flak 5"]
    (gun,) = add(german, "German: I/AR 40")
    put_out(german, gun, "6", "d4")
    german.do("counters/", id=gun, becomes="removed")
    return gun, flak


def test_19_2_whoever_has_lost_by_points_ends_the_match_before_anything_else_is_asked():
    german = begin()
    end_night(german, "1942-09-19")
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    page.form("#desk-form").fill(points=4).press("Resolve")
    assert "German loses" in page.words("#result") and "End the match" in page.words("#desk")
    assert not page.find("#desk-form") and "Nothing more is due" not in page.words("#desk")
    assert "Units at Dawn" in page.words("#due"), "for whoever goes on all the same"
    page.press("End the match", within="#desk")
    assert "End the match" not in page.words("#desk"), "it has been asked"


def test_who_should_leave_and_is_lost_is_paid_for_all_the_same():
    german = begin()
    units = set_out(german, german_25="Pi 295, I/295")
    german.do("counters/", id=units["I/295 #1"] if "I/295 #1" in units else units["I/295 #2"], becomes="eliminated")
    assert "withdrawal" in end_night(german, "1942-09-26")


def test_a_device_on_which_no_counters_stood_is_told_no_more_that_there_are_none():
    german = begin()
    assert "No counters yet" in Reader(german.client).open(f"/match/{german.match_id}/").words("#additions")
    set_out(german, german_25="Pi 295")
    news = Reader(german.client).open(f"/match/{german.match_id}/table/")
    assert "Pi 295" in news.words("#table") and news.words("#additions") == "Map More counters"
    assert news.find("#additions")[0].attributes["hx-swap-oob"] == "true"


def test_a_ferry_leads_to_its_crossings():
    german = begin()
    for field, value in (("time", "night"), ("box", "3")):
        german.do("record/", field=field, value=value)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/ferry/")
    reader.form("#desk-form").fill(crossing_units=2, landing="62").press("Resolve")
    assert "Interdiction Points at 62" in reader.words("#desk-form")
    reader.form("#desk-form").press("Resolve")
    assert "Crossing, unit 1" in reader.words("#desk-form") and "Crossing, unit 2" in reader.words("#desk-form")


def cross(german, *units, landing="62"):
    """Tap units that wait on the East bank, and press through ferry and Interdiction Points; the page then."""
    for field, value in (("time", "night"), ("box", "3"), ("side", "russian")):
        german.do("record/", field=field, value=value)
    query = "&".join(f"chosen={id}" for id in units)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/ferry/?{query}")
    assert "At which landing: 31, 62," in reader.words("#desk")
    reader.form("#desk-form").fill(landing=landing).press()
    reader.form("#desk-form").press("Resolve")
    return reader


def rolled(german, *sums):
    """Roll for each that crosses, in their order."""
    for total in sums:
        step = next(step for step in german.match.state.queue if step.helper == "crossing")
        answer = german.roll("crossing", step=step.id, chained="1", dr=str(total), dice="table")
        assert answer.status_code == 302, words_of(answer)


def test_18_5_counters_that_cross_land_with_what_the_table_gives_them_and_are_spent_in_the_end():
    german = begin()
    set_out(german, german_25="Pi 295")
    safe, late, back = add(german, "Russian: 3 1/10 NKVD")
    page = cross(german, safe, late, back)
    assert "1/10 NKVD #1" in page.words("#desk-form"), "each by its name"
    rolled(german, 9, 12, 12)
    assert shown(german)[safe] == ("62", ["acting"])
    assert shown(german)[late] == ("62", ["d1"]), "12 lands with a dot (18.51)"
    steps = german.match.state.record["steps"]
    assert {(step["unit"], step["origin"], step["area"]) for step in steps} == {
        (id, "62", "62") for id in (safe, late, back)
    }
    assert [step["mf"] for step in steps] == [1, 0, 0], "who is disrupted goes nowhere else"
    german.do("advance/", button="impulse")
    assert shown(german)[safe] == ("62", ["d1"]), "Spent in any case (18.5)"


def test_18_52_who_is_disrupted_on_the_way_into_a_contested_area_goes_back_and_the_river_takes_some():
    german = begin()
    set_out(german, german_62="Pi 295", russian_62="1/10 NKVD")
    back, lost = add(german, "Russian: 2 1/10 NKVD")
    cross(german, back, lost)
    german.do("record/", field="time", value="night")
    rolled(german, 12)
    assert shown(german)[back] == ("", ["d1"])
    step = next(step for step in german.match.state.queue if step.helper == "crossing")
    german.roll("crossing", step=step.id, chained="1", dr="12", ip="6", dice="table")
    assert lost not in shown(german)
    german.do("take-back/")
    assert shown(german)[lost] == ("", [])


def test_18_3_no_more_than_three_counters_cross_in_an_impulse():
    german = begin()
    set_out(german, german_25="Pi 295, 2 I/295")
    units = add(german, "Russian: 3 1/10 NKVD, 398 AT")
    query = "&".join(f"chosen={id}" for id in units)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/ferry/?{query}")
    assert reader.form("#desk-form").value("crossing_units") == "4"
    reader.form("#desk-form").fill(landing="62").press()
    assert "At most 3 units cross in an impulse; with these it is 4 (18.3)." in reader.words("#desk")


def test_13_2_area_70_under_german_control_ends_the_tanks_for_good():
    german = begin()
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/supply/")
    reader.form("#desk-form").fill(start="C", german_areas="C, 70").press("Resolve")
    assert german.match.state.record["area70_lost"] is True
    reader.open(f"/match/{german.match_id}/roll/supply/").form("#desk-form").fill(german_areas="C").press("Resolve")
    assert "No tanks: Area 70 has been German." in end_dawn(german)


def end_dawn(player):
    """What the page says of new tanks at the next Dawn."""
    end_night(player, "1942-09-15")
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/armour-replacement/")
    return reader.form("#desk-form").press("Resolve").words("#desk")
