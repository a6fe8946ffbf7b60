"""Supply, isolation, Dawn, points, withdrawals and entries of Turning Point: Stalingrad, by the text's own values."""

import itertools
import random

import pytest

from firefight.engine.errors import BadInput
from firefight.games import chartbooks
from firefight.games.turning_point_stalingrad.rules import areas, limits, supply, weeks
from firefight.games.turning_point_stalingrad.rules.sides import Side, Time
from tests import soak
from tests.oracles import turning_point

BOOK = chartbooks.shipped("turning-point-stalingrad")


# Supply


def trace(start, controlled, links="", side="german"):
    result = supply.supply(charts=BOOK, side=Side(side), start=start, controlled=controlled, links=links)
    return result.outcome.value, result.details["path"]


@pytest.mark.parametrize(
    ("start", "controlled", "links", "side", "expected"),
    [
        ("6", ("6", "C"), "6-C", "german", ("supplied", ["6", "C"])),
        ("C", ("C",), "6-C", "german", ("supplied", ["C"])),
        ("24", ("6", "C"), "24-6 6-C", "german", ("supplied", ["24", "6", "C"])),  # out of an enemy-controlled Area
        ("24", ("24", "C"), "24-6 6-C", "german", ("isolated", [])),  # enemy control blocks, even where nobody stands
        ("24", ("24", "6"), "24-6 6-C", "german", ("isolated", [])),  # Zone C is lost
        ("C", (), "6-C", "german", ("isolated", [])),
        ("24", ("24", "6", "A"), "24-6 6-A", "german", ("isolated", [])),  # A supplies the Russian alone
        ("24", ("24", "6", "A"), "24-6 6-A", "russian", ("supplied", ["24", "6", "A"])),
        ("66", ("66", "62"), "66-62", "russian", ("supplied", ["66", "62"])),
        ("66", ("66", "62"), "66-62", "german", ("isolated", [])),
        ("30", ("30",), "", "russian", ("supplied", ["30"])),  # no landing, but a supply Area
        ("25", ("25", "6", "C"), "", "german", ("supplied", ["25", "6", "C"])),  # by what the text tells of the map
    ],
)
def test_supply_runs_through_controlled_areas_to_a_source(start, controlled, links, side, expected):
    assert trace(start, controlled, links, side) == expected


def test_supply_asks_where_the_chart_lacks_neighbours():
    with pytest.raises(BadInput, match="lacks neighbours"):
        trace("40", ("40", "41"))
    with pytest.raises(BadInput, match="no Area|no area"):
        trace("40", ("40",), "40-99")
    with pytest.raises(BadInput, match="Say where"):
        trace("", ())


@pytest.mark.soak
def test_supply_agrees_with_a_flood_on_random_maps():
    rng = random.Random(f"supply {soak.SEED}")
    for _ in range(soak.length(300, 5000)):
        names = rng.sample(areas.NAMES, 12)
        links = {tuple(sorted(rng.sample(names, 2))) for _ in range(16)}
        controlled = {name for name in names if rng.random() < 0.6}
        side = rng.choice(("german", "russian"))
        text = " ".join(f"{one}-{other}" for one, other in links)
        outcome, path = trace(names[0], tuple(controlled), text, side)
        assert (outcome == "supplied") is turning_point.is_supplied(names[0], controlled, links, side)
        if path:
            assert path[0] == names[0] and set(path[1:]) <= controlled
            assert all(tuple(sorted(pair)) in links for pair in itertools.pairwise(path))


# Isolation and Dawn


@pytest.mark.parametrize(
    ("af", "df", "mf", "level", "expected"),
    [
        (4, 2, 5, 0, {"af": 4, "df": 2, "mf": 5}),
        (4, 2, 5, 1, {"af": 3, "df": 1, "mf": 4}),
        (1, 1, 1, 2, {"af": -1, "df": -1, "mf": -1}),
        ("*", 3, 6, 2, {"af": "*", "df": 1, "mf": 4}),
    ],
)
def test_isolation_takes_from_each_factor(af, df, mf, level, expected):
    assert supply.isolation(charts=BOOK, af=af, df=df, mf=mf, level=level).details == expected


@pytest.mark.parametrize("reading", supply.AttritionReading)
@pytest.mark.parametrize("in_supply", [True, False])
@pytest.mark.parametrize("marker", [0, 1, 2])
@pytest.mark.parametrize("duration", range(5))
def test_dawn_of_every_unit_with_every_die(duration, marker, in_supply, reading):
    for die in range(1, 7):
        inputs = {"duration": duration, "marker": marker, "in_supply": in_supply, "reading": reading}
        result = supply.dawn(charts=BOOK, **inputs, die=die)
        after = (result.details["duration"], result.details["marker"], result.details["eliminated"])
        assert after == turning_point.dawn(duration, marker, in_supply, die, reading.value), (inputs, die)
        assert result.outcome.value == ("eliminated" if after[2] else "disrupted" if after[0] else "fresh")
        assert ("die" in result.dice) is (marker == 2 and not in_supply)


def test_attrition_asks_for_its_die():
    result = supply.dawn(charts=BOOK, duration=0, marker=2, in_supply=False)
    assert result.needs == ("die",)


# Points


def check(date, points, reading="strict"):
    spread = weeks.SpreadReading(reading)
    return weeks.victory(charts=BOOK, date=date, points=points, reading=spread).outcome.value


@pytest.mark.parametrize(
    ("date", "low", "high"),
    [
        *(("1942-09-19", 5, 7), ("1942-09-26", 8, 12), ("1942-10-03", 11, 17), ("1942-10-10", 14, 20)),
        *(("1942-10-17", 18, 22), ("1942-10-24", 20, 24), ("1942-10-31", 22, 26), ("1942-11-07", 25, 27)),
    ],
)
def test_each_end_of_each_weeks_spread(date, low, high):
    assert [check(date, points) for points in (low - 1, low, high, high + 1)] == [
        *("german_loses", "continue", "continue", "german_wins"),
    ]
    assert [check(date, points, "inclusive") for points in (low - 1, low, low + 1, high - 1, high)] == [
        *("german_loses", "german_loses", "continue", "continue", "german_wins"),
    ]


def test_the_last_week_leaves_28_open():
    assert [check("1942-11-14", points) for points in (27, 28, 29)] == ["german_loses", "undetermined", "german_wins"]
    assert check("1942-11-14", 28, "inclusive") == "undetermined"


def test_a_total_on_an_end_of_the_spread_says_that_the_text_can_be_read_both_ways():
    all_effects = [
        weeks.victory(charts=BOOK, date=date, points=points).effects
        for date, points in (("1942-11-14", 27), ("1942-11-14", 28), ("1942-11-13", 28))
    ]
    ends = [any("on an end of the spread" in effect for effect in effects) for effects in all_effects]
    assert ends == [False, True, False]


def test_the_last_week_has_one_number_and_the_others_have_two():
    headlines = [weeks.victory(charts=BOOK, date=date, points=30).headline for date in ("1942-09-19", "1942-11-14")]
    assert "against 5 to 7 in week 1" in headlines[0] and "against 28 in week 9" in headlines[1]
    assert all(headline.endswith(": the German wins.") for headline in headlines)


def test_an_area_of_points_is_told_as_it_counts():
    words = {
        (is_held, fed): str(weeks.VictoryArea(3, is_held, fed)) for is_held in (True, False) for fed in (True, False)
    }
    assert words[True, True] == "3, German, supplied" and words[True, False] == "3, German, not supplied"
    assert words[False, True] == "3, not German, supplied"


def test_points_are_counted_area_by_area_and_written_down():
    rows = (weeks.VictoryArea(3, True, True), weeks.VictoryArea(2, True, False), weeks.VictoryArea(4, False, True))
    result = weeks.victory(charts=BOOK, date="1942-09-18", points=None, areas=rows)
    assert result.outcome.value == "not_week_end" and result.details["points"] == 3
    assert result.all_details["changes"] == {"points": 3}
    assert weeks.victory(charts=BOOK, date=None, points=9).outcome.value == "counted"
    with pytest.raises(BadInput):
        weeks.victory(charts=BOOK, date="1942-09-19", points=None)


# New tanks, withdrawals, entries


@pytest.mark.parametrize(
    ("rubble", "dr", "arrives"), [(0, 7, True), (0, 8, False), (1, 6, True), (1, 7, False), (2, 5, True)]
)
def test_tanks_arrive_on_seven_or_less(rubble, dr, arrives):
    result = weeks.armour_replacement(charts=BOOK, rubble=rubble, area70_lost=False, dr=dr)
    assert result.details["arrives"] is arrives and result.modified == dr + rubble


def test_no_tank_comes_once_area_70_has_been_german():
    assert weeks.armour_replacement(charts=BOOK, rubble=0, area70_lost=True).outcome.value == "none"


def withdraw(**more):
    inputs = {"german_af": 4, "russian_afs": (), "scheduled_type": "", "other_type": "", "other_af": 0, **more}
    what = weeks.Withdrawing(inputs.pop("what", "compensation"))
    return weeks.withdrawal(charts=BOOK, what=what, **inputs).details["allowed"]


def test_two_units_come_back_for_at_most_twice_the_factor():
    assert withdraw(russian_afs=(4, 4)) and withdraw(russian_afs=(8,))
    assert not withdraw(russian_afs=(4, 5)) and not withdraw(russian_afs=(1, 1, 1))
    with pytest.raises(BadInput):
        withdraw()


def test_another_unit_of_the_type_and_no_weaker_may_go():
    types = {"what": "substitute", "scheduled_type": "infantry"}
    assert withdraw(**types, other_type="Infantry", other_af=4)
    assert not withdraw(**types, other_type="Infantry", other_af=3)
    assert not withdraw(**types, other_type="armour", other_af=6)
    with pytest.raises(BadInput):
        withdraw(**types)


def enter(force, controlled, place=""):
    details = weeks.entry(charts=BOOK, force=weeks.Force(force), controlled=controlled, place=place).details
    return details["allowed"], details["zones"]


def test_where_reinforcements_enter():
    assert enter("german", ("C", "E", "A")) == (True, ["C", "E"])
    assert enter("german", ("C", "E"), "D") == (False, ["C", "E"])
    assert enter("german", ("A",), "C") == (False, [])
    assert enter("army64", (), "30") == (True, ["A", "B", "C", "30"])
    assert enter("army64", (), "D") == (False, ["A", "B", "C", "30"])
    with pytest.raises(BadInput):
        enter("german", ())


# Room, aircraft, refit


@pytest.mark.parametrize(("units", "zone", "allowed"), [(10, False, True), (11, False, False), (40, True, True)])
def test_ten_units_have_room_in_an_area(units, zone, allowed):
    assert limits.stack(charts=BOOK, combat_units=units, zone=zone).details["allowed"] is allowed


@pytest.mark.parametrize(
    ("date", "time", "used", "allowed", "strength"),
    [
        ("1942-09-26", "day", False, True, 8),
        ("1942-09-27", "day", False, True, 5),
        ("1942-10-13", "day", True, False, 5),
        ("1942-10-14", "night", False, False, 9),
    ],
)
def test_aircraft_by_day_once(date, time, used, allowed, strength):
    details = limits.luftwaffe(charts=BOOK, date=date, time=Time(time), used_today=used).details
    assert (details["allowed"], details["strength"]) == (allowed, strength)


def test_refit_on_one_or_two():
    assert [limits.refit(charts=BOOK, die=die).details["ready"] for die in range(1, 7)] == [True, True, *[False] * 4]
