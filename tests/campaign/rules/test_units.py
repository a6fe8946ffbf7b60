import pytest

from campaign.rules.counters import CounterKind
from campaign.rules.units import IMPAIRING, LASTING, UNIT_KINDS, Mark, casualty, isolation_mark, may_carry
from tests.campaign.plain import CONTENT

SQUAD, LEADER, SW_TEAM, GUN, VEHICLE = (
    CounterKind.SQUAD,
    CounterKind.LEADER,
    CounterKind.SW_TEAM,
    CounterKind.GUN,
    CounterKind.VEHICLE,
)
ON_FOOT = (SQUAD, LEADER, SW_TEAM, GUN)
NO_UNITS = (CounterKind.AIRCRAFT, CounterKind.FORTIFICATION, CounterKind.MARKER)


def test_units_are_all_counters_but_aircraft_fortifications_and_markers():
    assert UNIT_KINDS == {SQUAD, LEADER, SW_TEAM, GUN, VEHICLE} == set(CounterKind) - set(NO_UNITS)
    kinds = {counter.kind for side in CONTENT.counters.values() for counter in side.values()}
    assert kinds == set(CounterKind)


@pytest.mark.parametrize("mark", Mark)
def test_every_mark_has_a_word_of_its_own(mark):
    assert mark.word
    assert [other for other in Mark if other.word == mark.word] == [mark]


@pytest.mark.parametrize(
    ("mark", "kinds"),
    [
        (Mark.REDUCED, {SQUAD}),
        (Mark.WOUNDED, {LEADER}),
        (Mark.M_KILLED, {VEHICLE}),
        (Mark.F_KILLED, {VEHICLE}),
        (Mark.SUPPRESSED, {VEHICLE}),
        (Mark.PINNED, set(ON_FOOT)),
        (Mark.EXITED, set(UNIT_KINDS)),
        (Mark.HELD, set(UNIT_KINDS)),
    ],
)
def test_a_mark_belongs_to_certain_counters(mark, kinds):
    assert {kind for kind in CounterKind if mark in may_carry(kind)} == kinds


@pytest.mark.parametrize("kind", NO_UNITS)
def test_what_is_no_unit_carries_no_mark(kind):
    used = {Mark.HE_USED, Mark.MG_USED} if kind is CounterKind.AIRCRAFT else frozenset()
    assert may_carry(kind) == used
    assert isolation_mark(kind) is None


@pytest.mark.parametrize("kind", ON_FOOT)
def test_infantry_leaders_teams_and_crews_in_an_isolated_sector_begin_pinned_down(kind):
    assert isolation_mark(kind) is Mark.PINNED


def test_vehicles_in_an_isolated_sector_begin_suppressed():
    assert isolation_mark(VEHICLE) is Mark.SUPPRESSED


@pytest.mark.parametrize("kind", sorted(UNIT_KINDS))
def test_a_unit_can_carry_what_isolation_makes_of_it_and_it_does_not_last(kind):
    assert isolation_mark(kind) in may_carry(kind) - LASTING


def test_damage_and_wounds_last_and_the_markers_of_play_do_not():
    assert {Mark.REDUCED, Mark.WOUNDED, Mark.M_KILLED, Mark.F_KILLED, Mark.HELD} == LASTING
    assert not LASTING & IMPAIRING


@pytest.mark.parametrize(
    ("kind", "marks", "found"),
    [
        (SQUAD, [], Mark.REDUCED),
        (SQUAD, ["pinned"], Mark.REDUCED),
        (SQUAD, ["reduced"], None),
        (LEADER, [], Mark.WOUNDED),
        (LEADER, ["wounded"], None),
        (SW_TEAM, [], None),
        (GUN, [], None),
    ],
)
def test_casualties_flip_a_squad_wound_a_leader_and_eliminate_the_rest(kind, marks, found):
    assert casualty(kind, marks) is found
