"""What counters may try: the Command Phase lists who may rally, a Close Combat that is over who may advance."""

import pytest

from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight.counters.test_melee import declare, resolve, states, to_melee
from tests.firefight.players import begin, text_of
from tests.firefight.table.test_missions import phase, put

pytestmark = pytest.mark.django_db


def chances(player):
    """What the checklist of a page has by the dozen, by what it is; each says how many."""
    chances_by_heading = {}
    for part in pages.find(text_of(player.get()), "#due .checklist details"):
        heading, _, number = pages.words(part.css_first("summary")).rpartition(" ")
        assert number == str(len(part.css("li")))
        chances_by_heading[heading] = [pages.words(row.css_first("a")) for row in part.css("li")]
    return chances_by_heading


@pytest.fixture
def shaken(table):
    """A German squad that is Disrupted, an officer who is WIA; a Russian squad Pinned Down, another in Good Order."""
    table.german.do("counters/add/", list="German: 1 Grenadier squad, 1 Officer\nRussian: 2 Rifle squads")
    table.german.do("counters/", id=["german-1", "german-2"], place="K7")
    table.german.do("counters/", id="german-1", state="disrupted")
    table.german.do("counters/", id="german-2", state="wia")
    table.russian.do("counters/", id="russian-1", state="pinned")
    return table


def test_the_command_phase_lists_who_may_rally_for_their_own_side(shaken):
    assert chances(shaken.german) == {"Rally": ["Grenadier squad #1", "Officer #2"]}
    assert chances(shaken.russian) == {"Rally": ["Rifle squad #1"]}
    assert chances(shaken.observer) == {}
    assert "Disrupted, in K7" in shaken.german.see()
    shaken.german.do("counters/", id="german-1", place="K7", level="1")
    assert "Disrupted, in K7, level 1" in shaken.german.see()
    phase(shaken.german, "fire_and_movement")
    assert chances(shaken.german) == {}


def test_a_tap_opens_the_check_filled_in_and_who_has_tried_is_listed_no_more(shaken):
    reader = Reader(shaken.german.client).open(f"/match/{shaken.german.match_id}/")
    reader.press("Grenadier squad #1", within="#due .checklist")
    form = reader.form("#desk-form")
    assert form.sent()["label"] == ["to rally"] and form.sent()["tq"] == ["7"] and form.sent()["id"] == ["german-1"]
    form.fill(die=9).press("Resolve")
    assert "Above TQ" in reader.words("#desk") or "is above" in reader.words("#desk")
    assert chances(shaken.german) == {"Rally": ["Officer #2"]}
    # A correction lets it pass: what that makes of the squad is set by hand.
    number = shaken.german.last.number
    fields = {"tq": "7", "label": "to rally", "id": "german-1", "name": "Grenadier squad #1"}
    done = shaken.german.roll("action-check", corrects=number, die="3", dice="table", **fields)
    assert done.status_code == 302, text_of(done)[:500]
    assert chances(shaken.german) == {"Rallied": ["Grenadier squad #1"], "Rally": ["Officer #2"]}
    reader.open(f"/match/{shaken.german.match_id}/").press("Grenadier squad #1", within="#due .checklist")
    reader.press("Good Order", within="#desk .by-hand")
    assert states(shaken.german)["german-1"] == [] and chances(shaken.german) == {"Rally": ["Officer #2"]}
    # In the next turn everybody may try once more.
    shaken.german.roll("action-check", id="german-2", tq="9", label="to rally", die="10", dice="table")
    assert chances(shaken.german) == {}
    phase(shaken.german, "command", turn=2)
    assert chances(shaken.german) == {"Rally": ["Officer #2"]}
    again = replay.work_out_results(shaken.german.get("log.json").json())
    assert again.problems == () and again.noted == 3
    assert "tried" not in shaken.german.see("record/")


def checklist(player):
    """The lines of the checklist that can be tapped: headings with their number, and what stands for itself."""
    return pages.words_of_each(text_of(player.get()), "#due .checklist :is(h2, summary, .checklist > ol a)")


def test_a_step_begins_with_its_checklist(shaken):
    """A line for each kind of what there is to do, with how many; what there is once stands for itself."""
    assert checklist(shaken.german) == ["Turn 1 · Command", "Rally 2"]
    shaken.german.do("rows/", **{"field": "aircraft", "part-name": "Stukas", "part-planes": "2"})
    put(shaken.german, {"change": {"german-flight1": {"here": True}}}, "aircraft")
    shaken.german.do("advance/", button="phase")
    assert checklist(shaken.german) == ["Turn 1 · Fire and Movement", "Stukas: stay over the map?"]
    shaken.german.do("rows/", **{"field": "aircraft", "part-name": "Ju 87", "part-planes": "1"})
    put(shaken.german, {"change": {"german-flight2": {"here": True}}}, "aircraft")
    shaken.german.do("drop/", step="all")
    while shaken.german.match.state.position.phase != "command":
        shaken.german.do("advance/", button="phase")
    shaken.german.do("advance/", button="phase")
    assert checklist(shaken.german) == ["Turn 2 · Fire and Movement", "Aircraft: arrive or stay 2"]
    reader = Reader(shaken.german.client).open(f"/match/{shaken.german.match_id}/")
    reader.press("Ju 87: stay over the map?", within="#due .checklist")
    assert reader.words("#desk-form h2") == "Ju 87: stay over the map?"


def test_a_hidden_counter_is_told_to_its_side_alone(shaken):
    (hidden,) = shaken.russian.bring_hidden("1 Rifle squad")
    before = pages.find(text_of(shaken.german.get()), "#due")[0].html
    shaken.russian.do("counters/", id=hidden, state="pinned")
    assert len(chances(shaken.russian)["Rally"]) == 2
    assert pages.find(text_of(shaken.german.get()), "#due")[0].html == before


def fight(listed, *faces):
    """A Close Combat in K7 of these counters, fought out at one device."""
    one, _ = begin(hot_seat=True)
    one.do("counters/add/", list=listed)
    one.do("counters/", id=list(one.match.state.counters), place="K7")
    to_melee(one)
    declare(one)
    assert resolve(one, *faces).status_code == 302
    return one


def test_who_is_left_after_close_combat_may_advance_with_a_leader(db):
    """19.3.4: units stacked with a leader advance without an Action Check."""
    one = fight("German: 2 Grenadier squads, 1 NCO\nRussian: 1 Rifle squad", "1", "99")
    assert states(one)["russian-1"] == "eliminated"
    (names,) = chances(one)["May advance"]
    assert names == "Grenadier squad #1, Grenadier squad #2 and NCO #3"
    reader = Reader(one.client).open(f"/match/{one.match_id}/").press(names, within="#due .checklist")
    reader.press("K6", within="#desk .places")
    assert {counter["place"] for counter in one.get("counters.json").json() if not counter["fate"]} == {"K6"}
    assert chances(one) == {}


def test_without_a_leader_each_tries_by_an_action_check(db):
    one = fight("German: 2 Grenadier squads\nRussian: 1 Rifle squad", "1", "99")
    assert chances(one) == {"May try to advance": ["Grenadier squad #1", "Grenadier squad #2"]}
    reader = Reader(one.client).open(f"/match/{one.match_id}/").press("Grenadier squad #1", within="#due .checklist")
    reader.form("#desk-form").fill(die=3).press("Resolve")
    assert chances(one) == {"May advance": ["Grenadier squad #1"], "May try to advance": ["Grenadier squad #2"]}
    one.do("counters/", id="german-2", state=["pinned", "close_combat"])
    assert chances(one) == {"May advance": ["Grenadier squad #1"]}
    one.do("advance/", button="phase")
    assert chances(one) == {}


def test_nobody_advances_while_both_sides_are_left(db):
    one = fight("German: 2 Grenadier squads\nRussian: 1 Rifle squad", "99", "99")
    assert chances(one) == {}
