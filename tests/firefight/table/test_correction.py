"""Corrections: everything that followed from the old roll goes with it, and dice stand for the same check again."""

import json
from dataclasses import replace

import pytest

from firefight.engine import chain
from firefight.engine.rolls.dice import DieSpec
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.models import LogEntry, Match
from firefight.table.act import episodes
from firefight.table.act.refusals import Refused
from firefight.table.consent import matters
from firefight.table.files import archive, making, saving
from firefight.table.log import fairness, notes, reading
from firefight.table.rolling import replay, rolls, striking
from firefight.table.rolling.orders import RollOrder
from firefight.table.story import report
from tests.firefight.players import GAME, rows
from tests.firefight.table.test_acts import at, entries, new_id, roll, standing, state

pytestmark = pytest.mark.django_db

GERMAN, RUSSIAN = "german", "russian"
UNITS = [{"kind": "squad", "name": "1st", "tq": 6}, {"kind": "squad", "name": "2nd", "tq": 7}]
HIT, MISS = 14, 90  # C/M of the house chart at 8 FF, and no effect


def fire(match, face, **more):
    return roll(match, "fire", {"die": face}, ff=8, units=UNITS, **more).entries[0]


def due(match):
    return [step.title for step in state(match).queue]


def answer_due(match, faces, source="table", side=GERMAN, **values):
    """Roll the first thing that is due."""
    step = state(match).queue[0]
    helper = registry.helpers(GAME)[step.helper]
    form = helper.form.from_plain({**step.inputs, **values}, book=of_match(at(match).match), chained=True)
    assert form.is_valid(), form.errors
    order = RollOrder(helper, form, source, faces, step.id)
    return rolls.roll(at(match, side), new_id(), None, order).entries[0]


@pytest.fixture
def shot(match):
    """A fire whose C/M was followed up: who is hit, the Casualties, and a Morale Check of the app."""
    first = fire(match, HIT)
    hit = answer_due(match, {"die_1": 8, "die_2": 3})
    return first, hit


def test_everything_that_followed_goes_with_the_old_roll(match, shot):
    first, hit = shot
    losses = hit.number + 1  # computed with the hit dice, as a line of their own
    assert due(match)
    done = roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number)
    assert due(match) == []
    assert done.entries[0].voids == [first.number, hit.number, losses]
    sentence = f"With № {first.number}, 2 rolls that followed from it go: № {hit.number}, № {losses}."
    assert done.entries[-1].sentence == sentence
    struck = LogEntry.objects.filter(match=match, voided_by=done.entries[0].number)
    assert sorted(entry.number for entry in struck) == [first.number, hit.number, losses]


def test_whole_trees_go_and_what_followed_from_nothing_stays(match, shot):
    first, hit = shot
    other = roll(match, "morale", {"die": 9}, tq=6).entries[0]
    checks = []
    while due(match):
        checks.append(answer_due(match, {"die": 5}, side=RUSSIAN))
    assert checks
    done = roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number)
    struck_numbers = [first.number, hit.number, hit.number + 1, *(entry.number for entry in checks)]
    assert done.entries[0].voids == struck_numbers
    assert f"{len(struck_numbers) - 1} rolls that followed from it go" in done.entries[-1].sentence
    assert LogEntry.objects.get(pk=other.pk).voided_by is None


def test_a_die_that_was_thrown_for_the_same_check_stands_for_it_again(match, shot):
    first, hit = shot
    before = due(match)
    done = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    new, again, losses, summary = done.entries
    assert (losses.helper, losses.rolls, losses.due) == ("casualties", (), f"{again.number}-0")
    assert (again.helper, again.result.headline) == (hit.helper, hit.result.headline)
    assert [(die.die, die.face, die.of) for die in again.rolls] == [("die_1", 8, 3), ("die_2", 3, 3)]
    assert again.due == f"{new.number}-0"
    assert summary.sentence.endswith(f"The same dice stand for: № {again.number}.")
    assert due(match) == before


def test_a_die_that_stands_again_and_again_says_where_it_was_thrown(match, shot):
    first, hit = shot
    once = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    twice = roll(match, "fire", {"die": HIT}, ff=8, units=UNITS, corrects=once.entries[0].number)
    assert twice.entries[1].helper == hit.helper
    assert [(die.face, die.of) for die in twice.entries[1].rolls] == [(8, hit.number), (3, hit.number)]


def test_a_throw_that_lacks_a_die_now_is_asked_for_again(match, shot):
    first, hit = shot
    third = {"kind": "squad", "name": "3rd", "tq": 7}
    done = roll(match, "fire", {"die": HIT}, ff=8, units=[*UNITS, third], corrects=first.number)
    assert [entry.helper for entry in done.entries if entry.rolls] == ["fire"]
    assert state(match).queue[0].helper == hit.helper


def test_of_throws_that_were_made_again_the_last_stands_in_its_order(match, shot):
    """As the rule has some dice thrown anew; several dice of one throw have one name."""
    _, hit = shot
    entry = LogEntry(rolls=[replace(hit.rolls[0], die="pair", face=face) for face in (7, 4, 2, 5)])
    spec = DieSpec("pair", hit.rolls[0].sides, "Pair", number=2)
    assert [die.face for die in striking._dice_of(entry)(spec)] == [2, 5]


def test_what_players_had_entered_besides_is_entered_again(match):
    first = fire(match, HIT)
    while state(match).queue[0].helper != "morale":
        answer_due(match, {"die_1": 8, "die_2": 3} if state(match).queue[0].helper == "who-is-hit" else {})
    check = answer_due(match, {"die": 6}, modifier=3)
    done = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    again = next(entry for entry in done.entries if entry.helper == "morale")
    assert (again.inputs["modifier"], again.result) == (3, check.result)


def test_dice_of_the_app_that_stand_again_are_drawn_once(match, script):
    first = fire(match, HIT)
    hit = answer_due(match, {}, source="app")
    done = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    again = done.entries[1]
    assert [die.number for die in again.rolls] == [die.number for die in hit.rolls] == [1, 2]
    assert Match.objects.get(pk=match.pk).next_roll == 3
    matters.propose_end(at(match), new_id(), None)
    exported = json.loads(json.dumps(reading.export_log(Match.objects.get(pk=match.pk), ())))
    assert fairness.check_log(exported).is_complete and script(exported)["problems"] == []
    assert replay.work_out_results(exported).problems == ()
    series = report.dice_of(reading.visible(entries(match), ()), registry.games()[GAME])
    assert [series.tally.number for series in series if "d10," in series.who] == [2]
    for change in ({"face": again.rolls[0].face % 10 + 1}, {"of": first.number}, {"number": 2}):
        forged = json.loads(json.dumps(exported))
        forged["entries"][again.number - 1]["rolls"][0] |= change
        assert any("stands again" in flaw for flaw in fairness.check_log(forged).problems)
        assert any("stands again" in flaw for flaw in script(forged)["problems"])


def test_a_die_stands_for_one_check_only(match, script):
    """Who writes the whole chain anew cannot let a good die count twice."""
    roll(match, "contact", source="app")
    roll(match, "contact", source="app")
    matters.propose_end(at(match), new_id(), None)
    exported = json.loads(json.dumps(reading.export_log(Match.objects.get(pk=match.pk), ())))
    good, later = exported["entries"][1], {**exported["entries"][1], "number": 3}
    spent = {"kind": "spent", "rolls": exported["entries"][2]["rolls"], "sentence": "Nothing came of it."}
    exported["entries"][2] |= spent
    for name in ("helper", "inputs", "result", "app"):
        del exported["entries"][2][name]
    exported["entries"].insert(3, {**later, "number": 4, "rolls": [{**good["rolls"][0], "of": 2}]})
    exported["entries"][4]["number"] = 5
    digest = ""
    for line in exported["entries"]:
        line["digest"] = digest = chain.line_digest(digest, line)
    exported["digest"] = digest
    problem = "Line 4: the die that stands again still counts in line 2."
    assert fairness.check_log(exported).problems == (problem,)
    assert script(exported)["problems"] == [problem]


def test_taking_the_correction_back_brings_the_whole_tree_back(match, shot):
    first, _ = shot
    before, stood = state(match), standing(match)
    roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    matters.propose_take_back(at(match), new_id(), None)
    assert (state(match), standing(match)) == (before, stood)


def test_a_corrected_roll_can_be_corrected_once_more_with_all_that_stands_below_it(match, shot):
    first, _ = shot
    second = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number).entries
    third = roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=second[0].number)
    assert third.entries[0].voids == [entry.number for entry in second[:3]]
    assert due(match) == []


@pytest.mark.parametrize("source", ["app", "table"])
def test_a_die_is_not_got_rid_of_by_correcting_to_and_fro(match, source):
    first = fire(match, HIT)
    hit = answer_due(match, {"die_1": 8, "die_2": 3}, source=source, side=RUSSIAN)
    before = due(match)
    second = roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number).entries[0]
    for face in (MISS + 1, MISS + 2):
        second = roll(match, "fire", {"die": face}, ff=8, units=UNITS, corrects=second.number).entries[0]
    notes.note(at(match, RUSSIAN), new_id(), None, "what now?")
    third = roll(match, "fire", {"die": HIT}, ff=8, units=UNITS, corrects=second.number).entries
    again = next(entry for entry in third if entry.helper == hit.helper)
    assert [die.face for die in again.rolls] == [die.face for die in hit.rolls]
    assert [die.of for die in again.rolls] == [hit.number] * 2
    assert (again.side, due(match)) == (RUSSIAN, before)
    assert third[0].voids == [second.number]
    assert third[-1].sentence.endswith(f"The same dice stand for: № {again.number}.")
    numbers = Match.objects.get(pk=match.pk).next_roll
    assert numbers == (3 if source == "app" else 1)


def test_nor_by_correcting_above_and_below_in_turn(match):
    first = fire(match, HIT)
    hit = answer_due(match, {"die_1": 8, "die_2": 3})
    checks = []
    while due(match):
        checks.append(answer_due(match, {}, source="app"))
    thrown = {(die.label, die.number) for check in checks for die in check.rolls}
    assert thrown
    inputs = hit.inputs
    mended = roll(match, "who-is-hit", {"die_1": 1, "die_2": 1}, corrects=hit.number, **inputs).entries[0]
    done = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number).entries
    again = next(entry for entry in done if entry.helper == "who-is-hit")
    assert again.rolls[0].face == mended.rolls[0].face
    back = roll(match, "who-is-hit", {"die_1": 8, "die_2": 3}, corrects=again.number, **again.inputs).entries
    assert {(die.label, die.number) for entry in back[1:] for die in entry.rolls} == thrown
    assert due(match) == []
    assert Match.objects.get(pk=match.pk).next_roll == 1 + len(thrown)


def test_a_followed_up_roll_that_is_corrected_itself_stays_below_its_parent(match, shot):
    first, hit = shot
    mended = roll(match, "who-is-hit", {"die_1": 2, "die_2": 9}, corrects=hit.number, **hit.inputs).entries[0]
    assert mended.due == hit.due
    done = roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number)
    assert done.entries[0].voids == [first.number, mended.number, mended.number + 1]


def test_a_refused_correction_changes_nothing(match, shot):
    first, _ = shot
    before = rows()
    with pytest.raises(Refused):
        roll(match, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number, side=RUSSIAN)
    assert rows() == before


def test_a_tree_survives_its_file(match, shot):
    first, hit = shot
    sides = (GERMAN, RUSSIAN)
    sent = json.dumps(saving.dump_match(at(match).match, sides)).encode()
    opened = making.make_match(archive.read_archive(sent), True).match
    done = roll(opened, "fire", {"die": MISS}, ff=8, units=UNITS, corrects=first.number)
    assert done.entries[0].voids == [first.number, hit.number, hit.number + 1]


@pytest.mark.parametrize("odd", ["", "x", "-1", "9999-0", "2-99", "٣-0", "2"])
def test_odd_ids_of_files_lead_nowhere(match, shot, odd):
    first, hit = shot
    LogEntry.objects.filter(pk=hit.pk).update(due=odd)
    queue = tuple(replace(step, id=odd or "y") for step in state(match).queue)
    Match.objects.filter(pk=match.pk).update(state=replace(state(match), queue=queue))
    done = roll(match, "fire", {"die": HIT + 1}, ff=8, units=UNITS, corrects=first.number)
    assert first.number in done.entries[0].voids
    assert episodes.parent_of(odd) in (0, 2, 9999)
