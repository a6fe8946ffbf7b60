"""Being called when it is one's turn: feeds, chats, letters."""

import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from xml.etree import ElementTree

import pytest
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from firefight.engine.course.course import Position
from firefight.hosting import outgoing
from firefight.models import Mailbox, Subscription
from firefight.table.seats import subscriptions
from tests import pages
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_photos import hang, picture
from tests.reading import trial

pytestmark = pytest.mark.django_db

CHAT = "https://chat.example/hooks/secret-word"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def host(settings):
    settings.PUBLIC_ADDRESS, settings.EMAIL_HOST, settings.WEBHOOKS = "https://ledger.example", "mail", ["chat.example"]


@pytest.fixture
def sent(monkeypatch):
    """What was sent to chats."""
    messages = []
    monkeypatch.setattr(outgoing, "send_json", lambda address, values: messages.append((address, values["text"])))
    return messages


def give_turn_to(table, side):
    match = table.german.match
    match.state = match.state.at(Position(turn=2, phase="fire_and_movement", side=side))
    match.version += 1
    match.save()


def ask(player, kind, address="", do="set"):
    return player.client.post(
        f"/match/{player.match_id}/calls/", {"kind": kind, "address": address, "do": do}, follow=True
    )


def feed_of(player):
    page = ask(player, "feed")
    return pages.values_of_each(text_of(page), "#feed-address", "value")[0].removeprefix("https://ledger.example")


def titles(response):
    return [entry.find(f"{ATOM}title").text for entry in ElementTree.fromstring(response.content).iter(f"{ATOM}entry")]


def link_in(letter):
    return re.search(r"https://ledger\.example(/letters/\S+)", letter.body)[1]


def test_a_feed_tells_the_log_and_the_turn_and_nothing_sealed(table, client, settings):
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    table.german.do("note/", text="We come by night", sealed="on")
    table.german.note("Good evening")
    address = feed_of(table.german).removeprefix("http://testserver")
    give_turn_to(table, "german")
    answer = client.get(address)
    assert answer["Content-Type"].startswith("application/atom+xml")
    entry_titles = titles(answer)
    assert entry_titles[0].startswith("Your turn: Turn 2") and "Good evening" in entry_titles[1]
    assert "We come by night" not in text_of(answer) and "/seat/" not in text_of(answer)
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    give_turn_to(table, "russian")
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 200 and "Good evening" in titles(again)[0]


def test_a_feeds_address_is_shown_once_renewed_and_ended(table, client):
    first = feed_of(table.german).removeprefix("http://testserver")
    assert first not in text_of(table.german.get("calls/"))
    token = first.split("/")[-1].removesuffix(".atom")
    assert not Subscription.objects.filter(token=token).exists() and len(token) > 40
    second = feed_of(table.german).removeprefix("http://testserver")
    assert client.get(first).status_code == 404 and client.get(second).status_code == 200
    ask(table.german, "feed", do="end")
    assert client.get(second).status_code == 404
    assert Subscription.objects.count() == 0


def test_a_chat_is_called_once_when_it_becomes_my_turn(table, sent):
    match = table.german.match
    match.name = "Friday @everyone <!here>"
    match.save()
    assert "chat.example" in words_of(ask(table.german, "webhook", CHAT))
    assert CHAT not in text_of(table.german.get("calls/"))
    assert subscriptions.call_players() == 0
    give_turn_to(table, "german")
    assert subscriptions.call_players() == 1 and subscriptions.call_players() == 0
    table.german.note("I think about it")
    assert subscriptions.call_players() == 0
    [(address, text)] = sent
    assert address == CHAT
    assert text == f"Friday everyone !here, German: your turn. https://ledger.example/match/{match.pk}/"
    give_turn_to(table, "russian")
    subscriptions.call_players()
    give_turn_to(table, "german")
    call_command("attend")
    assert len(sent) == 2


def test_whoever_asks_in_their_own_turn_is_not_called_for_it(table, sent):
    give_turn_to(table, "german")
    ask(table.german, "webhook", CHAT)
    table.german.note("Still mine")
    assert subscriptions.call_players() == 0 and sent == []


def test_a_chat_that_does_not_answer_is_tried_again_and_left_alone_in_the_end(table, monkeypatch):
    tries = []

    def fail(address, values):
        tries.append(address)
        raise outgoing.Unsent("chat.example answers 500.")

    monkeypatch.setattr(outgoing, "send_json", fail)
    ask(table.german, "webhook", CHAT)
    give_turn_to(table, "german")
    for _ in range(subscriptions.MOST_FAILURES + 3):
        assert subscriptions.call_players() == 0
    assert len(tries) == subscriptions.MOST_FAILURES
    assert "chat.example answers 500" in table.german.see("calls/")


@pytest.mark.parametrize(
    "address", ["https://evil.example/x", "http://127.0.0.1/", "chat.example", "", CHAT + "x" * 500]
)
def test_only_chats_that_the_host_allows_can_be_asked_for(table, address):
    page = ask(table.german, "webhook", address)
    assert page.status_code == 422 and pages.find(text_of(page), "[role=alert]")
    assert Subscription.objects.count() == 0


def test_letters_come_once_they_are_confirmed_and_end_by_their_link(table, client):
    ask(table.german, "mail", "vogt@example.org")
    give_turn_to(table, "german")
    assert subscriptions.call_players() == 0 and subscriptions.call_players() == 0
    [question] = mail.outbox
    assert question.to == ["vogt@example.org"] and table.german.match_id not in question.body
    page = client.get(link_in(question))
    assert "Send me these letters" in words_of(page)
    assert Subscription.objects.get().confirmed is None  # a preview confirms nothing
    client.post(link_in(question), {"do": "confirm"})
    assert subscriptions.call_players() == 1
    letter = mail.outbox[1]
    assert letter.subject == "Your turn: Friday at the Tractor Works, German"
    assert letter.body.startswith(f"It is your turn.\n\nhttps://ledger.example/match/{table.german.match_id}/\n")
    assert "/seat/" not in letter.body
    client.post(link_in(letter), {"do": "end"})
    assert Subscription.objects.count() == 0 and client.get(link_in(letter)).status_code == 404


def test_a_letters_link_is_of_one_mailbox_alone(table, client):
    ask(table.german, "mail", "vogt@example.org")
    subscriptions.call_players()
    link = link_in(mail.outbox[0])
    assert client.get(link[:-2] + "x/").status_code == 404
    Subscription.objects.update(since=timezone.now() - timedelta(hours=1))
    ask(table.german, "mail", "orlov@example.org")
    assert client.get(link).status_code == 404  # of the address before
    assert Subscription.objects.get().confirmed is None


def later(**time):
    """Let so much time pass for mailboxes and for what was asked for them."""
    for model, column in ((Mailbox, "asked"), (Subscription, "since")):
        for row in model.objects.all():
            setattr(row, column, getattr(row, column) - timedelta(**time))
            row.save()


def test_nobody_can_have_a_mailbox_flooded(table):
    """As it was done: set it, let the letter go out, end it, and again, from either seat."""
    for player in (table.german, table.russian) * 20:
        ask(player, "mail", "vogt@example.org")
        subscriptions.call_players()
        ask(player, "mail", do="end")
    assert len(mail.outbox) == 1
    later(hours=23)
    assert ask(table.russian, "mail", "vogt@example.org").status_code == 422
    later(hours=1, minutes=1)
    assert ask(table.russian, "mail", "vogt@example.org").status_code == 200
    subscriptions.call_players()
    assert len(mail.outbox) == 2


@pytest.mark.parametrize(
    "address",
    ["Vogt@Example.ORG", "v.o.g.t@example.org", "vogt+7@example.org", '"vogt"@example.org', "ｖｏｇｔ@example.org"],
)
def test_a_mailbox_is_one_however_it_is_written(table, address):
    ask(table.german, "mail", "vogt@example.org")
    assert ask(table.russian, "mail", address).status_code == 422
    assert Mailbox.objects.count() == 1 and Subscription.objects.count() == 1


def test_a_mailbox_that_wants_no_letters_is_asked_no_more(table, client):
    ask(table.german, "mail", "vogt@example.org")
    subscriptions.call_players()
    link = link_in(mail.outbox[0])
    client.post(link, {"do": "confirm"})
    later(days=2)
    ask(table.russian, "mail", "Vogt@example.org")
    assert "For a year" in words_of(client.post(link, {"do": "refuse"}))
    assert Subscription.objects.count() == 0  # of both seats
    later(days=3)
    page = ask(table.german, "mail", "vogt+again@example.org")
    assert page.status_code == 422 and "wants no letters from here" in words_of(page)
    later(days=365)
    assert ask(table.german, "mail", "vogt@example.org").status_code == 200


def test_who_wants_no_letters_ends_nobody_else_s(table, client):
    ask(table.german, "mail", "vogt@example.org")
    ask(table.russian, "mail", "orlov@example.org")
    subscriptions.call_players()
    [letter] = [message for message in mail.outbox if message.to == ["vogt@example.org"]]
    client.post(link_in(letter), {"do": "refuse"})
    assert [subscription.address for subscription in Subscription.objects.all()] == ["orlov@example.org"]


def test_a_host_asks_so_many_mailboxes_a_day(table, settings):
    settings.LETTERS_PER_DAY = 2
    for name in ("a", "b"):
        assert ask(table.german, "mail", f"{name}@example.org").status_code == 200
        ask(table.german, "mail", do="end")
    page = ask(table.german, "mail", "c@example.org")
    assert page.status_code == 422 and "as many mailboxes as it may in a day" in words_of(page)
    assert Mailbox.objects.count() == 2  # who was not asked is not remembered
    later(days=1, minutes=1)
    assert ask(table.german, "mail", "a@example.org").status_code == 200


def test_no_address_is_kept_of_mailboxes(table):
    ask(table.german, "mail", "vogt@example.org")
    assert len(Mailbox.objects.get().address) == 64


def test_a_confirmed_mailbox_that_is_set_again_is_not_asked_again(table, client):
    ask(table.german, "mail", "vogt@example.org")
    subscriptions.call_players()
    client.post(link_in(mail.outbox[0]), {"do": "confirm"})
    later(hours=1)
    Subscription.objects.update(failures=subscriptions.MOST_FAILURES, trouble="The mail server does not answer.")
    assert ask(table.german, "mail", "Vogt@example.org").status_code == 200
    mailbox = Subscription.objects.get()
    assert (mailbox.address, mailbox.failures, mailbox.trouble) == ("vogt@example.org", 0, "") and mailbox.confirmed
    subscriptions.call_players()
    assert len(mail.outbox) == 1


def test_a_mailbox_that_cannot_be_reached_holds_up_nobody_and_is_tried_again(table, monkeypatch):
    sent = []

    def send(letter):
        if len(sent) < 3:
            sent.append(letter)
            raise SMTPRecipientsRefused({letter.to[0]: (550, b"no")})
        mail.outbox.append(letter)

    monkeypatch.setattr(mail.EmailMessage, "send", send)
    ask(table.german, "mail", "vogt@example.org")
    ask(table.russian, "mail", "orlov@example.org")
    for _ in range(3):
        subscriptions.call_players()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["orlov@example.org", "vogt@example.org"]


@pytest.mark.parametrize(
    "address",
    ["no address", "a@b.example\nBcc: c@d.example", "a@[127.0.0.1]", f"{'x' * 60}@{'y' * 60}.{'z' * 60}.{'z' * 60}"],
)
def test_what_is_no_address_is_refused_and_asks_nobody(table, address):
    assert ask(table.russian, "mail", address).status_code == 422
    assert not Mailbox.objects.exists()


def test_what_the_host_does_not_offer_is_not_there(table, settings):
    settings.EMAIL_HOST, settings.WEBHOOKS = "", []
    page = table.german.see("calls/")
    assert "E-mail" not in page and "A chat" not in page and "A feed" in page
    assert ask(table.german, "mail", "vogt@example.org").status_code == 422
    assert ask(table.german, "webhook", CHAT).status_code == 422
    assert table.observer.get("calls/").status_code == 403


def test_who_frees_a_seat_ends_its_calls(table, client):
    address = feed_of(table.russian).removeprefix("http://testserver")
    call_command("seats", table.german.match_id, "--free", "russian")
    assert client.get(address).status_code == 404


# What the other side does under seal: however much it is, it looks the same from here.

LITTLE = {"text": "A gun", "list": "russian: Maxim M1910", "photo": (8, 8)}
MUCH = {"text": "Guns everywhere. " * 20, "list": "russian: 5 Maxim M1910, 3 Rifle squad", "photo": (1200, 900)}


def hide(player, sealed_content):
    """A note, counters, a photo, all sealed; then the turn is the other side's."""
    assert player.note(sealed_content["text"], sealed="on").status_code == 302
    assert player.do("counters/add/", list=sealed_content["list"], hidden="on").status_code == 302
    assert hang(player, picture(size=sealed_content["photo"]), sealed="on").status_code == 302


def tell_everything(table, feed, sent):
    """All that reaches the German without a look at the table: feed, chat, letter, first page, lists of files."""
    german, match = table.german.client, table.german.match_id
    call_command("attend")
    addresses = (feed, "/", *(f"/match/{match}/{page}" for page in ("calls/", "file/", "files/", "photos/")))
    answers = [text_of(german.get(address)) for address in addresses]
    answers += [text for _, text in sent] + [letter.subject + letter.body for letter in mail.outbox]
    return [re.sub(r"\d\d:\d\d(:\d\d)?[.\d]*|csrf[^>]*>|act\" value=\"[^\"]*\"", "", answer) for answer in answers]


def test_nothing_that_calls_or_lists_tells_how_much_is_sealed(table, sent, settings, tmp_path):
    settings.FILES_DIR, settings.KEEP_FILES = tmp_path, 3
    ask(table.german, "webhook", CHAT)
    feed = feed_of(table.german).removeprefix("http://testserver")
    told_each_time = []
    for sealed_content in (LITTLE, MUCH):
        with trial():
            hide(table.russian, sealed_content)
            give_turn_to(table, "german")
            told_each_time.append(tell_everything(table, feed, sent))
            sent.clear()
    assert len(told_each_time[0]) > 6 and "your turn" in "".join(told_each_time[0])
    for little, much in zip(*told_each_time, strict=True):
        assert little == much
