"""What the text says about a hex: both appendices, the victory list, the hill tops."""

import hashlib

import pytest

from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules.hexes import list_features, list_victory_hexes

from . import ask


def digest(appendix):
    """A fingerprint of an appendix as printed marks: hex numbers in order, each with what lies there."""
    listed = sorted((number, feature.printed) for number, of in list_features(appendix).items() for feature in of)
    return len(listed), hashlib.sha256(str(listed).encode()).hexdigest()[:16]


def test_the_appendices_are_those_of_the_text():
    assert digest("blocks") == (131, "1b1f6098a185d0cd")
    assert digest("crosses") == (199, "7be4a03b55ad9eb7")
    assert set(list_features("blocks")) & set(list_features("crosses")) == {"1842", "3342"}


def test_every_hex_of_the_appendices_is_found_by_its_digits():
    for number in set(list_features("blocks")) | set(list_features("crosses")):
        details = ask("hex", number=number).details
        assert details["blocks"] == [feature.printed for feature in list_features("blocks").get(number, ())]
        assert details["crosses"] == [feature.printed for feature in list_features("crosses").get(number, ())]
        assert details["blocks"] or details["crosses"]


@pytest.mark.parametrize(
    ("number", "blocks", "crosses", "points"),
    [
        ("0273", ["balka"], [], 0),
        ("4066", ["balka"], [], 0),
        ("0547", ["balka"], [], 1),
        ("1543", ["railroad"], [], 0),
        ("1857", ["embankment"], [], 0),
        ("3040", ["Tartar Wall"], [], 0),
        ("0869", [], ["balka"], 0),
        ("3873", [], ["balka"], 0),
        ("1039", [], ["balka"], 2),
        ("1644", [], ["railroad"], 0),
        ("2260", [], ["embankment"], 0),
        ("3141", [], ["Tartar Wall"], 0),
        ("1842", ["balka"], ["balka"], 0),
        ("3342", ["railroad"], ["Tartar Wall"], 0),
        ("0176", [], [], 1),
        ("0101", [], [], 0),
    ],
)
def test_a_hex_is_shown_as_it_stands_in_both_lists(number, blocks, crosses, points):
    result = ask("hex", number=number)
    assert result.outcome == "shown"
    assert result.details == {"blocks": blocks, "crosses": crosses, "vp": points, "sees": None}


def test_a_hex_that_stands_in_both_lists_says_what_to_do_about_it():
    assert "look at the map" in ask("hex", number="1842").effects[0]
    assert "the railroad blocks" in ask("hex", number="3342").effects[0]


def test_3_4_twenty_victory_hexes_are_worth_21_points():
    assert len(list_victory_hexes()) == 20 and sum(list_victory_hexes().values()) == 21
    assert [number for number, points in list_victory_hexes().items() if points == 2] == ["1039"]


def test_14_25_three_hill_tops_and_mamayev_kurgan_see_each_other():
    for hill in ("1635", "1641", "2238"):
        assert ask("hex", number="1039", other=hill).details["sees"] is True
        assert ask("hex", number=hill, other="1039").details["sees"] is True
    for number, other in (("1635", "1641"), ("1039", "1636"), ("1039", "1039"), ("2238", "1641")):
        assert ask("hex", number=number, other=other).details["sees"] is False


@pytest.mark.parametrize("number", ["", "84", "184", "18x2", "١٨٤٢"])
def test_a_hex_has_four_digits(number):
    with pytest.raises(BadInput) as caught:
        ask("hex", number=number)
    assert "number" in caught.value.problems
    with pytest.raises(BadInput) as caught:
        ask("hex", number="1039", other=number or "1")
    assert "other" in caught.value.problems


@pytest.mark.parametrize(("number", "words"), [("0426", "arrow 8"), ("0331", "arrow 12"), ("0448", "arrow 15")])
def test_the_landings_whose_number_the_text_gives_are_named(number, words):
    assert any(words in effect for effect in ask("hex", number=number).effects)


def test_river_hex_0218_says_its_range():
    assert any("8 hexes" in effect for effect in ask("hex", number="0218").effects)


def test_mamayev_kurgan_tells_what_is_seen_of_the_river():
    (effect,) = ask("hex", number="1039").effects
    assert "0331" in effect and "0448" in effect


@pytest.mark.parametrize(("target", "reached"), [("0509", True), ("0611", True), ("0508", False), ("0711", False)])
def test_2_16_a_range_of_14_from_the_southern_sector(target, reached):
    """Through 0112 with a 9 it is as the example says; the number is read off the map."""
    fields = {"river": "0112", "number": 9, "target": target, "gun_range": 14}
    assert (ask("box-range", **fields).outcome == "allowed") is reached


def test_14_53_the_number_of_0218_is_known_and_no_other():
    assert ask("box-range", river="0218", target="0218", gun_range=8).outcome == "allowed"
    assert ask("box-range", river="0218", target="0219", gun_range=8).outcome == "refused"
    for odd, field in (({"river": "0112"}, "number"), ({"river": "9999", "number": 3}, "river"), ({}, "river")):
        with pytest.raises(BadInput) as error:
            ask("box-range", target="0611", **odd)
        assert list(error.value.problems) == [field]
