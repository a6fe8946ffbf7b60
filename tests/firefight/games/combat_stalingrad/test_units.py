from dataclasses import fields

from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit


def test_plain_values_of_a_unit_lose_nothing():
    fresh, unit = Unit(), Unit(Kind.LEADER, "A", 5, State.WIA, "K7", "cellar", ("smoke",), 3, True, "german-7")
    assert all(getattr(unit, field.name) != getattr(fresh, field.name) for field in fields(Unit))
    assert Unit.read(unit.plain()) == unit


def test_plain_values_that_are_missing_are_a_fresh_squads():
    assert Unit.read({}) == Unit()
    assert Unit.read({"colour": "red"}) == Unit()
