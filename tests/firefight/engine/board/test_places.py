"""Places of every kind: read as players write them, printed so that they are read again, and who touches whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.board.hexes import BadHex, HexMap, NumberedHexMap
from firefight.engine.board.places import Areas, BadPlace, Boxes, PlaceKind, read_links
from firefight.engine.errors import RuleError

STREETS = NumberedHexMap(1, 30, 1, 48)
AREAS = Areas(("1", "2", "3", "6", "7", "C", "East Bank"), (("1", "2"), ("3", "2"), ("6", "7"), ("6", "C")))
BOXES = Boxes(("Airfield", "East Bank", "Off map A"))
MAPS = (HexMap(), STREETS, AREAS, BOXES)


@pytest.mark.parametrize(
    ("places", "text", "printed"),
    [
        (HexMap(), " k7 ", "K7"),
        (STREETS, "0412", "0412"),
        (STREETS, "412", "0412"),
        (STREETS, " 3048 ", "3048"),
        (AREAS, "c", "C"),
        (AREAS, "EAST  bank", "East Bank"),
        (BOXES, "offmapa", "Off map A"),
    ],
)
def test_a_place_is_read_as_players_write_it_and_printed_as_the_map_does(places, text, printed):
    assert str(places.parse(text)) == printed
    assert str(places.parse(printed)) == printed
    assert len(printed) <= places.longest


@pytest.mark.parametrize(
    ("places", "text", "words"),
    [
        (
            HexMap(last_column="M"),
            "Z1",
            "“Z1” is not a hex of this map: columns A to M, numbers 1 to 99, for",
        ),
        (STREETS, "3101", "“3101” is not a hex of this map: columns 01 to 30, rows 01 to 48, for instance 0101."),
        (STREETS, "0149", "not a hex of this map"),
        (STREETS, "0000", "not a hex of this map"),
        (STREETS, "K7", "not a hex of this map"),
        (STREETS, "²²²²", "not a hex of this map"),
        (STREETS, "", "not a hex of this map"),
        (AREAS, "9", "There is no area “9” here. There are: 1, 2, 3, 6, 7, C, East Bank."),
        (BOXES, "Harbour", "There is no box “Harbour” here. There are: Airfield, East Bank, Off map A."),
        (Boxes(tuple(f"Box {number}" for number in range(30))), "x", "Box 11 …."),
    ],
)
def test_a_place_that_is_not_there_is_refused_with_what_is(places, text, words):
    with pytest.raises(BadPlace) as caught:
        places.parse(text)
    assert words in str(caught.value)
    assert isinstance(caught.value, RuleError)


def test_a_bad_hex_is_a_bad_place():
    assert issubclass(BadHex, BadPlace)


@given(st.sampled_from(MAPS), st.text(max_size=6))
def test_whatever_is_read_is_printed_as_something_that_is_read_again(places, text):
    try:
        place = places.parse(text)
    except BadPlace:
        return
    assert places.parse(str(place)) == place


def test_every_kind_says_what_it_is():
    assert [(places.kind, places.kind.word) for places in MAPS] == [
        (PlaceKind.LETTERED, "hex"),
        (PlaceKind.NUMBERED, "hex"),
        (PlaceKind.AREAS, "area"),
        (PlaceKind.BOXES, "box"),
    ]


@pytest.mark.parametrize("low", ["even", "odd"])
def test_numbered_hexes_touch_as_lettered_ones_of_the_same_map_do(low):
    numbered, lettered = NumberedHexMap(1, 26, 1, 40, low), HexMap("A", "Z", 1, 40, low)
    for column in range(26):
        for row in (1, 2, 20, 39, 40):
            name, other = f"{column + 1:02}{row:02}", f"{chr(ord('A') + column)}{row}"
            around = {(place.column, place.number) for place in numbered.neighbours(numbered.parse(name))}
            assert around == {(place.column, place.number) for place in lettered.neighbours(lettered.parse(other))}
            far = numbered.distance(numbered.parse("1320"), numbered.parse(name))
            assert far == lettered.distance(lettered.parse("M20"), lettered.parse(other))
    assert all(str(place).isdigit() and len(str(place)) == 4 for place in numbered.neighbours(numbered.parse("0909")))


@given(st.integers(1, 30), st.integers(1, 48))
def test_neighbours_are_one_away_and_see_each_other(column, row):
    place = STREETS.parse(f"{column:02}{row:02}")
    around = STREETS.neighbours(place)
    assert 2 <= len(set(around)) == len(around) <= 6
    assert all(STREETS.distance(place, other) == 1 and place in STREETS.neighbours(other) for other in around)


def test_areas_touch_as_their_links_say():
    assert AREAS.neighbours("2") == ("1", "3") and AREAS.neighbours("East Bank") == ()
    assert [AREAS.distance("1", other) for other in ("1", "2", "3", "6")] == [0, 1, 2, None]
    assert AREAS.distance("7", "C") == 2


def test_links_are_typed_as_pairs():
    assert read_links("1-2 6-c,6-7", AREAS) == (("1", "2"), ("6", "C"), ("6", "7"))
    with pytest.raises(BadPlace, match="There is no area “9”"):
        read_links("1-9", AREAS)
    with pytest.raises(BadPlace, match="“12” is not a pair: write which area touches which as 6-7"):
        read_links("12", AREAS)
