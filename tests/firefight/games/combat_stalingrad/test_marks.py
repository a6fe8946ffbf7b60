import pytest

from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import UNIT_KINDS, Mark, mark_casualty, may_carry

from .gallery import COUNTERS

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
    kinds = {counter.kind for side in COUNTERS.values() for counter in side.values()}
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


@pytest.mark.parametrize(
    ("kind", "marks", "mark"),
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
def test_casualties_flip_a_squad_wound_a_leader_and_eliminate_the_rest(kind, marks, mark):
    assert mark_casualty(kind, marks) is mark
