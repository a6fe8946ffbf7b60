"""Rows that acts change: exactly what differs is written, and restoring puts everything back.

The rows of a campaign serve as an example: groups, and units and CP lines that point to them.
"""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, CpLine, Group, Unit
from firefight.columns import MatchState, Undo
from firefight.models import Act
from firefight.table.act.undo import keep_rows, put_rows_back
from tests.campaign.acts.game import GERMAN, LEDGER_MODELS, RUSSIAN, Game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db):
    return Game.begin("cg1")


@pytest.fixture
def act(game):
    return Act(match=game.match, number=2, side="german", state_before=MatchState())


def rows():
    return [list(model.objects.order_by("pk").values()) for model in LEDGER_MODELS]


def fresh_group(game, number=90, **values):
    return Group(campaign=game.ledger.campaign, side=GERMAN, number=number, rg="I1", **values)


def restored(act):
    """What was noted, as it comes back from the database."""
    return put_rows_back(Undo.from_json(json.loads(json.dumps(act.undo.to_json()))))


def test_a_row_knows_what_it_held_when_it_was_read(game):
    unit = Unit.objects.filter(side="german").first()
    assert unit.changed() == {}
    unit.sector, unit.hidden = 6, True
    assert unit.changed() == {"sector": None, "hidden": False}
    unit.sector = None
    assert unit.changed() == {"hidden": False}


def test_a_list_that_was_changed_in_place_has_changed(game, act):
    unit = Unit.objects.filter(side="german").first()
    unit.marks.append("reduced")
    assert unit.changed() == {"marks": []}
    before = rows()
    keep_rows(act, [unit])
    assert Unit.objects.get(pk=unit.pk).marks == ["reduced"]
    restored(act)
    assert rows() == before


def test_a_rows_plain_values_are_its_columns_without_its_key(game):
    group = Group.objects.first()
    assert set(group.plain()) == {column.attname for column in Group._meta.concrete_fields} - {"id"}
    assert group.plain()["campaign_id"] == game.match_id
    assert "match_id" not in Campaign.objects.get().plain()


def test_a_row_that_was_read_in_part_is_none_the_worse(game):
    unit = Unit.objects.defer("marks", "hex").first()
    assert unit.changed() == {}
    unit.sector = 3
    assert unit.changed() == {"sector": None}


def test_rows_that_did_not_change_are_not_written(game, act):
    listed = [Campaign.objects.get(), *Group.objects.all(), *Unit.objects.all()]
    before = rows()
    with CaptureQueriesContext(connection) as queries:
        keep_rows(act, listed)
    assert len(queries) == 0
    assert (rows(), act.undo) == (before, Undo())


def test_only_what_differs_is_noted_and_written(game, act):
    one, two, three = Unit.objects.filter(side="german")[:3]
    one.sector, two.marks = 6, ["pinned"]
    # Somebody else writes another column meanwhile; nothing of it is lost.
    Unit.objects.filter(pk=three.pk).update(hex="K7")
    with CaptureQueriesContext(connection) as queries:
        keep_rows(act, [one, two, three])
    writes = [query for query in queries.captured_queries if query["sql"].startswith(("UPDATE", "INSERT"))]
    assert len(writes) == 1
    assert act.undo.to_json() == {
        "made": [],
        "was": [["campaign.Unit", one.pk, {"sector": None}], ["campaign.Unit", two.pk, {"marks": []}]],
    }
    assert Unit.objects.get(pk=three.pk).hex == "K7"


def test_new_rows_are_written_in_the_order_in_which_they_point_to_each_other(game, act):
    group = fresh_group(game)
    unit = Unit(campaign=game.ledger.campaign, side=GERMAN, number=90, group=group, counter="nco")
    line = CpLine(
        campaign=game.ledger.campaign, side=GERMAN, number=90, firefight=1, amount=-2, reason="x", group=group
    )
    before = rows()
    keep_rows(act, [group, unit, line])
    assert Unit.objects.get(number=90).group == CpLine.objects.get(number=90).group == Group.objects.get(number=90)
    assert act.undo.to_json()["made"] == [
        ["campaign.Group", group.pk],
        ["campaign.Unit", unit.pk],
        ["campaign.CpLine", line.pk],
    ]
    assert act.undo.to_json()["was"] == []
    restored(act)
    assert rows() == before


def test_rows_of_several_models_are_restored_together(game, act):
    before = rows()
    campaign = Campaign.objects.get()
    campaign.stage, campaign.ready = "setup", ["german"]
    groups = list(Group.objects.all())
    groups[0].standing = Group.Standing.LOST
    units = list(Unit.objects.all())
    for unit in units[::2]:
        unit.sector, unit.marks = 11, [*unit.marks, "pinned"]
    fresh = [fresh_group(game, number) for number in (90, 91)]
    keep_rows(act, [campaign, *groups, *fresh, *units])
    assert rows() != before
    assert len(act.undo.to_json()["made"]) == 2
    assert len(act.undo.to_json()["was"]) == 2 + len(units[::2])
    restored(act)
    assert rows() == before


def test_restoring_leaves_other_rows_and_other_columns_alone(game, act):
    one, two = Unit.objects.filter(side="german")[:2]
    one.sector = 6
    keep_rows(act, [one])
    Unit.objects.filter(pk=one.pk).update(hidden=True)
    Unit.objects.filter(pk=two.pk).update(sector=3)
    restored(act)
    one, two = Unit.objects.get(pk=one.pk), Unit.objects.get(pk=two.pk)
    assert (one.sector, one.hidden, two.sector) == (None, True, 3)


@pytest.mark.parametrize("undo", [None, Undo()])
def test_there_may_be_nothing_to_restore(game, undo):
    before = rows()
    put_rows_back(undo)
    assert rows() == before


def test_the_rows_of_another_campaign_are_left_alone(game, act):
    Game.begin("cg2")
    before = rows()
    unit = Unit.objects.filter(campaign=game.match_id, side="german").first()
    unit.sector = 6
    keep_rows(act, [unit, fresh_group(game)])
    restored(act)
    assert rows() == before


def test_an_act_in_a_campaign_notes_how_to_undo_it(game):
    game.buy(RUSSIAN, "I6")
    act = Act.objects.get()
    assert [label for label, _ in act.undo.to_json()["made"]] == [
        "campaign.Group",
        "campaign.Unit",
        "campaign.Unit",
        "campaign.CpLine",
    ]
    assert act.undo.to_json()["was"] == []
    game.through_to("setup")
    before = {label: values for label, _, values in Act.objects.order_by("-number")[0].undo.to_json()["was"]}
    assert before["campaign.Campaign"].keys() == {"stage", "ready", "stage_since", "attacker"}
    assert before["campaign.Seal"] == {"standing": "sealed"}
