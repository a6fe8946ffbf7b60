import pytest

from campaign.rules.units import (
    IMPAIRING,
    LASTING,
    isolation_mark,
    marks_after_close_combat,
    marks_after_firefight,
    marks_in_close_combat,
    marks_on_map,
)
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import UNIT_KINDS, Mark, may_carry

ON_FOOT = (CounterKind.SQUAD, CounterKind.LEADER, CounterKind.SW_TEAM, CounterKind.GUN)


@pytest.mark.parametrize("kind", sorted(set(CounterKind) - UNIT_KINDS))
def test_isolation_means_nothing_to_what_is_no_unit(kind):
    assert isolation_mark(kind) is None


@pytest.mark.parametrize("kind", ON_FOOT)
def test_infantry_leaders_teams_and_crews_in_an_isolated_sector_begin_pinned_down(kind):
    assert isolation_mark(kind) is Mark.PINNED


def test_vehicles_in_an_isolated_sector_begin_suppressed():
    assert isolation_mark(CounterKind.VEHICLE) is Mark.SUPPRESSED


@pytest.mark.parametrize("kind", sorted(UNIT_KINDS))
def test_a_unit_can_carry_what_isolation_makes_of_it_and_it_does_not_last(kind):
    assert isolation_mark(kind) in may_carry(kind) - LASTING


def test_damage_and_wounds_last_and_the_markers_of_play_do_not():
    assert {Mark.REDUCED, Mark.WOUNDED, Mark.M_KILLED, Mark.F_KILLED, Mark.HELD} == LASTING
    assert not LASTING & IMPAIRING


def test_who_left_by_the_edge_is_held_back_until_it_is_on_the_map_again():
    marks = marks_after_firefight(["wounded", "exited"])
    assert marks == ["wounded", "held"]
    assert marks_on_map(marks) == ["wounded"]


def test_no_aircraft_has_used_its_machine_guns_in_this_turn_once_there_is_none():
    assert marks_after_firefight(["he_used", "mg_used"]) == ["he_used"]


def test_close_combat_is_marked_once_and_comes_off_alone():
    marked = marks_in_close_combat(["reduced"])
    assert marked == marks_in_close_combat(marked) == ["reduced", "close_combat"]
    assert marks_after_close_combat(marked) == ["reduced"]
