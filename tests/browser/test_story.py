"""How a campaign ends for two devices, and what a third one without a seat reads of it: verdict, story, charts."""

import pytest
from playwright.sync_api import expect

from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from tests.campaign.acts.field import Field

from .ledger import LAPTOP, PHONE, in_campaign
from .table import POLL, open_menu
from .test_axe import LOOKS, assert_accessible

TITLES = (
    "Campaign Points in hand after each firefight's spending",
    "Campaign Points spent by firefight",
    "Sectors held at the end of each firefight",
    "Counters that fell, by cause",
    "Dice: means, and where those of 95 in 100 fair series lie",
)
REDUCED = {"reduced_motion": "reduce"}


def fight_it_out(game):
    """One firefight is over, and sectors were fought for."""
    Match.objects.update(seed="07" * 32)
    game.through_to("firefight")
    field = Field(match_id=game.match_id)
    for side in Side:
        for sector in (14, 14, 14, 7):
            field.put(side, "", sector, "O7" if sector == 7 else "")
    field.put(Side.GERMAN, "stug_iii_c", 6, marks=["m_killed"])
    field.told().to(Step.UPKEEP)


def end_match(proposing, agreeing):
    """Both sides end the match."""
    for page in (proposing, agreeing):
        page.goto(page.url.replace("/campaign/", "/match/"))
    menu = open_menu(proposing)
    menu.get_by_text("End the match").click()
    menu.get_by_role("checkbox", name="The match is over").check()
    menu.get_by_role("button", name="Propose the end").click()
    agreeing.get_by_role("button", name="Agree", exact=True).click(timeout=POLL)
    expect(agreeing.get_by_text("ended").first).to_be_visible()


def look_at_story(page):
    """Chapters, losses, turning points, charts, each with its words for those who cannot see."""
    for title in TITLES:
        expect(page.locator(f'svg.graph[aria-label^="{title}"]')).to_be_visible()
    for heading in ("Losses", "Turning points", "The dice", "Firefight 1"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.locator("ol.turning li").first).to_contain_text("Sector ")
    maps = page.locator(".map-then img")
    expect(maps).to_have_count(2)
    for picture in maps.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0


def assert_only_read(page):
    """Whoever has the link can press nothing that changes anything, and goes nowhere in the match."""
    main = page.locator("main")
    expect(main.locator("form, button, input, textarea, select")).to_have_count(0)
    links = main.locator("a").evaluate_all("all => all.map((each) => new URL(each.href).pathname)")
    assert links and all(path.startswith("/story/") for path in links), links
    match = Match.objects.get()
    for address in ("", "report/", "log.json", "photos/"):
        assert page.request.get(f"/match/{match.pk}/{address}").status == 403
    assert page.request.get(f"/campaign/{match.pk}/verdict/").status == 403


@pytest.mark.usefixtures("page_errors_allowed")
@pytest.mark.soak
def test_two_devices_end_a_campaign_and_a_third_one_reads_its_story(new_page):
    german, russian = in_campaign(new_page, fight_it_out, card="cg2", german=PHONE | REDUCED, russian=LAPTOP | REDUCED)
    # What leads out of the campaign is folded as on the table, and opens and closes by keyboard.
    more = german.locator("#menu")
    expect(more.get_by_role("link", name="Seats")).to_be_hidden()
    more.locator("summary").focus()
    german.keyboard.press("Enter")
    for name in ("Seats", "Hear of your turn", "Charts", "Dice", "Report", "Log as file"):
        expect(more.get_by_role("link", name=name)).to_be_visible()
    assert_accessible(german, "the head of a campaign", ("dark", 360))

    russian.get_by_text("Give the campaign up").click()
    russian.get_by_role("checkbox", name="My side concedes").check()
    russian.get_by_role("button", name="Concede").click()
    expect(russian.get_by_role("link", name="Verdict")).to_have_count(2)  # among the pages, and to be pressed

    german.goto(german.url)
    german.locator("#ledger .actions").get_by_role("link", name="Verdict").click()
    expect(german.locator("h2.headline")).to_contain_text("German")
    for words in ("Lost:", "Survived:", "Ten best rolls", "Ten worst rolls"):
        expect(german.get_by_text(words).first).to_be_visible()
    expect(german.locator("svg.graph")).to_have_count(3)
    assert_accessible(german, "the verdict")

    german.goto(russian.url.split("verdict")[0])
    end_match(german, russian)
    russian.goto(f"{russian.url.split('?')[0]}report/")
    look_at_story(russian)
    assert_accessible(russian, "the story")
    russian.get_by_role("button", name="Make a link").click()
    link = russian.get_by_label("The link").input_value()

    reader = new_page(**PHONE, **REDUCED)
    reader.goto(link)
    look_at_story(reader)
    assert_only_read(reader)
    assert_accessible(reader, "a shared story", LOOKS[0], but=["main"])  # the same story with less around it
    paper = reader.request.get(f"{link}report.pdf")
    assert paper.headers["content-type"] == "application/pdf"

    russian.get_by_role("button", name="Withdraw the link").click()
    expect(russian.get_by_role("button", name="Make a link")).to_be_visible()
    assert reader.goto(link).status == 404
