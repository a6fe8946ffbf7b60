"""Which network a visitor comes from. Nothing here is stored."""

import ipaddress


def find_network(remote: str, forwarded: str = "") -> str:
    """A visitor's network: an IPv4 address, or the first half of an IPv6 one, of which each customer has many.

    ``remote``: who is connected; ``forwarded``: what our own proxy says of whom it stands for, "" without one. The last
    address is the one that it has added itself.

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
