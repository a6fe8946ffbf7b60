"""Dice of the app in a campaign: refused before they are drawn where a face may need a blank cell; used up if drawn."""

import pytest

from campaign.acts import buying, reorganizing
from campaign.ledger.act import Unfit
from campaign.rules.steps import Step
from firefight.games import chartbooks
from firefight.models import Match
from firefight.table.act.refusals import Spent
from firefight.table.log import fairness, reading
from tests.books import altered_data, house_data
from tests.campaign.acts.field import Field, bout
from tests.campaign.acts.game import APP, GERMAN, RUSSIAN, Game, typed
from tests.frozen import every_row

pytestmark = pytest.mark.django_db

GAME = "combat-stalingrad"


def pinned(game, data):
    """Let a campaign go by other charts."""
    Match.objects.filter(pk=game.match_id).update(book=chartbooks.store(GAME, data))


def with_blank(chart, band):
    """The house values with one band of a chart blank."""
    bands = [[faces, "" if faces == band else meaning] for faces, meaning in house_data()["charts"][chart]["bands"]]
    assert any(not meaning for _, meaning in bands)
    return altered_data(chart, bands=bands)


def last_band(chart):
    return house_data()["charts"][chart]["bands"][-1][0]


def only_the_charts_differ(game):
    """The log is sound, but for the charts, which ``pinned`` exchanged without a line."""
    return fairness.check_log(reading.export_log(game.match, ())).problems == (
        "The log's lines tell of other charts than its head.",
    )


def refused_before_a_die(game, refuse):
    before = every_row()
    error = refuse()
    assert "blank in the chart book in use" in str(error)
    assert every_row() == before and game.match.next_roll == 1


def test_a_purchase_whose_leader_roll_may_end_blank_is_refused_before_its_first_die():
    game = Game.begin("cg2")
    pinned(game, with_blank("leaders", last_band("leaders")))
    for rg in ("I1", "V3"):
        leads = game.ledger.roster(GERMAN).groups[rg].leader
        if leads:
            refused_before_a_die(game, lambda rg=rg: game.refuse(buying.buy, GERMAN, rg, APP, error=Unfit))
    assert game.buy(GERMAN, "I1", typed(die=1))


def test_a_recovery_that_may_end_blank_is_refused_before_its_first_die():
    field = Field()
    field.put(GERMAN, "stug_iii_c", 6, marks=["m_killed"])
    field.put(GERMAN, "pz_iii_h", 6, marks=["f_killed"])
    pinned(field.game, with_blank("recovery_f_killed", last_band("recovery_f_killed")))
    field.told()
    field.to(Step.UPKEEP)
    refused_before_a_die(field.game, lambda: field.refuse(reorganizing.recover, GERMAN, APP, error=Unfit))


def blank_grid():
    """The Close Combat Table with one blank cell in the column 1-1."""
    head, *rows = house_data()["charts"]["cct"]["grid"].strip().splitlines()
    column = head.split().index("1-1")
    cells = rows[-1].split()
    cells[column] = "?"
    return altered_data("cct", grid="\n".join([head, *rows[:-1], " ".join(cells)]))


@pytest.fixture
def battle():
    field = Field()
    field.ours, field.theirs = field.put(GERMAN, "", 11), field.put(RUSSIAN, "", 11)
    field.told().to(Step.BATTLE)
    pinned(field.game, blank_grid())
    return field


def test_close_combat_that_may_end_blank_is_refused_before_its_first_die(battle):
    one = bout([battle.ours], [battle.theirs], GERMAN)
    refused_before_a_die(battle.game, lambda: battle.refuse(reorganizing.fight, GERMAN, one, APP, error=Unfit))
    refused_before_a_die(battle.game, lambda: battle.refuse(reorganizing.fight_round, GERMAN, error=Unfit))


def test_a_hurry_stops_where_a_roll_may_end_blank_and_keeps_what_was_rolled():
    field = Field(hot_seat=True)
    field.put(GERMAN, "stug_iii_c", 6, marks=["m_killed", "f_killed"])
    for side in (GERMAN, RUSSIAN):
        field.put(side, "", 11)
    field.told()
    pinned(field.game, with_blank("recovery_f_killed", last_band("recovery_f_killed")))
    field.do(reorganizing.resolve_rest, GERMAN, "phase")
    assert field.step is Step.UPKEEP and field.game.last.sentence.startswith("It stops here. This roll needs cell")
    assert field.game.match.next_roll > 1
    assert only_the_charts_differ(field.game)


def test_what_was_drawn_is_used_up_and_nothing_else_has_changed(monkeypatch):
    """The same if the check before the draw had been wrong."""
    game = Game.begin("cg2")
    pinned(game, altered_data("leaders", bands=[["1-10", ""]]))
    monkeypatch.setattr("firefight.kit.playing.check_reach", lambda *_: None)
    with pytest.raises(Spent, match="Its numbers are used up"):
        game.do(buying.buy, GERMAN, "I1", APP)
    assert game.match.next_roll == 2 and game.last.kind == "spent"
    assert not [group for group in game.ledger.groups[GERMAN].values() if group.rg == "I1" and group.box]
    assert "I1" not in game.last.sentence + str(game.last.rolls)
    assert only_the_charts_differ(game)
