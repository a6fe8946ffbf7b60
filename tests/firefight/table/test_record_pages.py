"""What the record asks of players at the table, and what it leaves to whom: by the pages' own forms."""

import json
import re
import uuid

import pytest

from firefight.games.combat_stalingrad.game import TITLES
from firefight.table.log import reading
from firefight.table.rolling import replay
from tests import pages
from tests.filling import NotOffered, Reader
from tests.firefight.players import begin, end, sit, text_of, words_of
from tests.firefight.table.test_archive import save, send

pytestmark = pytest.mark.django_db


def sit_down_both():
    german, links = begin("german")
    return german, sit(links["russian"], german.match_id)


@pytest.fixture
def both(frozen):
    """A German and a Russian, each with a browser."""
    return frozen("two devices, nothing placed", sit_down_both)


def rows(player, field):
    return {row["id"]: row for row in player.get(f"{field}.json").json()}


def add(player, field, **parts):
    player.do("rows/", field=field, **{f"part-{name}": value for name, value in parts.items()})
    return list(rows(player, field))[-1]


def change(player, field, row, **parts):
    return player.do("rows/", change=json.dumps({field: {"change": {row: parts}}}))


def set_phase(player, phase, turn=None):
    if turn:
        player.do("record/", field="turn", value=str(turn))
    player.do("record/", field="phase", value=phase)


def open_table(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def titles(player):
    return [step.title for step in player.match.state.queue]


# Plots


@pytest.fixture
def plot(both):
    """A plot on K7 and L8 for turn 1, whose Contact has been made."""
    german, russian = both
    parts = {"caliber": "122", "plotted": "yes", "known_to": "russian", "plot": "K7, L8", "plot_turn": "1"}
    add(russian, "missions", **parts)
    set_phase(russian, "fire_and_movement")
    reader = open_table(russian)
    reader.form("#missions-russian-1 form").press("Contact")
    reader.form("#desk-form").fill(die=20).press("Resolve")
    return german, russian, reader


def test_a_plot_asks_on_which_of_its_two_hexes_it_goes(plot):
    german, russian, reader = plot
    form = reader.form("#desk-form")
    assert form.choices("aim") == ["", "K7", "L8"] and form.value("aim") == ""
    form.fill(die=1).press("Resolve")
    assert "Choose on which of its two hexes the Plot goes" in reader.words("#desk-form .trouble")
    assert rows(russian, "missions")["russian-1"]["marker"] == ""
    reader.form("#desk-form").fill(aim="L8", die=1).press("Resolve")
    row = rows(german, "missions")["russian-1"]
    assert (row["marker"], row["hex"]) == ("ffe", "L8")


def test_nobody_else_sees_its_hexes_in_the_form(plot):
    german, russian, _ = plot
    step = german.match.state.queue[0].id
    page = text_of(german.get("roll/accuracy/", step=step))
    assert not re.search(r"\b(K7|L8)\b", page)


# Whose cards they are


def test_the_other_side_sees_my_cards_without_my_buttons(both):
    german, russian = both
    add(german, "missions", caliber="105")
    change(german, "missions", "german-1", marker="cff", hex="K7")
    add(german, "aircraft", planes="2")
    change(german, "aircraft", "german-flight1", here=True, since=1)
    add(german, "sets", device="phone", hex="C5")

    def buttons(player, card):
        return [node.text().strip() for node in open_table(player).find(f"#{card} button, #{card} a")]

    assert buttons(german, "missions-german-1") == [
        *("Correct fire", "Convert in K7", "Attack whoever is there", "Lift", "By hand"),
    ]
    assert buttons(german, "aircraft-german-flight1") == ["Stays?", "Attack", "By hand"]
    assert buttons(russian, "missions-german-1") == buttons(russian, "sets-german-set1") == []
    assert buttons(russian, "aircraft-german-flight1") == ["Fire at it"]
    assert "CFF K7" in open_table(russian).words("#missions-german-1")


def test_who_sits_alone_at_the_table_has_all_of_them():
    alone, _ = begin(hot_seat=True)
    add(alone, "missions", caliber="105")
    change(alone, "missions", "german-1", side="russian")
    add(alone, "aircraft", planes="2")
    change(alone, "aircraft", "german-flight1", here=True)
    reader = open_table(alone)
    assert "Contact" in reader.words("#missions-german-1 button")
    assert "Fire at it" in reader.words("#aircraft-german-flight1 button")


def test_the_card_of_a_set_says_where_it_is_whether_it_was_used_what_is_wrong_and_that_it_is_lost(both):
    german, russian = both
    add(german, "sets", name="Phone 1", device="phone", hex="C5")
    add(german, "missions", caliber="105", set="Phone 1")
    german.roll("contact", mission="german-1", aim="K7", die="5")

    def card(player):
        (card_node,) = open_table(player).find("#sets-german-set1")
        return card_node

    assert "phone · C5 · used in this phase" in pages.words(card(german))
    assert "Phone 1 German" in pages.words(card(russian)) and "Phone 1 German" not in pages.words(card(german))
    turn = german.match.state.turn
    set_phase(german, "command", turn + 1)
    assert "used in this phase" not in pages.words(card(german))
    change(german, "sets", "german-set1", hex="K9")
    assert "at most 3 (17.2.5)" in pages.words(card(german))
    assert "over" not in card(german).attributes["class"].split()
    change(german, "sets", "german-set1", lost=True)
    assert "lost" in pages.words(card(german)) and "over" in card(german).attributes["class"].split()


# What is due


def test_a_flight_has_one_stay_roll_however_many_turns_have_gone_by(both):
    german, _ = both
    add(german, "aircraft", name="Stukas", planes="1")
    change(german, "aircraft", "german-flight1", here=True, since=1)
    for turn in (2, 3, 4):
        set_phase(german, "command", turn)
        german.do("advance/", button="phase")
    assert titles(german) == ["Stukas: stay over the map?"]
    reader = open_table(german)
    reader.form("#aircraft-german-flight1 form").press("Stays?")
    reader.form("#desk-form").fill(die=1).press("Resolve")
    assert "Stukas: stay over the map?" not in titles(german)
    assert rows(german, "aircraft")["german-flight1"]["since"] == 4


def test_a_plot_that_is_tried_from_its_card_is_due_no_more_and_its_turn_comes_once(both):
    _, russian = both
    add(russian, "missions", caliber="122", plotted="yes", known_to="russian", plot="K7, L8", plot_turn="1")
    for _ in range(2):
        set_phase(russian, "command")
        russian.do("advance/", button="phase")
    assert titles(russian) == ["Plot of turn 1: 122 mm battery"]
    russian.roll("contact", mission="russian-1", die="90")
    assert titles(russian) == []


def test_the_set_of_an_observer_who_falls_is_rolled_for_and_what_comes_of_it_is_written_down(both):
    german, russian = both
    german.do("counters/add/", list="German: 2 Grenadier squads, NCO")
    german.do("counters/", id=["german-1"], place="K7")
    add(german, "sets", name="Radio 1", device="radio", hex="C5")
    add(german, "missions", caliber="105", set="Radio 1", observer="Grenadier squad #1")
    add(german, "missions", caliber="81", set="german-set1", observer="german-1")
    german.do("counters/", id=["german-2"], becomes="eliminated")
    assert titles(german) == []
    german.do("counters/", id=["german-1"], becomes="eliminated")
    assert titles(german) == ["Radio 1: left or lost with Grenadier squad #1?"]
    (step,) = german.match.state.queue
    assert TITLES["fo-loss"](step.title, step.inputs, None) is not False
    reader = open_table(german)
    assert reader.form("#desk-form").value("item") == "radio"
    reader.form("#desk-form").fill(die=4).press("Resolve")
    assert rows(german, "sets")["german-set1"]["hex"] == "K7"
    assert "Radio 1: left in K7." in reader.words("#desk")
    german.do("take-back/")
    german.roll("fo-loss", step=german.match.state.queue[0].id, die="9")
    assert rows(german, "sets")["german-set1"]["lost"]
    refused = german.roll("contact", mission="german-1", aim="K9", die="30")
    assert "Radio 1 is lost" in words_of(refused)
    end(german, russian)
    assert replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ())))).problems == ()


def test_a_value_of_a_row_is_set_on_the_rows_own_page_which_comes_back(both):
    german, _ = both
    battery = add(german, "missions", caliber="105")
    place = f"/match/{german.match_id}/rows/missions/{battery}/"
    reader = Reader(german.client).open(place)
    labels = [pages.words(label) for label in reader.find("dl.record dt")]
    assert "Observer" in labels and not any("105 mm" in label for label in labels)
    for name, value in (("observer", "NCO #1"), ("set", "Radio 1")):
        part = f"missions.{battery}.{name}"
        reader.form(f'dl.record [id="{part}"] form').fill(value=value).press("Set")
        assert reader.address.partition("#")[0] == place and rows(german, "missions")[battery][name] == value


def test_a_fall_by_hand_is_not_undone_once_the_set_was_rolled_for(both):
    german, russian = both
    german.do("counters/add/", list="German: NCO")
    german.do("counters/", id=["german-1"], place="K7")
    add(german, "sets", name="Radio 1", device="radio")
    add(german, "missions", caliber="105", set="Radio 1", observer="NCO #1")
    german.do("counters/", id=["german-1"], becomes="eliminated")
    fell = german.last.number
    russian.do("counters/undo/", number=fell)
    german.do("answer/", agrees="yes")
    assert not german.match.state.counters["german-1"].get("fate") and titles(german) == []
    german.do("counters/", id=["german-1"], becomes="eliminated")
    fell = german.last.number
    open_table(german).form("#desk-form").fill(die=9).press("Resolve")
    refused = german.do("counters/undo/", number=fell)
    rolled = german.match.log.filter(helper="fo-loss").get()
    assert f"№ {rolled.number} was rolled because of it" in words_of(refused)
    assert german.match.state.counters["german-1"]["fate"] == "eliminated"
    german.do("take-back/")
    german.do("counters/undo/", number=fell)
    assert not german.match.state.counters["german-1"].get("fate") and titles(german) == []
    assert not rows(german, "sets")["german-set1"]["lost"]


def test_after_a_file_is_opened_a_change_is_undone_whatever_was_rolled_because_of_others(both):
    german, _ = both
    german.do("counters/add/", list="German: NCO, Grenadier squad")
    german.do("counters/", id=["german-2"], place="K7")
    moved = german.last.number
    add(german, "sets", name="Radio 1", device="radio")
    add(german, "missions", caliber="105", set="Radio 1", observer="NCO #1")
    german.do("counters/", id=["german-1"], becomes="eliminated")
    open_table(german).form("#desk-form").fill(die=9).press("Resolve")
    opened, _ = send(save(german))
    opened.do("counters/undo/", number=moved)
    assert not opened.match.state.counters["german-2"].get("place")


def lose_observer(german, russian):
    """Fire that eliminates the NCO who observes for a battery, by the pages' own forms; the squad beside is there."""
    german.do("counters/add/", list="German: NCO, Grenadier squad")
    russian.do("counters/add/", list="Russian: Rifle squad")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id="russian-1", place="K9")
    add(german, "sets", name="Radio 1", device="radio")
    add(german, "missions", caliber="105", set="Radio 1", observer="NCO #1")
    set_phase(german, "fire_and_movement")
    reader = Reader(russian.client)
    reader.open(f"/match/{russian.match_id}/roll/fire/?firers=russian-1&targets=german-1&targets=german-2")
    reader.form("#desk-form").fill(die=1).press("Resolve")
    open_table(german).form("#desk-form").fill(die_1=9, die_2=2).press("Resolve")
    assert german.match.state.counters["german-1"]["fate"] == "eliminated"


LOSS = "Radio 1: left or lost with NCO #1?"


def correct(player, slug, **typed):
    """Correct the last such roll by the form that its page draws."""
    number = [line.number for line in player.log if line.helper == slug][-1]
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?corrects={number}")
    reader.form("#desk-form").fill(**typed).press("Resolve")


def test_the_set_of_an_observer_whom_a_correction_brings_back_is_due_no_more(both):
    german, russian = both
    lose_observer(german, russian)
    assert LOSS in titles(german)
    correct(russian, "fire", die=99)
    assert not german.match.state.counters["german-1"].get("fate") and titles(german) == []


def test_a_set_that_was_lost_with_an_observer_whom_a_correction_brings_back_is_there_again(both):
    german, russian = both
    lose_observer(german, russian)
    step = next(step for step in german.match.state.queue if step.title == LOSS)
    Reader(german.client).open(f"/match/{german.match_id}/roll/fo-loss/?step={step.id}").form("#desk-form").fill(
        die=9
    ).press("Resolve")
    assert rows(german, "sets")["german-set1"]["lost"]
    correct(german, "who-is-hit", die_1=2, die_2=9)
    assert rows(german, "sets")["german-set1"]["lost"] is False and LOSS not in titles(german)
    assert german.match.state.counters["german-2"]["fate"] == "eliminated"
    end(german, russian)
    assert replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ())))).problems == ()


def test_an_observer_who_falls_by_the_corrected_roll_too_leaves_one_set_to_roll_for(both):
    german, russian = both
    lose_observer(german, russian)
    correct(russian, "fire", die=2)
    assert german.match.state.counters["german-1"]["fate"] == "eliminated"
    assert titles(german).count(LOSS) == 1


def test_a_correction_of_another_roll_of_the_same_act_leaves_the_set_due(both):
    """One press resolves both checks: the roll hangs on the observer's, not on the first line of the act."""
    german, russian = both
    german.do("counters/add/", list="German: Grenadier squad, NCO")
    russian.do("counters/add/", list="Russian: Guards squad")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id="russian-1", place="K9")
    german.do("counters/", id="german-2", becomes="wia")
    add(german, "sets", name="Radio 1", device="radio")
    add(german, "missions", caliber="105", set="Radio 1", observer="NCO #2")
    set_phase(german, "fire_and_movement")
    reader = Reader(russian.client)
    reader.open(f"/match/{russian.match_id}/roll/fire/?firers=russian-1&targets=german-1&targets=german-2")
    reader.form("#desk-form").fill(die=40).press("Resolve")
    card = open_table(german)
    boxes = [f"due-{step.id}-die" for step in german.match.state.queue]
    card.form("form.due").fill(dict(zip(boxes, (9, 10), strict=True))).press("dice=table")
    due_title = "Radio 1: left or lost with NCO #2?"
    assert titles(german) == [due_title]
    number = next(line.number for line in german.log if line.helper == "morale" and "Grenadier" in line.sentence)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/morale/?corrects={number}")
    reader.form("#desk-form").fill(die=1).press("Resolve")
    assert titles(german) == [due_title] and german.match.state.counters["german-2"]["fate"] == "eliminated"


def test_where_a_hidden_observer_fell_is_not_told(both):
    german, russian = both
    german.do("counters/add/", list="German: NCO")
    german.do("counters/", id=["german-1"], place="K7")
    add(german, "sets", device="phone")
    add(german, "missions", caliber="105", set="german-set1", observer="german-1")
    german.do("counters/", id=["german-1"], becomes="hidden")
    german.do("counters/", id=["german-1"], becomes="eliminated")
    (step,) = german.match.state.queue
    assert step.inputs == {"set": "german-set1", "item": "phone"}
    german.roll("fo-loss", step=step.id, die="4")
    assert rows(russian, "sets")["german-set1"]["hex"] is None


# The course


def meet(german, russian):
    german.do("counters/add/", list="German: 1 Grenadier squad\nRussian: 1 Rifle squad")
    german.do("counters/", id=["german-1"], place="K7")
    russian.do("counters/", id=["russian-1"], place="K7")


def turn_lines(player):
    return [entry for entry in player.log if entry.kind == "turn"]


def test_the_next_phase_asks_about_a_close_combat_that_is_still_open(both):
    """Whoever presses is asked, in place; a press of the confirmation goes on and the line names what was left."""
    german, russian = both
    meet(german, russian)
    set_phase(german, "melee")
    for player, script in ((russian, True), (german, False)):
        before = player.match.version
        reader = Reader(player.client, script).open(f"/match/{player.match_id}/").press("Next phase")
        assert reader.status == 422 and player.match.version == before and not turn_lines(german)
        assert "Still open: Close Combat in K7." in reader.words("#now")
    assert "Go on all the same" not in open_table(russian).words()
    reader.press("Go on all the same", within="#now")
    (line,) = turn_lines(german)
    assert line.sentence.endswith("Still open: Close Combat in K7.") and german.match.state.phase == "conclusion"
    assert not reader.has("#going-on")


def test_the_next_phase_does_not_ask_where_no_close_combat_is_open(both):
    german, russian = both
    meet(german, russian)
    set_phase(german, "melee")
    russian.do("counters/", id=["russian-1"], place="K9")
    open_table(german).press("Next phase")
    assert "Still open" not in german.last.sentence and german.match.state.phase == "conclusion"


@pytest.mark.parametrize("house", [True, False])
def test_a_phase_set_by_hand_asks_about_an_open_close_combat_too(both, house):
    """The Melee Phase is left, or passed by, with the housekeeping or as a plain correction."""
    german, russian = both
    meet(german, russian)
    for phase in ("melee", "fire_and_movement"):
        set_phase(german, phase)
        before = german.match.version
        reader = Reader(german.client).open(f"/match/{german.match_id}/record/")
        reader.form("#phase form").fill(value="conclusion", house=house).press("Set")
        assert (reader.status, german.match.version) == (422, before)
        assert "Still open: Close Combat in K7." in reader.words("#now")
    reader.press("Go on all the same", within="#now")
    assert german.match.state.phase == "conclusion"
    sentences = [entry.sentence for entry in german.log if "Still open: Close Combat in K7." in entry.sentence]
    assert len(sentences) == 1 and sentences[0].startswith("By hand")
    set_phase(german, "melee")  # back, or another turn, from where it is over, asks nobody
    assert german.match.state.phase == "melee"


def test_the_end_of_the_match_asks_about_an_open_close_combat_and_tells_of_it(both):
    german, russian = both
    meet(german, russian)
    set_phase(german, "melee")
    answer = german.do("end/", sure="on")
    assert answer.status_code == 422 and "Still open: Close Combat in K7." in words_of(answer)
    assert german.match.proposal is None
    german.do("end/", sure="on", leaves="on")
    russian.do("answer/", agrees="yes")
    (line,) = [entry for entry in german.log if entry.kind == "end"]
    assert line.sentence.endswith("Still open: Close Combat in K7.")


def test_a_script_is_asked_about_an_open_close_combat_too(both):
    german, russian = both
    meet(german, russian)
    set_phase(german, "melee")
    response = german.client.post(
        f"/match/{german.match_id}/advance/",
        {"act": str(uuid.uuid4()), "version": german.match.version, "button": "phase"},
        headers={"Accept": "application/json"},
    )
    assert response.status_code == 422 and "Still open: Close Combat in K7." in response.json()["error"]
    german.do("advance/", button="phase", leaves="on")
    assert german.match.state.phase == "conclusion"


def test_a_phase_that_is_set_by_hand_offers_what_begins_with_it(both):
    german, _ = both
    add(german, "missions", caliber="105")
    change(german, "missions", "german-1", marker="ffe", hex="K7", placed=1, called=1)
    set_phase(german, "fire_and_movement")
    reader = Reader(german.client).open(f"/match/{german.match_id}/record/")
    reader.form("#phase form").fill(value="melee").press("Set")
    assert not rows(german, "missions")["german-1"]["fire_2"]
    german.do("take-back/")
    reader.open(f"/match/{german.match_id}/record/")
    reader.form("#phase form").fill(value="melee", house=True).press("Set")
    assert rows(german, "missions")["german-1"]["fire_2"]
    assert german.last.sentence == "105 mm battery: Fire 2 on its FFE in K7 (17.3.6)."
    german.do("take-back/")
    assert german.match.state.phase == "fire_and_movement" and not rows(german, "missions")["german-1"]["fire_2"]
    with pytest.raises(NotOffered):
        reader.form('form[action$="/record/"]:has(input[value="missions.german-1.hex"])').fill(house=True)


def test_what_the_chart_book_does_not_know_is_no_modifier_of_the_ground(both):
    german, _ = both
    before = german.match.state
    for sent in (
        {"add": {"K7": {"hex": "K7", "modifiers": ["woods", "swamp"]}}},
        {"add": {"K7": {"modifiers": ["x"]}}},
    ):
        refused = german.do("rows/", change=json.dumps({"ground": sent}))
        assert refused.status_code == 422 and "The chart book has no modifier" in words_of(refused)
    assert german.match.state == before
    german.do("rows/", change=json.dumps({"ground": {"add": {"K7": {"hex": "K7", "modifiers": ["woods"]}}}}))
    refused = german.do("record/", field="ground.K7.modifiers", value="woods, swamp")
    assert refused.status_code == 422 and "no modifier swamp" in words_of(refused)
    assert rows(german, "ground")["K7"]["modifiers"] == ["woods"]


# Sheets


def sheet_of(reader):
    """What a form asks before everything that is folded up."""
    form = reader.form("#desk-form")
    folded = {name for node in reader.find("#desk-form details") for name in _names_in(node)}
    return [name for name in form.names() if name not in folded]


def _names_in(node):
    return [control.attributes.get("name") for control in node.css("input, select")]


def test_contact_with_nothing_tapped_is_a_sheet_with_a_hex_and_a_die(both):
    german, _ = both
    add(german, "missions", caliber="105")
    reader = open_table(german).press("Contact", within="#rolls")
    assert sheet_of(reader) == ["aim", "die"]
    assert reader.words("#desk-form .ways b") == "105 mm"
    # A slip leaves the sheet as it is.
    reader.form("#desk-form").fill(aim="K9").press("Resolve")
    assert sheet_of(reader) == ["aim", "die"]
    reader.form("#desk-form").fill(die=30).press("Resolve")
    contact = next(entry for entry in german.log if entry.helper == "contact")
    assert (contact.inputs["mission"], contact.inputs["aim"], contact.inputs["caliber"]) == ("german-1", "K9", 105)


def test_of_several_batteries_one_is_chosen_and_so_is_none(both):
    german, russian = both
    add(german, "missions", caliber="105")
    add(german, "missions", caliber="105")
    add(german, "missions", caliber="81")
    change(german, "missions", "german-3", marker="cff", hex="K7")
    add(russian, "missions", caliber="122")
    reader = open_table(german).press("Contact", within="#rolls")
    labels = ["105 mm #1", "105 mm #2", "81 mm: Correct fire", "81 mm: Convert in K7"]
    assert reader.words("#desk-form .ways b") == labels[0]  # until another one is chosen
    assert [node.text() for node in reader.find("#desk-form .ways a")] == [*labels[1:], "None of these"]
    change(german, "missions", "german-1", lifted=1)
    reader = open_table(german).press("Contact", within="#rolls")
    assert reader.words("#desk-form .ways b") == labels[1] and sheet_of(reader) == ["aim", "die"]
    reader.press("81 mm: Convert in K7")
    assert reader.words("#desk-form .ways b") == labels[3]
    assert reader.form("#desk-form").value("aim") == "K7" and sheet_of(reader) == ["aim", "die"]
    reader.press("None of these")
    assert not reader.has("#desk-form .ways") and reader.form("#desk-form").value("caliber") == ""


def test_who_has_no_battery_gets_the_form_as_ever(both):
    german, _ = both
    reader = open_table(german).press("Contact", within="#rolls")
    assert not reader.has("#desk-form .ways") and "device" in sheet_of(reader)


# The End of Firefight roll


@pytest.mark.parametrize(("turn", "number"), [(5, 8), (6, 6)])
def test_the_end_of_firefight_begins_with_the_number_of_its_turn_and_says_whose_it_is(both, turn, number):
    german, _ = both
    set_phase(german, "melee", turn)
    reader = open_table(german).press("Next phase")
    opening = f"{number} or less: play goes on. The house value of “Into the Inferno” and “To the Volga!”"
    assert reader.words("#desk #opening").startswith(opening)
    assert reader.form("#desk-form").value("number") == str(number)
    reader.form("#desk-form").fill(number=3)
    assert reader.words("#desk #opening") == "3 or less: play goes on."
    reader.form("#desk-form").fill(die=3).press("Resolve")
    entry = next(entry for entry in german.log if entry.helper == "end-of-firefight")
    assert [(source.title, source.provenance) for source in entry.result.provenance] == [
        ("End of Firefight number", "owner")
    ]
    german.do("take-back/")
    german.roll("end-of-firefight", step=german.match.state.queue[0].id, die="9")
    entry = german.log[-1]
    assert entry.inputs["number"] == number and entry.result.provenance[0].provenance == "house"


# Aircraft


def test_a_ju_87_that_is_added_is_a_flight_and_no_counter(both):
    german, russian = both
    reader = Reader(german.client).open(f"/match/{german.match_id}/counters/")
    form = next(form for form in (reader.form(number=number) for number in range(20)) if "list" in form.names())
    form.fill(list="German: 2 Ju 87, NCO\nRussian: Po-2").press()
    flights = rows(russian, "aircraft")
    assert {(row["side"], row["aircraft"], row["planes"]) for row in flights.values()} == {
        ("german", "ju87", 2),
        ("russian", "po2", 1),
    }
    assert [counter["counter"] for counter in german.get("counters.json").json()] == ["nco"]
    assert "2 × Ju 87" in open_table(russian).words("#kept-cards")
    german.do("take-back/")
    assert rows(german, "aircraft") == {} and german.get("counters.json").json() == []
    before = german.match.state
    for listed, more in (("10 Ju 87", {}), ("1 Ju 87", {"hidden": "on"})):
        assert german.do("counters/add/", list=f"German: {listed}", **more).status_code == 422, listed
    assert german.match.state == before
