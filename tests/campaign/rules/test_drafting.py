"""A map as somebody changes it, and one that nobody has drawn."""

from itertools import combinations

import pytest

from campaign.presenters.drafting import list_zooms
from campaign.rules import drafting
from campaign.rules.drafting import BadChange, MapDraft, change_map, follow_borders, read_changes, write_map
from campaign.rules.maps import draw_tiles, name_edges, read_map
from firefight.drawing.layout.polygons import is_inside, overlap
from firefight.drawing.layout.soundness import has_room
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN, plain
from tests.firefight.drawing.layout.looking import check, measure_smallest

HOUSE = CONTENT.sector_map


# Tiles


@pytest.mark.parametrize("size", [1, 22, 60, 99])
@pytest.mark.parametrize("shape", ["row", "star", "apart"])
def test_tiles_have_room_however_many_there_are(size, shape):
    every = range(1, size + 1)
    neighbours = {n: {"row": {n + 1} & {*every}, "star": {1} - {n}, "apart": set()}[shape] for n in every}
    tiles = draw_tiles(neighbours, {GERMAN: (1,), RUSSIAN: (size,)})
    assert set(tiles.cells) == set(neighbours) and has_room(tiles) and measure_smallest(tiles) >= 40
    assert not [pair for pair in combinations(tiles.cells, 2) if overlap(*(tiles.cells[n] for n in pair))]
    assert all(is_inside(tiles.labels[n], cell) for n, cell in tiles.cells.items())


def test_a_map_without_any_sector_is_drawn_as_nothing():
    tiles = draw_tiles({}, {})
    assert not tiles.cells and list_zooms(tiles)


# Drafts


DRAFT = MapDraft.of_map(HOUSE)


def test_an_unchanged_draft_is_the_file_that_it_came_from():
    assert write_map(plain("map"), DRAFT) == plain("map")
    there_and_back = change_map(DRAFT, ["11-12", "11-12"])
    assert write_map(plain("map"), there_and_back) == plain("map")


def test_one_changed_border_gives_a_file_that_can_be_played_with_and_nobody_touches_a_coordinate():
    data = write_map(plain("map"), change_map(DRAFT, read_changes("12-17")))
    changed, problems = read_map(data)
    assert problems == [] and changed is not None
    assert 17 in changed.neighbours[12] and changed.origins["adjacency"] == "owner"
    assert data["stacking"] == plain("map")["stacking"]
    typed = plain("map")
    for one, other in (("12", 17), ("17", 12)):
        typed["adjacency"]["neighbours"][one].append(other)
    assert follow_borders(typed, plain("map")["drawing"]) == data["drawing"]
    typed["adjacency"]["neighbours"]["1"].append(20)
    assert follow_borders(typed, None) is None  # it crosses
    typed["adjacency"]["neighbours"]["1"].append(99)
    assert follow_borders(typed, None) is None


def test_a_draft_says_which_worked_examples_no_longer_hold():
    assert DRAFT.doubts() == []
    assert [rule for rule, _ in change_map(DRAFT, ["3-22"]).doubts()] == ["G-3", "G-9", "G-12"]
    assert change_map(DRAFT, ["12-17"]).doubts() == []


def test_a_border_that_cannot_be_drawn_leaves_the_drawing_and_says_what_it_crosses():
    before = change_map(DRAFT, ["12-17"])
    after = change_map(DRAFT, ["12-17", "1-20"])
    assert after.drawing == before.drawing
    assert after.has_border(1, 20)
    assert after.troubles[0].startswith("1–20 would cross ")
    alone = change_map(DRAFT, ["1-2", "1-6"])
    assert alone.troubles == ("Sector 1 has no border at all.",)


def test_drags_edges_and_laying_out_anew_are_changes_too():
    assert change_map(DRAFT, ["5~120~220"]).message == "Sector 5 has moved."
    assert change_map(DRAFT, ["7-w"]).edges[GERMAN] == {1, 2, 3, 6, 7}
    anew = change_map(DRAFT, [drafting.ANEW])
    assert anew.drawing != DRAFT.drawing and anew.message == "The map is laid out anew."
    check(anew.drawing, HOUSE.neighbours, name_edges(HOUSE.edges))


@pytest.mark.parametrize("text", ["5", "5-", "x-3", "5-3;", "5~1", "..x", ".".join(["1-2"] * 61)])
def test_changes_that_nobody_can_read_are_refused(text):
    with pytest.raises(BadChange):
        read_changes(text)


@pytest.mark.parametrize("change", ["5-5", "5-99", "99-w", "0~1~1"])
def test_changes_of_no_sector_are_refused(change):
    with pytest.raises(BadChange):
        change_map(DRAFT, [change])
