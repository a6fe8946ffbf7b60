"""The demo: a campaign in the middle of its second firefight; each visitor gets a copy of their own."""

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.acts import demo
from campaign.acts.beginning import begin
from campaign.models import Campaign, ContentBook, Unit
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import ChartBook, LogEntry, Match
from firefight.table.files import removal, saving
from firefight.table.log import fairness, reading
from tests import pages
from tests.campaign.players import Player, forms_in
from tests.filling import Reader
from tests.firefight.players import text_of, words_of
from tests.frozen import every_row

pytestmark = pytest.mark.django_db

PAGES = ("", "map/", "map/?sector=11", "roster/german/", "roster/russian/", "firefight/", "sealed/", "reorganization/")
NAME = "Demo: Into the Inferno, the second firefight"


@pytest.fixture
def loaded(frozen):
    """The charts and content as they are after a start."""
    frozen("demo", load)


def load():
    """Run the commands of a start; nobody sits at any table."""
    for command in settings.LOADING_COMMANDS:
        call_command(command)
    return SimpleNamespace()


def visitor():
    """A browser that has pressed the button on the front page."""
    player = Player("")
    press_the_button(player)
    return player


def press_the_button(player):
    """Look around in the demo; the player then sits at the copy that this leads to."""
    (form,) = [form for form in forms_in(player.client.get("/")) if form.action == "/campaign/demo/"]
    response = player.client.post(form.action, form.filled(), follow=True)
    assert response.status_code == 200
    ((address, _),) = response.redirect_chain
    player.match_id = re.fullmatch(r"/match/(\w+)/", address)[1]


def table_of(player):
    """The table of the player's copy, read as a page."""
    return Reader(player.client).open(f"/match/{player.match_id}/")


def test_loading_twice_is_loading_once(loaded):
    before = every_row()
    load()
    assert every_row() == before
    assert not Match.objects.exists()


def test_what_earlier_versions_kept_of_it_goes(loaded):
    begin("cg1", "Demo: Into the Inferno, turn 3", hot_seat=True, id="demo-pattern")
    own, _ = begin("cg1", "My own", hot_seat=True)
    load()
    assert [match.pk for match in Match.objects.all()] == [own.pk]


def test_it_opens_without_anything_having_been_loaded():
    """Charts and content are stored with the first copy."""
    player = visitor()
    assert words_of(player.open()).count(NAME) > 0
    assert ChartBook.objects.count() == ContentBook.objects.count() == 1
    assert ContentBook.objects.get().shipped and ChartBook.objects.get().shipped


def test_opening_it_seats_this_browser_at_both_sides(loaded):
    player = visitor()
    assert player.side == "german"
    player.turn_to("russian")
    assert player.side == "russian"
    assert f'/campaign/{player.match_id}/"' in text_of(player.client.get("/"))
    assert Client().get(f"/campaign/{player.match_id}/").status_code == 403


def test_each_visitor_has_a_copy_of_their_own(loaded):
    before = [row for row in every_row() if row]
    first, second = visitor(), visitor()
    assert len({first.match_id, second.match_id}) == 2
    first.do("end/", sure="on")
    second.do("note/", text="Good morning")
    assert "Good morning" not in first.see() + visitor().see()
    assert "Good morning" in second.see()
    for match in Match.objects.all():
        removal.delete_match(match)
    assert [row for row in every_row() if row] == before


def test_who_comes_back_finds_the_copy_as_it_was_left(loaded):
    player = visitor()
    player.do("note/", text="Good morning")
    own = player.match_id
    player.turn_to("russian")
    press_the_button(player)
    assert player.match_id == own and player.side == "german"
    assert "Good morning" in player.see()
    assert Match.objects.count() == 1


def test_who_has_ended_or_lost_their_copy_gets_a_new_one(loaded):
    player = visitor()
    first = player.match_id
    Match.objects.filter(pk=first).update(ended=timezone.now())
    press_the_button(player)
    assert player.match_id != first
    removal.delete_match(player.match)
    press_the_button(player)
    assert player.match.state.turn == 3


def test_a_copy_holds_all_that_was_kept_with_dice_of_its_own(loaded):
    match, saved = visitor().match, demo.read_demo()["file"]
    assert (match.name, match.state.turn, match.hot_seat, match.ended) == (NAME, 3, True, None)
    assert match.seed != saved["match"]["seed"] and match.commitment != saved["match"]["commitment"]
    lines = list(LogEntry.objects.filter(match=match).order_by("number"))
    assert [(line.number, line.sentence, line.secret) for line in lines[: len(saved["log"])]] == [
        (line["number"], line["sentence"], line.get("secret", "")) for line in saved["log"]
    ]
    assert saving.dump_match(match, ("german", "russian"))["ledger"]["rows"] == saved["ledger"]["rows"]


def test_every_chapter_of_a_copy_can_be_branched_off_from(loaded):
    player = visitor()
    chapters = list(player.match.snapshots.order_by("number"))
    assert len(chapters) > 15 and all(chapter.state["ledger"] for chapter in chapters)
    for chapter in chapters[:: len(chapters) // 2]:
        fields = {"number": chapter.number, "hot_seat": "on"}
        assert player.client.post(f"/match/{player.match_id}/branch/", fields).status_code == 302
        branch = Match.objects.latest("created")
        assert branch.state.ledger == f"/campaign/{branch.pk}/"
        assert player.client.get(branch.state.ledger).status_code == 200


def test_a_copy_says_how_long_it_is_kept_and_makes_way_then(loaded):
    player = visitor()
    assert "This copy of the demo is yours alone. It is removed after 7 days." in player.see()
    left = player.match.expires - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
    assert f"a copy that is removed on {player.match.expires:%-d %b}" in words_of(player.client.get("/"))
    Match.objects.filter(pk=player.match_id).update(expires=timezone.now())
    later = visitor()
    assert player.client.get(f"/campaign/{player.match_id}/").status_code == 403
    assert [match.pk for match in Match.objects.all()] == [later.match_id]
    assert [campaign.pk for campaign in Campaign.objects.all()] == [later.match_id]


def test_a_copy_costs_few_queries(loaded):
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        client.post("/campaign/demo/")
    assert len(queries) <= 90


def test_opening_it_is_posted(loaded):
    assert Client().get("/campaign/demo/").status_code == 405


# What is in it


def test_it_stands_in_the_middle_of_the_second_firefight(loaded):
    match = visitor().match
    campaign = Campaign.objects.get()
    assert (campaign.card, campaign.firefight, Stage(campaign.stage)) == ("cg1", 2, Stage.FIREFIGHT)
    assert (match.state.turn, match.state.phase, match.ended) == (3, "fire_and_movement", None)


def test_it_shows_what_a_table_has_to_keep(loaded):
    match = visitor().match
    units = Unit.objects.filter(campaign=match.pk)
    assert [(step.helper, step.read_by) for step in match.state.queue] == [("morale", "german")] * 3
    shells = [row for row in match.state.record["missions"].values() if row.get("marker") == "ffe"]
    assert [(row["hex"], row["side"]) for row in shells] == [("K13", "german")]
    assert units.filter(hidden=True, hex="N12").count() == 1
    on_map = units.exclude(hex="").filter(fate="")
    assert on_map.count() > 20 and len({unit.hex for unit in on_map}) >= 10
    assert units.filter(fate=Unit.Fate.ELIMINATED).count() > 8
    corrected = LogEntry.objects.filter(match=match, kind="roll", voided_by__isnull=False)
    assert [line.helper for line in corrected] == ["fire"]


def test_a_firefight_lies_behind_it(loaded):
    player = visitor()
    film = player.read("film/")
    assert "Sector 7: German" in film and "Firefight 2" in film
    report = words_of(player.get("report/"))
    assert "Turning points" in report and "Losses" in report


def test_its_story_is_one_to_send(loaded):
    """A paragraph a firefight, of what turned it, what it cost and what ground was won; the log is folded behind it."""
    player = visitor()
    page = Reader(player.client).open(f"/match/{player.match_id}/report/")
    chapters = page.find("section[aria-labelledby^='chapter-']")
    stories = {pages.words(chapter.css_first("h2")): pages.words(chapter) for chapter in chapters}
    assert list(stories) == ["Firefight 1", "After firefight 1", "Firefight 2"]
    assert "Grenadier squad #4 eliminated, Grenadier squad #5 eliminated." in stories["Firefight 1"]
    assert "Sector 7 is German now." in stories["After firefight 1"]
    assert (
        "Guards squad #8 eliminated" in stories["Firefight 2"]
        and "Counters lost: German 1 fell" in stories["Firefight 2"]
    )
    first, second = [pages.words(point) for point in page.find("ol.turning li")][:2]
    assert "2 fell" in first and "2 fell" in second
    folded = page.find("section[aria-labelledby^='chapter-'] > details:not([open]) ol.lines")
    assert folded and len(folded) == len(page.find("section[aria-labelledby^='chapter-'] ol.lines"))
    # What the page has no room for is a press away.
    page.press_node(page.find("section[aria-labelledby^='chapter-'] a[href*='?from=']")[0])
    assert page.has("ol.lines li")


def test_the_check_of_its_dice_passes(loaded):
    """All rolls so far are the app's, but for two that were typed; their seed is open, that of the copy is not."""
    player = visitor()
    page = Reader(player.client).open(f"/match/{player.match_id}/dice/")
    assert "92 rolls of the app checked: all of them fit the seed" in page.words()
    assert f"The seed of those rolls is open: {demo.read_demo()['file']['match']['seed']}" in page.words()
    assert "worked out again from inputs, dice and charts: the same" in page.words()
    assert not page.has(".trouble")
    assert player.match.seed not in text_of(page.response)
    table_of(player).form("#desk-form").press("dice=app")
    page.open(page.address)
    assert "92 rolls of the app checked." in page.words()
    assert "3 rolls cannot be checked yet: the seed is still sealed." in page.words()
    assert player.match.seed not in text_of(page.response)


def test_a_die_that_was_changed_shows_in_the_check(loaded):
    player = visitor()
    line = next(entry for entry in player.log if entry.helper == "fire" and entry.rolls[0].source == "app")
    changed = (replace(line.rolls[0], face=line.rolls[0].face % 100 + 1), *line.rolls[1:])
    LogEntry.objects.filter(pk=line.pk).update(rolls=changed)
    assert f"Roll {changed[0].number}: the log says {changed[0].face}" in player.see("dice/")


def test_the_log_of_a_copy_is_chained_to_its_last_line(loaded):
    """So that it can be saved and opened like any other."""
    match = visitor().match
    assert fairness.check_log(reading.export_log(match, ())).problems == ()


def test_its_pages_show_it_to_each_side(loaded):
    player = visitor()
    for side in Side:
        player.turn_to(side.value)
        for at in PAGES:
            assert NAME in words_of(player.open(at))
        hidden = re.findall(r"\(hidden\)", player.read("sealed/"))
        assert bool(hidden) == (side is Side.RUSSIAN)


def test_what_one_side_hides_stays_hidden_from_the_other(loaded):
    """The machine gun in N12 and where its section was set up: no page, no JSON and no log tells the German of it."""
    player = visitor()
    places = ("", "log/", "log.json", "counters.json", "report/", "report.md", "record.json", "archive.json", "pack/")
    for side, knows in (("german", False), ("russian", True)):
        player.turn_to(side)
        texts = [text_of(player.get(place)) for place in places] + [
            text_of(player.open(at)) for at in (*PAGES, "film/")
        ]
        counters = {counter["id"]: counter for counter in player.get("counters.json").json()}
        assert counters["russian-11"]["place"] == ("N12" if knows else "")
        # Everybody has read that there are two of them; nobody has read where the second one stands.
        assert any("set up in sector 11, hidden" in text for text in texts) == knows
        assert any("Plot of A1: K8 or L8" in text for text in texts) == knows


# Things to try


def left(reader):
    """What the strip still suggests."""
    return [pages.words(suggestion) for suggestion in reader.find("#trying li")]


def test_three_things_to_try_go_away_by_being_done(loaded):
    player = visitor()
    reader = table_of(player)
    checks, why, back = left(reader)
    assert (checks, why, back) == (
        "Answer the three checks that are due.",
        "Open a line of the log and see why.",
        "Take your last act back.",
    )
    reader.form("#desk-form").press("dice=app")
    assert player.match.state.queue == () and left(reader) == [why, back]
    reader.press_node(reader.find("#log-rows details[hx-get*='/log/all/']")[0])  # opened
    reader.press_node(reader.find("#log-rows .opened a[href*='/log/']")[0])
    assert "Firepower Factors Table: house" in words_of(reader.response) and left(reader) == [back]
    reader.press_node(reader.find("#do-take-back")[0])
    if reader.has("#now button[name=agrees]"):
        reader.press("agrees=yes", within="#now")
    assert len(player.match.state.queue) == 3
    assert left(reader) == [] and "hidden" in reader.find("#trying")[0].attributes
    # Nothing returns: the checks are due once more, and nobody is told to answer them.
    assert left(table_of(player)) == []


def test_without_a_script_they_go_away_with_the_next_page(loaded):
    player = visitor()
    reader = Reader(player.client, script=False).open(f"/match/{player.match_id}/")
    line = [line for line in player.log if line.helper == "fire"][-1].number
    reader.open(f"/match/{player.match_id}/log/{line}/")
    assert len(left(table_of(player))) == 2


def test_no_other_match_suggests_anything(loaded):
    player = visitor()
    player.client.post(f"/match/{player.match_id}/branch/", {"hot_seat": "on"})
    branch = Match.objects.latest("created").pk
    assert branch != player.match_id
    assert not Reader(player.client).open(f"/match/{branch}/").has("#trying")
