"""What can be reported of a unit, and when (20.6.4, 20.11.1, 20.12.1)."""

import pytest

from campaign.rules.reports import News, Reported, find_edge_objection, find_moment_objection, find_news_objection
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark
from tests.campaign.plain import GERMAN, RUSSIAN

EDGE = (10, 18)
SQUAD, VEHICLE, MINES = CounterKind.SQUAD, CounterKind.VEHICLE, CounterKind.FORTIFICATION
PLAY, AFTER = Stage.FIREFIGHT, Stage.REORGANIZATION


@pytest.mark.parametrize(
    ("news", "stage", "step", "is_ready", "is_refused"),
    [
        (News.ENTER, PLAY, None, False, False),
        (News.REDUCED, AFTER, Step.AFTER_ACTION, False, False),
        (News.ENTER, AFTER, Step.AFTER_ACTION, False, True),  # nobody comes, goes or moves after play
        (News.EXIT, AFTER, Step.AFTER_ACTION, False, True),
        (News.REDUCED, AFTER, Step.AFTER_ACTION, True, True),  # the side has told all
        (News.REDUCED, AFTER, Step.ATTACKER_LEAVES, False, False),  # by mines
        (News.STANDS, AFTER, Step.ATTACKER_LEAVES, False, True),
        (News.REDUCED, AFTER, Step.UPKEEP, False, True),
    ],
)
def test_what_is_told_belongs_to_its_moment(news, stage, step, is_ready, is_refused):
    assert bool(find_moment_objection(news, stage, step, is_ready)) is is_refused


@pytest.mark.parametrize(
    ("news", "sector", "is_refused"),
    [(News.ENTER, 10, False), (News.ENTER, 5, True), (News.EXIT, 5, True), (News.MOVE, 5, False)],
)
def test_20_11_1_units_come_and_go_by_their_own_edge(news, sector, is_refused):
    reason = find_edge_objection(news, sector, EDGE, RUSSIAN)
    assert bool(reason) is is_refused and (not reason or "10 and 18 do (20.11.1)" in reason)


def refuse(news, fought_out=None, **unit):
    values = {"name": "It", "kind": SQUAD, "marks": (), "sector": 5} | unit
    return find_news_objection(Reported(**values), news, None, EDGE, GERMAN, PLAY, fought_out)


@pytest.mark.parametrize(
    ("news", "values", "reason"),
    [
        (News.REDUCED, {}, ""),
        (News.REDUCED, {"is_gone": True}, "not a unit on the map"),
        (News.REDUCED, {"kind": CounterKind.AIRCRAFT}, "not a unit on the map"),
        (News.REDUCED, {"fought_out": 5}, ""),
        (News.REDUCED, {"fought_out": 6}, "is not in sector 6"),
        (News.MOVE, {"kind": MINES}, "stays where it is"),
        (News.ELIMINATED, {"kind": MINES}, "stays where it is"),
        (News.REMOVED, {"kind": MINES}, ""),
        (News.REMOVED, {}, "only mines and nest markers"),
        (News.ENTER, {"sector": None}, ""),
        (News.ENTER, {}, "is on the map already"),
        (News.ENTER, {"sector": None, "has_left": True}, "cannot come back (20.11.1)"),
        (News.REDUCED, {"sector": None}, "is not on the map"),
        (News.MOVE, {"kind": VEHICLE, "marks": (Mark.M_KILLED,)}, "is M-KILLED"),
        (News.MOVE, {"kind": VEHICLE}, ""),
        (News.SHOW, {}, "is not hidden"),
        (News.SHOW, {"is_hidden": True}, ""),
        (News.EXIT, {}, "it moves there first (20.11.1)"),
        (News.EXIT, {"sector": 10}, ""),
        (News.M_KILLED, {}, "cannot be M-KILLED"),
        (News.REDUCED, {"marks": ("reduced",)}, "is reduced (Casualties) already"),
    ],
)
def test_what_cannot_be_of_a_unit_is_said_with_its_reason(news, values, reason):
    objection = refuse(news, **values)
    assert bool(objection) is bool(reason) and reason in objection


@pytest.mark.parametrize(
    ("sector", "stage", "is_refused"), [(None, PLAY, False), (5, PLAY, False), (6, PLAY, True), (6, AFTER, False)]
)
def test_in_play_a_unit_moves_before_it_stands_elsewhere(sector, stage, is_refused):
    unit = Reported("It", SQUAD, (), 5)
    assert bool(find_news_objection(unit, News.STANDS, sector, EDGE, GERMAN, stage, None)) is is_refused


def test_20_11_1_a_unit_leaves_from_where_it_stands():
    unit = Reported("It", SQUAD, (), 10)
    assert find_news_objection(unit, News.EXIT, 10, EDGE, GERMAN, PLAY, None) == ""
    assert "not in 18" in find_news_objection(unit, News.EXIT, 18, EDGE, GERMAN, PLAY, None)
