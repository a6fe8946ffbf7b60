"""What the worked examples force on the sector graph: each constraint must be able to fail, by its G-number."""

import pytest

from campaign.rules.evidence import EAST, count_steps, find_doubts
from tests.campaign.plain import CONTENT, cut, join, map_problems, plain

GRAPH = {number: set(others) for number, others in CONTENT.sector_map.neighbours.items()}


def altered(remove=(), add=()):
    graph = {number: set(others) for number, others in GRAPH.items()}
    for one, other in remove:
        graph[one] -= {other}
        graph[other] -= {one}
    for one, other in add:
        graph[one] |= {other}
        graph[other] |= {one}
    return graph


def names(graph, east=EAST, provenance="house"):
    return {rule for rule, _ in find_doubts(graph, east, provenance)}


def test_the_synthetic_graph_has_no_doubts():
    assert list(find_doubts(GRAPH, EAST, "house")) == []


@pytest.mark.parametrize(
    ("rule", "graph", "east"),
    [
        ("G-1", GRAPH, EAST - {10}),
        ("G-1", GRAPH, EAST | {17}),
        ("G-2", altered(remove=[(14, 19), (14, 20)]), EAST),
        ("G-3", altered(remove=[(3, 4), (3, 8)]), EAST),
        ("G-3", altered(add=[(3, 9)]), EAST),
        ("G-4", altered(add=[(11, 15)]), EAST),
        ("G-5", altered(remove=[(5, 11), (11, 12)]), EAST),
        ("G-6", altered(remove=[(13, 15)]), EAST),
        ("G-7", altered(remove=[(14, 19), (14, 20)]), EAST),
        ("G-8", altered(add=[(11, 19)]), EAST),
        ("G-9", altered(add=[(3, 17)]), EAST),
        ("G-9", altered(add=[(3, 22)]), EAST),
        ("G-9", altered(add=[(3, 11)]), EAST),
        ("G-10", altered(add=[(11, 15)]), EAST),
        ("G-11", altered(add=[(8, 11)]), EAST),
        ("G-12", altered(remove=[(14, 19), (14, 20)]), EAST),
        ("G-12", GRAPH, EAST - {10}),
    ],
)
def test_each_constraint_can_fail_and_is_named(rule, graph, east):
    assert rule in names(graph, east)


def test_a_ring_of_other_sectors_is_no_problem_on_an_owners_map():
    graph = altered(remove=[(7, 11)])
    assert names(graph, provenance="house") == {"G-11"}
    assert names(graph, provenance="owner") == set()


def test_a_map_of_other_sectors_gets_one_plain_answer():
    graph = {number: others - {22} for number, others in GRAPH.items() if number != 22}
    assert [rule for rule, _ in find_doubts(graph, EAST, "house")] == ["sectors"]


def test_a_whole_map_that_breaks_an_example_is_told_its_number_in_plain_words():
    data = plain("map")
    join(data, 11, 15)
    cut(data, 13, 15)
    problems = map_problems(data)
    sentence = "with 5, 6, 7, 12, 13 and 14 German, sector 11 is cut off from the east edge (20.6.4 step 6)"
    assert f"map [G-4]: {sentence}" in problems
    assert any("[G-10]" in problem for problem in problems)


def test_depths_stop_at_sectors_that_are_not_held():
    line = {1: {2}, 2: {1, 3}, 3: {2, 4}, 4: {3}}
    assert count_steps(line, {1}, {1, 2, 3, 4}) == {1: 0, 2: 1, 3: 2, 4: 3}
    assert count_steps(line, {1}, {1, 2, 4}) == {1: 0, 2: 1}
    assert count_steps(line, {1}, {2, 3}) == {}
