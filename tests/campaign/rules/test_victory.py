from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.sectors import Holding
from campaign.rules.victory import (
    Demand,
    Verdict,
    describe_demand,
    find_verdict,
    find_verdict_at_once,
    is_met,
    list_verdict_checks,
)
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import CONTENT, card_problems, plain

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
MAP = CONTENT.sector_map
SECTORS = tuple(MAP.neighbours)


def control(*germans, rest="russian"):
    return {sector: Holding.GERMAN if sector in germans else Holding(rest) for sector in SECTORS}


# What ends a campaign at once


def test_a_line_that_ends_a_campaign_at_once_does_so_from_any_place():
    first = Verdict(RUSSIAN, Demand(RUSSIAN, at_least=1))
    at_once, otherwise = Verdict(GERMAN, Demand(GERMAN, sectors=(11,)), at_once=True), Verdict(None, None)
    lines = (first, at_once, otherwise)
    assert find_verdict(lines, MAP, control(11)) is first
    assert find_verdict_at_once(lines, MAP, control(11)) is at_once
    assert find_verdict_at_once(lines, MAP, control(12)) is None
    assert find_verdict_at_once((first, otherwise), MAP, control(11)) is None


# What each part of a demand asks for


@pytest.mark.parametrize(
    ("demand", "germans", "met"),
    [
        ({"sectors": (11,)}, (11,), True),
        ({"sectors": (11, 12)}, (11,), False),
        ({"sectors": (11, 12)}, (11, 12, 13), True),
        ({"any_of": (15, 17)}, (17,), True),
        ({"any_of": (15, 17)}, (16,), False),
        ({"at_least": 3}, (1, 2), False),
        ({"at_least": 3}, (1, 2, 20), True),
        ({"below": 3}, (1, 2), True),
        ({"below": 3}, (1, 2, 20), False),
        ({"below": 1}, (), True),
        ({"at_least": 2, "below": 4, "sectors": (1,), "any_of": (2, 3)}, (1, 3), True),
        ({"at_least": 2, "below": 4, "sectors": (1,), "any_of": (2, 3)}, (1, 4), False),
    ],
)
def test_all_that_a_demand_names_must_hold(demand, germans, met):
    assert is_met(Demand(GERMAN, **demand), MAP, control(*germans)) is met


@pytest.mark.parametrize("rest", ["russian", "nobody", "threatened"])
def test_only_controlled_sectors_count(rest):
    assert is_met(Demand(GERMAN, below=2), MAP, control(1, rest=rest))
    assert not is_met(Demand(RUSSIAN, at_least=1), MAP, control(*SECTORS[:4], rest="nobody"))


@pytest.mark.parametrize(
    ("side", "own", "crosses"),
    [
        (GERMAN, (6, 7, 16, 10), True),
        (GERMAN, (6, 7, 16, 18), True),
        (GERMAN, (6, 7, 16), False),  # stops short of the east
        (GERMAN, (7, 16, 10), False),  # touches the west edge nowhere
        (GERMAN, (6, 16, 10), False),  # torn
        (GERMAN, (3, 4, 9, 17, 22), True),
        (RUSSIAN, (10, 16, 7, 6), True),
        (RUSSIAN, (10, 16, 7, 11), False),
        (GERMAN, (), False),
    ],
)
def test_a_line_runs_from_the_own_edge_to_the_enemys(side, own, crosses):
    control = {sector: Holding(side) if sector in own else Holding.NOBODY for sector in SECTORS}
    assert is_met(Demand(side, crosses=True), MAP, control) is crosses


@settings(max_examples=60)
@given(st.sets(st.sampled_from(SECTORS), max_size=12))
def test_a_line_is_a_walk_over_own_sectors(own):
    walks, reached = [[sector] for sector in MAP.edges[GERMAN] if sector in own], set()
    while walks:
        walk = walks.pop()
        reached.add(walk[-1])
        walks += [[*walk, beside] for beside in MAP.neighbours[walk[-1]] if beside in own and beside not in reached]
    met = is_met(Demand(GERMAN, crosses=True), MAP, control(*own))
    assert met is bool(reached & set(MAP.edges[RUSSIAN]))


# Which line counts


def test_the_first_line_that_is_met_counts():
    lines = (
        Verdict(GERMAN, Demand(GERMAN, sectors=(11,))),
        Verdict(RUSSIAN, Demand(GERMAN, below=3)),
        Verdict(None, None),
    )
    assert [find_verdict(lines, MAP, control(*own)).winner for own in ((11,), (1,), (1, 2, 3))] == [
        GERMAN,
        RUSSIAN,
        None,
    ]


CARDS = [(card, line) for card in ("cg1", "cg2") for line in range(3)]


@pytest.mark.parametrize(("card", "line"), CARDS)
def test_every_line_of_the_shipped_cards_can_come_true(card, line):
    verdicts = CONTENT.cards[card].verdicts
    tried = [(), (1, 2, 3, 4, 5, 6, 7, 8, 9, 11), SECTORS[:8], (6, 7, 16, 10), (15,)]
    assert verdicts[line] in [find_verdict(verdicts, MAP, control(*own)) for own in tried]


@pytest.mark.parametrize("card", ["cg1", "cg2"])
def test_a_card_always_has_exactly_one_verdict(card):
    verdicts = CONTENT.cards[card].verdicts
    for own in combinations(SECTORS, 3):
        marked = [line for line in list_verdict_checks(verdicts, MAP, control(*own)) if line.is_current]
        assert len(marked) == 1


def test_a_verdict_is_told_in_words():
    told_lines = [
        (line.winner, line.demand, line.is_current)
        for line in list_verdict_checks(CONTENT.cards["cg2"].verdicts, MAP, control(15))
    ]
    assert told_lines == [
        ("German", "the German has a line of sectors from the west to the east edge", False),
        ("Draw", "the German controls one of 15 and 17", True),
        ("Russian", "otherwise", False),
    ]
    everything = Demand(RUSSIAN, (1, 2), (3, 4), 5, 9, True)
    assert describe_demand(everything) == (
        "the Russian controls 1 and 2 and controls one of 3 and 4 and controls at least 5 sectors and controls fewer "
        "than 9 sectors and has a line of sectors from the east to the west edge"
    )


# Reading a card's verdicts


def card_with(*lines):
    data = plain("to_the_volga")
    data["verdicts"] = list(lines)
    return card_problems(data)


LAST = {"winner": "draw"}


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "there is none"),
        ([{"winner": "german", "side": "german", "at_least": 3}], "the last has none"),
        ([LAST, LAST], "every verdict but the last has a demand"),
        ([{"winner": "nobody", "side": "german", "at_least": 3}, LAST], "winner"),
        ([{"winner": "german", "side": "austrian", "at_least": 3}, LAST], "side"),
        ([{"winner": "german", "side": "german", "sectors": [23]}, LAST], "23"),
        ([{"winner": "german", "side": "german", "any_of": ["x"]}, LAST], "any_of"),
        ([{"winner": "german", "side": "german", "at_least": 23}, LAST], "at_least"),
        ([{"winner": "german", "side": "german", "below": 0}, LAST], "below"),
        ([{"winner": "german", "side": "german", "crosses": "yes"}, LAST], "crosses"),
        ([{"winner": "german", "side": "german", "crossing": True}, LAST], "crossing"),
        ([{"winner": "draw", "at_once": True}], "cannot end a campaign at once"),
        (["german"], "verdicts 1"),
    ],
)
def test_a_card_with_bad_verdicts_says_what_is_wrong(lines, problem):
    assert any(problem in told_problem for told_problem in card_with(*lines))


def test_a_card_may_do_with_a_last_line_alone():
    assert card_with(LAST) == []
