"""Words that are measured and made to fit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.drawing.fonts import fit_word, halve_text, measure_length, printable


def test_a_word_is_as_long_as_its_size_says():
    assert measure_length("Rifle", 20) == pytest.approx(2 * measure_length("Rifle", 10))
    assert measure_length("Rifle", 10, bold=True) > measure_length("Rifle", 10)
    assert measure_length("", 10) == 0


def test_a_short_word_keeps_its_size():
    assert fit_word("NCO", 50, 9, 6) == ("NCO", 9)


def test_a_long_word_is_made_smaller_before_it_is_cut():
    text, size = fit_word("Panzergrenadier", 50, 9, 6)
    assert text == "Panzergrenadier"
    assert 6 <= size < 9
    assert measure_length(text, size) == pytest.approx(50)


def test_a_word_that_cannot_fit_ends_in_an_ellipsis():
    text, size = fit_word("Panzergrenadier", 30, 9, 6)
    assert (text[-1], size) == ("…", 6)
    assert text[:-1] and "Panzergrenadier".startswith(text[:-1])
    assert measure_length(text, size) <= 30


@settings(max_examples=40)
@given(st.text(max_size=60), st.floats(10, 60), st.booleans())
def test_whatever_is_fitted_fits(text, room, bold):
    word, size = fit_word(text, room, 9, 5, bold)
    assert 5 <= size <= 9
    assert measure_length(word, size, bold) <= room + 1e-6


@pytest.mark.parametrize(
    ("text", "two"),
    [
        ("76.2 mm PTP 39", ("76.2 mm", "PTP 39")),
        ("GAZ-AA AA truck", ("GAZ-AA", "AA truck")),
        ("Panzergrenadier", ("Panzergrenadier", "")),
        ("", ("", "")),
    ],
)
def test_a_name_is_broken_where_its_halves_are_alike(text, two):
    assert halve_text(text) == two


def test_what_has_no_letter_becomes_a_blank():
    assert printable("a\x00b\nc\ud800d") == "a b c d"
    assert printable("Стрелковый <взвод> & ½") == "Стрелковый <взвод> & ½"
