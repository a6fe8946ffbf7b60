"""Webhooks reach what the host allows, and never this machine or a private network unless the host says so."""

import json
import socket
import ssl
import threading
from contextlib import contextmanager

import pytest

from firefight.hosting import outgoing
from firefight.hosting.outgoing import BadAddress, Unsent

PUBLIC = "93.184.215.14"
PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.5", "169.254.169.254", "100.64.0.1"),
    *("224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::3", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1", "64:ff9b::7f00:1"),
    *("64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
]


@pytest.fixture(autouse=True)
def allowed(settings):
    settings.WEBHOOKS, settings.WEBHOOKS_PRIVATE = ["chat.example", "http://plain.example:8065"], False


@pytest.fixture
def names(monkeypatch):
    """What names lead to. Every look-up takes the next answer of its name, the last one for ever; all are counted."""
    book, look_ups, real = {}, [], socket.getaddrinfo

    def look_up(host, port, *args, **options):
        if host.replace(".", "").isdigit():
            return real(host, port, *args, **options)  # an address, not a name
        look_ups.append(host)
        answers = book[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        family = {False: socket.AF_INET, True: socket.AF_INET6}
        return [(family[":" in address], socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    book["asked"] = look_ups
    return book


@contextmanager
def server(answer, wrap=None):
    """A server on this machine that keeps what it is sent, and gives one answer, or what ``answer`` makes of it."""
    received = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            try:
                peer, _ = listening.accept()
            except OSError:
                return
            with peer:
                peer.settimeout(5)
                try:
                    stream = wrap(peer) if wrap else peer
                    text = b""
                    while b"}" not in text:
                        text += stream.recv(4096) or b"}"
                    received.append(text)
                    answer(stream) if callable(answer) else stream.sendall(answer)
                except OSError as error:
                    received.append(error)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1], received
        finally:
            # Wakes a server that nobody has called.
            with socket.socket() as waking:
                waking.connect_ex(listening.getsockname())
            thread.join(5)


OK = b"HTTP/1.1 204 No Content\r\n\r\n"


@contextmanager
def leading_to(monkeypatch, port):
    """Every connection to the public address arrives at a server of this machine; the addresses asked for are kept."""
    connections, real = [], socket.create_connection

    def connect(address, timeout=None, *more):
        connections.append(address)
        return real(("127.0.0.1", port), timeout)

    with monkeypatch.context() as patch:
        patch.setattr(outgoing.socket, "create_connection", connect)
        yield connections


@pytest.mark.parametrize(
    "address",
    [
        *("https://other.example/x", "http://chat.example/x", "https://chat.example:8443/x", "https://plain.example/x"),
        *("https://chat.example.evil.example/x", "https://evil.example/chat.example", "ftp://chat.example/x", "x", ""),
        *("https://user@chat.example/x", "https://user:word@chat.example/", "https://chat.example@evil.example/"),
        *("https://chat.example/a b", "https://chat.example/\r\nHost: x", "https://chat.exämple/", "https://[::1]/"),
        *(
            "https://127.0.0.1/",
            "https://0x7f.1/",
            "https://chat.example:99999/",
            "https://chat.example/#x",
            "https://[",
        ),
    ],
)
def test_only_addresses_that_the_host_allows_are_called(address, names):
    with pytest.raises(BadAddress):
        outgoing.send_json(address, {})
    assert names["asked"] == []


@pytest.mark.parametrize("bad", PRIVATE)
def test_a_name_that_leads_to_this_machine_or_a_private_network_is_not_called(bad, names, monkeypatch):
    connections = []
    monkeypatch.setattr(outgoing.socket, "create_connection", lambda *args: connections.append(args))
    for addresses in ([bad], [PUBLIC, bad], [bad, PUBLIC]):
        names["chat.example"] = [addresses]
        with pytest.raises(BadAddress, match="private"):
            outgoing.send_json("https://chat.example/hook", {})
    assert connections == []


def test_a_call_arrives_under_its_name(names, monkeypatch):
    names["plain.example"] = [[PUBLIC]]
    with server(OK) as (port, received), leading_to(monkeypatch, port) as connections:
        outgoing.send_json("http://plain.example:8065/hook?key=1", {"text": "Your turn"})
    assert connections == [(PUBLIC, 8065)]
    head, _, body = received[0].decode().partition("\r\n\r\n")
    assert head.startswith("POST /hook?key=1 HTTP/1.1\r\n") and "\r\nHost: plain.example:8065\r\n" in head
    assert json.loads(body) == {"text": "Your turn"}


def test_a_name_is_looked_up_once_so_that_it_cannot_lead_elsewhere_afterwards(names, monkeypatch):
    names["plain.example"] = [[PUBLIC], ["127.0.0.1"]]
    with server(OK) as (port, _), leading_to(monkeypatch, port) as connections:
        outgoing.send_json("http://plain.example:8065/", {})
    assert connections == [(PUBLIC, 8065)] and names["asked"] == ["plain.example"]
    with pytest.raises(BadAddress):
        outgoing.send_json("http://plain.example:8065/", {})


def test_tls_is_spoken_with_the_name_and_its_certificate_is_checked(names, monkeypatch):
    names["chat.example"] = [[PUBLIC]]
    server_names = []

    def refuse(peer):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sni_callback = lambda _, name, __: server_names.append(name)
        return context.wrap_socket(peer, server_side=True)

    with server(OK, refuse) as (port, received), leading_to(monkeypatch, port), pytest.raises(Unsent, match="SSL"):
        outgoing.send_json("https://chat.example/", {})
    assert server_names == ["chat.example"] and isinstance(received[0], OSError)


@pytest.mark.parametrize("target", ["http://127.0.0.1/", "http://plain.example:8065/again", "/again"])
def test_no_redirect_is_followed(target, names, monkeypatch):
    names["plain.example"] = [[PUBLIC]]
    moved = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
    with server(moved) as (port, _), leading_to(monkeypatch, port) as connections, pytest.raises(Unsent, match="307"):
        outgoing.send_json("http://plain.example:8065/", {})
    assert len(connections) == 1


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0\r\n", b"HTTP/1.1 500 No\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200]
)
def test_whoever_answers_oddly_is_an_unsent_call(answer, names, monkeypatch):
    names["plain.example"] = [[PUBLIC]]
    with server(answer) as (port, _), leading_to(monkeypatch, port), pytest.raises(Unsent):
        outgoing.send_json("http://plain.example:8065/", {})


def test_whoever_answers_a_letter_at_a_time_is_broken_off(names, monkeypatch):
    names["plain.example"] = [[PUBLIC]]
    broken_off, guards = threading.Event(), []

    class Guard:
        """The timer, which ends when the test says so."""

        def __init__(self, seconds, end):
            assert seconds == outgoing.LONGEST
            self.end = end
            guards.append(self)

        def start(self):
            pass

        def cancel(self):
            pass

    monkeypatch.setattr(outgoing.threading, "Timer", Guard)

    def drip(stream):
        stream.sendall(b"HTTP/1.1 2")
        guards[0].end()  # time is up
        broken_off.set()
        stream.recv(1)

    with server(drip) as (port, _), leading_to(monkeypatch, port), pytest.raises(Unsent):
        outgoing.send_json("http://plain.example:8065/", {})
    assert broken_off.is_set()


def test_the_host_may_allow_its_own_network(names, settings):
    settings.WEBHOOKS_PRIVATE = True
    with server(OK) as (port, received):
        settings.WEBHOOKS = [f"http://plain.example:{port}"]
        names["plain.example"] = [["127.0.0.1"]]
        outgoing.send_json(f"http://plain.example:{port}/", {})
    assert received


def test_what_is_too_long_is_not_sent(names):
    with pytest.raises(Unsent, match="too long"):
        outgoing.send_json("https://chat.example/", {"text": "x" * outgoing.MOST_BYTES})


def test_nothing_is_allowed_by_default(settings):
    settings.WEBHOOKS = []
    with pytest.raises(BadAddress):
        outgoing.check_address("https://chat.example/")
