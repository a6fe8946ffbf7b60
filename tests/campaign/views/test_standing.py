"""Whose decision a campaign waits for, as the first page and the campaign's own pages tell it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.ledger.ledger import load
from campaign.models import Campaign
from campaign.phase import conductor
from campaign.presenters.steps import describe_task
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Device
from tests import pages
from tests.firefight import players as firefight
from tests.firefight.players import text_of

pytestmark = pytest.mark.django_db


def home_of(player):
    [item] = pages.words_of_each(text_of(player.client.get("/")), "ul.mine > li")
    return item


def waits_in(response):
    return pages.values_of_each(text_of(response), "[data-waits]", "data-waits") == ["me"]


@pytest.mark.parametrize("stage", [Stage.PURCHASES, Stage.SETUP, Stage.FIREFIGHT, Stage.REORGANIZATION])
def test_home_and_the_pages_tell_whose_decision_it_is(volga_at, stage):
    table = volga_at(stage)
    ledger = load(table.german.match)
    for player, side in ((table.german, "german"), (table.russian, "russian")):
        home, task = home_of(player), describe_task(ledger, Side(side))
        busy = stage is not Stage.FIREFIGHT and not task.startswith(("waits", "has"))
        assert (stage.word in home or stage is Stage.FIREFIGHT) and "firefight 1 of" in home
        assert ("Your turn" in home) == busy == waits_in(player.open())
    assert not waits_in(table.observer.open())


def test_home_reads_no_campaign_but_one_s_own(volga_at):
    table = volga_at(Stage.REORGANIZATION)
    before = home_of(table.german)
    Client().post("/campaign/demo/")
    assert home_of(table.german) == before


def test_the_phase_says_for_whom_it_waits(volga_at):
    table = volga_at(Stage.REORGANIZATION)
    deciders = conductor.find_deciders(load(table.german.match))
    assert deciders
    for player, own in ((table.german, Side.GERMAN), (table.russian, Side.RUSSIAN), (table.observer, None)):
        names = " and ".join("you" if side is own else f"the {side.word}" for side in deciders)
        sentences = [
            pages.words(status) for status in pages.find(text_of(player.open("reorganization/")), "[role=status]")
        ]
        assert f"Waiting for {names}." in sentences


def test_home_costs_the_same_however_many_campaigns_reorganize(volga_at):
    table = volga_at(Stage.REORGANIZATION)
    home_of(table.german)
    with CaptureQueriesContext(connection) as one:
        home_of(table.german)
    Campaign.objects.update(stage=Stage.REORGANIZATION)
    for _ in range(2):
        table.german.client.post("/campaign/demo/")
    with CaptureQueriesContext(connection) as queries:
        table.german.client.get("/")
    assert len(queries) - len(one) in (0, 1)  # content that was not read yet
    assert len(one) <= 12


def test_a_decision_can_wait_for_days_and_begins_with_what_was_missed(volga_at):
    table = volga_at(Stage.REORGANIZATION)
    for at in ("", "reorganization/"):
        assert not pages.find(text_of(table.russian.open(at)), "#since")
    Device.objects.update(seen=timezone.now() - timedelta(days=9))
    table.german.press("confirm-report", "reorganization/")
    last = table.german.last.sentence
    for at in ("", "reorganization/"):
        assert last in pages.words_of_each(text_of(table.russian.open(at)), "#since li p")
    assert not pages.find(text_of(table.russian.open("map/")), "#since")
    assert not pages.find(text_of(table.german.open()), "#since")


def test_the_head_of_the_site_leads_to_ones_own_campaigns(volga, client):
    home = pages.read(text_of(volga.german.client.get("/")))
    (link,) = [anchor for anchor in home.css(".top nav a") if pages.words(anchor) == "Campaign"]
    page = text_of(volga.german.client.get(link.attributes["href"]))
    assert pages.words_of_each(page, "h1") == ["My campaigns"]
    assert pages.values_of_each(page, "ul.mine > li > a", "href") == [volga.german.address()]
    assert "Your turn" in pages.words_of_each(page, "ul.mine > li")[0]
    single = firefight.begin()[0]  # a match without a campaign is none
    for stranger in (client, single.client):
        page = text_of(stranger.get(link.attributes["href"]))
        assert pages.words_of_each(page, "h1") == ["Campaign"] and not pages.find(page, "ul.mine")
