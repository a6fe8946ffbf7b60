"""The demo campaign: played once, in the middle of its first firefight, open to everybody."""

import re
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client

from campaign import demo
from campaign.models import Campaign, Group, Unit
from campaign.rules.leaders import Side
from campaign.rules.stages import Stage
from firefight.models import LogEntry, Match
from tests.campaign.players import Player, every_row, forms_in, part_of
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db

PAGES = ("", "map/", "map/?sector=13", "roster/german/", "roster/russian/", "firefight/", "sealed/", "reorganization/")


@pytest.fixture
def loaded(frozen):
    """The demo campaign as the command leaves it."""
    frozen("demo", load)
    return Match.objects.get()


def load():
    """Run the command; nobody sits at the table."""
    call_command("load_demo")
    return SimpleNamespace()


def visitor():
    """A browser that has pressed the button on the front page."""
    player = Player(demo.ID)
    (form,) = [form for form in forms_in(player.client.get("/")) if form.action == "/campaign/demo/"]
    response = player.client.post(form.action, form.filled(), follow=True)
    assert response.redirect_chain == [(f"/campaign/{demo.ID}/", 302)]
    assert response.status_code == 200
    return player


def test_loading_it_twice_is_loading_it_once(loaded):
    before = every_row()
    call_command("load_demo")
    assert every_row() == before
    assert Campaign.objects.count() == 1


def test_it_can_be_played_afresh(loaded):
    visitor().do("note/", text="I was here")
    call_command("load_demo", "--anew")
    assert Match.objects.count() == Campaign.objects.count() == 1
    assert not LogEntry.objects.filter(sentence="I was here").exists()
    assert Match.objects.get().state["turn"] == 3


def test_without_it_the_button_says_what_to_run():
    response = Client().post("/campaign/demo/")
    assert response.status_code == 404
    assert "run “python manage.py load_demo”" in words_of(response)
    assert not any(every_row().values())


def test_opening_it_seats_this_browser_at_both_sides(loaded):
    player = visitor()
    assert player.side == "german"
    player.turn_to("russian")
    assert player.side == "russian"
    assert f'<a href="/campaign/{demo.ID}/">' in text_of(player.client.get("/"))
    assert Client().get(f"/campaign/{demo.ID}/").status_code == 403


def test_everybody_may_sit_down_and_nobody_is_unseated(loaded):
    first, second = visitor(), visitor()
    second.do("note/", text="Good morning")
    assert "Good morning" in first.see()
    assert {seat.claimed for seat in loaded.seats.all()} == {None}
    again = first.client.post("/campaign/demo/")
    assert again.status_code == 302
    assert first.side == "german"


def test_opening_it_is_posted(loaded):
    assert Client().get("/campaign/demo/").status_code == 405


def test_it_stands_in_the_middle_of_the_first_firefight(loaded):
    campaign = Campaign.objects.get()
    assert (campaign.card, campaign.firefight, Stage(campaign.stage)) == ("cg1", 1, Stage.FIREFIGHT)
    assert loaded.state["turn"] == 3
    assert loaded.hot_seat
    assert not loaded.ended


def test_it_shows_what_a_ledger_has_to_keep(loaded):
    units = Unit.objects.filter(campaign=loaded.pk)
    assert Group.objects.filter(side=Side.RUSSIAN, mark=Group.Sign.FFE).count() == 1
    assert units.filter(hidden=True, sector=13).count() == 2
    assert units.filter(marks=["reduced"]).count() == 1
    assert units.filter(fate=Unit.Fate.ELIMINATED).count() == 1
    assert units.filter(sector=None, fate="").exists()
    for side in Side:
        assert Group.objects.filter(side=side, bought_for=1).exists()
    sectors = {
        side: set(units.filter(side=side).exclude(sector=None).values_list("sector", flat=True)) for side in Side
    }
    assert 7 in sectors[Side.GERMAN] & sectors[Side.RUSSIAN]


def test_its_pages_show_it_to_each_side(loaded):
    player = visitor()
    for side in Side:
        player.turn_to(side.value)
        for at in PAGES:
            page = player.open(at)
            assert "Demo: Into the Inferno, turn 3" in words_of(page)
        assert "turn 3" in part_of(player.open(), "now") or "Turn 3" in player.read()
        hidden = re.findall(r"\(hidden\)", player.read("sealed/"))
        assert bool(hidden) == (side is Side.RUSSIAN)
    assert "FFE placed" in player.read("firefight/")
    assert "(reduced)" in player.read("map/?sector=6")


def test_it_can_be_played_on(loaded):
    player = visitor()
    player.press("end-turn", "firefight/")
    assert Match.objects.get().state["turn"] == 4
    player.press("take-back")
    assert Match.objects.get().state["turn"] == 3


def test_its_log_has_no_gap_and_its_typed_dice_say_so(loaded):
    numbers = list(LogEntry.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, loaded.last_number + 1))
    rolls = [roll for entry in LogEntry.objects.all() for roll in entry.rolls]
    assert len(rolls) >= 6
    assert {roll["source"] for roll in rolls} == {"table"}
