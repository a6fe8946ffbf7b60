"""The board of a campaign on page and paper: where units were set up, and who is told of the hidden ones."""

import re

import pytest

from firefight.drawing.paper import Format
from tests import pdf
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def placed(volga_at):
    """The Russian sets groups up: one in sight in a hex, one in a sector alone, one hidden in a hex."""
    volga = volga_at("setup")
    volga.russian.press("place", "map/?for=1", sector=4, hex="e5/1")
    volga.russian.place(3, 15)
    volga.russian.press("place", "map/?for=4", sector=15, hex="Q19", hidden="on")
    return volga


def all_forms(player, **query):
    """The page and the paper of a sheet, in words."""
    papers = [player.get("pack.pdf", paper=size, **query) for size in Format]
    return [words_of(player.get("pack/")), *(pdf.words_of(paper.content) for paper in papers)]


def test_units_stand_by_the_hexes_and_sectors_where_they_were_set_up(placed):
    for player in (placed.german, placed.russian, placed.observer):
        for words in all_forms(player):
            assert words.index("E5, level 1") < words.index("Sector 15") < words.index("Off map")


def test_where_hidden_units_were_set_up_is_on_their_sides_sheet_alone(placed):
    for words in all_forms(placed.russian, sheet="own"):
        assert "Q19" in words and "hidden" in words
    for player in (placed.german, placed.observer):
        assert not [words for words in all_forms(player) if "Q19" in words]
        for address in ("pack.pdf?sheet=own", "pack.pdf?sheet=common", "map/?sector=15", "counters.json", "log.json"):
            assert not re.search(r"\bQ19\b", text_of(player.get(address))), address  # a token may hold the letters
    for size in Format:
        common = placed.russian.get("pack.pdf", paper=size, sheet="common")
        assert "Q19" not in pdf.words_of(common.content)


def test_the_form_of_a_set_up_shows_the_hex_that_was_given(placed):
    page = text_of(placed.russian.open("map/?for=1"))
    assert 'value="E5/1"' in page
    assert 'value="E5/1"' not in text_of(placed.russian.open("map/?for=1&sector=5"))


def test_the_paper_page_of_a_campaign_leads_to_the_board(placed):
    assert f'href="/match/{placed.german.match_id}/pack/"' in text_of(placed.german.open("paper/"))
