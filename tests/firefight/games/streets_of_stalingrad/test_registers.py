"""What lasts in a match of weeks, told from the page: divisions, AF saved, works that are hindered, what cards give."""

from dataclasses import replace

import pytest

from firefight.engine.errors import BadInput, MissingChart
from firefight.games.streets_of_stalingrad.rules import charts
from tests.filling import NotOffered, Reader
from tests.firefight import players

from . import BOOK, ask
from .test_table import answer_due, begin, due, put, reach, record_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(frozen):
    return frozen("streets on two devices", begin)[0]


def desk(player, place=""):
    """The desk, or a roll's own page."""
    return Reader(player.client).open(f"/match/{player.match_id}/{place}")


def answer(player, button):
    """Press an answer on the card that is due."""
    return desk(player).press(button, "#desk")


# Divisions (3.5 to 3.7, 21.54)


def clear_first(player):
    """Drop what a day begins with, as far as it is not about divisions."""
    for step in player.match.state.queue:
        if step.helper != "division":
            player.do("drop/", step=step.id)


def test_divisions_that_have_not_come_are_counted_in_the_campaign_alone(frozen):
    german, _ = frozen("streets, scenario 1", lambda: begin(scenario="1"))
    assert desk(german, "roll/victory/").form("#desk-form").value("divisions_unused") == ""


def test_tanks_that_may_break_down_are_on_one_card_of_their_own_side(frozen):
    german, soviet = frozen("streets on two devices", begin)
    put(german, "tanks", "3")
    reach(german, 30, 10)
    assert [len(desk(player).find("#desk input.die")) for player in (german, soviet)] == [0, 3]
    assert "The Soviet decides" in desk(german).words("#desk")


def test_a_work_is_entered_on_the_page_of_the_record_with_all_its_dates(german):
    page = f"/match/{german.match_id}/record/"
    reader = Reader(german.client).open(page)
    form = reader.form("form:has([name=field][value=works])")
    dates = {"part-placed.turn": 4, "part-placed.phase": 10, "part-started.turn": 2, "part-may_move.turn": 5}
    form.fill({"part-work": "bridge", "part-hex": "1122", **dates}).press("Add")
    (work,) = record_of(german)["works"]
    assert work["placed"] == {"turn": 4, "phase": 10} and work["started"]["turn"] == 2 and work["may_move"]["turn"] == 5
    reader.form("form:has([name=field][value=works])").fill({"part-placed.phase": 14}).press("Set")
    assert record_of(german)["works"][0]["placed"] == {"turn": 4, "phase": 14}


def test_a_division_that_comes_is_asked_about_on_its_days_until_it_has_come():
    german, soviet = begin()
    reach(german, 13, 3)  # 25 September
    assert due(german) == ["division"]
    with pytest.raises(NotOffered):
        answer(soviet, "A unit of it comes")
    answer(german, "None today")
    assert due(german) == [] and record_of(german)["divisions_used"] == []
    reach(german, 18, 3)  # 30 September
    answer(german, "A unit of it comes")
    assert record_of(german)["divisions_used"] == ["100"] and "100th Jäger: comes, 30 September" in german.last.sentence
    german.do("take-back/")
    assert record_of(german)["divisions_used"] == [] and due(german) == ["division"]
    answer(german, "A unit of it comes")
    put(german, "turn", "13")
    reach(german, 13, 3)
    assert due(german) == []  # nobody asks twice
    form = desk(german, "roll/victory/").form("#desk-form")
    assert form.value("divisions_unused").replace(" ", "") == "305,79,14Pz"


def test_the_29th_leaves_on_its_days_and_at_the_latest_on_10_october():
    german, _ = begin()
    reach(german, 7, 1)  # 19 September
    clear_first(german)
    assert due(german) == ["division", "division"]
    answer(german, "Its last unit leaves")
    answer(german, "Not today")
    assert (record_of(german)["div29_out"], record_of(german)["div29_artillery_out"]) == ("1942-09-19", None)
    reach(german, 28, 1)  # 10 October
    clear_first(german)
    assert due(german) == ["division"]
    refused = german.do("advance/", button="phase")
    assert refused.status_code == 403 and "21.54" in players.words_of(refused)
    with pytest.raises(NotOffered):
        answer(german, "Not today")
    answer(german, "Its last unit leaves")
    assert record_of(german)["div29_artillery_out"] == "1942-10-10" and due(german) == []
    form = desk(german, "roll/victory/").form("#desk-form")
    assert [form.value(name) for name in ("div29_out", "div29_artillery_out")] == ["1942-09-19", "1942-10-10"]


def test_only_the_campaign_asks_about_divisions():
    german, _ = begin(scenario="6", **{"first-day": "1942-10-11", "length": "10"})
    put(german, "phase", "2")
    reach(german, 29, 3)
    assert "division" not in due(german)


def test_what_has_to_be_said_is_said():
    with pytest.raises(BadInput, match="by 10 October"):
        ask("division", which="29", date="1942-10-10", choice="no")
    assert ask("division", which="29", date="1942-10-09", choice="no").outcome == "waits"
    assert ask("division", which="79").outcome == "open"


def test_an_empty_answer_writes_nothing_down(german):
    assert german.roll("division", which="100", dice="table").status_code == 422
    assert record_of(german)["divisions_used"] == []


# AF that is saved (14.75)


def test_14_75_27_af_saved_turn_by_turn_leave_23_of_a_shortage_of_50(german):
    for points in (20, 7):
        desk(german, "roll/save-ammunition/").form("#desk-form").fill(points=points).press("Save")
    assert record_of(german)["saved"] == {"german": 27, "soviet": 0}
    german.do("take-back/")
    assert record_of(german)["saved"]["german"] == 20
    desk(german, "roll/save-ammunition/").form("#desk-form").fill(points=7).press("Save")
    reach(german, 8, 1)
    page = desk(german)
    page.form("#desk-form").fill(die=5).press("Resolve")
    assert record_of(german)["barred"]["german"] == 23 and record_of(german)["saved"]["german"] == 0


def test_what_is_saved_has_to_be_said(german):
    assert german.roll("save-ammunition", side="german").status_code == 422
    assert record_of(german)["saved"] == {"german": 0, "soviet": 0}


# Works that are hindered (17.16)


def start(player, **changes):
    fields = {"hex": "1825", "work": "bridge", "side": "german", "engineers": 1, **changes}
    desk(player, "roll/engineering/").form("#desk-form").fill(**fields).press("Resolve")


def test_17_16_a_bridge_that_is_delayed_once_stands_on_15_september_phase_3(german):
    reach(german, 1, 11)
    start(german)
    assert record_of(german)["works"][0]["placed"] == {"turn": 2, "phase": 11}
    reach(german, 1, 13)
    form = desk(german, "roll/delay/").form("#desk-form")
    names = ("hex", "work", "side", "turn", "phase", "engineers", "hindered")
    assert [form.value(name) for name in names] == ["1825", "bridge", "german", "1", "11", "1", "1"]
    form.press("Delay")
    (work,) = record_of(german)["works"]
    assert (work["placed"], work["may_move"], work["hindered"]) == ({"turn": 3, "phase": 3}, {"turn": 3, "phase": 7}, 1)
    assert [(row["turn"], row["phase"]) for row in record_of(german)["due"]] == [(3, 3)]
    desk(german, "roll/delay/").form("#desk-form").press("Delay")
    assert [(row["turn"], row["phase"]) for row in record_of(german)["due"]] == [(3, 7)]
    german.do("take-back/")
    assert record_of(german)["works"][0]["hindered"] == 1


def test_the_work_of_a_hex_is_the_one_that_is_delayed_or_over(german):
    reach(german, 1, 3)
    start(german)
    start(german, hex="1930", work="minefield")
    reader = desk(german, "roll/delay/?hex=1825")
    assert reader.form("#desk-form").value("work") == "bridge"
    reader.form("#desk-form").fill(stopped=True).press("Delay")
    assert [work["hex"] for work in record_of(german)["works"]] == ["1930"]
    assert [row["about"] for row in record_of(german)["due"]] == ["1930"]
    assert "Bridge: the work is over" in " ".join(line.sentence for line in german.log)


def test_what_is_not_under_way_is_not_delayed(german):
    reader = desk(german, "roll/delay/")
    reader.form("#desk-form").fill(hex="1825", phase=3).press("Delay")
    assert "No such work is under way" in reader.words("#desk") and record_of(german)["works"] == []


# What cards give, asked once


def test_stukas_of_the_first_turn_are_asked_once_before_they_can_fly(german):
    german.do("advance/", button="phase")
    assert due(german) == ["stukas"]
    reader = desk(german)
    assert "Stukas, by the German scenario card, scenario 3, turn 1" in reader.words("#desk")
    assert reader.words("#odds") == "Look that up in your copy of the game: a match asks once."
    reader.form("#desk-form").fill({"cell:stukas:3": 12}).press("Resolve")
    assert record_of(german)["stukas"] == 12 and due(german) == []
    reach(german, 2, 1)
    assert due(german) == ["stukas"]  # 22 less a die from now on
    answer_due(german, stuka_die="5")
    assert record_of(german)["stukas"] == 17


def test_stukas_of_another_scenario_stay_and_bad_weather_grounds_them_for_a_turn():
    german, _ = begin(scenario="6", **{"first-day": "1942-10-20", "length": "10"})
    german.do("advance/", button="phase")
    desk(german).form("#desk-form").fill({"cell:stukas:6": 9}).press("Resolve")
    reach(german, 39, 1)
    while due(german) and due(german)[0] != "weather":
        german.do("drop/", step=german.match.state.queue[0].id)
        if due(german)[0] == "ammunition":
            answer_due(german, die="1", multiplier="10")
    answer_due(german, die="2")
    assert record_of(german)["weather"] == "bad"
    put(german, "phase", "5")
    fields = {"points": "20", "terrain": "clear", "terrain_drm": "0", "flying": "1", "die": "9"}
    refused = german.roll("attack", **fields)
    assert refused.status_code == 422 and "0 Stukas left" in players.words_of(refused)
    reach(german, 40, 2)
    assert record_of(german)["stukas"] == 9 and "stukas" not in due(german)


def test_a_card_that_nobody_has_read_out_is_not_guessed():
    assert ask("stukas", scenario=5).outcome == "undetermined"
    with pytest.raises(MissingChart):
        ask("stukas", scenario=5, by_card="on")


def test_a_landing_arrow_is_told_once_and_its_hex_says_so(german):
    reach(german, 1, 10)
    fields = {"arrow": 3, "combat_this_phase": 2, "with_hex": True}
    reader = desk(german, "roll/volga/")
    reader.form("#desk-form").fill(**fields).press("Look up")
    assert "landing arrow 3" in reader.words("#desk")
    reader.form("#desk-form").fill({"cell:arrows:3": "0548"}).press("Look up")
    assert german.last.result.effects[0] == "It lands in 0548."
    assert record_of(german)["crossed"]["3"]["phase"] == 2
    assert "River landing, arrow 3" in desk(german, "roll/hex/?number=0548").words("#desk")
    assert ask("volga", arrow=8).effects == ("It lands in 0426.",)


@pytest.mark.parametrize(("value", "is_bad"), [(548, False), (426, True), (9999, True)])
def test_an_arrow_points_at_a_hex_of_its_own(value, is_bad):
    chart = BOOK["arrows"]
    spec = next(spec for spec in charts.SPECS if spec.name == "arrows")
    assert bool(list(spec.problems(replace(chart, values={**chart.values, "3": value})))) is is_bad


def test_the_mp_of_a_hex_are_asked_once(german):
    reach(german, 1, 3)
    reader = desk(german, "roll/step/")
    fields = {"unit": "armored", "mp": 18, "terrain": "forest", "from_zoc": True, "to_zoc": True}
    reader.form("#desk-form").fill(**fields).press("Look up")
    assert "forest, MP of 12 or more" in reader.words("#desk").replace("Forest", "forest")
    reader.form("#desk-form").fill({"cell:move_costs:forest, vehicle": 3}).press("Look up")
    assert german.last.result.details["cost"] == 5 and "5 MP to enter (8.04, TEC)" in reader.words("#desk")
    german.roll("step", unit="infantry", terrain="forest", **{"cell:move_costs:forest, foot": "-"})
    assert german.last.result.outcome == "refused" and german.last.result.details["cost"] is None
    german.roll("step", unit="armored", mp=18, terrain="forest", bridge="on")
    assert german.last.result.details["cost"] == 1  # 17.12
    assert ask("step", unit="armored").details["cost"] is None  # who does not ask is not told


def test_a_date_of_the_cards_comes_up_on_its_day(german):
    fields = {"unit": "2 of 670 PAK", "date": "1942-09-27", "what": "leaves"}
    desk(german, "roll/schedule/").form("#desk-form").fill(**fields).press("Keep")
    row = {"what": "2 of 670 PAK leaves", "side": "german", "turn": 15, "phase": 1, "about": ""}
    assert record_of(german)["due"] == [row]
    fields = {"unit": "92nd Brigade", "side": "soviet", "date": "1942-09-17", "what": "comes"}
    desk(german, "roll/schedule/").form("#desk-form").fill(**fields).press("Keep")
    assert record_of(german)["due"][1]["phase"] == 10
    reach(german, 15, 1)
    assert "Due now, German: 2 of 670 PAK leaves." in [line.sentence for line in german.log]
    refused = desk(german, "roll/schedule/")
    refused.form("#desk-form").fill(unit="x", date="1942-09-20").press("Keep")
    assert "That day is over" in refused.words("#desk")
    with pytest.raises(BadInput, match="Withdrawals are German"):
        ask("schedule", unit="x", side="soviet")
    with pytest.raises(BadInput, match="Which unit"):
        ask("schedule")
