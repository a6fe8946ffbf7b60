"""Interdiction, crossings, ferries and breakthroughs of Turning Point: Stalingrad."""

import itertools

import pytest

from firefight.engine.errors import BadInput
from firefight.games import chartbooks, registry
from firefight.games.turning_point_stalingrad.rules import volga
from firefight.games.turning_point_stalingrad.rules.sides import Time
from tests.oracles import turning_point
from tests.oracles.odds import brute, same_odds

SLUG = "turning-point-stalingrad"
BOOK = chartbooks.shipped(SLUG)


def test_every_line_of_the_interdiction_table():
    """18.4, all 162 positions."""
    for mamayev, guns, bank, one, other in itertools.product(volga.Hold, (True, False), *[volga.Hold] * 3):
        details = volga.interdiction(
            charts=BOOK,
            mamayev=mamayev,
            artillery_there=guns,
            bank=bank,
            adjacent_one=one,
            adjacent_two=other,
            isolated_points=0,
        ).details
        a, b, c = turning_point.interdict(mamayev.value, guns, bank.value, one.value, other.value)
        assert details == {"a": a, "b": b, "c": c, "total": a + b + c}


def interdict(**more):
    inputs = {"mamayev": "none", "bank": "none", "adjacent_one": "none", "adjacent_two": "none", **more}
    holds = {name: volga.Hold(inputs.pop(name)) for name in ("mamayev", "bank", "adjacent_one", "adjacent_two")}
    inputs = {"artillery_there": False, "isolated_points": 0, **inputs}
    return volga.interdiction(charts=BOOK, **holds, **inputs)


def test_the_most_that_can_be_earned_is_eight():
    everything = dict.fromkeys(("mamayev", "bank", "adjacent_one", "adjacent_two"), "control")
    assert interdict(**everything, artillery_there=True).details["total"] == 8


def test_isolated_units_alone_earn_one_less_in_all():
    assert interdict(mamayev="control", bank="control", isolated_points=4).details["total"] == 3
    assert interdict(mamayev="control", bank="control", isolated_points=2).details["total"] == 3
    with pytest.raises(BadInput, match="2 points in all"):
        interdict(bank="control", isolated_points=3)


def test_interdiction_asks_for_a_crossing_of_each_unit():
    steps = interdict(bank="control", units=3).follow_ups
    assert [(step.helper, step.inputs) for step in steps] == [("crossing", {"ip": 2})] * 3


@pytest.mark.parametrize("recross", [True, False])
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("contested", [True, False])
def test_every_line_of_the_crossing_table(contested, full, recross):
    """18.5, 18.51, 18.52, 18.7: every total either way."""
    for ip, dr in itertools.product(range(10), range(2, 13)):
        result = volga.crossing(charts=BOOK, ip=ip, contested=contested, full=full, recross=recross, dr=dr)
        expected = turning_point.cross(dr + ip, contested or full, recross)
        details = result.details
        actual = (result.outcome.value, details["duration"], details["bank"], details["may_continue"])
        assert actual == expected, (dr + ip, contested, full, recross)


@pytest.mark.parametrize("ip", range(10))
def test_odds_of_a_crossing_are_those_of_every_face(ip):
    helper = registry.helpers(SLUG)["crossing"]
    inputs = {"ip": ip, "contested": False, "full": False, "recross": False}
    (odds,) = helper.all_odds(BOOK, inputs)
    assert same_odds(odds, *brute(lambda dice: helper.resolve(BOOK, inputs, dice), helper.specs(inputs)))


def ferry(time="night", units=1, landing="62", lost=False):
    result = volga.ferry(charts=BOOK, time=Time(time), crossing_units=units, landing=landing, landing_lost=lost)
    return result.details["allowed"]


def test_who_may_be_ferried():
    assert ferry() and ferry(units=3)
    assert all(ferry(landing=name) for name in ("31", "62", "63", "64", "67", "68", "70", "71", "H"))
    assert not any((ferry("day"), ferry(units=4), ferry(landing="30"), ferry(landing="65"), ferry(lost=True)))


def breaks(time="night", units=1, zone="A", lost_now=False, lost_by_day=False):
    inputs = {"zone_letter": zone, "lost_now": lost_now, "lost_by_day": lost_by_day}
    return volga.breakthrough(charts=BOOK, time=Time(time), crossing_units=units, **inputs).details["allowed"]


def test_a_breakthrough_elsewhere_is_told_where_there_are_any():
    inputs = {"crossing_units": 1, "zone_letter": "C", "lost_now": False, "lost_by_day": False}
    result = volga.breakthrough(charts=BOOK, time=Time.NIGHT, **inputs)
    assert result.effects == ("18.6: through Zone A, B, G or H alone.",)


def test_who_may_break_through():
    assert breaks() and breaks(units=3) and all(breaks(zone=zone) for zone in "ABGH")
    assert not any((breaks("day"), breaks(units=4), breaks(zone="C"), breaks(lost_now=True), breaks(lost_by_day=True)))
