"""What a match may grow to, and what its acts leave behind: undo keeps differences, and only while it is of use."""

import json
from dataclasses import replace

import pytest
from django.db import connection

from campaign.models import Campaign
from campaign.rules.phase import ReorganizationPhase
from campaign.rules.steps import Step
from firefight.columns import MatchState, Undo
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.kit.game import USUAL
from firefight.models import Act, LogEntry, Match, Snapshot
from firefight.table.act import bounds, snapshots, undo, writing
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import Refused
from firefight.table.consent import matters
from firefight.table.files import archive, making, saving
from firefight.table.log import notes
from firefight.table.rolling import advancing
from tests.campaign.acts.game import Game
from tests.firefight.table.test_acts import at, fire_with_checks, new_id, standing, state
from tests.firefight.table.test_archive import STEP

pytestmark = pytest.mark.django_db

LARGEST_QUEUE = [{**STEP, "id": f"1-{number}", "inputs": {"name": "x" * 3_000}} for number in range(60)]


def with_queue(state, queue):
    """The same state with other rolls due, given as plain values."""
    return MatchState.from_json({**state.to_json(), "queue": queue})


def kept_by_acts():
    """How many characters the database holds in the acts."""
    table = Act._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT state_before, state_undo, undo FROM {table}")
        return sum(len(json.dumps(value)) for row in cursor.fetchall() for value in row if value is not None)


# What acts leave behind


def test_twenty_notes_in_a_match_with_the_largest_queue_keep_next_to_nothing(match):
    Match.objects.update(state=with_queue(state(match), LARGEST_QUEUE))
    assert len(json.dumps(LARGEST_QUEUE)) > bounds.LARGEST_QUEUE * 0.9
    for _ in range(20):
        notes.note(at(match), new_id(), None, "x")
    assert kept_by_acts() <= 20 * 10
    matters.drop(at(match), new_id(), None, "1-30")
    assert kept_by_acts() <= 5_000
    assert [step.id for step in state(match).queue] == [f"1-{n}" for n in range(60) if n != 30]
    matters.propose_take_back(at(match), new_id(), None)
    assert state(match).to_json()["queue"] == LARGEST_QUEUE


def test_a_large_value_of_a_row_is_kept_as_its_difference():
    game = Game.begin("cg1")
    phase = ReorganizationPhase(Step.BATTLE, exited=tuple((Side.GERMAN, number) for number in range(1, 400)))
    Campaign.objects.update(phase=phase)
    campaign = Campaign.objects.get()
    campaign.phase = replace(phase, round=2, exited=(*phase.exited[:200], *phase.exited[201:]))
    act = Act(match=game.match, number=2, side="german")
    undo.keep_rows(act, [campaign])
    assert len(json.dumps(act.undo.to_json())) < 300
    assert Campaign.objects.get().phase.round == 2
    undo.put_rows_back(Undo.from_json(json.loads(json.dumps(act.undo.to_json()))))
    assert Campaign.objects.get().phase == phase


def test_what_can_be_taken_back_no_more_keeps_nothing(match):
    fire_with_checks(match)
    advancing.advance(at(match), new_id(), None)
    matters.propose_take_back(at(match), new_id(), None)
    undone, asking = Act.objects.order_by("number")[1:3]
    assert (undone.state_undo, undone.undo, asking.state_undo) == (None, None, None)
    assert Act.objects.get(number=2).state_undo
    matters.propose_end(at(match), new_id(), None)
    assert not Act.objects.exclude(state_before=None, state_undo=None, undo=None).exists()


def test_an_act_of_version_0_1_0_can_still_be_taken_back(match):
    before, stood = state(match), standing(match)
    act = fire_with_checks(match).act
    Act.objects.filter(pk=act.pk).update(state_before=before, state_undo=None)
    notes.note(at(match), new_id(), None, "a newer version has come")
    matters.propose_take_back(at(match), new_id(), None)
    matters.propose_take_back(at(match), new_id(), None)
    assert (state(match), standing(match)) == (before, stood)


def test_an_act_whose_undo_is_gone_is_said_not_to_be_taken_back(match):
    act = fire_with_checks(match).act
    Act.objects.filter(pk=act.pk).update(state_undo=None)
    before = state(match)
    with pytest.raises(Refused, match="not known any more"):
        matters.propose_take_back(at(match), new_id(), None)
    assert state(match) == before and not Act.objects.get(pk=act.pk).taken_back


def test_a_state_that_something_else_has_changed_is_left_alone(match):
    fire_with_checks(match)
    matters.drop(at(match), new_id(), None, "2-0")
    Match.objects.update(state=replace(state(match), queue=()))
    with pytest.raises(Refused, match="Something else has changed"):
        matters.propose_take_back(at(match), new_id(), None)
    assert state(match).queue == ()


def test_a_snapshot_is_stored_in_a_fraction_of_its_length():
    game = Game.begin("cg1")
    ledger = ledger_of(game.match).dump(game.match)
    Snapshot.objects.all().delete()
    snapshots.take_snapshot(game.match, 1, "Now", ledger)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT state FROM {Snapshot._meta.db_table}")
        (stored,) = cursor.fetchone()
    assert len(stored) * 2 < len(json.dumps(ledger))
    assert Snapshot.objects.get().state["ledger"] == ledger
    assert Snapshot.objects.filter(state__isnull=False).exists()


def test_a_snapshot_of_version_0_1_0_is_read_as_it_stands(match):
    old_state = {"state": {"turn": 1}, "ledger": {"x": ["a"] * 1_000}}
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {Snapshot._meta.db_table} SET state = %s", [json.dumps(old_state)])
    assert Snapshot.objects.get().state == old_state


# How long a log may be


def test_a_full_log_takes_nothing_more_but_the_end(match):
    Match.objects.update(last_number=USUAL.lines)
    LogEntry.objects.update(number=USUAL.lines)
    with pytest.raises(Refused, match="at most 10,000 lines or 4 MB"):
        notes.note(at(match), new_id(), None, "one more")
    assert Match.objects.get().last_number == USUAL.lines
    matters.propose_end(at(match), new_id(), None)
    assert Match.objects.get().ended


def test_a_log_is_as_heavy_as_its_lines(match):
    notes.note(at(match), new_id(), None, "Ж" * 500)
    light = Match.objects.get().weight
    assert 1_000 < light < 1_300
    fire_with_checks(match)
    assert Match.objects.get().weight > light + 1_000
    Match.objects.update(weight=USUAL.weight)
    with pytest.raises(Refused, match="This log is full"):
        notes.note(at(match), new_id(), None, "one more")


def test_whatever_may_be_played_can_be_saved_and_opened(match):
    """The heaviest log that a live match may have, as a file; test_long_matches.py branches off from a longer one."""
    fire_with_checks(match)
    entry = LogEntry.objects.get(number=2)
    per_line = (USUAL.weight // USUAL.lines) - 150
    rows, digest = [], Match.objects.get().digest
    for number in range(3, USUAL.lines + 1):
        more = {"helper": entry.helper, "inputs": entry.inputs, "result": entry.result, "rolls": entry.rolls}
        is_roll = number % 7 == 0
        line = LogEntry(match_id=match.pk, act_id=None, number=number, side="german", **(more if is_roll else {}))
        line.kind, line.sentence = ("roll", entry.sentence) if is_roll else ("note", "word " * (per_line // 12))
        digest = writing.chain_entry(line, digest)
        rows.append(line)
    writing.LogEntry.objects.bulk_create(rows)
    weight = sum(map(writing.weigh_entry, LogEntry.objects.all()))
    assert USUAL.weight * 0.7 < weight < USUAL.weight
    Match.objects.update(last_number=USUAL.lines, weight=weight, digest=digest)
    sides = ("german", "russian")
    sent = json.dumps(saving.dump_match(match, sides), ensure_ascii=False, separators=(",", ":")).encode()
    assert len(sent) < bounds.LARGEST_FILE
    sound = archive.read_archive(sent)
    loaded = making.make_match(sound, True).match
    assert LogEntry.objects.filter(match=loaded).count() == USUAL.lines + 1
    assert abs(loaded.weight - weight) < weight * 0.2
