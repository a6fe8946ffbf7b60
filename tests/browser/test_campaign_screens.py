"""What a phone shows of a campaign's pages: one line and one row of tabs, then the page itself."""

import re

import pytest
from playwright.sync_api import expect

from campaign.acts.reorganizing import concede
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.acts.field import Field
from tests.soak import IS_WHOLE

from . import ledger
from .test_story import fight_it_out

MOST = 0.15  # of a phone's screen before a page's own content
# From the top of the window to the first thing that a page itself says or shows.
BEGINS = """() => {
  const tabs = document.querySelector("#ledger > .tabs");
  const own = [...document.querySelectorAll("#ledger > :not(.tabs), #ledger > :not(.tabs) *")].filter((node) =>
    node.checkVisibility() && !node.closest(".unseen") && (node.matches("svg, img, input, button, .button, .card")
      || [...node.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.textContent.trim())));
  const tops = own.map((node) => node.getBoundingClientRect()).filter((box) => box.height && box.width);
  return { head: tabs.getBoundingClientRect().bottom, content: Math.min(...tops.map((box) => box.top)) };
}"""


def in_reorganization(game):
    """A firefight is over, and both sides say what became of their units."""
    game.through_to("firefight")
    Field(match_id=game.match_id).over()


def at_the_end(game):
    """One side has given the campaign up after a firefight."""
    fight_it_out(game)
    game.do(concede, Side.RUSSIAN)


def pages_of(page):
    """All pages that the tabs of a campaign lead to, the strip of its map, one sector and one group."""
    address = page.url.split("?")[0]
    tabs = page.locator(".tabs a").evaluate_all("all => all.map((each) => each.href)")
    more = ("map/?sector=14", "roster/german/?group=I1", "film/", "map/?chapter=1")
    return [*[tab for tab in tabs if "/campaign/" in tab], *(f"{address}{place}" for place in more)]


# Stages, and the pages that have become others by then: those alone are opened in a slice.
STAGES = [
    (None, ""),
    (in_reorganization, r"\w{12}/$|reorganization/|firefight/|film/"),
    (at_the_end, r"verdict/|chapter=1"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("prepare", "new"), STAGES)
def test_a_page_of_a_campaign_begins_at_the_top_of_a_phone(new_page, prepare, new):
    (page,) = ledger.in_campaign(new_page, prepare, card="cg2", german=ledger.PHONE)
    opened = [address for address in pages_of(page) if IS_WHOLE or re.search(new, address)]
    assert len(opened) >= 2
    for address in opened:
        page.goto(address)
        tops = page.evaluate(BEGINS)
        assert max(tops.values()) <= MOST * ledger.PHONE["height"], (address, tops)
        assert page.locator(".strip").bounding_box()["height"] == 44
        current = page.locator(".tabs [aria-current]")
        if current.count():
            expect(current).to_be_in_viewport(ratio=1)
