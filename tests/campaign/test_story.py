"""The story of a campaign: its charts, its parts, its map; counted again from the rows."""

from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from campaign.models import CpLine
from campaign.presenters import story
from campaign.rules.stages import Stage
from firefight.table import report
from tests.campaign import players
from tests.firefight.players import text_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

BOTH = ("german", "russian")


def parts_of(table):
    return story.list_story_parts([(each.title, each.first) for each in report.chapters(table.german.match)])


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
        held = [sum(cp for who, when, cp in rows if who == side and when <= number) for number in (1, 2)]
        paid = [-sum(cp for who, when, cp in rows if who == side and when == number and cp < 0) for number in (1, 2)]
        assert list(values(in_hand)[side.capitalize()]) == held
        assert list(values(spent)[side.capitalize()]) == paid
    assert values(spent)["German"][0] == 4


def test_sectors_are_counted_as_the_next_firefight_found_them(volga):
    players.play_to(volga, Stage.REINFORCEMENTS)
    *_, sectors = charts_of(volga).values()
    first, second = volga.german.match.snapshots.order_by("number"), volga.german.campaign.held
    found = next(each.state["ledger"]["held"] for each in first if each.label.startswith("Firefight 2"))
    assert values(sectors) == {
        "German": (found.count("g"), second.count("g")),
        "Russian": (found.count("r"), second.count("r")),
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


# The verdict


def test_the_verdict_shows_how_it_ended_and_what_it_cost(volga_at):
    volga = volga_at(Stage.OVER)
    for player in (volga.german, volga.observer):
        page = player.open("verdict/")
        assert volga.german.campaign.outcome in words_of(page)
        assert "Ten best rolls" in words_of(page) and "Survived: " in words_of(page)
        assert text_of(page).count('<svg class="graph"') == 3
    assert f"/campaign/{volga.match_id}/verdict/" in text_of(volga.german.open())
    picture = volga.german.client.get(volga.german.address("verdict.png"))
    assert picture["Content-Type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).size == (1080, 800)
    assert len(picture.content) < 150_000


def test_there_is_no_verdict_before_the_end(volga):
    for at in ("verdict/", "verdict.png"):
        assert volga.german.client.get(volga.german.address(at)).status_code == 404


def test_story_and_verdict_keep_to_the_budget_of_queries(volga_at):
    volga = volga_at(Stage.OVER)
    for address in (volga.german.address("verdict/"), f"/match/{volga.match_id}/report/"):
        with CaptureQueriesContext(connection) as captured:
            assert volga.german.client.get(address).status_code == 200
        assert len(captured) <= 15, [each["sql"][:90] for each in captured]
