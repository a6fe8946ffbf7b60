"""Over to you: a press, with a line or without, that the others hear of on page, first page, feed, chat and letter."""

from datetime import timedelta

import pytest
from django.utils import timezone

from firefight.models import Device, Subscription
from firefight.table.act import bounds
from firefight.table.seats import subscriptions, turns
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, text_of, words_of

pytestmark = pytest.mark.django_db
LINE = "Your checks in <K7>, then we stop"


def sit_at(player, script=True):
    return Reader(player.client, script=script).open(f"/match/{player.match_id}/")


def press(player, line="", script=True):
    reader = sit_at(player, script)
    form = reader.form("#hand-over")
    if line:
        form.fill(text=line)
    form.press("Over to Russian")
    return reader


def waits(player):
    return pages.find(text_of(player.get()), "[data-waits]")[0].attributes["data-waits"] == "me"


def home_of(player):
    return pages.words_of_each(text_of(player.client.get("/")), "ul.mine > li")[0]


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no script"])
def test_a_press_with_a_line_is_heard_on_page_title_home_and_log(table, script):
    assert not waits(table.russian)  # all may act in the Command Phase
    press(table.german, LINE, script)
    page = table.russian.get()
    assert waits(table.russian) and not waits(table.german)
    assert pages.words_of_each(text_of(page), "title")[0].startswith("Your turn")
    assert pages.words_of_each(text_of(page), ".over-to-you") == [f"German: over to you. “{LINE}”"]
    assert "<K7>" not in text_of(page)
    assert f"Your turn: “{LINE}”" in home_of(table.russian) and "Waiting for Russian" in home_of(table.german)
    assert table.russian.get("now.json").json()["over"] == {"by": "german", "line": LINE}
    assert table.german.last.sentence == f"Over to you: {LINE}" and table.german.last.side == "german"
    # Whoever has handed over has nothing to press; whoever was asked may hand back.
    assert not sit_at(table.german).has("#hand-over") and sit_at(table.russian).has("#hand-over")


def test_home_says_of_a_seat_that_nobody_has_taken_that_it_is_free(table):
    press(table.german)
    table.german.match.seats.filter(side="russian").update(claimed=None)
    assert "Russian to move: that seat is still free" in home_of(table.german)
    assert "Waiting for" not in home_of(table.german)


def test_the_first_act_of_the_other_ends_it_and_taking_back_restores_it(table):
    press(table.german)
    assert table.german.last.sentence == "Over to you."
    table.german.note("One thing more")
    assert waits(table.russian)
    table.russian.roll("fo-loss", die="4", dice="table")
    assert not waits(table.russian) and table.german.match.state.over == ""
    table.russian.do("take-back/")
    assert waits(table.russian)  # as it stood before
    table.russian.do("over/", text="Back to you")
    assert waits(table.german)
    table.russian.do("take-back/")
    assert not waits(table.german)


def test_whoever_is_not_awaited_or_looks_on_cannot_press(table):
    press(table.german)
    before = table.german.match.version
    again = table.german.do("over/", text="Well?")
    assert again.status_code == 403 and "The move is with Russian already." in words_of(again)
    assert table.observer.do("over/").status_code == 403
    assert table.german.match.version == before


@pytest.mark.parametrize("line", ["x" * (bounds.LONGEST_OVER + 1), "bell\x07"])
def test_a_line_is_short_and_plain(table, line):
    answer = table.german.do("over/", text=line)
    assert answer.status_code == 422 and table.german.match.state.over == ""


def test_feed_chat_and_letter_say_it_and_each_press_calls_once(table, settings, monkeypatch, mailoutbox):
    settings.PUBLIC_ADDRESS, settings.EMAIL_HOST = "https://volga.example", "localhost"
    settings.WEBHOOKS = ["chat.example"]
    sent = []
    monkeypatch.setattr(subscriptions.outgoing, "send_json", lambda address, plain: sent.append(plain["text"]))
    seat = table.russian.match.seats.get(side="russian")
    last_call = {"told": table.german.match.version, "awaited": False}
    for kind, address in (("webhook", "https://chat.example/x"), ("mail", "you@volga.example")):
        confirmed = seat.claimed if kind == "mail" else None
        Subscription.objects.create(seat=seat, kind=kind, address=address, confirmed=confirmed, **last_call)
    press(table.german, "*Wake* up @all")
    assert subscriptions.call_players() == 2
    assert "“Wake up all”" in sent[0]  # nothing that a chat takes for markup
    assert "“*Wake* up @all”" in mailoutbox[0].body
    table.german.note("Still there?")
    assert subscriptions.call_players() == 0
    feed = Subscription(seat=table.german.match.seats.get(side="russian"), kind="feed")
    assert "Your turn: Turn 1 · Command Phase · “*Wake* up @all”" in subscriptions.write_feed(feed, "")


def test_home_says_whose_move_it_is_at_one_device():
    player, _ = begin(hot_seat=True)
    assert "All sides may act" in home_of(player)
    player.do("over/", text="Sit down")
    assert "Russian to move" in home_of(player) and "Your turn" not in home_of(player)


def test_what_is_over_goes_into_a_file_and_out_of_it(table):
    press(table.german, LINE)
    data = table.german.get("archive.json").json()
    assert data["match"]["state"]["over"] == "german" and data["match"]["state"]["over_line"] == LINE
    assert turns.find_standings({table.german.match: ()})[table.german.match_id].awaited == ("russian",)


def test_since_the_last_visit_folds_with_ones_own_first_act(table):
    table.russian.get()
    Device.objects.filter(seat__match=table.russian.match_id).update(seen=timezone.now() - timedelta(hours=3))
    table.german.note("While you were away")
    [since] = pages.find(text_of(table.russian.get()), "#since")
    assert "open" in since.attributes
    table.russian.note("Here I am")
    [since] = pages.find(text_of(table.russian.get()), "#since")
    assert "open" not in since.attributes
