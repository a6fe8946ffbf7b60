"""What no text gives is asked of the players once, and kept for the match; a hex is read while it is typed."""

from dataclasses import replace

import pytest

from firefight.games.streets_of_stalingrad.rules import charts
from tests import pages
from tests.firefight.players import begin, sit, text_of, words_of

from . import BOOK, SLUG

pytestmark = pytest.mark.django_db

TIMES = "cell:ammunition:1942-09-21, german"
BOUNDS = [f"cell:levels:3, {level}" for level in ("soviet_marginal", "german_marginal", "german_decisive")]


@pytest.fixture
def both():
    german, links = begin(game=SLUG)
    return german, sit(links["soviet"], german.match_id)


def test_a_multiplier_is_asked_for_once(both):
    german, soviet = both
    fields = {"side": "german", "date": "1942-09-21", "die": "3", "dice": "table"}
    answer = german.roll("ammunition", **fields)
    assert answer.status_code == 422 and pages.find(text_of(answer), f"input[name='{TIMES}']")
    assert "21 September, German" in words_of(answer)
    assert german.roll("ammunition", **fields, **{TIMES: "9"}).status_code == 422
    german.roll("ammunition", **fields, **{TIMES: "20"})
    assert german.last.result.details["barred"] == 60
    soviet.roll("ammunition", **{**fields, "die": "1"})
    assert soviet.last.result.details["barred"] == 20
    assert {source.provenance for source in soviet.last.result.provenance} == {"owner"}


def test_the_bounds_of_the_card_are_asked_for_together(both):
    german, _ = both
    fields = {"hexes": "1039", "scenario": "3", "with_level": "on"}
    answer = german.roll("victory", **fields)
    assert answer.status_code == 422
    assert all(pages.find(text_of(answer), f"input[name='{name}']") for name in BOUNDS)
    german.roll("victory", **fields, **dict(zip(BOUNDS, ("1", "3", "9"), strict=True)))
    assert german.last.result.details["level"] == "Soviet marginal"
    german.roll("victory", hexes="1039,0310", scenario="3")
    assert german.last.result.details["level"] == "German marginal"


@pytest.mark.parametrize(("values", "bad"), [("139", False), ("133", True), ("439", True)])
def test_3_3_levels_rise(values, bad):
    chart = BOOK["levels"]
    cells = {**chart.cells, **{("3", level): text for level, text in zip(chart.columns, values, strict=True)}}
    spec = next(spec for spec in charts.SPECS if spec.name == "levels")
    assert bool(list(spec.problems(replace(chart, cells=cells)))) is bad


def test_a_hex_is_read_as_its_fourth_digit_is_typed(client):
    assert "Which hex?" in words_of(client.get(f"/assist/{SLUG}/hex/"))
    for typed, words in (("334", "four digits"), ("3342", "railroad blocks"), ("1039", "2 victory points")):
        answer = client.post(f"/assist/{SLUG}/hex/odds/", {"number": typed})
        assert words in words_of(answer), typed
