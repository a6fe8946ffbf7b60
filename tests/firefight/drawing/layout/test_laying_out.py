"""Maps laid out from their borders: every border one shared side and nothing else; what may stay stays."""

import random
from itertools import combinations

import pytest

from campaign.rules.maps import name_edges
from firefight.drawing.layout.crossings import find_crossings
from firefight.drawing.layout.frame import EAST, WEST
from firefight.drawing.layout.laying_out import NO_ROOM, CannotDraw, lay_out_map, move_sector
from firefight.drawing.layout.planarity import embed, faces_of, insert_link, is_planar, remove_link
from firefight.drawing.layout.polygons import doubled_area
from firefight.drawing.layout.soundness import measure_least
from tests.campaign.plain import CONTENT
from tests.soak import length, seeds, some

from .looking import check, measure_smallest
from .planar_maps import random_map

HOUSE = CONTENT.sector_map
EDGES = name_edges(HOUSE.edges)
PAIRS = list(combinations(sorted(HOUSE.neighbours), 2))
BORDERS = {(a, b) for a, others in HOUSE.neighbours.items() for b in others if a < b}


def toggled(one, other):
    return toggled_all([(one, other)])


def toggled_all(borders):
    """The shipped map with borders made or broken."""
    neighbours = {number: set(others) for number, others in HOUSE.neighbours.items()}
    for one, other in borders:
        neighbours[one] ^= {other}
        neighbours[other] ^= {one}
    return neighbours


def same_cells(drawing):
    """How many cells of the shipped drawing a drawing has as they were."""
    by = drawing.width // HOUSE.drawing.width
    before = {n: {(x * by, y * by) for x, y in cell} for n, cell in HOUSE.drawing.cells.items()}
    return sum(set(cell) == before[number] for number, cell in drawing.cells.items())


def test_an_unchanged_map_keeps_its_drawing():
    assert lay_out_map(HOUSE.neighbours, EDGES, HOUSE.drawing) is HOUSE.drawing


def test_the_borders_alone_give_the_shipped_map_a_drawing_with_room_for_all():
    drawing = lay_out_map(HOUSE.neighbours, EDGES)
    check(drawing, HOUSE.neighbours, EDGES)
    assert measure_least(drawing) > 0.9
    # At 360 px the map is 360 px wide: the smallest sector would do for a square of that many px.
    assert (measure_least(drawing) * 360 * 432 / 22) ** 0.5 > 40


@pytest.mark.parametrize("border", sorted(BORDERS))
def test_breaking_a_border_of_the_shipped_map_moves_only_what_is_near(border):
    neighbours = toggled(*border)
    drawing = lay_out_map(neighbours, EDGES, HOUSE.drawing)
    check(drawing, neighbours, EDGES)
    assert same_cells(drawing) >= 16


@pytest.mark.soak
def test_every_border_that_can_be_added_is_and_of_the_others_it_is_said_what_they_cross():
    refused, drawn = 0, 0
    for border in sorted(set(combinations(HOUSE.neighbours, 2)) - BORDERS)[:: length(9, 1)]:
        neighbours = toggled(*border)
        try:
            drawing = lay_out_map(neighbours, EDGES, HOUSE.drawing)
        except CannotDraw as error:
            (crossing,) = error.crossings
            assert crossing.border == border and crossing.crosses
            assert f"{border[0]}–{border[1]} would cross " in str(error)
            refused += 1
        else:
            check(drawing, neighbours, EDGES)
            drawn += 1
    assert refused and drawn


def test_an_edge_can_be_given_and_taken():
    edges = {**EDGES, WEST: (1, 2, 3, 6, 7)}
    drawing = lay_out_map(HOUSE.neighbours, edges, HOUSE.drawing)
    check(drawing, HOUSE.neighbours, edges)
    edges = {WEST: (2, 3), EAST: (18, 19, 20)}
    check(lay_out_map(HOUSE.neighbours, edges, HOUSE.drawing), HOUSE.neighbours, edges)
    # Sector 11 lies in the middle of the map.
    with pytest.raises(match="11 at the west edge would cross"):
        lay_out_map(HOUSE.neighbours, {**EDGES, WEST: (1, 2, 3, 6, 11)}, HOUSE.drawing)


def draw_or_tell(neighbours, edges, before=None):
    """The drawing, checked; None if the module says why there is none, as it should, instead of breaking."""
    try:
        drawing = lay_out_map(neighbours, edges, before)
    except CannotDraw as error:
        assert error.__cause__ is None, f"{error.__cause__!r} for {neighbours} {edges}"
        assert error.crossings or str(error) == NO_ROOM or "no border at all" in str(error)
        assert error.list_reasons()
        return None
    check(drawing, neighbours, edges)
    assert measure_smallest(drawing) >= 40, f"A sector that no finger hits: {neighbours} {edges}"
    return drawing


def change_at_random(rng, neighbours, edges):
    """Some borders made and broken, now and then an edge given or taken; a few maps lose most of what they have."""
    neighbours, edges = {n: set(others) for n, others in neighbours.items()}, {s: set(at) for s, at in edges.items()}
    if rng.random() < 0.1:
        edges[rng.choice(list(edges))].clear()
    if rng.random() < 0.15:
        for one, other in [(a, b) for a, others in neighbours.items() for b in sorted(others) if a < b]:
            if rng.random() < 0.4:
                neighbours[one].discard(other)
                neighbours[other].discard(one)
    for _ in range(rng.randint(1, 4)):
        one, other = rng.sample(sorted(neighbours), 2)
        if rng.random() < 0.6 and neighbours[one]:
            other = rng.choice(sorted(neighbours[one]))
        if rng.random() < 0.85:
            neighbours[one] ^= {other}
            neighbours[other] ^= {one}
        else:
            edges[rng.choice(list(edges))] ^= {one}
    return neighbours, edges


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(2, 40))
def test_whatever_becomes_of_random_maps_they_are_drawn_or_it_is_said_why_not(seed):
    is_drawn = []
    for number in range(length(3, 50)):
        rng = random.Random(f"change {seed} {number}")
        neighbours, edges = random_map(rng, rng.randint(3, 40))
        drawing = draw_or_tell(neighbours, edges)
        is_drawn.append(drawing is not None)
        for _ in range(2):
            neighbours, edges = change_at_random(rng, neighbours, edges)
            drawing = draw_or_tell(neighbours, edges, drawing) or drawing
    assert sum(is_drawn) >= 0.8 * len(is_drawn) - 1  # all of them can be: a few of the trees find no room


def leave_one_border(sector, neighbour):
    return toggled_all((sector, other) for other in HOUSE.neighbours[sector] if other != neighbour)


@pytest.mark.soak
@pytest.mark.parametrize("sector", some(sorted(HOUSE.neighbours), 4))
def test_a_sector_of_the_shipped_map_may_be_left_with_any_one_border(sector):
    for neighbour in some(HOUSE.neighbours[sector], 3):
        assert draw_or_tell(leave_one_border(sector, neighbour), EDGES, HOUSE.drawing)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(length(1, 24)))
def test_any_two_borders_of_the_shipped_map_may_be_made_and_broken(part):
    """All 231 borders alone, and all 26,565 pairs of them: a soak tries them all."""
    every = [*((border,) for border in PAIRS), *combinations(PAIRS, 2)]
    drawn = [draw_or_tell(toggled_all(both), EDGES, HOUSE.drawing) for both in every[part :: length(1_900, 24)]]
    assert any(drawn)


def test_three_cells_that_once_broke_the_drawing_are_drawn():
    changed = toggled_all([(8, 3), (8, 9)])
    assert changed[8] == {4}
    assert draw_or_tell(changed, EDGES, HOUSE.drawing)
    for sector, neighbour in ((7, 11), (16, 14), (17, 15)):  # the same by north and south
        assert draw_or_tell(leave_one_border(sector, neighbour), EDGES, HOUSE.drawing)


def test_what_breaks_the_drawing_is_said_as_any_other_reason(monkeypatch):
    def break_down(*_):
        raise StopIteration

    monkeypatch.setattr("firefight.drawing.layout.springs.Springs.settle", break_down)
    with pytest.raises(CannotDraw, match=NO_ROOM) as caught:
        lay_out_map(HOUSE.neighbours, EDGES)
    assert isinstance(caught.value.__cause__, StopIteration)


@pytest.mark.parametrize(
    ("neighbours", "why"),
    [
        ({1: {2}, 2: {1}}, "3 to 40 sectors"),
        ({n: {n % 41 + 1} for n in range(1, 42)}, "3 to 40 sectors"),
        ({1: {2}, 2: {1, 3}, 3: {2, 4}}, "no sector 4"),
        ({1: {2}, 2: {1, 2, 3}, 3: {2}}, "Sector 2 cannot border on itself"),
        ({1: {2}, 2: {1}, 3: set()}, "Sector 3 has no border at all"),
    ],
)
def test_borders_that_make_no_map_are_not_drawn(neighbours, why):
    with pytest.raises(CannotDraw, match=why) as caught:
        lay_out_map(neighbours, {WEST: (1,), EAST: (2,)})
    assert caught.value.__cause__ is None


def test_of_many_crossings_the_first_few_are_told():
    everyone = {n: set(range(1, 23)) - {n} for n in range(1, 23)}
    assert len(find_crossings(everyone, EDGES)) == 6


def test_a_map_out_of_parts_and_one_without_edges_are_drawn_too():
    halves = {1: {2, 3}, 2: {1, 3}, 3: {1, 2}, 4: {5, 6}, 5: {4, 6}, 6: {4, 5}}
    edges = {WEST: (1,), EAST: (4,)}
    check(lay_out_map(halves, edges), halves, edges)
    edges = {WEST: (), EAST: ()}
    check(lay_out_map(halves, edges), halves, edges)
    with pytest.raises(CannotDraw, match="3 to 40 sectors"):
        lay_out_map({1: {2}, 2: {1}}, edges)


def test_a_dragged_sector_goes_as_far_as_no_border_is_lost():
    x, y = HOUSE.drawing.labels[11]
    moved = move_sector(HOUSE.drawing, HOUSE.neighbours, EDGES, 11, (x + 12, y + 6))
    check(moved, HOUSE.neighbours, EDGES)
    assert moved.labels[11] == (x + 12, y + 6)
    far = move_sector(HOUSE.drawing, HOUSE.neighbours, EDGES, 11, (359, 431))
    check(far, HOUSE.neighbours, EDGES)
    assert far.labels[11] != (359, 431)


# Rotations


def test_faces_links_in_and_out():
    square = embed([(1, 2), (2, 3), (3, 4), (4, 1)])
    assert sorted(map(len, faces_of(square))) == [4, 4]
    assert insert_link(square, 1, 3)
    assert sorted(map(len, faces_of(square))) == [3, 3, 4]
    assert insert_link(square, 2, 4)  # on the other side
    assert sorted(map(len, faces_of(square))) == [3, 3, 3, 3]
    remove_link(square, 1, 3)
    assert sorted(map(len, faces_of(square))) == [3, 3, 4]
    five = list(combinations(range(5), 2))
    assert not is_planar(five) and is_planar(five[1:])
    with pytest.raises(ValueError, match="not planar"):
        embed(five)
    assert not find_crossings(HOUSE.neighbours, EDGES)


def test_cells_are_written_clockwise_or_as_they_were():
    drawing = lay_out_map(HOUSE.neighbours, EDGES)
    assert all(doubled_area(cell) > 0 for cell in drawing.cells.values())
