"""What two players at a board stumble over: forms that fill themselves, words and places that are theirs."""

import json

import pytest

from firefight.table.rolling import replay
from tests.filling import Reader

from .test_sheets import HEAD
from .test_table import begin, put, record_of

pytestmark = pytest.mark.django_db


def lay_out():
    """Three Stukas, and those whom they come for, in a hex."""
    german, soviet = begin()
    german.do("counters/add/", list="German: 3 Stuka, 88 mm gun")
    soviet.do("counters/add/", list="Soviet: 2 Sniper, Leader")
    soviet.do("counters/", id=["soviet-1", "soviet-2", "soviet-3"], place="1433")
    return german, soviet


@pytest.fixture
def table(frozen):
    return frozen("stukas over a hex", lay_out)


def bombard(player, **fields):
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/bombardment/")
    reader.form("#desk-form").fill(**fields).press("Resolve")
    assert player.log[-1].kind == "roll", reader.words("#desk")


def send_stukas(player):
    """Tap three Stukas and a unit in their target, and open the bombardment."""
    chosen = "&".join(f"chosen={counter}" for counter in ("german-1", "german-2", "german-3", "soviet-1"))
    return Reader(player.client).open(f"/match/{player.match_id}/roll/bombardment/?{chosen}")


def due_points(player):
    return [(step.helper, step.inputs.get("points")) for step in player.match.state.queue]


def test_what_stukas_are_worth_is_said_once_and_the_rest_of_the_form_fills_itself(table):
    german, soviet = table
    put(german, "stukas", "9")
    put(german, "phase", "2")
    bombard(soviet, points=9, firer="soviet", spotting=2, terrain="suburb", die=9)
    reader = send_stukas(german)
    reader.form("#desk-form").fill({"value:german:stuka:af": 4})
    form = reader.form("#desk-form")
    assert (form.value("points"), form.value("firer")) == ("12", "german")
    form.fill(die=1).press("Resolve")
    assert reader.status == 200 and due_points(german)[1:] == [("bombardment", 12)], reader.words("#desk")


def raid(table):
    """Three Stukas of 4 AF are sent; the Soviet is asked for anti-aircraft fire first (15.42)."""
    german, soviet = table
    put(german, "stukas", "9")
    put(german, "phase", "2")
    reader = send_stukas(german)
    reader.form("#desk-form").fill({"value:german:stuka:af": 4})
    reader.form("#desk-form").fill(die=1).press("Resolve")
    assert "Soviet decides" in reader.words("#desk") and record_of(german)["stukas_used"] == 0
    return german, soviet, Reader(soviet.client).open(f"/match/{soviet.match_id}/")


def test_stukas_bombard_at_once_where_nobody_fires_at_them(table):
    german, _, reader = raid(table)
    reader.press("No", "#desk")
    assert due_points(german) == [("bombardment", 12)]
    bombarding = Reader(german.client).open(f"/match/{german.match_id}/")
    bombarding.form("#desk-form").fill(die=9).press("Resolve")
    assert record_of(german)["stukas_used"] == 3 and due_points(german) == []
    assert "Entered otherwise" not in german.log[-1].sentence


@pytest.mark.parametrize("die, left", [(1, 4), (6, 8), (10, 12)])
def test_those_that_are_left_after_anti_aircraft_fire_bombard(table, die, left):
    german, _, reader = raid(table)
    reader.press("Yes", "#desk")
    assert record_of(german)["stukas_used"] == 3  # as they come under fire (S-72)
    reader.form("#desk-form").fill(points=50 if die < 10 else 12, die=die).press("Resolve")
    assert due_points(german) == [("bombardment", left)]
    assert len(german.match.state.queue[0].inputs["by"]) == left // 4  # whoever is sent home bombards nobody
    Reader(german.client).open(f"/match/{german.match_id}/").form("#desk-form").fill(die=9).press("Resolve")
    assert record_of(german)["stukas_used"] == 3 and due_points(german) == []
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


@pytest.mark.parametrize(
    "typed, die, left",
    [
        ({"points": 20, "guns": 8}, 6, 16),  # a D1: one of three Stukas of 4 AF goes home, the guns stay
        ({"points": 21, "guns": 8}, 6, None),  # of unlike Stukas their player adds up those that are left
        ({"points": 12, "table": "ebbt"}, 6, 8),  # boxes: Stukas bombard them apart from guns (15.32)
    ],
)
def test_stukas_of_typed_totals_are_fired_at_first_and_so_are_those_at_a_box(table, typed, die, left):
    german, soviet = table
    put(german, "stukas", "9")
    put(german, "phase", "2")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/bombardment/")
    reader.form("#desk-form").fill({**typed, "flying": 3, "die": 9}).press("Resolve")
    assert "Soviet decides" in reader.words("#desk")
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/").press("Yes", "#desk")
    form = reader.form("#desk-form")
    is_box = "table" in typed
    assert form.value("east_bank_box") == ("on" if is_box else "")  # with its 10 points (15.43)
    form.fill(points=40 if is_box else 50, die=die).press("Resolve")
    assert due_points(german) == [("bombardment", left)]
    assert record_of(german)["stukas_used"] == 3


def test_guns_that_bombard_alone_wait_for_nobody(table):
    german, _ = table
    bombard(german, points=9, firer="german", spotting=0, die=9)
    assert german.last.helper == "bombardment" and due_points(german) == []


def test_stukas_that_are_tapped_are_used_up(table):
    german, _ = table
    put(german, "phase", "2")
    put(german, "stukas", "4")
    bombard(german, points=9, firer="german", spotting=-1, terrain="suburb", die=9)
    reader = send_stukas(german)
    reader.form("#desk-form").fill({"value:german:stuka:af": 4})
    form = reader.form("#desk-form")
    assert (form.value("flying"), form.value("spotting")) == ("3", "0")  # they were not seen for like the guns (14.31)
    form.fill(die=9).press("Resolve")
    put(german, "stukas_used", "3")
    reader = send_stukas(german)
    reader.form("#desk-form").fill(die=9).press("Resolve")
    assert reader.status == 422 and "1 Stuka left this turn, not 3 (15.21)." in reader.words("#desk")


def test_what_the_folded_fields_say_follows_an_answer_too(table):
    german, _ = table
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/bombardment/?chosen=german-4&chosen=soviet-3")
    reader.form("#desk-form").fill({"value:german:flak_88:af": 5})
    form = reader.form("#desk-form")
    assert (form.value("gun_names"), form.value("leader_in_target")) == ("88_mm_gun_4", "on")
    form.fill(die=9).press("Resolve")
    assert record_of(german)["fired"][0]["unit"] == "88_mm_gun_4"
    assert "Guns that have fired this turn: 88 mm gun 4, phase 1 added." in german.log[-1].result.effects


def test_a_counter_that_is_entered_as_something_else_is_said_not_broken(table):
    german, _ = table
    rows = [{"kind": "sniper", "name": "Sniper #1", "id": "soviet-1", "sort": "tank"}]
    answer = german.roll("bombardment", at=json.dumps(rows), targets="soviet-1", points=9, die=9, dice="table")
    assert answer.status_code == 302
    assert "What it is tank, not sniper" in german.log[-1].sentence


def test_one_side_is_not_offered_how_well_the_other_saw(table):
    german, soviet = table
    bombard(german, points=9, firer="german", spotting=-1, terrain="suburb", die=9)
    form = Reader(soviet.client).open(f"/match/{soviet.match_id}/roll/bombardment/").form("#desk-form")
    assert form.value("spotting") == "0"


def test_a_move_that_is_refused_keeps_its_sheet_with_what_was_typed(table):
    _, soviet = table
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/hand/?chosen=soviet-1&chosen=soviet-2&move=1")
    assert "Hex, as 1842" in reader.words(".by-hand") and "K7" not in reader.words(".by-hand")
    reader.form(".by-hand form:has(#hand-place)").fill(place="Central").press("Move there")
    assert reader.status == 422 and "is not a hex of this map" in reader.words(".by-hand")
    form = reader.form(".by-hand form:has(#hand-place)")
    assert form.value("place") == "Central" and reader.words(".by-hand h2") == "Move"
    form.fill(place="1434").press("Move there")
    assert reader.status == 200 and not reader.has(".by-hand")
    places = {counter["id"]: counter["place"] for counter in soviet.get("counters.json").json()}
    assert (places["soviet-1"], places["soviet-2"], places["soviet-3"]) == ("1434", "1434", "1433")


def test_a_sheet_that_waits_for_the_other_side_is_not_taken_for_lost(table):
    german, soviet = table
    reader = Reader(german.client).open(f"/match/{german.match_id}/counters/sheets/")
    assert not reader.has("#waiting")
    reader.form("#sheet").fill(title="71st", text=f"{HEAD}\n1/191\tGerman\t71\t191\tI\tInfantry\t6\t5\t1\t8")
    reader.form("#sheet").press("Keep the sheet")
    words = "German asks for the units 71st: 1 kind. Waiting for the other side to answer."
    assert words in reader.words("#waiting")
    Reader(soviet.client).open(f"/match/{soviet.match_id}/").form("#now form").press("agrees=yes")
    assert not reader.open(reader.address).has("#waiting") and "71st" in reader.words(".sheets")


def test_a_list_of_counters_says_how_it_is_written(table):
    words = Reader(table[0].client).open(f"/match/{table[0].match_id}/counters/").words("label[for=gallery-list]")
    assert words == "Such as “3 Leader, Observer”; write “Soviet:” before counters of that side"


def say_last(player):
    """The newest sentence of the log, as the page tells it."""
    return Reader(player.client).open(f"/match/{player.match_id}/").words("#log-rows .line:first-child p")


def test_the_log_says_at_which_hex_and_from_where(table):
    german, soviet = table
    german.do("counters/", id="german-4", place="2240")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/bombardment/?chosen=german-4&chosen=soviet-3")
    reader.form("#desk-form").fill({"value:german:flak_88:af": 5})
    reader.form("#desk-form").fill(die=9).press("Resolve")
    assert "German bombardment, West Bank (WBBT), 5 points at 1433 from 2240: no effect." in say_last(german)
    assert Reader(soviet.client).open(f"/match/{soviet.match_id}/").words("#desk .scene") == "From 2240 at 1433"
    bombard(soviet, points=9, firer="soviet", spotting=0, die=9)  # at a hex that nobody named
    assert "Soviet bombardment, West Bank (WBBT), 9 points: no effect." in say_last(soviet)


def test_those_who_move_under_fire_are_asked_for_their_hex(table):
    german, soviet = table
    put(german, "phase", "10")
    page = f"/match/{soviet.match_id}/roll/passage/?chosen=soviet-1&chosen=soviet-2"
    reader = Reader(soviet.client).open(page)
    assert reader.has("#desk-form #f-hex") and not reader.has("#desk-form details #f-hex")
    reader.form("#desk-form").fill(hex="1434").press("Declare")
    assert "in 1434: Soviet units move through Clear" in say_last(german)


@pytest.fixture
def movers(table):
    """Germans of a sheet who move from 1535 on, and Soviets who lie in wait in 1433."""
    german, soviet = table
    rows = (
        f"{name}\t{side}\t71\t191\tI\tInfantry\t6\t5\t1\t8" for name, side in (("1/191", "German"), ("1/39", "Soviet"))
    )
    reader = Reader(german.client).open(f"/match/{german.match_id}/counters/sheets/")
    reader.form("#sheet").fill(title="71st", text="\n".join((HEAD, *rows))).press("Keep the sheet")
    Reader(soviet.client).open(f"/match/{soviet.match_id}/").form("#now form").press("agrees=yes")
    german.do("counters/add/", list="German: 1/191")
    soviet.do("counters/add/", list="Soviet: 1/39")
    german.do("counters/", id="german-5", place="1535")
    soviet.do("counters/", id="soviet-4", place="1433")
    put(german, "phase", "3")
    return german, soviet


@pytest.mark.parametrize("hex, is_near", [("1533", True), ("1535", False)])
def test_opportunity_fire_reaches_for_the_hex_that_is_passed_not_for_where_the_counter_lies(movers, hex, is_near):
    german, soviet = movers
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/passage/?chosen=german-5")
    reader.form("#desk-form").fill(hex=hex).press("Declare")
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/")
    reader.form("#desk-form").press("Yes")
    assert "Tap those who fire on the table, then Fire, Defensive and opportunity fire" in reader.words("#desk")
    reader.open(f"/match/{soviet.match_id}/roll/defensive-fire/?chosen=soviet-4")
    assert (reader.form("#desk-form").value("points") == "5") is is_near
    assert ("range 1, 2 hexes away (9.23)" in reader.words("#desk")) is not is_near
    if is_near:
        reader.form("#desk-form").fill(die=9).press("Resolve")
        assert reader.status == 200 and f"at {hex}" in say_last(german), reader.words("#desk")


def test_a_mover_is_pinned_with_those_in_the_hex_that_it_passes_not_with_those_whom_it_has_left(movers):
    german, soviet = movers
    german.do("counters/add/", list="German: 2 1/191")
    german.do("counters/", id="german-6", place="1535")  # stays behind
    german.do("counters/", id="german-7", place="1533")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/passage/?chosen=german-5")
    reader.form("#desk-form").fill(hex="1533").press("Declare")
    Reader(soviet.client).open(f"/match/{soviet.match_id}/").form("#desk-form").press("Yes")
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/roll/defensive-fire/?chosen=soviet-4")
    reader.form("#desk-form").fill(points=12, die=5).press("Resolve")
    states = {counter["id"]: counter["state"] for counter in german.get("counters.json").json()}
    pinned = ["german-5", "german-7"]
    assert [unit for unit in ("german-5", "german-6", "german-7") if states[unit] == ["pinned"]] == pinned


def begin_battle(german, soviet):
    """A German attack is declared, and the Soviet fires in defence: that fire is due."""
    german.do("counters/", id="german-5", place="1533")
    put(german, "phase", "5")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/battle/?chosen=german-5&chosen=soviet-4")
    reader.form("#desk-form").fill(terrain_drm=0).press("Declare")
    Reader(soviet.client).open(f"/match/{soviet.match_id}/").form("#desk-form").press("Defensive fire")


def test_a_due_fire_that_tapped_counters_fill_is_not_said_to_be_entered_otherwise(movers):
    german, soviet = movers
    begin_battle(german, soviet)
    chosen = "chosen=soviet-1&chosen=soviet-3&chosen=soviet-4"  # with a sniper and a leader
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/roll/defensive-fire/?{chosen}")
    reader.form("#desk-form").fill(die=9).press("Resolve")
    line = german.log[-1]
    assert line.inputs["leader_with_firers"] and line.inputs["sniper"] == 1, reader.words("#desk")
    assert "Entered otherwise" not in line.sentence and "Soviet defensive fire. Soviet" not in say_last(german)
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_what_is_changed_in_a_due_fire_by_hand_is_said(movers):
    german, soviet = movers
    begin_battle(german, soviet)
    chosen = "chosen=soviet-1&chosen=soviet-4"
    reader = Reader(soviet.client).open(f"/match/{soviet.match_id}/roll/defensive-fire/?{chosen}")
    reader.form("#desk-form").fill(sniper=2, points=30, die=9).press("Resolve")
    fire = next(line for line in reversed(german.log) if line.helper == "defensive-fire")
    assert "DF that fire 30, not 5; Sniper: 1, Zaitsev: 2 2, not 1." in fire.sentence
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_the_odds_count_a_cell_of_a_chart_as_it_is_typed(movers):
    german, _ = movers
    put(german, "phase", "5")
    german.do("counters/", id="german-5", place="1533")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?chosen=german-5&chosen=soviet-4")
    assert "Look that up" in reader.words("#odds") and "%" not in reader.words("#odds")
    reader.form("#desk-form").fill({"cell:terrain:clear": 2})
    assert "% " in reader.words("#odds") and "blank" not in reader.words("#odds")
    reader.form("#desk-form").fill({"cell:terrain:clear": "many"})
    assert "%" not in reader.words("#odds")
    assert all(line.kind != "book" for line in german.log)  # nothing is noted before the roll
