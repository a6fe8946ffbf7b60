"""The story of a campaign: its charts, its parts, its map; counted again from the rows."""

import re
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from campaign.ledger.ledger import load
from campaign.models import CpLine, Unit
from campaign.presenters import story
from campaign.presenters.sectors import list_spots
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match
from firefight.table.story import report
from firefight.table.story.turning_points import find_luckiest
from tests import pages
from tests.campaign import players
from tests.campaign.acts.field import Field
from tests.firefight.players import text_of, words_of
from tests.oracles.historian import check_story

pytestmark = pytest.mark.django_db

BOTH = ("german", "russian")


def parts_of(table):
    return story.list_story_parts(
        [(chapter.title, chapter.first) for chapter in report.read_chapters(table.german.match)]
    )


def charts_of(table, sees=BOTH):
    return {chart.title: chart for chart in story.chart_ledger(table.german.match, sees, parts_of(table))}


def values(chart):
    return {series.name: series.values for series in chart.series}


def test_campaign_points_in_hand_and_spent_are_those_of_the_lines(volga):
    volga.german.buy("I1", die=10)
    volga.russian.buy("I2", die=10)
    players.play_to(volga, Stage.REINFORCEMENTS)
    in_hand, spent, _ = charts_of(volga).values()
    rows = list(CpLine.objects.values_list("side", "firefight", "amount"))
    for side in BOTH:
        balances = [sum(cp for owner, when, cp in rows if owner == side and when <= number) for number in (1, 2)]
        paid = [
            -sum(cp for owner, when, cp in rows if owner == side and when == number and cp < 0) for number in (1, 2)
        ]
        assert list(values(in_hand)[side.capitalize()]) == balances
        assert list(values(spent)[side.capitalize()]) == paid
    assert values(spent)["German"][0] == 4


def test_sectors_are_counted_as_the_next_firefight_found_them(volga):
    players.play_to(volga, Stage.REINFORCEMENTS)
    *_, sectors = charts_of(volga).values()
    first, second = volga.german.match.snapshots.order_by("number"), volga.german.campaign.held
    letters = next(snapshot.state["ledger"]["held"] for snapshot in first if snapshot.label.startswith("Firefight 2"))
    assert values(sectors) == {
        "German": (letters.count("g"), second.count("g")),
        "Russian": (letters.count("r"), second.count("r")),
    }


def test_what_is_paid_under_seal_is_in_the_own_charts_alone(volga_at):
    volga = volga_at(Stage.SETUP)
    side = "russian"
    CpLine.objects.create(
        campaign=volga.german.campaign, side=side, number=99, firefight=1, amount=-3, reason="x", sealed=True
    )
    spent = {sees: values(charts_of(volga, sees)["Campaign Points spent by firefight"]) for sees in (("german",), BOTH)}
    assert spent[BOTH]["Russian"][0] == spent["german",]["Russian"][0] + 3


def test_a_campaign_has_a_part_for_each_firefight(volga):
    assert [part.title for part in parts_of(volga)] == ["Firefight 1"]
    players.play_to(volga, Stage.REINFORCEMENTS)
    volga.german.note("a line of the second")
    parts = parts_of(volga)
    assert [part.title for part in parts] == ["Firefight 1", "Firefight 2"]
    assert 1 == parts[0].first < parts[1].first <= volga.german.match.last_number


def test_the_report_has_map_charts_and_outcome_in_every_form(volga):
    players.play_to(volga, Stage.OVER)
    page = volga.german.client.get(f"/match/{volga.match_id}/report/")
    assert volga.german.campaign.outcome in words_of(page)
    assert text_of(page).count('<svg class="graph"') == len(report.read_story(volga.german.match, BOTH).charts)
    assert 'class="sector-map map"' in text_of(page)
    for ending in (".md", ".pdf"):
        answer = volga.observer.client.get(f"/match/{volga.match_id}/report{ending}")
        assert volga.german.campaign.outcome in " ".join(text_of(answer).split())


def test_a_purchase_is_part_of_each_counters_history(volga):
    volga.german.buy("I1", die=10)
    page = words_of(volga.russian.client.get(f"/match/{volga.match_id}/honours/"))
    assert "Bought." in page
    assert "I1 Grenadier platoon : " in page or "I1 Grenadier platoon: " in page


# Sector combat


@pytest.fixture
def battle(db):
    """Squads of both sides in two sectors, hand to hand in one of them."""
    field = Field()
    Match.objects.update(seed="07" * 32)
    for side in Side:
        for sector in (14, 14, 14, 7):
            field.put(side, "", sector, "O7" if sector == 7 else "")
    field.put(Side.GERMAN, "stug_iii_c", 6, marks=["m_killed"])  # so that the phase waits in its upkeep
    return field.told()


def test_dice_of_sector_combat_are_judged_by_the_odds_that_were_shown(battle):
    battle.to(Step.UPKEEP)
    match = battle.game.match
    narrative = report.read_story(match, BOTH)
    assert len([roll for roll in narrative.judged if roll.line.kind == "ledger"]) > 4
    check_story(match)
    points = [report.tell_point(narrative.game, point) for point in narrative.turning_points]
    assert all(re.fullmatch(r"Sector \d+, round \d+: .* against .*\. After the round: .*", point) for point in points)
    assert all(point.hit for point in narrative.turning_points)
    hit = [roll for roll in narrative.judged if roll.cost]
    assert hit and all(" C: " in roll.sentence or " E: " in roll.sentence for roll in hit)
    assert {point.number for point in narrative.turning_points} & {roll.line.number for roll in hit}
    assert find_luckiest(narrative.game, narrative.judged, is_best=True)


def test_lines_that_do_not_say_what_their_odds_hang_on_are_not_judged(battle):
    battle.to(Step.UPKEEP)
    LogEntry.objects.exclude(rolls=[]).update(inputs={})  # as version 0.1.0 wrote them
    assert not report.read_story(battle.game.match, BOTH).judged


# Shared


def share(volga):
    """The story's link, once the match has ended."""
    Match.objects.update(ended=timezone.now())
    volga.german.client.post(f"/match/{volga.match_id}/report/share/", {"do": "share"})
    page = text_of(volga.german.client.get(f"/match/{volga.match_id}/report/"))
    return urlsplit(pages.find(page, "#story-link")[0].attributes["value"]).path


def test_a_shared_story_has_the_map_of_each_firefight_on_its_page_and_on_paper(volga):
    players.play_to(volga, Stage.REORGANIZATION)
    link, stranger = share(volga), Client()
    page = text_of(stranger.get(link))
    (picture,) = set(pages.values_of_each(page, "img[src*='/maps/']", "src"))
    drawn = stranger.get(picture)
    assert drawn["Content-Type"] == "image/svg+xml" and "Firefight 1" in text_of(drawn)
    assert "The map as each firefight found it" in text_of(stranger.get(f"{link}report.pdf"))
    line = int(re.search(r"(\d+)\.svg", picture)[1])
    assert pages.find(page, 'section[aria-labelledby^="chapter-"] > a.map-then')
    assert stranger.get(f"{link}maps/{line + 1}.svg").status_code == 404
    volga.german.client.post(f"/match/{volga.match_id}/report/share/", {"do": "withdraw"})
    assert stranger.get(picture).status_code == 404


def test_the_strip_shows_what_was_hidden_once_the_match_has_ended(volga):
    players.play_to(volga, Stage.SETUP)
    key = next(iter(volga.russian.parties()))
    volga.russian.place(key, 9, hidden=True)
    volga.russian.confirm()
    volga.german.confirm()
    match = volga.german.match
    strips = {sees: story.draw_strip(match, sees)[0][-1].told for sees in ((), ("russian",))}
    assert "9: R" in strips["russian",] and "9: R" not in strips[()]
    match.ended = timezone.now()
    assert story.draw_strip(match, ())[0][-1].told == strips["russian",]


# The verdict


def test_the_verdict_shows_how_it_ended_and_what_it_cost(volga_at):
    volga = volga_at(Stage.OVER)
    for player in (volga.german, volga.observer):
        page = player.open("verdict/")
        assert volga.german.campaign.outcome in words_of(page)
        assert "Ten best rolls" in words_of(page)
        lost, survived = (map(int, re.findall(rf"{word}: (\d+)", words_of(page))) for word in ("Lost", "Survived"))
        units = [Unit.objects.filter(campaign=volga.match_id, side=side).exclude(fate="returned") for side in Side]
        assert [sum(ends) for ends in zip(lost, survived, strict=True)] == [of_side.count() for of_side in units]
        assert text_of(page).count('<svg class="graph"') == 3
    assert f"/campaign/{volga.match_id}/verdict/" in text_of(volga.german.open())
    picture = volga.german.client.get(volga.german.address("verdict.png"))
    assert picture["Content-Type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).size == (1080, 800)
    assert len(picture.content) < 150_000


def test_mines_and_nest_markers_are_no_units_in_losses_honours_and_picture(volga_at):
    volga = volga_at(Stage.OVER)
    before = [volga.german.open("verdict/"), volga.german.client.get(f"/match/{volga.match_id}/honours/")]
    line = LogEntry.objects.filter(match=volga.match_id, kind="ledger").order_by("-number").first()
    row = {"campaign_id": volga.match_id, "side": "russian"}
    for number, counter, fate in ((901, "mine_factor", "left"), (902, "nest", "eliminated"), (903, "nest", "")):
        Unit.objects.create(**row, number=number, counter=counter, fate=fate, sector=None if fate else 11)
    befell = {f"russian-{number}": ["eliminated"] for number in (901, 902)}
    LogEntry.objects.filter(pk=line.pk).update(inputs={**line.inputs, "befell": befell})  # as older lines tell it
    after = [volga.german.open("verdict/"), volga.german.client.get(f"/match/{volga.match_id}/honours/")]
    for old, new in zip(before, after, strict=True):
        counts = [re.findall(r"Lost: \d+|Survived: \d+|\d+ of \d+", words_of(page)) for page in (old, new)]
        assert counts[0] == counts[1] and counts[0]
    assert "fell" not in report.read_story(volga.german.match, BOTH).in_numbers
    spots = {spot.number: spot for spot in list_spots(load(volga.german.match))}
    assert spots[11].units[Side.RUSSIAN] == 0 and not spots[11].mark


def test_the_story_counts_every_roll_whoever_made_it(volga_at):
    volga = volga_at(Stage.OVER)
    narrative = report.read_story(volga.german.match, BOTH)
    lines = [line for part in narrative.chapters for line in part.lines if line.rolls]
    of_ledger = [line for line in lines if line.kind == "ledger"]
    assert of_ledger  # reinforcement rolls, say: the ledger's own
    rolls = len(lines) - len(of_ledger) + sum(len(line.rolls) for line in of_ledger)
    assert narrative.in_numbers.startswith(f"{rolls} rolls in ")


def test_there_is_no_verdict_before_the_end(volga):
    for at in ("verdict/", "verdict.png"):
        assert volga.german.client.get(volga.german.address(at)).status_code == 404


def test_story_and_verdict_keep_to_the_budget_of_queries(volga_at):
    volga = volga_at(Stage.OVER)
    for address in (volga.german.address("verdict/"), f"/match/{volga.match_id}/report/"):
        with CaptureQueriesContext(connection) as captured:
            assert volga.german.client.get(address).status_code == 200
        assert len(captured) <= 15, [query["sql"][:90] for query in captured]
