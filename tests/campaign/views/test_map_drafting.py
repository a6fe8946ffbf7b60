"""The page on which the map is changed: every change is an address, so that links and a form do what taps do."""

import re
import tomllib

import pytest

from campaign.rules.maps import read_map
from campaign.rules.typed.whole import MAP
from tests import pages
from tests.campaign.plain import plain
from tests.firefight.players import text_of, words_of

PAGE = "/campaign/map/change/"


def links(page):
    """Where the sectors and the edges of the drawing lead, by their words."""
    anchors = pages.find(page, "svg a")
    return {link.attributes["aria-label"]: link.attributes.get("href", "") for link in anchors}


def test_two_taps_make_a_border_and_two_more_break_it(client):
    page = text_of(client.get(PAGE))
    first = next(href for words, href in links(page).items() if words.startswith("Sector 12:"))
    chosen = text_of(client.get(PAGE + first))
    assert "12 is chosen" in words_of(client.get(PAGE + first))
    second = next(href for words, href in links(chosen).items() if words.endswith("Make a border between 12 and 17"))
    joined = client.get(PAGE + second)
    assert "12 and 17 share a border now." in words_of(joined) and "New borders: 12–17." in words_of(joined)
    assert "All of them hold, G-1 to G-12." in words_of(joined)
    assert len(pages.find(text_of(joined), "svg .news")) == 2
    again = text_of(client.get(f"{PAGE}?changes=12-17&one=17"))
    assert any(words.endswith("Break the border between 17 and 12") for words in links(again))


def test_an_edge_is_tapped_once_a_sector_is_chosen(client):
    assert not [words for words in links(text_of(client.get(PAGE))) if "the west edge" in words and "Put" in words]
    chosen = links(text_of(client.get(f"{PAGE}?one=7")))
    answer = words_of(client.get(PAGE + chosen["Put 7 at the west edge"]))
    assert "7 touches the west edge now." in answer and "At the west edge: 1, 2, 3, 6 and 7." in answer


def test_the_edges_stand_beside_the_map_the_german_one_in_the_west(client):
    page = text_of(client.get(PAGE))
    (svg,) = pages.find(page, "svg.draft-map")
    left, top, width, height = (float(number) for number in svg.attributes["viewBox"].split())
    for side, (low, high) in {"german": (left, 0), "russian": (width + 2 * left, width + left)}.items():
        (points,) = pages.values_of_each(page, f".edge-strip.{side}", "points")
        corners = [tuple(map(float, pair.split(","))) for pair in points.split()]
        (west, east), (head, foot) = ((min(ends), max(ends)) for ends in zip(*corners, strict=True))
        assert low < west < east < high and east - west > 20
        assert top < head < foot < height


def test_the_form_does_the_same_without_a_drawing(client):
    (form,) = [
        form for form in pages.forms(text_of(client.get(f"{PAGE}?changes=12-17&zoom=2"))) if form.has("zoom", "2")
    ]
    answer = client.get(PAGE, form.filled(one="13", other="15"))
    assert answer["Location"] == f"{PAGE}?changes=12-17.13-15&zoom=2"
    words = words_of(client.get(answer["Location"]))
    assert "Broken borders: 13–15." in words and re.search(r"no longer hold on this map: G-6 ", words)


def test_what_cannot_be_drawn_is_told_with_what_it_crosses_and_can_be_undone(client):
    answer = client.get(f"{PAGE}?changes=12-17.1-20")
    assert "1–20 would cross" in words_of(answer)
    (undo,) = pages.find(text_of(answer), "#draft-undo")
    assert undo.attributes["href"] == "?changes=12-17"
    assert client.get("/campaign/map/change.toml?changes=1-20").status_code == 400


def test_the_file_of_a_changed_map_can_be_played_with(client):
    answer = client.get("/campaign/map/change.toml?changes=12-17.7-w.5~120~215")
    data = tomllib.loads(answer.content.decode())
    sector_map, problems = read_map(data)
    assert problems == [] and sector_map.is_drawn and 17 in sector_map.neighbours[12]
    assert {**data, "adjacency": 0, "edges": 0, "drawing": 0} == {
        **plain("map"),
        "adjacency": 0,
        "edges": 0,
        "drawing": 0,
    }


@pytest.mark.parametrize("bad", ["5", "1-99", "x", "1-1", ".".join(["1-2"] * 61)])
def test_an_address_that_nobody_can_read_is_refused_in_words(client, bad):
    for address in (f"{PAGE}?changes={bad}", f"/campaign/map/change.toml?changes={bad}"):
        assert client.get(address).status_code == 400
    assert client.get(f"{PAGE}?one=99&zoom=7").status_code == 200
    assert client.get(f"{PAGE}?one=5&other=%3C").status_code == 400


@pytest.mark.django_db
def test_borders_tapped_in_the_content_room_go_into_its_sheet(client):
    copied = client.post("/campaign/content/house/", {"do": "copy"})
    ref = copied["Location"].strip("/").rpartition("/")[2]
    address = f"/campaign/content/{ref}/{MAP}/"
    page = client.get(f"{address}draw/?changes=12-17.7-w")
    (form,) = [form for form in pages.forms(text_of(page)) if form.has("do", "draw")]
    assert form.action == address
    answer = client.post(address, form.filled(), follow=True)
    assert answer.status_code == 200
    assert "The drawing follows the borders." in words_of(answer)
    again = words_of(client.get(f"{address}draw/"))
    assert "No border and no edge; it is" in again  # the sheet says what the drawing shows
    stale = client.post(address, form.filled())
    assert stale.status_code == 409
    # Somebody else's page shows the map and has nothing to take over.
    house = client.get(f"/campaign/content/house/{MAP}/draw/?changes=12-17")
    assert house.status_code == 200 and not [form for form in pages.forms(text_of(house)) if form.has("do", "draw")]
