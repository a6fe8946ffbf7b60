"""Missions in a match: what their rolls are filled with and write down, and what each side may know."""

import json
import re
from types import SimpleNamespace

import pytest

from firefight.columns import DueRoll
from firefight.games.registry import games
from firefight.table.board import record_rules
from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db


def sit_down_two():
    german, links = players.begin("german")
    return {"german": german, "russian": players.sit(links["russian"], german.match_id)}


@pytest.fixture
def table(frozen):
    """A German and a Russian, each with a browser."""
    return frozen("two devices by name", sit_down_two)


def listed(player, field="missions"):
    return {row["id"]: row for row in player.get(f"{field}.json").json()}


def put(player, change, field="missions"):
    return player.do("rows/", change=json.dumps({field: change}))


def battery(player, **parts):
    """A battery of the player's side; returns its id."""
    player.do(
        "rows/", field="missions", **{f"part-{name}": value for name, value in {"caliber": "105", **parts}.items()}
    )
    return list(listed(player))[-1]


def phase(player, name, turn=None):
    if turn:
        player.do("record/", field="turn", value=str(turn))
    player.do("record/", field="phase", value=name)


def plotted(russian, **parts):
    values = {"plotted": "yes", "known_to": "russian", "plot": "K7, L8", "plot_turn": "2", "caliber": "122", **parts}
    return battery(russian, **values)


def is_known_to_a_check(step):
    """Whether a log that is checked may call a roll so, which no line has told before."""
    return games()["combat-stalingrad"].titles[step.helper](step.title, step.inputs, None) is not False


def test_a_battery_is_added_and_its_card_offers_contact(table):
    german, russian = table.values()
    assert battery(german) == "german-1"
    assert listed(russian)["german-1"]["caliber"] == 105
    assert "105 mm battery" in german.see()
    page = text_of(german.get("roll/contact/", mission="german-1", aim="K7"))
    assert "&#34;mission&#34;:&#34;german-1&#34;" in page
    assert 'name="caliber" value="105"' in page and 'name="aim" value="K7"' in page


def test_a_tap_on_a_caliber_adds_a_battery_and_the_russians_is_plotted(table):
    """PL-01: all Russian artillery is plotted (17.4.8)."""
    for side, player in table.items():
        reader = Reader(player.client).open(f"/match/{player.match_id}/")
        reader.press("Add a battery or bombardment")
        assert reader.form(".ready-rows ~ form").value("part-plotted") == ("yes" if side == "russian" else "no")
        reader.form(".ready-rows form", number=1).press()
    rows = listed(table["german"])
    assert [(id, row["caliber"], row["plotted"]) for id, row in rows.items()] == [
        ("german-1", 105, False),
        ("russian-1", 122, True),
    ]
    names = pages.words_of_each(text_of(table["german"].get()), "#kept-cards .told")
    assert names == ["105 mm", "122 mm Russian plotted"]


def observe(german):
    """An Officer in L9 with a phone; a radio in M9; a squad off the map; a tank; an NCO whom nobody else knows of."""
    german.do("counters/add/", list="German: Officer, Grenadier squad, Pz IV F1")
    german.do("counters/", id="german-1", place="L9")
    german.bring_hidden("German: NCO")
    for parts in ({"device": "phone", "hex": "L9"}, {"device": "radio", "hex": "M9"}):
        german.do("rows/", field="sets", **{f"part-{name}": value for name, value in parts.items()})


def test_observer_and_set_of_a_battery_are_chosen_from_those_that_its_side_has(table):
    """R-159: both were typed, and a name that was misspelt was nobody's."""
    german = table["german"]
    observe(german)
    reader = Reader(german.client).open(f"/match/{german.match_id}/").press("Add a battery or bombardment")
    form = reader.form(".ready-rows ~ form")
    assert form.choices("part-observer") == ["", "Officer #1", "Grenadier squad #2"]
    assert form.choices("part-set") == ["", "Phone", "Radio"]
    assert "Officer #1, L9" in reader.words("#part-observer") and "Radio, M9" in reader.words("#part-set")
    form.fill({"part-caliber": "105", "part-observer": "Officer #1", "part-set": "Phone"}).press("Add")
    row = listed(german)["german-1"]
    assert (row["observer"], row["set"]) == ("Officer #1", "Phone")


def test_an_observer_who_is_no_counter_is_typed_and_stays_readable_where_others_are_chosen(table):
    """17.2.6: an observer off the map is a hex that is written down."""
    german = table["german"]
    observe(german)
    battery(german, **{"observer-other": "off the map, A12", "set": "old phone"})
    reader = Reader(german.client).open(f"/match/{german.match_id}/rows/missions/german-1/")
    assert reader.form("[id='missions.german-1.observer'] form").value("value") == "off the map, A12"
    assert reader.form("[id='missions.german-1.set'] form").value("value") == "old phone"
    reader.form("[id='missions.german-1.observer'] form").fill(value="Grenadier squad #2").press("Set")
    assert listed(german)["german-1"]["observer"] == "Grenadier squad #2"
    reader.form("[id='missions.german-1.observer'] form").fill({"value-other": "spotter"}).press("Set")
    assert listed(german)["german-1"]["observer"] == "spotter"


def test_a_phone_goes_with_its_observer_and_its_card_says_when_he_is_too_far_away(table):
    """EQ-09, EQ-10: the card had the phone where it was last used, and warned after the next Contact alone (17.2.5)."""
    german = table["german"]
    observe(german)
    battery(german, observer="Officer #1", set="Phone")
    put(german, {"change": {"german-set1": {"first": "L9"}}}, "sets")
    assert pages.words_of_each(text_of(german.get()), "#sets-german-set1 .told") == ["Phone L9"]
    german.do("counters/", id="german-1", place="L13")
    [words] = pages.words_of_each(text_of(german.get()), "#sets-german-set1")
    assert words.startswith("phone Phone L13 L13 is 4 hexes from L9")
    german.do("counters/", id="german-1", fate="eliminated")
    page = text_of(german.get())
    assert pages.words_of_each(page, "#sets-german-set1 .told") == ["Phone L9"]
    assert "Officer #1, its observer, is eliminated" in pages.words_of_each(page, "#missions-german-1")[0]


def test_what_bars_a_contact_is_said_before_its_die_is_rolled(table):
    """17.2.2: the card said so, and its form only once the dice had been typed."""
    german = table["german"]
    battery(german, set="Radio", observer="Vogt")
    put(german, {"add": {"german-set1": {"side": "german", "used": 1, "user": "Klug"}}}, "sets")
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#missions-german-1 form").fill(aim="K7").press("Contact")
    assert "Radio was used in this phase already" in reader.words("#desk-form .notice[role=status]")
    german.do("rows/", change=json.dumps({"sets": {"change": {"german-set1": {"used": 0}}}}))
    reader.look().form("#missions-german-1 form").fill(aim="K7").press("Contact")
    assert "already" not in reader.words("#desk-form")


def test_two_sets_of_one_name_are_told_apart(table):
    german = table["german"]
    observe(german)
    german.do("rows/", field="sets", **{"part-device": "phone", "part-hex": "L5"})
    reader = Reader(german.client).open(f"/match/{german.match_id}/rows/missions/")
    assert reader.form(".ready-rows ~ form").choices("part-set") == ["", "german-set1", "Radio", "german-set3"]
    assert "Phone, L9" in reader.words("#part-set") and "Phone, L5" in reader.words("#part-set")


def test_an_answer_brings_the_cards_where_they_have_changed_and_only_there(table):
    german, _ = table.values()
    after = german.last.number
    assert battery(german) == "german-1"
    unchanged = text_of(german.roll("morale", tq="6", die="3", dice="table", htmx=True, after=german.last.number))
    assert pages.find(unchanged, "#status") and not pages.find(unchanged, "#kept-cards, #kept-lines")
    # A page that has missed something gets them all the same.
    stale = {"version": str(german.match.version - 1), "after": after}
    news = text_of(german.get("live/", htmx=True, **stale))
    assert pages.words_of_each(news, "#kept-cards h3") == ["105 mm"]
    german.do("take-back/", htmx=True, after=german.last.number)
    answer = text_of(german.do("take-back/", htmx=True, after=german.last.number))
    assert not listed(german)
    assert len(pages.find(answer, "#kept-cards")) == 1 and not pages.find(answer, "#kept-cards h3")


def test_a_due_roll_keeps_what_it_was_given_and_the_record_fills_what_it_left_blank(monkeypatch):
    monkeypatch.setattr(record_rules, "fill_about", lambda *arguments: {"aim": "K7", "device": "radio", "caliber": 105})
    step = DueRoll("1-0", "contact", "Contact", {"mission": "german-1", "aim": "L8", "device": "", "caliber": None})
    filled = {"mission": "german-1", "aim": "L8", "device": "radio", "caliber": 105}
    table = SimpleNamespace(game=games()["combat-stalingrad"])
    assert record_rules.fill_step(table, step) == filled


def test_a_new_cff_is_called_strays_and_is_on_its_card_with_a_bracket(table):
    german = table["german"]
    id = battery(german)
    german.roll("contact", mission=id, aim="K7", die="30")
    assert german.last.inputs["mission"] == id
    step = german.match.state.queue[0]
    german.roll("accuracy", step=step.id, die="90", direction_die="4", chained="1", carry=json.dumps({"mission": id}))
    row = listed(german)[id]
    assert row["marker"] == "cff" and row["placed"] == 1 and row["hex"] != "K7"
    assert row["brackets"] == [row["hex"]]
    (accuracy,) = [entry for entry in german.log if entry.helper == "accuracy"]
    assert f"105 mm battery: CFF in {row['hex']}, bracket in {row['hex']}." in accuracy.result.effects
    german.do("take-back/")
    assert listed(german)[id]["marker"] == ""


def test_what_a_roll_notes_of_the_record_stands_up_to_the_check_of_its_log(table):
    german = table["german"]
    id = battery(german)
    german.roll("contact", mission=id, aim="K7", die="30")
    step = german.match.state.queue[0]
    german.roll("accuracy", step=step.id, die="90", direction_die="4", chained="1", carry=json.dumps({"mission": id}))
    exported = german.get("log.json").json()
    assert replay.work_out_results(exported).problems == ()
    result = next(line["result"] for line in exported["entries"] if line.get("helper") == "accuracy")
    noted = result["details"]["changes"]["missions"]
    for forged in (
        {"effects": ["It falls on the Germans.", *result["effects"]]},
        {"details": {**result["details"], "hexes": 0}},
        {"details": {**result["details"], "changes": {"missions": noted, "treasure": 3}}},
    ):
        before = dict(result)
        result.update(forged)
        assert replay.work_out_results(exported).problems, forged
        result.update(before)


def on_map(player, id, **parts):
    put(player, {"change": {id: {"marker": "cff", "hex": "K7", "placed": 1, **parts}}})


def test_a_correction_is_filled_from_the_card(table):
    german = table["german"]
    id = battery(german)
    on_map(german, id, brackets=["K7", "K9"], registered=["K8"])
    page = text_of(german.get("roll/contact/", mission=id, aim="K8"))
    assert 'name="correction" value="1"' in page.replace("  ", " ") or 'value="1"' in page
    german.roll("contact", mission=id, aim="K8", die="30")
    inputs = german.last.inputs
    assert (inputs["marker"], inputs["correction"]) == ("cff", 1)
    assert inputs["bracketed"] and inputs["registered"]
    accuracy = german.match.state.queue[0].inputs
    assert accuracy["bracketed"] and accuracy["registered"] and accuracy["aim"] == "K8"


def test_correcting_leaves_a_bracket_and_converting_places_the_ffe(table):
    german = table["german"]
    id = battery(german)
    phase(german, "fire_and_movement", 2)
    on_map(german, id)
    german.roll("contact", mission=id, aim="K9", die="30")
    for die in ({"die": "1"}, {}):
        step = german.match.state.queue[0]
        german.roll(step.helper, step=step.id, chained="1", carry=json.dumps(dict(step.inputs)), **die)
    row = listed(german)[id]
    assert (row["marker"], row["hex"], row["called"], row["used"]) == ("ffe", "K9", 2, True)
    assert row["brackets"] == ["K7"]


def correct_between(german, id, **parts):
    """A CFF with two brackets on the map that is moved to K9: the reader has the form of its accuracy."""
    on_map(german, id, **{"brackets": ["A5", "B5"], **parts})
    german.roll("contact", mission=id, aim="K9", die="30")
    return Reader(german.client).open(f"/match/{german.match_id}/roll/accuracy/?step={german.match.state.queue[0].id}")


@pytest.mark.parametrize(("chosen", "brackets"), [("", ["B5", "K7"]), ("A5", ["B5", "K7"]), ("B5", ["A5", "K7"])])
def test_of_two_brackets_the_sheet_offers_both_to_take_up(table, chosen, brackets):
    """17.3.4.2, R-87: the app took the farther one up, and who wanted the other one typed it on the mission's page."""
    german = table["german"]
    id = battery(german)
    reader = correct_between(german, id)
    assert "17.3.4.2" in reader.words("#f-takes_up") and "(due): A5, if on target" in reader.words("#f-takes_up")
    form = reader.form("#desk-form")
    assert form.sent()["takes_up"] == [""]
    form.fill(takes_up=chosen, die=1).press("Resolve")
    assert listed(german)[id]["brackets"] == brackets
    taken_up = next(hex_name for hex_name in ("A5", "B5") if hex_name not in brackets)
    assert f"{taken_up} is taken up" in reader.words()


def test_a_bracket_that_the_marker_leaves_may_be_taken_up_again_as_it_strays(table):
    german = table["german"]
    id = battery(german)
    reader = correct_between(german, id, brackets=["A5"])
    assert "K7" in reader.words("#f-takes_up")
    reader.form("#desk-form").fill(takes_up="K7", die=90, direction_die=1).press("Resolve")
    row = listed(german)[id]
    assert row["brackets"] == ["A5", row["hex"]]


def test_no_bracket_is_offered_where_there_is_no_choice(table):
    german = table["german"]
    id = battery(german)
    reader = Reader(german.client)
    for marker, brackets in (("", []), ("cff", [])):
        on_map(german, id, marker=marker, brackets=brackets)
        german.roll("contact", mission=id, aim="K9", die="30")
        reader.open(f"/match/{german.match_id}/roll/accuracy/?step={german.match.state.queue[-1].id}")
        assert reader.has("#desk-form") and not reader.has("#f-takes_up, [name=takes_up]"), marker
    assert not reader.open("/assist/combat-stalingrad/accuracy/").has("[name=takes_up]")


def test_a_program_that_takes_up_what_is_not_there_is_told_so(table):
    german = table["german"]
    id = battery(german)
    correct_between(german, id)
    before = german.match.state.to_json()
    answer = german.roll("accuracy", step=german.match.state.queue[0].id, takes_up="C5", die="1")
    assert answer.status_code == 422 and "no bracket in C5: A5 or B5 can be taken up" in words_of(answer)
    assert german.match.state.to_json() == before
    german.roll("accuracy", mission=id, aim="K9", marker="new_cff", takes_up="A5", die="1")
    assert german.match.state.to_json() == before


def test_a_correction_chooses_among_the_brackets_that_stood_before(table):
    german = table["german"]
    id = battery(german)
    correct_between(german, id).form("#desk-form").fill(takes_up="B5", die=1).press("Resolve")
    (accuracy,) = [entry for entry in german.log if entry.helper == "accuracy"]
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/accuracy/?corrects={accuracy.number}")
    form = reader.form("#desk-form")
    assert form.sent()["takes_up"] == ["B5"] and form.choices("takes_up") == ["", "A5", "B5"]
    form.fill(takes_up="A5", die=2).press("Resolve")
    assert listed(german)[id]["brackets"] == ["B5", "K7"]


def test_no_contact_takes_the_marker_off_and_00_loses_the_battery(table):
    german = table["german"]
    id = battery(german)
    on_map(german, id, brackets=["K7"])
    german.roll("contact", mission=id, die="80")
    assert listed(german)[id]["marker"] == "" and listed(german)[id]["brackets"] == []
    german.roll("contact", mission=id, aim="K7", die="00")
    assert listed(german)[id]["lost"]
    answer = german.roll("contact", mission=id, aim="K7", die="10")
    assert answer.status_code == 422 and "is lost" in words_of(answer)


def test_a_lifted_battery_waits_for_the_next_turn(table):
    german = table["german"]
    id = battery(german)
    german.roll("contact", mission=id, aim="K7", die="98")
    refused = german.roll("contact", mission=id, aim="K7", die="10")
    assert "lifted in this phase" in words_of(refused)
    phase(german, "fire_and_movement", 2)
    assert german.roll("contact", mission=id, aim="K7", die="10").status_code != 422


def test_a_set_is_used_once_a_phase_and_a_phone_is_watched(table):
    german = table["german"]
    german.do("rows/", field="sets", **{"part-name": "Phone 1", "part-device": "phone", "part-hex": "C5"})
    first = battery(german, set="german-set1")
    second = battery(german, set="german-set1", name="81 mm battery")
    german.roll("contact", mission=first, aim="K7", die="30")
    phone = listed(german, "sets")["german-set1"]
    assert (phone["used"], phone["first"]) == (1, "C5")
    assert "was used in this phase already" in words_of(german.roll("contact", mission=second, aim="K7", die="30"))
    assert german.roll("contact", mission=first, aim="K7", die="30").status_code != 422
    put(german, {"change": {"german-set1": {"hex": "H5"}}}, "sets")
    assert "5 hexes from C5, where it first made Contact: at most 3" in german.see()


def is_danger_close(player, mission, aim):
    """Whether the sheet of Contact ticks it for that hex."""
    reader = Reader(player.client)
    reader.open(f"/match/{player.match_id}/roll/contact/?mission={mission}&aim={aim}")
    return reader.form("#desk-form").sent().get("danger_close") == ["on"]


def test_danger_close_is_worked_out_from_the_nearest_own_unit(table):
    """17.3.8: friendly units; mines of one's own are none."""
    german = table["german"]
    id = battery(german)
    german.do("counters/add/", list="German: 1 Grenadier squad, 1 Mine factor")
    german.do("counters/", id="german-1", place="K7", becomes="hidden")
    german.do("counters/", id="german-2", place="K20")
    assert [is_danger_close(german, id, aim) for aim in ("K13", "K14", "K20")] == [True, False, False]


def test_a_correction_writes_the_mission_anew(table):
    german = table["german"]
    id = battery(german)
    german.roll("contact", mission=id, aim="K9", die="98")
    assert listed(german)[id]["lifted"] == 1
    german.roll("contact", corrects=str(german.last.number), die="30")
    assert listed(german)[id]["lifted"] == 0 and german.log[-1].inputs["mission"] == id
    german.roll("accuracy", step=german.match.state.queue[0].id, die="90", direction_die="4")
    (accuracy,) = [entry for entry in german.log if entry.helper == "accuracy"]
    strayed = listed(german)[id]
    german.roll("accuracy", corrects=str(accuracy.number), die="1")
    assert strayed["brackets"] == [strayed["hex"]] and strayed["hex"] != "K9"
    assert (listed(german)[id]["hex"], listed(german)[id]["brackets"]) == ("K9", [])


def test_every_roll_about_a_mission_is_taken_back_exactly(table):
    german = table["german"]
    id = battery(german)
    phase(german, "fire_and_movement", 2)
    on_map(german, id, marker="ffe", called=1, fire_2=True, brackets=["K5"])
    put(german, {"add": {"german-set1": {"side": "german", "device": "phone", "hex": "C5"}}}, "sets")
    put(german, {"change": {id: {"set": "german-set1"}}})
    before = german.match.state.to_json()
    for die in ("30", "80", "98", "00"):
        german.roll("contact", mission=id, aim="K8", die=die)
        assert german.match.state.to_json() != before
        german.do("take-back/")
        assert german.match.state.to_json() == before, die


# Plots


def test_a_plot_is_under_seal_until_its_ffe_falls(table):
    german, russian = table.values()
    id = plotted(russian, name="Battery of Zhukov")
    assert id == "russian-1" and listed(german) == {}
    for place in ("", "record/", "record.json", "missions.json", "log.json", "archive.json", "report/", "log/"):
        text = text_of(german.get(place))
        assert "Zhukov" not in text and "russian-1" not in text, place
    assert "Zhukov" in text_of(russian.get())
    phase(german, "command", 2)
    german.do("advance/", button="phase")
    (step,) = german.match.state.queue
    assert step.title == "Plot of turn 2: Battery of Zhukov" and is_known_to_a_check(step)
    assert "Plot of turn" not in text_of(german.get()) and "Plot of turn 2" in text_of(russian.get())
    step = german.match.state.queue[0]
    russian.roll("contact", step=step.id, chained="1", carry=json.dumps({"mission": id}), device="plotted",
                 kind="plotted", marker="plot", die="20")  # fmt: skip
    assert "K7" not in text_of(german.get("log.json")) and "L8" not in text_of(german.get("log.json"))
    accuracy = russian.match.state.queue[0]
    assert 'value="K7"' in text_of(russian.get("roll/accuracy/", step=accuracy.id))
    assert 'value="K7"' not in text_of(german.get("roll/accuracy/", step=accuracy.id))
    wrong = russian.roll("accuracy", step=accuracy.id, chained="1", carry=json.dumps({"mission": id}), marker="plot",
                         kind="plotted", aim="M5", die="1")  # fmt: skip
    assert "not one of the two hexes" in words_of(wrong)
    russian.roll("accuracy", step=accuracy.id, chained="1", carry=json.dumps({"mission": id}), marker="plot",
                 kind="plotted", aim="L8", die="1")  # fmt: skip
    row = listed(german)[id]
    assert (row["marker"], row["hex"], row["used"], row["known_to"]) == ("ffe", "L8", True, "")


def test_a_plot_is_for_its_turn_and_for_its_side(table):
    german, russian = table.values()
    id = plotted(russian)
    early = russian.roll("contact", mission=id, die="20")
    assert "is for turn 2, and it is turn 1" in words_of(early)
    foreign = german.roll("contact", mission=id, die="20")
    assert "There is no such mission any more" in words_of(foreign) and "turn 2" not in words_of(foreign)


def test_calling_a_plot_off_uses_it_up(table):
    german, russian = table.values()
    id = plotted(russian)
    russian.roll("call-off", mission=id, die="20", second_die="2")
    assert listed(russian)[id]["used"]
    assert "used up" in words_of(russian.roll("contact", mission=id, die="20"))


def test_a_plot_is_sealed_as_it_is_written_and_needs_two_hexes_and_a_turn(table):
    german, russian = table.values()
    assert "two different hexes" in words_of(
        russian.do("rows/", field="missions", **{"part-plot": "K7", "part-plot_turn": "2"})
    )
    assert "say which" in words_of(russian.do("rows/", field="missions", **{"part-plot": "K7, L8"}))
    id = battery(russian, plot="K7, L8", plot_turn="3")
    assert listed(russian)[id]["plotted"] and listed(russian)[id]["known_to"] == "russian" and listed(german) == {}


# Phases


def test_the_next_phase_keeps_house_and_says_so(table):
    german, russian = table.values()
    ffe, plot = battery(german), plotted(russian)
    phase(german, "fire_and_movement")
    put(german, {"change": {ffe: {"marker": "ffe", "hex": "K7", "placed": 1, "called": 1}}})
    put(russian, {"change": {plot: {"known_to": "", "marker": "ffe", "hex": "M4", "placed": 1}}})
    put(german, {"add": {"K7": {"hex": "K7", "smoke": 1}}}, "ground")
    german.do("advance/", button="phase")
    assert german.last.sentence == "105 mm battery: Fire 2 on its FFE in K7 (17.3.6)."
    assert listed(german)[ffe]["fire_2"]
    german.do("advance/", button="phase")
    assert german.last.sentence == "122 mm battery: its FFE comes off M4 (17.4.8.1)."
    german.do("advance/", button="phase")
    assert german.last.sentence == "Smoke comes off: K7 (17.4.7)."
    assert "K7" not in listed(german, "ground") and listed(german)[ffe]["marker"] == "ffe"
    german.do("take-back/")
    assert listed(german, "ground")["K7"]["smoke"] == 1


def test_the_end_of_firefight_roll_is_due_with_its_own_turn(table):
    german = table["german"]
    phase(german, "melee", 5)
    german.do("advance/", button="phase")
    step = german.match.state.queue[0]
    assert (step.helper, step.title, step.inputs["turn"]) == ("end-of-firefight", "End of Firefight, turn 5", 5)
    assert is_known_to_a_check(step)
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#desk-form").fill(die=10).press("Resolve")
    reader.press("End the match", within="#desk")
    assert german.match.proposal


def test_aircraft_arrive_attack_and_stay(table):
    german = table["german"]
    german.do("rows/", field="aircraft", **{"part-name": "Stukas", "part-planes": "1", "part-number": "6"})
    id = "german-flight1"
    phase(german, "fire_and_movement")
    assert "is not over the map" in words_of(german.roll("air-attack", flight=id, hex="K7", die="1"))
    german.roll("air-arrival", flight=id, die="6")
    assert german.last.inputs["number"] == 6 and listed(german, "aircraft")[id]["here"]
    assert "has rolled in turn 1 already" in words_of(german.roll("air-arrival", flight=id, die="6"))
    german.roll("air-attack", flight=id, hex="K7", weapon="he", die="1")
    assert listed(german, "aircraft")[id]["he"] == 1
    assert "has no HE left" in words_of(german.roll("air-attack", flight=id, hex="K7", weapon="both", die="1"))
    german.roll("air-attack", flight=id, hex="K7", weapon="mg", die="1")
    assert "once a turn" in words_of(german.roll("air-attack", flight=id, hex="K7", weapon="mg", die="1"))
    phase(german, "command", 2)
    german.do("advance/", button="phase")
    step = german.match.state.queue[0]
    assert step.title == "Stukas: stay over the map?" and step.inputs["already_in_play"]
    assert is_known_to_a_check(step)
    assert "rolls first whether it stays" in words_of(
        german.roll("air-attack", flight=id, hex="K7", weapon="mg", die="1")
    )
    german.roll("air-arrival", flight=id, die="9")
    assert listed(german, "aircraft")[id]["left"]


def test_an_air_attack_asks_for_its_hex_before_anything_else(table):
    """Folded away it was left blank, and bombs fell on nobody."""
    german = table["german"]
    german.do("counters/add/", list="Russian: 2 Rifle squads")
    table["russian"].do("counters/", id=["russian-1", "russian-2"], place="K9")
    german.do("rows/", field="aircraft", **{"part-name": "Stukas", "part-planes": "1", "part-number": "6"})
    phase(german, "fire_and_movement")
    german.roll("air-arrival", flight="german-flight1", die="6")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/air-attack/?flight=german-flight1")
    assert "Hex aimed at" in reader.words("#desk-form .asked")
    reader.form("#desk-form").fill(hex="k9", die=1).press("Resolve")
    if "Look again" in reader.words("#desk-form"):
        reader.form("#desk-form").press("Resolve")
    (step,) = german.match.state.queue
    assert [unit["id"] for unit in step.inputs["units"]] == ["russian-1", "russian-2"]


# Ground


def test_an_attack_teaches_the_ground_of_its_hex_and_is_offered_it_again(table):
    german, russian = table.values()
    german.roll("fire", place="K7/1", ff="8", modifiers=["upper_level", "crawling"], die="50")
    assert listed(russian, "ground")["K7/1"]["modifiers"] == ["upper_level"]
    put(german, {"add": {"K7": {"hex": "K7", "wreck": "burning"}}}, "ground")
    russian.roll("fire", place="K7/1", ff="8", die="50")
    assert russian.last.inputs["modifiers"] == ["upper_level", "burning_wreck"]
    assert len(listed(german, "ground")) == 2


def test_the_ground_of_the_targets_is_offered_and_learnt(table):
    german, russian = table.values()
    german.do("counters/add/", list="German: 2 Panzergrenadier squads\nRussian: 2 Rifle squads")
    german.do("counters/", id=["german-1"], place="K8")
    russian.do("counters/", id=["russian-1", "russian-2"], place="K9", level="1")
    german.roll("fire", firers=["german-1"], targets=["russian-1"], modifiers=["upper_level"], die="90")
    assert listed(german, "ground")["K9/1"]["modifiers"] == ["upper_level"]
    german.roll("fire", firers=["german-1"], targets=["russian-2"], die="90")
    assert german.last.inputs["modifiers"] == ["upper_level"]


@pytest.mark.parametrize(
    ("smoke", "target", "counts"),
    [("K8", "K10", True), ("K10", "K10", True), ("K7", "K10", True), ("L8", "K10", False), ("L7", "L8", True)],
)
def test_17_4_7_fire_into_through_or_out_of_smoke_has_its_drm(table, smoke, target, counts):
    german, russian = table.values()
    german.do("counters/add/", list="German: Grenadier squad\nRussian: Rifle squad")
    german.do("counters/", id="german-1", place="K7")
    russian.do("counters/", id="russian-1", place=target)
    put(german, {"add": {smoke: {"hex": smoke, "smoke": 1}}}, "ground")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/fire/?firers=german-1&targets=russian-1")
    assert ("+10 Smoke" in reader.words("#opening")) == counts
    reader.form("#desk-form").fill(die=99).press("Resolve")
    assert ("smoke" in german.last.inputs["modifiers"]) == counts


def test_17_2_4_a_fallen_observer_calls_no_more_and_the_card_says_who_observes(table):
    german = table["german"]
    german.do("counters/add/", list="German: Officer, NCO")
    phase(german, "fire_and_movement")
    battery(german, observer="Officer #1")
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "observer Officer #1" in reader.words("#missions-german-1")
    german.do("counters/", id="german-1", becomes="eliminated")
    before = "Officer #1, its observer, is eliminated: note who observes now (17.2.4)."
    reader.open(f"/match/{german.match_id}/roll/contact/?mission=german-1&aim=K9")
    assert before in reader.form("#desk-form").fill(die=5).press("Resolve").words("#desk")
    put(german, {"change": {"german-1": {"observer": "NCO #2"}}})
    reader.open(f"/match/{german.match_id}/roll/contact/?mission=german-1&aim=K9")
    assert reader.form("#desk-form").fill(die=5).press("Resolve").status == 200
    assert "contact" in [line.helper for line in german.log]


@pytest.mark.parametrize("aim", ["K9", "M9"])
@pytest.mark.parametrize("smoke", [True, False])
def test_17_4_7_shells_are_those_of_the_last_call_whether_the_marker_moved_or_not(table, aim, smoke):
    """An FFE of smoke that had been a CFF of HE attacked whoever came into it, and stayed HE on its card."""
    german = table["german"]
    german.do("counters/add/", list="German: Officer")
    phase(german, "fire_and_movement", 2)
    battery(german)
    put(german, {"change": {"german-1": {"marker": "cff", "hex": "K9", "placed": 1, "smoke": not smoke}}})
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/contact/?mission=german-1&aim={aim}")
    reader.form("#desk-form").fill(smoke=smoke, die=5).press("Resolve")
    if aim != "K9":
        reader.form("#desk-form").fill(die=1).press("Resolve")
    mission = listed(german)["german-1"]
    assert (mission["marker"], mission["hex"], mission["smoke"]) == ("ffe", aim, smoke)
    german.do("counters/", id="german-1", place=aim)
    assert bool(german.match.state.queue) is not smoke


def test_17_4_6_a_caliber_that_the_first_fire_is_told_counts_for_whoever_comes_later(table):
    """Nobody was attacked, and nothing said so."""
    german = table["german"]
    german.do("counters/add/", list="German: Officer")
    phase(german, "fire_and_movement", 2)
    battery(german, caliber="")
    put(german, {"change": {"german-1": {"marker": "ffe", "hex": "K9", "placed": 2, "called": 2}}})
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/firepower/?mission=german-1")
    reader.form("#desk-form").fill(caliber=105).press("Resolve")
    assert listed(german)["german-1"]["caliber"] == 105
    german.do("drop/", step="all")
    german.do("counters/", id="german-1", place="K9")
    assert german.match.state.queue


def test_17_3_5_a_new_cff_is_not_offered_for_conversion(table):
    german = table["german"]
    phase(german, "fire_and_movement")
    battery(german, marker="cff", hex="K9", placed="1")
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "Convert" not in reader.words("#missions-german-1")
    assert "Correct fire" in reader.words("#missions-german-1")
    put(german, {"change": {"german-1": {"placed": 0}}})
    assert "Convert in K9" in reader.open(f"/match/{german.match_id}/").words("#missions-german-1")


def test_mines_are_noted_under_seal(table):
    german, russian = table.values()
    russian.do("rows/", field="ground", **{"part-hex": "M9", "part-mines": "3", "part-known_to": "russian"})
    assert listed(russian, "ground")["russian:M9"]["mines"] == 3 and listed(german, "ground") == {}
    for place in ("", "record.json", "ground.json", "log.json", "archive.json"):
        assert not re.search(r"\bM9\b", text_of(german.get(place))), place  # a token may hold the letters
    german.do("rows/", field="ground", **{"part-hex": "M9", "part-rubble": "yes"})
    assert set(listed(russian, "ground")) == {"russian:M9", "M9"}


def test_a_level_in_words_is_a_place_of_its_own(table):
    german = table["german"]
    units = json.dumps([{"kind": "squad", "tq": 6, "hex": "K7", "where": "Ground floor, left"}])
    for expected in ([], ["building_ground"]):
        german.roll("firepower", caliber="105", marker="ffe", impact="K7", units=units)
        step = german.match.state.queue[0]
        page = text_of(german.get("roll/fire/", step=step.id))
        assert ('value="building_ground" id="f-modifiers_0" checked' in " ".join(page.split())) == bool(expected)
        german.roll("fire", step=step.id, modifiers=["building_ground"], ff="20", die="90")
    assert listed(german, "ground")["K7/ground-floor-left"]["modifiers"] == ["building_ground"]


JUNK = (
    *("[]", "{", "7", '{"moon": {}}', '{"missions": 5}', '{"missions": {"strike": 7}}', '{"missions": {"add": [1]}}'),
    *('{"missions": {"add": {"a b": {}}}}', '{"missions": {"add": {"german-9": {"known_to": ["x"]}}}}'),
    *('{"missions": {"strike": [["a"]]}}', '{"ground": {"add": {"K7": 3}}}'),
    '{"missions": {"change": {"russian-1": {}}}}',
)


def test_junk_is_refused_and_changes_nothing(table):
    german, russian = table.values()
    plotted(russian)
    before = german.match.state
    for change in JUNK:
        assert german.do("rows/", change=change).status_code in (403, 409, 422), change
    for field in ("", "moon", "missions.x"):
        assert german.do("rows/", field=field).status_code == 422
    assert german.match.state == before


def test_a_program_need_not_carry_the_mission_through_a_chain(table):
    german = table["german"]
    id = battery(german)
    german.roll("contact", mission=id, aim="K9", die="30")
    german.roll("accuracy", step=german.match.state.queue[0].id, die="1")
    assert listed(german)[id]["hex"] == "K9"


def contact_form(player, **query):
    """The form of a Contact roll as its page has it."""
    (form,) = pages.forms(text_of(player.get("roll/contact/", **query)), "form#desk-form")
    return form


def test_a_hex_that_is_typed_into_the_form_fills_what_hangs_on_it_at_once(table):
    """With the odds come the ticks that follow from the hex: what is shown is what is rolled."""
    german = table["german"]
    mission = battery(german)
    german.do("counters/add/", list="German: 2 Grenadier squads")
    german.do("counters/", id="german-1", place="K9")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/contact/?mission={mission}")
    assert "65 % contact" in reader.words("#odds")
    form = reader.form("#desk-form").fill(aim="K12")
    assert "55 % contact" in reader.words("#odds")
    assert form.sent()["danger_close"] == ["on"]
    form.fill(aim="X40")
    assert "65 % contact" in reader.words("#odds")
    form.fill(aim="K12").fill(danger_close=False)
    assert "65 % contact" in reader.words("#odds"), "whoever has looked decides"
    form.fill(danger_close=True, die=60).press("Resolve")
    contact = [entry for entry in german.log if entry.helper == "contact"][-1]
    assert contact.inputs["danger_close"] is True and contact.sentence


def test_who_changes_the_aim_in_the_form_gets_what_hangs_on_it_anew(table):
    german = table["german"]
    id = battery(german)
    german.do("counters/add/", list="German: 2 Grenadier squads")
    german.do("counters/", id="german-1", place="K9")
    form = contact_form(german, mission=id, aim="C40")
    assert not form.has("danger_close", "on")
    sent = {**form.filled(aim="K12", dice="table", die="30"), "dice": "table"}
    before = german.match.version
    answer = german.send("roll/contact/", sent)
    assert answer.status_code == 422 and german.match.version == before
    (trouble,) = pages.words_of_each(text_of(answer), "#desk p.trouble")
    assert trouble == "Updated: Danger close: friends within 6 hexes: yes. Look again, then roll."
    (again,) = pages.forms(text_of(answer), "form#desk-form")
    assert again.has("danger_close", "on") and again.has("aim", "K12") and again.has("die", "30")
    # Whoever looks again decides.
    sent = {**again.filled(danger_close=None), "dice": "table"}
    answer = german.send("roll/contact/", sent)
    assert answer.status_code == 302, pages.words_of_each(text_of(answer), ".trouble, .errorlist")
    contact = [entry for entry in german.log if entry.helper == "contact"][-1]
    assert contact.inputs["aim"] == "K12" and contact.inputs["danger_close"] is False


def test_an_aim_that_changes_nothing_else_is_rolled_at_once_and_so_is_what_a_program_sends(table):
    german = table["german"]
    id = battery(german)
    form = contact_form(german, mission=id)
    assert german.send("roll/contact/", {**form.filled(aim="K12", die="30"), "dice": "table"}).status_code == 302
    german.do("counters/add/", list="German: 1 Grenadier squad")
    german.do("counters/", id="german-1", place="K9")
    answer = german.roll("contact", mission=battery(german), aim="K12", danger_close="", die="30")
    assert answer.status_code == 302


def test_the_name_of_a_sealed_plot_is_not_in_what_its_open_rolls_say(table):
    german, russian = table.values()
    id = plotted(russian, name="Katyusha", plot_turn="1")
    plotted(russian, name="Katyusha", plot_turn="3")  # not due yet
    phase(russian, "command")
    russian.do("advance/", button="phase")
    (step,) = russian.match.state.queue
    assert "Katyusha" in step.title
    russian.roll("contact", step=step.id, die="90", dice="table")
    russian.roll("contact", mission=id, die="98", dice="table")
    assert listed(russian)[id]["lifted"] == 1
    assert "Plotted fire: lifted for this phase." in text_of(german.get("log.json"))
    for page in ("", "log/", "log.json", "report.md", "missions.json", "record.json"):
        assert "Katyusha" not in text_of(german.get(page)), page
