"""Phones are let in by the machine's owner alone, who asks for it on the page of seats, and for one start."""

import re

import pytest
from django.test import Client

from firefight.hosting import gate, listening
from tests.filling import Reader
from tests.firefight.players import GAME

pytestmark = pytest.mark.django_db

HERE = "127.0.0.1:8000"
AWAY = "http://192.168.1.5:8000"


@pytest.fixture
def served(monkeypatch, settings, tmp_path):
    """A start for its owner alone, on a network, as far as pages see it: what would listen is noted here."""
    begun = []
    settings.DATA_DIR, settings.ALLOWED_HOSTS = tmp_path, ["127.0.0.1", "localhost"]
    for name in gate.HOSTING:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(gate.PORT, "8000")
    monkeypatch.setattr(listening, "lan_address", lambda: "192.168.1.5")
    monkeypatch.setattr(listening, "check_free", lambda host, port: None)
    monkeypatch.setattr(gate, "_serve", lambda *words: begun.append(words))
    return begun


def owner(**more):
    """Somebody at this machine who has just begun a match and looks at its links."""
    client = Client(headers={"host": HERE}, **more)
    reader = Reader(client)
    reader._show_whole(client.post("/match/new/", {"game": GAME, "side": "german"}, follow=True))
    return reader


def invitation(reader):
    """The link for the other player."""
    return reader.find("input#link-russian")[0].attributes["value"]


def test_a_press_lets_phones_in_and_makes_the_same_links_ones_for_phones(served):
    reader = owner()
    before = invitation(reader)
    assert before.startswith(f"http://{HERE}/seat/")
    assert not reader.has(".qr")
    assert served == []
    reader.press("Let a phone in")
    ((host, port, changed),) = served
    assert (host, port, changed["ALLOWED_HOSTS"]) == ("192.168.1.5", 8000, "192.168.1.5")
    assert invitation(reader) == before.replace(f"http://{HERE}", AWAY)
    assert len(reader.find(".qr")) == 3
    assert f"They come in at {AWAY}/" in reader.words()
    reader.press("Let no phone in any more")
    assert invitation(reader) == before
    assert gate.gate_address() == ""
    assert "Nobody but this machine can open the app" in reader.words()


def test_links_that_are_made_later_open_on_a_phone_too(served):
    reader = owner()
    seats = re.search(r"/match/\w+/seats/", reader.address)[0]
    reader.open(seats)
    assert not reader.has("input[name=link-russian]")
    reader.press("Let a phone in").press("New link (ends the old one)")
    assert invitation(reader).startswith(f"{AWAY}/seat/")


def test_a_second_press_opens_and_closes_nothing_twice(served):
    first, second = owner(), owner()
    first.press("Let a phone in")
    second.press("Let a phone in")
    assert len(served) == 1
    first.press("Let no phone in any more")
    assert second.press("Let no phone in any more").status == 200
    assert gate.gate_address() == ""


@pytest.mark.parametrize(
    "request_from",
    [
        {"REMOTE_ADDR": "192.168.1.7"},
        {"REMOTE_ADDR": "192.168.1.7", "headers": {"host": "192.168.1.5:8000"}},
        {"headers": {"host": "ledger.example"}},
        {"headers": {"host": HERE, "x-forwarded-for": "203.0.113.7"}},
        {"headers": {"host": HERE, "x-real-ip": "203.0.113.7"}},
        {"headers": {"host": HERE, "forwarded": "for=203.0.113.7"}},
        {"headers": {"host": HERE, "x-forwarded-host": "ledger.example"}},
        {"headers": {"host": HERE, "via": "1.1 proxy"}},
        {"REMOTE_ADDR": ""},
    ],
)
def test_nobody_else_is_offered_it_or_can_have_it(served, settings, request_from):
    settings.ALLOWED_HOSTS = ["*"]
    reader = owner()
    seats = re.search(r"/match/\w+/seats/", reader.address)[0]
    request = {"headers": {"host": HERE}, **request_from}
    assert "Let a phone in" not in reader.client.get(seats, **request).text
    assert reader.client.post(f"{seats}network/", {"as": "german", "do": "open"}, **request).status_code == 403
    assert (served, gate.gate_address()) == ([], "")
    assert reader.client.post(f"{seats}network/", {"as": "german", "do": "open"}).status_code == 302
    assert reader.client.post(f"{seats}network/", {"as": "german", "do": "close"}, **request).status_code == 403
    assert gate.gate_address() == AWAY


def test_another_site_cannot_press_it(served):
    client = Client(headers={"host": HERE}, enforce_csrf_checks=True)
    client.cookies = owner().client.cookies
    page = client.get("/")
    match = re.search(r"/match/(?!new)(\w+)/", page.text)[0]
    assert client.post(f"{match}seats/network/", {"as": "german", "do": "open"}).status_code == 403
    assert served == []


def test_what_is_not_to_be_done_there_does_nothing(served):
    reader = owner()
    seats = re.search(r"/match/\w+/seats/", reader.address)[0]
    assert reader.client.post(f"{seats}network/", {"as": "german", "do": "burn"}).status_code == 404
    assert reader.client.get(f"{seats}network/").status_code == 405
    assert served == []


def test_only_links_of_the_match_s_own_are_shown_again(served):
    reader = owner()
    seats = re.search(r"/match/\w+/seats/", reader.address)[0]
    for token in ("", "x" * 43, invitation(owner()).rstrip("/").rpartition("/")[2]):
        answer = reader.client.post(
            f"{seats}network/", {"as": "german", "do": "open", "link-russian": token}, follow=True
        )
        assert 'id="link-russian"' not in answer.text


@pytest.mark.parametrize("address", ["volga-laptop", "127.0.0.1", "0.0.0.0"])
def test_a_machine_without_a_network_says_so(served, monkeypatch, address):
    monkeypatch.setattr(listening, "lan_address", lambda: address)
    reader = owner()
    before = invitation(reader)
    reader.press("Let a phone in")
    assert reader.status == 409
    assert "no address on a network" in reader.words(".trouble")
    assert invitation(reader) == before
    assert (served, gate.gate_address()) == ([], "")


def test_a_busy_port_is_named(served, monkeypatch):
    def refuse(host, port):
        raise listening.CannotStart(listening.ExitCode.PORT, f"Port {port} is busy.")

    monkeypatch.setattr(listening, "check_free", refuse)
    reader = owner().press("Let a phone in")
    assert (reader.status, served, gate.gate_address()) == (409, [], "")
    assert "Port 8000 is busy" in reader.words(".trouble")


# Which starts offer it


def test_a_start_for_its_owner_alone_offers_it_and_forgets_who_was_let_in(served, monkeypatch, tmp_path):
    gate.open_gate()
    monkeypatch.delenv(gate.PORT)
    gate.offer_gate(8123)
    assert (gate.os.environ[gate.PORT], gate.gate_address()) == ("8123", "")


@pytest.mark.parametrize("name", gate.HOSTING)
def test_who_hosts_for_others_has_decided_already_who_comes_in(served, monkeypatch, name):
    monkeypatch.delenv(gate.PORT)
    monkeypatch.setenv(name, "1")
    gate.offer_gate(8123)
    assert gate.PORT not in gate.os.environ


def test_what_an_earlier_start_has_left_opens_nothing(served, monkeypatch):
    gate.open_gate()
    monkeypatch.delenv(gate.PORT)  # a server that was started by other means
    assert gate.gate_address() == ""


def test_a_server_ends_with_its_own_opening_and_no_other(served, monkeypatch):
    assert not gate.is_closed()
    gate.open_gate()
    assert not gate.is_closed()  # the one at 127.0.0.1
    ((_, _, changed),) = served
    monkeypatch.setenv(gate.OPENING, changed[gate.OPENING])
    assert not gate.is_closed()
    gate.close_gate()
    assert gate.is_closed()
    gate.open_gate()
    assert gate.is_closed()


def test_a_server_that_ends_by_itself_is_open_no_longer_but_closes_none_after_it(served):
    class Ended:
        def wait(self):
            """It has."""

    gate.open_gate()
    gate._see_it_end(Ended(), f"{AWAY} earlier")
    assert gate.gate_address() == AWAY
    gate._see_it_end(Ended(), served[0][2][gate.OPENING])
    assert gate.gate_address() == ""
