"""Messages that the app sends by itself: to the webhooks of chats that the host allows, and nowhere else.

A name is looked up once. All its addresses are checked, and the connection goes to a checked one, with the original
name for TLS and for the server; so a name that changes its address meanwhile leads nowhere else.
"""

import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from django.conf import settings

PATIENCE = 5.0  # seconds for each step of a connection
LONGEST = 15.0  # seconds from the first step to the last
MOST_BYTES = 4_000  # of a message; of the answer only the head is read
MOST_ADDRESSES = 16

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Unsent(Exception):
    """Nothing was sent; the message says why, in the host's and the players' words."""


class BadAddress(Unsent):
    """The address is not one that the host allows."""


def list_chats() -> list[str]:
    """The chats that the host allows, as the beginnings of their addresses: "https://chat.example"."""
    return [entry.rstrip("/").lower() if "://" in entry else f"https://{entry.lower()}" for entry in settings.WEBHOOKS]


def check_address(address: str) -> tuple[str, str, int, str]:
    """An address as (scheme, host, port, the rest). Raises BadAddress. Nothing is looked up."""
    if not address.isascii() or not address.isprintable() or " " in address:
        raise BadAddress("A web address has no blanks, and no letters but a to z.")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or _USUAL[parts.scheme]
    except (ValueError, KeyError):
        raise BadAddress("That is not a web address that begins with https://.") from None
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise BadAddress("The address has parts that a chat's webhook does not have.")
    if (parts.scheme, host, port) not in [_origin_of(chat) for chat in list_chats()]:
        raise BadAddress(f"The host of this app does not allow calls to {host[:60]}.")
    return parts.scheme, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


_USUAL = {"https": 443, "http": 80}


def _origin_of(chat: str) -> tuple[str, str, int]:
    parts = urlsplit(chat)
    return parts.scheme, parts.hostname or "", parts.port or _USUAL.get(parts.scheme, 0)


def send_json(address: str, values: object) -> None:
    """Post plain values to a webhook. Raises Unsent. No redirect is followed; only the head of the answer is read."""
    scheme, host, port, path = check_address(address)
    body = json.dumps(values).encode()
    if len(body) > MOST_BYTES:
        raise Unsent("That is too long for a chat.")
    chosen = choose_address(look_up(host, port))
    connection = _Connection(scheme, host, port, str(chosen))
    guard = threading.Timer(LONGEST, connection.break_off)  # against an answer that comes a letter at a time
    guard.daemon = True
    guard.start()
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json", "User-Agent": "Volga Ledger"})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise Unsent(f"{host[:60]} does not answer ({type(error).__name__}).") from None
    finally:
        guard.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise Unsent(f"{host[:60]} answers {status}.")


def look_up(host: str, port: int) -> list[str]:
    """The network addresses of a name. Raises Unsent."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unsent(f"There is no {host[:60]} on the network.") from None
    return list(dict.fromkeys(str(socket_address[0]) for *_, socket_address in answers))[:MOST_ADDRESSES]


def choose_address(numbers: Iterable[str]) -> Address:
    """The first of a name's network addresses. Raises Unsent if any of them is this machine or in a private network.

    One bad address among good ones is enough: nobody gives it in good faith.
    """
    addresses = [ipaddress.ip_address(number.partition("%")[0]) for number in numbers]
    if not addresses:
        raise Unsent("The name has no address on the network.")
    if not settings.WEBHOOKS_PRIVATE and not all(map(is_public, addresses)):
        raise BadAddress("The name leads to this machine or to a private network.")
    return addresses[0]


# Ways in which an IPv6 address stands for an IPv4 one.
_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE = ipaddress.IPv6Network("::/96")


def is_public(address: Address) -> bool:
    """Whether an address is in the open network, and does not stand for another one.

    >>> [is_public(ipaddress.ip_address(each)) for each in ("8.8.8.8", "10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        stands_for = address.ipv4_mapped or address.sixtofour or address.teredo
        if stands_for or address in _COMPATIBLE or any(address in network for network in _NAT64):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


class _Connection(http.client.HTTPConnection):
    """A connection to a checked network address, under the name by which it was looked up."""

    def __init__(self, scheme: str, host: str, port: int, address: str):
        super().__init__(host, port, timeout=PATIENCE)
        self.address = address
        self.default_port = _USUAL[scheme]  # the Host header leaves it out
        self.context = ssl.create_default_context() if scheme == "https" else None

    def connect(self) -> None:
        """Connect, with TLS for the name."""
        self.sock = socket.create_connection((self.address, self.port), PATIENCE)
        if self.context:
            # The handshake only begins once it can be broken off.
            wrapped = self.context.wrap_socket(self.sock, do_handshake_on_connect=False, server_hostname=self.host)
            self.sock = wrapped
            wrapped.do_handshake()

    def break_off(self) -> None:
        """End the connection now, whatever it is waiting for."""
        sock = self.sock
        if sock:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
