"""Named days, numbered phases, scenarios with days of their own, what must be done, what comes up by itself."""

import json
from dataclasses import replace

import pytest

from examples.long_siege import rules
from firefight.engine.course.course import BadMove
from firefight.engine.course.keeping import DueAtStep
from firefight.engine.record import BadValue
from firefight.engine.rolls.result import FollowUp
from firefight.games import registry
from firefight.table.rolling import replay
from firefight.table.seats import turns
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.table.test_archive import save, send

pytestmark = pytest.mark.django_db


def begin(**options):
    maker, links = players.begin("camp", game="long-siege", **{f"option-{name}": its for name, its in options.items()})
    return maker, players.sit(links["town"], maker.match_id)


@pytest.fixture
def camp(frozen):
    return frozen("long siege", begin)[0]


def place_of(player):
    return player.get("record.json").json()["place"]


def record_of(player):
    return player.get("record.json").json()["record"]


def supply(player, die="6"):
    step = next(step for step in player.match.state.queue if step.helper == "supply")
    return player.roll("supply", die=die, step=step.id)


def reach_second_day(player):
    for _ in range(3):
        player.do("advance/")


# Phases by number


def test_a_phase_is_a_number_outside_and_a_word_inside(camp):
    assert place_of(camp) == {"turn": 1, "date": "1500-05-01", "phase": 1}
    camp.do("advance/")
    assert place_of(camp)["phase"] == 2 and camp.match.state.phase == "guns"
    camp.do("record/", field="phase", value="3")
    assert place_of(camp)["phase"] == 3 and camp.match.state.phase == "storm"
    assert camp.last.sentence == "By hand, Phase set to 3; it was 2."
    fields = Reader(camp.client).open(f"/match/{camp.match_id}/roll/storm/").find("input[name=phase]")
    assert [field.attributes["value"] for field in fields] == ["3"]
    camp.do("take-back/")
    assert place_of(camp)["phase"] == 2


def test_a_phase_that_is_no_number_of_it_is_refused(camp):
    for typed in ("0", "4", "guns"):
        assert camp.do("record/", field="phase", value=typed).status_code == 422
    assert place_of(camp)["phase"] == 1
    with pytest.raises(BadMove, match="phase"):
        rules.WHOLE.change(rules.WHOLE.begin(), {"phase": 9})
    with pytest.raises(BadMove, match="phase"):
        rules.WHOLE.change(rules.WHOLE.begin(), {"phase": "guns"})
    assert rules.WHOLE.flaws(replace(rules.WHOLE.begin(), phase="2")) != []


def test_a_date_finds_its_turn(camp):
    camp.do("record/", field="date", value="1500-05-04")
    assert place_of(camp) == {"turn": 4, "date": "1500-05-04", "phase": 1}


def test_headings_say_who_is_first(camp):
    camp.do("advance/")
    assert rules.WHOLE.headings(camp.match.state.position) == ("1 May", "Gunfire Phase", "Camp first")
    assert "1 May · Gunfire Phase · Camp first" in camp.see()


# Scenarios


@pytest.mark.parametrize(
    ("options", "first", "last"),
    [
        ({}, "1500-05-01", 6),
        ({"scenario": "relief"}, "1500-05-05", 6),
        ({"scenario": "own", "first_day": "3", "days": "2"}, "1500-05-03", 4),
        ({"scenario": "own", "first_day": "5", "days": "6"}, "1500-05-05", 6),
    ],
)
def test_a_scenario_has_days_of_its_own(options, first, last):
    camp, _ = begin(**options)
    assert place_of(camp)["date"] == first
    assert camp.do("record/", field="turn", value=str(last + 1)).status_code == 422
    if place_of(camp)["turn"] > 1:
        assert camp.do("record/", field="turn", value=str(place_of(camp)["turn"] - 1)).status_code == 422
    camp.do("record/", field="turn", value=str(last))
    camp.do("record/", field="phase", value="3")
    answer = camp.do("advance/")
    assert answer.status_code == 403 and f"{last} May is the last" in players.words_of(answer)
    branch, _ = send(save(camp), "camp")
    assert place_of(branch) == place_of(camp)


def test_what_a_scenario_does_not_use_is_not_said_of_it():
    camp, _ = begin(scenario="relief", first_day="3")
    assert "Scenario: The relief." in camp.log[0].sentence and "First day" not in camp.log[0].sentence
    camp, _ = begin(scenario="own", first_day="3")
    assert "First day: 3 May. Days: 1 days." in camp.log[0].sentence


def test_a_course_is_made_once_for_all_who_agreed_on_the_same():
    game = registry.games()["long-siege"]
    assert game.find_course({"scenario": "relief"}) is game.find_course({"scenario": "relief"})
    assert game.find_course({"scenario": "siege"}) is rules.WHOLE


# What must be done


def test_the_course_waits_for_what_is_compulsory(camp):
    reach_second_day(camp)
    assert [step.compulsory for step in camp.match.state.queue] == ["1.2"]
    reader = Reader(camp.client).open(f"/match/{camp.match_id}/")
    buttons = reader.find("button[name=button][value=phase]")
    assert buttons and all("disabled" in button.attributes for button in buttons)
    assert "First: Supply of the Town (1.2)." in reader.words()
    before = players.rows()
    answer = camp.do("advance/", button="phase")
    assert answer.status_code == 403 and "First: Supply of the Town (1.2). Nothing was done." in players.words_of(
        answer
    )
    assert players.rows() == before
    supply(camp)
    reader.open(f"/match/{camp.match_id}/")
    assert not any("disabled" in button.attributes for button in reader.find("button[name=button]"))
    assert camp.do("advance/").status_code == 302
    assert place_of(camp) == {"turn": 2, "date": "1500-05-02", "phase": 2}


def test_taking_back_what_was_compulsory_bars_the_way_again(camp):
    reach_second_day(camp)
    supply(camp)
    camp.do("take-back/")
    assert camp.do("advance/").status_code == 403


def test_what_is_compulsory_may_be_done_without_by_a_line_in_the_log():
    camp, town = begin()
    reach_second_day(camp)
    camp.do("drop/", step="all")
    if camp.match.proposal:
        town.do("answer/", agrees="yes")
    assert any("Not rolled: Supply of the Town." in entry.sentence for entry in camp.log)
    assert camp.do("advance/").status_code == 302


def test_a_hand_that_goes_elsewhere_leaves_nothing_that_bars(camp):
    reach_second_day(camp)
    camp.do("record/", field="phase", value="2")
    assert [step.compulsory for step in camp.match.state.queue] == [""]
    assert camp.do("advance/").status_code == 302


def test_what_is_compulsory_goes_along_with_a_file(camp):
    reach_second_day(camp)
    saved = save(camp)
    assert saved["match"]["state"]["queue"][0]["compulsory"] == "1.2"
    branch, _ = send(saved, "camp")
    assert branch.do("advance/").status_code == 403


def test_nothing_that_one_side_alone_knows_of_is_compulsory():
    with pytest.raises(ValueError, match="cannot hold up all"):
        DueAtStep(FollowUp("supply", "Supply", {}), known_to="camp", compulsory="1.2")


def test_what_players_do_themselves_is_told(camp):
    camp.do("advance/")
    assert camp.last.sentence == "Guns fire by day alone."


# What comes up by itself


def storm(player, **fields):
    return player.roll("storm", **{"phase": "2", "wall": "Gate", "height": "4", "die": "1", **fields})


def test_what_is_on_a_timetable_comes_up_on_its_step(camp):
    storm(camp)
    row = {"what": "stormers", "side": "camp", "turn": 3, "phase": 2, "about": "Gate"}
    assert record_of(camp)["due"] == [row]
    reach_second_day(camp)
    supply(camp)
    for _ in range(3):
        camp.do("advance/")
    supply(camp)
    assert record_of(camp)["due"] == [row]
    camp.do("advance/")
    assert place_of(camp)["turn"] == 3 and place_of(camp)["phase"] == 2
    assert record_of(camp)["due"] == []
    assert "Back now, Camp: stormers (Gate)." in [entry.sentence for entry in camp.log]
    camp.do("take-back/")
    assert record_of(camp)["due"] == [row]


def test_what_a_hand_has_gone_past_comes_up_all_the_same(camp):
    storm(camp)
    camp.do("record/", field="turn", value="4", house="on")
    camp.do("advance/")
    assert record_of(camp)["due"] == []


def test_what_asks_for_a_roll_is_due(camp):
    row = {"what": "bread", "side": "town", "turn": 1, "phase": 2, "about": ""}
    camp.do("record/", field="due", value=json.dumps([row]))
    camp.do("advance/")
    assert [step.title for step in camp.match.state.queue] == ["Back now, Town: bread."]


# What owners say of places


def test_what_is_said_of_a_place_is_said_once(camp):
    storm(camp)
    assert record_of(camp)["walls"] == {"Gate": {"height": 4}}
    reader = Reader(camp.client).open(f"/match/{camp.match_id}/roll/storm/?wall=Gate")
    assert reader.find("input[name=height]")[0].attributes["value"] == "4"
    storm(camp, height="6", die="6")
    assert record_of(camp)["walls"] == {"Gate": {"height": 4}}
    storm(camp, wall="Moat", height="7")
    assert "Moat" not in record_of(camp)["walls"]
    camp.do("take-back/")
    camp.do("take-back/")
    camp.do("take-back/")
    assert record_of(camp)["walls"] == {}


def test_what_is_told_of_a_place_is_only_of_places():
    record = rules.RECORD.defaults
    assert rules.TOLD.note({"wall": "Nowhere", "height": 3}, record, None) == ()
    assert rules.TOLD.note({"wall": "Gate", "height": None}, record, None) == ()
    assert rules.TOLD.fill({"wall": "Moat"}, record, None) == {"height": 2}
    with pytest.raises(BadValue):
        rules.RECORD.apply(record, {"walls": {"add": {"Nowhere": {"height": 3}}}})


# Sides that the app plays


def test_nobody_waits_for_a_side_that_the_app_plays():
    watch = players.begin("watch", game="lone-watch", **{"option-mode": "alone"})[0]
    watch.do("advance/")
    assert watch.match.state.position.side == "night"
    assert turns.find_standing(watch.match).awaited == ("watch",)
    assert "Waiting for" not in players.words_of(watch.client.get("/"))
    both = players.begin("watch", game="lone-watch", **{"option-mode": "both"})[0]
    both.do("advance/")
    assert turns.find_standing(both.match).awaited == ("night",)


# A procedure of several rolls


def due_of(player):
    return [step.title for step in player.match.state.queue if step.helper == "storm"]


def storm_next(player, die, **fields):
    page = Reader(player.client).open(f"/match/{player.match_id}/roll/storm/?step={player.match.state.queue[0].id}")
    return page.form("#desk-form").fill(die=die, **fields).press("Resolve")


@pytest.fixture
def stormers(camp):
    """A camp that climbs two walls, one after the other."""
    camp.do("drop/", step="all")
    page = Reader(camp.client).open(f"/match/{camp.match_id}/roll/escalade/")
    page.form("#desk-form").fill(walls="Moat, Gate").press("Resolve")
    return camp


def test_each_step_of_a_procedure_asks_for_the_next_one_alone(stormers):
    assert due_of(stormers) == ["Storm the Moat"]
    storm_next(stormers, 5)
    assert due_of(stormers) == ["Storm the Gate"]
    storm_next(stormers, 1, height=3)
    assert due_of(stormers) == []


def test_a_step_made_otherwise_takes_what_came_after_it(stormers):
    storm_next(stormers, 5)
    storm_next(stormers, 6, height=3)
    first = next(line for line in stormers.log if line.helper == "storm")
    page = Reader(stormers.client).open(f"/match/{stormers.match_id}/roll/storm/?corrects={first.number}")
    page.form("#desk-form").fill(die=1).press("Resolve")
    standing = [line.sentence for line in stormers.log if line.helper == "storm" and line.voided_by is None]
    assert standing == ["Storm. The Moat: held."] and due_of(stormers) == []


def test_the_log_check_follows_a_procedure(stormers):
    storm_next(stormers, 5)
    storm_next(stormers, 6, height=3)
    exported = json.loads(players.text_of(stormers.get("log.json")))
    results = replay.work_out_results(exported)
    assert results.problems == () and results.same == 3
    first_storm = next(line for line in exported["entries"] if line.get("helper") == "storm")
    first_storm["result"]["follow_ups"][0]["title"] = "Storm the Tower"
    assert replay.work_out_results(exported).problems
