"""What is removed for good: all of a match and nothing else; what is abandoned; books that nobody needs."""

from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.acts import demo
from campaign.models import Campaign, ContentBook
from firefight.games import chartbooks, registry
from firefight.models import ChartBook, Draft, LogEntry, Match
from firefight.table.consent import matters
from firefight.table.files import making, removal
from firefight.table.log import fairness, notes
from firefight.table.rolling import advancing
from firefight.table.seats import sitting_down
from tests.books import altered_data
from tests.campaign.acts.game import GERMAN, RUSSIAN, Game
from tests.firefight.players import GAME
from tests.firefight.table.test_acts import at, new_id, roll

pytestmark = pytest.mark.django_db
SIDES = ("german", "russian")


def begin(name="Friday", book=None):
    return sitting_down.new_match(registry.games()[GAME], name, hot_seat=True, book=book)[0]


def played():
    """A match with rolls, notes, a snapshot more, and something taken back."""
    match = begin()
    roll(match, "fo-loss", source="app")
    notes.note(at(match), new_id(), None, "hello")
    matters.propose_take_back(at(match), new_id(), None)
    while at(match).match.state.turn == 1:
        advancing.advance(at(match), new_id(), None)
    return Match.objects.get(pk=match.pk)


def everything():
    """Every row of both rooms, by table."""
    models = [model for room in ("firefight", "campaign") for model in apps.get_app_config(room).get_models()]
    return {model: sorted(map(str, model._base_manager.values_list())) for model in models}


def stored(name):
    """A version of the charts of its own."""
    return chartbooks.store(GAME, {**altered_data("contact"), "name": name})


def age(days):
    """Let everything be so many days older."""
    for model, column in ((LogEntry, "at"), (Match, "created"), (ChartBook, "created"), (ContentBook, "created")):
        for row in model.objects.all():
            model.objects.filter(pk=row.pk).update(**{column: getattr(row, column) - timedelta(days=days)})


def expire(*options):
    """What the command says."""
    out = StringIO()
    call_command("expire", *options, stdout=out)
    return out.getvalue()


# One match


def test_a_deleted_match_leaves_nothing_behind_and_nothing_else_is_touched():
    other = played()
    before = everything()
    removal.delete_match(played())
    assert everything() == before
    assert Match.objects.get() == other


def test_a_deleted_campaign_goes_with_all_its_rows():
    other_game = Game.begin("cg1")
    other_game.buy(RUSSIAN, "I6")
    before = everything()
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "I6")
    game.through_to("setup")
    game.take_back(GERMAN)
    removal.delete_match(game.match)
    assert everything() == before
    removal.delete_match(other_game.match)
    assert not Campaign.objects.exists()


def test_deleting_what_is_gone_does_nothing():
    match = begin()
    removal.delete_match(match)
    before = everything()
    removal.delete_match(match)
    assert everything() == before


def test_a_match_that_went_on_from_a_deleted_one_keeps_its_opened_seed():
    match = played()
    heir = making.branch(match, SIDES, True).match
    matters.propose_end(at(match), new_id(), None)
    match.refresh_from_db()
    [sealed] = Match.objects.get(pk=heir.pk).earlier_dice
    assert sealed.seed is None
    seals = fairness.earlier_dice(Match.objects.get(pk=heir.pk))
    removal.delete_match(match)
    assert fairness.earlier_dice(Match.objects.get(pk=heir.pk)) == seals
    assert seals[0]["seed"] == match.seed


def test_the_seed_of_a_match_is_handed_to_its_own_seal_alone():
    match = played()
    heir = making.branch(match, SIDES, True).match
    matters.propose_end(at(match), new_id(), None)
    [sealed] = Match.objects.get(pk=heir.pk).earlier_dice
    seals = (replace(sealed, match="another", commitment="f" * 64), sealed)
    Match.objects.filter(pk=heir.pk).update(earlier_dice=seals)
    removal.delete_match(Match.objects.get(pk=match.pk))
    assert [seal.seed for seal in Match.objects.get(pk=heir.pk).earlier_dice] == [None, match.seed]


def test_the_seed_of_a_match_that_has_not_ended_is_handed_to_nobody():
    match = played()
    heir = making.branch(match, SIDES, True).match
    removal.delete_match(match)
    assert Match.objects.get(pk=heir.pk).earlier_dice[0].seed is None


def test_deleting_takes_as_many_queries_for_a_long_match_as_for_a_short_one():
    def costs():
        match = played()
        for _ in range(lines):
            notes.note(at(match), new_id(), None, "x")
        with CaptureQueriesContext(connection) as queries:
            removal.delete_match(match)
        return len(queries)

    lines = 0
    short = costs()
    lines = 120
    assert costs() == short <= 20


# What is abandoned


def test_only_what_nobody_has_touched_for_so_long_is_abandoned():
    old, touched = begin("old"), begin("touched")
    age(100)
    fresh = begin("fresh")
    notes.note(at(touched), new_id(), None, "still here")
    assert list(removal.find_abandoned(90)) == [old]
    assert list(removal.find_abandoned(101)) == []
    assert fresh in Match.objects.all()


def test_the_command_changes_nothing_until_it_is_told_to():
    begin("An old one")
    Game.begin("cg1")
    age(200)
    before = everything()
    output = expire()
    assert everything() == before
    assert "match" in output and "An old one" in output and "campaign" in output
    assert "2 abandoned for 180 days, 0 demo copies whose time is over, 0 unused books: nothing was changed" in output
    assert "2 abandoned for 180 days" in expire("--delete")
    assert not Match.objects.exists()


@pytest.mark.parametrize("days", ["0", "-3", "99999"])
def test_a_number_of_days_that_makes_no_sense_is_refused(days):
    begin()
    with pytest.raises(CommandError, match="Give --days from 1 to 36500"):
        expire("--days", days, "--delete")
    assert Match.objects.exists()


def test_copies_of_the_demo_go_when_their_time_is_over():
    over, lasting = demo.copy()[0], demo.copy()[0]
    Match.objects.filter(pk=over.pk).update(expires=timezone.now())
    assert "0 abandoned for 180 days, 1 demo copies whose time is over" in expire("--delete")
    assert list(Match.objects.values_list("pk", flat=True)) == [lasting.pk]
    age(400)
    expire("--delete")
    assert not Match.objects.exists()


# Books


def test_a_stored_book_goes_once_nobody_has_any_use_for_it():
    begin()
    books = {name: stored(name) for name in ("unused", "played", "on a shelf", "earlier", "base", "snapshot", "undo")}
    begin("played", books["played"])
    Draft.objects.create(
        game=GAME, name="x", owner="x", data={}, based_on=books["base"], version=books["on a shelf"],
        versions=[books["earlier"].pk, books["on a shelf"].pk],
    )  # fmt: skip
    changing = begin("snapshot", books["snapshot"])
    matters.propose_book(at(changing), new_id(), None, books["undo"], "undo")
    matters.propose_book(at(changing), new_id(), None, books["played"], "played")
    assert not removal.orphaned_books(1)
    age(30)
    assert list(removal.orphaned_books(1)) == [books["unused"]]
    # With the matches that have just gone, the books that only they had go too.
    assert "4 unused books: deleted" in expire("--days", "20", "--delete")
    assert set(ChartBook.objects.filter(shipped=False)) == {books["on a shelf"], books["earlier"], books["base"]}
    assert ChartBook.objects.filter(shipped=True).exists()


def test_a_change_of_book_can_be_taken_back_after_the_command_has_run():
    first, second = stored("first"), stored("second")
    match = begin("x", first)
    match.snapshots.all().delete()
    matters.propose_book(at(match), new_id(), None, second, "second")
    age(30)
    notes.note(at(match), new_id(), None, "still here")
    expire("--days", "20", "--delete")
    for _ in range(2):
        matters.propose_take_back(at(match), new_id(), None)
    assert Match.objects.get().book == first


def test_content_of_a_file_goes_with_its_campaign():
    game = Game.begin("cg1")
    ContentBook.objects.create(digest="0" * 64, name="of a file", data={}, offered=False)
    ContentBook.objects.create(digest="1" * 64, name="the host's", data={}, offered=True)
    age(30)
    notes.note(at(game.match), new_id(), None, "still here")
    own = game.match.campaign.content.name
    expire("--days", "20", "--delete")
    assert set(ContentBook.objects.values_list("name", flat=True)) == {"the host's", own}
