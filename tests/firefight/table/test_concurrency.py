"""Several browsers at the very same moment, on real connections: one of them wins, and nothing is half done."""

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.models import Act, LogEntry, Match, Seat
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.files import archive, making, saving
from firefight.table.log.notes import note
from firefight.table.rolling import rolls
from firefight.table.rolling.orders import RollOrder
from tests.campaign import players as campaign_players
from tests.firefight.players import GAME, Player, begin, sit
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 8


@pytest.fixture
def german():
    player, _ = begin()
    player.get()
    return player


def browsers(player, number=MANY):
    """More windows of the same browser."""
    windows = []
    for _ in range(number):
        window = Player(player.match_id)
        window.client.cookies = player.client.cookies.copy()
        windows.append(window)
    return windows


def in_order(match):
    """The entries' numbers, and whether the match knows the last."""
    numbers = list(LogEntry.objects.filter(match=match).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, match.last_number + 1))
    return numbers


def rolls_of(match):
    return sorted(die.number for entry in LogEntry.objects.filter(match=match) for die in entry.rolls)


@pytest.mark.parametrize("place", ["roll/fo-loss/", "note/"])
def test_the_same_act_sent_many_times_at_once_is_done_once(german, place):
    before = german.match
    fields = {"act": str(uuid.uuid4()), "version": before.version, "dice": "app", "text": "hello"}
    answers = at_once(*(lambda w=window: w.send(place, fields) for window in browsers(german)))
    assert [answer.status_code for answer in answers] == [302] * MANY
    after = german.match
    assert (after.version, after.last_number) == (before.version + 1, before.last_number + 1)
    assert after.next_roll - before.next_roll == (place != "note/")
    assert Act.objects.filter(match=after).count() == 1
    in_order(after)


def test_of_different_acts_of_one_version_exactly_one_is_done(german):
    before = german.match
    answers = at_once(
        *(lambda w=window: w.do("roll/fo-loss/", version=before.version, dice="app") for window in browsers(german))
    )
    assert sorted(answer.status_code for answer in answers) == [302] + [409] * (MANY - 1)
    after = german.match
    assert (after.version, after.last_number) == (before.version + 1, before.last_number + 1)
    assert rolls_of(after) == [1]
    assert after.next_roll == 2


def test_a_due_roll_is_made_by_one_of_two(german):
    german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    step = german.match.state.queue[0].id
    fields = {"step": step, "tq": "6", "die": "3", "dice": "table", "version": german.match.version}
    answers = at_once(*(lambda w=window: w.do("roll/morale/", **fields) for window in browsers(german, 2)))
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    assert german.match.state.queue == ()


def test_rolls_without_a_version_wait_for_each_other_and_leave_no_gap(german):
    helper = registry.helpers(GAME)["attack-or-hold"]

    def roll():
        match = Match.objects.select_related("book").get(pk=german.match_id)
        book = of_match(match)
        form = helper.form.from_plain({"german": "attack", "russian": "attack"}, book=book)
        form.is_valid()
        table = Table(match, "german", ("german",), tuple(match.seats.all()))
        return rolls.roll(table, str(uuid.uuid4()), None, RollOrder(helper, form, "app", {}))

    before = german.match
    at_once(*[roll] * MANY)
    after = german.match
    assert after.last_number == before.last_number + MANY
    assert after.version == before.version + MANY
    assert rolls_of(after) == list(range(1, after.next_roll))
    assert after.next_roll > 2 * MANY
    in_order(after)


def test_notes_of_both_sides_are_all_kept(german):
    links_player, links = begin()
    russian = sit(links["russian"], links_player.match_id)
    before = links_player.match
    windows = browsers(links_player, 4) + browsers(russian, 4)
    answers = at_once(*(lambda w=window: w.note("hello") for window in windows))
    assert [answer.status_code for answer in answers] == [302] * 8
    after = links_player.match
    assert after.last_number == before.last_number + 8
    in_order(after)


def test_an_act_and_its_take_back_at_once_end_in_one_of_the_two_orders(german):
    german.note("first")
    version = german.match.version
    one, other = browsers(german, 2)
    answers = at_once(
        lambda: one.do("take-back/", version=version),
        lambda: other.do("advance/", version=version),
    )
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    in_order(german.match)


@pytest.mark.parametrize("number", [2, MANY])
def test_of_browsers_that_open_the_same_link_one_gets_the_seat(number):
    maker, links = begin()
    before = maker.match
    players = [Player(maker.match_id) for _ in range(number)]
    for player in players:
        player.client.get(links["russian"])
    answers = at_once(*(lambda p=player: p.client.post("/claim/") for player in players))
    assert sorted(answer.status_code for answer in answers) == [302] + [403] * (number - 1)
    assert sorted(player.get().status_code for player in players) == [200] + [403] * (number - 1)
    after = maker.match
    assert (after.version, after.last_number) == (before.version + 1, before.last_number + 1)


def test_a_seat_taken_during_an_act_loses_neither(german):
    maker, links = begin()
    players = [sit(links["observer"], maker.match_id)]
    players[0].client.get(links["russian"])
    before = maker.match
    at_once(
        lambda: players[0].client.post("/claim/"),
        *(lambda w=window: w.note("hello") for window in browsers(maker, 4)),
    )
    after = maker.match
    assert after.last_number == before.last_number + 5
    assert after.version == before.version + 5
    in_order(after)


def test_wrong_pins_tried_at_once_are_all_counted():
    maker, _ = begin(hot_seat=True)
    maker.send("pin/", {"pin": "4711"})
    maker.send("cover/", {})
    windows = browsers(maker, MANY)
    answers = at_once(*(lambda w=window: w.send("lift/", {"side": "german", "pin": "0000"}) for window in windows))
    words = [answer.content.decode() for answer in answers]
    assert sum("not this side" in text for text in words) == 5
    assert sum("wait a minute" in text for text in words) == MANY - 5
    assert Seat.objects.get(match=maker.match_id, side="german").pin_locked_until


def test_the_shipped_book_is_stored_once_by_first_matches_at_once():
    assert not Match.objects.exists()
    answers = at_once(*[lambda: Player().client.post("/match/new/", {"game": GAME, "side": "german"})] * 4)
    assert [answer.status_code for answer in answers] == [302] * 4
    assert Match.objects.count() == 4
    assert len(set(Match.objects.values_list("book", flat=True))) == 1


def test_refused_acts_at_once_change_nothing(german):
    before = german.match
    answers = at_once(*(lambda w=window: w.do("drop/", step="9-9") for window in browsers(german)))
    assert [answer.status_code for answer in answers] == [403] * MANY
    after = german.match
    assert (after.version, after.last_number, after.state) == (before.version, before.last_number, before.state)
    assert not Act.objects.filter(match=after).exists()


def test_the_same_act_id_in_two_matches_at_once_is_done_in_one():
    (one, _), (other, _) = begin(), begin()
    act = str(uuid.uuid4())
    answers = at_once(lambda: one.note("hello", act=act), lambda: other.note("hello", act=act))
    assert sorted(answer.status_code for answer in answers) == [302, 403]
    assert Act.objects.count() == 1
    with pytest.raises(Refused):
        table = Table(other.match, "german", ("german",), ())
        loser = table if Act.objects.get().match_id == one.match_id else Table(one.match, "german", ("german",), ())
        note(loser, act, None, "again")


# What goes through a whole log holds nobody up who writes


def write_meanwhile(monkeypatch, player, module, name):
    """Have another browser write a note, once, in the midst of what is done, where a function is called."""
    function, notes = getattr(module, name), []
    [window] = browsers(player, 1)

    def call_and_write(*args, **more):
        if not notes:
            fields = {"act": str(uuid.uuid4()), "version": player.match.version, "text": "meanwhile"}
            [answer] = at_once(lambda: window.send("note/", fields))
            notes.append(answer.status_code)
        return function(*args, **more)

    monkeypatch.setattr(module, name, call_and_write)
    return notes


@pytest.mark.parametrize("name", ["_find_chapters", "_list_lines", "_known_state"])
def test_a_file_is_of_one_moment_and_holds_nobody_up(german, monkeypatch, name):
    before = german.match
    notes = write_meanwhile(monkeypatch, german, saving, name)
    saved = german.client.get(f"/match/{german.match_id}/archive.json").json()
    assert notes == [302] and german.match.last_number == before.last_number + 1
    assert (saved["match"]["version"], len(saved["log"])) == (before.version, before.last_number)
    assert saved["match"]["digest"] == before.digest
    archive.read_archive(json.dumps(saved).encode())


@pytest.mark.parametrize(("module", "name"), [(saving, "_list_lines"), (making, "_entry"), (making, "_weigh_lines")])
def test_whoever_branches_off_holds_nobody_up_while_the_log_is_made_ready(german, monkeypatch, module, name):
    notes = write_meanwhile(monkeypatch, german, module, name)
    assert german.send("branch/", {"hot_seat": "on"}).status_code == 302
    assert notes == [302]
    assert Match.objects.count() == 2


@pytest.mark.parametrize(("module", "name"), [(archive, "_parsed"), (archive, "_check"), (making, "_entry")])
def test_whoever_opens_a_file_holds_nobody_up_while_it_is_read(german, monkeypatch, module, name):
    saved = german.client.get(f"/match/{german.match_id}/archive.json").content
    notes = write_meanwhile(monkeypatch, german, module, name)
    sent = {"file": SimpleUploadedFile("x.json", saved), "side": "german"}
    assert german.client.post("/match/import/", sent).status_code == 302
    assert notes == [302]


def test_the_file_of_a_campaign_is_of_one_moment_too():
    """Nothing that writes it opens a transaction of its own."""
    maker = campaign_players.begin()[0]
    saved = maker.client.get(f"/match/{maker.match_id}/archive.json")
    assert saved.status_code == 200 and saved.json()["ledger"]
    assert maker.client.post(f"/match/{maker.match_id}/branch/", {"hot_seat": "on"}).status_code == 302
