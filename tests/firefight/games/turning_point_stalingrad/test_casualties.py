"""Casualty Points and retreats: prices, who pays first, all cheapest payments, where a Group goes, and dots."""

import json
import random
from copy import deepcopy
from itertools import product

import pytest

from firefight.engine.charts.book import read_book
from firefight.engine.errors import BadInput
from firefight.games import chartbooks, registry
from firefight.games.turning_point_stalingrad.rules import casualties
from tests import soak
from tests.oracles import turning_attack as oracle

from .asking import BOOK, SLUG, ask, facts, helper, inputs


def pay(factors, required, actions="", group="fresh", pick=0):
    return ask("payment", group=group, factors=factors, required=required, actions=actions, attacker_pick=pick)


# The worked examples of the text


def test_22_4_the_six_pays_first_and_the_three_the_rest():
    choices = pay("6,3", 3).details["choices"]
    assert ["flip", "flip_retreat"] in choices
    assert facts(pay("6,3", 3, "flip,flip_retreat"), "legal", "paid") == ("legal", True, 3)
    # The stronger might have retreated, too, in excess of what is owed.
    assert facts(pay("6,3", 3, "flip_retreat,flip_retreat"), "legal", "paid") == ("legal", True, 4)
    assert facts(pay("6,3", 3, "none,eliminate"), "legal", "paid") == ("strongest_spared", False, 3)


def test_22_3_a_spent_unit_retreats_for_one_point():
    assert pay("1", 1, group="spent").details["choices"] == [["retreat"]]
    assert facts(pay("1", 3, group="spent"), "capacity", "choices") == ("overrun", 2, [])


def test_17_3_the_strongest_of_equal_units_pays():
    assert pay("3,3", 1, group="spent").details["choices"] == [["retreat", "none"], ["none", "retreat"]]


def test_22_5_three_points_are_all_that_a_fresh_unit_has():
    assert pay("2", 3).details["choices"] == [["eliminate"]]


# Prices and slips


@pytest.mark.parametrize(
    ("group", "actions", "paid"),
    [
        *(("fresh", action, value) for action, value in oracle.PRICES["fresh"].items() if value),
        *(("spent", action, value) for action, value in oracle.PRICES["spent"].items() if value),
    ],
)
def test_each_way_to_pay_is_worth_its_price(group, actions, paid):
    assert facts(pay("3", paid, actions, group), "paid") == ("legal", paid)
    if paid > 1:
        assert facts(pay("3", 1, actions, group), "paid") == ("legal", paid)
    if paid < (3 if group == "fresh" else 2):
        assert facts(pay("3", paid + 1, actions, group), "paid") == ("short", paid)


@pytest.mark.parametrize(
    ("arguments", "outcome", "reason"),
    [
        (("3,2", 2, "flip"), "bad_action", "2 units need 2 actions, not 1"),
        (("3,2", 2, "retreat,flip"), "bad_action", "Unit 1 is Fresh"),
        (("3,2", 2, "flip,none", "spent"), "bad_action", "Unit 1 is Spent"),
        (("3,2", 2, "flip,none"), "short", "pays 1 of 2"),
        (("2,3", 1, "flip,none"), "strongest_spared", "unit 2"),
        (("3,3", 1, "flip,none", "fresh", 2), "strongest_spared", "unit 2"),
        (("3,2", 7, "eliminate,eliminate"), "overrun", "7 Casualty Points are more than the 6"),
    ],
)
def test_an_illegal_payment_is_told_with_its_reason(arguments, outcome, reason):
    result = pay(*arguments)
    assert result.outcome.value == outcome and not result.details["legal"] and reason in result.headline
    assert result.details["failed_retreat_value"] == 1
    again = [follow.helper for follow in result.follow_ups]
    assert again == ([] if outcome == "overrun" else ["payment"])


def test_nobody_has_to_pay_where_nothing_is_owed():
    assert facts(pay("3,2", 0, "none,flip"), "paid") == ("legal", 1)
    assert pay("3,2", 0).details["choices"] == [["none", "none"]]


def test_who_retreats_has_to_go_somewhere():
    result = pay("3,2", 3, "flip,flip_retreat")
    assert [(follow.helper, follow.title) for follow in result.follow_ups] == [("retreat", "Where the unit retreats")]
    assert pay("3,2", 4, "eliminate,flip").follow_ups == ()


# Against the second implementation


def check_choices(group, factors, required, pick):
    least, expected = oracle.payments(group, factors, required, pick)
    result = pay(",".join(map(str, factors)), required, group=group, pick=pick)
    if required > len(factors) * (3 if group == "fresh" else 2):
        assert least is None and result.outcome.value == "overrun"
        return
    assert least == required and result.outcome.value == "choices"
    assert sorted(result.details["choices"]) == sorted(expected) and result.details["ways"] == len(expected)


@pytest.mark.soak
def test_all_cheapest_payments_are_those_that_trying_all_finds():
    rng = random.Random("tps payments")
    for _ in range(soak.length(150, 2_000)):
        factors = [rng.randint(-1, 4) for _ in range(rng.randint(1, 4))]
        strongest = [place for place, factor in enumerate(factors, 1) if factor == max(factors)]
        pick = rng.choice((0, rng.choice(strongest)))
        check_choices(rng.choice(("fresh", "spent")), factors, rng.randint(0, 3 * len(factors) + 1), pick)


@pytest.mark.parametrize("group", ["fresh", "spent"])
def test_every_payment_of_two_units_is_judged_as_the_second_implementation_does(group):
    prices = oracle.PRICES[group]
    for actions in product(["none", "flip", "flip_retreat", "retreat", "eliminate"], repeat=2):
        for factors, required in (((3, 2), 2), ((2, 2), 3), ((1, 4), 1)):
            outcome = pay(",".join(map(str, factors)), required, ",".join(actions), group).outcome.value
            strongest = [place for place in (0, 1) if factors[place] == max(factors)]
            if not all(action in prices for action in actions):
                expected = "bad_action"
            elif sum(prices[action] for action in actions) < required:
                expected = "short"
            elif not any(prices[actions[place]] for place in strongest):
                expected = "strongest_spared"
            else:
                expected = "legal"
            assert outcome == expected, (actions, factors, required)


def test_ten_units_are_listed_as_far_as_anybody_reads_and_counted_all(monkeypatch):
    listed, list_choices = [], casualties.list_choices

    def noted(*arguments):
        for way in list_choices(*arguments):
            listed.append(way)
            yield way

    monkeypatch.setattr(casualties, "list_choices", noted)
    result = pay("4,4,3,3,3,2,2,2,1,1", 15)
    assert len(listed) <= 2 * casualties.MOST_CHOICES + 1, "once for programs, once for players"
    assert len(result.details["choices"]) == 300 < result.details["ways"]
    # All orders of ten units that make 15, without those in which both fours are spared.
    ways = [1]
    for _ in range(10):
        ways = [sum(ways[total - value] for value in range(4) if 0 <= total - value < len(ways)) for total in range(31)]
    spared = [1]
    for _ in range(8):
        spared = [sum(spared[t - v] for v in range(4) if 0 <= t - v < len(spared)) for t in range(31)]
    assert result.details["ways"] == ways[15] - spared[15]


def test_17_3_what_a_group_cannot_pay_is_forfeit_and_no_overrun_of_aircraft():
    result = pay("1", 6)
    assert result.outcome.value == "overrun" and "8.36, 17.3" in result.effects[1]
    result = ask("payment", factors="1", required=6, forfeit="on")
    assert result.outcome.value == "choices" and result.details["choices"] == [["eliminate"]]
    assert result.effects[0] == "3 more are forfeit (8.36, 17.3)."


def distinct(factors, ways):
    """Payments in which equal units are not told apart."""
    return {tuple(sorted(zip(factors, way, strict=True))) for way in ways}


def test_offers_are_all_ways_in_which_equal_units_are_not_told_apart():
    rng = random.Random("tps offers")
    for _ in range(soak.length(60, 1_000)):
        factors = [rng.randint(1, 2) for _ in range(rng.randint(1, 5))]
        group, required = rng.choice(("fresh", "spent")), rng.randint(1, 2 * len(factors))
        strongest = [place for place, factor in enumerate(factors, 1) if factor == max(factors)]
        pick = rng.choice((0, rng.choice(strongest)))
        _, expected = oracle.payments(group, factors, required, pick)
        cleaned = inputs(
            "payment", group=group, factors=",".join(map(str, factors)), required=required, attacker_pick=pick
        )
        offers = [offer.values["actions"].split(",") for offer in helper("payment").offers(BOOK, cleaned)]
        assert len(offers) == len(distinct(factors, offers)), "each once"
        assert distinct(factors, offers) == distinct(factors, expected)
        assert all(offer in expected for offer in offers)


def test_ten_equal_units_have_few_ways_to_pay_and_ten_different_ones_too_many_to_tell():
    few = pay(",".join("2" * 10), 10)
    assert few.headline == "10 Casualty Points to pay: 14 cheapest ways. Equal units are not told apart."
    many = pay("10,9,8,7,6,5,4,3,2,1", 10)
    assert many.headline.startswith("10 Casualty Points to pay: more than 300 cheapest ways. The first 300 are listed;")
    assert pay("3,2", 1).headline == "1 Casualty Point to pay: 1 cheapest way."


def test_as_many_ways_as_are_listed_are_all_told(monkeypatch):
    monkeypatch.setattr(casualties, "MOST_CHOICES", 14)
    assert "14 cheapest ways." in pay(",".join("2" * 10), 10).headline
    monkeypatch.setattr(casualties, "MOST_CHOICES", 13)
    assert "more than 13 cheapest ways." in pay(",".join("2" * 10), 10).headline


def test_each_cheapest_way_is_told_and_none_besides():
    for factors, required in (("3,3,2", 2), ("3,2", 1), ("2,2,2,1", 3)):
        ways = [line.partition(":")[0] for line in pay(factors, required).effects]
        offers = helper("payment").offers(BOOK, inputs("payment", factors=factors, required=required))
        assert len(ways) == len(offers) > 0
        assert all(offer.words.casefold() in line.casefold() for offer, line in zip(offers, ways, strict=True))


def test_each_way_to_pay_is_an_offer_of_one_press():
    cleaned = inputs("payment", factors="3,3,2", required=2)
    offers = helper("payment").offers(BOOK, cleaned)
    assert [offer.words for offer in offers] == [
        "3, 3 flip",
        "3, 2 flip",
        "3 flips and retreats",
    ]
    for offer in offers:
        assert pay("3,3,2", 2, **offer.values).details["legal"]
    assert helper("payment").offers(BOOK, inputs("payment")) == ()
    assert helper("payment").offers(BOOK, inputs("payment", required=2)) == ()


# Retreats


def areas(*listed):
    names = ("area", "friendly", "enemy_units", "friends", "enemy_neighbours")
    return json.dumps([dict(zip(names, area, strict=True)) for area in listed])


FREE, FREE_BUSY = ("1", True, 0, 0, 1), ("2", True, 0, 3, 2)
OURS, THEIRS = ("3", True, 2, 1, 0), ("4", False, 2, 1, 0)
VACANT, CLOSED, LOST = ("5", False, 0, 0, 0), ("6", False, 2, 0, 0), ("7", True, 2, 0, 0)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ((FREE, FREE_BUSY, OURS), ("free", 1, ["1"])),
        ((FREE, ("8", True, 0, 0, 1)), ("free", 1, ["1", "8"])),
        ((OURS, THEIRS, VACANT), ("friendly_contested", 2, ["3"])),
        ((VACANT, THEIRS), ("enemy_contested", 3, ["4"])),
        ((VACANT, CLOSED), ("vacant", 4, ["5"])),
        ((CLOSED, LOST), ("nowhere", None, [])),
        ((), ("nowhere", None, [])),
    ],
)
def test_the_priority_of_retreats(listed, expected):
    assert facts(ask("retreat", areas=areas(*listed)), "priority", "areas") == expected


def test_random_retreats_agree_with_the_second_implementation():
    rng = random.Random("tps retreats")
    for _ in range(200):
        listed = [
            (str(name), rng.random() < 0.5, rng.choice((0, 0, 1, 3)), rng.choice((0, 1, 4)), rng.randint(0, 3))
            for name in rng.sample(range(1, 75), rng.randint(0, 6))
        ]
        result = ask("retreat", areas=areas(*listed))
        assert (result.details["priority"], result.details["areas"]) == oracle.goals(listed), listed


@pytest.mark.parametrize(
    ("friends", "units", "stay", "words"),
    [
        (0, 3, 3, "All of them fit into Area 1"),
        (7, 3, 3, "All of them fit into Area 1"),
        (8, 3, 2, "2 of 3 fit into Area 1, by their owner's choice: 1 unit goes on from there"),
        (9, 3, 1, "1 of 3 fit into Area 1, by their owner's choice: 2 units go on from there"),
        (10, 3, 0, "Nobody fits into Area 1 any more: 3 units go on from there"),
        (14, 1, 0, "Nobody fits into Area 1 any more: 1 unit goes on from there"),
    ],
)
def test_8_3553_an_area_takes_ten_and_who_does_not_fit_goes_on(friends, units, stay, words):
    result = ask("retreat", areas=areas(("1", True, 0, friends, 0)), units=units)
    assert facts(result, "stay", "go_on") == ("free", stay, units - stay)
    assert any(effect.startswith(words) for effect in result.effects)


def test_7_2_a_zone_takes_all():
    result = ask("retreat", areas=areas(("C", True, 0, 12, 0)), units=3)
    assert "stay" not in result.details


def test_a_contested_area_asks_for_a_roll_for_each_unit():
    result = ask("retreat", areas=areas(OURS))
    ((follow),) = result.follow_ups
    assert (follow.helper, dict(follow.inputs)) == (
        "contested-retreat",
        {"friendly_controlled": True, "enemy_units": 2},
    )
    assert ask("retreat", areas=areas(FREE)).follow_ups == ()


@pytest.mark.parametrize("enemies", range(11))
def test_a_retreat_into_a_contested_area_has_to_beat_the_enemies_there(enemies):
    for friendly, faces in ((True, range(2, 13)), (False, range(1, 7))):
        for face in faces:
            fields = {"friendly_controlled": friendly, "enemy_units": enemies}
            result = ask("contested-retreat", {"roll": face}, **fields)
            expected = "eliminated" if face <= enemies else "safe"
            assert facts(result, "dice") == (expected, 2 if friendly else 1)


# Dots


@pytest.mark.parametrize(
    ("event", "ranged", "dots"),
    [
        ("moved", False, 1),
        *(("won", ranged, dots) for ranged, dots in ((False, 2), (True, 1))),
        *(("tied", ranged, dots) for ranged, dots in ((False, 3), (True, 2))),
        *(("lost", ranged, dots) for ranged, dots in ((False, 4), (True, 3))),
        *(("overrun", ranged, 1) for ranged in (False, True)),
        ("german_artillery", False, 4),
        ("air", False, 1),
        ("russian_artillery", False, 0),
        ("casualty", False, 4),
        ("voluntary_retreat", False, 1),
    ],
)
def test_what_puts_how_many_dots_on_a_unit(event, ranged, dots):
    result = ask("disruption", event=event, ranged=ranged, date="1942-09-13")
    assert facts(result, "duration") == (f"d{dots}" if dots else "fresh", dots)
    assert result.details["fresh_on"] == (f"1942-09-{13 + dots}" if dots else None)
    assert ask("disruption", event=event).details["fresh_on"] is None


@pytest.mark.parametrize("current", range(5))
def test_dots_add_up_to_four_at_most(current):
    assert ask("disruption", event="voluntary_retreat", current=current).details["duration"] == min(4, current + 1)
    assert ask("disruption", event="casualty", current=current).details["duration"] == 4
    assert ask("disruption", event="won", current=current).details["duration"] == max(2, current)


def test_only_a_spent_unit_that_moves_is_told_to_regroup():
    effects = {event: ask("disruption", event=event, current=1).effects for event in ("moved", "won")}
    assert any("Regrouping" in words for words in effects["moved"]) and not effects["won"]
    assert not ask("disruption", event="moved").effects


def test_a_contested_retreat_says_in_words_what_became_of_the_unit():
    lost, safe = (ask("contested-retreat", {"roll": roll}, enemy_units=3) for roll in (3, 4))
    assert lost.headline == "3 against 3: the unit is lost." and "one Casualty Point, not two" in lost.effects[0]
    assert safe.headline == "4 against 3: the unit arrives." and not safe.effects


# With the owner's map

LINKS = {"1": "2,4", "2": "1,3,4", "3": "2,5", "4": "1,2,5", "5": "3,4"}


def mapped(links, points="?"):
    """The shipped book, with an owner's list of neighbours."""
    lines = [f"{area}  ?  {points}  ?  ?  {near}" for area, near in links.items()]
    chart = {"title": "Areas", "rule": "3.2", "provenance": "owner", "kind": "matrix"}
    data = deepcopy(chartbooks.shipped_data(SLUG))
    data["charts"]["areas"] = {**chart, "grid": "\n".join(["area  tem  vp  bank  known  links", *lines])}
    book, problems = read_book(data, registry.games()[SLUG].chart_specs)
    assert not problems, problems
    return book


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [("tem", "+4", "5"), ("tem", "0", "-1"), ("vp", "9", "10"), ("bank", "yes", "maybe"), ("links", "6,C", "6,75")],
)
def test_an_owner_types_what_a_map_can_have(column, good, bad):
    def flaws(text):
        charts = chartbooks.shipped_data(SLUG)["charts"]
        areas = {**charts["areas"], "text": [], "grid": f"area  {column}\n1  {text}"}
        book = {"charts": {**charts, "areas": areas}}
        return [problem.message for problem in read_book(book, registry.games()[SLUG].chart_specs)[1]]

    assert not flaws(good) and len(flaws(bad)) == 1


@pytest.mark.parametrize(
    ("chart", "grid", "flaw"),
    [
        ("areas", "area  colour\n1  red", "is not a column of this table"),
        ("areas", "area  tem\n75  +1", "should be an Area from 1 to 74 or a Zone from A to H"),
        ("boxes", "box  sunset\n1  late", "should be a whole number"),
    ],
)
def test_a_table_of_the_map_says_which_cell_cannot_be(chart, grid, flaw):
    charts = chartbooks.shipped_data(SLUG)["charts"]
    book = {"charts": {**charts, chart: {**charts[chart], "text": [], "grid": grid}}}
    messages = [problem.message for problem in read_book(book, registry.games()[SLUG].chart_specs)[1]]
    assert any(message.startswith(flaw) for message in messages), messages


def ask_with(slug, book, **fields):
    form = helper(slug).form.from_plain(fields, book=book)
    assert form.is_valid(), form.errors
    return helper(slug).resolve(book, form.inputs(), {})


def test_with_a_map_retreats_look_up_their_neighbours():
    book = mapped(LINKS)
    result = ask_with("retreat", book, start="2", german_areas="2,5")
    # 1 touches one Area of the enemy (2), 3 and 4 two of them (2 and 5).
    assert facts(result, "priority", "areas") == ("free", 1, ["1"])
    told_of = areas(("1", True, 2, 0, 0), ("4", True, 2, 1, 0))
    assert facts(ask_with("retreat", book, start="2", german_areas="2,5", areas=told_of), "areas") == ("free", ["3"])
    assert facts(ask_with("retreat", book, start="2", german_areas="1,2,3,4"), "areas") == ("vacant", ["1", "3", "4"])
    german = ask_with("retreat", book, start="2", side="german", german_areas="1,4")
    assert facts(german, "areas") == ("free", ["1"])


def test_with_a_map_that_lacks_something_a_retreat_is_asked_for_its_areas_and_not_lost():
    book = mapped({**LINKS, "5": "?"})  # what touches 5 besides 3 and 4 nobody has said
    for fields in ({"start": "9", "german_areas": "1"}, {"start": "2"}):
        with pytest.raises(BadInput, match="List the neighbours of Area"):
            ask_with("retreat", book, **fields)
    with pytest.raises(BadInput, match="lacks neighbours of 5:"):
        ask_with("retreat", book, start="4", german_areas="4")
    with pytest.raises(BadInput, match="lacks neighbours of 5:"):  # two Free ones are a choice already
        ask_with("retreat", book, start="4", german_areas="1,4")
    # It matters only where there is a choice among Free Areas.
    assert facts(ask_with("retreat", book, start="4", german_areas="1,2,4"), "areas") == ("free", ["5"])
    assert facts(ask_with("retreat", book, start="4", german_areas="1,2,4,5"), "areas") == ("vacant", ["1", "2", "5"])
    listed = areas(("5", True, 0, 0, 3))
    assert facts(ask_with("retreat", book, start="4", german_areas="4", areas=listed), "areas") == ("free", ["1", "2"])


def test_with_a_map_guns_find_their_distance():
    book = mapped({**LINKS, "23": "1"})
    assert facts(ask_with("artillery-range", book, area="1", target="2", distance=9), "distance") == ("allowed", 1)
    assert facts(ask_with("artillery-range", book, area="1", target="3"), "distance") == ("refused", 2)
    assert facts(ask_with("artillery-range", book, area="23", target="2"), "distance") == ("allowed", 2)
    assert facts(ask_with("artillery-range", book, area="23", target="3"), "distance") == ("refused", 3)
    # What nobody knows is asked.
    assert facts(ask_with("artillery-range", book, area="40", target="41", distance=1), "distance") == ("allowed", 1)


def test_19_1_with_a_map_points_count_where_supply_is_found_and_are_asked_for_where_nobody_knows():
    book = mapped({"1": "2", "2": "1,C", "C": "2,D", "4": "5", "5": "4", "9": "?"}, points=3)
    known = {"date": "1942-09-19"}
    assert ask_with("victory", book, german_areas="1,2,C", **known).details["points"] == 9
    # 4 and 5 touch nothing else, so they are surely without supply.
    assert ask_with("victory", book, german_areas="2,C,4,5", **known).details["points"] == 6
    with pytest.raises(BadInput, match="does not say whether 9 is supplied"):
        ask_with("victory", book, german_areas="2,C,9", **known)
