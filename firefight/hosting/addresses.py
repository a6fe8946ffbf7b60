"""Which network a visitor comes from, and which addresses lead to this very machine. Nothing here is stored."""

import ipaddress
from urllib.parse import urlsplit


def find_network(remote: str, forwarded: str = "") -> str:
    """A visitor's network: an IPv4 address, or the first half of an IPv6 one, since each customer has many of those.

    ``remote``: who is connected; ``forwarded``: for whom our own proxy says it connects, "" without a proxy. The last
    address is the one that the proxy has added itself.

    >>> find_network("203.0.113.7"), find_network("127.0.0.1", "10.0.0.1, 2001:db8:1:2:3::4")
    ('203.0.113.7', '2001:db8:1:2::/64')
    """
    text = (forwarded or remote).split(",")[-1].strip()
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text[:64]
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def is_local(address: str) -> bool:
    """Whether an address leads back to the machine that opens it.

    >>> [is_local(f"http://{host}/") for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.5:8000")]
    [True, True, True, False]
    """
    return is_this_machine(urlsplit(address).hostname or "")


def is_this_machine(host: str) -> bool:
    """Whether a name or an address, without a port, is one by which a machine addresses itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
