"""The demo campaign: played once, in the middle of its first firefight; each visitor gets a copy of their own."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.acts import demo
from campaign.archive import dump
from campaign.models import Campaign, Group, Unit
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match
from firefight.table import fairness, log
from tests.campaign.players import Player, forms_in, part_of
from tests.firefight.players import text_of, words_of
from tests.frozen import every_row

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
    player = Player("")
    press_the_button(player)
    return player


def press_the_button(player):
    """Look around in the demo campaign; the player then sits at the copy that this leads to."""
    (form,) = [form for form in forms_in(player.client.get("/")) if form.action == "/campaign/demo/"]
    response = player.client.post(form.action, form.filled(), follow=True)
    assert response.status_code == 200
    ((address, _),) = response.redirect_chain
    player.match_id = re.fullmatch(r"/campaign/(\w+)/", address)[1]


def copies():
    return Match.objects.exclude(pk=demo.ID)


def test_loading_it_twice_is_loading_it_once(loaded, capsys):
    before = every_row()
    call_command("load_demo")
    assert every_row() == before
    assert "The demo is there already" in capsys.readouterr().out
    assert Campaign.objects.count() == 1


def test_it_can_be_played_afresh(loaded):
    player = visitor()
    player.do("note/", text="I was here")
    before = Match.objects.get(pk=demo.ID).created
    call_command("load_demo", "--anew")
    assert Match.objects.count() == Campaign.objects.count() == 2
    assert Match.objects.get(pk=demo.ID).created > before
    assert Match.objects.get(pk=demo.ID).state.turn == 3
    assert "I was here" in player.see()


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
    assert f'<a href="/campaign/{player.match_id}/">' in text_of(player.client.get("/"))
    assert Client().get(f"/campaign/{player.match_id}/").status_code == 403
    assert player.client.get(f"/campaign/{demo.ID}/").status_code == 403


def test_each_visitor_has_a_copy_of_their_own(loaded):
    before = [row for row in every_row() if row]
    first, second = visitor(), visitor()
    assert len({first.match_id, second.match_id, demo.ID}) == 3
    first.do("end/")
    second.do("note/", text="Good morning")
    second.press("end-turn", "firefight/")
    assert "Good morning" not in first.see() + visitor().see()
    assert (first.match.state.turn, second.match.state.turn, visitor().match.state.turn) == (3, 4, 3)
    for copied in (first, second):
        copied.match.delete()
    copies().delete()
    assert [row for row in every_row() if row] == before


def test_who_comes_back_finds_the_copy_as_it_was_left(loaded):
    player = visitor()
    player.press("end-turn", "firefight/")
    own = player.match_id
    player.turn_to("russian")
    press_the_button(player)
    assert player.match_id == own and player.side == "german" and player.match.state.turn == 4
    assert copies().count() == 1


def test_who_has_ended_or_lost_their_copy_gets_a_new_one(loaded):
    player = visitor()
    first = player.match_id
    Match.objects.filter(pk=first).update(ended=timezone.now())
    press_the_button(player)
    assert player.match_id != first
    Match.objects.get(pk=player.match_id).delete()
    press_the_button(player)
    assert player.match.state.turn == 3


def test_a_copy_is_the_same_as_the_pattern_with_dice_of_its_own(loaded):
    player = visitor()
    made = player.match
    assert (made.name, made.state.turn, made.hot_seat, made.ended) == (loaded.name, 3, True, None)
    assert made.seed != loaded.seed
    assert dump(made) == dump(loaded)
    mine, lines = LogEntry.objects.filter(match=made), LogEntry.objects.filter(match=loaded)
    assert [(e.number, e.sentence, e.secret) for e in mine.order_by("number")][: len(lines)] == [
        (e.number, e.sentence, e.secret) for e in lines.order_by("number")
    ]
    assert made.commitment in player.see()


def test_every_chapter_of_a_copy_can_be_branched_off_from(loaded):
    player = visitor()
    number = loaded.snapshots.last().number
    response = player.client.post(f"/match/{player.match_id}/branch/", {"number": number, "hot_seat": "on"})
    assert response.status_code == 302
    branch = copies().order_by("-created").first()
    assert Campaign.objects.get(pk=branch.pk).stage == Stage.PURCHASES
    assert branch.state.ledger == f"/campaign/{branch.pk}/"


def test_a_copy_says_how_long_it_is_kept_and_makes_way_then(loaded):
    player = visitor()
    assert "This copy of the demo is yours alone. It is removed after 7 days." in player.see()
    left = player.match.expires - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
    assert f"a copy that is removed on {player.match.expires:%-d %b}" in words_of(player.client.get("/"))
    Match.objects.filter(pk=player.match_id).update(expires=timezone.now())
    later = visitor()
    assert [match.pk for match in copies()] == [later.match_id]
    assert player.client.get(f"/campaign/{player.match_id}/").status_code == 403
    assert set(Campaign.objects.values_list("pk", flat=True)) == {demo.ID, later.match_id}


def test_a_copy_costs_few_queries(loaded):
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        client.post("/campaign/demo/")
    assert len(queries) <= 90


def test_opening_it_is_posted(loaded):
    assert Client().get("/campaign/demo/").status_code == 405


def test_it_stands_in_the_middle_of_the_first_firefight(loaded):
    campaign = Campaign.objects.get()
    assert (campaign.card, campaign.firefight, Stage(campaign.stage)) == ("cg1", 1, Stage.FIREFIGHT)
    assert loaded.state.turn == 3
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
    assert player.match.state.turn == 4
    player.press("take-back")
    assert player.match.state.turn == 3


def test_its_log_has_no_gap_and_its_typed_dice_say_so(loaded):
    numbers = list(LogEntry.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, loaded.last_number + 1))
    rolls = [roll for entry in LogEntry.objects.all() for roll in entry.rolls]
    assert len(rolls) >= 6
    assert {roll.source for roll in rolls} == {"table"}


def test_the_log_of_a_copy_is_chained_to_its_last_line(loaded):
    """So that it can be saved and opened like any other."""
    match = visitor().match
    assert fairness.check_log(log.export(match, ())).problems == ()
