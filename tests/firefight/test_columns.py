"""What rows keep as JSON: each class gives back, value by value, what an earlier version has stored."""

import json

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import JSONField

from campaign.rules.seals import read_sealed, write_sealed
from firefight.columns import (
    EarlierSeal,
    LoggedResult,
    MatchState,
    Proposal,
    TypedColumn,
    Undo,
    read_rolls,
    write_rolls,
)
from firefight.models import LogEntry, Match, PlainField
from tests.config.test_imports import ROOT

OURS = ("firefight.models", "campaign.models")
OLD = ROOT / "tests" / "old" / "v0_1_0"
FILES = [json.loads((OLD / name).read_text(encoding="utf-8")) for name in ("match.json", "campaign.json")]
LINES = [line for file in FILES for line in file["log"]]
STEP = {"id": "12-0", "helper": "morale", "title": "Morale check", "inputs": {"tq": 6}}


# Columns of JSON that no class knows, and what is in them.
PLAIN = {
    "Act.state_undo": "a difference (table/act/differences.py), which alone reads it",
    "Campaign.ready": "sides",
    "ChartBook.data": "a chart book's file, read by engine/charts/book.py",
    "ContentBook.data": "content as its files have it, read by campaign/rules/content.py",
    "ContentDraft.data": "raw texts",
    "ContentDraft.versions": "digests",
    "Draft.data": "raw texts",
    "Draft.versions": "digests",
    "EarlierMap.change": "the difference of two maps (ledger/earlier_maps.py), which alone reads it",
    "LogEntry.inputs": "whatever the fields of its helper make of it",
    "LogEntry.voids": "numbers of lines",
    "OwnSheet.data": "raw texts",
    "OwnSheet.versions": "digests",
    "Snapshot.state": "a part of a match's file (table/files/archive.py)",
    "Unit.marks": "words",
}


def same(plain, read, write):
    """Whether plain values come back as they were; digests put the names in order themselves."""
    return json.dumps(write(read(plain)), sort_keys=True) == json.dumps(plain, sort_keys=True)


def test_results_and_dice_of_version_0_1_0_come_back_value_by_value():
    results = [line["result"] for line in LINES if line.get("result")]
    assert len(results) > 2
    assert all(same(result, LoggedResult.from_json, LoggedResult.to_json) for result in results)
    assert all(same(line.get("rolls", []), read_rolls, write_rolls) for line in LINES)


def test_states_of_version_0_1_0_come_back_value_by_value():
    assert all(same(file["match"]["state"], MatchState.from_json, MatchState.to_json) for file in FILES)


@pytest.mark.parametrize(
    "state",
    [
        {"turn": 1, "phase": "command", "impulse": "german", "queue": []},
        {"turn": 7, "phase": "melee", "impulse": "russian", "queue": [STEP], "ledger": "/campaign/abc/"},
    ],
)
def test_a_state_comes_back(state):
    assert same(state, MatchState.from_json, MatchState.to_json)


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        (Proposal, {"matter": "end", "by": "german", "what": {"lines": []}}),
        (Proposal, {"matter": "book", "by": "german", "what": {"book": "ab", "label": "Mine", "lines": []}}),
        (Proposal, {"matter": "take_back", "by": "russian", "what": {"lines": [4, 5]}}),
        (EarlierSeal, {"match": "ab12", "to": 7, "commitment": "0f", "seed": None}),
        (Undo, {"made": [], "was": []}),
        (Undo, {"made": [["campaign.Unit", 5]], "was": [["campaign.Unit", 6, {"sector": None}]]}),
        (Undo, {"made": [], "was": [["a.B", 1, {}]], "parts": [["a.B", 1, {"phase": {"was": {}}}]]}),
    ],
)
def test_proposals_seals_of_dice_and_undo_come_back(kind, plain):
    assert same(plain, kind.from_json, kind.to_json)


@pytest.mark.parametrize(
    "plain",
    [
        {"order": "hold", "bonus": False, "fixed": True, "price": 0},
        {"order": "attack", "bonus": True, "fixed": False, "price": 6, "group": "X1", "box": 1},
        {"hexes": ["K7", "K9"], "turn": 2},
        {"hex": "Y20"},
    ],
)
def test_what_is_sealed_comes_back(plain):
    assert same(plain, read_sealed, write_sealed)


@pytest.mark.django_db
def test_a_column_is_read_as_its_class_and_stored_as_the_same_json(table):
    table.german.roll("morale", tq="6", die="8", dice="table")
    match, line = table.german.match, table.german.last
    assert isinstance(match.state, MatchState) and isinstance(line.result, LoggedResult)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT state FROM {Match._meta.db_table}")
        (stored,) = cursor.fetchone()
    assert (json.loads(stored) if isinstance(stored, str) else stored) == match.state.to_json()
    assert Match.objects.values_list("state", flat=True).get() == match.state
    assert LogEntry.objects.get(pk=line.pk).result == line.result


def test_a_proposal_of_one_sheet_as_it_was_once_kept_is_one_of_sheets():
    before = {"matter": "sheet", "by": "red", "what": {"wanted": {"sheet": "94th", "text": "name"}}}
    assert Proposal.from_json(before).wanted == {"sheets": {"94th": "name"}}


def test_to_migrations_a_typed_column_is_json():
    column = Match._meta.get_field("state")
    assert isinstance(column, TypedColumn)
    assert column.deconstruct()[1] == "django.db.models.JSONField"
    assert type(column.clone()).__name__ == "JSONField"


def test_every_column_of_json_is_read_into_a_class_or_holds_nothing_that_has_fields_of_its_own():
    columns = [column for model in apps.get_models() for column in model._meta.local_fields]
    of_json = [
        column for column in columns if isinstance(column, (JSONField, PlainField)) and column.model.__module__ in OURS
    ]
    plain = {f"{column.model.__name__}.{column.name}" for column in of_json if not isinstance(column, TypedColumn)}
    assert plain == set(PLAIN) and len(of_json) > len(plain)
